"""The watchers of one game in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from boardkeeper.service.cache.committed_events import CommittedEvent
from boardkeeper.service.tasks import Waiters

RECENT_EVENTS = 128
"""The number of recent events that stay in memory for the watchers of a game."""


class Watcher:
    """A stream that watches a game. ``version`` is the last version that was sent."""

    __slots__ = ("version",)

    def __init__(self, version: int) -> None:
        self.version = version


class Watchers:
    """Streams that watch a game, callers that wait for its next change, and the recent events for the streams.

    To save memory, recent events are stored only while there are streams.
    """

    __slots__ = ("_recent", "_streams", "_waiters")

    def __init__(self) -> None:
        self._recent: deque[CommittedEvent] = deque(maxlen=RECENT_EVENTS)
        self._streams: set[Watcher] = set()
        self._waiters = Waiters()

    def __len__(self) -> int:
        return len(self._streams)

    def __bool__(self) -> bool:
        return bool(self._waiters or self._streams)

    def add(self, version: int) -> Watcher:
        """Add a stream that has received the events up to a version."""
        watcher = Watcher(version)
        self._streams.add(watcher)
        return watcher

    def remove(self, watcher: Watcher) -> None:
        """Remove a stream."""
        self._streams.discard(watcher)
        if not self._streams:
            self._recent.clear()

    def lags(self, version: int) -> Iterator[int]:
        """Yield how many events each stream is behind ``version``."""
        return (version - watcher.version for watcher in self._streams)

    def publish(self, events: Iterable[CommittedEvent]) -> None:
        """Add new events and wake all streams and callers that wait."""
        if self._streams:
            self._recent += events
        self._waiters.wake()

    def recent_after(self, version: int) -> list[CommittedEvent] | None:
        """Return the events after a version, or ``None`` if they are not all in memory."""
        recent = self._recent
        if not recent or recent[0].event.originator_version > version + 1:
            return None
        first = recent[0].event.originator_version
        return [recent[index] for index in range(version + 1 - first, len(recent))]

    async def wait(self, seconds: float) -> bool:
        """Wait for the next change of the game; return ``False`` after ``seconds`` without one."""
        return await self._waiters.wait(seconds)

    def wake(self) -> None:
        """Wake all callers of :meth:`wait`."""
        self._waiters.wake()
