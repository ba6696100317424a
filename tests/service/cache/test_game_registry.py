"""The game registry: serialized commands, no uncommitted reads, idempotent commands, recovery after failures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from grpc import StatusCode
from msgspec.structs import replace
from tests.service.api_errors import api_error
from tests.service.sqlite_internals import INVALID_CHANGE
from tests.service.tiny_title import DrawPearl, PassCoin, PearlDrawn, Peek, Spill, load_title

from boardkeeper.game.events import GameEnded, SeatJoined
from boardkeeper.game.game import ENDED
from boardkeeper.game.seat_actions import RequestUndo, SubmitCommands
from boardkeeper.service.auth.seat_tokens import hash_token
from boardkeeper.service.cache.committed_events import CommittedEvent
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.service.cache.watchers import RECENT_EVENTS
from boardkeeper.service.games.bots import Bots
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_creator import GameCreator, SeatPlan
from boardkeeper.service.games.seat_manager import SeatManager
from boardkeeper.service.requests.errors import ApiError, InvalidRequestError, RejectedError, is_reason
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.writer import Batch, Outcome
from boardkeeper.table.visibility import redact_effects
from boardkeeper.titlekit.bots import chance_of
from boardkeeper.titlekit.title import Setup

pytestmark = pytest.mark.databases

PERSONS = (SeatPlan("Ada"), SeatPlan("Bob"))


class GameService:
    """A game registry on a database, with the parts of the server that use it."""

    def __init__(self, path: Path, clock: Callable[[], int] | None = None, **settings: Any) -> None:
        self.application = GameApplication.open(path, load_title)
        self.registry = GameRegistry(self.application, **settings)
        self.handler = CommandHandler(self.registry) if clock is None else CommandHandler(self.registry, clock=clock)
        self.creator = GameCreator(self.handler, load_title, "test")
        self.seat_manager = SeatManager(self.handler)

    async def game(self, *plans: SeatPlan) -> UUID:
        plans = plans or PERSONS
        return (await self.creator.create("tiny", Setup("", len(plans)), plans, "")).game


@asynccontextmanager
async def open_service(path: Path, **settings: Any) -> AsyncIterator[GameService]:
    service = GameService(path, **settings)
    try:
        yield service
    finally:
        service.application.close()


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[GameService]:
    async with open_service(tmp_path / "games.db") as service:
        yield service


async def take_turn(service: GameService, game: UUID, number: int) -> int:
    """Let the deciding seat pass a coin and return the version."""
    live = await service.registry.get(game)
    (seat,) = live.game.table.deciding()
    return (await service.handler.act(game, seat, SubmitCommands([PassCoin(3 - seat)]), f"turn-{number}")).version


async def until_deciding(live: LiveGame) -> None:
    """Wait until a command is decided and its append has started."""
    while not live.lock.locked():  # noqa: ASYNC110
        await asyncio.sleep(0)


def topics(events: list[CommittedEvent] | Any) -> list[str]:
    return [committed.event.topic for committed in events]


async def read_all_events(service: GameService, game: UUID) -> list[CommittedEvent]:
    return await service.registry.read_events(game, 0, 1000)


# --- creating and joining ------------------------------------------------------------------------------------


async def test_a_game_of_people_starts_immediately(service: GameService) -> None:
    seated = await service.creator.create("tiny", Setup("", 2), PERSONS, "")
    assert sorted(seated.tokens) == [1, 2]
    assert topics(await read_all_events(service, seated.game)) == [
        "game.GameCreated",
        "game.SeatJoined",
        "game.SeatJoined",
        "game.GameStarted",
        "tiny.CoinPassed",
    ]
    row = service.application.game_tables.lobby_row(seated.game)
    assert row is not None
    assert (row.status, row.version, row.decisions) == ("running", 5, ("turn", ""))
    assert [seat.name for seat in row.seats] == ["Ada", "Bob"]
    assert row.seats[0].token_hash == hash_token(seated.tokens[1])
    live = await service.registry.get(seated.game)
    assert live.is_token_of_seat(1, seated.tokens[1])
    assert not live.is_token_of_seat(1, seated.tokens[2])
    assert not live.is_token_of_seat(0, seated.tokens[2])
    assert [live.seat_of_token(token) for token in ("", "nonsense", seated.tokens[2])] == [0, 0, 2]


async def test_each_seat_adds_its_own_entropy(service: GameService) -> None:
    plans = (SeatPlan("Ada", entropy=b"\x01"), SeatPlan("Bob", entropy=b"\x02"))
    seated = await service.creator.create("tiny", Setup("", 2), plans, "")
    details = [committed.event.detail for committed in await read_all_events(service, seated.game)]
    assert [detail.entropy for detail in details if isinstance(detail, SeatJoined)] == ["01", "02"]


async def test_an_open_seat_waits_for_a_player(service: GameService) -> None:
    game = await service.game(SeatPlan("Ada"), SeatPlan(open=True))
    with pytest.raises(RejectedError, match=r"table\.all_seats_taken"):
        await service.handler.act(game, 1, SubmitCommands([Peek()]), "a")
    live = await service.registry.get(game)
    assert [live.seat_names(language) for language in ("en", "de")] == [("Ada", "Seat 2"), ("Ada", "Platz 2")]
    joined = await service.seat_manager.join(game, 0, "Bob", b"salt", "")
    assert list(joined.tokens) == [2]
    assert await service.registry.get(game) is live
    assert [live.seat_names(language) for language in ("en", "de")] == [("Ada", "Bob"), ("Ada", "Bob")]
    assert live.is_token_of_seat(2, joined.tokens[2])
    assert live.seats[1].name == "Bob"
    row = service.application.game_tables.lobby_row(game)
    assert row is not None
    assert row.status == "running"
    assert row.seats[1].name == "Bob"
    with pytest.raises(ApiError, match="All seats"):
        await service.seat_manager.join(game, 0, "Eve", b"", "")


async def test_an_open_seat_is_taken_once(service: GameService) -> None:
    game = await service.game(SeatPlan("Ada"), SeatPlan(open=True), SeatPlan(open=True))
    outcomes = await asyncio.gather(
        *(service.seat_manager.join(game, 2, name, b"", "") for name in ("Bob", "Eve", "Jan")), return_exceptions=True
    )
    errors = [outcome for outcome in outcomes if isinstance(outcome, ApiError)]
    assert [error.reason for error in errors] == ["SEAT_TAKEN", "SEAT_TAKEN"]
    with pytest.raises(InvalidRequestError):
        await service.seat_manager.join(game, 9, "Eve", b"", "")


async def test_a_repeated_create_returns_the_same_game_and_tokens(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        setup, request = Setup("", 2), "a-request-of-a-client"
        first, second = await asyncio.gather(
            *(service.creator.create("tiny", setup, PERSONS, request) for _ in range(2))
        )
        assert first == second
        with api_error("REQUEST_ID_REUSED"):
            await service.creator.create("tiny", setup, (*PERSONS, SeatPlan("Eve")), request)
    async with open_service(tmp_path / "games.db") as service:
        assert await service.creator.create("tiny", setup, PERSONS, request) == first
        assert len(service.application.game_tables.lobby_page()) == 1
        live = await service.registry.get(first.game)
        assert live.is_token_of_seat(2, first.tokens[2])


async def test_a_repeated_join_returns_the_same_seat_and_token(service: GameService) -> None:
    game = await service.game(SeatPlan("Ada"), SeatPlan(open=True), SeatPlan(open=True))
    first, second = await asyncio.gather(
        *(service.seat_manager.join(game, 0, "Bob", b"", "a-request-of-a-client") for _ in range(2))
    )
    assert first == second
    assert await service.seat_manager.join(game, 0, "Bob", b"", "a-request-of-a-client") == first
    assert (await service.registry.get(game)).game.seats.free() == [3]


async def test_concurrent_repeats_of_the_last_join_are_one(service: GameService) -> None:
    game = await service.game(SeatPlan("Ada"), SeatPlan(open=True))
    first, *others = await asyncio.gather(
        *(service.seat_manager.join(game, 2, "Bob", b"", "a-request-of-a-client") for _ in range(20))
    )
    assert all(other == first for other in others)


@pytest.mark.parametrize(
    ("title", "setup", "seats", "reason"),
    [
        ("chess", Setup("", 2), 2, "TITLE_NOT_FOUND"),
        ("tiny", Setup("second", 2), 2, "BAD_REQUEST"),
        ("tiny", Setup("", 5), 5, "BAD_REQUEST"),
        ("tiny", Setup("", 2, {"pearls": "none"}), 2, "BAD_REQUEST"),
        ("tiny", Setup("", 2, {"shells": "none"}), 2, "BAD_REQUEST"),
    ],
)
async def test_unknown_titles_editions_and_options_are_rejected(
    service: GameService, title: str, setup: Setup, seats: int, reason: str
) -> None:
    with api_error(reason):
        await service.creator.create(title, setup, [SeatPlan("x")] * seats, "")
    assert service.application.game_tables.lobby_page() == []
    assert not list(service.application.game_tables.known_games())


# --- commands ------------------------------------------------------------------------------------------------


async def test_a_command_is_stored_before_it_is_answered(service: GameService) -> None:
    game = await service.game()
    outcome = await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    assert (outcome.version, outcome.repeated) == (6, False)
    stored = service.application.game_events(game, after=5)
    assert stored == [committed.event for committed in outcome.events]
    assert stored[0].command_id == "1:a"
    row = service.application.game_tables.lobby_row(game)
    assert row is not None
    assert (row.version, row.decisions) == (6, ("", "turn"))


async def test_a_repeated_command_returns_the_first_outcome_even_after_a_restart(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        game = await service.game()
        first = await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "same")
        await service.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "same")
        again = await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "same")
        assert (again.version, again.repeated) == (first.version, True)
        assert [it.event for it in again.events] == [it.event for it in first.events]
    async with open_service(tmp_path / "games.db") as service:
        again = await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "same", expected_version=1)
        assert (again.version, again.repeated) == (first.version, True)
        assert [it.event for it in again.events] == [it.event for it in first.events]
        assert (await service.registry.get(game)).game.version == 7


async def test_concurrent_repeats_of_a_command_are_executed_once(service: GameService) -> None:
    game = await service.game()
    outcomes = await asyncio.gather(
        *(service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a") for _ in range(5))
    )
    assert [outcome.repeated for outcome in outcomes] == [False, True, True, True, True]
    assert {outcome.version for outcome in outcomes} == {6}


async def test_a_command_with_an_old_version_conflicts(service: GameService) -> None:
    game = await service.game()
    with api_error("VERSION_CONFLICT") as conflict:
        await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a", expected_version=4)
    assert conflict.value.values["version"] == "5"
    assert (await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a", expected_version=5)).version == 6


async def test_a_rejection_changes_nothing(service: GameService) -> None:
    game = await service.game()
    live = await service.registry.get(game)
    before = live.game.table.contents()
    with pytest.raises(RejectedError) as rejected:
        await service.handler.act(game, 1, SubmitCommands([PassCoin(2), PassCoin(2)]), "a")
    assert rejected.value.rejection.values["index"] == "1"
    assert live.game.table.contents() == before
    assert live.game.version == 5
    assert not live.lock.locked()
    assert (await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).repeated is False


async def test_commands_and_joins_of_unknown_games_fail(service: GameService) -> None:
    with api_error("GAME_NOT_FOUND"):
        await service.handler.act(uuid4(), 1, SubmitCommands([Peek()]), "a")
    with api_error("GAME_NOT_FOUND"):
        await service.seat_manager.join(uuid4(), 1, "Bob", b"", "")


async def test_a_command_completes_after_its_client_disconnects(service: GameService) -> None:
    game = await service.game()
    live = await service.registry.get(game)
    command = asyncio.create_task(service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a"))
    await until_deciding(live)
    command.cancel()
    with pytest.raises(asyncio.CancelledError):
        await command
    again = await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    assert (again.version, again.repeated) == (6, True)


async def test_readers_see_nothing_uncommitted(service: GameService) -> None:
    """During an append the table already contains the effects, so readers must wait for the commit."""
    game = await service.game()
    live = await service.registry.get(game)
    command = asyncio.create_task(service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a"))
    await until_deciding(live)
    assert live.game.version == 5
    assert live.game.table.number("turn").value == 1
    async with service.registry.lock(game) as locked:
        assert command.done() or locked.game.version == 6
        assert locked.game.table.number("turn").value == 1
    await command


async def test_a_game_is_reloaded_after_a_failed_append(service: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await service.game()
    writer = service.application.writer
    submit = writer.submit

    def fail(batch: Batch) -> None:
        monkeypatch.undo()
        broken = [replace(append, changes=[INVALID_CHANGE]) for append in batch.appends]
        submit(Batch(broken, batch.done))

    old = await service.registry.get(game)
    monkeypatch.setattr(writer, "submit", fail)
    with api_error("STORAGE_FAILED"):
        await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    assert old.is_dropped
    live = await service.registry.get(game)
    assert live is not old
    assert live.game.version == 5
    assert live.game.table.number("turn").value == 0
    assert (await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).repeated is False


async def test_a_game_survives_an_exception_in_the_rules(service: GameService) -> None:
    game = await service.game()
    with pytest.raises(RuntimeError, match="spilt"):
        await service.handler.act(game, 1, SubmitCommands([Spill()]), "a")
    with pytest.raises(RejectedError):
        await service.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "b")
    assert (await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")).version == 6


async def test_a_full_queue_and_a_drain_reject_without_changes(
    service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    live = await service.registry.get(game)
    monkeypatch.setattr(service.application.writer, "limit", 0)
    with api_error("OVERLOADED"):
        await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    monkeypatch.undo()
    service.registry.drain()
    with api_error("SHUTTING_DOWN"):
        await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    with api_error("SHUTTING_DOWN"):
        await service.game()
    assert not live.is_dropped
    assert live.game.version == 5


async def test_unused_games_leave_memory(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db", limit=3, idle_seconds=0) as service:
        games = [await service.game() for _ in range(5)]
        assert len(service.registry) == 3
        assert await take_turn(service, games[0], 1) == 6
        assert len(service.registry) == 3
        watching = service.registry.follow(games[0], 0, 60)
        await anext(watching)
        service.registry.sweep()
        assert len(service.registry) == 1
        await watching.aclose()
        service.registry.sweep()
        assert len(service.registry) == 0
        assert await take_turn(service, games[0], 2) == 7


async def test_many_games_and_commands_at_once(tmp_path: Path) -> None:
    """More games than the limit, so that games are dropped and loaded while they are played."""
    async with open_service(tmp_path / "games.db", limit=4) as service:
        games = [await service.game() for _ in range(12)]

        async def play(game: UUID) -> None:
            for turn in range(12):
                seat = turn % 2 + 1
                await service.handler.act(game, seat, SubmitCommands([PassCoin(3 - seat)]), f"{turn}")

        await asyncio.gather(*map(play, games))
        for game in games:
            live = await service.registry.get(game)
            assert live.game.status == ENDED
            assert [event.originator_version for event in service.application.game_events(game)] == list(
                range(1, live.game.version + 1)
            )
        assert service.application.writer.commits < service.application.writer.appends


# --- watching ------------------------------------------------------------------------------------------------


async def collect(service: GameService, game: UUID, after: int, heartbeat: float = 60) -> list[int]:
    versions: list[int] = []
    async for events in service.registry.follow(game, after, heartbeat):
        versions += [committed.event.originator_version for committed in events]
        await asyncio.sleep(0)
    return versions


@pytest.mark.parametrize("after", [0, 3, 5])
async def test_a_watcher_gets_every_event_once_until_the_end(service: GameService, after: int) -> None:
    game = await service.game()
    watchers = [asyncio.create_task(collect(service, game, after)) for _ in range(3)]
    late: asyncio.Task[list[int]] | None = None
    for turn in range(12):
        await take_turn(service, game, turn)
        if turn == 6:
            late = asyncio.create_task(collect(service, game, after))
    assert late is not None
    version = (await service.registry.get(game)).game.version
    for watcher in (*watchers, late):
        assert await watcher == list(range(after + 1, version + 1))
    assert isinstance((await read_all_events(service, game))[-1].event.detail, GameEnded)


async def test_a_slow_watcher_reads_what_it_missed_from_the_log(
    service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert RECENT_EVENTS > 100
    monkeypatch.setattr("boardkeeper.service.cache.watchers.RECENT_EVENTS", 2)
    monkeypatch.setattr("boardkeeper.service.cache.game_registry.PAGE", 3)
    game = await service.game()
    following = service.registry.follow(game, 0, 60)
    versions = [committed.event.originator_version for committed in await anext(following)]
    for turn in range(12):
        await take_turn(service, game, turn)
    async for events in following:
        versions += [committed.event.originator_version for committed in events]
    assert versions == list(range(1, (await service.registry.get(game)).game.version + 1))


async def test_a_watcher_survives_a_dropped_game(service: GameService) -> None:
    game = await service.game()
    following = service.registry.follow(game, 5, 60)
    waiting = asyncio.ensure_future(anext(following))
    await asyncio.sleep(0.01)
    with pytest.raises(RuntimeError, match="spilt"):
        await service.handler.act(game, 1, SubmitCommands([Spill()]), "a")
    await take_turn(service, game, 1)
    assert [committed.event.originator_version for committed in await waiting] == [6]


async def test_watchers_get_heartbeats_and_the_shutdown_error(service: GameService) -> None:
    game = await service.game()
    following = service.registry.follow(game, 5, 0.01)
    assert await anext(following) == ()
    service.registry.drain()
    with api_error("SHUTTING_DOWN"):
        await anext(following)


async def test_watching_from_a_future_version_fails(service: GameService) -> None:
    game = await service.game()
    with api_error("VERSION_OUT_OF_RANGE"):
        await anext(service.registry.follow(game, 6, 1))


async def test_events_are_redacted_by_the_visibility_of_their_version(service: GameService) -> None:
    game = await service.game()
    await service.handler.act(game, 1, SubmitCommands([DrawPearl()]), "a")
    await service.handler.act(game, 2, SubmitCommands([Peek()]), "b")
    await service.handler.act(game, 1, SubmitCommands([DrawPearl()]), "c")
    committed = await read_all_events(service, game)
    seen = {
        viewer: [
            redact_effects(it.visibility, it.event.effects, viewer)[1]
            for it in committed
            if isinstance(it.event.detail, PearlDrawn)
        ]
        for viewer in (0, 1, 2)
    }
    assert seen == {0: [False, True], 1: [True, True], 2: [False, True]}
    live = await service.registry.get(game)
    again = VisibilityHistory(it.event for it in committed)
    assert again.head is live.visibility_history.head is committed[-1].visibility
    assert again.snapshots([it.event for it in committed]) == [it.visibility for it in committed]
    assert [it.visibility for it in await service.registry.read_events(game, 5, 2)] == [
        it.visibility for it in committed[5:7]
    ]


# --- reading at a version ------------------------------------------------------------------------------------


async def test_a_lobby_row_is_not_returned_before_its_game_has_the_version(
    service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between a commit and its callback in the event loop, the database is ahead of the game in memory."""
    game = await service.game()
    callbacks: list[Callable[[], None]] = []
    append = service.application.append

    def delay_callback(events: Any, finish: Callable[[Outcome], None], **more: Any) -> None:
        append(events, lambda stored: callbacks.append(partial(finish, stored)), **more)

    monkeypatch.setattr(service.application, "append", delay_callback)
    turn = asyncio.create_task(take_turn(service, game, 1))
    while not callbacks:  # noqa: ASYNC110
        await asyncio.sleep(0)
    line = service.application.game_tables.lobby_row(game)
    assert line is not None
    assert (line.version, (await service.registry.get(game)).game.version) == (6, 5)

    waiting = asyncio.create_task(service.registry.wait_for_versions([line]))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not waiting.done()
    callbacks[0]()
    await waiting
    assert (await service.registry.get(game)).game.version == 6
    assert await turn == 6
    await service.registry.wait_for_versions([line])


