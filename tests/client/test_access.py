"""``boardkeeper access``: create, list, replace, limit and revoke keys; a key is shown once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from boardkeeper.operations.api_keys import expire_time
from boardkeeper.service.process.server import running_service
from boardkeeper.terminal.errors import CommandError
from boardkeeper.terminal.main import main

SECRET = re.compile(r"bk_[0-9a-f]{12}_[0-9A-Za-z]{49}")


class Terminal:
    """Runs ``boardkeeper access`` on one file."""

    def __init__(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file = file
        self._capsys = capsys

    def run(self, *arguments: str, status: int = 0) -> str:
        assert main(["access", *arguments, "--db", str(self.file)]) == status
        return "".join(self._capsys.readouterr())

    def records(self, *arguments: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.run(*arguments, "--json").splitlines() if line.startswith("{")]


@pytest.fixture
def terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(tmp_path / "games.db", capsys)


def test_a_key_is_shown_once(terminal: Terminal) -> None:
    output = terminal.run("create", "lobby", "--scopes", "watch,create")
    (secret,) = SECRET.findall(output)
    assert "platform lobby: create, watch" in output
    (listed,) = terminal.records("list")
    assert (listed["name"], listed["platform"], listed["scopes"]) == ("lobby", "lobby", ["create", "watch"])
    assert (listed["state"], listed["expire_time"], listed["use_time"]) == ("active", None, None)
    assert listed["key_id"] == secret[3:15]
    for more in ((), ("--json",)):
        assert secret[16:] not in terminal.run("list", *more)


def test_a_key_is_replaced_and_revoked(terminal: Terminal) -> None:
    (created,) = terminal.records(
        "create", "night import", "--platform", "lobby", "--scopes", "import", "--expires", "90d"
    )
    (new,) = terminal.records("rotate", created["key_id"], "--overlap", "2")
    assert new["key"] != created["key"]
    assert (new["platform"], new["scopes"], new["expire_time"]) == ("lobby", ["import"], created["expire_time"])
    before, after = terminal.records("list")
    assert before["expire_time"] < after["expire_time"]
    assert created["key"][16:] not in terminal.run("revoke", created["key"])  # named by the whole key
    assert terminal.records("rotate", new["key_id"], "--overlap", "0")
    assert [key["state"] for key in terminal.records("list")] == ["revoked", "revoked", "active"]


def test_a_key_can_have_its_own_limits(terminal: Terminal) -> None:
    (created,) = terminal.records("create", "lobby", "--scopes", "create")
    assert "reads=2k/s games=off" in terminal.run("limit", created["key_id"], "games=off", "reads=2k/s")
    assert [key["limits"] for key in terminal.records("list")] == ["reads=2k/s games=off"]
    assert "limits reads=2k/s games=off" in terminal.run("list")
    assert "is not a rate" in terminal.run("limit", created["key_id"], "reads=5", status=2)
    assert "default limits" in terminal.run("limit", created["key_id"])
    assert [key["limits"] for key in terminal.records("list")] == [""]


def test_invalid_arguments_are_rejected_and_change_nothing(terminal: Terminal) -> None:
    for arguments in (
        ("create", "lobby", "--scopes", "fly"),
        ("create", "My Lobby", "--scopes", "create"),
        ("create", "lobby", "--scopes", "create", "--expires", "soon"),
        ("create", "lobby", "--scopes", "create", "--platform", "*"),
    ):
        assert "boardkeeper: " in terminal.run(*arguments, status=2)
    assert terminal.records("list") == []
    assert "must be that of an existing key" in terminal.run("revoke", "000000000000", status=2)


def test_list_does_not_create_a_file(terminal: Terminal) -> None:
    assert "does not exist" in terminal.run("list", status=1)
    assert not terminal.file.exists()


@pytest.mark.socket
def test_keys_of_a_file_in_use_are_created_by_its_server(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    token = "an operator's token of forty characters!"
    monkeypatch.delenv("BOARDKEEPER_KEY", raising=False)
    with running_service(terminal.file, operator_token=token):
        assert "set BOARDKEEPER_OPERATOR_TOKEN" in terminal.run("list", status=1)
        monkeypatch.setenv("BOARDKEEPER_OPERATOR_TOKEN", "another one's, of forty characters......")
        assert "is not the operator token" in terminal.run("list", status=1)
        monkeypatch.setenv("BOARDKEEPER_OPERATOR_TOKEN", token)
        (created,) = terminal.records("create", "lobby", "--scopes", "create", "--expires", "1d")
        (new,) = terminal.records("rotate", created["key_id"])
        assert SECRET.fullmatch(new["key"])
        assert "reads=off" in terminal.run("limit", new["key_id"], "reads=off")
        assert "revoked: key" in terminal.run("revoke", created["key_id"])
        served = terminal.records("list")
    monkeypatch.delenv("BOARDKEEPER_OPERATOR_TOKEN")
    assert terminal.records("list") == served
    assert [key["state"] for key in served] == ["revoked", "active"]


def test_expiry_times() -> None:
    hour = 3_600_000
    assert expire_time("", 5) is None
    assert expire_time("12h", 5) == 5 + 12 * hour
    assert expire_time("2w", 5) == 5 + 14 * 24 * hour
    assert expire_time("1970-01-02", 5) == 48 * hour  # the end of the day
    for text in ("1", "d", "1970-02-30", "-1d"):
        with pytest.raises(CommandError):
            expire_time(text, 5)
