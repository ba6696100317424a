"""Other processes on the same database: what they do to the games that this one has in memory.

Any process may take any command for any game. What keeps histories right is the guard of every append: it goes through
only at the version at which it was decided. All here is for seeing soon what others did, and for never refusing
anything because of an old board. What is heard of others is a hint: it marks a game as stale, which is read up when
somebody next wants it, and at once if somebody waits for it. Hints that are lost are made up for by asking for the
versions of all games in memory now and then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextvars import Context
from functools import partial
from itertools import islice
from typing import NamedTuple, Protocol
from uuid import UUID

import structlog
from eventsourcing.persistence import MapperDeserialisationError

from boardkeeper.game.events import SEAT_EVENTS, GameEvent
from boardkeeper.game.game import OPEN
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.requests.errors import ApiError, is_reason
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.rows import SeatRow
from boardkeeper.service.storage_reads import read, translate_errors


class CatchUp(NamedTuple):
    """The events behind a game's version, and the seats that it has then."""

    events: Sequence[GameEvent]
    seats: Sequence[SeatRow]


Asked = dict[LiveGame, asyncio.Future[CatchUp | Exception]]


class CatchUpReader:
    """Reads tails of locked games. The lock prevents two reads of the same tail at a time."""

    def __init__(self, application: GameApplication) -> None:
        self._application = application
        self._asked: Asked = {}
        self._reading: asyncio.Task[None] | None = None

    async def of(self, live: LiveGame) -> CatchUp:
        """What others stored of a game; often nothing.

        Raises ``MapperDeserialisationError`` if it does not go on from what is known here, or what
        :func:`~boardkeeper.service.storage_reads.translate_errors` does.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[CatchUp | Exception] = loop.create_future()
        self._asked[live] = answer
        if self._reading is None:
            self._reading = loop.create_task(self._read_all(), context=Context())  # it belongs to no call
        tail = await answer
        del answer  # it would hold the error that holds this frame
        if isinstance(tail, CatchUp):
            return tail
        try:
            with translate_errors():
                raise tail.with_traceback(None)  # several callers may get it
        finally:
            del tail

    async def _read_all(self) -> None:
        try:
            while self._asked:
                asked, self._asked = self._asked, {}
                await self._answer({live: answer for live, answer in asked.items() if not answer.done()})
        finally:
            self._reading = None
            _give_up(self._asked)  # they would never be answered

    async def _answer(self, asked: Asked) -> None:
        """Read the tails of these games, and answer those callers that still wait."""
        if not asked:
            return
        try:
            found: list[CatchUp | Exception] = await self._application.read(partial(self._found, list(asked)))
        except Exception as error:  # noqa: BLE001  # the callers of this read get it
            found = [error.with_traceback(None)] * len(asked)
        except BaseException:
            _give_up(asked)
            raise
        for answer, tail in zip(asked.values(), found, strict=True):
            if not answer.done():
                answer.set_result(tail)

    def _found(self, games: Sequence[LiveGame]) -> list[CatchUp | Exception]:
        """In a reader thread; the games are locked, so that their versions and seats stay."""
        after: dict[UUID, int] = {}
        for live in games:  # one that was dropped may be among them beside the one in its place
            after[live.id] = min(live.game.version, after.get(live.id, live.game.version))
        tails = self._application.tails(after)
        return [self._with_seats(live, tails[live.id]) for live in games]

    def _with_seats(self, live: LiveGame, events: list[GameEvent] | Exception) -> CatchUp | Exception:
        if isinstance(events, Exception):
            return events
        events = [event for event in events if event.originator_version > live.game.version]
        if not any(type(event.detail) in SEAT_EVENTS for event in events):
            return CatchUp(events, live.seats)
        try:
            return CatchUp(events, self._application.game_tables.seats(live.id))
        except Exception as error:  # noqa: BLE001  # the others are none the worse
            return error.with_traceback(None)


def _give_up(asked: Asked) -> None:
    for answer in asked.values():
        answer.cancel()
    asked.clear()


WAITED_FOR_SECONDS = 1.0
"""How often the games are asked for that somebody watches or waits for."""

ALL_EVERY = 10
"""So many of these times all games in memory are asked for."""

_ASKED_AT_ONCE = 1_000
_LOOKS = 4
"""So often in a row it is vain to look for what others did before it is thought that they do not come back.

