"""Helpers for ASGI requests: the client's address and certificate, timeouts, and answers in plain text."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any
from urllib.parse import quote

from cryptography import x509

from boardkeeper.service.requests.errors import invalid

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

CERTIFICATE = "boardkeeper.client_certificate"
"""The extension of a scope with the client's verified certificate in DER form; absent without mutual TLS."""

_MAX_SECONDS = 86_400.0 * 365
_UNITS = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
_GRPC_TIMEOUT = re.compile(r"[0-9]{1,20}[HMSmun]")


def peer_of(scope: Scope) -> str:
    """Return the peer in gRPC's notation, for example ``ipv4:127.0.0.1:4321`` or ``unix:``."""
    return peer_name(scope["client"])


def peer_name(address: Any) -> str:
    """Return an address of a socket in gRPC's notation."""
    if not isinstance(address, tuple):
        return "unix:"
    host, port = str(address[0]), address[1]
    return f"ipv6:{quote(f'[{host}]', safe='')}:{port}" if ":" in host else f"ipv4:{host}:{port}"


def certificate_names(scope: Scope) -> Mapping[str, Iterable[bytes]]:
    """Return the names in the client's certificate under gRPC's keys, such as ``peer_dns``; empty without one."""
    encoded = scope.get("extensions", {}).get(CERTIFICATE)
    if not encoded:
        return {}
    certificate = x509.load_der_x509_certificate(encoded)
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


def grpc_timeout(text: str) -> float:
    """Return the seconds in a ``grpc-timeout`` header, at most a year. Raises ``InvalidRequestError``."""
    if not _GRPC_TIMEOUT.fullmatch(text):
        raise invalid("grpc-timeout", "grpc_timeout")
    return min(int(text[:-1]) * _UNITS[text[-1]], _MAX_SECONDS)


def connect_timeout(text: str) -> float:
    """Return the seconds in a ``connect-timeout-ms`` header, at most a year. Raises ``InvalidRequestError``."""
    if not re.fullmatch(r"[0-9]{1,10}", text):
        raise invalid("connect-timeout-ms", "connect_timeout")
    return min(int(text) / 1000, _MAX_SECONDS)


async def answer_text(send: Send, status: int, text: str, *headers: tuple[bytes, bytes]) -> None:
    """Answer a request with plain text."""
    body = text.encode()
    await send({"type": "http.response.start", "status": status, "headers": [*text_headers(body), *headers]})
    await send({"type": "http.response.body", "body": body})


def text_headers(body: bytes) -> list[tuple[bytes, bytes]]:
    """Return the headers of a body in plain text."""
    return [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(body))]
