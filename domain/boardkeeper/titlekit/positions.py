"""Positions: check whether a game can begin from a table that another program wrote.

:func:`read` takes a table in the form that clients get, :func:`problems` takes a layout. The table must have the zones
and markers of the title's layout and the same components in total, and every seat that has to decide must have a legal
command. The title reports what else its rules contradict
(:meth:`boardkeeper.titlekit.title.TitleRules.check_position`).

All problems are reported at once. Later checks work on a copy of the table in which every wrong part
is replaced by a possible one. A check that still cannot be done because of another problem is skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence

from msgspec.structs import replace

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import MAX_NUMBER, MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, is_visibility
from boardkeeper.table.visible_table import VisibleMarker, VisibleTable, VisibleZone
from boardkeeper.titlekit.title import PositionError, PositionProblem, Setup, Title

_NO_DICE = Dice(b"")  # checks draw nothing

Found = Iterator[PositionProblem]


def read(title: Title, setup: Setup, table: VisibleTable) -> TableLayout:
    """Return the layout of a game that begins with this table, in the title's own order.

    Raises :class:`PositionError` with all problems, or what ``title.layout`` raises for an impossible setup.
    """
    expected = title.layout(setup)
    actual = _layout_of(expected, table)
    hidden = list(_hidden(table))
    found = [*_material(expected, actual, is_whole=False), *hidden] if hidden else problems(title, setup, actual)
    wrong = [*_counts(table), *found]
    if wrong:
        raise PositionError(wrong)
    zones = {zone.id: zone for zone in actual.zones}
    markers = {marker.id: marker for marker in actual.markers}
    return replace(
        actual,
        zones=tuple(zones[zone.id] for zone in expected.zones),
        markers=tuple(markers[marker.id] for marker in expected.markers),
    )


def problems(title: Title, setup: Setup, layout: TableLayout) -> Sequence[PositionProblem]:
    """Return everything that prevents a game of that setup from beginning with this layout.

    Fields are those of the table, with ids in brackets: ``zones[supply]``; without a field the problem concerns the
    table as a whole. Raises what ``title.layout`` raises for an impossible setup.
    """
    expected = title.layout(setup)
    found = list(_material(expected, layout))
    if layout.seats != expected.seats:
        return found
    table = Table(_repaired(expected, layout))
    try:
        automata = title.automata(setup)
        fields = [f"decisions[{seat}]" for seat in table.deciding() if seat in automata]
        found += [PositionProblem(field, "must be empty: the rules play this seat") for field in fields]
        found += title.check_position(table, setup)
        found += _too_large(layout, {problem.field for problem in found})
        if len(layout.decisions) == layout.seats:
            _check_decisions(title, setup, table, found)
    except Exception as error:  # noqa: BLE001  # a title may raise anything for such a table
        _add_unplayable(error, found)
    return found


def _too_large(layout: TableLayout, reported: Container[str]) -> Found:
    """Yield a problem for each marker that no game record can store, unless it is in ``reported``."""
    for marker in layout.markers:
        field = f"markers[{marker.id}]"
        if isinstance(marker.value, int) and abs(marker.value) > MAX_NUMBER and field not in reported:
            yield PositionProblem(field, f"must be {-MAX_NUMBER} to {MAX_NUMBER}, not {marker.value}")


def _add_unplayable(error: Exception, found: list[PositionProblem]) -> None:
    """Add a problem for rules that fail, unless another problem explains it."""
    if not found:
        found.append(PositionProblem("", f"cannot be played on by the rules ({error!r})"))


# --- tables as clients have them ---------------------------------------------------------------------------------


def _layout_of(expected: TableLayout, table: VisibleTable) -> TableLayout:
    """Return the layout of a table. Hidden and missing values are those of the title's layout, ``expected``."""
    zones = {zone.id: zone for zone in expected.zones}
    markers = {marker.id: marker for marker in expected.markers}
    return TableLayout(
        len(table.decisions),
        tuple(_zone_spec(zone, zones.get(zone.id, ZoneSpec(zone.id))) for zone in table.zones),
        tuple(_marker_spec(marker, markers.get(marker.id, MarkerSpec(marker.id))) for marker in table.markers),
        table.decisions,
    )


def _zone_spec(actual: VisibleZone, expected: ZoneSpec) -> ZoneSpec:
    visibility = actual.visibility or expected.visibility
    if not actual.is_seen:
        return replace(expected, visibility=visibility)
    contents = dict(sorted(actual.contents.items()))
    return ZoneSpec(actual.id, visibility, contents, actual.is_stack, actual.draws, actual.order)


def _marker_spec(actual: VisibleMarker, expected: MarkerSpec) -> MarkerSpec:
    value = expected.value if actual.value is None else actual.value
    return MarkerSpec(actual.id, value, actual.visibility or expected.visibility)


def _hidden(table: VisibleTable) -> Found:
    if table.viewer != OPERATOR:
        yield PositionProblem("viewer", 'must be "whole": another table lacks what its viewer does not see')
    for zone in table.zones:
        if not zone.is_seen:
            yield PositionProblem(f"zones[{zone.id}]", "is hidden: give its contents, with `seen` true")
    for marker in table.markers:
        if marker.value is None:
            yield PositionProblem(f"markers[{marker.id}]", "is hidden: give its value")


def _counts(table: VisibleTable) -> Found:
    for zone in table.zones:
        there = len(zone.order) + sum(zone.contents.values())
        if zone.is_seen and zone.count is not None and zone.count != there:
            yield PositionProblem(f"zones[{zone.id}]", f"must have the `count` {there}, or none, not {zone.count}")


