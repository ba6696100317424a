"""Pages of a database zeroed, swapped, cut off or overwritten: every answer is right, or says what is damaged.

Each case damages a copy of one real file and asks everything that can be asked of every game. What is answered must
be what the undamaged file answers, or GAME_DAMAGED, or the service does not start and says why. Where random bytes get
into what nothing bears witness to (names, times, hashes of tokens), the values are not compared.
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
from tests.databases import places
from tests.randomness import seed_randomness
from tests.service.api_errors import api_error
from tests.service.api_server import Api, bearer, error_details, run_server
from tests.service.cache.test_game_registry import open_service, read_all_events, take_turn
from tests.service.log_capture import capture_logs
from tests.service.sqlite_internals import writer_of
from tests.service.storage.test_hash_chain import LAST, attack, played

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
DAMAGES: dict[str, Callable[[bytearray, random.Random], None]] = {}


def damage(function: Callable[[bytearray, random.Random], None]) -> Callable[[bytearray, random.Random], None]:
    DAMAGES[function.__name__] = function
    return function


def _page(data: bytearray, chance: random.Random, first: int = 0) -> slice:
    at = chance.randrange(first, len(data) // PAGE) * PAGE
    return slice(at, at + PAGE)


@damage
def a_page_of_zeros(data: bytearray, chance: random.Random) -> None:
    data[_page(data, chance)] = bytes(PAGE)


@damage
def two_pages_swapped(data: bytearray, chance: random.Random) -> None:
    one, other = _page(data, chance, 1), _page(data, chance, 1)
    data[one], data[other] = data[other], data[one]


@damage
def a_page_copied_over_another(data: bytearray, chance: random.Random) -> None:
    data[_page(data, chance, 1)] = data[_page(data, chance, 1)]


@damage
def a_page_at_random(data: bytearray, chance: random.Random) -> None:
    data[_page(data, chance)] = chance.randbytes(PAGE)


@damage
def some_bytes_at_random(data: bytearray, chance: random.Random) -> None:
    for _ in range(chance.randint(1, 4)):
        at, count = chance.randrange(len(data)), chance.randint(1, 64)
        data[at : at + count] = chance.randbytes(min(count, len(data) - at))


@damage
def the_end_cut_off(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(1, len(data)) :]


@damage
def bytes_of_the_header(data: bytearray, chance: random.Random) -> None:
    at = chance.randrange(100)
    data[at : at + 4] = chance.randbytes(4)


class Sound:
    """A file, and what it answers."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.games: dict[str, dict[int, str]] = {}
        self.answers: dict[tuple[str, str], Any] = {}
        self.listed: list[Any] = []
        self.waiting: set[str] = set()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    """A file with games that have ended, that go on and that wait for somebody."""
    return asyncio.run(_make(Sound(tmp_path_factory.mktemp("sound") / "games.db")))


async def _make(sound: Sound) -> Sound:
    seed_randomness("sound")  # and not from the test that needs it first
    chance = random.Random(1)
    async with run_server(sound.path) as api:
        ended, _ = await api.create(SEAT(bot="random"), SEAT(bot="random"))
        async for _ in api.games.WatchGame(games_pb2.WatchGameRequest(game_id=ended.game_id)):
            pass
        sound.games[ended.game_id] = {}
        for turns in (120, 30, 3):
            game, tokens = await api.create(SEAT(name="Ada"), SEAT(name="Bob"), SEAT(name="Eve"))
            for _ in range(turns):
                await api.play_turn(game.game_id, tokens, chance)
            sound.games[game.game_id] = tokens
        for _ in range(20):  # so that each table has several pages
            game, tokens = await api.create(SEAT(name="Ada"), SEAT(open=True))
            sound.games[game.game_id] = tokens
            sound.waiting.add(game.game_id)
    async with run_server(sound.path) as api:
        async for key, answer in answers(api, sound):
            assert not isinstance(answer, grpc.aio.AioRpcError), (key, answer)
            sound.answers[key] = answer
        sound.listed = await listed(api)
    with closing(sqlite3.connect(sound.path)) as connection:
        assert connection.execute("PRAGMA page_size").fetchone() == (PAGE,)
    assert not list(sound.path.parent.glob("*-wal"))
    return sound


async def answers(api: Api, sound: Sound) -> AsyncIterator[tuple[tuple[str, str], Any]]:
    """What is answered to every question about every game, or the error."""
    for game, tokens in sound.games.items():
        for name, ask in questions(api, game, tokens).items():
            if game in sound.waiting and name not in ("GetGame", "ListEvents of a seat"):
                continue  # there are many of them, and little is in them
            try:
                yield (game, name), await ask()
            except grpc.aio.AioRpcError as error:
                yield (game, name), error


