"""The command line with a server that has many games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.many_games import fill
from tests.client.conftest import RunCommand

from boardkeeper.client import Client
from boardkeeper.service.process.server import running_service

GAMES = 450

pytestmark = pytest.mark.socket


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path: Path = tmp_path_factory.mktemp("many") / "games.db"
    fill(path, GAMES)
    with running_service(path) as address:
        yield address


def test_games_shows_the_newest_and_names_all(run_program: RunCommand, server: str) -> None:
    result = run_program("games", "--server", server)
    assert len(result.out.splitlines()) == 1 + 50
    assert "--all" in result.err
    assert len(run_program("games", "--json", "--server", server).records) == 50
    result = run_program("games", "--limit", "210", "--server", server)
    assert len(result.out.splitlines()) == 1 + 210


def test_games_shows_all_with_one_heading(run_in_process: RunCommand, server: str) -> None:
    result = run_in_process("games", "--all", "--server", server)
    lines = result.out.splitlines()
    assert len(lines) == 1 + GAMES
    assert len({line.index("orleans") for line in lines[1:]}) == 1
    assert result.err == ""
    records = run_in_process("games", "--all", "--json", "--server", server).records
    assert [record["game_id"] for record in records] == [line.split()[0] for line in lines[1:]]


def test_a_short_id_is_resolved_by_the_server(run_in_process: RunCommand, server: str) -> None:
    with Client(server) as client:
        oldest = list(client.games())[-1].game_id
        assert [game.game_id for game in client.games(id_prefix=oldest[:14])] == [oldest]
    for short in (oldest[:10], oldest[:10].upper(), oldest.replace("-", "")[:11] + "…"):
        result = run_in_process("export", short, "--server", server)
        assert "begins with" not in result.err
    for short, hint in (
        ("12", "first 4 characters"),
        ("wxyz", "no game id starts"),
        (f"{oldest[:8]}fffff", "no game id starts"),
    ):
        result = run_in_process("show", short, "--server", server)
        assert (result.status, result.err.count("\n")) == (1, 1)
        assert hint in result.err
