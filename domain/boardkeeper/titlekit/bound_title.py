"""A title whose rules work on a bound table: what follows from the title's own functions.

A title's ``title.py`` and ``play.py`` name these functions; layout, drawing, play and checks follow from them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.titlekit.binding import Material
from boardkeeper.titlekit.catalogue_title import CatalogueTitle
from boardkeeper.titlekit.drawing import Drawing
from boardkeeper.titlekit.material import Declaration, declare
from boardkeeper.titlekit.scores import ScoreLine
from boardkeeper.titlekit.title import Play, PositionProblem, Setup, Standing
from boardkeeper.titlekit.turn_flow import TurnFlow, TurnFlowPlay


class TitleData(Protocol):
    """The data of a title for one setup."""

    @property
    def players(self) -> tuple[int, ...]:
        """Return the possible numbers of players."""

    def __hash__(self) -> int:
        """Return a hash: layouts are cached by data."""


B = TypeVar("B", bound=Struct)
C = TypeVar("C", bound=TurnFlow[Any])
D = TypeVar("D", bound=TitleData)
P = TypeVar("P", bound=Play)


@lru_cache(maxsize=256)
def _declared(package: str, bind: Callable[[Material, Any, int], Any], data: TitleData, players: int) -> Declaration:
    return declare(package, lambda m: bind(m, data, players))


class Binding(NamedTuple, Generic[D, C, P]):
    """How a title binds its names to a table."""

    data_for: Callable[[Setup], D]
    """Returns the data of a title for a setup."""
    bind: Callable[[Material, D, int], C]
    """Binds the names for the data and a number of players."""
    play: Callable[[C], P]
    """Returns the play on a bound table."""
    problems: Callable[[C, TableLayout], Sequence[PositionProblem]]
    """Checks a bound table that another program wrote, and gets the layout too."""


class BoundTitle(CatalogueTitle, Generic[D, C, P]):
    """The part of :class:`boardkeeper.titlekit.title.Title` that is equal for all titles with a bound table."""

    binding: Binding[D, C, P]

    def _declaration(self, chosen: Setup) -> Declaration:
        package = type(self).__module__.rpartition(".")[0]
        return _declared(package, self.binding.bind, self.binding.data_for(chosen), chosen.players)

    def _bound(self, table: Table, dice: Dice, chosen: Setup) -> C:
        return self.binding.bind(Material(table, dice), self.binding.data_for(chosen), chosen.players)

    def layout(self, chosen: Setup) -> TableLayout:
        """Return the zones and markers; raises ``ValueError`` for an unknown edition or number of players."""
        players = self.binding.data_for(chosen).players
        if chosen.players not in players:
            counts = ", ".join(map(str, players))
            raise ValueError(f"edition {chosen.edition} is for {counts} players, not {chosen.players}")
        return self._declaration(chosen).layout

    def drawing(self, chosen: Setup) -> Drawing:
        """Return what each zone and marker is for programs that draw the table."""
        return self._declaration(chosen).drawing(self.components(chosen))

    def play(self, table: Table, dice: Dice, chosen: Setup) -> P:
        """Bind the title's names to a table."""
        return self.binding.play(self._bound(table, dice, chosen))

    def unsound(self, table: Table, chosen: Setup) -> Sequence[PositionProblem]:
        """Return what the rules contradict on a table that another program wrote."""
        return self.binding.problems(self._bound(table, Dice(b""), chosen), self._declaration(chosen).layout)


class Rules(NamedTuple):
    """What a title does with a bound table besides its decisions."""

    set_up: Callable[[Any], None]
    """Lays the table and advances to the first decision."""
    offered: Callable[[Any, Any, Any], Struct]
    """Returns a legal command with what a seat has to know about it, or the command itself."""
    board: Callable[[Any, int], Struct]
    """Returns the typed board as a viewer sees it."""
    scores: Callable[[Any], tuple[ScoreLine, ...]]
    """Returns the score sheet."""
    standings: Callable[[Any], list[Standing]]
    """Returns the result of a game that is over, best first."""


class BoundPlay(TurnFlowPlay[C], Generic[C, B]):
    """The rules of a title on one bound table (see :class:`boardkeeper.titlekit.title.Play`)."""

    __slots__ = ()

    rules: ClassVar[Rules]

    def set_up(self) -> None:
        """Lay the table and advance to the first decision."""
        self.rules.set_up(self.t)

    def offered(self, seat: int, command: Struct) -> Struct:
        """Return a legal command as it is offered to the seat, with what only the table tells about it."""
        return self.rules.offered(self.t, self.t.seats[seat - 1], command)

    def board(self, viewer: int) -> B:
        """Return the typed board as a viewer sees it."""
        board: Any = self.rules.board(self.t, viewer)
        return board  # type: ignore[no-any-return]

    def scores(self) -> tuple[ScoreLine, ...]:
        """Return the score sheet as the table is now (see :class:`boardkeeper.titlekit.scores.ScoredPlay`)."""
        return self.rules.scores(self.t)

    def standings(self) -> list[Standing]:
        """Return the result, best first; empty before the end."""
        return self.rules.standings(self.t) if self.t.is_over() else []
