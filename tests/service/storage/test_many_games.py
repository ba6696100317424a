"""What must not depend on how many games there are: counted in SQL statements and in steps of SQLite, never in time."""

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
    """What SQLite has been asked since :meth:`forget`: statements, and the steps that it took for them."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.steps = 0

    def forget(self) -> None:
        self.statements.clear()
        self.steps = 0

    def step(self) -> int:
        self.steps += 1
        return 0


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """Counts in every connection that is made from here on, none of which takes many values in one statement."""
    work = Work()
    connect = sqlite3.connect

    def counting(*arguments: object, **more: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **more)  # type: ignore[call-overload]
        connection.set_trace_callback(work.statements.append)
        connection.set_progress_handler(work.step, 1)
        connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 1_000)
        return connection

    monkeypatch.setattr(sqlite3, "connect", counting)
    return work


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Files with few and with many running games in all of which a bot has to decide; the last two are other games."""
    made = {number: tmp_path_factory.mktemp("many") / f"{number}.db" for number in (FEW, MANY)}
    for number, path in made.items():
        fill(path, number, bots=True)
        fill(path, 1, status="open")
        fill(path, 1, status="ended")
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE games SET title='chess' WHERE number=1")
    return made


@pytest.fixture
def few(files: dict[int, Path], work: Work) -> Iterator[GameApplication]:
    yield from opened(files[FEW], work)


@pytest.fixture
def many(files: dict[int, Path], work: Work) -> Iterator[GameApplication]:
    yield from opened(files[MANY], work)


def opened(path: Path, work: Work) -> Iterator[GameApplication]:
    application = GameApplication.open(path, load_title)
    work.forget()
    yield application
    application.close()


@pytest.mark.sqlite_only
async def test_a_start_asks_the_database_the_same_however_many_games_there_are(
    files: dict[int, Path], work: Work
) -> None:
    asked: dict[int, tuple[int, int]] = {}
    for number, path in files.items():
        work.forget()
        service = Service(Config(database=str(path), listen="127.0.0.1:0", log="off", grace_seconds=0.0))
        await service.start()
        asked[number] = len(work.statements), work.steps
        await service.stop()
    assert asked[FEW][0] > 0
    assert asked[FEW] == asked[MANY]


