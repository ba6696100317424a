"""Authorization of callers: which games they can know, for which seats they can act, and which view they get."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from boardkeeper.game.game import ENDED
from boardkeeper.game.seats import PERSON
from boardkeeper.service.auth import scopes
from boardkeeper.service.auth.access_control import can_know_game
from boardkeeper.service.auth.seat_tokens import hash_token
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, invalid
from boardkeeper.service.transport.call import Call
from boardkeeper.service.wall_clock import wall_milliseconds
from boardkeeper.table.visibility import OPERATOR, SPECTATOR


class Authorizer:
    """Checks what the caller of a call can do with the games of a server.

    If a parameter ``token`` is ``None``, the token of the call is used. A request in a stream can have its own token.
    """

    def __init__(self, registry: GameRegistry) -> None:
        self._registry = registry

    # --- games ----------------------------------------------------------------------------------------------

    async def authorize(self, call: Call, game: UUID, scope: str = scopes.WATCH, token: str | None = None) -> None:
        """Check that the caller can know a game and has a scope for it.

        Raises ``GAME_NOT_FOUND`` also for games that the caller cannot know, and ``KEY_MISSING`` if the call has
        neither a key nor a token.
        """
        caller = call.caller
        access_control = caller.access_control
        if access_control is None:
            return
        access = await access_control.game_access(game)
        if caller.key is None and not access_control.required and (access is None or not access.platform):
            return  # most calls to a server that requires no key
        if caller.is_operator:
            return
        if caller.key is not None:
            caller.check_scope(scope)
            if not can_know_game(caller.key, access):
                raise ApiError("GAME_NOT_FOUND", game=game)
            return
        if access is not None:
            if access.spectators and scope in (scopes.WATCH, scopes.HISTORY):
                return
            token = caller.token if token is None else token
            if token and scope in scopes.SEAT_TOKEN_SCOPES:
                live = await self._registry.get(game)
                seat = live.seat_of_token(token)
                if seat:
                    _check_not_expired(live, seat)
                    return
            if not token and access.spectators:
                raise ApiError("KEY_MISSING")
        if not (caller.token or token) and access_control.required:
            raise ApiError("KEY_MISSING")
        unknown = ApiError("GAME_NOT_FOUND", game=game)
        # This also applies to missing games: otherwise the limit would reveal which games exist.
        unknown.is_guess = bool(caller.token or token)
        raise unknown

    async def authorize_request(self, call: Call, game_id: str, scope: str, seat: int | None = None) -> UUID:
        """Return the game that a request names, after :meth:`authorize`. Add it and the seat to the log fields."""
        game = validation.parse_game_id(game_id)
        call.log_fields["game"] = game_id
        if seat is not None:
            call.log_fields["seat"] = seat
        await self.authorize(call, game, scope)
        return game

    async def authorize_invited(self, call: Call, game: UUID, code: str) -> None:
        """Check that the code is that of an invitation to the game, or that the caller can know the game anyway.

        The invitation can have expired: the caller gets a different error for that.
        """
        find = partial(self._registry.application.database.invitations.invitation, hash_token(code))
        row = await self._registry.read(find)
        if row is None or row.game != game:
            await self.authorize(call, game, scopes.PLAY, token="")

    # --- seats ----------------------------------------------------------------------------------------------

    async def check_seat(self, call: Call, live: LiveGame, seat: int, token: str | None = None) -> None:
        """Check that the caller can act for a seat, with its token or with the key of the game's platform."""
        caller = call.caller
        token = caller.token if token is None else token
        if not token and caller.key is not None:
            caller.check_scope(scopes.PLAY)
            await caller.check_key()
            _check_person(live, seat)
            return
        _check_token(live, seat, token)

    async def check_seat_or_operator(self, call: Call, live: LiveGame, seat: int) -> None:
        """Check that the seat exists, and that the caller is the operator or can act for the seat."""
        check_seat_exists(live, seat)
        if not call.caller.is_operator:
            await self.check_seat(call, live, seat)

    async def check_inviter(self, call: Call, live: LiveGame) -> None:
        """Check that the caller can invite to a game: its platform, an operator, or a player with a seat token."""
        caller = call.caller
        if caller.is_operator or (caller.key is not None and await caller.is_platform_of(live.id)):
            return
        if not caller.token:
            raise ApiError("TOKEN_MISSING")
        _viewer_of_token(live, caller.token)

    # --- views ----------------------------------------------------------------------------------------------

    async def find_viewer(self, call: Call, live: LiveGame, token: str | None = None) -> int:
        """Return the viewer whose view of a game the caller gets.

        That is the seat of the token, or the operator. A caller with a key and without a token gets the view of a
        spectator, or the view that the call requests.
        """
        caller = call.caller
        token = caller.token if token is None else token
        if token:
            return OPERATOR if token == caller.token and caller.is_operator else _viewer_of_token(live, token)
        if caller.key is not None and call.view:
            return _viewer_of_seat(live, _requested_view(call, live))
        if caller.key is None and caller.access_control is not None:
            access = await caller.access_control.game_access(live.id)
            if access is not None and access.spectators is False:
                raise ApiError("NO_SPECTATORS")
        return _viewer_of_seat(live, SPECTATOR)

    def check_viewer(self, call: Call, live: LiveGame, viewer: int, token: str | None = None) -> None:
        """Check during a stream that the token is still valid for the seat whose view the stream has."""
        token = call.caller.token if token is None else token
        if token and viewer > SPECTATOR:
            _check_token(live, viewer, token)


