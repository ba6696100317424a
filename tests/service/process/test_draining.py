"""A server that stops reports it, finishes open calls and rejects new ones."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc import StatusCode
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tests.service.api_server import Api, grpc_error
from tests.service.paused_reads import PausedReads
from tests.service.scraping import MeasuredApi, run_measured_server

from boardkeeper.service.observability.counters import CallCounters
from boardkeeper.service.process.front import wait_until_idle
from boardkeeper.v1 import catalog_pb2, games_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING


@asynccontextmanager
async def stop_during_read(api: MeasuredApi, paused: PausedReads, game_id: str) -> AsyncIterator[asyncio.Future[Any]]:
    """Stop a server that waits for an open read. Yields the read."""
    read = asyncio.ensure_future(api.games.GetGame(games_pb2.GetGameRequest(game_id=game_id, min_version=1)))
    await paused.begun.wait()
    health: Any = health_pb2_grpc.HealthStub(api.channel)
    watching = health.Watch(health_pb2.HealthCheckRequest())
    assert (await watching.read()).status == SERVING
    stop = asyncio.create_task(api.service.stop())
    assert (await watching.read()).status == NOT_SERVING
    async with asyncio.timeout(250):
        await api.service._registry.drained.wait()
    yield read
    paused.may_end.set()
    await stop


async def test_new_calls_get_a_retry_time_while_open_calls_finish(tmp_path: Path, paused: PausedReads) -> None:
    async with run_measured_server(tmp_path / "games.db", grace_seconds=600.0) as api:
        game, tokens = await api.create()
        async with stop_during_read(api, paused, game.game_id) as read:
            for call in (
                lambda: api.game(game.game_id),
                lambda: api.legal(game.game_id, 1, tokens[1]),
                lambda: api.catalog.ListTitles(catalog_pb2.ListTitlesRequest()),
                lambda: api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id)).read(),
            ):
                async with grpc_error(StatusCode.UNAVAILABLE, "SHUTTING_DOWN") as problems:
                    await call()
                assert problems[0].retry_after > 0
            assert not read.done()
            paused.may_end.set()
            assert (await read).game.game_id == game.game_id


async def test_calls_on_new_connections_are_rejected_too(tmp_path: Path, paused: PausedReads) -> None:
    async with run_measured_server(tmp_path / "games.db", grace_seconds=600.0) as api:
        game, _ = await api.create()
        async with stop_during_read(api, paused, game.game_id):
            options = (("grpc.use_local_subchannel_pool", 1),)
            async with grpc.aio.insecure_channel(api.address, options=options) as channel:
                async with grpc_error(StatusCode.UNAVAILABLE, "SHUTTING_DOWN"):
                    await Api(channel).game(game.game_id)
                health: Any = health_pb2_grpc.HealthStub(channel)
                for service in ("", "boardkeeper.v1.Games", "grpc.health.v1.Health"):
                    answer = await health.Check(health_pb2.HealthCheckRequest(service=service))
                    assert answer.status == NOT_SERVING


async def test_recovered_storage_does_not_make_a_stopping_server_healthy(tmp_path: Path, paused: PausedReads) -> None:
    async with run_measured_server(tmp_path / "games.db", grace_seconds=600.0) as api:
        game, _ = await api.create()
        async with stop_during_read(api, paused, game.game_id):
            await api.service._set_health(True)
            health: Any = health_pb2_grpc.HealthStub(api.channel)
            assert (await health.Check(health_pb2.HealthCheckRequest())).status == NOT_SERVING


async def test_health_watchers_do_not_delay_the_stop(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db", grace_seconds=600.0) as api:
        health: Any = health_pb2_grpc.HealthStub(api.channel)
        watching = health.Watch(health_pb2.HealthCheckRequest())
        assert (await watching.read()).status == SERVING
        async with asyncio.timeout(250):
            await api.service.stop()
        assert (await watching.read()).status == NOT_SERVING


async def test_a_call_that_does_not_end_is_cancelled_after_the_grace_period(
    tmp_path: Path, paused: PausedReads
) -> None:
    async with run_measured_server(tmp_path / "games.db", grace_seconds=0.05) as api:
        game, _ = await api.create()
        request = games_pb2.GetGameRequest(game_id=game.game_id, min_version=1)
        read = asyncio.ensure_future(api.games.GetGame(request))
        await paused.begun.wait()
        async with asyncio.timeout(250):
            await api.service.stop()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await read
        assert caught.value.code() in (StatusCode.UNAVAILABLE, StatusCode.CANCELLED)


async def test_load_balancers_get_time_to_notice() -> None:
    loop = asyncio.get_running_loop()
    begun = loop.time()
    assert await wait_until_idle(CallCounters(), 0.1, 0.0) > 0
    assert loop.time() - begun >= 0.1


async def test_open_calls_use_up_the_grace_period() -> None:
    calls = CallCounters()
    calls.add_rpc("Games.GetGame", streams=False).open += 1
    loop = asyncio.get_running_loop()
    begun = loop.time()
    assert await wait_until_idle(calls, 0.0, 0.1) == 0
    assert loop.time() - begun >= 0.1
