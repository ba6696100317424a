"""How the eventsourcing library finds our recorder: name the class below as ``PERSISTENCE_MODULE``."""

from __future__ import annotations

from typing import cast

from eventsourcing.persistence import AggregateRecorder
from eventsourcing.sqlite import SQLiteFactory

from boardkeeper.service.storage.database import Synchronous
from boardkeeper.service.storage.sqlite.recorder import GroupCommitRecorder
from boardkeeper.service.storage.sqlite.snapshot_recorder import SnapshotRecorder


class GroupCommitFactory(SQLiteFactory):
    """The library's SQLite factory with a :class:`GroupCommitRecorder` for events and snapshots beside them.

    Besides the library's variables it reads ``SQLITE_SYNCHRONOUS`` (``FULL`` or ``NORMAL``).
    """

    _recorder: GroupCommitRecorder | None = None

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        """A recorder for what is beside the events: the library asks for ``snapshots``."""
        recorder = SnapshotRecorder(self.application_recorder())
        if self.env_create_table():
            recorder.create_table()
        return recorder

    def application_recorder(self) -> GroupCommitRecorder:
        """The one event recorder of this factory, made with its tables at the first call."""
        if self._recorder is None:
            synchronous = (self.env.get("SQLITE_SYNCHRONOUS") or "FULL").upper()
            if synchronous not in ("FULL", "NORMAL"):
                raise OSError(f"SQLITE_SYNCHRONOUS must be FULL or NORMAL, not {synchronous}")
            self._recorder = GroupCommitRecorder(self.datastore, synchronous=cast(Synchronous, synchronous))
            if self.env_create_table():
                self._recorder.create_table()
        return self._recorder

    def close(self) -> None:
        """Store what is queued, then close every connection."""
        if self._recorder is not None:
            self._recorder.close()
        super().close()
