"""Settings: their sources, messages for wrong values, and secrets that stay hidden."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from boardkeeper.service.config.settings import SETTINGS, Config, describe_settings
from boardkeeper.service.errors import SettingError
from boardkeeper.service.storage.database_urls import sqlite_path

TOKEN = "t0ken" * 8


def write_file(folder: Path, text: str, mode: int = 0o600) -> str:
    """Write a file with settings or a secret, and return its path."""
    path = folder / f"file-{len(list(folder.iterdir()))}"
    path.write_text(text)
    path.chmod(mode)
    return str(path)


# --- sources -------------------------------------------------------------------------------------------------


def test_precedence_of_flags_variables_file_and_defaults(tmp_path: Path) -> None:
    file = write_file(tmp_path, 'listen = "127.0.0.1:6"\nlog = "off"\nconnections = 3\nidle_seconds = 4\n')
    environment = {"BOARDKEEPER_LISTEN": "127.0.0.1:7", "BOARDKEEPER_LOG": "json", "BOARDKEEPER_QUEUE_LIMIT": ""}
    found = Config.resolve({"listen": "127.0.0.1:8", "config": file, "database": None}, environment)
    sources = {name: (each.value, each.source, each.where) for name, each in found.items()}
    assert sources["listen"] == ("127.0.0.1:8", "flag", "--listen")
    assert sources["log"] == ("json", "environment", "BOARDKEEPER_LOG")
    assert sources["connections"] == (3, "file", f"connections in {file}")
    assert sources["idle_seconds"] == (4.0, "file", f"idle_seconds in {file}")
    assert sources["database"] == ("boardkeeper.db", "default", "")
    assert sources["queue_limit"] == (4_096, "default", "")
    config = Config.from_values(found)
    assert (config.listen, config.log, config.connections) == ("127.0.0.1:8", "json", 3)


def test_the_flag_for_the_file_precedes_the_variable(tmp_path: Path) -> None:
    one, other = write_file(tmp_path, "connections = 1"), write_file(tmp_path, "connections = 2")
    assert Config.read({}, {"BOARDKEEPER_CONFIG": one}).connections == 1
    assert Config.read({"config": other}, {"BOARDKEEPER_CONFIG": one}).connections == 2


def test_defaults() -> None:
    assert Config.read({}, {}) == Config()
    assert {each.source for each in Config.resolve({}, {}).values()} == {"default"}


def test_every_setting_can_come_from_every_source(tmp_path: Path) -> None:
    values = {name: about.choices[-1] if about.choices else about.default for name, about in SETTINGS.items()}
    values |= {name: TOKEN for name, about in SETTINGS.items() if about.meaning.secret}
    lines = [
        f"{name} = {str(value).lower() if isinstance(value, bool | int | float) else repr(value)}"
        for name, value in values.items()
    ]
    in_file = Config.resolve({"config": write_file(tmp_path, "\n".join(lines))}, {})
    in_variables = Config.resolve(
        {},
        {
            SETTINGS[name].variable: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in values.items()
        },
    )
    as_flags = Config.resolve(dict(values), {})
    for found, source in ((in_file, "file"), (in_variables, "environment"), (as_flags, "flag")):
        present = {name: each for name, each in found.items() if values[name] != ""}
        assert {name: each.value for name, each in present.items()} == {name: values[name] for name in present}
        assert {each.source for each in present.values()} == {source}


# --- rejected values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"BOARDKEEPER_LOG": "loud"}, "BOARDKEEPER_LOG must be one of: console, json, off, not 'loud'"),
        ({"BOARDKEEPER_QUEUE_LIMIT": "many"}, "BOARDKEEPER_QUEUE_LIMIT must be a whole number, not 'many'"),
        ({"BOARDKEEPER_REFLECTION": "maybe"}, "BOARDKEEPER_REFLECTION must be true or false, not 'maybe'"),
        ({"BOARDKEEPER_IDLE_SECONDS": "-1"}, "BOARDKEEPER_IDLE_SECONDS must not be negative"),
        ({"BOARDKEEPER_HEARTBEAT_SECONDS": "0"}, "BOARDKEEPER_HEARTBEAT_SECONDS must be greater than 0"),
        ({"BOARDKEEPER_WAIT_SECONDS": "nan"}, "BOARDKEEPER_WAIT_SECONDS must be a number"),
        ({"BOARDKEEPER_CONNECTIONS": "9999999999"}, "BOARDKEEPER_CONNECTIONS is too large"),
        (
            {"BOARDKEEPER_LISTN": "a"},
            "unknown environment variable BOARDKEEPER_LISTN; did you mean BOARDKEEPER_LISTEN?",
        ),
        ({"BOARDKEEPER_DB": "a"}, "unknown environment variable BOARDKEEPER_DB; did you mean BOARDKEEPER_DATABASE?"),
        (
            {"BOARDKEEPER_CONFIGS": "a"},
            "unknown environment variable BOARDKEEPER_CONFIGS; did you mean BOARDKEEPER_CONFIG?",
        ),
        (
            {"BOARDKEEPER_LANGAUGE": "a"},
            "unknown environment variable BOARDKEEPER_LANGAUGE; did you mean BOARDKEEPER_LANGUAGE?",
        ),
        ({"BOARDKEEPER_XYZZY": "a"}, "unknown environment variable BOARDKEEPER_XYZZY; 'boardkeeper config' lists all"),
    ],
)
def test_unknown_and_invalid_variables(environment: dict[str, str], message: str) -> None:
    with pytest.raises(SettingError, match=re.escape(message)):
        Config.read({}, environment)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('queue_limit = "many"', "queue_limit in FILE must be a whole number, not 'many'"),
        ('queue_limit = "5"', "queue_limit in FILE must be a whole number, not '5'"),
        ("queue_limit = true", "queue_limit in FILE must be a whole number, not True"),
        ("listen = 50051", "listen in FILE must be text in quotes, not 50051"),
        ("listen = [1]", "listen in FILE must be text in quotes, not [1]"),
        ('reflection = "no"', "reflection in FILE must be true or false, not 'no'"),
        ("idle_seconds = -1", "idle_seconds in FILE must not be negative"),
        ("idle_seconds = inf", "idle_seconds in FILE must be a number"),
        (
            "idle_seconds = 2026-01-01",
            "idle_seconds in FILE must be a number, not datetime.date(2026, 1, 1)",
        ),
        ("conections = 5", "FILE: unknown setting 'conections'; did you mean connections?"),
        ('db = "x"', "FILE: unknown setting 'db'; did you mean database?"),
        ('log-format = "x"', "FILE: unknown setting 'log-format'; did you mean log?"),
        ("[network]\nconnections = 5", "FILE: unknown setting 'network'"),
        ("config = 5", "FILE: unknown setting 'config'"),
        ("connections =", "FILE is not a valid TOML file: Invalid value"),
        ("connections = 1\nconnections = 2", "FILE is not a valid TOML file: Cannot overwrite a value"),
    ],
)
def test_unknown_and_invalid_settings_in_files(tmp_path: Path, text: str, message: str) -> None:
    file = write_file(tmp_path, text)
    with pytest.raises(SettingError, match=re.escape(message.replace("FILE", file))):
        Config.read({"config": file}, {})


def test_unreadable_files(tmp_path: Path) -> None:
    missing, picture, huge = tmp_path / "missing.toml", tmp_path / "picture.png", tmp_path / "huge"
    picture.write_bytes(b"\x89PNG\xff")
    huge.write_bytes(b"#" * (2 << 20))
    for path, message in (
        (missing, "No such file"),
        (tmp_path, "directory"),
        (picture, "not a valid TOML"),
        (huge, "larger than"),
    ):
        with pytest.raises(SettingError, match=f"{re.escape(str(path))}.*{message}"):
            Config.read({"config": str(path)}, {})
    with pytest.raises(SettingError, match="null"):
        Config.read({"config": "a\0b"}, {})


def test_variables_that_kubernetes_sets_for_a_service_are_ignored() -> None:
    """https://kubernetes.io/docs/tutorials/services/connect-applications-service/#environment-variables."""
    names = ("SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_GRPC", "PORT", "PORT_50051_TCP", "PORT_50051_TCP_ADDR")
    assert Config.read({}, {f"BOARDKEEPER_{name}": "tcp://10.0.0.1:50051" for name in names}) == Config()


