"""Commands find games in own files, in a named file and on a server, also while they are played."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.client.conftest import NO_SERVER, PROGRAM, RunCommand
from tests.client.terminal import PROMPT, Terminal, play_as_anna
from tests.service.storage.test_hash_chain import execute_without_triggers

from boardkeeper.client import Client, NewGame, person
from boardkeeper.service.process.server import running_service
from boardkeeper.service.storage.sqlite.lock import FileLock
from boardkeeper.terminal import local_server
from boardkeeper.terminal.local_server import DatabaseInUseError, server_of_file
from boardkeeper.terminal.saved_seats import SavedSeat, SeatFile
from boardkeeper.titles.orleans.commands import PlaceFollower

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]


def leave(terminal: Terminal) -> str:
    """Leave the table; return the game's id."""
    terminal.type("q")
    screen = terminal.wait_for(r"boardkeeper play \S+\n")
    assert terminal.process.wait(timeout=60) == 0
    return screen.split()[-1]


@pytest.fixture
def own_game(environment: dict[str, str]) -> str:
    """The id of an own game with one placed follower."""
    with play_as_anna(environment, "--players", "2") as terminal:
        screen = terminal.wait_for(PROMPT)
        found = re.findall(r"(\d+) Own Farmer", screen)
        terminal.type(found[-1])
        terminal.wait_for(PROMPT)
        return leave(terminal)


def test_every_command_finds_an_own_game(run_in_process: RunCommand, own_game: str, tmp_path: Path) -> None:
    short = own_game[:8]
    listed = run_in_process("games")
    assert listed.status == 0
    assert f"No server is running at {NO_SERVER}." in listed.err
    assert re.search(rf"{own_game} +orleans +in progress", listed.out)
    (record,) = run_in_process("games", "--json").records
    assert Path(record["database"]).parent == tmp_path / "home" / "games"
    version = int(record["version"])

    shown = run_in_process("show", short)
    assert (shown.status, shown.err) == (0, "")
    assert f"version {version} / {version}" in shown.out
    watched = run_in_process("watch", short, "--verbose")
    assert watched.status == 0
    assert "Anna places their own farmer" in watched.out
    assert f"boardkeeper play {own_game}" in watched.err
    exported = run_in_process("export", short, "--out", "game.jsonl")
    assert "as seat 1 sees it" in exported.err
    verified = run_in_process("verify", short)
    assert verified.status == 4  # the dice of a running game are still secret
    assert verified.out.startswith(f"{short}: orleans {own_game}, {version} events\n")
    assert verified.out.splitlines()[1:] == run_in_process("verify", "game.jsonl").out.splitlines()[1:]
    # Reading commands do not change the game.
    assert int(run_in_process("games", "--json").records[0]["version"]) == version

    forked = run_in_process("fork", short, "--at", str(version), "--json").records[0]
    assert {record["game_id"] for record in run_in_process("games", "--json").records} == {own_game, forked["game_id"]}
    undone = run_in_process("undo", short)
    assert undone.status == 0
    assert "Anna places their own farmer" in undone.out


def test_an_own_game_is_watched_while_it_is_played(
    run_in_process: RunCommand, environment: dict[str, str], own_game: str
) -> None:
    with play_as_anna(environment, own_game[:8]) as player:
        number = re.findall(r"(\d+) Own Boatman", player.wait_for(PROMPT))[-1]
        with Terminal([*PROGRAM, "watch", own_game[:8], "--verbose"], environment) as watcher:
            watcher.wait_for("Anna places their own farmer")
            player.type(number)
            watcher.wait_for("Anna places their own boatman")
        assert re.search(rf"{own_game} +orleans +in progress", run_in_process("games").out)
        player.wait_for(PROMPT)
        with play_as_anna(environment, "--resume") as second:  # the same seat, on the server of the first terminal
            assert "Anna places their own boatman" in second.wait_for(PROMPT)


