"""Erasing the ids, names and seat tokens of a platform's player, and the player's invitations."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.invitations import EraseInvitations
from boardkeeper.service.storage.players import ErasePlayer

_SEATS_PER_CHANGE = 100


async def erase_player(handler: CommandHandler, platform: str, player: str) -> tuple[int, int]:
    """Erase a player; return the numbers of the player's seats and invitations.

    Seats are erased in several transactions: after an error or an interruption, erase the player again. Raises
    ``STORAGE_FAILED``, or the errors of an action.
    """
    registry = handler.registry
    database = registry.application.database
    find = partial(database.players.seats_of_player, platform, player, _SEATS_PER_CHANGE)
    invitations = await registry.read(partial(database.invitations.count_for, platform, player))
    await handler.changes.store([EraseInvitations(platform, player, handler.clock())])
    erased = 0
    while seats := await registry.read(find):
        await handler.changes.store([ErasePlayer(game, seat, platform, player) for game, seat in seats])
        erased += len(seats)
        for game, _ in seats:
            with suppress(ApiError):  # a removed or unreadable game has no names in memory
                await registry.reload_seats_if_loaded(game)
    return erased, invitations
