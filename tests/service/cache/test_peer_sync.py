"""Several registries on one database, as in several processes: each can execute any command on the current state."""

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
    """The registry and handlers of one process on a shared database; only the test sends it hints of changes."""

    def __init__(self, application: GameApplication, clock: Callable[[], int] | None = None) -> None:
        self.registry = GameRegistry(application)
        self.handler = CommandHandler(self.registry) if clock is None else CommandHandler(self.registry, clock=clock)
        self.creator = GameCreator(self.handler, load_title, "test")
        self.seat_manager = SeatManager(self.handler)

    async def version(self, game: UUID) -> int:
        """Return the version of a game in this process."""
        return (await self.registry.get(game)).game.version


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.postgres)])
async def processes(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Process, Process, Process]]:
    """Three processes on a shared database: on a file they share the writer, on PostgreSQL each has its own."""
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
    """Create a game that all processes have in memory; the first seat must decide."""
    game = (await processes[0].creator.create("tiny", Setup("", 2), PERSONS, "")).game
    for process in processes:
        await process.registry.get(game)
    return game


def contents(live: LiveGame) -> object:
    return live.game.version, live.game.status, live.game.table.contents(), live.game.undo.vote


async def check_equal_to_the_log(process: Process, game: UUID) -> None:
    """Check that the game in memory equals that in the database, and that its chain is valid."""
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


async def test_each_command_can_be_sent_to_another_process(pair: tuple[Process, Process]) -> None:
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


async def test_two_processes_produce_the_same_events_as_one(tmp_path: Path, pair: tuple[Process, Process]) -> None:
    """The events are equal except for random values: the game's id, its secret and times."""

    async def play(game: UUID, of: Callable[[int], Process]) -> list[tuple[object, ...]]:
        for turn in range(12):
            await of(turn).handler.act(game, turn % 2 + 1, SubmitCommands([PassCoin(2 - turn % 2)]), f"t{turn}")
        events = of(0).registry.application.game_events(game)
        return [(it.originator_version, it.topic, it.seat, it.command_id, it.detail, it.effects) for it in events[4:]]

    both = await play(await start_game(*pair), lambda turn: pair[turn % 2])
    single = Process(pair[0].registry.application)
    one = await play(await start_game(single), lambda _: single)
    assert [row[:4] for row in both] == [row[:4] for row in one]
    assert [row[4:] for row in both[:-1]] == [row[4:] for row in one[:-1]]  # the last event contains the secret


