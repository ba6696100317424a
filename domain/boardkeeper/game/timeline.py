"""Jumping in time: a game as it was at any version, from the nearest snapshot, by steps in either direction.

Snapshots follow from the events and are never the truth. A timeline keeps its own as it walks along; whoever makes it
may hand it others that were stored, so that it need not walk from the beginning.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.game.events import GameCreated, GameEnded, GameEvent, GameStarted
from boardkeeper.game.game import ENDED, OPEN, RUNNING, intern_layout
from boardkeeper.table import snapshots
from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import Play, Title

SNAPSHOT_INTERVAL = 64
"""Snapshots are at most so many events apart, so that a jump takes at most half as many steps."""

ReadEvents = Callable[[int, int], Sequence[GameEvent]]
"""The stored events ``after`` a version ``until`` another one."""

_NO_DICE = Dice(b"")
"""For a table that is only looked at."""


class GameAtVersion:
    """A game as it was: ``play`` is ``None`` before it had started. Nobody else has this table.

    One that is not ``is_settled`` lies amid the events of a command, between two tables that the rules know.
    """

    __slots__ = ("created", "is_running", "is_settled", "play", "table", "version")

    def __init__(
        self,
        created: GameCreated,
        version: int,
        table: Table,
        play: Play | None,
        *,
        is_running: bool,
        is_settled: bool,
    ) -> None:
        self.created = created
        self.version = version
        self.table = table
        self.play = play
        self.is_running = is_running
        self.is_settled = is_settled

    def legal(self, seat: int) -> Sequence[Struct]:
        """The commands that the seat could give then: none amid the events of another one."""
        return self.play.legal(seat) if self.play is not None and self.is_running and self.is_settled else ()


class Snapshot(Struct, frozen=True):
    """A game at one version: its status and its table, encoded by :mod:`boardkeeper.table.snapshots`."""

    version: int
    status: str
    table: bytes


ReadSnapshots = Callable[[TableLayout], Sequence[Snapshot]]
"""The snapshots of a game that are stored, and are known to be right and of that layout."""


class TableReplay:
    """A game's table and status while events are stepped over, one at a time, in either direction."""

    __slots__ = ("status", "table", "version")

    def __init__(self, layout: TableLayout, start: Snapshot | None = None) -> None:
        """Begin at a snapshot of that layout, or after the game's first event."""
        self.version = start.version if start is not None else 1
        self.status = start.status if start is not None else OPEN
        self.table = snapshots.decode_snapshot(start.table, layout) if start is not None else Table(layout)

    def apply(self, event: GameEvent) -> None:
        """Step over the event after this version."""
        self.table.apply_all(event.effects)
        self.version = event.originator_version
        if isinstance(event.detail, GameStarted):
            self.status = RUNNING
        elif isinstance(event.detail, GameEnded):
            self.status = ENDED

    def revert(self, event: GameEvent) -> None:
        """Step back over the event that made this version."""
        self.table.revert_all(event.effects)
        self.version = event.originator_version - 1
        if isinstance(event.detail, GameStarted):
            self.status = OPEN
        elif isinstance(event.detail, GameEnded):
            self.status = RUNNING

    def snapshot(self) -> Snapshot:
        """The game here."""
        return Snapshot(self.version, self.status, snapshots.encode_snapshot(self.table))


class Timeline:
    """One game's past. ``read`` gets its events, ``stored`` its stored snapshots. Not for several threads at once."""

    def __init__(
        self, title: Title, read: ReadEvents, step: int = SNAPSHOT_INTERVAL, stored: ReadSnapshots = lambda _: ()
    ) -> None:
        self._title = title
        self._read = read
        self._stored = stored
        self._step = step
        self._created: GameCreated | None = None
        self._layout = TableLayout(0, (), ())
        self._versions: list[int] = []
        self._snapshots: dict[int, Snapshot] = {}
        self.size = 0
        """Bytes of the snapshots that it keeps."""

    def at(self, version: int, newest: int | None = None, *, is_settled: bool = True) -> GameAtVersion:
        """The game at a version that it has. Raises ``ValueError`` if the events that are read are not the game's.

        ``is_settled`` is what :class:`Moment` says of it, which whoever asks knows. Nothing behind ``newest`` is looked
        at: of a damaged game only what comes before the damage can be trusted.
        """
        created = self._created or self._begin()
        walk = TableReplay(self._layout, self._snapshots[self._nearest(version, newest)])
        if walk.version <= version:
            for event in self._between(walk.version, version):
                walk.apply(event)
                if walk.version % self._step == 0:
                    self._keep(walk)
        else:
            for event in reversed(self._between(version, walk.version)):
                walk.revert(event)
                if walk.version % self._step == 0:
                    self._keep(walk)
        if abs(version - self._nearest(version, newest)) > self._step // 2:
            self._keep(walk)
        play = self._title.play(walk.table, _NO_DICE, created.setup) if walk.status != OPEN else None
        running = walk.status == RUNNING
        return GameAtVersion(created, version, walk.table, play, is_running=running, is_settled=is_settled)

    def _begin(self) -> GameCreated:
        """Read what everything else follows from: the game's first event."""
        (first,) = self._between(0, 1)
        if not isinstance(first.detail, GameCreated):
            raise ValueError(f"the first event of game {first.originator_id} is {first.topic}")
        self._layout = intern_layout(self._title, first.detail)
        self._keep(TableReplay(self._layout))
        for snapshot in self._stored(self._layout):
            self._add(snapshot)
        self._created = replace(first.detail, layout=TableLayout(self._layout.seats, (), ()))
        return self._created

    def _nearest(self, version: int, newest: int | None) -> int:
        """The version of the snapshot from which it is the fewest steps."""
        at = bisect_left(self._versions, version)
        near = self._versions[at - 1 if at else 0]
        if at < len(self._versions):
            after = self._versions[at]
            if after - version < version - near and (newest is None or after <= newest):
                return after
        return near

    def _keep(self, walk: TableReplay) -> None:
        if walk.version not in self._snapshots:
            self._add(walk.snapshot())

    def _add(self, snapshot: Snapshot) -> None:
        if snapshot.version not in self._snapshots:
            insort(self._versions, snapshot.version)
            self._snapshots[snapshot.version] = snapshot
            self.size += len(snapshot.table)

    def _between(self, after: int, until: int) -> Sequence[GameEvent]:
        if after >= until:
            return ()
        events = self._read(after, until)
        if [event.originator_version for event in events] != list(range(after + 1, until + 1)):
            raise ValueError(f"the events {after + 1} to {until} are not all there")
        return events
