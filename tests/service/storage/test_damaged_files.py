"""Databases with zeroed, swapped, truncated or overwritten pages: every answer is correct or reports the damage.

Each case damages a copy of one real file and sends all requests about all games. An answer must equal the answer from
the undamaged file or be GAME_DAMAGED, or the service does not start and reports why. Values that no hash protects
(names, times, hashes of tokens) are not compared.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import grpc
import pytest
from grpc import StatusCode
from tests.databases import database_access
from tests.randomness import seed_randomness
from tests.service.api_errors import api_error
from tests.service.api_server import Api, bearer, error_details, run_server
from tests.service.cache.test_game_registry import open_service, read_all_events, take_turn
from tests.service.log_capture import capture_logs
from tests.service.sqlite_internals import writer_of
from tests.service.storage.test_hash_chain import LAST_VERSION, create_played_game, execute_without_triggers

from boardkeeper.service.errors import StartupError
from boardkeeper.service.games.game_creator import SeatPlan
from boardkeeper.service.requests.errors import is_reason
from boardkeeper.service.storage.admin import erase_name
from boardkeeper.service.storage.backups import back_up
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.projection_rebuild import rebuild
from boardkeeper.service.storage.sqlite.file_check import check_file
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import game_pb2, games_pb2, history_pb2

pytestmark = pytest.mark.socket

PAGE = 4096
SEAT = games_pb2.SeatRequest
Damage = Callable[[bytearray, random.Random], None]
DAMAGES: dict[str, Damage] = {}


def damage(function: Damage) -> Damage:
    DAMAGES[function.__name__] = function
    return function


def _random_page(data: bytearray, chance: random.Random, first: int = 0) -> slice:
    at = chance.randrange(first, len(data) // PAGE) * PAGE
    return slice(at, at + PAGE)


@damage
def zero_a_page(data: bytearray, chance: random.Random) -> None:
    data[_random_page(data, chance)] = bytes(PAGE)


@damage
def swap_two_pages(data: bytearray, chance: random.Random) -> None:
    one, other = _random_page(data, chance, 1), _random_page(data, chance, 1)
    data[one], data[other] = data[other], data[one]


@damage
def copy_a_page(data: bytearray, chance: random.Random) -> None:
    data[_random_page(data, chance, 1)] = data[_random_page(data, chance, 1)]


@damage
def randomize_a_page(data: bytearray, chance: random.Random) -> None:
    data[_random_page(data, chance)] = chance.randbytes(PAGE)


@damage
def randomize_some_bytes(data: bytearray, chance: random.Random) -> None:
    for _ in range(chance.randint(1, 4)):
        at, count = chance.randrange(len(data)), chance.randint(1, 64)
        data[at : at + count] = chance.randbytes(min(count, len(data) - at))


@damage
def truncate(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(1, len(data)) :]


@damage
def randomize_the_header(data: bytearray, chance: random.Random) -> None:
    at = chance.randrange(100)
    data[at : at + 4] = chance.randbytes(4)


class Original:
    """An undamaged file and the answers from it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.games: dict[str, dict[int, str]] = {}
        self.answers: dict[tuple[str, str], Any] = {}
        self.listed: list[Any] = []
        self.open_games: set[str] = set()


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """A file with ended, running and open games."""
    return asyncio.run(_create(Original(tmp_path_factory.mktemp("original") / "games.db")))


async def _create(original: Original) -> Original:
    seed_randomness("original")  # the file must not depend on the test that runs first
    chance = random.Random(1)
    async with run_server(original.path) as api:
        ended, _ = await api.create(SEAT(bot="random"), SEAT(bot="random"))
        async for _ in api.games.WatchGame(games_pb2.WatchGameRequest(game_id=ended.game_id)):
            pass
        original.games[ended.game_id] = {}
        for turns in (120, 30, 3):
            game, tokens = await api.create(SEAT(name="Ada"), SEAT(name="Bob"), SEAT(name="Eve"))
            for _ in range(turns):
                await api.play_turn(game.game_id, tokens, chance)
            original.games[game.game_id] = tokens
        for _ in range(20):  # each table gets several pages
            game, tokens = await api.create(SEAT(name="Ada"), SEAT(open=True))
            original.games[game.game_id] = tokens
            original.open_games.add(game.game_id)
    async with run_server(original.path) as api:
        async for key, answer in send_all(api, original):
            assert not isinstance(answer, grpc.aio.AioRpcError), (key, answer)
            original.answers[key] = answer
        original.listed = await list_games(api)
    with closing(sqlite3.connect(original.path)) as connection:
        assert connection.execute("PRAGMA page_size").fetchone() == (PAGE,)
    assert not list(original.path.parent.glob("*-wal"))
    return original