def check_seat_exists(live: LiveGame, seat: int) -> None:
    """Raise ``InvalidRequestError`` unless the game has this seat."""
    if not 1 <= seat <= len(live.seats):
        raise invalid("seat", "no_such_seat", least=1, most=len(live.seats))


def _check_person(live: LiveGame, seat: int) -> None:
    """Check that a person plays the seat: no caller can act for a bot, or see its secrets."""
    check_seat_exists(live, seat)
    if live.game.created.seats[seat - 1] != PERSON:
        raise ApiError("NO_PERSON", seat=seat)


def _check_token(live: LiveGame, seat: int, token: str) -> None:
    """Check that the token is valid for the seat."""
    check_seat_exists(live, seat)
    if not token:
        raise ApiError("TOKEN_MISSING")
    if not live.is_token_of_seat(seat, token):
        raise ApiError("TOKEN_WRONG", seat=seat)
    _check_not_expired(live, seat)


def _check_not_expired(live: LiveGame, seat: int) -> None:
    expires = live.seats[seat - 1].token_expires
    if expires is not None and expires <= wall_milliseconds():
        raise ApiError("TOKEN_EXPIRED", seat=seat, time=expires)


def _viewer_of_token(live: LiveGame, token: str) -> int:
    """Return the viewer for a seat token. Raises ``TOKEN_OF_NO_SEAT`` or ``TOKEN_EXPIRED``."""
    seat = live.seat_of_token(token)
    if not seat:
        raise ApiError("TOKEN_OF_NO_SEAT", seat=0)
    _check_not_expired(live, seat)
    return _viewer_of_seat(live, seat)


def _viewer_of_seat(live: LiveGame, seat: int) -> int:
    """Return the viewer for a seat or a spectator; after the end of a game everyone has the operator's view."""
    return OPERATOR if live.game.status == ENDED else seat


def _requested_view(call: Call, live: LiveGame) -> int:
    """Return the viewer that a caller with a key requests. Raises an error if the key does not permit it."""
    view = call.view
    if view == "operator":
        call.caller.check_operator()
        return OPERATOR
    call.caller.check_scope(scopes.PLAY)
    seat = int(view) if view.isascii() and view.isdecimal() and len(view) < 4 else -1
    if seat != SPECTATOR:
        _check_person(live, seat)
    return seat
