"""The ``Play`` stream: any number of actions of seats, and events of several games, over one call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any
from uuid import UUID

from google.protobuf.message import Message

from boardkeeper.service.access.scopes import WATCH
from boardkeeper.service.answers.streams import Teller
from boardkeeper.service.edge.call import Call
from boardkeeper.service.games.acting import Acting, Outcome
from boardkeeper.service.games.live import CommittedEvent
from boardkeeper.service.requests import checks
from boardkeeper.service.requests.errors import ApiError, api_error_of, invalid, is_reason
from boardkeeper.service.servicers.seat_requests import SeatRequest, carry_out
from boardkeeper.table.guarded import IncompatibleTitleError
from boardkeeper.v1 import games_pb2

MOST_SUBSCRIPTIONS = 100
_updates = Teller(games_pb2.PlayResponse)


class PlayStream:
    """One client's stream: actions are answered in their order, subscriptions run beside them."""

    def __init__(self, acting: Acting, call: Call, *, heartbeat: float, patience: float) -> None:
        self._acting = acting
        self._hub = acting.hub
        self._call = call
        self._heartbeat = heartbeat
        self._patience = patience
        self._writing = asyncio.Lock()
        self._subscriptions: dict[UUID, asyncio.Task[None]] = {}
        self._broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._commands = 0
        self._finished = False

    async def run(self, requests: AsyncIterator[games_pb2.PlayRequest]) -> None:
        """Serve the stream until the client has closed its side and its subscriptions are over."""
        reading = asyncio.create_task(self._read(requests))
        draining = asyncio.create_task(self._hub.drained.wait())
        tasks: list[asyncio.Future[Any]] = [reading, draining, self._broken]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            # A write that is under way must end before the stream's status can be sent.
            await self._writing.acquire()
        finally:
            self._call.notes["commands"] = self._commands
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

    async def _read(self, requests: AsyncIterator[games_pb2.PlayRequest]) -> None:
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
            self._call.note_command(time.perf_counter() - begun)
        if self._subscriptions:
            await asyncio.wait(self._subscriptions.values())
        self._finished = True

    async def _act(self, request: SeatRequest, token: str, path: str = "game_id") -> None:
        """Carry out the action of a seat and answer, as its RPC would."""
        try:
            outcome = await carry_out(self._acting, request, self._call, self._token(token), path)
        except (ApiError, IncompatibleTitleError) as error:
            await self._reject(request.game_id, request.command_id, api_error_of(error))
        else:
            await self._answer(request.game_id, request.command_id, outcome)

    def _token(self, token: str) -> str:
        """Return the token of a request, or of the stream. Raises ``LimitError`` after too many wrong tokens."""
        token = token or self._call.token
        self._call.check_guesses(token)
        return token

    async def _answer(self, game: str, command_id: str, outcome: Outcome) -> None:
        # Step 7: answer. The events come by the stream's subscription, if it has one.
        await self._write(
            games_pb2.PlayResponse(
                outcome=games_pb2.PlayOutcome(
                    game_id=game,
                    command_id=command_id,
                    first_version=outcome.first_version,
                    version=outcome.version,
                    repeated=outcome.repeated,
                )
            )
        )

    async def _subscribe(self, request: games_pb2.PlaySubscription) -> None:
        try:
            game = checks.game_id(request.game_id, "subscription.game_id")
            after = checks.version(request.after_version, "subscription.after_version")
            token = self._token(request.token)
            await self._call.enter(self._hub, game, WATCH, token)
            live = await self._hub.live(game)
            viewer = await self._call.viewer(live, token)
            before = self._subscriptions.pop(game, None)
            if before is not None:
                async with self._writing:  # a write that is cancelled halfway must end before the next write
                    before.cancel()
            if len(self._subscriptions) >= MOST_SUBSCRIPTIONS:
                raise invalid("subscription", "too_many_subscriptions", most=MOST_SUBSCRIPTIONS)
        except ApiError as error:
            await self._reject(request.game_id, "", error)
            return
        task = asyncio.create_task(self._follow(game, after, viewer, token))
        self._subscriptions[game] = task
        task.add_done_callback(self._ended)

    async def _follow(self, game: UUID, position: int, viewer: int, token: str) -> None:
        try:
            async with aclosing(self._hub.follow(game, position, self._heartbeat)) as following:
                async for events in following:
                    position = await self._send(game, events, position, viewer, token)
                    del events  # otherwise they stay in memory until the next events
        except (ApiError, IncompatibleTitleError) as error:
            if is_reason(error, "KEY_ENDED", "TOO_SLOW", "SHUTTING_DOWN"):
                raise
            await self._reject(str(game), "", api_error_of(error))

    async def _send(self, game: UUID, events: Sequence[CommittedEvent], position: int, viewer: int, token: str) -> int:
        """Send events of a subscription, or a heartbeat if there are none; return the version that was sent."""
        await self._call.check_key()
        live = await self._hub.live(game)
        self._call.check_seen(live, viewer, token)
        if not events:
            await self._write(_updates.sign_of_life(live, position, self._acting.time))
        for committed in events:
            answer = _updates.event(live, committed, viewer, self._call.language, self._acting.time)
            position = committed.event.originator_version
            await self._write(answer, position)
        return position

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Forget a subscription that is over. Its error ends the stream."""
        for game, other in list(self._subscriptions.items()):
            if other is task:
                del self._subscriptions[game]
        if not task.cancelled() and task.exception() is not None and not self._broken.done():
            self._broken.set_exception(task.exception() or RuntimeError())

    async def _reject(self, game: str, command_id: str, error: ApiError) -> None:
        error = self._call.count_error(error)
        rejection = games_pb2.PlayRejection(
            game_id=game[:64], command_id=command_id[:64], status=self._call.status_of(error)
        )
        await self._write(games_pb2.PlayResponse(rejection=rejection))

    async def _write(self, answer: Message | bytes, version: int = 0) -> None:
        """Write one answer. Raises ``TOO_SLOW`` if the client took too long to read it."""
        async with self._writing:
            begun = time.monotonic()
            await self._call.context.write(answer)
            if time.monotonic() - begun > self._patience:
                raise ApiError("TOO_SLOW", version=version)
