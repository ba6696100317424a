"""Undo: the batches that can be undone, the votes on undos, and their limits.

An undo reverts a seat's last batch of commands that is not undone yet, and everything after it, with one more event
(:mod:`boardkeeper.game.undo_effects`). It is free if no other seat has acted and no viewer has learnt anything since
the batch began: no random result, no reveal, no move to a zone that more viewers see. Otherwise every other person must
consent. A bot that plays for a person cannot consent, because the undo could show the person's secrets to others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.game import undo_effects
from boardkeeper.game.events import (
    GameEvent,
    SeatTakenBack,
    UndoConsented,
    Undone,
    UndoRequested,
)
from boardkeeper.game.seats import PERSON, Seats
from boardkeeper.game.versions import Batches
from boardkeeper.table.effects import Effect, Shuffle
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table

MAX_UNDONE_EVENTS = 2_000
"""The maximum number of events that one undo can revert; a few dozen are usual."""

SPARE_UNDOS = 100
UNDOS_PER_BATCH = 4
"""A seat has ``SPARE_UNDOS`` undos, and this many for each of its batches, so that it cannot fill the log alone."""

BOTS_CONSENT = frozenset({"1", "2"})
"""The versions of the rules under which a bot that plays for a person consents to every undo."""

MAX_REQUESTS = 3
"""The maximum number of requests of a seat to undo the same batch."""

_TOO_FAR = Rejection("UNDO_TOO_FAR", "table.undo_within_reach", {"most": str(MAX_UNDONE_EVENTS)})


class Vote(Struct, frozen=True):
    """An open vote: ``seat`` requests to undo everything from ``first_version`` on.

    ``version`` is the version of the request. ``consented`` and ``waiting`` are the seats of the other people. A seat
    in ``waiting`` that a bot plays now can answer after its person has taken it back.
    """

    version: int
    seat: int
    first_version: int
    consented: tuple[int, ...]
    waiting: tuple[int, ...]


class UndoState:
    """The batches that are not undone, the open ``vote`` if any, and the undos that each seat has made or requested."""

    __slots__ = ("_counts", "_has_clocks", "_last_reveal", "_requests", "_seats", "_shuffles", "batches", "vote")

    def __init__(self, seats: Seats, *, has_clocks: bool) -> None:
        self._seats = seats
        self._has_clocks = has_clocks
        self.batches = Batches()
        self.vote: Vote | None = None
        self._last_reveal = 0
        """The last version whose event revealed something to a viewer."""
        self._shuffles: dict[str, int] = {}
        """The version of each stack's last shuffle."""
        self._counts: dict[int, int] = {}
        """Undos made or requested, by seat."""
        self._requests: dict[int, tuple[int, int]] = {}
        """The first version of each seat's latest request, and how often the seat has requested it."""

    def copy(self, seats: Seats) -> UndoState:
        """Return an independent copy for the copied seats of a game."""
        other = UndoState(seats, has_clocks=self._has_clocks)
        other.batches, other.vote, other._last_reveal = self.batches.copy(), self.vote, self._last_reveal
        other._shuffles, other._counts, other._requests = dict(self._shuffles), dict(self._counts), dict(self._requests)
        return other

    # --- undos ---------------------------------------------------------------------------------------------

    def first_version(self, seat: int, *, unlimited: bool = False) -> int | Rejection:
        """Return the first version that an undo of the seat reverts: the start of its last batch that is not undone.

        ``unlimited`` ignores the limits, which are not rules of the game: for audits.
        """
        if self.vote is not None:
            return Rejection("UNDO_OPEN", "table.one_undo_at_a_time", {"seat": str(self.vote.seat)})
        first = self.batches.last_of(seat)
        if not first:
            return Rejection("NOTHING_TO_UNDO", "table.undo_own_command")
        return first if unlimited else self._check_limits(seat, first) or first

    def _check_limits(self, seat: int, first: int) -> Rejection | None:
        most = SPARE_UNDOS + UNDOS_PER_BATCH * self.batches.count_of(seat)
        if self._counts.get(seat, 0) >= most:
            return Rejection("TOO_MANY_UNDOS", "table.undo_in_moderation", {"seat": str(seat), "most": str(most)})
        if self._requests.get(seat) == (first, MAX_REQUESTS):
            values = {"version": str(first), "most": str(MAX_REQUESTS)}
            return Rejection("ASKED_TOO_OFTEN", "table.undo_in_moderation", values)
        count = sum(last - begin + 1 for begin, last in self.batches.since(first))
        return _TOO_FAR if count > MAX_UNDONE_EVENTS else None

    def is_free(self, first: int) -> bool:
        """Return whether everything from this version on can be undone without a vote."""
        return self.batches.is_last(first) and self._last_reveal < first

    def select_not_undone(self, past: Iterable[GameEvent], first: int) -> list[GameEvent]:
        """Return the events of ``past`` from a version on that are not undone.

        Raises ``ValueError`` if one is missing.
        """
        runs = self.batches.since(first)
        by_version = {event.originator_version: event for event in past}
        try:
            return [by_version[version] for begin, last in runs for version in range(begin, last + 1)]
        except KeyError as missing:
            raise ValueError(f"the undo needs the events {runs}, but {missing} is missing") from None

    def undo_events(self, table: Table, events: Sequence[GameEvent]) -> tuple[Effect, ...] | Rejection:
        """Undo these events, which must not be undone yet, on a table and return the effects."""
        effects = undo_effects.undo_events(table, events, self._shuffles)
        return Rejection("NOT_PAST_SHUFFLE", "table.shuffles_stay") if effects is None else effects

    # --- votes ---------------------------------------------------------------------------------------------

    def voters(self, seat: int) -> list[int]:
        """Return the seats that have to consent to an undo of this seat that is not free."""
        return [voter for voter in self._seats.voters() if voter != seat]

    def check_answer(self, seat: int, request_version: int, *, consent: bool) -> Vote | Rejection:
        """Return the open vote if the seat can give this answer."""
        vote = self.vote
        if vote is None or vote.version != request_version:
            return Rejection("NO_SUCH_UNDO", "table.undo_vote", {"version": str(request_version)})
        can_decline = seat in vote.waiting or seat in vote.consented or seat == vote.seat
        if not (seat in vote.waiting if consent else can_decline):
            return Rejection("NOT_ASKED", "table.undo_vote", {"seat": str(seat)})
        return vote

    def voters_left_after(self, event: GameEvent) -> tuple[int, ...]:
        """Return the seats that have to answer a vote after the next event.

        A request opens a vote. A consent continues it, and so does a person who takes back a seat that has to answer.
        Every other event closes it.
        """
        if isinstance(event.detail, UndoRequested):
            return tuple(self.voters(event.seat))
        waiting = () if self.vote is None else self.vote.waiting
        if isinstance(event.detail, UndoConsented):
            return tuple(seat for seat in waiting if seat != event.seat)
        return waiting if isinstance(event.detail, SeatTakenBack) and event.seat in waiting else ()

    @property
    def is_vote_blocking_bots(self) -> bool:
        """Whether bots wait for the open vote; see :meth:`blocks_bots`."""
        return self.vote is not None and self.blocks_bots(self.vote.waiting, self._seats.kinds)

    def blocks_bots(self, waiting: Sequence[int], kinds: Sequence[str]) -> bool:
        """Return whether bots wait until these seats have answered a vote.

        In a game with clocks they do not wait for people whose seats bots play: no clock would end that wait. The next
        command of a bot closes such a vote.
        """
        return bool(waiting) and (not self._has_clocks or any(kinds[seat - 1] == PERSON for seat in waiting))

    # --- events --------------------------------------------------------------------------------------------

    def apply_effects(self, table: Table, event: GameEvent) -> None:
        """Store which reveals and shuffles the event contains. An undo does not revert this."""
        if not undo_effects.reveals_nothing(table, event.effects):
            self._last_reveal = event.originator_version
            for effect in event.effects:
                if isinstance(effect, Shuffle):
                    self._shuffles[effect.zone] = event.originator_version

    def apply_request(self, event: GameEvent, first_version: int) -> None:
        """Open the vote that the event requests."""
        seat = event.seat
        self.vote = Vote(event.originator_version, seat, first_version, (), self.voters_left_after(event))
        requested, times = self._requests.get(seat, (0, 0))
        self._requests[seat] = first_version, times + 1 if requested == first_version else 1
        self._counts[seat] = self._counts.get(seat, 0) + 1

    def apply_consent(self, event: GameEvent) -> None:
        """Apply a consent to the open vote."""
        if self.vote is not None:
            left = self.voters_left_after(event)
            self.vote = replace(self.vote, consented=(*self.vote.consented, event.seat), waiting=left)

    def apply_undone(self, event: GameEvent, detail: Undone) -> None:
        """Remove the batches that the event undoes and close the vote."""
        self.batches.remove_from(detail.first_version)
        if self.vote is None:  # a free undo; any other was counted when it was requested
            self._counts[event.seat] = self._counts.get(event.seat, 0) + 1
        self.vote = None
