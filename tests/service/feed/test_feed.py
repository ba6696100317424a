"""The feed: each item once, in an order that never changes, whatever breaks, and nothing that is nobody's business."""

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
from tests.databases import places
from tests.databases.places import key_of
from tests.service.api.test_seat_handover import SEAT, hand, resign, take
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
from tests.service.keys import create_key_in, key_metadata
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

OPERATOR_TOKEN = "an operator's token of forty characters!"
OPEN = (SeatPlan("Ada"), SeatPlan(open=True))
END = 12
"""So many turns end a tiny game."""


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[GameService]:
    async with open_service(tmp_path / "games.db") as service:
        yield service


# --- what is told ---------------------------------------------------------------------------------------------


async def test_a_game_is_told_of_from_its_beginning_to_its_result(service: GameService) -> None:
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


async def test_whose_turn_it_is_is_what_everybody_is_told(tmp_path: Path) -> None:
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
        assert len(expected) < 30, "most commands change nobody's turn"


async def test_an_undo_tells_whose_turn_it_is_again(service: GameService) -> None:
    game = await service.game()
    live = await service.registry.get(game)
    (seat,) = live.game.table.deciding()
    await take_turn(service, game, 0)
    await service.handler.act(game, seat, RequestUndo(), "undo")
    assert items_of(stored_items(service), game) == expected_items(service, game)


THREE = (SeatPlan("Ada"), SeatPlan("Bob"), SeatPlan("Cleo"))


async def three(service: GameService, control: TimeControl | None = None) -> UUID:
    return (
        await service.creator.create("tiny", Setup("", 3), THREE, "", settings=GameSettings(time_control=control))
    ).game


async def test_who_plays_a_seat_is_told(service: GameService) -> None:
    game = await three(service)
    await service.handler.act(game, 2, HandSeatToBot("random"), "hand")
    await service.handler.act(game, 2, HandSeatToBot("random"), "hand")  # once more
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
async def test_time_that_has_run_out_is_told_with_what_comes_of_it(tmp_path: Path, on_expiry: str, then: str) -> None:
    now = 1_000_000_000
    async with open_service(tmp_path / "games.db", clock=lambda: now) as service:
        game = await three(service, TimeControl("move", 60, 0, on_expiry))
        (seat,) = (await service.registry.get(game)).game.table.deciding()
        now += 60_000
        version = (await service.registry.get(game)).game.version
        expired = await service.handler.act(game, seat, ExpireSeat(), f"time-{version}", version)
        rows = [(row.kind, row.version, row.content.seats, row.content.bot) for row in stored_items(service)[-2:]]
        assert rows == [(kinds.TIME_EXPIRED, expired.version, (seat,), ""), (then, expired.version, (seat,), "random")]
        assert items_of(stored_items(service), game) == expected_items(service, game)


async def test_who_has_to_answer_a_vote_is_told_until_it_is_over(service: GameService) -> None:
    """And whose turn it is after it, where it was taken back."""
    game = await three(service)
    live = await service.registry.get(game)
    (seat,) = live.game.table.deciding()
    one, other = sorted({1, 2, 3} - {seat})
    told: list[tuple[str, tuple[int, ...]]] = []

    async def new(outcome: Acted) -> int:
        rows = stored_items(service)
        assert items_of(rows, game) == expected_items(service, game)
        first = outcome.events[0].event.originator_version
        told[:] = [(row.kind, row.content.seats) for row in rows if row.version >= first]
        return first

    await new(await service.handler.act(game, seat, SubmitCommands([PassCoin(one)]), "a"))
    assert told == [(kinds.TURN, (one,))]
    await new(await service.handler.act(game, one, SubmitCommands([PassCoin(other)]), "b"))
    request = await new(await service.handler.act(game, seat, RequestUndo(), "ask"))
    assert told == [(kinds.VOTE, (one, other))], "the decision is still the same seat's"
    await new(await service.handler.act(game, one, AnswerUndo(request, True), "yes"))
    assert told == [(kinds.VOTE, (other,))]
    await new(await service.handler.act(game, other, AnswerUndo(request, True), "yes"))
    assert told == [(kinds.VOTE, ()), (kinds.TURN, (seat,))]
    await new(await service.handler.act(game, seat, SubmitCommands([PassCoin(one)]), "c"))
    await new(await service.handler.act(game, one, SubmitCommands([PassCoin(other)]), "d"))
    await new(await service.handler.act(game, seat, RequestUndo(), "ask again"))
    await new(await service.handler.act(game, one, HandSeatToBot("random"), "hand"))
    assert told == [(kinds.HANDED_OVER, (one,)), (kinds.VOTE, ())]


