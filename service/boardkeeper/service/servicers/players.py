"""``boardkeeper.v1.Players``: who a platform's players are, and what they have reached."""

from __future__ import annotations

from functools import partial

from boardkeeper.service.access.scopes import PLAY
from boardkeeper.service.edge.call import Call, check_seat
from boardkeeper.service.games.hub import Hub
from boardkeeper.service.games.seating import Seating
from boardkeeper.service.requests import checks
from boardkeeper.service.servicers.lobby import Lobby
from boardkeeper.v1 import players_pb2


class PlayersServicer:
    """Answers platforms about their own games."""

    def __init__(self, hub: Hub, seating: Seating) -> None:
        self._hub = hub
        self._seating = seating
        self._lobby = Lobby(hub)

    async def SetSeatPlayer(
        self, request: players_pb2.SetSeatPlayerRequest, call: Call
    ) -> players_pb2.SetSeatPlayerResponse:
        """The platform says who has a seat."""
        game = checks.game_id(request.game_id)
        call.note_game(game)
        call.notes["seat"] = request.seat
        await call.enter(self._hub, game, PLAY)
        await call.check_platform_of(game)
        player = checks.player_id(request.player_id)
        await self._seating.set_player(game, request.seat, player, partial(check_seat, seat=request.seat))
        return players_pb2.SetSeatPlayerResponse(game=await self._lobby.message(game, call))
