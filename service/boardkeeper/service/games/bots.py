"""Bot seats: the service plays them itself, through the same door as everybody else.

Games in which a bot has to decide stand in one queue. A few workers take a game from its head, play one
decision and put the game at its tail if a bot has more to do.

Games in which nobody sits but bots are another matter: whoever asks for one has gone the next moment, and it is played
to its end on our time. They are played one after the other, while no game with people in it waits for a bot, and only
so many of them are taken on.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from uuid import UUID

import structlog

from boardkeeper.game.bot_dice import chance_of
from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.tasks import repeat
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.title_guard import TitleFailedError

MOST_BOT_GAMES = 100
"""Games of bots alone that may be under way or wait for it."""

_WORKERS = 4
_RETRY_SECONDS = 1.0
_FAILURE_SECONDS = 60.0
"""A bot that failed in a game with people tries again after this time, then after twice as long, and so on."""

_MOST_FAILURE_SECONDS = 3600.0
_MOST_FAILED = 1_000
_LEFT_BEHIND_MILLISECONDS = 5_000
_LOOK_SECONDS = 5.0
_TAKEN_OVER_AT_ONCE = 20
_FIND_FAILED = "looking for games in which bots decide failed"
_log = structlog.get_logger()


class Bots:
    """Plays the bot seats of games from :meth:`start` to :meth:`stop`.

    ``decisions`` counts those that bots have taken, ``failures`` those that went wrong.
    """

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler
        self._registry = handler.registry
        self._waiting: asyncio.Queue[UUID] = asyncio.Queue()
        self._queued: set[UUID] = set()
        self._idle = asyncio.Event()  # no game with people waits for a bot
        self._idle.set()
        self._alone: OrderedDict[UUID, None] = OrderedDict()  # the first of them is the one that is played
        self._some_alone = asyncio.Event()
        self._playing = 0
        self.decisions = 0
        self.failures = 0
        self._failed: dict[UUID, int] = {}
        self._making: set[UUID] = set()
        self._workers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Look after every game from now on, those of an earlier run of the service included."""
        self._handler.writer.on_commit = self._notice
        self._workers = [asyncio.create_task(self._work(), name=f"bots-{at}") for at in range(_WORKERS)]
        self._workers.append(asyncio.create_task(self._work_alone(), name="bots-alone"))
        is_shared = self._registry.peer_sync.is_enabled
        find = repeat(_LOOK_SECONDS, self._take_over, _FIND_FAILED) if is_shared else self._find()
        self._workers.append(asyncio.create_task(find, name="bots-find"))

    async def stop(self) -> None:
        """Decide nothing more."""
        self._handler.writer.on_commit = None
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    @property
    def waiting(self) -> int:
        """In how many games with people a bot is waited for."""
        return len(self._queued) + self._playing

    @property
    def waiting_alone(self) -> int:
        """How many games of bots alone go on."""
        return len(self._alone)

    @contextmanager
    def room(self, game: UUID) -> Iterator[None]:
        """Around the making of a game of bots alone. Raises ``TOO_MANY_BOT_GAMES``."""
        if len(self._making | self._alone.keys()) >= MOST_BOT_GAMES:  # one that was just stored is in both
            raise ApiError("TOO_MANY_BOT_GAMES", most=MOST_BOT_GAMES)
        self._making.add(game)
        try:
            yield
        finally:
            self._making.discard(game)

    async def _find(self) -> None:
        """Have those games played on in which it was a bot's turn when the service ended, page by page."""
        application = self._registry.application
        after: int | None = 0
        try:
            while after is not None:
                games, after = await application.read(partial(application.game_tables.running_with_bots, after))
                for game in games:
                    self._enqueue(game)
        except Exception:  # noqa: BLE001  # the service goes on: a bot is found when somebody acts in its game
            _log.exception(_FIND_FAILED)

    async def _take_over(self) -> None:
        """Find games in which another process has left the turn of a bot undone.

        A process plays the turns that its own commits opened, so this finds the turns that a process left when it ended
        or was too busy. If two processes take over the same game, both decide the same, and one finds it done.
        """
        before = self._handler.clock() - _LEFT_BEHIND_MILLISECONDS
        application = self._registry.application
        find = partial(application.game_tables.overdue_bot_games, before, _TAKEN_OVER_AT_ONCE)
        for game in await application.read(find):
            self._enqueue(game)

    def _notice(self, live: LiveGame) -> None:
        if live.find_deciding_bot():
            self._sort(live)

    def _sort(self, live: LiveGame) -> None:
        if live.has_only_bots:
            self._alone[live.id] = None
            self._some_alone.set()
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
                if live.has_only_bots:  # found at the start, by its id
                    self._notice(live)
                else:
                    await self._play(game)
            except ApiError as error:
                if error.reason == "SHUTTING_DOWN":
                    return
                if self._is_retried(game, error):
                    asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._enqueue, game)
            except Exception as error:  # noqa: BLE001  # a failing bot must not stop other games
                tries = self._note_failure(game, error)
                delay = min(_FAILURE_SECONDS * 2 ** (tries - 1), _MOST_FAILURE_SECONDS)
                asyncio.get_running_loop().call_later(delay, self._enqueue, game)
            await asyncio.sleep(0)
            self._playing -= 1
            if not self._queued and not self._playing:
                self._idle.set()

    async def _work_alone(self) -> None:
        """Play the games of bots alone, each to its end, whenever nobody else waits for a bot."""
        while True:
            await self._some_alone.wait()
            game = next(iter(self._alone))
            going, refused = True, False
            while going and not refused:
                await self._idle.wait()
                try:
                    going = await self._play(game)
                except ApiError as error:
                    if error.reason == "SHUTTING_DOWN":
                        return
                    going = refused = self._is_retried(game, error)
                    if refused:
                        await asyncio.sleep(_RETRY_SECONDS)
                except Exception as error:  # noqa: BLE001  # the other games continue
                    self._note_failure(game, error)
                    self._registry.report_failure(game, error)
                    going = False
                await asyncio.sleep(0)
            self._alone.move_to_end(game)
            if not going:
                del self._alone[game]
            if not self._alone:
                self._some_alone.clear()

    def _note_failure(self, game: UUID, error: Exception) -> int:
        """Count and log that a bot failed; return how often in a row it has failed in this game."""
        self.failures += 1
        about = {"title": error.title, "package": error.build} if isinstance(error, TitleFailedError) else {}
        _log.exception("bot failed", game=str(game), **about)
        if len(self._failed) >= _MOST_FAILED:
            self._failed.clear()
        self._failed[game] = self._failed.get(game, 0) + 1
        return self._failed[game]

    def _is_retried(self, game: UUID, error: ApiError) -> bool:
        """Count and log an error of a game's bot; return whether the bot tries again."""
        if error.reason in ("GAME_DAMAGED", "GAME_REMOVED", "TITLE_INCOMPATIBLE"):
            return False
        _log.warning("bot command rejected", game=str(game), reason=error.reason, message=error.message)
        self.failures += 1
        return True

    async def _play(self, game: UUID) -> bool:
        """One decision of one bot seat; false if there is none to take."""
        async with self._registry.lock(game) as live:
            seat = live.find_deciding_bot()
            if not seat:
                return False
            own, version = live.game, live.game.version
            chance, legal = chance_of(own.bot_key(), version), own.legal(seat)
            command = ask_bot(own.title, own.created.setup, own.table, own.bot(seat), seat, legal, chance)
        try:
            action = SubmitCommands([command], by_bot=True)
            outcome = await self._handler.act(game, seat, action, f"bot-{version}", version)
        except ApiError as error:
            if error.reason != "VERSION_CONFLICT":
                raise
            return True  # another process was first: read again whose turn it is
        self.decisions += not outcome.repeated
        self._failed.pop(game, None)
        return True