async def test_a_reader_can_wait_for_its_own_write(service: GameService) -> None:
    game = await service.game()
    waiting = asyncio.create_task(service.registry.wait_for_version(game, 7, 500))
    await take_turn(service, game, 1)
    await asyncio.sleep(0.01)
    assert not waiting.done()
    await take_turn(service, game, 2)
    await waiting
    await service.registry.wait_for_version(game, None, 0)
    with api_error("VERSION_OUT_OF_RANGE"):
        await service.registry.wait_for_version(game, 99, 0.01)
    waiting = asyncio.create_task(service.registry.wait_for_version(game, 99, 500))
    await asyncio.sleep(0)
    service.registry.drain()
    with api_error("SHUTTING_DOWN"):
        await waiting


async def test_loading_a_game_at_a_past_version(service: GameService) -> None:
    game = await service.game()
    await take_turn(service, game, 1)
    await take_turn(service, game, 2)
    past = await service.registry.load_at(game, 6)
    assert past.table.number("turn").value == 1
    for version in (0, 8, -1):
        with api_error("VERSION_OUT_OF_RANGE"):
            await service.registry.load_at(game, version)


# --- bots ----------------------------------------------------------------------------------------------------


async def wait_for_end(service: GameService, game: UUID) -> None:
    async for _ in service.registry.follow(game, 0, 60):
        pass


