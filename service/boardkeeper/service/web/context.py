"""One call over HTTP as the guard and the servicers see it: what gRPC's context is for them, and nothing beyond."""

from __future__ import annotations

import asyncio
import json
import re
import zlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, NoReturn

import grpc
from cryptography import x509
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from boardkeeper.service.edge.call_ids import HEADER
from boardkeeper.service.edge.guard import Answer, Rpc
from boardkeeper.service.edge.statuses import DETAILS_KEY
from boardkeeper.service.requests.refusals import InvalidRequestError
from boardkeeper.service.requests.sentences import Sentence
from boardkeeper.service.web import bodies, forms
from boardkeeper.service.web.connections import Exchange
from boardkeeper.service.web.forms import Form, Metadata, Protocol
from boardkeeper.service.web.json import Json

_OF_HTTP = frozenset(
    {
        "accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "cookie",
        "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
    }
)  # fmt: skip
"""Headers that say nothing of a call."""

_VERSION = "connect-protocol-version"
_WORTH_PACKING = 1_400
_MUCH = 32 * 1024
_GZIP = 16 + zlib.MAX_WBITS
_LONGEST = 86_400.0 * 365
_UNITS = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}


class WebContext:
    """The context of one call, whose request lies in that form in an exchange; ``headers`` go with its answer."""

    def __init__(
        self, exchange: Exchange, rpc: Rpc, form: Form, codec: Json | None, headers: Sequence[tuple[str, str]]
    ) -> None:
        self._exchange = exchange
        self._rpc = rpc
        self._form = form
        self._codec = codec
        self._headers = headers
        self._trailers: Metadata = ()
        self._code = StatusCode.OK
        self._status = Status()

    # --- what a call brings ---------------------------------------------------------------------------------

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """The headers that are not about HTTP."""
        return tuple(each for each in self._exchange.headers if each[0] not in _OF_HTTP)

    def peer(self) -> str:
        """The peer of the connection, as gRPC would name it."""
        return self._exchange.connection.peer

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        """Whom the client's certificate names, under gRPC's names for that."""
        encoded = self._exchange.connection.certificate()
        return _names(x509.load_der_x509_certificate(encoded)) if encoded else {}

    def seconds(self) -> float | None:
        """How long the client waits for all of the answer; raises ``InvalidRequestError``."""
        milliseconds = self._exchange.header("connect-timeout-ms")
        if milliseconds:
            if not re.fullmatch(r"[0-9]{1,10}", milliseconds):
                raise _no_timeout("connect-timeout-ms")
            return min(int(milliseconds) / 1000, _LONGEST)
        text = self._exchange.header("grpc-timeout")
        if text:
            if not re.fullmatch(r"[0-9]{1,8}[HMSmun]", text):
                raise _no_timeout("grpc-timeout")
            return min(int(text[:-1]) * _UNITS[text[-1]], _LONGEST)
        return None

    async def read(self) -> Any:
        """The one message, or gRPC's end of messages."""
        self._check_headers()
        if self._form.protocol is Protocol.CONNECT:
            data = await bodies.whole(self._exchange, self._exchange.header("content-encoding").lower())
            found = [data if self._codec is None else await self._codec.request(data)]
        else:
            found = []
            async for message in self.messages():
                found.append(message)
                if len(found) > 1:
                    raise InvalidRequestError(
                        {
                            "": Sentence(
                                "The body has more than one message; send one.",
                                "Es kam mehr als eine Nachricht; bitte nur eine senden.",
                            )
                        }
                    )
        if found and self._rpc.method.server_streaming:
            self._begin()  # so that a reader knows that it is listened to, before there is anything to tell
        return found[0] if found else grpc.aio.EOF

    async def messages(self) -> AsyncIterator[bytes]:
        """All messages of a client that streams."""
        self._check_headers()
        is_web = self._form.protocol is Protocol.GRPC_WEB
        encoding = self._exchange.header("grpc-encoding" if is_web else "connect-content-encoding").lower()
        async for data in bodies.enveloped(self._exchange, encoding, is_text=self._form.is_text):
            yield data if self._codec is None else await self._codec.request(data)

    def _check_headers(self) -> None:
        """Raises ``InvalidRequestError`` for a time that is none, and for a version of Connect that there is not."""
        self.seconds()
        if self._exchange.header(_VERSION) not in ("", "1"):
            raise InvalidRequestError({_VERSION: Sentence("must be 1", "muss 1 sein")})

    # --- what is answered -----------------------------------------------------------------------------------

    def set_trailing_metadata(self, trailing_metadata: Iterable[tuple[str, str | bytes]]) -> None:
        """What the answer tells beside itself."""
        self._trailers = tuple((key, value) for key, value in trailing_metadata if isinstance(value, str))

    async def write(self, message: Any) -> None:
        """Send a message of a stream, and wait for the reader where he has to read first."""
        data = self._rpc.serialize(message)
        if self._codec is not None:
            data = await self._codec.answer(data)
        exchange = self._exchange
        if not exchange.is_begun:
            self._begin()
        exchange.write(self._form.framed(data))
        if exchange.is_full:
            await exchange.drained()

    async def abort(
        self, code: StatusCode, details: str = "", trailing_metadata: Iterable[tuple[str, str | bytes]] = ()
    ) -> NoReturn:
        """End the call with that code; raises what gRPC raises."""
        self._code = code
        self._status = Status(code=code.value[0], message=details)
        for key, value in trailing_metadata:
            if key == DETAILS_KEY and isinstance(value, bytes):
                self._status = Status.FromString(value)
            elif isinstance(value, str):
                self.set_trailing_metadata(((key, value),))
        raise grpc.aio.AbortError("the call was rejected")

    def code(self) -> StatusCode:
        """The code of the answer as far as it is known."""
        return self._code

    def expire(self) -> None:
        """The client waits no more."""
        self._code = StatusCode.DEADLINE_EXCEEDED
        self._status = Status(
            code=StatusCode.DEADLINE_EXCEEDED.value[0],
            message="The deadline of the call is over.",
        )

    async def finish(self, answer: Answer | None) -> None:
        """Send the answer of a call that has one, or how the call ended."""
        exchange = self._exchange
        data = None if answer is None or self._status.code else self._rpc.serialize(answer)
        if data is not None and self._codec is not None:
            data = await self._codec.answer(data)
        if self._form.protocol is Protocol.CONNECT:
            await self._finish_alone(data)
            return
        if not exchange.is_begun:
            self._begin()
        end = self._form.ended(self._status, self._trailers)
        exchange.write(end if data is None else self._form.framed(data) + end)
        if exchange.is_full:
            await exchange.drained()
        exchange.end()

    async def _finish_alone(self, data: bytes | None) -> None:
        """The answer of Connect to a call with one message either way."""
        headers = [*self._headers, *self._told(), *((f"trailer-{key}", value) for key, value in self._trailers)]
        if data is None:
            body = json.dumps(forms.error(self._status), ensure_ascii=False).encode()
            headers.append(("content-type", "application/json"))
            await self._exchange.answer(forms.http_status(self._status), headers, body)
            return
        headers.append(("content-type", self._form.content_type))
        headers.append(("vary", "accept-encoding"))
        if len(data) > _WORTH_PACKING and accepts(self._exchange.header("accept-encoding"), "gzip"):
            data = _packed(data) if len(data) < _MUCH else await asyncio.to_thread(_packed, data)
            headers.append(("content-encoding", "gzip"))
        await self._exchange.answer(200, headers, data)

    def _begin(self) -> None:
        of_body = [("content-type", self._form.content_type), ("x-accel-buffering", "no")]
        self._exchange.begin(200, [*self._headers, *self._told(), *of_body])

    def _told(self) -> list[tuple[str, str]]:
        """The id of the call, where it can be read before the end."""
        return [each for each in self._trailers if each[0] == HEADER]


