"""The inquisition: what townsfolk do, which seats take a debt, and that it can interrupt anything (p. 23)."""

from __future__ import annotations

from itertools import permutations

import pytest
from msgspec import Struct
from tests.titles.paladins.kit import PaladinsGame, all_details, detail, details, named

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Event
from boardkeeper.table.forking import layout_of
from boardkeeper.table.table import Table
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e


def create_game(players: int = 2, **choices: str) -> PaladinsGame:
    """Start seat 1's turn; the next suspicion card takes the last silver of the tax supply."""
    game = PaladinsGame(players, **choices).turn(1).workers(1, labourer=2).at(0, tax=1).next_suspicion(1)
    for seat in game.t.people:
        game.townsfolk(seat.number)
    return game


def start_inquisition(game: PaladinsGame) -> list[Event]:
    """Let seat 1 conspire and take the last silver with a suspicion card."""
    return game.act(1, "conspire", 1)


def use_townsfolk(game: PaladinsGame, seat: int, *cards: str) -> list[Event]:
    """Let townsfolk of a seat act one after the other."""
    return game.do(seat, *(c.UseTownsfolk(card) for card in cards))


# --- condemned seats ---------------------------------------------------------------------------------------------


def test_paladins_inquisition_most_suspicion() -> None:
    """The example on page 23, with 1, 0, 3 and 3 cards: the last two seats take a debt and discard one card each."""
    game = create_game(4).suspicion(3, 0, 1, 2).suspicion(4, 2, 1, 0)

    events = start_inquisition(game)

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


def test_paladins_inquisition_most_suspicion__of_one_seat() -> None:
    game = create_game(3).suspicion(2, 1)
    game.suspicion(1, 0)

    events = start_inquisition(game)

    assert list(details(events, e.SeatCondemned)) == [1]
    assert game.seat(2).unpaid.total() == 0


def test_paladins_inquisition_nobody_suspected() -> None:
    """Taxes can empty the supply without any suspicion."""
    game = create_game().at(0, tax=2).display("townsfolk", "defender_3")

    events = game.at(1, silver=9).act(1, "recruit", 1, c.DiscardTownsfolk("defender_3", "silver"))

    assert named(events, "InquisitionBegun")
    assert not named(events, "SeatCondemned")
    assert game.seat(1).unpaid.total() == game.seat(2).unpaid.total() == 0
    assert game.t.tax.value == 6


@pytest.mark.parametrize(("cards", "left"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4)])
def test_paladins_inquisition_half_discarded(cards: int, left: int) -> None:
    """Half, rounded down."""
    game = create_game().suspicion(2, *[2] * cards)
    discarded = game.t.suspicion_discard.items["suspicion_2"]

    start_inquisition(game)

    assert game.seat(2).suspicion.total() == left
    assert game.seat(2).unpaid.total() == 1
    assert game.t.suspicion_discard.items["suspicion_2"] == discarded + cards - left


def test_paladins_inquisition_half_discarded__only_by_condemned_seats() -> None:
    game = create_game(3).suspicion(2, 2, 2, 2, 2).suspicion(3, 2, 2, 2)

    start_inquisition(game)

    assert game.seat(3).suspicion.total() == 3


def test_paladins_inquisition_half_discarded__without_a_debt_to_take() -> None:
    """The seat is condemned all the same, so it discards cards."""
    game = create_game().suspicion(2, 0, 0, 0, 0)
    game.run_out("debt", game.t.debts)

    events = start_inquisition(game)

    assert detail(events, e.SeatCondemned) == e.SeatCondemned(4, debt=False, discarded=("suspicion_0",) * 2)
    assert game.seat(2).unpaid.total() == 0


# --- the tax supply is refilled ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "silver"), [(2, 6), (3, 7), (4, 8)])
def test_paladins_inquisition_refill(players: int, silver: int) -> None:
    game = create_game(players)

    events = start_inquisition(game)

    assert detail(events, e.InquisitionEnded) == e.InquisitionEnded(silver)
    assert game.t.tax.value == silver


