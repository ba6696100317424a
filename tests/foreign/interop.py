"""The service of gRPC's interoperability tests, behind our own guard: only its messages and methods are not ours."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_tools import protoc
from tests.waiting import SECONDS

from boardkeeper.service.config import Config
from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.observability.counters import CallCounters
from boardkeeper.service.transport.application import Application
from boardkeeper.service.transport.connections import Connections
from boardkeeper.service.transport.grpcio_server import channel_options, grpc_handler
from boardkeeper.service.transport.guard import guarded_rpcs
from boardkeeper.service.transport.listeners import Listener, close

_PROTO = Path(__file__).with_name("interop.proto")
_ECHOED_IN_HEADERS, _ECHOED_IN_TRAILERS = "x-grpc-test-echo-initial", "x-grpc-test-echo-trailing-bin"

Messages = AsyncIterator[Any]

# ruff: noqa: N802  # methods have the names of their rpcs


@asynccontextmanager
async def serving(kind: str, folder: Path) -> AsyncIterator[str]:
    """Run the service on a server of that kind; yields its address."""
    descriptor = _descriptor(folder)
    rpcs = guarded_rpcs(descriptor, _TestService(descriptor), own=False)
    if kind == "grpcio":
        server = grpc.aio.server(options=channel_options(100))
        server.add_generic_rpc_handlers((grpc_handler(rpcs),))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        try:
            yield f"127.0.0.1:{port}"
        finally:
            await server.stop(None)
        return
    counters = CallCounters()
    connections = Connections(
        Application(rpcs, None, counters), counters.web, Admission(Config()).connections_per_address,
        most=100, stall_timeout=SECONDS, most_seconds=None, asks_certificates=False,
    )  # fmt: skip
    listener = Listener(Endpoint.parse("127.0.0.1:0"), None, shares_port=False)
    listener.listen(connections)
    try:
        yield listener.address
    finally:
        await close([listener], connections, 0)


def _descriptor(folder: Path) -> Any:
    """Compile the proto file, into a separate pool."""
    file = folder / "interop.binpb"
    command = ["protoc", f"--proto_path={_PROTO.parent}", f"--descriptor_set_out={file}", str(_PROTO)]
    assert protoc.main(command) == 0
    pool = DescriptorPool()
    for each in FileDescriptorSet.FromString(file.read_bytes()).file:
        pool.Add(each)
    return pool.FindServiceByName("grpc.testing.TestService")


class _TestService:
    """The methods, as gRPC's interop-test-descriptions.md defines them."""

    def __init__(self, descriptor: Any) -> None:
        self._outputs: dict[str, Any] = {it.name: GetMessageClass(it.output_type) for it in descriptor.methods}

    async def EmptyCall(self, _request: Any, _context: Any) -> Any:
        return self._outputs["EmptyCall"]()

    async def UnaryCall(self, request: Any, context: Any) -> Any:
        await _echo_metadata(context)
        await _raise_status(request, context)
        response = self._outputs["UnaryCall"](server_id="one")
        response.payload.body = bytes(request.response_size)
        return response

    async def StreamingInputCall(self, requests: Messages, _context: Any) -> Any:
        size = sum([len(request.payload.body) async for request in requests])
        return self._outputs["StreamingInputCall"](aggregated_payload_size=size)

    async def StreamingOutputCall(self, request: Any, _context: Any) -> Messages:
        for parameters in request.response_parameters:
            response = self._outputs["StreamingOutputCall"]()
            response.payload.body = bytes(parameters.size)
            yield response

    async def FullDuplexCall(self, requests: Messages, context: Any) -> Messages:
        await _echo_metadata(context)
        async for request in requests:
            await _raise_status(request, context)
            async for response in self.StreamingOutputCall(request, context):
                yield response


async def _echo_metadata(context: Any) -> None:
    metadata = context.invocation_metadata()
    headers = [pair for pair in metadata if pair[0] == _ECHOED_IN_HEADERS]
    trailers = [pair for pair in metadata if pair[0] == _ECHOED_IN_TRAILERS]
    if headers:
        await context.send_initial_metadata(headers)
    context.set_trailing_metadata(trailers)


async def _raise_status(request: Any, context: Any) -> None:
    status = request.response_status
    if status.code:
        code = next(it for it in grpc.StatusCode if it.value[0] == status.code)
        await context.abort(code, status.message)
