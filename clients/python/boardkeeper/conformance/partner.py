"""Whoever sits at a client's table beside it: the kit, in the seats that the client leaves to bots."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

import grpc

from boardkeeper.v1 import games_pb2, games_pb2_grpc

_AUTOMA = "automa"


class Partner:
    """Takes the seats of the bots in a client's game, to do there what no bot does, and else lets bots play them.

    It is a client of the service like others, on a line that nothing is done to.
    """

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._games: Any = games_pb2_grpc.GamesStub(channel)
        self.game_id = ""
        self.seats: dict[int, str] = {}
        """The tokens of its seats."""

    # --- sitting down ---------------------------------------------------------------------------------------

    @staticmethod
    def seat(request: games_pb2.CreateGameRequest | games_pb2.ForkGameRequest) -> None:
        """Ask for people in a new game where bots were to be."""
        for seat in request.seats:
            if seat.bot not in ("", _AUTOMA):
                seat.name = seat.name or seat.bot.capitalize()
                seat.bot = ""

    async def sit_down(
        self,
        asked: games_pb2.CreateGameRequest | games_pb2.ForkGameRequest,
        answer: games_pb2.CreateGameResponse | games_pb2.ForkGameResponse,
    ) -> None:
        """Take the tokens of one's seats out of an answer, which a client is told then, and let bots play there."""
        kinds = {number: seat.bot for number, seat in enumerate(asked.seats, 1) if seat.bot not in ("", _AUTOMA)}
        tokens = {it.seat: it.token for it in answer.seat_tokens if it.seat in kinds}
        others = [it for it in answer.seat_tokens if it.seat not in kinds]
        del answer.seat_tokens[:]
        answer.seat_tokens.extend(others)
        for seat in answer.game.seats:
            seat.bot = kinds.get(seat.seat, seat.bot)
        if self.game_id != answer.game.game_id:  # else it is told once more
            self.game_id, self.seats = answer.game.game_id, tokens
            for number in tokens:
                await self._let_play(number, kinds[number])

    # --- acting ---------------------------------------------------------------------------------------------

    async def act_between(self) -> None:
        """Bring the game further by two versions at least, without a decision."""
        for number in list(self.seats)[:1]:
            await self._take_back(number)
            await self._let_play(number)

    async def ask_back(self) -> bool:
        """Request an undo of the last command of one of its seats. Return whether other seats were asked.

        Its seats are not played by bots until :meth:`play_on`, for a bot cannot consent.
        """
        for number in self.seats:
            await self._take_back(number)
        for number, token in self.seats.items():
            request = games_pb2.RequestUndoRequest(game_id=self.game_id, seat=number, command_id=_new_id())
            try:
                answer = await self._games.RequestUndo(request, metadata=_bearer(token))
            except grpc.aio.AioRpcError:  # the seat has not acted yet
                continue
            if answer.events[-1].name == "UndoRequested":
                await self._consent(answer.version, [it for it in self.seats if it != number])
                return True
        await self.play_on()
        return False

    async def play_on(self) -> None:
        """Let bots play one's seats, again or now that the game has begun."""
        for number in self.seats:
            await self._let_play(number)

    async def take_back(self, seat: int, token: str) -> None:
        """Undo the client's last command, as the client could in another window. All seats of its own consent."""
        request = games_pb2.RequestUndoRequest(game_id=self.game_id, seat=seat, command_id=_new_id())
        answer = await self._games.RequestUndo(request, metadata=_bearer(token))
        if answer.events[-1].name != "UndoRequested":
            return
        for number in self.seats:  # a bot cannot consent
            await self._take_back(number)
        await self._consent(answer.version, list(self.seats))
        await self.play_on()

    async def _consent(self, version: int, seats: Sequence[int]) -> None:
        for number in seats:
            vote = games_pb2.AnswerUndoRequest(
                game_id=self.game_id, seat=number, request_version=version, consent=True, command_id=_new_id()
            )
            await self._games.AnswerUndo(vote, metadata=_bearer(self.seats[number]))

    async def end(self, seat: int, token: str) -> None:
        """End the game: all seats of its own resign, and where that is not enough, the client's does."""
        for number, own in [*self.seats.items(), (seat, token)]:
            if await self.ended():
                return
            request = games_pb2.ResignSeatRequest(game_id=self.game_id, seat=number, command_id=_new_id())
            await self._games.ResignSeat(request, metadata=_bearer(own))

    async def ended(self) -> int:
        """The version at which the game ended; 0: it did not."""
        answer = await self._games.GetGame(games_pb2.GetGameRequest(game_id=self.game_id))
        return int(answer.game.version) if answer.game.standings else 0

    async def _let_play(self, seat: int, bot: str = "") -> None:
        request = games_pb2.HandSeatToBotRequest(game_id=self.game_id, seat=seat, bot=bot, command_id=_new_id())
        await self._tried(self._games.HandSeatToBot, request, seat)

    async def _take_back(self, seat: int) -> None:
        request = games_pb2.TakeSeatBackRequest(game_id=self.game_id, seat=seat, command_id=_new_id())
        await self._tried(self._games.TakeSeatBack, request, seat)

    async def _tried(self, method: Any, request: Any, seat: int) -> None:
        try:
            await method(request, metadata=_bearer(self.seats[seat]))
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.FAILED_PRECONDITION:  # the game is over, or it is so already
                raise


def _bearer(token: str) -> Sequence[tuple[str, str]]:
    return (("authorization", f"Bearer {token}"),)


def _new_id() -> str:
    return str(uuid.uuid4())
