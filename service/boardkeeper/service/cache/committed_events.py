"""Stored events for viewers: each with the visibilities at the time of the event and with cached encodings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from boardkeeper.game.events import GameEvent
from boardkeeper.service.cache.visibility_history import VisibilityHistory, VisibilitySnapshot


class EncodedEffects(NamedTuple):
    """The effects of an event that a viewer may know, encoded (:mod:`boardkeeper.service.api.event_messages`).

    ``shows_name`` and ``shows_detail`` are those of :class:`boardkeeper.game.disclosure.Disclosure`. ``is_all`` means
    that the viewer may see the detail and all effects unredacted.
    """

    encoded: bytes
    shows_name: bool
    shows_detail: bool
    is_all: bool


class CommittedCommand:
    """All events of a command with several events, each with its visibility snapshot.

    A viewer may know the command's id only if it may know all of its events; ``can_know_all`` caches this by viewer.
    It has no reference to its :class:`CommittedEvent` objects: a reference cycle would need the garbage collector.
    """

    __slots__ = ("can_know_all", "events")

    def __init__(self, events: Sequence[tuple[GameEvent, VisibilitySnapshot]]) -> None:
        self.events = events
        self.can_know_all: dict[int, bool] = {}


class CommittedEvent:
    """A stored event with its visibility snapshot and its encodings, by viewer and language.

    ``shown`` caches the effects that every viewer may know, ``is_open`` whether every viewer may know the whole event.
    ``command`` is ``None`` if the command has one event.
    """

    __slots__ = ("command", "encoded", "event", "is_open", "shown", "visibility")

    def __init__(self, event: GameEvent, visibility: VisibilitySnapshot) -> None:
        self.event = event
        self.visibility = visibility
        self.encoded: dict[tuple[int, str], bytes] = {}
        self.shown: EncodedEffects | None = None
        self.is_open: bool | None = None
        self.command: CommittedCommand | None = None


def to_committed(history: VisibilityHistory, events: Sequence[GameEvent]) -> list[CommittedEvent]:
    """Wrap consecutive stored events; ``events`` must contain all events of each of their commands."""
    if len(events) == 1:
        return [CommittedEvent(history.shorten(events[0]), history.snapshots(events)[0])]
    committed = list(map(CommittedEvent, map(history.shorten, events), history.snapshots(events)))
    for _, group in groupby(committed, key=lambda it: it.event.command_id):
        of_command = list(group)
        if len(of_command) == 1 or not of_command[0].event.command_id:
            continue
        command = CommittedCommand([(it.event, it.visibility) for it in of_command])
        for it in of_command:
            it.command = command
    return committed


# --- command ids: clients of different seats may choose the same id ------------------------------------------


def make_command_key(seat: int, command_id: str) -> str:
    """Return the key under which a seat's command is stored; ``command_id`` is the id that the client chose."""
    return f"{seat}:{command_id}"


def client_command_id(key: str) -> str:
    """Return the id that the client chose for a command."""
    return key.partition(":")[2]


def seat_of(key: str) -> int:
    """Return the seat that sent a command, or -2 if no seat did."""
    seat = key.partition(":")[0]
    return int(seat) if seat.isascii() and seat.isdecimal() else -2
