"""Find rules without a test by the names of tests, and rejection codes in the sources."""

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
    """Yield the files of all modules below a folder, except those in ``but`` (files and folders)."""
    for path in sorted(folder.rglob("*.py")):
        if not any(path.is_relative_to(other) for other in but):
            yield path


def trees(folder: Path, *but: Path) -> Iterator[ast.Module]:
    """Yield the syntax trees of all modules below a folder, except those in ``but``."""
    return map(_tree, modules(folder, *but))


def names_of_tests(folder: Path) -> list[str]:
    """Return the names of all tests below a folder, by a regular expression: parsing all tests takes seconds."""
    return [name for path in modules(folder) for name in _TEST.findall(path.read_text("utf-8"))]


def find_untested(rules: Iterable[str], names: Iterable[str]) -> set[str]:
    """Return the rules without a test. The test of ``title.topic.rule`` is named ``test_title_topic_rule…``."""
    known = {name.partition("__")[0] for name in names}
    return {rule for rule in rules if "test_" + rule.replace(".", "_") not in known}


def rejection_codes(folder: Path, *but: Path) -> set[str]:
    """Return the codes of all rejections that modules below a folder make: the first argument of ``Rejection``.

    This argument must be a literal, or the code of another rejection.
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
    """Return every string literal of the modules below a folder, except those in ``but``."""
    return {it for path in modules(folder, *but) for it in _strings(path)}


@cache
def _strings(path: Path) -> frozenset[str]:
    """Return the string literals of a module. Its tree is not cached, because there are hundreds of tests."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return frozenset(it.value for it in nodes if isinstance(it, ast.Constant) and isinstance(it.value, str))
