"""Records over a real socket: exported for each viewer, verified without a server, imported by another server."""

from __future__ import annotations

import asyncio
import random
import re
import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.service.api_server import Api, bearer, error_details, grpc_error, run_server
from tests.service.keys import OPERATOR_TOKEN

from boardkeeper.game.audit import LEVELS, Report, audit
from boardkeeper.game.record import MAX_IMPORT_BYTES, canonical, key_id
from boardkeeper.game.record_reading import split_lines
from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import game_pb2, games_pb2, history_pb2, history_pb2_grpc
from boardkeeper.wire.signatures import verify

pytestmark = [pytest.mark.socket, pytest.mark.databases]

BOT = games_pb2.SeatRequest(bot="random")
BAD = grpc.StatusCode.INVALID_ARGUMENT


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with run_server(tmp_path / "games.db", operator_token=OPERATOR_TOKEN) as api:
        yield api


@pytest.fixture
async def other(tmp_path: Path) -> AsyncIterator[Api]:
    """An unrelated server."""
    (tmp_path / "elsewhere").mkdir()
    async with run_server(tmp_path / "elsewhere" / "games.db") as api:
        yield api


async def get_record(api: Api, game_id: str, token: str = "") -> bytes:
    request = history_pb2.GetRecordRequest(game_id=game_id)
    stream = api.history.GetRecord(request, metadata=bearer(token) if token else ())
    return b"".join([answer.data async for answer in stream])


async def import_record(api: Api, data: bytes, size: int = 50_000) -> history_pb2.ImportRecordResponse:
    def pieces() -> Iterable[history_pb2.ImportRecordRequest]:
        for start in range(0, len(data), size):
            yield history_pb2.ImportRecordRequest(data=data[start : start + size])

    answer: history_pb2.ImportRecordResponse = await api.history.ImportRecord(pieces())
    return answer


async def verification(api: Api, game_id: str, token: str = "") -> history_pb2.Verification:
    request = history_pb2.VerifyGameRequest(game_id=game_id)
    answer = await api.history.VerifyGame(request, metadata=bearer(token) if token else ())
    found: history_pb2.Verification = answer.verification
    return found


def verdicts(found: history_pb2.Verification) -> dict[str, str]:
    name = history_pb2.VerificationStatus.Name
    return {it.level: name(it.status).removeprefix("VERIFICATION_STATUS_") for it in found.levels}


def check(data: bytes) -> Report:
    return audit(split_lines([data]), load_title, verify)


async def create_finished_game(api: Api, **more: Any) -> str:
    """Let two bots play a game to its end and return its id."""
    game, _ = await api.create(BOT, BOT, **more)
    async for _ in api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id)):
        pass
    return game.game_id


async def create_running_game(api: Api, turns: int = 60) -> tuple[str, dict[int, str]]:
    """Play a game with sealed plans to its middle and return its id and tokens."""
    game, tokens = await api.create(options={"planning": "sealed"})
    chance = random.Random(1)
    for _ in range(turns):
        await api.play_turn(game.game_id, tokens, chance)
    return game.game_id, tokens


# --- keys ------------------------------------------------------------------------------------------------------


def test_a_key_is_created_once_and_private(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    key = ServiceKey.open(database)
    path = tmp_path / "games.db.key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(tmp_path.iterdir()) == [path]
    again = ServiceKey.open(database)
    assert again.id == key.id == key_id(key.public_key)
    assert verify(key.public_key, again.sign(b"message"), b"message")
    assert not verify(key.public_key, again.sign(b"message"), b"massage")
    assert not verify(bytes(31), bytes(64), b"")
    assert ServiceKey.open(tmp_path / "other.db").id != key.id


def test_an_unusable_key_stops_the_start(tmp_path: Path) -> None:
    database, path = tmp_path / "games.db", tmp_path / "games.db.key"
    ServiceKey.open(database)
    path.chmod(0o644)
    with pytest.raises(StartupError, match="chmod 600"):
        ServiceKey.open(database)
    path.unlink()
    path.touch(0o600)
    for content in (b"", b"no key", b"\x00" * 9000):
        path.write_bytes(content)
        with pytest.raises(StartupError, match="contains no readable key"):
            ServiceKey.open(database)
    path.unlink()
    path.mkdir(0o700)
    with pytest.raises(StartupError, match="key"):
        ServiceKey.open(database)


def test_an_unfinished_key_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "games.db.key.new").write_bytes(b"cut off")
    assert ServiceKey.open(tmp_path / "games.db").id
    assert [path.name for path in tmp_path.iterdir()] == ["games.db.key"]


async def test_a_server_publishes_its_key_and_keeps_it(tmp_path: Path) -> None:
    published = []
    for _ in range(2):
        async with run_server(tmp_path / "games.db") as api:
            published.append((await api.history.ListKeys(history_pb2.ListKeysRequest())).keys)
    assert published[0] == published[1]
    (key,) = published[0]
    assert key.key_id == key_id(key.public_key)
    assert key.algorithm == "ed25519"


