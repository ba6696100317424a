"""Taxes, suspicion cards and debts: amounts, sources, and what happens if they run out (pp. 22–23)."""

from __future__ import annotations

import pytest
from tests.titles.paladins.holdings import take_all
from tests.titles.paladins.kit import PaladinsGame, all_details, detail, named

from boardkeeper.table.effects import Event
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e


def create_game(players: int = 2, **choices: str) -> PaladinsGame:
    """Start seat 1's turn with 4 labourers and 10 silver; no player has townsfolk or suspicion cards."""
    game = PaladinsGame(players, **choices).turn(1).workers(1, labourer=4).at(1, silver=10)
    for seat in game.t.people:
        game.townsfolk(seat.number).suspicion(seat.number)
    return game


def discard_townsfolk(game: PaladinsGame, townsfolk: str) -> list[Event]:
    """Let seat 1 discard townsfolk from the rightmost place, which costs no silver, and return the last events."""
    game.display("townsfolk", "", "", "", "", townsfolk)
    return game.act(1, "recruit", 1, c.DiscardTownsfolk(townsfolk, "silver"))


def create_game_without_deck(players: int = 2, **choices: str) -> PaladinsGame:
    """Create a game in which no suspicion card is left: seat 1 has 5 of the 24 cards, and seat 2 has 19."""
    game = create_game(players, **choices)
    game.empty(game.t.suspicion_discard, "suspicion.deck")
    cards = [card for card, count in sorted(game.t.suspicion_deck.items.items()) for _ in range(count)]
    for at, card in enumerate(cards):
        game.bring(card, game.side(1 if at < 5 else 2).suspicion)
    return game


# --- taxes -------------------------------------------------------------------------------------------------------


def test_paladins_tax_mandatory() -> None:
    """A seat cannot forgo a tax, even if the tax causes an inquisition. It can only choose the order of its rewards."""
    game = (
        create_game()
        .at(0, tax=1)
        .townsfolk(1, "acolyte_3")
        .workers(1, scout=1, labourer=1, cleric=1)
        .at(1, provisions=1)
    )
    game.act(1, "commission", 3, c.PlaceMonk("r1a"))
    assert game.decision(1) == "reward"
    game.reject(1, c.ForgoReward("tax"), "paladins.rewards.may_be_forgone", "MANDATORY")

    events = game.do(1, c.TakeReward("tax"))

    assert detail(events, e.TaxTaken) == e.TaxTaken(from_tax=1, from_supply=0)
    assert game.seat(1).silver.value == 11
    assert named(events, "InquisitionBegun")


@pytest.mark.parametrize("townsfolk", ["architect_3", "defender_3", "gatekeeper_3"])
@pytest.mark.parametrize(("supply", "from_tax", "left"), [(6, 2, 4), (3, 2, 1)])
def test_paladins_tax_mandatory__from_the_tax_supply(townsfolk: str, supply: int, from_tax: int, left: int) -> None:
    game = create_game().at(0, tax=supply)

    discard_townsfolk(game, townsfolk)

    assert game.seat(1).silver.value == 10 + from_tax
    assert game.t.tax.value == left
    assert game.decision(2) == "act", "no inquisition is possible, so seat 1 does not choose the order of its rewards"


def test_paladins_tax_rest_from_supply() -> None:
    """The example on page 22: the seat gains 2 taxes, and the tax supply has 1 silver."""
    game = create_game().at(0, tax=1)

    discard_townsfolk(game, "architect_3")

    assert game.seat(1).silver.value == 12
    assert game.t.tax.value == 6


def test_paladins_tax_rest_from_supply__as_far_as_the_box_has_silver() -> None:
    """The tax supply has 1 silver and the general supply none, so the seat gets 1 of 2 silver."""
    game = create_game(supply_limits="as_in_the_box").at(0, tax=1).at(2, silver=39)

    discard_townsfolk(game, "architect_3")

    assert game.seat(1).silver.value == 11


