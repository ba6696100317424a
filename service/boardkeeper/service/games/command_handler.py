"""Acting on games: the only way in which seat actions, and all other changes of a game, become stored events.

Each game carries out one action at a time: it decides, the events are stored, and only after the commit the game counts
the events, wakes the watchers and answers. The action holds the game's lock until then, even if its client has gone,
because deciding has already changed the table. Readers take the same lock, so they never see uncommitted changes. If
anything goes wrong, the game is dropped from memory and read again from the log.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextvars import copy_context
from functools import partial
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import structlog
from msgspec import Struct

from boardkeeper.game.events import GameEvent
from boardkeeper.game.seat_actions import SeatAction, decide, needed_versions, rejection_for_person
from boardkeeper.service.cache.committed_events import CommittedEvent, make_command_key, to_committed
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.game_clock import ServiceTime, wall_milliseconds
from boardkeeper.service.games.projections import project, project_new
from boardkeeper.service.games.quotas import Quotas
from boardkeeper.service.requests.errors import ApiError, RejectedError
from boardkeeper.service.storage.changes import GameProgress, RemoveGame
from boardkeeper.service.storage.clock_expiries import put_expiry, read_clocks
from boardkeeper.service.storage.errors import FilesLostError
from boardkeeper.service.storage.feed import FeedItem
from boardkeeper.service.storage.quotas import SpendQuota
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.writer import Failed, FinalOutcome, OverloadedError, Stored
from boardkeeper.table.effects import Effect
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.previews import preview
from boardkeeper.titlekit.title import Play

_T = TypeVar("_T")

_CHANCE = random.Random()  # not the module's own numbers, which belong to the program that runs the service
_TRIES = 8
_NO_GAME = UUID(int=0)
_SHORTEST_WAIT = 0.002
_MOST_DOUBLINGS = 5
_PREVIEWS_AT_ONCE = 50
"""Yield to the event loop after this many previews (about 2 ms)."""
_log = structlog.get_logger()


class StaleGameError(Exception):
    """Another process stored something first, so nothing was stored."""


class Outcome(NamedTuple):
    """What an action did in a game: its events. ``repeated`` if an earlier call with the same id did it."""

    live: LiveGame
    version: int
    events: Sequence[CommittedEvent]
    repeated: bool = False

    @property
    def first_version(self) -> int:
        """The version of the first of its events."""
        return self.events[0].event.originator_version if self.events else self.version


class CommandHandler:
    """Acts on the games of a hub. ``clock`` gives milliseconds since 1970, ``chance`` numbers in [0, 1).

    ``on_commit`` is called on the loop after each commit, ``on_feed_items`` after each commit with new feed items.
    """

    def __init__(
        self,
        registry: GameRegistry,
        *,
        clock: Callable[[], int] = wall_milliseconds,
        chance: Callable[[], float] = _CHANCE.random,
    ) -> None:
        self.registry = registry
        self.clock = clock
        self.chance = chance
        self.quotas = Quotas(registry.application, clock)
        self.on_commit: Callable[[LiveGame], None] | None = None
        self.grace_until = 0
        """Before this time, accept commands from seats whose clock has expired, and declare no expiry."""
        self.on_feed_items: Callable[[], None] | None = None
        self.feed_items = 0

    def current_time(self) -> ServiceTime:
        """Return the present time, and until when certainly no clock expires."""
        now = self.clock()  # first: it may notice that clocks have a grace period
        # Other processes declare expiries too, and may have no grace period.
        return ServiceTime(now, 0 if self.registry.application.database.is_shared else self.grace_until)

    # --- actions of seats -----------------------------------------------------------------------------------

    async def act(
        self,
        game: UUID,
        seat: int,
        action: SeatAction,
        command_id: str,
        expected_version: int | None = None,
    ) -> Outcome:
        """Carry out an action of a seat durably, or repeat the outcome that it had before under this id.

        If other processes act at the same time, the action is decided again on the new board. Raises ``RejectedError``,
        ``VERSION_CONFLICT``, ``GAME_NOT_FOUND``, ``GAME_DAMAGED``, ``OVERLOADED``, ``CONTENDED``,
        ``STORAGE_FAILED`` or ``SHUTTING_DOWN``. Nothing has changed then, except that after
        ``STORAGE_FAILED`` the commit may still have happened: repeat the action to find out.
        """
        self.check_ready()
        key = make_command_key(seat, command_id)
        for attempt in range(_TRIES):
            async with self.registry.lock(game) as live:
                decided = await self._decide(live, seat, action, key, expected_version)
                if (
                    isinstance(decided, ApiError)
                    and await self.registry.peer_sync.catch_up(live)
                    and not live.is_dropped
                ):
                    decided = await self._decide(live, seat, action, key, expected_version)
                if isinstance(decided, list):
                    try:
                        return await self.store(live, decided)
                    except StaleGameError:
                        await self._step_back(attempt)
                        continue
            if live.is_dropped:  # it does not fit what is stored: read it again
                continue
            if isinstance(decided, Outcome):
                return decided
            try:
                raise decided
            finally:
                del decided  # otherwise the error and this frame hold each other, and both hold the game
        raise ApiError("CONTENDED")

    async def _decide(
        self, live: LiveGame, seat: int, action: SeatAction, key: str, expected_version: int | None
    ) -> Outcome | ApiError | list[GameEvent]:
        """Step 5: return the events to store, the outcome of an earlier call, or why nothing is done.

        The lock stays with the caller.
        """
        game = live.game
        candidates = game.seen.find(key)
        if candidates:
            first = await self._first_outcome(live, key, candidates)
            if first is not None:
                return first
        live.check_sound()
        if expected_version is not None and expected_version != game.version:
            return ApiError("VERSION_CONFLICT", expected=expected_version, version=game.version)
        runs = needed_versions(game, seat, action)
        past = await self.registry.read_stored(live, runs) if runs else ()
        try:
            decided = decide(game, seat, action, past, key, self.clock(), self.grace_until)
        except BaseException:
            self.registry.drop(live)  # the rules failed halfway, so the table cannot be trusted
            raise
        if isinstance(decided, Rejection):
            return RejectedError(decided, game.title, game.created.setup.edition, live.seat_names)
        return decided

    async def _first_outcome(self, live: LiveGame, key: str, candidates: Sequence[int]) -> Outcome | None:
        """Return the outcome of an action that was accepted before, if one of the candidates is its first version."""
        for version in candidates:
            last = live.game.end_of_command(version)
            events = await self.registry.read_stored(live, [(version, last)])
            if events[0].command_id == key:
                return Outcome(live, last, to_committed(live.visibility_history, events), repeated=True)
        return None

    async def _step_back(self, attempt: int) -> None:
        """Let other processes go first for a moment, a longer one each time."""
        await asyncio.sleep(self.chance() * _SHORTEST_WAIT * (1 << min(attempt, _MOST_DOUBLINGS)))

    def check_ready(self) -> None:
        """Raise if nothing new can be stored now."""
        writer = self.registry.application.writer
        if self.registry.draining:
            raise ApiError("SHUTTING_DOWN")
        if isinstance(writer.last_error, FilesLostError):
            raise ApiError("STORAGE_LOST")
        if writer.is_full:
            raise ApiError("OVERLOADED")

    # --- storing --------------------------------------------------------------------------------------------

    def store(
        self,
        live: LiveGame,
        events: Sequence[GameEvent],
        changes: Sequence[Change] = (),
        apply: Callable[[], None] | None = None,
    ) -> asyncio.Future[Outcome]:
        """Step 6: store what a locked game decided and let it count. This takes over the lock and releases it.

        ``apply`` is called once that is stored. If the caller is cancelled while it waits, the append is completed all
        the same: what follows the commit does not run in the caller's task.
        """
        live.keep_locked()
        try:
            deciding, progress, derived, news = project(live, events)
            settle = partial(self._settle, live, events, deciding, apply)
            return self._append(live.id, settle, [*changes, *derived], live, events, progress, news)
        except BaseException:
            self._abandon(live)
            raise

    def _settle(
        self,
        live: LiveGame,
        events: Sequence[GameEvent],
        deciding: tuple[int, ...],
        apply: Callable[[], None] | None,
        appended: FinalOutcome,
    ) -> Outcome:
        """Let events count after the commit, or take them back after it failed."""
        try:
            _check_stored(appended)
            if apply is not None:
                apply()
            outcome = Outcome(live, events[-1].originator_version, live.commit(events, deciding))
        except StaleGameError:
            self._give_up(live, events)
            raise
        except Exception:
            self._abandon(live)
            raise
        live.lock.release()
        return outcome

    def _append(
        self,
        game: UUID,
        settle: Callable[[FinalOutcome], _T],
        changes: Sequence[Change],
        live: LiveGame | None = None,
        events: Sequence[GameEvent] = (),
        progress: GameProgress | None = None,
        news: Sequence[FeedItem] = (),
    ) -> asyncio.Future[_T]:
        """Append, and return a future of what ``settle`` returns for the outcome, or of the error that callers get.

        ``settle`` runs once on the loop, also if the caller was cancelled. It raises for an outcome that is not
        ``Stored``. Events need their game, ``live``. Raises ``OVERLOADED``: the queue may have filled up since
        :meth:`check_ready`.
        """
        answer: asyncio.Future[_T] = asyncio.get_running_loop().create_future()

        def finish(appended: FinalOutcome) -> None:
            try:
                result = settle(appended)
            except Exception as error:  # noqa: BLE001  # the caller gets every error
                _fail(answer, game, error.with_traceback(None))  # its frames hold the answer
                return
            if not answer.done():
                answer.set_result(result)
            if news:
                self._add_news(len(news))
            if live is not None:
                self._announce(live, events)

        in_call: Any = partial(copy_context().run, finish)  # type: ignore[call-arg]  # so that the log has its id
        try:
            self.registry.application.append(events, in_call, changes=changes, progress=progress, feed_items=news)
        except OverloadedError as error:
            raise ApiError("OVERLOADED") from error
        return answer

    def _announce(self, live: LiveGame, events: Sequence[GameEvent]) -> None:
        """Tell the parts of the service that follow the commits."""
        self.registry.snapshots.note(live, events)
        if self.on_commit is not None:
            self.on_commit(live)

    def _add_news(self, count: int) -> None:
        self.feed_items += count
        if self.on_feed_items is not None:
            self.on_feed_items()

    def _give_up(self, live: LiveGame, events: Sequence[GameEvent]) -> None:
        """Bring a locked game back to before these events, which another process has overtaken, or forget it."""
        if not self.registry.peer_sync.is_enabled:
            self._abandon(live)
            return
        try:
            live.game.discard(events)
        except Exception:  # noqa: BLE001  # a game that has begun by them cannot go back
            self._abandon(live)
            return
        live.is_stale = True  # the events stored in their place are read before the game decides again
        live.lock.release()

    def _abandon(self, live: LiveGame) -> None:
        """Forget a locked game whose table may have changes that are not stored."""
        self.registry.drop(live)
        live.lock.release()

    # --- other changes of games -----------------------------------------------------------------------------

    async def create(self, live: LiveGame, events: Sequence[GameEvent], changes: Sequence[Change]) -> None:
        """Store a new game, with all its events, and take it into memory.

        Raises ``StaleGameError`` for a known request, ``LimitError`` if its platform may have no more games,
        ``OVERLOADED`` or ``STORAGE_FAILED``.
        """

        def settle(appended: FinalOutcome) -> None:
            _check_stored(appended)
            self.registry.add(live)

        changes = [*changes, *self.quotas.of_new_game(changes)]
        derived, news = project_new(live.game, events, self.clock())
        try:
            await self._append(live.id, settle, [*changes, *derived], live, events, news=news)
        except StaleGameError:
            await self.quotas.check([it for it in changes if isinstance(it, SpendQuota)])
            raise

    async def join(
        self,
        live: LiveGame,
        seats: Sequence[int],
        entropy: bytes,
        changes: Sequence[Change],
        apply: Callable[[], None],
    ) -> Outcome:
        """Take seats of a locked game; ``apply`` is called once that is stored. See :meth:`store`."""
        live.check_sound()
        try:
            events = live.game.join(seats, entropy, "", self.clock())
        except BaseException:
            self.registry.drop(live)
            raise
        return await self.store(live, events, changes, apply)

    async def change(self, live: LiveGame, changes: Sequence[Change], apply: Callable[[], None] = lambda: None) -> None:
        """Store changes of a locked game that are not events; ``apply`` is called once they are stored.

        This takes over the lock and releases it, also if the caller is cancelled. Raises ``StaleGameError``, or
        ``STORAGE_FAILED``, after which the changes may be stored all the same.
        """

        def settle(appended: FinalOutcome) -> None:
            try:
                _check_stored(appended)
            except Exception:
                self._abandon(live)  # the next reader of the game reads what is stored now
                raise
            apply()
            live.lock.release()

        live.keep_locked()
        try:
            answer = self._append(live.id, settle, changes)
        except BaseException:
            live.lock.release()
            raise
        await answer

    async def correct_stored_expiry(self, game: UUID) -> None:
        """Store when the next clock of a game runs out, in place of a stored time that is wrong."""
        was = await self.registry.read(partial(self.registry.application.database.expiries.expiry, game))
        async with self.registry.lock(game, fresh=True) as live:  # after that: other processes write another time then
            expiry = put_expiry(game, read_clocks(live.game), was)
            await self.change(live, [expiry] if was is not None else [])

    async def remove(self, game: UUID) -> int:
        """Remove a game for good and return when that was (milliseconds since 1970), now or before.

        The server notifies the watchers of the game. Raises ``GAME_NOT_FOUND``, or what an action may raise.
        """
        self.check_ready()
        removed, is_known = await self.registry.read(
            lambda: (
                self.registry.application.game_tables.removal_time(game),
                self.registry.application.game_tables.is_known(game),
            )
        )
        if removed is not None:
            return removed
        if not is_known:
            raise ApiError("GAME_NOT_FOUND", game=game)
        # Let an action that is under way finish. The game is not loaded for this: it may be damaged beyond reading.
        live = self.registry.peek(game)
        if live is not None:
            await live.lock.acquire()
        time = self.clock()

        def settle(appended: FinalOutcome) -> int:
            if live is not None:
                live.lock.release()
            _check_stored(appended)
            self.registry.forget_removed(game, time)
            self.quotas.game_removed()
            self._add_news(1)
            if live is not None:
                self.registry.drop(live)
            return time

        try:
            answer = self._append(game, settle, [RemoveGame(game, time)])
        except BaseException:
            if live is not None:
                live.lock.release()
            raise
        try:
            return await answer
        except StaleGameError as error:
            raise ApiError("CONTENDED") from error

    async def store_changes(self, changes: Sequence[Change]) -> None:
        """Store changes of no locked game; readers that have one of its games in memory have to look again.

        Raises ``CONTENDED``, or what an action may raise.
        """
        self.check_ready()
        try:
            await self._append(_NO_GAME, _check_stored, changes)
        except StaleGameError as error:
            raise ApiError("CONTENDED") from error

    # --- trying ---------------------------------------------------------------------------------------------

    def find_rejection(self, live: LiveGame, seat: int, commands: Sequence[Struct]) -> Rejection | None:
        """Return why a locked game would reject a person's batch of commands, if it would; changes nothing."""
        live.check_sound()
        refused = rejection_for_person(live.game, seat, self.clock(), self.grace_until)
        if refused is not None:
            return refused
        try:
            return live.game.check(seat, commands)
        except BaseException:
            self.registry.drop(live)  # the rules failed halfway, so the table cannot be trusted
            raise

    async def previews(self, live: LiveGame, seat: int, commands: Sequence[Struct]) -> list[tuple[Effect, ...]]:
        """Return what each of a seat's legal commands would change in a locked game; changes nothing."""
        try:
            return await previews(live.game.play, seat, commands)
        except Exception:
            self.registry.drop(live)  # the rules failed halfway, so the table cannot be trusted
            raise


