"""Check tables that another program wrote, by what a title declares about its markers, zones and decisions.

The ``soundness.py`` of a title declares ranges, words and contents by patterns of ids, for example
``"seat.*.coins|seat.*.debt"`` (``*`` stands for any text; the first matching pattern counts). It adds generators for
other checks. :func:`problems` reports all problems at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from boardkeeper.table.layout import MAX_NUMBER, TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.zones import AnyMarker, Marker, Zone
from boardkeeper.titlekit.title import PositionProblem
from boardkeeper.titlekit.turn_flow import TurnFlow

Found = Iterator[PositionProblem]
Check = Found | tuple[str, Found]
"""A check of a title, optionally with a pattern of the markers that it needs."""
Ranges = Mapping[str, tuple[int, int]]
"""The smallest and the largest value of number markers, by patterns of their ids."""
Words = Mapping[str, Collection[str]]
"""The possible values of word markers, by patterns of their ids."""

_V = TypeVar("_V")
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class ZoneLimits(NamedTuple):
    """The possible contents of a zone: these components, at most ``each`` of one kind and ``total`` together."""

    components: Collection[str]
    each: int = MAX_NUMBER
    total: int = MAX_NUMBER


class Limits(NamedTuple):
    """The possible values of the markers and contents of the zones of a title, in any state of a game.

    Feature vectors (:mod:`boardkeeper.titlekit.features`) have no place for anything else.
    """

    ranges: Ranges = _NOTHING
    words: Words = _NOTHING
    contents: Mapping[str, ZoneLimits] = _NOTHING
    typical: Mapping[str, int] = _NOTHING
    """A large value of numbers, by patterns of their ids, where the range is much larger than usual values."""
    revealed: str = "*"
    """The pattern of the zones that the rules can reveal to viewers who do not see them at first."""
    left_out: str = ""
    """The pattern of zones and markers that need no features."""


class DecisionCheck(NamedTuple):
    """When a decision can be open: in these phases, if ``fits`` accepts the bound table and the seat.

    ``fits`` returns a boolean, or a message about the problem (empty: none).
    """

    phases: tuple[str, ...]
    fits: Callable[[Any, Any], bool | str] = lambda _t, _seat: True


class DecisionChecks(NamedTuple):
    """When each decision of a title can be open."""

    by_name: Mapping[str, DecisionCheck]
    """The check of each decision, by name."""
    together: Collection[str]
    """The phases in which several seats decide at the same time."""
    basis: str
    """The pattern of the markers that determine which seats decide."""


def problems(
    t: TurnFlow[Any],
    ranges: Ranges,
    words: Words,
    contents: Mapping[str, ZoneLimits],
    others: Iterable[Check],
    decisions: DecisionChecks,
) -> list[PositionProblem]:
    """Return everything that is wrong with a table. ``others`` are further checks of the title.

    Numbers out of their range are set to the nearest possible value before the other checks run. A check that raises an
    exception ends, and the next one runs; the exception is raised at the end if no problem explains it. A check with a
    pattern of marker ids is skipped if one of these markers has an impossible value.
    """
    phases = {phase for check in decisions.by_name.values() for phase in check.phases}
    found = list(_markers(t.table, ranges, {"phase": phases, **words}))
    wrong = [problem.field for problem in found]
    found += _contents(t.table, contents)
    failed: Exception | None = None
    for other in (*others, *((decisions.basis, check) for check in _decisions(t, decisions))):
        basis, check = other if isinstance(other, tuple) else ("", other)
        if any(_pattern(basis).fullmatch(field.removeprefix("markers[").removesuffix("]")) for field in wrong):
            continue
        try:
            found.extend(check)
        except Exception as error:  # noqa: BLE001  # a check may raise anything for an impossible table
            failed = failed or error
    if failed is not None and not found:
        raise failed
    return found


def at(thing: Zone | AnyMarker) -> str:
    """Return the field of a zone or marker, for :class:`PositionProblem`."""
    return f"{'markers' if isinstance(thing, Marker) else 'zones'}[{thing.id}]"


def must(thing: Zone | AnyMarker | str, expected: str, *, is_so: bool) -> Found:
    """Report that a zone, marker or other field must be as ``expected`` ("be even"), unless ``is_so``."""
    if not is_so:
        yield PositionProblem(thing if isinstance(thing, str) else at(thing), f"must {expected}")


# --- declarations ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile("|".join(".*".join(map(re.escape, one.split("*"))) for one in pattern.split("|")))


def matches(pattern: str, id: str) -> bool:
    """Return whether an id matches a pattern."""
    return _pattern(pattern).fullmatch(id) is not None


def first_match(by_pattern: Mapping[str, _V], id: str) -> _V | None:
    """Return the value of the first pattern that an id matches."""
    return next((value for pattern, value in by_pattern.items() if _pattern(pattern).fullmatch(id)), None)


def _markers(table: Table, ranges: Ranges, words: Words) -> Found:
    for marker in table.markers.values():
        value = marker.value
        if isinstance(value, int):
            low, high = first_match(ranges, marker.id) or (-MAX_NUMBER, MAX_NUMBER)
            yield from must(marker, f"be {low} to {high}, not {value}", is_so=low <= value <= high)
            marker.value = min(max(value, low), high)
        else:
            possible = first_match(words, marker.id)
            if possible is not None and value not in possible:
                yield PositionProblem(at(marker), f"cannot be {value!r}")


def _contents(table: Table, contents: Mapping[str, ZoneLimits]) -> Found:
    for zone in table.zones.values():
        limits = first_match(contents, zone.id)
        if limits is None:
            continue
        for component, count in sorted(zone.counts().items()):
            if component not in limits.components:
                yield PositionProblem(at(zone), f"cannot have {component}")
            elif count > limits.each:
                yield PositionProblem(at(zone), f"must have at most {limits.each} {component}, not {count}")
        if zone.total() > limits.total:
            yield PositionProblem(at(zone), f"must have at most {limits.total} components, not {zone.total()}")


# --- checks for the titles' own modules --------------------------------------------------------------------------


def visibilities(table: Table, laid: TableLayout, now: Mapping[str, Collection[str]]) -> Found:
    """Report impossible visibilities. ``now`` has the possible ones by id; other ids keep that of the layout."""
    for field, subjects, specs in (("zones", table.zones, laid.zones), ("markers", table.markers, laid.markers)):
        for spec in specs:
            word = subjects[spec.id].visibility
            if word not in now.get(spec.id, (spec.visibility,)):
                yield PositionProblem(f"{field}[{spec.id}]", f"cannot have the visibility {word!r}")


def _decisions(t: TurnFlow[Any], decisions: DecisionChecks) -> Iterator[Found]:
    """Check that each open decision belongs to the phase, and that only the phases ``together`` have several."""
    deciding, phase = t.table.deciding(), t.phase.value
    for number in deciding:
        yield _decision(t, number, decisions.by_name.get(t.table.decisions[number]))
    single = len(deciding) < 2 or phase in decisions.together
    yield must("decisions", f"have a decision of one seat only in the phase {phase}", is_so=single)


def _decision(t: TurnFlow[Any], number: int, check: DecisionCheck | None) -> Found:
    decision, phase, field = t.table.decisions[number], t.phase.value, f"decisions[{number}]"
    if check is None or phase not in check.phases:
        yield PositionProblem(field, f"cannot be {decision!r} in the phase {phase}")
        return
    fits = check.fits(t, t.seats[number - 1])
    if fits is False or (fits and isinstance(fits, str)):
        yield PositionProblem(field, fits or f"cannot be {decision!r} now")
