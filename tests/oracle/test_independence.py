"""An oracle is independent: it shares only the structs of boards and commands with its title."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from msgspec import Struct

HERE = Path(__file__).parent
COMPARING = ("differ", "constructed")
"""Modules that compare an oracle with its title, and import both."""
FAMILIES = "boardkeeper.families."
STRUCTS = ("board", "commands", "events")
ORACLES = {
    folder.name: sorted(
        path.stem for path in folder.glob("*.py") if not path.stem.startswith("test_") and path.stem not in COMPARING
    )
    for folder in HERE.iterdir()
    if folder.is_dir() and (folder / "differ.py").exists()
}
MODULES = [(title, module) for title, modules in sorted(ORACLES.items()) for module in modules]


def _is_struct(module: ModuleType, name: str) -> bool:
    thing = getattr(module, name)
    return isinstance(thing, type) and issubclass(thing, Struct)


def _imported(path: Path, title: str) -> set[str]:
    """Return the names that a module imports from this repository, without structs of families."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module in (
            "tests.oracle",
            f"tests.oracle.{title}",
            f"boardkeeper.titles.{title}",
        ):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(FAMILIES):
            module = import_module(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names if not _is_struct(module, alias.name)}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name for name in names if name.split(".")[0] in ("boardkeeper", "tests")}


@pytest.mark.parametrize(("title", "module"), MODULES)
def test_an_oracle_imports_only_the_structs_of_its_title(title: str, module: str) -> None:
    oracle = {f"tests.oracle.{title}.{name}" for name in ORACLES[title]} | {"tests.oracle.chance"}
    structs = {f"boardkeeper.titles.{title}.{name}" for name in STRUCTS}
    assert _imported(HERE / title / f"{module}.py", title) <= oracle | structs


def test_the_shared_module_of_oracles_imports_no_title() -> None:
    assert not _imported(HERE / "chance.py", "")
    assert {"orleans", "paladins"} <= set(ORACLES)


def test_functions_of_families_are_found_as_imports(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("from boardkeeper.families.followers.board import SpaceView, view_places\n")
    assert _imported(path, "") == {"boardkeeper.families.followers.board.view_places"}