async def send_all(api: Api, original: Original) -> AsyncIterator[tuple[tuple[str, str], Any]]:
    """Send all requests about all games; yield the answers and errors."""
    for game, tokens in original.games.items():
        for name, send in requests_of(api, game, tokens).items():
            if game in original.open_games and name not in ("GetGame", "ListEvents of a seat"):
                continue  # many small games
            try:
                yield (game, name), await send()
            except grpc.aio.AioRpcError as error:
                yield (game, name), error


def requests_of(api: Api, game: str, tokens: dict[int, str]) -> dict[str, Callable[[], Any]]:
    token = bearer(tokens[1]) if tokens else ()

    async def record() -> bytes:
        request = history_pb2.GetRecordRequest(game_id=game)
        return b"".join([part.data async for part in api.history.GetRecord(request, metadata=token)])

    async def watch() -> list[Any]:
        watching = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game), metadata=token)
        events: list[Any] = []
        while True:
            answer = await watching.read()
            if answer is grpc.aio.EOF or answer.WhichOneof("update") != "event":
                break
            events.append(answer.event)
        watching.cancel()
        return events

    requests: dict[str, Callable[[], Any]] = {
        "GetGame": lambda: api.game(game),
        "ListEvents": lambda: api.events(game),
        "ListEvents of a seat": lambda: api.events(game, tokens.get(1, "")),
        "GetBoard": lambda: api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game), metadata=token),
        "GetBoard of an earlier version": lambda: api.games.GetBoard(
            games_pb2.GetBoardRequest(game_id=game, version=2), metadata=token
        ),
        "GetRecord": record,
        "VerifyGame": lambda: api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=game), metadata=token),
    }
    if tokens:
        requests["ListLegalCommands"] = lambda: api.legal(game, 1, tokens[1])
    return requests


async def list_games(api: Api) -> list[Any]:
    """Read the whole lobby, page by page."""
    games: list[Any] = []
    request = games_pb2.ListGamesRequest(page_size=7)
    while True:
        page = await api.games.ListGames(request)
        games += page.games
        assert len(games) < 500
        if not page.next_page_token:
            return games
        request.page_token = page.next_page_token


def without_names(answer: Any) -> Any:
    """Return an answer without the names, which no hash protects."""
    if isinstance(answer, game_pb2.Game):
        copy = game_pb2.Game()
        copy.CopyFrom(answer)
        for seat in copy.seats:
            seat.name = ""
        return copy
    return answer


def outlines(events: list[Any]) -> list[tuple[int, str, str]]:
    return [(event.version, event.name, event.command_id) for event in events]


@asynccontextmanager
async def serve_damaged_copy(original: Original, folder: Path, kind: str, seed: int) -> AsyncIterator[Api | None]:
    """Run a service on a damaged copy; ``None`` if it reports that it cannot start."""
    path = create_damaged_copy(original, folder, kind, seed)
    with capture_logs():
        service = run_server(path)
        try:
            api = await service.__aenter__()
        except StartupError:
            yield None
            return
        try:
            yield api
        finally:
            await service.__aexit__(None, None, None)


def create_damaged_copy(original: Original, folder: Path, kind: str, seed: int) -> Path:
    folder.mkdir()
    path = folder / "games.db"
    data = bytearray(original.path.read_bytes())
    DAMAGES[kind](data, random.Random(f"{kind} {seed}"))
    path.write_bytes(data)
    shutil.copy(original.path.with_name("games.db.key"), path.with_name("games.db.key"))
    return path


