"""The command line beside a service with more games than anybody reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bench.many_games import fill

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


def test_games_shows_the_newest_and_says_how_to_see_more(boardkeeper: Any, server: str) -> None:
    ran = boardkeeper("games", "--server", server)
    assert len(ran.out.splitlines()) == 1 + 50
    assert "--all" in ran.err
    assert len(boardkeeper("games", "--json", "--server", server).records) == 50
    ran = boardkeeper("games", "--limit", "210", "--server", server)
    assert len(ran.out.splitlines()) == 1 + 210


def test_games_shows_all_with_one_heading(inside: Any, server: str) -> None:
    ran = inside("games", "--all", "--server", server)
    lines = ran.out.splitlines()
    assert len(lines) == 1 + GAMES
    assert len({line.index("orleans") for line in lines[1:]}) == 1
    assert ran.err == ""
    records = inside("games", "--all", "--json", "--server", server).records
    assert [record["game_id"] for record in records] == [line.split()[0] for line in lines[1:]]


def test_a_short_id_is_looked_up_by_the_service(inside: Any, server: str) -> None:
    with Client(server) as client:
        oldest = list(client.games())[-1].game_id
        assert [game.game_id for game in client.games(id_prefix=oldest[:14])] == [oldest]
    for short in (oldest[:10], oldest[:10].upper(), oldest.replace("-", "")[:11] + "…"):
        ran = inside("export", short, "--server", server)
        assert "begins with" not in ran.err
    for short, hint in (
        ("12", "first 4 characters"),
        ("wxyz", "no game id starts"),
        (f"{oldest[:8]}fffff", "no game id starts"),
    ):
        ran = inside("show", short, "--server", server)
        assert (ran.status, ran.err.count("\n")) == (1, 1)
        assert hint in ran.err
