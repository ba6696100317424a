"""Clocks: how much time each seat has left, as a pure fold over the events of a game and their times.

No rule of a title sees a clock, and no clock looks at a table: who has to decide follows from the effects (``Ask``)
that the log has. So another process or an auditor computes the same clocks from the same events.

The clock of a person's seat runs while the seat owes a decision; while people vote on an undo, only for those who owe
an answer. A vote that waits only for absent people, whose seats bots play, stops no clock. A clock stands still while a
bot plays its seat. A *decision period* lasts from where a seat has something to decide until it has nothing any more;
several decisions of one turn are one period. See ``docs/clocks.md``.
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
from boardkeeper.game.resignation import updated_kinds
from boardkeeper.game.seats import PERSON
from boardkeeper.game.time_control import MOVE, TimeControl
from boardkeeper.table.effects import Ask

_LEAST_SHARE = 10
"""Whose time had expired has a tenth of what the control gives, at least, after taking the seat back."""


class Reading(NamedTuple):
    """One seat's clock: milliseconds ``left`` at ``since`` if it has run since, else left for when it runs again."""

    left: int
    since: int | None

    @property
    def expires(self) -> int | None:
        """When it runs out, in milliseconds since 1970, if it runs."""
        return None if self.since is None else self.since + self.left


class _Ended(NamedTuple):
    """A decision period that ended at a version, with so much time left and so much added for it."""

    version: int
    left: int
    added: int


