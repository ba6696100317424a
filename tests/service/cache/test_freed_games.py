"""Games that the registry drops are freed at once, whatever was done with them; tests/game has the games alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from uuid import UUID

import pytest
from tests.freed import nothing_left_soon
from tests.service.cache.test_game_registry import House, house_on, take_turn
from tests.service.tiny_title import PassCoin, Peek, Spill

from boardkeeper.game.seat_actions import RequestUndo, SubmitCommands
from boardkeeper.service.games.game_creator import SeatPlan
from boardkeeper.service.requests.errors import RejectedError
from boardkeeper.table.visibility import OPERATOR

pytestmark = pytest.mark.databases


async def look(house: House, game: UUID) -> None:
    await house.registry.get(game)


async def play(house: House, game: UUID) -> None:
    for turn in range(3):
        await take_turn(house, game, turn)


async def repeat(house: House, game: UUID) -> None:
    await house.handler.act(game, 1, SubmitCommands([Peek()]), "same")
    await house.handler.act(game, 1, SubmitCommands([Peek()]), "same")


async def be_refused(house: House, game: UUID) -> None:
    with pytest.raises(RejectedError):
        await house.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "not mine")
    live = await house.registry.acquire(game)
    assert house.handler.decider.find_rejection(live, 2, [PassCoin(1)]) is not None
    live.lock.release()


async def fail(house: House, game: UUID) -> None:
    with pytest.raises(RuntimeError):
        await house.handler.act(game, 1, SubmitCommands([Spill()]), "spill")


async def undo(house: House, game: UUID) -> None:
    await take_turn(house, game, 0)
    await house.handler.act(game, 1, RequestUndo(), "back")


async def fork(house: House, game: UUID) -> None:
    await house.creator.fork(game, None, OPERATOR, (SeatPlan("Ada"), SeatPlan("Bob")), "")


async def join(house: House, game: UUID) -> None:
    open_game = await house.game(SeatPlan("Ada"), SeatPlan(open=True))
    await house.seat_manager.join(open_game, 2, "Bob", b"", "")


async def watch(house: House, game: UUID) -> None:
    async with aclosing(house.registry.follow(game, 0, 60.0)) as following:
        await anext(following)
        await take_turn(house, game, 0)
        await anext(following)


async def look_back(house: House, game: UUID) -> None:
    await play(house, game)
    await house.registry.moment_at(game, 3)
    await house.registry.load_at(game, 3)
    await house.registry.read_events(game, 0, 10)


async def be_two(house: House, game: UUID) -> None:
    await asyncio.gather(*(house.registry.get(game) for _ in range(5)))


@pytest.mark.parametrize("use", [look, play, repeat, be_refused, fail, undo, fork, join, watch, look_back, be_two])
async def test_a_game_let_go_is_gone(tmp_path: Path, use: Callable[[House, UUID], Awaitable[None]]) -> None:
    async with house_on(tmp_path / "games.db", idle_seconds=-1.0) as house:
        first, second = await house.game(), await house.game()
        await use(house, first)  # for what is made once and kept for all games
        house.registry.sweep()
        assert len(house.registry) == 0
        async with nothing_left_soon():
            await use(house, second)
            house.registry.sweep()
            assert len(house.registry) == 0


async def test_no_more_games_than_the_limit_are_in_memory(tmp_path: Path) -> None:
    async with house_on(tmp_path / "games.db", limit=1) as house:
        first, *games = [await house.game() for _ in range(6)]
        house.registry.drop(await house.registry.get(first))
        async with nothing_left_soon():
            for game in games:
                await take_turn(house, game, 0)
                assert len(house.registry) == 1
            house.registry.drop(await house.registry.get(games[-1]))
