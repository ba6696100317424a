"""Addresses of servers: ``HOST:PORT``, ``https://HOST`` or ``unix:PATH``."""

from __future__ import annotations

from dataclasses import dataclass

HTTPS = "https://"
HTTP = "http://"
UNIX = "unix:"
_HTTPS_PORT = 443


@dataclass(frozen=True)
class Address:
    """A parsed address: the ``target`` for gRPC (``host:port`` or ``unix:path``), and whether it uses TLS."""

    target: str
    secure: bool = False

    @classmethod
    def parse(cls, text: str) -> Address:
        """Parse an address. ``https://`` means TLS and has an optional port. Raises ``ValueError``."""
        if text.startswith(UNIX):
            if not text.removeprefix(UNIX).strip("/"):
                raise ValueError(f"{text!r} must name a socket, for example unix:/run/boardkeeper.sock")
            return cls(text)
        lower = text.lower()
        secure = lower.startswith(HTTPS)
        rest = text[len(HTTPS if secure else HTTP) :].removesuffix("/") if lower.startswith((HTTPS, HTTP)) else text
        host, separator, port = rest.rpartition(":")
        if secure and rest and (not separator or rest.endswith("]")):
            host, port = rest, str(_HTTPS_PORT)
        if not host or "/" in rest or not port.isascii() or not port.isdigit() or int(port) > 65535:
            raise ValueError(f"{text!r} must be HOST:PORT, for example 127.0.0.1:8050, [::1]:8050 or https://HOST")
        return cls(f"{host}:{port}", secure)

    def __str__(self) -> str:
        """Return the normalised text of the address."""
        return f"{HTTPS}{self.target}" if self.secure else self.target

    @property
    def host_and_port(self) -> tuple[str, int] | None:
        """The host and port for a socket; ``None`` for a Unix socket."""
        if self.target.startswith(UNIX):
            return None
        host, _, port = self.target.rpartition(":")
        return host.strip("[]"), int(port)

    @property
    def path(self) -> str:
        """The file name of a Unix socket."""
        path = self.target.removeprefix(UNIX)
        return f"/{path.lstrip('/')}" if path.startswith("//") else path
