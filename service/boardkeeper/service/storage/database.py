"""What every kind of database does for the service: these are the only ways in and out of one.

Nothing of how a database is asked crosses this border: what is to be written are events and named changes
(:mod:`~boardkeeper.service.storage.changes`), and what became of it is a value. Reading blocks, so it belongs in reader
threads.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, Protocol
from uuid import UUID

from eventsourcing.persistence import InfrastructureFactory
from msgspec import Struct

from boardkeeper.service.storage.access import AccessTables
from boardkeeper.service.storage.archive.tables import ArchiveTables
from boardkeeper.service.storage.chain import ChainedRow
from boardkeeper.service.storage.companions import Companions
from boardkeeper.service.storage.expiries import ExpiryTable
from boardkeeper.service.storage.feed import FeedTables
from boardkeeper.service.storage.invitations import InvitationTables
from boardkeeper.service.storage.keys import ServiceKey
from boardkeeper.service.storage.players import PlayerTables
from boardkeeper.service.storage.quotas import QuotaTables
from boardkeeper.service.storage.sql import Reader
from boardkeeper.service.storage.webhooks import WebhookTables
from boardkeeper.service.storage.writing import Writer

Synchronous = Literal["FULL", "NORMAL"]
"""Whether a file is flushed to the disk at each commit; with ``NORMAL`` a loss of power may cost the last ones."""

EventRow = tuple[int, str, bytes]
"""Version, topic and state of one stored event."""


# --- reading ------------------------------------------------------------------------------------------------


NEWEST = (1 << 31) - 1
"""No game has as many versions."""


class EventLog(Protocol):
    """The stored events."""

    @property
    def writer(self) -> Writer:
        """What writes them."""

    def select_rows(
        self,
        game: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        limit: int | None = None,
        most_bytes: int | None = None,
    ) -> list[EventRow]:
        """The stored events of one game with ``after < version <= until``, oldest first, as bare rows.

        No more rows are read once there are ``most_bytes`` of states.
        """

    def select_chain(self, game: UUID) -> tuple[list[ChainedRow], object, object]:
        """All stored events of a game with their links, and the head of its chain with its version, at one moment."""

    def select_linked(self, game: UUID, after: int, until: int) -> list[ChainedRow]:
        """The stored events of a game with ``after < version <= until`` and their links."""

    def select_tails(self, after: Mapping[UUID, int]) -> dict[UUID, list[ChainedRow]]:
        """The stored events of each of these games with ``after <= version`` and their links; none of some, maybe."""

    def select_link(self, game: UUID, version: int) -> bytes:
        """The link of one stored event; empty if it is not there or has none."""

    def versions(self, games: Collection[UUID]) -> dict[UUID, int]:
        """The newest versions of those of these games that are there."""


# --- the whole ----------------------------------------------------------------------------------------------


class News(Struct, frozen=True):
    """What other processes did in a shared database: a hint, which may come late, twice or never.

    ``moved`` are games that have new events, up to that version at least, ``changed`` such of which more than that may
    be otherwise (a name was erased, the game was removed). ``fed`` tells that there are new items in the feed,
    ``missed`` that anything may have happened in the meantime.
    """

    moved: Mapping[UUID, int] = {}
    changed: Sequence[UUID] = ()
    missed: bool = False
    fed: bool = False


class Database(ABC):
    """A database of games that is open, from when it was made or found until :meth:`close` or :meth:`discard`.

    ``name`` says where it is, without secrets. ``is_shared`` says whether other processes may write it as well,
    ``tells_changes`` whether they notify this one. The eventsourcing library makes its
    parts with ``factory``. ``older`` says in what it is older than was known of it before.
    """

    name: str
    key: ServiceKey
    is_shared: bool
    tells_changes: bool
    older: str = ""
    factory: InfrastructureFactory[Any]
    log: EventLog

    def __init__(self, reader: Reader) -> None:
        self.companions = Companions(reader)
        self.archive = ArchiveTables(reader)
        self.access = AccessTables(reader)
        self.quotas = QuotaTables(reader)
        self.players = PlayerTables(reader)
        self.expiries = ExpiryTable(reader)
        self.feed = FeedTables(reader)
        self.invitations = InvitationTables(reader)
        self.webhooks = WebhookTables(reader)

    @abstractmethod
    def save_checkpoint(self) -> None:
        """Write, signed, how far the database has come, where there is such a thing; blocks."""

    @abstractmethod
    def last_backup(self) -> int | None:
        """Return when the last backup was made (milliseconds since 1970), if one is known; blocks."""

    @abstractmethod
    def served_at(self, address: str) -> None:
        """Note where the database is served for processes that find it in use, if only one process can have it."""

    @abstractmethod
    def listen(self, hear: Callable[[News], None]) -> None:
        """Call ``hear``, on some thread, whenever other processes changed something, until the database is closed.

        At first, and whenever notifications may have been lost, it is called with ``missed``.
        """

    @abstractmethod
    def close(self) -> None:
        """Store what is queued and close the connections."""

    @abstractmethod
    def discard(self) -> None:
        """Close, and delete what opening has made. For a database in which nothing was stored yet."""
