"""Encoding of game events as stored rows.

A row's topic names the struct of the event's detail: ``game.SeatJoined``, ``chess.PieceMoved``. If a struct changes so
that old rows do not fit it, new rows get a version, ``chess.PieceMoved@2``, and an upcaster converts old states when
they are read; rows are never rewritten (docs/events.md). The state is a JSON array, ``[seat, command_id, time, detail,
effects]``. The first event of a batch of commands has a sixth element, ``[seat, [[name, command], …]]``: the commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, cast
from uuid import UUID

import msgspec
from eventsourcing.persistence import Mapper, MapperDeserialisationError, StoredEvent
from msgspec import Struct

from boardkeeper.game.events import GAME_DETAILS, GameEvent, Given
from boardkeeper.game.game import GAME
from boardkeeper.service.storage.event_log import EventRow
from boardkeeper.service.storage.writer import NewEventRow
from boardkeeper.table import decoding
from boardkeeper.table.effects import Effect

Upcaster = Callable[[list[Any]], list[Any]]
"""Converts a decoded state (``[seat, command_id, time, detail, effects]`` as plain values) to the next version."""

VERSIONS: Mapping[str, int] = {}
"""The current version of each topic that has changed: ``{"chess.PieceMoved": 2}``."""

UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}
"""The conversion of a topic from a version to the next: ``{("chess.PieceMoved", 1): with_its_colour}``."""

EventTypes = Callable[[str], Mapping[str, type[Struct]]]
"""Returns the event structs of a title by name. Raises ``KeyError`` for an unknown title."""


class _State(Protocol):
    seat: int
    command_id: str
    time: int
    detail: Struct
    effects: tuple[Effect, ...]
    given: Given | None


class _Head(Struct, array_like=True, gc=False):
    seat: int
    command_id: str


_head_decoder = msgspec.json.Decoder(_Head)


class GameEventMapper(Mapper[UUID]):
    """Encodes and decodes events of all titles; the decoder of a topic is created on first use.

    ``versions`` and ``upcasters`` replace :data:`VERSIONS` and :data:`UPCASTERS`.
    """

    def __init__(
        self,
        details: EventTypes,
        versions: Mapping[str, int] | None = None,
        upcasters: Mapping[tuple[str, int], Upcaster] | None = None,
    ) -> None:
        self._details = details
        self._versions = VERSIONS if versions is None else versions
        self._upcasters = UPCASTERS if upcasters is None else upcasters
        self._encode = msgspec.json.Encoder().encode
        self._known: dict[str, tuple[str, Callable[[bytes], _State]]] = {}

    # --- writing --------------------------------------------------------------------------------------------

    def stored_topic(self, topic: str) -> str:
        """Return a topic with its current version."""
        return f"{topic}@{self._versions[topic]}" if topic in self._versions else topic

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """Return the row of a game event as an object of the library."""
        row = self.to_row(domain_event)
        return StoredEvent(row.originator_id, row.originator_version, row.topic, row.state)

    def to_row(self, event: GameEvent) -> NewEventRow:
        """Return the row of a game event."""
        topic = self.stored_topic(event.topic)
        state: tuple[object, ...] = (event.seat, event.command_id, event.time, event.detail, event.effects)
        if event.given is not None:
            state += (event.given,)
        return NewEventRow(event.originator_id, event.originator_version, topic, self._encode(state))

    # --- reading --------------------------------------------------------------------------------------------

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        """Return the game event of a row. Raises ``MapperDeserialisationError``."""
        id = stored_event.originator_id
        game = id if isinstance(id, UUID) else UUID(id)
        row = (stored_event.originator_version, stored_event.topic, stored_event.state)
        return self.to_events(game, (row,))[0]

    def to_events(self, game: UUID, rows: Iterable[EventRow]) -> list[GameEvent]:
        """Return the events of a game from its rows. Raises ``MapperDeserialisationError``."""
        known = self._known
        events: list[GameEvent] = []
        version = 0
        stored_topic = ""
        try:
            for version, stored_topic, state in rows:
                found = known.get(stored_topic)
                topic, decode = found if found is not None else self._learn(stored_topic)
                it = decode(state)
                events.append(
                    GameEvent(game, version, topic, it.seat, it.command_id, it.time, it.detail, it.effects, it.given)
                )
        except (KeyError, ValueError) as error:
            raise MapperDeserialisationError(f"event {version} of game {game} ({stored_topic}): {error}") from error
        return events

    def command_id(self, row: EventRow) -> str:
        """Return the id of the command that caused an event."""
        return _head_decoder.decode(row[2]).command_id

    def learn(self, owner: str) -> None:
        """Create the decoders of a title's current events, and of the events of all games, in advance."""
        topics = [f"{owner}.{name}" for name in self._details(owner)] + [f"{GAME}.{name}" for name in GAME_DETAILS]
        for topic in map(self.stored_topic, topics):
            if topic not in self._known:
                self._learn(topic)

    def _learn(self, stored_topic: str) -> tuple[str, Callable[[bytes], _State]]:
        """Create the decoder of a topic, with the upcasters that its version needs."""
        topic, _, version = stored_topic.partition("@")
        owner, _, name = topic.partition(".")
        details = GAME_DETAILS if owner == GAME else self._details(owner)
        state_type = _state_type(details[name])
        steps = [self._upcasters[topic, step] for step in range(int(version or 1), self._versions.get(topic, 1))]
        if steps:
            decode = _upcasting_decoder(state_type, steps)
        else:
            decode = cast("Callable[[bytes], _State]", decoding.decoder(state_type).decode)
        self._known[stored_topic] = topic, decode
        return topic, decode


def _state_type(detail: type[Struct]) -> type[Struct]:
    """Return a struct for stored states with one type of detail, so that a state is decoded in one pass."""
    return decoding.state_type(
        f"{detail.__name__}State",
        [
            ("seat", int),
            ("command_id", str),
            ("time", int),
            ("detail", detail),
            ("effects", tuple[Effect, ...]),
            ("given", Given | None, None),
        ],
    )


def _upcasting_decoder(state_type: type[Struct], steps: Sequence[Upcaster]) -> Callable[[bytes], _State]:
    def decode(state: bytes) -> _State:
        values: list[Any] = msgspec.json.decode(state)
        for step in steps:
            values = step(values)
        return cast(_State, decoding.convert(values, state_type))

    return decode
