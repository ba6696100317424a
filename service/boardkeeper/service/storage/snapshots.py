"""Encoding of stored snapshots, which are authenticated with a MAC.

The state is a MAC followed by the content: the game, the version, the version's link in the hash chain, the status and
the table. So the server detects changed bytes, rows of another game or version, rows that another program wrote, and
snapshots of events that were changed since. Snapshots are derived from the events: an invalid one is ignored and
created again.
"""

from __future__ import annotations

import hmac
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.persistence import Mapper, MapperDeserialisationError, StoredEvent
from msgspec import Struct

FORMAT = 1
"""The version of the stored format. Increase it if the encoding or the effect of events on a table changes."""

TOPIC = f"game.Snapshot@{FORMAT}"
_MAC = "sha256"
_MAC_BYTES = 32


class GameSnapshot(Struct, frozen=True):
    """A game at one version, as in :class:`boardkeeper.game.timeline.Snapshot`.

    ``link`` is that version's link in the hash chain, which depends on all events up to it.
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
    """Authenticates snapshots with a key when it encodes them, and verifies them when it decodes them."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._encode = msgspec.msgpack.Encoder().encode

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """Return the row of a snapshot."""
        it: GameSnapshot = domain_event
        sealed = self._encode(_State(it.originator_id.bytes, it.originator_version, it.link, it.status, it.table))
        return StoredEvent(it.originator_id, it.originator_version, TOPIC, self._seal(sealed) + sealed)

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        """Return the snapshot of a row. Raises ``MapperDeserialisationError`` if it is not authentic."""
        if stored_event.topic != TOPIC:
            raise MapperDeserialisationError("it has another form")
        it = _decode(self._verify(stored_event.state))
        game = stored_event.originator_id
        if (it.game, it.version) != (game.bytes if isinstance(game, UUID) else game, stored_event.originator_version):
            raise MapperDeserialisationError("it is of another game or version")
        return GameSnapshot(UUID(bytes=it.game), it.version, it.link, it.status, it.table)

    def _verify(self, state: object) -> bytes:
        """Return the content of a state after verifying its MAC."""
        if isinstance(state, bytes) and hmac.compare_digest(state[:_MAC_BYTES], self._seal(state[_MAC_BYTES:])):
            return state[_MAC_BYTES:]
        raise MapperDeserialisationError("it is not sealed by this service")

    def _seal(self, state: bytes) -> bytes:
        return hmac.digest(self._key, b"%b:%b" % (TOPIC.encode(), state), _MAC)
