"""The hub: every game that is in memory, and the one way in which commands become stored events.

For each game one command at a time: decide, hand over to the writer, and only after the commit let the game
count the events, tell the watchers and answer. The lock stays with the command until then, even if its
client has gone in between, because deciding has already changed the table; so readers, who take the same
lock, never see anything uncommitted. Whenever something goes wrong on that way the game is dropped from
memory and read again from the log.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import islice
from typing import TypeVar
from uuid import UUID

import structlog
from eventsourcing.persistence import IntegrityError
from msgspec import Struct

from boardkeeper.game.events import GameEnded, GameEvent
from boardkeeper.game.game import ENDED, OPEN, RUNNING, Game
from boardkeeper.game.timeline import Moment
from boardkeeper.service.games.live import CommittedEvent, LiveGame, veiled
from boardkeeper.service.games.past import Past
from boardkeeper.service.games.snapshots import Snapshots
from boardkeeper.service.games.veils import Veils
from boardkeeper.service.reading.reads import log_damage, read, read_game
from boardkeeper.service.reading.turns import Turns
from boardkeeper.service.requests.refusals import (
    GameDamagedError,
    GameRemovedError,
    OverloadError,
    Refusal,
    RejectedError,
    ShuttingDownError,
    StorageFailedError,
    StorageLostError,
    UnknownGameError,
    VersionConflictError,
    VersionOutOfRangeError,
)
from boardkeeper.service.storage.appender import OverloadedError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.files import FilesLostError
from boardkeeper.service.storage.removal import remove_game
from boardkeeper.service.storage.tables import LobbyRow, move_on
from boardkeeper.service.storage.writer import Row, Statement, Stored
from boardkeeper.table.rejections import Rejection

_T = TypeVar("_T")
_log = structlog.get_logger()

_SETTLING_SECONDS = 1.0

PAGE = 200
"""How many events are read from the log at once for somebody who is behind."""

PAGE_BYTES = 1 << 20
"""So many bytes of stored events are enough for a page, however few they are."""

_LOADS_AT_ONCE = 2
_HISTORY_AT_ONCE = 2

Runs = Sequence[tuple[int, int]]
"""Versions that follow each other, as the first and the last of each run."""


class Outcome:
    """What a command did: its events; ``repeated`` if an earlier call with its id did it."""

    __slots__ = ("events", "repeated", "version")

    def __init__(self, version: int, events: Sequence[CommittedEvent], *, repeated: bool = False) -> None:
        self.version = version
        self.events = events
        self.repeated = repeated


class Hub:
    """Games in memory over one application. ``clock`` gives milliseconds since 1970.

    ``limit`` games stay in memory, the least recently used go first; those that nobody used for
    ``idle_seconds`` go at the next :meth:`sweep`. ``on_commit`` is called on the loop after each commit.
    """

    def __init__(
        self,
        application: GameApplication,
        *,
        limit: int = 5_000,
        idle_seconds: float = 900.0,
        clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self.application = application
        self.clock = clock
        self.drained = asyncio.Event()
        self.on_commit: Callable[[LiveGame], None] | None = None
        self._limit = limit
        self._idle_seconds = idle_seconds
        self._games: OrderedDict[UUID, LiveGame] = OrderedDict()
        self._removed: dict[UUID, int] = {}
        self._loading: dict[UUID, _Loading] = {}
        self._loads = Turns(_LOADS_AT_ONCE)
        self.history = Turns(_HISTORY_AT_ONCE)
        """Turns at what takes more than a short read, by game."""
        self.snapshots = Snapshots(application)
        self._past = Past(application, self.snapshots)

    # --- games in memory ------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._games)

    @property
    def draining(self) -> bool:
        """Whether no more commands are accepted."""
        return self.drained.is_set()

    async def live(self, game: UUID) -> LiveGame:
        """The live game of that id, read from the log if need be. Raises ``UnknownGameError``."""
        live = self._games.get(game)
        if live is not None:
            self._games.move_to_end(game)
            live.used = time.monotonic()
            return live
        loading = self._loading.get(game)
        if loading is None:
            loading = self._loading[game] = _Loading()
            loading.task = asyncio.create_task(self._load(game, loading))
            loading.task.add_done_callback(partial(self._loaded, game, loading))
        loading.waiting += 1
        try:
            return await asyncio.shield(loading.task)  # others may wait for the same load
        finally:
            loading.waiting -= 1
            if not loading.waiting and not loading.begun:  # nobody is left who wants it
                self._forget(game, loading)
                loading.task.cancel()

    @asynccontextmanager
    async def holding(self, game: UUID) -> AsyncIterator[LiveGame]:
        """A live game with its lock held, for reading."""
        live = await self.locked(game)
        try:
            yield live
        finally:
            live.lock.release()

    def add(self, live: LiveGame) -> None:
        """Take a game into memory; others go if there are too many."""
        live.used = time.monotonic()
        self._games[live.id] = live
        if len(self._games) > self._limit:
            excess = len(self._games) - self._limit
            idle = (other for other in self._games.values() if other.idle and other is not live)
            for other in list(islice(idle, excess)):
                self._drop(other)

    def sweep(self) -> None:
        """Let go of the games that nobody has used for a while."""
        oldest = time.monotonic() - self._idle_seconds
        for live in [live for live in self._games.values() if live.used < oldest and live.idle]:
            self._drop(live)

    def drain(self) -> None:
        """Accept no more commands and wake every watcher, to be told."""
        self.drained.set()
        for live in self._games.values():
            live.wake()

    async def locked(self, game: UUID) -> LiveGame:
        """A live game with its lock held, to be handed to :meth:`join` or :meth:`store`, or released."""
        while True:
            live = await self.live(game)
            await live.lock.acquire()
            if not live.dropped:
                return live
            live.lock.release()

    async def _load(self, game: UUID, loading: _Loading) -> LiveGame:
        async with self._loads.turn(game):
            loading.begun = True
            live = await self.read_game(game, partial(self._read, game))
        if game in self._removed:  # while it was read
            raise GameRemovedError(game, self._removed[game])
        if live is None:
            raise UnknownGameError(game)
        self.add(live)
        return live

    def _read(self, game: UUID) -> LiveGame | None:
        checked = self.application.load_checked(game)
        if checked is None:
            time = self.application.companions.removed(game)
            if time is not None:
                raise GameRemovedError(game, time)
            return None
        loaded, line, damage = checked
        if damage is not None:
            log_damage(game, damage)
        if loaded is None or line is None:
            raise GameDamagedError(damage.version if damage is not None else 1)
        rebuilt, events = loaded
        return LiveGame(rebuilt, line.seats, Veils(events), damage)

    def _loaded(self, game: UUID, loading: _Loading, task: asyncio.Task[LiveGame]) -> None:
        self._forget(game, loading)
        if not task.cancelled():
            task.exception()  # whoever waits gets it; nobody may be waiting any more

    def _forget(self, game: UUID, loading: _Loading) -> None:
        if self._loading.get(game) is loading:
            del self._loading[game]

    def _drop(self, live: LiveGame) -> None:
        live.drop()
        if self._games.get(live.id) is live:
            del self._games[live.id]

    # --- commands -------------------------------------------------------------------------------------------

    async def submit(
        self, game: UUID, seat: int, commands: Sequence[Struct], command_id: str, expected_version: int | None = None
    ) -> Outcome:
        """Carry out a batch of commands of one seat, durably, or repeat the answer to it.

        Raises ``RejectedError``, ``VersionConflictError``, ``UnknownGameError``, ``GameDamagedError``,
        ``OverloadError``, ``StorageFailedError`` or ``ShuttingDownError``; nothing has changed then, except that after
        ``StorageFailedError`` the commit may still have happened, which repeating the command tells.
        """
        key = command_key(seat, command_id)
        return await self._act(
            game, key, expected_version, lambda it, _past, now: it.decide(seat, commands, key, now), None
        )

    async def request_undo(
        self, game: UUID, seat: int, command_id: str, expected_version: int | None = None
    ) -> Outcome:
        """Take back a seat's last commands, or ask the others whether it may. Raises as :meth:`submit` does."""
        key = command_key(seat, command_id)

        def since(it: Game) -> Runs:
            first = it.undo_from(seat)
            return [] if isinstance(first, Rejection) else it.in_force_since(first)

        return await self._act(
            game, key, expected_version, lambda it, past, now: it.request_undo(seat, past, key, now), since
        )

    async def answer_undo(self, game: UUID, seat: int, request_version: int, consent: bool, command_id: str) -> Outcome:
        """A seat's vote on an undo that another one requested. Raises as :meth:`submit` does."""
        key = command_key(seat, command_id)
        return await self._act(
            game,
            key,
            None,
            lambda it, past, now: it.answer_undo(seat, request_version, consent, past, key, now),
            lambda it: it.in_force_since(it.vote.first_version) if it.vote is not None else [],
        )

    async def _act(
        self,
        game: UUID,
        key: str,
        expected_version: int | None,
        decide: Callable[[Game, Sequence[GameEvent], int], list[GameEvent] | Rejection],
        since: Callable[[Game], Runs] | None,
    ) -> Outcome:
        """Let a locked game decide at the present time, and store that, unless it was done before under this key.

        ``since`` says which of the game's events deciding needs.
        """
        self.check_ready()
        live = await self.locked(game)
        try:
            candidates = live.game.seen.find(key)
            if candidates:
                first = await self._first_outcome(live, key, candidates)
                if first is not None:
                    live.lock.release()
                    return first
            live.check_sound()
            if expected_version is not None and expected_version != live.game.version:
                raise VersionConflictError(expected_version, live.game.version)
            past = await self._since(live, since(live.game)) if since is not None else ()
            now = self.clock()
        except BaseException:
            live.lock.release()
            raise
        try:
            decided = decide(live.game, past, now)
        except BaseException:
            self._abandon(live)
            raise
        if isinstance(decided, Rejection):
            live.lock.release()
            raise RejectedError(decided, live.game.title, live.game.created.setup.edition, live.called)
        try:
            return await self.store(live, decided)
        except IntegrityError as error:
            raise StorageFailedError from error

    async def _since(self, live: LiveGame, runs: Runs) -> Sequence[GameEvent]:
        """Those events of a locked game."""
        return await self.read_game(live.id, partial(self._read_runs, live.id, runs)) if runs else ()

    def _read_runs(self, game: UUID, runs: Runs) -> list[GameEvent]:
        read = self.application.game_events
        return [event for first, last in runs for event in read(game, after=first - 1, until=last)]

    async def create(self, live: LiveGame, events: Sequence[GameEvent], companions: Sequence[Statement]) -> None:
        """Store a game that nobody else knows yet and take it in.

        Raises ``IntegrityError`` for a known request, ``OverloadError`` or ``StorageFailedError``.
        """
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def finish(stored: Stored) -> None:
            if isinstance(stored, Exception):
                _fail(answer, live.id, stored)
                return
            self.add(live)
            if not answer.done():
                answer.set_result(None)
            self.snapshots.note(live, events)
            if self.on_commit is not None:
                self.on_commit(live)

        self._append(events, finish, companions)
        await answer

    async def missing(self, game: UUID) -> Refusal:
        """What to say of a game that is not here: whether it was removed, or never was."""
        removed = await self.read(partial(self.application.companions.removed, game))
        return UnknownGameError(game) if removed is None else GameRemovedError(game, removed)

    async def remove(self, game: UUID) -> int:
        """Remove a game for good, and tell when it was (milliseconds since 1970); it may have been before.

        Whoever watches it is told. Raises ``UnknownGameError``, or what a command may raise.
        """
        self.check_ready()
        removed, is_known = await self.read(
            lambda: (self.application.companions.removed(game), self.application.companions.is_known(game))
        )
        if removed is not None:
            return removed
        if not is_known:
            raise UnknownGameError(game)
        # A command that is under way is seen through first. The game is not loaded for this: it may be beyond reading.
        live = self._games.get(game)
        if live is not None:
            await live.lock.acquire()
        time = self.clock()
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def finish(stored: Stored) -> None:
            if live is not None:
                live.lock.release()
            if isinstance(stored, Exception):
                _fail(answer, game, stored)
                return
            self._removed[game] = time
            self.snapshots.forget(game)
            self.application.damages.pop(game, None)
            present = self._games.get(game)
            for it in (live, present):
                if it is not None:
                    self._drop(it)
            if not answer.done():
                answer.set_result(time)

        try:
            self._append((), finish, remove_game(game, time))
        except BaseException:
            if live is not None:
                live.lock.release()
            raise
        return await answer

    async def join(
        self,
        live: LiveGame,
        seats: Sequence[int],
        entropy: bytes,
        companions: Sequence[Statement],
        apply: Callable[[], None],
    ) -> Outcome:
        """Take seats of a locked game; ``apply`` is called once that is stored. The lock is released in any case."""
        try:
            live.check_sound()
        except GameDamagedError:
            live.lock.release()
            raise
        try:
            events = live.game.join(seats, entropy, "", self.clock())
        except BaseException:
            self._abandon(live)
            raise
        return await self.store(live, events, companions, apply)

    def check_ready(self) -> None:
        """Raises if nothing new can be stored now."""
        if self.draining:
            raise ShuttingDownError
        if isinstance(self.application.trouble, FilesLostError):
            raise StorageLostError
        if self.application.is_full:
            raise OverloadError

    async def store(
        self,
        live: LiveGame,
        events: Sequence[GameEvent],
        companions: Sequence[Statement] = (),
        apply: Callable[[], None] | None = None,
    ) -> Outcome:
        """Append what a locked game decided and let it count; releases the lock.

        If the caller is cancelled while it waits, the append is seen through all the same: what follows the
        commit runs as the writer's callback, not in the caller's task.
        """
        if not events:
            live.lock.release()
            return Outcome(live.game.version, ())
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        try:
            line = lobby_line(live.game, events)
            finish = partial(self._settle, live, events, apply, answer)
            self._append(events, finish, companions, line)
        except BaseException:
            self._abandon(live)
            raise
        return await answer

    def _append(
        self,
        events: Sequence[GameEvent],
        finish: Callable[[Stored], None],
        companions: Sequence[Statement],
        progress: Row | None = None,
    ) -> None:
        """Every append goes this way: the queue may have filled up since :meth:`check_ready`."""
        try:
            self.application.append(events, finish, companions=companions, progress=progress)
        except OverloadedError as error:
            raise OverloadError from error

    def _settle(
        self,
        live: LiveGame,
        events: Sequence[GameEvent],
        apply: Callable[[], None] | None,
        answer: asyncio.Future[Outcome],
        stored: Stored,
    ) -> None:
        """After the commit, or after it failed: this runs exactly once for every append."""
        try:
            if isinstance(stored, Exception):
                raise stored
            if apply is not None:
                apply()
            outcome = Outcome(events[-1].originator_version, live.commit(events))
        except Exception as error:  # noqa: BLE001  # whatever it was, the lock must not stay with it
            self._abandon(live)
            _fail(answer, live.id, error)
            return
        live.lock.release()
        if not answer.done():
            answer.set_result(outcome)
        self.snapshots.note(live, events)
        if self.on_commit is not None:
            self.on_commit(live)

    def _abandon(self, live: LiveGame) -> None:
        """Forget a locked game whose table may hold what is not stored."""
        self._drop(live)
        live.lock.release()

    async def _first_outcome(self, live: LiveGame, key: str, candidates: Sequence[int]) -> Outcome | None:
        """The outcome of a command that was accepted before, if one of the candidates is indeed its first version."""
        for version in candidates:
            last = live.game.seen.next_after(version, live.game.version + 1) - 1
            events = await self._since(live, [(version, last)])
            if events[0].command_id == key:
                return Outcome(last, veiled(live.veils, events), repeated=True)
        return None

    def check(self, live: LiveGame, seat: int, commands: Sequence[Struct]) -> Rejection | None:
        """Whether a held game would carry out a batch of commands; changes nothing."""
        live.check_sound()
        try:
            return live.game.check(seat, commands)
        except BaseException:
            self._drop(live)  # the rules failed halfway: its table cannot be trusted any more
            raise

    # --- reading --------------------------------------------------------------------------------------------

    async def read(self, function: Callable[[], _T]) -> _T:
        """Run a blocking read in a reader thread; what is wrong with the storage is a refusal."""
        return await read(self.application, function)

    async def read_game(self, game: UUID, function: Callable[[], _T]) -> _T:
        """Run a blocking read of one game; raises ``GameDamagedError`` if it fails because the game is damaged."""
        return await read_game(self.application, game, function)

    async def reach(self, game: UUID, version: int | None, seconds: float) -> None:
        """Wait until a game has at least that version.

        Raises ``VersionOutOfRangeError`` if it does not in time, ``ShuttingDownError`` if the service ends first.
        """
        if version is None:
            return
        until = time.monotonic() + seconds
        while True:
            live = await self.live(game)
            if live.game.version >= version:
                return
            left = until - time.monotonic()
            if self.draining:
                raise ShuttingDownError
            if left <= 0 or live.damage is not None:  # nothing more comes of a damaged game
                raise _beyond(live, version)
            await live.changed(left)

    async def settled(self, lines: Iterable[LobbyRow]) -> None:
        """Wait until the games in memory count what these lines of the lobby say already.

        A commit is there for readers of the database a moment before the loop hears of it. Whoever was told a version
        in that moment would be refused it as one that there is not.
        """
        for line in lines:
            live = self._games.get(line.game_id)
            while live is not None and live.lock.locked() and not live.dropped and live.game.version < line.version:
                await live.changed(_SETTLING_SECONDS)

    async def events(self, game: UUID, after: int, limit: int) -> list[CommittedEvent]:
        """A page of committed events from the log, shorter if they are large; for who has a turn at :attr:`history`."""
        live = await self.live(game)
        if after >= live.game.version:
            return []
        events = await self.read_game(
            game,
            partial(
                self.application.game_events,
                game,
                after=after,
                until=live.game.version,
                limit=limit,
                most_bytes=PAGE_BYTES,
            ),
        )
        if not events:
            return []
        first, last = events[0].originator_version, events[-1].originator_version
        if live.game.status == ENDED:  # there everything is open
            return veiled(live.veils, events)
        # The page may cut a command into pieces, but who may know its id all of its events tell.
        begins = live.game.seen.first_of(first)
        ends = live.game.seen.next_after(last, live.game.version + 1)
        earlier = await self._since(live, [(begins, first - 1)] if begins < first else ())
        later = await self._since(live, [(last + 1, ends - 1)] if last + 1 < ends else ())
        return veiled(live.veils, [*earlier, *events, *later])[len(earlier) : len(earlier) + len(events)]

    async def at(self, game: UUID, version: int) -> Moment:
        """How a game stood at a version; nobody else has this object."""
        live = await self.live(game)
        if not 1 <= version <= live.game.version:
            raise _beyond(live, version)
        async with self.history.turn(game):
            return await self._past.at(live, version)

    async def past(self, game: UUID, version: int) -> Game:
        """A game as it was at a version, with all that it takes to go on; nobody else has this object."""
        live = await self.live(game)
        if not 1 <= version <= live.game.version:
            raise _beyond(live, version)
        async with self.history.turn(game):
            past = await self.read_game(game, partial(self.application.load_game, game, until=version))
        if past is None:
            raise UnknownGameError(game)
        return past

    async def fork_point(self, game: UUID, version: int) -> Game:
        """A game as :meth:`past` gives it, at the end of the command that the version belongs to."""
        live = await self.live(game)
        present = live.game.version
        if not 1 <= version <= present:
            raise _beyond(live, version)
        return await self.past(game, live.game.seen.next_after(version, present + 1) - 1)

    async def follow(self, game: UUID, after: int, heartbeat: float) -> AsyncGenerator[Sequence[CommittedEvent], None]:
        """The events after a version as they are committed, without gaps, until the game has ended.

        Yields an empty sequence as a sign of life when nothing happened for ``heartbeat`` seconds. A
        follower keeps nothing but its position: a slow one costs nothing, and reads from the log what it has
        missed. Raises ``VersionOutOfRangeError``, ``ShuttingDownError``, or ``GameDamagedError`` after the last event
        that can be trusted.
        """
        position = after
        while True:
            live = await self.live(game)
            if position > live.game.version:
                raise _beyond(live, position)
            with live.watched():
                while not live.dropped:
                    if position < live.game.version:
                        events = live.recent_after(position) or await self._behind(game, position)
                        yield events
                        position = events[-1].event.originator_version
                    elif live.damage is not None:
                        raise _beyond(live, position + 1)
                    elif live.game.status == ENDED:
                        return
                    elif self.draining:
                        raise ShuttingDownError
                    elif not await live.changed(heartbeat):
                        yield ()

    async def _behind(self, game: UUID, position: int) -> Sequence[CommittedEvent]:
        """What somebody who is behind reads next."""
        async with self.history.turn(game):
            return await self.events(game, position, PAGE)


