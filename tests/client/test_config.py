"""``boardkeeper config`` tells what ``boardkeeper serve`` would do, and where each setting comes from."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.client.conftest import PROGRAM, Ran

from boardkeeper.client import Client, NotFound, PermissionDenied
from boardkeeper.service.config.settings import SETTINGS

Run = Callable[..., Ran]

TOKEN = "t0ken" * 8
NO_GAME = "00000000-0000-0000-0000-000000000000"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of settings."""
    path = tmp_path / "settings.toml"
    path.write_text('log = "json"\nconnections = 7\n')
    return path


def test_each_setting_is_told_with_its_value_and_where_it_is_from(inside: Run, file: Path) -> None:
    ran = inside(
        "config", "--listen", "127.0.0.1:0", "--config", str(file), "--no-reflection", BOARDKEEPER_DATABASE="a.db"
    )
    assert ran.status == 0
    rows = {name: (value, where) for name, value, where in (line.split(maxsplit=2) for line in ran.out.splitlines())}
    assert list(rows) == list(SETTINGS)
    assert rows["listen"] == ("127.0.0.1:0", "--listen")
    assert rows["reflection"] == ("false", "--reflection")
    assert rows["database"] == ("a.db", "BOARDKEEPER_DATABASE")
    assert rows["connections"] == ("7", f"connections in {file}")
    assert rows["idle_seconds"] == ("900", "default")
    assert rows["operator_token"] == ("none", "default")


def test_programs_get_the_same_and_nobody_a_secret(inside: Run, file: Path) -> None:
    ran = inside("config", "--json", BOARDKEEPER_CONFIG=str(file), BOARDKEEPER_OPERATOR_TOKEN=TOKEN)
    assert ran.status == 0
    records = {record.pop("setting"): record for record in ran.records}
    assert list(records) == list(SETTINGS)
    assert records["connections"] == {
        "value": 7, "source": "file", "from": f"connections in {file}", "secret": False,
    }  # fmt: skip
    assert records["operator_token"] == {
        "value": "(hidden)", "source": "environment", "from": "BOARDKEEPER_OPERATOR_TOKEN", "secret": True,
    }  # fmt: skip
    assert TOKEN not in inside("config", BOARDKEEPER_OPERATOR_TOKEN=TOKEN).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--config", "missing.toml"), "cannot read the settings file missing.toml: No such file or directory"),
        (("--wait-seconds", "nan"), "--wait-seconds must be a number"),
    ],
)
def test_what_cannot_be_used_is_one_clear_line(inside: Run, arguments: tuple[str, ...], said: str) -> None:
    for command in ("config", "serve"):
        ran = inside(command, *arguments)
        assert ran.status == 1
        assert ran.err.count("\n") == 1
        assert ran.err.startswith(f"boardkeeper: {said}")


def test_what_stops_a_service_is_told_below_its_settings(inside: Run) -> None:
    ran = inside("config", "--db", "oracle://somewhere")
    assert ran.status == 1
    assert re.search("^database +oracle://somewhere +--db$", ran.out, re.MULTILINE)
    assert ran.err.startswith("boardkeeper: unknown kind of database 'oracle'")


def test_other_commands_find_the_database_that_is_set_for_the_service(inside: Run, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('database = "nowhere/games.db"')
    ran = inside("check", BOARDKEEPER_CONFIG="settings.toml")
    assert ran.status == 5
    assert "nowhere/games.db" in ran.err


@pytest.mark.socket
def test_help_has_the_words_of_the_docs_and_not_their_links(inside: Run) -> None:
    told = " ".join(inside("serve", "--help").out.split())
    assert "if limits are on" in told
    assert "](" not in told


def test_a_service_is_started_from_a_file(tmp_path: Path) -> None:
    """Whose operator's token is in a file, and so neither among its arguments nor its variables."""
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


def test_help_names_the_unit_of_each_number(inside: Run) -> None:
    text = inside("serve", "--help").out
    for about in SETTINGS.values():
        if about.kind is float:
            assert f"{about.flag} {about.meaning.shape}" in text
            unit = about.name.rpartition("_")[2].upper()  # SECONDS, DAYS, SHARE
            assert about.meaning.shape == unit
    assert "--memory-for-games MEGABYTES" in text
