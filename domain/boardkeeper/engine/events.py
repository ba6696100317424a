"""The events that the engine returns: complete, or redacted for a viewer."""

from __future__ import annotations

from copy import deepcopy
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from boardkeeper.game.disclosure import disclose
from boardkeeper.game.events import GAME_EVENT_TYPES, GameCreated, GameEvent, Undone
from boardkeeper.game.undo_effects import apply_covers
from boardkeeper.table.effects import Effect
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titlekit.title import Title

_T = TypeVar("_T")


class Event(Struct, frozen=True):
    """One event of a game.

    ``version`` is the game's version after the event; ``seat`` is the seat that acted, or 0. ``detail`` is a struct,
    and ``name`` the name of its class. If the viewer may not see the detail, ``detail`` is ``None``; if the viewer may
    not see any effect either, ``name`` is empty. ``time`` is the time of the game's clock in milliseconds, or 0.
    """

    version: int
    name: str
    seat: int
    detail: Struct | None
    effects: tuple[Effect, ...]
    time: int


def is_event(title: Title, kind: type) -> bool:
    """Return whether a type is the detail of an event of the title or of a game event."""
    return kind in GAME_EVENT_TYPES or kind is title.events.get(kind.__name__)


def full_event(event: GameEvent) -> Event:
    """Return an event as the operator sees it."""
    name = event.topic.partition(".")[2]
    return Event(event.originator_version, name, event.seat, copy_mutable(event.detail), event.effects, event.time)


def redact_event(table: Table, event: GameEvent, viewer: int) -> Event:
    """Return an event as a viewer may see it; ``table`` is the table after the event."""
    if viewer == OPERATOR:
        return full_event(event)
    with apply_covers(table, event.effects if type(event.detail) is Undone else ()):
        seen = disclose(table, type(event.detail), event.effects, viewer)
    name = event.topic.partition(".")[2] if seen.shows_name else ""
    detail: Struct = event.detail
    if isinstance(detail, GameCreated):  # its layout can contain hidden components
        detail = replace(detail, layout=TableLayout(detail.layout.seats, (), ()))
    shown = copy_mutable(detail) if seen.shows_detail else None
    return Event(event.originator_version, name, event.seat, shown, seen.effects, event.time)


def copy_mutable(value: _T) -> _T:
    """Return the value if it is immutable, else a deep copy, so that the caller cannot change the game."""
    return value if _is_immutable(value) else deepcopy(value)


def _is_immutable(value: object) -> bool:
    if isinstance(value, Struct):
        return all(map(_is_immutable, astuple(value)))
    if isinstance(value, tuple):
        return all(map(_is_immutable, value))
    return not isinstance(value, (dict, list, set))
