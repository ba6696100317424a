"""The clock that measures games: clock jumps, paused processes, and the consequences for players."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from tests.databases.servers import Server
from tests.service.api_server import run_server
from tests.service.cache.test_peer_sync import Process
from tests.service.games.test_clocks import BEGIN, GRACE, SECOND
from tests.service.tiny_title import PassCoin, load_title

from boardkeeper.game.seat_actions import ExpireSeat, SubmitCommands
from boardkeeper.game.time_control import TimeControl
from boardkeeper.service.api.clock_messages import game_clocks
from boardkeeper.service.games.clock_expiry import ClockExpiry
from boardkeeper.service.games.game_clock import GameClock
from boardkeeper.service.games.game_creator import GameSettings, SeatPlan
from boardkeeper.service.requests.errors import RejectedError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.wall_clock import wall_milliseconds
from boardkeeper.titlekit.title import Setup
from boardkeeper.v1 import event_pb2

YEAR = 365 * 24 * 3600 * SECOND
DAYS = TimeControl("move", 3 * 24 * 3600, 0, "resign")
SHORT = TimeControl("game", 20, 5, "resign")


class Machine:
    """A machine whose two clocks the test sets, with its game clock."""

    def __init__(self) -> None:
        self.wall = BEGIN
        self.steady = 0
        self.disturbances: list[int] = []
        self.clock = GameClock(self.wall, steady=lambda: self.steady, hold=GRACE)
        self.clock.on_disturbance = lambda: self.disturbances.append(self.steady)

    def run(self, seconds: int) -> None:
        """Let time pass while the process runs."""
        for _ in range(seconds):
            self.sleep(1)
            self.clock.tick()
            self.clock.follow(self.wall, self.steady)

    def sleep(self, seconds: float) -> None:
        """Let time pass while the process is paused."""
        self.wall += round(seconds * SECOND)
        self.steady += round(seconds * SECOND)


def test_a_jump_that_is_reversed_is_ignored() -> None:
    for jump in (YEAR, -YEAR):
        machine = Machine()
        machine.run(10)
        machine.wall += jump
        machine.run(6)
        assert machine.clock() == BEGIN + 16 * SECOND
        machine.wall -= jump
        machine.run(60)
        assert machine.clock() == machine.wall == BEGIN + 76 * SECOND
        assert (machine.clock.jumps, machine.clock.pauses) == (1, 0)
        assert machine.disturbances == [11 * SECOND]


def test_a_lasting_jump_is_followed() -> None:
    for jump in (YEAR, -YEAR):
        machine = Machine()
        machine.run(10)
        machine.wall += jump
        machine.run(30)
        assert machine.clock() == BEGIN + 40 * SECOND
        machine.run(1)
        assert machine.clock() == machine.wall == BEGIN + jump + 41 * SECOND
        assert machine.clock.jumps == 1
        assert machine.disturbances == [11 * SECOND, 41 * SECOND], "a grace period at the jump and when it is followed"


def test_a_clock_that_jumps_repeatedly_is_not_followed() -> None:
    machine = Machine()
    machine.run(10)
    for _ in range(4):
        machine.wall += YEAR
        machine.run(20)
    assert machine.clock() == BEGIN + 90 * SECOND
    assert machine.clock.jumps == 4
    machine.run(20)
    assert machine.clock() == machine.wall


def test_small_adjustments_are_followed_immediately() -> None:
    machine = Machine()
    for drift in (1, -1):
        for _ in range(100):
            machine.run(1)
            machine.wall += drift * 50
        machine.clock.follow(machine.wall, machine.steady)
        assert machine.clock() == machine.wall
    assert machine.disturbances == []


def test_a_slow_reading_of_the_clock_is_ignored() -> None:
    machine = Machine()
    machine.sleep(3)
    machine.clock.follow(machine.wall - 2_500, 0)
    assert machine.clock() == BEGIN + 3 * SECOND
    assert machine.clock.jumps == 0


def test_nothing_expires_by_an_unreliable_clock() -> None:
    """The server may have started while the reference clock was wrong; then the jump corrects it."""
    machine = Machine()
    machine.run(10)
    machine.wall -= YEAR
    machine.run(1)
    assert machine.disturbances == [11 * SECOND]
    for _ in range(29):
        machine.sleep(1)
        machine.clock.tick()
    machine.clock.follow(machine.wall, machine.steady - 1_500)
    assert machine.disturbances == [11 * SECOND, 40 * SECOND], "an imprecise reading extends the grace period"
    assert machine.clock() == BEGIN + 40 * SECOND
    machine.sleep(0.999)
    machine.clock.follow(machine.wall, machine.steady)
    assert machine.clock() == machine.wall, "before the grace period of the jump ends"
    assert machine.disturbances[2:] == [40_999]
    machine.clock.follow(machine.wall, machine.steady - 1_500)
    assert len(machine.disturbances) == 3


def test_a_pause_is_noticed_before_the_clock_is_read() -> None:
    machine = Machine()
    machine.sleep(3_600)
    machine.clock()
    assert machine.disturbances == [], "no tick so far"
    machine.run(10)
    machine.sleep(4)
    machine.clock()
    assert machine.disturbances == []
    machine.run(1)
    machine.sleep(30)
    before = machine.steady
    machine.clock()
    assert machine.disturbances == [before]
    machine.clock()
    machine.run(10)
    assert (machine.clock.jumps, machine.clock.pauses) == (0, 1), "the pause counts once"


# --- consequences for games ---------------------------------------------------------------------------------------


class MachineService:
    """A process with games that uses the clock of a machine."""

    def __init__(self, application: GameApplication, monkeypatch: pytest.MonkeyPatch) -> None:
        self.machine = Machine()
        self.process = Process(application, clock=self.machine.clock)
        self.clock_expiry = ClockExpiry(self.process.handler, self.machine.clock, grace=GRACE)
        database = application.database.expiries
        monkeypatch.setattr(type(database), "now", lambda _: self.machine.wall)

    async def run(self, seconds: int) -> None:
        """Let time pass while the process runs."""
        for _ in range(seconds):
            self.machine.sleep(1)
            self.machine.clock.tick()
            await self.clock_expiry.search()

    async def create(self, control: TimeControl) -> UUID:
        plans = [SeatPlan(name="Ada"), SeatPlan(name="Ben")]
        creator = self.process.creator
        return (await creator.create("tiny", Setup("", 2), plans, "", settings=GameSettings(time_control=control))).game

    async def seconds_left(self, game: UUID, seat: int) -> float:
        """Return the seconds that a client shows for a seat whose clock runs."""
        clocks = game_clocks((await self.process.registry.get(game)).game, self.process.handler.decider.current_time())
        assert clocks is not None
        (clock,) = [clock for clock in clocks.clocks if clock.seat == seat]
        return (clock.expire_time.ToMilliseconds() - clocks.read_time.ToMilliseconds()) / SECOND


@pytest.fixture
def make_service(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    applications: list[GameApplication] = []

    def make() -> MachineService:
        applications.append(GameApplication.open(tmp_path / "games.db", load_title))
        return MachineService(applications[-1], monkeypatch)

    yield make
    for application in applications:
        application.close()


@pytest.mark.databases
async def test_a_short_jump_of_a_year_ends_no_game(make_service: Callable[[], MachineService]) -> None:
    service = make_service()
    games = [await service.create(DAYS) for _ in range(3)]
    await service.run(60)
    service.machine.wall += YEAR
    await service.run(3)
    await service.process.handler.act(games[0], 1, SubmitCommands([PassCoin(2)]), "while the clock is wrong")
    await service.run(3)
    service.machine.wall -= YEAR
    await service.run(60)
    assert service.clock_expiry.declared == 0
    assert [await service.seconds_left(game, seat) for game, seat in zip(games, (2, 1, 1), strict=True)] == [
        DAYS.seconds - 63,
        DAYS.seconds - 126,
        DAYS.seconds - 126,
    ]


@pytest.mark.databases
async def test_games_follow_a_lasting_jump_after_a_grace_period(
    make_service: Callable[[], MachineService],
) -> None:
    service = make_service()
    late, in_time = await service.create(DAYS), await service.create(DAYS)
    await service.run(60)
    service.machine.wall += YEAR
    await service.run(30 + 29)
    assert service.clock_expiry.declared == 0
    await service.process.handler.act(in_time, 1, SubmitCommands([PassCoin(2)]), "in the grace period")
    await service.run(30)
    assert service.clock_expiry.declared == 1
    assert (await service.process.registry.get(late)).game.seats.resigned.keys() == {1}
    assert await service.seconds_left(in_time, 2) == DAYS.seconds - 30


@pytest.mark.databases
async def test_a_pause_ends_no_game_and_later_commands_count(
    make_service: Callable[[], MachineService],
) -> None:
    service = make_service()
    late, in_time = await service.create(SHORT), await service.create(SHORT)
    await service.run(10)
    service.machine.sleep(30)
    await service.process.handler.act(in_time, 1, SubmitCommands([PassCoin(2)]), "the first thing after the pause")
    await service.run(28)
    assert service.clock_expiry.declared == 0
    await service.process.handler.act(in_time, 2, SubmitCommands([PassCoin(1)]), "still in the grace period")
    await service.run(2)
    assert service.clock_expiry.declared == 1
    assert (await service.process.registry.get(late)).game.seats.resigned.keys() == {1}
    assert await service.seconds_left(in_time, 1) == 3, "the increment, less two seconds"


async def test_clients_get_the_end_of_the_grace_period(make_service: Callable[[], MachineService]) -> None:
    """Clients count down to the time when the server declares the expiry."""
    service = make_service()
    game = await service.create(SHORT)
    assert await service.seconds_left(game, 1) == 30, "the server has just started"
    await service.run(30)
    late = await service.create(SHORT)
    assert await service.seconds_left(late, 1) == 20
    service.machine.sleep(30)
    assert await service.seconds_left(late, 1) == 30
    await service.run(29)
    assert await service.seconds_left(late, 1) == 1
    version = (await service.process.registry.get(late)).game.version
    with pytest.raises(RejectedError):
        await service.process.handler.act(late, 1, ExpireSeat(), f"time-{version}", version)
    await service.run(1)
    assert (await service.process.registry.get(late)).game.seats.resigned


@pytest.mark.databases
async def test_a_pause_between_the_search_and_the_expiry_is_noticed(make_service: Callable[[], MachineService]) -> None:
    service = make_service()
    game = await service.create(SHORT)
    await service.run(19)
    version = (await service.process.registry.get(game)).game.version
    service.machine.sleep(30)
    with pytest.raises(RejectedError) as rejected:
        await service.process.handler.act(game, 1, ExpireSeat(), f"time-{version}", version)
    assert rejected.value.rejection.code == "NOT_EXPIRED"


@pytest.mark.postgres
@pytest.mark.socket
async def test_games_use_the_database_clock_on_a_machine_with_a_wrong_clock(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    correct = wall_milliseconds()
    wrong = time.time_ns() + YEAR * 1_000_000
    with postgres.database() as url:
        monkeypatch.setattr(time, "time_ns", lambda: wrong)
        async with run_server(url, key_file=str(tmp_path / "key")) as api:
            control = event_pb2.TimeControl(kind="move", seconds=3 * 24 * 3600, on_expiry="resign")
            game, _ = await api.create(time_control=control)
            for moment in (game.read_time, game.update_time, game.clocks[0].running_since):
                assert abs(moment.ToMilliseconds() - correct) < YEAR / 2
