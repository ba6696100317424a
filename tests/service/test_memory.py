"""What games take in memory is known well enough, and bounded."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from tests.service.api import served
from tests.service.test_hub import house_on, take_turn
from tests.service.test_records import BOT

from boardkeeper.game.game import Game
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.snapshots import Past
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import TITLES, load_meta, load_title
from boardkeeper.v1 import games_pb2

pytestmark = pytest.mark.databases


def new_game(title: str, players: int, number: int) -> LiveGame:
    seats = ("person",) * players
    game, events = Game.create(
        uuid4(), load_title(title), Setup("", players), seats, number.to_bytes(32), "test", f"{number}", 0
    )
    game.commit(events)
    return LiveGame(game, (), VisibilityHistory(events))


@pytest.mark.parametrize("title", TITLES)
def test_what_a_game_takes_is_estimated_rather_too_high(title: str) -> None:
    meta = load_meta(title)
    _, most = meta.edition(meta.default_edition).players
    new_game(title, most, 0)  # what all games share
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        games = [new_game(title, most, number) for number in range(1, 5)]
        gc.collect()
        taken = (tracemalloc.get_traced_memory()[0] - before) / len(games)
    finally:
        tracemalloc.stop()
    assert 0.8 * taken < games[0].size < 2.5 * taken


async def test_no_more_stay_than_there_is_memory_for(tmp_path: Path) -> None:
    async with house_on(tmp_path / "games.db") as house:
        hub = house.hub
        games = [await house.game() for _ in range(3)]
        one = hub.bytes // 3
        assert one > 0
        hub.most_bytes = 3 * one + one // 2
        await hub.live(games[0])  # it was used last, but for the newest
        games.append(await house.game())
        assert [hub.in_memory(game) is not None for game in games] == [True, False, True, True]
        assert hub.bytes == sum(live.size for live in hub.resident()) <= hub.most_bytes
        watching = hub.follow(games[2], 0, 60)
        await anext(watching)
        hub.most_bytes = one // 2
        games.append(await house.game())
        assert [hub.in_memory(game) is not None for game in games] == [False, False, True, False, True]
        await watching.aclose()
        assert await take_turn(house, games[1], 1) == 6, "and all of them can be had again"


async def test_games_that_grow_are_weighed_again(tmp_path: Path) -> None:
    async with house_on(tmp_path / "games.db") as house:
        hub, game = house.hub, await house.game()
        before = hub.bytes
        for turn in range(4):
            await take_turn(house, game, turn)
        hub.sweep()
        assert hub.bytes == before + 4 * 15
        for live in list(hub.resident()):
            hub.drop(live)
            hub.drop(live)
        assert hub.bytes == 0


@pytest.mark.socket
async def test_snapshots_of_pasts_are_bounded_in_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[GameRegistry] = []
    init = GameRegistry.__init__

    def noted(self: GameRegistry, *arguments: Any, **more: Any) -> None:
        init(self, *arguments, **more)
        found.append(self)

    monkeypatch.setattr(GameRegistry, "__init__", noted)
    async with served(tmp_path / "games.db") as api:
        games = []
        for _ in range(2):
            game, _ = await api.create(BOT, BOT)
            async for _ in api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id)):
                pass
            games.append(game.game_id)
        (hub,) = found

        async def look_back(game: str) -> None:
            for version in range(10, 200, 40):
                await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game, version=version))

        await look_back(games[0])
        one = hub.snapshots_bytes
        assert one > 0
        past: Past = hub._past  # there is no other way to a smaller one
        past._most_bytes = one + one // 2
        await look_back(games[1])
        await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=games[1], version=11))
        assert len(past) == 1
        assert 0 < hub.snapshots_bytes <= one + one // 2
        past._most_bytes = 1
        for one_more in games:
            await look_back(one_more)
        assert len(past) <= 1
