"""What stands beside the event log: rows that every kind of database keeps, as the rest of the service knows them.

Names of people, token hashes and dice secrets are kept here because the log is for ever and these must be erasable.
The lobby is a projection: everything in its lines but their number follows from the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

import msgspec
from eventsourcing.persistence import MapperDeserialisationError
from msgspec import Meta, Struct

from boardkeeper.game.game import ENDED, OPEN, RUNNING
from boardkeeper.table.title import Setup, Standing

PAGE = 200
"""How many games are read at once by whoever goes through them all."""

_LATEST = 1 << 53
"""No record that 0.1.0 took in has a later time; what no calendar has is cut to size where it goes out."""


Small = Annotated[int, Meta(ge=-(1 << 31), lt=1 << 31)]
"""A number that goes into messages as one of 32 bits, such as that of a seat."""


class DamagedLineError(MapperDeserialisationError):
    """A line of the lobby, or what belongs to it, is not what a service has written."""


class SecretLostError(DamagedLineError, KeyError):
    """A game has no dice secret any more."""


class DamagedLobbyError(DamagedLineError):
    """The lobby as a whole cannot be read."""


NO_TOKEN = b""
"""Stands for the hash of a person's seat that has no token, as in imported games: no token has this hash."""


class SeatRow(Struct, frozen=True):
    """One seat: its kind as in ``GameCreated.seats``, the name to show, and the SHA-256 of its token.

    A seat that no person ever had has no hash (``None``); a person's seat without a token has :data:`NO_TOKEN`.
    ``token_expires`` is until when the token is valid (milliseconds since 1970); ``None``: without a limit.
    """

    seat: int
    kind: str
    name: str
    taken: bool
    token_hash: bytes | None = None
    token_expires: int | None = None


class LobbyRow(Struct, frozen=True):
    """One line of the lobby. Times are milliseconds since 1970; ``decisions`` has one name, or "", a seat.

    ``imported_key`` is the id of the foreign key that signed the game's record; empty for a game played here.
    ``imported_id`` is the id that the game has in its record, if that is another one.
    """

    number: int
    game_id: UUID
    title: str
    setup: Setup
    commitment: str
    create_time: int
    update_time: int
    version: int
    status: str
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


# --- values that are stored as JSON -------------------------------------------------------------------------

encode = msgspec.json.Encoder().encode
decode_setup = msgspec.json.Decoder(Setup).decode
decode_decisions = msgspec.json.Decoder(tuple[str, ...]).decode
decode_standings = msgspec.json.Decoder(tuple[Standing, ...]).decode
decode_seats = msgspec.json.Decoder(tuple[int, ...]).decode


def check_line(line: LobbyRow) -> LobbyRow:
    """The line itself; raises :class:`DamagedLineError` for values that no service writes there."""
    right = (
        all(type(number) is int for number in (line.number, line.version))
        and all(type(time) is int and 0 <= time < _LATEST for time in (line.create_time, line.update_time))
        and all(isinstance(text, str) for text in (line.title, line.commitment, line.imported_key))
        and line.status in (OPEN, RUNNING, ENDED)
    )
    if not right:
        raise DamagedLineError(f"line {line.number} has a value that cannot be")
    return line


def check_seats(line: LobbyRow) -> None:
    """That a line has its seats; raises :class:`DamagedLineError`."""
    kinds: dict[str, Any] = {"kind": str, "name": str, "token_hash": bytes | None, "token_expires": int | None}
    right = len(line.decisions) == len(line.seats) and all(
        seat.seat == number and all(isinstance(getattr(seat, field), kind) for field, kind in kinds.items())
        for number, seat in enumerate(line.seats, 1)
    )
    if not right:
        raise DamagedLineError(f"the seats of line {line.number} have values that cannot be")


def waits_for_one(decisions: bytes, seats: Sequence[object]) -> bool:
    """Whether one of the seats has to decide, by a line's stored decisions; true if either cannot be read.

    Who loads the game then will see what is wrong.
    """
    try:
        open_decisions = decode_decisions(decisions)
        return any(open_decisions[int(str(seat)) - 1] for seat in seats)
    except (ValueError, TypeError, IndexError):
        return True
