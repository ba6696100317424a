"""Forged records: real games with changed events, chained and signed correctly with another key."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET
from msgspec.structs import replace

from boardkeeper.game.events import GameCreated, GameEnded, GameEvent
from boardkeeper.game.record import sealer, write_record
from boardkeeper.game.record_reading import read_events
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.titles.registry import load_title

Change = Callable[[GameEvent], GameEvent]


def unknown_key() -> ServiceKey:
    """Return a new key, which no server knows."""
    return ServiceKey(Ed25519PrivateKey.generate())


def forge_record(
    record: bytes, change: Change = lambda event: event, *, key: ServiceKey, game: UUID | None = None
) -> bytes:
    """Return the record of a finished game with changed events, optionally with another game id.

    If the first event names a server key, it names ``key``.
    """
    claim = change_creation(server_key=key.id)
    return sign_record(
        record, lambda event: change(claim(event) if _names_its_key(event) else event), key=key, game=game
    )


def sign_record(
    record: bytes, change: Change = lambda event: event, *, key: ServiceKey, game: UUID | None = None
) -> bytes:
    """Like :func:`forge_record`, but keep the server key in the first event."""
    events = [
        change(event) for event in read_events(record.splitlines(keepends=True), lambda it: load_title(it).events)
    ]
    ended = events[-1].detail
    assert isinstance(ended, GameEnded)
    return b"".join(
        write_record(game or events[0].originator_id, events, bytes.fromhex(ended.secret), sealer(key), imported=True)
    )


def _names_its_key(event: GameEvent) -> bool:
    return isinstance(event.detail, GameCreated) and event.detail.server_key is not UNSET


def change_creation(**fields: object) -> Change:
    """Return a change of fields of the first event."""

    def change(event: GameEvent) -> GameEvent:
        detail = event.detail
        return replace(event, detail=replace(detail, **fields)) if isinstance(detail, GameCreated) else event

    return change


def set_time(time: int) -> Change:
    """Return a change that sets the time of every event."""
    return lambda event: replace(event, time=time)
