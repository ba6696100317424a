"""Messages for wrong usage, and exit statuses that distinguish failed checks from impossible checks."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from tests.client.conftest import NO_SERVER, RunCommand
from tests.client.fake_service import fail_with, fake_service

from boardkeeper.client import NewGame
from boardkeeper.terminal import saved_seats

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]


def test_help_lists_every_exit_status(run_in_process: RunCommand) -> None:
    _, _, table = run_in_process("--help").out.partition("exit status:\n")
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
def test_an_error_suggests_the_nearest_name(run_in_process: RunCommand, arguments: tuple[str, ...], hint: str) -> None:
    result = run_in_process(*arguments)
    assert result.status == 2
    assert hint in result.err


def test_an_unknown_host_and_a_missing_server_have_different_errors(run_in_process: RunCommand) -> None:
    result = run_in_process("games", "--server", "no-such-host.invalid:50051")
    assert (result.status, result.err.count("\n")) == (3, 1)
    assert "the host name 'no-such-host.invalid' is unknown" in result.err
    result = run_in_process("games", "--server", NO_SERVER)
    assert (result.status, result.err.count("\n")) == (3, 1)
    assert f"no server is running at {NO_SERVER}" in result.err
    assert "boardkeeper serve" in result.err


def test_verify_has_different_statuses_for_an_invalid_record_and_no_record(
    run_in_process: RunCommand, finished_game: NewGame, address: str, tmp_path: Path
) -> None:
    game = finished_game.game.game_id
    assert run_in_process("export", game, "--out", "good.jsonl", "--server", address).status == 0
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
        (("ffffffff", "--server", NO_SERVER), 3),
    ):
        assert run_in_process("verify", *arguments).status == status, arguments


def test_an_unknown_health_has_its_own_status(run_in_process: RunCommand) -> None:
    with fake_service() as (address, _):  # it has no health service
        assert run_in_process("health", "--server", address).status == 5
    assert run_in_process("health", "--server", NO_SERVER).status == 3


def test_the_message_of_the_server_is_shown(run_in_process: RunCommand) -> None:
    """Also with the status code of an unreachable server."""
    sentence = "The server's database files were removed or replaced."
    info = ErrorInfo(reason="STORAGE_LOST", domain="boardkeeper")
    wait = RetryInfo(retry_delay=Duration(seconds=600))  # prevents a retry
    with fake_service() as (address, games):
        games.script = [fail_with(grpc.StatusCode.UNAVAILABLE, sentence, info, wait)]
        result = run_in_process("games", "--server", address)
    assert (result.status, result.err) == (1, f"boardkeeper: {sentence}\n")


def test_an_unreadable_backup_is_not_a_damaged_backup(run_in_process: RunCommand, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear reader\n")
    for name in ("letter", "missing"):
        assert run_in_process("backup", name, "--verify").status == 5


def test_an_error_for_a_missing_temporary_folder(run_in_process: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_folder() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", no_folder)
    for arguments, status in ((("demo",), 1), (("titles",), 1), (("conformance", "--", "python", "{address}"), 5)):
        result = run_in_process(*arguments)
        assert result.status == status
        assert "cannot create a temporary folder: set TMPDIR to a folder that you can write to." in result.err


@pytest.mark.skipif(os.name != "posix", reason="elsewhere HOME means nothing")
def test_an_empty_home_variable_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BOARDKEEPER_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    unset = saved_seats.data_folder()
    monkeypatch.setenv("HOME", "")
    assert saved_seats.data_folder() == unset
    assert unset is None or unset.is_absolute()
