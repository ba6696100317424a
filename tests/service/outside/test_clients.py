"""Programs play a title of a package that they lack: with messages from the server, or with sentences alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardkeeper.service.process.server import running_service
from build_web import environment, node

pytestmark = pytest.mark.socket

PLAY = """
import json, sys
from google.protobuf.json_format import MessageToDict
from boardkeeper.client import bots
from boardkeeper.client.client import Client
from boardkeeper.client.message_types import clear_unknown, load_types
from boardkeeper.client.requests import bot, person

with Client(sys.argv[1]) as client:
    assert [title.id for title in client.titles()] == ["pebbles"]
    new = client.create_game("pebbles", [person("Ada"), person("Bob")])
    sentences = [entry.sentence for entry in new.seats[0].legal_commands().commands]
    assert sentences == ["Draw 1", "Draw 2", "Draw 3"], sentences
    bots.play({seat: bots.policy("random", seat.number) for seat in new.seats})
    table = client.table(new.game.game_id).table
    assert sum(item.count for zone in table.zones for item in zone.contents) == 11, table
    drawn = next(event for event in client.events(new.game.game_id) if event.name == "PebblesDrawn" and event.seat)
    empty = type(drawn)()
    empty.CopyFrom(drawn)
    clear_unknown(empty)
    assert MessageToDict(empty)["detail"] == {"outside": {}}
    load_types(client, "pebbles")
    load_types(client, "pebbles")
    assert "pebblesDrawn" in MessageToDict(drawn)["detail"]["outside"], MessageToDict(drawn)
    print(new.game.game_id)
"""


@pytest.fixture
def address(site: Path, tmp_path: Path) -> Iterator[str]:
    with running_service(tmp_path / "games.db", titles="pebbles") as address:
        yield address


def run_without_title(*arguments: str) -> str:
    """Run a program without the title and return its output."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment, timeout=200
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_sdk_and_the_command_line_play_and_print(address: str, tmp_path: Path) -> None:
    game = run_without_title("-c", PLAY, address).strip()
    cli = ("-m", "boardkeeper")
    lines = run_without_title(*cli, "watch", game, "--server", address, "--json").splitlines()
    details = [json.loads(line).get("detail", {}) for line in lines]
    assert {"pebbles_drawn"} <= {name for detail in details for name in detail.get("outside", {})}
    assert "draws" in run_without_title(*cli, "watch", game, "--server", address)
    assert "Pebbles" in run_without_title(*cli, "titles", "pebbles", "--server", address)
    board = run_without_title(*cli, "show", game, "--server", address)
    assert "white pebble" in board
    assert "Turn" in board
    shown = json.loads(run_without_title(*cli, "show", game, "--server", address, "--json"))
    assert shown["board"]["outside"]["turn"] == 8
    run_without_title(*cli, "show", game, "--server", address, "--svg", str(tmp_path / "board.svg"))
    record = tmp_path / "game.jsonl"
    run_without_title(*cli, "export", game, "--server", address, "--out", str(record))
    done = subprocess.run(
        [sys.executable, *cli, "verify", str(record)], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": ""},
    )  # fmt: skip
    assert done.returncode == 4, "no fault, but not everything was checked"
    assert "played with the rules of the package pebbles 1.4" in done.stdout
    with_title = subprocess.run(
        [sys.executable, *cli, "verify", str(record)], capture_output=True, text=True, check=False,
        env={**os.environ, "BOARDKEEPER_TITLES": "pebbles"},
    )  # fmt: skip
    assert with_title.returncode == 0, with_title.stdout + with_title.stderr


def test_the_sdk_in_typescript_plays(address: str, sdk: Path) -> None:
    done = subprocess.run(
        [node(), "test/outside.ts", f"http://{address}"],
        cwd=sdk, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_file_with_games_of_a_title_that_is_not_loaded(site: Path, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with running_service(database, titles="pebbles") as address:
        game = run_without_title("-c", PLAY, address).strip()
    cli = ("-m", "boardkeeper")
    assert game in run_without_title(*cli, "games", "--db", str(database))
    assert "no change found" in run_without_title(*cli, "check", "--db", str(database))
    rebuilt = subprocess.run(
        [sys.executable, *cli, "rebuild", "--db", str(database)], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": ""},
    )  # fmt: skip
    assert rebuilt.returncode == 5
    assert "games of the title 'pebbles', which is not loaded; name it in BOARDKEEPER_TITLES" in rebuilt.stderr
    with_title = subprocess.run(
        [sys.executable, *cli, "rebuild", "--db", str(database)], capture_output=True, text=True, check=False,
        env={**os.environ, "BOARDKEEPER_TITLES": "pebbles"},
    )  # fmt: skip
    assert with_title.returncode == 0, with_title.stderr
