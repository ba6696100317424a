"""The kit's own seats in a client's game: those that the client gives to bots."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

import grpc

from boardkeeper.v1 import games_pb2, games_pb2_grpc

_AUTOMA = "automa"


class Opponent:
    """Plays the seats that a client's game has for bots, to do what bots cannot do, such as request an undo.

    It lets bots play the seats at all other times. It is an ordinary client of the server, and meets no faults.
    """

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._games: Any = games_pb2_grpc.GamesStub(channel)
        self.game_id = ""
        self.seats: dict[int, str] = {}
        """The tokens of the opponent's seats, by number."""

    # --- taking seats ---------------------------------------------------------------------------------------

    @staticmethod
    def replace_bots(request: games_pb2.CreateGameRequest | games_pb2.ForkGameRequest) -> None:
        """Turn the bots in a request for a new game into people."""
        for seat in request.seats:
            if seat.bot not in ("", _AUTOMA):
                seat.name = seat.name or seat.bot.capitalize()
                seat.bot = ""

    async def take_seats(
        self,
        request: games_pb2.CreateGameRequest | games_pb2.ForkGameRequest,
        response: games_pb2.CreateGameResponse | games_pb2.ForkGameResponse,
    ) -> None:
        """Remove the bots' tokens from the response, so that the client sees bots, and let bots play these seats.

        ``request`` is the client's original request.
        """
        kinds = {number: seat.bot for number, seat in enumerate(request.seats, 1) if seat.bot not in ("", _AUTOMA)}
        tokens = {it.seat: it.token for it in response.seat_tokens if it.seat in kinds}
        others = [it for it in response.seat_tokens if it.seat not in kinds]
        del response.seat_tokens[:]
        response.seat_tokens.extend(others)
        for seat in response.game.seats:
            seat.bot = kinds.get(seat.seat, seat.bot)
        if self.game_id != response.game.game_id:  # else it is a repeated response
            self.game_id, self.seats = response.game.game_id, tokens
            for number in tokens:
                await self._hand_to_bot(number, kinds[number])

    # --- acting ---------------------------------------------------------------------------------------------

    async def advance_version(self) -> None:
        """Advance the game by at least two versions without a decision."""
        for number in list(self.seats)[:1]:
            await self._take_seat_back(number)
            await self._hand_to_bot(number)

    async def request_undo(self) -> bool:
        """Request an undo of the last command of one of the opponent's seats. Return whether a vote is open.

        Bots do not play these seats until :meth:`resume_bots`, because bots cannot consent.
        """
        for number in self.seats:
            await self._take_seat_back(number)
        for number, token in self.seats.items():
            request = games_pb2.RequestUndoRequest(game_id=self.game_id, seat=number, command_id=_new_id())
            try:
                response = await self._games.RequestUndo(request, metadata=_bearer(token))
            except grpc.aio.AioRpcError:  # the seat has not acted yet
                continue
            if response.events[-1].name == "UndoRequested":
                await self._consent(response.version, [it for it in self.seats if it != number])
                return True
        await self.resume_bots()
        return False

    async def resume_bots(self) -> None:
        """Let bots play the opponent's seats, after a vote or after the start of the game."""
        for number in self.seats:
            await self._hand_to_bot(number)

    async def undo_for_client(self, seat: int, token: str) -> None:
        """Undo the client's last command, as the client could do in another window. The opponent's seats consent."""
        request = games_pb2.RequestUndoRequest(game_id=self.game_id, seat=seat, command_id=_new_id())
        response = await self._games.RequestUndo(request, metadata=_bearer(token))
        if response.events[-1].name != "UndoRequested":
            return
        for number in self.seats:  # bots cannot consent
            await self._take_seat_back(number)
        await self._consent(response.version, list(self.seats))
        await self.resume_bots()

    async def _consent(self, version: int, seats: Sequence[int]) -> None:
        for number in seats:
            vote = games_pb2.AnswerUndoRequest(
                game_id=self.game_id, seat=number, request_version=version, consent=True, command_id=_new_id()
            )
            await self._games.AnswerUndo(vote, metadata=_bearer(self.seats[number]))

    async def end_game(self, seat: int, token: str) -> None:
        """End the game: the opponent's seats resign, and if the game continues, the client's seat resigns as well."""
        for number, own_token in [*self.seats.items(), (seat, token)]:
            if await self.final_version():
                return
            request = games_pb2.ResignSeatRequest(game_id=self.game_id, seat=number, command_id=_new_id())
            await self._games.ResignSeat(request, metadata=_bearer(own_token))

    async def final_version(self) -> int:
        """Return the version at which the game ended; 0 if it did not end."""
        response = await self._games.GetGame(games_pb2.GetGameRequest(game_id=self.game_id))
        return int(response.game.version) if response.game.standings else 0

    async def _hand_to_bot(self, seat: int, bot: str = "") -> None:
        request = games_pb2.HandSeatToBotRequest(game_id=self.game_id, seat=seat, bot=bot, command_id=_new_id())
        await self._call_if_possible(self._games.HandSeatToBot, request, seat)

    async def _take_seat_back(self, seat: int) -> None:
        request = games_pb2.TakeSeatBackRequest(game_id=self.game_id, seat=seat, command_id=_new_id())
        await self._call_if_possible(self._games.TakeSeatBack, request, seat)

    async def _call_if_possible(self, method: Any, request: Any, seat: int) -> None:
        try:
            await method(request, metadata=_bearer(self.seats[seat]))
        except grpc.aio.AioRpcError as error:
            if (
                error.code() is not grpc.StatusCode.FAILED_PRECONDITION
            ):  # the game is over, or the seat is already in this state
                raise


def _bearer(token: str) -> Sequence[tuple[str, str]]:
    return (("authorization", f"Bearer {token}"),)


def _new_id() -> str:
    return str(uuid.uuid4())
