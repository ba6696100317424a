"""What the README shows works as it stands there, but for the address."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from boardkeeper.client import Client, bot, person

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]

USUAL = "localhost:50051"


def shown(repository: Path, language: str, beginning: str) -> str:
    """The one block of the README that begins so."""
    blocks = re.findall(
        rf"^```{language}\n(.*?)^```$", (repository / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    (found,) = (block for block in blocks if block.startswith(beginning))
    return str(found)


def test_the_python_sample_plays_a_move_and_ends(repository: Path, address: str) -> None:
    sample = shown(repository, "python", "from boardkeeper.client import Client")
    assert sample.count(USUAL) == 1
    program = sample.replace(USUAL, address)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Place the marked farmer on the farmer space of the Village" in ran.stdout.splitlines()
    assert re.search(r"^\d+ Anna places the marked ", ran.stdout, re.MULTILINE)


def test_a_generic_tool_plays_the_calls_that_are_shown(repository: Path, address: str) -> None:
    calls = shown(repository, "sh", "alias rpc=").replace(USUAL, address)
    with Client(address) as client:
        (anna,) = client.create_game("orleans", [person("Anna"), bot("sensible")]).seats
        tools = Path(sys.executable).parent
        ran = subprocess.run(
            ["bash", "-ec", f"shopt -s expand_aliases\n{calls}"],
            env={**os.environ, "GAME": anna.game_id, "TOKEN": anna.token, "PATH": f"{tools}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        assert "boardkeeper.v1.Games/SubmitCommands" in ran.stdout
        assert '"seatTokens"' in ran.stdout
        assert [event.name for event in anna.events()][-1] == "FollowerPlaced"
