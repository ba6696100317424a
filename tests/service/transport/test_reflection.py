"""Reflection: tools without our protos can describe and call everything, in both versions of the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse
from tests.service.api_server import Api, run_server

pytestmark = pytest.mark.socket

VERSIONS = ("v1", "v1alpha")
NOT_FOUND = grpc.StatusCode.NOT_FOUND.value[0]


class Reflection:
    """A client of one version, with a pool of the received descriptors."""

    def __init__(self, channel: Any, version: str) -> None:
        # Messages of both versions are the same on the wire, and grpcio has those of v1alpha.
        method = channel.stream_stream(
            f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
            request_serializer=ServerReflectionRequest.SerializeToString,
            response_deserializer=ServerReflectionResponse.FromString,
        )
        self.call = method()
        self.pool = DescriptorPool()
        self._known: set[str] = set()

    async def ask(self, **request: Any) -> ServerReflectionResponse:
        await self.call.write(ServerReflectionRequest(**request))
        answer = await self.call.read()
        assert isinstance(answer, ServerReflectionResponse), await self.call.code()
        return answer

    async def services(self) -> list[str]:
        return [service.name for service in (await self.ask(list_services="")).list_services_response.service]

    async def files(self, **request: Any) -> list[str]:
        """Return the names of the files in a response. New files are added to the pool."""
        answer = await self.ask(**request)
        files = [FileDescriptorProto.FromString(it) for it in answer.file_descriptor_response.file_descriptor_proto]
        assert files, answer
        waiting = {file.name: file for file in files if file.name not in self._known}
        while waiting:
            name = next(name for name, file in waiting.items() if waiting.keys().isdisjoint(file.dependency))
            self.pool.Add(waiting.pop(name))
            self._known.add(name)
        return [file.name for file in files]


@pytest.mark.parametrize("version", VERSIONS)
async def test_every_service_and_method_is_found_by_its_name(api: Api, version: str) -> None:
    """Grpcurl and ghz look up the method, not its service."""
    reflection = Reflection(api.channel, version)
    services = await reflection.services()
    assert {"boardkeeper.v1.Games", "boardkeeper.v1.Feed", "grpc.health.v1.Health"} <= set(services)
    assert {f"grpc.reflection.{it}.ServerReflection" for it in VERSIONS} <= set(services)
    for service in services:
        files = await reflection.files(file_containing_symbol=service)
        methods = reflection.pool.FindServiceByName(service).methods
        assert methods
        for method in methods:
            assert await reflection.files(file_containing_symbol=method.full_name) == files
            assert reflection.pool.FindMethodByName(method.full_name).input_type.full_name
        assert await reflection.files(file_by_filename=files[0]) == files


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "symbol",
    ["boardkeeper.v1.Games.NoSuchCall", "boardkeeper.v1.NoGames.GetGame", "boardkeeper.v1.GetGameRequest.id", "", "."],
)
async def test_an_unknown_name_is_not_found(api: Api, version: str, symbol: str) -> None:
    reflection = Reflection(api.channel, version)
    answer = await reflection.ask(file_containing_symbol=symbol)
    assert answer.error_response.error_code == NOT_FOUND
    assert answer.original_request.file_containing_symbol == symbol
    assert await reflection.services()  # the stream continues


async def test_a_service_without_reflection_has_neither_version(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", reflection=False) as api:
        for version in VERSIONS:
            # Send no message: gRPC's asyncio client reports INTERNAL if a call ends while the client writes.
            call = Reflection(api.channel, version).call
            assert await call.code() is grpc.StatusCode.UNIMPLEMENTED
