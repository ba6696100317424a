"""Turn flow: phases follow each other until a seat has to decide, seats take turns, and pending rewards are settled.

The bound table of a title is a subclass of :class:`TurnFlow`. It adds the title's zones, markers and phases. The title
implements what a phase does; this module only begins and continues phases.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from msgspec import Struct

from boardkeeper.table.recorder import Recorder
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Number
from boardkeeper.titlekit.binding import Material
from boardkeeper.titlekit.known_ids import KnownIds

OVER = "over"
"""The phase of a game that has ended."""


class Numbered(Protocol):
    """A seat, numbered from 1."""

    @property
    def number(self) -> int:
        """Its number."""


class Phase(Protocol):
    """A phase of the game: how it begins, and how it goes on when no decision is open.

    A phase that never waits for anybody has no ``proceed``.
    """

    @property
    def begin(self) -> Callable[[Any], None]:
        """Enter the phase."""

    @property
    def proceed(self) -> Callable[[Any], None] | None:
        """Go on; called again until a decision is open or the game is over."""


S = TypeVar("S", bound=Numbered)


class TurnFlow(Generic[S]):
    """A table in play. Every title has the markers ``phase`` (a word) and ``start_seat`` (a seat's number)."""

    __slots__ = ("move", "phase", "phases", "recorder", "seats", "set", "start", "table")

    seats: tuple[S, ...]

    def __init__(
        self, m: Material, phases: Mapping[str, Phase], phase: str = "", start: int = 0, marker: str = "start_player"
    ) -> None:
        """``phase`` and ``start`` hold at first; ``marker`` is the component that the start player has."""
        self.table = m.table
        self.recorder = Recorder(m.table, m.dice)
        # The two short words that rules say most often: see :meth:`Recorder.move` and :meth:`Recorder.set`.
        self.move = self.recorder.move
        self.set = self.recorder.set
        self.phases = phases
        self.phase = m.word("phase", "phase", "Phase", "Phase", words="phases", value=phase)
        self.start = m.number("start_seat", "seat", "Start player", "Startspieler", component=marker, value=start)

    # --- phases ------------------------------------------------------------------------------------------

    def enter(self, phase: str) -> None:
        """Begin a phase."""
        self.phases[phase].begin(self)

    def advance(self) -> None:
        """Go on until a decision is open or the game is over."""
        decisions = self.table.decisions
        while not any(decisions) and self.phase.value != OVER:
            proceed = self.phases[self.phase.value].proceed
            if proceed is None:
                raise RuntimeError(f"phase {self.phase.value} has no open decision and cannot continue")
            proceed(self)

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase.value == OVER

    # --- seats -------------------------------------------------------------------------------------------

    def clockwise(self, first: int = 0) -> tuple[S, ...]:
        """All seats in turn order, from a seat number on (0: the start player)."""
        return self.after((first or self.start.value) - 1)

    def after(self, number: int) -> tuple[S, ...]:
        """All seats in turn order after a seat, which comes last."""
        return self.seats[number:] + self.seats[:number]

    def decides(self, seat: S) -> bool:
        """Whether a seat has an open decision."""
        return bool(self.table.decisions[seat.number])

    # --- short words for rules ---------------------------------------------------------------------------

    def ask(self, seat: S, decision: str) -> None:
        """Open a decision for a seat, or close it with an empty name."""
        self.recorder.ask(seat.number, decision)

    def emit(self, seat: S | None, detail: Struct) -> None:
        """Close an event of a seat, or of the whole table."""
        self.recorder.emit(seat.number if seat else 0, detail)


class PendingRewards:
    """What a seat is still to take or to suffer, by kind: an unordered multiset that lies on the table as markers.

    Because it lies there, a game that was stored in the middle of a chain of rewards goes on alike when it is loaded.
    Kinds keep the order in which the title names them.
    """

    __slots__ = ("_kinds", "_markers", "_recorder")

    def __init__(self, recorder: Recorder, kinds: Mapping[str, Number]) -> None:
        self._recorder = recorder
        self._kinds = kinds
        self._markers = tuple(kinds.values())

    def __getitem__(self, kind: str) -> int:
        return self._kinds[kind].value

    def __bool__(self) -> bool:
        for marker in self._markers:  # noqa: SIM110  # asked between any two steps of a game
            if marker.value:
                return True
        return False

    def __iter__(self) -> Iterator[str]:
        """The kinds of which something is due."""
        return (kind for kind, marker in self._kinds.items() if marker.value)

    def owe(self, kind: str, count: int = 1) -> None:
        """Add to what is due."""
        marker = self._kinds[kind]
        self._recorder.set(marker, marker.value + count)

    def settle(self, kind: str, count: int = 1) -> None:
        """Take off what is due; raises ``ValueError`` if so much is not."""
        marker = self._kinds[kind]
        if marker.value < count:
            raise ValueError(f"{marker.id} is {marker.value}, not {count}")
        self._recorder.set(marker, marker.value - count)


Decide = Callable[[Any, Any, Any], Rejection | None]
"""Carries out a command of a seat on a bound table, or says why not."""

Legal = Callable[[Any, Any], Sequence[Struct]]
"""Lists the commands of a seat on a bound table."""


Decisions = Mapping[str, tuple[Legal, Mapping[type[Struct], Decide]]]
"""For each decision: the function that lists its commands, and the functions that carry them out, by kind."""


class CommandDispatcher(Generic[S]):
    """From an open decision to the function that takes it."""

    __slots__ = ("_known_ids", "decide_functions", "legal_functions")

    def __init__(self, *decisions: Decisions, known_ids: Callable[[Any], KnownIds] | None = None) -> None:
        """Combine tables of decisions: a later one adds functions, and replaces those that have the same key.

        ``known_ids`` are those that there are on a bound table: a command that names any other is refused for that.
        """
        self.decide_functions: Mapping[tuple[str, type[Struct]], Decide] = {
            (decision, kind): decide
            for table in decisions
            for decision, (_, functions) in table.items()
            for kind, decide in functions.items()
        }
        self.legal_functions: Mapping[str, Legal] = {
            decision: legal for table in decisions for decision, (legal, _) in table.items()
        }
        self._known_ids = known_ids

    def decide(self, t: TurnFlow[S], seat: int, command: Struct) -> Rejection | None:
        """Carry out a command of a seat, or say why not."""
        decision = t.table.decisions[seat]
        handler = self.decide_functions.get((decision, type(command)))
        if handler is None:
            return self._out_of_place(decision, command)
        rejection = handler(t, t.seats[seat - 1], command)
        if rejection is None or self._known_ids is None:
            return rejection
        return self._known_ids(t).refused(command, rejection)

    def known(self, t: TurnFlow[S]) -> Mapping[str, Collection[str]]:
        """What each field of a command may name on a bound table, where that is a closed list."""
        return self._known_ids(t).by_field if self._known_ids is not None else {}

    @staticmethod
    def _out_of_place(decision: str, command: Struct) -> Rejection:
        values = {"command": type(command).__name__}
        if not decision:
            return Rejection("NOT_DECIDING", "table.not_deciding", values)
        return Rejection("WRONG_DECISION", "table.wrong_decision", values | {"decision": decision})

    def legal(self, t: TurnFlow[S], seat: int) -> Sequence[Struct]:
        """Every command that the seat can give now."""
        listing = self.legal_functions.get(t.table.decisions[seat])
        return listing(t, t.seats[seat - 1]) if listing else ()


C = TypeVar("C", bound=TurnFlow[Any])


class TurnFlowPlay(Generic[C]):
    """What every title's :class:`boardkeeper.titlekit.title.Play` does alike.

    A title says what its desk is, and adds how to lay the table, its board and its standings.
    """

    __slots__ = ("t",)

    desk: ClassVar[CommandDispatcher[Any]]

    def __init__(self, t: C) -> None:
        self.t = t

    @property
    def table(self) -> Table:
        """The table itself."""
        return self.t.table

    @property
    def recorder(self) -> Recorder:
        """Where the rules record."""
        return self.t.recorder

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        """Carry out a command of a seat, or say why not."""
        return self.desk.decide(self.t, seat, command)

    def legal(self, seat: int) -> Sequence[Struct]:
        """Every command that the seat can give now."""
        return self.desk.legal(self.t, seat)

    @property
    def known(self) -> Mapping[str, Collection[str]]:
        """What each field of a command may name, where that is a closed list."""
        return self.desk.known(self.t)

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.t.is_over()
