"""Invitations: codes with which whoever has one takes a free seat, once."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from uuid import UUID

from boardkeeper.service.auth.seat_tokens import hash_token
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_writer import StaleGameError
from boardkeeper.service.requests.errors import ApiError, invalid
from boardkeeper.service.storage.invitations import EndInvitation, InvitationRow, NewInvitation

USABLE = "usable"
USED = "used"
REVOKED = "revoked"
EXPIRED = "expired"

PREFIX = "bki_"
MOST_INVITATIONS = 200
"""So many a game has, so that one who sits there cannot fill a database with them; those count that are over, too."""

KEPT_DAYS = 30
"""Then those that are over are swept, and nobody is told any more what became of them."""

_ID_BYTES = 8
_CODE_BYTES = 32


class Invitations:
    """Makes, lists and ends invitations."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler
        self._registry = handler.registry

    async def create(
        self,
        game: UUID,
        seat: int,
        seconds: int,
        player: str,
        may: Callable[[LiveGame], Awaitable[None]],
    ) -> tuple[InvitationRow, str]:
        """Make an invitation to a free seat, or to any (0), and the code, which is kept nowhere.

        ``may`` raises unless the caller may invite. Raises ``GAME_NOT_FOUND``, ``SEAT_TAKEN``,
        ``NO_FREE_SEAT``, ``TOO_MANY_INVITATIONS`` or what storing may raise.
        """
        self._handler.writer.check_ready()
        async with self._registry.lock(game, fresh=True) as live:
            await may(live)
            free = live.game.free_seats()
            if not free:
                raise ApiError("NO_FREE_SEAT")
            if seat and seat not in free:
                raise ApiError("SEAT_TAKEN", seat=seat)
            if len(await self._rows(game)) >= MOST_INVITATIONS:
                raise ApiError("TOO_MANY_INVITATIONS", most=MOST_INVITATIONS)
            code = PREFIX + secrets.token_urlsafe(_CODE_BYTES)
            now = self._handler.clock()
            expires = now + 1000 * seconds if seconds else None
            row = InvitationRow(secrets.token_hex(_ID_BYTES), hash_token(code), game, seat, player, now, expires)
            try:
                await self._handler.changes.store_locked(live, [NewInvitation(row, MOST_INVITATIONS)])
            except StaleGameError as error:  # other processes have created some meanwhile
                raise ApiError("TOO_MANY_INVITATIONS", most=MOST_INVITATIONS) from error
        return row, code

    async def listed(self, game: UUID, may: Callable[[LiveGame], Awaitable[None]]) -> Sequence[InvitationRow]:
        """The invitations of a game, in the order in which they were made."""
        await may(await self._registry.get(game))
        return await self._rows(game)

    async def _rows(self, game: UUID) -> Sequence[InvitationRow]:
        return await self._registry.read_game(
            game, partial(self._registry.application.database.invitations.invitations_of, game)
        )

    async def revoke(self, game: UUID, id: str, may: Callable[[LiveGame], Awaitable[None]]) -> InvitationRow:
        """End an invitation, unless it has ended. Raises ``INVITATION_NOT_FOUND``, or what storing may raise."""
        self._handler.writer.check_ready()
        row = self._find(await self.listed(game, may), id)
        if row.end_time is not None:
            return row
        async with self._registry.lock(game) as live:
            with suppress(StaleGameError):  # it was used, or revoked, at the same time
                await self._handler.changes.store_locked(live, [EndInvitation(id, game, self._handler.clock())])
        return self._find(await self.listed(game, may), id)

    def _find(self, rows: Sequence[InvitationRow], id: str) -> InvitationRow:
        row = next((row for row in rows if row.id == id), None)
        if row is None:
            raise ApiError("INVITATION_NOT_FOUND")
        return row


def state_of(row: InvitationRow, now: int) -> str:
    """What has become of an invitation."""
    if row.end_time is not None:
        return USED if row.used_seat else REVOKED
    return EXPIRED if row.expire_time is not None and row.expire_time <= now else USABLE


def invited(row: InvitationRow, seat: int, player: str) -> tuple[int, str]:
    """The seat that is taken with an invitation, and whose it is then.

    Raises ``InvalidRequestError`` where something else was asked for.
    """
    if row.seat and seat and row.seat != seat:
        raise invalid("seat", "seat_of_invitation", seat=row.seat)
    if row.player_id and player and row.player_id != player:
        raise invalid("player_id", "player_of_invitation")
    return row.seat or seat, row.player_id or player
