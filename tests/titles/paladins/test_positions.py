"""Tables that somebody else wrote: those that games reach are sound, odd ones are refused clearly."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.titles.paladins.adapter import ADAPTER
from tests.titles.paladins.kit import PaladinsGame

from boardkeeper.table.forking import layout_of
from boardkeeper.table.table import Table
from boardkeeper.testkit.playouts import playout
from boardkeeper.testkit.setups import default_setup, random_setup
from boardkeeper.titlekit.positions import problems
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.paladins.title import TITLE

SETUPS = [pytest.param(seed, players, id=f"{players}-{seed}") for players in (1, 2, 3, 4) for seed in range(4)]


def setup_of(seed: int, players: int) -> Setup:
    """As it is by default, or any other choices."""
    return random_setup(TITLE, seed, players) if seed % 2 else default_setup(TITLE, players)


@pytest.mark.parametrize(("seed", "players"), SETUPS)
def test_every_table_that_is_reached_is_sound(seed: int, players: int) -> None:
    setup = setup_of(seed, players)
    with playout(ADAPTER, seed + 2 * (seed // 2), setup) as game:
        while not game.play.is_over():
            assert not TITLE.check_position(game.table, setup)
            game.step()


def found(game: PaladinsGame) -> dict[str, str]:
    """The first thing that is wrong with each field of the table of a game."""
    told = problems(TITLE, game.setup, layout_of(game.table))
    return {problem.field: problem.message for problem in reversed(told)}


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


def in_round_one(opponent: str = "off", **readings: str) -> PaladinsGame:
    """Seat 1 acts for the first time."""
    game = PaladinsGame(2, opponent=opponent, **readings)
    while game.decision(1) != "act":
        game.idle(game.deciding()[0])
    return game


ODD: dict[str, tuple[Change, dict[str, str]]] = {
    "a round before the first": (marker("round", -1), {"markers[round]": "must be 0 to 7, not -1"}),
    "a round after the seventh": (marker("round", 8), {"markers[round]": "must be 0 to 7, not 8"}),
    "an open deck": (seen("seat.1.deck", "public"), {"zones[seat.1.deck]": "cannot have the visibility 'public'"}),
    "a hidden round": (seen("round", "nobody"), {"markers[round]": "cannot have the visibility 'nobody'"}),
    "no round": (
        marker("round", 0),
        {
            "zones[order.1]": "must be revealed from round 1 on, and not before; it is round 0",
            "markers[round]": "cannot be 0 in the phase actions",
        },
    ),
    "an unknown phase": (marker("phase", "lunch"), {"markers[phase]": "cannot be 'lunch'"}),
    "a phase that asks nobody": (marker("phase", "dusk"), {"markers[phase]": "cannot be 'dusk'"}),
    "another phase": (marker("phase", "tavern"), {"decisions[1]": "cannot be 'act' in the phase tavern"}),
    "no start player": (marker("start_seat", 0), {"markers[start_seat]": "must be 1 to 2, not 0"}),
    "a start player that there is not": (
        marker("start_seat", 3),
        {"markers[start_seat]": "must be 1 to 2, not 3"},
    ),
    "nobody acts": (marker("acting_seat", 0), {"markers[acting_seat]": "cannot be 0 in the phase actions"}),
    "somebody else acts": (marker("acting_seat", 2), {"decisions[1]": "must be empty: it is not this seat's turn"}),
    "an unknown action": (marker("action", "sleep"), {"markers[action]": "cannot be 'sleep'"}),
    "too many workers": (marker("action_workers", 4), {"markers[action_workers]": "must be 0 to 3, not 4"}),
    "no taxes": (marker("tax", 0), {"markers[tax]": "must be 1 to 6, not 0"}),
    "too many taxes": (marker("tax", 7), {"markers[tax]": "must be 1 to 6, not 7"}),
    "an unknown inquisition": (marker("inquisition", "spanish"), {"markers[inquisition]": "cannot be 'spanish'"}),
    "an inquisition that asks for an action": (
        marker("inquisition", "tax"),
        {"decisions[1]": "must be 'inquisition' exactly during an inquisition"},
    ),
    "a negative due": (marker("due.tax", -1), {"markers[due.tax]": "must be 0 to 24, not -1"}),
    "an endless due": (
        marker("due.suspicion", 10**9),
        {"markers[due.suspicion]": "must be 0 to 24, not 1000000000"},
    ),
    "a negative attribute": (marker("seat.1.faith", -1), {"markers[seat.1.faith]": "must be 0 to 12, not -1"}),
    "an attribute beyond its track": (
        marker("seat.2.strength", 13),
        {"markers[seat.2.strength]": "must be 0 to 12, not 13"},
    ),
    "negative silver": (marker("seat.1.silver", -1), {"markers[seat.1.silver]": "must be 0 to 999, not -1"}),
    "endless provisions": (
        marker("seat.2.provisions", 10**9),
        {"markers[seat.2.provisions]": "must be 0 to 999, not 1000000000"},
    ),
    "half passed": (marker("seat.2.passed", 2), {"markers[seat.2.passed]": "must be 0 to 1, not 2"}),
    "passed and acting": (marker("seat.1.passed", 1), {"decisions[1]": "is not possible after the seat has passed"}),
    "keeping without having passed": (asked(1, "keep"), {"decisions[1]": "is possible only after the seat has passed"}),
    "an unknown decision": (asked(1, "dream"), {"decisions[1]": "cannot be 'dream' in the phase actions"}),
    "a target of no action": (asked(1, "attack"), {"decisions[1]": "must be that of the action in progress, ''"}),
    "workers for no action": (
        asked(1, "workers"),
        {"decisions[1]": "needs an action that the seat has started, not ''"},
    ),
    "two in turn": (
        lambda table: table.decisions.__setitem__(2, "act"),
        {"decisions[2]": "must be empty: it is not this seat's turn"},
    ),
    "an inquisition without townsfolk": (
        together(marker("inquisition", "tax"), asked(2, "inquisition")),
        {"decisions[2]": "needs townsfolk of the seat in the inquisition"},
    ),
    "a worker among the debts": (moved("scout", "supply", "debts"), {"zones[debts]": "cannot have scout"}),
    "a debt among the workers": (
        moved("debt", "debts", "seat.1.workers"),
        {"zones[seat.1.workers]": "cannot have debt"},
    ),
    "the wrong worker": (moved("scout", "supply", "seat.1.pray.1"), {"zones[seat.1.pray.1]": "cannot have scout"}),
    "two workers on a space": (
        moved("scout", "supply", "seat.1.hunt.1", 2),
        {"zones[seat.1.hunt.1]": "must have at most 1 components, not 2"},
    ),
    "a workshop on the left": (
        moved("workshop", "seat.1.workshops", "seat.1.hunt.1"),
        {"zones[seat.1.hunt.1]": "cannot have workshop"},
    ),
    "a workshop on the last space": (
        moved("workshop", "seat.1.workshops", "seat.1.attack.3"),
        {"zones[seat.1.attack.3]": "cannot have workshop"},
    ),
    "somebody else's monk": (
        moved("monk.2", "seat.2.monks", "seat.1.monks"),
        {"zones[seat.1.monks]": "cannot have monk.2"},
    ),
    "somebody else's workshop": (
        moved("workshop", "seat.2.workshops", "seat.1.attack.1"),
        {"seats[1]": "must have 8 workshops, not 9", "seats[2]": "must have 8 workshops, not 7"},
    ),
    "somebody else's jar": (
        moved("jar", "seat.2.jars", "seat.1.jar.labourer"),
        {"seats[1]": "must have 7 jars, not 8", "seats[2]": "must have 7 jars, not 6"},
    ),
    "hidden suspicion": (
        moved("suspicion_1", "suspicion.deck", "supply"),
        {"zones[supply]": "cannot have suspicion_1"},
    ),
    "townsfolk that act without an inquisition": (
        moved("squire_1", "townsfolk.deck", "seat.1.inquiry"),
        {"zones[seat.1.inquiry]": "cannot have squire_1"},
    ),
}
"""What is wrong, how it comes about in the first turn of a game, and what is said to be wrong."""


@pytest.mark.parametrize("what", ODD)
def test_what_the_rules_contradict_is_refused(what: str) -> None:
    change, said = ODD[what]
    game = in_round_one()
    game.empty(game.t.suspicion_discard, "suspicion.deck")
    game.bring("squire_1", game.t.supply).bring("squire_1", game.t.townsfolk_deck)
    assert not found(game)

    change(game.table)

    assert said.items() <= found(game).items()


OF_THE_OPPONENT: dict[str, tuple[Change, dict[str, str]]] = {
    "no field": (marker("seat.2.field", 0), {"markers[seat.2.field]": "must be 1 to 5, not 0"}),
    "a sixth field": (marker("seat.2.field", 6), {"markers[seat.2.field]": "must be 1 to 5, not 6"}),
    "a negative due": (marker("seat.2.due.tax", -1), {"markers[seat.2.due.tax]": "must be 0 to 24, not -1"}),
    "it develops": (
        marker("seat.2.due.free_develop", 1),
        {"markers[seat.2.due.free_develop]": "must be 0 to 0, not 1"},
    ),
    "an unknown scheme": (marker("scheme", "scheme_sleep"), {"markers[scheme]": "cannot be 'scheme_sleep'"}),
    "a marker that was never moved": (
        marker("seat.2.moved.faith", 0),
        {"markers[seat.2.moved.faith]": "must be 1 to 39, not 0"},
    ),
    "endless moves": (marker("seat.2.moves", 10**6), {"markers[seat.2.moves]": "must be 3 to 39, not 1000000"}),
    "it is asked": (asked(2, "act"), {"decisions[2]": "must be empty: the rules play this seat"}),
    "a scheme too few on the favours": (
        moved("scheme_favour", "schemes.favour", "schemes.deck"),
        {"zones[schemes.favour]": "must have a scheme for each favour that is not revealed"},
    ),
    "its jars": (
        moved("jar", "seat.1.jars", "seat.2.turned_jars"),
        {"seats[1]": "must have 7 jars, not 6", "seats[2]": "must have 7 jars, not 8"},
    ),
    "a workshop on its left": (
        moved("workshop", "seat.2.workshops", "seat.2.pray.1"),
        {"zones[seat.2.pray.1]": "cannot have workshop"},
    ),
}
"""The same of a game against the opponent."""


@pytest.mark.parametrize("what", OF_THE_OPPONENT)
def test_what_the_rules_contradict_of_the_opponent_is_refused(what: str) -> None:
    change, said = OF_THE_OPPONENT[what]
    game = in_round_one("easy")
    assert not found(game)

    change(game.table)

    assert said.items() <= found(game).items()


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
    "no workers at all": (placing("trade", 0, "scout merchant"), "is not possible: trade cannot use 0 workers"),
    "more workers than spaces": (placing("trade", 3, "scout merchant"), "is not possible: trade cannot use 3 workers"),
    "workers that leave a space empty": (
        placing("garrison", 2, "merchant fighter criminal"),
        "is not possible: garrison cannot use 2 workers",
    ),
    "one worker where each space needs one": (
        placing("garrison", 1, "merchant fighter criminal"),
        "is not possible: garrison cannot use 1 worker",
    ),
    "a target with more workers than spaces": (
        together(asked(1, "recruit"), marker("action", "recruit"), marker("action_workers", 3)),
        "is not possible: recruit cannot use 3 workers",
    ),
    "every space filled": (
        together(placing("trade", 1, "scout merchant"), moved("scout", "supply", "seat.1.trade.1")),
        "is not possible: every space of trade is filled",
    ),
    "fewer workers than spaces": (
        placing("trade", 2, "criminal"),
        "is not possible: the seat has too few workers for trade",
    ),
    "no worker of a colour": (
        placing("trade", 2, "scout cleric"),
        "is not possible: the seat has too few workers for trade",
    ),
    "no criminal for the second colour": (
        placing("garrison", 3, "scout criminal cleric"),
        "is not possible: the seat has too few workers for garrison",
    ),
    "nothing to choose": (
        placing("trade", 1, "scout scout"),
        "is not possible: the seat has only one kind of worker to place",
    ),
    "an action that costs more than there is": (
        together(placing("develop", 2, "scout criminal"), marker("seat.1.silver", 0)),
        "is not possible: the seat cannot carry out develop: NOT_ENOUGH_SILVER",
    ),
    "a favour that does not lie open": (
        placing("favour_01", 1, "scout criminal"),
        "is not possible: the seat cannot carry out favour_01: NOT_REVEALED",
    ),
    "suspicion among the rewards": (
        together(asked(1, "reward"), marker("due.suspicion", 1), marker("due.pay_debt", 1)),
        "is not possible while the seat has suspicion to take",
    ),
}
"""How an action that was begun cannot go on, and what is said of it."""


@pytest.mark.parametrize("what", BEGUN)
def test_an_action_that_was_begun_can_go_on(what: str) -> None:
    change, message = BEGUN[what]
    game = in_round_one()

    change(game.table)

    assert found(game) == {"decisions[1]": message}


@pytest.mark.parametrize(
    ("action", "workers", "held"),
    [("trade", 1, "scout criminal"), ("trade", 2, "merchant criminal"), ("garrison", 3, "merchant criminal criminal")],
)
def test_workers_are_placed_where_there_is_a_choice_and_enough_of_them(action: str, workers: int, held: str) -> None:
    game = in_round_one()

    placing(action, workers, held)(game.table)

    assert not found(game)


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

    assert found(game) == dict.fromkeys(("seats[1]", "seats[2]"), "must have each of the paladins once")


def test_orders_and_favours_lie_open_by_the_round() -> None:
    game = in_round_one()
    (order,) = game.t.orders[0].items
    game.bring("favour_01" if "favour_01" in game.t.favours_box.items else "favour_02", game.t.favours[0])
    game.empty(game.t.orders[0], "orders.box")
    assert order

    assert found(game) == {
        "zones[order.1]": "must be revealed from round 1 on, and not before; it is round 1",
        "zones[favour.1]": "must be revealed from round 3 on, and not before; it is round 1",
    }


def in_phase(phase: str, opponent: str = "off") -> PaladinsGame:
    """A game of two seats that has just come to a phase."""
    game = PaladinsGame(2, opponent=opponent)
    while game.t.phase.value != phase:
        game.idle(game.deciding()[0])
    return game


def test_there_are_tavern_cards_for_all_and_one_besides_before_the_paladins_are_chosen() -> None:
    game = in_phase("paladins")
    moved(min(game.t.tavern.items), "tavern", "tavern.deck")(game.table)

    assert found(game) == dict.fromkeys(("decisions[1]", "decisions[2]"), "needs 3 tavern cards, not 2")


def test_a_hand_is_of_three_paladins() -> None:
    game = in_phase("paladins")
    seat = game.seat(1)
    moved(min(seat.hand.items), seat.hand.id, seat.deck.id)(game.table)

    assert found(game) == {"decisions[1]": "needs 3 paladins in the seat's hand, not 2"}


def test_nobody_acts_while_paladins_are_chosen() -> None:
    game = in_phase("paladins")
    marker("acting_seat", 1)(game.table)

    assert found(game) == {"markers[acting_seat]": "cannot be 1 in the phase paladins"}


def test_there_is_a_tavern_card_for_everybody() -> None:
    game = in_phase("tavern")
    moved(min(game.t.tavern.items), "tavern", "tavern.deck")(game.table)

    assert list(found(game).values()) == ["needs more tavern cards than seats that still take one"]


def test_the_opponent_takes_no_tavern_card() -> None:
    game = in_phase("tavern", "easy")
    marker("acting_seat", 2)(game.table)

    assert found(game)["markers[acting_seat]"] == "cannot be 2 in the phase tavern"


@pytest.mark.parametrize("zone", ["townsfolk.1", "outsiders.1", "order.1", "favour.1", "favour.1.worker"])
def test_a_place_of_the_main_board_holds_one(zone: str) -> None:
    game = in_round_one()
    others = {"townsfolk.1": "townsfolk.deck", "outsiders.1": "outsiders.deck", "order.1": "orders.box"}
    source = game.table.zones[others.get(zone, "supply" if zone.endswith("worker") else "favours.box")]
    for component in sorted(source.counts())[:2]:
        moved(component, source.id, zone)(game.table)

    assert found(game) == {f"zones[{zone}]": f"must have at most 1 components, not {game.table.zones[zone].total()}"}


def test_a_space_of_the_main_board_holds_one() -> None:
    game = in_round_one()
    space = game.t.spaces[0][1].id
    moved("monk.1", "seat.1.monks", space)(game.table)
    moved("outpost.1", "seat.1.outposts", space)(game.table)

    assert found(game) == {f"zones[{space}]": "must have at most 1 components, not 2"}


@pytest.mark.parametrize("zone", ["again", "chosen", "paladin", "under.1"])
def test_a_place_for_a_paladin_holds_one(zone: str) -> None:
    game = in_round_one()
    while game.table.zones[f"seat.1.{zone}"].total() < 2:
        moved(min(game.seat(1).deck.items), "seat.1.deck", f"seat.1.{zone}")(game.table)

    assert found(game) == {f"zones[seat.1.{zone}]": "must have at most 1 components, not 2"}


# --- an inquisition --------------------------------------------------------------------------------------------------


def inquiring(opponent: str = "off", *townsfolk: str, **readings: str) -> PaladinsGame:
    """Seat 1 is asked for its townsfolk in the middle of an inquisition that took the last silver."""
    game = in_round_one(opponent, **readings)
    for card in townsfolk:
        game.bring(card, game.seat(1).inquiry)
    together(asked(1, "inquisition"), marker("inquisition", "tax"), marker("tax", 0))(game.table)
    return game


@pytest.mark.parametrize("cause", ["tax", "suspicion"])
def test_an_inquisition_asks_for_townsfolk_that_act_in_it(cause: str) -> None:
    game = inquiring("off", "squire_1", "squire_2")
    marker("inquisition", cause)(game.table)

    assert not found(game)


def test_no_other_townsfolk_act_in_an_inquisition() -> None:
    assert found(inquiring("off", "squire_1", "abbot_1")) == {"zones[seat.1.inquiry]": "cannot have abbot_1"}


def test_an_inquisition_may_come_in_the_turn_of_the_opponent() -> None:
    game = inquiring("easy", "squire_1")
    for action in ("rest", "favour", "conspire"):
        together(marker("acting_seat", 2), marker("action", action))(game.table)
        assert not found(game), action


@pytest.mark.parametrize("action", ["rest", "favour"])
def test_nobody_but_the_opponent_rests_or_goes_for_any_favour(action: str) -> None:
    game = in_round_one()
    marker("action", action)(game.table)

    assert found(game) == {"markers[action]": f"cannot be {action!r}"}


def test_taxes_are_never_used_up_unless_the_supply_is() -> None:
    for choice, said in (("unlimited", {"markers[tax]": "must be 1 to 6, not 0"}), ("as_in_the_box", {})):
        game = in_round_one(supply_limits=choice)
        marker("tax", 0)(game.table)
        assert found(game) == said, choice


# --- the opponent ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["seat.2.moved.faith", "seat.2.moves"])
def test_the_markers_of_the_opponent_move_36_times_at_most(id: str) -> None:
    game = in_round_one("easy")
    marker(id, 39)(game.table)
    assert not found(game)

    marker(id, 40)(game.table)

    assert found(game)[f"markers[{id}]"].endswith("to 39, not 40")


@pytest.mark.parametrize("kind", ["tax", "suspicion", "pay_debt"])
def test_the_opponent_may_be_owed_what_it_settles_later(kind: str) -> None:
    game = in_round_one("easy")
    marker(f"seat.2.due.{kind}", 24)(game.table)

    assert not found(game)


# --- what was begun --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("workers", "goes_on"), [(1, False), (2, True)])
def test_only_who_hires_may_have_begun_to_recruit_for_a_debt(*, workers: int, goes_on: bool) -> None:
    game = in_round_one(debt_for_discard="hire_only")
    for place in game.t.townsfolk[2:]:
        game.empty(place, "townsfolk.deck")
    changes = (marker("action", "recruit"), marker("action_workers", workers), marker("seat.1.silver", 0))
    together(asked(1, "recruit"), *changes)(game.table)

    said = {"decisions[1]": "is not possible: the seat cannot carry out recruit: NOT_ENOUGH_SILVER"}
    assert found(game) == ({} if goes_on else said)
