"""Boards of games at earlier versions. Timelines of the most recently read games stay in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import partial
from uuid import UUID

from boardkeeper.game.timeline import GameAtVersion, Timeline
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.snapshots import Snapshots
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage_reads import read_game

MAX_TIMELINES = 64
"""The number of games whose timelines stay in memory."""

MAX_BYTES = 64_000_000
"""The maximum size of all timelines. A snapshot takes about 8 kB; a game that is read has one every 64 events."""


class Timelines:
    """Finds the board of any game at any version, using snapshots in the database and in memory."""

    def __init__(
        self,
        application: GameApplication,
        snapshots: Snapshots,
        max_timelines: int = MAX_TIMELINES,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._application = application
        self._snapshots = snapshots
        self._max_timelines = max_timelines
        self._max_bytes = max_bytes
        self._timelines: OrderedDict[UUID, tuple[threading.Lock, Timeline]] = OrderedDict()

    async def at(self, live: LiveGame, version: int) -> GameAtVersion:
        """Return a game as it was at a committed version. The caller may change the returned object."""
        game = live.id
        found = self._timelines.pop(game, None)
        if found is None:
            found = threading.Lock(), self._new_timeline(live)
            self._snapshots.request(live)
        self._timelines[game] = found
        while len(self._timelines) > self._max_timelines or self.size > self._max_bytes:
            self._timelines.popitem(last=False)
        is_settled = live.game.end_of_command(version) == version
        read = partial(_read, *found, version, live.game.version, is_settled=is_settled)
        return await read_game(self._application, game, read)

    def __len__(self) -> int:
        return len(self._timelines)

    @property
    def size(self) -> int:
        """The bytes of all snapshots in memory."""
        return sum(timeline.size for _, timeline in self._timelines.values())

    def _new_timeline(self, live: LiveGame) -> Timeline:
        game, application = live.id, self._application
        return Timeline(
            live.game.title,
            lambda after, until: application.game_events(game, after=after, until=until),
            stored=lambda layout: self._snapshots.trusted(game, layout),
        )


def _read(lock: threading.Lock, timeline: Timeline, version: int, newest: int, *, is_settled: bool) -> GameAtVersion:
    with lock:
        return timeline.at(version, newest, is_settled=is_settled)
