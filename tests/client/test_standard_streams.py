"""``-`` in place of a file, records converted by other programs, and ``python -m boardkeeper``."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from tests.client.conftest import PROGRAM, RunCommand

from boardkeeper.client import Client, NewGame
from boardkeeper.terminal import main

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]


@pytest.fixture
def run_with_input(environment: dict[str, str], tmp_path: Path) -> Any:
    """Run the command line with bytes as standard input and output."""

    def run(*arguments: str, standard_input: bytes = b"", program: tuple[str, ...] = tuple(PROGRAM)) -> Any:
        return subprocess.run(
            [*program, *arguments],
            cwd=tmp_path,
            env={**os.environ, **environment},
            input=standard_input,
            capture_output=True,
            timeout=200,
            check=False,
        )

    return run


def test_a_record_is_exported_to_standard_output(
    run_with_input: Any, address: str, finished_game: NewGame, record: Path, tmp_path: Path
) -> None:
    for flags in ((), ("--out", "-")):
        done = run_with_input("export", finished_game.game.game_id, *flags, "--server", address)
        assert (done.returncode, done.stdout, done.stderr) == (0, record.read_bytes(), b"")
    both = run_with_input("export", finished_game.game.game_id, "--out", "-", "--html", "-", "--server", address)
    assert (both.returncode, both.stdout) == (2, b"")
    assert b"only one result can go to standard output" in both.stderr
    assert not (tmp_path / "-").exists()


def test_a_record_is_read_from_standard_input(run_with_input: Any, record: Path, tmp_path: Path) -> None:
    data = record.read_bytes()
    for command in (("verify", "-"), ("keys", "-")):
        done = run_with_input(*command, standard_input=data)
        assert done.returncode == 0, done.stderr
    done = run_with_input("import", "-", "--db", "new.db", standard_input=data)
    assert b"does not exist" in done.stderr  # the record was read
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("demo", "--record", "-"), "the game log goes to standard output"),
        (("backup", "-"), "standard input or output"),
        (("restore", "-"), "standard input or output"),
        (("backup", "b", "--key-file", "-"), "standard input or output"),
        (("serve", "--db", "-"), "standard input or output"),
        (("serve", "--key-file", "-"), "standard input or output"),
        (("play", "--db", "-"), "standard input or output"),
        (("play", "--position", "-"), "standard input or output"),
        (("archive", "-", "--older-than", "1"), "standard input or output"),
        (("film", "4f1c", "--out", "-"), "standard input or output"),
        (("film", "4f1c", "--out", "x", "--apng", "-", "--json"), "only one result can go to standard output"),
        (("show", "4f1c", "--svg", "-", "--png", "-"), "only one result can go to standard output"),
        (("move", "--from", "-", "--to", "x.db"), "standard input or output"),
        (("check", "--checkpoint", "-"), "standard input or output"),
    ],
)
def test_no_command_creates_a_file_named_minus(
    run_in_process: RunCommand, tmp_path: Path, arguments: tuple[str, ...], problem: str
) -> None:
    result = run_in_process(*arguments)
    assert result.status == 2
    assert problem in result.err
    assert list(tmp_path.iterdir()) == []


def test_every_option_for_a_file_accepts_or_rejects_minus() -> None:
    """Add new options to ``accepts`` or ``rejects``."""
    accepts = {"--svg", "--png", "--apng", "--out", "--html", "files", "file"}
    rejects = {
        "--archive", "--ca-file", "--checkpoint", "--client-cert", "--client-key", "--config", "--db", "--from",
        "--key-file", "--operator-token-file", "--position", "--record", "--tls-certificate", "--tls-client-ca",
        "--tls-key", "--to", "folder",
    }  # fmt: skip
    context = click.Context(main.PROGRAM)
    commands = [
        command for name in main.PROGRAM.commands if (command := main.PROGRAM.get_command(context, name)) is not None
    ]
    named = {
        parameter.opts[-1]
        for command in commands
        for parameter in command.params
        if (parameter.metavar or "").strip("[].") in ("FILE", "FOLDER")
        or parameter.name in ("db", "database", "source", "target")
    }
    assert named == accepts | rejects


@pytest.mark.parametrize(
    ("convert", "problem"),
    [
        (lambda data: data.replace(b"\n", b"\r\n"), "has lines that end with CR LF"),
        (lambda data: b"\xef\xbb\xbf" + data, "begins with a byte order mark"),
        (lambda data: data.decode().encode("utf-16"), "was converted to UTF-16"),
        (lambda data: data.decode().encode("utf-16-le"), "was converted to UTF-16"),
        (lambda data: data.decode().encode("utf-16-be"), "was converted to UTF-16"),
        (gzip.compress, "is compressed with gzip: decompress the file"),
    ],
)
def test_errors_name_the_conversion_of_a_record(
    run_in_process: RunCommand, record: Path, address: str, convert: Callable[[bytes], bytes], problem: str
) -> None:
    record.write_bytes(convert(record.read_bytes()))
    verified = run_in_process("verify", record.name)
    assert verified.status == 5
    assert f"well-formed: line 1: the record {problem}" in verified.out
    for command in (("import", record.name, "--server", address), ("keys", record.name)):
        result = run_in_process(*command)
        assert result.status == 1
        assert result.err.startswith(f"boardkeeper: {record.name} {problem}")


def test_the_server_names_the_conversion_of_a_record(client: Client, record: Path) -> None:
    with pytest.raises(Exception, match="has lines that end with CR LF"):
        client.import_record(record.read_bytes().replace(b"\n", b"\r\n"))


def test_the_package_is_a_program(run_with_input: Any) -> None:
    done = run_with_input("--help", program=(sys.executable, "-m", "boardkeeper"))
    assert done.returncode == 0
    assert done.stdout.startswith(b"Usage: boardkeeper ")
