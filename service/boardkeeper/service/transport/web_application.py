"""Requests of browsers: calls, files of the web client, and the health of the server."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from boardkeeper.service.observability.counters import CallCounters
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.transport import message_formats
from boardkeeper.service.transport.call_context import answer_call, reject
from boardkeeper.service.transport.call_ids import HEADER, accept_call_id
from boardkeeper.service.transport.exchange import Exchange
from boardkeeper.service.transport.guard import MAX_METADATA_ENTRIES, Rpc, metadata_error
from boardkeeper.service.transport.json_codec import JsonCodec
from boardkeeper.service.transport.message_formats import MessageFormat, Protocol
from boardkeeper.service.transport.origins import Origins
from boardkeeper.service.transport.static_files import SECURITY_HEADERS, StaticFiles
from boardkeeper.service.transport.web_context import WebContext

HEALTH = "/healthz"

_TEXT = ("content-type", "text/plain; charset=utf-8")
_NO_SNIFFING = ("x-content-type-options", "nosniff")
_NO_STORE = ("cache-control", "no-store")


class WebApplication:
    """Answers requests. ``is_healthy`` returns whether the server accepts calls; ``counters`` counts rejected calls."""

    def __init__(
        self,
        rpcs: Iterable[Rpc],
        origins: Origins,
        files: StaticFiles,
        is_healthy: Callable[[], bool],
        counters: CallCounters,
    ) -> None:
        self._rpcs = {rpc.path: rpc for rpc in rpcs}
        self._services = tuple({f"{path.rpartition('/')[0]}/" for path in self._rpcs})
        self._codecs = {rpc.path: JsonCodec(rpc.method) for rpc in self._rpcs.values()}
        self._origins = origins
        self._files = files
        self._is_healthy = is_healthy
        self._counters = counters

    async def answer(self, exchange: Exchange) -> None:
        """Answer a request of any kind."""
        format = message_formats.find_format(exchange.header("content-type"))
        fallback = format or message_formats.FORMATS["application/json"]
        if not self._origins.is_host(exchange):
            await self._reject(
                exchange,
                ApiError("HOST_NOT_ALLOWED", host=exchange.header("host")),
                fallback,
                [_NO_SNIFFING, _NO_STORE],
            )
        elif exchange.path == HEALTH:
            await self._answer_health(exchange)
        elif format is None and not exchange.path.startswith(self._services):
            await self._files.answer(exchange)
        else:
            await self._answer_call(exchange, format, fallback)

    async def _answer_call(self, exchange: Exchange, format: MessageFormat | None, fallback: MessageFormat) -> None:
        headers = [_NO_SNIFFING, _NO_STORE, *self._origins.headers(exchange)]
        rpc = self._rpcs.get(exchange.path)
        if not self._origins.may_call(exchange):
            await self._reject(
                exchange, ApiError("ORIGIN_NOT_ALLOWED", origin=exchange.header("origin")), fallback, headers
            )
        elif exchange.method == "OPTIONS":
            await exchange.answer(204, [_NO_SNIFFING, *self._origins.preflight(exchange)], b"")
        elif len(exchange.headers) > MAX_METADATA_ENTRIES:
            await self._reject(exchange, metadata_error(), fallback, headers)
        elif rpc is None:
            await self._reject(exchange, ApiError("RPC_NOT_FOUND", path=exchange.path), fallback, headers)
        elif exchange.method != "POST" or format is None:
            await _answer_no_call(exchange, headers)
        elif error := _check_format(rpc, format, exchange.version):
            await self._reject(exchange, error, format, headers)
        else:
            codec = self._codecs[rpc.path] if format.is_json else None
            await answer_call(WebContext(exchange, rpc, format, codec, headers), rpc, self._counters)

    async def _answer_health(self, exchange: Exchange) -> None:
        is_healthy = self._is_healthy()
        body = b"The server accepts calls.\n" if is_healthy else b"The server does not accept calls now.\n"
        await exchange.answer(200 if is_healthy else 503, [*SECURITY_HEADERS, _TEXT, _NO_STORE], body)

    async def _reject(
        self, exchange: Exchange, error: ApiError, format: MessageFormat, headers: list[tuple[str, str]]
    ) -> None:
        context = WebContext(exchange, None, format, None, headers)
        await reject(context, exchange, error, accept_call_id(exchange.header(HEADER)), self._counters)


def _check_format(rpc: Rpc, format: MessageFormat, version: str) -> ApiError | None:
    """Return the error for an RPC that cannot be called in this format or over this version of HTTP."""
    is_duplex = format.protocol is Protocol.CONNECT_STREAM and version == "2"
    if rpc.method.client_streaming and rpc.method.server_streaming and not is_duplex:
        return ApiError("NOT_OVER_HTTP", path=rpc.path)
    streams = rpc.method.client_streaming or rpc.method.server_streaming
    if streams and format.protocol is Protocol.CONNECT:
        return ApiError("RPC_STREAMS", path=rpc.path)
    if not streams and format.protocol is Protocol.CONNECT_STREAM:
        return ApiError("RPC_DOES_NOT_STREAM", path=rpc.path)
    return None


async def _answer_no_call(exchange: Exchange, headers: list[tuple[str, str]]) -> None:
    """Answer a request that cannot be a call."""
    if exchange.method != "POST":
        text = "Method not allowed: send calls with POST, for example as application/json. See docs/web.md.\n"
        await exchange.answer(405, [*headers, ("allow", "POST"), _TEXT], text.encode())
        return
    known = ", ".join(message_formats.FORMATS)
    text = f"Unsupported content type. Use one of: {known}.\n"
    await exchange.answer(415, [*headers, ("accept-post", known), _TEXT], text.encode())
