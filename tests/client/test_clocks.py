"""The SDK's countdown of turn timers. It starts when the clocks arrive, so a wrong system clock does not matter."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from tests.client.conftest import PROGRAM, Homes
from tests.client.terminal import Terminal

from boardkeeper.client import Client, per_game, person
from boardkeeper.client.aio import AsyncClient
from boardkeeper.client.clocks import Countdown
from boardkeeper.terminal.clocks import clock_texts
from boardkeeper.v1 import game_pb2

MINUTE = timedelta(minutes=1)


def make_clocks() -> game_pb2.Clocks:
    """Return the clocks of two seats, read in the far future.

    The clock of seat 1 started one minute ago with two minutes. The clock of seat 2 is stopped at 90 seconds.
    """
    clocks = game_pb2.Clocks(version=7)
    clocks.read_time.FromSeconds(4_000_000_060)
    running = clocks.clocks.add(seat=1)
    running.remaining.FromSeconds(120)
    running.running_since.FromSeconds(4_000_000_000)
    running.expire_time.FromSeconds(4_000_000_120)
    clocks.clocks.add(seat=2).remaining.FromSeconds(90)
    return clocks


def test_only_running_clocks_count_down() -> None:
    now = 1000.0
    countdown = Countdown(make_clocks(), lambda: now)
    assert countdown.seats == (1, 2)
    assert [countdown.runs(seat) for seat in (1, 2)] == [True, False]
    assert [countdown.left(seat) for seat in (1, 2)] == [MINUTE, 1.5 * MINUTE]
    now += 20
    assert [countdown.left(seat) for seat in (1, 2)] == [timedelta(seconds=40), 1.5 * MINUTE]
    assert clock_texts(countdown, {1: "Anna", 2: "Ben"}) == ["Anna 0:40 ⏳", "Ben 1:30"]
    now += 3600
    assert countdown.left(1) == timedelta()


def test_a_game_without_clocks_has_no_countdown(client: Client) -> None:
    seat = client.create_game("orleans", [person("Anna"), person("Ben")]).seats[0]
    countdown = Countdown(seat.game())
    assert countdown.seats == ()
    assert clock_texts(countdown, {}) == []


def test_on_clocks_is_called_before_the_newest_event(client: Client, address: str) -> None:
    anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")], time_control=per_game(600)).seats
    received: list[game_pb2.Clocks] = []
    version = anna.hand_to_bot().version
    watching = anna.watch(on_clocks=received.append)
    for event in watching:
        if event.version >= version and received:
            break
    watching.close()
    assert received[0].version >= version
    assert Countdown(received[0]).seats == (1, 2)
    assert not Countdown(received[0]).runs(1)

    async def watch() -> list[game_pb2.Clocks]:
        received: list[game_pb2.Clocks] = []
        async with AsyncClient(address) as async_client:
            seat = async_client.seat(anna.game_id, anna.number, anna.token)
            async for _ in seat.watch(on_clocks=received.append):
                if received:
                    break
        return received

    assert asyncio.run(watch())[0].time_control == per_game(600)


def test_the_terminal_breaks_lines_only_between_clocks(
    homes: Homes, client: Client, environment: dict[str, str]
) -> None:
    names = ["Anna of the Green Gables by the Sea", "Ben", "Cleopatra the Seventh"]
    anna, *_ = client.create_game("orleans", [person(name) for name in names], time_control=per_game(7_200)).seats
    clocks = [f"{name} [12]:\\d\\d:\\d\\d ⏳" for name in names]
    with Terminal([*PROGRAM, "play", anna.game_id], environment | homes("anna", anna), columns=80) as terminal:
        terminal.wait_for(rf"(?m)^{clocks[0]} · {clocks[1]}\n{clocks[2]}$")
