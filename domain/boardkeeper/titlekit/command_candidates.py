"""Commands that a player may have in mind when clicking on zones and markers, legal or not.

Clients show them to explain why a command is not possible. They are built from ids alone: the parts of the ids of the
clicked subjects (``seat.1.village.farmer``), the components that the seat sees there, and the ids that the fields of
commands may name. Nothing that the seat does not see influences them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, pairwise, product
from typing import Any

from msgspec import NODEFAULT, Struct, structs
from msgspec.structs import FieldInfo

from boardkeeper.table.effects import Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.table.zones import Stack
from boardkeeper.titlekit.title import Play

MAX_CANDIDATES = 200
"""The maximum number of candidates that one call returns."""

_MAX_PER_ASSIGNMENT = 12
"""The maximum number of candidates for one assignment."""
_MAX_VALUES = 5
_MAX_CONTENTS = 16
_MAX_ASSIGNMENTS = 64

Known = Mapping[str, Collection[str]]
"""The ids that fields of commands may name, for fields with a closed list of ids."""

Values = dict[str, Any]
"""Values of some fields of a command."""


class CommandCandidate(Struct, frozen=True):
    """A possible command, the subjects that it is about, and a score: how well it matches their ids."""

    command: Struct
    subjects: tuple[str, ...]
    score: int


class _Named(Struct, frozen=True):
    """The names of a subject in commands: parts and numbers of its id, and components that the seat sees there."""

    id: str
    parts: tuple[str, ...]
    contents: tuple[str, ...]
    numbers: tuple[int, ...]


class _Assignment(Struct, frozen=True):
    """Values of the fields that name subjects, with those subjects and a score."""

    values: Values
    subjects: tuple[str, ...]
    score: int


def known_ids(play: Play) -> Known:
    """Return the ids that fields of commands may name (``Play.known``); empty if the title does not list them."""
    known: Known = getattr(play, "known", {})
    return known


@cache
def _fields(kind: type[Struct]) -> tuple[FieldInfo, ...]:
    return structs.fields(kind)


def is_about(command: Struct, effects: Iterable[Effect], subject: str) -> bool:
    """Return whether a command names a subject or changes it; ``effects`` are those of the command."""
    if any(getattr(command, field.name) == subject for field in _fields(type(command))):
        return True
    for effect in effects:
        match effect:
            case Move():
                named: tuple[str, ...] = (effect.source, effect.target, effect.component)
            case Set():
                named = (effect.marker,)
            case Reveal():
                named = (effect.subject,)
            case Draw() | Shuffle():
                named = (effect.zone,)
            case _:
                named = ()
        if subject in named:
            return True
    return False


def command_candidates(
    kinds: Iterable[type[Struct]], play: Play, seat: int, subjects: Sequence[str], legal: Sequence[Struct]
) -> list[CommandCandidate]:
    """Return at most :data:`MAX_CANDIDATES` different commands about the subjects, those about most subjects first.

    ``legal`` are the legal commands of the seat: the values of their other fields are tried first.
    """
    named = [_named(play.table, seat, subject) for subject in subjects]
    builder = _CandidateBuilder(play.table, seat, known_ids(play), legal, named)
    assignments = [(kind, assignment) for kind in kinds for assignment in builder.assignments(kind)]
    assignments.sort(key=lambda it: (-len(it[1].subjects), -it[1].score))
    found: dict[Struct, CommandCandidate] = {}
    for kind, assignment in assignments:
        for command in islice(builder.completed(kind, assignment), _MAX_PER_ASSIGNMENT):
            found.setdefault(command, CommandCandidate(command, assignment.subjects, assignment.score))
            if len(found) == MAX_CANDIDATES:
                return list(found.values())
    return list(found.values())


def _named(table: Table, seat: int, subject: str) -> _Named:
    zone, marker = table.zones.get(subject), table.markers.get(subject)
    if zone is None and marker is None:
        return _Named(subject, (subject,), (), ())
    if subject.startswith("seat.") and not subject.startswith(f"seat.{seat}."):
        return _Named(subject, (), (), ())  # commands name the zones of their own seat only
    numbers = tuple(int(part) for part in subject.split(".")[2:] if part.isdecimal())
    contents: tuple[str, ...] = ()
    if zone is not None and sees(table, zone, seat):
        contents = tuple(zone.order[-1:] if isinstance(zone, Stack) else sorted(zone.items)[:_MAX_CONTENTS])
    if marker is not None and isinstance(marker.value, str) and marker.value and sees(table, marker, seat):
        contents = (marker.value,)
    return _Named(subject, _parts(subject), contents, numbers)


def _parts(id: str) -> tuple[str, ...]:
    """Return the parts of an id without its first part and numbers."""
    first, *others = id.split(".")
    return tuple(part for part in others if not part.isdecimal()) if others else (first,)


class _CandidateBuilder:
    """Builds the candidates of a seat."""

    def __init__(
        self, table: Table, seat: int, known: Known, legal: Sequence[Struct], subjects: Sequence[_Named]
    ) -> None:
        self._known = known
        self._legal = legal
        self._subjects = subjects
        self._numbers = [number for subject in subjects for number in subject.numbers]
        own = f"seat.{seat}."
        self._held: dict[str, None] = {}
        """The components in the zones of the seat, sorted within each zone."""
        self._next_parts: dict[str, dict[str, None]] = {}
        """For each part of an id, the parts that follow it in the ids of zones, for example the spaces of a place."""
        self._previous_parts: dict[str, dict[str, None]] = {}
        for id, zone in table.zones.items():
            if id.startswith("seat.") and not id.startswith(own):
                continue
            parts = _parts(id)
            for one, next in pairwise(parts):
                self._next_parts.setdefault(one, {})[next] = None
                self._previous_parts.setdefault(next, {})[one] = None
            if id.startswith(own) and sees(table, zone, seat):
                self._held |= dict.fromkeys(sorted(zone.counts()))  # sorted: their order may be hidden

    # --- the fields that name subjects ------------------------------------------------------------------------

    def assignments(self, kind: type[Struct]) -> list[_Assignment]:
        """Return all assignments for a type of command."""
        texts = [field for field in _fields(kind) if field.type is str]
        assignments = [_Assignment({}, (), 0)]
        for subject in self._subjects:
            bound = [*self._by_name(texts, subject), *self._by_contents(texts, subject)]
            assignments += [
                it for assignment in assignments for one in bound if (it := _combined(assignment, one)) is not None
            ]
            del assignments[_MAX_ASSIGNMENTS:]
        return [assignment for assignment in assignments if assignment.values]

    def _by_name(self, texts: Sequence[FieldInfo], subject: _Named) -> list[_Assignment]:
        """Return assignments of parts of a subject's id to fields, with as many fields as possible.

        A field without a list of ids takes only a part that follows another assigned part: the space of a place.
        """
        found: list[tuple[Values, int]] = [({}, 0)]
        for at, part in enumerate(subject.parts):
            before = subject.parts[at - 1] if at else None
            for values, score in list(found):
                for field in texts:
                    known, name = self._known.get(field.name), field.name
                    if name in values:
                        continue
                    if known is not None:
                        if part in known:
                            found.append((values | {name: part}, score + 1))
                    elif not self._known or (field.default is NODEFAULT and before in values.values()):
                        found.append((values | {name: part}, score + 2))
        most = max(len(values) for values, _ in found)
        return [_Assignment(values, (subject.id,), score) for values, score in found if values and len(values) == most]

    def _by_contents(self, texts: Sequence[FieldInfo], subject: _Named) -> list[_Assignment]:
        """Return assignments of a component in a zone, or the value of a marker, to a field that may name it."""
        return [
            _Assignment({field.name: content}, (subject.id,), 1)
            for content in subject.contents
            for field in texts
            if content in self._known.get(field.name, ())
        ]

    # --- the other fields --------------------------------------------------------------------------------

    def completed(self, kind: type[Struct], assignment: _Assignment) -> Iterator[Struct]:
        """Yield commands with the values of an assignment, those with likely values of the other fields first."""
        for command in self._legal:
            if type(command) is kind and all(
                getattr(command, name) == value for name, value in assignment.values.items()
            ):
                yield command
        free = [field for field in _fields(kind) if field.name not in assignment.values]
        for values in product(*(self._values(kind, field, assignment) for field in free)):
            yield kind(**assignment.values, **{field.name: value for field, value in zip(free, values, strict=True)})

    def _values(self, kind: type[Struct], field: FieldInfo, assignment: _Assignment) -> list[Any]:
        """Return possible values of a field, likely ones first."""
        if field.type is bool:
            return [False] if field.default is NODEFAULT else [field.default]
        found: dict[Any, None] = {}
        if field.default is not NODEFAULT:
            found[field.default] = None
        if field.type is int:
            found |= dict.fromkeys(self._numbers)
        else:
            found |= dict.fromkeys(self._likely(field, assignment))
        if not found or field.name in self._known:
            legal = (getattr(command, field.name) for command in self._legal if type(command) is kind)
            found |= dict.fromkeys(islice(legal, _MAX_VALUES))
        if not found:
            found = {1: None} if field.type is int else dict.fromkeys(sorted(self._known.get(field.name, ("",))))
        return list(found)[:_MAX_VALUES]

    def _likely(self, field: FieldInfo, assignment: _Assignment) -> list[str]:
        """Return possible values: parts of ids next to the assigned values, and components of the seat."""
        known = self._known.get(field.name)
        if known is None and field.default is not NODEFAULT:
            return []
        named = assignment.values.values()
        behind = [part for value in named for part in self._next_parts.get(value, ()) if part not in named]
        if known is None:
            return behind
        before = [part for value in named for part in self._previous_parts.get(value, ()) if part not in named]
        return [value for value in (*behind, *before, *self._held) if value in known]


def _combined(assignment: _Assignment, other: _Assignment) -> _Assignment | None:
    """Return an assignment with the values of both, or ``None`` if they differ in a field."""
    if any(assignment.values.get(name, value) != value for name, value in other.values.items()):
        return None
    return _Assignment(
        assignment.values | other.values, (*assignment.subjects, *other.subjects), assignment.score + other.score
    )
