"""Events as embedders get them: whole, or with what a viewer may know."""

from __future__ import annotations

from copy import deepcopy
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from boardkeeper.game import undo
from boardkeeper.game.disclosure import disclose
from boardkeeper.game.events import GAME_EVENT_TYPES, GameCreated, GameEvent, Undone
from boardkeeper.table.effects import Effect
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titlekit.title import Title

_T = TypeVar("_T")


class Event(Struct, frozen=True):
    """One event: ``version`` is the game's after it, ``seat`` whose it is (0: the whole table's).

    ``detail`` is a typed struct, whose class is called ``name``, or ``None`` where the viewer may not know it; of an
    event of which he may know nothing at all the name is empty too. ``time`` is what the clock said that was handed in,
    in milliseconds, else 0.
    """

    version: int
    name: str
    seat: int
    detail: Struct | None
    effects: tuple[Effect, ...]
    time: int


def is_event(title: Title, kind: type) -> bool:
    """Whether what such a struct tells can happen in a game of the title."""
    return kind in GAME_EVENT_TYPES or kind is title.events.get(kind.__name__)


def full_event(event: GameEvent) -> Event:
    """An event as it is."""
    name = event.topic.partition(".")[2]
    return Event(event.originator_version, name, event.seat, copy_mutable(event.detail), event.effects, event.time)


def redact_event(table: Table, event: GameEvent, viewer: int) -> Event:
    """An event as a viewer may know it; ``table`` is that after it."""
    if viewer == OPERATOR:
        return full_event(event)
    with undo.apply_covers(table, event.effects if type(event.detail) is Undone else ()):
        seen = disclose(table, type(event.detail), event.effects, viewer)
    version, name = event.originator_version, event.topic.partition(".")[2]
    detail: Struct = event.detail
    if isinstance(detail, GameCreated):  # its table may begin with hidden things on it
        detail = replace(detail, layout=TableLayout(detail.layout.seats, (), ()))
    shown_detail = copy_mutable(detail) if seen.shows_detail else None
    return Event(version, name if seen.shows_name else "", event.seat, shown_detail, seen.effects, event.time)


def copy_mutable(value: _T) -> _T:
    """The same value for somebody who may change what can be changed in it: games do not notice."""
    return value if _is_frozen(value) else deepcopy(value)


def _is_frozen(value: object) -> bool:
    if isinstance(value, Struct):
        return all(map(_is_frozen, astuple(value)))
    if isinstance(value, tuple):
        return all(map(_is_frozen, value))
    return not isinstance(value, (dict, list, set))
