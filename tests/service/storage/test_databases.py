"""Opening databases, and storing and loading games."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import msgspec
import pytest
from eventsourcing.persistence import MapperDeserialisationError, OperationalError
from tests.service.tiny_title import TINY, CoinPassed, DrawPearl, PassCoin, Peek, load_title

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent, SeatJoined
from boardkeeper.game.game import ENDED, Game
from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.changes import NewGame, NewRequest, encode_progress
from boardkeeper.service.storage.feed import TURN, new_item
from boardkeeper.service.storage.mapper import GameEventMapper
from boardkeeper.service.storage.rows import LobbyRow, RequestRow, SeatRow
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.sqlite.lock import FileLock
from boardkeeper.service.storage.writer import Append, Batch, Conflict, Outcome, Stored
from boardkeeper.table.effects import Ask, Draw, Move, Reveal, Set, Shuffle
from boardkeeper.titlekit.title import Setup, Standing

pytestmark = pytest.mark.databases

SECRET = bytes(range(32))


def open_file(path: Path) -> GameApplication:
    return GameApplication.open(path, load_title)


_OPEN = """
import sys
from pathlib import Path
from boardkeeper.service.storage.application import GameApplication
application = GameApplication.open(Path(sys.argv[1]), {}.__getitem__)
print('open', flush=True)
sys.stdin.read()
"""


@contextmanager
def open_in_process(path: Path) -> Iterator[int]:
    """Open a file in another process and provide its id; kill it at the end."""
    command = [sys.executable, "-c", _OPEN, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        try:
            yield process.pid
        finally:
            process.kill()


@pytest.fixture
def application(tmp_path: Path) -> Iterator[GameApplication]:
    application = open_file(tmp_path / "games.db")
    yield application
    application.close()


def play_game() -> tuple[Game, list[GameEvent]]:
    """Play a game of two seats to its end: some draws and peeks, otherwise the first legal command."""
    game, events = create_game(uuid4(), TINY, Setup("first", 2), ("person", "person"), SECRET, "test", "", 1)
    game.commit(events)
    for seat in (1, 2):
        joined = game.join([seat], b"salt", "", 2)
        game.commit(joined)
        events += joined
    while game.status != ENDED:
        (seat,) = game.table.deciding()
        turn = game.version
        command = (PassCoin(3 - seat), DrawPearl(), DrawPearl(), Peek())[turn % 4]
        if command not in game.legal(seat):
            command = game.legal(seat)[0]  # type: ignore[assignment]
        new_events = game.decide(seat, [command], f"c{turn}", 3)
        assert isinstance(new_events, list)
        game.commit(new_events)
        events += new_events
    return game, events


def store(application: GameApplication, *appends: Append) -> list[type[Outcome]]:
    """Submit appends in one batch and return the types of their outcomes."""
    outcomes: Future[Sequence[Outcome]] = Future()
    application.writer.submit(Batch(appends, outcomes.set_result))
    return [type(outcome) for outcome in outcomes.result(60)]


def lobby_row(game: UUID, **changes: object) -> LobbyRow:
    row = LobbyRow(
        number=0,
        game_id=game,
        title="tiny",
        setup=Setup("first", 2, {"pearls": "many"}),
        commitment="c0ffee",
        create_time=1,
        update_time=2,
        version=3,
        status="running",
        decisions=("turn", ""),
        standings=(),
        seats=(SeatRow(1, "person", "Ada", True, b"hash"), SeatRow(2, "bot.random", "", True)),
    )
    return msgspec.structs.replace(row, **changes)


# --- the mapper ---------------------------------------------------------------------------------------------


def test_every_effect_and_detail_is_decoded_unchanged() -> None:
    mapper = GameEventMapper(lambda title: load_title(title).events)
    effects = (
        Move("coin", 2, "a", "b"),
        Set("turn", 1, 2),
        Set("word", "x", "y"),
        Ask(1, "", "turn"),
        Draw("pile", 3, ("black", "white")),
        Shuffle("deck", 0, ("a", "b"), ("b", "a")),
        Reveal("pile", "count", "public"),
    )
    event = GameEvent(uuid4(), 7, "tiny.CoinPassed", 1, "id", 1700000000000, CoinPassed(2), effects)
    stored = mapper.to_stored_event(event)
    assert stored.topic == "tiny.CoinPassed"
    assert msgspec.json.decode(stored.state)[:4] == [1, "id", 1700000000000, {"to": 2}]
    assert mapper.to_domain_event(stored) == event


def test_old_rows_are_upcast_when_they_are_read() -> None:
    old = GameEventMapper(load_title_events).to_stored_event(
        GameEvent(uuid4(), 1, "game.SeatJoined", 1, "", 0, SeatJoined("ff"), ())
    )

    def upcast(state: list[object]) -> list[object]:
        return [*state[:3], {"entropy": "00ff"}, state[4]]

    mapper = GameEventMapper(load_title_events, {"game.SeatJoined": 2}, {("game.SeatJoined", 1): upcast})
    assert mapper.to_domain_event(old).detail == SeatJoined("00ff")
    new = mapper.to_stored_event(GameEvent(uuid4(), 1, "game.SeatJoined", 1, "", 0, SeatJoined("ff"), ()))
    assert new.topic == "game.SeatJoined@2"
    assert mapper.to_domain_event(new).detail == SeatJoined("ff")
    assert mapper.to_domain_event(new).topic == "game.SeatJoined"


def load_title_events(title: str) -> dict[str, type[msgspec.Struct]]:
    return dict(load_title(title).events)


@pytest.mark.parametrize(
    ("topic", "state"),
    [
        ("tiny.NoSuchEvent", b"[]"),
        ("nothing.CoinPassed", b"[]"),
        ("nonsense", b"[]"),
        ("tiny.CoinPassed", b"[1]"),
        ("tiny.CoinPassed", b"\xff"),
        ("tiny.CoinPassed", b'[1,"",0,{"to":"x"},[]]'),
        ("tiny.CoinPassed", b'[1,"",0,{"to":1},[["z"]]]'),
    ],
)
def test_a_damaged_row_is_reported(topic: str, state: bytes) -> None:
    game = uuid4()
    with pytest.raises(MapperDeserialisationError, match=f"event 5 of game {game}"):
        GameEventMapper(load_title_events).to_events(game, [(5, topic, state)])


# --- games --------------------------------------------------------------------------------------------------


def test_a_loaded_game_equals_the_stored_game(application: GameApplication) -> None:
    game, events = play_game()
    stored = [application.events_mapper.to_stored_event(event) for event in events]
    application.recorder.insert_events(stored, changes=[NewGame(lobby_row(game.id), SECRET)])
    loaded = application.load_game(game.id)
    assert loaded is not None
    assert loaded.version == game.version
    assert loaded.status == ENDED
    assert loaded.table.contents() == game.table.contents()
    assert application.game_events(game.id) == events
    assert application.game_events(game.id, after=3, until=5) == events[3:5]
    past = application.load_game(game.id, until=6)
    assert past is not None
    assert past.version == 6


@pytest.mark.sqlite_only
def test_the_library_reads_and_writes_the_same_events(application: GameApplication) -> None:
    game, events = play_game()
    application.save(*events)
    assert list(application.events.get(game.id)) == events


def test_an_unknown_game_is_not_found(application: GameApplication) -> None:
    assert application.load_game(uuid4()) is None
    assert application.game_tables.lobby_row(uuid4()) is None
    assert application.game_tables.request(b"nothing") is None
    with pytest.raises(KeyError):
        application.game_tables.dice_secret(uuid4())


def test_the_lobby_lists_the_newest_games_first(application: GameApplication) -> None:
    games = [uuid4() for _ in range(5)]
    for number, game in enumerate(games, 1):
        status = "ended" if number == 2 else "running"
        event = GameEvent(game, 1, "game.SeatJoined", 1, "", 0, SeatJoined(""), ())
        changes: list[Change] = [
            NewGame(lobby_row(game), SECRET),
            NewRequest(RequestRow(bytes([number]), b"content", b"salt", game, (1,)), 3),
        ]
        line = encode_progress(game, 1, 9, status, ["", ""], [Standing(1, 5, 1)])
        append = Append([application.events_mapper.to_stored_event(event)], changes, line)
        assert store(application, append) == [Stored]
    listed = application.game_tables.lobby_page(limit=3)
    assert [row.game_id for row in listed] == games[:1:-1]
    rest = application.game_tables.lobby_page(before=listed[-1].number)
    assert [row.game_id for row in rest] == games[1::-1]
    (ended,) = application.game_tables.lobby_page(status="ended")
    assert ended == lobby_row(
        games[1],
        number=2,
        version=1,
        update_time=9,
        status="ended",
        decisions=("", ""),
        standings=(Standing(1, 5, 1),),
    )
    assert application.game_tables.lobby_row(games[1]) == ended
    assert application.game_tables.lobby_page(title="other") == []
    assert application.game_tables.dice_secret(games[0]) == SECRET
    assert application.game_tables.request(bytes([3])) == RequestRow(bytes([3]), b"content", b"salt", games[2], (1,))


def test_the_lobby_has_the_status_of_the_last_event(application: GameApplication) -> None:
    """The writer stores only changed statuses, also after a conflict and for several games in one batch."""
    games = [uuid4() for _ in range(3)]

    def append(game: UUID, version: int, status: str, *changes: Change) -> Append:
        event = GameEvent(game, version, "game.SeatJoined", 1, "", 0, SeatJoined(""), ())
        line = encode_progress(game, version, version, status, ["", ""], [])
        return Append([application.events_mapper.to_row(event)], changes, line)

    def statuses() -> list[str]:
        return [row.status for row in map(application.game_tables.lobby_row, games) if row is not None]

    for game in games:
        assert store(application, append(game, 1, "open", NewGame(lobby_row(game), SECRET))) == [Stored]
    assert statuses() == ["open", "open", "open"]
    assert store(application, *(append(game, 2, "running") for game in games)) == [Stored] * 3
    assert statuses() == ["running", "running", "running"]
    # One append is stale: the writer stores the others again without it.
    two = append(games[0], 3, "ended"), append(games[1], 2, "ended")
    assert store(application, *two, append(games[2], 3, "running")) == [Stored, Conflict, Stored]
    assert statuses() == ["ended", "running", "running"]
    for version, status in ((4, "running"), (5, "running"), (6, "ended")):
        assert store(application, append(games[0], version, status), append(games[2], version, status)) == [
            Stored,
            Stored,
        ]
        assert statuses() == [status, "running", status]
    assert [row.game_id for row in application.game_tables.lobby_page(status="running")] == [games[1]]


def test_a_batch_can_be_larger_than_a_statement(application: GameApplication) -> None:
    games = [uuid4() for _ in range(120)]

    def append(game: UUID, version: int, *changes: Change) -> Append:
        rows = [
            application.events_mapper.to_row(GameEvent(game, at, "game.SeatJoined", 1, "", 0, SeatJoined(""), ()))
            for at in (version, version + 1)
        ]
        line = encode_progress(game, version + 1, version, None, [f"version {version}", ""], [])
        return Append(rows, changes, line, [new_item(game, version + 1, version, TURN, (1,))])

    assert store(application, *(append(game, 1, NewGame(lobby_row(game), SECRET)) for game in games)) == [Stored] * 120
    assert store(application, *(append(game, 3) for game in games)) == [Stored] * 120
    for game in games:
        line = application.game_tables.lobby_row(game)
        assert line is not None
        assert (line.version, line.update_time, line.status) == (4, 3, "running")
        assert line.decisions == ("version 3", "")
        assert application.damage(game) is None
    application.database.feed.number_outbox()
    items = application.database.feed.page(0, 1_000, 1_000)
    assert [(it.game, it.version) for it in items] == [(game, version) for version in (2, 4) for game in games]


def test_loading_a_long_game_needs_few_calls_per_event(application: GameApplication) -> None:
    game, events = play_game()
    middle = next(event for event in events if event.topic == "tiny.CoinPassed" and event.seat)
    to_second = [Move("coin", 1, "purse.1", "purse.2"), Set("turn", 0, 1), Ask(1, "turn", ""), Ask(2, "", "turn")]
    to_first = [Move("coin", 1, "purse.2", "purse.1"), Set("turn", 1, 0), Ask(2, "turn", ""), Ask(1, "", "turn")]
    start = next(index for index, event in enumerate(events) if event.seat and event.topic.startswith("tiny"))
    long = events[:start]
    for version in range(start + 1, 1501):
        effects = tuple(to_second if version % 2 else to_first)
        long.append(
            msgspec.structs.replace(middle, originator_version=version, effects=effects, command_id=f"c{version}")
        )
    stored = [application.events_mapper.to_stored_event(event) for event in long]
    application.recorder.insert_events(stored, changes=[NewGame(lobby_row(game.id), SECRET)])
    assert application.load_game(game.id) is not None  # the first load creates the decoders
    calls = 0

    def count_call(_frame: object, kind: str, _argument: object) -> None:
        nonlocal calls
        calls += kind in ("call", "c_call")

    sys.setprofile(count_call)
    try:
        application.load_game(game.id)
    finally:
        sys.setprofile(None)
    assert calls < 60 * len(long)  # 45 calls per event when the limit was set


# --- opening ------------------------------------------------------------------------------------------------


@pytest.mark.sqlite_only
def test_a_file_is_served_by_one_process_only(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with open_in_process(path) as process, pytest.raises(StartupError, match=f"is in use by process {process}"):
        open_file(path)
    open_file(path).close()


@pytest.mark.sqlite_only
def test_a_file_that_is_not_a_database_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_text("This is a letter, not a database. " * 50)
    with pytest.raises(StartupError, match="not a Boardkeeper database"):
        open_file(path)
    assert path.read_text().startswith("This is a letter")


@pytest.mark.sqlite_only
def test_the_database_of_another_program_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (id)")
    connection.close()
    with pytest.raises(StartupError, match="another program"):
        open_file(path)


@pytest.mark.sqlite_only
def test_a_database_of_a_newer_version_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    open_file(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=999")
    connection.close()
    with pytest.raises(StartupError, match="newer"):
        open_file(path)


@pytest.mark.sqlite_only
def test_a_folder_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(StartupError, match="is a folder"):
        open_file(tmp_path)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("make", [None, Path.touch])
def test_a_missing_folder_is_not_created(tmp_path: Path, make: Callable[[Path], None] | None) -> None:
    if make is not None:
        make(tmp_path / "typo")
    before = list(tmp_path.iterdir())
    folder = re.escape(str(tmp_path / "typo"))
    problem = f"the folder {folder} does not exist: create it" if make is None else f"{folder} is not a folder"
    with pytest.raises(StartupError, match=problem):
        open_file(tmp_path / "typo" / "games.db")
    with pytest.raises(StartupError, match=r"does not exist: create it|is not a folder"):
        open_file(tmp_path / "typo" / "further" / "games.db")
    assert list(tmp_path.iterdir()) == before


@pytest.mark.sqlite_only
@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root can write anywhere")
def test_a_folder_without_write_permission_is_rejected(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StartupError, match="cannot write in"):
            open_file(tmp_path / "games.db")
        assert list(tmp_path.iterdir()) == []
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("error", [sqlite3.OperationalError, OperationalError])
def test_a_full_disk_while_tables_are_created_leaves_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fail(*_: object) -> None:
        raise error("database or disk is full")

    monkeypatch.setattr("boardkeeper.service.storage.sqlite.connections.migrate", fail)
    with pytest.raises(StartupError, match="disk is full"):
        open_file(tmp_path / "games.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sqlite_only
@pytest.mark.parametrize("error", [errno.EACCES, errno.EROFS, errno.ENOSPC])
def test_a_file_that_cannot_be_created_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int) -> None:
    """Also runs as root, unlike the test above."""

    def fail(path: object, flags: int, mode: int = 0o777) -> int:
        raise OSError(error, os.strerror(error), path)

    monkeypatch.setattr(os, "open", fail)
    with pytest.raises(StartupError, match=f"cannot write in {tmp_path}: {os.strerror(error)}"):
        open_file(tmp_path / "games.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sqlite_only
@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_a_key_without_its_database_is_reported_and_kept(tmp_path: Path, mode: int) -> None:
    key = tmp_path / "games.db.key"
    key.write_text("precious")
    key.chmod(mode)
    with pytest.raises(StartupError, match=re.escape(str(key))):
        open_file(tmp_path / "games.db")
    assert key.read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["games.db.key"]


@pytest.mark.sqlite_only
def test_incomplete_databases_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"

    def fail(*_: object) -> None:
        raise StartupError("the disk is full")

    monkeypatch.setattr("boardkeeper.service.storage.sqlite.connections.migrate", fail)
    with pytest.raises(StartupError, match="disk is full"):
        open_file(path)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    open_file(path).close()
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    monkeypatch.setattr("boardkeeper.service.storage.sqlite.database.ServiceKey.open", fail)
    with pytest.raises(StartupError, match="disk is full"):
        open_file(path)
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.sqlite_only
def test_a_lock_whose_file_was_removed_can_be_acquired_again(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    first = FileLock(path)
    first.release(remove=True)
    assert list(tmp_path.iterdir()) == []
    second = FileLock(path)
    with pytest.raises(StartupError, match=f"is in use by process {os.getpid()}"):
        FileLock(path)
    second.release()
    second.release()
    FileLock(path).release()
    assert [file.name for file in tmp_path.iterdir()] == ["games.db.lock"]
