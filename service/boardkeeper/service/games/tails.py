"""What other processes stored behind the versions that games have here, read for many games at once.

Whoever asks while one read is under way is part of the next one: processes that take turns at many games ask the
database once for a number of commands, and not once for each.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextvars import Context
from functools import partial
from typing import NamedTuple
from uuid import UUID

from boardkeeper.game.events import SEAT_EVENTS, GameEvent
from boardkeeper.service.games.live import LiveGame
from boardkeeper.service.reading.reads import translate_errors
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.rows import SeatRow


class Tail(NamedTuple):
    """The events behind a game's version, and the seats that it has then."""

    events: Sequence[GameEvent]
    seats: Sequence[SeatRow]


Asked = dict[LiveGame, asyncio.Future[Tail | Exception]]


class Tails:
    """Reads tails of games that are locked, so that nobody asks for the same one twice at a time."""

    def __init__(self, application: GameApplication) -> None:
        self._application = application
        self._asked: Asked = {}
        self._reading: asyncio.Task[None] | None = None

    async def of(self, live: LiveGame) -> Tail:
        """What others stored of a game; often nothing.

        Raises ``MapperDeserialisationError`` if it does not go on from what is known here, or what
        :func:`~boardkeeper.service.reading.reads.translate_errors` does.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Tail | Exception] = loop.create_future()
        self._asked[live] = answer
        if self._reading is None:
            self._reading = loop.create_task(self._read_all(), context=Context())  # it is nobody's call
        tail = await answer
        del answer  # it would hold the error that holds this frame
        if isinstance(tail, Tail):
            return tail
        try:
            with translate_errors():
                raise tail.with_traceback(None)  # it may be told to several
        finally:
            del tail

    async def _read_all(self) -> None:
        try:
            while self._asked:
                asked, self._asked = self._asked, {}
                await self._answer({live: answer for live, answer in asked.items() if not answer.done()})
        finally:
            self._reading = None
            _give_up(self._asked)  # nobody else would ever answer them

    async def _answer(self, asked: Asked) -> None:
        """Read what these games have; whoever does not wait any more is told nothing."""
        if not asked:
            return
        try:
            found: list[Tail | Exception] = await self._application.read(partial(self._found, list(asked)))
        except Exception as error:  # noqa: BLE001  # whatever it was, it is theirs who asked
            found = [error.with_traceback(None)] * len(asked)
        except BaseException:
            _give_up(asked)
            raise
        for answer, tail in zip(asked.values(), found, strict=True):
            if not answer.done():
                answer.set_result(tail)

    def _found(self, games: Sequence[LiveGame]) -> list[Tail | Exception]:
        """In a reader thread; the games are locked, so that their versions and seats stay."""
        after: dict[UUID, int] = {}
        for live in games:  # one that was dropped may be among them beside the one in its place
            after[live.id] = min(live.game.version, after.get(live.id, live.game.version))
        tails = self._application.tails(after)
        return [self._with_seats(live, tails[live.id]) for live in games]

    def _with_seats(self, live: LiveGame, events: list[GameEvent] | Exception) -> Tail | Exception:
        if isinstance(events, Exception):
            return events
        events = [event for event in events if event.originator_version > live.game.version]
        if not any(type(event.detail) in SEAT_EVENTS for event in events):
            return Tail(events, live.seats)
        try:
            return Tail(events, self._application.companions.seats(live.id))
        except Exception as error:  # noqa: BLE001  # the others are none the worse
            return error.with_traceback(None)


def _give_up(asked: Asked) -> None:
    for answer in asked.values():
        answer.cancel()
    asked.clear()