async def test_bots_play_their_seats_and_wait_for_people(service: GameService) -> None:
    bots = Bots(service.handler)
    bots.start()
    game = await service.game(SeatPlan("Ada"), SeatPlan(bot="random"), SeatPlan(bot="random"))
    for turn in range(4):
        live = await service.registry.get(game)
        while not live.game.table.decisions[1]:
            await live.watchers.wait(1)
        await service.handler.act(game, 1, SubmitCommands([Peek()]), f"{turn}")
    await wait_for_end(service, game)
    await bots.stop()
    played = [it.event for it in await read_all_events(service, game) if it.event.command_id.endswith(":bot-5")]
    assert played[0].command_id == "2:bot-5"


async def test_bots_continue_after_a_restart(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        games = [await service.game(SeatPlan(bot="random"), SeatPlan(bot="random")) for _ in range(3)]
    async with open_service(tmp_path / "games.db") as service:
        bots = Bots(service.handler)
        bots.start()
        await asyncio.gather(*(wait_for_end(service, game) for game in games))
        await bots.stop()
        versions = [it.event.command_id for it in await read_all_events(service, games[0])]
        assert versions[2] == "1:bot-2" or versions[3] == "1:bot-3", versions


async def test_games_of_bots_do_not_delay_people(service: GameService) -> None:
    """Twelve turns of people end before most of twenty games of bots."""
    bots = Bots(service.handler)
    busy = [await service.game(SeatPlan(bot="random"), SeatPlan(bot="random")) for _ in range(20)]
    game = await service.game()
    bots.start()
    for turn in range(12):
        await take_turn(service, game, turn)
    statuses = [(await service.registry.get(other)).game.status for other in busy]
    assert statuses.count(ENDED) < len(busy) / 2
    await asyncio.gather(*(wait_for_end(service, other) for other in busy))
    await bots.stop()


def test_the_random_numbers_of_bots_are_repeatable_and_uniform() -> None:
    chances = [chance_of(b"key", version) for version in range(1000)]
    assert chances == [chance_of(b"key", version) for version in range(1000)]
    assert all(0 <= chance < 1 for chance in chances)
    assert 0.45 < sum(chances) / 1000 < 0.55


async def test_choices_of_bots_depend_on_the_secret(service: GameService) -> None:
    """Game id and version are public, so choices that depend only on them could be predicted."""
    bots = (SeatPlan(bot="random"), SeatPlan("Ada"))
    keys = []
    for _ in range(2):
        live = await service.registry.get(await service.game(*bots))
        keys.append(live.game.bot_key())
        assert chance_of(keys[-1], 5) != chance_of(live.game.id.bytes, 5)
        service.registry.drop(live)
        assert (await service.registry.get(live.id)).game.bot_key() == keys[-1], "the same after a restart"
    assert keys[0] != keys[1]


async def test_times_never_decrease_when_the_clock_is_set_back(tmp_path: Path) -> None:
    now = iter(range(1_000_000, 0, -1_000))
    async with open_service(tmp_path / "games.db", clock=lambda: next(now)) as service:
        game = await service.game(SeatPlan("Ada"), SeatPlan("", open=True))
        await service.seat_manager.join(game, 2, "Ben", b"", "")
        await service.handler.act(game, 1, SubmitCommands([PassCoin(2)]), "one")
        await service.handler.act(game, 1, RequestUndo(), "back")
        events = await service.registry.read_events(game, 0, 100)
        times = [it.event.time for it in events]
        assert len(times) > 5
        assert times == sorted(times)
        row = service.application.game_tables.lobby_row(game)
        assert row is not None
        assert row.update_time == times[-1] >= row.create_time


async def test_bot_games_run_one_by_one_after_games_with_people(service: GameService) -> None:
    bots = Bots(service.handler)
    service.handler.writer.on_commit = bots._queue_if_bot_decides
    only_bots = [await service.game(SeatPlan(bot="random"), SeatPlan(bot="random")) for _ in range(5)]
    mixed = [await service.game(SeatPlan(bot="random"), SeatPlan("Ada")) for _ in range(5)]
    assert any([(await service.registry.get(game)).find_deciding_bot() for game in mixed])
    order: list[UUID] = []
    bots.start()
    queue_bot = service.handler.writer.on_commit

    def record_order(live: LiveGame) -> None:
        order.append(live.id)
        queue_bot(live)

    service.handler.writer.on_commit = record_order
    await asyncio.gather(*(wait_for_end(service, game) for game in only_bots))
    await bots.stop()
    people = [game in mixed for game in order]
    assert people == sorted(people, reverse=True)
    assert people[0]
    played = [game for game in order if game in only_bots]
    assert played == sorted(played, key=played.index), "each ends before the next starts"


async def test_the_number_of_bot_games_is_limited(service: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.games.bots.MAX_BOT_GAMES", 3)
    bots = Bots(service.handler)
    service.handler.writer.on_commit = bots._queue_if_bot_decides  # the bots do not play yet
    creator = GameCreator(service.handler, load_title, "test", reserve_bot_game=bots.reserve_bot_game)
    two, setup = [SeatPlan(bot="random")] * 2, Setup("", 2)
    ids = [f"a-request-of-a-test-{at}" for at in range(5)]
    results = await asyncio.gather(*(creator.create("tiny", setup, two, id) for id in ids), return_exceptions=True)
    errors = [it for it in results if is_reason(it, "TOO_MANY_BOT_GAMES")]
    assert len(errors) == 2, "games that are being created count"
    assert (errors[0].code, errors[0].reason) == (StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_BOT_GAMES")
    first = next(id for id, it in zip(ids, results, strict=True) if not isinstance(it, BaseException))
    assert await creator.create("tiny", setup, two, first) in results, "a repeated request gets its game"
    await creator.create("tiny", setup, [SeatPlan(bot="random"), SeatPlan("Ada")], "")
    bots.start()
    for game in [it.game for it in results if not isinstance(it, BaseException)]:
        await wait_for_end(service, game)
    await bots.stop()
    await creator.create("tiny", setup, two, "")
