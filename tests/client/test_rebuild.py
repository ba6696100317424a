"""``boardkeeper rebuild``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.client.conftest import RunCommand
from tests.service.cache.test_snapshots import execute_sql
from tests.service.storage.test_hash_chain import execute_without_triggers

from boardkeeper.client import Client, bot, person
from boardkeeper.service.process.server import running_service

pytestmark = pytest.mark.socket


def test_lobby_and_results_are_rebuilt(run_in_process: RunCommand, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with running_service(path) as address, Client(address) as client:
        finished = client.create_game("orleans", [bot("sensible"), bot("random")]).game.game_id
        client.create_game("orleans", [person("Ada"), person("Bob")])
        assert list(client.watch(finished))
        before = list(client.games())
        failed = run_in_process("rebuild", "--db", "games.db")
        assert failed.status == 5
        assert "is in use by process" in failed.err
    result = run_in_process("rebuild", "--db", "games.db")
    assert (result.status, result.out, result.err) == (0, "2 games, 0 differences, 0 damaged\n", "")
    execute_sql(path, "UPDATE games SET standings='[]' WHERE status='ended'")
    result = run_in_process("rebuild", "--db", "games.db")
    assert result.out.startswith(f"{finished}: standings was [], is [")
    execute_sql(path, "DELETE FROM games")
    result = run_in_process("rebuild", "--json", BOARDKEEPER_DATABASE="games.db")
    assert result.status == 0
    *differences, last = result.records
    assert last == {"games": 2, "differences": 18, "damaged": 0}
    assert {(it["game_id"], it["stored"]) for it in differences} == {(game.game_id, None) for game in before}
    with running_service(path) as address, Client(address) as client:
        assert list(client.games()) == before


def test_a_damaged_game_is_reported(run_in_process: RunCommand, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with running_service(path) as address, Client(address) as client:
        game = client.create_game("orleans", [person("Ada"), person("Bob")]).game.game_id
    execute_without_triggers(path, "UPDATE stored_events SET topic='x' WHERE originator_version=2")
    result = run_in_process("rebuild", "--db", "games.db")
    problem = "the row does not fit its link"
    assert result.status == 1
    assert result.out.splitlines() == [
        f"{game}: damaged from event 2 on, not changed: {problem}",
        "1 game, 0 differences, 1 damaged",
    ]
    result = run_in_process("rebuild", "--db", "games.db", "--json")
    assert json.loads(result.out.splitlines()[0]) == {"game_id": game, "damaged_version": 2, "problem": problem}


def test_a_missing_file(run_in_process: RunCommand, tmp_path: Path) -> None:
    result = run_in_process("rebuild", "--db", "none.db")
    assert (result.status, result.err.count("\n")) == (5, 1)
    assert "nothing was rebuilt: the file" in result.err
    assert list(tmp_path.glob("none*")) == []
