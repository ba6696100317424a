"""What is told of a database by those who look after it, whatever kind it is of."""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct

from boardkeeper.service.storage.chain import Damage


class CheckedGame(Struct, frozen=True):
    """One game of a database: its id, how many of its events there are, and what is wrong with them.

    ``number`` counts the games from 1 and ``games`` is how many there are. ``is_archived`` tells that its events are in
    the archive and were not looked at.
    """

    number: int
    games: int
    game_id: str
    events: int
    damage: Damage | None
    is_archived: bool = False


class ErasedSeat(Struct, frozen=True):
    """A seat that has no name any more."""

    game_id: UUID
    seat: int
