"""The title of Orléans, which the registry loads."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.plan_sampling import has_hidden_plans, sample_plans
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.titlekit.bound_title import Binding, BoundTitle
from boardkeeper.titlekit.policies import CommandPolicy
from boardkeeper.titlekit.title import Component, Play, Setup
from boardkeeper.titles.orleans import soundness
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.bots import evaluation, policy, sensible
from boardkeeper.titles.orleans.catalogue import components
from boardkeeper.titles.orleans.command_space import command_space
from boardkeeper.titles.orleans.commands import COMMANDS
from boardkeeper.titles.orleans.data import Data, data_for
from boardkeeper.titles.orleans.differences import differences
from boardkeeper.titles.orleans.events import EVENTS
from boardkeeper.titles.orleans.material import Orleans
from boardkeeper.titles.orleans.meta import META, WORDS
from boardkeeper.titles.orleans.phases.flow import HOOKS
from boardkeeper.titles.orleans.play import OrleansPlay


class OrleansTitle(BoundTitle[Data, Orleans, OrleansPlay]):
    """The rules and words of Orléans (see :class:`boardkeeper.titlekit.title.Title`)."""

    binding = Binding(
        data_for=data_for,
        bind=lambda m, data, players: Orleans(m, data, players, HOOKS),
        play=OrleansPlay,
        problems=soundness.problems,
        limits=soundness.limits,
        command_space=command_space,
    )

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """Return the zones that a fork deals again: none, because the contents of all bags follow from public events.

        Return ``None``, which forbids a fork, while the viewer cannot see behind a screen: plans are not dealt.
        """
        return None if has_hidden_plans(table, viewer) else ()

    def determinise(self, play: Play, viewer: int, dice: Dice) -> None:
        """Replace plans that the viewer cannot see by random ones."""
        assert isinstance(play, OrleansPlay)
        sample_plans(play.t, play, viewer, dice)

    def components(self, chosen: Setup) -> Sequence[Component]:
        """Return the components of an edition. Options change the hour glass tiles."""
        return components(chosen.edition, chosen.options)


TITLE = OrleansTitle(
    META,
    WORDS,
    COMMANDS,
    EVENTS,
    components,
    differences,
    board=Board,
    bots={"sensible": sensible.choose},
    policy=CommandPolicy(policy.scores, evaluation.evaluate, lambda play: play.t.round.value),
)