PAGES: dict[str, Callable[[GameTables], object]] = {
    "all": lambda it: it.lobby_page(limit=50),
    "further on": lambda it: it.lobby_page(limit=50, before=200),
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
def test_a_page_takes_as_many_steps_however_many_games_there_are(
    few: GameApplication, many: GameApplication, work: Work, page: str
) -> None:
    steps: list[int] = []
    for application in (few, many):
        work.forget()
        PAGES[page](application.game_tables)
        steps.append(work.steps)
    assert steps[0] == steps[1] > 0


OLDEST = 1_000
"""So long after the first game no other one of :func:`in_time` was created, in milliseconds."""

SEARCHES: dict[str, GameSearch] = {
    "before": GameSearch(None, created=TimeRange(None, 20 * OLDEST)),
    "between": GameSearch(None, created=TimeRange(5 * OLDEST, 20 * OLDEST)),
    "of a status": GameSearch(None, status="running", created=TimeRange(5 * OLDEST, 20 * OLDEST)),
    "of a platform": GameSearch("lobby", created=TimeRange(None, 20 * OLDEST)),
    "of a platform's that go on": GameSearch("lobby", status="running", created=TimeRange(None, 20 * OLDEST)),
    "nothing": GameSearch(None, created=TimeRange(None, 0)),
    "of a title": GameSearch(None, title="orleans", created=TimeRange(None, 20 * OLDEST)),
}


@pytest.fixture(scope="module")
def in_time(files: dict[int, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """The same, of a platform, made one after the other."""
    copies = {number: tmp_path_factory.mktemp("in_time") / "copy" / path.name for number, path in files.items()}
    for number, path in copies.items():
        shutil.copytree(files[number].parent, path.parent)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"UPDATE games SET create_time={OLDEST}*number, platform='lobby'")
    return copies


@pytest.mark.sqlite_only
@pytest.mark.parametrize("name", list(SEARCHES))
def test_games_of_long_ago_are_found_at_once(in_time: dict[int, Path], work: Work, name: str) -> None:
    steps: list[int] = []
    found: list[list[int]] = []
    for path in in_time.values():
        application = GameApplication.open(path, load_title)
        try:
            work.forget()
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
def test_a_prefix_finds_its_games_without_looking_at_the_others(many: GameApplication, work: Work) -> None:
    newest, *_ = many.game_tables.lobby_page(limit=1)
    work.forget()
    for digits in (4, 12, 32):
        found = many.game_tables.lobby_page(id_prefix=newest.game_id.hex[:digits], limit=50)
        assert newest in found
        assert all(row.game_id.hex.startswith(newest.game_id.hex[:digits]) for row in found)
    assert 0 < work.steps < MANY
    assert many.game_tables.lobby_page(id_prefix=newest.game_id.hex, status="running") == []
    assert many.game_tables.lobby_page(id_prefix=newest.game_id.hex, status="ended", title="orleans") == [newest]


def test_bots_are_found_page_by_page(many: GameApplication) -> None:
    found: list[UUID] = []
    after: int | None = 0
    while after is not None:
        games, after = many.game_tables.running_with_bots(after, 70)
        assert len(games) <= 70
        found += games
    rows = many.game_tables.lobby_page(status="running", limit=MANY)
    assert found == [row.game_id for row in reversed(rows)]


@pytest.mark.sqlite_only
def test_games_of_people_only_and_games_that_wait_for_people_are_no_work_for_bots(tmp_path: Path) -> None:
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
async def test_all_chains_are_checked_page_by_page(files: dict[int, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain_check, "_PAUSE_FACTOR", 0)
    application = GameApplication.open(files[FEW], load_title)
    try:
        check = ChainCheck(application)
        await check.run()
        assert (check.checked, check.damaged) == (FEW + 2, {})
    finally:
        application.close()


def test_every_game_is_known_once(many: GameApplication) -> None:
    known = list(many.game_tables.known_games())
    assert len(known) == len(set(known)) == many.game_tables.count_games()
    assert many.game_tables.games_without_row() == []


@pytest.mark.sqlite_only
def test_a_file_from_before_the_indices_gets_them(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill(path, 3)
    downgrade_schema(path, "DROP INDEX games_by_title; DROP INDEX games_by_title_and_status;")
    GameApplication.open(path, load_title).close()
    with closing(sqlite3.connect(path)) as connection:
        indices = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='index'")}
    assert {"games_by_title", "games_by_title_and_status"} <= indices


# --- over the wire ------------------------------------------------------------------------------------------


@pytest.mark.socket
async def test_games_are_listed_by_how_their_ids_begin(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        games = [(await api.create())[0] for _ in range(3)]

        async def listed(prefix: str, **more: object) -> list[str]:
            request = games_pb2.ListGamesRequest(id_prefix=prefix, **more)  # type: ignore[arg-type]
            return [game.game_id for game in (await api.games.ListGames(request)).games]

        game = games[0].game_id
        for length in (8, 9, 12, 14, 36):
            assert await listed(game[:length]) == [game]
        assert await listed(game, status=game_pb2.GAME_STATUS_ENDED) == []
        unlike = "0000" if not game.startswith("0000") else "ffff"
        assert game not in await listed(unlike)
        for wrong in ("abc", "ABCD", "wxyz", "%___", game + "0", game[:8] + "0", "----"):
            async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
                await listed(wrong)
            assert list(problems[0].violations) == ["id_prefix"]
        async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
            request = games_pb2.ListGamesRequest(id_prefix="abc")
            await api.games.ListGames(request, metadata=(("accept-language", "de"),))
        assert problems[0].violations["id_prefix"].startswith("muss der Anfang einer Kennung sein")
