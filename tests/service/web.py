"""A simple HTTP/1.1 client that controls every byte, and the bodies of Connect and gRPC-Web."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import socket
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import grpc
from google.protobuf.message import Message
from google.rpc.status_pb2 import Status
from tests.service.api_server import Api, run_service

from boardkeeper.service.process.server import Service
from boardkeeper.wire.errors import ErrorDetails, parse_status

PACKAGE = "/boardkeeper.v1."
CODES = {
    "canceled": 1, "unknown": 2, "invalid_argument": 3, "deadline_exceeded": 4, "not_found": 5, "already_exists": 6,
    "permission_denied": 7, "resource_exhausted": 8, "failed_precondition": 9, "aborted": 10, "out_of_range": 11,
    "unimplemented": 12, "internal": 13, "unavailable": 14, "data_loss": 15, "unauthenticated": 16,
}  # fmt: skip


class WebApi(Api):
    """A server with gRPC stubs, and its HTTP address ``web``."""

    def __init__(self, channel: grpc.aio.Channel, service: Service) -> None:
        super().__init__(channel, service.address)
        self.service = service
        self.web = service.web_address


@asynccontextmanager
async def run_web_server(database: Path | str, **settings: Any) -> AsyncIterator[WebApi]:
    """Run a server that answers browsers."""
    async with run_service(database, **{"web": "127.0.0.1:0"} | settings) as (service, channel):
        yield WebApi(channel, service)


@dataclass
class HttpResponse:
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes = b""

    def json(self) -> Any:
        return json.loads(self.body)

    def status_message(self) -> Status:
        """Return the error of a unary Connect response."""
        return connect_status(self.json())

    def error_details(self) -> ErrorDetails:
        return parse_status(self.status_message())


def connect_status(error: Mapping[str, Any]) -> Status:
    """Return a Connect error as a gRPC status."""
    status = Status(code=CODES[error["code"]], message=error.get("message", ""))
    for detail in error.get("details", ()):
        value = base64.b64decode(detail["value"] + "=" * (-len(detail["value"]) % 4))
        status.details.add(type_url=f"type.googleapis.com/{detail['type']}", value=value)
    return status


@dataclass
class HttpConnection:
    """A connection for HTTP/1.1."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    host: str
    left: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)

    @classmethod
    async def open(
        cls, address: str, tls: ssl.SSLContext | None = None, receives: int = 0, source: str = ""
    ) -> HttpConnection:
        where = urlsplit(address)
        plain = socket.socket(socket.AF_UNIX if where.scheme == "unix" else socket.AF_INET)
        if receives:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        if source:
            plain.bind((source, 0))
        plain.connect(where.path if where.scheme == "unix" else ("127.0.0.1", where.port))
        name = None if tls is None else "localhost"
        reader, writer = await asyncio.open_connection(
            sock=plain, ssl=tls, server_hostname=name, limit=receives or 2**20
        )
        return cls(reader, writer, where.netloc or "localhost")

    def send(self, method: str, path: str, body: bytes | None = b"", **headers: str) -> None:
        """Send a request. With ``body=None`` only its head is sent, without a content length."""
        sent = {"host": self.host} | {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None and (body or method == "POST"):
            sent["content-length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        self.writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + (body or b""))

    async def read_head(self) -> HttpResponse:
        """Read the head of the next response."""
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers: dict[str, str] = {}
        for header in lines[1:]:
            name, separator, value = header.partition(": ")
            if separator:
                headers[name] = f"{headers[name]}, {value}" if name in headers else value
        self.headers = headers
        return HttpResponse(int(lines[0].split()[1]), headers)

    async def read_chunk(self) -> bytes:
        """Read the next chunk of a body. Empty at the end."""
        size = int(await self.reader.readline(), 16)
        data = await self.reader.readexactly(size)
        await self.reader.readexactly(2)
        return data

    async def read_body(self, method: str = "POST") -> bytes:
        """Read the body after a head."""
        body = b""
        if method == "HEAD" or self.headers.get("transfer-encoding") != "chunked":
            length = 0 if method == "HEAD" else int(self.headers.get("content-length", "0"))
            body = await self.reader.readexactly(length)
        else:
            while data := await self.read_chunk():
                body += data
        return gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body

    async def request(self, method: str, path: str, body: bytes | None = b"", **headers: str) -> HttpResponse:
        """Send a request and read the response."""
        self.send(method, path, body, **headers)
        answer = await self.read_head()
        answer.body = await self.read_body(method)
        return answer

    async def read_envelope(self) -> tuple[int, bytes]:
        """Read the next envelope of a stream. Return its flags and its content."""
        while len(self.left) < 5 or len(self.left) < 5 + int.from_bytes(self.left[1:5]):
            data = await self.read_chunk()
            if not data:
                raise EOFError
            self.left += data
        end = 5 + int.from_bytes(self.left[1:5])
        found, self.left = (self.left[0], self.left[5:end]), self.left[end:]
        return found

    async def wait_closed(self) -> bool:
        """Wait until the server closes the connection."""
        with suppress(OSError):
            while await self.reader.read(65536):
                pass
        return True

    def close(self) -> None:
        self.writer.close()


@asynccontextmanager
async def open_connection(
    address: str, tls: ssl.SSLContext | None = None, receives: int = 0, source: str = ""
) -> AsyncIterator[HttpConnection]:
    """Open a connection, optionally from the local address ``source``, with a receive buffer of ``receives`` bytes."""
    connection = await HttpConnection.open(address, tls, receives, source)
    try:
        yield connection
    finally:
        connection.writer.transport.abort()


async def send_request(address: str, method: str, path: str, body: bytes | None = b"", **headers: str) -> HttpResponse:
    """Send one request on a new connection."""
    async with open_connection(address) as connection:
        return await connection.request(method, path, body, **headers)


async def call_json(address: str, rpc: str, request: Any, **headers: str) -> HttpResponse:
    """Call an RPC such as ``Games.GetGame`` with JSON."""
    return await send_request(
        address, "POST", path_of(rpc), json.dumps(request).encode(), content_type="application/json", **headers
    )


async def call_proto(address: str, rpc: str, request: Message, **headers: str) -> HttpResponse:
    """Call an RPC with Connect in the binary format."""
    body = request.SerializeToString()
    return await send_request(address, "POST", path_of(rpc), body, content_type="application/proto", **headers)


def path_of(rpc: str) -> str:
    return PACKAGE + rpc.replace(".", "/")


def envelope(message: bytes, flags: int = 0) -> bytes:
    return bytes((flags,)) + len(message).to_bytes(4) + message


def split_envelopes(body: bytes) -> list[tuple[int, bytes]]:
    """Return the flags and contents of all envelopes of a body."""
    found = []
    while body:
        end = 5 + int.from_bytes(body[1:5])
        found.append((body[0], body[5:end]))
        body = body[end:]
    return found


def parse_trailers(data: bytes) -> dict[str, str]:
    """Return the trailers of a gRPC-Web response."""
    return dict(line.split(": ", 1) for line in data.decode().split("\r\n") if line)


def trailer_status(sent: Mapping[str, str]) -> Status:
    """Return the status in the trailers of a gRPC-Web response."""
    details = sent.get("grpc-status-details-bin", "")
    status = Status.FromString(base64.b64decode(details + "=" * (-len(details) % 4)))
    assert (status.code, status.message) == (int(sent["grpc-status"]), unquote(sent.get("grpc-message", "")))
    return status
