"""The ASGI application: native gRPC, and everything that browsers ask for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from boardkeeper.service.edge.asgi import Receive, Scope, Send, answer_text
from boardkeeper.service.edge.call import preferred_language
from boardkeeper.service.edge.call_ids import new_call_id
from boardkeeper.service.edge.grpc_options import LARGEST_METADATA
from boardkeeper.service.edge.guard import MOST_METADATA, Rpc, too_much_metadata
from boardkeeper.service.edge.statuses import status_of, trailing_metadata
from boardkeeper.service.front.grpc_context import CONTENT_TYPE, GrpcContext, answer_call
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.tallies import CallTallies
from boardkeeper.service.web.exchange import Exchange
from boardkeeper.service.web.site import Site

_GRPC_TYPES = (CONTENT_TYPE, CONTENT_TYPE + b"+proto")
_ENTRY_BYTES = 32
"""HTTP/2 counts so many bytes for each header beside its name and value."""


class Application:
    """Answers requests. ``rpcs`` are those of native gRPC, ``site`` answers everything else, if there is one."""

    def __init__(self, rpcs: Iterable[Rpc], site: Site | None, tallies: CallTallies) -> None:
        self._rpcs = {rpc.path: rpc for rpc in rpcs}
        self._site = site
        self._tallies = tallies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise TypeError(f"the application answers HTTP only, not {scope['type']}")
        headers = dict(scope["headers"])
        content_type = headers.get(b"content-type", b"")
        if not content_type.startswith(CONTENT_TYPE) or content_type.startswith(b"application/grpc-web"):
            if self._site is not None:
                await self._site.answer(Exchange(scope, receive, send))
            else:
                await answer_text(
                    send, 404, "This server answers gRPC only: its operator has disabled the web client.\n"
                )
        elif content_type.partition(b";")[0].strip().lower() not in _GRPC_TYPES:
            await answer_text(send, 415, "Unsupported content type: use application/grpc.\n")
        elif scope["http_version"] != "2":
            await answer_text(send, 426, "gRPC requires HTTP/2. Over HTTP/1.1 use gRPC-Web, Connect or JSON.\n")
        elif scope["method"] != "POST":
            await answer_text(send, 405, "Method not allowed: gRPC calls use POST.\n", (b"allow", b"POST"))
        else:
            await self._answer_grpc(scope, headers, receive, send)

    async def _answer_grpc(self, scope: Scope, headers: dict[bytes, bytes], receive: Receive, send: Send) -> None:
        rpc = self._rpcs.get(scope["path"])
        if len(scope["headers"]) > MOST_METADATA or _bytes(scope["headers"]) > LARGEST_METADATA:
            await self._reject(too_much_metadata(), scope, headers, receive, send)
        elif rpc is None:
            await self._reject(ApiError("RPC_NOT_FOUND", path=scope["path"]), scope, headers, receive, send)
        else:
            await answer_call(rpc, scope, headers, receive, send)

    async def _reject(
        self, error: ApiError, scope: Scope, headers: dict[bytes, bytes], receive: Receive, send: Send
    ) -> None:
        """Answer a request that does not become a call."""
        self._tallies.refused(error.reason)
        call_id = new_call_id()
        language = preferred_language(headers.get(b"accept-language", b"").decode("latin-1"))
        status = status_of(error, language, call_id)
        context = GrpcContext(_NO_RPC, scope, headers, receive, send)
        context.set_code(error.code)
        context.set_details(status.message)
        context.set_trailing_metadata(trailing_metadata(status, call_id))
        await context.finish(None)


_NO_RPC: Any = None


def _bytes(headers: Sequence[tuple[bytes, bytes]]) -> int:
    return sum(map(len, chain.from_iterable(headers))) + _ENTRY_BYTES * len(headers)
