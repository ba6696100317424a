"""The states of a game at earlier versions, computed from the nearest snapshot forwards or backwards.

The events are authoritative; snapshots only save time. A timeline makes snapshots while it replays events, and can
start with stored ones.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.game.events import GameCreated, GameEnded, GameEvent, GameStarted
from boardkeeper.game.game import ENDED, OPEN, RUNNING
from boardkeeper.game.interning import intern_layout
from boardkeeper.table import snapshots
from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import Play, Title

SNAPSHOT_INTERVAL = 64
"""The maximum number of events between two snapshots. At most half as many must be replayed for any version."""

ReadEvents = Callable[[int, int], Sequence[GameEvent]]
"""Returns the stored events after a version (first argument) until another one (second argument)."""

_NO_DICE = Dice(b"")
"""For tables on which no command is carried out."""


class GameAtVersion:
    """A game at an earlier version, with its own table. ``play`` is ``None`` before the start of the game.

    ``is_settled`` is false between the events of one command: then no seat can act.
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
        """Return the commands that the seat could give; none between the events of a command."""
        return self.play.legal(seat) if self.play is not None and self.is_running and self.is_settled else ()


class Snapshot(Struct, frozen=True):
    """A game at one version: its status, and its table as encoded by :mod:`boardkeeper.table.snapshots`."""

    version: int
    status: str
    table: bytes


ReadSnapshots = Callable[[TableLayout], Sequence[Snapshot]]
"""Returns the valid stored snapshots of a game with this layout."""


class TableReplay:
    """A game's table and status, to which events can be applied and reverted."""

    __slots__ = ("status", "table", "version")

    def __init__(self, layout: TableLayout, start: Snapshot | None = None) -> None:
        """Start at a snapshot with this layout, or after the game's first event."""
        self.version = start.version if start is not None else 1
        self.status = start.status if start is not None else OPEN
        self.table = snapshots.decode_snapshot(start.table, layout) if start is not None else Table(layout)

    def apply(self, event: GameEvent) -> None:
        """Apply the next event."""
        self.table.apply_all(event.effects)
        self.version = event.originator_version
        if isinstance(event.detail, GameStarted):
            self.status = RUNNING
        elif isinstance(event.detail, GameEnded):
            self.status = ENDED

    def revert(self, event: GameEvent) -> None:
        """Revert the last event."""
        self.table.revert_all(event.effects)
        self.version = event.originator_version - 1
        if isinstance(event.detail, GameStarted):
            self.status = OPEN
        elif isinstance(event.detail, GameEnded):
            self.status = RUNNING

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the present version."""
        return Snapshot(self.version, self.status, snapshots.encode_snapshot(self.table))


class Timeline:
    """The earlier versions of one game. Not safe for several threads at once."""

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
        """The size of all snapshots in bytes."""

    def at(self, version: int, newest: int | None = None, *, is_settled: bool = True) -> GameAtVersion:
        """Return the game at a version. Raises ``ValueError`` if an event is missing.

        ``is_settled`` is passed on to the result. Events and snapshots after ``newest`` are not used: in a damaged game
        only the events before the damage can be trusted.
        """
        created = self._created or self._begin()
        replay = TableReplay(self._layout, self._snapshots[self._nearest(version, newest)])
        if replay.version <= version:
            for event in self._between(replay.version, version):
                replay.apply(event)
                if replay.version % self._step == 0:
                    self._store_snapshot_of(replay)
        else:
            for event in reversed(self._between(version, replay.version)):
                replay.revert(event)
                if replay.version % self._step == 0:
                    self._store_snapshot_of(replay)
        if abs(version - self._nearest(version, newest)) > self._step // 2:
            self._store_snapshot_of(replay)
        play = self._title.play(replay.table, _NO_DICE, created.setup) if replay.status != OPEN else None
        running = replay.status == RUNNING
        return GameAtVersion(created, version, replay.table, play, is_running=running, is_settled=is_settled)

    def _begin(self) -> GameCreated:
        """Read the game's first event and the stored snapshots."""
        (first,) = self._between(0, 1)
        if not isinstance(first.detail, GameCreated):
            raise ValueError(f"the first event of game {first.originator_id} is {first.topic}")
        self._layout = intern_layout(self._title, first.detail)
        self._store_snapshot_of(TableReplay(self._layout))
        for snapshot in self._stored(self._layout):
            self._add(snapshot)
        self._created = replace(first.detail, layout=TableLayout(self._layout.seats, (), ()))
        return self._created

    def _nearest(self, version: int, newest: int | None) -> int:
        """Return the version of the nearest snapshot."""
        at = bisect_left(self._versions, version)
        near = self._versions[at - 1 if at else 0]
        if at < len(self._versions):
            after = self._versions[at]
            if after - version < version - near and (newest is None or after <= newest):
                return after
        return near

    def _store_snapshot_of(self, replay: TableReplay) -> None:
        if replay.version not in self._snapshots:
            self._add(replay.snapshot())

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
            raise ValueError(f"some of the events {after + 1} to {until} are missing")
        return events
