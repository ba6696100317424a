"""Events that the rules of another package emitted: read back before they count.

Such rules can set a field or a marker to anything. A stored event with a wrong value would end its game, because it
cannot be read, recorded or sent. So it is rejected with the command that caused it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from boardkeeper.game import record_bounds as bounds
from boardkeeper.table import decoding
from boardkeeper.table.effects import Effect, Event
from boardkeeper.titlekit.title import Title
from boardkeeper.titlekit.title_guard import fault, is_guarded

_SMALLEST, _LARGEST = -(1 << 31), (1 << 31) - 1
"""The numbers that a field of a message can hold."""

_encode = msgspec.json.Encoder().encode


class _Bounded(Struct, gc=False):
    """The seat and effects of an event, within the bounds of a record."""

    seat: bounds.SeatOrTable
    effects: tuple[bounds.Move | bounds.Set | bounds.Ask | bounds.Draw | bounds.Shuffle | bounds.Reveal, ...]


class _Effects(Struct, gc=False):
    effects: tuple[Effect, ...]


def check_events(title: Title, events: Iterable[Event]) -> None:
    """Raise ``TitleFailedError`` for an event of another package's title that cannot be stored, recorded or sent."""
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
        raise fault(title, f"emitted an event that is another one when it is read: {event.detail!r}")
    for number in _numbers(msgspec.to_builtins(event.detail)):
        if not _SMALLEST <= number <= _LARGEST:
            raise fault(title, f"emitted {event.detail!r}: {number} is not between {_SMALLEST} and {_LARGEST}")


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
