"""What titles share with a family (``boardkeeper.families``): where it stands, and what of it a title can do without.

Each family says in ``tests/families/<family>/needs.py`` which of its rule ids and rejection codes can never be met in a
title: ``unneeded_ids``. Here no family is known.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from tests.kit.coverage import DOMAIN

from boardkeeper.testkit.coverage import modules, trees
from boardkeeper.titlekit.title import Title
from boardkeeper.titles.registry import TITLES

_IMPORTED = re.compile(r"^ *from boardkeeper\.families\.(\w+)", re.MULTILINE)
"""Read off the lines, as tests ask for families while they are loaded."""


def package_of(title: str) -> Path:
    """The folder of a title's modules."""
    return DOMAIN.parent.joinpath(*TITLES[title].split("."))


def families_of(folder: Path) -> list[str]:
    """The families on which the modules of a folder stand: those that they import."""
    return sorted({family for path in modules(folder) for family in _IMPORTED.findall(path.read_text("utf-8"))})


def members(family: str) -> list[str]:
    """The titles of a family."""
    return [title for title in TITLES if family in families_of(package_of(title))]


def rules_folders(title: str) -> list[Path]:
    """Where the rules of a title stand: its package, and its families."""
    own = package_of(title)
    return [own, *(DOMAIN / "families" / family for family in families_of(own))]


def rejections(folder: Path, title: str) -> Iterator[tuple[str, str]]:
    """Code and rule (empty where it is computed) of every rejection below a folder, as this title gives it.

    A family cites by ``t.rule`` what is a rule of the title.
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


def refusals_of(title: Title) -> frozenset[tuple[str, str]]:
    """Code and rule of every rejection of a title and its families, without what the title can do without."""
    id = title.meta.id
    found = {each for folder in rules_folders(id) for each in rejections(folder, id)}
    for family in families_of(package_of(id)):
        never: frozenset[str] = import_module(f"tests.families.{family}.needs").unneeded_ids(title)
        found = {(code, rule) for code, rule in found if not {code, rule.removeprefix(f"{id}.")} & never}
    return frozenset(found)
