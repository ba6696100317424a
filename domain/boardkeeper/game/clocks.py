"""The clocks of a game, computed only from its events and their times, so that audits compute the same clocks.

A person's clock runs while the seat has to decide. During a vote on an undo only the clocks of the voters run, unless
bots play the seats of all voters that have not answered. A clock stops while a bot plays its seat. A *decision period*
begins when a seat has to decide and ends when it has nothing more to decide; it can contain several decisions. See
``docs/clocks.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from boardkeeper.game.events import (
    GAME_EVENT_TYPES,
    SEAT_EVENTS,
    GameEnded,
    GameEvent,
    GameStarted,
    SeatTakenBack,
    TimeExpired,
    UndoConsented,
    Undone,
    UndoRequested,
)
from boardkeeper.game.seats import PERSON, updated_kinds
from boardkeeper.game.time_control import MOVE, TimeControl
from boardkeeper.table.effects import Ask

_MINIMUM_DIVISOR = 10
"""A person who takes back a seat with expired time gets at least the initial time divided by this."""


class Reading(NamedTuple):
    """One seat's clock: ``left`` milliseconds at the time ``since``; ``since`` is ``None`` if it does not run."""

    left: int
    since: int | None

    @property
    def expires(self) -> int | None:
        """The time at which it runs out, in milliseconds since 1970; ``None`` if it does not run."""
        return None if self.since is None else self.since + self.left


class _EndedPeriod(NamedTuple):
    """A decision period that ended at ``version`` with ``left`` milliseconds, before ``added`` were added."""

    version: int
    left: int
    added: int


