"""What somebody may want to do who points at things on the table: commands that are shaped right, allowed or not.

They are put together from ids alone: those of the zones and markers, the parts of which name what commands name
(``seat.1.village.farmer``), those of the components that the seat sees there, and those that a title's commands may
name. Nothing that the seat does not see goes into them.
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

MOST = 200
"""So many commands are guessed at most."""

_OF_EACH = 12
"""So many of one kind for one way in which it can be about the subjects."""
_OF_A_FIELD = 5
_MOST_CONTENTS = 16
_MOST_WAYS = 64

Known = Mapping[str, Collection[str]]
"""What each field of a title's commands may name, where that is a closed list."""

Values = dict[str, Any]
"""Some of a command's fields."""


class CommandCandidate(Struct, frozen=True):
    """A command, which of the subjects it is about, and how much of what these are called it says."""

    command: Struct
    subjects: tuple[str, ...]
    said: int


class _Named(Struct, frozen=True):
    """What a subject may be called in a command: parts of its id, and what the seat sees in it."""

    id: str
    parts: tuple[str, ...]
    contents: tuple[str, ...]
    numbers: tuple[int, ...]


class _Way(Struct, frozen=True):
    """How a command can be about subjects: the fields that name them."""

    values: Values
    subjects: tuple[str, ...]
    said: int


def known_ids(play: Play) -> Known:
    """What the fields of commands may name on a table, of a title whose play tells it (``Play.known``)."""
    known: Known = getattr(play, "known", {})
    return known


@cache
def _fields(kind: type[Struct]) -> tuple[FieldInfo, ...]:
    return structs.fields(kind)


def is_about(command: Struct, effects: Iterable[Effect], subject: str) -> bool:
    """Whether a command names a subject, or would change it."""
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
    """Commands about any of the subjects, those about most of them first, at most :data:`MOST`; no two are equal.

    ``legal`` are those that the seat can give now: what they say beside the subjects is tried first.
    """
    named = [_named(play.table, seat, subject) for subject in subjects]
    guesser = _Guesser(play.table, seat, known_ids(play), legal, named)
    ways = [(kind, way) for kind in kinds for way in guesser.ways(kind)]
    ways.sort(key=lambda it: (-len(it[1].subjects), -it[1].said))
    found: dict[Struct, CommandCandidate] = {}
    for kind, way in ways:
        for command in islice(guesser.completed(kind, way), _OF_EACH):
            found.setdefault(command, CommandCandidate(command, way.subjects, way.said))
            if len(found) == MOST:
                return list(found.values())
    return list(found.values())


def _named(table: Table, seat: int, subject: str) -> _Named:
    zone, marker = table.zones.get(subject), table.markers.get(subject)
    if zone is None and marker is None:
        return _Named(subject, (subject,), (), ())
    if subject.startswith("seat.") and not subject.startswith(f"seat.{seat}."):
        return _Named(subject, (), (), ())  # another's: what commands name so is one's own
    numbers = tuple(int(part) for part in subject.split(".")[2:] if part.isdecimal())
    contents: tuple[str, ...] = ()
    if zone is not None and sees(table, zone, seat):
        contents = tuple(zone.order[-1:] if isinstance(zone, Stack) else sorted(zone.items)[:_MOST_CONTENTS])
    if marker is not None and isinstance(marker.value, str) and marker.value and sees(table, marker, seat):
        contents = (marker.value,)
    return _Named(subject, _parts(subject), contents, numbers)


def _parts(id: str) -> tuple[str, ...]:
    """What an id of a zone or marker names: without whose it is, or what kind of thing."""
    first, *others = id.split(".")
    return tuple(part for part in others if not part.isdecimal()) if others else (first,)


