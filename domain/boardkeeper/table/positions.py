"""Positions: a table's layout says all that lies on it, so for every title it is a position to begin from.

Whether play can begin from a layout that somebody else wrote is asked here: the same zones and markers as on the table
that the title lays, the same components in sum, and each seat that has to decide has something that it can do. What
else the rules of a title contradict, the title says itself (:meth:`boardkeeper.table.title.Title.unsound`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.title import PositionProblem, Setup, Title
from boardkeeper.table.visibility import is_visibility

_NO_DICE = Dice(b"")
"""For a table that is only looked at."""


def problems(title: Title, setup: Setup, layout: TableLayout) -> Sequence[PositionProblem]:
    """Everything that keeps a game of that setup from beginning with this layout; nothing of it is trusted.

    What is wrong with the material hides what the title says, as it knows no such table, and that hides what is wrong
    with the decisions: only rules that find a table sound are asked what a seat can do there. Fields are those of the
    layout, with ids in brackets; without one it is the table as a whole. Raises what
    ``title.layout`` raises for a setup that there is not.
    """
    found = list(_material(title.layout(setup), layout))
    if found:
        return found
    try:
        return list(title.unsound(Table(layout), setup)) or list(_decisions(title, setup, layout))
    except Exception as error:  # noqa: BLE001  # a title may raise anything over a table that it did not lay
        return [PositionProblem("", f"cannot be played on by the rules ({error!r})")]


# --- what lies on the table --------------------------------------------------------------------------------------


def _material(laid: TableLayout, given: TableLayout) -> Iterator[PositionProblem]:
    """What is wrong with a layout without asking the rules: it is to hold what the one that is laid holds."""
    if given.seats != laid.seats:
        yield PositionProblem("seats", f"must be {laid.seats}, not {given.seats}")
        return
    yield from _ids("zones", (zone.id for zone in laid.zones), (zone.id for zone in given.zones))
    yield from _ids("markers", (marker.id for marker in laid.markers), (marker.id for marker in given.markers))
    stacks = {zone.id: zone.stack for zone in laid.zones}
    forged = [
        PositionProblem(f"zones[{zone.id}]", message)
        for zone in given.zones
        for message in _zone(zone, is_stack=stacks.get(zone.id, zone.stack))
    ]
    yield from forged
    kinds = {marker.id: isinstance(marker.value, int) for marker in laid.markers}
    for marker in given.markers:
        if isinstance(marker.value, int) != kinds.get(marker.id, isinstance(marker.value, int)):
            kind = "a number" if kinds[marker.id] else "a word"
            yield PositionProblem(f"markers[{marker.id}]", f"must be {kind}, not {marker.value!r}")
    yield from _visibilities(given)
    if not forged:
        yield from _components(laid, given)
    if len(given.decisions) != given.seats:
        yield PositionProblem("decisions", f"must have {given.seats} entries, not {len(given.decisions)}")
    elif not any(given.decisions):
        yield PositionProblem("decisions", "must have a decision of at least one seat")


def _ids(field: str, laid: Iterable[str], given: Iterable[str]) -> Iterator[PositionProblem]:
    wanted, there = Counter(laid), Counter(given)
    for id in sorted(wanted - there):
        yield PositionProblem(f"{field}[{id}]", "is missing")
    for id in sorted(there - wanted):
        yield PositionProblem(f"{field}[{id}]", "occurs twice" if id in wanted else "does not exist in this game")


def _zone(zone: ZoneSpec, *, is_stack: bool) -> Iterator[str]:
    if zone.stack != is_stack:
        yield "must be a stack" if is_stack else "must be a pile"
    elif zone.contents if is_stack else zone.order:
        yield "is a stack: give its components in order" if is_stack else "is a pile: give counts, not an order"
    if any(count < 1 for count in zone.contents.values()):
        yield "must have counts of 1 or more"
    if zone.counter < 0:
        yield "must have a draw counter of 0 or more"


def _visibilities(given: TableLayout) -> Iterator[PositionProblem]:
    markers = {marker.id for marker in given.markers}
    subjects: tuple[tuple[str, Sequence[ZoneSpec | MarkerSpec]], ...]
    subjects = (("zones", given.zones), ("markers", given.markers))
    for field, specs in subjects:
        for spec in specs:
            if not is_visibility(spec.visibility, markers, given.seats):
                yield PositionProblem(f"{field}[{spec.id}]", f"cannot have the visibility {spec.visibility!r}")


def _components(laid: TableLayout, given: TableLayout) -> Iterator[PositionProblem]:
    wanted, there = Table(laid).components(), Table(given).components()
    for component in sorted(wanted.keys() | there.keys()):
        must, are = wanted.get(component, 0), there.get(component, 0)
        if must != are:
            yield PositionProblem(f"components[{component}]", f"must be {must} in total, not {are}")


# --- who has to decide -------------------------------------------------------------------------------------------


def _decisions(title: Title, setup: Setup, layout: TableLayout) -> Iterator[PositionProblem]:
    """What the rules say to the decisions that are open; raises what the title raises."""
    play = title.play(Table(layout), _NO_DICE, setup)
    if play.is_over():
        yield PositionProblem("", "must not be that of a finished game")
    never_asked = title.automata(setup)
    for seat in play.table.deciding():
        if seat in never_asked:
            yield PositionProblem(f"decisions[{seat}]", "must be empty: the rules play this seat")
        elif not play.legal(seat):
            decision = layout.decisions[seat - 1]
            yield PositionProblem(f"decisions[{seat}]", f"cannot be {decision!r}: the seat has no legal command for it")
