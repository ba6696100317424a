"""The inquisition: what its townsfolk do, who takes a debt, and that it interrupts whatever is going on (p. 23)."""

from __future__ import annotations

from itertools import permutations

import pytest
from msgspec import Struct
from tests.titles.paladins.kit import PaladinsGame, detail, details, every, named

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Event
from boardkeeper.table.forking import layout_of
from boardkeeper.table.table import Table
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e


def about_to_inquire(players: int = 2, **choices: str) -> PaladinsGame:
    """Seat 1 acts; the next suspicion card takes the last silver of the tax supply."""
    game = PaladinsGame(players, **choices).turn(1).workers(1, labourer=2).at(0, tax=1).next_suspicion(1)
    for seat in game.t.people:
        game.hired(seat.number)
    return game


def inquire(game: PaladinsGame) -> list[Event]:
    """Seat 1 conspires, takes a suspicion card and with it the last silver."""
    return game.act(1, "conspire", 1)


def uses(game: PaladinsGame, seat: int, *cards: str) -> list[Event]:
    """Let townsfolk of a seat act one after the other."""
    return game.do(seat, *(c.UseTownsfolk(card) for card in cards))


# --- who is condemned --------------------------------------------------------------------------------------------


def test_paladins_inquisition_most_suspicion() -> None:
    """The example on page 23: 1, 0, 3 and 3 cards; the last two take a debt and discard one; 8 silver lie again."""
    game = about_to_inquire(4).suspicion(3, 0, 1, 2).suspicion(4, 2, 1, 0)

    events = inquire(game)

    assert details(events, e.SeatCondemned) == {
        3: e.SeatCondemned(3, debt=True, discarded=("suspicion_2",)),
        4: e.SeatCondemned(3, debt=True, discarded=("suspicion_0",)),
    }
    assert [game.seat(seat).unpaid.total() for seat in (1, 2, 3, 4)] == [0, 0, 1, 1]
    assert game.seat(1).suspicion.order == ["suspicion_1"]
    assert game.seat(3).suspicion.order == ["suspicion_0", "suspicion_1"]
    assert game.seat(4).suspicion.order == ["suspicion_2", "suspicion_1"]
    assert game.t.tax.value == 8
    assert detail(events, e.InquisitionEnded).silver == 8
    assert game.deciding() == [2]


def test_paladins_inquisition_most_suspicion__one_alone() -> None:
    game = about_to_inquire(3).suspicion(2, 1)
    game.suspicion(1, 0)

    events = inquire(game)

    assert list(details(events, e.SeatCondemned)) == [1]
    assert game.seat(2).unpaid.total() == 0


def test_paladins_inquisition_nobody_suspected() -> None:
    """Taxes can empty the supply without any suspicion."""
    game = about_to_inquire().at(0, tax=2).display("townsfolk", "defender_3")

    events = game.at(1, silver=9).act(1, "recruit", 1, c.DiscardTownsfolk("defender_3", "silver"))

    assert named(events, "InquisitionBegun")
    assert not named(events, "SeatCondemned")
    assert game.seat(1).unpaid.total() == game.seat(2).unpaid.total() == 0
    assert game.t.tax.value == 6


@pytest.mark.parametrize(("cards", "left"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4)])
def test_paladins_inquisition_half_discarded(cards: int, left: int) -> None:
    """Half, rounded down."""
    game = about_to_inquire().suspicion(2, *[2] * cards)
    discarded = game.t.suspicion_discard.items["suspicion_2"]

    inquire(game)

    assert game.seat(2).suspicion.total() == left
    assert game.seat(2).unpaid.total() == 1
    assert game.t.suspicion_discard.items["suspicion_2"] == discarded + cards - left


def test_paladins_inquisition_half_discarded__only_by_who_takes_a_debt() -> None:
    game = about_to_inquire(3).suspicion(2, 2, 2, 2, 2).suspicion(3, 2, 2, 2)

    inquire(game)

    assert game.seat(3).suspicion.total() == 3


