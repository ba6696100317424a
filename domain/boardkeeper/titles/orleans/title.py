"""Orléans as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.plan_sampling import sample_plans
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.titlekit.bound_title import Binding, BoundTitle
from boardkeeper.titlekit.title import Component, Play, Setup
from boardkeeper.titles.orleans import soundness
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.bots import sensible
from boardkeeper.titles.orleans.catalogue import components
from boardkeeper.titles.orleans.commands import COMMANDS
from boardkeeper.titles.orleans.data import Data, data_for
from boardkeeper.titles.orleans.differences import differences
from boardkeeper.titles.orleans.events import EVENTS
from boardkeeper.titles.orleans.material import Orleans
from boardkeeper.titles.orleans.meta import META
from boardkeeper.titles.orleans.phases.flow import HOOKS
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.sentences import WORDS


class OrleansTitle(BoundTitle[Data, Orleans, OrleansPlay]):
    """The rules and words of Orléans (see :class:`boardkeeper.titlekit.title.Title`)."""

    binding = Binding(
        data_for=data_for,
        bind=lambda m, data, players: Orleans(m, data, players, HOOKS),
        play=OrleansPlay,
        problems=soundness.problems,
    )

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """What a fork has to deal anew: nothing. Whoever watched knows what lies in every bag.

        Followers go to a bag, and come out of it, in everybody's sight. Only while others plan behind raised screens
        there is something that a seat cannot know, and that is decided, not dealt.
        """
        screens = (table.markers[f"seat.{seat}.screen"] for seat in range(1, len(table.decisions)))
        return () if all(sees(table, screen, viewer) for screen in screens) else None

    def determinise(self, play: Play, viewer: int, dice: Dice) -> None:
        """Make up the plans behind raised screens (see :class:`boardkeeper.titlekit.title.DeterminisableTitle`)."""
        assert isinstance(play, OrleansPlay)
        sample_plans(play.t, play, viewer, dice)

    def components(self, chosen: Setup) -> Sequence[Component]:
        """The components of an edition; there are other hour glass tiles with other options."""
        return components(chosen.edition, chosen.options)


TITLE = OrleansTitle(
    META, WORDS, COMMANDS, EVENTS, components, differences, board=Board, bots={"sensible": sensible.choose}
)
