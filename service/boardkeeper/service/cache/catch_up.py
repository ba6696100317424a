"""Reading the events that other processes have stored for locked games, several games in one read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextvars import Context
from functools import partial
from typing import NamedTuple
from uuid import UUID

from boardkeeper.game.events import SEAT_EVENTS, GameEvent
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.rows import SeatRow
from boardkeeper.service.storage_reads import translate_errors


class CatchUp(NamedTuple):
    """The stored events after a game's version in memory, and the seats after them."""

    events: Sequence[GameEvent]
    seats: Sequence[SeatRow]


_Requests = dict[LiveGame, asyncio.Future[CatchUp | Exception]]


class CatchUpReader:
    """Reads the missing events of locked games. Requests that arrive during a read share the next read."""

    def __init__(self, application: GameApplication) -> None:
        self._application = application
        self._requests: _Requests = {}
        self._reading: asyncio.Task[None] | None = None

    async def read(self, live: LiveGame) -> CatchUp:
        """Return the events that other processes stored for a game; often there are none.

        Raises ``MapperDeserialisationError`` if the stored events do not continue those in memory, or the errors of
        :func:`~boardkeeper.service.storage_reads.translate_errors`.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[CatchUp | Exception] = loop.create_future()
        self._requests[live] = future
        if self._reading is None:
            self._reading = loop.create_task(self._read_all(), context=Context())  # the task serves several calls
        result = await future
        del future  # break the cycle between the error and this frame
        if isinstance(result, CatchUp):
            return result
        try:
            with translate_errors():
                raise result.with_traceback(None)  # several callers may get the same error
        finally:
            del result

    async def _read_all(self) -> None:
        try:
            while self._requests:
                requests, self._requests = self._requests, {}
                await self._answer({live: future for live, future in requests.items() if not future.done()})
        finally:
            self._reading = None
            _cancel(self._requests)

    async def _answer(self, requests: _Requests) -> None:
        if not requests:
            return
        try:
            results: list[CatchUp | Exception] = await self._application.read(partial(self._read, list(requests)))
        except Exception as error:  # noqa: BLE001  # the callers of this read get it
            results = [error.with_traceback(None)] * len(requests)
        except BaseException:
            _cancel(requests)
            raise
        for future, result in zip(requests.values(), results, strict=True):
            if not future.done():
                future.set_result(result)

    def _read(self, games: Sequence[LiveGame]) -> list[CatchUp | Exception]:
        """Read missing events in a reader thread. The games are locked, so their versions and seats do not change."""
        after: dict[UUID, int] = {}
        for live in games:  # two objects can be the same game: a dropped one and the current one
            after[live.id] = min(live.game.version, after.get(live.id, live.game.version))
        events = self._application.read_new_events(after)
        return [self._with_seats(live, events[live.id]) for live in games]

    def _with_seats(self, live: LiveGame, events: list[GameEvent] | Exception) -> CatchUp | Exception:
        if isinstance(events, Exception):
            return events
        events = [event for event in events if event.originator_version > live.game.version]
        if not any(type(event.detail) in SEAT_EVENTS for event in events):
            return CatchUp(events, live.seats)
        try:
            return CatchUp(events, self._application.game_tables.seats(live.id))
        except Exception as error:  # noqa: BLE001  # isolate the failure to this game
            return error.with_traceback(None)


def _cancel(requests: _Requests) -> None:
    for future in requests.values():
        future.cancel()
    requests.clear()
