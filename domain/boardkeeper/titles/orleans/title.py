"""Orléans as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.families.followers.supposing import plan_anew
from boardkeeper.table.catalogued import Catalogued
from boardkeeper.table.dice import Dice
from boardkeeper.table.drawing import Drawing
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.material import Material
from boardkeeper.table.table import Table
from boardkeeper.table.title import Component, Play, PositionProblem, Setup
from boardkeeper.table.visibility import sees
from boardkeeper.titles.orleans import setup, soundness
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.bots import POLICIES
from boardkeeper.titles.orleans.catalogue import components
from boardkeeper.titles.orleans.commands import COMMANDS
from boardkeeper.titles.orleans.data import data_for
from boardkeeper.titles.orleans.differences import differences
from boardkeeper.titles.orleans.events import EVENTS
from boardkeeper.titles.orleans.material import Orleans
from boardkeeper.titles.orleans.meta import META
from boardkeeper.titles.orleans.phases.flow import HOOKS
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.sentences import WORDS


class OrleansTitle(Catalogued):
    """The rules and words of Orléans (see :class:`boardkeeper.table.title.Title`)."""

    board_type = Board
    policies = POLICIES

    def layout(self, chosen: Setup) -> TableLayout:
        """The zones and markers of a table; raises ``ValueError`` for an unknown edition or player count."""
        data = data_for(chosen)
        if chosen.players not in data.supplies:
            counts = ", ".join(map(str, sorted(data.supplies)))
            raise ValueError(f"edition {chosen.edition} is for {counts} players, not {chosen.players}")
        return setup.declared(data, chosen.players).layout

    def unsound(self, table: Table, chosen: Setup) -> Sequence[PositionProblem]:
        """Return what the rules contradict on a table that another program wrote."""
        return soundness.problems(self.play(table, Dice(b""), chosen).t)

    def unknown(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """What a fork has to deal anew: nothing. Whoever watched knows what lies in every bag.

        Followers go to a bag, and come out of it, in everybody's sight. Only while others plan behind raised screens
        there is something that a seat cannot know, and that is decided, not dealt.
        """
        screens = (table.markers[f"seat.{seat}.screen"] for seat in range(1, len(table.decisions)))
        return () if all(sees(table, screen, viewer) for screen in screens) else None

    def suppose(self, play: Play, viewer: int, dice: Dice) -> None:
        """Make up the plans behind raised screens (see :class:`boardkeeper.table.supposing.SupposingTitle`)."""
        assert isinstance(play, OrleansPlay)
        plan_anew(play.t, play, viewer, dice)

    def components(self, chosen: Setup) -> Sequence[Component]:
        """The components of an edition; there are other hour glass tiles with other options."""
        return components(chosen.edition, chosen.options)

    def drawing(self, chosen: Setup) -> Drawing:
        """What lies where on its table."""
        return setup.declared(data_for(chosen), chosen.players).drawing(self.components(chosen))

    def play(self, table: Table, dice: Dice, chosen: Setup) -> OrleansPlay:
        """Bind the names of Orléans to a table."""
        return OrleansPlay(Orleans(Material(table, dice), data_for(chosen), chosen.players, HOOKS))


def _own(board: Struct) -> Board:
    if not isinstance(board, Board):
        raise TypeError(f"not a board of Orléans: {type(board).__name__}")
    return board


TITLE = OrleansTitle(META, WORDS, COMMANDS, EVENTS, components, differences)
