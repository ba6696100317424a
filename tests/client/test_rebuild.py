"""``boardkeeper rebuild``, started as an operator starts it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.client.conftest import Ran
from tests.service.cache.test_snapshots import execute_sql
from tests.service.storage.test_hash_chain import attack

from boardkeeper.client import Client, bot, person
from boardkeeper.service.process.server import running_service

Run = Callable[..., Ran]

pytestmark = pytest.mark.socket


def test_the_lobby_and_the_results_come_back(inside: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with running_service(path) as address, Client(address) as client:
        ended = client.create_game("orleans", [bot("sensible"), bot("random")]).game.game_id
        client.create_game("orleans", [person("Ada"), person("Bob")])
        assert list(client.watch(ended))
        before = list(client.games())
        refused = inside("rebuild", "--db", "games.db")
        assert refused.status == 5
        assert "is in use by process" in refused.err
    ran = inside("rebuild", "--db", "games.db")
    assert (ran.status, ran.out, ran.err) == (0, "2 games, 0 differences, 0 damaged\n", "")
    execute_sql(path, "UPDATE games SET standings='[]' WHERE status='ended'")
    ran = inside("rebuild", "--db", "games.db")
    assert ran.out.startswith(f"{ended}: standings was [], is [")
    execute_sql(path, "DELETE FROM games")
    ran = inside("rebuild", "--json", BOARDKEEPER_DATABASE="games.db")
    assert ran.status == 0
    *differences, last = ran.records
    assert last == {"games": 2, "differences": 18, "damaged": 0}
    assert {(it["game_id"], it["stored"]) for it in differences} == {(game.game_id, None) for game in before}
    with running_service(path) as address, Client(address) as client:
        assert list(client.games()) == before


def test_a_damaged_game_is_told_of(inside: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with running_service(path) as address, Client(address) as client:
        game = client.create_game("orleans", [person("Ada"), person("Bob")]).game.game_id
    attack(path, "UPDATE stored_events SET topic='x' WHERE originator_version=2")
    ran = inside("rebuild", "--db", "games.db")
    problem = "the row does not fit its link"
    assert ran.status == 1
    assert ran.out.splitlines() == [
        f"{game}: damaged from event 2 on, not changed: {problem}",
        "1 game, 0 differences, 1 damaged",
    ]
    ran = inside("rebuild", "--db", "games.db", "--json")
    assert json.loads(ran.out.splitlines()[0]) == {"game_id": game, "damaged_version": 2, "problem": problem}


def test_no_file(inside: Run, tmp_path: Path) -> None:
    ran = inside("rebuild", "--db", "none.db")
    assert (ran.status, ran.err.count("\n")) == (5, 1)
    assert "nothing was rebuilt: the file" in ran.err
    assert list(tmp_path.glob("none*")) == []
