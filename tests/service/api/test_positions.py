"""Games that start from a position, and the operator, who alone sees a whole position."""

from __future__ import annotations

import random
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api_server import Api, bearer, grpc_error, record_threads, run_server
from tests.service.keys import OPERATOR_TOKEN

from boardkeeper.service.config import Config
from boardkeeper.service.errors import StartupError
from boardkeeper.service.games import idempotency
from boardkeeper.service.requests import validation
from boardkeeper.titles.orleans.title import OrleansTitle
from boardkeeper.v1 import board_pb2, game_pb2, games_pb2, table_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with run_server(tmp_path / "games.db", operator_token=OPERATOR_TOKEN) as api:
        yield api


async def get_table(api: Api, game_id: str, token: str = "", **more: Any) -> table_pb2.Table:
    request = games_pb2.GetTableRequest(game_id=game_id, **more)
    answer: games_pb2.GetTableResponse = await api.games.GetTable(request, metadata=bearer(token) if token else ())
    return answer.table


async def get_board(api: Api, game_id: str, token: str = "") -> board_pb2.Board:
    request = games_pb2.GetBoardRequest(game_id=game_id)
    answer: games_pb2.GetBoardResponse = await api.games.GetBoard(request, metadata=bearer(token) if token else ())
    return answer.board


async def play_turns(api: Api, turns: int) -> tuple[str, dict[int, str]]:
    """Create a game of two and play random turns."""
    game, tokens = await api.create()
    chance = random.Random(7)
    for _ in range(turns):
        await api.play_turn(game.game_id, tokens, chance)
    return game.game_id, tokens


def zone(table: table_pb2.Table, id: str) -> table_pb2.Zone:
    return next(zone for zone in table.zones if zone.id == id)


def marker(table: table_pb2.Table, id: str) -> table_pb2.Marker:
    return next(marker for marker in table.markers if marker.id == id)


async def create_game_with_bags(api: Api) -> tuple[str, dict[int, str]]:
    """Create a game of two with a follower in each bag, from a position without counts."""
    game, _ = await api.create()
    position = await get_table(api, game.game_id, OPERATOR_TOKEN)
    for seat in (1, 2):
        market, bag = zone(position, f"seat.{seat}.market"), zone(position, f"seat.{seat}.bag")
        (at,) = [at for at, item in enumerate(market.contents) if item.component == "own_farmer"]
        bag.contents.append(market.contents.pop(at))
        market.ClearField("count")
        bag.ClearField("count")
    game, tokens = await api.create(position=position)
    return game.game_id, tokens


async def test_only_the_operator_sees_into_every_bag(api: Api) -> None:
    game, tokens = await create_game_with_bags(api)
    seen = (await get_board(api, game, OPERATOR_TOKEN)).orleans.seats
    assert all(sum(seat.bag.values()) == seat.bag_count for seat in seen)
    spectated = (await get_board(api, game)).orleans.seats
    assert all(not seat.bag for seat in spectated)
    own = (await get_board(api, game, tokens[1])).orleans.seats
    assert dict(own[0].bag) == dict(seen[0].bag)
    assert not own[1].bag


async def test_a_wrong_operator_token_is_rejected(api: Api) -> None:
    game, _ = await api.create()
    async with grpc_error(grpc.StatusCode.PERMISSION_DENIED):
        await get_board(api, game.game_id, OPERATOR_TOKEN[:-1] + "x")


async def test_a_game_starts_from_a_position_and_continues(api: Api) -> None:
    game, tokens = await play_turns(api, 60)
    position = await get_table(api, game, OPERATOR_TOKEN)
    assert any(zone.draws for zone in position.zones)

    copy, copied_tokens = await api.create(position=position)

    assert await get_table(api, copy.game_id, OPERATOR_TOKEN) == position
    for seat in (1, 2):
        original = await api.legal(game, seat, tokens[seat])
        copied = await api.legal(copy.game_id, seat, copied_tokens[seat])
        assert list(copied.commands) == list(original.commands)
    before = (await api.game(copy.game_id)).version
    assert await api.play_turn(copy.game_id, copied_tokens, random.Random(1)) > before
    created = (await api.events(copy.game_id))[0]
    assert created.detail.game_created.position


