"""Base classes of titles whose rules work on a bound table (:mod:`boardkeeper.titlekit.binding`).

The ``title.py`` of a title lists its functions in a :class:`Binding`, and its ``play.py`` in :class:`Rules`.
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
from boardkeeper.titlekit.soundness import Limits
from boardkeeper.titlekit.title import Play, PositionProblem, Setup, Standing
from boardkeeper.titlekit.turn_flow import TurnFlow, TurnFlowPlay


class TitleData(Protocol):
    """The data of a title for a setup. Layouts are cached by data, so it must be hashable."""

    @property
    def players(self) -> tuple[int, ...]:
        """Return the possible numbers of players."""

    def __hash__(self) -> int:
        """Return the hash."""


B = TypeVar("B", bound=Struct)
C = TypeVar("C", bound=TurnFlow[Any])
D = TypeVar("D", bound=TitleData)
P = TypeVar("P", bound=Play)


@lru_cache(maxsize=256)
def _declared(package: str, bind: Callable[[Material, Any, int], Any], data: TitleData, players: int) -> Declaration:
    return declare(package, lambda m: bind(m, data, players))


def _no_limits(_: object) -> Limits:
    return Limits()


class Binding(NamedTuple, Generic[D, C, P]):
    """The functions that bind the rules of a title to a table."""

    data_for: Callable[[Setup], D]
    """Returns the data of a title for a setup."""
    bind: Callable[[Material, D, int], C]
    """Returns the bound table, for data and a number of players."""
    play: Callable[[C], P]
    """Returns the play on a bound table."""
    problems: Callable[[C, TableLayout], Sequence[PositionProblem]]
    """Checks a bound table that another program wrote, with the layout that the title would use."""
    limits: Callable[[C], Limits] = _no_limits
    """Returns the limits of a bound table; they must not depend on its state."""
    command_space: Callable[[D, int], Sequence[Struct]] | None = None
    """Optional: returns every command, for data and a number of players (:mod:`boardkeeper.titlekit.command_space`)."""


class BoundTitle(CatalogueTitle, Generic[D, C, P]):
    """Implements :class:`TitleRules` with a :class:`Binding`; a subclass adds ``exchangeable_zones``."""

    binding: Binding[D, C, P]

    def _declaration(self, setup: Setup) -> Declaration:
        package = type(self).__module__.rpartition(".")[0]
        return _declared(package, self.binding.bind, self.binding.data_for(setup), setup.players)

    def _bound(self, table: Table, dice: Dice, setup: Setup) -> C:
        return self.binding.bind(Material(table, dice), self.binding.data_for(setup), setup.players)

    def layout(self, setup: Setup) -> TableLayout:
        players = self.binding.data_for(setup).players
        if setup.players not in players:
            counts = ", ".join(map(str, players))
            raise ValueError(f"edition {setup.edition} is for {counts} players, not {setup.players}")
        return self._declaration(setup).layout

    def drawing(self, setup: Setup) -> Drawing:
        return self._declaration(setup).drawing(self.components(setup))

    def play(self, table: Table, dice: Dice, setup: Setup) -> P:
        return self.binding.play(self._bound(table, dice, setup))

    def check_position(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:
        return self.binding.problems(self._bound(table, Dice(b""), setup), self._declaration(setup).layout)

    def limits(self, setup: Setup) -> Limits:
        """Return what the markers and zones of a table can have."""
        return self.binding.limits(self._bound(Table(self.layout(setup)), Dice(b""), setup))

    def command_space(self, setup: Setup) -> Sequence[Struct] | None:
        list_commands = self.binding.command_space
        return None if list_commands is None else list_commands(self.binding.data_for(setup), setup.players)


class Rules(NamedTuple):
    """The functions of a title on a bound table, besides its decisions."""

    set_up: Callable[[Any], None]
    """Sets up the game and advances to the first decision."""
    offer: Callable[[Any, Any, Any], Struct]
    """Returns a legal command with the facts that its sentence needs, such as its price, or the command itself."""
    board: Callable[[Any, int], Struct]
    """Returns the typed board as a viewer may see it."""
    scores: Callable[[Any], tuple[ScoreLine, ...]]
    """Returns the score sheet."""
    standings: Callable[[Any], list[Standing]]
    """Returns the result of a finished game, best first."""


class BoundPlay(TurnFlowPlay[C], Generic[C, B]):
    """The rules of a title on one bound table (see :class:`boardkeeper.titlekit.title.Play`)."""

    __slots__ = ()

    rules: ClassVar[Rules]

    def set_up(self) -> None:
        self.rules.set_up(self.t)

    def offer(self, seat: int, command: Struct) -> Struct:
        return self.rules.offer(self.t, self.t.seats[seat - 1], command)

    def board(self, viewer: int) -> B:
        board: Any = self.rules.board(self.t, viewer)
        return board  # type: ignore[no-any-return]

    def scores(self) -> tuple[ScoreLine, ...]:
        return self.rules.scores(self.t)

    def points(self) -> tuple[int, ...]:
        """Return the points of each seat if the game ended now."""
        return tuple(it.points for it in sorted(self.rules.standings(self.t), key=lambda it: it.seat))

    def standings(self) -> list[Standing]:
        return self.rules.standings(self.t) if self.t.is_over() else []
