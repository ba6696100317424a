"""The interface of a database; each kind of database implements it.

The rest of the server writes events and changes (:mod:`~boardkeeper.service.storage.changes`) and gets outcomes as
values. Reads block, so call them in reader threads.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Literal
from uuid import UUID

from msgspec import Struct

from boardkeeper.service.storage.access import AccessTables
from boardkeeper.service.storage.archive.tables import ArchiveTables
from boardkeeper.service.storage.clock_expiries import ExpiryTables
from boardkeeper.service.storage.event_log import EventLog, RecorderFactory, SnapshotRecorder
from boardkeeper.service.storage.feed import FeedTables
from boardkeeper.service.storage.game_tables import GameTables
from boardkeeper.service.storage.invitations import InvitationTables
from boardkeeper.service.storage.players import PlayerTables
from boardkeeper.service.storage.quotas import QuotaTables
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.service.storage.sql import Reader
from boardkeeper.service.storage.webhooks import WebhookTables
from boardkeeper.service.storage.writer import Writer

Synchronous = Literal["FULL", "NORMAL"]
"""``FULL``: each commit is flushed to disk. ``NORMAL``: a loss of power may lose the last commits."""


class PeerChanges(Struct, frozen=True):
    """Changes that other processes made in a shared database: a hint, which may be late, duplicated or lost.

    ``new_versions`` are games with new events, at least up to that version. ``changed_games`` are games with other
    changes, for instance an erased name. ``has_feed_items`` says that the feed has new items, ``has_gap`` that
    notifications may have been lost.
    """

    new_versions: Mapping[UUID, int] = {}
    changed_games: Sequence[UUID] = ()
    has_gap: bool = False
    has_feed_items: bool = False


class ReadableDatabase:
    """Read access to a database. ``name`` is its path or URL, without a password."""

    def __init__(self, name: str, key: ServiceKey, reader: Reader) -> None:
        self.name = name
        self.key = key
        self.reader = reader
        self.game_tables = GameTables(reader)
        self.archive = ArchiveTables(reader)
        self.access = AccessTables(reader)
        self.quotas = QuotaTables(reader)
        self.players = PlayerTables(reader)
        self.expiries = ExpiryTables(reader)
        self.feed = FeedTables(reader)
        self.invitations = InvitationTables(reader)
        self.webhooks = WebhookTables(reader)


class Database(ReadableDatabase, ABC):
    """An open database.

    ``is_shared`` says whether other processes may write it, ``notifies_changes`` whether they notify this process. The
    eventsourcing library creates its recorders with ``factory``. ``checkpoint_problem`` says how the database
    contradicts its last checkpoint; empty if it does not.
    """

    is_shared: bool
    notifies_changes: bool
    checkpoint_problem: str = ""

    def __init__(self, name: str, key: ServiceKey, reader: Reader, writer: Writer) -> None:
        super().__init__(name, key, reader)
        self.log = EventLog(reader, writer)
        self.factory = RecorderFactory(self.log, SnapshotRecorder(reader, writer))

    def save_checkpoint(self) -> None:
        """Write a signed checkpoint of the newest event, if this kind of database has checkpoints; blocks."""

    @abstractmethod
    def last_backup(self) -> int | None:
        """Return when the last backup was made (milliseconds since 1970), if known; blocks."""

    def record_address(self, address: str) -> None:
        """Store the server's address for other processes that find the database locked."""

    def listen(self, on_change: Callable[[PeerChanges], None]) -> None:
        """Call ``on_change``, on any thread, when other processes change the database, until it is closed.

        The first call has ``has_gap``, as have all calls after which notifications may have been lost.
        """

    @abstractmethod
    def close(self) -> None:
        """Store what is queued and close the connections."""

    @abstractmethod
    def discard(self) -> None:
        """Close, and delete what opening the database created. Call this only before the first write."""
