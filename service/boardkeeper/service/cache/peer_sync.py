"""Keeping games in memory up to date with changes that other processes make in the same database.

Any process may accept any command of any game. Correctness does not depend on this module: an append succeeds only at
the version at which its command was decided. The module makes changes of other processes visible soon, and avoids
conflicts of commands that were decided on outdated boards. A notification marks a game as stale; the game is read when
it is next used, or at once if it is watched. Notifications may get lost, so all games in memory are polled from time to
time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import structlog
from eventsourcing.persistence import MapperDeserialisationError

from boardkeeper.game.game import OPEN
from boardkeeper.service.cache.catch_up import CatchUpReader
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.requests.errors import ApiError, is_reason
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage_reads import read

if TYPE_CHECKING:
    from boardkeeper.service.cache.game_cache import GameCache

POLL_SECONDS = 1.0
"""The interval between polls of watched games."""

POLLS_PER_FULL_POLL = 10
"""One in this many polls includes all games in memory, not only watched ones."""

_GAMES_PER_QUERY = 1_000
_POLLS_BEFORE_COMMANDS = 4
"""After events of another process, the database is polled before this many commands.

A poll costs less than a command, and a command on an outdated board must be decided again.
"""
_log = structlog.get_logger()


class PeerSync:
    """Reads changes of other processes into the games of a cache. Does nothing if no other process can make any."""

    def __init__(self, application: GameApplication, games: GameCache) -> None:
        self._application = application
        self._games = games
        self._reader = CatchUpReader(application)
        self.is_enabled = application.database.is_shared
        self.on_changes: Callable[[PeerChanges], None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Listen for notifications. Call this on the event loop."""
        if self.is_enabled:
            loop = asyncio.get_running_loop()
            self._application.database.listen(partial(_call_on_loop, loop, self.receive))

    def is_stale(self, live: LiveGame) -> bool:
        """Return whether other processes may have changed a game. There are no notifications of players who join."""
        return live.is_stale or (self.is_enabled and live.game.status == OPEN)

    async def catch_up(self, live: LiveGame) -> bool:
        """Apply the events that other processes stored for a locked game; return whether it has changed.

        A game that contradicts the stored events is dropped; the next caller that needs it loads it again.
        """
        live.is_stale = False  # before the read: a notification during the read can report later changes
        if not self.is_enabled or live.damage is not None:
            return False
        if live.needs_reload:
            self._games.drop(live)
            return True
        try:
            events, seats = await self._reader.read(live)
        except BaseException as error:
            if isinstance(error, MapperDeserialisationError) or is_reason(error, "STORAGE_DAMAGED"):
                self._games.drop(live)
                return True
            live.is_stale = True
            raise
        if events:
            live.polls_left = _POLLS_BEFORE_COMMANDS
        elif not live.is_up_to_date:
            live.polls_left = max(live.polls_left - 1, 0)
        live.is_up_to_date = True
        if not events:
            return False
        try:
            live.follow(events, seats)
        except BaseException:
            self._games.drop(live)  # a part of the events may have been applied
            raise
        return True

    async def refresh(self, live: LiveGame) -> None:
        """Lock a game and catch up."""
        async with live.lock:
            if not live.is_dropped:
                await self.catch_up(live)

    # --- notifications --------------------------------------------------------------------------------------

    def receive(self, changes: PeerChanges) -> None:
        """Process a notification."""
        if self.on_changes is not None:
            self.on_changes(changes)
        if changes.has_gap:  # names and tokens may have changed; after a failover even events
            self.mark_all_outdated()
        for game, version in changes.new_versions.items():
            live = self._games.peek(game)
            if live is not None and live.game.version < version:
                self._mark_stale(live)
            self._games.loader.mark_outdated(game)
        for game in changes.changed_games:
            live = self._games.peek(game)
            if live is not None:
                self._mark_stale(live, needs_reload=True)
            self._games.loader.mark_outdated(game)

    def mark_all_outdated(self) -> None:
        """Let every game be loaded again at its next use."""
        for live in list(self._games.loaded_games()):
            self._mark_stale(live, needs_reload=True)
        self._games.loader.mark_outdated(None)

    def _mark_stale(self, live: LiveGame, *, needs_reload: bool = False) -> None:
        live.is_stale = True
        live.needs_reload = live.needs_reload or needs_reload
        if live.watchers:
            task = asyncio.get_running_loop().create_task(self._refresh_watched(live))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _refresh_watched(self, live: LiveGame) -> None:
        try:
            async with live.lock:
                if live.is_stale and not live.is_dropped:
                    await self.catch_up(live)
        except ApiError:  # storage unavailable: the next poll tries again
            pass
        except Exception:  # noqa: BLE001  # no call waits for the result
            _log.exception("catching up with other processes failed", game=live.id_text)

    # --- polling --------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Poll the database until cancelled, in case notifications get lost."""
        count = 0
        while self.is_enabled:
            await asyncio.sleep(POLL_SECONDS)
            count += 1
            try:
                is_full = count % POLLS_PER_FULL_POLL == 0
                if is_full and not self._application.database.notifies_changes:
                    self.mark_all_outdated()  # versions do not show erased names and replaced tokens
                await self.poll(only_watched=not is_full)
            except ApiError:
                pass
            except Exception:  # noqa: BLE001  # the next poll tries again
                _log.exception("polling for changes of other processes failed")

    async def poll(self, *, only_watched: bool = False) -> None:
        """Compare the versions of the games in memory, or only of the watched ones, with the database."""
        games = iter([live for live in self._games.loaded_games() if live.watchers or not only_watched])
        while some := list(islice(games, _GAMES_PER_QUERY)):
            versions = await read(
                self._application, partial(self._application.event_log.versions, [live.id for live in some])
            )
            for live in some:
                # The task that holds the lock detects other events itself.
                if live.damage is None and not live.lock.locked() and versions.get(live.id) != live.game.version:
                    self._mark_stale(live)


def _call_on_loop(
    loop: asyncio.AbstractEventLoop, receive: Callable[[PeerChanges], None], changes: PeerChanges
) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(receive, changes)
