"""The feed: each item once, in a fixed order, also after failures, and only for its platform."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import grpc
import psycopg
import pytest
from tests.databases import database_access
from tests.databases.database_access import key_path
from tests.service.api.test_seat_handover import SEAT, hand_over, resign, take_back
from tests.service.api_errors import api_error
from tests.service.api_server import bearer, grpc_error, run_server
from tests.service.cache.test_game_registry import GameService, open_service, take_turn
from tests.service.feeds import (
    ALL,
    database_at,
    expected_items,
    items_of,
    kind_names,
    read_items,
    run_feed,
    stored_items,
    watch_items,
)
from tests.service.keys import OPERATOR_TOKEN, create_key_in, key_metadata
from tests.service.tiny_title import PassCoin
from tests.waiting import SECONDS

from boardkeeper.client import BadRequest, Client
from boardkeeper.client.aio import AsyncClient
from boardkeeper.client.feed import name_of
from boardkeeper.game.seat_actions import (
    AnswerUndo,
    ExpireSeat,
    HandSeatToBot,
    RequestUndo,
    ResignSeat,
    SubmitCommands,
    TakeSeatBack,
)
from boardkeeper.game.time_control import TimeControl
from boardkeeper.service.api.feed import item_message
from boardkeeper.service.feed.feed import Feed, FeedFilter
from boardkeeper.service.games.game_creator import GameSettings, SeatPlan
from boardkeeper.service.games.game_writer import Outcome as Acted
from boardkeeper.service.storage import feed as kinds
from boardkeeper.service.storage.changes import NewRequest
from boardkeeper.service.storage.database_move import move_games
from boardkeeper.service.storage.feed import FeedRow
from boardkeeper.service.storage.rows import RequestRow
from boardkeeper.service.storage.writer import Conflict, Outcome
from boardkeeper.service.webhooks.signing import message_body
from boardkeeper.terminal.main import main
from boardkeeper.titlekit.title import Setup
from boardkeeper.v1 import feed_pb2, games_pb2, history_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

OPEN = (SeatPlan("Ada"), SeatPlan(open=True))
END = 12
"""Number of turns that end a tiny game."""


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[GameService]:
    async with open_service(tmp_path / "games.db") as service:
        yield service


# --- items ----------------------------------------------------------------------------------------------------


async def test_a_game_has_items_from_its_creation_to_its_result(service: GameService) -> None:
    seated = await service.creator.create("tiny", Setup("", 2), OPEN, "")
    await service.seat_manager.join(seated.game, 2, "Bob", b"", "")
    for number in range(END):
        await take_turn(service, seated.game, number)
    rows = stored_items(service)
    assert items_of(rows, seated.game) == expected_items(service, seated.game)
    assert {row.kind for row in rows} == {kinds.CREATED, kinds.JOINED, kinds.TURN, kinds.ENDED, kinds.RESULT}
    line = service.application.game_tables.lobby_row(seated.game)
    assert line is not None
    assert rows[-1].content.standings == line.standings
    assert line.standings
    assert {(row.title, row.platform) for row in rows} == {("tiny", "")}
    numbers = [row.number for row in rows]
    assert numbers == list(range(1, len(rows) + 1))
    assert len({row.id for row in rows}) == len(rows)


async def test_turn_items_equal_the_public_deciding_seats(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        chance = random.Random(3)
        expected, before = [(game.version, list(game.deciding))], list(game.deciding)
        for _ in range(30):
            version = await api.play_turn(game.game_id, tokens, chance)
            deciding = list((await api.game(game.game_id)).deciding)
            if deciding != before:
                expected.append((version, deciding))
            before = deciding
        items, _ = await watch_items(api, len(expected), kinds=[feed_pb2.FEED_ITEM_KIND_TURN])
        assert [(item.version, list(item.seats)) for item in items] == expected
        assert len(expected) < 30, "most commands do not change whose turn it is"


async def test_an_undo_has_a_turn_item(service: GameService) -> None:
    game = await service.game()
    live = await service.registry.get(game)
    (seat,) = live.game.table.deciding()
    await take_turn(service, game, 0)
    await service.handler.act(game, seat, RequestUndo(), "undo")
    assert items_of(stored_items(service), game) == expected_items(service, game)


THREE = (SeatPlan("Ada"), SeatPlan("Bob"), SeatPlan("Cleo"))


async def create_game_of_three(service: GameService, control: TimeControl | None = None) -> UUID:
    return (
        await service.creator.create("tiny", Setup("", 3), THREE, "", settings=GameSettings(time_control=control))
    ).game


async def test_handovers_and_resignations_have_items(service: GameService) -> None:
    game = await create_game_of_three(service)
    await service.handler.act(game, 2, HandSeatToBot("random"), "hand")
    await service.handler.act(game, 2, HandSeatToBot("random"), "hand")  # repeated
    await service.handler.act(game, 2, TakeSeatBack(), "back")
    await service.handler.act(game, 3, ResignSeat(), "resign")
    rows = [row for row in stored_items(service) if row.kind in (kinds.HANDED_OVER, kinds.TAKEN_BACK, kinds.RESIGNED)]
    assert [(row.kind, row.content.seats, row.content.bot) for row in rows] == [
        (kinds.HANDED_OVER, (2,), "random"),
        (kinds.TAKEN_BACK, (2,), ""),
        (kinds.RESIGNED, (3,), "random"),
    ]
    await service.handler.act(game, 1, ResignSeat(), "resign")
    *_, resigned, ended, result = stored_items(service)
    assert (resigned.kind, resigned.content.seats, resigned.content.bot) == (kinds.RESIGNED, (1,), "")
    assert (ended.kind, result.kind) == (kinds.ENDED, kinds.RESULT)
    assert items_of(stored_items(service), game) == expected_items(service, game)


@pytest.mark.parametrize(("on_expiry", "then"), [("bot", kinds.HANDED_OVER), ("resign", kinds.RESIGNED)])
async def test_an_expiry_has_items_for_itself_and_its_consequence(tmp_path: Path, on_expiry: str, then: str) -> None:
    now = 1_000_000_000
    async with open_service(tmp_path / "games.db", clock=lambda: now) as service:
        game = await create_game_of_three(service, TimeControl("move", 60, 0, on_expiry))
        (seat,) = (await service.registry.get(game)).game.table.deciding()
        now += 60_000
        version = (await service.registry.get(game)).game.version
        expired = await service.handler.act(game, seat, ExpireSeat(), f"time-{version}", version)
        rows = [(row.kind, row.version, row.content.seats, row.content.bot) for row in stored_items(service)[-2:]]
        assert rows == [(kinds.TIME_EXPIRED, expired.version, (seat,), ""), (then, expired.version, (seat,), "random")]
        assert items_of(stored_items(service), game) == expected_items(service, game)


async def test_a_vote_has_items_until_its_end(service: GameService) -> None:
    """An undo also has a turn item."""
    game = await create_game_of_three(service)
    live = await service.registry.get(game)
    (seat,) = live.game.table.deciding()
    one, other = sorted({1, 2, 3} - {seat})
    new_items: list[tuple[str, tuple[int, ...]]] = []

    async def note_items(outcome: Acted) -> int:
        rows = stored_items(service)
        assert items_of(rows, game) == expected_items(service, game)
        first = outcome.events[0].event.originator_version
        new_items[:] = [(row.kind, row.content.seats) for row in rows if row.version >= first]
        return first

    await note_items(await service.handler.act(game, seat, SubmitCommands([PassCoin(one)]), "a"))
    assert new_items == [(kinds.TURN, (one,))]
    await note_items(await service.handler.act(game, one, SubmitCommands([PassCoin(other)]), "b"))
    request = await note_items(await service.handler.act(game, seat, RequestUndo(), "ask"))
    assert new_items == [(kinds.VOTE, (one, other))], "the decision is still the same seat's"
    await note_items(await service.handler.act(game, one, AnswerUndo(request, True), "yes"))
    assert new_items == [(kinds.VOTE, (other,))]
    await note_items(await service.handler.act(game, other, AnswerUndo(request, True), "yes"))
    assert new_items == [(kinds.VOTE, ()), (kinds.TURN, (seat,))]
    await note_items(await service.handler.act(game, seat, SubmitCommands([PassCoin(one)]), "c"))
    await note_items(await service.handler.act(game, one, SubmitCommands([PassCoin(other)]), "d"))
    await note_items(await service.handler.act(game, seat, RequestUndo(), "ask again"))
    await note_items(await service.handler.act(game, one, HandSeatToBot("random"), "hand"))
    assert new_items == [(kinds.HANDED_OVER, (one,)), (kinds.VOTE, ())]


async def test_an_imported_game_has_items_of_its_result_only(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        await hand_over(api, game.game_id, 1, tokens[1])
        await take_back(api, game.game_id, 1, tokens[1])
        await resign(api, game.game_id, 2, tokens[2])
        pieces = [it.data async for it in api.history.GetRecord(history_pb2.GetRecordRequest(game_id=game.game_id))]
    async with run_server(tmp_path / "elsewhere.db") as other:
        await other.history.ImportRecord(history_pb2.ImportRecordRequest(data=it) for it in pieces)
        items, _ = await watch_items(other, 5)
        assert kind_names(items) == ["created", "joined", "joined", "ended", "result"]


async def test_an_unknown_kind_of_a_later_release_is_sent_as_unspecified(tmp_path: Path) -> None:
    """A known kind is sent with all its fields."""
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create(SEAT(), SEAT(), SEAT())
        version = (await hand_over(api, game.game_id, 2, tokens[2])).version
        ((item,), _) = await watch_items(api, 1, game_id=game.game_id, kinds=[feed_pb2.FEED_ITEM_KIND_HANDED_OVER])
        assert (item.version, list(item.seats), item.bot) == (version, [2], "sensible")
    content = kinds.ItemContent((2,), bot="sensible")
    row = FeedRow(7, bytes(16), "", UUID(game.game_id), "orleans", version, 1, "of-tomorrow", content)
    assert item_message(row, "cursor").kind == feed_pb2.FEED_ITEM_KIND_UNSPECIFIED
    webhook_body = json.loads(message_body(row, "cursor"))
    assert webhook_body["type"] == "game.of-tomorrow"
    assert (webhook_body["data"]["seats"], webhook_body["data"]["bot"]) == ([2], "sensible")
    assert name_of(9999) == "9999"


async def test_items_contain_no_names_of_players(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        await api.create(games_pb2.SeatRequest(name="Adelheid"), games_pb2.SeatRequest(name="Balduin"))
        items, _ = await watch_items(api, 4)
        assert kind_names(items) == ["created", "joined", "joined", "turn"]
        assert not any(name in item.SerializeToString() for item in items for name in (b"Adelheid", b"Balduin"))


async def test_a_rejected_append_stores_no_items(service: GameService) -> None:
    game, other = await service.game(), await service.game()
    before = stored_items(service)
    for changes in ([], [NewRequest(RequestRow(bytes(32), b"", b"", game, ()), 1)]):
        for id in (game, other):
            outcomes: asyncio.Queue[Outcome] = asyncio.Queue()
            events = service.application.game_events(id)[-1:]  # already stored
            items = [kinds.new_item(id, 99, 1, kinds.ENDED)]
            service.application.append(events, outcomes.put_nowait, changes=changes, feed_items=items)
            assert isinstance(await outcomes.get(), Conflict)
    assert stored_items(service) == before


# --- cursors ----------------------------------------------------------------------------------------------------


async def test_a_cursor_continues_after_any_item(service: GameService) -> None:
    for _ in range(3):
        game = await service.game()
        for number in range(4):
            await take_turn(service, game, number)
    rows = stored_items(service)
    async with run_feed(service) as feed:
        for at, row in enumerate(rows[:-1]):
            cursor = feed.cursors.write(row.number, row.id)
            assert await read_items(feed, len(rows) - at - 1, cursor) == rows[at + 1 :]


async def test_cursors_stay_valid_after_restarts_and_each_item_comes_once(tmp_path: Path) -> None:
    path, seen, cursor = tmp_path / "games.db", list[str](), ""
    for _ in range(4):
        async with run_server(path) as api:
            game, tokens = await api.create()
            for _ in range(4):
                await api.play_turn(game.game_id, tokens, random.Random(1))
            items, _ = await watch_items(api, 3, after_cursor=cursor)
            seen += [item.cursor for item in items]
            cursor = seen[-1]
    async with run_server(path) as api:
        all_items, _ = await watch_items(api, len(seen))
        assert [item.cursor for item in all_items] == seen
        assert len(set(seen)) == len(seen)


async def test_from_now_skips_earlier_items(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        await api.create()
        stream = api.feed.WatchGames(feed_pb2.WatchGamesRequest(from_now=True))
        assert (await stream.read()).heartbeat.cursor
        game, _ = await api.create()
        assert (await stream.read()).item.game_id == game.game_id
        stream.cancel()
        async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST"):
            await watch_items(api, 1, from_now=True, after_cursor="c")


async def test_heartbeats_advance_the_cursor_even_if_the_filter_matches_nothing(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", heartbeat_seconds=0.01) as api:
        await api.create()
        stream = api.feed.WatchGames(feed_pb2.WatchGamesRequest(kinds=[feed_pb2.FEED_ITEM_KIND_REMOVED]))
        async with asyncio.timeout(SECONDS):
            first = (await stream.read()).heartbeat.cursor
            while (cursor := (await stream.read()).heartbeat.cursor) == first:
                pass
        stream.cancel()
        _, (beat, *_) = await watch_items(api, 0, after_cursor=cursor)
        assert beat == cursor


@pytest.mark.parametrize("cursor", ["x", "a" * 43, "ä" * 43, "=" * 43, "a" * 10_000])
async def test_an_invalid_cursor_is_rejected(tmp_path: Path, cursor: str) -> None:
    async with run_server(tmp_path / "games.db") as api, grpc_error(grpc.StatusCode.OUT_OF_RANGE, "FEED_CURSOR_LOST"):
        await watch_items(api, 1, after_cursor=cursor)


async def test_a_cursor_of_another_database_is_rejected(tmp_path: Path) -> None:
    async with open_service(tmp_path / "one.db") as service, run_feed(service) as feed:
        await service.game()
        row = stored_items(service)[1]
        other_id = feed.cursors.write(row.number, bytes([row.id[0] ^ 1]) + row.id[1:])
        beyond = feed.cursors.write(1000, row.id)
        for cursor in (other_id, beyond):
            with api_error("FEED_CURSOR_LOST"):
                await feed.find_start(cursor)
    async with open_service(tmp_path / "two.db") as other, run_feed(other) as another:
        await other.game()
        with api_error("FEED_CURSOR_LOST"):
            await another.find_start(feed.cursors.write(row.number, row.id))


async def test_after_a_restored_backup_only_older_cursors_are_valid(tmp_path: Path) -> None:
    """New items get the same numbers as the lost items."""
    async with open_service(tmp_path / "games.db") as service, run_feed(service) as feed:
        await service.game()
        kept = stored_items(service)
        lost = feed.cursors.write(kept[-1].number + 2, b"of what was lost")
        await service.game()
        with api_error("FEED_CURSOR_LOST"):
            await feed.find_start(lost)
        cursor = feed.cursors.write(kept[-1].number, kept[-1].id)
        assert (await feed.find_start(cursor)).number == kept[-1].number


async def test_old_items_are_pruned_and_their_cursors_rejected(service: GameService) -> None:
    async with run_feed(service) as feed:
        game = await service.game()
        await take_turn(service, game, 0)
        rows = stored_items(service)
        await feed.prune(rows[0].time)
        assert stored_items(service) == rows, "no item is older"
        await feed.prune(rows[-1].time + 1)
        assert stored_items(service) == rows[-1:], "the newest item stays, because its number determines the next"
        oldest = feed.cursors.write(rows[0].number, rows[0].id)
        with api_error("FEED_CURSOR_EXPIRED"):
            await feed.find_start(oldest)
        assert await read_items(feed, 1) == rows[-1:]
        await take_turn(service, game, 1)
        assert stored_items(service)[-1].number == rows[-1].number + 1
        start = feed.cursors.write(*await feed.find_start(""))
        assert [row.number for row in await read_items(feed, 2, start)] == [rows[-1].number, rows[-1].number + 1]


async def test_a_feed_without_readers_is_pruned(tmp_path: Path) -> None:
    """Pruning also assigns numbers, because without readers and webhooks nothing else does."""
    path, now, day = tmp_path / "games.db", 10 * 86_400_000, 86_400_000
    async with open_service(path, clock=lambda: now) as service:
        feed = Feed(service.application)
        for _ in range(3):
            await service.game()
        now += day + 1
        kept = await service.game()
        pruning = asyncio.create_task(feed.prune_regularly(1.0, lambda: now))
        async with asyncio.timeout(SECONDS):
            while {row.game for row in stored_items(service)} != {kept}:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        pruning.cancel()
        await asyncio.wait([pruning])
        rows = sum(database_access.count_rows(path, str(kept)).get(table, 0) for table in ("feed", "feed_outbox"))
        assert rows == len(stored_items(service)) == feed_rows(path)


def feed_rows(path: Path) -> int:
    """Count the items of a database, with and without numbers."""
    url = database_access.URLS.get(path.absolute())
    if url is None:
        with closing(sqlite3.connect(path)) as file:
            return int(file.execute("SELECT count(*) FROM feed").fetchone()[0])
    with psycopg.connect(url, autocommit=True) as database:
        row = database.execute("SELECT (SELECT count(*) FROM feed) + (SELECT count(*) FROM feed_outbox)").fetchone()
    assert row is not None
    return int(row[0])


async def test_a_reader_behind_pruned_items_gets_an_error(service: GameService) -> None:
    async with run_feed(service) as feed:
        await service.game()
        following = feed.follow(await feed.find_start(""), ALL, SECONDS)
        first, _ = await anext(following)
        for _ in range(3):
            await service.game()
        await following.aclose()
        await feed.prune(stored_items(service)[-1].time + 1)
        late = feed.cursors.write(first[0].row.number, first[0].row.id)
        with api_error("FEED_CURSOR_EXPIRED"):
            await feed.find_start(late)


async def test_readers_get_an_error_after_the_database_is_restored(service: GameService) -> None:
    async with run_feed(service) as feed:
        await service.game()
        following = feed.follow(await feed.find_start(""), ALL, SECONDS)
        await anext(following)
        feed._newest = feed._newest._replace(id=b"other id")  # as if the item that was read had disappeared
        feed.wake()
        with api_error("FEED_CURSOR_LOST"):
            await asyncio.wait_for(anext(following), SECONDS)


async def test_a_reader_far_behind_gets_all_items(service: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.feed.feed.PAGE", 3)
    async with run_feed(service) as feed:
        following = feed.follow(await feed.find_start(""), ALL, SECONDS)
        for _ in range(5):
            await service.game()
        rows = stored_items(service)
        assert await read_items(feed, len(rows)) == rows
        seen: list[FeedRow] = []
        async with asyncio.timeout(SECONDS):
            while len(seen) < len(rows):
                items, _ = await anext(following)
                assert len(items) <= 3
                seen += [item.row for item in items]
        assert seen == rows
        await following.aclose()


# --- hints ------------------------------------------------------------------------------------------------------


async def test_repeated_and_unnecessary_hints_change_nothing(service: GameService) -> None:
    async with run_feed(service) as feed:
        reading = asyncio.create_task(read_items(feed, 16))
        for _ in range(4):
            for _ in range(3):
                feed.wake()
            await service.game()
            for _ in range(3):
                feed.wake()
                await asyncio.sleep(0)
        assert await reading == stored_items(service)


async def test_readers_get_an_error_at_shutdown(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service, run_feed(service) as feed:
        feed._draining = lambda: True
        with api_error("SHUTTING_DOWN"):
            await read_items(feed, 1)


# --- platforms and filters --------------------------------------------------------------------------------------


async def test_each_platform_gets_items_of_its_games(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    ours, theirs = create_key_in(path, "ours"), create_key_in(path, "theirs")
    async with run_server(path, operator_token=OPERATOR_TOKEN) as api:
        without_platform, _ = await api.create()
        games = {"": without_platform.game_id}
        for key in (ours, theirs):
            request = games_pb2.CreateGameRequest(title="orleans", seats=[games_pb2.SeatRequest(name=n) for n in "ab"])
            games[key.row.platform] = (await api.games.CreateGame(request, metadata=key_metadata(key))).game.game_id
        for metadata, platform in (((), ""), (key_metadata(ours), "ours"), (key_metadata(theirs), "theirs")):
            items, _ = await watch_items(api, 4, metadata, kinds=[])
            assert {item.game_id for item in items} == {games[platform]}
            assert {item.platform for item in items} == {platform}
        items, _ = await watch_items(api, 12, bearer(OPERATOR_TOKEN))
        assert {item.game_id for item in items} == set(games.values())
        cursor = items[-1].cursor
        later, _ = await api.create()
        async with grpc_error(grpc.StatusCode.UNAUTHENTICATED):
            await watch_items(api, 1, key_metadata(ours.secret[:-1] + ("a" if ours.secret[-1] != "a" else "b")))
        items, _ = await watch_items(api, 1, bearer(OPERATOR_TOKEN), after_cursor=cursor)
        assert items[0].game_id == later.game_id


async def test_filters_select_items(service: GameService) -> None:
    async with run_feed(service) as feed:
        games = [await service.game() for _ in range(3)]
        rows = stored_items(service)
        of_one = [row for row in rows if row.game == games[1]]
        assert await read_items(feed, len(of_one), wanted=FeedFilter(None, game=games[1])) == of_one
        assert await read_items(feed, len(rows), wanted=FeedFilter(None, "tiny")) == rows
        created = [row for row in rows if row.kind == kinds.CREATED]
        assert await read_items(feed, 3, wanted=FeedFilter("", kinds=frozenset({kinds.CREATED}))) == created


async def test_unknown_kinds_are_rejected(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api, grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST"):
        await watch_items(api, 1, kinds=[0])


# --- removal ----------------------------------------------------------------------------------------------------


async def test_a_removed_game_keeps_only_its_removal_item(service: GameService) -> None:
    kept, removed = await service.game(), await service.game()
    before = stored_items(service)
    later = await service.game()
    await service.handler.changes.remove(removed)
    assert await service.handler.changes.remove(removed)
    rows = stored_items(service)
    assert [row.kind for row in rows if row.game == removed] == [kinds.REMOVED]
    assert rows[-1].title == "tiny"
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    async with run_feed(service) as feed:
        gone = next(row for row in before if row.game == removed)
        cursor = feed.cursors.write(gone.number, gone.id)
        new_items = await read_items(feed, 5, cursor)
        assert {row.game for row in new_items} == {later, removed}
        assert kept not in {row.game for row in new_items}
        assert new_items[-1].kind == kinds.REMOVED


# --- moving -----------------------------------------------------------------------------------------------------


async def test_cursors_stay_valid_after_a_move_to_another_database(tmp_path: Path) -> None:
    old, note_items = tmp_path / "old.db", tmp_path / "new.db"
    async with open_service(old) as service:
        game = await service.game()
        await service.handler.changes.remove(await service.game())
        rows = stored_items(service)
    shutil.copy(key_path(old), key_path(note_items))
    with database_at(old) as source, database_at(note_items) as target:
        assert move_games(source, target).items == len(rows)
        assert move_games(source, target).items == 0, "all items exist already"
    async with open_service(note_items) as service, run_feed(service) as feed:
        assert stored_items(service) == rows
        await take_turn(service, game, 0)
        cursor = feed.cursors.write(rows[-1].number, rows[-1].id)
        (after,) = await read_items(feed, 1, cursor)
        assert (after.game, after.kind, after.number) == (game, kinds.TURN, rows[-1].number + 1)


async def test_a_move_into_a_database_with_a_feed_keeps_that_feed(tmp_path: Path) -> None:
    old, note_items = tmp_path / "old.db", tmp_path / "new.db"
    async with open_service(old) as service:
        await service.game()
    shutil.copy(key_path(old), key_path(note_items))
    async with open_service(note_items) as service:
        await service.game()
        rows = stored_items(service)
    with database_at(old) as source, database_at(note_items) as target:
        moved = move_games(source, target)
        assert (moved.games, moved.items) == (1, 0)
    async with open_service(note_items) as service:
        assert stored_items(service) == rows


# --- the SDK ----------------------------------------------------------------------------------------------------


async def test_the_sdk_continues_from_a_cursor(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with run_server(path) as api:
        address = api.address
        await api.create()
        async with AsyncClient(address, retry_timeout=30) as client:
            following = client.watch_games()
            first = [await anext(following) for _ in range(4)]
            await following.aclose()
        with Client(address) as client:
            again = await asyncio.to_thread(lambda: [next(it) for it in [client.watch_games()] for _ in range(4)])
            assert again == first
            game, _ = await api.create()
            more = client.watch_games(after_cursor=first[-1].cursor, kinds=["created"])
            assert (await asyncio.to_thread(next, more)).game_id == game.game_id
            more.close()
            with pytest.raises(ValueError, match="turn"):
                client.watch_games(kinds=["nonsense"])
            with pytest.raises(BadRequest) as caught:
                await asyncio.to_thread(next, client.watch_games(after_cursor="nonsense"))
            assert caught.value.reason == "FEED_CURSOR_LOST"


async def test_the_command_line_prints_items(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, _ = await api.create()
        call = ["feed", "--server", api.address, "--limit", "2", "--kinds", "joined,turn"]
        assert await asyncio.to_thread(main, call) == 0
        assert f"{game.game_id}  orleans  joined  1" in capsys.readouterr().out
        assert await asyncio.to_thread(main, [*call, "--json"]) == 0
        assert '"kind":"FEED_ITEM_KIND_JOINED"' in capsys.readouterr().out
        assert await asyncio.to_thread(main, [*call[:-1], "nonsense"]) == 2
