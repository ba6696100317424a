"""``boardkeeper check``, and reports of damaged games by ``boardkeeper serve``."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.client.conftest import PROGRAM, RunCommand
from tests.service.storage.test_hash_chain import execute_without_triggers

from boardkeeper.client import Client, bot, person
from boardkeeper.service.errors import StartupError
from boardkeeper.service.process.server import running_service
from boardkeeper.service.storage.reports import CheckedGame
from boardkeeper.service.storage.sqlite.file_check import check_file

pytestmark = pytest.mark.socket


def create_games(path: Path, count: int) -> tuple[list[str], int]:
    """Create a file with games; return their ids and the number of events."""
    with running_service(path) as address, Client(address) as client:
        games = [client.create_game("orleans", [person("Ada"), person("Bob")]).game for _ in range(count)]
        return [game.game_id for game in games], sum(game.version for game in games)


def test_a_file_without_damage(run_in_process: RunCommand, tmp_path: Path) -> None:
    _, events = create_games(tmp_path / "games.db", 3)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    result = run_in_process("check", "--db", "games.db")
    assert (result.status, result.out, result.err) == (0, f"3 games, {events} events: no change found\n", "")
    result = run_in_process("check", "--json", BOARDKEEPER_DATABASE="games.db")
    assert json.loads(result.out) == {"games": 3, "events": events, "damaged": 0}
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before  # and no new file


def test_a_check_fails_if_a_server_opens_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    create_games(path, 3)
    checking = check_file(path)
    first = next(checking)
    assert isinstance(first, CheckedGame)
    assert first.damage is None
    with running_service(path) as address, Client(address) as client:
        client.create_game("orleans", [person("Ada"), person("Bob")])
        with pytest.raises(StartupError, match="during the check: try again"):
            list(checking)


def test_a_file_of_a_killed_server_is_checked_up_to_its_last_commit(run_in_process: RunCommand, tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db") as address, Client(address) as client:
        client.create_game("orleans", [person("Ada"), person("Bob")])
        copy = tmp_path / "left"
        copy.mkdir()
        for name in ("games.db", "games.db-wal"):
            (copy / name).write_bytes((tmp_path / name).read_bytes())
    result = run_in_process("check", "--db", "left/games.db")
    assert result.status == 0
    assert result.out.startswith("1 game, ")


def test_a_file_can_be_checked_while_a_server_uses_it(run_in_process: RunCommand, tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db") as address, Client(address) as client:
        client.create_game("orleans", [bot("random"), bot("random")])
        result = run_in_process("check", "--db", "games.db")
        assert result.status == 0
        assert re.fullmatch(r"1 game, \d+ events: no change found\n", result.out)


def test_damaged_games_are_named(run_in_process: RunCommand, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games, events = create_games(path, 4)
    hexes = [game.replace("-", "") for game in games]
    execute_without_triggers(
        path,
        f"UPDATE stored_events SET topic='x' WHERE originator_id='{hexes[0]}' AND originator_version=3",
        f"DELETE FROM games WHERE game='{hexes[1]}'",
        f"DELETE FROM stored_events WHERE originator_id='{hexes[2]}' AND originator_version=1",
        "INSERT INTO stored_events VALUES ('no id', 1, 'x', X'', X'')",
    )
    result = run_in_process("check", "--db", "games.db")
    assert result.status == 1
    *lines, last = result.out.splitlines()
    last_version = events // 4
    assert sorted(lines) == sorted(
        (
            f"{games[0]}: damaged from event 3 on: the row does not fit its link",
            f"{games[1]}: damaged from event {last_version} on: the head of the chain is another one",
            f"{games[2]}: damaged from event 1 on: a row is missing",
            "'no id': damaged from event 1 on: the row does not fit its link",
        )
    )
    assert last == f"5 games, {events} events: 4 damaged"
    result = run_in_process("check", "--db", "games.db", "--json")
    records = [json.loads(line) for line in result.out.splitlines()]
    assert (result.status, records[-1]) == (1, {"games": 5, "events": events, "damaged": 4})
    assert {"game": games[0], "version": 3, "problem": "the row does not fit its link"} in records


def test_files_that_cannot_be_checked(run_in_process: RunCommand, tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE theirs (id)").connection.close()
    (tmp_path / "letter.db").write_text("This is a letter, not a database. " * 50)
    for name, problem in (
        ("none.db", "none.db does not exist"),
        ("other.db", "not a Boardkeeper database"),
        ("letter.db", "is not a Boardkeeper database, or is damaged"),
        ("mysql://host/games", "unknown kind of database"),
    ):
        result = run_in_process("check", "--db", name)
        assert result.status == 5
        assert problem in result.err
        assert len(result.err.splitlines()) == 1
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("form", ["console", "json"])
def test_serve_reports_damage_on_the_terminal(tmp_path: Path, form: str) -> None:
    path = tmp_path / "games.db"
    (game, _), _ = create_games(path, 2)
    execute_without_triggers(path, f"UPDATE stored_events SET topic='x' WHERE originator_id='{game.replace('-', '')}'")
    arguments = [*PROGRAM, "serve", "--db", str(path), "--listen", "127.0.0.1:0", "--log-format", form]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stderr is not None
        lines: list[str] = []
        for line in serving.stderr:
            lines.append(line)
            if "boardkeeper check" in line or "chains checked" in line:
                break
        serving.terminate()
        lines += serving.stderr
        assert serving.wait() == 0
    if form == "json":
        logged = [json.loads(line) for line in lines]  # every line is JSON
        assert [(line["game"], line["version"]) for line in logged if "damaged," in line["event"]] == [(game, 1)]
    else:
        welcome, damages = [line for line in lines if line.startswith("boardkeeper: ")]
        assert re.fullmatch(
            r"boardkeeper: Open http://localhost:\d+ in a browser. All other clients connect to the same address"
            r"(; gRPC clients can also use 127.0.0.1:\d+)?. Press Ctrl-C to stop.\n",
            welcome,
        )
        assert damages.startswith(f"boardkeeper: 1 of 2 games are damaged: {game} from event 1 on. They are read-only")


# --- an older copy of the file --------------------------------------------------------------------------------


def copy_database(path: Path, name: str) -> Path:
    """Copy the database, its key and its checkpoint to a folder."""
    folder = path.parent / name
    folder.mkdir()
    for ending in ("", ".key", ".checkpoint"):
        shutil.copy(f"{path}{ending}", folder / f"{path.name}{ending}")
    return folder / path.name


def test_an_older_copy_is_detected(run_in_process: RunCommand, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    create_games(path, 1)
    backup = copy_database(path, "backup")
    _, more = create_games(path, 2)
    assert run_in_process("check", "--db", "games.db").status == 0
    newest = copy_database(path, "newest")
    shutil.copy(backup, path)
    result = run_in_process("check", "--db", "games.db")
    assert result.status == 1
    assert re.search(r"games\.db has \d+ events, but had \d+ on [-0-9]+ [:0-9]+ UTC: it is an older copy", result.out)
    result = run_in_process("check", "--db", "games.db", "--json")
    assert result.records[0]["checkpoint"] == f"{path}.checkpoint"

    # With its old checkpoint, only a checkpoint from another place shows it.
    assert run_in_process("check", "--db", "backup/games.db").status == 0
    result = run_in_process("check", "--db", "backup/games.db", "--checkpoint", f"{newest}.checkpoint")
    assert result.status == 1
    assert run_in_process("check", "--db", "newest/games.db", "--checkpoint", f"{backup}.checkpoint").status == 0
    assert more


def test_a_continued_older_copy_is_detected_and_reported_by_the_server(
    run_program: RunCommand, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.db"
    create_games(path, 1)
    backup = copy_database(path, "backup")
    create_games(path, 1)
    newest = copy_database(path, "newest")
    shutil.copy(backup, path)
    create_games(path, 3)
    errors = capfd.readouterr().err
    assert f"{path} has " in errors
    assert f"The checkpoint that shows this is now {path}.checkpoint.old" in errors
    assert run_program("check", "--db", "games.db").status == 0  # the new checkpoint matches
    for old in (f"{path}.checkpoint.old", f"{newest}.checkpoint"):
        result = run_program("check", "--db", "games.db", "--checkpoint", old)
        assert result.status == 1
        assert "it continues an older copy, or was changed" in result.out


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda it: it | {"events": it["events"] - 1}, "is wrong"),
        (lambda it: it | {"signature": "ff" * 64}, "is wrong"),
        (lambda it: it | {"events": "many"}, "is not a checkpoint"),
        (lambda it: it["events"], "is not a checkpoint"),
        (lambda it: it | {"key": "nonsense"}, "is not a checkpoint"),
    ],
)
def test_a_changed_checkpoint_is_rejected(
    run_in_process: RunCommand, tmp_path: Path, change: Callable[[dict[str, Any]], object], problem: str
) -> None:
    path = tmp_path / "games.db"
    create_games(path, 1)
    file = tmp_path / "games.db.checkpoint"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 or os.name == "nt"
    file.write_text(json.dumps(change(json.loads(file.read_text()))))
    result = run_in_process("check", "--db", "games.db")
    assert result.status == (1 if problem == "is wrong" else 5)
    assert problem in result.err


def test_a_checkpoint_is_written_while_the_service_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.process.background._SWEEP_SECONDS", 0.01)
    path = tmp_path / "games.db"
    file = tmp_path / "games.db.checkpoint"
    with running_service(path) as address, Client(address) as client:
        assert not file.exists()  # the file has no events yet
        game = client.create_game("orleans", [person("Ada"), person("Bob")]).game
        deadline = time.monotonic() + 60
        while not file.exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        first = file.read_bytes()
        assert json.loads(first)["events"] == game.version
    assert file.read_bytes() == first  # an equal checkpoint is not written again
