"""Formats of requests and answers: gRPC, gRPC-Web and Connect, each binary or JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum
from typing import NamedTuple

from google.protobuf import json_format
from google.protobuf.message import DecodeError
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from boardkeeper.service.transport.framing import CONNECT_END, GRPC_WEB_END, frame
from boardkeeper.service.transport.statuses import DETAILS_KEY, percent_encode
from boardkeeper.wire.convert import serialize

Metadata = Sequence[tuple[str, str]]


class Protocol(Enum):
    """A protocol of calls. The value is the flag of the frame that ends the messages of a body."""

    CONNECT = None
    """The body is one message."""
    CONNECT_STREAM = CONNECT_END
    """The last frame contains the status."""
    GRPC_WEB = GRPC_WEB_END
    """The last frame contains the trailers."""


class MessageFormat(NamedTuple):
    """A content type. ``is_text``: the body is base64, for clients that cannot read a binary stream."""

    content_type: str
    protocol: Protocol
    is_json: bool = False
    is_text: bool = False

    def encode_message(self, data: bytes) -> bytes:
        """Return a serialized message as a part of the answer's body."""
        data = frame(data)
        return base64.b64encode(data) if self.is_text else data

    def encode_end(self, status: Status, metadata: Metadata) -> bytes:
        """Return the frame that ends the answer's body."""
        if self.protocol is Protocol.GRPC_WEB:
            data = frame(_trailers(status, metadata), GRPC_WEB_END)
            return base64.b64encode(data) if self.is_text else data
        end: dict[str, object] = {"metadata": {key: [value] for key, value in metadata}}
        if status.code:
            end["error"] = encode_error(status)
        return frame(json.dumps(end, ensure_ascii=False).encode(), CONNECT_END)


FORMATS = {
    each.content_type: each
    for each in (
        MessageFormat("application/proto", Protocol.CONNECT),
        MessageFormat("application/json", Protocol.CONNECT, is_json=True),
        MessageFormat("application/connect+proto", Protocol.CONNECT_STREAM),
        MessageFormat("application/connect+json", Protocol.CONNECT_STREAM, is_json=True),
        MessageFormat("application/grpc-web", Protocol.GRPC_WEB),
        MessageFormat("application/grpc-web+proto", Protocol.GRPC_WEB),
        MessageFormat("application/grpc-web+json", Protocol.GRPC_WEB, is_json=True),
        MessageFormat("application/grpc-web-text", Protocol.GRPC_WEB, is_text=True),
        MessageFormat("application/grpc-web-text+proto", Protocol.GRPC_WEB, is_text=True),
    )
}
"""The formats for browsers, by content type."""


def find_format(content_type: str) -> MessageFormat | None:
    """Return the format of a content type, without its parameters."""
    return FORMATS.get(content_type.partition(";")[0].strip().lower())


_HTTP = {
    StatusCode.CANCELLED: ("canceled", 408),
    StatusCode.UNKNOWN: ("unknown", 500),
    StatusCode.INVALID_ARGUMENT: ("invalid_argument", 400),
    StatusCode.DEADLINE_EXCEEDED: ("deadline_exceeded", 504),
    StatusCode.NOT_FOUND: ("not_found", 404),
    StatusCode.ALREADY_EXISTS: ("already_exists", 409),
    StatusCode.PERMISSION_DENIED: ("permission_denied", 403),
    StatusCode.RESOURCE_EXHAUSTED: ("resource_exhausted", 429),
    StatusCode.FAILED_PRECONDITION: ("failed_precondition", 400),
    StatusCode.ABORTED: ("aborted", 409),
    StatusCode.OUT_OF_RANGE: ("out_of_range", 400),
    StatusCode.UNIMPLEMENTED: ("unimplemented", 501),
    StatusCode.INTERNAL: ("internal", 500),
    StatusCode.UNAVAILABLE: ("unavailable", 503),
    StatusCode.DATA_LOSS: ("data_loss", 500),
    StatusCode.UNAUTHENTICATED: ("unauthenticated", 401),
}
_NAMES = {code.value[0]: name for code, (name, _) in _HTTP.items()}
_STATUSES = {code.value[0]: status for code, (_, status) in _HTTP.items()}


def http_status(status: Status) -> int:
    """Return the HTTP status of an error in Connect."""
    return _STATUSES.get(status.code, 500)


def encode_error(status: Status) -> dict[str, object]:
    """Return an error in the JSON form of Connect. Details are binary for programs, and readable as ``debug``."""
    details = []
    for packed in status.details:
        detail: dict[str, object] = {
            "type": packed.TypeName(),
            "value": base64.b64encode(packed.value).rstrip(b"=").decode(),
        }
        with suppress(TypeError, DecodeError):  # of an unknown type; the binary form is enough
            readable = json_format.MessageToDict(packed)
            detail["debug"] = {key: value for key, value in readable.items() if key != "@type"}
        details.append(detail)
    return {"code": _NAMES.get(status.code, "unknown"), "message": status.message, "details": details}


def _trailers(status: Status, metadata: Metadata) -> bytes:
    lines = [f"grpc-status: {status.code}"]
    if status.code:
        lines.append(f"grpc-message: {percent_encode(status.message)}")
        lines.append(f"{DETAILS_KEY}: {base64.b64encode(serialize(status)).decode()}")
    lines += [f"{key}: {value}" for key, value in metadata]
    return "".join(f"{line}\r\n" for line in lines).encode()
