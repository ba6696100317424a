"""Two hubs on one database, as in two processes: each may take any command, and neither refuses from an old board."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing, closing, suppress
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from eventsourcing.persistence import InternalError
from tests.databases import servers
from tests.garbage_checks import assert_no_cycles
from tests.service.api_errors import api_error
from tests.service.cache.test_game_registry import PERSONS
from tests.service.tiny_title import DrawPearl, PassCoin, Peek, load_title

from boardkeeper.game.game import ENDED
from boardkeeper.game.seat_actions import AnswerUndo, RequestUndo, SubmitCommands
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.bots import Bots
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_creator import GameCreator, SeatPlan
from boardkeeper.service.games.seat_manager import SeatManager
from boardkeeper.service.requests.errors import ApiError, RejectedError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.archive.folder import ArchiveError
from boardkeeper.service.storage.changes import RemoveGame
from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.errors import UnreachableError
from boardkeeper.service.storage.event_log import NEWEST
from boardkeeper.service.storage.writer import Conflict, Outcome
from boardkeeper.titlekit.title import Setup


class Process:
    """What one process has of a shared database; nobody tells it what the others do unless a test does."""

    def __init__(self, application: GameApplication, clock: Callable[[], int] | None = None) -> None:
        self.registry = GameRegistry(application)
        self.handler = CommandHandler(self.registry) if clock is None else CommandHandler(self.registry, clock=clock)
        self.creator = GameCreator(self.handler, load_title, "test")
        self.seat_manager = SeatManager(self.handler)

    async def version(self, game: UUID) -> int:
        """What it has of a game."""
        return (await self.registry.get(game)).game.version


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.postgres)])
async def processes(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Process, Process, Process]]:
    """Three that share a database: one file, which has one writer for all of them, or one each on PostgreSQL."""
    if request.param == "file":
        application = GameApplication.open(tmp_path / "games.db", load_title)
        application.database.is_shared = True
        yield Process(application), Process(application), Process(application)
        application.close()
        return
    with request.getfixturevalue("postgres").database() as url:
        opened = [GameApplication.open(url, load_title, key_file=tmp_path / "key", notify="poll") for _ in range(3)]
        yield Process(opened[0]), Process(opened[1]), Process(opened[2])
        for application in opened:
            application.close()


@pytest.fixture
def pair(processes: tuple[Process, Process, Process]) -> tuple[Process, Process]:
    return processes[:2]


async def start_game(*processes: Process) -> UUID:
    """A game that all of them have in memory, and in which it is the first seat's turn."""
    game = (await processes[0].creator.create("tiny", Setup("", 2), PERSONS, "")).game
    for process in processes:
        await process.registry.get(game)
    return game


def contents(live: LiveGame) -> object:
    return live.game.version, live.game.status, live.game.table.contents(), live.game.undo.vote


async def check_equal_to_the_log(process: Process, game: UUID) -> None:
    """What a process has in memory is what a new one would read, and the chain of what is stored holds."""
    await process.registry.peer_sync.refresh(await process.registry.get(game))
    live = await process.registry.get(game)
    loaded = process.registry.application.load_verified(game)
    assert loaded is not None
    assert loaded.damage is None
    assert loaded.loaded is not None
    read, events = loaded.loaded
    assert contents(live)[:3] == (read.version, read.status, read.table.contents())  # type: ignore[index]
    assert live.game.undo.vote == read.undo.vote
    assert live.game.seen.find("1:none") == read.seen.find("1:none")
    assert live.visibility_history.head == type(live.visibility_history)(events).head


async def test_each_command_may_go_to_another_process(pair: tuple[Process, Process]) -> None:
    game = await start_game(*pair)
    for turn in range(12):
        process = pair[turn % 2]
        live = await process.registry.get(game)
        outcome = await process.handler.act(game, turn % 2 + 1, SubmitCommands([PassCoin(2 - turn % 2)]), f"t{turn}")
        assert outcome.version == live.game.version
        assert not outcome.repeated
    for process in pair:
        await check_equal_to_the_log(process, game)
        assert (await process.registry.get(game)).game.status == ENDED


