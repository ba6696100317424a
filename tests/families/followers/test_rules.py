"""What the family's rules say of themselves, and what its titles have to say for them."""

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
    assert set(members("followers")) < set(TITLES), "a title that stands on no family is not found to be a member"
    assert {"planning.free_space", "technology.after_passing", "planning.change_of_mind"} <= relative_ids()


@pytest.mark.parametrize("id", members("followers"))
def test_every_relative_rule_id_that_can_be_met_is_a_rule_of_every_title(id: str) -> None:
    title = load_title(id)
    rules = {rule.id for rule in title.rules()}
    missing = {relative for relative in relative_ids() if f"{id}.{relative}" not in rules}
    assert missing - needs.never_met(title) == set()


def test_every_rule_is_needed_by_some_title() -> None:
    """Whatever a rule needs is there in some title, so none is spared for what nobody can have."""
    assert frozenset.intersection(*(needs.never_met(load_title(id)) for id in members("followers"))) == frozenset()


def test_what_a_rule_needs_is_a_field_of_places_or_a_choice_of_a_reading() -> None:
    """Each relative id is listed with what it needs, or else needed by every title; none is listed in vain."""
    assert set(NEEDS) <= relative_ids() | rejection_codes(FAMILY)
    assert relative_ids() - set(NEEDS)
    needed = {one for each in NEEDS.values() for need in each for one in need.split(" or ")}
    readings = {one.partition("=")[0] for one in needed if "=" in one}
    assert readings <= set(FollowersReadings.__struct_fields__)
    assert {one for one in needed if "=" not in one} <= set(Place.__struct_fields__)


def test_no_rule_id_is_put_together_out_of_sight() -> None:
    """Only whole relative ids are ever handed to ``rule``: in its call, or in what a name was just set to."""
    calls = [
        node.args[0]
        for tree in trees(FAMILY)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "t.rule"
    ]
    assert calls
    assert {type(argument) for argument in calls} <= {ast.Constant, ast.Name}


def test_a_title_says_no_more_than_eight_things_to_the_family() -> None:
    hooks = {name for name in vars(Hooks) if not name.startswith("_")}
    assert hooks == {"title", "phases", "verbs", "draw_limit", "reward", "can_surrender"}
    assert len(hooks) <= 8
