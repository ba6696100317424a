"""From which pages browsers may call: the service's own, and those that the settings name.

A browser says on whose page a script asks (``Origin``) and to whom (``Host``). Both are looked at before anything is
done, not only by the browser afterwards. On loopback the host has to be one of this machine's names: otherwise the name
of somebody's own server, pointed at 127.0.0.1 for a moment, would make his page one of ours.
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

_SENT = (
    "accept-language, authorization, connect-content-encoding, connect-accept-encoding, connect-protocol-version,"
    " connect-timeout-ms, content-encoding, content-type, grpc-timeout, traceparent, tracestate,"
    f" {KEY_HEADER}, {VIEW_HEADER}, x-game-id, x-grpc-web, {HEADER}, x-user-agent"
)
_TOLD = f"content-encoding, grpc-message, grpc-status, grpc-status-details-bin, trailer-{HEADER}, {HEADER}"
_PREFLIGHT_SECONDS = 7200
_FORM = re.compile(r"https?://(\[[0-9a-f:.]+\]|[^/:\s@\[\]]+)(:\d{1,5})?", re.ASCII)


class Origins:
    """Says who may call. ``named`` are the origins of other pages; a ``local`` port has names of this machine alone."""

    def __init__(self, named: str, *, local: bool) -> None:
        """``named`` is a list with spaces or commas, or ``*``; raises :class:`SettingError`."""
        origins = [_normal(each) for each in named.replace(",", " ").split()]
        self._any = ANY in origins
        self._origins = frozenset(origins)
        self._local = local
        self._hosts = {urlsplit(origin).hostname for origin in origins if origin != ANY}

    def is_host(self, exchange: Exchange) -> bool:
        """Whether a request is addressed to a name of this service."""
        hosts = [value.decode("latin-1") for name, value in exchange.headers if name == b"host"]
        if not hosts and exchange.version == "1.0":
            return True  # HTTP/1.0, which no browser speaks
        if len(hosts) != 1:
            return False
        if not self._local or self._any:
            return True
        name = _hostname(hosts[0])
        return name in self._hosts or _is_of_this_machine(name)

    def may_call(self, exchange: Exchange) -> bool:
        """Whether a call may be carried out that comes from that page, or from none."""
        origin = exchange.header("origin").lower()
        if self._any:
            return True
        if not origin:  # no browser, or one that asks for its own page
            return exchange.header("sec-fetch-site").lower() in ("", "same-origin", "none")
        return origin in self._origins or self._is_own(origin, exchange)

    def headers(self, exchange: Exchange) -> list[tuple[str, str]]:
        """What lets the page read the answer, if it is another one that may."""
        origin = exchange.header("origin")
        if not origin or self._is_own(origin.lower(), exchange) or not self.may_call(exchange):
            return [("vary", "origin")]
        return [
            ("access-control-allow-origin", origin),
            ("access-control-expose-headers", _TOLD),
            ("vary", "origin"),
        ]

    def preflight(self, exchange: Exchange) -> list[tuple[str, str]]:
        """What answers the question whether a page may call."""
        headers = [
            *self.headers(exchange),
            ("access-control-allow-methods", "POST"),
            ("access-control-allow-headers", _SENT),
            ("access-control-max-age", str(_PREFLIGHT_SECONDS)),
        ]
        if exchange.header("access-control-request-private-network"):
            headers.append(("access-control-allow-private-network", "true"))
        return headers

    def _is_own(self, origin: str, exchange: Exchange) -> bool:
        """Whether it is the page of this service, by the name under which it was asked for.

        The scheme is not looked at: a proxy may speak TLS for us.
        """
        return origin.partition("://")[2] == exchange.header("host").lower()


def _normal(origin: str) -> str:
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


def _is_of_this_machine(name: str) -> bool:
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