async def test_a_history_of_two_processes_is_that_of_one(tmp_path: Path, pair: tuple[Process, Process]) -> None:
    """Event by event, but for what is made by chance: the game's id, its secret and times."""

    async def play(game: UUID, of: Callable[[int], Process]) -> list[tuple[object, ...]]:
        for turn in range(12):
            await of(turn).handler.act(game, turn % 2 + 1, SubmitCommands([PassCoin(2 - turn % 2)]), f"t{turn}")
        events = of(0).registry.application.game_events(game)
        return [(it.originator_version, it.topic, it.seat, it.command_id, it.detail, it.effects) for it in events[4:]]

    both = await play(await start_game(*pair), lambda turn: pair[turn % 2])
    alone = Process(pair[0].registry.application)
    one = await play(await start_game(alone), lambda _: alone)
    assert [row[:4] for row in both] == [row[:4] for row in one]
    assert [row[4:] for row in both[:-1]] == [row[4:] for row in one[:-1]]  # the last one tells the secret


async def test_a_rejection_is_about_the_board_as_it_is(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    assert (
        await here.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b")
    ).repeated is False  # by its old board not its turn
    with pytest.raises(RejectedError):
        await there.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "c")
    await check_equal_to_the_log(here, game)


async def test_an_expected_version_is_compared_with_the_board_as_it_is(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    version = (await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version
    with api_error("VERSION_CONFLICT") as caught:
        await here.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b", version - 1)
    assert caught.value.values == {"version": str(version)}
    await there.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b", version)
    assert (await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "c", version + 1)).version == version + 2


async def test_a_command_is_repeated_by_another_process(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    first = await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    again = await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    assert again.repeated
    assert again.version == first.version
    assert [it.event for it in again.events] == [it.event for it in first.events]


async def test_who_is_overtaken_decides_again(pair: tuple[Process, Process]) -> None:
    """Its own decision was right by what it had, and what it had was old: the guard lets nothing through."""
    here, there = pair
    game = await start_game(here, there)
    await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    await there.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b")
    conflicts = here.registry.application.writer.conflicts
    outcome = await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "c")
    assert here.registry.application.writer.conflicts == conflicts + 1
    assert outcome.version == await there.version(game) + 1
    await check_equal_to_the_log(here, game)
    await check_equal_to_the_log(there, game)


@pytest.mark.parametrize("command", [Peek(), DrawPearl()])
async def test_what_reveals_or_draws_is_taken_back_when_overtaken(
    pair: tuple[Process, Process], command: Peek | DrawPearl
) -> None:
    here, there = pair
    game = await start_game(here, there)
    await there.handler.act(game, 1, SubmitCommands([DrawPearl()]), "a")
    await there.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b")
    await here.handler.act(game, 1, SubmitCommands([command]), "c")
    assert here.registry.application.writer.conflicts == 1
    await check_equal_to_the_log(here, game)
    await there.handler.act(game, 2, SubmitCommands([DrawPearl()]), "d")
    await check_equal_to_the_log(there, game)


async def test_who_is_overtaken_for_ever_is_told_so(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    game = await start_game(here, there)
    tries: list[object] = []

    def overtaken(_events: object, finish: Callable[[Outcome], None], **_more: object) -> None:
        tries.append(None)
        finish(Conflict("as always"))

    with monkeypatch.context() as patch:
        patch.setattr(here.registry.application, "append", overtaken)
        patch.setattr(here.handler, "_random_number", lambda: 0.0)
        with api_error("CONTENDED"):
            await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    assert len(tries) == 8
    await check_equal_to_the_log(here, game)
    assert (await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).repeated is False


async def test_an_undo_takes_back_what_another_process_stored(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    before = contents(await here.registry.get(game))
    await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    await here.handler.act(game, 1, RequestUndo(), "undo")
    assert contents(await here.registry.get(game))[2] == before[2]  # type: ignore[index]
    await check_equal_to_the_log(there, game)


async def test_a_vote_is_cast_wherever_it_is_asked_for(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    await there.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b")
    asked = await there.handler.act(game, 1, RequestUndo(), "undo")
    answered = await here.handler.act(game, 2, AnswerUndo(asked.version, True), "vote")
    assert answered.version > asked.version
    for process in pair:
        await check_equal_to_the_log(process, game)
        assert (await process.registry.get(game)).game.undo.vote is None


async def test_a_seat_that_was_taken_elsewhere_is_taken(pair: tuple[Process, Process]) -> None:
    here, there = pair
    plans = (SeatPlan("Ada"), SeatPlan(open=True))
    game = (await here.creator.create("tiny", Setup("", 2), plans, "")).game
    await here.registry.get(game)
    joined = await there.seat_manager.join(game, 0, "Bob", b"", "request")
    with pytest.raises(ApiError) as caught:
        await here.seat_manager.join(game, 0, "Eve", b"", "another")
    assert caught.value.reason == "NO_FREE_SEAT"
    assert (await here.seat_manager.join(game, 0, "Bob", b"", "request")).tokens == joined.tokens
    live = await here.registry.get(game)
    assert [row.name for row in live.seats] == ["Ada", "Bob"]
    assert live.is_token_of_seat(2, joined.tokens[2])
    await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")


async def test_of_two_who_join_at_once_one_gets_the_seat(pair: tuple[Process, Process]) -> None:
    plans = (SeatPlan("Ada"), SeatPlan(open=True))
    game = (await pair[0].creator.create("tiny", Setup("", 2), plans, "")).game
    outcomes = await asyncio.gather(
        *(process.seat_manager.join(game, 0, f"Name {at}", b"", "") for at, process in enumerate(pair)),
        return_exceptions=True,
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, ApiError)]
    assert [refusal.reason for refusal in refused] == ["NO_FREE_SEAT"]
    for process in pair:
        await check_equal_to_the_log(process, game)


async def test_the_same_join_at_both_at_once_is_one(pair: tuple[Process, Process]) -> None:
    plans = (SeatPlan("Ada"), SeatPlan(open=True))
    game = (await pair[0].creator.create("tiny", Setup("", 2), plans, "")).game
    one, two = await asyncio.gather(*(process.seat_manager.join(game, 2, "Bob", b"", "request") for process in pair))
    assert one == two


async def test_who_wants_a_version_of_another_process_gets_it(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    version = (await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version
    await here.registry.wait_for_version(game, version, 0.0)
    assert await here.version(game) == version
    version = (await there.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b")).version
    assert (await here.registry.moment_at(game, version)).version == version
    with api_error("VERSION_OUT_OF_RANGE"):
        await here.registry.moment_at(game, version + 1)


async def test_a_line_of_the_lobby_is_never_ahead_of_its_game(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    version = (await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version
    await here.registry.wait_for_versions(here.registry.application.game_tables.lobby_page())
    assert await here.version(game) == version


@pytest.mark.parametrize("heard", ["at once", "twice", "late", "never"])
async def test_a_watcher_misses_nothing_of_what_others_store(pair: tuple[Process, Process], heard: str) -> None:
    here, there = pair
    game = await start_game(here, there)
    seen: list[int] = []

    async def watch() -> None:
        async with aclosing(here.registry.follow(game, 0, 60.0)) as following:
            async for events in following:
                seen.extend(it.event.originator_version for it in events)

    watching = asyncio.create_task(watch())
    news = PeerChanges(new_versions={game: NEWEST})
    for turn in range(12):
        await there.handler.act(game, turn % 2 + 1, SubmitCommands([PassCoin(2 - turn % 2)]), f"t{turn}")
        if heard in ("at once", "twice") or (heard == "late" and turn % 5 == 4):
            here.registry.peer_sync.receive(news)
        if heard == "twice":
            here.registry.peer_sync.receive(news)
        await asyncio.sleep(0)
    # One look is not enough: it leaves a game alone that is being read up, maybe from before the last turn.
    async with asyncio.timeout(100):
        while heard in ("late", "never") and not watching.done():
            await here.registry.peer_sync.poll(only_watched=True)
            await asyncio.sleep(0.01)
        await watching
    assert seen == list(range(1, await there.version(game) + 1))


async def test_a_game_that_nobody_waits_for_is_only_marked(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    version = (await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version
    live = here.registry.peek(game)
    assert live is not None
    here.registry.peer_sync.receive(PeerChanges(new_versions={game: NEWEST}))
    await asyncio.sleep(0)
    assert (live.is_stale, live.game.version) == (True, version - 1)
    assert await here.version(game) == version
    assert (live.is_stale, here.registry.peek(game)) == (False, live)


async def test_after_hints_were_lost_every_game_is_looked_at(pair: tuple[Process, Process]) -> None:
    here, there = pair
    games = [await start_game(here, there) for _ in range(3)]
    for game in games:
        await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    here.registry.peer_sync.receive(PeerChanges(has_gap=True))
    for game in games:
        assert await here.version(game) == await there.version(game)


async def test_a_game_that_was_removed_elsewhere_is_gone(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    await there.handler.changes.remove(game)
    with pytest.raises(ApiError) as caught:
        await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    assert caught.value.reason == "GAME_REMOVED"


async def test_a_game_in_which_more_changed_is_read_anew(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    live = here.registry.peek(game)
    here.registry.peer_sync.receive(PeerChanges(changed_games=[game]))
    assert await here.registry.get(game) is not live
    assert live is not None
    assert live.is_dropped


async def test_a_game_that_changed_while_its_command_is_stored_is_not_behind_it(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    game = await start_game(here, there)
    application, held = here.registry.application, list[Callable[[], None]]()
    append = application.append

    def later(*arguments: Any, **more: Any) -> None:
        held.append(partial(append, *arguments, **more))

    monkeypatch.setattr(application, "append", later)
    handler = asyncio.create_task(here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a"))
    while not held:  # noqa: ASYNC110  # there is nothing else to wait for
        await asyncio.sleep(0)
    here.registry.peer_sync.receive(PeerChanges(changed_games=[game]))
    reading = asyncio.create_task(here.version(game))
    await asyncio.sleep(0)
    held[0]()
    version = (await handler).version
    assert await reading == version
    assert await here.version(game) == version


@pytest.mark.parametrize("news", ["moved", "changed", "missed"])
async def test_what_is_heard_of_a_game_while_it_is_read_is_not_lost(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch, news: str
) -> None:
    here, there = pair
    game = await start_game(there)
    load, loop, overtakes = here.registry.loader._read, asyncio.get_running_loop(), list[PeerChanges]()
    told = {
        "moved": PeerChanges(new_versions={game: NEWEST}),
        "changed": PeerChanges(changed_games=[game]),
        "missed": PeerChanges(has_gap=True),
    }[news]

    def overtaken(it: UUID) -> LiveGame | None:
        found = load(it)
        if not overtakes:
            overtakes.append(told)
            command = there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
            asyncio.run_coroutine_threadsafe(command, loop).result(30)
            loop.call_soon_threadsafe(here.registry.peer_sync.receive, told)
        return found

    monkeypatch.setattr(here.registry.loader, "_read", overtaken)
    await here.registry.get(game)
    assert overtakes
    assert await here.version(game) == await there.version(game)


async def test_a_game_that_went_half_of_the_way_is_not_kept(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    game = await start_game(here, there)
    await there.handler.act(game, 1, SubmitCommands([DrawPearl()]), "a")
    live = await here.registry.get(game)

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(type(live.game.table), "apply_all", broken)
        with pytest.raises(ZeroDivisionError):
            await here.registry.peer_sync.refresh(live)
    assert live.is_dropped
    await check_equal_to_the_log(here, game)


async def test_after_hints_were_lost_names_and_tokens_are_those_of_now(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    token = await there.seat_manager.reissue(game, 1, nobody_minds)
    here.registry.peer_sync.receive(PeerChanges(has_gap=True))
    assert (await here.registry.get(game)).is_token_of_seat(1, token)


async def test_where_nobody_tells_of_changes_every_game_is_doubted_now_and_then(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    game = await start_game(here, there)
    token = await there.seat_manager.reissue(game, 1, nobody_minds)
    here.registry.application.database.notifies_changes = False
    monkeypatch.setattr("boardkeeper.service.cache.peer_sync.POLL_SECONDS", 0.0)
    monkeypatch.setattr("boardkeeper.service.cache.peer_sync.POLLS_PER_FULL_POLL", 1)
    running = asyncio.create_task(here.registry.peer_sync.run())
    while not (await here.registry.get(game)).is_token_of_seat(1, token):  # noqa: ASYNC110  # there is nothing else to wait for
        await asyncio.sleep(0)
    running.cancel()


async def test_a_token_is_given_on_the_seats_as_they_are(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    stolen = (await there.registry.get(game)).seats[0].token_hash
    await there.seat_manager.reissue(game, 1, nobody_minds)

    async def may(live: LiveGame) -> None:
        assert live.seats[0].token_hash != stolen

    await here.seat_manager.reissue(game, 1, may)


async def test_a_token_that_nobody_waits_for_is_the_one_that_is_stored(pair: tuple[Process, Process]) -> None:
    here, _ = pair
    game = await start_game(here)
    live = await here.registry.get(game)
    before = live.seats[0].token_hash
    asked = asyncio.Event()

    async def may(_: LiveGame) -> None:
        asked.set()

    reissuing = asyncio.create_task(here.seat_manager.reissue(game, 1, may))
    await asked.wait()
    reissuing.cancel()
    with suppress(asyncio.CancelledError):
        await reissuing
    live = await here.registry.get(game)
    async with live.lock:
        stored = here.registry.application.game_tables.seats(game)[0].token_hash
    assert live.seats[0].token_hash == stored != before


async def nobody_minds(_: LiveGame) -> None:
    """Who asks for a token may have it."""


async def test_a_bot_that_is_left_behind_is_found(
    pair: tuple[Process, Process], request: pytest.FixtureRequest
) -> None:
    """A file has no others that could leave anything behind."""
    here, there = pair
    plans = (SeatPlan("Ada"), SeatPlan(bot="random"))
    game = (await here.creator.create("tiny", Setup("", 2), plans, "")).game
    tables = there.registry.application.game_tables
    found = [game] if "postgres" in request.node.name else []
    assert tables.overdue_bot_games(there.handler.clock() + 60_000, 20) == []
    await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    assert tables.overdue_bot_games(there.handler.clock() + 60_000, 20) == found
    assert tables.overdue_bot_games(there.handler.clock() - 60_000, 20) == []
    await here.handler.act(game, 1, RequestUndo(), "undo")
    assert tables.overdue_bot_games(there.handler.clock() + 60_000, 20) == []


async def test_bots_of_a_process_that_ended_are_played_by_another(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if "postgres" not in request.node.name:
        pytest.skip("one file has one process")
    here, there = pair
    plans = (SeatPlan("Ada"), SeatPlan(bot="random"))
    game = (await here.creator.create("tiny", Setup("", 2), plans, "")).game
    version = (await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version  # and then nothing more
    monkeypatch.setattr("boardkeeper.service.games.bots._ABANDONED_MILLISECONDS", -60_000)
    monkeypatch.setattr("boardkeeper.service.games.bots._SEARCH_SECONDS", 0.01)
    bots = Bots(there.handler)
    bots.start()
    live = await there.registry.get(game)
    while live.game.version == version:
        await live.watchers.wait(1.0)
    await bots.stop()
    assert there.registry.application.game_events(game)[version].command_id == f"2:bot-{version}"


async def test_bots_play_each_decision_once_wherever_they_are(processes: tuple[Process, Process, Process]) -> None:
    every = [Bots(process.handler) for process in processes]
    for bots in every:
        bots.start()
    plans = (SeatPlan("Ada"), SeatPlan(bot="random"))
    try:
        games = [(await processes[0].creator.create("tiny", Setup("", 2), plans, "")).game for _ in range(10)]
        for turn in range(40):
            process = processes[turn % 3]
            for at, game in enumerate(games):
                live = await process.registry.get(game)
                await process.registry.peer_sync.refresh(live)
                if live.game.status == ENDED or not live.game.table.decisions[1]:
                    continue
                for other in every:  # all think that it is for them
                    other._enqueue(game)
                await process.handler.act(game, 1, SubmitCommands([live.game.legal(1)[0]]), f"t{turn}-{at}")
            await asyncio.sleep(0)
    finally:
        for bots in every:
            await bots.stop()
    for game in games:
        events = processes[0].registry.application.game_events(game)
        ids = [event.command_id for event in events if event.command_id.startswith("2:bot-")]
        first = {id: next(event.originator_version for event in events if event.command_id == id) for id in ids}
        assert ids
        assert all(f"2:bot-{version - 1}" == id for id, version in first.items())
        await check_equal_to_the_log(processes[0], game)


@pytest.mark.parametrize("seed", range(8))
async def test_whatever_two_processes_do_at_once_no_command_is_lost_or_done_twice(
    pair: tuple[Process, Process], seed: int
) -> None:
    chance = random.Random(seed)
    game = await start_game(*pair)
    done: dict[str, int] = {}

    async def act(process: Process, seat: int) -> None:
        for number in range(40):
            id = f"c{number}"
            live = await process.registry.get(game)
            if live.game.status == ENDED:
                return
            await asyncio.sleep(0)
            legal = live.game.legal(seat) or [PassCoin(3 - seat)]
            try:
                if chance.random() < 0.15:
                    outcome = await process.handler.act(game, seat, RequestUndo(), f"u{number}")
                    id = f"u{number}"
                elif live.game.undo.vote is not None and seat in live.game.undo.vote.waiting:
                    at = live.game.undo.vote.version
                    outcome = await process.handler.act(game, seat, AnswerUndo(at, chance.random() < 0.5), f"v{number}")
                    id = f"v{number}"
                else:
                    outcome = await process.handler.act(game, seat, SubmitCommands([chance.choice(legal)]), id)
            except ApiError:
                continue
            done[f"{seat}:{id}"] = outcome.version
            if chance.random() < 0.3:
                again = await chance.choice(pair).handler.act(game, seat, SubmitCommands([legal[0]]), id)
                assert (again.repeated, again.version) == (True, outcome.version)

    await asyncio.gather(*(act(process, seat) for process in pair for seat in (1, 2)))
    stored = pair[0].registry.application.game_events(game)
    last = {event.command_id: event.originator_version for event in stored if event.command_id}
    assert {id: last[id] for id in done} == done
    assert set(last) - {""} == set(done)
    for process in pair:
        await check_equal_to_the_log(process, game)


async def test_a_tail_that_does_not_fit_is_not_believed(pair: tuple[Process, Process]) -> None:
    """What is in memory ends where what is stored has nothing any more."""
    here, there = pair
    game = await start_game(here, there)
    live = await here.registry.get(game)
    here.registry.application.writer.store([RemoveGame(game, 1)])
    async with live.lock:
        assert await here.registry.peer_sync.catch_up(live)
    assert live.is_dropped


async def test_a_game_that_goes_on_while_it_is_read_is_not_taken_for_damaged(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its events are read before its line in the lobby: between the two, another process stores a command."""
    here, there = pair
    game = await start_game(there)
    application = here.registry.application
    loop = asyncio.get_running_loop()
    read = application.verified_events
    moved: list[int] = []

    def verified_events(it: UUID) -> object:
        events = read(it)
        if len(moved) < 3:
            command = there.handler.act(
                game, len(moved) % 2 + 1, SubmitCommands([PassCoin(2 - len(moved) % 2)]), f"t{len(moved)}"
            )
            moved.append(asyncio.run_coroutine_threadsafe(command, loop).result(30).version)
        return events

    monkeypatch.setattr(application, "verified_events", verified_events)
    live = await here.registry.get(game)
    assert live.damage is None
    assert live.game.version == moved[-1]
    assert game not in application.damages


# --- what others did is looked up together, and no more often than it takes ---------------------------------------


class Gate:
    """Holds the first look for tails up until it is opened; ``asked`` has the games of each look."""

    def __init__(self, application: GameApplication) -> None:
        self.asked: list[list[UUID]] = []
        self._look = application.read_new_events
        self._opened = threading.Event()

    def read_new_events(self, after: Mapping[UUID, int]) -> Any:
        self.asked.append(list(after))
        if len(self.asked) == 1:
            assert self._opened.wait(100)
        return self._look(after)

    async def wait_for_first_read(self) -> None:
        while not self.asked:  # noqa: ASYNC110  # the other one is a thread
            await asyncio.sleep(0.01)

    def open(self) -> None:
        self._opened.set()


@pytest.fixture
def gate(pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch) -> Gate:
    application = pair[0].registry.application
    gate = Gate(application)
    monkeypatch.setattr(application, "read_new_events", gate.read_new_events)
    return gate


async def test_processes_that_take_turns_do_not_decide_in_vain(pair: tuple[Process, Process]) -> None:
    """Once a process has met others in a game, it looks before it acts there again; until it meets nobody."""
    game = await start_game(*pair)
    writers = {process.registry.application.writer for process in pair}
    for turn in range(10):  # two seats at one process, then at the other
        await pair[turn // 2 % 2].handler.act(game, turn % 2 + 1, SubmitCommands([Peek()]), f"t{turn}")
    assert sum(writer.conflicts for writer in writers) == len(pair)  # each was surprised by the other once
    await check_equal_to_the_log(pair[0], game)
    await check_equal_to_the_log(pair[1], game)


async def test_a_process_that_meets_nobody_any_more_looks_no_more(pair: tuple[Process, Process], gate: Gate) -> None:
    gate.open()
    here, there = pair
    game = await start_game(here, there)
    await there.handler.act(game, 1, SubmitCommands([Peek()]), "a")
    for turn in range(1, 11):
        await here.handler.act(game, turn % 2 + 1, SubmitCommands([Peek()]), f"t{turn}")
    assert len(gate.asked) == 5  # the first was not in vain
    await check_equal_to_the_log(here, game)


async def test_a_late_hint_marks_nothing(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    version = (await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version
    live = await here.registry.get(game)
    await here.registry.peer_sync.refresh(live)
    here.registry.peer_sync.receive(PeerChanges(new_versions={game: version}))
    assert not live.is_stale
    here.registry.peer_sync.receive(PeerChanges(new_versions={game: version + 1}))
    assert live.is_stale


async def test_who_asks_while_others_are_answered_is_asked_for_together(
    pair: tuple[Process, Process], gate: Gate
) -> None:
    here, there = pair
    games = [await start_game(here, there) for _ in range(5)]
    lives = [await here.registry.get(game) for game in games]
    versions = [(await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version for game in games[:4]]
    gone = games[4]
    there.registry.application.writer.store([RemoveGame(gone, 1)])
    looks = [asyncio.create_task(here.registry.peer_sync.refresh(lives[0]))]
    await gate.wait_for_first_read()
    looks += [asyncio.create_task(here.registry.peer_sync.refresh(live)) for live in lives[1:]]
    for live in lives:
        while not live.lock.locked():  # noqa: ASYNC110  # there is nothing else to wait for
            await asyncio.sleep(0)
    gate.open()
    await asyncio.gather(*looks)
    assert gate.asked == [games[:1], games[1:]]
    assert [live.game.version for live in lives[:4]] == versions
    assert [live.is_dropped for live in lives] == [False, False, False, False, True]  # that does not go on


async def test_who_does_not_wait_any_more_keeps_nobody_from_an_answer(
    pair: tuple[Process, Process], gate: Gate
) -> None:
    here, there = pair
    games = [await start_game(here, there) for _ in range(3)]
    lives = [await here.registry.get(game) for game in games]
    versions = [(await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version for game in games]
    looks = [asyncio.create_task(here.registry.peer_sync.refresh(lives[0]))]
    await gate.wait_for_first_read()
    looks += [asyncio.create_task(here.registry.peer_sync.refresh(live)) for live in lives[1:]]
    while not all(live.lock.locked() for live in lives):  # noqa: ASYNC110
        await asyncio.sleep(0)
    for look in looks[:2]:
        look.cancel()
    await asyncio.gather(*looks[:2], return_exceptions=True)
    gate.open()
    await looks[2]
    assert gate.asked == [games[:1], games[2:]]
    assert lives[2].game.version == versions[2]
    assert [live.lock.locked() for live in lives] == [False] * 3
    assert [await here.version(game) for game in games] == versions  # those who gave up have left them to be looked at


async def test_a_look_that_fails_fails_all_of_it_and_the_next_one_does_not(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    games = [await start_game(here, there) for _ in range(3)]
    lives = [await here.registry.get(game) for game in games]
    versions = [(await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version for game in games]

    def away(_: object) -> None:
        raise UnreachableError("away")

    with monkeypatch.context() as patch:
        patch.setattr(here.registry.application, "read_new_events", away)
        looks = [here.registry.peer_sync.refresh(live) for live in lives]
        found = await asyncio.gather(*looks, return_exceptions=True)
        assert all(isinstance(each, ApiError) and each.reason == "READ_FAILED" for each in found)
        assert len(found) == 3
    assert [live.is_stale for live in lives] == [True] * 3
    assert [await here.version(game) for game in games] == versions


async def five(here: Process, there: Process) -> tuple[list[LiveGame], list[int]]:
    """Games with a command of another process, and the versions to which it led."""
    games = [await start_game(here, there) for _ in range(5)]
    versions = [(await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version for game in games]
    return [await here.registry.get(game) for game in games], versions


async def test_trouble_with_one_game_is_not_that_of_those_asked_for_with_it(
    pair: tuple[Process, Process], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    application = here.registry.application
    lives, versions = await five(here, there)
    tail = application._tail

    def lost(game: UUID, *arguments: Any) -> Any:
        if game == lives[2].id:
            raise ArchiveError(game, "its file is gone")
        return tail(game, *arguments)

    monkeypatch.setattr(application, "_tail", lost)
    looks = [asyncio.create_task(here.registry.peer_sync.refresh(lives[0]))]
    await gate.wait_for_first_read()
    looks += [asyncio.create_task(here.registry.peer_sync.refresh(live)) for live in lives[1:]]
    while not all(live.lock.locked() for live in lives):  # noqa: ASYNC110
        await asyncio.sleep(0)
    gate.open()
    found = await asyncio.gather(*looks, return_exceptions=True)
    (error,) = filter(None, found)
    assert isinstance(error, ApiError)
    assert (found.index(error), error.reason) == (2, "ARCHIVE_UNREADABLE")
    assert [live.game.version == version for live, version in zip(lives, versions, strict=True)] == [
        *(True, True),
        False,
        *(True, True),
    ]


async def test_where_they_cannot_be_read_together_each_is_read_alone(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of one of them is damaged, and nobody knows of which."""
    here, there = pair
    lives, versions = await five(here, there)

    def damaged(_: object) -> None:
        raise InternalError("invalid page")

    monkeypatch.setattr(here.registry.application.event_log, "select_tails", damaged)
    await asyncio.gather(*map(here.registry.peer_sync.refresh, lives))
    assert [live.game.version for live in lives] == versions


@pytest.mark.postgres
async def test_a_machine_that_is_down_only_stops_its_own_games(postgres: servers.Server, tmp_path: Path) -> None:
    """The events of one game cannot be read, with the error that a distributed database gives for a lost machine."""
    with (
        postgres.database() as url,
        closing(GameApplication.open(url, load_title, key_file=tmp_path / "key")) as application,
    ):
        process = Process(application)
        games = [await start_game(process) for _ in range(3)]
        for game in games:
            await process.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
        after = dict.fromkeys(games, 1)
        before = application.read_new_events(after)
        with psycopg.connect(url, autocommit=True) as tables:
            tables.execute(
                "CREATE FUNCTION reach(wanted uuid) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN"
                f" IF wanted = '{games[1]}' THEN RAISE 'connection to the remote node failed' USING ERRCODE = '08006';"
                " END IF; RETURN true; END $$;"
                "ALTER TABLE events RENAME TO all_events;"
                "CREATE VIEW events AS SELECT * FROM all_events WHERE reach(game)".encode()
            )
        found = application.read_new_events(after)
    assert isinstance(found.pop(games[1]), UnreachableError)
    assert all(before.values())
    assert found == {game: before[game] for game in (games[0], games[2])}


async def test_nobody_waits_for_ever_where_reading_has_ended(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    lives, _ = await five(here, there)

    async def ended(_: object) -> None:
        await asyncio.sleep(0)
        raise asyncio.CancelledError

    monkeypatch.setattr(here.registry.application, "read", ended)
    found = await asyncio.gather(*map(here.registry.peer_sync.refresh, lives), return_exceptions=True)
    assert [type(each) for each in found] == [asyncio.CancelledError] * 5
    assert not any(live.lock.locked() for live in lives)


async def test_looks_that_fail_leave_no_circles(pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = pair
    lives, _ = await five(here, there)

    def away(_: object) -> None:
        raise UnreachableError("away")

    async def look() -> None:
        await asyncio.gather(*map(here.registry.peer_sync.refresh, lives), return_exceptions=True)

    monkeypatch.setattr(here.registry.application, "read_new_events", away)
    await look()  # for what is made once and kept
    with assert_no_cycles():
        await look()


async def test_tails_are_those_of_each_game(pair: tuple[Process, Process]) -> None:
    here, there = pair
    games = [await start_game(here, there) for _ in range(3)]
    await there.handler.act(games[0], 1, SubmitCommands([PassCoin(2)]), "a")
    log = here.registry.application.event_log
    after = dict(zip(games, (2, 2, 99), strict=True))
    found = log.select_tails(after)
    for game, version in after.items():
        assert found.get(game, []) == log.select_linked(game, version - 1, NEWEST)
    assert [len(found.get(game, [])) for game in games] == [len(log.select_rows(games[0])) - 1, 4, 0]
