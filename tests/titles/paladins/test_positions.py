"""Tables that somebody else wrote: those that games reach are sound, odd ones are refused clearly."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.kit.playouts import playout
from tests.kit.setups import standard, varied
from tests.titles.paladins.adapter import ADAPTER
from tests.titles.paladins.kit import PaladinsGame

from boardkeeper.table.forking import layout_of
from boardkeeper.table.positions import problems
from boardkeeper.table.table import Table
from boardkeeper.table.title import PositionProblem, Setup
from boardkeeper.titles.paladins.title import TITLE

SETUPS = [pytest.param(seed, players, id=f"{players}-{seed}") for players in (1, 2, 3, 4) for seed in range(4)]


def setup_of(seed: int, players: int) -> Setup:
    """As it is by default, or any other choices."""
    return varied(TITLE, seed, players) if seed % 2 else standard(TITLE, players)


@pytest.mark.parametrize(("seed", "players"), SETUPS)
def test_every_table_that_is_reached_is_sound(seed: int, players: int) -> None:
    setup = setup_of(seed, players)
    with playout(ADAPTER, seed + 2 * (seed // 2), setup) as game:
        while not game.play.is_over():
            assert not TITLE.unsound(game.table, setup)
            game.step()


Change = Callable[[Table], object]


def marker(id: str, value: int | str) -> Change:
    """Set a marker."""

    def change(table: Table) -> None:
        table.markers[id].value = value

    return change


def moved(component: str, source: str, target: str, count: int = 1) -> Change:
    """Move a component somewhere else."""

    def change(table: Table) -> None:
        table.zones[source].take(component, count)
        table.zones[target].put(component, count)

    return change


def seen(id: str, visibility: str) -> Change:
    """Let a zone or marker be seen otherwise."""

    def change(table: Table) -> None:
        table.subject(id).visibility = visibility

    return change


def asked(seat: int, decision: str) -> Change:
    """Let a seat be asked something, and nobody else."""

    def change(table: Table) -> None:
        table.decisions[:] = [""] * len(table.decisions)
        table.decisions[seat] = decision

    return change


def together(*changes: Change) -> Change:
    """Several changes."""

    def change(table: Table) -> None:
        for each in changes:
            each(table)

    return change


def in_round_one(opponent: str = "off") -> PaladinsGame:
    """Seat 1 acts for the first time."""
    game = PaladinsGame(2, opponent=opponent)
    while game.decision(1) != "act":
        game.idle(game.deciding()[0])
    return game


ODD: dict[str, tuple[Change, str]] = {
    "a round before the first": (marker("round", -1), "markers[round]"),
    "a round after the seventh": (marker("round", 8), "markers[round]"),
    "an open deck": (seen("seat.1.deck", "public"), "zones[seat.1.deck]"),
    "a hidden round": (seen("round", "nobody"), "markers[round]"),
    "no round": (marker("round", 0), "markers[round]"),
    "an unknown phase": (marker("phase", "lunch"), "markers[phase]"),
    "a phase that asks nobody": (marker("phase", "dusk"), "markers[phase]"),
    "another phase": (marker("phase", "tavern"), "decisions[1]"),
    "no start player": (marker("start_seat", 0), "markers[start_seat]"),
    "a start player that there is not": (marker("start_seat", 3), "markers[start_seat]"),
    "nobody acts": (marker("acting_seat", 0), "markers[acting_seat]"),
    "somebody else acts": (marker("acting_seat", 2), "decisions[1]"),
    "an unknown action": (marker("action", "sleep"), "markers[action]"),
    "too many workers": (marker("action_workers", 4), "markers[action_workers]"),
    "no taxes": (marker("tax", 0), "markers[tax]"),
    "too many taxes": (marker("tax", 7), "markers[tax]"),
    "an unknown inquisition": (marker("inquisition", "spanish"), "markers[inquisition]"),
    "an inquisition that asks for an action": (marker("inquisition", "tax"), "decisions[1]"),
    "a negative due": (marker("due.tax", -1), "markers[due.tax]"),
    "an endless due": (marker("due.suspicion", 10**9), "markers[due.suspicion]"),
    "a negative attribute": (marker("seat.1.faith", -1), "markers[seat.1.faith]"),
    "an attribute beyond its track": (marker("seat.2.strength", 13), "markers[seat.2.strength]"),
    "negative silver": (marker("seat.1.silver", -1), "markers[seat.1.silver]"),
    "endless provisions": (marker("seat.2.provisions", 10**9), "markers[seat.2.provisions]"),
    "half passed": (marker("seat.2.passed", 2), "markers[seat.2.passed]"),
    "passed and acting": (marker("seat.1.passed", 1), "decisions[1]"),
    "keeping without having passed": (asked(1, "keep"), "decisions[1]"),
    "an unknown decision": (asked(1, "dream"), "decisions[1]"),
    "a target of no action": (asked(1, "attack"), "decisions[1]"),
    "workers for no action": (asked(1, "workers"), "decisions[1]"),
    "an action that cannot be": (
        together(asked(1, "workers"), marker("action", "develop"), marker("seat.1.silver", 0)),
        "decisions[1]",
    ),
    "two in turn": (lambda table: table.decisions.__setitem__(2, "act"), "decisions[2]"),
    "an inquisition without townsfolk": (
        together(marker("inquisition", "tax"), asked(2, "inquisition")),
        "decisions[2]",
    ),
    "a worker among the debts": (moved("scout", "supply", "debts"), "zones[debts]"),
    "a debt among the workers": (moved("debt", "debts", "seat.1.workers"), "zones[seat.1.workers]"),
    "the wrong worker": (moved("scout", "supply", "seat.1.pray.1"), "zones[seat.1.pray.1]"),
    "two workers on a space": (moved("scout", "supply", "seat.1.hunt.1", 2), "zones[seat.1.hunt.1]"),
    "a workshop on the left": (moved("workshop", "seat.1.workshops", "seat.1.hunt.1"), "zones[seat.1.hunt.1]"),
    "a workshop on the last space": (
        moved("workshop", "seat.1.workshops", "seat.1.attack.3"),
        "zones[seat.1.attack.3]",
    ),
    "somebody else's monk": (moved("monk.2", "seat.2.monks", "seat.1.monks"), "zones[seat.1.monks]"),
    "somebody else's workshop": (moved("workshop", "seat.2.workshops", "seat.1.attack.1"), "seats[1]"),
    "somebody else's jar": (moved("jar", "seat.2.jars", "seat.1.jar.labourer"), "seats[1]"),
    "hidden suspicion": (moved("suspicion_1", "suspicion.deck", "supply"), "zones[supply]"),
    "townsfolk that act without an inquisition": (
        moved("squire_1", "townsfolk.deck", "seat.1.inquiry"),
        "zones[seat.1.inquiry]",
    ),
}
"""What is wrong, how it comes about in the first turn of a game, and what is said to be wrong."""


@pytest.mark.parametrize("what", ODD)
def test_what_the_rules_contradict_is_refused(what: str) -> None:
    change, field = ODD[what]
    game = in_round_one()
    game.empty(game.t.suspicion_discard, "suspicion.deck")
    game.bring("squire_1", game.t.supply).bring("squire_1", game.t.townsfolk_deck)
    assert not problems(TITLE, game.setup, layout_of(game.table))

    change(game.table)

    found = problems(TITLE, game.setup, layout_of(game.table))
    assert field in {problem.field for problem in found}, found
    assert all("cannot go on" not in problem.message for problem in found), found


OF_THE_OPPONENT: dict[str, tuple[Change, str]] = {
    "no field": (marker("seat.2.field", 0), "markers[seat.2.field]"),
    "a sixth field": (marker("seat.2.field", 6), "markers[seat.2.field]"),
    "a negative due": (marker("seat.2.due.tax", -1), "markers[seat.2.due.tax]"),
    "it develops": (marker("seat.2.due.free_develop", 1), "markers[seat.2.due.free_develop]"),
    "an unknown scheme": (marker("scheme", "scheme_sleep"), "markers[scheme]"),
    "a marker that was never moved": (marker("seat.2.moved.faith", 0), "markers[seat.2.moved.faith]"),
    "endless moves": (marker("seat.2.moves", 10**6), "markers[seat.2.moves]"),
    "it is asked": (asked(2, "act"), "decisions[2]"),
    "a scheme too few on the favours": (
        moved("scheme_favour", "schemes.favour", "schemes.deck"),
        "zones[schemes.favour]",
    ),
    "its jars": (moved("jar", "seat.1.jars", "seat.2.turned_jars"), "seats[2]"),
    "a workshop on its left": (moved("workshop", "seat.2.workshops", "seat.2.pray.1"), "zones[seat.2.pray.1]"),
}
"""The same of a game against the opponent."""


@pytest.mark.parametrize("what", OF_THE_OPPONENT)
def test_what_the_rules_contradict_of_the_opponent_is_refused(what: str) -> None:
    change, field = OF_THE_OPPONENT[what]
    game = in_round_one("easy")
    assert not problems(TITLE, game.setup, layout_of(game.table))

    change(game.table)

    found = problems(TITLE, game.setup, layout_of(game.table))
    assert field in {problem.field for problem in found}, found


def placing(action: str, workers: int, held: str) -> Change:
    """Seat 1 has begun an action and is asked for its workers; of its own it has these."""

    def change(table: Table) -> None:
        own = table.zones["seat.1.workers"]
        for worker, count in own.counts().items():
            own.take(worker, count)
            table.zones["supply"].put(worker, count)
        for worker in held.split():
            moved(worker, "supply", "seat.1.workers")(table)
        together(asked(1, "workers"), marker("action", action), marker("action_workers", workers))(table)
        for id in ("provisions", "faith", "strength", "influence"):  # whatever it asks for
            marker(f"seat.1.{id}", 9)(table)

    return change


BEGUN: dict[str, tuple[Change, str]] = {
    "no workers at all": (placing("trade", 0, "scout merchant"), "trade is not carried out with 0 workers"),
    "more workers than spaces": (placing("trade", 3, "scout merchant"), "trade is not carried out with 3 workers"),
    "workers that leave a space empty": (
        placing("garrison", 2, "merchant fighter criminal"),
        "garrison is not carried out with 2 workers",
    ),
    "one worker where each space needs one": (
        placing("garrison", 1, "merchant fighter criminal"),
        "garrison is not carried out with 1 worker",
    ),
    "a target with more workers than spaces": (
        together(asked(1, "recruit"), marker("action", "recruit"), marker("action_workers", 3)),
        "recruit is not carried out with 3 workers",
    ),
    "every space filled": (
        together(placing("trade", 1, "scout merchant"), moved("scout", "supply", "seat.1.trade.1")),
        "every space of trade is filled",
    ),
    "fewer workers than spaces": (placing("trade", 2, "criminal"), "the seat has too few workers for trade"),
    "no worker of a colour": (placing("trade", 2, "scout cleric"), "the seat has too few workers for trade"),
    "no criminal for the second colour": (
        placing("garrison", 3, "scout criminal cleric"),
        "the seat has too few workers for garrison",
    ),
    "nothing to choose": (placing("trade", 1, "scout scout"), "the seat has no choice which worker it places"),
    "suspicion among the rewards": (
        together(asked(1, "reward"), marker("due.suspicion", 1), marker("due.pay_debt", 1)),
        "suspicion that is due is taken before anything is asked",
    ),
}
"""How an action that was begun cannot go on, and what is said of it."""


@pytest.mark.parametrize("what", BEGUN)
def test_an_action_that_was_begun_can_go_on(what: str) -> None:
    change, message = BEGUN[what]
    game = in_round_one()

    change(game.table)

    assert problems(TITLE, game.setup, layout_of(game.table)) == [PositionProblem("decisions[1]", message)]


@pytest.mark.parametrize(
    ("action", "workers", "held"),
    [("trade", 1, "scout criminal"), ("trade", 2, "merchant criminal"), ("garrison", 3, "merchant criminal criminal")],
)
def test_workers_are_placed_where_there_is_a_choice_and_enough_of_them(action: str, workers: int, held: str) -> None:
    game = in_round_one()

    placing(action, workers, held)(game.table)

    assert not problems(TITLE, game.setup, layout_of(game.table))


def test_every_seat_has_each_of_its_paladins_once() -> None:
    """They are alike for all seats, so what one has twice another may miss, with the same components in sum."""
    game = in_round_one()
    one, other = game.seat(1), game.seat(2)
    (own,) = one.paladin.items
    (others,) = other.paladin.items
    assert own != others
    for seat, old, new in ((one, own, others), (other, others, own)):
        seat.paladin.take(old, 1)
        seat.paladin.put(new, 1)

    found = problems(TITLE, game.setup, layout_of(game.table))

    assert {problem.field for problem in found} == {"seats[1]", "seats[2]"}


def test_orders_and_favours_lie_open_by_the_round() -> None:
    game = in_round_one()
    (order,) = game.t.orders[0].items
    game.bring("favour_01" if "favour_01" in game.t.favours_box.items else "favour_02", game.t.favours[0])
    game.empty(game.t.orders[0], "orders.box")
    assert order

    found = problems(TITLE, game.setup, layout_of(game.table))

    assert {problem.field for problem in found} == {"zones[order.1]", "zones[favour.1]"}


@pytest.mark.parametrize("zone", ["tavern", "hand"])
def test_who_chooses_has_something_to_choose_from(zone: str) -> None:
    game = PaladinsGame(2)
    while game.t.phase.value != "paladins":
        game.idle(game.deciding()[0])
    if zone == "hand":
        game.empty(game.seat(2).hand, "seat.2.deck")
    else:
        game.empty(game.t.tavern, "tavern.deck")

    found = problems(TITLE, game.setup, layout_of(game.table))

    assert {problem.field for problem in found} == (
        {"decisions[2]"} if zone == "hand" else {"decisions[1]", "decisions[2]"}
    )


def test_a_hand_is_of_three_paladins() -> None:
    game = PaladinsGame(2)
    while game.t.phase.value != "paladins":
        game.idle(game.deciding()[0])
    seat = game.seat(1)
    moved(min(seat.hand.items), seat.hand.id, seat.deck.id)(game.table)

    (found,) = problems(TITLE, game.setup, layout_of(game.table))

    assert found == PositionProblem("decisions[1]", "the seat must have 3 paladins to choose from, not 2")


def test_there_is_a_tavern_card_for_everybody() -> None:
    game = PaladinsGame(2)
    while game.t.phase.value != "tavern":
        game.idle(game.deciding()[0])
    game.t.tavern.take(card := min(game.t.tavern.items), 1)
    game.t.tavern_deck.put(card, 1)

    (found,) = problems(TITLE, game.setup, layout_of(game.table))

    assert found.message == "there are fewer tavern cards than seats that take one"