def questions(api: Api, game: str, tokens: dict[int, str]) -> dict[str, Callable[[], Any]]:
    token = bearer(tokens[1]) if tokens else ()

    async def record() -> bytes:
        request = history_pb2.GetRecordRequest(game_id=game)
        return b"".join([part.data async for part in api.history.GetRecord(request, metadata=token)])

    async def watched() -> list[Any]:
        watching = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game), metadata=token)
        events: list[Any] = []
        while True:
            answer = await watching.read()
            if answer is grpc.aio.EOF or answer.WhichOneof("update") != "event":
                break
            events.append(answer.event)
        watching.cancel()
        return events

    asked: dict[str, Callable[[], Any]] = {
        "GetGame": lambda: api.game(game),
        "ListEvents": lambda: api.events(game),
        "ListEvents of a seat": lambda: api.events(game, tokens.get(1, "")),
        "GetBoard": lambda: api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game), metadata=token),
        "GetBoard of the past": lambda: api.games.GetBoard(
            games_pb2.GetBoardRequest(game_id=game, version=2), metadata=token
        ),
        "GetRecord": record,
        "VerifyGame": lambda: api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=game), metadata=token),
    }
    if tokens:
        asked["ListLegalCommands"] = lambda: api.legal(game, 1, tokens[1])
    return asked


async def listed(api: Api) -> list[Any]:
    """The whole lobby, page by page."""
    games: list[Any] = []
    request = games_pb2.ListGamesRequest(page_size=7)
    while True:
        page = await api.games.ListGames(request)
        games += page.games
        assert len(games) < 500
        if not page.next_page_token:
            return games
        request.page_token = page.next_page_token


def plain(answer: Any) -> Any:
    """An answer without what nothing bears witness to."""
    if isinstance(answer, game_pb2.Game):
        known = game_pb2.Game()
        known.CopyFrom(answer)
        for seat in known.seats:
            seat.name = ""
        return known
    return answer


def outlines(events: list[Any]) -> list[tuple[int, str, str]]:
    return [(event.version, event.name, event.command_id) for event in events]


@asynccontextmanager
async def damaged(sound: Sound, folder: Path, kind: str, seed: int) -> AsyncIterator[Api | None]:
    """A service on a damaged copy, or ``None`` if it says that it cannot start."""
    path = copy_of(sound, folder, kind, seed)
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


def copy_of(sound: Sound, folder: Path, kind: str, seed: int) -> Path:
    folder.mkdir()
    path = folder / "games.db"
    data = bytearray(sound.path.read_bytes())
    DAMAGES[kind](data, random.Random(f"{kind} {seed}"))
    path.write_bytes(data)
    shutil.copy(sound.path.with_name("games.db.key"), path.with_name("games.db.key"))
    return path


async def ask_everything(sound: Sound, folder: Path, kind: str, seed: int) -> list[str]:
    """Everything that is wrong about the answers."""
    wrong: list[str] = []
    async with damaged(sound, folder, kind, seed) as api:
        if api is None:
            return []
        bad: set[str] = set()
        async for (game, name), answer in answers(api, sound):
            right = sound.answers[game, name]
            if isinstance(answer, grpc.aio.AioRpcError):
                problem = error_details(answer)
                if problem.reason == "GAME_DAMAGED":
                    bad.add(game)
                elif (
                    name == "GetBoard of the past" and game in bad and problem.reason == "VERSION_OUT_OF_RANGE"
                ) or _may_be_a_names(kind, problem.code):
                    pass
                else:
                    wrong.append(f"{name} of {game}: {answer.code().name} {problem.reason} {answer.details()}")
                continue
            if isinstance(answer, game_pb2.Game) and answer.damaged_version:
                bad.add(game)
                continue
            if game in bad:
                # What is left of a game that had ended is a game that goes on: what was hidden is hidden again.
                if isinstance(right, list) and outlines(answer) != outlines(right)[: len(answer)]:
                    wrong.append(f"{name} of the damaged {game}: not the beginning of the right events")
                continue
            if plain(answer) != plain(right):
                wrong.append(f"{name} of {game}: another answer")
        try:
            games = {game.game_id: game for game in await listed(api)}
        except grpc.aio.AioRpcError as error:
            if error_details(error).reason not in ("LOBBY_DAMAGED", "STORAGE_DAMAGED"):
                wrong.append(f"ListGames: {error.code().name} {error_details(error).reason} {error.details()}")
        else:
            wrong += _lines_that_are_wrong(sound, games, bad, compare=kind != "some_bytes_at_random")
    return wrong


