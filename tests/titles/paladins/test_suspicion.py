"""Taxes, suspicion cards and debts: what they take, where from, and what happens when there are none (pp. 22–23)."""

from __future__ import annotations

import pytest
from tests.titles.paladins.holdings import taken
from tests.titles.paladins.kit import PaladinsGame, detail, every, named

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e


def acting(players: int = 2, **choices: str) -> PaladinsGame:
    """Seat 1 acts with plenty of labourers and silver; nobody has townsfolk or suspicion."""
    game = PaladinsGame(players, **choices).turn(1).workers(1, labourer=4).at(1, silver=10)
    for seat in game.t.people:
        game.hired(seat.number).suspicion(seat.number)
    return game


def discarding(game: PaladinsGame, townsfolk: str) -> None:
    """Seat 1 discards townsfolk at the place that costs nothing."""
    game.display("townsfolk", "", "", "", "", townsfolk)
    game.act(1, "recruit", 1, c.DiscardTownsfolk(townsfolk, "silver"))


def in_the_tavern(game: PaladinsGame, *cards: str) -> PaladinsGame:
    """Seat 1 takes one of these tavern cards next."""
    for card in cards:
        game.bring(card, game.t.tavern)
    game.at(0, phase="tavern")
    game.table.decisions[1] = "tavern"
    return game


def all_out(players: int = 2, **choices: str) -> PaladinsGame:
    """Seats have all suspicion cards, most of them seat 2."""
    game = acting(players, **choices)
    game.empty(game.t.suspicion_discard, "suspicion.deck")
    cards = [card for card, count in sorted(game.t.suspicion_deck.items.items()) for _ in range(count)]
    for at, card in enumerate(cards):
        game.bring(card, game.side(1 if at < 5 else 2).suspicion)
    return game


# --- taxes -------------------------------------------------------------------------------------------------------


def test_paladins_tax_mandatory() -> None:
    """A tax cannot be refused, though it calls an inquisition; here the seat may only choose what it takes before."""
    game = acting().at(0, tax=1).hired(1, "acolyte_3").workers(1, scout=1, labourer=1, cleric=1).at(1, provisions=1)
    game.act(1, "commission", 3, c.PlaceMonk("r1a"))
    assert game.decision(1) == "reward"
    game.reject(1, c.ForgoReward("tax"), "paladins.rewards.may_be_forgone", "MANDATORY")

    events = game.do(1, c.TakeReward("tax"))

    assert detail(events, e.TaxTaken) == e.TaxTaken(from_tax=1, from_supply=0)
    assert game.seat(1).silver.value == 11
    assert named(events, "InquisitionBegun")


@pytest.mark.parametrize("townsfolk", ["architect_3", "defender_3", "gatekeeper_3"])
@pytest.mark.parametrize(("there", "from_tax", "left"), [(6, 2, 4), (3, 2, 1)])
def test_paladins_tax_mandatory__from_the_tax_supply(townsfolk: str, there: int, from_tax: int, left: int) -> None:
    game = acting().at(0, tax=there)

    discarding(game, townsfolk)

    assert game.seat(1).silver.value == 10 + from_tax
    assert game.t.tax.value == left
    assert game.decision(2) == "act", "nothing is asked where no inquisition can come in between"


def test_paladins_tax_rest_from_supply() -> None:
    """The example on page 22: 2 are to be taken and 1 is there."""
    game = acting().at(0, tax=1)

    discarding(game, "architect_3")

    assert game.seat(1).silver.value == 12
    assert game.t.tax.value == 6


def test_paladins_tax_rest_from_supply__as_far_as_the_box_has_silver() -> None:
    """The reading supply_limits."""
    game = acting(supply_limits="as_in_the_box").at(0, tax=1).at(2, silver=39)

    discarding(game, "architect_3")

    assert game.seat(1).silver.value == 11