def create_game_without_deck(players: int = 2, **choices: str) -> PaladinsGame:
    """Create a game in which the seats have all suspicion cards; the tax supply has 3 silver."""
    game = PaladinsGame(players, **choices).turn(1).workers(1, labourer=2).at(0, tax=3)
    for seat in game.t.people:
        game.townsfolk(seat.number).suspicion(seat.number)
    game.empty(game.t.suspicion_discard, "suspicion.deck")
    cards = sorted(game.t.suspicion_deck.items.items())
    holders = [game.seat(at) for at in (2, *range(1, players + 1))]
    for at, card in enumerate(card for card, count in cards for _ in range(count)):
        game.bring(card, holders[at % len(holders)].suspicion)
    return game


@pytest.mark.parametrize(("reading", "silver"), [("full", 3), ("unchanged", 0)])
def test_paladins_inquisition_refill__after_an_empty_deck(reading: str, silver: int) -> None:
    """The reading refill_after_empty_suspicion."""
    game = create_game_without_deck(refill_after_empty_suspicion=reading)

    events = start_inquisition(game)

    assert detail(events, e.InquisitionBegun).reason == "suspicion"
    assert detail(events, e.InquisitionEnded).silver == silver
    suspicion = detail(events, e.SuspicionTaken)
    assert game.t.tax.value == 3 + silver - suspicion.from_tax


def test_paladins_inquisition_refill__as_far_as_the_box_has_silver() -> None:
    """The reading supply_limits: of the 50 silver, seat 2 has 44 and seat 1 has 3."""
    game = create_game(supply_limits="as_in_the_box").at(1, silver=2).at(2, silver=44)

    events = start_inquisition(game)

    assert detail(events, e.InquisitionEnded).silver == 50 - 44 - 3
    assert game.t.tax.value == 3


# --- townsfolk ---------------------------------------------------------------------------------------------------


def test_paladins_inquisition_any_order() -> None:
    """The example on page 31: two Conspirators, a Peddler, two Squires and two cards, in the order that pays best."""
    game = create_game().suspicion(2, 2, 0)
    game.townsfolk(2, "conspirator_1", "conspirator_2", "peddler_3", "squire_2", "squire_3").at(2, silver=1)
    start_inquisition(game)
    assert game.decision(2) == "inquisition"
    assert {command.townsfolk for command in game.legal(2)} == set(game.seat(2).inquiry.items)  # type: ignore[attr-defined]

    events = use_townsfolk(game, 2, "peddler_3")
    assert detail(events, e.TownsfolkUsed) == e.TownsfolkUsed("peddler_3", ("silver", "silver"), effective=True)
    assert game.seat(2).silver.value == 3
    events = use_townsfolk(game, 2, "conspirator_2")
    assert detail(events, e.TownsfolkUsed) == e.TownsfolkUsed("conspirator_2", ("discard_suspicion",), effective=True)
    assert game.seat(2).suspicion.order == ["suspicion_2"]
    events = use_townsfolk(game, 2, "conspirator_1")

    assert not game.seat(2).suspicion.order
    assert (game.seat(2).attributes["influence"].value, game.seat(2).attributes["faith"].value) == (1, 1)
    assert list(details(events, e.SeatCondemned)) == [1], "only the remaining suspicion counts"
    assert game.seat(2).townsfolk.total() == 5
    assert game.decision(2) == "act"


def test_paladins_inquisition_any_order__in_a_worse_order() -> None:
    """A Squire before the Conspirator has no effect, because each acts once."""
    game = create_game().suspicion(2, 0).townsfolk(2, "conspirator_1", "squire_1", "peddler_1")
    start_inquisition(game)

    events = use_townsfolk(game, 2, "squire_1")

    assert named(events, "TownsfolkUsed")[0].detail == e.TownsfolkUsed("squire_1", (), effective=False)
    assert not game.seat(2).inquiry.items, "the Peddler has no effect in any order"
    assert game.seat(2).attributes["strength"].value == 0
    assert game.decision(2) == "act"


