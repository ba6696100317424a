"""A live game: one game in memory, its lock, its seats and its watchers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from uuid import UUID

from msgspec.structs import replace

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import RUNNING, Game
from boardkeeper.game.seats import PERSON, seat_names
from boardkeeper.service.auth.seat_tokens import matches_hash
from boardkeeper.service.cache.committed_events import CommittedEvent, to_committed
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.service.cache.watchers import Watchers
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.chain import Damage
from boardkeeper.service.storage.rows import SeatRow

_BYTES_PER_ZONE = 170
_BYTES_PER_MARKER = 160
_BYTES_PER_EVENT = 15


class LiveGame:
    """A game in memory. Only the task that holds ``lock`` may decide commands or read the table.

    ``game.version`` counts stored events only and may be read without the lock. If ``is_dropped`` is true, the registry
    no longer uses this object: get the game from the registry again. If ``damage`` is set, the game ends before the
    damaged event and accepts no commands.

    The other attributes are for games that several processes change. ``is_stale``: another process may have stored
    events. ``needs_reload``: other rows than events may have changed too, so the game must be loaded again.
    ``polls_left``: before this many further commands, the database is polled for events of other processes.
    ``is_up_to_date``: this process has stored no events since the last poll.
    """

    __slots__ = (
        "_seat_names",
        "_seats",
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
        "watchers",
    )

    def __init__(
        self,
        game: Game,
        seats: Sequence[SeatRow],
        visibility_history: VisibilityHistory,
        damage: Damage | None = None,
    ) -> None:
        self.id: UUID = game.id
        self.id_text = str(game.id)
        self.game = game
        self.deciding = deciding_seats(game)
        self.seats = seats
        self.visibility_history = visibility_history
        self.watchers = Watchers()
        self.lock = asyncio.Lock()
        self.holder: object = None
        self.damage = damage
        self.is_dropped = False
        self.is_stale = False
        self.needs_reload = False
        self.polls_left = 0
        self.is_up_to_date = True
        self.used = 0.0
        self.size = self.estimate_size()

    def estimate_size(self) -> int:
        """Return an upper estimate of the bytes in memory.

        Measured for every title at the end of a game: 150 bytes per zone, 140 per marker, 11 per event.
        """
        table, version = self.game.table, self.game.version
        return _BYTES_PER_ZONE * len(table.zones) + _BYTES_PER_MARKER * len(table.markers) + _BYTES_PER_EVENT * version

    @property
    def may_be_behind(self) -> bool:
        """Return whether to read events of other processes first, because a decision would probably conflict."""
        return self.is_stale or (self.polls_left > 0 and not self.is_up_to_date)

    def check_sound(self) -> None:
        """Raise ``GAME_DAMAGED`` if the game accepts no commands because its stored events are damaged."""
        if self.damage is not None:
            raise ApiError("GAME_DAMAGED", version=self.damage.version)

    def keep_locked(self) -> None:
        """Keep the lock after the ``async with`` block that acquired it. The code after the commit releases it."""
        self.holder = None

    # --- seats ----------------------------------------------------------------------------------------------

    @property
    def seats(self) -> Sequence[SeatRow]:
        """The rows of the seats, seat 1 first."""
        return self._seats

    @seats.setter
    def seats(self, rows: Iterable[SeatRow]) -> None:
        self._seats = tuple(rows)
        self._seat_names: dict[str, tuple[str, ...]] = {}

    def seat_names(self, language: str) -> tuple[str, ...]:
        """Return the name of each seat for use in sentences: "Seat 2" for a seat without a name.

        A seat keeps its name while a bot plays it for a person.
        """
        found = self._seat_names.get(language)
        if found is None:
            names = [row.name for row in self._seats]
            found = seat_names(language, self.game.title, self.game.created.seats, names)
            self._seat_names[language] = found
        return found

    def is_token_of_seat(self, seat: int, token: str) -> bool:
        """Return whether a token is the seat's."""
        return 1 <= seat <= len(self.seats) and matches_hash(token, self.seats[seat - 1].token_hash)

    def seat_of_token(self, token: str) -> int:
        """Return the seat of a token, or 0 (a spectator) for any other token."""
        return next((row.seat for row in self.seats if matches_hash(token, row.token_hash)), 0) if token else 0

    @property
    def has_only_bots(self) -> bool:
        """Return whether bots or automata play all seats: no seat belongs to a person or is open."""
        return PERSON not in self.game.seats.kinds

    def find_deciding_bot(self) -> int:
        """Return the first seat of a bot that must decide and does not wait for a vote on an undo, or 0."""
        if (
            self.game.seats.bots
            and self.game.status == RUNNING
            and not self.game.undo.is_vote_blocking_bots
            and self.damage is None
        ):
            decisions = self.game.table.decisions
            for seat in self.game.seats.bots:
                if decisions[seat]:
                    return seat
        return 0

    # --- changes --------------------------------------------------------------------------------------------

    def commit(self, events: Sequence[GameEvent], deciding: tuple[int, ...]) -> list[CommittedEvent]:
        """Commit events that were just stored and send them to watchers; ``deciding`` are the seats that now decide."""
        kinds = self.game.seats.kinds
        self.game.commit(events)
        if self.game.seats.kinds is not kinds:
            self.seats = [replace(row, kind=kind) for row, kind in zip(self.seats, self.game.seats.kinds, strict=True)]
        self.deciding = deciding
        self.is_up_to_date = False
        return self._publish(events)

    def follow(self, events: Sequence[GameEvent], seats: Sequence[SeatRow]) -> None:
        """Apply events that another process has stored; ``seats`` are the rows after them."""
        self.game.apply_stored(events)
        self.seats = seats
        self.deciding = deciding_seats(self.game)
        self._publish(events)

    def _publish(self, events: Sequence[GameEvent]) -> list[CommittedEvent]:
        for event in events:
            self.visibility_history.add(event)
        committed = to_committed(self.visibility_history, events)
        self.watchers.publish(committed)
        return committed

    def drop(self) -> None:
        """Mark this object as no longer the registry's copy, and wake the watchers."""
        self.is_dropped = True
        self.watchers.wake()

    @property
    def is_idle(self) -> bool:
        """Return whether the game is neither locked nor watched, so that it can be evicted."""
        return not (self.lock.locked() or self.watchers)


def deciding_seats(game: Game) -> tuple[int, ...]:
    """Return the seats that must decide; empty if the game is not running."""
    return seats_with_decisions(game) if game.status == RUNNING else ()


def seats_with_decisions(game: Game) -> tuple[int, ...]:
    """Return the seats with an open decision on the table, also in a game that is not running."""
    return tuple([seat for seat, decision in enumerate(game.table.decisions) if decision and seat])
