"""The past of games: timelines of those that were looked back at most recently, shared by the reader threads."""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import partial
from uuid import UUID

from boardkeeper.game.timeline import Moment, Read, Timeline
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.table.title import Title

KEPT = 64
"""Of so many games snapshots are kept."""


class Past:
    """Jumps to any version of any game of an application."""

    def __init__(self, application: GameApplication, kept: int = KEPT) -> None:
        self._application = application
        self._kept = kept
        self._timelines: OrderedDict[UUID, tuple[threading.Lock, Timeline]] = OrderedDict()

    async def at(self, game: UUID, title: Title, version: int) -> Moment:
        """A game at a version that is committed; nobody else has this object."""
        found = self._timelines.pop(game, None) or (threading.Lock(), Timeline(title, self._reader(game)))
        self._timelines[game] = found
        if len(self._timelines) > self._kept:
            self._timelines.popitem(last=False)
        return await self._application.read(partial(_look, *found, version))

    def __len__(self) -> int:
        return len(self._timelines)

    def _reader(self, game: UUID) -> Read:
        return lambda after, until: self._application.game_events(game, after=after, until=until)


def _look(lock: threading.Lock, timeline: Timeline, version: int) -> Moment:
    with lock:
        return timeline.at(version)