class _Loading:
    """A game that is being read: how many wait for it, and whether its turn has come."""

    __slots__ = ("begun", "task", "waiting")

    task: asyncio.Task[LiveGame]

    def __init__(self) -> None:
        self.waiting = 0
        self.begun = False


def _beyond(live: LiveGame, version: int) -> Refusal:
    """Why a game has no such version: it is damaged from there or before, or has not got so far."""
    if live.damage is not None and version >= live.damage.version:
        return GameDamagedError(live.damage.version)
    return VersionOutOfRangeError(version, live.game.version)


def _fail(answer: asyncio.Future[_T], game: UUID, error: Exception) -> None:
    """Tell whoever waits that an append failed; only a conflict is something they can act upon."""
    if not isinstance(error, IntegrityError):
        _log.error("append failed", game=str(game), error=repr(error))
    if answer.done():
        return
    match error:
        case IntegrityError():
            answer.set_exception(error)
        case FilesLostError():
            answer.set_exception(StorageLostError())
        case _:
            answer.set_exception(StorageFailedError())


def command_key(seat: int, command_id: str) -> str:
    """The name under which a command is stored: clients of different seats may choose the same ids."""
    return f"{seat}:{command_id}"


def client_command_id(key: str) -> str:
    """What the client called its command."""
    return key.partition(":")[2]


def seat_of(key: str) -> int:
    """The seat whose command it is; -2 for what is nobody's."""
    seat = key.partition(":")[0]
    return int(seat) if seat.isascii() and seat.isdecimal() else -2


def lobby_line(game: Game, events: Sequence[GameEvent]) -> Row:
    """The lobby's line for a game that is about to have these events."""
    last = events[-1]
    if isinstance(last.detail, GameEnded):
        status = ENDED
    else:
        status = OPEN if game.play is None else RUNNING
    standings = game.play.standings() if game.play is not None and status == ENDED else ()
    return move_on(game.id, last.originator_version, last.time, status, game.table.decisions[1:], list(standings))