async def previews(play: Play | None, seat: int, commands: Sequence[Struct]) -> list[tuple[Effect, ...]]:
    """Return what each of a seat's commands would change on a table that nothing else uses meanwhile."""
    found: list[tuple[Effect, ...]] = []
    for at, command in enumerate(commands if play is not None else (), 1):
        assert play is not None
        found.append(preview(play, seat, command))
        if at % _PREVIEWS_AT_ONCE == 0:
            await asyncio.sleep(0)
    return found


def _check_stored(appended: FinalOutcome) -> None:
    """Raise what prevented an append: ``StaleGameError`` for a conflict."""
    if not isinstance(appended, Stored):
        raise appended.error if isinstance(appended, Failed) else StaleGameError(appended.problem)


def _fail(answer: asyncio.Future[_T], game: UUID, error: Exception) -> None:
    """Give a failed append's error to the caller that waits. Only a conflict is something that callers can handle."""
    if not isinstance(error, StaleGameError):
        _log.error("append failed", game=str(game), error=repr(error))
    if answer.done():
        return
    match error:
        case StaleGameError():
            answer.set_exception(error)
        case FilesLostError():
            answer.set_exception(ApiError("STORAGE_LOST"))
        case _:
            answer.set_exception(ApiError("STORAGE_FAILED"))