def test_paladins_inquisition_any_order__only_of_the_seats_townsfolk_with_a_choice() -> None:
    """Townsfolk of other kinds and of other seats are rejected."""
    game = create_game(3).suspicion(2, 0).suspicion(3, 0)
    game.townsfolk(2, "conspirator_1", "squire_1", "abbot_1").townsfolk(3, "conspirator_2", "squire_2")
    start_inquisition(game)

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
def test_an_order_without_a_difference_is_no_decision(suspicion: int, cards: tuple[str, ...]) -> None:
    game = create_game().suspicion(2, *[0] * suspicion).townsfolk(2, *cards)

    events = start_inquisition(game)

    assert sorted(used.townsfolk for used in all_details(events, e.TownsfolkUsed)) == sorted(cards)
    assert game.decision(2) == "act"


@pytest.mark.parametrize(("suspicion", "gains"), [(1, ("discard_suspicion",)), (0, ())])
def test_paladins_inquisition_townsfolk_first__with_an_event_of_their_effect(
    suspicion: int, gains: tuple[str, ...]
) -> None:
    """A Conspirator discards a card, if its seat has one."""
    game = create_game().suspicion(2, *[0] * suspicion).townsfolk(2, "conspirator_1")

    events = start_inquisition(game)

    assert detail(events, e.TownsfolkUsed) == e.TownsfolkUsed("conspirator_1", gains, effective=bool(gains))
    assert not game.seat(2).suspicion.order


def test_paladins_inquisition_townsfolk_first() -> None:
    """A Conspirator saves its seat from the debt, also after the seat has passed."""
    game = create_game(3).suspicion(2, 0).suspicion(3, 0).townsfolk(2, "conspirator_1").at(2, passed=1)

    events = start_inquisition(game)

    assert list(details(events, e.SeatCondemned)) == [1, 3]
    assert not game.seat(2).suspicion.order
    assert game.deciding() == [3], "a seat that has passed makes no more decisions"


def test_paladins_inquisition_townsfolk_first__of_passed_seats_in_their_order() -> None:
    game = create_game(3).suspicion(2, 0, 0).townsfolk(2, "conspirator_1", "peddler_1").at(2, passed=1)
    start_inquisition(game)
    assert game.deciding() == [2]

    use_townsfolk(game, 2, "peddler_1")

    assert game.seat(2).workers.items == {"labourer": 1}
    assert game.deciding() == [3]


# --- several owners at once --------------------------------------------------------------------------------------


def create_game_with_owners(**choices: str) -> PaladinsGame:
    """Give seats 1 and 2 townsfolk whose order matters; seats 2 and 4 have passed."""
    game = create_game(4, **choices).suspicion(1, 0).suspicion(2, 0).suspicion(4, 2)
    game.townsfolk(1, "conspirator_1", "peddler_1").townsfolk(2, "conspirator_2", "squire_2").townsfolk(3, "squire_1")
    for seat in (2, 4):
        game.at(seat, passed=1)
    game.bring("squire_3", game.seat(2).townsfolk)
    return game


def test_owners_choose_at_the_same_time_in_any_order() -> None:
    answers = {1: ("peddler_1",), 2: ("squire_2", "conspirator_2")}
    ends = set()
    for order in permutations(answers):
        game = create_game_with_owners()
        start_inquisition(game)
        assert game.deciding() == [1, 2]
        for seat in order:
            use_townsfolk(game, seat, *answers[seat])
        assert game.deciding() == [3]
        ends.add(game.table.digest())
    assert len(ends) == 1


def test_owners_can_act_alternately() -> None:
    one, other = create_game_with_owners(), create_game_with_owners()
    for game in (one, other):
        start_inquisition(game)
    for seat, card in ((2, "squire_2"), (1, "conspirator_1"), (2, "conspirator_2")):
        use_townsfolk(one, seat, card)
    for seat, card in ((1, "conspirator_1"), (2, "squire_2"), (2, "conspirator_2")):
        use_townsfolk(other, seat, card)
    assert one.table.digest() == other.table.digest()


