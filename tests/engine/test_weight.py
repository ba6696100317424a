"""What embedders carry: few files, and nothing loaded that they have no use for."""

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
BUILT = tuple(folder.relative_to(build_web.ROOT).as_posix() for folder in pack_client.FOLDERS)
"""What a wheel has in archives, if it was built: the browser client, which nobody needs who embeds the rules."""

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


def shipped(repository: Path) -> Iterator[Path]:
    """The files that a wheel has, by what pyproject.toml says of it."""
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))
    for folder in project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]:
        for path in (repository / folder).rglob("*"):
            place = path.relative_to(repository).as_posix()
            if path.is_file() and "__pycache__" not in path.parts and not place.startswith(BUILT):
                yield path


def installed(name: str, found: dict[str, int]) -> None:
    """Add the bytes of a distribution's files, and of those that it needs, to what was found."""
    if name in found:
        return
    it = distribution(name)
    files = [file for file in it.files or () if file.suffix != ".pyc"]
    found[name] = sum(file.size or 0 for file in files)
    for line in it.requires or ():
        needed = Requirement(line)
        if needed.marker is None or needed.marker.evaluate({"extra": ""}):
            installed(needed.name, found)


def base(repository: Path) -> int:
    """What the base install takes, without the browser client."""
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    found: dict[str, int] = {}
    for line in project["dependencies"]:
        installed(Requirement(line).name, found)
    assert all(found.values()), found
    own = sum(path.stat().st_size for path in shipped(repository))
    assert own > 3_000_000, "most of what is shipped was not looked at"
    return own + sum(found.values())


def test_the_base_install_is_below_eight_megabytes(repository: Path) -> None:
    """As the wheels unpack, with all titles and the generated protos; Python adds its bytecode as it imports."""
    assert base(repository) < MOST_BYTES


def test_so_it_is_with_the_browser_client_in_the_wheel(repository: Path) -> None:
    """Of which everything is built for it; skips where npm's packages cannot be had, but never in CI."""
    try:
        for step in (build_web.BUNDLED, build_web.VIEWING, build_web.DRAWING):
            build_web.build(step)
    except build_web.NotInstalledError as missing:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(missing))
    sizes = {folder.name: len(pack_client.packed(folder)) for folder in pack_client.FOLDERS}
    assert min(sizes.values()) > 100_000, sizes
    assert base(repository) + sum(sizes.values()) < MOST_BYTES, sizes


def test_embedding_loads_one_title_and_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    modules, titles = (set(line.split()) for line in done.stdout.splitlines())
    heavy = {"asyncio", "cryptography", "eventsourcing", "google", "grpc", "http", "rich", "socket", "sqlite3", "ssl"}
    assert modules & heavy == set()
    assert {"boardkeeper", "msgspec"} <= modules
    assert titles == {"boardkeeper.titles.orleans", "boardkeeper.titles.registry"}
