"""What a request asks for: a call, whether the service is well, or a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from boardkeeper.service.observability.counters import CallCounters
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.transport import message_formats
from boardkeeper.service.transport.call_context import CallContext, answer_call, reject
from boardkeeper.service.transport.exchange import Exchange
from boardkeeper.service.transport.guard import MOST_METADATA, Rpc, too_much_metadata
from boardkeeper.service.transport.json_codec import JsonCodec
from boardkeeper.service.transport.message_formats import MessageFormat, Protocol
from boardkeeper.service.transport.origins import Origins
from boardkeeper.service.transport.static_files import SAFE, StaticFiles

HEALTH = "/healthz"

_TEXT = ("content-type", "text/plain; charset=utf-8")
_NO_SNIFFING = ("x-content-type-options", "nosniff")
_FORGET = ("cache-control", "no-store")


class WebApplication:
    """Answers exchanges. ``is_well`` tells whether the service takes calls; ``counters`` counts those it refuses."""

    def __init__(
        self,
        rpcs: Iterable[Rpc],
        origins: Origins,
        files: StaticFiles,
        is_well: Callable[[], bool],
        counters: CallCounters,
    ) -> None:
        self._rpcs = {rpc.path: rpc for rpc in rpcs}
        self._services = tuple({f"{path.rpartition('/')[0]}/" for path in self._rpcs})
        self._codecs = {rpc.path: JsonCodec(rpc.method) for rpc in self._rpcs.values()}
        self._origins = origins
        self._files = files
        self._is_well = is_well
        self._counters = counters

    async def answer(self, exchange: Exchange) -> None:
        """Answer an exchange, whatever it asks for."""
        form = message_formats.form_of(exchange.header("content-type"))
        usual = form or message_formats.FORMS["application/json"]
        if not self._origins.is_host(exchange):
            await self._reject(
                exchange, ApiError("HOST_NOT_ALLOWED", host=exchange.header("host")), usual, [_NO_SNIFFING, _FORGET]
            )
        elif exchange.path == HEALTH:
            await self._tell_health(exchange)
        elif form is None and not exchange.path.startswith(self._services):
            await self._files.answer(exchange)
        else:
            await self._answer_call(exchange, form, usual)

    async def _answer_call(self, exchange: Exchange, form: MessageFormat | None, usual: MessageFormat) -> None:
        headers = [_NO_SNIFFING, _FORGET, *self._origins.headers(exchange)]
        rpc = self._rpcs.get(exchange.path)
        if not self._origins.may_call(exchange):
            await self._reject(
                exchange, ApiError("ORIGIN_NOT_ALLOWED", origin=exchange.header("origin")), usual, headers
            )
        elif exchange.method == "OPTIONS":
            await exchange.answer(204, [_NO_SNIFFING, *self._origins.preflight(exchange)], b"")
        elif len(exchange.headers) > MOST_METADATA:
            await self._reject(exchange, too_much_metadata(), usual, headers)
        elif rpc is None:
            await self._reject(exchange, ApiError("RPC_NOT_FOUND", path=exchange.path), usual, headers)
        elif exchange.method != "POST" or form is None:
            await _say_how(exchange, headers)
        elif error := _misfit(rpc, form, exchange.version):
            await self._reject(exchange, error, form, headers)
        else:
            codec = self._codecs[rpc.path] if form.is_json else None
            await answer_call(CallContext(exchange, rpc, form, codec, headers), rpc, self._counters)

    async def _tell_health(self, exchange: Exchange) -> None:
        is_well = self._is_well()
        body = b"The server accepts calls.\n" if is_well else b"The server does not accept calls now.\n"
        await exchange.answer(200 if is_well else 503, [*SAFE, _TEXT, _FORGET], body)

    async def _reject(
        self, exchange: Exchange, error: ApiError, form: MessageFormat, headers: list[tuple[str, str]]
    ) -> None:
        await reject(exchange, error, form, self._counters, headers)


def _misfit(rpc: Rpc, form: MessageFormat, version: str) -> ApiError | None:
    """Return the error for an rpc that cannot be called in that form, over that version of HTTP."""
    is_duplex = form.protocol is Protocol.CONNECT_STREAM and version == "2"
    if rpc.method.client_streaming and rpc.method.server_streaming and not is_duplex:
        return ApiError("NOT_OVER_HTTP", path=rpc.path)
    streams = rpc.method.client_streaming or rpc.method.server_streaming
    if streams and form.protocol is Protocol.CONNECT:
        return ApiError("RPC_STREAMS", path=rpc.path)
    if not streams and form.protocol is Protocol.CONNECT_STREAM:
        return ApiError("RPC_DOES_NOT_STREAM", path=rpc.path)
    return None


async def _say_how(exchange: Exchange, headers: list[tuple[str, str]]) -> None:
    """Answer what cannot be a call."""
    if exchange.method != "POST":
        said = "Method not allowed: send calls with POST, for example as application/json. See docs/web.md.\n"
        await exchange.answer(405, [*headers, ("allow", "POST"), _TEXT], said.encode())
        return
    known = ", ".join(message_formats.FORMS)
    said = f"Unsupported content type. Use one of: {known}.\n"
    await exchange.answer(415, [*headers, ("accept-post", known), _TEXT], said.encode())
