"""Games that the registry drops are freed immediately after every kind of use; tests/game tests games alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from uuid import UUID

import pytest
from tests.garbage_checks import assert_all_freed_soon
from tests.service.cache.test_game_registry import GameService, open_service, take_turn
from tests.service.tiny_title import PassCoin, Peek, Spill

from boardkeeper.game.seat_actions import RequestUndo, SubmitCommands
from boardkeeper.service.games.game_creator import SeatPlan
from boardkeeper.service.requests.errors import RejectedError
from boardkeeper.table.visibility import OPERATOR

pytestmark = pytest.mark.databases


async def get(service: GameService, game: UUID) -> None:
    await service.registry.get(game)


async def play(service: GameService, game: UUID) -> None:
    for turn in range(3):
        await take_turn(service, game, turn)


async def repeat(service: GameService, game: UUID) -> None:
    await service.handler.act(game, 1, SubmitCommands([Peek()]), "same")
    await service.handler.act(game, 1, SubmitCommands([Peek()]), "same")


async def get_rejected(service: GameService, game: UUID) -> None:
    with pytest.raises(RejectedError):
        await service.handler.act(game, 2, SubmitCommands([PassCoin(1)]), "not mine")
    live = await service.registry.acquire(game)
    assert service.handler.decider.find_rejection(live, 2, [PassCoin(1)]) is not None
    live.lock.release()


async def fail_in_rules(service: GameService, game: UUID) -> None:
    with pytest.raises(RuntimeError):
        await service.handler.act(game, 1, SubmitCommands([Spill()]), "spill")


async def undo(service: GameService, game: UUID) -> None:
    await take_turn(service, game, 0)
    await service.handler.act(game, 1, RequestUndo(), "back")


async def fork(service: GameService, game: UUID) -> None:
    await service.creator.fork(game, None, OPERATOR, (SeatPlan("Ada"), SeatPlan("Bob")), "")


async def join(service: GameService, game: UUID) -> None:
    open_game = await service.game(SeatPlan("Ada"), SeatPlan(open=True))
    await service.seat_manager.join(open_game, 2, "Bob", b"", "")


async def watch(service: GameService, game: UUID) -> None:
    async with aclosing(service.registry.follow(game, 0, 60.0)) as following:
        await anext(following)
        await take_turn(service, game, 0)
        await anext(following)


async def read_past(service: GameService, game: UUID) -> None:
    await play(service, game)
    await service.registry.moment_at(game, 3)
    await service.registry.load_at(game, 3)
    await service.registry.read_events(game, 0, 10)


async def get_often(service: GameService, game: UUID) -> None:
    await asyncio.gather(*(service.registry.get(game) for _ in range(5)))


@pytest.mark.parametrize(
    "use", [get, play, repeat, get_rejected, fail_in_rules, undo, fork, join, watch, read_past, get_often]
)
async def test_a_dropped_game_is_freed(tmp_path: Path, use: Callable[[GameService, UUID], Awaitable[None]]) -> None:
    async with open_service(tmp_path / "games.db", idle_seconds=-1.0) as service:
        first, second = await service.game(), await service.game()
        await use(service, first)  # creates what stays in memory for all games
        service.registry.sweep()
        assert len(service.registry) == 0
        async with assert_all_freed_soon():
            await use(service, second)
            service.registry.sweep()
            assert len(service.registry) == 0


async def test_no_more_games_than_the_limit_are_in_memory(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db", limit=1) as service:
        first, *games = [await service.game() for _ in range(6)]
        service.registry.drop(await service.registry.get(first))
        async with assert_all_freed_soon():
            for game in games:
                await take_turn(service, game, 0)
                assert len(service.registry) == 1
            service.registry.drop(await service.registry.get(games[-1]))
