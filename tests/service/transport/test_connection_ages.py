"""Connections of gRPC clients: pings keep them open, and the server replaces old ones."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api_server import run_service
from tests.waiting import until

from boardkeeper.service.transport import http2
from boardkeeper.service.transport.http2 import Http2Protocol
from boardkeeper.v1 import catalog_pb2, catalog_pb2_grpc

pytestmark = [pytest.mark.socket, pytest.mark.usefixtures("uvicorn_only")]

_KEEPALIVE = [
    ("grpc.keepalive_time_ms", 1_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.use_local_subchannel_pool", 1),
]


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[Http2Protocol]:
    """The HTTP/2 connections so far, oldest first."""
    found: list[Http2Protocol] = []
    original = Http2Protocol.connection_made

    def connection_made(self: Http2Protocol, transport: asyncio.Transport) -> None:
        found.append(self)
        original(self, transport)

    monkeypatch.setattr(Http2Protocol, "connection_made", connection_made)
    return found


async def test_pings_of_an_idle_client_keep_its_connection(
    tmp_path: Path, connections: list[Http2Protocol], monkeypatch: pytest.MonkeyPatch
) -> None:
    pings = 0
    original = Http2Protocol._count_control_frame

    def count_control_frame(self: Http2Protocol) -> None:
        nonlocal pings
        pings += 1
        original(self)

    monkeypatch.setattr(Http2Protocol, "_count_control_frame", count_control_frame)
    async with (
        run_service(tmp_path / "games.db") as (service, _),
        grpc.aio.insecure_channel(service.address, options=_KEEPALIVE) as channel,
    ):
        stub: Any = catalog_pb2_grpc.CatalogStub(channel)
        await stub.ListTitles(catalog_pb2.ListTitlesRequest())
        before = pings
        await until(lambda: pings >= before + 3)
        await stub.ListTitles(catalog_pb2.ListTitlesRequest())
        assert len(connections) == 1


async def test_old_connections_are_replaced_and_no_call_fails(
    tmp_path: Path, connections: list[Http2Protocol], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http2, "KEEPALIVE_SECONDS", 0.02)
    async with run_service(tmp_path / "games.db") as (service, _):
        assert service._front.connections is not None
        service._front.connections.most_seconds = 0.05
        options = [("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.insecure_channel(service.address, options=options) as channel:
            stub: Any = catalog_pb2_grpc.CatalogStub(channel)

            async def call_until_replaced() -> None:
                while len(connections) < 5:
                    await stub.ListTitles(catalog_pb2.ListTitlesRequest())

            await asyncio.gather(*(call_until_replaced() for _ in range(8)))
