"""Phases, turns, decisions and pending rewards of a game.

The bound table of a title is a subclass of :class:`TurnFlow`, which adds zones and markers. The title implements its
phases; this module begins and continues them until a seat has to decide.
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
    """A seat of a bound table."""

    @property
    def number(self) -> int:
        """The number of the seat, from 1."""


class Phase(Protocol):
    """A phase of a game. ``proceed`` is ``None`` if the phase has no decisions."""

    @property
    def begin(self) -> Callable[[Any], None]:
        """Begins the phase."""

    @property
    def proceed(self) -> Callable[[Any], None] | None:
        """Continues the phase after a decision. It is called until a decision is open or the game is over."""


S = TypeVar("S", bound=Numbered)


class TurnFlow(Generic[S]):
    """A bound table with phases and turns; ``S`` is the title's class of seats.

    It declares the markers ``phase`` (a word) and ``start_seat`` (the number of the start player's seat).
    """

    __slots__ = ("move", "phase", "phases", "recorder", "seats", "set", "start", "table")

    seats: tuple[S, ...]

    def __init__(
        self, m: Material, phases: Mapping[str, Phase], phase: str = "", start: int = 0, marker: str = "start_player"
    ) -> None:
        """``phase`` and ``start`` are the first values of the markers; ``marker`` is the start player's component."""
        self.table = m.table
        self.recorder = Recorder(m.table, m.dice)
        # short names for the methods that rules call most often
        self.move = self.recorder.move
        self.set = self.recorder.set
        self.phases = phases
        self.phase = m.word("phase", "phase", "Phase", "Phase", words="phases", value=phase)
        self.start = m.number("start_seat", "seat", "Start player", "Startspieler", component=marker, value=start)

    # --- phases ------------------------------------------------------------------------------------------

    def enter(self, phase: str) -> None:
        """Begin the phase with this name."""
        self.phases[phase].begin(self)

    def advance(self) -> None:
        """Continue the phases until a decision is open or the game is over."""
        decisions = self.table.decisions
        while not any(decisions) and self.phase.value != OVER:
            proceed = self.phases[self.phase.value].proceed
            if proceed is None:
                raise RuntimeError(f"phase {self.phase.value} has no open decision and cannot continue")
            proceed(self)

    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.phase.value == OVER

    # --- seats -------------------------------------------------------------------------------------------

    def clockwise(self, first: int = 0) -> tuple[S, ...]:
        """Return all seats in turn order, beginning with a seat (0: the start player)."""
        return self.after((first or self.start.value) - 1)

    def after(self, number: int) -> tuple[S, ...]:
        """Return all seats in turn order, beginning with the one after a seat, which comes last."""
        return self.seats[number:] + self.seats[:number]

    def decides(self, seat: S) -> bool:
        """Return whether a seat has an open decision."""
        return bool(self.table.decisions[seat.number])

    # --- changes ---------------------------------------------------------------------------

    def ask(self, seat: S, decision: str) -> None:
        """Open the decision with this name for a seat; an empty name closes the open one."""
        self.recorder.ask(seat.number, decision)

    def emit(self, seat: S | None, detail: Struct) -> None:
        """Record an event of a seat (``None``: of the whole table) with all effects since the last one."""
        self.recorder.emit(seat.number if seat is not None else 0, detail)


class PendingRewards:
    """The rewards and penalties that a seat still has to resolve, as numbers by kind, in the order of ``kinds``.

    The numbers are markers of the table, so a game can be stored in the middle of a chain of rewards.
    """

    __slots__ = ("_kinds", "_markers", "_recorder")

    def __init__(self, recorder: Recorder, kinds: Mapping[str, Number]) -> None:
        self._recorder = recorder
        self._kinds = kinds
        self._markers = tuple(kinds.values())

    def __getitem__(self, kind: str) -> int:
        return self._kinds[kind].value

    def __bool__(self) -> bool:
        for marker in self._markers:  # noqa: SIM110  # hot path: a loop is faster than any()
            if marker.value:
                return True
        return False

    def __iter__(self) -> Iterator[str]:
        """Return the kinds that are pending."""
        return (kind for kind, marker in self._kinds.items() if marker.value)

    def owe(self, kind: str, count: int = 1) -> None:
        """Add pending rewards of a kind."""
        marker = self._kinds[kind]
        self._recorder.set(marker, marker.value + count)

    def settle(self, kind: str, count: int = 1) -> None:
        """Remove pending rewards of a kind; raises ``ValueError`` if there are fewer."""
        marker = self._kinds[kind]
        if marker.value < count:
            raise ValueError(f"{marker.id} is {marker.value}, not {count}")
        self._recorder.set(marker, marker.value - count)


Decide = Callable[[Any, Any, Any], Rejection | None]
"""Carries out a command, or returns why the rules reject it. Takes the bound table, the seat and the command."""

Legal = Callable[[Any, Any], Sequence[Struct]]
"""Returns the legal commands of a seat. Takes the bound table and the seat."""


Decisions = Mapping[str, tuple[Legal, Mapping[type[Struct], Decide]]]
"""For each decision: the function that lists its commands, and for each type of command the one that carries it out."""


class CommandDispatcher(Generic[S]):
    """Calls the functions of the open decision of a seat."""

    __slots__ = ("_known_ids", "decide_functions", "legal_functions")

    def __init__(self, *decisions: Decisions, known_ids: Callable[[Any], KnownIds] | None = None) -> None:
        """Combine decisions: later ones add functions, and replace those for the same decision and type of command.

        ``known_ids`` returns the ids that commands may name on a bound table; other ids are rejected as unknown.
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
        """Carry out a command of a seat, or return why it is rejected."""
        decision = t.table.decisions[seat]
        handler = self.decide_functions.get((decision, type(command)))
        if handler is None:
            return self._reject_decision(decision, command)
        rejection = handler(t, t.seats[seat - 1], command)
        if rejection is None or self._known_ids is None:
            return rejection
        return self._known_ids(t).check(command, rejection)

    def known(self, t: TurnFlow[S]) -> Mapping[str, Collection[str]]:
        """Return the ids that each field of a command may name, for fields with a closed list of ids."""
        return self._known_ids(t).by_field if self._known_ids is not None else {}

    @staticmethod
    def _reject_decision(decision: str, command: Struct) -> Rejection:
        values = {"command": type(command).__name__}
        if not decision:
            return Rejection("NOT_DECIDING", "table.not_deciding", values)
        return Rejection("WRONG_DECISION", "table.wrong_decision", values | {"decision": decision})

    def legal(self, t: TurnFlow[S], seat: int) -> Sequence[Struct]:
        """Return every legal command of a seat."""
        legal = self.legal_functions.get(t.table.decisions[seat])
        return legal(t, t.seats[seat - 1]) if legal else ()


C = TypeVar("C", bound=TurnFlow[Any])


class TurnFlowPlay(Generic[C]):
    """Implements :class:`boardkeeper.titlekit.title.Play` for a bound table.

    A subclass sets ``dispatcher``, and adds ``set_up``, ``board`` and ``standings``.
    """

    __slots__ = ("recorder", "t", "table")

    dispatcher: ClassVar[CommandDispatcher[Any]]

    def __init__(self, t: C) -> None:
        self.t = t
        self.table: Table = t.table
        self.recorder: Recorder = t.recorder

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        return self.dispatcher.decide(self.t, seat, command)

    def legal(self, seat: int) -> Sequence[Struct]:
        return self.dispatcher.legal(self.t, seat)

    @property
    def known(self) -> Mapping[str, Collection[str]]:
        return self.dispatcher.known(self.t)

    def is_over(self) -> bool:
        return self.t.phase.value == OVER