@pytest.mark.parametrize(("there", "inquisition"), [(1, True), (2, True), (3, False)])
def test_paladins_tax_last_silver(there: int, inquisition: bool) -> None:
    game = acting().at(0, tax=there)
    game.display("townsfolk", "", "", "", "", "architect_3")

    events = game.act(1, "recruit", 1, c.DiscardTownsfolk("architect_3", "silver"))

    assert bool(named(events, "InquisitionBegun")) == inquisition
    assert game.t.tax.value == (6 if inquisition else 1)


# --- suspicion ---------------------------------------------------------------------------------------------------


def test_paladins_suspicion_with_each_criminal() -> None:
    """From a conspiracy, a tavern card, discarded townsfolk and an attacked outsider."""
    game = acting().next_suspicion(0)
    game.act(1, "conspire", 1)
    assert game.seat(1).suspicion.order == ["suspicion_0"]
    assert game.seat(1).workers.items["criminal"] == 1

    game.turn(1)
    discarding(game, "squire_3")
    assert game.seat(1).suspicion.total() == 2

    game.turn(1).at(1, strength=2).workers(1, scout=1, fighter=1, labourer=1).display("outsiders", "traitor_viking")
    game.act(1, "attack", 3, c.AttackOutsider("traitor_viking"))
    assert game.seat(1).suspicion.total() == 3
    assert game.seat(1).workers.items == {"criminal": 1}

    in_the_tavern(game.turn(1), "tavern_02", "tavern_12")
    game.do(1, c.TakeTavernCard("tavern_02"))
    assert game.seat(1).suspicion.total() == 4
    assert game.seat(2).suspicion.total() == 0


@pytest.mark.parametrize(("left", "lost"), [(1, ()), (0, ("criminal",))])
def test_paladins_suspicion_with_each_criminal__that_comes(left: int, lost: tuple[str, ...]) -> None:
    """The reading supply_limits: for a criminal that the box has no more, nobody is suspected."""
    game = acting(supply_limits="as_in_the_box").workers(2, criminal=18 - left)

    events = game.act(1, "conspire", 1)

    assert detail(events, e.Gained) == e.Gained(("criminal",), "conspire", lost)
    assert len(named(events, "SuspicionTaken")) == game.seat(1).suspicion.total() == left


@pytest.mark.parametrize("tax", [0, 1, 2])
def test_paladins_suspicion_tax(tax: int) -> None:
    game = acting().next_suspicion(tax)

    events = game.act(1, "conspire", 1)

    taken = detail(events, e.SuspicionTaken)
    assert taken == e.SuspicionTaken(f"suspicion_{tax}", tax, 0, reshuffled=False)
    assert (game.seat(1).silver.value, game.t.tax.value) == (10 + tax, 6 - tax)


def test_paladins_suspicion_one_by_one() -> None:
    """The example on page 22: two criminals, 1 silver as taxes; the second card comes after the inquisition."""
    game = in_the_tavern(acting().at(0, tax=1).next_suspicion(2), "tavern_12", "tavern_02")

    events = game.do(1, c.TakeTavernCard("tavern_12"))

    first, second = every(events, e.SuspicionTaken)
    assert first == e.SuspicionTaken("suspicion_2", 1, 1, reshuffled=False)
    assert second == e.SuspicionTaken("suspicion_2", 2, 0, reshuffled=False)
    names = [event.name for event in events]
    assert names.index("SuspicionTaken") < names.index("InquisitionBegun") < names.index("InquisitionEnded")
    assert len(names) - 1 - names[::-1].index("SuspicionTaken") > names.index("InquisitionEnded")
    assert game.seat(1).silver.value == 14
    assert game.t.tax.value == 4
    assert game.seat(1).unpaid.total() == 1
    assert game.seat(1).suspicion.total() == 2, "half of one card is none"


def test_paladins_suspicion_reshuffle() -> None:
    game = acting().suspicion(2, 1, 1)
    game.empty(game.t.suspicion_deck, "suspicion.discard")
    discarded = game.t.suspicion_discard.total()

    events = game.act(1, "conspire", 1)

    assert detail(events, e.SuspicionTaken).reshuffled
    assert game.t.suspicion_discard.total() == 0
    assert game.t.suspicion_deck.total() == discarded - 1
    assert game.seat(2).suspicion.total() == 2


