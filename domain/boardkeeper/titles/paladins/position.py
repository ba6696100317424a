"""What the rules of Paladins contradict on a table that somebody else wrote.

They look up prices by how many pieces are left, cards by the zone that they lie in, flags by markers; so everything has
to lie where it can, and what is asked has to fit what is going on. Whoever plays by the rules never sees any of this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from boardkeeper.table.dice import Dice
from boardkeeper.table.material import Material
from boardkeeper.table.table import Table
from boardkeeper.table.title import PositionProblem
from boardkeeper.titles.paladins import setup
from boardkeeper.titles.paladins.data import (
    ACTIONS,
    ANY,
    ATTRIBUTES,
    CRIMINAL,
    DEBT,
    JAR,
    LAST_LEVEL,
    RIGHT,
    WORKERS,
    WORKSHOP,
    Data,
)
from boardkeeper.titles.paladins.material import Area, Opponent, Paladins, Seat, Side
from boardkeeper.titles.paladins.phases.dawn import HAND
from boardkeeper.titles.paladins.phases.flow import PHASES
from boardkeeper.titles.paladins.phases.verbs import VERBS, favour
from boardkeeper.titles.paladins.phases.workers import fitting, left_to_fill

_NO_DICE = Dice(b"")
"""For a table that is only looked at."""
_MOST_GOODS = 999
"""More silver or provisions than seven rounds can bring."""
_MOST_DUE = 24
"""More than is ever due of one kind: there are so many suspicion cards, and no other card gives as much."""
_NEVER_OF_THE_OPPONENT = ("pray_action", "free_develop")
"""What the opponent is never owed: its action Pray clears everything at once, and it never develops."""
_INQUISITION = "inquisition"
_DECISIONS: dict[str, tuple[str, ...]] = {
    "founding": ("first_townsfolk",),
    "paladins": ("paladin",),
    "tavern": ("tavern", _INQUISITION),
    "actions": (
        *("act", "keep", "workers", "develop", "recruit", "commission", "garrison", "absolve", "attack", "convert"),
        *("reward", _INQUISITION),
    ),
}
"""What can be asked in the phases that wait for somebody."""
_LAST_SPACE = 2
"""The space (from 0) of an action of the right side that takes no workshop."""

Allowed = tuple[frozenset[str], int]
"""What may lie in a zone, and how many of it together (0: as many as there are)."""


def unsound(data: Data, players: int, table: Table) -> list[PositionProblem]:
    """Everything on the table that the rules contradict; what is wrong with markers and zones hides the rest."""
    t = Paladins(Material(table, _NO_DICE), data, players, PHASES)
    return [*_visibilities(t, players), *_markers(t), *_zones(t)] or [*_sums(t), *_asked(t)]


def _visibilities(t: Paladins, players: int) -> Iterator[PositionProblem]:
    """Who sees what never changes in this game."""
    laid = Table(setup.declared(t.data, players).layout)
    for id, zone in t.table.zones.items():
        if zone.visibility != laid.zones[id].visibility:
            yield PositionProblem(f"zones[{id}]", f"cannot have the visibility {zone.visibility!r}")
    for id, marker in t.table.markers.items():
        if marker.visibility != laid.markers[id].visibility:
            yield PositionProblem(f"markers[{id}]", f"cannot have the visibility {marker.visibility!r}")


# --- markers ---------------------------------------------------------------------------------------------------------


def _markers(t: Paladins) -> Iterator[PositionProblem]:
    ranges = dict(_ranges(t))
    words = dict(_words(t))
    for marker in t.table.markers.values():
        if marker.id in ranges:
            low, high = ranges[marker.id]
            if not low <= int(marker.value) <= high:
                yield PositionProblem(f"markers[{marker.id}]", f"must be {low} to {high}, not {marker.value}")
        elif marker.value not in words[marker.id]:
            yield PositionProblem(f"markers[{marker.id}]", f"cannot be {marker.value!r}")


def _ranges(t: Paladins) -> Iterator[tuple[str, tuple[int, int]]]:
    yield "round", (0, t.data.rounds)
    yield "start_seat", (1, len(t.people))
    yield "acting_seat", (0, len(t.seats))
    yield "action_workers", (0, max(len(action.slots) for action in t.data.actions.values()))
    yield "tax", (0 if t.inquisition.value or t.data.limited else 1, t.tax_full)
    for kind in t.data.dues:
        yield f"due.{kind}", (0, _MOST_DUE)
        if t.opponent:
            yield f"seat.{t.opponent.number}.due.{kind}", (0, 0 if kind in _NEVER_OF_THE_OPPONENT else _MOST_DUE)
    for side in t.seats:
        own = f"seat.{side.number}"
        yield f"{own}.passed", (0, 1)
        for attribute in ATTRIBUTES:
            yield f"{own}.{attribute}", (0, LAST_LEVEL)
            yield f"{own}.moved.{attribute}", (1, len(ATTRIBUTES) * (LAST_LEVEL + 1))
        for goods in ("silver", "provisions"):
            yield f"{own}.{goods}", (0, _MOST_GOODS)
        yield f"{own}.field", (1, t.data.fields)
        yield f"{own}.moves", (len(ATTRIBUTES), len(ATTRIBUTES) * (LAST_LEVEL + 1))


def _words(t: Paladins) -> Iterator[tuple[str, set[str]]]:
    yield "phase", set(_DECISIONS)
    yield "action", {"", *ACTIONS, *t.data.favours, *(("rest", "favour") if t.opponent else ())}
    yield "inquisition", {"", "tax", "suspicion"}
    yield "scheme", {"", *(f"scheme_{id}" for id in t.data.schemes)}


# --- zones -----------------------------------------------------------------------------------------------------------


def _zones(t: Paladins) -> Iterator[PositionProblem]:
    allowed = dict(_common(t))
    for side in t.seats:
        allowed |= dict(_of_side(t, side))
    pieces = frozenset(piece for side in t.seats for piece in (side.monk, side.outpost))
    for _, pile in t.spaces:
        allowed[pile.id] = pieces, 1
    for zone in t.table.zones.values():
        may, most = allowed[zone.id]
        for component in sorted(zone.counts().keys() - may):
            yield PositionProblem(f"zones[{zone.id}]", f"cannot have {component}")
        if most and zone.total() > most:
            yield PositionProblem(f"zones[{zone.id}]", f"must have at most {most} components, not {zone.total()}")


def _common(t: Paladins) -> Iterator[tuple[str, Allowed]]:
    data = t.data
    workers, townsfolk, outsiders = frozenset(WORKERS), frozenset(data.townsfolk), frozenset(data.outsiders)
    orders = frozenset(f"order_{order}" for order in data.orders)
    yield "supply", (workers, 0)
    yield "debts", (frozenset({DEBT}), 0)
    yield "walls", (frozenset(data.walls), 0)
    yield "starters", (frozenset(f"starter.{seat.number}" for seat in t.people), 0)
    yield "orders.box", (orders, 0)
    yield "favours.box", (frozenset(data.favours), 0)
    yield "tavern", (frozenset(data.tavern), 0)
    for pile in ("deck", "discard"):
        yield f"townsfolk.{pile}", (townsfolk, 0)
        yield f"outsiders.{pile}", (outsiders, 0)
        yield f"suspicion.{pile}", (frozenset(data.suspicion), 0)
        yield f"tavern.{pile}", (frozenset(data.tavern), 0)
    for pile in ("deck", "discard", "favour"):
        yield f"schemes.{pile}", (frozenset(f"scheme_{id}" for id in data.schemes), 0)
    for place in t.townsfolk:
        yield place.id, (townsfolk, 1)
    for place in t.outsiders:
        yield place.id, (outsiders, 1)
    for place in t.orders:
        yield place.id, (orders, 1)
    for place in t.favours:
        yield place.id, (frozenset(data.favours), 1)
    for place in t.favour_workers:
        yield place.id, (workers, 1)


def _of_side(t: Paladins, side: Side) -> Iterator[tuple[str, Allowed]]:
    data, own = t.data, f"seat.{side.number}"
    outsiders, debts, jars = frozenset(data.outsiders), frozenset({DEBT}), frozenset({JAR})
    yield side.workers.id, (frozenset(WORKERS), 0)
    yield side.workshops.id, (frozenset({WORKSHOP}), len(data.workshop_row))
    yield side.monks.id, (frozenset({side.monk}), 0)
    yield side.outposts.id, (frozenset({side.outpost}), 0)
    yield side.jars.id, (jars, data.pieces)
    yield f"{own}.turned_jars", (jars, data.pieces)
    yield side.walls.id, (frozenset(data.walls), data.pieces)
    yield side.attacked.id, (outsiders, 0)
    yield side.converted.id, (outsiders, data.pieces)
    yield side.suspicion.id, (frozenset(data.suspicion), 0)
    yield side.unpaid.id, (debts, 0)
    yield side.paid.id, (debts, 0)
    for area in side.areas.values():
        for at, space in enumerate(area.spaces):
            asked = area.action.slots[at]
            workers = WORKERS if asked == ANY or isinstance(side, Opponent) else (asked, CRIMINAL)
            workshop = (WORKSHOP,) if area.id in RIGHT and at < _LAST_SPACE else ()
            yield space.id, (frozenset((*workers, *workshop)), 1)
    if isinstance(side, Seat):
        paladins, townsfolk = frozenset(data.paladins), frozenset(data.townsfolk)
        inquirers = frozenset(id for id, card in data.townsfolk.items() if card.trigger == _INQUISITION)
        yield side.townsfolk.id, (townsfolk, 0)
        yield side.inquiry.id, (inquirers if t.inquisition.value else frozenset(), 0)
        for pile in (side.deck, side.retired):
            yield pile.id, (paladins, 0)
        for pile in (side.again, *side.under, side.chosen, side.paladin):
            yield pile.id, (paladins, 1)
        yield side.hand.id, (paladins, HAND)
        for kind in data.jar_kinds.values():
            yield f"{own}.jar.{kind.id}", (jars, kind.spaces)


# --- sums ------------------------------------------------------------------------------------------------------------


def _sums(t: Paladins) -> Iterator[PositionProblem]:
    """What a seat has in all its zones, and what the round has turned over."""
    for side in t.seats:
        field = f"seats[{side.number}]"
        workshops = side.workshops.total() + side.workshops_on()
        if workshops != len(t.data.workshop_row):
            yield PositionProblem(field, f"must have {len(t.data.workshop_row)} workshops, not {workshops}")
        jars = side.jars.total() + _placed_jars(side)
        if jars != t.data.pieces:
            yield PositionProblem(field, f"must have {t.data.pieces} jars, not {jars}")
    for seat in t.people:
        own = (seat.deck, seat.again, *seat.under, seat.hand, seat.chosen, seat.paladin, seat.retired)
        paladins = sum((Counter(pile.items) for pile in own), Counter[str]())
        if paladins != dict.fromkeys(t.data.paladins, 1):
            yield PositionProblem(f"seats[{seat.number}]", "must have each of the paladins once")
    revealed = 0
    for row, rounds in ((t.orders, t.data.order_rounds), (t.favours, t.data.favour_rounds)):
        for at, round in enumerate(rounds):
            place = row[at]
            revealed += row is t.favours and round <= t.round.value
            if bool(place.items) != (round <= t.round.value):
                message = f"must be revealed from round {round} on, and not before; it is round {t.round.value}"
                yield PositionProblem(f"zones[{place.id}]", message)
    if t.opponent and t.favour_schemes.total() != len(t.favours) - revealed:
        yield PositionProblem("zones[schemes.favour]", "must have a scheme for each favour that is not revealed")


def _placed_jars(side: Side) -> int:
    """How many jars a seat has put on its spaces; the opponent turns its over."""
    return sum(pile.total() for pile in side.jar_spaces.values()) if isinstance(side, Seat) else side.times("absolve")


# --- what is asked ---------------------------------------------------------------------------------------------------


def _asked(t: Paladins) -> Iterator[PositionProblem]:
    """Whether the phase, who acts and what is asked go together."""
    phase, decisions = t.phase.value, t.table.decisions
    if (phase == "founding") != (t.round.value == 0):
        yield PositionProblem("markers[round]", f"cannot be {t.round.value} in the phase {phase}")
        return
    acting = t.acting.value
    people = range(1, len(t.people) + 1)
    if (acting != 0) if phase == "paladins" else (acting not in people and (phase != "actions" or not acting)):
        yield PositionProblem("markers[acting_seat]", f"cannot be {acting} in the phase {phase}")
        return
    for number in t.table.deciding():
        decision, field = decisions[number], f"decisions[{number}]"
        if number not in people:
            yield PositionProblem(field, "must be empty: the rules play this seat")
        elif decision not in _DECISIONS[phase]:
            yield PositionProblem(field, f"cannot be {decision!r} in the phase {phase}")
        elif (decision == _INQUISITION) != bool(t.inquisition.value):
            yield PositionProblem(field, f"must be {_INQUISITION!r} exactly during an inquisition")
        elif phase != "paladins" and decision != _INQUISITION and number != acting:
            yield PositionProblem(field, "must be empty: it is not this seat's turn")
        else:
            yield from _of_decision(t, t.people[number - 1], decision, field)


def _of_decision(t: Paladins, seat: Seat, decision: str, field: str) -> Iterator[PositionProblem]:
    """What a decision takes for granted."""
    check = _TAKEN_FOR_GRANTED.get(decision)
    message = check(t, seat) if check else ""
    if message:
        yield PositionProblem(field, message)


def _of_paladins(t: Paladins, seat: Seat) -> str:
    fewest = len(t.people) + 1
    if t.tavern.total() < fewest:
        return f"needs {fewest} tavern cards, not {t.tavern.total()}"
    on_hand = seat.hand.total()
    return "" if on_hand == HAND else f"needs {HAND} paladins in the seat's hand, not {on_hand}"


def _of_tavern(t: Paladins, seat: Seat) -> str:
    order = [side.number for side in t.clockwise() if isinstance(side, Seat)]
    fewest = len(order) - order.index(seat.number)
    return "" if t.tavern.total() > fewest else "needs more tavern cards than seats that still take one"


def _of_keeping(t: Paladins, seat: Seat) -> str:
    return "" if seat.passed.value else "is possible only after the seat has passed"


def _of_acting(t: Paladins, seat: Seat) -> str:
    return "is not possible after the seat has passed" if seat.passed.value else ""


def _of_reward(t: Paladins, seat: Seat) -> str:
    return "is not possible while the seat has suspicion to take" if seat.due["suspicion"] else ""


def _of_begun(t: Paladins, seat: Seat) -> str:
    """An action that was begun must still be one that the seat can carry out."""
    id, workers = t.action.value, t.action_workers.value
    if id in t.data.favours:
        refused = favour.why_not(t, seat, id)
    elif id in VERBS:
        area = seat.areas[id]
        if area.action.filling(_workshops(area), workers) is None:
            return f"is not possible: {id} cannot use {workers} worker{'s' * (workers != 1)}"
        refused = VERBS[id].why_not(t, seat, workers)
    else:
        return f"needs an action that the seat has started, not {id!r}"
    return f"is not possible: the seat cannot carry out {id}: {refused.code}" if refused else ""


def _workshops(area: Area) -> int:
    """The spaces that have a workshop, as a mask, also while workers stand there."""
    return sum(1 << at for at, space in enumerate(area.spaces) if WORKSHOP in space.items)


def _of_workers(t: Paladins, seat: Seat) -> str:
    """Whoever places workers has some to choose from, and enough for all that is left to fill."""
    wrong = _of_begun(t, seat)
    if wrong:
        return wrong
    left, _ = left_to_fill(t, seat)
    if not left:
        return f"is not possible: every space of {t.action.value} is filled"
    held = seat.workers.items
    asked = Counter(colour for _, colour in left if colour != ANY)
    criminals = sum(max(0, count - held.get(id, 0)) for id, count in asked.items())
    if held.get(CRIMINAL, 0) < criminals or seat.workers.total() < len(left):
        return f"is not possible: the seat has too few workers for {t.action.value}"
    return "" if len(fitting(held, left)) > 1 else "is not possible: the seat has only one kind of worker to place"


def _of_target(t: Paladins, seat: Seat) -> str:
    if t.action.value != t.table.decisions[seat.number]:
        return f"must be that of the action in progress, {t.action.value!r}"
    return _of_begun(t, seat)


def _of_townsfolk(t: Paladins, seat: Seat) -> str:
    return "" if seat.inquiry.items else "needs townsfolk of the seat in the inquisition"


_TAKEN_FOR_GRANTED: dict[str, Callable[[Paladins, Seat], str]] = {
    "paladin": _of_paladins,
    "tavern": _of_tavern,
    "keep": _of_keeping,
    "act": _of_acting,
    "reward": _of_reward,
    "workers": _of_workers,
    **dict.fromkeys(("develop", "recruit", "commission", "garrison", "absolve", "attack", "convert"), _of_target),
    _INQUISITION: _of_townsfolk,
}
"""What keeps a seat from a decision, by its name; nothing does if that is empty."""
