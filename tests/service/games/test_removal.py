"""Removal of a game by an operator: all its data is deleted, its id stays reserved, other games are unchanged."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from uuid import UUID

import grpc
import pytest
from tests.databases.database_access import count_rows, db_argument, key_path
from tests.service.api.test_records import BOT, create_finished_game, get_record, import_record
from tests.service.api_server import Api, bearer, grpc_error, run_server
from tests.service.cache.test_game_registry import open_service
from tests.service.forging import forge_record, unknown_key
from tests.service.keys import OPERATOR_TOKEN
from tests.service.sqlite_internals import downgrade_schema
from tests.service.storage.test_hash_chain import execute_without_triggers

from boardkeeper.service.games.records import Records
from boardkeeper.service.process.chain_check import ChainCheck
from boardkeeper.service.requests.errors import is_reason
from boardkeeper.service.storage.admin import check_database, remove_game
from boardkeeper.service.storage.projection_rebuild import rebuild
from boardkeeper.service.storage.reports import CheckedGame
from boardkeeper.service.storage.sqlite.events_table import TOMBSTONES
from boardkeeper.service.storage.sqlite.file_check import CheckedFile, check_file
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import game_pb2, games_pb2, history_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

GONE = grpc.StatusCode.NOT_FOUND
EXISTS = grpc.StatusCode.ALREADY_EXISTS


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with run_server(tmp_path / "games.db", operator_token=OPERATOR_TOKEN) as api:
        yield api


async def remove(api: Api, game: str, token: str = OPERATOR_TOKEN) -> int:
    request = games_pb2.RemoveGameRequest(game_id=game)
    answer = await api.games.RemoveGame(request, metadata=bearer(token) if token else ())
    return int(answer.remove_time.ToMilliseconds())


def tables_with_rows(path: Path, game: str) -> tuple[str, ...]:
    """Return the tables that have a row of a game, at most one each; a feed item records the removal."""
    rows = count_rows(path, game)
    assert set(rows.values()) == {1}, rows
    return tuple(sorted((table.removesuffix("_outbox") for table in rows), reverse=True))


async def list_games(api: Api) -> list[str]:
    return [game.game_id for game in (await api.games.ListGames(games_pb2.ListGamesRequest())).games]


async def test_only_the_operator_removes_games(api: Api) -> None:
    game, tokens = await api.create()
    for token in ("", tokens[1], "unknown"):
        async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "OPERATOR_ONLY"):
            await remove(api, game.game_id, token)
    assert await list_games(api) == [game.game_id]
    async with grpc_error(GONE, "GAME_NOT_FOUND"):
        await remove(api, "00000000-0000-0000-0000-000000000000")


async def test_without_an_operator_token_no_game_is_removed(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, _ = await api.create()
        for token in ("", OPERATOR_TOKEN):
            async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "OPERATOR_ONLY"):
                await remove(api, game.game_id, token)


async def test_a_removed_game_is_gone_for_all_callers(api: Api, tmp_path: Path) -> None:
    kept = await create_finished_game(api)
    game, tokens = await api.create()
    id = game.game_id
    watching = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=id))
    first = await watching.read()
    assert first.event.version == 1
    when = await remove(api, id)
    assert await remove(api, id) == when, "a repeated removal changes nothing"
    async with grpc_error(GONE, "GAME_REMOVED"):
        while await watching.read() is not grpc.aio.EOF:
            pass
    legal = games_pb2.ListLegalCommandsRequest(game_id=id, seat=1)
    for call in (
        lambda: api.game(id),
        lambda: api.games.GetBoard(games_pb2.GetBoardRequest(game_id=id)),
        lambda: api.games.ListLegalCommands(legal, metadata=bearer(tokens[1])),
        lambda: api.history.ListEvents(history_pb2.ListEventsRequest(game_id=id)),
        lambda: get_record(api, id),
    ):
        async with grpc_error(GONE, "GAME_REMOVED"):
            await call()
    assert await list_games(api) == [kept]
    assert tables_with_rows(tmp_path / "games.db", id) == (TOMBSTONES, "feed")


async def test_other_games_are_unchanged_after_a_removal(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    async with run_server(database, operator_token=OPERATOR_TOKEN) as api:
        kept, removed = await create_finished_game(api), await create_finished_game(api)
        record = await get_record(api, kept)
        await remove(api, removed)
    checked = [found for found in check_database(db_argument(database)) if isinstance(found, CheckedGame)]
    assert [(game.game_id, game.damage) for game in checked] == [(kept, None)]
    rebuilt = rebuild(db_argument(database), load_title, key_file=key_path(database))
    assert (rebuilt.games, rebuilt.differences, rebuilt.damages) == (1, [], {})
    async with run_server(database, operator_token=OPERATOR_TOKEN) as api:
        assert await list_games(api) == [kept]
        assert await get_record(api, kept) == record
        async with grpc_error(GONE, "GAME_REMOVED"):
            await api.game(removed)
        assert await remove(api, removed) > 0


@pytest.mark.sqlite_only
async def test_events_are_deleted_only_with_a_tombstone_and_do_not_return(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    async with run_server(database, operator_token=OPERATOR_TOKEN) as api:
        kept, removed = await create_finished_game(api), await create_finished_game(api)
        await remove(api, removed)
    with sqlite3.connect(database) as connection:
        with pytest.raises(sqlite3.IntegrityError, match="never changed or removed"):
            connection.execute("DELETE FROM stored_events WHERE originator_id=?", (UUID(kept).hex,))
        with pytest.raises(sqlite3.IntegrityError, match="never changed or removed"):
            connection.execute("INSERT INTO stored_events VALUES (?, 1, '', '', '')", (UUID(removed).hex,))
    connection.close()


async def test_a_running_game_of_bots_can_be_removed(api: Api) -> None:
    game, _ = await api.create(BOT, BOT)
    await remove(api, game.game_id)
    other = await create_finished_game(api)
    assert await list_games(api) == [other]


async def test_concurrent_removals_and_reads_leave_no_rows(api: Api, tmp_path: Path) -> None:
    games = [(await api.create(BOT, BOT))[0].game_id for _ in range(4)]
    calls: list[Awaitable[object]] = [remove(api, game) for game in games for _ in range(2)]
    calls += [api.game(game) for game in games]
    for answer in await asyncio.gather(*calls, return_exceptions=True):
        known = isinstance(answer, int | game_pb2.Game)
        assert known or (isinstance(answer, grpc.aio.AioRpcError) and answer.code() is GONE), answer
    assert await list_games(api) == []
    for game in games:
        async with grpc_error(GONE, "GAME_REMOVED"):
            await api.game(game)
        assert tables_with_rows(tmp_path / "games.db", game) == (TOMBSTONES, "feed")


async def test_reads_that_wait_during_a_removal_fail_with_game_removed(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        registry, game = service.registry, await service.game()
        live = await registry.get(game)
        async with registry.history_queue.turn("one"), registry.history_queue.turn("another"):
            reads = [asyncio.create_task(read) for read in (registry.moment_at(game, 1), registry.load_at(game, 1))]
            await asyncio.sleep(0)  # both reads have found the game and are in the queue
            await service.handler.changes.remove(game)
        records = Records(service.handler, load_title, service.application.database.key)
        for outcome in await asyncio.gather(*reads, records.lines(live, 0), return_exceptions=True):
            assert is_reason(outcome, "GAME_REMOVED")
        assert not service.application.damages


async def test_a_game_removed_before_its_chain_check_is_not_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_service(tmp_path / "games.db") as service:
        games = [await service.game() for _ in range(2)]
        page = service.application.game_tables.games_by_number("running", None)
        assert {game for _, game in page} == set(games)
        monkeypatch.setattr(
            service.application.game_tables, "games_by_number", lambda status, *_: page if status == "running" else []
        )
        await service.handler.changes.remove(games[0])
        check = ChainCheck(service.application)
        await check.run()
        assert (check.checked, check.damaged, service.application.damages) == (2, {}, {})


async def test_the_id_of_a_removed_game_is_not_used_again(api: Api, tmp_path: Path) -> None:
    game = await create_finished_game(api)
    record = await get_record(api, game)
    await remove(api, game)
    for data in (record, forge_record(record, key=unknown_key())):
        async with grpc_error(EXISTS, "GAME_EXISTS"):
            await import_record(api, data)
    assert await list_games(api) == []


async def test_a_removed_record_is_not_imported_again(api: Api, tmp_path: Path) -> None:
    async with run_server(tmp_path / "other.db") as other:
        record = await get_record(other, await create_finished_game(other))
    game = (await import_record(api, record)).game.game_id
    await remove(api, game)
    async with grpc_error(GONE, "GAME_REMOVED"):
        await import_record(api, record)
    other_record = forge_record(record, key=unknown_key())
    again = await import_record(api, other_record)
    assert again.game.game_id != game
    assert await list_games(api) == [again.game.game_id]
    when = await remove(api, again.game.game_id)
    async with grpc_error(GONE, "GAME_REMOVED") as problems:
        await import_record(api, other_record)
    assert problems[0].values == {"game": again.game.game_id, "time": str(when)}


@pytest.mark.sqlite_only
async def test_a_damaged_game_can_be_removed(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    async with run_server(database) as api:
        game = await create_finished_game(api)
    execute_without_triggers(database, "UPDATE stored_events SET state='x' WHERE originator_version=1")
    async with run_server(database, operator_token=OPERATOR_TOKEN) as api:
        await remove(api, game)
        assert await list_games(api) == []
    assert [found.problem for found in check_file(database) if isinstance(found, CheckedFile)] == [""]
    assert not [found for found in check_file(database) if isinstance(found, CheckedGame)]


# --- files -----------------------------------------------------------------------------------------------------


async def test_a_game_is_removed_from_a_database_without_a_server(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    async with run_server(database) as api:
        kept, removed = await create_finished_game(api), await create_finished_game(api)
    assert str(remove_game(db_argument(database), removed[:13], 5000)) == removed
    assert tables_with_rows(database, removed) == (TOMBSTONES, "feed")
    with pytest.raises(LookupError):
        remove_game(db_argument(database), removed, 6000)
    async with run_server(database) as api:
        assert await list_games(api) == [kept]
        async with grpc_error(GONE, "GAME_REMOVED") as problems:
            await api.game(removed)
        assert problems[0].values["time"] == "5000"


@pytest.mark.sqlite_only
async def test_a_game_is_removed_from_a_file_of_an_earlier_release(tmp_path: Path) -> None:
    """Files of 0.1.0 have no tombstones, no separate ids of imports, and triggers that prevent every deletion."""
    database = tmp_path / "games.db"
    async with run_server(tmp_path / "other.db") as other:
        record = await get_record(other, await create_finished_game(other))
    async with run_server(database) as api:
        kept = (await import_record(api, record)).game.game_id
        removed = await create_finished_game(api)
    downgrade_schema(
        database,
        f"""
            DROP TRIGGER stored_events_no_return;
            DROP TRIGGER stored_events_no_delete_but_of_gone;
            CREATE TRIGGER stored_events_no_delete BEFORE DELETE ON stored_events
                BEGIN SELECT RAISE(ABORT, 'stored events are never changed or removed'); END;
            DROP TABLE {TOMBSTONES};
            DROP INDEX imports_by_head;
            ALTER TABLE imports DROP COLUMN record_id;
            ALTER TABLE imports DROP COLUMN head;
        """,
    )
    remove_game(str(database), removed, 5000)
    async with run_server(database) as api:
        assert await list_games(api) == [kept]
        assert await get_record(api, kept) == record
        async with grpc_error(EXISTS, "GAME_EXISTS"):
            await import_record(api, record)
