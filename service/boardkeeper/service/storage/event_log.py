"""The eventsourcing library's recorders for events and snapshots.

There is no order among the events of different games, so library features that need one raise ``ProgrammingError``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, NoReturn
from uuid import UUID

from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    InfrastructureFactory,
    ProgrammingError,
    StoredEvent,
    TrackingRecorder,
)
from eventsourcing.utils import Environment

from boardkeeper.service.storage.chain import ChainedRow
from boardkeeper.service.storage.changes import PutSnapshots
from boardkeeper.service.storage.sql import Reader, Where
from boardkeeper.service.storage.writer import Writer

EventRow = tuple[int, str, bytes]
"""Version, topic and state of a stored event."""

NEWEST = (1 << 31) - 1
"""Larger than the version of any game."""

_OF_GAME = "FROM events WHERE game = ? AND version > ? AND version <= ? ORDER BY version"
_ROWS = f"SELECT version, topic, state {_OF_GAME} LIMIT ?"
_LINKED = f"SELECT version, topic, state, link {_OF_GAME}"
# The database sums up the sizes, so that it sends only the rows that are needed.
_ROWS_UP_TO_SIZE = (
    "SELECT version, topic, state FROM (SELECT version, topic, state, sum(length(state)) OVER (ORDER BY version"
    f" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM ({_ROWS}) e) c"
    " WHERE coalesce(before, 0) < ? ORDER BY version"
)
# One index scan per game: with another join PostgreSQL might read all events.
_TAILS = (
    "SELECT w.game, e.* FROM unnest(?::uuid[], ?::int[]) AS w (game, after), LATERAL (SELECT version, topic,"
    " state, link FROM events WHERE game = w.game AND version >= w.after ORDER BY version) e"
)


def _reject_order(*_arguments: Any, **_more: Any) -> NoReturn:
    """Reject a request of the library that needs an order of all events."""
    raise ProgrammingError("games have no order among each other: read each game's own events")


class SnapshotRecorder(AggregateRecorder):
    """Stores and reads snapshots."""

    _table: ClassVar[str] = "snapshots"

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self.writer = writer
        self._reader = reader

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Store snapshots, delete ``invalid`` ones, and wait until this is durable."""
        self.writer.store([PutSnapshots(stored_events, kwargs.get("invalid", ()))])
        return None

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Return the stored rows of one game with ``gt < version <= lte``."""
        game = originator_id if isinstance(originator_id, UUID) else UUID(originator_id)
        where = Where("game = ?", game)
        if gt is not None:
            where.add("version > ?", gt)
        if lte is not None:
            where.add("version <= ?", lte)
        order = f" ORDER BY version{' DESC' if desc else ''} LIMIT ?"
        select = f"SELECT version, topic, state FROM {self._table}{where}{order}"
        rows = self._reader.fetch(select, (*where.parameters, NEWEST if limit is None else limit))
        return [StoredEvent(game, *row) for row in rows]


class EventLog(SnapshotRecorder, ApplicationRecorder):
    """The stored events of all games. ``writer`` stores new ones."""

    _table = "events"

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Store events and wait until they are durable."""
        if stored_events:
            self.writer.store(kwargs.get("changes", ()), stored_events)
        return None

    def select_rows(
        self,
        game: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        limit: int | None = None,
        max_bytes: int | None = None,
    ) -> list[EventRow]:
        """Return the events of a game with ``after < version <= until``, oldest first, at most ``limit``.

        It stops after the row with which the states reach ``max_bytes`` bytes.
        """
        bounds = (game, after, NEWEST if until is None else until, NEWEST if limit is None else limit)
        if max_bytes is None:
            return self._reader.fetch(_ROWS, bounds)
        return self._reader.fetch(_ROWS_UP_TO_SIZE, (*bounds, max_bytes))

    def select_chain(self, game: UUID) -> tuple[list[ChainedRow], object, object]:
        """Return all events of a game with their links, the head of its chain, and the version of the head.

        They are from one snapshot of the database. In a damaged SQLite file the rows end at the damage.
        """
        return self._reader.read_chain(game)

    def select_linked(self, game: UUID, after: int, until: int) -> list[ChainedRow]:
        """Return the events of a game with ``after < version <= until`` and their links."""
        return self._reader.fetch(_LINKED, (game, after, until))

    def select_tails(self, after: Mapping[UUID, int]) -> dict[UUID, list[ChainedRow]]:
        """Return the events of each game with ``version >= after`` and their links."""
        if not self._reader.is_shared:
            return {game: self._reader.fetch(_LINKED, (game, version - 1, NEWEST)) for game, version in after.items()}
        found: dict[UUID, list[ChainedRow]] = {}
        for game, *row in self._reader.fetch(_TAILS, (list(after), list(after.values()))):
            found.setdefault(game, []).append(tuple(row))
        return found

    def select_link(self, game: UUID, version: int) -> bytes:
        """Return the link of an event; empty if it does not exist or has none."""
        link = next((row[3] for row in self.select_linked(game, version - 1, version)), None)
        return link if isinstance(link, bytes) else b""

    def versions(self, games: Collection[UUID]) -> dict[UUID, int]:
        """Return the newest version of each game; leave out games that do not exist."""
        select = "SELECT game, version FROM progress WHERE game = ANY(?)"
        return dict(self._reader.fetch_tuples(tuple[UUID, int], select, list(games))) if games else {}

    select_notifications = _reject_order
    max_notification_id = _reject_order
    subscribe = _reject_order


class RecorderFactory(InfrastructureFactory[TrackingRecorder]):
    """Creates the library's recorders of an open database."""

    def __init__(self, events: EventLog, snapshots: SnapshotRecorder) -> None:
        super().__init__(Environment("boardkeeper", {self.IS_SNAPSHOTTING_ENABLED: "y"}))
        self._events = events
        self._snapshots = snapshots

    def application_recorder(self) -> EventLog:
        """Return the recorder of events."""
        return self._events

    def aggregate_recorder(self, purpose: str = "events") -> SnapshotRecorder:
        """Return the recorder of snapshots, the only other one that the library asks for."""
        return self._snapshots

    tracking_recorder = _reject_order
    process_recorder = _reject_order