def test_paladins_inquisition_half_discarded__without_a_debt_to_take() -> None:
    """The pile is empty, so nobody takes one; the cards go all the same, as who is condemned is condemned."""
    game = about_to_inquire().suspicion(2, 0, 0, 0, 0)
    game.run_out("debt", game.t.debts)

    events = inquire(game)

    assert detail(events, e.SeatCondemned) == e.SeatCondemned(4, debt=False, discarded=("suspicion_0",) * 2)
    assert game.seat(2).unpaid.total() == 0


# --- the tax supply is filled up ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "silver"), [(2, 6), (3, 7), (4, 8)])
def test_paladins_inquisition_refill(players: int, silver: int) -> None:
    game = about_to_inquire(players)

    events = inquire(game)

    assert detail(events, e.InquisitionEnded) == e.InquisitionEnded(silver)
    assert game.t.tax.value == silver


def no_card_left(players: int = 2, **choices: str) -> PaladinsGame:
    """Neither deck nor discarded cards have a suspicion card; seats have them all, and 3 silver lie as taxes."""
    game = PaladinsGame(players, **choices).turn(1).workers(1, labourer=2).at(0, tax=3)
    for seat in game.t.people:
        game.hired(seat.number).suspicion(seat.number)
    game.empty(game.t.suspicion_discard, "suspicion.deck")
    cards = sorted(game.t.suspicion_deck.items.items())
    holders = [game.seat(at) for at in (2, *range(1, players + 1))]
    for at, card in enumerate(card for card, count in cards for _ in range(count)):
        game.bring(card, holders[at % len(holders)].suspicion)
    return game


@pytest.mark.parametrize(("reading", "silver"), [("full", 3), ("unchanged", 0)])
def test_paladins_inquisition_refill__after_an_empty_deck(reading: str, silver: int) -> None:
    """The reading refill_after_empty_suspicion."""
    game = no_card_left(refill_after_empty_suspicion=reading)

    events = inquire(game)

    assert detail(events, e.InquisitionBegun).reason == "suspicion"
    assert detail(events, e.InquisitionEnded).silver == silver
    taken = detail(events, e.SuspicionTaken)
    assert game.t.tax.value == 3 + silver - taken.from_tax


def test_paladins_inquisition_refill__as_far_as_the_box_has_silver() -> None:
    """The reading supply_limits: of the 50 silver two lie with others, and the rest with seat 2."""
    game = about_to_inquire(supply_limits="as_in_the_box").at(1, silver=2).at(2, silver=44)

    events = inquire(game)

    assert detail(events, e.InquisitionEnded).silver == 50 - 44 - 3
    assert game.t.tax.value == 3


# --- townsfolk ---------------------------------------------------------------------------------------------------


def test_paladins_inquisition_any_order() -> None:
    """The example on page 31: two Conspirators, a Peddler, two Squires and two cards, in the order that pays best."""
    game = about_to_inquire().suspicion(2, 2, 0)
    game.hired(2, "conspirator_1", "conspirator_2", "peddler_3", "squire_2", "squire_3").at(2, silver=1)
    inquire(game)
    assert game.decision(2) == "inquisition"
    assert {command.townsfolk for command in game.legal(2)} == set(game.seat(2).inquiry.items)  # type: ignore[attr-defined]

    told = uses(game, 2, "peddler_3")
    assert detail(told, e.TownsfolkUsed) == e.TownsfolkUsed("peddler_3", ("silver", "silver"), effective=True)
    assert game.seat(2).silver.value == 3
    told = uses(game, 2, "conspirator_2")
    assert detail(told, e.TownsfolkUsed) == e.TownsfolkUsed("conspirator_2", ("discard_suspicion",), effective=True)
    assert game.seat(2).suspicion.order == ["suspicion_2"]
    events = uses(game, 2, "conspirator_1")

    assert not game.seat(2).suspicion.order
    assert (game.seat(2).attributes["influence"].value, game.seat(2).attributes["faith"].value) == (1, 1)
    assert list(details(events, e.SeatCondemned)) == [1], "the judgement counts what is left then"
    assert game.seat(2).townsfolk.total() == 5
    assert game.decision(2) == "act"


