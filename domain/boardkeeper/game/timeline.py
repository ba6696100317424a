"""Jumping in time: a game as it was at any version, from the nearest snapshot, by steps in either direction.

Snapshots follow from the events and are never the truth: a timeline that is forgotten is made again by one pass over
them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.game.events import GameCreated, GameEnded, GameEvent, GameStarted
from boardkeeper.game.game import shared_layout
from boardkeeper.table import snapshots
from boardkeeper.table.dice import Dice
from boardkeeper.table.events import unfold
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.title import Play, Title

STEP = 64
"""Snapshots are at most so many events apart, so that a jump takes at most half as many steps."""

Read = Callable[[int, int], Sequence[GameEvent]]
"""The stored events ``after`` a version ``until`` another one."""

_NO_DICE = Dice(b"")
"""For a table that is only looked at."""


class Moment:
    """A game as it was: ``play`` is ``None`` before it had started. Nobody else has this table."""

    __slots__ = ("created", "is_running", "play", "table", "version")

    def __init__(
        self, created: GameCreated, version: int, table: Table, play: Play | None, *, is_running: bool
    ) -> None:
        self.created = created
        self.version = version
        self.table = table
        self.play = play
        self.is_running = is_running

    def legal(self, seat: int) -> Sequence[Struct]:
        """The commands that the seat could give then."""
        return self.play.legal(seat) if self.play is not None and self.is_running else ()


class Timeline:
    """The snapshots of one game, made as they are needed. ``read`` gets its events. Not for several threads at once."""

    def __init__(self, title: Title, read: Read, step: int = STEP) -> None:
        self._title = title
        self._read = read
        self._step = step
        self._created: GameCreated | None = None
        self._layout = TableLayout(0, (), ())
        self._versions: list[int] = []
        self._snapshots: list[bytes] = []
        self._started = 0
        self._ended = 0

    def at(self, version: int) -> Moment:
        """The game at a version that it has. Raises ``ValueError`` if the events that are read are not the game's."""
        if not self._versions or version > self._versions[-1] + self._step // 2:
            self._go_on(version)
        at = bisect_right(self._versions, version) - 1
        near = self._versions[at]
        if at + 1 < len(self._versions) and self._versions[at + 1] - version < version - near:
            at += 1
            near = self._versions[at]
        snapshot = self._snapshots[at]
        table = snapshots.restore(snapshot, self._layout)
        if near <= version:
            for event in self._between(near, version):
                table.apply_all(event.effects)
                self._note(event)
        else:
            for event in reversed(self._between(version, near)):
                unfold(table, event.effects)
        return self._moment(version, table)

    def _moment(self, version: int, table: Table) -> Moment:
        created = self._created
        if created is None:
            raise ValueError("a game begins with GameCreated")
        play = None
        if self._started and version >= self._started:
            play = self._title.play(table, _NO_DICE, created.setup)
        is_running = play is not None and not (self._ended and version >= self._ended)
        return Moment(created, version, table, play, is_running=is_running)

    def _go_on(self, version: int) -> None:
        """Make the snapshots that are missing up to a version."""
        if not self._versions:
            (first,) = self._between(0, 1)
            if not isinstance(first.detail, GameCreated):
                raise ValueError(f"the first event of game {first.originator_id} is {first.topic}")
            self._layout = shared_layout(self._title, first.detail)
            self._created = replace(first.detail, layout=TableLayout(self._layout.seats, (), ()))
            self._keep(1, Table(self._layout))
        last = self._versions[-1]
        table = snapshots.restore(self._snapshots[-1], self._layout)
        for event in self._between(last, version):
            table.apply_all(event.effects)
            self._note(event)
            here = event.originator_version
            if here - self._versions[-1] >= self._step or (
                here == version and here - self._versions[-1] > self._step // 2
            ):
                self._keep(here, table)

    def _keep(self, version: int, table: Table) -> None:
        self._versions.append(version)
        self._snapshots.append(snapshots.take(table))

    def _note(self, event: GameEvent) -> None:
        if isinstance(event.detail, GameStarted):
            self._started = event.originator_version
        elif isinstance(event.detail, GameEnded):
            self._ended = event.originator_version

    def _between(self, after: int, until: int) -> Sequence[GameEvent]:
        if after >= until:
            return ()
        events = self._read(after, until)
        if [event.originator_version for event in events] != list(range(after + 1, until + 1)):
            raise ValueError(f"the events {after + 1} to {until} are not all there")
        return events
