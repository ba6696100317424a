"""What tests of a file look at or spoil from within, where the interface of databases gives no way."""

from __future__ import annotations

from uuid import UUID

from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.changes import NewRequest
from boardkeeper.service.storage.rows import RequestRow
from boardkeeper.service.storage.sqlite.database import SqliteDatabase
from boardkeeper.service.storage.sqlite.recorder import GroupCommitRecorder

NOT_TO_BE_STORED = NewRequest(RequestRow(object(), b"", b"", UUID(int=1), ()), 1)  # type: ignore[arg-type]
"""A change that fails, for no fault of the disk, and conflicts with nothing."""


def log_of(application: GameApplication) -> GroupCommitRecorder:
    """The recorder of an application on a file."""
    assert isinstance(application.database, SqliteDatabase)
    return application.database.log
