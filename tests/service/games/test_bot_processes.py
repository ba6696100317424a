"""Bots that search think in processes, which end with the server; the server starts a new one if one dies."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.service.api_server import Api, run_service
from tests.waiting import until

from boardkeeper import engine
from boardkeeper.service.games.bot_processes import BotProcessError, BotProcesses
from boardkeeper.service.games.bots import _decision
from boardkeeper.titlekit.bots import LEVEL_BOTS, ask_bot
from boardkeeper.titlekit.search import SearchLimits
from boardkeeper.titles.registry import BUILT_IN, load_title
from boardkeeper.v1 import catalog_pb2, games_pb2

SEAT = games_pb2.SeatRequest


@pytest.mark.socket
async def test_a_bot_that_searches_plays_on_a_server(tmp_path: Path) -> None:
    async with run_service(tmp_path / "games.db", bot_rollouts=1) as (service, channel):
        api = Api(channel, service.address)
        titles = await api.catalog.ListTitles(catalog_pb2.ListTitlesRequest())
        levels = [bot.id for bot in LEVEL_BOTS]
        assert all([bot.id for bot in title.bots][-len(levels) :] == levels for title in titles.titles)
        game, _ = await api.create(SEAT(bot="hard"), SEAT(name="Ada"))  # both seats plan at the same time
        watched = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id))
        async for update in watched:
            if update.event.seat == 1:
                break
        watched.cancel()
        assert (await api.game(game.game_id)).seats[0].bot == "hard"
        processes = list(service._bots._processes._processes)
    assert len(processes) == 1
    assert all(process.returncode is not None for process in processes)


@pytest.fixture
async def processes() -> AsyncIterator[BotProcesses]:
    processes = BotProcesses(1, BUILT_IN)
    yield processes
    await processes.close()


async def test_a_process_that_dies_is_replaced(processes: BotProcesses) -> None:
    game = engine.create("paladins", 2, seed=1)
    seat = game.to_move[0]
    legal = list(game.legal(seat))
    decision = _decision(game._game, "hard", seat, legal, 0.5, SearchLimits(rollouts=8, candidates=2))
    chosen = await processes.choose(decision)
    limits = decision.limits
    assert legal[chosen] == ask_bot(
        load_title("paladins"), game.setup, game._game.table, "hard", seat, legal, 0.5, limits
    )
    (first,) = processes._processes
    os.kill(first.pid, signal.SIGKILL)
    await until(lambda: first.returncode is not None)
    assert await processes.choose(decision) == chosen
    (second,) = processes._processes
    assert second is not first
    await processes.close()
    assert second.returncode is not None


async def test_an_error_of_a_process_is_reported_and_the_process_stays(processes: BotProcesses) -> None:
    game = engine.create("paladins", 2, seed=1)
    seat = game.to_move[0]
    legal = list(game.legal(seat))
    decision = _decision(game._game, "hard", seat, legal, 0.5, SearchLimits(rollouts=1))
    with pytest.raises(BotProcessError, match="chess"):
        await processes.choose(replace(decision, title="chess"))
    assert [process.returncode for process in processes._processes] == [None]
