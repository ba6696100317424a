"""Checks of the events that the rules of third-party titles emit.

Such rules can set a field or a marker to any value. An event that cannot be decoded, recorded or sent would make the
game unusable, so it is checked before it is stored, and its command fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct, defstruct

from boardkeeper.game import record_bounds as bounds
from boardkeeper.table import decoding
from boardkeeper.table.effects import Effect, Event
from boardkeeper.titlekit.title import Title
from boardkeeper.titlekit.title_guard import fault, is_guarded

_MIN_NUMBER, _MAX_NUMBER = -(1 << 31), (1 << 31) - 1
"""The numbers that a field of a message can hold."""

_encode = msgspec.json.Encoder().encode


_Bounded = defstruct("_Bounded", [("seat", bounds.SeatOrTable), ("effects", bounds.EffectTuple)], gc=False)
"""The seat and effects of an event, within the bounds of a record."""


class _Effects(Struct, gc=False):
    effects: tuple[Effect, ...]


def check_events(title: Title, events: Iterable[Event]) -> None:
    """Raise ``TitleFailedError`` if an event of a third-party title cannot be stored, recorded or sent."""
    if is_guarded(title):
        for event in events:
            _check(title, event)


def _check(title: Title, event: Event) -> None:
    name = type(event.detail).__name__
    kind = title.events.get(name)
    if kind is None:
        raise fault(title, f"emitted {event.detail!r}, which is not one of its events")
    try:
        rest = _encode({"seat": event.seat, "effects": event.effects})
        decoding.decode(rest, _Bounded)
        detail = decoding.decode(_encode(event.detail), kind)
        effects = decoding.decode(rest, _Effects).effects
    except (TypeError, ValueError, OverflowError) as error:
        raise fault(title, f"emitted an event that cannot be stored, {event.detail!r}: {error}") from error
    if detail != event.detail or effects != event.effects:
        raise fault(title, f"emitted an event that changes when it is stored: {event.detail!r}")
    for number in _numbers(msgspec.to_builtins(event.detail)):
        if not _MIN_NUMBER <= number <= _MAX_NUMBER:
            raise fault(title, f"emitted {event.detail!r}: {number} is not between {_MIN_NUMBER} and {_MAX_NUMBER}")


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _numbers(key)
            yield from _numbers(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _numbers(item)
