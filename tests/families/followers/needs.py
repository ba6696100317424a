"""Which of the family's rules and codes nobody can meet in a title, from what its places and readings are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from msgspec.structs import asdict
from tests.kit.coverage import DOMAIN

from boardkeeper.families.followers import rule_ids
from boardkeeper.families.followers.data import FollowersData, Place
from boardkeeper.families.followers.readings import FollowersReadings
from boardkeeper.families.followers.rule_ids import NEEDS
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
_CITED = re.compile(r"\(([a-z_]+\.[a-z_]+)\)")


@cache
def relative_ids() -> frozenset[str]:
    """Every rule that the family refuses with or cites, by its relative id."""
    found: set[str] = set()
    for tree in trees(FAMILY, Path(rule_ids.__file__)):
        constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        texts = [value for value in constants if isinstance(value, str)]
        found |= {text for text in texts if _RELATIVE.fullmatch(text)}
        found |= {cited for text in texts for cited in _CITED.findall(text)}
    return frozenset(found)


def never_met(title: Title) -> frozenset[str]:
    """The relative ids and the codes that a title can do without."""
    having = has(title)
    return frozenset(id for id, needs in NEEDS.items() if not all(having & set(need.split(" or ")) for need in needs))


def has(title: Title) -> frozenset[str]:
    """What a title has of all that :data:`NEEDS` speaks of, whatever it is played with."""
    offered = {f"{reading.id}={choice.id}" for reading in title.meta.readings for choice in reading.choices}
    tables = list(_tables(title))
    assert tables
    for data in tables:
        offered |= {f"{name}={getattr(data.readings, name)}" for name in FollowersReadings.__struct_fields__}
        offered |= {name for place in data.places.values() for name in fields_set(place)}
    return frozenset(offered)


def fields_set(place: Place) -> set[str]:
    """The fields of a place that say something."""
    return {name for name, value in asdict(place).items() if value and name in Place.__struct_fields__}


def _tables(title: Title) -> Iterator[FollowersData]:
    """The tables of every edition, with each choice of each option, and with the fewest players that go with it."""
    choices = [{option.id: choice.id} for option in title.meta.options for choice in option.choices]
    for edition in title.meta.editions:
        for options in [{}, *choices]:
            for players in player_counts(title.meta):
                with suppress(ChoiceError):  # another edition or choice is for so many
                    yield _table(title, complete(title.meta, Setup(edition.id, players, options)))
                    break


def _table(title: Title, setup: Setup) -> FollowersData:
    play = title.play(Table(title.layout(setup)), Dice(b""), setup)
    assert isinstance(play, TurnFlowPlay)
    t: AnyTable = play.t
    return t.data
