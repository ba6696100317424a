"""The title of Orléans Stories: what the other packages use of it."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.supposing import plan_anew
from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import redeal
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.titlekit.bound_title import Binding, BoundTitle
from boardkeeper.titlekit.title import Component, Play, Setup
from boardkeeper.titles.stories import soundness, supposing
from boardkeeper.titles.stories.board import Board
from boardkeeper.titles.stories.bots import sensible
from boardkeeper.titles.stories.catalogue import components
from boardkeeper.titles.stories.commands import COMMANDS
from boardkeeper.titles.stories.data import Data, data_for
from boardkeeper.titles.stories.differences import differences
from boardkeeper.titles.stories.events import EVENTS
from boardkeeper.titles.stories.material import Stories
from boardkeeper.titles.stories.meta import META
from boardkeeper.titles.stories.phases.flow import HOOKS
from boardkeeper.titles.stories.play import StoriesPlay
from boardkeeper.titles.stories.sentences import WORDS
from boardkeeper.titles.stories.tables import DEFAULT


class StoriesTitle(BoundTitle[Data, Stories, StoriesPlay]):
    """The rules and words of Orléans Stories (see :class:`boardkeeper.titlekit.title.Title`)."""

    binding = Binding(
        data_for=data_for,
        bind=lambda m, data, players: Stories(m, data, players, HOOKS),
        play=StoriesPlay,
        problems=soundness.problems,
    )

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """Return the zones that a fork has to deal again: nations and messages that the viewer has not seen.

        ``None`` if the viewer does not see a screen: plans are decisions, not dealt. A kept message was chosen from two
        dealt ones, so for the viewer any other hidden message is equally likely.
        """
        screens = (table.markers[f"seat.{seat}.screen"] for seat in range(1, len(table.decisions)))
        return (
            supposing.hidden_groups(table, viewer) if all(sees(table, screen, viewer) for screen in screens) else None
        )

    def determinise(self, play: Play, viewer: int, dice: Dice) -> None:
        """Deal hidden nations and messages again; replace hidden looks and plans of others by random ones."""
        assert isinstance(play, StoriesPlay)
        redeal(play.table, viewer, supposing.hidden_groups(play.table, viewer), dice)
        supposing.sample_looks(play.t, viewer, dice)
        plan_anew(play.t, play, viewer, dice)

    def components(self, chosen: Setup) -> Sequence[Component]:
        """Return the components of a story with the data set of the game."""
        return components(chosen.edition, chosen.options.get("data_set", DEFAULT))


TITLE = StoriesTitle(
    META, WORDS, COMMANDS, EVENTS, components, differences, board=Board, bots={"sensible": sensible.choose}
)
