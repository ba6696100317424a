"""Games are found where they are: in one's own files, in a file that is named, at a service; also while they are played."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.client.conftest import NOBODY, PROGRAM, Ran
from tests.client.terminal import Terminal
from tests.service.test_chain import attack

from boardkeeper.client import Client, NewGame, bot, person
from boardkeeper.client.cli.local import FileInUse, service_on
from boardkeeper.service.server import running_service
from boardkeeper.service.storage.lock import FileLock
from boardkeeper.titles.orleans.commands import PlaceFollower

Run = Callable[..., Ran]

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]

ASKED = r"Anna, choose \(.*\): $"


def play(environment: dict[str, str], *arguments: str) -> Terminal:
    return Terminal([*PROGRAM, "play", "--name", "Anna", *arguments], environment)


def left(terminal: Terminal) -> str:
    """Leave the table; the game's id."""
    terminal.type("q")
    screen = terminal.wait_for(r"boardkeeper play \S+\n")
    assert terminal.process.wait(timeout=60) == 0
    return screen.split()[-1]


@pytest.fixture
def own(environment: dict[str, str]) -> str:
    """A game of one's own with one follower placed."""
    with play(environment, "--players", "2") as terminal:
        screen = terminal.wait_for(ASKED)
        found = re.findall(r"(\d+) Farmer\*", screen)
        terminal.type(found[-1])
        terminal.wait_for(ASKED)
        return left(terminal)


def test_every_command_finds_ones_own_game(boardkeeper: Run, own: str, tmp_path: Path) -> None:
    short = own[:8]
    listed = boardkeeper("games")
    assert listed.status == 0
    assert f"No service listens at {NOBODY}." in listed.err
    assert re.search(rf"{own} +orleans +running", listed.out)
    (record,) = boardkeeper("games", "--json").records
    assert Path(record["database"]).parent == tmp_path / "home" / "games"
    version = int(record["version"])

    shown = boardkeeper("show", short)
    assert (shown.status, shown.err) == (0, "")
    assert f"version {version} / {version}" in shown.out
    watched = boardkeeper("watch", short, "--verbose")
    assert watched.status == 0
    assert "Anna places the marked farmer" in watched.out
    assert f"boardkeeper play {own}" in watched.err
    exported = boardkeeper("export", short, "--out", "game.jsonl")
    assert "as seat 1 may know it" in exported.err
    verified = boardkeeper("verify", short)
    assert verified.status == 4  # nothing is wrong with a game that goes on, but its dice are still secret
    assert verified.out.startswith(f"{short}: orleans {own}, {version} events\n")
    assert verified.out.splitlines()[1:] == boardkeeper("verify", "game.jsonl").out.splitlines()[1:]
    assert int(boardkeeper("games", "--json").records[0]["version"]) == version  # looking has moved nobody

    forked = boardkeeper("fork", short, "--at", str(version), "--json").records[0]
    assert {record["game_id"] for record in boardkeeper("games", "--json").records} == {own, forked["game_id"]}
    undone = boardkeeper("undo", short)
    assert undone.status == 0
    assert "Anna places the marked farmer" in undone.out


def test_a_game_of_ones_own_is_followed_while_it_is_played(
    boardkeeper: Run, environment: dict[str, str], own: str
) -> None:
    with play(environment, own[:8]) as player:
        number = re.findall(r"(\d+) Boatman\*", player.wait_for(ASKED))[-1]
        with Terminal([*PROGRAM, "watch", own[:8], "--verbose"], environment) as watcher:
            watcher.wait_for("Anna places the marked farmer")
            player.type(number)
            watcher.wait_for("Anna places the marked boatman")
        assert re.search(rf"{own} +orleans +running", boardkeeper("games").out)
        player.wait_for(ASKED)
        with play(environment, "--resume") as second:  # the same seat, at the service of the first terminal
            assert "Anna places the marked boatman" in second.wait_for(ASKED)


def test_what_is_known_of_places_is_said_where_nothing_is_found(boardkeeper: Run, address: str) -> None:
    nothing = boardkeeper("games")
    assert nothing.status == 3
    assert "you have no games of your own" in nothing.err
    lost = boardkeeper("show", "ffff")
    assert lost.status == 3
    assert f"no service listens at {NOBODY}" in lost.err
    lost = boardkeeper("show", "ffffffff", BOARDKEEPER_SERVER=address)
    assert lost.status == 1
    assert f"neither at {address} nor in your own files" in lost.err
    assert boardkeeper("show", "…").status == 2


def test_a_service_and_ones_own_games_are_listed_and_searched_alike(
    boardkeeper: Run, own: str, address: str, ended: NewGame
) -> None:
    listed = boardkeeper("games", BOARDKEEPER_SERVER=address)
    assert listed.out.index(f"{address}\n") < listed.out.index(ended.game.game_id) < listed.out.index(own)
    records = boardkeeper("games", "--json", BOARDKEEPER_SERVER=address).records
    assert {record["game_id"]: record.get("server") for record in records} == {
        **{record["game_id"]: address for record in records},
        own: None,
    }
    for game in (own, ended.game.game_id):
        assert boardkeeper("show", game[:13], BOARDKEEPER_SERVER=address).status == 0
    assert own not in boardkeeper("games", "--server", address).out
    refused = boardkeeper("show", own, "--server", address)
    assert refused.status == 1
    assert "boardkeeper games" in refused.err


