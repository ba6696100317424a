"""Hostile records: rejected on import, and harmless where an earlier release imported them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import grpc
import pytest
from msgspec import UNSET
from tests.service.api.test_records import BAD, check, get_record, import_record
from tests.service.api_server import Api, bearer, grpc_error, read_pages, run_server
from tests.service.forging import Change, change_creation, forge_record, set_time, sign_record, unknown_key
from tests.service.keys import OPERATOR_TOKEN

from boardkeeper.client import Client, bot
from boardkeeper.game.audit import LEVELS, Level, Report
from boardkeeper.game.record_reading import parse_header, parse_seal
from boardkeeper.service.api import message_limits
from boardkeeper.service.games import records
from boardkeeper.service.process.server import running_service
from boardkeeper.v1 import games_pb2, history_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

YEAR_287396 = 9_007_199_254_740_991
LONG = "bot." + "x" * 800_000
HOSTILE: dict[str, Change] = {
    "the year 287396": set_time(YEAR_287396),
    "a day in the future": set_time(4_000_000_000_000),
    "a long kind of seat": change_creation(seats=(LONG, LONG[:100])),
    "an escape in the kind of a seat": change_creation(seats=("bot.\x1b[2J", "bot.random")),
    "a long build": change_creation(server_build="x" * 900_000),
    "an escape in the build": change_creation(server_build="\x1b]0;evil\x07"),
    "a fork of something else": change_creation(forked_game="x" * 5000, forked_version=1),
    "a fork from an impossible version": change_creation(forked_game=str(uuid4()), forked_version=2**53 - 1),
}


@pytest.fixture(scope="module")
def finished_records(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The records of two games of another server."""
    database = tmp_path_factory.mktemp("elsewhere") / "games.db"
    with running_service(database) as address, Client(address) as client:
        games = [client.create_game("orleans", [bot("random"), bot("random")]).game.game_id for _ in range(2)]
        for game in games:
            for _ in client.watch(game):
                pass
        return [client.record(game) for game in games]


@pytest.fixture
def record(finished_records: list[bytes]) -> bytes:
    return finished_records[0]


@pytest.fixture
def another(finished_records: list[bytes]) -> bytes:
    return finished_records[1]


@pytest.fixture
def old(record: bytes) -> bytes:
    """A record of 0.1.0, which does not contain the server's key."""
    return forge_record(record, change_creation(server_key=UNSET), key=unknown_key())


async def test_records_out_of_bounds_are_rejected(api: Api, record: bytes) -> None:
    key = unknown_key()
    assert check(forge_record(record, key=key)).holds, "a correct record verifies with any signature"
    for name, change in HOSTILE.items():
        data = forge_record(record, change, key=key)
        async with grpc_error(BAD, "RECORD_REFUSED") as problems:
            await import_record(api, data)
        assert problems[0].values["level"] == "well-formed", name
        assert problems[0].values["problem"].isprintable()
    assert not (await api.games.ListGames(games_pb2.ListGamesRequest())).games


@pytest.mark.parametrize(
    ("format", "problem"),
    [
        (3, "the line has the format 3; this program reads the formats 1 and 2"),
        (2, "the record has format 2, but its events need format 1"),
    ],
)
async def test_a_record_is_imported_only_in_the_format_of_its_export(
    api: Api, record: bytes, format: int, problem: str
) -> None:
    """No signature covers the format in the header, so anyone can change it."""
    other = record.replace(b'{"format":1,', b'{"format":%d,' % format, 1)
    assert check(other).holds == (format == 2)
    async with grpc_error(BAD, "RECORD_REFUSED") as problems:
        await import_record(api, other)
    values = problems[0].values
    assert (values["level"], values["line"], values["problem"]) == ("well-formed", "1", problem)
    answer = await import_record(api, record)
    assert await get_record(api, answer.game.game_id) == record