# --- zones, markers and components -------------------------------------------------------------------------------


def _material(expected: TableLayout, actual: TableLayout, *, is_whole: bool = True) -> Found:
    """Compare a layout with that of the title, without the rules; with ``is_whole`` the components too."""
    if actual.seats != expected.seats:
        yield PositionProblem("seats", f"must be {expected.seats}, not {actual.seats}")
        return
    yield from _ids("zones", (zone.id for zone in expected.zones), (zone.id for zone in actual.zones))
    yield from _ids("markers", (marker.id for marker in expected.markers), (marker.id for marker in actual.markers))
    stacks = {zone.id: zone.stack for zone in expected.zones}
    forged = [
        PositionProblem(f"zones[{zone.id}]", message)
        for zone in actual.zones
        for message in _zone(zone, is_stack=stacks.get(zone.id, zone.stack))
    ]
    yield from forged
    numbers = {marker.id: isinstance(marker.value, int) for marker in expected.markers}
    for marker in actual.markers:
        for message in _marker(marker, is_number=numbers.get(marker.id, isinstance(marker.value, int))):
            yield PositionProblem(f"markers[{marker.id}]", message)
    yield from _visibilities(actual)
    if is_whole and not forged:
        yield from _components(expected, actual)
    if len(actual.decisions) != actual.seats:
        yield PositionProblem("decisions", f"must have {actual.seats} entries, not {len(actual.decisions)}")
    elif not any(actual.decisions):
        yield PositionProblem("decisions", "must have a decision of at least one seat")


def _ids(field: str, expected: Iterable[str], actual: Iterable[str]) -> Found:
    wanted, there = Counter(expected), Counter(actual)
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
    if not 0 <= zone.counter <= MAX_NUMBER:
        yield f"must have a draw counter of 0 to {MAX_NUMBER}, not {zone.counter}"


def _marker(marker: MarkerSpec, *, is_number: bool) -> Iterator[str]:
    if isinstance(marker.value, int) != is_number:
        yield f"must be {'a number' if is_number else 'a word'}, not {marker.value!r}"


def _visibilities(actual: TableLayout) -> Found:
    markers = {marker.id for marker in actual.markers}
    subjects: tuple[tuple[str, Sequence[ZoneSpec | MarkerSpec]], ...]
    subjects = (("zones", actual.zones), ("markers", actual.markers))
    for field, specs in subjects:
        for spec in specs:
            if not is_visibility(spec.visibility, markers, actual.seats):
                yield PositionProblem(f"{field}[{spec.id}]", f"cannot have the visibility {spec.visibility!r}")


def _components(expected: TableLayout, actual: TableLayout) -> Found:
    wanted, there = Table(expected).components(), Table(actual).components()
    for component in sorted(wanted.keys() | there.keys()):
        must, are = wanted.get(component, 0), there.get(component, 0)
        if must != are:
            yield PositionProblem(f"components[{component}]", f"must be {must} in total, not {are}")


def _repaired(expected: TableLayout, actual: TableLayout) -> TableLayout:
    """Return the layout without the parts that :func:`_material` finds wrong, so that the rules can check the rest."""
    zones = {zone.id: zone for zone in actual.zones}
    markers = {marker.id: marker for marker in actual.markers}
    totals = Table(expected).components()
    decisions = actual.decisions if len(actual.decisions) == expected.seats else ()
    return TableLayout(
        expected.seats,
        tuple(_repaired_zone(zone, zones.get(zone.id), totals, markers, expected.seats) for zone in expected.zones),
        tuple(_repaired_marker(marker, markers.get(marker.id), markers, expected.seats) for marker in expected.markers),
        decisions,
    )


def _repaired_zone(
    expected: ZoneSpec, actual: ZoneSpec | None, totals: dict[str, int], markers: Container[str], seats: int
) -> ZoneSpec:
    if actual is None:
        return replace(expected, contents={}, order=())
    contents = {id: min(count, totals[id]) for id, count in actual.contents.items() if count > 0 and id in totals}
    return replace(
        expected,
        visibility=actual.visibility if is_visibility(actual.visibility, markers, seats) else expected.visibility,
        contents={} if expected.stack else contents,
        order=tuple(id for id in actual.order if id in totals)[: sum(totals.values())] if expected.stack else (),
    )


def _repaired_marker(
    expected: MarkerSpec, actual: MarkerSpec | None, markers: Container[str], seats: int
) -> MarkerSpec:
    if actual is None:
        return expected
    value = actual.value if type(actual.value) is type(expected.value) else expected.value
    return replace(
        expected,
        value=value,
        visibility=actual.visibility if is_visibility(actual.visibility, markers, seats) else expected.visibility,
    )


# --- decisions -------------------------------------------------------------------------------------------


def _check_decisions(title: Title, setup: Setup, table: Table, found: list[PositionProblem]) -> None:
    """Add a problem for each open decision without a legal command; raises what the title raises."""
    reported = {problem.field for problem in found}
    if "markers[phase]" in reported:
        return
    play = title.play(table, _NO_DICE, setup)
    if play.is_over():
        found.append(PositionProblem("", "must not be that of a finished game"))
    for seat in table.deciding():
        field = f"decisions[{seat}]"
        if field not in reported:
            try:
                is_possible = bool(play.legal(seat))
            except Exception as error:  # noqa: BLE001  # as in `problems`, but check the next seat too
                _add_unplayable(error, found)
                continue
            if not is_possible:
                decision = table.decisions[seat]
                found.append(PositionProblem(field, f"cannot be {decision!r}: the seat has no legal command for it"))