def test_owners_act_in_turn_with_limited_workers() -> None:
    """The reading supply_limits: one seat may take the worker that another seat would get."""
    game = create_game_with_owners(supply_limits="as_in_the_box")
    start_inquisition(game)
    assert game.deciding() == [1]

    use_townsfolk(game, 1, "peddler_1")

    assert game.deciding() == [2]
    use_townsfolk(game, 2, "squire_2", "conspirator_2")
    assert game.deciding() == [3]


# --- interruptions -----------------------------------------------------------------------------------------------


def reload(game: PaladinsGame, stored_table: Table, events: list[Event]) -> PaladinsGame:
    """Return the same game, replayed from the events since the table was stored."""
    for event in events:
        stored_table.apply_all(event.effects)
    assert stored_table.digest() == game.table.digest()
    loaded = PaladinsGame.__new__(PaladinsGame)
    loaded.setup, loaded.table, loaded.components = game.setup, stored_table, game.components
    loaded.play = game.adapter.title.play(stored_table, Dice(b"seed"), game.setup)  # type: ignore[assignment]
    return loaded


def carry_out(game: PaladinsGame, action: str, workers: int, *commands: Struct) -> list[Event]:
    """Return all events of an action of seat 1."""
    events = game.do(1, c.BeginAction(action, workers))
    while game.decision(1) == "workers":
        events += game.do(1, game.legal(1)[0])
    for command in commands:
        events += game.do(1, command)
    return events


def check_continues_alike(game: PaladinsGame, stored_table: Table, events: list[Event], moves: int = 12) -> None:
    """Check that the game and the reloaded one have the same legal commands and events."""
    other = reload(game, stored_table, events)
    for _ in range(moves):
        assert game.deciding() == other.deciding()
        (seat, *_) = game.deciding()
        legal = game.legal(seat)
        assert legal == other.legal(seat)
        assert game.do(seat, legal[-1]) == other.do(seat, legal[-1])
    assert game.table.digest() == other.table.digest()


def test_inquisition_after_the_first_of_two_criminals_in_the_tavern() -> None:
    """The second suspicion card of the tavern card follows after the inquisition; then the next seat takes a card."""
    game = create_game().suspicion(2, 0, 0).townsfolk(2, "conspirator_1", "peddler_1")
    game.tavern("tavern_12", "tavern_02")
    stored_table = Table(layout_of(game.table))
    events = game.do(1, c.TakeTavernCard("tavern_12"))
    assert game.deciding() == [2]
    assert game.decision(2) == "inquisition"
    assert game.t.due["suspicion"] == 1
    assert game.seat(1).suspicion.total() == 1

    other = reload(game, stored_table, events)
    events = use_townsfolk(game, 2, "conspirator_1")

    assert use_townsfolk(other, 2, "conspirator_1") == events
    assert [event.name for event in events if event.name in ("InquisitionEnded", "SuspicionTaken")] == [
        "InquisitionEnded",
        "SuspicionTaken",
    ]
    assert game.seat(1).suspicion.total() == 2
    assert game.decision(2) == "tavern"


def test_inquisition_between_the_rewards_of_an_action() -> None:
    """The rewards that are still due follow after the inquisition; then the turn is over."""
    game = create_game().townsfolk(1, "acolyte_3").suspicion(1, 2).suspicion(2, 0)
    game.townsfolk(2, "conspirator_2", "squire_1").workers(1, scout=1, labourer=1, cleric=1).at(1, provisions=1)
    stored_table = Table(layout_of(game.table))
    events = carry_out(game, "commission", 3, c.PlaceMonk("r1a"), c.TakeReward("tax"))
    assert game.deciding() == [2]
    assert game.t.due["free_recruit"] == 1

    other = reload(game, stored_table, events)
    assert use_townsfolk(game, 2, "conspirator_2") == use_townsfolk(other, 2, "conspirator_2")

    assert game.decision(1) == other.decision(1) == "reward"
    recruit = game.legal(1)[0]
    assert game.do(1, recruit) == other.do(1, recruit)
    assert game.decision(2) == "act"


