"""Invitations: codes with which one person can take an open seat."""

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
MAX_INVITATIONS = 200
"""The maximum number of invitations of a game, also ended ones, so that one player cannot fill the database."""

RETENTION_DAYS = 30
"""The number of days after which an invitation that has ended is deleted."""

_ID_BYTES = 8
_CODE_BYTES = 32


class Invitations:
    """Creates, lists and revokes invitations."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler
        self._registry = handler.registry

    async def create(
        self,
        game: UUID,
        seat: int,
        seconds: int,
        player: str,
        authorize: Callable[[LiveGame], Awaitable[None]],
    ) -> tuple[InvitationRow, str]:
        """Create an invitation to an open seat, or to any open seat (0). Return it with its code, which is not stored.

        The invitation expires after ``seconds``, or never (0). ``player`` is the platform's id of the invited player,
        if it is known.

        ``authorize`` raises unless the caller may invite. Raises ``GAME_NOT_FOUND``, ``SEAT_TAKEN``,
        ``NO_FREE_SEAT``, ``TOO_MANY_INVITATIONS`` or the errors of a change.
        """
        self._handler.writer.check_ready()
        async with self._registry.lock(game, fresh=True) as live:
            await authorize(live)
            free = live.game.seats.free()
            if not free:
                raise ApiError("NO_FREE_SEAT")
            if seat and seat not in free:
                raise ApiError("SEAT_TAKEN", seat=seat)
            if len(await self._rows(game)) >= MAX_INVITATIONS:
                raise ApiError("TOO_MANY_INVITATIONS", most=MAX_INVITATIONS)
            code = PREFIX + secrets.token_urlsafe(_CODE_BYTES)
            now = self._handler.clock()
            expires = now + 1000 * seconds if seconds else None
            row = InvitationRow(secrets.token_hex(_ID_BYTES), hash_token(code), game, seat, player, now, expires)
            try:
                await self._handler.changes.store_locked(live, [NewInvitation(row, MAX_INVITATIONS)])
            except StaleGameError as error:  # other processes have created invitations at the same time
                raise ApiError("TOO_MANY_INVITATIONS", most=MAX_INVITATIONS) from error
        return row, code

    async def list(self, game: UUID, authorize: Callable[[LiveGame], Awaitable[None]]) -> Sequence[InvitationRow]:
        """Return the invitations of a game in the order of their creation."""
        await authorize(await self._registry.get(game))
        return await self._rows(game)

    async def _rows(self, game: UUID) -> Sequence[InvitationRow]:
        return await self._registry.read_game(
            game, partial(self._registry.application.database.invitations.invitations_of, game)
        )

    async def revoke(self, game: UUID, id: str, authorize: Callable[[LiveGame], Awaitable[None]]) -> InvitationRow:
        """Revoke an invitation, unless it has ended. Raises ``INVITATION_NOT_FOUND``, or the errors of a change."""
        self._handler.writer.check_ready()
        row = self._find(await self.list(game, authorize), id)
        if row.end_time is not None:
            return row
        async with self._registry.lock(game) as live:
            with suppress(StaleGameError):  # it was used or revoked at the same time
                await self._handler.changes.store_locked(live, [EndInvitation(id, game, self._handler.clock())])
        return self._find(await self.list(game, authorize), id)

    def _find(self, rows: Sequence[InvitationRow], id: str) -> InvitationRow:
        row = next((row for row in rows if row.id == id), None)
        if row is None:
            raise ApiError("INVITATION_NOT_FOUND")
        return row


def state_of(row: InvitationRow, now: int) -> str:
    """Return the state of an invitation at a time (milliseconds since 1970)."""
    if row.end_time is not None:
        return USED if row.used_seat else REVOKED
    return EXPIRED if row.expire_time is not None and row.expire_time <= now else USABLE


def seat_and_player(row: InvitationRow, seat: int, player: str) -> tuple[int, str]:
    """Return the seat that an invitation gives, and the player who gets it.

    Raises ``InvalidRequestError`` if the request names another seat or player.
    """
    if row.seat and seat and row.seat != seat:
        raise invalid("seat", "seat_of_invitation", seat=row.seat)
    if row.player_id and player and row.player_id != player:
        raise invalid("player_id", "player_of_invitation")
    return row.seat or seat, row.player_id or player
