"""Sealed plans over the wire: other viewers see them only after all seats have finished."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.game.records import load_title
from tests.service.twin_services import twin_services

from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.testkit.twin_games import ID, Twins
from boardkeeper.titlekit.title import Setup
from boardkeeper.v1 import games_pb2, history_pb2

GAME = str(ID)

pytestmark = [pytest.mark.socket, pytest.mark.timeout(600)]


async def test_sealed_plans_become_visible_with_plans_revealed(tmp_path: Path) -> None:
    """Before, other viewers see empty places and events without names."""
    title = load_title("orleans")
    twins = Twins(title, Setup("", 2, {"planning": "sealed"}), SPECTATOR, (bytes(32), bytes(32)))
    chance = random.Random(7)
    async with twin_services(tmp_path, twins) as (service, _):
        live = await service.registry.get(ID)
        while live.game.table.number("round").value < 2:
            seat = chance.choice(live.game.table.deciding())
            command = chance.choice(live.game.legal(seat))
            await service.handler.act(ID, seat, SubmitCommands([command]), f"on-{live.game.version}")
        listing = history_pb2.ListEventsRequest(game_id=GAME, page_size=500)
        events = {}
        for viewer in (SPECTATOR, 1, 2, OPERATOR):
            answer = await service.call("ListEvents", listing, service.token_of(viewer))
            events[viewer] = history_pb2.ListEventsResponse.FromString(answer).events
        revealed = [event.version for event in events[OPERATOR] if event.name == "PlansRevealed"]
        placed = [event for event in events[OPERATOR] if event.name == "FollowerPlaced"]
        assert len(revealed) == 2
        assert placed
        for viewer in (SPECTATOR, 1, 2):
            for event in placed:
                seen = events[viewer][event.version - 1]
                assert (seen == event) == (viewer == event.seat)
                assert bool(seen.name or seen.effects or seen.sentence) == (viewer == event.seat)
            for version in revealed:
                assert events[viewer][version - 1] == events[OPERATOR][version - 1]
            boards = {}
            for version in (revealed[0] - 1, revealed[-1]):
                request = games_pb2.GetBoardRequest(game_id=GAME, version=version)
                for reader in (viewer, OPERATOR):
                    answer = await service.call("GetBoard", request, service.token_of(reader))
                    board = games_pb2.GetBoardResponse.FromString(answer).board.orleans
                    boards[version, reader] = [(seat.market, list(seat.places)) for seat in board.seats]
            assert boards[revealed[0] - 1, viewer] != boards[revealed[0] - 1, OPERATOR]
            assert boards[revealed[-1], viewer] == boards[revealed[-1], OPERATOR]
