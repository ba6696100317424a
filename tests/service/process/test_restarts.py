"""A service that ends wherever a game stands and starts again: the game goes on as if nothing had been."""

from __future__ import annotations

import random
from pathlib import Path
from uuid import UUID

import pytest
from tests.campaign.running_service import OPERATOR, RunningService, choose_eagerly, run_service
from tests.kit.adapters import adapters

from boardkeeper.game.game import RUNNING
from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.service.cache import snapshots
from boardkeeper.service.seeded_ids import Seeded
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.v1 import games_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

GAMES = 4
"""So many at most are played to come to what is hardly ever asked."""


@pytest.mark.parametrize("adapter", [pytest.param(it, id=it.id) for it in adapters()])
async def test_a_restart_where_something_new_is_asked_changes_nothing(
    adapter: Adapter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 40)
    met: set[str] = set()
    most = len(adapter.decisions) * 2 / 3
    for number in range(GAMES):
        chance = random.Random(f"restarts {number}")
        seeded = Seeded(f"restarts {number}")  # or it would be up to the dice whether enough is asked
        edition = adapter.title.meta.editions[number % len(adapter.title.meta.editions)]
        players = edition.players[1] - number % (edition.players[1] - edition.players[0] + 1)
        seats = [games_pb2.SeatRequest(name=f"P{seat}") for seat in range(players)]
        game = UUID(int=0)
        before: list[object] = []
        going_on = True
        while going_on:
            async with run_service(tmp_path, seeded) as service:
                if not game.int:
                    request = games_pb2.CreateGameRequest(title=adapter.id, edition=edition.id, seats=seats)
                    game = UUID((await service.api.games.CreateGame(request)).game.game_id)
                elif before:
                    assert await look(service, game) == before
                going_on = await until_new(service, game, met, chance)
                before = await look(service, game)
        if len(met) > most:
            return
    raise AssertionError(f"never asked: {set(adapter.decisions) - met}")


async def until_new(service: RunningService, game: UUID, met: set[str], chance: random.Random) -> bool:
    """Play on until something is asked for the first time; no if the game is over before."""
    while True:
        async with service.handler.registry.lock(game) as live:
            version = live.game.version
            if live.game.status != RUNNING:
                return False
            asked = {decision for decision in live.game.table.decisions if decision}
            if asked - met:
                met |= asked
                return True
            seat = chance.choice(live.game.table.deciding())
            command = choose_eagerly(live.game, seat, chance)
        await service.handler.act(game, seat, SubmitCommands([command]), f"move-{version}")


async def look(service: RunningService, game: UUID) -> list[object]:
    """The game, its table and what each seat can do."""
    told = await service.api.game(str(game))
    live = await service.handler.registry.get(game)
    legal = [list(live.game.legal(seat)) for seat in range(1, len(told.seats) + 1)]
    return [told, live.game.table.contents(), legal, await service.record(str(game), OPERATOR)]