def test_two_taxes_of_one_card_cause_one_inquisition() -> None:
    """They are taken together."""
    game = create_game().display("townsfolk", "", "", "", "", "gatekeeper_3")

    events = game.act(1, "recruit", 1, c.DiscardTownsfolk("gatekeeper_3", "silver"))

    assert detail(events, e.TaxTaken) == e.TaxTaken(from_tax=1, from_supply=1)
    assert len(named(events, "InquisitionBegun")) == 1
    assert game.t.tax.value == 6


def create_solo_game(scheme: str) -> PaladinsGame:
    """Let the opponent turn this scheme next, with workers; the next suspicion card takes the last silver."""
    game = create_game(opponent="standard").workers(2, labourer=4).scheme(scheme)
    for area in game.opponent().areas.values():
        for space in area.spaces:
            game.empty(space, "seat.2.workshops" if "workshop" in space.items else "supply")
    return game


def test_inquisition_in_the_opponents_action() -> None:
    """The owner of townsfolk decides during the opponent's turn; then the opponent takes its remaining rewards."""
    game = create_solo_game("recruit").townsfolk(1, "conspirator_1", "peddler_1").suspicion(1, 0, 0)
    game.display("townsfolk", "architect_1").suspicion(2, 0)
    stored_table = Table(layout_of(game.table))
    events = carry_out(game, "hunt", 1)
    assert detail(events, e.SuspicionTaken).from_tax == 1
    assert game.deciding() == [1]
    assert game.decision(1) == "inquisition"
    assert game.t.acting.value == 2

    check_continues_alike(game, stored_table, events)


def test_inquisition_after_the_first_of_two_criminals_of_the_opponent() -> None:
    """The second criminal stays due and follows after the inquisition."""
    game = create_solo_game("favour").townsfolk(1, "conspirator_1", "peddler_1").suspicion(1, 0, 0)
    game.favours("favour_03")
    stored_table = Table(layout_of(game.table))
    events = carry_out(game, "hunt", 1)
    assert game.decision(1) == "inquisition"
    assert game.opponent().due["criminal"] == 1

    other = reload(game, stored_table, events)
    events = use_townsfolk(game, 1, "peddler_1")

    assert events == use_townsfolk(other, 1, "peddler_1")
    assert [event.seat for event in named(events, "SuspicionTaken")] == [2]
    assert game.opponent().workers.items["criminal"] == 2
    assert game.decision(1) == "act"


def test_inquisition_by_the_tavern_card_of_the_opponent() -> None:
    """First the player takes suspicion, then the opponent, card by card; then actions begin."""
    game = create_game(opponent="easy").townsfolk(1, "conspirator_1", "peddler_1").suspicion(1, 0, 0)
    game.tavern("tavern_01", "tavern_23")

    events = game.do(1, c.TakeTavernCard("tavern_01"))

    assert [event.seat for event in named(events, "SuspicionTaken")] == [2]
    assert game.opponent().due["suspicion"] == 1
    assert game.decision(1) == "inquisition"
    events = use_townsfolk(game, 1, "conspirator_1")
    assert [event.seat for event in named(events, "SuspicionTaken")] == [2]
    assert game.decision(1) == "act"


def test_inquisition_in_the_last_action_of_a_round() -> None:
    """The round ends after it; a seat that has passed keeps the worker of its Peddler for the next round."""
    game = create_game().townsfolk(2, "peddler_1").suspicion(2, 0, 0).at(2, passed=1)

    start_inquisition(game)
    events = game.do(1, c.Pass())

    assert game.seat(2).workers.items == {"labourer": 1}
    assert not named(events, "RowsMoved")
    game.do(1, c.KeepWorkers())
    assert game.t.round.value == 4
