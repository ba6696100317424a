"""Stores events and changes of games, and updates the games in memory after the commit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextvars import copy_context
from functools import partial
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import structlog

from boardkeeper.game.events import GameEvent
from boardkeeper.service.cache.committed_events import CommittedEvent
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.projections import project
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.changes import GameProgress
from boardkeeper.service.storage.errors import FilesLostError
from boardkeeper.service.storage.feed import FeedItem
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.writer import Failed, FinalOutcome, OverloadedError, Stored

_T = TypeVar("_T")
_log = structlog.get_logger()


class StaleGameError(Exception):
    """Another process stored a conflicting change first, so nothing was stored."""


class Outcome(NamedTuple):
    """The events of a seat's action. ``repeated``: an earlier call with the same id has stored them."""

    live: LiveGame
    version: int
    events: Sequence[CommittedEvent]
    repeated: bool = False

    @property
    def first_version(self) -> int:
        """The version of the first event."""
        return self.events[0].event.originator_version if self.events else self.version


class GameWriter:
    """Stores events and changes of games.

    ``on_commit`` is called on the event loop after each commit, ``on_feed_items`` after each commit with feed items;
    ``feed_items`` counts the items.
    """

    def __init__(self, registry: GameRegistry) -> None:
        self._registry = registry
        self.on_commit: Callable[[LiveGame], None] | None = None
        self.on_feed_items: Callable[[], None] | None = None
        self.feed_items = 0

    def check_ready(self) -> None:
        """Raise ``SHUTTING_DOWN``, ``STORAGE_LOST`` or ``OVERLOADED`` if nothing new can be stored now."""
        writer = self._registry.application.writer
        if self._registry.draining:
            raise ApiError("SHUTTING_DOWN")
        if isinstance(writer.last_error, FilesLostError):
            raise ApiError("STORAGE_LOST")
        if writer.is_full:
            raise ApiError("OVERLOADED")

    def store(
        self,
        live: LiveGame,
        events: Sequence[GameEvent],
        changes: Sequence[Change] = (),
        apply: Callable[[], None] | None = None,
    ) -> asyncio.Future[Outcome]:
        """Step 6: store the events that a locked game has decided, then commit them in memory. This releases the lock.

        ``apply`` is called after the commit. The append is completed even if the caller is cancelled: the code after
        the commit does not run in the caller's task.
        """
        live.keep_locked()
        try:
            deciding, progress, derived, items = project(live, events)
            finish = partial(self._finish_events, live, events, deciding, apply)
            return self.append(live.id, finish, [*changes, *derived], live, events, progress, items)
        except BaseException:
            self.abandon(live)
            raise

    def _finish_events(
        self,
        live: LiveGame,
        events: Sequence[GameEvent],
        deciding: tuple[int, ...],
        apply: Callable[[], None] | None,
        result: FinalOutcome,
    ) -> Outcome:
        """Commit stored events in memory, or discard them after a failure; release the lock."""
        try:
            check_stored(result)
            if apply is not None:
                apply()
            outcome = Outcome(live, events[-1].originator_version, live.commit(events, deciding))
        except StaleGameError:
            self._discard(live, events)
            raise
        except Exception:
            self.abandon(live)
            raise
        live.lock.release()
        return outcome

    def append(
        self,
        game: UUID,
        finish: Callable[[FinalOutcome], _T],
        changes: Sequence[Change],
        live: LiveGame | None = None,
        events: Sequence[GameEvent] = (),
        progress: GameProgress | None = None,
        items: Sequence[FeedItem] = (),
    ) -> asyncio.Future[_T]:
        """Append in one transaction; return a future of the result of ``finish``, or of the caller's error.

        ``finish`` runs once on the event loop, also if the caller was cancelled. It raises for an outcome that is not
        ``Stored``. Events need their game, ``live``. Raises ``OVERLOADED``: the queue may have filled up since
        :meth:`check_ready`.
        """
        future: asyncio.Future[_T] = asyncio.get_running_loop().create_future()

        def on_stored(outcome: FinalOutcome) -> None:
            try:
                result = finish(outcome)
            except Exception as error:  # noqa: BLE001  # the caller gets every error
                _fail(future, game, error.with_traceback(None))  # the frames of its traceback refer to the future
                return
            if not future.done():
                future.set_result(result)
            if items:
                self.count_feed_items(len(items))
            if live is not None:
                self._registry.snapshots.request_if_due(live, events)
                if self.on_commit is not None:
                    self.on_commit(live)

        in_context: Any = partial(copy_context().run, on_stored)  # type: ignore[call-arg]  # keeps the call id
        try:
            self._registry.application.append(events, in_context, changes=changes, progress=progress, feed_items=items)
        except OverloadedError as error:
            raise ApiError("OVERLOADED") from error
        return future

    def count_feed_items(self, count: int) -> None:
        """Count new items of the feed and wake its readers."""
        self.feed_items += count
        if self.on_feed_items is not None:
            self.on_feed_items()

    def _discard(self, live: LiveGame, events: Sequence[GameEvent]) -> None:
        """Undo decided events of a locked game, because another process has stored events first; release the lock."""
        if not self._registry.peer_sync.is_enabled:
            self.abandon(live)
            return
        try:
            live.game.discard(events)
        except Exception:  # noqa: BLE001  # the first events of a game cannot be discarded
            self.abandon(live)
            return
        live.is_stale = True  # read the events of the other process before the next decision
        live.lock.release()

    def abandon(self, live: LiveGame) -> None:
        """Drop a locked game whose table may have changes that are not stored; release the lock."""
        self._registry.drop(live)
        live.lock.release()


def check_stored(result: FinalOutcome) -> None:
    """Raise the error that prevented an append: ``StaleGameError`` for a conflict."""
    if not isinstance(result, Stored):
        raise result.error if isinstance(result, Failed) else StaleGameError(result.problem)


def _fail(future: asyncio.Future[_T], game: UUID, error: Exception) -> None:
    """Set the error of a failed append: a conflict, which callers can handle, or an error of the API."""
    if not isinstance(error, StaleGameError):
        _log.error("append failed", game=str(game), error=repr(error))
    if future.done():
        return
    match error:
        case StaleGameError():
            future.set_exception(error)
        case FilesLostError():
            future.set_exception(ApiError("STORAGE_LOST"))
        case _:
            future.set_exception(ApiError("STORAGE_FAILED"))
