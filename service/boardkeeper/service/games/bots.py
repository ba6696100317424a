"""Bots: the server plays their seats with the commands that clients use.

Games with people in which a bot must decide are in one queue. Workers take a game from its head and play one decision;
the commit puts the game at the tail again if a bot must decide next.

Games of bots alone are played one at a time, each to its end, only while no game with people waits for a bot. Their
number is limited.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from uuid import UUID

import structlog
from msgspec import Struct

from boardkeeper.game.game import Game
from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.bot_processes import BotProcesses
from boardkeeper.service.games.bot_worker import Decision
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.tasks import repeat
from boardkeeper.table.forking import differing_layout
from boardkeeper.table.table_values import ValueStore
from boardkeeper.titlekit.bots import HARD, ask_bot, chance_of, limits_of
from boardkeeper.titlekit.search import SearchLimits
from boardkeeper.titlekit.title_guard import TitleFailedError
from boardkeeper.titles.registry import BUILT_IN

MAX_BOT_GAMES = 100
"""The maximum number of games of bots alone that are in progress or wait."""

_WORKERS = 64
"""The number of decisions that are in progress at the same time. Most of them wait for a process that thinks."""

_MAX_DECISIONS = 4
"""The number of decisions that are made or stored at the same time, without those that think."""

_RETRY_SECONDS = 1.0
_FAILURE_SECONDS = 60.0
"""After a failure in a game with people, the bot tries again after this time; each failure doubles the time."""

_MAX_FAILURE_SECONDS = 3600.0
_MAX_FAILED = 1_000
_ABANDONED_MILLISECONDS = 5_000
_SEARCH_SECONDS = 5.0
_TAKEN_OVER_PER_SEARCH = 20
_SEARCH_FAILED = "searching for games in which bots must decide failed"
_log = structlog.get_logger()


class Bots:
    """Plays the bot seats of games from :meth:`start` to :meth:`stop`.

    ``decisions`` counts decisions of bots, ``failures`` their errors.
    """

    def __init__(
        self, handler: CommandHandler, processes: BotProcesses | None = None, rollouts: int = HARD.rollouts
    ) -> None:
        """``processes`` think for the levels that search. ``rollouts`` is the effort of ``hard`` for one decision."""
        self._handler = handler
        self._registry = handler.registry
        self._processes = processes or BotProcesses(1, BUILT_IN)
        self._rollouts = rollouts
        self._turns = asyncio.Semaphore(_MAX_DECISIONS)
        self._waiting: asyncio.Queue[UUID] = asyncio.Queue()
        self._queued: set[UUID] = set()
        self._idle = asyncio.Event()  # set while no game with people waits for a bot
        self._idle.set()
        self._bot_games: OrderedDict[UUID, None] = OrderedDict()  # the first one is played
        self._has_bot_games = asyncio.Event()
        self._playing = 0
        self.decisions = 0
        self.failures = 0
        self._failed: dict[UUID, int] = {}
        self._being_created: set[UUID] = set()
        self._workers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Play the bots of all games, including those of an earlier run of the server."""
        self._handler.writer.on_commit = self._queue_if_bot_decides
        self._workers = [asyncio.create_task(self._work(), name=f"bots-{at}") for at in range(_WORKERS)]
        self._workers.append(asyncio.create_task(self._play_bot_games(), name="bots-only"))
        is_shared = self._registry.peer_sync.is_enabled
        find = repeat(_SEARCH_SECONDS, self._take_over, _SEARCH_FAILED) if is_shared else self._find_waiting()
        self._workers.append(asyncio.create_task(find, name="bots-find"))

    async def stop(self) -> None:
        """Stop playing."""
        self._handler.writer.on_commit = None
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        await self._processes.close()

    @property
    def waiting(self) -> int:
        """The number of games with people that wait for a bot."""
        return len(self._queued) + self._playing

    @property
    def waiting_bot_games(self) -> int:
        """The number of games of bots alone that are in progress or wait."""
        return len(self._bot_games)

    @contextmanager
    def reserve_bot_game(self, game: UUID) -> Iterator[None]:
        """Count a game of bots alone while it is created. Raises ``TOO_MANY_BOT_GAMES``."""
        if len(self._being_created | self._bot_games.keys()) >= MAX_BOT_GAMES:  # a game that was just stored is in both
            raise ApiError("TOO_MANY_BOT_GAMES", most=MAX_BOT_GAMES)
        self._being_created.add(game)
        try:
            yield
        finally:
            self._being_created.discard(game)

    async def _find_waiting(self) -> None:
        """Queue the games in which a bot had to decide when the server stopped, page by page."""
        application = self._registry.application
        after: int | None = 0
        try:
            while after is not None:
                games, after = await application.read(partial(application.game_tables.running_with_bots, after))
                for game in games:
                    self._enqueue(game)
        except Exception:  # noqa: BLE001  # the next action in such a game wakes its bot
            _log.exception(_SEARCH_FAILED)

    async def _take_over(self) -> None:
        """Queue games in which another process has not played a bot for a while.

        A process plays the bots after its own commits, so this finds the games of a process that ended or is too busy.
        If two processes play the same game, both decide the same, and one repeats the outcome of the other.
        """
        before = self._handler.clock() - _ABANDONED_MILLISECONDS
        application = self._registry.application
        find = partial(application.game_tables.overdue_bot_games, before, _TAKEN_OVER_PER_SEARCH)
        for game in await application.read(find):
            self._enqueue(game)

    def _queue_if_bot_decides(self, live: LiveGame) -> None:
        if live.find_deciding_bot():
            self._queue(live)

    def _queue(self, live: LiveGame) -> None:
        if live.has_only_bots:
            self._bot_games[live.id] = None
            self._has_bot_games.set()
        else:
            self._enqueue(live.id)

    def _enqueue(self, game: UUID) -> None:
        if game not in self._queued:
            self._queued.add(game)
            self._waiting.put_nowait(game)
            self._idle.clear()

    async def _work(self) -> None:
        """Play the games of people, one decision of each at a time."""
        while True:
            game = await self._waiting.get()
            self._queued.discard(game)
            self._playing += 1
            try:
                live = await self._registry.get(game)
                if live.has_only_bots:  # the search at the start queues games without loading them
                    self._queue_if_bot_decides(live)
                else:
                    await self._play(game)
            except ApiError as error:
                if error.reason == "SHUTTING_DOWN":
                    return
                if self._can_retry(game, error):
                    asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._enqueue, game)
            except Exception as error:  # noqa: BLE001  # a failing bot must not stop other games
                tries = self._count_failure(game, error)
                delay = min(_FAILURE_SECONDS * 2 ** (tries - 1), _MAX_FAILURE_SECONDS)
                asyncio.get_running_loop().call_later(delay, self._enqueue, game)
            await asyncio.sleep(0)
            self._playing -= 1
            if not self._queued and not self._playing:
                self._idle.set()

    async def _play_bot_games(self) -> None:
        """Play the games of bots alone, each to its end, while no game with people waits for a bot."""
        while True:
            await self._has_bot_games.wait()
            game = next(iter(self._bot_games))
            is_running, has_error = True, False
            while is_running and not has_error:
                await self._idle.wait()
                try:
                    is_running = await self._play(game)
                except ApiError as error:
                    if error.reason == "SHUTTING_DOWN":
                        return
                    is_running = has_error = self._can_retry(game, error)
                    if has_error:
                        await asyncio.sleep(_RETRY_SECONDS)
                except Exception as error:  # noqa: BLE001  # the other games continue
                    self._count_failure(game, error)
                    self._registry.report_failure(game, error)
                    is_running = False
                await asyncio.sleep(0)
            self._bot_games.move_to_end(game)
            if not is_running:
                del self._bot_games[game]
            if not self._bot_games:
                self._has_bot_games.clear()

    def _count_failure(self, game: UUID, error: Exception) -> int:
        """Count and log that a bot failed; return the number of consecutive failures in this game."""
        self.failures += 1
        about = {"title": error.title, "package": error.build} if isinstance(error, TitleFailedError) else {}
        _log.exception("bot failed", game=str(game), **about)
        if len(self._failed) >= _MAX_FAILED:
            self._failed.clear()
        self._failed[game] = self._failed.get(game, 0) + 1
        return self._failed[game]

    def _can_retry(self, game: UUID, error: ApiError) -> bool:
        """Count and log an error of a game's bot; return whether the bot tries again."""
        if error.reason in ("GAME_DAMAGED", "GAME_REMOVED", "TITLE_INCOMPATIBLE"):
            return False
        _log.warning("bot command rejected", game=str(game), reason=error.reason, message=error.message)
        self.failures += 1
        return True

    async def _play(self, game: UUID) -> bool:
        """Play one decision of a bot; return false if no bot must decide."""
        async with self._turns, self._registry.lock(game) as live:
            seat = live.find_deciding_bot()
            if not seat:
                return False
            own, version = live.game, live.game.version
            bot, chance, legal = own.seats.bot(seat), chance_of(own.bot_key(), version), list(own.legal(seat))
            limits = limits_of(bot, self._rollouts) if len(legal) > 1 else None
            if limits is None:
                command = ask_bot(own.title, own.created.setup, own.table, bot, seat, legal, chance)
            else:
                decision = _decision(own, bot, seat, legal, chance, limits)
        if limits is not None:
            command = legal[await self._processes.choose(decision)]
        try:
            action = SubmitCommands([command], by_bot=True)
            async with self._turns:
                outcome = await self._handler.act(game, seat, action, f"bot-{version}", version)
        except ApiError as error:
            if error.reason != "VERSION_CONFLICT":
                raise
            return True  # another process has played this decision
        self.decisions += not outcome.repeated
        self._failed.pop(game, None)
        return True


def _decision(
    game: Game, bot: str, seat: int, legal: Sequence[Struct], chance: float, limits: SearchLimits
) -> Decision:
    """Return a decision for a process."""
    setup, table = game.created.setup, game.table
    layout = differing_layout(table, game.title.layout(setup))
    return Decision(game.title.meta.id, setup, layout, ValueStore(table).save(), bot, seat, legal, chance, limits)
