"""Orléans Stories as the rest of the house sees it."""

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
from boardkeeper.titles.stories.data_sets import DEFAULT
from boardkeeper.titles.stories.differences import differences
from boardkeeper.titles.stories.events import EVENTS
from boardkeeper.titles.stories.material import Stories
from boardkeeper.titles.stories.meta import META
from boardkeeper.titles.stories.phases.flow import HOOKS
from boardkeeper.titles.stories.play import StoriesPlay
from boardkeeper.titles.stories.sentences import WORDS


class StoriesTitle(BoundTitle[Data, Stories, StoriesPlay]):
    """The rules and words of Orléans Stories (see :class:`boardkeeper.titlekit.title.Title`)."""

    binding = Binding(
        data_for=data_for,
        bind=lambda m, data, players: Stories(m, data, players, HOOKS),
        play=StoriesPlay,
        problems=soundness.problems,
    )

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """What a fork has to deal anew: nations and messages that the viewer has not seen.

        Whoever watched knows what lies in every bag. Plans behind raised screens are decided, not dealt. A message that
        somebody kept was decided too, but out of two that chance dealt; so another one is as likely as it for all that
        the viewer can know, and he keeps what he has seen himself.
        """
        screens = (table.markers[f"seat.{seat}.screen"] for seat in range(1, len(table.decisions)))
        return supposing.dealt(table, viewer) if all(sees(table, screen, viewer) for screen in screens) else None

    def determinise(self, play: Play, viewer: int, dice: Dice) -> None:
        """Deal nations and messages anew, and make up whom others looked at and what they plan behind screens.

        See :class:`boardkeeper.titlekit.title.DeterminisableTitle`.
        """
        assert isinstance(play, StoriesPlay)
        redeal(play.table, viewer, supposing.dealt(play.table, viewer), dice)
        supposing.look_anew(play.t, viewer, dice)
        plan_anew(play.t, play, viewer, dice)

    def components(self, chosen: Setup) -> Sequence[Component]:
        """The components of a story, as the data set of the game has them."""
        return components(chosen.edition, chosen.options.get("data_set", DEFAULT))


TITLE = StoriesTitle(
    META, WORDS, COMMANDS, EVENTS, components, differences, board=Board, bots={"sensible": sensible.choose}
)
