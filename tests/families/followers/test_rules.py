"""What the family's rules say of themselves, and what its titles have to say for them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kit.coverage import DOMAIN, trees

from boardkeeper.families.followers.table import Hooks
from boardkeeper.titles.registry import TITLES, load_title

FAMILY = DOMAIN / "families" / "followers"
PACKAGE = "boardkeeper.families.followers"

_RELATIVE = re.compile(r"[a-z_]+\.[a-z_]+")
_CITED = re.compile(r"\(([a-z_]+\.[a-z_]+)\)")


def _imports(folder: Path) -> Iterator[str]:
    for tree in trees(folder):
        yield from (node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))


def members() -> list[str]:
    """The titles of the family: those whose rules stand on it."""
    folders = {title: DOMAIN / "titles" / TITLES[title].rpartition(".")[2] for title in TITLES}
    return [title for title, folder in folders.items() if any(name.startswith(PACKAGE) for name in _imports(folder))]


def relative_ids() -> set[str]:
    """Every rule that the family refuses with or cites, by its relative id."""
    found: set[str] = set()
    for tree in trees(FAMILY):
        constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        texts = [value for value in constants if isinstance(value, str)]
        found |= {text for text in texts if _RELATIVE.fullmatch(text)}
        found |= {cited for text in texts for cited in _CITED.findall(text)}
    return found


def test_the_family_has_members_and_rules() -> None:
    assert members()
    assert set(members()) < set(TITLES), "a title that stands on no family is not found to be a member"
    assert {"planning.free_space", "technology.after_passing", "planning.change_of_mind"} <= relative_ids()


@pytest.mark.parametrize("title", members())
def test_every_relative_rule_id_is_a_rule_of_every_title(title: str) -> None:
    rules = {rule.id for rule in load_title(title).rules()}
    assert {id for id in relative_ids() if f"{title}.{id}" not in rules} == set()


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