@pytest.mark.parametrize(("supply", "inquisition"), [(1, True), (2, True), (3, False)])
def test_paladins_tax_last_silver(supply: int, inquisition: bool) -> None:
    game = create_game().at(0, tax=supply)

    events = discard_townsfolk(game, "architect_3")

    assert bool(named(events, "InquisitionBegun")) == inquisition
    assert game.t.tax.value == (6 if inquisition else 1)


# --- suspicion ---------------------------------------------------------------------------------------------------


def test_paladins_suspicion_with_each_criminal() -> None:
    """A seat gains criminals from the action Conspire, discarded townsfolk, an attacked outsider and a tavern card."""
    game = create_game().next_suspicion(0)
    game.act(1, "conspire", 1)
    assert game.seat(1).suspicion.order == ["suspicion_0"]
    assert game.seat(1).workers.items["criminal"] == 1

    game.turn(1)
    discard_townsfolk(game, "squire_3")
    assert game.seat(1).suspicion.total() == 2

    game.turn(1).at(1, strength=2).workers(1, scout=1, fighter=1, labourer=1).display("outsiders", "traitor_viking")
    game.act(1, "attack", 3, c.AttackOutsider("traitor_viking"))
    assert game.seat(1).suspicion.total() == 3
    assert game.seat(1).workers.items == {"criminal": 1}

    game.turn(1).tavern("tavern_02", "tavern_12")
    game.do(1, c.TakeTavernCard("tavern_02"))
    assert game.seat(1).suspicion.total() == 4
    assert game.seat(2).suspicion.total() == 0


@pytest.mark.parametrize(("left", "lost"), [(1, ()), (0, ("criminal",))])
def test_paladins_suspicion_with_each_criminal__unless_it_is_lost(left: int, lost: tuple[str, ...]) -> None:
    """If no criminal is left in the general supply, the seat gains none and takes no suspicion card."""
    game = create_game(supply_limits="as_in_the_box").workers(2, criminal=18 - left)

    events = game.act(1, "conspire", 1)

    assert detail(events, e.Gained) == e.Gained(("criminal",), "conspire", lost)
    assert len(named(events, "SuspicionTaken")) == game.seat(1).suspicion.total() == left


@pytest.mark.parametrize("tax", [0, 1, 2])
def test_paladins_suspicion_tax(tax: int) -> None:
    game = create_game().next_suspicion(tax)

    events = game.act(1, "conspire", 1)

    suspicion = detail(events, e.SuspicionTaken)
    assert suspicion == e.SuspicionTaken(f"suspicion_{tax}", tax, 0, reshuffled=False)
    assert (game.seat(1).silver.value, game.t.tax.value) == (10 + tax, 6 - tax)


def test_paladins_suspicion_one_by_one() -> None:
    """The example on page 22: a tavern card has two criminals, and the tax supply has 1 silver.

    The first suspicion card causes an inquisition. The seat takes the second card after it.
    """
    game = create_game().at(0, tax=1).next_suspicion(2).tavern("tavern_12", "tavern_02")

    events = game.do(1, c.TakeTavernCard("tavern_12"))

    first, second = all_details(events, e.SuspicionTaken)
    assert first == e.SuspicionTaken("suspicion_2", 1, 1, reshuffled=False)
    assert second == e.SuspicionTaken("suspicion_2", 2, 0, reshuffled=False)
    names = [event.name for event in events]
    assert names.index("SuspicionTaken") < names.index("InquisitionBegun") < names.index("InquisitionEnded")
    assert len(names) - 1 - names[::-1].index("SuspicionTaken") > names.index("InquisitionEnded")
    assert game.seat(1).silver.value == 14
    assert game.t.tax.value == 4
    assert game.seat(1).unpaid.total() == 1
    assert game.seat(1).suspicion.total() == 2, "half of one card, rounded down, is none"


