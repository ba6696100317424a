"""How the eventsourcing library comes to our recorders."""

from __future__ import annotations

from typing import Any, NoReturn

from eventsourcing.persistence import InfrastructureFactory, ProcessRecorder, ProgrammingError, TrackingRecorder
from eventsourcing.utils import Environment

from boardkeeper.service.storage.postgres.readers import Readers
from boardkeeper.service.storage.postgres.recorder import PostgresRecorder, PostgresSnapshotRecorder
from boardkeeper.service.storage.postgres.writer import PostgresWriter


class PostgresFactory(InfrastructureFactory[TrackingRecorder]):
    """Gives the library what reads and writes an open database.

    Not the library's own for PostgreSQL: that one locks the whole table of events for an order among all of them,
    which nobody here asks for.
    """

    def __init__(self, writer: PostgresWriter, readers: Readers) -> None:
        super().__init__(Environment("boardkeeper", {"IS_SNAPSHOTTING_ENABLED": "y"}))
        self._writer = writer
        self._readers = readers
        self._recorder = PostgresRecorder(writer, readers)

    def application_recorder(self) -> PostgresRecorder:
        """The events."""
        return self._recorder

    def aggregate_recorder(self, purpose: str = "events") -> PostgresSnapshotRecorder:
        """What is beside the events: the library asks for ``snapshots``."""
        return PostgresSnapshotRecorder(self._writer, self._readers)

    def tracking_recorder(self, tracking_recorder_class: Any = None) -> NoReturn:
        """Raises ``ProgrammingError``: there is no order among all events that could be tracked."""
        raise ProgrammingError("games in PostgreSQL have no order among each other to be tracked")

    def process_recorder(self) -> ProcessRecorder:
        """Raises ``ProgrammingError`` as well."""
        return self.tracking_recorder()

    def close(self) -> None:
        """Store what is queued, then close every connection."""
        self._writer.close()
        self._readers.close()
