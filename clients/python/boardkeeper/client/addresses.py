"""Where a service is, as people write it: ``HOST:PORT``, ``https://HOST``, ``unix:PATH``."""

from __future__ import annotations

from dataclasses import dataclass

HTTPS = "https://"
HTTP = "http://"
UNIX = "unix:"
_HTTPS_PORT = 443


@dataclass(frozen=True)
class Address:
    """``target`` is what gRPC connects to, ``host:port`` or ``unix:path``; ``secure`` whether TLS is spoken there."""

    target: str
    secure: bool = False

    @classmethod
    def parse(cls, text: str) -> Address:
        """Without a scheme nothing is encrypted; with ``https://`` the port may be left out. Raises ``ValueError``."""
        if text.startswith(UNIX):
            if not text.removeprefix(UNIX).strip("/"):
                raise ValueError(f"{text!r} must name a socket, for example unix:/run/boardkeeper.sock")
            return cls(text)
        lower = text.lower()
        secure = lower.startswith(HTTPS)
        place = text[len(HTTPS if secure else HTTP) :].removesuffix("/") if lower.startswith((HTTPS, HTTP)) else text
        host, separator, port = place.rpartition(":")
        if secure and place and (not separator or place.endswith("]")):
            host, port = place, str(_HTTPS_PORT)
        if not host or "/" in place or not port.isascii() or not port.isdigit() or int(port) > 65535:
            raise ValueError(f"{text!r} must be HOST:PORT, for example 127.0.0.1:8050, [::1]:8050 or https://HOST")
        return cls(f"{host}:{port}", secure)

    def __str__(self) -> str:
        """In one form, however it was written."""
        return f"{HTTPS}{self.target}" if self.secure else self.target

    @property
    def endpoint(self) -> tuple[str, int] | None:
        """Host and port for a socket of one's own; ``None`` for a Unix socket."""
        if self.target.startswith(UNIX):
            return None
        host, _, port = self.target.rpartition(":")
        return host.strip("[]"), int(port)

    @property
    def path(self) -> str:
        """The name of a Unix socket."""
        path = self.target.removeprefix(UNIX)
        return f"/{path.lstrip('/')}" if path.startswith("//") else path