async def find_wrong_answers(original: Original, folder: Path, kind: str, seed: int) -> list[str]:
    """Return all wrong answers from a damaged copy."""
    wrong: list[str] = []
    async with serve_damaged_copy(original, folder, kind, seed) as api:
        if api is None:
            return []
        damaged_games: set[str] = set()
        async for (game, name), answer in send_all(api, original):
            expected = original.answers[game, name]
            if isinstance(answer, grpc.aio.AioRpcError):
                problem = error_details(answer)
                if problem.reason == "GAME_DAMAGED":
                    damaged_games.add(game)
                elif (
                    name == "GetBoard of an earlier version"
                    and game in damaged_games
                    and problem.reason == "VERSION_OUT_OF_RANGE"
                ) or _can_be_a_damaged_token(kind, problem.code):
                    pass
                else:
                    wrong.append(f"{name} of {game}: {answer.code().name} {problem.reason} {answer.details()}")
                continue
            if isinstance(answer, game_pb2.Game) and answer.damaged_version:
                damaged_games.add(game)
                continue
            if game in damaged_games:
                # An ended game that lost its last events is running again, so its answers are redacted again.
                if isinstance(expected, list) and outlines(answer) != outlines(expected)[: len(answer)]:
                    wrong.append(f"{name} of the damaged {game}: the events are not the first expected events")
                continue
            if without_names(answer) != without_names(expected):
                wrong.append(f"{name} of {game}: another answer")
        try:
            games = {game.game_id: game for game in await list_games(api)}
        except grpc.aio.AioRpcError as error:
            if error_details(error).reason not in ("LOBBY_DAMAGED", "STORAGE_DAMAGED"):
                wrong.append(f"ListGames: {error.code().name} {error_details(error).reason} {error.details()}")
        else:
            wrong += _wrong_lobby_rows(original, games, damaged_games, compare=kind != "randomize_some_bytes")
    return wrong


def _wrong_lobby_rows(
    original: Original, games: dict[str, Any], damaged_games: set[str], *, compare: bool
) -> list[str]:
    wrong: list[str] = []
    for game in original.listed:
        row = games.get(game.game_id)
        if row is None and game.game_id not in damaged_games:
            wrong.append(f"ListGames: {game.game_id} is missing, but is not damaged")
        elif row is not None and not row.damaged_version and compare and without_names(row) != without_names(game):
            wrong.append(f"ListGames: another row of {game.game_id}")
    return wrong


def _can_be_a_damaged_token(kind: str, code: StatusCode) -> bool:
    """Return whether random bytes in the hash of a token can cause this error."""
    return kind == "randomize_some_bytes" and code is StatusCode.PERMISSION_DENIED


@pytest.mark.sqlite_only
@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("kind", DAMAGES)
async def test_answers_are_correct_or_report_damage(original: Original, tmp_path: Path, kind: str, seed: int) -> None:
    assert await find_wrong_answers(original, tmp_path / "copy", kind, seed) == []


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("kind", DAMAGES)
async def test_soak_answers_are_correct_or_report_damage(
    original: Original, tmp_path: Path, kind: str, part: int
) -> None:
    for seed in range(100 + 10 * part, 110 + 10 * part):
        wrong = await find_wrong_answers(original, tmp_path / str(seed), kind, seed)
        assert wrong == [], f"{kind} {seed}"


TREES = (
    "game_access",
    "seats",
    "access_keys",
    "feed",
    "players",
    "expiries",
    "games_by_title",
    "sqlite_autoindex_games_1",
)
"""Tables and indices that calls about games read."""


