"""A live game: one game in memory behind one lock, and what has just happened in it for those who watch."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from msgspec.structs import replace

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import RUNNING, Game
from boardkeeper.game.seats import PERSON, seat_names
from boardkeeper.service.auth.seat_tokens import matches_hash
from boardkeeper.service.cache.visibility_history import VisibilityHistory, VisibilitySnapshot
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.chain import Damage
from boardkeeper.service.storage.rows import SeatRow
from boardkeeper.service.tasks import Waiters

RECENT_EVENTS = 128

_BYTES_OF_A_ZONE = 170
_BYTES_OF_A_MARKER = 160
_BYTES_OF_AN_EVENT = 15


class EncodedEffects(NamedTuple):
    """What a viewer may know of an event's effects, encoded (:mod:`boardkeeper.service.api.event_messages`).

    ``shows_name`` and ``shows_detail`` are those of :class:`boardkeeper.game.disclosure.Disclosure`. ``is_all`` means
    that the viewer may see the detail and all effects unredacted.
    """

    encoded: bytes
    shows_name: bool
    shows_detail: bool
    is_all: bool


class CommittedCommand:
    """All events of a command with several events, each with its visibility snapshot.

    A viewer may know the command's id only if it may know all of its events; ``can_know_all`` caches this by viewer.
    It has no reference to its :class:`CommittedEvent` objects: a reference cycle would need the garbage collector.
    """

    __slots__ = ("can_know_all", "events")

    def __init__(self, events: Sequence[tuple[GameEvent, VisibilitySnapshot]]) -> None:
        self.events = events
        self.can_know_all: dict[int, bool] = {}


class CommittedEvent:
    """A stored event with the veil that lay over it, and its encodings, one per audience.

    ``shown`` is what everybody may know of it, once somebody has asked. ``command`` is the command that it is one of
    several events of; ``None`` if it is the only one.
    """

    __slots__ = ("command", "encoded", "event", "is_open", "shown", "visibility")

    def __init__(self, event: GameEvent, visibility: VisibilitySnapshot) -> None:
        self.event = event
        self.visibility = visibility
        self.encoded: dict[tuple[int, str], bytes] = {}
        self.shown: EncodedEffects | None = None
        self.is_open: bool | None = None
        self.command: CommittedCommand | None = None


class Watcher:
    """Somebody who watches a game, and the version up to which it was sent the events."""

    __slots__ = ("position",)

    def __init__(self, position: int) -> None:
        self.position = position


class LiveGame:
    """One actor: only who holds ``lock`` may let the game decide or read its table.

    ``game.version`` may be read without the lock: it counts stored events only. ``is_dropped`` means that this
    object no longer stands for the game: who finds that after taking the lock has to ask the hub again.
    ``damage`` is what is wrong with its stored events: it then stands for what comes before, and takes no commands.

    ``is_stale``: another process may have stored events. ``needs_reload``: more than new events may have changed.
    ``polls_left``: the number of commands before which the database is still asked for events of other processes.
    ``is_up_to_date``: this process has stored nothing since it last asked.
    """

    __slots__ = (
        "_called",
        "_recent",
        "_seats",
        "_waiters",
        "_watchers",
        "damage",
        "deciding",
        "game",
        "holder",
        "id",
        "id_text",
        "is_dropped",
        "is_stale",
        "is_up_to_date",
        "lock",
        "needs_reload",
        "polls_left",
        "size",
        "used",
        "visibility_history",
    )

    def __init__(
        self, game: Game, seats: Sequence[SeatRow], visibility_history: VisibilityHistory, damage: Damage | None = None
    ) -> None:
        self.id: UUID = game.id
        self.id_text = str(game.id)
        self.game = game
        self.deciding = deciding(game)
        self.seats = seats
        self.visibility_history = visibility_history
        self.lock = asyncio.Lock()
        self.damage = damage
        self.is_dropped = False
        self.is_stale = False
        self.polls_left = 0
        self.is_up_to_date = True
        self.needs_reload = False
        self.used = 0.0
        self.size = self.estimate()
        self._recent: deque[CommittedEvent] = deque(maxlen=RECENT_EVENTS)
        self.holder: object = None
        self._waiters = Waiters()
        self._watchers: set[Watcher] = set()

    def estimate(self) -> int:
        """About how many bytes it takes in memory, rather too many: a table with its rules, and what was ever done.

        Measured for every title at its end: a zone takes 150 bytes and a marker 140, with all that is bound to them; an
        event leaves 11.
        """
        table, version = self.game.table, self.game.version
        return (
            _BYTES_OF_A_ZONE * len(table.zones) + _BYTES_OF_A_MARKER * len(table.markers) + _BYTES_OF_AN_EVENT * version
        )

    @property
    def may_be_behind(self) -> bool:
        """Whether it is to be looked up before acting what others did: deciding on an old board would be in vain."""
        return self.is_stale or (self.polls_left > 0 and not self.is_up_to_date)

    def check_sound(self) -> None:
        """Raises ``GAME_DAMAGED`` if the game takes no more commands because its stored events are damaged."""
        if self.damage is not None:
            raise ApiError("GAME_DAMAGED", version=self.damage.version)

    def keep_locked(self) -> None:
        """Keep the lock when the block that holds the game ends: what follows a commit releases it."""
        self.holder = None

    # --- seats ----------------------------------------------------------------------------------------------

    @property
    def seats(self) -> Sequence[SeatRow]:
        """Who has which seat, that of seat 1 first."""
        return self._seats

    @seats.setter
    def seats(self, rows: Iterable[SeatRow]) -> None:
        self._seats = tuple(rows)
        self._called: dict[str, tuple[str, ...]] = {}

    def seat_names(self, language: str) -> tuple[str, ...]:
        """What sentences call the seats, that of seat 1 first: the names, or "Seat 2" for who has none (any more)."""
        called = self._called.get(language)
        if called is None:
            # Whoever plays it for a while, a seat keeps what it is called.
            names = [row.name for row in self._seats]
            called = self._called[language] = seat_names(language, self.game.title, self.game.created.seats, names)
        return called

    def is_token_of_seat(self, seat: int, token: str) -> bool:
        """Whether a token is the seat's."""
        return 1 <= seat <= len(self.seats) and matches_hash(token, self.seats[seat - 1].token_hash)

    def seat_of_token(self, token: str) -> int:
        """The seat whose token that is, or 0: a spectator."""
        return next((row.seat for row in self.seats if matches_hash(token, row.token_hash)), 0) if token else 0

    @property
    def has_only_bots(self) -> bool:
        """Whether no person plays (any more), or is still to come."""
        return PERSON not in self.game.kinds

    def find_deciding_bot(self) -> int:
        """Return the first seat of a bot that must decide and does not wait for a vote on an undo, or 0."""
        if (
            self.game.bots
            and self.game.status == RUNNING
            and not self.game.is_vote_blocking_bots
            and self.damage is None
        ):
            decisions = self.game.table.decisions
            for seat in self.game.bots:
                if decisions[seat]:
                    return seat
        return 0

    # --- what happened --------------------------------------------------------------------------------------

    def commit(self, events: Sequence[GameEvent], deciding: tuple[int, ...]) -> list[CommittedEvent]:
        """The events are stored: the game goes on, and whoever waits for it wakes up; ``deciding`` have to decide."""
        kinds = self.game.kinds
        self.game.commit(events)
        if self.game.kinds is not kinds:
            self.seats = [replace(row, kind=kind) for row, kind in zip(self.seats, self.game.kinds, strict=True)]
        self.deciding = deciding
        self.is_up_to_date = False
        return self._tell(events)

    def follow(self, events: Sequence[GameEvent], seats: Sequence[SeatRow]) -> None:
        """Another process has stored these events: the game goes along; ``seats`` are those that it has now."""
        self.game.follow(events)
        self.seats = seats
        self.deciding = deciding(self.game)
        self._tell(events)

    def _tell(self, events: Sequence[GameEvent]) -> list[CommittedEvent]:
        for event in events:
            self.visibility_history.note(event)
        committed = to_committed(self.visibility_history, events)
        if self._watchers:
            self._recent += committed
        self.wake()
        return committed

    def drop(self) -> None:
        """Stop standing for the game."""
        self.is_dropped = True
        self.wake()

    @property
    def has_waiters(self) -> bool:
        """Whether somebody watches it or waits for its next version."""
        return bool(self._waiters or self._watchers)

    @property
    def is_idle(self) -> bool:
        """Whether nobody uses this object, so that it may go from memory."""
        return not (self.lock.locked() or self._waiters or self._watchers)

    @property
    def watchers(self) -> int:
        """How many watch it."""
        return len(self._watchers)

    def add_watcher(self, position: int) -> Watcher:
        """Keep recent events as long as somebody watches; an unwatched game keeps none, to stay small."""
        watcher = Watcher(position)
        self._watchers.add(watcher)
        return watcher

    def remove_watcher(self, watcher: Watcher) -> None:
        """Somebody watches no more."""
        self._watchers.discard(watcher)
        if not self._watchers:
            self._recent.clear()

    def behind(self) -> Iterator[int]:
        """How many events each watcher is behind."""
        return (self.game.version - watcher.position for watcher in self._watchers)

    def recent_events_after(self, version: int) -> list[CommittedEvent] | None:
        """The events after a version if all of them are still at hand, else ``None``."""
        recent = self._recent
        if not recent or recent[0].event.originator_version > version + 1:
            return None
        first = recent[0].event.originator_version
        return [recent[index] for index in range(version + 1 - first, len(recent))]

    async def wait_for_change(self, seconds: float) -> bool:
        """Wait for the next commit (or drop); false if nothing came within that time."""
        return await self._waiters.wait(seconds)

    def wake(self) -> None:
        """Wake all that wait in :meth:`wait_for_change`."""
        self._waiters.wake()