def test_paladins_suspicion_reshuffle() -> None:
    game = create_game().suspicion(2, 1, 1)
    game.empty(game.t.suspicion_deck, "suspicion.discard")
    discarded = game.t.suspicion_discard.total()

    events = game.act(1, "conspire", 1)

    assert detail(events, e.SuspicionTaken).reshuffled
    assert game.t.suspicion_discard.total() == 0
    assert game.t.suspicion_deck.total() == discarded - 1
    assert game.seat(2).suspicion.total() == 2


def test_paladins_suspicion_reshuffle__only_when_the_deck_is_empty() -> None:
    game = create_game().next_suspicion(1)
    discarded = game.t.suspicion_discard.total()

    events = game.act(1, "conspire", 1)

    assert not detail(events, e.SuspicionTaken).reshuffled
    assert game.t.suspicion_discard.total() == discarded


def test_paladins_suspicion_none_left() -> None:
    """Page 22: the suspicion cards that are discarded in the inquisition become the new deck."""
    game = create_game_without_deck()
    assert game.seat(2).suspicion.total() == 19

    events = game.act(1, "conspire", 1)

    assert all_details(events, e.InquisitionBegun) == [e.InquisitionBegun("suspicion")]
    assert game.seat(2).suspicion.total() == 10
    assert game.seat(2).unpaid.total() == 1
    assert game.seat(1).suspicion.total() == 6
    assert detail(events, e.SuspicionTaken).reshuffled
    names = [event.name for event in events]
    assert names.index("InquisitionEnded") < names.index("SuspicionTaken")
    assert game.decision(2) == "act"


def test_paladins_suspicion_none_left__townsfolk_act_first() -> None:
    """As in every inquisition, townsfolk are used first. Seat 1 takes its suspicion card after the inquisition."""
    game = create_game_without_deck().townsfolk(2, "conspirator_1", "peddler_1")

    events = game.act(1, "conspire", 1)

    assert {event.seat for event in named(events, "TownsfolkUsed")} == {2}
    assert game.seat(2).suspicion.total() == 9, "one for the Conspirator, then half of 18"
    assert [event.seat for event in named(events, "SuspicionTaken")] == [1]


def test_paladins_suspicion_none_left__for_the_opponent() -> None:
    game = create_game_without_deck(opponent="easy").workers(2, labourer=4).scheme("attack")
    for area in game.opponent().right:
        for space in area.spaces:
            game.empty(space, "seat.2.workshops")
    game.favours("favour_03").scheme("favour")

    events = game.act(1, "hunt", 1)

    assert all_details(events, e.InquisitionBegun) == [e.InquisitionBegun("suspicion")]
    assert [event.seat for event in named(events, "SuspicionTaken")] == [2, 2]
    assert game.decision(1) == "act"


def test_paladins_suspicion_lapses() -> None:
    """If no seat has two suspicion cards, an inquisition would free none, so the card is not taken.

    With all 24 cards in play, a seat always has two, so the test removes most cards.
    """
    for inquisition_would_help in (True, False):
        game = create_game_without_deck()
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
    game = create_game_without_deck(opponent="easy").workers(2, labourer=4).favours("favour_03").scheme("favour")
    for seat in (1, 2):
        game.empty(game.side(seat).suspicion)

    events = game.act(1, "hunt", 1)

    assert [event.seat for event in named(events, "SuspicionLapsed")] == [2, 2]
    assert game.opponent().workers.items["criminal"] == 2


def test_paladins_suspicion_newest_first() -> None:
    """Page 23: two rewards discard the two newest of three cards."""
    game = create_game().suspicion(1, 2, 0, 1)

    discard_townsfolk(game, "acolyte_3")
    take_all(game)

    assert game.seat(1).suspicion.order == ["suspicion_2"]


def test_paladins_suspicion_newest_first__in_an_inquisition() -> None:
    game = create_game().suspicion(2, 2, 0, 1).at(0, tax=1).next_suspicion(1)

    events = game.act(1, "conspire", 1)

    assert detail(events, e.SeatCondemned).discarded == ("suspicion_1",)
    assert game.seat(2).suspicion.order == ["suspicion_2", "suspicion_0"]


