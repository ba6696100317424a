"""The ASGI application: native gRPC, and requests of browsers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from boardkeeper.service.observability.counters import CallCounters
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.transport.asgi import Receive, Scope, Send, answer_text
from boardkeeper.service.transport.call_context import GrpcContext, answer_call, reject
from boardkeeper.service.transport.call_ids import new_call_id
from boardkeeper.service.transport.exchange import Exchange
from boardkeeper.service.transport.guard import MAX_METADATA_BYTES, MAX_METADATA_ENTRIES, Rpc, metadata_error
from boardkeeper.service.transport.web_application import WebApplication

_GRPC_TYPES = (b"application/grpc", b"application/grpc+proto")
_ENTRY_BYTES = 32
"""Bytes that HTTP/2 counts for each header in addition to its name and value."""


class Application:
    """Answers requests. ``rpcs`` are those of native gRPC; ``web``, if enabled, answers all other requests."""

    def __init__(self, rpcs: Iterable[Rpc], web: WebApplication | None, counters: CallCounters) -> None:
        self._rpcs = {rpc.path: rpc for rpc in rpcs}
        self._web = web
        self._counters = counters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise TypeError(f"the application answers HTTP only, not {scope['type']}")
        exchange = Exchange(scope, receive, send)
        content_type = exchange.raw_header(b"content-type")
        if not content_type.startswith(b"application/grpc") or content_type.startswith(b"application/grpc-web"):
            if self._web is not None:
                await self._web.answer(exchange)
            else:
                await answer_text(
                    send, 404, "This server answers gRPC only: its operator has disabled the web client.\n"
                )
        elif content_type.partition(b";")[0].strip().lower() not in _GRPC_TYPES:
            await answer_text(send, 415, "Unsupported content type: use application/grpc.\n")
        elif exchange.version != "2":
            await answer_text(send, 426, "gRPC requires HTTP/2. Over HTTP/1.1 use gRPC-Web, Connect or JSON.\n")
        elif exchange.method != "POST":
            await answer_text(send, 405, "Method not allowed: gRPC calls use POST.\n", (b"allow", b"POST"))
        elif len(exchange.headers) > MAX_METADATA_ENTRIES or _metadata_bytes(exchange.headers) > MAX_METADATA_BYTES:
            await self._reject(exchange, metadata_error())
        elif (rpc := self._rpcs.get(exchange.path)) is None:
            await self._reject(exchange, ApiError("RPC_NOT_FOUND", path=exchange.path))
        else:
            await answer_call(GrpcContext(exchange, rpc), rpc, self._counters)

    async def _reject(self, exchange: Exchange, error: ApiError) -> None:
        await reject(GrpcContext(exchange, None), exchange, error, new_call_id(), self._counters)


def _metadata_bytes(headers: Sequence[tuple[bytes, bytes]]) -> int:
    return sum(map(len, chain.from_iterable(headers))) + _ENTRY_BYTES * len(headers)
