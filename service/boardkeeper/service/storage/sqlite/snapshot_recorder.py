"""The library's table of snapshots, written by the thread that writes the events: the two never wait for a lock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import SQLiteAggregateRecorder

from boardkeeper.service.storage.changes import PutSnapshots
from boardkeeper.service.storage.sqlite.events_table import SNAPSHOTS
from boardkeeper.service.storage.sqlite.recorder import GroupCommitRecorder


class SnapshotRecorder(SQLiteAggregateRecorder):
    """Stores snapshots through the recorder of the events."""

    def __init__(self, events: GroupCommitRecorder) -> None:
        super().__init__(events.datastore, SNAPSHOTS)
        self._events = events

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """Store snapshots in place of the rows ``misfits``, and wait for the disk."""
        self._events.writer.store([PutSnapshots(stored_events, kwargs.get("misfits", ()))])
        return None