# --- export ----------------------------------------------------------------------------------------------------


async def test_the_record_of_a_finished_game_is_whole_and_verifies_offline(api: Api) -> None:
    game = await create_finished_game(api)
    data = await get_record(api, game)
    report = check(data)
    assert report.holds, report.problems
    assert (report.game, report.viewer) == (game, "whole")
    (key,) = (await api.history.ListKeys(history_pb2.ListKeysRequest())).keys
    assert report.key_id == key.key_id
    assert data == await get_record(api, game, OPERATOR_TOKEN)
    found = await verification(api, game)
    assert verdicts(found) == dict.fromkeys(LEVELS, "HOLDS")
    assert (found.game_id, found.viewer, found.key_id, found.events) == (game, "whole", key.key_id, report.events)
    assert not found.HasField("other_readings")


async def test_the_record_of_a_running_game_is_redacted_for_its_viewer(api: Api) -> None:
    game, tokens = await create_running_game(api)
    waits = {"fair": "NOT_YET", "decided": "NOT_YET"}
    seals = set()
    for token, viewer in (("", "spectator"), (tokens[1], "seat.1"), (tokens[2], "seat.2"), (OPERATOR_TOKEN, "whole")):
        data = await get_record(api, game, token)
        report = check(data)
        assert report.problems == ()
        assert report.viewer == viewer
        seals.add(data.splitlines()[-1])
        more = {} if viewer == "whole" else {"conserved": "NOT_YET"}
        assert verdicts(await verification(api, game, token)) == dict.fromkeys(LEVELS, "HOLDS") | waits | more
    assert len(seals) == 1, "all viewers get the same head and signature"


async def test_a_redacted_record_shows_the_same_as_the_events(api: Api) -> None:
    game, tokens = await create_running_game(api)
    for token in ("", tokens[1], tokens[2]):
        events = await api.events(game, token)
        lines = (await get_record(api, game, token)).splitlines()[1:-1]
        assert len(lines) == len(events)
        for line, event in zip(lines, events, strict=True):
            topic = re.search(rb'"topic":"(?:\w+\.(\w+))?"', line)
            assert topic is not None
            assert (topic[1] or b"").decode() == event.name
            assert (b'"detail":null' in line) == (not event.HasField("detail"))
            assert b'"given":{' not in line


async def test_unknown_tokens_and_games_are_rejected(api: Api) -> None:
    game, _ = await create_running_game(api, 3)
    async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG"):
        await get_record(api, game, "unknown")
    async with grpc_error(grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND"):
        await get_record(api, "00000000-0000-0000-0000-000000000000")
    async with grpc_error(BAD):
        await verification(api, "nonsense")


@pytest.mark.sqlite_only
async def test_a_damaged_game_is_not_signed(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game = await create_finished_game(api)
    with sqlite3.connect(tmp_path / "games.db") as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type='trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("UPDATE stored_events SET state=replace(state, '1', '2') WHERE originator_version=9")
    connection.close()
    async with run_server(tmp_path / "games.db") as api:
        for call in (get_record, verification):
            async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "GAME_DAMAGED"):
                await call(api, game)


async def test_readings_other_than_the_default_are_reported(api: Api) -> None:
    game = await create_finished_game(api, readings={"event_order": "simultaneous"})
    found = await verification(api, game)
    assert verdicts(found) == dict.fromkeys(LEVELS, "HOLDS")
    (change,) = found.other_readings.readings
    assert (change.reading, change.own, change.default_choice) == ("event_order", "simultaneous", "clockwise")
    assert found.other_readings.version > 0
    assert found.other_readings.difference


# --- import ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [50_000, 777, 200_000])
async def test_another_server_imports_a_game_and_exports_the_same_record(api: Api, other: Api, size: int) -> None:
    game = await create_finished_game(api)
    played = await api.game(game)
    data = await get_record(api, game)
    answer = await import_record(other, data, size)
    assert verdicts(answer.verification) == dict.fromkeys(LEVELS, "HOLDS")
    assert answer.game.game_id == game
    assert answer.game.imported_key_id == answer.verification.key_id == check(data).key_id
    assert played.imported_key_id == ""
    imported = await other.game(game)
    assert imported == answer.game
    for field in ("title", "edition", "options", "readings", "version", "standings", "dice_commitment", "create_time"):
        assert getattr(imported, field) == getattr(played, field), field
    assert imported.status == game_pb2.GAME_STATUS_ENDED
    assert [seat.taken for seat in imported.seats] == [True, True]
    assert await get_record(other, game) == data, "signed by the server that played it"
    assert verdicts(await verification(other, game)) == dict.fromkeys(LEVELS, "HOLDS")
    here, there = await api.events(game), await other.events(game)
    assert [event.effects for event in here] == [event.effects for event in there]
    board = games_pb2.GetBoardRequest(game_id=game, version=100)
    assert await api.games.GetBoard(board) == await other.games.GetBoard(board)


async def test_an_imported_game_survives_a_restart(api: Api, tmp_path: Path) -> None:
    game = await create_finished_game(api)
    data = await get_record(api, game)
    database = tmp_path / "second.db"
    async with run_server(database) as second:
        await import_record(second, data)
    async with run_server(database) as second:
        assert await get_record(second, game) == data
        (listed,) = (await second.games.ListGames(games_pb2.ListGamesRequest())).games
        assert listed.imported_key_id == check(data).key_id


async def test_an_existing_game_is_not_imported_again(api: Api, other: Api) -> None:
    game = await create_finished_game(api)
    data = await get_record(api, game)
    async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "GAME_EXISTS"):
        await import_record(api, data)
    await import_record(other, data)
    async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "GAME_EXISTS"):
        await import_record(other, data)


