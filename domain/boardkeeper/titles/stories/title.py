"""The title of Orléans Stories, which the registry loads."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.plan_sampling import has_hidden_plans, sample_plans
from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import redeal
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.titlekit.bound_title import Binding, BoundTitle
from boardkeeper.titlekit.policies import CommandPolicy
from boardkeeper.titlekit.title import Component, Play, Setup
from boardkeeper.titles.stories import soundness
from boardkeeper.titles.stories.board import Board
from boardkeeper.titles.stories.bots import evaluation, policy, sensible
from boardkeeper.titles.stories.catalogue import components
from boardkeeper.titles.stories.command_space import command_space
from boardkeeper.titles.stories.commands import COMMANDS
from boardkeeper.titles.stories.data import Data, data_for
from boardkeeper.titles.stories.differences import differences
from boardkeeper.titles.stories.events import EVENTS
from boardkeeper.titles.stories.material import Stories
from boardkeeper.titles.stories.meta import META, WORDS
from boardkeeper.titles.stories.phases.flow import HOOKS
from boardkeeper.titles.stories.play import StoriesPlay
from boardkeeper.titles.stories.tables import DEFAULT
from boardkeeper.titles.stories.teams import nation_of

_GROUPS = (("nation", "nations"), ("dealt", "message", "returned", "messages"))
"""The last parts of the ids of zones, grouped by the kind of hidden card that they contain."""


class StoriesTitle(BoundTitle[Data, Stories, StoriesPlay]):
    """The rules and words of Orléans Stories (see :class:`boardkeeper.titlekit.title.Title`)."""

    binding = Binding(
        data_for=data_for,
        bind=lambda m, data, players: Stories(m, data, players, HOOKS),
        play=StoriesPlay,
        problems=soundness.problems,
        limits=soundness.limits,
        command_space=command_space,
    )

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        """Return the zones that a fork deals again: nations and messages that the viewer has not seen.

        A kept message is dealt again too, although its seat chose it: the viewer cannot distinguish it from the others.
        Return ``None``, which forbids a fork, while the viewer cannot see behind a screen: plans are not dealt.
        """
        return None if has_hidden_plans(table, viewer) else _hidden_groups(table, viewer)

    def determinise(self, play: Play, viewer: int, dice: Dice) -> None:
        """Deal hidden nations and messages again, and replace notes and plans that the viewer cannot see."""
        assert isinstance(play, StoriesPlay)
        redeal(play.table, viewer, _hidden_groups(play.table, viewer), dice)
        sample_looks(play.t, viewer, dice)
        sample_plans(play.t, play, viewer, dice)

    def components(self, chosen: Setup) -> Sequence[Component]:
        """Return the components of a story with the data set of the game."""
        return components(chosen.edition, chosen.options.get("data_set", DEFAULT))


def _hidden_groups(table: Table, viewer: int) -> Sequence[Sequence[str]]:
    """Return groups of zones. The viewer does not know their cards; a fork can exchange them within a group."""
    own_notes = table.markers.get(f"seat.{viewer}.noted")
    notes = own_notes.value.split() if own_notes is not None else []
    noted = {f"seat.{note.partition(':')[0]}.nation" for note in notes}
    zones = (zone for zone in table.zones.values() if zone.total() and not sees(table, zone, viewer))
    hidden = [zone.id for zone in zones if zone.id not in noted]
    groups = ([id for id in hidden if id.rpartition(".")[2] in kinds] for kinds in _GROUPS)
    return tuple(group for group in groups if len(group) > 1)


def sample_looks(t: Stories, viewer: int, dice: Dice) -> None:
    """Replace the nations that other seats noted secretly by those of random seats, the same number for each seat.

    If the reading ``look_is_public`` is ``no``, a viewer knows how often a seat looked, but not at which cards.
    """
    for seat in t.seats:
        noted = t.table.markers.get(f"seat.{seat.number}.noted")
        if noted is None or sees(t.table, noted, viewer):
            continue
        others = [other for other in t.seats if other is not seat]
        looks = len(noted.value.split())
        chosen = [others[dice.number(noted.id, look, len(others))] for look in range(looks)]
        noted.value = " ".join(f"{other.number}:{nation_of(other)}" for other in chosen)


TITLE = StoriesTitle(
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