def test_ones_own_games_are_found_without_the_book_of_seats(
    boardkeeper: Run, own: str, environment: dict[str, str]
) -> None:
    (Path(environment["BOARDKEEPER_HOME"]) / "seats.jsonl").unlink()
    (Path(environment["BOARDKEEPER_HOME"]) / "games" / "letter.db").write_text("This is a letter. " * 50)
    shown = boardkeeper("show", own[:8])
    assert shown.status == 0
    assert "letter.db" in shown.err
    listed = boardkeeper("games")
    assert listed.status == 1  # something was left out
    assert own in listed.out
    assert "letter.db is not a database" in listed.err


@pytest.mark.parametrize("served", [False, True])
def test_a_database_file_is_named_with_or_without_its_service(boardkeeper: Run, tmp_path: Path, served: bool) -> None:
    path = tmp_path / "games.db"
    with running_service(path) as address, Client(address) as client:
        anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")]).seats
        version = anna.submit(PlaceFollower("own_farmer", "ship", "farmer")).version
        if served:
            _ask_the_file(boardkeeper, anna.game_id, version, f"is served at {address}")
    if not served:
        _ask_the_file(boardkeeper, anna.game_id, version, "")


def _ask_the_file(boardkeeper: Run, game: str, version: int, said: str) -> None:
    db = ("--db", "games.db")
    (record,) = boardkeeper("games", "--json", *db).records
    assert (record["game_id"], int(record["version"])) == (game, version)
    for arguments in (("show", game[:4]), ("watch", game[:4]), ("export", game), ("titles",)):
        if arguments[0] == "watch" and said:
            continue  # it would go on as the game does
        ran = boardkeeper(*arguments, *db)
        assert ran.status == 0
        assert said in ran.err
    assert boardkeeper("verify", game[:4], *db).status == 4
    refused = boardkeeper("undo", game, *db)
    assert refused.status == 1
    assert "you hold no seat" in refused.err
    assert boardkeeper("fork", game, *db).status == 0


def test_a_file_that_is_not_there_is_not_made(boardkeeper: Run, tmp_path: Path) -> None:
    for arguments in (("games",), ("show", "4f1c"), ("play", "4f1c"), ("undo", "4f1c"), ("verify", "4f1c")):
        ran = boardkeeper(*arguments, "--db", "none.db")
        assert ran.status == 1
        assert ran.err == f"boardkeeper: there is no file {tmp_path / 'none.db'}.\n"
    assert list(tmp_path.iterdir()) == []
    assert boardkeeper("games", "--db", "oracle://x").status == 2
    assert boardkeeper("games", "--db", "x", "--server", NOBODY).status == 2


def test_a_game_can_be_kept_in_a_file_that_is_named(
    boardkeeper: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    with play(environment, "--players", "2", "--open", "1", "--db", str(tmp_path / "mine.db")) as terminal:
        invitation = terminal.wait_for(r"--join\n").split("boardkeeper ")[-1].split()
        assert invitation[-3:-1] == ["--db", str(tmp_path / "mine.db")]
        friend = {**environment, "BOARDKEEPER_HOME": str(tmp_path / "friend")}
        with Terminal([*PROGRAM, *invitation, "--name", "Ben"], friend) as ben:
            ben.wait_for(r"Ben, choose \(.*\): $")
        terminal.wait_for(ASKED)
        game = left(terminal)
    assert game in boardkeeper("games", "--db", "mine.db").out
    assert boardkeeper("show", game[:8]).status == 0  # the book of seats knows where it is


def test_titles_need_no_service(boardkeeper: Run) -> None:
    ran = boardkeeper("titles")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("orleans")


def test_a_file_whose_process_says_nothing_is_in_use(tmp_path: Path) -> None:
    """A command may have it for a moment; one that keeps it is named."""
    path = tmp_path / "games.db"
    lock = FileLock(path)
    with pytest.raises(FileInUse, match=r"is in use by process \d+.*--server"), service_on(str(path)):
        pass
    lock.served_at("0.0.0.0:50051")
    told: list[str] = []
    with service_on(str(path), tell=told.append) as reached:
        assert (reached.address, reached.is_own) == ("127.0.0.1:50051", False)
    assert told == [f"{path} is served at 127.0.0.1:50051, and is asked for there."]
    lock.release()


def test_a_damaged_game_is_listed_as_damaged(boardkeeper: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with running_service(path) as address, Client(address) as client:
        game = client.create_game("orleans", [person("Anna"), bot()]).game.game_id
    hexes = game.replace("-", "")
    attack(path, f"UPDATE stored_events SET topic='x' WHERE originator_id='{hexes}' AND originator_version=3")
    assert re.search(rf"{game} +orleans +damaged from 3 ", boardkeeper("games", "--db", "games.db").out)
    listed = boardkeeper("games", "--db", "games.db", "--language", "de")
    assert re.search(rf"{game} +orleans +beschädigt ab 3 ", listed.out)
    (record,) = boardkeeper("games", "--db", "games.db", "--json").records
    assert record["damaged_version"] == "3"
    assert json.dumps(record)
