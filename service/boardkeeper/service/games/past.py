"""The past of games: timelines of those that were looked back at most recently, shared by the reader threads."""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import partial
from uuid import UUID

from boardkeeper.game.timeline import Moment, Timeline
from boardkeeper.service.games.live import LiveGame
from boardkeeper.service.games.snapshots import Snapshots
from boardkeeper.service.reading.reads import read_game
from boardkeeper.service.storage.application import GameApplication

KEPT = 64
"""Of so many games snapshots are kept in memory."""

MOST_BYTES = 64_000_000
"""So much all of them take; a snapshot takes about 8 kB, and a game has one every 64 events, where somebody looked."""


class Past:
    """Jumps to any version of any game of an application, from its stored snapshots and those in memory."""

    def __init__(
        self, application: GameApplication, snapshots: Snapshots, kept: int = KEPT, most_bytes: int = MOST_BYTES
    ) -> None:
        self._application = application
        self._snapshots = snapshots
        self._kept = kept
        self._most_bytes = most_bytes
        self._timelines: OrderedDict[UUID, tuple[threading.Lock, Timeline]] = OrderedDict()

    async def at(self, live: LiveGame, version: int) -> Moment:
        """A game at a version that is committed; nobody else has this object."""
        game = live.id
        found = self._timelines.pop(game, None)
        if found is None:
            found = threading.Lock(), self._timeline(live)
            self._snapshots.want(live)  # those that it lacks
        self._timelines[game] = found
        while len(self._timelines) > self._kept or self.size > self._most_bytes:
            self._timelines.popitem(last=False)
        settled = live.game.end_of_command(version) == version
        look = partial(_look, *found, version, live.game.version, is_settled=settled)
        return await read_game(self._application, game, look)

    def __len__(self) -> int:
        return len(self._timelines)

    @property
    def size(self) -> int:
        """Bytes of all snapshots that are kept."""
        return sum(timeline.size for _, timeline in self._timelines.values())

    def _timeline(self, live: LiveGame) -> Timeline:
        game, application = live.id, self._application
        return Timeline(
            live.game.title,
            lambda after, until: application.game_events(game, after=after, until=until),
            stored=lambda layout: self._snapshots.trusted(game, layout),
        )


def _look(lock: threading.Lock, timeline: Timeline, version: int, newest: int, *, is_settled: bool) -> Moment:
    with lock:
        return timeline.at(version, newest, is_settled=is_settled)
