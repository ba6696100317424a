"""Stored snapshots: the library's own table of them, each sealed so that only what this service made is believed.

A row's topic has the version of this form, and its state is a MAC and what it is over: the game, the version, the link
that the version's row has in the game's chain, its status and its table. A changed byte, a row moved to another
version or game, a row made by somebody else and a snapshot of events that have been changed since are thereby told from
the real ones. Snapshots follow from the events: one that does not fit is ignored and made again.
"""

from __future__ import annotations

import hmac
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.persistence import Mapper, MapperDeserialisationError, StoredEvent
from msgspec import Struct

FORMAT = 1
"""The version of what is stored. Raise it when the encoding changes, or what applying effects does to a table."""

TOPIC = f"game.Snapshot@{FORMAT}"
_MAC = "sha256"
_MAC_BYTES = 32


class GameSnapshot(Struct, frozen=True):
    """A game at one version, as :class:`boardkeeper.game.timeline.Snapshot` has it.

    ``link`` is that version's link in the chain, which stands for all events up to it.
    """

    originator_id: UUID
    originator_version: int
    link: bytes
    status: str
    table: bytes


class _State(Struct, frozen=True, array_like=True):
    game: bytes
    version: int
    link: bytes
    status: str
    table: bytes


_decode = msgspec.msgpack.Decoder(_State).decode


class SnapshotMapper(Mapper[UUID]):
    """Seals snapshots under a key while it writes them, and checks the seal while it reads them."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._encode = msgspec.msgpack.Encoder().encode

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """The row of a snapshot."""
        it: GameSnapshot = domain_event
        sealed = self._encode(_State(it.originator_id.bytes, it.originator_version, it.link, it.status, it.table))
        return StoredEvent(it.originator_id, it.originator_version, TOPIC, self._seal(sealed) + sealed)

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        """The snapshot of a row; raises ``MapperDeserialisationError`` if this service did not make it so."""
        if stored_event.topic != TOPIC:
            raise MapperDeserialisationError("it has another form")
        it = _decode(self._opened(stored_event.state))
        game = stored_event.originator_id
        if (it.game, it.version) != (game.bytes if isinstance(game, UUID) else game, stored_event.originator_version):
            raise MapperDeserialisationError("it is of another game or version")
        return GameSnapshot(UUID(bytes=it.game), it.version, it.link, it.status, it.table)

    def _opened(self, state: object) -> bytes:
        """What a seal is over; whoever changes a row may put anything there."""
        if isinstance(state, bytes) and hmac.compare_digest(state[:_MAC_BYTES], self._seal(state[_MAC_BYTES:])):
            return state[_MAC_BYTES:]
        raise MapperDeserialisationError("it is not sealed by this service")

    def _seal(self, state: bytes) -> bytes:
        return hmac.digest(self._key, b"%b:%b" % (TOPIC.encode(), state), _MAC)