def test_the_server_accepts_every_variable_of_the_project(repository: Path) -> None:
    """A variable for the command line does not prevent the start of a server in the same shell."""
    folders = ("service", "clients/python", "clients/terminal", "domain", "bench")
    read = {
        name
        for folder in folders
        for source in (repository / folder).rglob("*.py")
        for name in re.findall(r"BOARDKEEPER_[A-Z_]*[A-Z]", source.read_text(encoding="utf-8"))
    }
    assert {"BOARDKEEPER_HOME", "BOARDKEEPER_OPERATOR_TOKEN", "BOARDKEEPER_CONFIG"} <= read
    for name in read - {about.variable for about in SETTINGS.values()}:
        try:
            Config.read({}, {name: "anything"})
        except SettingError as error:
            assert "there is no variable" not in str(error)  # noqa: PT017  # the file does not exist


# --- secrets -------------------------------------------------------------------------------------------------


def test_a_secret_can_be_in_a_separate_file(tmp_path: Path) -> None:
    secret = write_file(tmp_path, f"{TOKEN}\n")
    file = write_file(tmp_path, f'operator_token_file = "{secret}"', 0o644)
    assert Config.read({"operator_token_file": secret}, {}).operator_token == TOKEN
    assert Config.read({}, {"BOARDKEEPER_OPERATOR_TOKEN_FILE": secret}).operator_token == TOKEN
    found = Config.resolve({"config": file}, {})["operator_token"]
    assert (found.value, found.where) == (TOKEN, f"operator_token_file in {file}")
    other = Config.read({"config": file}, {"BOARDKEEPER_OPERATOR_TOKEN": "x" * 32})
    assert other.operator_token == "x" * 32


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize("mode", [0o604, 0o640, 0o660])
def test_a_secret_that_other_users_can_read_is_rejected(tmp_path: Path, mode: int) -> None:
    own = tmp_path / "own"  # a file of root may be readable for its group
    own.mkdir()
    secret = write_file(own, TOKEN, mode)
    if os.geteuid() == 0:
        os.chown(secret, 1, 1)
    with pytest.raises(SettingError, match=rf"other users have access to the secret in {secret}: .*chmod 600"):
        Config.read({"operator_token_file": secret}, {})
    file = write_file(own, f'operator_token = "{TOKEN}"', mode)
    if os.geteuid() == 0:
        os.chown(file, 1, 1)
    with pytest.raises(SettingError, match=rf"other users have access to the secrets in {file}"):
        Config.read({"config": file}, {})


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can make files of root")
def test_the_group_may_read_a_secret_of_root(tmp_path: Path) -> None:
    assert Config.read({"operator_token_file": write_file(tmp_path, TOKEN, 0o640)}, {}).operator_token == TOKEN
    for mode in (0o644, 0o660):
        with pytest.raises(SettingError, match="other users have access to"):
            Config.read({"operator_token_file": write_file(tmp_path, TOKEN, mode)}, {})


