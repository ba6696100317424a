"""The rules of the family that a title does not need, because of its places and readings.

For example, a title may have no place that extends the market, or may not offer the choice of a reading. No command can
break the rules about it, so the title need not define them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache

from msgspec.structs import asdict
from tests.kit.coverage import DOMAIN

from boardkeeper.families.followers.data import FollowersData, Place
from boardkeeper.families.followers.readings import FollowersReadings
from boardkeeper.families.followers.table import AnyTable
from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.testkit.coverage import trees
from boardkeeper.testkit.setups import player_counts
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.titlekit.turn_flow import TurnFlowPlay

FAMILY = DOMAIN / "families" / "followers"

_RELATIVE = re.compile(r"[a-z_]+\.[a-z_]+")
_IN_BRACKETS = re.compile(r"\(([a-z_]+\.[a-z_]+)\)")
_CITED = re.compile(r"\b[a-z_]+\.[a-z_]+\b")

NEEDS: dict[str, tuple[str, ...]] = {
    "MARKED_FOLLOWER": ("neutral_only",),
    "MARKET_OVERFULL": ("market_extension",),
    "bathhouse.drawn_follower": ("bathhouse or extra_draw",),
    "bathhouse.full_draw": ("bathhouse", "bathhouse_short_bag=needs_all"),
    "bathhouse.must_place": ("bathhouse",),
    "bathhouse.not_there": ("bathhouse",),
    "bathhouse.not_tower": ("bathhouse", "market_extension", "bathhouse_tower=forbidden"),
    "bathhouse.not_town_hall": ("bathhouse", "send_to_deeds", "bathhouse_town_hall=forbidden"),
    "bathhouse.passive": ("extra_draw",),
    "bathhouse.short_bag": ("bathhouse",),
    "deeds.exact_character": ("send_to_deeds",),
    "deeds.follower_there": ("send_to_deeds",),
    "deeds.free_space": ("send_to_deeds",),
    "deeds.no_own_followers": ("send_to_deeds",),
    "deeds.reward_choice": ("send_to_deeds",),
    "deeds.same_place": ("send_to_deeds",),
    "drawing.full": ("draw_amount=fixed",),
    "gunpowder_tower.free_space": ("market_extension",),
    "gunpowder_tower.owned": ("market_extension",),
    "gunpowder_tower.phase_three": ("market_extension",),
    "sacristy.choice": ("cancels_event", "sacristy_use=choice"),
    "sacristy.not_an_action": ("cancels_event",),
    "sacristy.shields": ("cancels_event",),
    "taking_back.after_drawing": ("taking_back_time=before_or_after",),
    "taking_back.not_from_tower": ("market_extension",),
    "taking_back.possible_draws": ("taking_back=possible_draws",),
    "technology.after_passing": ("technology_window=after_passing",),
    "technology.after_passing_and_planning": ("technology_window=after_passing_and_planning",),
    "technology.craftsmen_space_replaces_farmer": ("first_technology=from_first_craftsmen_space",),
    "technology.first_replaces_farmer": ("first_technology=first_placed",),
    "technology.fixed_character": ("filled_at_least", "technology_on_open_spaces=closed"),
    "technology.free_space": ("technology_on_occupied=free_only",),
    "technology.tower_space_kept": ("market_extension", "technology_window=after_passing_and_planning"),
    "town_hall.no_own_followers": ("neutral_only",),
    "town_hall.one_or_two": ("send_to_deeds",),
}
"""The conditions under which a relative rule id, or a rejection code, can be cited; all must hold.

A condition is a field of ``Place`` that a place of the title sets, or a value of a reading that is fixed or can be
chosen. Every title needs the ids that are not listed.
"""


@cache
def relative_ids() -> frozenset[str]:
    """Return the relative ids of all rules that the family cites, in rejections or in docstrings."""
    found: set[str] = set()
    for tree in trees(FAMILY):
        constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        texts = [value for value in constants if isinstance(value, str)]
        found |= {text for text in texts if _RELATIVE.fullmatch(text)}
        found |= {cited for text in texts for cited in _CITED.findall(text.partition("Source: ")[2])}
        found |= {cited for text in texts for cited in _IN_BRACKETS.findall(text)}
    return frozenset(found)


def unneeded_ids(title: Title) -> frozenset[str]:
    """Return the relative ids and the rejection codes that a title does not need."""
    met = met_conditions(title)
    return frozenset(id for id, needs in NEEDS.items() if not all(met & set(need.split(" or ")) for need in needs))


def met_conditions(title: Title) -> frozenset[str]:
    """Return the conditions of :data:`NEEDS` that a title can meet in any of its editions and options."""
    offered = {f"{reading.id}={choice.id}" for reading in title.meta.readings for choice in reading.choices}
    tables = list(_tables(title))
    assert tables
    for data in tables:
        offered |= {f"{name}={getattr(data.readings, name)}" for name in FollowersReadings.__struct_fields__}
        offered |= {name for place in data.places.values() for name in fields_set(place)}
    return frozenset(offered)


def fields_set(place: Place) -> set[str]:
    """Return the names of the fields of a place that are not empty."""
    return {name for name, value in asdict(place).items() if value and name in Place.__struct_fields__}


def _tables(title: Title) -> Iterator[FollowersData]:
    """Yield the data of each edition, with each choice of each option, for the fewest players that are possible."""
    choices = [{option.id: choice.id} for option in title.meta.options for choice in option.choices]
    for edition in title.meta.editions:
        for options in [{}, *choices]:
            for players in player_counts(title.meta):
                with suppress(ChoiceError):  # not possible for this number of players
                    yield _table(title, complete(title.meta, Setup(edition.id, players, options)))
                    break


def _table(title: Title, setup: Setup) -> FollowersData:
    play = title.play(Table(title.layout(setup)), Dice(b""), setup)
    assert isinstance(play, TurnFlowPlay)
    t: AnyTable = play.t
    return t.data
