"""Origins: the web pages that can call the server from a browser, by default only the server's own pages.

A browser sends the origin of the page (``Origin``) and the host that it calls (``Host``). The server checks both before
it carries out a call. On loopback the host must be a name of this machine, against DNS rebinding: an attacker could
otherwise point the name of a web page at 127.0.0.1, and its scripts would have the same origin as the server.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from boardkeeper.service.errors import SettingError
from boardkeeper.service.transport.call import KEY_HEADER, VIEW_HEADER
from boardkeeper.service.transport.call_ids import HEADER
from boardkeeper.service.transport.exchange import Exchange

ANY = "*"

_REQUEST_HEADERS = (
    "accept-language, authorization, connect-content-encoding, connect-accept-encoding, connect-protocol-version,"
    " connect-timeout-ms, content-encoding, content-type, grpc-timeout, traceparent, tracestate,"
    f" {KEY_HEADER}, {VIEW_HEADER}, x-game-id, x-grpc-web, {HEADER}, x-user-agent"
)
_RESPONSE_HEADERS = f"content-encoding, grpc-message, grpc-status, grpc-status-details-bin, trailer-{HEADER}, {HEADER}"
_PREFLIGHT_SECONDS = 7200
_FORM = re.compile(r"https?://(\[[0-9a-f:.]+\]|[^/:\s@\[\]]+)(:\d{1,5})?", re.ASCII)


class Origins:
    """The origins that can call. A ``local`` server accepts only local hosts."""

    def __init__(self, allowed: str, *, local: bool) -> None:
        """``allowed`` is ``*``, or a list of other origins with spaces or commas. Raises :class:`SettingError`."""
        origins = [_normalize(each) for each in allowed.replace(",", " ").split()]
        self._any = ANY in origins
        self._origins = frozenset(origins)
        self._local = local
        self._hosts = {urlsplit(origin).hostname for origin in origins if origin != ANY}

    def is_host(self, exchange: Exchange) -> bool:
        """Return whether the ``Host`` of a request is a name of this server."""
        hosts = [value.decode("latin-1") for name, value in exchange.headers if name == b"host"]
        if not hosts and exchange.version == "1.0":
            return True  # HTTP/1.0: not a browser
        if len(hosts) != 1:
            return False
        if not self._local or self._any:
            return True
        name = _hostname(hosts[0])
        return name in self._hosts or _is_local(name)

    def may_call(self, exchange: Exchange) -> bool:
        """Return whether the page that sent a request can call. Requests that no page sent can."""
        origin = exchange.header("origin").lower()
        if self._any:
            return True
        if not origin:  # no browser, or a page of this server
            return exchange.header("sec-fetch-site").lower() in ("", "same-origin", "none")
        return origin in self._origins or self._is_own(origin, exchange)

    def headers(self, exchange: Exchange) -> list[tuple[str, str]]:
        """Return the headers that let a page of a different origin read the answer, if it can call."""
        origin = exchange.header("origin")
        if not origin or self._is_own(origin.lower(), exchange) or not self.may_call(exchange):
            return [("vary", "origin")]
        return [
            ("access-control-allow-origin", origin),
            ("access-control-expose-headers", _RESPONSE_HEADERS),
            ("vary", "origin"),
        ]

    def preflight(self, exchange: Exchange) -> list[tuple[str, str]]:
        """Return the headers of the answer to a CORS preflight request."""
        headers = [
            *self.headers(exchange),
            ("access-control-allow-methods", "POST"),
            ("access-control-allow-headers", _REQUEST_HEADERS),
            ("access-control-max-age", str(_PREFLIGHT_SECONDS)),
        ]
        if exchange.header("access-control-request-private-network"):
            headers.append(("access-control-allow-private-network", "true"))
        return headers

    def _is_own(self, origin: str, exchange: Exchange) -> bool:
        """Return whether a page belongs to this server, by the host of the request.

        The scheme can differ, because a proxy can add TLS.
        """
        return origin.partition("://")[2] == exchange.header("host").lower()


def _normalize(origin: str) -> str:
    if origin == ANY:
        return origin
    found = _FORM.fullmatch(origin.lower().removesuffix("/"))
    if found is None:
        raise SettingError(
            f"web_origin: {origin!r} is not an origin. Write it without a path, as in https://games.example.org,"
            " or write * to allow every origin"
        )
    usual = ":443" if found[0].startswith("https") else ":80"
    return found[0].removesuffix(usual) if found[2] == usual else found[0]


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_local(name: str) -> bool:
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