def test_files_without_a_valid_secret(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    for text, message in (("", "is empty"), ("x" * 5_000, "too long"), ("short", "at least 32 characters")):
        with pytest.raises(SettingError, match=f"--operator-token-file.*{message}"):
            Config.read({"operator_token_file": write_file(tmp_path, text)}, {})
    with pytest.raises(SettingError, match="from BOARDKEEPER_OPERATOR_TOKEN_FILE\\): No such file"):
        Config.read({}, {"BOARDKEEPER_OPERATOR_TOKEN_FILE": missing})
    with pytest.raises(SettingError, match=r"operator_token_file in .* must be the path of a file"):
        Config.read({"config": write_file(tmp_path, "operator_token_file = 5")}, {})


def test_a_secret_has_one_source() -> None:
    environment = {"BOARDKEEPER_OPERATOR_TOKEN": TOKEN, "BOARDKEEPER_OPERATOR_TOKEN_FILE": "/nowhere"}
    with pytest.raises(SettingError, match="BOARDKEEPER_OPERATOR_TOKEN and BOARDKEEPER_OPERATOR_TOKEN_FILE are both"):
        Config.read({}, environment)


def test_secrets_are_hidden_in_errors_and_reprs(tmp_path: Path) -> None:
    flags: dict[str, object] = {"operator_token": 12345}
    with pytest.raises(SettingError) as caught:
        Config.read(flags, {})
    assert "12345" not in str(caught.value)
    secret, database = write_file(tmp_path, TOKEN), "postgresql://me:pa55@host/games?password=pa55"
    found = Config.resolve({"operator_token_file": secret, "database": database}, {})
    shown = {record["setting"]: record["value"] for record in describe_settings(found)}
    assert shown["operator_token"] == "(hidden)"
    assert shown["database"] == "postgresql://me:(hidden)@host/games?password=(hidden)"
    assert not re.search(f"{TOKEN}|pa55", f"{found} {Config.from_values(found)}")
    assert "(hidden)" in repr(Config.from_values(found))
    found = Config.resolve({"database": "postgresql://me@host:5432/games"}, {})
    assert {record["setting"]: record["value"] for record in describe_settings(found)}["database"] == found[
        "database"
    ].value


# --- databases -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("database", "path"),
    [
        ("games.db", "games.db"),
        ("/var/games.db", "/var/games.db"),
        ("sqlite:///games.db", "games.db"),
        ("sqlite:////var/games%20one.db", "/var/games one.db"),
    ],
)
def test_paths_of_databases(database: str, path: str) -> None:
    assert sqlite_path(database) == Path(path)
