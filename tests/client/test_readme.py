"""The samples in the README and the client guide run unchanged, except for the addresses."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardkeeper.client import Client, bot, person
from boardkeeper.service.process.server import Service, running

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]

USUAL = "localhost:8050"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("service") / "games.db") as service:
        yield service


def code_block(repository: Path, language: str, beginning: str, page: str = "README.md") -> str:
    """Return the only block of a page that begins with a text."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", (repository / page).read_text(), re.MULTILINE | re.DOTALL)
    (found,) = (block for block in blocks if block.startswith(beginning))
    return str(found)


def test_the_python_sample_plays_a_move_and_ends(repository: Path, address: str) -> None:
    sample = code_block(repository, "python", "from boardkeeper.client import Client")
    assert sample.count(USUAL) == 1
    program = sample.replace(USUAL, address)
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert "Place your own farmer on the farmer space of the Village" in result.stdout.splitlines()
    assert re.search(r"^\d+ Anna places their own ", result.stdout, re.MULTILINE)


def test_the_curl_sample_creates_a_game(repository: Path, service: Service) -> None:
    program, address, flag, body = shlex.split(code_block(repository, "sh", "curl "))
    assert (program, flag) == ("curl", "--json")
    url = address.replace(USUAL, service.address)
    request = urllib.request.Request(url, body.encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=100) as answer:
        assert [each["seat"] for each in json.load(answer)["seatTokens"]] == [1]


def test_the_rpc_samples_run_with_a_generic_tool(repository: Path, service: Service) -> None:
    calls = code_block(repository, "sh", "alias rpc=", "docs/clients.md")
    calls = calls.replace(USUAL, service.address)
    with Client(service.address) as client:
        (anna,) = client.create_game("orleans", [person("Anna"), bot("sensible")]).seats
        tools = Path(sys.executable).parent
        result = subprocess.run(
            ["bash", "-ec", f"shopt -s expand_aliases\n{calls}"],
            cwd=repository,
            env={**os.environ, "GAME": anna.game_id, "TOKEN": anna.token, "PATH": f"{tools}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        assert "boardkeeper.v1.Games/SubmitCommands" in result.stdout
        assert '"seatTokens"' in result.stdout
        assert [event.name for event in anna.events()][-1] == "FollowerPlaced"
