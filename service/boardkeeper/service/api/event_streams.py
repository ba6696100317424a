"""Streams of the events of a game: the newest event is sent with the clocks, and heartbeats are sent between events."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from uuid import UUID

from boardkeeper.service.api.authorization import Authorizer
from boardkeeper.service.api.clock_messages import encode_clocks, game_clocks
from boardkeeper.service.api.embedded_messages import EmbeddedField
from boardkeeper.service.api.event_messages import encode_event
from boardkeeper.service.cache.committed_events import CommittedEvent
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.transport.call import Call
from boardkeeper.v1 import games_pb2

StreamAnswer = games_pb2.WatchGameResponse | games_pb2.PlayResponse


class EventStreams:
    """Sends the events of games in messages of one type, and heartbeats after ``heartbeat_seconds`` without events."""

    def __init__(self, message: type[StreamAnswer], handler: CommandHandler, heartbeat_seconds: float) -> None:
        self._message = message
        self._time = handler.decider.current_time
        self._registry = handler.registry
        self._authorizer = Authorizer(handler.registry)
        self._heartbeat_seconds = heartbeat_seconds
        self._event = EmbeddedField(message, "event")
        self._clocks = EmbeddedField(message, "clocks")

    async def send(
        self,
        game: UUID,
        after: int,
        viewer: int,
        call: Call,
        write: Callable[[StreamAnswer | bytes, int], Awaitable[None]],
        token: str | None = None,
    ) -> None:
        """Send the events after a version as a viewer may see them, until the game has ended.

        ``write`` is called with an answer, and the version that the client has after it. ``token`` is the seat's token
        if it is not the token of the call. Raises as :meth:`GameRegistry.follow` does, and if the caller may no longer
        see the game.
        """
        async with aclosing(self._registry.follow(game, after, self._heartbeat_seconds)) as following:
            async for events in following:
                await call.caller.check_key()
                live = await self._registry.get(game)
                self._authorizer.check_viewer(call, live, viewer, token)
                if not events:
                    await write(self._heartbeat(live, after), after)
                for committed in events:
                    after = committed.event.originator_version
                    await write(self.encode(live, committed, viewer, call.language), after)
                del events  # free the memory before waiting for more events

    def encode(self, live: LiveGame, committed: CommittedEvent, viewer: int, language: str) -> bytes:
        """Return the answer with an event; the newest event has the clocks too."""
        answer = self._event(encode_event(live, committed, viewer, language))
        if live.game.clocks is not None and live.game.version == committed.event.originator_version:
            answer += self._clocks(encode_clocks(live.game, self._time()))
        return answer

    def _heartbeat(self, live: LiveGame, version: int) -> StreamAnswer:
        clocks = game_clocks(live.game, self._time()) if live.game.version == version else None
        return self._message(heartbeat=games_pb2.Heartbeat(game_id=live.id_text, version=version), clocks=clocks)


async def write_in_time(call: Call, answer: StreamAnswer | bytes, version: int, seconds: float) -> None:
    """Send an answer. Raises ``TOO_SLOW`` if the client took longer to read it.

    The client gets this error only after it has read the answer, because a status cannot overtake it.
    """
    begun = time.monotonic()
    await call.context.write(answer)
    if time.monotonic() - begun > seconds:
        raise ApiError("TOO_SLOW", version=version)