def to_committed(visibility_history: VisibilityHistory, events: Sequence[GameEvent]) -> list[CommittedEvent]:
    """Stored events that follow each other, each with the veil that lay over it; all events of each command."""
    if len(events) == 1:
        return [CommittedEvent(visibility_history.tellable(events[0]), visibility_history.over(events)[0])]
    committed = list(map(CommittedEvent, map(visibility_history.tellable, events), visibility_history.over(events)))
    for _, command in groupby(committed, key=lambda it: it.event.command_id):
        several = list(command)
        if len(several) == 1 or not several[0].event.command_id:  # no command's: nothing to know
            continue
        together = CommittedCommand([(one.event, one.visibility) for one in several])
        for one in several:
            one.command = together
    return committed


def deciding(game: Game) -> tuple[int, ...]:
    """The seats that have to decide in a game that is under way."""
    return asked(game) if game.status == RUNNING else ()


def asked(game: Game) -> tuple[int, ...]:
    """The seats that have to decide by a game's table, whatever has become of the game."""
    return tuple([seat for seat, decision in enumerate(game.table.decisions) if decision and seat])


# --- command ids: clients of different seats may choose the same ---------------------------------------------


def make_command_key(seat: int, command_id: str) -> str:
    """Return the key of a command of a seat, by the id that the client chose."""
    return f"{seat}:{command_id}"


def client_command_id(key: str) -> str:
    """Return the id that the client chose for its command."""
    return key.partition(":")[2]


def seat_of(key: str) -> int:
    """Return the seat that gave a command; -2 if no seat did."""
    seat = key.partition(":")[0]
    return int(seat) if seat.isascii() and seat.isdecimal() else -2
