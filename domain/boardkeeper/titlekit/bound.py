"""A title whose rules work on a bound table: what follows from the title's own functions.

A title's ``title.py`` and ``play.py`` name these functions; layout, drawing, play and checks follow from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from boardkeeper.table.bots import Policy
from boardkeeper.table.catalogued import Catalogued
from boardkeeper.table.course import Course, CoursePlay
from boardkeeper.table.dice import Dice
from boardkeeper.table.drawing import Drawing
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.material import Material
from boardkeeper.table.scores import ScoreLine
from boardkeeper.table.sentences import TitleWords
from boardkeeper.table.table import Table
from boardkeeper.table.title import Component, Difference, Play, PositionProblem, Setup, Standing, TitleMeta
from boardkeeper.titlekit.material import Declaration, declare


class TitleData(Protocol):
    """The data of a title for one setup."""

    @property
    def players(self) -> tuple[int, ...]:
        """Return the possible numbers of players."""


B = TypeVar("B", bound=Struct)
C = TypeVar("C", bound=Course[Any])
D = TypeVar("D", bound=TitleData)
P = TypeVar("P", bound=Play)

Bind = Callable[[Material, Any, int], Any]
"""Binds a title's names for its data and a number of players."""


@lru_cache(maxsize=256)
def _declared(package: str, bind: Bind, data: TitleData, players: int) -> Declaration:
    return declare(package, lambda m: bind(m, data, players))


class BoundTitle(Catalogued, Generic[P]):
    """The part of :class:`boardkeeper.table.title.Title` that is equal for all titles with a bound table."""

    def __init__(
        self,
        meta: TitleMeta,
        words: TitleWords,
        commands: Iterable[type[Struct]],
        events: Iterable[type[Struct]],
        components: Callable[[str], Sequence[Component]],
        differences: Callable[[], Sequence[Difference]],
        *,
        board: type[Struct],
        bots: Mapping[str, Policy],
        data_for: Callable[[Setup], D],
        bind: Callable[[Material, D, int], C],
        play: Callable[[C], P],
        problems: Callable[[C, TableLayout], Sequence[PositionProblem]],
    ) -> None:
        """``problems`` checks a bound table that another program wrote; its second argument is the layout."""
        super().__init__(meta, words, commands, events, components, differences)
        self.board_type = board
        self.policies = bots
        self._package = type(self).__module__.rpartition(".")[0]
        self._data_for: Callable[[Setup], Any] = data_for
        self._bind: Bind = bind
        self._play: Callable[[Any], P] = play
        self._problems: Callable[[Any, TableLayout], Sequence[PositionProblem]] = problems

    def _declaration(self, chosen: Setup) -> Declaration:
        return _declared(self._package, self._bind, self._data_for(chosen), chosen.players)

    def layout(self, chosen: Setup) -> TableLayout:
        """Return the zones and markers; raises ``ValueError`` for an unknown edition or number of players."""
        players = self._data_for(chosen).players
        if chosen.players not in players:
            counts = ", ".join(map(str, players))
            raise ValueError(f"edition {chosen.edition} is for {counts} players, not {chosen.players}")
        return self._declaration(chosen).layout

    def drawing(self, chosen: Setup) -> Drawing:
        """Return what each zone and marker is for programs that draw the table."""
        return self._declaration(chosen).drawing(self.components(chosen))

    def play(self, table: Table, dice: Dice, chosen: Setup) -> P:
        """Bind the title's names to a table."""
        return self._play(self._bind(Material(table, dice), self._data_for(chosen), chosen.players))

    def unsound(self, table: Table, chosen: Setup) -> Sequence[PositionProblem]:
        """Return what the rules contradict on a table that another program wrote."""
        t = self._bind(Material(table, Dice(b"")), self._data_for(chosen), chosen.players)
        return self._problems(t, self._declaration(chosen).layout)


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


class BoundPlay(CoursePlay[C], Generic[C, B]):
    """The rules of a title on one bound table (see :class:`boardkeeper.table.title.Play`)."""

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
        """Return the score sheet as the table is now (see :class:`boardkeeper.table.scores.ScoredPlay`)."""
        return self.rules.scores(self.t)

    def standings(self) -> list[Standing]:
        """Return the result, best first; empty before the end."""
        return self.rules.standings(self.t) if self.t.is_over() else []
