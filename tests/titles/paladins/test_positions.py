"""Positions from outside: positions of real games are accepted, impossible ones are rejected with clear messages."""

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


def create_setup(seed: int, players: int) -> Setup:
    """Return the default setup for even seeds, else a random one."""
    return random_setup(TITLE, seed, players) if seed % 2 else default_setup(TITLE, players)


@pytest.mark.parametrize(("seed", "players"), SETUPS)
def test_every_position_of_a_game_is_accepted(seed: int, players: int) -> None:
    setup = create_setup(seed, players)
    with playout(ADAPTER, seed + 2 * (seed // 2), setup) as game:
        while not game.play.is_over():
            assert not TITLE.check_position(game.table, setup)
            game.step()


def find_problems(game: PaladinsGame) -> dict[str, str]:
    """Return the first problem of each field of a game's table."""
    all_problems = problems(TITLE, game.setup, layout_of(game.table))
    return {problem.field: problem.message for problem in reversed(all_problems)}


Change = Callable[[Table], object]


def set_marker(id: str, value: int | str) -> Change:
    """Return a change that sets a marker."""

    def change(table: Table) -> None:
        table.markers[id].value = value

    return change


def move(component: str, source: str, target: str, count: int = 1) -> Change:
    """Return a change that moves components."""

    def change(table: Table) -> None:
        table.zones[source].take(component, count)
        table.zones[target].put(component, count)

    return change


def set_visibility(id: str, visibility: str) -> Change:
    """Return a change that sets a visibility."""

    def change(table: Table) -> None:
        table.subject(id).visibility = visibility

    return change


def ask(seat: int, decision: str) -> Change:
    """Return a change that gives one seat a decision, and no other seat."""

    def change(table: Table) -> None:
        table.decisions[:] = [""] * len(table.decisions)
        table.decisions[seat] = decision

    return change


def combine(*changes: Change) -> Change:
    """Return several changes as one."""

    def change(table: Table) -> None:
        for each in changes:
            each(table)

    return change


def start_round_one(opponent: str = "off", **readings: str) -> PaladinsGame:
    """Play until the first turn of seat 1."""
    game = PaladinsGame(2, opponent=opponent, **readings)
    while game.decision(1) != "act":
        game.idle(game.deciding()[0])
    return game


IMPOSSIBLE: dict[str, tuple[Change, dict[str, str]]] = {
    "a round before the first": (set_marker("round", -1), {"markers[round]": "must be 0 to 7, not -1"}),
    "a round after the seventh": (set_marker("round", 8), {"markers[round]": "must be 0 to 7, not 8"}),
    "an open deck": (
        set_visibility("seat.1.deck", "public"),
        {"zones[seat.1.deck]": "cannot have the visibility 'public'"},
    ),
    "a hidden round": (set_visibility("round", "nobody"), {"markers[round]": "cannot have the visibility 'nobody'"}),
    "no round": (
        set_marker("round", 0),
        {
            "zones[order.1]": "must be revealed from round 1 on, and not before; it is round 0",
            "markers[round]": "cannot be 0 in the phase actions",
        },
    ),
    "an unknown phase": (set_marker("phase", "lunch"), {"markers[phase]": "cannot be 'lunch'"}),
    "a phase without decisions": (set_marker("phase", "dusk"), {"markers[phase]": "cannot be 'dusk'"}),
    "another phase": (set_marker("phase", "tavern"), {"decisions[1]": "cannot be 'act' in the phase tavern"}),
    "no start player": (set_marker("start_seat", 0), {"markers[start_seat]": "must be 1 to 2, not 0"}),
    "an unknown start player": (set_marker("start_seat", 3), {"markers[start_seat]": "must be 1 to 2, not 3"}),
    "no acting seat": (set_marker("acting_seat", 0), {"markers[acting_seat]": "cannot be 0 in the phase actions"}),
    "another acting seat": (
        set_marker("acting_seat", 2),
        {"decisions[1]": "must be empty: it is not this seat's turn"},
    ),
    "an unknown action": (set_marker("action", "sleep"), {"markers[action]": "cannot be 'sleep'"}),
    "too many workers": (set_marker("action_workers", 4), {"markers[action_workers]": "must be 0 to 3, not 4"}),
    "no taxes": (set_marker("tax", 0), {"markers[tax]": "must be 1 to 6, not 0"}),
    "too many taxes": (set_marker("tax", 7), {"markers[tax]": "must be 1 to 6, not 7"}),
    "an unknown inquisition": (set_marker("inquisition", "spanish"), {"markers[inquisition]": "cannot be 'spanish'"}),
    "an action during an inquisition": (
        set_marker("inquisition", "tax"),
        {"decisions[1]": "must be 'inquisition' exactly during an inquisition"},
    ),
    "a negative due": (set_marker("due.tax", -1), {"markers[due.tax]": "must be 0 to 24, not -1"}),
    "an endless due": (
        set_marker("due.suspicion", 10**9),
        {"markers[due.suspicion]": "must be 0 to 24, not 1000000000"},
    ),
    "a negative attribute": (set_marker("seat.1.faith", -1), {"markers[seat.1.faith]": "must be 0 to 12, not -1"}),
    "an attribute beyond its track": (
        set_marker("seat.2.strength", 13),
        {"markers[seat.2.strength]": "must be 0 to 12, not 13"},
    ),
    "negative silver": (set_marker("seat.1.silver", -1), {"markers[seat.1.silver]": "must be 0 to 999, not -1"}),
    "endless provisions": (
        set_marker("seat.2.provisions", 10**9),
        {"markers[seat.2.provisions]": "must be 0 to 999, not 1000000000"},
    ),
    "half passed": (set_marker("seat.2.passed", 2), {"markers[seat.2.passed]": "must be 0 to 1, not 2"}),
    "passed and acting": (
        set_marker("seat.1.passed", 1),
        {"decisions[1]": "is not possible after the seat has passed"},
    ),
    "keeping workers before passing": (ask(1, "keep"), {"decisions[1]": "is possible only after the seat has passed"}),
    "an unknown decision": (ask(1, "dream"), {"decisions[1]": "cannot be 'dream' in the phase actions"}),
    "a target of no action": (ask(1, "attack"), {"decisions[1]": "must be that of the action in progress, ''"}),
    "workers for no action": (ask(1, "workers"), {"decisions[1]": "needs an action that the seat has started, not ''"}),
    "two in turn": (
        lambda table: table.decisions.__setitem__(2, "act"),
        {"decisions[2]": "must be empty: it is not this seat's turn"},
    ),
    "an inquisition without townsfolk": (
        combine(set_marker("inquisition", "tax"), ask(2, "inquisition")),
        {"decisions[2]": "needs townsfolk of the seat in the inquisition"},
    ),
    "a worker among the debts": (move("scout", "supply", "debts"), {"zones[debts]": "cannot have scout"}),
    "a debt among the workers": (
        move("debt", "debts", "seat.1.workers"),
        {"zones[seat.1.workers]": "cannot have debt"},
    ),
    "the wrong worker": (move("scout", "supply", "seat.1.pray.1"), {"zones[seat.1.pray.1]": "cannot have scout"}),
    "two workers on a space": (
        move("scout", "supply", "seat.1.hunt.1", 2),
        {"zones[seat.1.hunt.1]": "must have at most 1 components, not 2"},
    ),
    "a workshop on the left": (
        move("workshop", "seat.1.workshops", "seat.1.hunt.1"),
        {"zones[seat.1.hunt.1]": "cannot have workshop"},
    ),
    "a workshop on the last space": (
        move("workshop", "seat.1.workshops", "seat.1.attack.3"),
        {"zones[seat.1.attack.3]": "cannot have workshop"},
    ),
    "another seat's monk": (
        move("monk.2", "seat.2.monks", "seat.1.monks"),
        {"zones[seat.1.monks]": "cannot have monk.2"},
    ),
    "another seat's workshop": (
        move("workshop", "seat.2.workshops", "seat.1.attack.1"),
        {"seats[1]": "must have 8 workshops, not 9", "seats[2]": "must have 8 workshops, not 7"},
    ),
    "another seat's jar": (
        move("jar", "seat.2.jars", "seat.1.jar.labourer"),
        {"seats[1]": "must have 7 jars, not 8", "seats[2]": "must have 7 jars, not 6"},
    ),
    "hidden suspicion": (move("suspicion_1", "suspicion.deck", "supply"), {"zones[supply]": "cannot have suspicion_1"}),
    "townsfolk that act without an inquisition": (
        move("squire_1", "townsfolk.deck", "seat.1.inquiry"),
        {"zones[seat.1.inquiry]": "cannot have squire_1"},
    ),
}
"""Changes of the first turn of a game, and the problems that they cause."""


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_an_impossible_position_is_rejected(case: str) -> None:
    change, messages = IMPOSSIBLE[case]
    game = start_round_one()
    game.empty(game.t.suspicion_discard, "suspicion.deck")
    game.bring("squire_1", game.t.supply).bring("squire_1", game.t.townsfolk_deck)
    assert not find_problems(game)

    change(game.table)

    assert messages.items() <= find_problems(game).items()


IMPOSSIBLE_WITH_OPPONENT: dict[str, tuple[Change, dict[str, str]]] = {
    "no field": (set_marker("seat.2.field", 0), {"markers[seat.2.field]": "must be 1 to 5, not 0"}),
    "a sixth field": (set_marker("seat.2.field", 6), {"markers[seat.2.field]": "must be 1 to 5, not 6"}),
    "a negative due": (set_marker("seat.2.due.tax", -1), {"markers[seat.2.due.tax]": "must be 0 to 24, not -1"}),
    "it develops": (
        set_marker("seat.2.due.free_develop", 1),
        {"markers[seat.2.due.free_develop]": "must be 0 to 0, not 1"},
    ),
    "an unknown scheme": (set_marker("scheme", "scheme_sleep"), {"markers[scheme]": "cannot be 'scheme_sleep'"}),
    "a marker that was never moved": (
        set_marker("seat.2.moved.faith", 0),
        {"markers[seat.2.moved.faith]": "must be 1 to 39, not 0"},
    ),
    "endless moves": (set_marker("seat.2.moves", 10**6), {"markers[seat.2.moves]": "must be 3 to 39, not 1000000"}),
    "it has a decision": (ask(2, "act"), {"decisions[2]": "must be empty: the rules play this seat"}),
    "a scheme too few on the favours": (
        move("scheme_favour", "schemes.favour", "schemes.deck"),
        {"zones[schemes.favour]": "must have a scheme for each favour that is not revealed"},
    ),
    "its jars": (
        move("jar", "seat.1.jars", "seat.2.turned_jars"),
        {"seats[1]": "must have 7 jars, not 6", "seats[2]": "must have 7 jars, not 8"},
    ),
    "a workshop on its left": (
        move("workshop", "seat.2.workshops", "seat.2.pray.1"),
        {"zones[seat.2.pray.1]": "cannot have workshop"},
    ),
}
"""The same for a game against the opponent."""


@pytest.mark.parametrize("case", IMPOSSIBLE_WITH_OPPONENT)
def test_an_impossible_position_with_the_opponent_is_rejected(case: str) -> None:
    change, messages = IMPOSSIBLE_WITH_OPPONENT[case]
    game = start_round_one("easy")
    assert not find_problems(game)

    change(game.table)

    assert messages.items() <= find_problems(game).items()


def place_workers(action: str, workers: int, unused: str) -> Change:
    """Return a change: seat 1 has begun an action and must place its workers, of which these are unused."""

    def change(table: Table) -> None:
        own = table.zones["seat.1.workers"]
        for worker, count in own.counts().items():
            own.take(worker, count)
            table.zones["supply"].put(worker, count)
        for worker in unused.split():
            move(worker, "supply", "seat.1.workers")(table)
        combine(ask(1, "workers"), set_marker("action", action), set_marker("action_workers", workers))(table)
        for id in ("provisions", "faith", "strength", "influence"):  # enough for any action
            set_marker(f"seat.1.{id}", 9)(table)

    return change


IMPOSSIBLE_ACTIONS: dict[str, tuple[Change, str]] = {
    "no workers at all": (place_workers("trade", 0, "scout merchant"), "is not possible: trade cannot use 0 workers"),
    "more workers than spaces": (
        place_workers("trade", 3, "scout merchant"),
        "is not possible: trade cannot use 3 workers",
    ),
    "workers that leave a space empty": (
        place_workers("garrison", 2, "merchant fighter criminal"),
        "is not possible: garrison cannot use 2 workers",
    ),
    "one worker where each space needs one": (
        place_workers("garrison", 1, "merchant fighter criminal"),
        "is not possible: garrison cannot use 1 worker",
    ),
    "a target with more workers than spaces": (
        combine(ask(1, "recruit"), set_marker("action", "recruit"), set_marker("action_workers", 3)),
        "is not possible: recruit cannot use 3 workers",
    ),
    "every space filled": (
        combine(place_workers("trade", 1, "scout merchant"), move("scout", "supply", "seat.1.trade.1")),
        "is not possible: every space of trade is filled",
    ),
    "fewer workers than spaces": (
        place_workers("trade", 2, "criminal"),
        "is not possible: the seat has too few workers for trade",
    ),
    "no worker of a colour": (
        place_workers("trade", 2, "scout cleric"),
        "is not possible: the seat has too few workers for trade",
    ),
    "no criminal for the second colour": (
        place_workers("garrison", 3, "scout criminal cleric"),
        "is not possible: the seat has too few workers for garrison",
    ),
    "nothing to choose": (
        place_workers("trade", 1, "scout scout"),
        "is not possible: the seat has only one kind of worker to place",
    ),
    "an action that costs more than there is": (
        combine(place_workers("develop", 2, "scout criminal"), set_marker("seat.1.silver", 0)),
        "is not possible: the seat cannot carry out develop: NOT_ENOUGH_SILVER",
    ),
    "a favour that does not lie open": (
        place_workers("favour_01", 1, "scout criminal"),
        "is not possible: the seat cannot carry out favour_01: NOT_REVEALED",
    ),
    "suspicion among the rewards": (
        combine(ask(1, "reward"), set_marker("due.suspicion", 1), set_marker("due.pay_debt", 1)),
        "is not possible while the seat has suspicion to take",
    ),
}
"""Actions in progress that cannot continue, and the messages."""


@pytest.mark.parametrize("case", IMPOSSIBLE_ACTIONS)
def test_an_action_in_progress_must_be_able_to_continue(case: str) -> None:
    change, message = IMPOSSIBLE_ACTIONS[case]
    game = start_round_one()

    change(game.table)

    assert find_problems(game) == {"decisions[1]": message}


@pytest.mark.parametrize(
    ("action", "workers", "unused"),
    [("trade", 1, "scout criminal"), ("trade", 2, "merchant criminal"), ("garrison", 3, "merchant criminal criminal")],
)
def test_placing_workers_needs_a_choice_and_enough_workers(action: str, workers: int, unused: str) -> None:
    game = start_round_one()

    place_workers(action, workers, unused)(game.table)

    assert not find_problems(game)


def test_every_seat_has_each_of_its_paladins_once() -> None:
    """All seats have the same paladins, so the total can be right if one seat has a paladin twice."""
    game = start_round_one()
    one, other = game.seat(1), game.seat(2)
    (own,) = one.paladin.items
    (others,) = other.paladin.items
    assert own != others
    for seat, old, new in ((one, own, others), (other, others, own)):
        seat.paladin.take(old, 1)
        seat.paladin.put(new, 1)

    assert find_problems(game) == dict.fromkeys(("seats[1]", "seats[2]"), "must have each of the paladins once")


def test_orders_and_favours_are_revealed_by_the_round() -> None:
    game = start_round_one()
    (order,) = game.t.orders[0].items
    game.bring("favour_01" if "favour_01" in game.t.favours_box.items else "favour_02", game.t.favours[0])
    game.empty(game.t.orders[0], "orders.box")
    assert order

    assert find_problems(game) == {
        "zones[order.1]": "must be revealed from round 1 on, and not before; it is round 1",
        "zones[favour.1]": "must be revealed from round 3 on, and not before; it is round 1",
    }


def play_until_phase(phase: str, opponent: str = "off") -> PaladinsGame:
    """Play a game of two seats until a phase begins."""
    game = PaladinsGame(2, opponent=opponent)
    while game.t.phase.value != phase:
        game.idle(game.deciding()[0])
    return game


def test_choosing_paladins_needs_one_tavern_card_more_than_seats() -> None:
    game = play_until_phase("paladins")
    move(min(game.t.tavern.items), "tavern", "tavern.deck")(game.table)

    assert find_problems(game) == dict.fromkeys(("decisions[1]", "decisions[2]"), "needs 3 tavern cards, not 2")


def test_a_hand_has_three_paladins() -> None:
    game = play_until_phase("paladins")
    seat = game.seat(1)
    move(min(seat.hand.items), seat.hand.id, seat.deck.id)(game.table)

    assert find_problems(game) == {"decisions[1]": "needs 3 paladins in the seat's hand, not 2"}


def test_no_seat_acts_while_paladins_are_chosen() -> None:
    game = play_until_phase("paladins")
    set_marker("acting_seat", 1)(game.table)

    assert find_problems(game) == {"markers[acting_seat]": "cannot be 1 in the phase paladins"}


def test_each_seat_needs_a_tavern_card() -> None:
    game = play_until_phase("tavern")
    move(min(game.t.tavern.items), "tavern", "tavern.deck")(game.table)

    assert list(find_problems(game).values()) == ["needs more tavern cards than seats that still take one"]


def test_the_opponent_takes_no_tavern_card() -> None:
    game = play_until_phase("tavern", "easy")
    set_marker("acting_seat", 2)(game.table)

    assert find_problems(game)["markers[acting_seat]"] == "cannot be 2 in the phase tavern"


@pytest.mark.parametrize("zone", ["townsfolk.1", "outsiders.1", "order.1", "favour.1", "favour.1.worker"])
def test_a_place_of_the_main_board_has_at_most_one_component(zone: str) -> None:
    game = start_round_one()
    others = {"townsfolk.1": "townsfolk.deck", "outsiders.1": "outsiders.deck", "order.1": "orders.box"}
    source = game.table.zones[others.get(zone, "supply" if zone.endswith("worker") else "favours.box")]
    for component in sorted(source.counts())[:2]:
        move(component, source.id, zone)(game.table)

    assert find_problems(game) == {
        f"zones[{zone}]": f"must have at most 1 components, not {game.table.zones[zone].total()}"
    }


def test_a_space_of_the_main_board_has_at_most_one_piece() -> None:
    game = start_round_one()
    space = game.t.spaces[0][1].id
    move("monk.1", "seat.1.monks", space)(game.table)
    move("outpost.1", "seat.1.outposts", space)(game.table)

    assert find_problems(game) == {f"zones[{space}]": "must have at most 1 components, not 2"}


@pytest.mark.parametrize("zone", ["again", "chosen", "paladin", "under.1"])
def test_a_place_for_a_paladin_has_at_most_one(zone: str) -> None:
    game = start_round_one()
    while game.table.zones[f"seat.1.{zone}"].total() < 2:
        move(min(game.seat(1).deck.items), "seat.1.deck", f"seat.1.{zone}")(game.table)

    assert find_problems(game) == {f"zones[seat.1.{zone}]": "must have at most 1 components, not 2"}


# --- an inquisition --------------------------------------------------------------------------------------------------


def create_inquisition(opponent: str = "off", *townsfolk: str, **readings: str) -> PaladinsGame:
    """Create a game in which seat 1 must use its townsfolk in an inquisition after the last silver was taken."""
    game = start_round_one(opponent, **readings)
    for card in townsfolk:
        game.bring(card, game.seat(1).inquiry)
    combine(ask(1, "inquisition"), set_marker("inquisition", "tax"), set_marker("tax", 0))(game.table)
    return game


@pytest.mark.parametrize("cause", ["tax", "suspicion"])
def test_an_inquisition_with_townsfolk_that_act_is_accepted(cause: str) -> None:
    game = create_inquisition("off", "squire_1", "squire_2")
    set_marker("inquisition", cause)(game.table)

    assert not find_problems(game)


def test_no_other_townsfolk_act_in_an_inquisition() -> None:
    assert find_problems(create_inquisition("off", "squire_1", "abbot_1")) == {
        "zones[seat.1.inquiry]": "cannot have abbot_1"
    }


def test_an_inquisition_can_be_in_the_opponents_turn() -> None:
    game = create_inquisition("easy", "squire_1")
    for action in ("rest", "favour", "conspire"):
        combine(set_marker("acting_seat", 2), set_marker("action", action))(game.table)
        assert not find_problems(game), action


@pytest.mark.parametrize("action", ["rest", "favour"])
def test_only_the_opponent_rests_or_uses_any_favour(action: str) -> None:
    game = start_round_one()
    set_marker("action", action)(game.table)

    assert find_problems(game) == {"markers[action]": f"cannot be {action!r}"}


def test_the_tax_supply_can_be_empty_only_with_limited_silver() -> None:
    for choice, messages in (("unlimited", {"markers[tax]": "must be 1 to 6, not 0"}), ("as_in_the_box", {})):
        game = start_round_one(supply_limits=choice)
        set_marker("tax", 0)(game.table)
        assert find_problems(game) == messages, choice


# --- the opponent ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["seat.2.moved.faith", "seat.2.moves"])
def test_the_markers_of_the_opponent_move_at_most_36_times(id: str) -> None:
    game = start_round_one("easy")
    set_marker(id, 39)(game.table)
    assert not find_problems(game)

    set_marker(id, 40)(game.table)

    assert find_problems(game)[f"markers[{id}]"].endswith("to 39, not 40")


@pytest.mark.parametrize("kind", ["tax", "suspicion", "pay_debt"])
def test_rewards_can_be_due_to_the_opponent(kind: str) -> None:
    game = start_round_one("easy")
    set_marker(f"seat.2.due.{kind}", 24)(game.table)

    assert not find_problems(game)


# --- recruiting ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("workers", "accepted"), [(1, False), (2, True)])
def test_recruiting_in_progress_for_a_debt_can_only_be_hiring(*, workers: int, accepted: bool) -> None:
    game = start_round_one(debt_for_discard="hire_only")
    for place in game.t.townsfolk[2:]:
        game.empty(place, "townsfolk.deck")
    changes = (set_marker("action", "recruit"), set_marker("action_workers", workers), set_marker("seat.1.silver", 0))
    combine(ask(1, "recruit"), *changes)(game.table)

    messages = {"decisions[1]": "is not possible: the seat cannot carry out recruit: NOT_ENOUGH_SILVER"}
    assert find_problems(game) == ({} if accepted else messages)