def test_paladins_inquisition_any_order__the_other_way_round() -> None:
    """Who lets a Squire act before the Conspirator has no use of it: each acts once."""
    game = about_to_inquire().suspicion(2, 0).hired(2, "conspirator_1", "squire_1", "peddler_1")
    inquire(game)

    told = uses(game, 2, "squire_1")

    assert named(told, "TownsfolkUsed")[0].detail == e.TownsfolkUsed("squire_1", (), effective=False)
    assert not game.seat(2).inquiry.items, "the Peddler finds nothing either way"
    assert game.seat(2).attributes["strength"].value == 0
    assert game.decision(2) == "act"


def test_paladins_inquisition_any_order__refused_for_others() -> None:
    """Only townsfolk that act in an inquisition, and only one's own."""
    game = about_to_inquire(3).suspicion(2, 0).suspicion(3, 0)
    game.hired(2, "conspirator_1", "squire_1", "abbot_1").hired(3, "conspirator_2", "squire_2")
    inquire(game)

    for card in ("abbot_1", "squire_2"):
        game.reject(2, c.UseTownsfolk(card), "paladins.inquisition.any_order", "NOT_IN_THE_INQUIRY")


@pytest.mark.parametrize(
    ("suspicion", "cards"),
    [
        (0, ("conspirator_1", "squire_1", "peddler_1")),
        (2, ("conspirator_1", "conspirator_2")),
        (1, ("squire_1", "squire_2", "peddler_1")),
    ],
    ids=["nothing to discard", "alike", "none discards"],
)
def test_nobody_is_asked_for_an_order_that_makes_no_difference(suspicion: int, cards: tuple[str, ...]) -> None:
    game = about_to_inquire().suspicion(2, *[0] * suspicion).hired(2, *cards)

    events = inquire(game)

    assert sorted(used.townsfolk for used in every(events, e.TownsfolkUsed)) == sorted(cards)
    assert game.decision(2) == "act"


@pytest.mark.parametrize(("suspicion", "gains"), [(1, ("discard_suspicion",)), (0, ())])
def test_paladins_inquisition_townsfolk_first__and_tell_what_they_did(suspicion: int, gains: tuple[str, ...]) -> None:
    """A Conspirator finds a card to discard, or none."""
    game = about_to_inquire().suspicion(2, *[0] * suspicion).hired(2, "conspirator_1")

    events = inquire(game)

    assert detail(events, e.TownsfolkUsed) == e.TownsfolkUsed("conspirator_1", gains, effective=bool(gains))
    assert not game.seat(2).suspicion.order


def test_paladins_inquisition_townsfolk_first() -> None:
    """A Conspirator saves its seat from the debt, also after passing."""
    game = about_to_inquire(3).suspicion(2, 0).suspicion(3, 0).hired(2, "conspirator_1").at(2, passed=1)

    events = inquire(game)

    assert list(details(events, e.SeatCondemned)) == [1, 3]
    assert not game.seat(2).suspicion.order
    assert game.deciding() == [3], "who has passed is asked nothing more"


def test_paladins_inquisition_townsfolk_first__of_passed_seats_in_their_order() -> None:
    game = about_to_inquire(3).suspicion(2, 0, 0).hired(2, "conspirator_1", "peddler_1").at(2, passed=1)
    inquire(game)
    assert game.deciding() == [2]

    uses(game, 2, "peddler_1")

    assert game.seat(2).workers.items == {"labourer": 1}
    assert game.deciding() == [3]


# --- several owners at once --------------------------------------------------------------------------------------


def many_owners(**choices: str) -> PaladinsGame:
    """Seats 1, 2 and 4 have townsfolk whose order matters; seat 2 has passed."""
    game = about_to_inquire(4, **choices).suspicion(1, 0).suspicion(2, 0).suspicion(4, 2)
    game.hired(1, "conspirator_1", "peddler_1").hired(2, "conspirator_2", "squire_2").hired(3, "squire_1")
    for seat in (2, 4):
        game.at(seat, passed=1)
    game.bring("squire_3", game.seat(2).townsfolk)
    return game


def test_owners_choose_at_the_same_time_in_any_order() -> None:
    answers = {1: ("peddler_1",), 2: ("squire_2", "conspirator_2")}
    ends = set()
    for order in permutations(answers):
        game = many_owners()
        inquire(game)
        assert game.deciding() == [1, 2]
        for seat in order:
            uses(game, seat, *answers[seat])
        assert game.deciding() == [3]
        ends.add(game.table.digest())
    assert len(ends) == 1


