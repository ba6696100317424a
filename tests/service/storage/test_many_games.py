"""Work that must not depend on the number of games, measured in SQL statements and SQLite steps, not in time."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import grpc
import pytest
from bench.many_games import fill
from tests.service.api_server import grpc_error, run_server
from tests.service.sqlite_internals import downgrade_schema

from boardkeeper.service.config import Config
from boardkeeper.service.process import chain_check
from boardkeeper.service.process.chain_check import ChainCheck
from boardkeeper.service.process.server import Service
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.game_tables import GameTables
from boardkeeper.service.storage.players import GameSearch, TimeRange
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import game_pb2, games_pb2

FEW, MANY = 300, 3_000


class Work:
    """The statements that SQLite has executed since :meth:`reset`, and their number of steps."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.steps = 0

    def reset(self) -> None:
        self.statements.clear()
        self.steps = 0

    def count_step(self) -> int:
        self.steps += 1
        return 0


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """Counts the work of all later connections, which accept at most 1,000 values in a statement."""
    work = Work()
    connect = sqlite3.connect

    def connect_and_count(*arguments: object, **more: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **more)  # type: ignore[call-overload]
        connection.set_trace_callback(work.statements.append)
        connection.set_progress_handler(work.count_step, 1)
        connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 1_000)
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_and_count)
    return work


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Files with few and with many running games in which a bot has a decision, and two other games."""
    paths = {number: tmp_path_factory.mktemp("many") / f"{number}.db" for number in (FEW, MANY)}
    for number, path in paths.items():
        fill(path, number, bots=True)
        fill(path, 1, status="open")
        fill(path, 1, status="ended")
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE games SET title='chess' WHERE number=1")
    return paths


@pytest.fixture
def few(files: dict[int, Path], work: Work) -> Iterator[GameApplication]:
    yield from open_application(files[FEW], work)


@pytest.fixture
def many(files: dict[int, Path], work: Work) -> Iterator[GameApplication]:
    yield from open_application(files[MANY], work)


def open_application(path: Path, work: Work) -> Iterator[GameApplication]:
    application = GameApplication.open(path, load_title)
    work.reset()
    yield application
    application.close()


@pytest.mark.sqlite_only
async def test_the_work_of_a_start_does_not_depend_on_the_number_of_games(files: dict[int, Path], work: Work) -> None:
    costs: dict[int, tuple[int, int]] = {}
    for number, path in files.items():
        work.reset()
        service = Service(Config(database=str(path), listen="127.0.0.1:0", log="off", grace_seconds=0.0))
        await service.start()
        costs[number] = len(work.statements), work.steps
        await service.stop()
    assert costs[FEW][0] > 0
    assert costs[FEW] == costs[MANY]


PAGES: dict[str, Callable[[GameTables], object]] = {
    "all": lambda it: it.lobby_page(limit=50),
    "a later page": lambda it: it.lobby_page(limit=50, before=200),
    "by status": lambda it: it.lobby_page(limit=50, status="running"),
    "a rare status": lambda it: it.lobby_page(limit=50, status="open"),
    "by title": lambda it: it.lobby_page(limit=50, title="orleans"),
    "a rare title": lambda it: it.lobby_page(limit=50, title="chess"),
    "by both": lambda it: it.lobby_page(limit=50, title="orleans", status="running"),
    "a rare title of a status": lambda it: it.lobby_page(limit=50, title="chess", status="running"),
    "a rare status of a title": lambda it: it.lobby_page(limit=50, title="orleans", status="ended"),
    "nothing": lambda it: it.lobby_page(limit=50, title="go", status="ended"),
    "to be checked": lambda it: it.games_by_number("running", None, 50),
    "bots": lambda it: it.running_with_bots(0, 50),
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("page", list(PAGES))
def test_the_work_of_a_page_does_not_depend_on_the_number_of_games(
    few: GameApplication, many: GameApplication, work: Work, page: str
) -> None:
    steps: list[int] = []
    for application in (few, many):
        work.reset()
        PAGES[page](application.game_tables)
        steps.append(work.steps)
    assert steps[0] == steps[1] > 0


INTERVAL = 1_000
"""The time between the creation of two games of :func:`timed_files`, in milliseconds."""

SEARCHES: dict[str, GameSearch] = {
    "before": GameSearch(None, created=TimeRange(None, 20 * INTERVAL)),
    "between": GameSearch(None, created=TimeRange(5 * INTERVAL, 20 * INTERVAL)),
    "of a status": GameSearch(None, status="running", created=TimeRange(5 * INTERVAL, 20 * INTERVAL)),
    "of a platform": GameSearch("lobby", created=TimeRange(None, 20 * INTERVAL)),
    "running games of a platform": GameSearch("lobby", status="running", created=TimeRange(None, 20 * INTERVAL)),
    "nothing": GameSearch(None, created=TimeRange(None, 0)),
    "of a title": GameSearch(None, title="orleans", created=TimeRange(None, 20 * INTERVAL)),
}


@pytest.fixture(scope="module")
def timed_files(files: dict[int, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Copies of the files with games of a platform, created at regular intervals."""
    copies = {number: tmp_path_factory.mktemp("timed_files") / "copy" / path.name for number, path in files.items()}
    for number, path in copies.items():
        shutil.copytree(files[number].parent, path.parent)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"UPDATE games SET create_time={INTERVAL}*number, platform='lobby'")
    return copies