def test_paladins_suspicion_reshuffle__only_when_the_deck_is_empty() -> None:
    game = acting().next_suspicion(1)
    discarded = game.t.suspicion_discard.total()

    events = game.act(1, "conspire", 1)

    assert not detail(events, e.SuspicionTaken).reshuffled
    assert game.t.suspicion_discard.total() == discarded


def test_paladins_suspicion_none_left() -> None:
    """Page 22: neither deck nor discarded cards; after the inquisition there are cards enough for a deck."""
    game = all_out()
    assert game.seat(2).suspicion.total() == 19

    events = game.act(1, "conspire", 1)

    assert every(events, e.InquisitionBegun) == [e.InquisitionBegun("suspicion")]
    assert game.seat(2).suspicion.total() == 10
    assert game.seat(2).unpaid.total() == 1
    assert game.seat(1).suspicion.total() == 6
    assert detail(events, e.SuspicionTaken).reshuffled
    names = [event.name for event in events]
    assert names.index("InquisitionEnded") < names.index("SuspicionTaken")
    assert game.decision(2) == "act"


def test_paladins_suspicion_none_left__townsfolk_act_first() -> None:
    """It is an inquisition like every other: townsfolk act first, and the card is taken afterwards."""
    game = all_out().hired(2, "conspirator_1", "peddler_1")

    events = game.act(1, "conspire", 1)

    assert {event.seat for event in named(events, "TownsfolkUsed")} == {2}
    assert game.seat(2).suspicion.total() == 9, "one for the Conspirator, then half of 18"
    assert [event.seat for event in named(events, "SuspicionTaken")] == [1]


def test_paladins_suspicion_none_left__for_the_opponent() -> None:
    game = all_out(opponent="easy").workers(2, labourer=4).scheme("attack")
    for area in game.opponent().right:
        for space in area.spaces:
            game.empty(space, "seat.2.workshops")
    game.favours("favour_03").scheme("favour")

    events = game.act(1, "hunt", 1)

    assert every(events, e.InquisitionBegun) == [e.InquisitionBegun("suspicion")]
    assert [event.seat for event in named(events, "SuspicionTaken")] == [2, 2]
    assert game.decision(1) == "act"


def test_paladins_suspicion_lapses() -> None:
    """With 24 cards and four seats that hardly comes about, so here most cards are put away: nobody has two."""
    for inquisition_would_help in (True, False):
        game = all_out()
        for seat in (1, 2):
            game.empty(game.seat(seat).suspicion)
        game.bring("suspicion_0", game.seat(1).suspicion).bring("suspicion_1", game.seat(2).suspicion)
        if inquisition_would_help:
            game.bring("suspicion_2", game.seat(2).suspicion)

        events = game.act(1, "conspire", 1)

        assert bool(named(events, "SuspicionLapsed")) != inquisition_would_help
        assert bool(named(events, "InquisitionBegun")) == inquisition_would_help
        assert game.seat(1).workers.items["criminal"] == 1
        assert game.decision(2) == "act"


def test_paladins_suspicion_lapses__for_the_opponent() -> None:
    game = all_out(opponent="easy").workers(2, labourer=4).favours("favour_03").scheme("favour")
    for seat in (1, 2):
        game.empty(game.side(seat).suspicion)

    events = game.act(1, "hunt", 1)

    assert [event.seat for event in named(events, "SuspicionLapsed")] == [2, 2]
    assert game.opponent().workers.items["criminal"] == 2


def test_paladins_suspicion_newest_first() -> None:
    """By a reward as in an inquisition (page 23)."""
    game = acting().suspicion(1, 2, 0, 1).display("townsfolk", "", "", "", "", "acolyte_3")

    game.act(1, "recruit", 1, c.DiscardTownsfolk("acolyte_3", "silver"))
    taken(game)

    assert game.seat(1).suspicion.order == ["suspicion_2"]


