"""What stands beside the event log: rows that every kind of database keeps, as the rest of the service knows them.

Names of people, token hashes and dice secrets are kept here because the log is for ever and these must be erasable.
The lobby is a projection: everything in its lines but their number follows from the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from eventsourcing.persistence import MapperDeserialisationError
from msgspec import Meta, Struct

from boardkeeper.titlekit.title import Setup, Standing

PAGE_SIZE = 200
"""How many games are read at once by whoever goes through them all."""

Int32 = Annotated[int, Meta(ge=-(1 << 31), lt=1 << 31)]
"""A number that goes into messages as one of 32 bits, such as that of a seat."""

Milliseconds = Annotated[int, Meta(ge=0, lt=1 << 53)]
"""A time since 1970. No record that 0.1.0 imported has a later one."""


class DamagedRowError(MapperDeserialisationError):
    """A line of the lobby, or what belongs to it, is not what a service has written."""


class SecretLostError(DamagedRowError, KeyError):
    """A game has no dice secret any more."""


class DamagedLobbyError(DamagedRowError):
    """The file is damaged where the lobby is."""


NO_TOKEN = b""
"""Stands for the hash of a person's seat that has no token, as in imported games: no token has this hash."""


class SeatRow(Struct, frozen=True):
    """One seat: its kind as in ``GameCreated.seats``, the name to show, and the SHA-256 of its token.

    A seat that no person ever had has no hash (``None``); a person's seat without a token has :data:`NO_TOKEN`.
    ``token_expires`` is until when the token is valid (milliseconds since 1970); ``None``: without a limit.
    """

    seat: Int32
    kind: str
    name: str
    taken: bool
    token_hash: bytes | None = None
    token_expires: int | None = None


class LobbyRow(Struct, frozen=True):
    """One line of the lobby. ``decisions`` has one name, or "", for each seat.

    ``imported_key`` is the id of the foreign key that signed the game's record; empty for a game played here.
    ``imported_id`` is the id that the game has in its record, if that is another one.
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
    """Where a game came from: the key that signed its record, the record's seal, and when it came (milliseconds).

    ``record_id`` is the id that the game has in the record, and ``head`` that of the record's chain.
    """

    game_id: UUID
    key_id: str
    seal: bytes
    import_time: int
    record_id: UUID
    head: str


class RequestRow(Struct, frozen=True):
    """What an idempotent request did: which game, which seats it gave tokens for, and the tokens' salt.

    ``request`` is a hash of the request's id and ``content`` one of the rest of it.
    """

    request: bytes
    content: bytes
    salt: bytes
    game_id: UUID
    seats: tuple[int, ...]


class TombstoneRow(Struct, frozen=True):
    """What tells of a removed game: when it was (milliseconds since 1970), and of an imported one whose record it was.

    ``head`` is that of the record's chain, ``key_id`` the key that signed it.
    """

    game_id: UUID
    time: int
    head: str | None = None
    key_id: str | None = None


encode = msgspec.json.Encoder().encode
decode_decisions = msgspec.json.Decoder(tuple[str, ...]).decode


def check_seats(line: LobbyRow) -> None:
    """Check that a line has its seats. Raises :class:`DamagedRowError`."""
    if [seat.seat for seat in line.seats] != list(range(1, len(line.decisions) + 1)):
        raise DamagedRowError(f"line {line.number} does not have its seats")


def has_open_decision(decisions: bytes, seats: Sequence[object]) -> bool:
    """Return whether one of the seats has to decide, by a line's stored decisions; true if they cannot be read.

    Loading the game then reports the damage.
    """
    try:
        open_decisions = decode_decisions(decisions)
        return any(open_decisions[int(str(seat)) - 1] for seat in seats)
    except (ValueError, TypeError, IndexError):
        return True
