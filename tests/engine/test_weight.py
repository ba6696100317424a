"""The size of the base install, and the modules that the engine imports."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import build_web
import pack_client

MOST_BYTES = 8_000_000
MOST_BYTES_WITH_WEB = 8_400_000
BUILT = tuple(folder.relative_to(build_web.ROOT).as_posix() for folder in pack_client.FOLDERS)
"""Folders that a wheel contains as archives if they were built: the web client, which the engine does not need."""

PROGRAM = """
import sys
from boardkeeper import engine
game = engine.create("orleans", 2, seed=1)
game.submit(game.to_move[0], game.suggest(game.to_move[0]))
game.clone().push(game.to_move[0], game.legal(game.to_move[0])[0])
engine.load(game.save())
print(*sorted(name for name in sys.modules if "." not in name))
print(*sorted(name for name in sys.modules if name.startswith("boardkeeper.titles.") and name.count(".") == 2))
"""


def wheel_files(repository: Path) -> Iterator[Path]:
    """Yield the files of a wheel, without the web client."""
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))
    for folder in project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]:
        for path in (repository / folder).rglob("*"):
            place = path.relative_to(repository).as_posix()
            if path.is_file() and "__pycache__" not in path.parts and not place.startswith(BUILT):
                yield path


def add_sizes(name: str, found: dict[str, int]) -> None:
    """Add the sizes of a distribution and its dependencies to ``found``, in bytes."""
    if name in found:
        return
    it = distribution(name)
    files = [file for file in it.files or () if file.suffix != ".pyc"]
    found[name] = sum(file.size or 0 for file in files)
    for line in it.requires or ():
        needed = Requirement(line)
        if needed.marker is None or needed.marker.evaluate({"extra": ""}):
            add_sizes(needed.name, found)


def base_size(repository: Path) -> int:
    """Return the size of the base install without the web client, in bytes."""
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    found: dict[str, int] = {}
    for line in project["dependencies"]:
        add_sizes(Requirement(line).name, found)
    assert all(found.values()), found
    own = sum(path.stat().st_size for path in wheel_files(repository))
    assert own > 3_000_000, "most files of the wheel were not found"
    return own + sum(found.values())


def test_the_base_install_is_small(repository: Path) -> None:
    """Unpacked, with all titles and the generated protos, without bytecode."""
    assert base_size(repository) < MOST_BYTES


def test_the_base_install_with_the_web_client_is_small(repository: Path) -> None:
    """Skip if the packages of npm are not available, but never in CI."""
    try:
        for step in (build_web.BUNDLED, build_web.VIEWING, build_web.DRAWING):
            build_web.build(step)
    except build_web.NotInstalledError as missing:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(missing))
    sizes = {folder.name: len(pack_client.pack(folder)) for folder in pack_client.FOLDERS}
    assert min(sizes.values()) > 100_000, sizes
    assert base_size(repository) + sum(sizes.values()) < MOST_BYTES_WITH_WEB, sizes


def test_the_engine_imports_one_title_and_no_large_modules() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    modules, titles = (set(line.split()) for line in done.stdout.splitlines())
    heavy = {"asyncio", "cryptography", "eventsourcing", "google", "grpc", "http", "rich", "socket", "sqlite3", "ssl"}
    assert modules & heavy == set()
    assert {"boardkeeper", "msgspec"} <= modules
    assert titles == {"boardkeeper.titles.orleans", "boardkeeper.titles.registry"}
