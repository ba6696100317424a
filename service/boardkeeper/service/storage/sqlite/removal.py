"""Removing a game from a file: the one way in which stored events go, and what stays to tell of it.

Events are for ever, because everybody who holds a game's record may rely on them; but nobody has to keep what he may
not or will not keep: spam, or what a court forbids. So an operator can remove a whole game, with everything that
belongs to it. What stays is a tombstone: the game's id, which is never taken again, and when it was removed; of an
imported game also whose record it was, so that the same record does not come back; and which numbers its events had,
for the checkpoints that name one of them. The triggers on the events let rows
go only where a tombstone stands.
"""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from boardkeeper.service.storage.changes import RemoveGame
from boardkeeper.service.storage.findings import ErasedSeat
from boardkeeper.service.storage.invitations import EraseInvited
from boardkeeper.service.storage.players import ErasePlayer
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.sqlite.erasure import one_game, writing
from boardkeeper.service.storage.sqlite.reader import run


def remove_from_file(path: Path, game: str, time: int) -> UUID:
    """Remove the game of that id, or whose id begins so, from a file that nobody serves.

    Raises ``StartupError`` if the file is being served or is none of ours, and ``LookupError`` if there is not exactly
    one such game.
    """
    with writing(path, "remove a game from") as connection:
        id = one_game(connection, game)
        run(connection, RemoveGame(UUID(id), time).statements())
    return UUID(id)


def erase_player(path: Path, platform: str, player: str, time: int) -> list[ErasedSeat]:
    """Erase a player of a platform from a file that nobody serves; raises ``StartupError``."""
    select = "SELECT game, seat FROM players WHERE platform=? AND player_id=? ORDER BY number"
    with writing(path, "erase from") as connection:
        seats = [(UUID(game), seat) for game, seat in connection.execute(select, (platform, player)).fetchall()]
        changes: list[Change] = [ErasePlayer(game, seat, platform, player) for game, seat in seats]
        for change in (*changes, EraseInvited(platform, player, time)):
            run(connection, change.statements())
    return [ErasedSeat(game, seat) for game, seat in seats]
