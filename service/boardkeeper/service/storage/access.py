"""Who may do what, as a database keeps it: the keys of platforms, and whose the games are.

All of it stands beside the events and never in them: a game's record tells nobody by whose platform it was made.
"""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from msgspec import Struct


class KeyRow(Struct, frozen=True):
    """A key of a platform. Times are milliseconds since 1970; those that are ``None`` are not set.

    ``limits`` are figures of its own, as they are written (:mod:`~boardkeeper.service.limits.terms`).
    ``secret_hash`` is the SHA-256 of the key as it is sent, ``None`` for a key that is a client's certificate:
    then ``certificate`` is a name in that. ``use_time`` is when it was last used, to the hour.
    """

    key_id: str
    name: str
    platform: str
    scopes: tuple[str, ...]
    secret_hash: bytes | None
    certificate: str
    create_time: int
    expire_time: int | None = None
    revoke_time: int | None = None
    use_time: int | None = None
    limits: str = ""


class GameAccess(Struct, frozen=True):
    """Whose a game is: the id of a platform, empty if it is nobody's. It is so from the game's first event for ever.

    ``spectators`` tells whether anybody may watch it; ``None`` if nothing was said of that. With ``by_invitation`` free
    seats are taken with one only. ``token_seconds`` is how long tokens of its seats hold; 0: for ever.
    """

    platform: str = ""
    spectators: bool | None = None
    by_invitation: bool = False
    token_seconds: int = 0


NOBODYS = GameAccess()


class NewKey(Struct, frozen=True):
    """A key that is made; a second one with its id, or with its certificate, conflicts."""

    row: KeyRow


class EndKey(Struct, frozen=True):
    """A key goes: at once (``revoke_time``), or at some time unless it would have ended before (``expire_time``)."""

    key_id: str
    revoke_time: int | None = None
    expire_time: int | None = None


class UseKeys(Struct, frozen=True):
    """Keys were used, at a time; what is kept of it is the hour."""

    key_ids: tuple[str, ...]
    time: int


class LimitKey(Struct, frozen=True):
    """A key has other figures of its own from now on, in place of all that it had."""

    key_id: str
    limits: str


class OwnGame(Struct, frozen=True):
    """Whose a game is that begins; goes behind its ``NewGame``. It is kept of games that are removed, too."""

    game: UUID
    access: GameAccess


class GiveToken(Struct, frozen=True):
    """A seat has another token, by its hash, until a time, if it is not for ever; other processes have to be told.

    It conflicts unless the one before has the hash ``before``.
    """

    game: UUID
    seat: int
    token_hash: bytes | None
    before: bytes | None
    expires: int | None = None


def owned(game: UUID, access: GameAccess) -> list[OwnGame]:
    """What belongs to a new game of that owner; nothing if it is nobody's, and nothing was said of it."""
    return [OwnGame(game, access)] if access != NOBODYS else []


AccessChange = NewKey | EndKey | UseKeys | LimitKey | OwnGame | GiveToken


class AccessTables(Protocol):
    """The ways to ask a database for it; they block."""

    def all_keys(self) -> list[KeyRow]:
        """All keys, in the order in which they were made. Raises ``DamagedLineError`` for what cannot be one."""

    def game_access(self, game: UUID) -> GameAccess | None:
        """Whose a game is or was; ``None`` if there is none of that id (or it was removed, and nobody's)."""