class Clocks:
    """The clocks of one game. :meth:`apply_event` must be called with its events in order."""

    __slots__ = (
        "_absent",
        "_ended",
        "_expired",
        "_is_over",
        "_kinds",
        "_left",
        "_must_decide",
        "_runs",
        "_since",
        "_voters",
        "_voters_left",
        "control",
    )

    def __init__(
        self, control: TimeControl, kinds: Sequence[str], decisions: Sequence[str], voters: Sequence[int] = ()
    ) -> None:
        """``kinds`` and ``decisions`` are those of the first event; ``decisions`` can be empty.

        ``voters`` are the seats that vote on undos even while a bot plays them.
        """
        self.control = control
        self._kinds = tuple(kinds)
        seats = len(self._kinds)
        self._left = [control.bank] * seats
        self._since = 0
        """The time of the latest event. ``_left`` are the readings at this time."""
        self._runs = [False] * seats
        self._must_decide = [bool(decision) for decision in decisions] or [False] * seats
        self._is_over = True  # until the game begins
        self._voters_left: tuple[int, ...] | None = None
        """The seats that people play now and that have not answered the open vote; ``None`` without a vote."""
        self._voters = tuple(voters)
        self._absent: tuple[int, ...] = ()
        """The seats of people that bots play now and that have not answered the open vote."""
        self._expired: set[int] = set()
        self._ended: list[list[_EndedPeriod]] = [[] for _ in range(seats)]
        """The periods that the last batch of commands ended. An undo of the batch can be free."""

    def copy(self) -> Clocks:
        other = Clocks.__new__(Clocks)
        other.control, other._kinds, other._since, other._is_over = (
            self.control,
            self._kinds,
            self._since,
            self._is_over,
        )
        other._left, other._runs, other._must_decide = self._left[:], self._runs[:], self._must_decide[:]
        other._voters_left, other._expired = self._voters_left, set(self._expired)
        other._voters, other._absent = self._voters, self._absent
        other._ended = [ended[:] for ended in self._ended]
        return other

    # --- reading -------------------------------------------------------------------------------------------

    def reading(self, seat: int) -> Reading:
        """Return the clock of a seat, from 1."""
        return Reading(self._left[seat - 1], self._since if self._runs[seat - 1] else None)

    def is_expired(self, seat: int, now: int) -> bool:
        """Return whether the time of a seat has run out at ``now``, in milliseconds since 1970."""
        expires = self.reading(seat).expires
        return expires is not None and now >= expires

    def expired(self, now: int) -> list[int]:
        """Return the seats whose time has run out at ``now``, the earliest first."""
        ends = [(self.reading(seat).expires, seat) for seat in range(1, len(self._kinds) + 1)]
        return [seat for end, seat in sorted((end, seat) for end, seat in ends if end is not None) if end <= now]

    def next_expiry(self) -> int | None:
        """Return the time at which the next clock runs out, if one runs."""
        ends = [self.reading(seat).expires for seat in range(1, len(self._kinds) + 1)]
        return min((end for end in ends if end is not None), default=None)

    # --- running -------------------------------------------------------------------------------------------

    def apply_event(self, event: GameEvent) -> None:
        """Update the clocks with the next event."""
        now = max(event.time, self._since)
        for index, runs in enumerate(self._runs):
            if runs:
                self._left[index] -= now - self._since
        self._since = now
        if event.given is not None:
            for ended in self._ended:
                ended.clear()
        self._update_decisions(event)
        self._update_people(event)
        for index in range(len(self._runs)):
            must_decide = index + 1 in self._voters_left if self._voters_left else self._must_decide[index]
            self._runs[index] = must_decide and not self._is_over and self._kinds[index] == PERSON

    def _update_decisions(self, event: GameEvent) -> None:
        undone = event.detail if isinstance(event.detail, Undone) else None
        for effect in event.effects:
            if not isinstance(effect, Ask):
                continue
            index = effect.seat - 1
            must_decide, self._must_decide[index] = self._must_decide[index], bool(effect.after)
            if must_decide and not effect.after:
                self._end_period(index, event.originator_version, is_undone=undone is not None)
            elif effect.after and not must_decide and self.control.kind == MOVE:
                self._left[index] = self.control.bank
        if undone is not None and self._voters_left is None:
            self._resume_period(event.seat - 1, undone.first_version)

    def _end_period(self, index: int, version: int, *, is_undone: bool) -> None:
        """End a seat's period because the seat has decided, or because of an undo."""
        left = self._left[index]
        added = 0 if is_undone or self._kinds[index] != PERSON else self.control.added
        self._left[index] = max(left, 0) + added
        self._ended[index].append(_EndedPeriod(version, left, added))

    def _resume_period(self, index: int, first_version: int) -> None:
        """Resume the period that a free undo reopens, as if the seat had not ended it."""
        reopened = [ended for ended in self._ended[index] if ended.version >= first_version]
        if not reopened:
            return
        if self.control.kind == MOVE:
            self._left[index] = min(self._left[index], reopened[0].left)
        else:
            self._left[index] -= sum(ended.added for ended in reopened)
        self._ended[index].clear()

    def _begin_answers(self, seats: Iterable[int]) -> None:
        """Begin a decision period for each voter that does not have to decide anything else."""
        for seat in seats:
            if self.control.kind == MOVE and not self._must_decide[seat - 1]:
                self._left[seat - 1] = self.control.bank

    def _update_people(self, event: GameEvent) -> None:
        """Update the players of the seats, the voters, and whether the game is in progress."""
        detail = event.detail
        index = event.seat - 1
        kind = type(detail)
        if kind is UndoRequested:
            people = enumerate(self._kinds, 1)
            self._voters_left = tuple(seat for seat, player in people if player == PERSON and seat != event.seat)
            self._absent = tuple(
                seat for seat in self._voters if self._kinds[seat - 1] != PERSON and seat != event.seat
            )
            self._begin_answers(self._voters_left)
        elif kind is UndoConsented:
            self._voters_left = tuple(seat for seat in self._voters_left or () if seat != event.seat)
        elif kind is SeatTakenBack and self._voters_left is not None and event.seat in self._absent:
            self._voters_left = (*self._voters_left, event.seat)
            self._absent = tuple(seat for seat in self._absent if seat != event.seat)
            self._begin_answers([event.seat])
        elif event.given is not None or kind in GAME_EVENT_TYPES:
            self._voters_left, self._absent = None, ()
        if kind in SEAT_EVENTS:
            self._kinds = updated_kinds(self._kinds, [event])
        if kind is TimeExpired:
            self._expired.add(index)
        elif kind is SeatTakenBack and index in self._expired:
            self._expired.discard(index)
            self._left[index] = max(self._left[index], self.control.bank // _MINIMUM_DIVISOR, self.control.added)
        elif kind is GameStarted:
            self._is_over = False
        elif kind is GameEnded:
            self._is_over = True