A look costs a fraction of a command, and a command that is decided on an old board costs all of it once more.
"""
_log = structlog.get_logger()


class Games(Protocol):
    """Those that are in memory."""

    def loaded_games(self) -> Iterable[LiveGame]: ...

    def peek(self, game: UUID) -> LiveGame | None: ...

    def drop(self, live: LiveGame) -> None: ...

    def reload_if_loading(self, game: UUID | None) -> None: ...


class PeerSync:
    """Keeps games in memory up to date with what other processes store. Does nothing where there are none.

    ``read_up`` counts the times that something was found.
    """

    def __init__(self, application: GameApplication, games: Games) -> None:
        self._application = application
        self._games = games
        self._tails = CatchUpReader(application)
        self.is_enabled = application.database.is_shared
        self.read_up = 0
        self.on_news: Callable[[PeerChanges], None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Listen from now on; for the event loop's thread."""
        if self.is_enabled:
            loop = asyncio.get_running_loop()
            self._application.database.listen(partial(_on_loop, loop, self.hear))

    def is_stale(self, live: LiveGame) -> bool:
        """Whether others may have gone on with a game. Of one with free seats nobody is told who may come."""
        return live.is_stale or (self.is_enabled and live.game.status == OPEN)

    async def catch_up(self, live: LiveGame) -> bool:
        """Read what others stored of a game whose lock is held: whether anything is otherwise than it was here.

        A game that does not go on as it should is dropped: whoever asks for it next reads all of it.
        """
        live.is_stale = False  # before it is read: what is heard of meanwhile is about what comes then
        if not self.is_enabled or live.damage is not None:
            return False
        if live.needs_reload:  # more than new events: whoever asks for it next reads all of it
            self._games.drop(live)
            return True
        try:
            events, seats = await self._tails.of(live)
        except BaseException as error:
            if isinstance(error, MapperDeserialisationError) or is_reason(error, "STORAGE_DAMAGED"):
                self._games.drop(live)
                return True
            live.is_stale = True
            raise
        if events:
            live.polls_left = _LOOKS
        elif not live.is_up_to_date:
            live.polls_left = max(live.polls_left - 1, 0)
        live.is_up_to_date = True
        if not events:
            return False
        try:
            live.follow(events, seats)
        except BaseException:
            self._games.drop(live)  # it may have gone half of the way
            raise
        self.read_up += 1
        return True

    async def freshen(self, live: LiveGame) -> None:
        """Catch up with a game whose lock is free."""
        async with live.lock:
            if not live.is_dropped:
                await self.catch_up(live)

    # --- what is heard --------------------------------------------------------------------------------------

    def hear(self, news: PeerChanges) -> None:
        """Others did something."""
        if self.on_news is not None:
            self.on_news(news)
        if news.has_gap:  # names and tokens, too, and after a failover even events may be others
            self.doubt_all()
        for game, version in news.new_versions.items():
            moved = self._games.peek(game)
            if moved is not None and moved.game.version < version:  # a late hint tells nothing new
                self._mark(moved)
            self._games.reload_if_loading(game)
        for game in news.changed_games:
            changed = self._games.peek(game)
            if changed is not None:
                self._mark(changed, needs_reload=True)  # who watches it goes on with what is read anew
            self._games.reload_if_loading(game)

    def doubt_all(self) -> None:
        """Anything may have happened to any game: each is read anew when it is next wanted."""
        for live in list(self._games.loaded_games()):
            self._mark(live, needs_reload=True)
        self._games.reload_if_loading(None)

    def _mark(self, live: LiveGame, *, needs_reload: bool = False) -> None:
        live.is_stale = True
        live.needs_reload = live.needs_reload or needs_reload
        if live.has_waiters:
            task = asyncio.get_running_loop().create_task(self._freshen_somehow(live))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _freshen_somehow(self, live: LiveGame) -> None:
        try:
            async with live.lock:
                if live.is_stale and not live.is_dropped:
                    await self.catch_up(live)
        except ApiError:  # the storage is away: the next look may go better
            pass
        except Exception:  # noqa: BLE001  # a hint is nobody's request
            _log.exception("reading up failed", game=live.id_text)

    async def run(self) -> None:
        """Make up for lost hints, for ever."""
        turn = 0
        while self.is_enabled:
            await asyncio.sleep(WAITED_FOR_SECONDS)
            turn += 1
            try:
                is_turn_of_all = turn % ALL_EVERY == 0
                if is_turn_of_all and not self._application.database.notifies_changes:
                    self.doubt_all()  # nothing else shows here that a name was erased or a token replaced
                await self.look(waited_for=not is_turn_of_all)
            except ApiError:
                pass
            except Exception:  # noqa: BLE001  # the next look may go better
                _log.exception("looking for what others did failed")

    async def look(self, *, waited_for: bool = False) -> None:
        """Compare the games in memory with the database, or only those that somebody waits for."""
        games = iter([live for live in self._games.loaded_games() if live.has_waiters or not waited_for])
        while some := list(islice(games, _ASKED_AT_ONCE)):
            versions = await read(
                self._application, partial(self._application.event_log.versions, [live.id for live in some])
            )
            for live in some:
                is_sound = live.damage is None and not live.lock.locked()  # who holds the lock will see
                if is_sound and versions.get(live.id) != live.game.version:
                    self._mark(live)


def _on_loop(loop: asyncio.AbstractEventLoop, hear: Callable[[PeerChanges], None], news: PeerChanges) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(hear, news)