async def test_an_imported_game_tells_what_it_is_and_not_what_it_was(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        await hand(api, game.game_id, 1, tokens[1])
        await take(api, game.game_id, 1, tokens[1])
        await resign(api, game.game_id, 2, tokens[2])
        pieces = [it.data async for it in api.history.GetRecord(history_pb2.GetRecordRequest(game_id=game.game_id))]
    async with run_server(tmp_path / "elsewhere.db") as other:
        await other.history.ImportRecord(history_pb2.ImportRecordRequest(data=it) for it in pieces)
        items, _ = await watch_items(other, 5)
        assert kind_names(items) == ["created", "joined", "joined", "ended", "result"]


async def test_what_a_later_version_has_stored_is_told_as_something(tmp_path: Path) -> None:
    """And what there is here is told over the wire with all that it says."""
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create(SEAT(), SEAT(), SEAT())
        version = (await hand(api, game.game_id, 2, tokens[2])).version
        ((item,), _) = await watch_items(api, 1, game_id=game.game_id, kinds=[feed_pb2.FEED_ITEM_KIND_HANDED_OVER])
        assert (item.version, list(item.seats), item.bot) == (version, [2], "sensible")
    content = kinds.ItemContent((2,), bot="sensible")
    row = FeedRow(7, bytes(16), "", UUID(game.game_id), "orleans", version, 1, "of-tomorrow", content)
    assert item_message(row, "cursor").kind == feed_pb2.FEED_ITEM_KIND_UNSPECIFIED
    hooked = json.loads(message_body(row, "cursor"))
    assert hooked["type"] == "game.of-tomorrow"
    assert (hooked["data"]["seats"], hooked["data"]["bot"]) == ([2], "sensible")
    assert name_of(9999) == "9999"


async def test_no_name_is_in_it(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        await api.create(games_pb2.SeatRequest(name="Adelheid"), games_pb2.SeatRequest(name="Balduin"))
        items, _ = await watch_items(api, 4)
        assert kind_names(items) == ["created", "joined", "joined", "turn"]
        assert not any(name in item.SerializeToString() for item in items for name in (b"Adelheid", b"Balduin"))


async def test_what_is_not_stored_is_not_told(service: GameService) -> None:
    game, other = await service.game(), await service.game()
    before = stored_items(service)
    for changes in ([], [NewRequest(RequestRow(bytes(32), b"", b"", game, ()), 1)]):
        for id in (game, other):
            outcomes: asyncio.Queue[Outcome] = asyncio.Queue()
            events = service.application.game_events(id)[-1:]  # once more
            news = [kinds.new_item(id, 99, 1, kinds.ENDED)]
            service.application.append(events, outcomes.put_nowait, changes=changes, feed_items=news)
            assert isinstance(await outcomes.get(), Conflict)
    assert stored_items(service) == before


# --- cursors ----------------------------------------------------------------------------------------------------


async def test_whoever_goes_on_behind_any_item_gets_what_came_after_it(service: GameService) -> None:
    for _ in range(3):
        game = await service.game()
        for number in range(4):
            await take_turn(service, game, number)
    rows = stored_items(service)
    async with run_feed(service) as feed:
        for at, row in enumerate(rows[:-1]):
            cursor = feed.cursors.write(row.number, row.id)
            assert await read_items(feed, len(rows) - at - 1, cursor) == rows[at + 1 :]


async def test_cursors_hold_across_restarts_and_each_item_comes_once(tmp_path: Path) -> None:
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
        everything, _ = await watch_items(api, len(seen))
        assert [item.cursor for item in everything] == seen
        assert len(set(seen)) == len(seen)


async def test_from_now_on_nothing_of_before_comes(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        await api.create()
        stream = api.feed.WatchGames(feed_pb2.WatchGamesRequest(from_now=True))
        assert (await stream.read()).heartbeat.cursor
        game, _ = await api.create()
        assert (await stream.read()).item.game_id == game.game_id
        stream.cancel()
        async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST"):
            await watch_items(api, 1, from_now=True, after_cursor="c")


async def test_heartbeats_show_how_far_it_has_come_also_where_nothing_is_wanted(tmp_path: Path) -> None:
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
async def test_what_is_no_cursor_is_refused(tmp_path: Path, cursor: str) -> None:
    async with run_server(tmp_path / "games.db") as api, grpc_error(grpc.StatusCode.OUT_OF_RANGE, "FEED_CURSOR_LOST"):
        await watch_items(api, 1, after_cursor=cursor)


async def test_a_cursor_of_another_database_is_refused(tmp_path: Path) -> None:
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


async def test_a_cursor_from_after_a_backup_is_refused_and_one_from_before_holds(tmp_path: Path) -> None:
    """Items that a database lost are followed by others under the same numbers."""
    async with open_service(tmp_path / "games.db") as service, run_feed(service) as feed:
        await service.game()
        kept = stored_items(service)
        lost = feed.cursors.write(kept[-1].number + 2, b"of what was lost")
        await service.game()
        with api_error("FEED_CURSOR_LOST"):
            await feed.find_start(lost)
        cursor = feed.cursors.write(kept[-1].number, kept[-1].id)
        assert (await feed.find_start(cursor)).number == kept[-1].number


async def test_old_items_go_and_their_cursors_are_refused(service: GameService) -> None:
    async with run_feed(service) as feed:
        game = await service.game()
        await take_turn(service, game, 0)
        rows = stored_items(service)
        await feed.prune(rows[0].time)
        assert stored_items(service) == rows, "they are not older"
        await feed.prune(rows[-1].time + 1)
        assert stored_items(service) == rows[-1:], "the newest stays: the next one goes on from its number"
        oldest = feed.cursors.write(rows[0].number, rows[0].id)
        with api_error("FEED_CURSOR_EXPIRED"):
            await feed.find_start(oldest)
        assert await read_items(feed, 1) == rows[-1:]
        await take_turn(service, game, 1)
        assert stored_items(service)[-1].number == rows[-1].number + 1
        begun = feed.cursors.write(*await feed.find_start(""))
        assert [row.number for row in await read_items(feed, 2, begun)] == [rows[-1].number, rows[-1].number + 1]


async def test_a_feed_that_nobody_reads_does_not_grow_for_ever(tmp_path: Path) -> None:
    """Whoever tidies gives numbers, too: without readers and webhooks nobody else does."""
    path, now, day = tmp_path / "games.db", 10 * 86_400_000, 86_400_000
    async with open_service(path, clock=lambda: now) as service:
        feed = Feed(service.application)
        for _ in range(3):
            await service.game()
        now += day + 1
        kept = await service.game()
        tidying = asyncio.create_task(feed.prune_regularly(1.0, lambda: now))
        async with asyncio.timeout(SECONDS):
            while {row.game for row in stored_items(service)} != {kept}:  # noqa: ASYNC110  # there is nothing else to wait for
                await asyncio.sleep(0.01)
        tidying.cancel()
        await asyncio.wait([tidying])
        rows = sum(places.rows_of(path, str(kept)).get(table, 0) for table in ("feed", "feed_outbox"))
        assert rows == len(stored_items(service)) == feed_rows(path)


def feed_rows(path: Path) -> int:
    """How many items a database has, numbered or not."""
    url = places.URLS.get(path.absolute())
    if url is None:
        with closing(sqlite3.connect(path)) as file:
            return int(file.execute("SELECT count(*) FROM feed").fetchone()[0])
    with psycopg.connect(url, autocommit=True) as database:
        row = database.execute("SELECT (SELECT count(*) FROM feed) + (SELECT count(*) FROM feed_outbox)").fetchone()
    assert row is not None
    return int(row[0])


async def test_who_reads_so_slowly_that_items_went_is_told(service: GameService) -> None:
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


async def test_whoever_follows_a_database_that_is_set_back_is_told(service: GameService) -> None:
    async with run_feed(service) as feed:
        await service.game()
        following = feed.follow(await feed.find_start(""), ALL, SECONDS)
        await anext(following)
        feed._newest = feed._newest._replace(id=b"other id")  # as if what was read were not there any more
        feed.wake()
        with api_error("FEED_CURSOR_LOST"):
            await asyncio.wait_for(anext(following), SECONDS)


async def test_who_is_far_behind_reads_all_of_it(service: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_hints_twice_and_for_nothing_change_nothing(service: GameService) -> None:
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


async def test_a_service_that_ends_tells_who_follows(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service, run_feed(service) as feed:
        feed._draining = lambda: True
        with api_error("SHUTTING_DOWN"):
            await read_items(feed, 1)


# --- whose ------------------------------------------------------------------------------------------------------


async def test_everybody_is_told_of_his_own_games(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    ours, theirs = create_key_in(path, "ours"), create_key_in(path, "theirs")
    async with run_server(path, operator_token=OPERATOR_TOKEN) as api:
        nobodys, _ = await api.create()
        games = {"": nobodys.game_id}
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


async def test_filters_leave_out_what_is_not_asked_for(service: GameService) -> None:
    async with run_feed(service) as feed:
        games = [await service.game() for _ in range(3)]
        rows = stored_items(service)
        of_one = [row for row in rows if row.game == games[1]]
        assert await read_items(feed, len(of_one), wanted=FeedFilter(None, game=games[1])) == of_one
        assert await read_items(feed, len(rows), wanted=FeedFilter(None, "tiny")) == rows
        made = [row for row in rows if row.kind == kinds.CREATED]
        assert await read_items(feed, 3, wanted=FeedFilter("", kinds=frozenset({kinds.CREATED}))) == made


async def test_kinds_that_there_are_not_are_refused(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api, grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST"):
        await watch_items(api, 1, kinds=[0])


# --- removal ----------------------------------------------------------------------------------------------------


async def test_of_a_removed_game_only_that_is_told_and_nothing_is_missing(service: GameService) -> None:
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
        told = await read_items(feed, 5, cursor)
        assert {row.game for row in told} == {later, removed}
        assert kept not in {row.game for row in told}
        assert told[-1].kind == kinds.REMOVED


# --- moving -----------------------------------------------------------------------------------------------------


async def test_cursors_go_on_in_a_database_to_which_all_was_moved(tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    async with open_service(old) as service:
        game = await service.game()
        await service.handler.changes.remove(await service.game())
        rows = stored_items(service)
    shutil.copy(key_of(old), key_of(new))
    with database_at(old) as source, database_at(new) as target:
        assert move_games(source, target).items == len(rows)
        assert move_games(source, target).items == 0, "all is there already"
    async with open_service(new) as service, run_feed(service) as feed:
        assert stored_items(service) == rows
        await take_turn(service, game, 0)
        cursor = feed.cursors.write(rows[-1].number, rows[-1].id)
        (after,) = await read_items(feed, 1, cursor)
        assert (after.game, after.kind, after.number) == (game, kinds.TURN, rows[-1].number + 1)


async def test_a_database_with_a_feed_of_its_own_keeps_it(tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    async with open_service(old) as service:
        await service.game()
    shutil.copy(key_of(old), key_of(new))
    async with open_service(new) as service:
        await service.game()
        rows = stored_items(service)
    with database_at(old) as source, database_at(new) as target:
        moved = move_games(source, target)
        assert (moved.games, moved.items) == (1, 0)
    async with open_service(new) as service:
        assert stored_items(service) == rows


# --- the SDK ----------------------------------------------------------------------------------------------------


async def test_the_sdk_goes_on_where_it_was_when_the_service_comes_back(tmp_path: Path) -> None:
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


async def test_the_command_line_prints_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, _ = await api.create()
        call = ["feed", "--server", api.address, "--limit", "2", "--kinds", "joined,turn"]
        assert await asyncio.to_thread(main, call) == 0
        assert f"{game.game_id}  orleans  joined  1" in capsys.readouterr().out
        assert await asyncio.to_thread(main, [*call, "--json"]) == 0
        assert '"kind":"FEED_ITEM_KIND_JOINED"' in capsys.readouterr().out
        assert await asyncio.to_thread(main, [*call[:-1], "nonsense"]) == 2
