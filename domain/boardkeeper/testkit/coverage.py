"""What tests cover: rules by the names of tests, rejection codes by the strings in them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

_TEST = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def modules(folder: Path, *but: Path) -> Iterator[Path]:
    """The files of all modules below a folder, but not some files and folders."""
    for path in sorted(folder.rglob("*.py")):
        if not any(path.is_relative_to(other) for other in but):
            yield path


def trees(folder: Path, *but: Path) -> Iterator[ast.Module]:
    """The syntax trees of all modules below a folder, but not of some files and folders."""
    return map(_tree, modules(folder, *but))


def names_of_tests(folder: Path) -> list[str]:
    """Return the names of all tests below a folder, by a regular expression: parsing all tests takes seconds."""
    return [name for path in modules(folder) for name in _TEST.findall(path.read_text("utf-8"))]


def find_untested(rules: Iterable[str], names: Iterable[str]) -> set[str]:
    """Return the rules without a test: that of ``title.topic.rule`` is named ``test_title_topic_rule…``."""
    known = {name.partition("__")[0] for name in names}
    return {rule for rule in rules if "test_" + rule.replace(".", "_") not in known}


def rejection_codes(folder: Path, *but: Path) -> set[str]:
    """Return every code with which modules below a folder reject: the first argument of ``Rejection``.

    It must be a literal there, or the code of another rejection.
    """
    calls = [
        node
        for tree in trees(folder, *but)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "Rejection"
    ]
    codes = {ast.unparse(call.args[0]) if call.args else "" for call in calls} - {"rejection.code"}
    hidden = {code for code in codes if not code.startswith("'")}
    assert not hidden, f"the codes of these rejections are not literals: {hidden}"
    return {ast.literal_eval(code) for code in codes}


def strings(folder: Path, *but: Path) -> set[str]:
    """Every string that modules below a folder mention."""
    return {it for path in modules(folder, *but) for it in _strings(path)}


@cache
def _strings(path: Path) -> frozenset[str]:
    """Those of one module, whose tree is not kept: there are hundreds of tests."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return frozenset(it.value for it in nodes if isinstance(it, ast.Constant) and isinstance(it.value, str))
