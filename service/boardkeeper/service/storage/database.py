"""What every kind of database does for the service: these are the only ways in and out of one.

Nothing of how a database is asked crosses this border: what is to be written are events and named changes
(:mod:`~boardkeeper.service.storage.changes`), and what became of it is a value. Reading blocks, so it belongs in reader
threads.
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
"""Whether a file is flushed to the disk at each commit; with ``NORMAL`` a loss of power may cost the last ones."""


class PeerChanges(Struct, frozen=True):
    """What other processes did in a shared database: a hint, which may come late, twice or never.

    ``moved`` are games that have new events, up to that version at least, ``changed`` such of which more than that may
    be otherwise (a name was erased, the game was removed). ``fed`` tells that there are new items in the feed,
    ``missed`` that anything may have happened in the meantime.
    """

    new_versions: Mapping[UUID, int] = {}
    changed_games: Sequence[UUID] = ()
    has_gap: bool = False
    has_feed_items: bool = False


class ReadableDatabase:
    """A database of games that is read. ``name`` says where it is, without secrets."""

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
    """A database of games that is open, from when it was made or found until :meth:`close` or :meth:`discard`.

    ``is_shared`` says whether other processes may write it as well,
    ``notifies_changes`` whether they notify this one. The eventsourcing library makes its
    parts with ``factory``. ``older`` says in what it is older than was known of it before.
    """

    is_shared: bool
    notifies_changes: bool
    older: str = ""

    def __init__(self, name: str, key: ServiceKey, reader: Reader, writer: Writer) -> None:
        super().__init__(name, key, reader)
        self.log = EventLog(reader, writer)
        self.factory = RecorderFactory(self.log, SnapshotRecorder(reader, writer))

    @abstractmethod
    def save_checkpoint(self) -> None:
        """Write, signed, how far the database has come, where there is such a thing; blocks."""

    @abstractmethod
    def last_backup(self) -> int | None:
        """Return when the last backup was made (milliseconds since 1970), if one is known; blocks."""

    @abstractmethod
    def record_address(self, address: str) -> None:
        """Note where the database is served for processes that find it in use, if only one process can have it."""

    @abstractmethod
    def listen(self, hear: Callable[[PeerChanges], None]) -> None:
        """Call ``hear``, on some thread, whenever other processes changed something, until the database is closed.

        At first, and whenever notifications may have been lost, it is called with ``missed``.
        """

    @abstractmethod
    def close(self) -> None:
        """Store what is queued and close the connections."""

    @abstractmethod
    def discard(self) -> None:
        """Close, and delete what opening has made. For a database in which nothing was stored yet."""
