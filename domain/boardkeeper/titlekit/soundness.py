"""Checks of tables that another program wrote: what a title declares about its markers, zones and decisions.

A title's ``soundness.py`` declares ranges, words and contents by patterns of ids (``"seat.*.coins|seat.*.debt"``; ``*``
stands for any text, the first pattern that fits counts), and adds generators of its own for what belongs together.
:func:`problems` reports everything that is wrong at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.zones import AnyMarker, Marker, Zone
from boardkeeper.titlekit.title import PositionProblem
from boardkeeper.titlekit.turn_flow import TurnFlow

MOST = 999_999_999
"""More than is ever counted of anything; a sum of two still fits into a field of a board."""

Found = Iterator[PositionProblem]
Check = Found | tuple[str, Found]
"""A check of a title, which may come with a pattern of the markers that it needs."""
Ranges = Mapping[str, tuple[int, int]]
"""The smallest and the largest value of number markers, by patterns of their ids."""
Words = Mapping[str, Collection[str]]
"""The possible values of word markers, by patterns of their ids."""

_V = TypeVar("_V")


class May(NamedTuple):
    """What a zone may have: these components, at most ``each`` of one kind and ``total`` together."""

    components: Collection[str]
    each: int = MOST
    total: int = MOST


class Asked(NamedTuple):
    """When a decision can be open: in these phases, if ``fits`` accepts the table and the seat.

    ``fits`` returns whether it does, or what is wrong as text (empty: nothing).
    """

    phases: tuple[str, ...]
    fits: Callable[[Any, Any], bool | str] = lambda _t, _seat: True


class Asking(NamedTuple):
    """Which decisions can be open."""

    asked: Mapping[str, Asked]
    """When each decision can be open."""
    together: Collection[str]
    """The phases in which several seats decide at the same time."""
    basis: str
    """The pattern of the markers from which it follows who has to decide."""


def problems(
    t: TurnFlow[Any], ranges: Ranges, words: Words, contents: Mapping[str, May], others: Iterable[Check], asking: Asking
) -> list[PositionProblem]:
    """Return everything that is wrong with a table; ``others`` are the title's own checks.

    The possible phases and decisions follow from ``asking``.
    Numbers out of their range are set to the nearest possible value before the other checks run. A check that fails
    because of another problem ends there, and the next one runs. A check that comes with a pattern of marker ids is
    skipped if one of these markers has an impossible value.
    """
    phases = {phase for asked in asking.asked.values() for phase in asked.phases}
    found = list(_markers(t.table, ranges, {"phase": phases, **words}))
    wrong = [problem.field for problem in found]
    found += _contents(t.table, contents)
    failed: Exception | None = None
    for other in (*others, *((asking.basis, check) for check in _decisions(t, asking))):
        basis, check = other if isinstance(other, tuple) else ("", other)
        if any(_pattern(basis).fullmatch(field.removeprefix("markers[").removesuffix("]")) for field in wrong):
            continue
        try:
            found.extend(check)
        except Exception as error:  # noqa: BLE001  # a check may raise anything over a table that makes no sense
            failed = failed or error
    if failed is not None and not found:
        raise failed
    return found


def at(thing: Zone | AnyMarker) -> str:
    """Return the field of a zone or marker in problems."""
    return f"{'markers' if isinstance(thing, Marker) else 'zones'}[{thing.id}]"


def must(thing: Zone | AnyMarker | str, expected: str, *, is_so: bool) -> Found:
    """Report that a zone, a marker or another field must be as expected, unless it is so."""
    if not is_so:
        yield PositionProblem(thing if isinstance(thing, str) else at(thing), f"must {expected}")


# --- declarations ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile("|".join(".*".join(map(re.escape, one.split("*"))) for one in pattern.split("|")))


def _declared(declared: Mapping[str, _V], id: str) -> _V | None:
    return next((value for pattern, value in declared.items() if _pattern(pattern).fullmatch(id)), None)


def _markers(table: Table, ranges: Ranges, words: Words) -> Found:
    for marker in table.markers.values():
        value = marker.value
        if isinstance(value, int):
            low, high = _declared(ranges, marker.id) or (-MOST, MOST)
            yield from must(marker, f"be {low} to {high}, not {value}", is_so=low <= value <= high)
            marker.value = min(max(value, low), high)
        else:
            possible = _declared(words, marker.id)
            if possible is not None and value not in possible:
                yield PositionProblem(at(marker), f"cannot be {value!r}")


def _contents(table: Table, contents: Mapping[str, May]) -> Found:
    for zone in table.zones.values():
        may = _declared(contents, zone.id)
        if may is None:
            continue
        for component, count in sorted(zone.counts().items()):
            if component not in may.components:
                yield PositionProblem(at(zone), f"cannot have {component}")
            elif count > may.each:
                yield PositionProblem(at(zone), f"must have at most {may.each} {component}, not {count}")
        if zone.total() > may.total:
            yield PositionProblem(at(zone), f"must have at most {may.total} components, not {zone.total()}")


# --- checks for the titles' own modules --------------------------------------------------------------------------


def visibilities(table: Table, laid: TableLayout, now: Mapping[str, Collection[str]]) -> Found:
    """Compare visibilities with those of the title's layout, or with the possible ones ``now``, by id."""
    for field, given, specs in (("zones", table.zones, laid.zones), ("markers", table.markers, laid.markers)):
        for spec in specs:
            word = given[spec.id].visibility
            if word not in now.get(spec.id, (spec.visibility,)):
                yield PositionProblem(f"{field}[{spec.id}]", f"cannot have the visibility {word!r}")


def _decisions(t: TurnFlow[Any], asking: Asking) -> Iterator[Found]:
    """Check that each open decision belongs to the phase, and that one is open in all phases but ``together``."""
    deciding, phase = t.table.deciding(), t.phase.value
    for number in deciding:
        yield _decision(t, number, asking.asked.get(t.table.decisions[number]))
    single = len(deciding) < 2 or phase in asking.together
    yield must("decisions", f"have a decision of one seat only in the phase {phase}", is_so=single)


def _decision(t: TurnFlow[Any], number: int, asked: Asked | None) -> Found:
    decision, phase, field = t.table.decisions[number], t.phase.value, f"decisions[{number}]"
    if asked is None or phase not in asked.phases:
        yield PositionProblem(field, f"cannot be {decision!r} in the phase {phase}")
        return
    fits = asked.fits(t, t.seats[number - 1])
    if fits is False or (fits and isinstance(fits, str)):
        yield PositionProblem(field, fits or f"cannot be {decision!r} now")
