"""Games are found where they are: in one's own files, in a named file, at a service; also while they are played."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.client.conftest import NOBODY, PROGRAM, Ran
from tests.client.terminal import Terminal
from tests.service.storage.test_hash_chain import attack

from boardkeeper.client import Client, NewGame, person
from boardkeeper.service.process.server import running_service
from boardkeeper.service.storage.sqlite.lock import FileLock
from boardkeeper.terminal import local_server
from boardkeeper.terminal.local_server import DatabaseInUseError, server_of_file
from boardkeeper.terminal.saved_seats import SavedSeat, SeatFile
from boardkeeper.titles.orleans.commands import PlaceFollower

Run = Callable[..., Ran]

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]

ASKED = r"Anna, your move \(.*\): $"


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
        found = re.findall(r"(\d+) Own Farmer", screen)
        terminal.type(found[-1])
        terminal.wait_for(ASKED)
        return left(terminal)


def test_every_command_finds_ones_own_game(inside: Run, own: str, tmp_path: Path) -> None:
    short = own[:8]
    listed = inside("games")
    assert listed.status == 0
    assert f"No server is running at {NOBODY}." in listed.err
    assert re.search(rf"{own} +orleans +in progress", listed.out)
    (record,) = inside("games", "--json").records
    assert Path(record["database"]).parent == tmp_path / "home" / "games"
    version = int(record["version"])

    shown = inside("show", short)
    assert (shown.status, shown.err) == (0, "")
    assert f"version {version} / {version}" in shown.out
    watched = inside("watch", short, "--verbose")
    assert watched.status == 0
    assert "Anna places their own farmer" in watched.out
    assert f"boardkeeper play {own}" in watched.err
    exported = inside("export", short, "--out", "game.jsonl")
    assert "as seat 1 sees it" in exported.err
    verified = inside("verify", short)
    assert verified.status == 4  # nothing is wrong with a game that goes on, but its dice are still secret
    assert verified.out.startswith(f"{short}: orleans {own}, {version} events\n")
    assert verified.out.splitlines()[1:] == inside("verify", "game.jsonl").out.splitlines()[1:]
    assert int(inside("games", "--json").records[0]["version"]) == version  # looking has moved nobody

    forked = inside("fork", short, "--at", str(version), "--json").records[0]
    assert {record["game_id"] for record in inside("games", "--json").records} == {own, forked["game_id"]}
    undone = inside("undo", short)
    assert undone.status == 0
    assert "Anna places their own farmer" in undone.out


def test_a_game_of_ones_own_is_followed_while_it_is_played(inside: Run, environment: dict[str, str], own: str) -> None:
    with play(environment, own[:8]) as player:
        number = re.findall(r"(\d+) Own Boatman", player.wait_for(ASKED))[-1]
        with Terminal([*PROGRAM, "watch", own[:8], "--verbose"], environment) as watcher:
            watcher.wait_for("Anna places their own farmer")
            player.type(number)
            watcher.wait_for("Anna places their own boatman")
        assert re.search(rf"{own} +orleans +in progress", inside("games").out)
        player.wait_for(ASKED)
        with play(environment, "--resume") as second:  # the same seat, at the service of the first terminal
            assert "Anna places their own boatman" in second.wait_for(ASKED)


def test_what_is_known_of_places_is_said_where_nothing_is_found(inside: Run, address: str) -> None:
    nothing = inside("games")
    assert nothing.status == 3
    assert "you have no games of your own" in nothing.err
    lost = inside("show", "ffff")
    assert lost.status == 3
    assert f"no server is running at {NOBODY}" in lost.err
    lost = inside("show", "ffffffff", BOARDKEEPER_SERVER=address)
    assert lost.status == 1
    assert f"at {address} or in your own files" in lost.err


def test_a_service_and_ones_own_games_are_listed_and_searched_alike(
    inside: Run, own: str, address: str, ended: NewGame
) -> None:
    listed = inside("games", BOARDKEEPER_SERVER=address)
    assert listed.out.index(f"{address}\n") < listed.out.index(ended.game.game_id) < listed.out.index(own)
    records = inside("games", "--json", BOARDKEEPER_SERVER=address).records
    assert {record["game_id"]: record.get("server") for record in records} == {
        **{record["game_id"]: address for record in records},
        own: None,
    }
    for game in (own, ended.game.game_id):
        assert inside("show", game[:13], BOARDKEEPER_SERVER=address).status == 0
    assert own not in inside("games", "--server", address).out
    refused = inside("show", own, "--server", address)
    assert refused.status == 1
    assert "boardkeeper games" in refused.err


def test_ones_own_games_are_found_without_the_book_of_seats(inside: Run, own: str, environment: dict[str, str]) -> None:
    (Path(environment["BOARDKEEPER_HOME"]) / "seats.jsonl").unlink()
    (Path(environment["BOARDKEEPER_HOME"]) / "games" / "letter.db").write_text("This is a letter. " * 50)
    shown = inside("show", own[:8])
    assert shown.status == 0
    assert "letter.db" in shown.err
    listed = inside("games")
    assert listed.status == 1  # something was left out
    assert own in listed.out
    assert "letter.db" in listed.err


@pytest.mark.parametrize("served", [False, True])
def test_a_database_file_is_named_with_or_without_its_service(inside: Run, tmp_path: Path, served: bool) -> None:
    path = tmp_path / "games.db"
    with running_service(path) as address, Client(address) as client:
        anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")]).seats
        version = anna.submit(PlaceFollower("own_farmer", "ship", "farmer")).version
        if served:
            _ask_the_file(inside, anna.game_id, version, f"is in use by the server at {address}")
    if not served:
        _ask_the_file(inside, anna.game_id, version, "")


def _ask_the_file(inside: Run, game: str, version: int, said: str) -> None:
    db = ("--db", "games.db")
    (record,) = inside("games", "--json", *db).records
    assert (record["game_id"], int(record["version"])) == (game, version)
    for arguments in (("show", game[:4]), ("watch", game[:4]), ("export", game), ("titles",)):
        if arguments[0] == "watch" and said:
            continue  # it would go on as the game does
        ran = inside(*arguments, *db)
        assert ran.status == 0
        assert said in ran.err
    assert inside("verify", game[:4], *db).status == 4
    refused = inside("undo", game, *db)
    assert refused.status == 1
    assert "you hold no seat" in refused.err
    assert inside("fork", game, *db).status == 0


def test_a_file_that_is_not_there_is_not_made(inside: Run, tmp_path: Path) -> None:
    for arguments in (("games",), ("show", "4f1c"), ("play", "4f1c"), ("undo", "4f1c"), ("verify", "4f1c")):
        ran = inside(*arguments, "--db", "none.db")
        assert ran.status == (5 if "verify" in arguments else 1)
        assert ran.err == f"boardkeeper: the file {tmp_path / 'none.db'} does not exist.\n"
    assert list(tmp_path.iterdir()) == []
    assert inside("games", "--db", "oracle://x").status == 2
    assert inside("games", "--db", "x", "--server", NOBODY).status == 2


def test_a_game_can_be_kept_in_a_file_that_is_named(inside: Run, environment: dict[str, str], tmp_path: Path) -> None:
    with play(environment, "--players", "2", "--open", "1", "--db", str(tmp_path / "mine.db")) as terminal:
        invitation = terminal.wait_for(r"--join\n").split("boardkeeper ")[-1].split()
        assert invitation[-3:-1] == ["--db", str(tmp_path / "mine.db")]
        friend = {**environment, "BOARDKEEPER_HOME": str(tmp_path / "friend")}
        with Terminal([*PROGRAM, *invitation, "--name", "Ben"], friend) as ben:
            ben.wait_for(r"Ben, your move \(.*\): $")
        terminal.wait_for(ASKED)
        game = left(terminal)
    assert game in inside("games", "--db", "mine.db").out
    assert inside("show", game[:8]).status == 0  # the book of seats knows where it is


def test_titles_need_no_service(inside: Run) -> None:
    ran = inside("titles")
    said = f"no server is running at {NOBODY}; these are the titles that are installed here.\n"
    assert (ran.status, ran.err) == (0, said)
    assert ran.out.startswith("orleans")


def test_a_file_whose_process_says_nothing_is_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command may have it for a moment; one that keeps it is named."""
    path = tmp_path / "games.db"
    monkeypatch.setattr(local_server, "_MOMENT", 0.0)
    lock = FileLock(path)
    with pytest.raises(DatabaseInUseError, match=r"is in use by process \d+.*--server"), server_of_file(str(path)):
        pass
    lock.record_address("0.0.0.0:50051")
    told: list[str] = []
    with server_of_file(str(path), report=told.append) as reached:
        assert (reached.address, reached.is_own) == ("127.0.0.1:50051", False)
    assert told == [f"{path} is in use by the server at 127.0.0.1:50051; using that server."]
    lock.release()