def _lines_that_are_wrong(sound: Sound, games: dict[str, Any], bad: set[str], *, compare: bool) -> list[str]:
    wrong: list[str] = []
    for game in sound.listed:
        line = games.get(game.game_id)
        if line is None and game.game_id not in bad:
            wrong.append(f"ListGames: {game.game_id} is missing, which is sound")
        elif line is not None and not line.damaged_version and compare and plain(line) != plain(game):
            wrong.append(f"ListGames: another line of {game.game_id}")
    return wrong


def _may_be_a_names(kind: str, code: StatusCode) -> bool:
    """Whether random bytes may have got into a token's hash, so that its seat is nobody's."""
    return kind == "some_bytes_at_random" and code is StatusCode.PERMISSION_DENIED


@pytest.mark.sqlite_only
@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("kind", DAMAGES)
async def test_answers_are_right_or_say_what_is_damaged(sound: Sound, tmp_path: Path, kind: str, seed: int) -> None:
    assert await ask_everything(sound, tmp_path / "copy", kind, seed) == []


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("kind", DAMAGES)
async def test_answers_are_right_or_say_what_is_damaged_at_length(
    sound: Sound, tmp_path: Path, kind: str, part: int
) -> None:
    for seed in range(100 + 10 * part, 110 + 10 * part):
        wrong = await ask_everything(sound, tmp_path / str(seed), kind, seed)
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
"""What is read for calls about games, and beside them."""


