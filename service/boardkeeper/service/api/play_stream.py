"""The ``Play`` stream: actions of seats, and the events of several games, in one call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

from boardkeeper.service.api.authorization import Authorizer
from boardkeeper.service.api.event_streams import EventStreams, StreamAnswer, write_in_time
from boardkeeper.service.api.seat_requests import SeatRequest, carry_out
from boardkeeper.service.auth.scopes import WATCH
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_writer import Outcome
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, api_error_of, invalid, is_reason
from boardkeeper.service.transport.call import Call
from boardkeeper.titlekit.title_guard import IncompatibleTitleError
from boardkeeper.v1 import games_pb2 as pb

MAX_SUBSCRIPTIONS = 100


class PlayStream:
    """The stream of one client: it answers actions in order, and sends the events of subscriptions at the same time."""

    def __init__(self, handler: CommandHandler, call: Call, streams: EventStreams, slow_reader_seconds: float) -> None:
        self._handler = handler
        self._registry = handler.registry
        self._authorizer = Authorizer(handler.registry)
        self._call = call
        self._streams = streams
        self._slow_reader_seconds = slow_reader_seconds
        self._writing = asyncio.Lock()
        self._subscriptions: dict[UUID, asyncio.Task[None]] = {}
        self._broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._commands = 0
        self._finished = False

    async def run(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        """Serve the stream until the client has closed its side and all subscriptions have ended."""
        reading = asyncio.create_task(self._read(requests))
        draining = asyncio.create_task(self._registry.drained.wait())
        tasks: list[asyncio.Future[Any]] = [reading, draining, self._broken]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            # An unfinished write must end before the server sends the status.
            await self._writing.acquire()
        finally:
            self._call.log_fields["commands"] = self._commands
            tasks += self._subscriptions.values()
            results = [task.exception() for task in tasks if task.done() and not task.cancelled()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for problem in results:
            if problem is not None:
                raise problem
        if not self._finished:
            raise ApiError("SHUTTING_DOWN")

    async def _read(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        async for request in requests:
            kind = request.WhichOneof("request")
            if kind == "subscription":
                await self._subscribe(request.subscription)
                continue
            if kind is None:
                await self._reject("", "", invalid("request", "not_set"))
                continue
            begun = time.perf_counter()
            self._commands += 1
            if kind == "commands":
                await self._act(request.commands, request.commands.token, "commands.game_id")
            elif (action := request.action.WhichOneof("action")) is not None:
                await self._act(getattr(request.action, action), request.action.token)
            else:
                await self._reject("", "", invalid("action", "not_set"))
            self._call.count_stream_command(time.perf_counter() - begun)
        if self._subscriptions:
            await asyncio.wait(self._subscriptions.values())
        self._finished = True

    async def _act(self, request: SeatRequest, token: str, path: str = "game_id") -> None:
        """Carry out the action of a seat, and send its outcome or its error."""
        try:
            outcome = await carry_out(self._handler, self._authorizer, request, self._call, self._token(token), path)
        except (ApiError, IncompatibleTitleError) as error:
            await self._reject(request.game_id, request.command_id, api_error_of(error))
        else:
            await self._answer(request.game_id, request.command_id, outcome)

    def _token(self, token: str) -> str:
        """Return the token of a request, or of the stream. Raises ``LimitError`` after too many wrong tokens."""
        token = token or self._call.caller.token
        self._call.limits.check_failures(token)
        return token

    async def _answer(self, game: str, command_id: str, outcome: Outcome) -> None:
        # Step 7: answer. Only a subscription sends the events.
        await self._write(
            pb.PlayResponse(
                outcome=pb.PlayOutcome(
                    game_id=game,
                    command_id=command_id,
                    first_version=outcome.first_version,
                    version=outcome.version,
                    repeated=outcome.repeated,
                )
            )
        )

    async def _subscribe(self, request: pb.PlaySubscription) -> None:
        try:
            game = validation.parse_game_id(request.game_id, "subscription.game_id")
            after = validation.parse_version(request.after_version, "subscription.after_version")
            token = self._token(request.token)
            await self._authorizer.authorize(self._call, game, WATCH, token)
            live = await self._registry.get(game)
            viewer = await self._authorizer.find_viewer(self._call, live, token)
            before = self._subscriptions.pop(game, None)
            if before is not None:
                async with self._writing:  # an unfinished write must end before the next one
                    before.cancel()
            if len(self._subscriptions) >= MAX_SUBSCRIPTIONS:
                raise invalid("subscription", "too_many_subscriptions", most=MAX_SUBSCRIPTIONS)
        except ApiError as error:
            await self._reject(request.game_id, "", error)
            return
        task = asyncio.create_task(self._follow(game, after, viewer, token))
        self._subscriptions[game] = task
        task.add_done_callback(self._remove)

    async def _follow(self, game: UUID, after: int, viewer: int, token: str) -> None:
        try:
            await self._streams.send(game, after, viewer, self._call, self._write, token)
        except (ApiError, IncompatibleTitleError) as error:
            if is_reason(error, "KEY_ENDED", "TOO_SLOW", "SHUTTING_DOWN"):
                raise
            await self._reject(str(game), "", api_error_of(error))

    def _remove(self, task: asyncio.Task[None]) -> None:
        """Remove a subscription that has ended. Its error ends the stream."""
        for game, other in list(self._subscriptions.items()):
            if other is task:
                del self._subscriptions[game]
        if not task.cancelled() and task.exception() is not None and not self._broken.done():
            self._broken.set_exception(task.exception() or RuntimeError())

    async def _reject(self, game: str, command_id: str, error: ApiError) -> None:
        error = self._call.count_stream_error(error)
        rejection = pb.PlayRejection(game_id=game[:64], command_id=command_id[:64], status=self._call.status_of(error))
        await self._write(pb.PlayResponse(rejection=rejection))

    async def _write(self, answer: StreamAnswer | bytes, version: int = 0) -> None:
        """Write one answer. Raises ``TOO_SLOW`` if the client took too long to read it."""
        async with self._writing:
            await write_in_time(self._call, answer, version, self._slow_reader_seconds)
