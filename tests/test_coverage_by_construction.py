"""Nothing in the registries goes without a test: this walks them and names what does.

Rules are tied to tests by name: ``orleans.technology.never_monk`` by a test ``test_orleans_technology_never_monk…``.
Rejection codes are read off the rules' source and must be expected by some test. Places, tiles, deed spaces, events at
each strength, commands, event types, options, readings, and editions with every number of players are shown by golden
games (``tests/golden/test_golden.py``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from boardkeeper.table.rules_catalogue import table_rules
from boardkeeper.titles.orleans.title import TITLE

ROOT = Path(__file__).parent.parent
DOMAIN = ROOT / "domain" / "boardkeeper"
TESTS = ROOT / "tests"

RULES_WITHOUT_TEST: dict[str, str] = {}
"""Rules that need none, with the reason."""

CODES_WITHOUT_TEST: dict[str, str] = {}
"""Rejection codes that no test can expect, with the reason."""


def trees(folder: Path) -> Iterator[ast.Module]:
    """The syntax trees of all modules below a folder."""
    for path in sorted(folder.rglob("*.py")):
        yield ast.parse(path.read_text("utf-8"))


def names_of_tests() -> list[str]:
    """The names of all tests."""
    functions = (node for tree in trees(TESTS) for node in ast.walk(tree))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node.name for node in functions if isinstance(node, kinds) and node.name.startswith("test_")]


def rejection_codes() -> set[str]:
    """Every code that the domain can refuse with: the first argument of ``Rejection``.

    It has to be written there, or else be the code of another rejection that is only told on.
    """
    calls = [
        node
        for tree in trees(DOMAIN)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "Rejection"
    ]
    codes = {ast.unparse(call.args[0]) if call.args else "" for call in calls} - {"rejection.code"}
    hidden = {code for code in codes if not code.startswith("'")}
    assert not hidden, f"nobody can read off the source what these refuse with: {hidden}"
    return {ast.literal_eval(code) for code in codes}


def strings_in_tests() -> set[str]:
    """Every string that tests mention, but not this one."""
    return {
        node.value
        for path in sorted(TESTS.rglob("*.py"))
        if path != Path(__file__)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_rule_has_a_test_named_after_it() -> None:
    names = names_of_tests()
    rules = [rule.id for rule in TITLE.rules()] + list(table_rules())
    untested = {rule for rule in rules if not any(_is_for(name, rule) for name in names)}
    assert untested == set(RULES_WITHOUT_TEST), "a rule has no test, or a reason for that is no longer needed"


def _is_for(test: str, rule: str) -> bool:
    start = "test_" + rule.replace(".", "_")
    return test == start or test.startswith(f"{start}__")


def test_every_rejection_code_is_expected_by_a_test() -> None:
    codes = rejection_codes()
    assert len(codes) > 30
    unexpected = codes - strings_in_tests()
    assert unexpected == set(CODES_WITHOUT_TEST), "a code is never expected, or a reason for that is no longer needed"