def test_errors_for_unknown_games_name_the_searched_places(run_in_process: RunCommand, address: str) -> None:
    nothing = run_in_process("games")
    assert nothing.status == 3
    assert "you have no games of your own" in nothing.err
    lost = run_in_process("show", "ffff")
    assert lost.status == 3
    assert f"no server is running at {NO_SERVER}" in lost.err
    lost = run_in_process("show", "ffffffff", BOARDKEEPER_SERVER=address)
    assert lost.status == 1
    assert f"at {address} or in your own files" in lost.err


def test_games_of_a_server_and_own_games_are_listed_and_found(
    run_in_process: RunCommand, own_game: str, address: str, finished_game: NewGame
) -> None:
    listed = run_in_process("games", BOARDKEEPER_SERVER=address)
    assert listed.out.index(f"{address}\n") < listed.out.index(finished_game.game.game_id) < listed.out.index(own_game)
    records = run_in_process("games", "--json", BOARDKEEPER_SERVER=address).records
    assert {record["game_id"]: record.get("server") for record in records} == {
        **{record["game_id"]: address for record in records},
        own_game: None,
    }
    for game in (own_game, finished_game.game.game_id):
        assert run_in_process("show", game[:13], BOARDKEEPER_SERVER=address).status == 0
    assert own_game not in run_in_process("games", "--server", address).out
    failed = run_in_process("show", own_game, "--server", address)
    assert failed.status == 1
    assert "boardkeeper games" in failed.err


def test_own_games_are_found_without_the_seat_file(
    run_in_process: RunCommand, own_game: str, environment: dict[str, str]
) -> None:
    (Path(environment["BOARDKEEPER_HOME"]) / "seats.jsonl").unlink()
    (Path(environment["BOARDKEEPER_HOME"]) / "games" / "letter.db").write_text("This is a letter. " * 50)
    shown = run_in_process("show", own_game[:8])
    assert shown.status == 0
    assert "letter.db" in shown.err
    listed = run_in_process("games")
    assert listed.status == 1  # one file could not be read
    assert own_game in listed.out
    assert "letter.db" in listed.err


@pytest.mark.parametrize("served", [False, True])
def test_db_works_with_and_without_a_running_server(run_in_process: RunCommand, tmp_path: Path, served: bool) -> None:
    path = tmp_path / "games.db"
    with running_service(path) as address, Client(address) as client:
        anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")]).seats
        version = anna.submit(PlaceFollower("own_farmer", "ship", "farmer")).version
        if served:
            _use_file(run_in_process, anna.game_id, version, f"is in use by the server at {address}")
    if not served:
        _use_file(run_in_process, anna.game_id, version, "")


def _use_file(run_in_process: RunCommand, game: str, version: int, notice: str) -> None:
    db = ("--db", "games.db")
    (record,) = run_in_process("games", "--json", *db).records
    assert (record["game_id"], int(record["version"])) == (game, version)
    for arguments in (("show", game[:4]), ("watch", game[:4]), ("export", game), ("titles",)):
        if arguments[0] == "watch" and notice:
            continue  # it would not end before the game
        result = run_in_process(*arguments, *db)
        assert result.status == 0
        assert notice in result.err
    assert run_in_process("verify", game[:4], *db).status == 4
    failed = run_in_process("undo", game, *db)
    assert failed.status == 1
    assert "you hold no seat" in failed.err
    assert run_in_process("fork", game, *db).status == 0


def test_a_missing_file_is_not_created(run_in_process: RunCommand, tmp_path: Path) -> None:
    for arguments in (("games",), ("show", "4f1c"), ("play", "4f1c"), ("undo", "4f1c"), ("verify", "4f1c")):
        result = run_in_process(*arguments, "--db", "none.db")
        assert result.status == (5 if "verify" in arguments else 1)
        assert result.err == f"boardkeeper: the file {tmp_path / 'none.db'} does not exist.\n"
    assert list(tmp_path.iterdir()) == []
    assert run_in_process("games", "--db", "oracle://x").status == 2
    assert run_in_process("games", "--db", "x", "--server", NO_SERVER).status == 2