# --- debts -------------------------------------------------------------------------------------------------------


def test_paladins_debts_taken_unpaid() -> None:
    game = create_game().favours("favour_06")

    game.do(1, c.UseFavour("favour_06"))

    assert (game.seat(1).unpaid.total(), game.seat(1).paid.total()) == (1, 0)
    assert game.t.debts.total() == 23


def test_paladins_debts_taken_unpaid__instead_of_silver() -> None:
    game = create_game().display("townsfolk", "gatekeeper_2")

    game.act(1, "recruit", 1, c.DiscardTownsfolk("gatekeeper_2", "debt"))

    assert (game.seat(1).unpaid.total(), game.seat(1).silver.value) == (1, 10)


def test_paladins_debts_pay() -> None:
    game = create_game().debts(1, unpaid=2).favours("favour_05").workers(1, fighter=1)
    game.do(1, c.UseFavour("favour_05"))
    (choice, _) = game.legal(1)

    events = game.do(1, choice) + take_all(game)

    assert named(events, "DebtPaid")
    assert (game.seat(1).unpaid.total(), game.seat(1).paid.total()) == (1, 1)
    assert game.t.debts.total() == 22


def test_paladins_debts_destroy() -> None:
    game = create_game().debts(1, unpaid=2)

    discard_townsfolk(game, "abbot_3")
    take_all(game)

    assert (game.seat(1).unpaid.total(), game.seat(1).paid.total()) == (1, 0)
    assert game.t.debts.total() == 23


def test_paladins_debts_destroy__never_a_paid_one() -> None:
    game = create_game().debts(1, paid=1)

    events = discard_townsfolk(game, "abbot_3")

    assert detail(events, e.RewardLapsed).reward == "destroy_debt"
    assert game.seat(1).paid.total() == 1


def test_paladins_debts_run_out() -> None:
    """A favour gives its workers but no debt, and townsfolk cannot be discarded for a debt."""
    game = create_game().favours("favour_06").display("townsfolk", "gatekeeper_2").at(1, silver=3)
    game.run_out("debt", game.t.debts)

    events = game.do(1, c.UseFavour("favour_06"))

    assert detail(events, e.RewardLapsed).reward == "take_debt"
    assert game.seat(1).unpaid.total() == 0
    assert {"scout", "merchant", "fighter"} <= set(game.seat(1).workers.items)
    game.turn(1).act(1, "recruit", 1)
    assert game.legal(1) == [c.DiscardTownsfolk("gatekeeper_2", "silver")]
    game.reject(1, c.DiscardTownsfolk("gatekeeper_2", "debt"), "paladins.recruit.debt_on_the_left", "NO_DEBT_HERE")


def test_paladins_debts_run_out__in_an_inquisition() -> None:
    """A condemned seat takes no debt, but still discards half of its suspicion cards."""
    game = create_game().suspicion(1).suspicion(2, 0, 0, 0).at(0, tax=1).next_suspicion(1).workers(1, labourer=1)
    game.run_out("debt", game.t.debts)

    events = game.act(1, "conspire", 1)

    assert detail(events, e.SeatCondemned) == e.SeatCondemned(3, debt=False, discarded=("suspicion_0",))
    assert (game.seat(2).unpaid.total(), game.seat(2).suspicion.total()) == (0, 2)


@pytest.mark.parametrize("left", [1, 0])
def test_paladins_debts_run_out__for_the_opponent(left: int) -> None:
    game = create_game(opponent="easy").workers(2, labourer=2).favours("favour_06").scheme("favour")
    game.exactly(game.t.debts, debt=left)

    events = game.act(1, "hunt", 1)

    assert all_details(events, e.RewardLapsed) == ([] if left else [e.RewardLapsed("take_debt")])
    assert game.opponent().unpaid.total() == left
    assert game.opponent().workers.total() == 4
