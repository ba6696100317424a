"""Unusable home folders: reading commands work without them, and writing commands name what to set."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.client.conftest import NO_SERVER, CommandResult, RunCommand

from boardkeeper.client import NewGame

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]

NO_HOME = "this user has no home folder. Set BOARDKEEPER_HOME to a folder that you can write to."

UNKNOWN_USER = 2_000_000_123
AS_UNKNOWN_USER = f"""
import os, sys
os.getuid = lambda: {UNKNOWN_USER}  # as in a container with any user id
from boardkeeper.terminal.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def run_without_home(tmp_path: Path) -> RunCommand:
    """Run the command line as a user without ``HOME`` and without an entry in the user database."""
    hidden = {"HOME", "XDG_DATA_HOME", "BOARDKEEPER_HOME", "LOGNAME", "USER", "LNAME", "USERNAME"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}

    def run(*arguments: str) -> CommandResult:
        done = subprocess.run(
            [sys.executable, "-c", AS_UNKNOWN_USER, *arguments],
            env={**environment, "BOARDKEEPER_SERVER": NO_SERVER},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return CommandResult(done.returncode, done.stdout, done.stderr)

    return run


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has user ids")
def test_reading_commands_need_no_home_folder(
    run_without_home: RunCommand, address: str, finished_game: NewGame
) -> None:
    game = finished_game.game.game_id
    for arguments in (
        ("games", "--all", "--server", address),
        ("show", game, "--server", address),
        ("export", game, "--server", address),
        ("keys", "--server", address),
    ):
        result = run_without_home(*arguments)
        assert (result.status, result.err) == (0, "")
        assert result.out
    result = run_without_home("games")
    assert (result.status, result.err.count("\n")) == (3, 1)
    assert "you have no games of your own" in result.err
    assert run_without_home("show", game).status == 3


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has user ids")
def test_writing_commands_name_the_variable_for_a_home_folder(
    run_without_home: RunCommand, address: str, finished_game: NewGame
) -> None:
    game = finished_game.game.game_id
    for arguments in (
        ("play",),
        ("play", "--server", address),
        ("play", "--db", "games.db"),
        ("fork", game, "--server", address),
    ):
        result = run_without_home(*arguments)
        assert (result.status, result.err.count("\n")) == (1, 1), result.err
        assert NO_HOME in result.err


@pytest.fixture(params=["file", "folder"])
def unusable_home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A home folder that even root cannot use: a folder in place of a file, or the reverse."""
    home = tmp_path / "home"
    if request.param == "file":
        (home / "seats.jsonl").mkdir(parents=True)
        (home / "games").touch()
    else:
        home.touch()
    return home


def test_reading_commands_ignore_an_unusable_home(
    run_in_process: RunCommand, unusable_home: Path, address: str, finished_game: NewGame
) -> None:
    game = finished_game.game.game_id
    for command in (("show", game), ("watch", game), ("export", game, "--out", "game.jsonl"), ("verify", game)):
        result = run_in_process(*command, BOARDKEEPER_SERVER=address)
        assert result.status == 0, result.err
        assert f"cannot read your seats from {unusable_home / 'seats.jsonl'}: " in result.err
    for name in ("games", "keys"):
        result = run_in_process(name, BOARDKEEPER_SERVER=address)
        assert result.status == 0
        assert f"cannot read your own games in {unusable_home / 'games'}: " in result.err


def test_writing_commands_report_an_unusable_home_before_taking_a_seat(
    run_in_process: RunCommand, unusable_home: Path, address: str, finished_game: NewGame
) -> None:
    before = len(run_in_process("games", "--server", address, "--json", "--all").records)
    game = finished_game.game.game_id
    for arguments in (("play", "--server", address), ("fork", game, "--server", address), ("play",), ("undo", game)):
        result = run_in_process(*arguments)
        assert result.status == 1
        assert str(unusable_home) in result.err
        assert "Set BOARDKEEPER_HOME to a folder that you can write to." in result.err
    assert len(run_in_process("games", "--server", address, "--json", "--all").records) == before


def test_a_damaged_line_does_not_affect_other_seats(
    run_in_process: RunCommand, tmp_path: Path, address: str, finished_game: NewGame
) -> None:
    forked = run_in_process("fork", finished_game.game.game_id, "--at", "5", "--server", address, "--json")
    game = json.loads(forked.out)["game_id"]
    seat_file = tmp_path / "home" / "seats.jsonl"
    seat_file.write_bytes(b'{"game": "4f1c\n\xff\xfe\n[]\n' + seat_file.read_bytes())
    shown = run_in_process("show", game, BOARDKEEPER_SERVER=address)
    assert shown.status == 0
    assert f"cannot read your seats from {seat_file}: line " in shown.err
    assert run_in_process("seat", game, "--bot").status == 0
    assert f"{seat_file}: line " in run_in_process("undo", "abcdef").err


def test_folders_without_search_permission(
    run_in_process: RunCommand, tmp_path: Path, address: str, finished_game: NewGame
) -> None:
    closed = tmp_path / "closed"
    (closed / "home" / "games").mkdir(parents=True)
    closed.chmod(0)
    try:
        if os.access(closed, os.X_OK):
            pytest.skip("root can search every folder, and Windows has other rules")
        home = {"BOARDKEEPER_HOME": str(closed / "home"), "BOARDKEEPER_SERVER": address}
        assert run_in_process("games", **home).status == 0
        assert run_in_process("show", finished_game.game.game_id, **home).status == 0
        result = run_in_process("games", "--db", str(closed / "games.db"), **home)
        assert result.err == f"boardkeeper: cannot read {closed / 'games.db'}: Permission denied.\n"
        assert run_in_process("verify", str(closed / "game.jsonl"), **home).status == 1
    finally:
        closed.chmod(0o700)
