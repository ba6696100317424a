"""Typed rows of the tables beside the event log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from eventsourcing.persistence import MapperDeserialisationError
from msgspec import Meta, Struct

from boardkeeper.titlekit.title import Setup, Standing

PAGE_SIZE = 200
"""Games per page when all games are processed."""

Int32 = Annotated[int, Meta(ge=-(1 << 31), lt=1 << 31)]
"""A number that fits into a 32-bit field of a message."""

Milliseconds = Annotated[int, Meta(ge=0, lt=1 << 53)]
"""Milliseconds since 1970. No stored time is later, because all releases reject records with later times."""


class DamagedRowError(MapperDeserialisationError):
    """A stored row does not have the form in which the server stores it."""


class SecretLostError(DamagedRowError, KeyError):
    """The dice secret of a game is missing."""


class DamagedLobbyError(DamagedRowError):
    """The database file is damaged in the tables of the lobby."""


NO_TOKEN = b""
"""The hash for a person's seat that has no token, as in imported games. No token has this hash."""


class SeatRow(Struct, frozen=True):
    """A seat: its kind as in ``GameCreated.seats``, the display name, and the SHA-256 of its token.

    ``token_hash`` is ``None`` if no person has taken the seat, and :data:`NO_TOKEN` for a person without a token.
    ``token_expires`` is in milliseconds since 1970; ``None`` means without a limit.
    """

    seat: Int32
    kind: str
    name: str
    taken: bool
    token_hash: bytes | None = None
    token_expires: int | None = None


class LobbyRow(Struct, frozen=True):
    """A row of the lobby. ``decisions`` contains the name of the decision of each seat, or "".

    ``imported_key`` is the id of the key that signed the record of an imported game. ``imported_id`` is the game's id
    in the record, if it differs.
    """

    number: int
    game_id: UUID
    title: str
    setup: Setup
    commitment: str
    create_time: Milliseconds
    update_time: Milliseconds
    version: int
    status: Annotated[str, Meta(pattern="^(open|running|ended)$")]
    decisions: tuple[str, ...]
    standings: tuple[Standing, ...]
    seats: tuple[SeatRow, ...] = ()
    imported_key: str = ""
    imported_id: str = ""


class ImportRow(Struct, frozen=True):
    """The origin of an imported game: the key that signed the record, its seal, and the time of the import.

    ``import_time`` is in milliseconds since 1970, ``record_id`` the game's id in the record, ``head`` the record's
    chain head.
    """

    game_id: UUID
    key_id: str
    seal: bytes
    import_time: int
    record_id: UUID
    head: str


class RequestRow(Struct, frozen=True):
    """The result of an idempotent request: the game, the seats that got tokens, and the salt of the tokens.

    ``request`` is a hash of the request's id, ``content`` a hash of the rest.
    """

    request: bytes
    content: bytes
    salt: bytes
    game_id: UUID
    seats: tuple[int, ...]


class TombstoneRow(Struct, frozen=True):
    """A removed game, and when it was removed (milliseconds since 1970).

    For an imported game, ``head`` is the record's chain head and ``key_id`` the key that signed the record.
    """

    game_id: UUID
    time: int
    head: str | None = None
    key_id: str | None = None


encode = msgspec.json.Encoder().encode
decode_decisions = msgspec.json.Decoder(tuple[str, ...]).decode


def check_seats(row: LobbyRow) -> None:
    """Check that a lobby row has all its seats. Raises :class:`DamagedRowError`."""
    if [seat.seat for seat in row.seats] != list(range(1, len(row.decisions) + 1)):
        raise DamagedRowError(f"lobby row {row.number} does not have its seats")


def has_open_decision(decisions: bytes, seats: Sequence[object]) -> bool:
    """Return whether one of ``seats`` has to decide; ``decisions`` are the encoded decisions of all seats.

    Return true if they cannot be decoded: the caller then loads the game, which reports the damage.
    """
    try:
        open_decisions = decode_decisions(decisions)
        return any(open_decisions[int(str(seat)) - 1] for seat in seats)
    except (ValueError, TypeError, IndexError):
        return True