class _Guesser:
    """Puts commands together for one seat at one table."""

    def __init__(
        self, table: Table, seat: int, known: Known, legal: Sequence[Struct], subjects: Sequence[_Named]
    ) -> None:
        self._known = known
        self._legal = legal
        self._subjects = subjects
        self._numbers = [number for subject in subjects for number in subject.numbers]
        own = f"seat.{seat}."
        self._held: dict[str, None] = {}
        """The components that the seat has and sees."""
        self._behind: dict[str, dict[str, None]] = {}
        """Of each part of a zone's id those that stand behind it in one, as the spaces of a place do."""
        self._before: dict[str, dict[str, None]] = {}
        for id, zone in table.zones.items():
            if id.startswith("seat.") and not id.startswith(own):
                continue
            parts = _parts(id)
            for one, next in pairwise(parts):
                self._behind.setdefault(one, {})[next] = None
                self._before.setdefault(next, {})[one] = None
            if id.startswith(own) and sees(table, zone, seat):
                self._held |= dict.fromkeys(sorted(zone.counts()))  # not as they came there

    # --- what is about the subjects ------------------------------------------------------------------------

    def ways(self, kind: type[Struct]) -> list[_Way]:
        """How a command of that kind can be about one of the subjects or several."""
        texts = [field for field in _fields(kind) if field.type is str]
        ways = [_Way({}, (), 0)]
        for subject in self._subjects:
            bound = [*self._by_name(texts, subject), *self._by_contents(texts, subject)]
            ways += [it for way in ways for one in bound if (it := _together(way, one)) is not None]
            del ways[_MOST_WAYS:]
        return [way for way in ways if way.values]

    def _by_name(self, texts: Sequence[FieldInfo], subject: _Named) -> list[_Way]:
        """The fields that take parts of a subject's id, as many as there are fields for.

        A field of no closed list takes the last part only, behind one that another field names: a space of a place.
        """
        found: list[tuple[Values, int]] = [({}, 0)]
        for at, part in enumerate(subject.parts):
            before = subject.parts[at - 1] if at else None
            for values, said in list(found):
                for field in texts:
                    known, name = self._known.get(field.name), field.name
                    if name in values:
                        continue
                    if known is not None:
                        if part in known:
                            found.append((values | {name: part}, said + 1))
                    elif not self._known or (field.default is NODEFAULT and before in values.values()):
                        found.append((values | {name: part}, said + 2))
        most = max(len(values) for values, _ in found)
        return [_Way(values, (subject.id,), said) for values, said in found if values and len(values) == most]

    def _by_contents(self, texts: Sequence[FieldInfo], subject: _Named) -> list[_Way]:
        """The fields that can name what lies in a zone, or stands on a marker."""
        return [
            _Way({field.name: content}, (subject.id,), 1)
            for content in subject.contents
            for field in texts
            if content in self._known.get(field.name, ())
        ]

    # --- what else they say --------------------------------------------------------------------------------

    def completed(self, kind: type[Struct], way: _Way) -> Iterator[Struct]:
        """Commands of that kind that say what is about the subjects, and of all else what is likely first."""
        for command in self._legal:
            if type(command) is kind and all(getattr(command, name) == value for name, value in way.values.items()):
                yield command
        free = [field for field in _fields(kind) if field.name not in way.values]
        for values in product(*(self._values(kind, field, way) for field in free)):
            yield kind(**way.values, **{field.name: value for field, value in zip(free, values, strict=True)})

    def _values(self, kind: type[Struct], field: FieldInfo, way: _Way) -> list[Any]:
        """Some values that a field can have, the likely ones first."""
        if field.type is bool:
            return [False] if field.default is NODEFAULT else [field.default]
        found: dict[Any, None] = {}
        if field.default is not NODEFAULT:
            found[field.default] = None
        if field.type is int:
            found |= dict.fromkeys(self._numbers)
        else:
            found |= dict.fromkeys(self._likely(field, way))
        if not found or field.name in self._known:
            legal = (getattr(command, field.name) for command in self._legal if type(command) is kind)
            found |= dict.fromkeys(islice(legal, _OF_A_FIELD))
        if not found:
            found = {1: None} if field.type is int else dict.fromkeys(sorted(self._known.get(field.name, ("",))))
        return list(found)[:_OF_A_FIELD]

    def _likely(self, field: FieldInfo, way: _Way) -> list[str]:
        """What stands beside what is named already, and what the seat has, of all that a field can name."""
        known = self._known.get(field.name)
        if known is None and field.default is not NODEFAULT:
            return []
        named = way.values.values()
        behind = [part for value in named for part in self._behind.get(value, ()) if part not in named]
        if known is None:
            return behind
        before = [part for value in named for part in self._before.get(value, ()) if part not in named]
        return [value for value in (*behind, *before, *self._held) if value in known]


def _together(way: _Way, other: _Way) -> _Way | None:
    """Both ways at once, unless they want a field to say two things."""
    if any(way.values.get(name, value) != value for name, value in other.values.items()):
        return None
    return _Way(way.values | other.values, (*way.subjects, *other.subjects), way.said + other.said)
