"""A file of release 0.1.0: opened by this release, played, moved to PostgreSQL, and upgraded as documented.

A service of that release created ``tests/service/released/v0.1.0``: a game with an open seat, a running one with a
granted and a requested undo, one with a bot, an ended one, an imported one and a fork.
"""

from __future__ import annotations

import contextlib
import hashlib
import lzma
import re
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from boardkeeper.client import Client, Seat
from boardkeeper.service.errors import StartupError
from boardkeeper.service.process.server import running_service
from boardkeeper.service.storage.admin import check_database
from boardkeeper.service.storage.backups import back_up, restore
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.reports import CheckedGame
from boardkeeper.service.storage.schema import newest
from boardkeeper.terminal.main import main

RELEASED = Path(__file__).parents[1] / "released" / "v0.1.0"
OPERATOR = "an operator token that only these tests use"

Games = dict[str, dict[str, Any]]
OLD_GAMES: Games = msgspec.json.decode((RELEASED / "games.json").read_bytes())["games"]
"""The answers of that release about the games, and the SHA-256 of their records."""


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """The unpacked file."""
    return unpack(tmp_path)


def unpack(folder: Path) -> Path:
    """Unpack the file and its key into a folder."""
    file = folder / "games.db"
    file.write_bytes(lzma.decompress((RELEASED / "games.db.xz").read_bytes()))
    key = folder / "games.db.key"
    key.write_text(msgspec.json.decode((RELEASED / "games.json").read_bytes())["key"])
    key.chmod(0o600)
    return file


@contextlib.contextmanager
def serve(database: Path | str, **settings: Any) -> Iterator[Client]:
    with (
        running_service(database, operator_token=OPERATOR, **settings) as address,
        Client(address, retry_timeout=10.0) as client,
    ):
        yield client


def seats_with_tokens(client: Client, name: str) -> list[Seat]:
    """Return the seats of a game that had players, with their old tokens."""
    game = OLD_GAMES[name]
    return [client.seat(game["game"], int(seat), token) for seat, token in game["tokens"].items()]


def check_unchanged(client: Client) -> None:
    for old in OLD_GAMES.values():
        game = client.game(old["game"])
        assert (game.status, [seat.name for seat in game.seats], game.HasField("undo_vote")) == (
            old["status"],
            old["seats"],
            old["vote"],
        )
        assert game.version == old["version"]
        record = client.record(old["game"], token=OPERATOR)
        assert hashlib.sha256(record).hexdigest() == old["record"]


def submit_first_legal(seat: Seat, command_id: str) -> None:
    legal = seat.legal_commands()
    seat.submit(legal.commands[0].command, command_id=command_id)


def check_games_continue(client: Client) -> None:
    """Use the old tokens for votes, repeated commands and new commands; play against a bot and join an open seat."""
    running = seats_with_tokens(client, "running")
    vote = client.game(OLD_GAMES["running"]["game"]).undo_vote
    deciding = next(seat for seat in running if seat.legal_commands().commands)
    assert running[0].submit(deciding.legal_commands().commands[0].command, command_id="r-0").repeated
    client.answer_undo(running[1], vote.request_version, consent=False, command_id="no")
    submit_first_legal(next(seat for seat in running if seat.legal_commands().commands), "on")
    (ada,) = seats_with_tokens(client, "with_bot")
    submit_first_legal(ada, "on")
    bob = client.join(OLD_GAMES["open"]["game"], "Bob")
    assert bob.game().status == OLD_GAMES["running"]["status"]
    submit_first_legal(bob, "on")


@pytest.mark.sqlite_only
def test_every_game_is_unchanged(released: Path) -> None:
    with serve(released, read_only=True) as client:
        check_unchanged(client)
        assert {game.game_id for game in client.games()} == {old["game"] for old in OLD_GAMES.values()}
    found = [it for it in check_database(str(released)) if isinstance(it, CheckedGame)]
    assert [game.damage for game in found] == [None] * len(OLD_GAMES)


@pytest.mark.sqlite_only
def test_games_continue(released: Path) -> None:
    with serve(released) as client:
        check_games_continue(client)
        for old in OLD_GAMES.values():
            assert not client.verify_game(old["game"], token=OPERATOR).problems


@pytest.mark.postgres
def test_the_file_is_moved_to_postgresql(released: Path, empty_database: str, tmp_path: Path) -> None:
    key = tmp_path / "shared.key"
    assert main(["move", "--from", str(released), "--to", empty_database, "--key-file", str(key)]) == 1
    open_database(released).close()
    assert main(["move", "--from", str(released), "--to", empty_database, "--key-file", str(key)]) == 0
    with serve(empty_database, key_file=str(key), read_only=True) as client:
        check_unchanged(client)
    with serve(empty_database, key_file=str(key)) as client:
        check_games_continue(client)


def test_a_downgrade_is_rejected_and_needs_a_backup(released: Path, tmp_path: Path) -> None:
    """Every release compares the schema number of the file with its own."""
    before = released.read_bytes()
    backup = back_up(str(released), tmp_path / "before.backup").path
    assert released.read_bytes() == before  # the backup does not upgrade it
    open_database(released).close()
    with closing(sqlite3.connect(released)) as file:
        ((new_schema,),) = file.execute("PRAGMA user_version").fetchall()
        old_schema = schema_of(before, tmp_path)
        assert old_schema < new_schema == newest()
        file.execute(f"PRAGMA user_version={newest() + 1}")
    with pytest.raises(StartupError, match=r"was written by a newer Boardkeeper \(table schema"):
        open_database(released)
    restored = tmp_path / "restored" / "games.db"
    restored.parent.mkdir()
    restore(backup, str(restored), released.with_name("games.db.key"))
    with closing(sqlite3.connect(restored)) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (old_schema,)


def schema_of(data: bytes, folder: Path) -> int:
    copy = folder / "copy.db"
    copy.write_bytes(data)
    with closing(sqlite3.connect(copy)) as file:
        ((version,),) = file.execute("PRAGMA user_version").fetchall()
    return int(version)


def test_the_documented_upgrade_commands_work(
    released: Path, tmp_path: Path, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (repository / "docs" / "operations.md").read_text(encoding="utf-8")
    _, _, section = text.partition("\n## Upgrade\n")
    block = re.search(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert block is not None
    lines = [shlex.split(line, comments=True) for line in block[1].splitlines()]
    replacements = {
        "/var/lib/boardkeeper/games.db": str(released),
        "/backups/before.backup": str(tmp_path / "before.backup"),
    }
    ran = []
    with contextlib.ExitStack() as running:
        for program, *arguments in filter(None, lines):
            if (program, arguments[0]) == ("systemctl", "start"):
                address = running.enter_context(running_service(released))
                replacements["localhost:8051"] = address
            elif program == "boardkeeper":
                replaced = [replacements.get(argument, argument) for argument in arguments]
                assert main(replaced) == 0, capsys.readouterr().err
                ran.append(arguments[0])
    assert ran == ["backup", "backup", "check", "health"]
    printed = capsys.readouterr().out
    assert f"{len(OLD_GAMES)} games, " in printed
    assert printed.endswith("SERVING\n")
