"""``boardkeeper config`` shows the settings of ``boardkeeper serve`` and their sources."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from tests.client.conftest import PROGRAM, RunCommand

from boardkeeper.client import Client, NotFound, PermissionDenied
from boardkeeper.service.config.settings import SETTINGS

TOKEN = "t0ken" * 8
NO_GAME = "00000000-0000-0000-0000-000000000000"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text('log = "json"\nconnections = 7\n')
    return path


def test_each_setting_is_shown_with_its_value_and_source(run_in_process: RunCommand, file: Path) -> None:
    result = run_in_process(
        "config", "--listen", "127.0.0.1:0", "--config", str(file), "--no-reflection", BOARDKEEPER_DATABASE="a.db"
    )
    assert result.status == 0
    rows = {name: (value, where) for name, value, where in (line.split(maxsplit=2) for line in result.out.splitlines())}
    assert list(rows) == list(SETTINGS)
    assert rows["listen"] == ("127.0.0.1:0", "--listen")
    assert rows["reflection"] == ("false", "--reflection")
    assert rows["database"] == ("a.db", "BOARDKEEPER_DATABASE")
    assert rows["connections"] == ("7", f"connections in {file}")
    assert rows["idle_seconds"] == ("900", "default")
    assert rows["operator_token"] == ("none", "default")


def test_json_has_the_same_settings_and_no_secrets(run_in_process: RunCommand, file: Path) -> None:
    result = run_in_process("config", "--json", BOARDKEEPER_CONFIG=str(file), BOARDKEEPER_OPERATOR_TOKEN=TOKEN)
    assert result.status == 0
    records = {record.pop("setting"): record for record in result.records}
    assert list(records) == list(SETTINGS)
    assert records["connections"] == {
        "value": 7, "source": "file", "from": f"connections in {file}", "secret": False,
    }  # fmt: skip
    assert records["operator_token"] == {
        "value": "(hidden)", "source": "environment", "from": "BOARDKEEPER_OPERATOR_TOKEN", "secret": True,
    }  # fmt: skip
    assert TOKEN not in run_in_process("config", BOARDKEEPER_OPERATOR_TOKEN=TOKEN).out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--config", "missing.toml"), "cannot read the settings file missing.toml: No such file or directory"),
        (("--wait-seconds", "nan"), "--wait-seconds must be a number"),
    ],
)
def test_invalid_settings_are_one_clear_line(
    run_in_process: RunCommand, arguments: tuple[str, ...], problem: str
) -> None:
    for command in ("config", "serve"):
        result = run_in_process(command, *arguments)
        assert result.status == 1
        assert result.err.count("\n") == 1
        assert result.err.startswith(f"boardkeeper: {problem}")


def test_an_error_that_prevents_a_start_is_shown_after_the_settings(run_in_process: RunCommand) -> None:
    result = run_in_process("config", "--db", "oracle://somewhere")
    assert result.status == 1
    assert re.search("^database +oracle://somewhere +--db$", result.out, re.MULTILINE)
    assert result.err.startswith("boardkeeper: unknown kind of database 'oracle'")


def test_other_commands_use_the_database_of_the_settings(run_in_process: RunCommand, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('database = "nowhere/games.db"')
    result = run_in_process("check", BOARDKEEPER_CONFIG="settings.toml")
    assert result.status == 5
    assert "nowhere/games.db" in result.err


@pytest.mark.socket
def test_help_has_the_texts_of_the_docs_without_links(run_in_process: RunCommand) -> None:
    text = " ".join(run_in_process("serve", "--help").out.split())
    assert "if limits are on" in text
    assert "](" not in text


def test_a_server_is_started_from_a_settings_file(tmp_path: Path) -> None:
    """The operator token is in a file, and not in arguments or variables."""
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    (tmp_path / "token").chmod(0o600)
    (tmp_path / "settings.toml").write_text(
        'database = "mine.db"\nlisten = "127.0.0.1:0"\nlog = "json"\noperator_token_file = "token"\n'
    )
    command = [*PROGRAM, "serve", "--config", "settings.toml"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as service:
        try:
            assert service.stderr is not None
            lines = map(json.loads, service.stderr)
            address = next(line["address"] for line in lines if line["event"] == "listening")
            assert (tmp_path / "mine.db").exists()
            with Client(address) as client:
                with pytest.raises(NotFound):
                    client.remove(NO_GAME, token=TOKEN)
                with pytest.raises(PermissionDenied):
                    client.remove(NO_GAME, token="x" * 40)
        finally:
            service.kill()


def test_help_names_the_unit_of_each_number(run_in_process: RunCommand) -> None:
    text = run_in_process("serve", "--help").out
    for about in SETTINGS.values():
        if about.kind is float:
            assert f"{about.flag} {about.meaning.shape}" in text
            unit = about.name.rpartition("_")[2].upper()  # SECONDS, DAYS, SHARE
            assert about.meaning.shape == unit
    assert "--memory-for-games MEGABYTES" in text