# --- debts -------------------------------------------------------------------------------------------------------


def test_paladins_debts_taken_unpaid() -> None:
    game = acting().favours("favour_06")

    game.do(1, c.UseFavour("favour_06"))

    assert (game.seat(1).unpaid.total(), game.seat(1).paid.total()) == (1, 0)
    assert game.t.debts.total() == 23


def test_paladins_debts_taken_unpaid__instead_of_silver() -> None:
    game = acting().display("townsfolk", "gatekeeper_2")

    game.act(1, "recruit", 1, c.DiscardTownsfolk("gatekeeper_2", "debt"))

    assert (game.seat(1).unpaid.total(), game.seat(1).silver.value) == (1, 10)


def test_paladins_debts_pay() -> None:
    game = acting().debts(1, unpaid=2).favours("favour_05").workers(1, fighter=1)
    game.do(1, c.UseFavour("favour_05"))
    (choice, _) = game.legal(1)

    events = game.do(1, choice) + taken(game)

    assert named(events, "DebtPaid")
    assert (game.seat(1).unpaid.total(), game.seat(1).paid.total()) == (1, 1)
    assert game.t.debts.total() == 22


def test_paladins_debts_destroy() -> None:
    game = acting().debts(1, unpaid=2)

    discarding(game, "abbot_3")
    taken(game)

    assert (game.seat(1).unpaid.total(), game.seat(1).paid.total()) == (1, 0)
    assert game.t.debts.total() == 23


def test_paladins_debts_destroy__never_a_paid_one() -> None:
    game = acting().debts(1, paid=1).display("townsfolk", "", "", "", "", "abbot_3")

    events = game.act(1, "recruit", 1, c.DiscardTownsfolk("abbot_3", "silver"))

    assert detail(events, e.RewardLapsed).reward == "destroy_debt"
    assert game.seat(1).paid.total() == 1


def test_paladins_debts_run_out() -> None:
    """The favour gives its workers all the same; townsfolk cannot be had for a debt any more."""
    game = acting().favours("favour_06").display("townsfolk", "gatekeeper_2").at(1, silver=3)
    game.run_out("debt", game.t.debts)

    events = game.do(1, c.UseFavour("favour_06"))

    assert detail(events, e.RewardLapsed).reward == "take_debt"
    assert game.seat(1).unpaid.total() == 0
    assert {"scout", "merchant", "fighter"} <= set(game.seat(1).workers.items)
    game.turn(1).act(1, "recruit", 1)
    assert game.legal(1) == [c.DiscardTownsfolk("gatekeeper_2", "silver")]
    game.reject(1, c.DiscardTownsfolk("gatekeeper_2", "debt"), "paladins.recruit.debt_on_the_left", "NO_DEBT_HERE")


def test_paladins_debts_run_out__in_an_inquisition() -> None:
    """Who should take one discards half of the suspicion all the same."""
    game = acting().suspicion(1).suspicion(2, 0, 0, 0).at(0, tax=1).next_suspicion(1).workers(1, labourer=1)
    game.run_out("debt", game.t.debts)

    events = game.act(1, "conspire", 1)

    assert detail(events, e.SeatCondemned) == e.SeatCondemned(3, debt=False, discarded=("suspicion_0",))
    assert (game.seat(2).unpaid.total(), game.seat(2).suspicion.total()) == (0, 2)


@pytest.mark.parametrize("left", [1, 0])
def test_paladins_debts_run_out__for_the_opponent(left: int) -> None:
    game = acting(opponent="easy").workers(2, labourer=2).favours("favour_06").scheme("favour")
    game.exactly(game.t.debts, debt=left)

    events = game.act(1, "hunt", 1)

    assert every(events, e.RewardLapsed) == ([] if left else [e.RewardLapsed("take_debt")])
    assert game.opponent().unpaid.total() == left
    assert game.opponent().workers.total() == 4