async def test_rejections_use_the_current_board(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    # On the old board of this process it is not the turn of seat 2.
    assert (await here.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b")).repeated is False
    with pytest.raises(RejectedError):
        await there.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "c")
    await check_equal_to_the_log(here, game)


async def test_an_expected_version_is_compared_with_the_current_version(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    version = (await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version
    with api_error("VERSION_CONFLICT") as caught:
        await here.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b", version - 1)
    assert caught.value.values == {"version": str(version)}
    await there.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b", version)
    assert (await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "c", version + 1)).version == version + 2


async def test_another_process_recognizes_a_repeated_command(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    first = await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    again = await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    assert again.repeated
    assert again.version == first.version
    assert [it.event for it in again.events] == [it.event for it in first.events]


async def test_a_process_with_an_old_version_decides_again(pair: tuple[Process, Process]) -> None:
    """Its decision was correct for its old version, so the version guard must reject the append."""
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
async def test_reveals_and_draws_are_reverted_after_a_conflict(
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


async def test_repeated_conflicts_end_with_an_error(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    game = await start_game(here, there)
    tries: list[object] = []

    def conflict(_events: object, finish: Callable[[Outcome], None], **_more: object) -> None:
        tries.append(None)
        finish(Conflict("as always"))

    with monkeypatch.context() as patch:
        patch.setattr(here.registry.application, "append", conflict)
        patch.setattr(here.handler, "_random_number", lambda: 0.0)
        with api_error("CONTENDED"):
            await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    assert len(tries) == 8
    await check_equal_to_the_log(here, game)
    assert (await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).repeated is False


async def test_an_undo_reverts_a_command_of_another_process(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    before = contents(await here.registry.get(game))
    await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    await here.handler.act(game, 1, RequestUndo(), "undo")
    assert contents(await here.registry.get(game))[2] == before[2]  # type: ignore[index]
    await check_equal_to_the_log(there, game)


async def test_another_process_accepts_the_answer_of_a_vote(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    await there.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b")
    requested = await there.handler.act(game, 1, RequestUndo(), "undo")
    answered = await here.handler.act(game, 2, AnswerUndo(requested.version, True), "vote")
    assert answered.version > requested.version
    for process in pair:
        await check_equal_to_the_log(process, game)
        assert (await process.registry.get(game)).game.undo.vote is None


async def test_a_seat_taken_in_another_process_is_taken(pair: tuple[Process, Process]) -> None:
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


async def test_one_of_two_concurrent_joins_gets_the_seat(pair: tuple[Process, Process]) -> None:
    plans = (SeatPlan("Ada"), SeatPlan(open=True))
    game = (await pair[0].creator.create("tiny", Setup("", 2), plans, "")).game
    outcomes = await asyncio.gather(
        *(process.seat_manager.join(game, 0, f"Name {at}", b"", "") for at, process in enumerate(pair)),
        return_exceptions=True,
    )
    errors = [outcome for outcome in outcomes if isinstance(outcome, ApiError)]
    assert [error.reason for error in errors] == ["NO_FREE_SEAT"]
    for process in pair:
        await check_equal_to_the_log(process, game)


async def test_the_same_join_in_two_processes_is_one(pair: tuple[Process, Process]) -> None:
    plans = (SeatPlan("Ada"), SeatPlan(open=True))
    game = (await pair[0].creator.create("tiny", Setup("", 2), plans, "")).game
    one, two = await asyncio.gather(*(process.seat_manager.join(game, 2, "Bob", b"", "request") for process in pair))
    assert one == two


async def test_versions_of_another_process_can_be_read(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    version = (await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version
    await here.registry.wait_for_version(game, version, 0.0)
    assert await here.version(game) == version
    version = (await there.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b")).version
    assert (await here.registry.moment_at(game, version)).version == version
    with api_error("VERSION_OUT_OF_RANGE"):
        await here.registry.moment_at(game, version + 1)


async def test_a_lobby_row_is_never_ahead_of_its_game(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    version = (await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version
    await here.registry.wait_for_versions(here.registry.application.game_tables.lobby_page())
    assert await here.version(game) == version


@pytest.mark.parametrize("hints", ["at once", "twice", "late", "never"])
async def test_a_watcher_gets_all_events_of_other_processes(pair: tuple[Process, Process], hints: str) -> None:
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
        if hints in ("at once", "twice") or (hints == "late" and turn % 5 == 4):
            here.registry.peer_sync.receive(news)
        if hints == "twice":
            here.registry.peer_sync.receive(news)
        await asyncio.sleep(0)
    # One poll is not enough: it skips a game that is being read, possibly from before the last turn.
    async with asyncio.timeout(100):
        while hints in ("late", "never") and not watching.done():
            await here.registry.peer_sync.poll(only_watched=True)
            await asyncio.sleep(0.01)
        await watching
    assert seen == list(range(1, await there.version(game) + 1))


async def test_a_hint_marks_a_game_without_watchers_as_stale(pair: tuple[Process, Process]) -> None:
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


async def test_after_lost_hints_every_game_is_refreshed(pair: tuple[Process, Process]) -> None:
    here, there = pair
    games = [await start_game(here, there) for _ in range(3)]
    for game in games:
        await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    here.registry.peer_sync.receive(PeerChanges(has_gap=True))
    for game in games:
        assert await here.version(game) == await there.version(game)


async def test_a_game_removed_by_another_process_is_gone(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    await there.handler.changes.remove(game)
    with pytest.raises(ApiError) as caught:
        await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    assert caught.value.reason == "GAME_REMOVED"


async def test_a_game_with_changed_seats_is_loaded_again(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    live = here.registry.peek(game)
    here.registry.peer_sync.receive(PeerChanges(changed_games=[game]))
    assert await here.registry.get(game) is not live
    assert live is not None
    assert live.is_dropped


async def test_a_change_during_an_append_does_not_hide_the_command(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    game = await start_game(here, there)
    application, delayed = here.registry.application, list[Callable[[], None]]()
    append = application.append

    def delay(*arguments: Any, **more: Any) -> None:
        delayed.append(partial(append, *arguments, **more))

    monkeypatch.setattr(application, "append", delay)
    handler = asyncio.create_task(here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a"))
    while not delayed:  # noqa: ASYNC110
        await asyncio.sleep(0)
    here.registry.peer_sync.receive(PeerChanges(changed_games=[game]))
    reading = asyncio.create_task(here.version(game))
    await asyncio.sleep(0)
    delayed[0]()
    version = (await handler).version
    assert await reading == version
    assert await here.version(game) == version


@pytest.mark.parametrize("news", ["moved", "changed", "missed"])
async def test_hints_during_a_load_are_not_lost(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch, news: str
) -> None:
    here, there = pair
    game = await start_game(there)
    load, loop, hints_sent = here.registry.loader._read, asyncio.get_running_loop(), list[PeerChanges]()
    hint = {
        "moved": PeerChanges(new_versions={game: NEWEST}),
        "changed": PeerChanges(changed_games=[game]),
        "missed": PeerChanges(has_gap=True),
    }[news]

    def conflict(it: UUID) -> LiveGame | None:
        found = load(it)
        if not hints_sent:
            hints_sent.append(hint)
            command = there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
            asyncio.run_coroutine_threadsafe(command, loop).result(30)
            loop.call_soon_threadsafe(here.registry.peer_sync.receive, hint)
        return found

    monkeypatch.setattr(here.registry.loader, "_read", conflict)
    await here.registry.get(game)
    assert hints_sent
    assert await here.version(game) == await there.version(game)


async def test_a_game_is_dropped_if_its_refresh_fails(
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


async def test_after_lost_hints_names_and_tokens_are_current(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    token = await there.seat_manager.reissue(game, 1, allow)
    here.registry.peer_sync.receive(PeerChanges(has_gap=True))
    assert (await here.registry.get(game)).is_token_of_seat(1, token)


async def test_without_notifications_every_game_is_refreshed_regularly(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    game = await start_game(here, there)
    token = await there.seat_manager.reissue(game, 1, allow)
    here.registry.application.database.notifies_changes = False
    monkeypatch.setattr("boardkeeper.service.cache.peer_sync.POLL_SECONDS", 0.0)
    monkeypatch.setattr("boardkeeper.service.cache.peer_sync.POLLS_PER_FULL_POLL", 1)
    running = asyncio.create_task(here.registry.peer_sync.run())
    while not (await here.registry.get(game)).is_token_of_seat(1, token):  # noqa: ASYNC110
        await asyncio.sleep(0)
    running.cancel()


async def test_a_new_token_is_authorized_by_the_current_seats(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    stolen = (await there.registry.get(game)).seats[0].token_hash
    await there.seat_manager.reissue(game, 1, allow)

    async def authorize(live: LiveGame) -> None:
        assert live.seats[0].token_hash != stolen

    await here.seat_manager.reissue(game, 1, authorize)


async def test_a_cancelled_reissue_leaves_memory_and_database_equal(pair: tuple[Process, Process]) -> None:
    here, _ = pair
    game = await start_game(here)
    live = await here.registry.get(game)
    before = live.seats[0].token_hash
    requested = asyncio.Event()

    async def authorize(_: LiveGame) -> None:
        requested.set()

    reissuing = asyncio.create_task(here.seat_manager.reissue(game, 1, authorize))
    await requested.wait()
    reissuing.cancel()
    with suppress(asyncio.CancelledError):
        await reissuing
    live = await here.registry.get(game)
    async with live.lock:
        stored = here.registry.application.game_tables.seats(game)[0].token_hash
    assert live.seats[0].token_hash == stored != before


async def allow(_: LiveGame) -> None:
    """Authorize every caller."""


async def test_games_of_abandoned_bots_are_found(pair: tuple[Process, Process], request: pytest.FixtureRequest) -> None:
    """A file has only one process, so it has no abandoned bots."""
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


async def test_bots_of_an_ended_process_are_played_by_another(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if "postgres" not in request.node.name:
        pytest.skip("one file has one process")
    here, there = pair
    plans = (SeatPlan("Ada"), SeatPlan(bot="random"))
    game = (await here.creator.create("tiny", Setup("", 2), plans, "")).game
    version = (await here.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version  # then the process stops
    monkeypatch.setattr("boardkeeper.service.games.bots._ABANDONED_MILLISECONDS", -60_000)
    monkeypatch.setattr("boardkeeper.service.games.bots._SEARCH_SECONDS", 0.01)
    bots = Bots(there.handler)
    bots.start()
    live = await there.registry.get(game)
    while live.game.version == version:
        await live.watchers.wait(1.0)
    await bots.stop()
    assert there.registry.application.game_events(game)[version].command_id == f"2:bot-{version}"


async def test_bots_of_several_processes_play_each_decision_once(processes: tuple[Process, Process, Process]) -> None:
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
                for other in every:  # all bots try to play
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
async def test_concurrent_processes_execute_every_command_once(pair: tuple[Process, Process], seed: int) -> None:
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


async def test_a_game_whose_events_are_gone_is_dropped(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    live = await here.registry.get(game)
    here.registry.application.writer.store([RemoveGame(game, 1)])
    async with live.lock:
        assert await here.registry.peer_sync.catch_up(live)
    assert live.is_dropped


async def test_a_game_that_continues_during_a_load_is_not_damaged(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the reads of its events and its lobby row another process stores a command."""
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


# --- reads of new events are combined and limited -------------------------------------------------------------------


class Gate:
    """Blocks the first read of new events until it is opened; ``reads`` contains the games of each read."""

    def __init__(self, application: GameApplication) -> None:
        self.reads: list[list[UUID]] = []
        self._read = application.read_new_events
        self._opened = threading.Event()

    def read_new_events(self, after: Mapping[UUID, int]) -> Any:
        self.reads.append(list(after))
        if len(self.reads) == 1:
            assert self._opened.wait(100)
        return self._read(after)

    async def wait_for_first_read(self) -> None:
        while not self.reads:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    def open(self) -> None:
        self._opened.set()


@pytest.fixture
def gate(pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch) -> Gate:
    application = pair[0].registry.application
    gate = Gate(application)
    monkeypatch.setattr(application, "read_new_events", gate.read_new_events)
    return gate


async def test_processes_that_alternate_have_few_conflicts(pair: tuple[Process, Process]) -> None:
    """After a conflict in a game, a process reads new events before each command."""
    game = await start_game(*pair)
    writers = {process.registry.application.writer for process in pair}
    for turn in range(10):  # two commands in one process, then two in the other
        await pair[turn // 2 % 2].handler.act(game, turn % 2 + 1, SubmitCommands([Peek()]), f"t{turn}")
    assert sum(writer.conflicts for writer in writers) == len(pair)  # one conflict for each process
    await check_equal_to_the_log(pair[0], game)
    await check_equal_to_the_log(pair[1], game)


async def test_a_process_without_conflicts_stops_reading(pair: tuple[Process, Process], gate: Gate) -> None:
    gate.open()
    here, there = pair
    game = await start_game(here, there)
    await there.handler.act(game, 1, SubmitCommands([Peek()]), "a")
    for turn in range(1, 11):
        await here.handler.act(game, turn % 2 + 1, SubmitCommands([Peek()]), f"t{turn}")
    assert len(gate.reads) == 5  # the first read found an event
    await check_equal_to_the_log(here, game)


async def test_a_late_hint_does_not_mark_a_game(pair: tuple[Process, Process]) -> None:
    here, there = pair
    game = await start_game(here, there)
    version = (await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version
    live = await here.registry.get(game)
    await here.registry.peer_sync.refresh(live)
    here.registry.peer_sync.receive(PeerChanges(new_versions={game: version}))
    assert not live.is_stale
    here.registry.peer_sync.receive(PeerChanges(new_versions={game: version + 1}))
    assert live.is_stale


async def test_refreshes_during_a_read_are_combined(pair: tuple[Process, Process], gate: Gate) -> None:
    here, there = pair
    games = [await start_game(here, there) for _ in range(5)]
    lives = [await here.registry.get(game) for game in games]
    versions = [(await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version for game in games[:4]]
    gone = games[4]
    there.registry.application.writer.store([RemoveGame(gone, 1)])
    refreshes = [asyncio.create_task(here.registry.peer_sync.refresh(lives[0]))]
    await gate.wait_for_first_read()
    refreshes += [asyncio.create_task(here.registry.peer_sync.refresh(live)) for live in lives[1:]]
    for live in lives:
        while not live.lock.locked():  # noqa: ASYNC110
            await asyncio.sleep(0)
    gate.open()
    await asyncio.gather(*refreshes)
    assert gate.reads == [games[:1], games[1:]]
    assert [live.game.version for live in lives[:4]] == versions
    assert [live.is_dropped for live in lives] == [False, False, False, False, True]  # the removed game


async def test_a_cancelled_refresh_does_not_block_others(pair: tuple[Process, Process], gate: Gate) -> None:
    here, there = pair
    games = [await start_game(here, there) for _ in range(3)]
    lives = [await here.registry.get(game) for game in games]
    versions = [(await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version for game in games]
    refreshes = [asyncio.create_task(here.registry.peer_sync.refresh(lives[0]))]
    await gate.wait_for_first_read()
    refreshes += [asyncio.create_task(here.registry.peer_sync.refresh(live)) for live in lives[1:]]
    while not all(live.lock.locked() for live in lives):  # noqa: ASYNC110
        await asyncio.sleep(0)
    for refresh in refreshes[:2]:
        refresh.cancel()
    await asyncio.gather(*refreshes[:2], return_exceptions=True)
    gate.open()
    await refreshes[2]
    assert gate.reads == [games[:1], games[2:]]
    assert lives[2].game.version == versions[2]
    assert [live.lock.locked() for live in lives] == [False] * 3
    assert [await here.version(game) for game in games] == versions  # cancelled refreshes leave their games stale


async def test_a_failed_read_fails_all_its_refreshes_but_not_the_next(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    games = [await start_game(here, there) for _ in range(3)]
    lives = [await here.registry.get(game) for game in games]
    versions = [(await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version for game in games]

    def fail(_: object) -> None:
        raise UnreachableError("away")

    with monkeypatch.context() as patch:
        patch.setattr(here.registry.application, "read_new_events", fail)
        refreshes = [here.registry.peer_sync.refresh(live) for live in lives]
        found = await asyncio.gather(*refreshes, return_exceptions=True)
        assert all(isinstance(each, ApiError) and each.reason == "READ_FAILED" for each in found)
        assert len(found) == 3
    assert [live.is_stale for live in lives] == [True] * 3
    assert [await here.version(game) for game in games] == versions


async def create_five_games(here: Process, there: Process) -> tuple[list[LiveGame], list[int]]:
    """Create games with a command of another process; return them and their versions."""
    games = [await start_game(here, there) for _ in range(5)]
    versions = [(await there.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version for game in games]
    return [await here.registry.get(game) for game in games], versions


async def test_an_error_of_one_game_does_not_fail_the_others_of_its_read(
    pair: tuple[Process, Process], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    application = here.registry.application
    lives, versions = await create_five_games(here, there)
    tail = application._tail

    def read_or_fail(game: UUID, *arguments: Any) -> Any:
        if game == lives[2].id:
            raise ArchiveError(game, "its file is gone")
        return tail(game, *arguments)

    monkeypatch.setattr(application, "_tail", read_or_fail)
    refreshes = [asyncio.create_task(here.registry.peer_sync.refresh(lives[0]))]
    await gate.wait_for_first_read()
    refreshes += [asyncio.create_task(here.registry.peer_sync.refresh(live)) for live in lives[1:]]
    while not all(live.lock.locked() for live in lives):  # noqa: ASYNC110
        await asyncio.sleep(0)
    gate.open()
    found = await asyncio.gather(*refreshes, return_exceptions=True)
    (error,) = filter(None, found)
    assert isinstance(error, ApiError)
    assert (found.index(error), error.reason) == (2, "ARCHIVE_UNREADABLE")
    assert [live.game.version == version for live, version in zip(lives, versions, strict=True)] == [
        *(True, True),
        False,
        *(True, True),
    ]


async def test_after_a_failed_combined_read_each_game_is_read_alone(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error does not show which game has the damaged page."""
    here, there = pair
    lives, versions = await create_five_games(here, there)

    def damaged(_: object) -> None:
        raise InternalError("invalid page")

    monkeypatch.setattr(here.registry.application.event_log, "select_tails", damaged)
    await asyncio.gather(*map(here.registry.peer_sync.refresh, lives))
    assert [live.game.version for live in lives] == versions


@pytest.mark.postgres
async def test_an_unreachable_machine_stops_only_its_own_games(postgres: servers.Server, tmp_path: Path) -> None:
    """Reads of one game fail with the error that a distributed database returns for a lost machine."""
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


async def test_refreshes_end_when_reading_is_cancelled(
    pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    lives, _ = await create_five_games(here, there)

    async def cancel(_: object) -> None:
        await asyncio.sleep(0)
        raise asyncio.CancelledError

    monkeypatch.setattr(here.registry.application, "read", cancel)
    found = await asyncio.gather(*map(here.registry.peer_sync.refresh, lives), return_exceptions=True)
    assert [type(each) for each in found] == [asyncio.CancelledError] * 5
    assert not any(live.lock.locked() for live in lives)


async def test_failed_refreshes_leave_no_cycles(pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = pair
    lives, _ = await create_five_games(here, there)

    def fail(_: object) -> None:
        raise UnreachableError("away")

    async def refresh_all() -> None:
        await asyncio.gather(*map(here.registry.peer_sync.refresh, lives), return_exceptions=True)

    monkeypatch.setattr(here.registry.application, "read_new_events", fail)
    await refresh_all()  # creates what stays in memory
    with assert_no_cycles():
        await refresh_all()


async def test_tails_of_several_games_are_read_together(pair: tuple[Process, Process]) -> None:
    here, there = pair
    games = [await start_game(here, there) for _ in range(3)]
    await there.handler.act(games[0], 1, SubmitCommands([PassCoin(2)]), "a")
    log = here.registry.application.event_log
    after = dict(zip(games, (2, 2, 99), strict=True))
    found = log.select_tails(after)
    for game, version in after.items():
        assert found.get(game, []) == log.select_linked(game, version - 1, NEWEST)
    assert [len(found.get(game, [])) for game in games] == [len(log.select_rows(games[0])) - 1, 4, 0]