def accept_all_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server check records as little as before bounds were introduced."""

    def audit(lines: list[bytes], *_: Any) -> Report:
        levels = tuple(Level(name, "holds") for name in LEVELS)
        return Report(parse_header(lines[0]).game, "orleans", "whole", len(lines) - 2, "0" * 64, levels, ())

    monkeypatch.setattr(records, "audit", audit)
    monkeypatch.setattr(records, "_CLOCK_TOLERANCE", YEAR_287396)


async def test_out_of_bounds_games_of_an_earlier_release_are_harmless(
    api: Api, record: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        accept_all_records(patch)
        key = unknown_key()
        for change in (*HOSTILE.values(), *[change_creation(seats=(LONG, "person"))] * 7):
            await import_record(api, forge_record(record, change, key=key, game=uuid4()))
    pages = await read_pages(api.games.ListGames, games_pb2.ListGamesRequest(page_size=200))
    assert max(page.ByteSize() for page in pages) < 2_000_000
    games = [game for page in pages for game in page.games]
    assert len(games) == len(HOSTILE) + 7
    for game in games:
        for time in (game.create_time, game.update_time):
            assert 1970 <= time.ToDatetime().year <= 9999
        assert all(seat.bot.isprintable() and len(seat.bot) < 100 for seat in game.seats)
        assert (await api.game(game.game_id)).seats == game.seats
        page = await api.history.ListEvents(history_pb2.ListEventsRequest(game_id=game.game_id, page_size=500))
        assert page.ByteSize() < 2_000_000
        created = page.events[0].detail.game_created
        assert created.server_build.isprintable()
        assert created.ByteSize() < 10_000
        assert 1970 <= page.events[0].time.ToDatetime().year <= 9999
        board = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id, version=9))
        assert board.version == 9
        watched = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id))
        assert len([it async for it in watched]) == game.version


async def test_a_page_of_the_lobby_is_bounded_in_bytes(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    derived = [(await api.create())[0].game_id for _ in range(5)]
    size = (await api.game(derived[0])).ByteSize()
    monkeypatch.setattr(message_limits, "MAX_PAGE_BYTES", 2 * size + 9)
    pages = await read_pages(api.games.ListGames, games_pb2.ListGamesRequest())
    assert {len(page.games) for page in pages} <= {1, 2}
    assert [game.game_id for page in pages for game in page.games] == derived[::-1]


# --- ids -------------------------------------------------------------------------------------------------------


async def test_a_forged_record_with_the_id_of_a_game_blocks_no_import(api: Api, record: bytes, another: bytes) -> None:
    true_id = check(record).game
    squatting = forge_record(another, key=unknown_key(), game=UUID(true_id))
    assert (await import_record(api, squatting)).game.game_id == true_id
    answer = await import_record(api, record)
    game = answer.game
    assert game.game_id != true_id
    assert game.imported_game_id == answer.verification.game_id == true_id
    assert game.imported_key_id == check(record).key_id
    assert await api.game(game.game_id) == game
    assert await get_record(api, game.game_id) == record
    assert await get_record(api, true_id) == squatting
    request = history_pb2.VerifyGameRequest(game_id=game.game_id)
    verification = (await api.history.VerifyGame(request)).verification
    assert all(level.status == history_pb2.VERIFICATION_STATUS_HOLDS for level in verification.levels)
    board = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id, version=50))
    assert board.version == 50
    async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "GAME_EXISTS") as problems:
        await import_record(api, record)
    assert problems[0].values["game"] == game.game_id


async def test_the_derived_id_of_a_record_cannot_be_taken(api: Api, record: bytes, another: bytes) -> None:
    """Anyone can derive the id from a public record, but a record cannot choose it."""
    derived = records.derive_id(parse_seal(record.splitlines(keepends=True)[-1]))
    taking_record = forge_record(another, key=unknown_key(), game=derived)
    assert (await import_record(api, taking_record)).game.game_id not in (str(derived), check(record).game)
    squatting = forge_record(another, key=unknown_key(), game=UUID(check(record).game))
    await import_record(api, squatting)
    assert (await import_record(api, record)).game.game_id == str(derived)


async def test_an_import_cannot_take_the_id_of_an_own_game(api: Api, record: bytes) -> None:
    game, _ = await api.create()
    before = await api.game(game.game_id)
    async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "GAME_EXISTS"):
        await import_record(api, forge_record(record, key=unknown_key(), game=UUID(game.game_id)))
    assert await api.game(game.game_id) == before


async def test_a_record_must_be_signed_by_the_server_that_played_the_game(api: Api, record: bytes) -> None:
    async with grpc_error(BAD, "RECORD_REFUSED") as problems:
        await import_record(api, sign_record(record, key=unknown_key()))
    assert problems[0].values["level"] == "signed"
    game = (await import_record(api, record)).game
    assert (game.game_id, game.imported_key_id) == (check(record).game, check(record).key_id)


async def test_the_same_events_are_imported_once_with_any_key(api: Api, old: bytes) -> None:
    await import_record(api, old)
    async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "GAME_EXISTS"):
        await import_record(api, sign_record(old, key=unknown_key()))
    (game,) = (await api.games.ListGames(games_pb2.ListGamesRequest())).games
    assert game.imported_key_id == check(old).key_id


async def test_the_operator_can_remove_a_forged_copy_to_import_the_original(tmp_path: Path, old: bytes) -> None:
    """Records of 0.1.0 do not contain the server's key, so a person must decide which one is the original."""
    record = old
    async with run_server(tmp_path / "games.db", operator_token=OPERATOR_TOKEN) as api:
        copy = (await import_record(api, forge_record(record, key=unknown_key()))).game
        assert copy.imported_key_id != check(record).key_id
        async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "GAME_EXISTS") as problems:
            await import_record(api, record)
        assert problems[0].values["game"] == copy.game_id
        request = games_pb2.RemoveGameRequest(game_id=copy.game_id)
        await api.games.RemoveGame(request, metadata=bearer(OPERATOR_TOKEN))
        game = (await import_record(api, record)).game
        assert game.imported_key_id == check(record).key_id
        assert game.imported_game_id == check(record).game
        assert await get_record(api, game.game_id) == record


async def test_concurrent_imports_store_each_game_once(api: Api, record: bytes, another: bytes) -> None:
    other = forge_record(another, key=unknown_key(), game=UUID(check(record).game))
    answers = await asyncio.gather(*(import_record(api, it) for it in (record, other, record)), return_exceptions=True)
    imported = [it for it in answers if not isinstance(it, BaseException)]
    assert len({it.game.game_id for it in imported}) == len(imported) == 2
    assert len((await api.games.ListGames(games_pb2.ListGamesRequest())).games) == 2


async def test_a_record_in_too_many_messages_is_rejected(
    api: Api, record: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "_MAX_MESSAGES", 100)
    for piece in (b"", b"x"):

        async def pieces(piece: bytes = piece) -> AsyncIterator[history_pb2.ImportRecordRequest]:
            while True:
                yield history_pb2.ImportRecordRequest(data=piece)

        async with grpc_error(BAD, "RECORD_REFUSED") as problems:
            await api.history.ImportRecord(pieces())
        assert problems[0].values["problem"] == "the record was sent in more than 100 messages"
    assert len(record.splitlines()) > 100, "more lines than messages are allowed"
    monkeypatch.undo()

    async def lines() -> AsyncIterator[history_pb2.ImportRecordRequest]:
        for line in record.splitlines(keepends=True):
            yield history_pb2.ImportRecordRequest(data=line)

    assert (await api.history.ImportRecord(lines())).verification.levels