def accepts(header: str, encoding: str) -> bool:
    """Whether an ``accept-encoding`` header has that encoding."""
    for part in header.lower().split(","):
        name, _, weight = part.strip().partition(";")
        if name.strip() == encoding:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _packed(data: bytes) -> bytes:
    packing = zlib.compressobj(5, wbits=_GZIP)
    return packing.compress(data) + packing.flush()


def _no_timeout(header: str) -> InvalidRequestError:
    number = "digits" if header == "connect-timeout-ms" else "digits and a unit: H, M, S, m, u or n"
    zahl = "Ziffern" if header == "connect-timeout-ms" else "Ziffern und einer Einheit bestehen: H, M, S, m, u oder n"
    return InvalidRequestError({header: Sentence(f"must be {number}", f"muss aus {zahl}")})


def _names(certificate: x509.Certificate) -> dict[str, list[bytes]]:
    found = {"x509_subject": [certificate.subject.rfc4514_string().encode()]}
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return found
    found["peer_dns"] = [name.encode() for name in names.get_values_for_type(x509.DNSName)]
    found["peer_uri"] = [name.encode() for name in names.get_values_for_type(x509.UniformResourceIdentifier)]
    found["peer_email"] = [name.encode() for name in names.get_values_for_type(x509.RFC822Name)]
    found["peer_ip"] = [str(name).encode() for name in names.get_values_for_type(x509.IPAddress)]
    return found