@pytest.mark.parametrize("served", [False, True])
def test_a_damaged_game_is_damaged_wherever_it_is_met(
    inside: Run, environment: dict[str, str], tmp_path: Path, served: bool
) -> None:
    path = tmp_path / "games.db"
    with running_service(path) as address, Client(address) as client:
        anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")]).seats
        bad = anna.submit(PlaceFollower("own_farmer", "ship", "farmer")).version
        last = anna.submit(PlaceFollower("own_boatman", "ship", "boatman")).version
    game, hexes = anna.game_id, anna.game_id.replace("-", "")
    attack(path, f"UPDATE stored_events SET topic='x' WHERE originator_id='{hexes}' AND originator_version={bad}")
    book = SeatFile(Path(environment["BOARDKEEPER_HOME"]))
    if not served:
        book.add(SavedSeat(game, 1, anna.token, "", str(path)))
        _meet_damage(inside, ("--db", "games.db"), game, bad, last)
        return
    with running_service(path) as address:
        book.add(SavedSeat(game, 1, anna.token, address, ""))
        _meet_damage(inside, ("--server", address), game, bad, last)


def _meet_damage(inside: Run, place: tuple[str, str], game: str, bad: int, last: int) -> None:
    said = f"damaged from version {bad} on"
    shown = inside("show", game, *place)
    assert f"version {bad - 1} / {last}" in shown.out
    assert said in shown.err
    watched = inside("watch", game, "--json", *place)
    assert [int(event["version"]) for event in watched.records] == list(range(1, bad))
    assert watched.status == 1
    for arguments in (
        ("play", game),
        ("undo", game),
        ("export", game),
        ("show", game, "--at", str(bad)),
        ("watch", game, "--after", str(bad)),
        ("fork", game, "--at", str(last)),
    ):
        refused = inside(*arguments, *place)
        assert refused.status == 1
        assert said in refused.err, arguments
    (record,) = inside("games", "--json", *place).records
    assert record["damaged_version"] == str(bad)
    assert re.search(rf"{game} +orleans +damaged from version {bad} ", inside("games", *place).out)
    assert re.search(rf"{game} +orleans +beschädigt ab Version {bad} ", inside("games", "--language", "de", *place).out)


def test_games_that_are_begun_in_the_same_second_have_files_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDKEEPER_HOME", str(tmp_path))
    monkeypatch.setattr(local_server, "datetime", SimpleNamespace(now=lambda: datetime(2026, 11, 23, tzinfo=UTC)))
    names = {local_server.new_database() for _ in range(20)}
    assert len(names) == 20