async def _without_the_root_of(sound: Sound, folder: Path, tree: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    with closing(sqlite3.connect(sound.path)) as file:
        ((page,),) = file.execute("SELECT rootpage FROM sqlite_master WHERE name=?", (tree,)).fetchall()

    def zero(data: bytearray, _: random.Random) -> None:
        data[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)

    monkeypatch.setitem(DAMAGES, tree, zero)
    return await ask_everything(sound, folder, tree, 0)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("tree", TREES)
async def test_a_table_or_index_that_cannot_be_read_is_told_of(
    sound: Sound, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tree: str
) -> None:
    assert await _without_the_root_of(sound, tmp_path / "copy", tree, monkeypatch) == []


@pytest.mark.soak
async def test_any_table_or_index_that_cannot_be_read_is_told_of(
    sound: Sound, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(sound.path)) as file:
        trees = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE rootpage > 0")]
    for tree in trees:
        assert await _without_the_root_of(sound, tmp_path / tree, tree, monkeypatch) == [], tree


@pytest.mark.parametrize("kind", DAMAGES)
def test_checking_and_rebuilding_end_with_a_sentence(sound: Sound, tmp_path: Path, kind: str) -> None:
    for seed in range(2):
        path = copy_of(sound, tmp_path / str(seed), kind, seed)
        before = path.read_bytes()
        checked = _sentence(partial(_check_all, path))
        assert path.read_bytes() == before
        rebuilt = _sentence(partial(rebuild, path, load_title))
        assert all(str(path) in sentence for sentence in (checked, rebuilt) if sentence)


def _check_all(path: Path) -> None:
    for _ in check_file(path):
        pass


def _sentence(function: Callable[[], object]) -> str:
    """What a function says if it cannot do its work; nothing else may come out of it."""
    try:
        function()
    except StartupError as error:
        return str(error)
    return ""


@pytest.mark.sqlite_only
def test_bytes_of_a_damaged_description_that_are_no_text_are_told_of(sound: Sound, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(sound.path.read_bytes().replace(b"CREATE TABLE expiries", b"CREATE \xeeABLE expiries"))
    shutil.copy(sound.path.with_name("games.db.key"), path.with_name("games.db.key"))
    for do in (
        partial(open_database, path),
        partial(_check_all, path),
        partial(rebuild, path, load_title),
        partial(back_up, str(path), tmp_path / "games.backup"),
        partial(erase_name, str(path), "Ada"),
    ):
        assert "malformed database schema" in _sentence(do), do


# --- one thing at a time -------------------------------------------------------------------------------------

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
    "a time that nobody can tell": "UPDATE games SET update_time=9000000000000000000",
    "a title that is none": "UPDATE games SET title=x'ff'",
    "bytes that are no text": "UPDATE games SET commitment=CAST(x'ff' AS TEXT)",
    "a seat too few": "DELETE FROM seats WHERE seat=2",
    "another seat": "UPDATE seats SET seat=7 WHERE seat=2",
    "text for a token's hash": "UPDATE seats SET token_hash='secret'",
    "a name that is none": "UPDATE seats SET name=x'ff'",
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("statement", ROWS.values(), ids=list(ROWS))
async def test_what_does_not_fit_a_game_damages_it_alone(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "games.db"
    one, other = await played(path), await played(path)
    attack(path, f"{statement} {'AND' if 'WHERE' in statement else 'WHERE'} game='{one.hex}'")
    with capture_logs():
        async with open_service(path) as house:
            with api_error("GAME_DAMAGED"):
                await take_turn(house, one, 99)
            assert one in house.application.damages
            assert await take_turn(house, other, 99) == LAST + 1
            assert other in {line.game_id for line in house.application.game_tables.lobby_page()}
            with api_error("GAME_NOT_FOUND"):
                await house.registry.get(UUID(int=7))


@pytest.mark.databases
@pytest.mark.parametrize("statement", ["UPDATE games SET setup=CAST('{' AS {bytes})", "DELETE FROM seats"])
async def test_a_damaged_line_is_left_out_of_lists_and_nothing_else_is(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "games.db"
    with capture_logs():
        async with run_server(path) as api:
            games = [(await api.create(SEAT(name="Ada"), SEAT(name="Bob")))[0].game_id for _ in range(9)]
            for game in games[2], games[3], games[8]:
                places.execute(path, f"{statement} WHERE game=?", game)
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
async def test_bots_of_other_games_are_found_beside_a_damaged_line(
    tmp_path: Path, table: str, column: str, value: str
) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as house:
        plans = SeatPlan(bot="random"), SeatPlan(bot="random")
        one, *others = [await house.game(*plans) for _ in range(5)]
    attack(path, f"UPDATE {table} SET {column}={value} WHERE game='{one.hex}'{' AND seat=2' * (table == 'seats')}")
    with capture_logs():
        async with open_service(path) as house:
            found: list[UUID] = []
            after: int | None = 0
            while after is not None:
                games, after = house.application.game_tables.running_with_bots(after, 2)
                found += games
            assert found == [*([one] if one in found else []), *others]


@pytest.mark.sqlite_only
@pytest.mark.parametrize("value", ["x'ff'", "CAST(x'ff' AS TEXT)", "'nonsense'"])
async def test_clocks_of_other_games_expire_beside_a_damaged_row(tmp_path: Path, value: str) -> None:
    path = tmp_path / "games.db"
    other = UUID(int=7)
    async with open_service(path):
        pass
    attack(path, f"INSERT INTO expiries (game, time) VALUES ({value}, 1), ('{other.hex}', 2)")
    with capture_logs() as log:
        async with open_service(path) as house:
            for _ in range(2):
                assert house.application.database.expiries.expired(3, 50) == [other]
    assert len([line for line in log if line["event"] == "a row cannot be read, and is left out"]) <= 1


@pytest.mark.sqlite_only
async def test_a_game_without_its_secret_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    game = await played(path)
    attack(path, "DELETE FROM dice_secrets")
    with capture_logs() as log:
        async with open_service(path) as house:
            assert len(await read_all_events(house, game)) == LAST
            assert house.application.damages[game].version == LAST + 1
    assert log[0]["problem"] == "the secret of its dice is missing or is another one"


@pytest.mark.sqlite_only
async def test_a_damaged_game_does_not_keep_others_from_being_stored(tmp_path: Path) -> None:
    """Commands of many games share a commit, in which SQLite finds one of them damaged."""
    async with open_service(tmp_path / "games.db") as house:
        games = [await house.game() for _ in range(4)]
        writer = writer_of(house.application)
        insert = writer._insert_events

        def damaged(appends: Any) -> None:
            if any(event.originator_id == games[1] for append in appends for event in append.events):
                error = sqlite3.DatabaseError("database disk image is malformed")
                error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
                raise error
            insert(appends)

        with pytest.MonkeyPatch.context() as patch, capture_logs():
            patch.setattr(writer, "_insert_events", damaged)
            outcomes = await asyncio.gather(*(take_turn(house, game, 0) for game in games), return_exceptions=True)
        assert [is_reason(outcome, "STORAGE_FAILED") for outcome in outcomes] == [False, True, False, False]
        assert house.application.writer.last_error is None


async def test_a_page_of_events_with_a_gap_is_no_page(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as house:
        game = await house.game()
        rows = house.application.event_log.select_rows(game)
        with pytest.MonkeyPatch.context() as patch, capture_logs():
            patch.setattr(house.application.event_log, "select_rows", lambda *_, **__: [rows[0], *rows[2:]])
            with api_error("GAME_DAMAGED"):
                await read_all_events(house, game)