async def test_damaged_records_are_rejected(api: Api, other: Api) -> None:
    data = await get_record(api, await create_finished_game(api))
    lines = data.splitlines(keepends=True)
    unknown_key = Ed25519PrivateKey.generate().public_key().public_bytes_raw()
    foreign = lines[-1].replace(check(data).key_id.encode(), key_id(unknown_key).encode())
    foreign = re.sub(rb'"key":"\w+"', f'"key":"{unknown_key.hex()}"'.encode(), foreign)
    for damaged, level, line in (
        (b"", "well-formed", 0),
        (b"hello", "well-formed", 1),
        (data[:-100], "well-formed", len(lines)),
        (b"".join([*lines[:9], *lines[10:]]), "well-formed", 10),
        (data.replace(b'"time":1', b'"time":2'), "chained", 2),
        (b"".join([*lines[:-1], foreign]), "signed", len(lines)),
    ):
        async with grpc_error(BAD, "RECORD_REFUSED") as problems:
            await import_record(other, damaged)
        values = problems[0].values
        assert (values["level"], int(values["line"])) == (level, line), values
    assert list((await other.games.ListGames(games_pb2.ListGamesRequest())).games) == []


async def test_the_record_of_a_running_game_is_rejected(api: Api, other: Api) -> None:
    game, tokens = await create_running_game(api, 20)
    for token in (OPERATOR_TOKEN, tokens[1], ""):
        async with grpc_error(BAD, "RECORD_REFUSED") as problems:
            await import_record(other, await get_record(api, game, token))
        assert "not yet" in problems[0].values["problem"]


async def test_an_import_above_the_size_limit_is_rejected_while_it_streams(api: Api) -> None:
    def endless() -> Iterator[history_pb2.ImportRecordRequest]:
        for _ in range(MAX_IMPORT_BYTES // 100_000 + 1000):
            yield history_pb2.ImportRecordRequest(data=b"x" * 100_000)

    def send() -> grpc.RpcError:
        # gRPC's asyncio client may report a call that the server ends early as its own error; this client does not.
        with grpc.insecure_channel(api.address) as channel, pytest.raises(grpc.RpcError) as caught:
            history_pb2_grpc.HistoryStub(channel).ImportRecord(endless())
        return caught.value

    error: Any = await asyncio.to_thread(send)
    assert error.code() is BAD
    assert error_details(error).reason == "RECORD_REFUSED"


async def test_a_forged_outcome_with_another_key_is_rejected(api: Api, other: Api) -> None:
    """A signature is not enough: the record must also verify on the levels conserved, fair and decided."""
    import msgspec

    from boardkeeper.testkit.games import rewrite_event

    data = await get_record(api, await create_finished_game(api))
    lines = data.splitlines(keepends=True)
    at = len(lines) - 2

    def win(line: Any) -> None:
        line["event"]["detail"]["ranks"] = line["event"]["detail"]["ranks"][::-1] or [1]
        line["event"]["detail"]["ranks"] = [1] * len(line["event"]["detail"]["ranks"])

    key = ServiceKey(Ed25519PrivateKey.generate())
    forged = rewrite_event(lines, at, win)
    game = msgspec.json.decode(lines[0])["game"]
    head = msgspec.json.decode(forged[-1])["head"]
    from boardkeeper.game.record import sealer

    sealed = [*forged[:-1], canonical(sealer(key)(game, at, head)) + b"\n"]
    report = check(b"".join(sealed))
    if b"".join(forged[:-1]) == b"".join(lines[:-1]):
        return  # a draw: nothing to change
    assert {problem.level for problem in report.problems} >= {"decided"}
    async with grpc_error(BAD, "RECORD_REFUSED"):
        await import_record(other, b"".join(sealed))