def test_a_game_can_be_stored_in_a_named_file(
    run_in_process: RunCommand, environment: dict[str, str], tmp_path: Path
) -> None:
    with play_as_anna(environment, "--players", "2", "--open", "1", "--db", str(tmp_path / "mine.db")) as terminal:
        invitation = terminal.wait_for(r"--join\n").split("boardkeeper ")[-1].split()
        assert invitation[-3:-1] == ["--db", str(tmp_path / "mine.db")]
        friend = {**environment, "BOARDKEEPER_HOME": str(tmp_path / "friend")}
        with Terminal([*PROGRAM, *invitation, "--name", "Ben"], friend) as ben:
            ben.wait_for(r"Ben, your move \(.*\): $")
        terminal.wait_for(PROMPT)
        game = leave(terminal)
    assert game in run_in_process("games", "--db", "mine.db").out
    assert run_in_process("show", game[:8]).status == 0  # the seat file names the database


def test_titles_needs_no_server(run_in_process: RunCommand) -> None:
    result = run_in_process("titles")
    notice = f"no server is running at {NO_SERVER}; these are the titles that are installed here.\n"
    assert (result.status, result.err) == (0, notice)
    assert result.out.startswith("orleans")


def test_a_locked_file_is_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a short wait, the error names the process that has the lock."""
    path = tmp_path / "games.db"
    monkeypatch.setattr(local_server, "_MOMENT", 0.0)
    lock = FileLock(path)
    with pytest.raises(DatabaseInUseError, match=r"is in use by process \d+.*--server"), server_of_file(str(path)):
        pass
    lock.record_address("0.0.0.0:50051")
    reports: list[str] = []
    with server_of_file(str(path), report=reports.append) as reached:
        assert (reached.address, reached.is_own) == ("127.0.0.1:50051", False)
    assert reports == [f"{path} is in use by the server at 127.0.0.1:50051; using that server."]
    lock.release()


@pytest.mark.parametrize("served", [False, True])
def test_every_command_reports_a_damaged_game(
    run_in_process: RunCommand, environment: dict[str, str], tmp_path: Path, served: bool
) -> None:
    path = tmp_path / "games.db"
    with running_service(path) as address, Client(address) as client:
        anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")]).seats
        bad = anna.submit(PlaceFollower("own_farmer", "ship", "farmer")).version
        last = anna.submit(PlaceFollower("own_boatman", "ship", "boatman")).version
    game, hexes = anna.game_id, anna.game_id.replace("-", "")
    execute_without_triggers(
        path, f"UPDATE stored_events SET topic='x' WHERE originator_id='{hexes}' AND originator_version={bad}"
    )
    seat_file = SeatFile(Path(environment["BOARDKEEPER_HOME"]))
    if not served:
        seat_file.add(SavedSeat(game, 1, anna.token, "", str(path)))
        _assert_damage_reported(run_in_process, ("--db", "games.db"), game, bad, last)
        return
    with running_service(path) as address:
        seat_file.add(SavedSeat(game, 1, anna.token, address, ""))
        _assert_damage_reported(run_in_process, ("--server", address), game, bad, last)


def _assert_damage_reported(run_in_process: RunCommand, place: tuple[str, str], game: str, bad: int, last: int) -> None:
    notice = f"damaged from version {bad} on"
    shown = run_in_process("show", game, *place)
    assert f"version {bad - 1} / {last}" in shown.out
    assert notice in shown.err
    watched = run_in_process("watch", game, "--json", *place)
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
        failed = run_in_process(*arguments, *place)
        assert failed.status == 1
        assert notice in failed.err, arguments
    (record,) = run_in_process("games", "--json", *place).records
    assert record["damaged_version"] == str(bad)
    assert re.search(rf"{game} +orleans +damaged from version {bad} ", run_in_process("games", *place).out)
    assert re.search(
        rf"{game} +orleans +beschädigt ab Version {bad} ", run_in_process("games", "--language", "de", *place).out
    )


def test_games_created_in_the_same_second_have_separate_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDKEEPER_HOME", str(tmp_path))
    monkeypatch.setattr(local_server, "datetime", SimpleNamespace(now=lambda: datetime(2026, 11, 23, tzinfo=UTC)))
    names = {local_server.new_database() for _ in range(20)}
    assert len(names) == 20