@pytest.mark.sqlite_only
@pytest.mark.parametrize("name", list(SEARCHES))
def test_the_work_of_a_search_by_time_does_not_depend_on_the_number_of_games(
    timed_files: dict[int, Path], work: Work, name: str
) -> None:
    steps: list[int] = []
    found: list[list[int]] = []
    for path in timed_files.values():
        application = GameApplication.open(path, load_title)
        try:
            work.reset()
            page = application.database.players.search(SEARCHES[name], limit=50)
            steps.append(work.steps)
            found.append([place.number for place, _ in page.games])
            assert page.next_cursor is None
        finally:
            application.close()
    assert found[0] == found[1]
    assert found[0] == [number for number in range(19, 0, -1) if number in found[0]]
    assert bool(found[0]) == (name != "nothing")
    assert 0 < steps[0] == steps[1]


@pytest.mark.sqlite_only
def test_a_search_by_id_prefix_reads_only_its_games(many: GameApplication, work: Work) -> None:
    newest, *_ = many.game_tables.lobby_page(limit=1)
    work.reset()
    for digits in (4, 12, 32):
        found = many.game_tables.lobby_page(id_prefix=newest.game_id.hex[:digits], limit=50)
        assert newest in found
        assert all(row.game_id.hex.startswith(newest.game_id.hex[:digits]) for row in found)
    assert 0 < work.steps < MANY
    assert many.game_tables.lobby_page(id_prefix=newest.game_id.hex, status="running") == []
    assert many.game_tables.lobby_page(id_prefix=newest.game_id.hex, status="ended", title="orleans") == [newest]


def test_games_with_bots_are_found_page_by_page(many: GameApplication) -> None:
    found: list[UUID] = []
    after: int | None = 0
    while after is not None:
        games, after = many.game_tables.running_with_bots(after, 70)
        assert len(games) <= 70
        found += games
    rows = many.game_tables.lobby_page(status="running", limit=MANY)
    assert found == [row.game_id for row in reversed(rows)]


@pytest.mark.sqlite_only
def test_games_in_which_no_bot_has_a_decision_are_not_found(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill(path, 3)
    fill(path, 3, bots=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("""UPDATE games SET decisions='["draw",""]' WHERE number=5""")
        connection.execute("UPDATE games SET decisions='spoilt' WHERE number=6")
    application = GameApplication.open(path, load_title)
    try:
        ids = dict(application.game_tables.games_by_number("running", None))
        assert application.game_tables.running_with_bots(0, 100) == ([ids[4], ids[6]], None)
    finally:
        application.close()


@pytest.mark.sqlite_only
async def test_the_chain_check_reads_all_games_page_by_page(
    files: dict[int, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain_check, "_PAUSE_FACTOR", 0)
    application = GameApplication.open(files[FEW], load_title)
    try:
        check = ChainCheck(application)
        await check.run()
        assert (check.checked, check.damaged) == (FEW + 2, {})
    finally:
        application.close()


def test_every_game_is_listed_once(many: GameApplication) -> None:
    known = list(many.game_tables.known_games())
    assert len(known) == len(set(known)) == many.game_tables.count_games()
    assert many.game_tables.games_without_row() == []


@pytest.mark.sqlite_only
def test_missing_indices_are_created(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill(path, 3)
    downgrade_schema(path, "DROP INDEX games_by_title; DROP INDEX games_by_title_and_status;")
    GameApplication.open(path, load_title).close()
    with closing(sqlite3.connect(path)) as connection:
        indices = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='index'")}
    assert {"games_by_title", "games_by_title_and_status"} <= indices


# --- over a socket ------------------------------------------------------------------------------------------


@pytest.mark.socket
async def test_games_are_listed_by_id_prefix(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        games = [(await api.create())[0] for _ in range(3)]

        async def list_ids(prefix: str, **more: object) -> list[str]:
            request = games_pb2.ListGamesRequest(id_prefix=prefix, **more)  # type: ignore[arg-type]
            return [game.game_id for game in (await api.games.ListGames(request)).games]

        game = games[0].game_id
        for length in (8, 9, 12, 14, 36):
            assert await list_ids(game[:length]) == [game]
        assert await list_ids(game, status=game_pb2.GAME_STATUS_ENDED) == []
        other_prefix = "0000" if not game.startswith("0000") else "ffff"
        assert game not in await list_ids(other_prefix)
        for wrong in ("abc", "ABCD", "wxyz", "%___", game + "0", game[:8] + "0", "----"):
            async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
                await list_ids(wrong)
            assert list(problems[0].violations) == ["id_prefix"]
        async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
            request = games_pb2.ListGamesRequest(id_prefix="abc")
            await api.games.ListGames(request, metadata=(("accept-language", "de"),))
        assert problems[0].violations["id_prefix"].startswith("muss der Anfang einer Kennung sein")
