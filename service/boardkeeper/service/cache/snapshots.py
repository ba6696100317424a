"""Stored snapshots of games, which make it fast to read earlier versions.

Each game has a snapshot every ``SNAPSHOT_INTERVAL`` events and one at its end. A snapshot is made from the previous one
and the events between them. Their hash chain is verified, so that a snapshot never contains damaged data. Snapshots can
always be made again from the event log, so missing and invalid ones are replaced.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from uuid import UUID

import structlog
from eventsourcing.persistence import MapperDeserialisationError, StoredEvent

from boardkeeper.game.events import GameCreated, GameEvent
from boardkeeper.game.game import ENDED
from boardkeeper.game.interning import intern_layout
from boardkeeper.game.timeline import Snapshot, TableReplay
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.storage import chain
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.snapshots import GameSnapshot
from boardkeeper.table import snapshots
from boardkeeper.table.layout import TableLayout
from boardkeeper.titlekit.title import Title

SNAPSHOT_INTERVAL = 512
"""Events between two snapshots. Reading a version starts from the nearer one: at most 256 events, about 2 ms."""

_log = structlog.get_logger()


class Snapshots:
    """The stored snapshots of an application's games.

    Call :meth:`request_if_due`, :meth:`request`, :meth:`forget` and :meth:`run` on the event loop. :meth:`make` and
    :meth:`trusted` block: call them in reader threads.
    """

    def __init__(self, application: GameApplication) -> None:
        self._application = application
        self._due: dict[UUID, tuple[Title, int, bool]] = {}
        self._has_due = asyncio.Event()
        self._reported: set[UUID] = set()

    # --- scheduling -----------------------------------------------------------------------------------------

    def request_if_due(self, live: LiveGame, events: Sequence[GameEvent]) -> None:
        """Request a snapshot if new events of a game reach a version that needs one."""
        before, now = events[0].originator_version - 1, events[-1].originator_version
        if now // SNAPSHOT_INTERVAL > before // SNAPSHOT_INTERVAL or live.game.status == ENDED:
            self.request(live)

    def request(self, live: LiveGame) -> None:
        """Request the snapshots that a game lacks."""
        self._due[live.id] = live.game.title, live.game.version, live.game.status == ENDED
        self._has_due.set()

    def forget(self, game: UUID) -> None:
        """Drop the requests of a removed game."""
        self._due.pop(game, None)
        self._reported.discard(game)

    async def run(self) -> None:
        """Make the requested snapshots until cancelled."""
        while True:
            await self._has_due.wait()
            await self.make_due()

    async def make_due(self) -> None:
        """Make all requested snapshots, one game at a time."""
        self._has_due.clear()
        while self._due:
            game = next(iter(self._due))
            title, version, has_ended = self._due.pop(game)
            try:
                await self._application.read(partial(self.make, game, title, version, has_ended=has_ended))
            except Exception:  # noqa: BLE001  # the next read of the game's history requests them again
                _log.exception("snapshots failed", game=str(game))

    # --- making and reading ---------------------------------------------------------------------------------

    def make(self, game: UUID, title: Title, version: int, *, has_ended: bool) -> None:
        """Store the snapshots that a game lacks up to ``version``, and replace its invalid ones."""
        wanted = {*range(SNAPSHOT_INTERVAL, version + 1, SNAPSHOT_INTERVAL), *([version] if has_ended else ())}
        layout = self._layout(game, title)
        trusted, invalid = self._sort(game, layout)
        missing = wanted.difference(snapshot.version for snapshot in trusted)
        new = list(self._make_missing(game, layout, trusted, missing)) if missing else []
        if (new or invalid) and self._application.snapshots is not None:
            self._application.snapshots.put(new, invalid=invalid)

    def trusted(self, game: UUID, layout: TableLayout) -> list[Snapshot]:
        """Return the valid stored snapshots of a game, oldest first; log the invalid ones once."""
        trusted, invalid = self._sort(game, layout)
        if invalid and game not in self._reported:
            self._reported.add(game)
            (row, problem), *_ = invalid.items()
            _log.error(
                "snapshot ignored, to be made again",
                game=str(game),
                version=row.originator_version,
                problem=problem,
            )
        return trusted

    def _sort(self, game: UUID, layout: TableLayout) -> tuple[list[Snapshot], dict[StoredEvent, str]]:
        """Return the valid stored snapshots of a game, and the invalid rows with their problems."""
        application = self._application
        trusted: list[Snapshot] = []
        invalid: dict[StoredEvent, str] = {}
        for row in application.snapshot_recorder.select_events(game):
            try:
                it: GameSnapshot = application.snapshot_mapper.to_domain_event(row)
            except MapperDeserialisationError as error:
                invalid[row] = str(error)
                continue
            if it.link != application.event_log.select_link(game, it.originator_version):
                invalid[row] = "the events up to it have changed"
            elif not snapshots.is_snapshot_of(it.table, layout):
                invalid[row] = "it has another layout"
            else:
                trusted.append(Snapshot(it.originator_version, it.status, it.table))
        return trusted, invalid

    def _make_missing(
        self, game: UUID, layout: TableLayout, trusted: Sequence[Snapshot], missing: AbstractSet[int]
    ) -> Iterator[GameSnapshot]:
        """Yield the snapshots of the missing versions, made from the last trusted one before them and later events."""
        start = next((snapshot for snapshot in reversed(trusted) if snapshot.version < min(missing)), None)
        replay = TableReplay(layout, start)
        for event, link in self._read_verified(game, start.version if start is not None else 0, max(missing)):
            replay.apply(event)
            if replay.version in missing:
                snapshot = replay.snapshot()
                yield GameSnapshot(game, snapshot.version, link, snapshot.status, snapshot.table)

    def _layout(self, game: UUID, title: Title) -> TableLayout:
        (first,) = self._application.game_events(game, until=1)
        if not isinstance(first.detail, GameCreated):
            raise ValueError(f"the first event of game {game} is {first.topic}")
        return intern_layout(title, first.detail)

    def _read_verified(self, game: UUID, after: int, until: int) -> list[tuple[GameEvent, bytes]]:
        """Return the events after a version with their links, up to the first broken link."""
        log = self._application.event_log
        previous = log.select_link(game, after) if after else chain.initial_link(game.hex)
        rows = chain.undamaged_prefix(previous, after, log.select_linked(game, after, until))
        events = self._application.events_mapper.to_events(game, (row[:3] for row in rows))
        return [(event, row[3]) for event, row in zip(events, rows, strict=True)]
