"""Clocks of games: their values in responses, late commands, and the declaration of expiries."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import grpc
import psycopg
import pytest
from tests.databases import database_access
from tests.databases.servers import Server
from tests.service.api.test_seat_handover import hand_over, resign, until
from tests.service.api_server import grpc_error, run_server
from tests.service.cache.test_peer_sync import Process, check_equal_to_the_log
from tests.service.tiny_title import DrawPearl, PassCoin, load_title
from tests.waiting import SECONDS
from tests.waiting import until as until_true

from boardkeeper.game.seat_actions import HandSeatToBot, RequestUndo, ResignSeat, SubmitCommands, TakeSeatBack
from boardkeeper.game.time_control import TimeControl
from boardkeeper.service.games import clock_expiry
from boardkeeper.service.games.clock_expiry import ClockExpiry
from boardkeeper.service.games.game_creator import GameSettings, SeatPlan
from boardkeeper.service.requests.errors import RejectedError
from boardkeeper.service.storage import writer
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.clock_expiries import PutExpiry
from boardkeeper.service.storage.database_move import move_games
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.projection_rebuild import rebuild
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_title as load_registered
from boardkeeper.v1 import event_pb2, game_pb2, games_pb2, history_pb2

MOVE = TimeControl("move", 60, 0, "bot")
BEGIN = 1_000_000_000
GRACE = 30_000
SECOND = 1_000


class ClockedService:
    """Processes on one database whose clock the test sets."""

    def __init__(self, *applications: GameApplication) -> None:
        self.now = BEGIN
        self.processes = [Process(application, clock=lambda: self.now) for application in applications]
        self.clock_expiry = [ClockExpiry(process.handler, grace=GRACE) for process in self.processes]

    async def create(self, control: TimeControl | None = MOVE, seats: int = 2) -> UUID:
        creator = self.processes[0].creator
        plans = [SeatPlan(name=f"Player {letter}") for letter in "ABCD"[:seats]]
        return (
            await creator.create("tiny", Setup("", seats), plans, "", settings=GameSettings(time_control=control))
        ).game

    def next_expiry(self, game: UUID, process: int = 0) -> int | None:
        """Return the next expiry of a game in the database."""
        return self.processes[process].registry.application.database.expiries.expiry(game)


@pytest.fixture
def make_service(tmp_path: Path, database_kind: str) -> Any:
    applications: list[GameApplication] = []

    def make(processes: int = 1) -> ClockedService:
        for _ in range(processes):
            applications.append(GameApplication.open(tmp_path / "games.db", load_title))
            if database_kind == "sqlite":
                break
        if database_kind == "sqlite" and processes > 1:  # a file has one writer, which the processes share
            applications[0].database.is_shared = True
            return ClockedService(*applications * processes)
        return ClockedService(*applications)

    yield make
    for application in applications:
        application.close()


def code_of(caught: pytest.ExceptionInfo[RejectedError]) -> str:
    return caught.value.rejection.code


@pytest.mark.databases
async def test_the_next_expiry_is_stored_with_each_event(make_service: Callable[..., ClockedService]) -> None:
    service = make_service()
    game = await service.create()
    handler = service.processes[0].handler
    assert service.next_expiry(game) == BEGIN + 60 * SECOND
    service.now += 10 * SECOND
    await handler.act(game, 1, SubmitCommands([PassCoin(2)]), "a")
    assert service.next_expiry(game) == service.now + 60 * SECOND
    await handler.act(game, 2, HandSeatToBot("random"), "hand")
    assert service.next_expiry(game) is None, "bots have no time limit"
    service.now += 10 * SECOND
    await handler.act(game, 2, TakeSeatBack(), "back")
    assert service.next_expiry(game) == service.now + 60 * SECOND
    await handler.act(game, 2, ResignSeat(), "resign")
    assert service.next_expiry(game) is None, "the game is over"


@pytest.mark.databases
async def test_clocks_start_when_the_last_seat_is_taken(make_service: Callable[..., ClockedService]) -> None:
    service = make_service()
    plans = [SeatPlan(name="Ada"), SeatPlan(open=True)]
    creator, seat_manager = service.processes[0].creator, service.processes[0].seat_manager
    game = (await creator.create("tiny", Setup("", 2), plans, "", settings=GameSettings(time_control=MOVE))).game
    assert service.next_expiry(game) is None
    service.now += 3600 * SECOND
    await seat_manager.join(game, 2, "Ben", b"", "")
    assert service.next_expiry(game) == service.now + 60 * SECOND


@pytest.mark.databases
async def test_an_expiry_is_declared_once_by_several_processes(make_service: Callable[..., ClockedService]) -> None:
    service = make_service(2)
    game = await service.create()
    await service.create()
    for process in service.processes:
        await process.registry.get(game)
    service.now += 60 * SECOND - 1
    for expiry in service.clock_expiry:
        await expiry.search()
    assert [expiry.declared for expiry in service.clock_expiry] == [0, 0]
    service.now += 1
    await asyncio.gather(*(expiry.search() for expiry in service.clock_expiry))
    for expiry in service.clock_expiry:
        await expiry.search()
    assert sum(expiry.declared for expiry in service.clock_expiry) == 2, "one for each game"
    for process in service.processes:
        await check_equal_to_the_log(process, game)
        live = await process.registry.get(game)
        assert (live.game.seats.bot(1), live.seats[0].kind) == ("random", "bot.random")
    assert service.next_expiry(game) is None


@pytest.mark.databases
async def test_a_late_command_is_rejected_before_the_expiry_is_declared(
    make_service: Callable[..., ClockedService],
) -> None:
    service = make_service()
    game = await service.create(seats=3)
    handler = service.processes[0].handler
    service.now += 60 * SECOND - 1
    await handler.act(game, 1, SubmitCommands([DrawPearl()]), "in time")
    service.now += 60 * SECOND
    with pytest.raises(RejectedError) as late:
        await handler.act(game, 2, SubmitCommands([PassCoin(1)]), "late")
    assert code_of(late) == "TIME_EXPIRED"
    with pytest.raises(RejectedError) as late:
        await handler.act(game, 2, HandSeatToBot("random"), "late bot")
    assert code_of(late) == "TIME_EXPIRED"
    with pytest.raises(RejectedError) as late:
        await handler.act(game, 2, RequestUndo(), "late undo")
    assert code_of(late) == "TIME_EXPIRED"
    live = await service.processes[0].registry.get(game)
    rejection = handler.decider.find_rejection(live, 2, [PassCoin(1)])
    assert rejection is not None
    assert rejection.code == "TIME_EXPIRED"
    repeated = await handler.act(game, 1, SubmitCommands([DrawPearl()]), "in time")
    assert repeated.repeated, "a repeated command keeps its outcome"
    await service.clock_expiry[0].search()
    assert service.clock_expiry[0].declared == 1
    with pytest.raises(RejectedError) as late:
        await handler.act(game, 2, SubmitCommands([PassCoin(1)]), "later")
    assert code_of(late) == "SEAT_PLAYED_BY_BOT"


@pytest.mark.databases
@pytest.mark.parametrize("control", [MOVE, None], ids=["clocks", "no clocks"])
async def test_bots_wait_for_votes_of_replaced_people_only_without_clocks(
    make_service: Callable[..., ClockedService], control: TimeControl | None
) -> None:
    """No clock ends a vote, so with clocks a waiting bot would let the requesting seat prevent the end of the game."""
    service = make_service()
    game = await service.create(control)
    process = service.processes[0]
    await process.handler.act(game, 1, SubmitCommands([DrawPearl()]), "draw")
    await process.handler.act(game, 2, HandSeatToBot("random"), "hand")
    live = await process.registry.get(game)
    assert live.find_deciding_bot() == 2
    await process.handler.act(game, 1, RequestUndo(), "undo")
    assert live.find_deciding_bot() == (2 if control else 0)
    await check_equal_to_the_log(process, game)


@pytest.mark.databases
async def test_after_a_start_a_grace_period_accepts_late_commands(
    make_service: Callable[..., ClockedService],
) -> None:
    service = make_service()
    game = await service.create()
    handler, expiry = service.processes[0].handler, service.clock_expiry[0]
    service.now += 3600 * SECOND  # the server did not run
    expiry.begin_grace()
    await expiry.search()
    assert expiry.declared == 0
    service.now += GRACE - 1
    await expiry.search()
    assert expiry.declared == 0
    await handler.act(game, 1, SubmitCommands([PassCoin(2)]), "late because of the server")
    assert service.next_expiry(game) == service.now + 60 * SECOND
    service.now += 60 * SECOND
    await expiry.search()
    assert expiry.declared == 1


@pytest.mark.databases
async def test_a_wrong_stored_expiry_is_corrected_by_the_search(make_service: Callable[..., ClockedService]) -> None:
    service = make_service()
    game = await service.create()
    application = service.processes[0].registry.application
    application.writer.store([PutExpiry(game, BEGIN + 1)])
    service.now += GRACE
    await service.clock_expiry[0].search()
    assert service.clock_expiry[0].declared == 0
    assert service.next_expiry(game) == BEGIN + 60 * SECOND
    application.writer.store([PutExpiry(game, BEGIN, BEGIN + 1), PutExpiry(game, None, BEGIN + 1)])
    assert service.next_expiry(game) == BEGIN + 60 * SECOND, "a changed row is not corrected"


@pytest.mark.postgres
async def test_a_game_whose_row_is_locked_delays_no_expiry_of_another(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock_expiry, "_SEARCH_SECONDS", 0.01)
    monkeypatch.setattr(writer, "BLOCKED_TIMEOUT", SECONDS)
    with postgres.database() as url:
        application = GameApplication.open(url, load_title, key_file=tmp_path / "key", notify="poll")
        service = ClockedService(application)
        (expiry,) = service.clock_expiry
        locked_game = await service.create()
        service.now += SECOND
        await service.create()
        service.now += 60 * SECOND
        with psycopg.connect(url) as connection:
            connection.execute("SELECT 1 FROM progress WHERE game = %s FOR UPDATE", (locked_game,))
            running = asyncio.create_task(expiry.run())
            await until_true(lambda: expiry.declared == 1)
            assert service.next_expiry(locked_game) is not None
        await until_true(lambda: expiry.declared == 2)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        application.close()


# --- over the API ----------------------------------------------------------------------------------------------

CONTROL = event_pb2.TimeControl(kind="game", seconds=600, increment=5, on_expiry="bot")


@pytest.mark.databases
async def test_a_game_contains_its_clocks(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create(time_control=CONTROL, request_id="a-request-with-clocks")
        again, _ = await api.create(time_control=CONTROL, request_id="a-request-with-clocks")
        assert again.game_id == game.game_id
        async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED"):
            await api.create(request_id="a-request-with-clocks")
        assert game.time_control == CONTROL
        assert [clock.seat for clock in game.clocks] == [1, 2]
        for clock in game.clocks:
            assert clock.remaining.ToSeconds() == 600
            assert clock.expire_time.ToMilliseconds() == clock.running_since.ToMilliseconds() + 600_000
        handed_over = await hand_over(api, game.game_id, 1, tokens[1])
        at = await until(api, game.game_id, lambda it: it.version >= handed_over.version)
        assert not at.clocks[0].HasField("expire_time")
        created = (await api.events(game.game_id))[0]
        assert created.detail.game_created.time_control == CONTROL
        fork = await api.games.ForkGame(
            games_pb2.ForkGameRequest(
                game_id=game.game_id,
                version=handed_over.version - 1,
                seats=[games_pb2.SeatRequest(), games_pb2.SeatRequest()],
                time_control=event_pb2.TimeControl(kind="move", seconds=86_400, on_expiry="resign"),
            )
        )
        assert fork.game.clocks[0].remaining.ToSeconds() == 86_400
        plain, _ = await api.create()
        assert not plain.HasField("time_control")
        assert not plain.clocks
    assert not rebuild(
        database_access.db_argument(tmp_path / "games.db"),
        load_registered,
        key_file=database_access.key_path(tmp_path / "games.db"),
    ).differences


def clocks_of(message: game_pb2.Clocks | game_pb2.Game) -> list[tuple[int, int, bool]]:
    """Return the seat, the remaining milliseconds and whether it runs of each clock, after a check of its times."""
    for clock in message.clocks:
        runs = clock.HasField("running_since")
        assert runs == clock.HasField("expire_time")
        if runs:
            started = clock.running_since.ToMilliseconds()
            assert clock.expire_time.ToMilliseconds() == started + clock.remaining.ToMilliseconds()
            assert started <= message.read_time.ToMilliseconds()
    return [(it.seat, it.remaining.ToMilliseconds(), it.HasField("expire_time")) for it in message.clocks]


@pytest.mark.databases
async def test_streams_send_clocks_with_the_newest_event_and_heartbeats(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", heartbeat_seconds=0.05) as api:
        game, tokens = await api.create(time_control=CONTROL)
        id = game.game_id
        handed_over = await hand_over(api, id, 1, tokens[1])
        await until(api, id, lambda it: list(it.deciding) == [2])  # the bot has no decision left
        watching = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=id, after_version=0))
        playing = api.games.Play()
        subscription = games_pb2.PlaySubscription(game_id=id, after_version=0)
        await playing.write(games_pb2.PlayRequest(subscription=subscription))
        for stream in (watching, playing):
            answers: list[Any] = [await stream.read()]
            while not answers[-1].HasField("heartbeat"):
                answers.append(await stream.read())
            *past, newest, beat = answers
            assert not any(it.HasField("clocks") for it in past), "past events have no clocks"
            assert newest.event.version >= handed_over.version
            for it in (newest, beat):
                assert it.clocks.version == newest.event.version
                assert it.clocks.time_control == CONTROL
                assert [(seat, runs) for seat, _, runs in clocks_of(it.clocks)] == [(1, False), (2, True)]
            assert newest.clocks.read_time.ToMilliseconds() <= beat.clocks.read_time.ToMilliseconds()
            assert list(newest.clocks.clocks) == list(beat.clocks.clocks), "no event between them"
            board = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=id))
            current = await api.game(id)
            assert clocks_of(board.clocks) == clocks_of(current) == clocks_of(beat.clocks)
            assert (board.clocks.version, current.version) == (board.version, beat.clocks.version)
            stream.cancel()
        (listed,) = (await api.games.ListGames(games_pb2.ListGamesRequest())).games
        assert (listed.time_control, clocks_of(listed)) == (CONTROL, clocks_of(current))
        earlier = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=id, version=game.version))
        assert not earlier.HasField("clocks"), "past boards have no clocks"


async def test_responses_of_a_game_without_clocks_have_none(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", heartbeat_seconds=0.05) as api:
        game, _ = await api.create()
        id = game.game_id
        assert not game.HasField("read_time")
        assert not (await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=id))).HasField("clocks")
        stream = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=id, after_version=game.version - 1))
        assert not any([(await stream.read()).HasField("clocks") for _ in range(2)])
        stream.cancel()


@pytest.mark.databases
async def test_lists_contain_the_clocks_of_games_with_running_clocks(tmp_path: Path) -> None:
    """Also if the games are not in memory."""
    async with run_server(tmp_path / "games.db") as api:
        three = [games_pb2.SeatRequest() for _ in range(3)]
        game, tokens = await api.create(*three, time_control=CONTROL)
        await api.create()
        await resign(api, game.game_id, 1, tokens[1])
        current = await until(api, game.game_id, lambda it: list(it.deciding) == [2, 3])
        assert [clock.seat for clock in current.clocks] == [2, 3], "a seat that has resigned has no clock"
    async with run_server(tmp_path / "games.db") as api:
        plain, timed = (await api.games.ListGames(games_pb2.ListGamesRequest())).games
        assert not plain.HasField("time_control")
        assert not plain.HasField("read_time")
        assert (timed.time_control, timed.clocks) == (CONTROL, current.clocks)
        assert timed.read_time.ToMilliseconds() >= current.read_time.ToMilliseconds()
        await hand_over(api, game.game_id, 2, tokens[2])
        await hand_over(api, game.game_id, 3, tokens[3])
        _, timed = (await api.games.ListGames(games_pb2.ListGamesRequest())).games
        assert not timed.clocks, "no clock runs"


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("kind", {"kind": "hourglass"}),
        ("seconds", {"seconds": 0}),
        ("seconds", {"seconds": 367 * 86_400}),
        ("increment", {"increment": -1}),
        ("increment", {"kind": "move", "increment": 1}),
        ("on_expiry", {"on_expiry": ""}),
    ],
)
async def test_an_invalid_time_control_is_rejected(tmp_path: Path, field: str, wrong: dict[str, Any]) -> None:
    right: dict[str, Any] = {"kind": "game", "seconds": 600, "increment": 5, "on_expiry": "bot"}
    async with run_server(tmp_path / "games.db") as api:
        async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
            await api.create(time_control=event_pb2.TimeControl(**(right | wrong)))
        assert f"time_control.{field}" in str(problems[0])


@pytest.mark.databases
async def test_an_expiry_after_a_restart_is_declared_and_the_record_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock_expiry, "_SEARCH_SECONDS", 0.01)
    monkeypatch.setattr(ClockExpiry.__init__, "__kwdefaults__", {"grace": 0})
    control = event_pb2.TimeControl(kind="move", seconds=1, on_expiry="resign")
    async with run_server(tmp_path / "games.db") as api:
        game, _ = await api.create(time_control=control)
    async with run_server(tmp_path / "games.db") as api:
        ended = await until(api, game.game_id, lambda it: it.status == game_pb2.GAME_STATUS_ENDED)
        events = await api.events(game.game_id)
        assert [event.name for event in events[-2:]] == ["TimeExpired", "GameEnded"]
        assert events[-2].sentence.endswith("has run out of time and thereby resigns.")
        assert [it.rank for it in ended.standings] == [1, 2]
        verified = await api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=game.game_id))
        assert not verified.verification.problems
        pieces = [it.data async for it in api.history.GetRecord(history_pb2.GetRecordRequest(game_id=game.game_id))]
    async with run_server(tmp_path / "elsewhere.db") as other:
        await other.history.ImportRecord(history_pb2.ImportRecordRequest(data=it) for it in pieces)
        imported = await other.game(game.game_id)
        assert (imported.time_control, [it.rank for it in imported.standings]) == (control, [1, 2])
        assert not any(clock.HasField("expire_time") for clock in imported.clocks)


@pytest.mark.sqlite_only
async def test_expiries_are_moved_with_their_games(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, _ = await api.create(time_control=CONTROL)
        expiry = game.clocks[0].expire_time.ToMilliseconds()
    (tmp_path / "new.db.key").write_bytes((tmp_path / "games.db.key").read_bytes())
    (tmp_path / "new.db.key").chmod(0o600)
    old, new = open_database(tmp_path / "games.db"), open_database(tmp_path / "new.db")
    try:
        move_games(old, new)
        assert new.expiries.expiry(UUID(game.game_id)) == expiry
        id = UUID(game.game_id)
        assert new.expiries.readings([id]) == old.expiries.readings([id])
        assert new.expiries.readings([id])[id].next_expiry == expiry
        assert new.expiries.expired(expiry, 10) == [UUID(game.game_id)]
        assert new.expiries.expired(expiry - 1, 10) == []
    finally:
        old.close()
        new.close()
