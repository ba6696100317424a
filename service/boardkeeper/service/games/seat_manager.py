"""Joins players to seats, replaces seat tokens, and sets the player ids of seats."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from uuid import UUID

import msgspec

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.game.seats import PERSON
from boardkeeper.service.auth.seat_tokens import hash_token, new_token
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_creator import automaton_names
from boardkeeper.service.games.game_writer import StaleGameError
from boardkeeper.service.games.idempotency import SALT_BYTES, IdempotentRequest, Seated, token_expiry
from boardkeeper.service.games.invitations import USABLE, seat_and_player, state_of
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, invalid, problem
from boardkeeper.service.storage.access import UNOWNED, ReplaceToken
from boardkeeper.service.storage.changes import TakeSeat
from boardkeeper.service.storage.invitations import EndInvitation, InvitationRow
from boardkeeper.service.storage.players import PutPlayer
from boardkeeper.service.storage.rows import SeatRow

_MAX_TRIES = 8


class SeatManager:
    """Gives seats to players: joining, new seat tokens, and player ids."""

    def __init__(self, handler: CommandHandler, *, random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._handler = handler
        self._registry = handler.registry
        self._random_bytes = random_bytes

    async def join(
        self, game: UUID, seat: int, name: str, entropy: bytes, request_id: str, player: str = "", invitation: str = ""
    ) -> Seated:
        """Take an open seat, or any open seat (0). Raises ``GAME_NOT_FOUND``, ``REQUEST_ID_REUSED`` or ``ApiError``.

        ``player`` is the platform's id of the player; ``invitation`` is the code of an invitation.
        """
        self._handler.writer.check_ready()
        more = (*([player] if player else ()), *([hash_token(invitation)] if invitation else ()))
        request = IdempotentRequest(f"join {game}", request_id, (seat, name, entropy, *more))
        for _ in range(_MAX_TRIES):
            seated = await self._join(game, seat, name, entropy, player, request, invitation)
            if seated is not None:
                return seated
        raise ApiError("CONTENDED")

    async def _join(
        self, game: UUID, seat: int, name: str, entropy: bytes, player: str, request: IdempotentRequest, code: str
    ) -> Seated | None:
        """Try to join once; return ``None`` if another process changed the game at the same time."""
        access = await self._registry.read_game(
            game, partial(self._registry.application.database.access.game_access, game)
        )
        access = access or UNOWNED
        async with self._registry.lock(game) as live:
            await self._registry.peer_sync.catch_up(live)
            if live.is_dropped:
                return None
            # Search while the lock is held, so that a simultaneous second request finds the result of the first.
            earlier = await request.find_earlier(self._registry)
            if earlier is not None:
                return earlier
            now = self._handler.clock()
            invitation = None
            if code:
                invitation = await self._find_invitation(game, code, now)
                seat, player = seat_and_player(invitation, seat, player)
            elif access.by_invitation:
                raise ApiError("INVITATION_MISSING")
            taken = _find_open_seat(live.game, seat)
            validation.check_name_differs(name, (row.name for row in live.seats if row.seat != taken), "name")
            validation.check_name_differs(name, automaton_names(live.game), "name")
            if player:
                await self._check_has_no_other_seat(game, taken, player)
            salt = self._random_bytes(SALT_BYTES)
            token = request.token(salt, taken)
            row = SeatRow(taken, PERSON, name, True, hash_token(token), token_expiry(access.token_seconds, now))
            changes = [
                TakeSeat(game, row),
                *([PutPlayer(game, taken, player)] if player else ()),
                *([EndInvitation(invitation.id, game, now, taken)] if invitation is not None else ()),
                *request.changes(salt, game, [taken], now),
            ]
            try:
                live.check_sound()
                await self._handler.writer.store(
                    live, self._decide_join(live, taken, entropy), changes, partial(_set_row, live, row)
                )
            except StaleGameError:
                return await request.find_earlier(self._registry)
            return Seated(game, {taken: token})

    def _decide_join(self, live: LiveGame, seat: int, entropy: bytes) -> list[GameEvent]:
        try:
            return live.game.join([seat], entropy, "", self._handler.clock())
        except BaseException:
            self._registry.drop(live)
            raise

    async def _find_invitation(self, game: UUID, code: str, now: int) -> InvitationRow:
        """Return the invitation with that code. Raises ``INVITATION_WRONG`` or ``INVITATION_ENDED``."""
        row = await self._registry.read(
            partial(self._registry.application.database.invitations.invitation, hash_token(code))
        )
        if row is None or row.game != game:
            raise ApiError("INVITATION_WRONG")
        if state_of(row, now) != USABLE:
            state = state_of(row, now)
            raise ApiError("INVITATION_ENDED", state=state, ended=problem(f"invitation_{state}"))
        return row

    async def reissue(
        self, game: UUID, seat: int, authorize: Callable[[LiveGame], Awaitable[None]], seconds: int = 0
    ) -> str:
        """Return a new token for a seat; ``authorize`` raises unless the caller may have it.

        The token is valid for ``seconds``, or for the time in the game's settings (0). Of simultaneous calls only one
        succeeds, also in several processes. Raises ``GAME_NOT_FOUND``, ``NO_PERSON``, ``CONTENDED`` or
        ``STORAGE_FAILED``.
        """
        self._handler.writer.check_ready()
        access = await self._registry.read_game(
            game, partial(self._registry.application.database.access.game_access, game)
        )
        seconds = seconds or (access.token_seconds if access is not None else 0)
        async with self._registry.lock(game) as live:
            if self._registry.peer_sync.is_enabled:  # another process may have replaced a token
                live.seats = await self._registry.read_game(
                    game, partial(self._registry.application.game_tables.seats, game)
                )
            await authorize(live)
            row = _row_of_person(live, seat)
            token = new_token()
            expires = token_expiry(seconds, self._handler.clock())
            new_row = msgspec.structs.replace(row, token_hash=hash_token(token), token_expires=expires)
            change = ReplaceToken(game, seat, hash_token(token), row.token_hash, expires)
            try:
                await self._handler.changes.store_locked(live, [change], partial(_set_row, live, new_row))
            except StaleGameError as error:
                raise ApiError("CONTENDED") from error
            return token

    async def set_player(self, game: UUID, seat: int, player: str, authorize: Callable[[LiveGame], None]) -> None:
        """Set the platform's id of the person who has a seat, or remove it (empty).

        ``authorize`` raises unless the caller may set it. Raises ``GAME_NOT_FOUND``, ``NO_PERSON``,
        ``InvalidRequestError``, ``CONTENDED`` or ``STORAGE_FAILED``.
        """
        self._handler.writer.check_ready()
        for _ in range(_MAX_TRIES):
            async with self._registry.lock(game, fresh=True) as live:
                authorize(live)
                _row_of_person(live, seat)
                if player:
                    await self._check_has_no_other_seat(game, seat, player)
                try:
                    return await self._handler.changes.store_locked(live, [PutPlayer(game, seat, player)])
                except StaleGameError:
                    continue  # the player took another seat of the game at the same time
        raise ApiError("CONTENDED")

    async def _check_has_no_other_seat(self, game: UUID, seat: int, player: str) -> None:
        """Raise ``InvalidRequestError`` if a player has another seat of the game."""
        players = await self._registry.read_game(
            game, partial(self._registry.application.database.players.players_of, [game])
        )
        other = next((at for at, id in players.get(game, {}).items() if id == player and at != seat), 0)
        if other:
            raise invalid("player_id", "has_seat_already", seat=other)


def _find_open_seat(game: Game, seat: int) -> int:
    free = game.seats.free()
    if seat and seat > len(game.created.seats):
        raise invalid("seat", "no_such_seat", least=0, most=len(game.created.seats))
    if not free:
        raise ApiError("NO_FREE_SEAT")
    if seat and seat not in free:
        raise ApiError("SEAT_TAKEN", seat=seat)
    return seat or free[0]


def _row_of_person(live: LiveGame, seat: int) -> SeatRow:
    """Return the row of a person's seat, also while a bot plays for the person. Raises ``NO_PERSON``."""
    row = live.seats[seat - 1]
    if live.game.created.seats[seat - 1] != PERSON or not row.taken:
        raise ApiError("NO_PERSON", seat=seat)
    return row


def _set_row(live: LiveGame, row: SeatRow) -> None:
    live.seats = [row if each.seat == row.seat else each for each in live.seats]
