"""Own folders that cannot be used: commands that read work without them, and commands that write say what to set."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.client.conftest import NOBODY, Ran

from boardkeeper.client import NewGame

Run = Callable[..., Ran]

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]

NO_HOME = "this user has no home folder. Set BOARDKEEPER_HOME to a folder that you can write to."

UNKNOWN_USER = 2_000_000_123
AS_UNKNOWN_USER = f"""
import os, sys
os.getuid = lambda: {UNKNOWN_USER}  # as in a container that runs under any id; the database of users is the real one
from boardkeeper.terminal.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def homeless(tmp_path: Path) -> Run:
    """Run the command line as a user without ``HOME`` whom the system does not know."""
    hidden = {"HOME", "XDG_DATA_HOME", "BOARDKEEPER_HOME", "LOGNAME", "USER", "LNAME", "USERNAME"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}

    def run(*arguments: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-c", AS_UNKNOWN_USER, *arguments],
            env={**environment, "BOARDKEEPER_SERVER": NOBODY},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


@pytest.mark.skipif(os.name != "posix", reason="elsewhere users have no numbers")
def test_a_user_without_a_home_folder_reads(homeless: Run, address: str, ended: NewGame) -> None:
    game = ended.game.game_id
    for arguments in (
        ("games", "--all", "--server", address),
        ("show", game, "--server", address),
        ("export", game, "--server", address),
        ("keys", "--server", address),
    ):
        ran = homeless(*arguments)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out
    ran = homeless("games")
    assert (ran.status, ran.err.count("\n")) == (3, 1)
    assert "you have no games of your own" in ran.err
    assert homeless("show", game).status == 3


@pytest.mark.skipif(os.name != "posix", reason="elsewhere users have no numbers")
def test_a_user_without_a_home_folder_is_told_what_to_set(homeless: Run, address: str, ended: NewGame) -> None:
    game = ended.game.game_id
    for arguments in (
        ("play",),
        ("play", "--server", address),
        ("play", "--db", "games.db"),
        ("fork", game, "--server", address),
    ):
        ran = homeless(*arguments)
        assert (ran.status, ran.err.count("\n")) == (1, 1), ran.err
        assert NO_HOME in ran.err


@pytest.fixture(params=["book", "folder"])
def unusable(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An own folder whose contents cannot be used, also by root: a folder in place of a file, or the reverse."""
    home = tmp_path / "home"
    if request.param == "book":
        (home / "seats.jsonl").mkdir(parents=True)
        (home / "games").touch()
    else:
        home.touch()
    return home


def test_unusable_folders_do_not_stop_reading(inside: Run, unusable: Path, address: str, ended: NewGame) -> None:
    game = ended.game.game_id
    for command in (("show", game), ("watch", game), ("export", game, "--out", "game.jsonl"), ("verify", game)):
        ran = inside(*command, BOARDKEEPER_SERVER=address)
        assert ran.status == 0, ran.err
        assert f"cannot read your seats from {unusable / 'seats.jsonl'}: " in ran.err
    for name in ("games", "keys"):
        ran = inside(name, BOARDKEEPER_SERVER=address)
        assert ran.status == 0
        assert f"cannot read your own games in {unusable / 'games'}: " in ran.err


def test_unusable_folders_are_named_before_a_seat_is_taken(
    inside: Run, unusable: Path, address: str, ended: NewGame
) -> None:
    before = len(inside("games", "--server", address, "--json", "--all").records)
    game = ended.game.game_id
    for arguments in (("play", "--server", address), ("fork", game, "--server", address), ("play",), ("undo", game)):
        ran = inside(*arguments)
        assert ran.status == 1
        assert str(unusable) in ran.err
        assert "Set BOARDKEEPER_HOME to a folder that you can write to." in ran.err
    assert len(inside("games", "--server", address, "--json", "--all").records) == before


def test_a_damaged_line_hides_no_other_seat(inside: Run, tmp_path: Path, address: str, ended: NewGame) -> None:
    forked = inside("fork", ended.game.game_id, "--at", "5", "--server", address, "--json")
    game = json.loads(forked.out)["game_id"]
    book = tmp_path / "home" / "seats.jsonl"
    book.write_bytes(b'{"game": "4f1c\n\xff\xfe\n[]\n' + book.read_bytes())
    shown = inside("show", game, BOARDKEEPER_SERVER=address)
    assert shown.status == 0
    assert f"cannot read your seats from {book}: line " in shown.err
    assert inside("seat", game, "--bot").status == 0
    assert f"{book}: line " in inside("undo", "abcdef").err


def test_folders_that_may_not_be_searched(inside: Run, tmp_path: Path, address: str, ended: NewGame) -> None:
    closed = tmp_path / "closed"
    (closed / "home" / "games").mkdir(parents=True)
    closed.chmod(0)
    try:
        if os.access(closed, os.X_OK):
            pytest.skip("root may search every folder, and Windows has other rules")
        home = {"BOARDKEEPER_HOME": str(closed / "home"), "BOARDKEEPER_SERVER": address}
        assert inside("games", **home).status == 0
        assert inside("show", ended.game.game_id, **home).status == 0
        ran = inside("games", "--db", str(closed / "games.db"), **home)
        assert ran.err == f"boardkeeper: cannot read {closed / 'games.db'}: Permission denied.\n"
        assert inside("verify", str(closed / "game.jsonl"), **home).status == 1
    finally:
        closed.chmod(0o700)
