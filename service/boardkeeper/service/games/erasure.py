"""Erasing a player of a platform everywhere: the ids, names and tokens of the player's seats, and invitations."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.invitations import EraseInvitations
from boardkeeper.service.storage.players import ErasePlayer

_AT_ONCE = 100


async def erase_player(handler: CommandHandler, platform: str, player: str) -> tuple[int, int]:
    """Erase a player; return how many seats were the player's, and how many invitations were for the player.

    Some seats are erased at a time: after an interruption, erase the player again. Raises ``STORAGE_FAILED`` with a
    part of the work done, or what a command may raise.
    """
    registry = handler.registry
    database = registry.application.database
    find = partial(database.players.seats_of_player, platform, player, _AT_ONCE)
    invitations = await registry.read(partial(database.invitations.count_for, platform, player))
    await handler.changes.store([EraseInvitations(platform, player, handler.clock())])
    erased = 0
    while seats := await registry.read(find):
        await handler.changes.store([ErasePlayer(game, seat, platform, player) for game, seat in seats])
        erased += len(seats)
        for game, _ in seats:
            with suppress(ApiError):  # removed or not readable: there are no names in memory
                await registry.reload_seats_if_loaded(game)
    return erased, invitations