async def test_all_problems_of_a_position_are_reported(api: Api) -> None:
    game, _ = await play_turns(api, 10)
    position = await get_table(api, game, OPERATOR_TOKEN)
    marker(position, "round").value.number = 19
    marker(position, "seat.1.merchant").value.word = "paris"
    zone(position, "supply").contents[0].count += 1
    position.zones.add(id="attic", seen=True)
    position.decisions[:] = ["dance", ""]
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
        await api.create(position=position)
    found = problems[0].violations
    assert {"position.markers[round]", "position.markers[seat.1.merchant]", "position.zones[attic]"} <= set(found)
    component = zone(position, "supply").contents[0].component
    assert f"position.components[{component}]" in found
    assert found["position.zones[supply]"].startswith("must have the `count`")


async def test_a_spectators_table_is_no_position(api: Api) -> None:
    game, _ = await create_game_with_bags(api)
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
        await api.create(position=await get_table(api, game))
    hidden = "is hidden: give its contents, with `seen` true"
    whole = 'must be "whole": another table lacks what its viewer does not see'
    bags = {f"position.zones[seat.{seat}.bag]": hidden for seat in (1, 2)}
    assert problems[0].violations == {"position.viewer": whole, **bags}


async def test_the_table_of_a_finished_game_hides_nothing(api: Api) -> None:
    game, tokens = await play_turns(api, 0)
    for seat in (1, 2):
        await api.games.ResignSeat(
            games_pb2.ResignSeatRequest(game_id=game, seat=seat, command_id=f"resign-{seat}"),
            metadata=bearer(tokens[seat]),
        )
        if (await api.game(game)).status == game_pb2.GAME_STATUS_ENDED:
            break
    table = await get_table(api, game)
    assert table.viewer == "whole"
    assert all(zone.seen for zone in table.zones)


async def test_an_empty_table_is_no_position(api: Api) -> None:
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT):
        await api.create(position=table_pb2.Table())


async def test_an_ambiguous_zone_is_no_position(api: Api) -> None:
    game, _ = await api.create()
    position = await get_table(api, game.game_id, OPERATOR_TOKEN)
    supply = zone(position, "supply")
    supply.contents.append(supply.contents[0])
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
        await api.create(position=position)
    assert problems[0].violations == {"position.zones[supply]": "must name each component once"}


def test_a_short_operator_token_stops_the_start() -> None:
    with pytest.raises(StartupError, match="at least 32 characters"):
        Config.read({"operator_token": "secret"}, {})


@pytest.mark.parametrize("is_sound", [True, False])
async def test_a_position_is_read_and_checked_in_other_threads(
    api: Api, monkeypatch: pytest.MonkeyPatch, is_sound: bool
) -> None:
    """Checking a position takes time, so it must not block the event loop."""
    game, _ = await api.create()
    position = await get_table(api, game.game_id, OPERATOR_TOKEN)
    for number in range(0 if is_sound else 500):
        zone(position, "supply").contents.add(component=f"nothing {number}", count=1)
    read = record_threads(monkeypatch, validation, "table_from_message")
    hashed = record_threads(monkeypatch, idempotency.IdempotentRequest, "__init__")
    checked = record_threads(monkeypatch, OrleansTitle, "check_position")
    if is_sound:
        await api.create(position=position)
    else:
        async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT):
            await api.create(position=position)
    here = threading.get_ident()
    for threads in (read, hashed, checked):
        assert len(threads) == 1
        assert here not in threads


async def test_a_position_has_a_maximum_size(api: Api) -> None:
    game, _ = await api.create()
    table = await get_table(api, game.game_id, OPERATOR_TOKEN)
    assert table.ByteSize() < validation.MAX_POSITION_BYTES / 3, "real games are much smaller"
    while table.ByteSize() <= validation.MAX_POSITION_BYTES:
        table.zones.append(table.zones[0])
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
        await api.create(position=table)
    assert problems[0].violations == {"position": f"must be at most {validation.MAX_POSITION_BYTES} bytes"}
