"""A server that stops at any point of a game and starts again: the game continues unchanged."""

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
"""The maximum number of games that are played to reach rare decisions."""


@pytest.mark.parametrize("adapter", [pytest.param(it, id=it.id) for it in adapters()])
async def test_a_restart_at_each_new_decision_changes_nothing(
    adapter: Adapter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_INTERVAL", 40)
    met: set[str] = set()
    most = len(adapter.decisions) * 2 / 3
    for number in range(GAMES):
        chance = random.Random(f"restarts {number}")
        seeded = Seeded(f"restarts {number}")  # otherwise the dice decide whether enough decisions come up
        edition = adapter.title.meta.editions[number % len(adapter.title.meta.editions)]
        players = edition.players[1] - number % (edition.players[1] - edition.players[0] + 1)
        seats = [games_pb2.SeatRequest(name=f"P{seat}") for seat in range(players)]
        game = UUID(int=0)
        before: list[object] = []
        is_running = True
        while is_running:
            async with run_service(tmp_path, seeded) as service:
                if not game.int:
                    request = games_pb2.CreateGameRequest(title=adapter.id, edition=edition.id, seats=seats)
                    game = UUID((await service.api.games.CreateGame(request)).game.game_id)
                elif before:
                    assert await read_state(service, game) == before
                is_running = await play_until_new_decision(service, game, met, chance)
                before = await read_state(service, game)
        if len(met) > most:
            return
    raise AssertionError(f"never reached: {set(adapter.decisions) - met}")


async def play_until_new_decision(service: RunningService, game: UUID, met: set[str], chance: random.Random) -> bool:
    """Play until a decision comes up for the first time. Return false if the game ends before."""
    while True:
        async with service.handler.registry.lock(game) as live:
            version = live.game.version
            if live.game.status != RUNNING:
                return False
            decisions = {decision for decision in live.game.table.decisions if decision}
            if decisions - met:
                met |= decisions
                return True
            seat = chance.choice(live.game.table.deciding())
            command = choose_eagerly(live.game, seat, chance)
        await service.handler.act(game, seat, SubmitCommands([command]), f"move-{version}")


async def read_state(service: RunningService, game: UUID) -> list[object]:
    """Return the game, its table, the legal commands of each seat, and the record."""
    message = await service.api.game(str(game))
    live = await service.handler.registry.get(game)
    legal = [list(live.game.legal(seat)) for seat in range(1, len(message.seats) + 1)]
    return [message, live.game.table.contents(), legal, await service.record(str(game), OPERATOR)]
