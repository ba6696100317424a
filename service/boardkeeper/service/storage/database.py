"""What every kind of database does for the service: these are the only ways in and out of one.

Nothing of how a database is asked crosses this border: what is to be written are events and named changes
(:mod:`~boardkeeper.service.storage.changes`), and what became of it is a value. Reading blocks, so it belongs in reader
threads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol
from uuid import UUID

from eventsourcing.persistence import InfrastructureFactory, StoredEvent
from msgspec import Struct

from boardkeeper.service.storage.access import AccessTables
from boardkeeper.service.storage.archive.tables import ArchiveTables
from boardkeeper.service.storage.chain import ChainedRow
from boardkeeper.service.storage.changes import Change, Progress
from boardkeeper.service.storage.expiries import ExpiryTable
from boardkeeper.service.storage.feed import FeedItem, FeedTables
from boardkeeper.service.storage.invitations import InvitationTables
from boardkeeper.service.storage.keys import ServiceKey
from boardkeeper.service.storage.players import PlayerTables
from boardkeeper.service.storage.quotas import QuotaTables
from boardkeeper.service.storage.rows import PAGE, ImportRow, LobbyRow, RequestRow, SeatRow, TombstoneRow
from boardkeeper.service.storage.webhooks import WebhookTables

Synchronous = Literal["FULL", "NORMAL"]
"""Whether a file is flushed to the disk at each commit; with ``NORMAL`` a loss of power may cost the last ones."""

EventRow = tuple[int, str, bytes]
"""Version, topic and state of one stored event."""


# --- writing ------------------------------------------------------------------------------------------------


class NewRow(Struct, frozen=True):
    """An event to be stored, under the names that the library's rows have."""

    originator_id: UUID
    originator_version: int
    topic: str
    state: bytes


AnyRow = NewRow | StoredEvent


class Append(Struct, frozen=True):
    """Events of one command of one game and what belongs to them, all or nothing.

    They are stored only if the game has every version before the first of them and none from there on: whoever decided
    them on an older table is told so (:class:`Conflict`). ``changes`` may conflict as well, which fails this append
    alone. ``progress`` is what the lobby has to say of the game from then on, ``news`` what the feed tells of it.
    """

    events: Sequence[AnyRow]
    changes: Sequence[Change] = ()
    progress: Progress | None = None
    news: Sequence[FeedItem] = ()


class Stored(Struct, frozen=True):
    """The append is durable."""


class Conflict(Struct, frozen=True):
    """Somebody else was first, with these versions, this game or this request; nothing of the append was stored."""

    problem: str


class Failed(Struct, frozen=True):
    """The append could not be stored, or nobody knows: whoever repeats the command is told."""

    error: Exception


class Blocked(Struct, frozen=True):
    """Another transaction holds a lock that the append needs; nothing of the append was stored.

    The writer does not wait for the lock, because all other games would wait with it. The caller tries again later.
    """

    problem: str


FinalOutcome = Stored | Conflict | Failed
"""The result of an append after all attempts."""

Outcome = FinalOutcome | Blocked
"""The result of one attempt to store an append."""


class Batch(NamedTuple):
    """Appends that were handed over together; ``done`` is called once, on the writer's thread, with their outcomes.

    No game is in it twice.
    """

    appends: Sequence[Append]
    done: Callable[[list[Outcome]], None]


class Writer(Protocol):
    """Stores what is queued, in the order in which it came.

    ``commits`` and ``appends`` count what was done, ``conflicts`` the appends for which somebody else was first.
    ``on_commit`` is told of each commit, on the writer's thread: how many appends it had and how many seconds it took.
    ``trouble`` is what went wrong with the storage as long as nothing has been stored since.
    """

    commits: int
    appends: int
    conflicts: int
    on_commit: Callable[[int, float], None] | None
    trouble: Exception | None

    def submit(self, batch: Batch) -> None:
        """Queue a batch. Raises ``OperationalError`` if the writer is closed."""

    def store(self, changes: Sequence[Change]) -> None:
        """Store changes alone, all or none, and wait until they are durable; raises what prevents it."""

    def try_out(self, *, write: bool = False) -> None:
        """Raise what prevents storing or reading now. Store a probe only after :attr:`trouble`, or with ``write``."""


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