def test_owners_interleave_as_they_like() -> None:
    one, other = many_owners(), many_owners()
    for game in (one, other):
        inquire(game)
    for seat, card in ((2, "squire_2"), (1, "conspirator_1"), (2, "conspirator_2")):
        uses(one, seat, card)
    for seat, card in ((1, "conspirator_1"), (2, "squire_2"), (2, "conspirator_2")):
        uses(other, seat, card)
    assert one.table.digest() == other.table.digest()


def test_owners_act_in_turn_where_they_could_take_each_others_workers() -> None:
    """The reading supply_limits: what one seat takes may be missing for another."""
    game = many_owners(supply_limits="as_in_the_box")
    inquire(game)
    assert game.deciding() == [1]

    uses(game, 1, "peddler_1")

    assert game.deciding() == [2]
    uses(game, 2, "squire_2", "conspirator_2")
    assert game.deciding() == [3]


# --- in the middle of everything ---------------------------------------------------------------------------------


def reloaded(game: PaladinsGame, laid: Table, events: list[Event]) -> PaladinsGame:
    """The same game, from the events since a table was laid, folded onto that."""
    for event in events:
        laid.apply_all(event.effects)
    assert laid.digest() == game.table.digest()
    loaded = PaladinsGame.__new__(PaladinsGame)
    loaded.setup, loaded.table, loaded.components = game.setup, laid, game.components
    loaded.play = game.adapter.title.play(laid, Dice(b"seed"), game.setup)  # type: ignore[assignment]
    return loaded


def acting(game: PaladinsGame, action: str, workers: int, *commands: Struct) -> list[Event]:
    """All events of an action of seat 1."""
    events = game.do(1, c.BeginAction(action, workers))
    while game.decision(1) == "workers":
        events += game.do(1, game.legal(1)[0])
    for command in commands:
        events += game.do(1, command)
    return events


def in_the_tavern(game: PaladinsGame, *cards: str) -> PaladinsGame:
    """Seat 1 takes one of these tavern cards next."""
    for card in cards:
        game.bring(card, game.t.tavern)
    game.at(0, phase="tavern")
    game.table.decisions[1] = "tavern"
    return game


def goes_on_alike(game: PaladinsGame, laid: Table, events: list[Event], moves: int = 12) -> None:
    """Both the game and the loaded one say the same to the same commands, the first listed one each time."""
    other = reloaded(game, laid, events)
    for _ in range(moves):
        assert game.deciding() == other.deciding()
        (seat, *_) = game.deciding()
        legal = game.legal(seat)
        assert legal == other.legal(seat)
        assert game.do(seat, legal[-1]) == other.do(seat, legal[-1])
    assert game.table.digest() == other.table.digest()


def test_of_the_first_of_two_criminals_in_the_tavern() -> None:
    """The inquisition comes between the two suspicion cards of a tavern card; then the next seat takes one."""
    game = about_to_inquire().suspicion(2, 0, 0).hired(2, "conspirator_1", "peddler_1")
    in_the_tavern(game, "tavern_12", "tavern_02")
    laid = Table(layout_of(game.table))
    events = game.do(1, c.TakeTavernCard("tavern_12"))
    assert game.deciding() == [2]
    assert game.decision(2) == "inquisition"
    assert game.t.due["suspicion"] == 1
    assert game.seat(1).suspicion.total() == 1

    other = reloaded(game, laid, events)
    told = uses(game, 2, "conspirator_1")

    assert uses(other, 2, "conspirator_1") == told
    assert [event.name for event in told if event.name in ("InquisitionEnded", "SuspicionTaken")] == [
        "InquisitionEnded",
        "SuspicionTaken",
    ]
    assert game.seat(1).suspicion.total() == 2
    assert game.decision(2) == "tavern"


