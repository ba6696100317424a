"""Erasing a player of a platform everywhere: ids, names and tokens of his seats, and invitations for him."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from msgspec import Struct

from boardkeeper.service.games.acting import Acting
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.invitations import EraseInvited
from boardkeeper.service.storage.players import ErasePlayer

_AT_ONCE = 100


class Erased(Struct):
    """How many seats were the player's, and how many invitations were for him."""

    seats: int = 0
    invitations: int = 0


class Erasing:
    """Erases players, some seats at a time: whoever is interrupted begins again and finds the rest."""

    def __init__(self, acting: Acting) -> None:
        self._acting = acting
        self._hub = acting.hub

    async def erase(self, platform: str, player: str) -> Erased:
        """Erase a player. Raises ``STORAGE_FAILED`` with a part of it done, or what a command may raise."""
        database = self._hub.application.database
        find = partial(database.players.seats_of_player, platform, player, _AT_ONCE)
        done = Erased(invitations=await self._hub.read(partial(database.invitations.count_for, platform, player)))
        await self._acting.put([EraseInvited(platform, player, self._acting.clock())])
        while seats := await self._hub.read(find):
            await self._acting.put([ErasePlayer(game, seat, platform, player) for game, seat in seats])
            done.seats += len(seats)
            for game, _ in seats:
                with suppress(ApiError):  # removed or not readable: there are no names in memory
                    await self._hub.reread_seats(game)
        return done
