"""A file as release 0.1.0 wrote it: opened by this one, played on, moved to PostgreSQL, and upgraded as the docs say.

``tests/service/released/v0.1.0`` was made by a service of that release: a game with a free seat, a running one with an
undo that was granted and one that is asked for, one with a bot, one that has ended, one that was imported, and a fork.
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
OPERATOR = "an operator of these tests, nobody else"

Games = dict[str, dict[str, Any]]
TOLD: Games = msgspec.json.decode((RELEASED / "games.json").read_bytes())["games"]
"""What that release said of the games, and the SHA-256 of the records that it handed out of them."""


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """The file, with its key beside it."""
    return unpack(tmp_path)


def unpack(folder: Path) -> Path:
    """The file in a folder, with its key beside it."""
    file = folder / "games.db"
    file.write_bytes(lzma.decompress((RELEASED / "games.db.xz").read_bytes()))
    key = folder / "games.db.key"
    key.write_text(msgspec.json.decode((RELEASED / "games.json").read_bytes())["key"])
    key.chmod(0o600)
    return file


@contextlib.contextmanager
def served(database: Path | str, **settings: Any) -> Iterator[Client]:
    with (
        running_service(database, operator_token=OPERATOR, **settings) as address,
        Client(address, retry_timeout=10.0) as client,
    ):
        yield client


def seats(client: Client, name: str) -> list[Seat]:
    """Those that somebody held when the file was made, with the tokens of then."""
    game = TOLD[name]
    return [client.seat(game["game"], int(seat), token) for seat, token in game["tokens"].items()]


def assert_as_then(client: Client) -> None:
    for told in TOLD.values():
        game = client.game(told["game"])
        assert (game.status, [seat.name for seat in game.seats], game.HasField("undo_vote")) == (
            told["status"],
            told["seats"],
            told["vote"],
        )
        assert game.version == told["version"]
        record = client.record(told["game"], token=OPERATOR)
        assert hashlib.sha256(record).hexdigest() == told["record"]


def step(seat: Seat, command_id: str) -> None:
    legal = seat.legal_commands()
    seat.submit(legal.commands[0].command, command_id=command_id)


def assert_played_on(client: Client) -> None:
    """Everybody goes on with the token of then: votes, seats that were free, bots, commands that were answered."""
    running = seats(client, "running")
    vote = client.game(TOLD["running"]["game"]).undo_vote
    deciding = next(seat for seat in running if seat.legal_commands().commands)
    assert running[0].submit(deciding.legal_commands().commands[0].command, command_id="r-0").repeated
    client.answer_undo(running[1], vote.request_version, consent=False, command_id="no")
    step(next(seat for seat in running if seat.legal_commands().commands), "on")
    (ada,) = seats(client, "with_bot")
    step(ada, "on")
    bob = client.join(TOLD["open"]["game"], "Bob")
    assert bob.game().status == TOLD["running"]["status"]
    step(bob, "on")


@pytest.mark.sqlite_only
def test_every_game_is_as_it_was(released: Path) -> None:
    with served(released, read_only=True) as client:
        assert_as_then(client)
        assert {game.game_id for game in client.games()} == {told["game"] for told in TOLD.values()}
    found = [it for it in check_database(str(released)) if isinstance(it, CheckedGame)]
    assert [game.damage for game in found] == [None] * len(TOLD)


@pytest.mark.sqlite_only
def test_games_are_played_on(released: Path) -> None:
    with served(released) as client:
        assert_played_on(client)
        for told in TOLD.values():
            assert not client.verify_game(told["game"], token=OPERATOR).problems


@pytest.mark.postgres
def test_it_moves_to_postgresql(released: Path, empty_database: str, tmp_path: Path) -> None:
    key = tmp_path / "shared.key"
    assert main(["move", "--from", str(released), "--to", empty_database, "--key-file", str(key)]) == 1
    open_database(released).close()
    assert main(["move", "--from", str(released), "--to", empty_database, "--key-file", str(key)]) == 0
    with served(empty_database, key_file=str(key), read_only=True) as client:
        assert_as_then(client)
    with served(empty_database, key_file=str(key)) as client:
        assert_played_on(client)


def test_going_back_is_refused_and_a_backup_from_before_is_the_way(released: Path, tmp_path: Path) -> None:
    """What keeps an older service from a newer file is the number in it, which every release compares."""
    before = released.read_bytes()
    backup = back_up(str(released), tmp_path / "before.backup").path
    assert released.read_bytes() == before  # no upgrade on the way
    open_database(released).close()
    with closing(sqlite3.connect(released)) as file:
        ((now,),) = file.execute("PRAGMA user_version").fetchall()
        then = schema_of(before, tmp_path)
        assert then < now == newest()
        file.execute(f"PRAGMA user_version={newest() + 1}")
    with pytest.raises(StartupError, match=r"was written by a newer Boardkeeper \(table schema"):
        open_database(released)
    again = tmp_path / "again" / "games.db"
    again.parent.mkdir()
    restore(backup, str(again), released.with_name("games.db.key"))
    with closing(sqlite3.connect(again)) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (then,)


def schema_of(data: bytes, folder: Path) -> int:
    copy = folder / "then.db"
    copy.write_bytes(data)
    with closing(sqlite3.connect(copy)) as file:
        ((version,),) = file.execute("PRAGMA user_version").fetchall()
    return int(version)


def test_the_steps_of_the_docs_can_be_typed(
    released: Path, tmp_path: Path, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Back up, stop, start, check: every command of ours is run in their order, on a file of 0.1.0."""
    text = (repository / "docs" / "operations.md").read_text(encoding="utf-8")
    _, _, section = text.partition("\n## Upgrade\n")
    block = re.search(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert block is not None
    lines = [shlex.split(line, comments=True) for line in block[1].splitlines()]
    places = {"/var/lib/boardkeeper/games.db": str(released), "/backups/before.backup": str(tmp_path / "before.backup")}
    ran = []
    with contextlib.ExitStack() as running:
        for program, *arguments in filter(None, lines):
            if (program, arguments[0]) == ("systemctl", "start"):
                address = running.enter_context(running_service(released))
                places["localhost:8051"] = address
            elif program == "boardkeeper":
                typed = [places.get(argument, argument) for argument in arguments]
                assert main(typed) == 0, capsys.readouterr().err
                ran.append(arguments[0])
    assert ran == ["backup", "backup", "check", "health"]
    said = capsys.readouterr().out
    assert f"{len(TOLD)} games, " in said
    assert said.endswith("SERVING\n")
