"""Memory of games: the estimate and its limits."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from tests.service.api.test_records import BOT
from tests.service.api_server import run_server
from tests.service.cache.test_game_registry import open_service, take_turn

from boardkeeper.game.creation import create_game
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.timelines import Timelines
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import TITLES, load_meta, load_title
from boardkeeper.v1 import games_pb2

pytestmark = pytest.mark.databases


def new_game(title: str, players: int, number: int) -> LiveGame:
    seats = ("person",) * players
    game, events = create_game(
        uuid4(), load_title(title), Setup("", players), seats, number.to_bytes(32), "test", f"{number}", 0
    )
    game.commit(events)
    return LiveGame(game, (), VisibilityHistory(events))


@pytest.mark.parametrize("title", TITLES)
def test_the_memory_of_a_game_is_estimated_well(title: str) -> None:
    meta = load_meta(title)
    _, most = meta.edition(meta.default_edition).players
    new_game(title, most, 0)  # loads what all games share
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        games = [new_game(title, most, number) for number in range(1, 5)]
        gc.collect()
        allocated = (tracemalloc.get_traced_memory()[0] - before) / len(games)
    finally:
        tracemalloc.stop()
    assert 0.8 * allocated < games[0].size < 2.5 * allocated


async def test_games_above_the_memory_limit_are_dropped(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        registry = service.registry
        games = [await service.game() for _ in range(3)]
        one = registry.bytes // 3
        assert one > 0
        registry.max_bytes = 3 * one + one // 2
        await registry.get(games[0])  # the last used, except for the newest
        games.append(await service.game())
        assert [registry.peek(game) is not None for game in games] == [True, False, True, True]
        assert registry.bytes == sum(live.size for live in registry.loaded_games()) <= registry.max_bytes
        watching = registry.follow(games[2], 0, 60)
        await anext(watching)
        registry.max_bytes = one // 2
        games.append(await service.game())
        assert [registry.peek(game) is not None for game in games] == [False, False, True, False, True]
        await watching.aclose()
        assert await take_turn(service, games[1], 1) == 6, "dropped games can be loaded again"


async def test_the_size_of_games_is_updated_as_they_grow(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        registry, game = service.registry, await service.game()
        before = registry.bytes
        for turn in range(4):
            await take_turn(service, game, turn)
        registry.sweep()
        assert registry.bytes == before + 4 * 15
        for live in list(registry.loaded_games()):
            registry.drop(live)
            registry.drop(live)
        assert registry.bytes == 0


@pytest.mark.socket
async def test_timelines_have_a_memory_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[GameRegistry] = []
    init = GameRegistry.__init__

    def record_registry(self: GameRegistry, *arguments: Any, **more: Any) -> None:
        init(self, *arguments, **more)
        found.append(self)

    monkeypatch.setattr(GameRegistry, "__init__", record_registry)
    async with run_server(tmp_path / "games.db") as api:
        games = []
        for _ in range(2):
            game, _ = await api.create(BOT, BOT)
            async for _ in api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id)):
                pass
            games.append(game.game_id)
        (registry,) = found

        async def read_past(game: str) -> None:
            for version in range(10, 200, 40):
                await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game, version=version))

        await read_past(games[0])
        one = registry.timelines.size
        assert one > 0
        past: Timelines = registry.timelines  # has no public setting
        past._max_bytes = one + one // 2
        await read_past(games[1])
        await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=games[1], version=11))
        assert len(past) == 1
        assert 0 < registry.timelines.size <= one + one // 2
        past._max_bytes = 1
        for id in games:
            await read_past(id)
        assert len(past) <= 1