def test_of_an_actions_rewards() -> None:
    """A monk's space and an Acolyte's tax: what was still due is taken after the inquisition, then the turn is over."""
    game = about_to_inquire().hired(1, "acolyte_3").suspicion(1, 2).suspicion(2, 0)
    game.hired(2, "conspirator_2", "squire_1").workers(1, scout=1, labourer=1, cleric=1).at(1, provisions=1)
    laid = Table(layout_of(game.table))
    events = acting(game, "commission", 3, c.PlaceMonk("r1a"), c.TakeReward("tax"))
    assert game.deciding() == [2]
    assert game.t.due["free_recruit"] == 1

    other = reloaded(game, laid, events)
    assert uses(game, 2, "conspirator_2") == uses(other, 2, "conspirator_2")

    assert game.decision(1) == other.decision(1) == "reward"
    hired = game.legal(1)[0]
    assert game.do(1, hired) == other.do(1, hired)
    assert game.decision(2) == "act"


def test_of_both_taxes_of_one_card_in_one_inquisition() -> None:
    """Two taxes of one card are taken together: only one inquisition, though the supply would be empty twice."""
    game = about_to_inquire().display("townsfolk", "", "", "", "", "gatekeeper_3")

    events = game.act(1, "recruit", 1, c.DiscardTownsfolk("gatekeeper_3", "silver"))

    assert detail(events, e.TaxTaken) == e.TaxTaken(from_tax=1, from_supply=1)
    assert len(named(events, "InquisitionBegun")) == 1
    assert game.t.tax.value == 6


def solo(scheme: str) -> PaladinsGame:
    """The opponent turns this scheme next and has workers; one tax is left, and the next card takes it."""
    game = about_to_inquire(opponent="standard").workers(2, labourer=4).scheme(scheme)
    for area in game.opponent().areas.values():
        for space in area.spaces:
            game.empty(space, "seat.2.workshops" if "workshop" in space.items else "supply")
    return game


def test_of_the_opponents_action() -> None:
    """The owner is asked in the middle of the opponent's turn; the opponent then goes on with what is due to it."""
    game = solo("recruit").hired(1, "conspirator_1", "peddler_1").suspicion(1, 0, 0)
    game.display("townsfolk", "architect_1").suspicion(2, 0)
    laid = Table(layout_of(game.table))
    events = acting(game, "hunt", 1)
    assert detail(events, e.SuspicionTaken).from_tax == 1
    assert game.deciding() == [1]
    assert game.decision(1) == "inquisition"
    assert game.t.acting.value == 2

    goes_on_alike(game, laid, events)


def test_of_the_first_of_two_criminals_of_the_opponent() -> None:
    """What is due to the opponent lies on the table: the second criminal comes after the inquisition."""
    game = solo("favour").hired(1, "conspirator_1", "peddler_1").suspicion(1, 0, 0)
    game.favours("favour_03")
    laid = Table(layout_of(game.table))
    events = acting(game, "hunt", 1)
    assert game.decision(1) == "inquisition"
    assert game.opponent().due["criminal"] == 1

    other = reloaded(game, laid, events)
    told = uses(game, 1, "peddler_1")

    assert told == uses(other, 1, "peddler_1")
    assert [event.seat for event in named(told, "SuspicionTaken")] == [2]
    assert game.opponent().workers.items["criminal"] == 2
    assert game.decision(1) == "act"


def test_of_the_tavern_card_that_was_left_to_the_opponent() -> None:
    """First the player's suspicion, then the opponent's, one by one; then actions begin."""
    game = about_to_inquire(opponent="easy").hired(1, "conspirator_1", "peddler_1").suspicion(1, 0, 0)
    in_the_tavern(game, "tavern_01", "tavern_23")

    events = game.do(1, c.TakeTavernCard("tavern_01"))

    assert [event.seat for event in named(events, "SuspicionTaken")] == [2]
    assert game.opponent().due["suspicion"] == 1
    assert game.decision(1) == "inquisition"
    told = uses(game, 1, "conspirator_1")
    assert [event.seat for event in named(told, "SuspicionTaken")] == [2]
    assert game.decision(1) == "act"


def test_of_the_last_action_of_a_round() -> None:
    """The round ends only after it, and what a Peddler of a seat that has passed brings is there in the next."""
    game = about_to_inquire().hired(2, "peddler_1").suspicion(2, 0, 0).at(2, passed=1)

    inquire(game)
    events = game.do(1, c.Pass())

    assert game.seat(2).workers.items == {"labourer": 1}
    assert not named(events, "RowsMoved")
    game.do(1, c.KeepWorkers())
    assert game.t.round.value == 4
