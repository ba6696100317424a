"""The modules and functions exist that docs/architecture.md names in the steps of a command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

STEP = re.compile(r"^\| (\d) \w+ \| .* \| (.*) \|$", re.MULTILINE)


def module(repository: Path, path: str) -> Path:
    """Return a module of the service or the domain."""
    packages = (repository / "service/boardkeeper/service", repository / "domain/boardkeeper")
    (found,) = (package / path for package in packages if (package / path).exists())
    return found


def test_every_step_names_code_that_exists(repository: Path) -> None:
    steps = STEP.findall((repository / "docs/architecture.md").read_text("utf-8"))
    assert [int(number) for number, _ in steps] == list(range(1, 8))
    for number, places in steps:
        path = ""
        for name in re.findall(r"`([^`]+)`", places):
            if name.endswith(".py"):
                path = name
                continue
            function = name.rpartition(".")[2]
            code = module(repository, path).read_text("utf-8")
            assert re.search(rf"def {function}\b", code), f"step {number}: {name} is not in {path}"


@pytest.mark.parametrize(
    ("path", "step"),
    [
        ("api/seat_requests.py", "Step 4: authorize"),
        ("games/decider.py", "Step 5: "),
        ("games/game_writer.py", "Step 6: store"),
        ("api/games.py", "Step 7: answer"),
        ("api/play_stream.py", "Step 7: answer"),
    ],
)
def test_the_code_has_the_same_step_numbers(repository: Path, path: str, step: str) -> None:
    assert step in module(repository, path).read_text("utf-8")