class Clocks:
    """The clocks of one game, which are told each of its events in turn (:meth:`note`)."""

    __slots__ = (
        "_absent",
        "_ended",
        "_expired",
        "_is_over",
        "_kinds",
        "_left",
        "_owes",
        "_runs",
        "_since",
        "_voters",
        "_waiting",
        "control",
    )

    def __init__(
        self, control: TimeControl, kinds: Sequence[str], decisions: Sequence[str], voters: Sequence[int] = ()
    ) -> None:
        """``kinds`` and ``decisions`` are those of the first event; there may be no decisions yet.

        ``voters`` are the seats that are asked about undos also while a bot plays them.
        """
        self.control = control
        self._kinds = tuple(kinds)
        seats = len(self._kinds)
        self._left = [control.bank] * seats
        self._since = 0
        """When the clocks that run were read last: at the latest event."""
        self._runs = [False] * seats
        self._owes = [bool(decision) for decision in decisions] or [False] * seats
        self._is_over = True  # until the game begins
        self._waiting: tuple[int, ...] | None = None
        """The present people who owe an answer to the open vote; ``None``: there is no vote."""
        self._voters = tuple(voters)
        self._absent: tuple[int, ...] = ()
        """The seats that the open vote waits for and that bots play now."""
        self._expired: set[int] = set()
        self._ended: list[list[_Ended]] = [[] for _ in range(seats)]
        """The periods that ended by the last batch of commands, which may be taken back freely."""

    def copy(self) -> Clocks:
        """The same clocks, to see what they are after events that may not come."""
        other = Clocks.__new__(Clocks)
        other.control, other._kinds, other._since, other._is_over = (
            self.control,
            self._kinds,
            self._since,
            self._is_over,
        )
        other._left, other._runs, other._owes = self._left[:], self._runs[:], self._owes[:]
        other._waiting, other._expired = self._waiting, set(self._expired)
        other._voters, other._absent = self._voters, self._absent
        other._ended = [ended[:] for ended in self._ended]
        return other

    # --- reading -------------------------------------------------------------------------------------------

    def reading(self, seat: int) -> Reading:
        """The clock of a seat, from 1."""
        return Reading(self._left[seat - 1], self._since if self._runs[seat - 1] else None)

    def is_expired(self, seat: int, now: int) -> bool:
        """Whether the time of a seat has run out by then, in milliseconds since 1970."""
        expires = self.reading(seat).expires
        return expires is not None and now >= expires

    def expired(self, now: int) -> list[int]:
        """The seats whose time has run out by then, the first to run out first."""
        ends = [(self.reading(seat).expires, seat) for seat in range(1, len(self._kinds) + 1)]
        return [seat for end, seat in sorted((end, seat) for end, seat in ends if end is not None) if end <= now]

    def next_expiry(self) -> int | None:
        """When the first of the clocks that run will have run out, if any does."""
        ends = [self.reading(seat).expires for seat in range(1, len(self._kinds) + 1)]
        return min((end for end in ends if end is not None), default=None)

    # --- running -------------------------------------------------------------------------------------------

    def note(self, event: GameEvent) -> None:
        """The next event has happened."""
        now = max(event.time, self._since)
        for place, runs in enumerate(self._runs):
            if runs:
                self._left[place] -= now - self._since
        self._since = now
        if event.given is not None:
            for ended in self._ended:
                ended.clear()
        self._note_decisions(event)
        self._note_people(event)
        for place in range(len(self._runs)):
            owes = place + 1 in self._waiting if self._waiting else self._owes[place]
            self._runs[place] = owes and not self._is_over and self._kinds[place] == PERSON

    def _note_decisions(self, event: GameEvent) -> None:
        undone = event.detail if isinstance(event.detail, Undone) else None
        for effect in event.effects:
            if not isinstance(effect, Ask):
                continue
            place = effect.seat - 1
            owes, self._owes[place] = self._owes[place], bool(effect.after)
            if owes and not effect.after:
                self._end_period(place, event.originator_version, is_undone=undone is not None)
            elif effect.after and not owes and self.control.kind == MOVE:
                self._left[place] = self.control.bank
        if undone is not None and self._waiting is None:
            self._go_on_with(event.seat - 1, undone.first_version)

    def _end_period(self, place: int, version: int, *, is_undone: bool) -> None:
        """A seat has decided, or has no longer to because commands were taken back."""
        left = self._left[place]
        added = 0 if is_undone or self._kinds[place] != PERSON else self.control.added
        self._left[place] = max(left, 0) + added
        self._ended[place].append(_Ended(version, left, added))

    def _go_on_with(self, place: int, first_version: int) -> None:
        """A seat has freely taken back what it did last: its time goes on as if it had not ended its turn."""
        taken_back = [ended for ended in self._ended[place] if ended.version >= first_version]
        if not taken_back:
            return
        if self.control.kind == MOVE:
            self._left[place] = min(self._left[place], taken_back[0].left)
        else:
            self._left[place] -= sum(ended.added for ended in taken_back)
        self._ended[place].clear()

    def _begin_answers(self, seats: Iterable[int]) -> None:
        """Note that seats owe an answer to a vote. For a seat that owes no decision this begins a decision period."""
        for seat in seats:
            if self.control.kind == MOVE and not self._owes[seat - 1]:
                self._left[seat - 1] = self.control.bank

    def _note_people(self, event: GameEvent) -> None:
        """Who plays which seat, who is asked in a vote, and whether the game is under way."""
        detail = event.detail
        place = event.seat - 1
        kind = type(detail)
        if kind is UndoRequested:
            people = enumerate(self._kinds, 1)
            self._waiting = tuple(seat for seat, who in people if who == PERSON and seat != event.seat)
            self._absent = tuple(
                seat for seat in self._voters if self._kinds[seat - 1] != PERSON and seat != event.seat
            )
            self._begin_answers(self._waiting)
        elif kind is UndoConsented:
            self._waiting = tuple(seat for seat in self._waiting or () if seat != event.seat)
        elif kind is SeatTakenBack and self._waiting is not None and event.seat in self._absent:
            self._waiting = (*self._waiting, event.seat)
            self._absent = tuple(seat for seat in self._absent if seat != event.seat)
            self._begin_answers([event.seat])
        elif event.given is not None or kind in GAME_EVENT_TYPES:
            self._waiting, self._absent = None, ()
        if kind in SEAT_EVENTS:
            self._kinds = updated_kinds(self._kinds, [event])
        if kind is TimeExpired:
            self._expired.add(place)
        elif kind is SeatTakenBack and place in self._expired:
            self._expired.discard(place)
            self._left[place] = max(self._left[place], self.control.bank // _LEAST_SHARE, self.control.added)
        elif kind is GameStarted:
            self._is_over = False
        elif kind is GameEnded:
            self._is_over = True
