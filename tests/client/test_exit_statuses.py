"""Messages after mistakes, and exit statuses that distinguish "no" from "could not check"."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from tests.client.conftest import NOBODY, Ran
from tests.client.fake_service import fake_service, refuse

from boardkeeper.client import NewGame
from boardkeeper.terminal import saved_seats

Run = Callable[..., Ran]

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]


def test_help_lists_every_exit_status(inside: Run) -> None:
    _, _, table = inside("--help").out.partition("exit status:\n")
    assert re.findall(r"^  (\d+) ", table, re.MULTILINE) == ["0", "1", "2", "3", "4", "5", "130"]


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("plya",), "No such command 'plya'. Did you mean 'play'?"),
        (("xyzzy",), "Try 'boardkeeper --help' for help.\n\nError: No such command 'xyzzy'."),
        (("access", "crate"), "No such command 'crate'. (Did you mean one of: 'create', 'rotate'?)"),
        (("play", "--playrs", "3"), "No such option '--playrs'. Did you mean '--players'?"),
        (("games", "--status", "opn"), "Invalid value for '--status': 'opn' is not one of 'open', 'running', 'ended'."),
    ],
)
def test_the_nearest_name_is_named(inside: Run, arguments: tuple[str, ...], hint: str) -> None:
    ran = inside(*arguments)
    assert ran.status == 2
    assert hint in ran.err


def test_an_unknown_host_is_not_a_server_that_does_not_run(inside: Run) -> None:
    ran = inside("games", "--server", "no-such-host.invalid:50051")
    assert (ran.status, ran.err.count("\n")) == (3, 1)
    assert "the host name 'no-such-host.invalid' is unknown" in ran.err
    ran = inside("games", "--server", NOBODY)
    assert (ran.status, ran.err.count("\n")) == (3, 1)
    assert f"no server is running at {NOBODY}" in ran.err
    assert "boardkeeper serve" in ran.err


def test_verify_tells_a_record_that_does_not_hold_from_none(
    inside: Run, ended: NewGame, address: str, tmp_path: Path
) -> None:
    game = ended.game.game_id
    assert inside("export", game, "--out", "good.jsonl", "--server", address).status == 0
    lines = (tmp_path / "good.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "bad.jsonl").write_bytes(b"".join(lines[:5] + lines[6:]))
    (tmp_path / "letter.txt").write_text("Dear reader\n")
    for arguments, status in (
        (("good.jsonl",), 0),
        (("bad.jsonl",), 1),
        (("letter.txt",), 5),
        (("missing.jsonl",), 5),
        (("good.jsonl", "missing.jsonl"), 5),
        (("missing.jsonl", "bad.jsonl"), 1),
        (("ffffffff", "--server", address), 5),
        (("ffffffff", "--server", NOBODY), 3),
    ):
        assert inside("verify", *arguments).status == status, arguments


def test_a_health_that_cannot_be_known_is_not_a_no(inside: Run) -> None:
    with fake_service() as (address, _):  # which has no health service
        assert inside("health", "--server", address).status == 5
    assert inside("health", "--server", NOBODY).status == 3


def test_the_servers_own_reason_is_told(inside: Run) -> None:
    """Also if it has the status of a server that is not reached."""
    sentence = "The server's database files were removed or replaced."
    info = ErrorInfo(reason="STORAGE_LOST", domain="boardkeeper")
    wait = RetryInfo(retry_delay=Duration(seconds=600))  # so the command does not try again
    with fake_service() as (address, games):
        games.script = [refuse(grpc.StatusCode.UNAVAILABLE, sentence, info, wait)]
        ran = inside("games", "--server", address)
    assert (ran.status, ran.err) == (1, f"boardkeeper: {sentence}\n")


def test_a_backup_that_cannot_be_read_is_not_a_damaged_one(inside: Run, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear reader\n")
    for name in ("letter", "missing"):
        assert inside("backup", name, "--verify").status == 5


def test_without_a_temporary_folder_it_says_what_to_set(inside: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_folder() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", no_folder)
    for arguments, status in ((("demo",), 1), (("titles",), 1), (("conformance", "--", "python", "{address}"), 5)):
        ran = inside(*arguments)
        assert ran.status == status
        assert "cannot create a temporary folder: set TMPDIR to a folder that you can write to." in ran.err


@pytest.mark.skipif(os.name != "posix", reason="elsewhere HOME means nothing")
def test_an_empty_home_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BOARDKEEPER_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    unset = saved_seats.data_folder()
    monkeypatch.setenv("HOME", "")
    assert saved_seats.data_folder() == unset
    assert unset is None or unset.is_absolute()
