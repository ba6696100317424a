"""The families (``boardkeeper.families``) of each title, and the rejections that a title can give.

This module names no family. ``unneeded_ids`` in ``tests/families/<family>/needs.py`` returns the rule ids and rejection
codes of a family that can never occur in a title.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from tests.kit.coverage import DOMAIN

from boardkeeper.testkit.coverage import modules, names_of_tests, trees
from boardkeeper.titlekit.title import Title
from boardkeeper.titles.registry import TITLES

_IMPORTED = re.compile(r"^ *from boardkeeper\.families\.(\w+)", re.MULTILINE)
"""A regular expression instead of ``ast``, which is slow: tests read the families when they are collected."""


def package_of(title: str) -> Path:
    """Return the folder of a title's modules."""
    return DOMAIN.parent.joinpath(*TITLES[title].split("."))


def families_of(folder: Path) -> list[str]:
    """Return the families that the modules of a folder import."""
    return sorted({family for path in modules(folder) for family in _IMPORTED.findall(path.read_text("utf-8"))})


def members(family: str) -> list[str]:
    """Return the titles of a family."""
    return [title for title in TITLES if family in families_of(package_of(title))]


def names_of_rule_tests(tests: Path) -> list[str]:
    """Return the names of all tests; ``test_<family>_topic_rule`` of a family also counts as a test of each title."""
    names = names_of_tests(tests)
    for folder in sorted((tests / "families").glob("*")):
        prefix = f"test_{folder.name}_"
        shared = [name.removeprefix(prefix) for name in names_of_tests(folder) if name.startswith(prefix)]
        names += [f"test_{title}_{name}" for title in members(folder.name) for name in shared]
    return names


def rules_folders(title: str) -> list[Path]:
    """Return the folders of a title's rules: its package and its families."""
    own = package_of(title)
    return [own, *(DOMAIN / "families" / family for family in families_of(own))]


def rejections(folder: Path, title: str) -> Iterator[tuple[str, str]]:
    """Yield the code and the rule (empty if it is computed) of every ``Rejection`` in the code of a folder.

    A family cites rules of the title with ``t.rule``.
    """
    for tree in trees(folder):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Rejection":
                code, rule = node.args[:2]
                assert isinstance(code, ast.Constant), ast.unparse(node)
                yield str(code.value), _cited(rule, title)


def _cited(rule: ast.expr, title: str) -> str:
    if isinstance(rule, ast.Call) and ast.unparse(rule.func) == "t.rule" and isinstance(rule.args[0], ast.Constant):
        return f"{title}.{ast.literal_eval(rule.args[0])}"
    return str(rule.value) if isinstance(rule, ast.Constant) else ""


def rejections_of(title: Title) -> frozenset[tuple[str, str]]:
    """Return the code and the rule of every rejection of a title and its families that can occur in the title."""
    id = title.meta.id
    found = {each for folder in rules_folders(id) for each in rejections(folder, id)}
    for family in families_of(package_of(id)):
        never: frozenset[str] = import_module(f"tests.families.{family}.needs").unneeded_ids(title)
        found = {(code, rule) for code, rule in found if not {code, rule.removeprefix(f"{id}.")} & never}
    return frozenset(found)