async def _find_wrong_answers_without_root_page(
    original: Original, folder: Path, tree: str, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    with closing(sqlite3.connect(original.path)) as file:
        ((page,),) = file.execute("SELECT rootpage FROM sqlite_master WHERE name=?", (tree,)).fetchall()

    def zero(data: bytearray, _: random.Random) -> None:
        data[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)

    monkeypatch.setitem(DAMAGES, tree, zero)
    return await find_wrong_answers(original, folder, tree, 0)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("tree", TREES)
async def test_an_unreadable_table_or_index_is_reported(
    original: Original, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tree: str
) -> None:
    assert await _find_wrong_answers_without_root_page(original, tmp_path / "copy", tree, monkeypatch) == []


@pytest.mark.soak
async def test_soak_any_unreadable_table_or_index_is_reported(
    original: Original, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(original.path)) as file:
        trees = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE rootpage > 0")]
    for tree in trees:
        assert await _find_wrong_answers_without_root_page(original, tmp_path / tree, tree, monkeypatch) == [], tree


@pytest.mark.parametrize("kind", DAMAGES)
def test_check_and_rebuild_succeed_or_report_the_file(original: Original, tmp_path: Path, kind: str) -> None:
    for seed in range(2):
        path = create_damaged_copy(original, tmp_path / str(seed), kind, seed)
        before = path.read_bytes()
        checked = _problem(partial(_check_all, path))
        assert path.read_bytes() == before
        rebuilt = _problem(partial(rebuild, path, load_title))
        assert all(str(path) in problem for problem in (checked, rebuilt) if problem)


def _check_all(path: Path) -> None:
    for _ in check_file(path):
        pass


def _problem(function: Callable[[], object]) -> str:
    """Return the message of a function's StartupError, or nothing; no other error is expected."""
    try:
        function()
    except StartupError as error:
        return str(error)
    return ""


@pytest.mark.sqlite_only
def test_a_schema_that_is_not_text_is_reported(original: Original, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(original.path.read_bytes().replace(b"CREATE TABLE expiries", b"CREATE \xeeABLE expiries"))
    shutil.copy(original.path.with_name("games.db.key"), path.with_name("games.db.key"))
    for call in (
        partial(open_database, path),
        partial(_check_all, path),
        partial(rebuild, path, load_title),
        partial(back_up, str(path), tmp_path / "games.backup"),
        partial(erase_name, str(path), "Ada"),
    ):
        assert "malformed database schema" in _problem(call), call


# --- single values ------------------------------------------------------------------------------------------

ROWS = {
    "another secret": "UPDATE dice_secrets SET secret=zeroblob(32)",
    "no secret": "DELETE FROM dice_secrets",
    "a number for a secret": "UPDATE dice_secrets SET secret=1000000000000",
    "another version": "UPDATE games SET version=99",
    "another status": "UPDATE games SET status='ended'",
    "no status": "UPDATE games SET status='nonsense'",
    "other decisions": """UPDATE games SET decisions='["",""]'""",
    "too few decisions": "UPDATE games SET decisions='[]'",
    "no decisions": "UPDATE games SET decisions=7",
    "another setup": "UPDATE games SET setup='{'",
    "text for a time": "UPDATE games SET create_time='yesterday'",
    "a time out of range": "UPDATE games SET update_time=9000000000000000000",
    "bytes for a title": "UPDATE games SET title=x'ff'",
    "invalid UTF-8": "UPDATE games SET commitment=CAST(x'ff' AS TEXT)",
    "a missing seat": "DELETE FROM seats WHERE seat=2",
    "another seat": "UPDATE seats SET seat=7 WHERE seat=2",
    "text for a token's hash": "UPDATE seats SET token_hash='secret'",
    "bytes for a name": "UPDATE seats SET name=x'ff'",
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("statement", ROWS.values(), ids=list(ROWS))
async def test_invalid_rows_of_a_game_damage_only_that_game(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "games.db"
    one, other = await create_played_game(path), await create_played_game(path)
    execute_without_triggers(path, f"{statement} {'AND' if 'WHERE' in statement else 'WHERE'} game='{one.hex}'")
    with capture_logs():
        async with open_service(path) as service:
            with api_error("GAME_DAMAGED"):
                await take_turn(service, one, 99)
            assert one in service.application.damages
            assert await take_turn(service, other, 99) == LAST_VERSION + 1
            assert other in {line.game_id for line in service.application.game_tables.lobby_page()}
            with api_error("GAME_NOT_FOUND"):
                await service.registry.get(UUID(int=7))


@pytest.mark.databases
@pytest.mark.parametrize("statement", ["UPDATE games SET setup=CAST('{' AS {bytes})", "DELETE FROM seats"])
async def test_lists_leave_out_only_damaged_rows(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "games.db"
    with capture_logs():
        async with run_server(path) as api:
            games = [(await api.create(SEAT(name="Ada"), SEAT(name="Bob")))[0].game_id for _ in range(9)]
            for game in games[2], games[3], games[8]:
                database_access.execute(path, f"{statement} WHERE game=?", game)
            found: list[str] = []
            request = games_pb2.ListGamesRequest(page_size=2)
            while page := await api.games.ListGames(request):
                found += [game.game_id for game in page.games]
                if not page.next_page_token:
                    break
                request.page_token = page.next_page_token
            assert found == [game for at, game in enumerate(games) if at not in (2, 3, 8)][::-1]


@pytest.mark.sqlite_only
@pytest.mark.parametrize("value", ["x'ff'", "CAST(x'ff' AS TEXT)", "'nonsense'", "7"])
@pytest.mark.parametrize(("table", "column"), [("games", "game"), ("games", "decisions"), ("seats", "seat")])
async def test_a_damaged_row_does_not_hide_bots_of_other_games(
    tmp_path: Path, table: str, column: str, value: str
) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        plans = SeatPlan(bot="random"), SeatPlan(bot="random")
        one, *others = [await service.game(*plans) for _ in range(5)]
    execute_without_triggers(
        path, f"UPDATE {table} SET {column}={value} WHERE game='{one.hex}'{' AND seat=2' * (table == 'seats')}"
    )
    with capture_logs():
        async with open_service(path) as service:
            found: list[UUID] = []
            after: int | None = 0
            while after is not None:
                games, after = service.application.game_tables.running_with_bots(after, 2)
                found += games
            assert found == [*([one] if one in found else []), *others]


@pytest.mark.sqlite_only
@pytest.mark.parametrize("value", ["x'ff'", "CAST(x'ff' AS TEXT)", "'nonsense'"])
async def test_a_damaged_row_does_not_hide_expired_clocks_of_other_games(tmp_path: Path, value: str) -> None:
    path = tmp_path / "games.db"
    other = UUID(int=7)
    async with open_service(path):
        pass
    execute_without_triggers(path, f"INSERT INTO expiries (game, time) VALUES ({value}, 1), ('{other.hex}', 2)")
    with capture_logs() as log:
        async with open_service(path) as service:
            for _ in range(2):
                assert service.application.database.expiries.expired(3, 50) == [other]
    assert len([line for line in log if line["event"] == "a row cannot be read, and is left out"]) <= 1


@pytest.mark.sqlite_only
async def test_a_game_without_its_secret_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    execute_without_triggers(path, "DELETE FROM dice_secrets")
    with capture_logs() as log:
        async with open_service(path) as service:
            assert len(await read_all_events(service, game)) == LAST_VERSION
            assert service.application.damages[game].version == LAST_VERSION + 1
    assert log[0]["problem"] == "the secret of its dice is missing or is another one"


@pytest.mark.sqlite_only
async def test_other_games_are_stored_when_one_game_is_damaged(tmp_path: Path) -> None:
    """Commands of many games share a commit, in which SQLite finds one of them damaged."""
    async with open_service(tmp_path / "games.db") as service:
        games = [await service.game() for _ in range(4)]
        writer = writer_of(service.application)
        insert = writer._insert_events

        def insert_or_fail(appends: Any) -> None:
            if any(event.originator_id == games[1] for append in appends for event in append.events):
                error = sqlite3.DatabaseError("database disk image is malformed")
                error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
                raise error
            insert(appends)

        with pytest.MonkeyPatch.context() as patch, capture_logs():
            patch.setattr(writer, "_insert_events", insert_or_fail)
            outcomes = await asyncio.gather(*(take_turn(service, game, 0) for game in games), return_exceptions=True)
        assert [is_reason(outcome, "STORAGE_FAILED") for outcome in outcomes] == [False, True, False, False]
        assert service.application.writer.last_error is None


async def test_a_gap_in_the_events_is_damage(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        game = await service.game()
        rows = service.application.event_log.select_rows(game)
        with pytest.MonkeyPatch.context() as patch, capture_logs():
            patch.setattr(service.application.event_log, "select_rows", lambda *_, **__: [rows[0], *rows[2:]])
            with api_error("GAME_DAMAGED"):
                await read_all_events(service, game)