class Companions(Protocol):
    """What stands beside the events."""

    def game(self, game: UUID, *, with_seats: bool = True) -> LobbyRow | None:
        """One line of the lobby, and of its seats; raises ``DamagedLineError`` for what cannot be one."""

    def games(
        self,
        *,
        before: int | None = None,
        limit: int = PAGE,
        status: str = "",
        title: str = "",
        id_prefix: str = "",
        platform: str | None = None,
    ) -> list[LobbyRow]:
        """A page of the lobby's lines, newest first, whose number is below ``before``; ``id_prefix`` has no hyphens.

        With a ``platform`` only its games, or if that is empty, those that are nobody's.

        However many games there are, only those that the page has are read; with a prefix, those that begin so. Lines
        that cannot be read are left out. Raises ``DamagedLobbyError`` if none can be.
        """

    def lines(self, games: Sequence[UUID]) -> list[LobbyRow]:
        """The lobby's lines of those games, newest first; those that are gone, or cannot be read, are left out."""

    def numbered(self, status: str, before: int | None, limit: int = PAGE) -> list[tuple[int, UUID]]:
        """Numbers and ids of a page of games of a status, newest first, whose number is below ``before``."""

    def running_with_bots(self, after: int, limit: int = PAGE) -> tuple[list[UUID], int | None]:
        """Of the ``limit`` oldest running games with a number above ``after``, those in which a bot has to decide.

        Also gives the number of the last one looked at, which the next page begins after; ``None``: there are no more.
        """

    def waiting_for_bots(self, before: int, limit: int) -> list[UUID]:
        """Some running games in which a bot has had to decide since before that time (milliseconds since 1970).

        Which of them are left out is another matter each time. Only asked where processes share a database.
        """

    def count_games(self) -> int:
        """How many games there are in the lobby."""

    def known_games(self) -> Iterator[UUID]:
        """The ids of all games in the lobby in its order, then those that only have events."""

    def lost_games(self) -> list[UUID]:
        """Games of which there are events but no line in the lobby, in an order that does not change."""

    def seats(self, game: UUID) -> list[SeatRow]:
        """The seats of one game."""

    def secret(self, game: UUID) -> bytes:
        """The dice secret of a game; raises ``SecretLostError`` if it was erased or is none."""

    def request(self, request: bytes) -> RequestRow | None:
        """What an idempotent request did, if it was seen."""

    def requests_of(self, game: UUID) -> list[tuple[RequestRow, int]]:
        """The idempotent requests about a game, with their times in milliseconds since 1970."""

    def imported(self, game: UUID) -> ImportRow | None:
        """Where a game came from, if it was not played here."""

    def imported_with(self, head: str) -> ImportRow | None:
        """The imported game whose record has that head."""

    def removed(self, game: UUID) -> int | None:
        """When a game was removed (milliseconds since 1970), if it was."""

    def tombstones(self) -> list[TombstoneRow]:
        """What tells of all games that were removed."""

    def is_known(self, game: UUID) -> bool:
        """Whether anything is here of a game, however damaged."""

    def was_played_here(self, game: UUID) -> bool:
        """Whether a game is or was here that did not come as a record."""

    def removed_import(self, head: str, key_id: str) -> tuple[UUID, int] | None:
        """The game that was imported from that record, signed with that key, and when it was removed, if it was."""


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


class Database(Protocol):
    """A database of games that is open, from when it was made or found until :meth:`close` or :meth:`discard`.

    ``name`` is what people and the log are told of where it is; nothing secret is in it. ``is_shared`` tells whether
    other processes may be writing it as well, ``tells_changes`` whether they say so. ``older`` says in what it is older
    than was known of it before.
    """

    name: str
    key: ServiceKey
    is_shared: bool
    tells_changes: bool
    older: str

    @property
    def factory(self) -> InfrastructureFactory[Any]:
        """What the eventsourcing library makes its parts with."""

    @property
    def log(self) -> EventLog:
        """The stored events."""

    @property
    def companions(self) -> Companions:
        """What stands beside them."""

    @property
    def access(self) -> AccessTables:
        """Who may do what."""

    @property
    def archive(self) -> ArchiveTables:
        """Which games' events were moved out."""

    @property
    def quotas(self) -> QuotaTables:
        """What platforms have used."""

    @property
    def invitations(self) -> InvitationTables:
        """Invitations to free seats."""

    @property
    def players(self) -> PlayerTables:
        """The players of platforms, and what became of ended games."""

    @property
    def expiries(self) -> ExpiryTable:
        """When clocks run out."""

    @property
    def feed(self) -> FeedTables:
        """What platforms are told of all games."""

    @property
    def webhooks(self) -> WebhookTables:
        """Where they want it sent."""

    def save_checkpoint(self) -> None:
        """Write down, signed, how far the database has come, where there is such a thing; blocks."""

    def last_backup(self) -> int | None:
        """When the last backup was made (milliseconds since 1970), if one is known of; blocks."""

    def served_at(self, address: str) -> None:
        """Let whoever finds the database in use know where it is served, if only one process can have it."""

    def listen(self, hear: Callable[[News], None]) -> None:
        """Have ``hear`` called, on some thread, whenever others did something, until the database is closed.

        It is told ``missed`` at first and whenever hints may have been lost; where there are no others, never anything.
        """

    def close(self) -> None:
        """Store what is queued and let go."""

    def discard(self) -> None:
        """Let go and leave nothing behind of what opening it has made. For who has stored nothing yet."""
