"""The rule ids that the family cites, and the rules that its titles have to define."""

from __future__ import annotations

import ast

import pytest
from tests.families.followers import needs
from tests.families.followers.needs import FAMILY, NEEDS, relative_ids
from tests.kit.families import members

from boardkeeper.families.followers.data import Place
from boardkeeper.families.followers.readings import FollowersReadings
from boardkeeper.families.followers.table import Hooks
from boardkeeper.testkit.coverage import rejection_codes, trees
from boardkeeper.titles.registry import TITLES, load_title


def test_the_family_has_members_and_rules() -> None:
    assert members("followers")
    assert set(members("followers")) < set(TITLES), "a title without this family is not a member"
    assert {"planning.free_space", "technology.after_passing", "planning.change_of_mind"} <= relative_ids()


@pytest.mark.parametrize("id", members("followers"))
def test_every_title_defines_the_rules_that_it_needs(id: str) -> None:
    title = load_title(id)
    rules = {rule.id for rule in title.rules()}
    missing = {relative for relative in relative_ids() if f"{id}.{relative}" not in rules}
    assert missing - needs.unneeded_ids(title) == set()


def test_every_rule_is_needed_by_a_title() -> None:
    assert frozenset.intersection(*(needs.unneeded_ids(load_title(id)) for id in members("followers"))) == frozenset()


def test_conditions_of_rules_are_fields_of_places_or_choices_of_readings() -> None:
    assert set(NEEDS) <= relative_ids() | rejection_codes(FAMILY)
    assert relative_ids() - set(NEEDS)
    conditions = {it for needs in NEEDS.values() for need in needs for it in need.split(" or ")}
    readings = {it.partition("=")[0] for it in conditions if "=" in it}
    assert readings <= set(FollowersReadings.__struct_fields__)
    assert {it for it in conditions if "=" not in it} <= set(Place.__struct_fields__)


def test_rule_ids_are_literals_in_the_source() -> None:
    """``relative_ids`` finds only literals, so arguments of ``t.rule`` are literals or names of literals."""
    calls = [
        node.args[0]
        for tree in trees(FAMILY)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "t.rule"
    ]
    assert calls
    assert {type(argument) for argument in calls} <= {ast.Constant, ast.Name}


def test_a_title_implements_at_most_eight_hooks() -> None:
    hooks = {name for name in vars(Hooks) if not name.startswith("_")}
    assert hooks == {"title", "phases", "verbs", "draw_limit", "reward", "can_surrender"}
    assert len(hooks) <= 8
