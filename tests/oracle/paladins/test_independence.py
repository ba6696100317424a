"""This oracle, too, shares nothing with its title but the form of what it checks."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ORACLE = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("test_") and path.stem != "differ")
STRUCTS = {f"boardkeeper.titles.paladins.{name}" for name in ("board", "commands")}
NEUTRAL = {"tests.oracle.chance"}


def _imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module in (
            "tests.oracle.paladins",
            "boardkeeper.titles.paladins",
        ):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("module", ORACLE)
def test_the_oracle_knows_only_the_structs_of_the_title(module: str) -> None:
    ours = {name for name in _imported(HERE / f"{module}.py") if name.split(".")[0] in ("boardkeeper", "tests")}
    assert {name for name in ours if name.startswith("boardkeeper")} <= STRUCTS
    others = {f"tests.oracle.paladins.{name}" for name in ORACLE} | NEUTRAL
    assert {name for name in ours if name.startswith("tests")} <= others
