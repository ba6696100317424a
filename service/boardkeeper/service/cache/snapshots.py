"""Earlier versions of games: from stored snapshots, and from timelines in memory of the games that were read last.

There is a stored snapshot about every so many events and one at the end of a game. Each is made from the one before it
and the rows between, whose links are checked on the way, so a snapshot depends on nothing that was changed in the
file. Snapshots are never the truth: those that are missing or do not fit are made again from the log.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from uuid import UUID

import structlog
from eventsourcing.persistence import MapperDeserialisationError, StoredEvent

from boardkeeper.game.events import GameCreated, GameEvent
from boardkeeper.game.game import ENDED, intern_layout
from boardkeeper.game.timeline import GameAtVersion, Snapshot, TableReplay, Timeline
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.storage import chain
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.snapshots import GameSnapshot
from boardkeeper.service.storage_reads import read_game
from boardkeeper.table import snapshots
from boardkeeper.table.layout import TableLayout
from boardkeeper.titlekit.title import Title

KEPT = 64
"""Of so many games snapshots are kept in memory."""

MOST_BYTES = 64_000_000
"""The most bytes of all snapshots in memory. One takes about 8 kB; a game that is read has one every 64 events."""


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

    async def at(self, live: LiveGame, version: int) -> GameAtVersion:
        """Return a game at a committed version, as an object that only the caller has."""
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


def _look(lock: threading.Lock, timeline: Timeline, version: int, newest: int, *, is_settled: bool) -> GameAtVersion:
    with lock:
        return timeline.at(version, newest, is_settled=is_settled)


EVERY = 512
"""So many events apart. A walk between two takes at most half as many steps, about 2 ms."""

_log = structlog.get_logger()


class Snapshots:
    """The stored snapshots of an application's games.

    :meth:`note`, :meth:`want` and :meth:`run` belong to the event loop, the others block and belong to reader threads.
    """

    def __init__(self, application: GameApplication) -> None:
        self._application = application
        self._due: dict[UUID, tuple[Title, int, bool]] = {}
        self._news = asyncio.Event()
        self._told: set[UUID] = set()

    # --- when they are made ---------------------------------------------------------------------------------

    def note(self, live: LiveGame, events: Sequence[GameEvent]) -> None:
        """A game has these new events: is a snapshot due?"""
        before, now = events[0].originator_version - 1, events[-1].originator_version
        if now // EVERY > before // EVERY or live.game.status == ENDED:
            self.want(live)

    def want(self, live: LiveGame) -> None:
        """Have the snapshots made that a game lacks."""
        self._due[live.id] = live.game.title, live.game.version, live.game.status == ENDED
        self._news.set()

    def forget(self, game: UUID) -> None:
        """A game was removed: none are due any more."""
        self._due.pop(game, None)
        self._told.discard(game)

    async def run(self) -> None:
        """Make what is due, one game after the other, for ever."""
        while True:
            await self._news.wait()
            await self.make_due()

    async def make_due(self) -> None:
        """Make what is due now."""
        self._news.clear()
        while self._due:
            game = next(iter(self._due))
            title, version, has_ended = self._due.pop(game)
            try:
                await self._application.read(partial(self.make, game, title, version, has_ended=has_ended))
            except Exception:  # noqa: BLE001  # nothing depends on them: the next who looks asks for them again
                _log.exception("snapshots failed", game=str(game))

    # --- making and reading them ----------------------------------------------------------------------------

    def make(self, game: UUID, title: Title, version: int, *, has_ended: bool) -> None:
        """Store the snapshots that a game of that version lacks, in place of those that do not fit it."""
        wanted = {*range(EVERY, version + 1, EVERY), *([version] if has_ended else ())}
        layout = self._layout(game, title)
        trusted, misfits = self._sort(game, layout)
        missing = wanted.difference(snapshot.version for snapshot in trusted)
        made = list(self._made(game, layout, trusted, missing)) if missing else []
        if (made or misfits) and self._application.snapshots is not None:
            self._application.snapshots.put(made, invalid=misfits)

    def trusted(self, game: UUID, layout: TableLayout) -> list[Snapshot]:
        """The stored snapshots of a game that fit it in every respect, oldest first; the others are told of once."""
        trusted, misfits = self._sort(game, layout)
        if misfits and game not in self._told:
            self._told.add(game)
            (row, problem), *_ = misfits.items()
            _log.error(
                "snapshot ignored, to be made again",
                game=str(game),
                version=row.originator_version,
                problem=problem,
            )
        return trusted

    def _sort(self, game: UUID, layout: TableLayout) -> tuple[list[Snapshot], dict[StoredEvent, str]]:
        """The stored snapshots of a game that fit, and those rows that do not, with what is wrong with them."""
        application = self._application
        trusted: list[Snapshot] = []
        misfits: dict[StoredEvent, str] = {}
        for row in application.snapshot_recorder.select_events(game):
            try:
                it: GameSnapshot = application.snapshot_mapper.to_domain_event(row)
            except MapperDeserialisationError as error:
                misfits[row] = str(error)
                continue
            if it.link != application.event_log.select_link(game, it.originator_version):
                misfits[row] = "the events up to it are others now"
            elif not snapshots.is_snapshot_of(it.table, layout):
                misfits[row] = "it is of another layout"
            else:
                trusted.append(Snapshot(it.originator_version, it.status, it.table))
        return trusted, misfits

    def _made(
        self, game: UUID, layout: TableLayout, trusted: Sequence[Snapshot], missing: AbstractSet[int]
    ) -> Iterator[GameSnapshot]:
        """Snapshots at the missing versions, made from the last trusted one before them and the events from there."""
        start = next((snapshot for snapshot in reversed(trusted) if snapshot.version < min(missing)), None)
        walk = TableReplay(layout, start)
        for event, link in self._sound(game, start.version if start is not None else 0, max(missing)):
            walk.apply(event)
            if walk.version in missing:
                here = walk.snapshot()
                yield GameSnapshot(game, here.version, link, here.status, here.table)

    def _layout(self, game: UUID, title: Title) -> TableLayout:
        (first,) = self._application.game_events(game, until=1)
        if not isinstance(first.detail, GameCreated):
            raise ValueError(f"the first event of game {game} is {first.topic}")
        return intern_layout(title, first.detail)

    def _sound(self, game: UUID, after: int, until: int) -> list[tuple[GameEvent, bytes]]:
        """The events after a version whose link is known to be right, with their links, as far as these hold."""
        log = self._application.event_log
        previous = log.select_link(game, after) if after else chain.initial_link(game.hex)
        rows = chain.undamaged_prefix(previous, after, log.select_linked(game, after, until))
        events = self._application.events_mapper.to_events(game, (row[:3] for row in rows))
        return [(event, row[3]) for event, row in zip(events, rows, strict=True)]
