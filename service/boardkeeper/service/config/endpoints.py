"""Where a service listens: an address of this machine, or a Unix domain socket."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from boardkeeper.service.errors import StartupError

_TCP = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]\s]+):(\d{1,5})", re.ASCII)
_UNIX = "unix:"
_LONGEST_PATH = 107
"""Bytes that the name of a socket can have."""


def host_and_port(text: str) -> tuple[str, int] | None:
    """The parts of ``HOST:PORT``; ``None`` for anything else."""
    match = _TCP.fullmatch(text)
    return None if match is None or int(match[2]) > 65535 else (match[1], int(match[2]))


@dataclass(frozen=True)
class Endpoint:
    """``host`` and ``port``, or else ``path`` of a socket."""

    host: str = ""
    port: int = 0
    path: Path | None = None

    @classmethod
    def parse(cls, text: str, setting: str = "listen") -> Endpoint:
        """Read ``HOST:PORT`` or ``unix:PATH``; raises :class:`StartupError`."""
        if text.startswith(_UNIX):
            return cls(path=_socket_path(text.removeprefix(_UNIX)))
        found = host_and_port(text)
        if found is None:
            what, off = ("", "") if setting == "listen" else (f" ({setting})", ", or off")
            raise StartupError(
                f"cannot listen on {text!r}{what}: write HOST:PORT, for example 127.0.0.1:8050, or unix:PATH{off}"
            )
        return cls(*found)

    @property
    def is_local(self) -> bool:
        """Whether only this machine gets there: over loopback or a socket. A name other than localhost may be any."""
        if self.path is not None or self.host.lower() == "localhost":
            return True
        try:
            return ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return False

    def at(self, port: int) -> str:
        """The address for clients, once the port is known."""
        return f"{_UNIX}{self.path}" if self.path is not None else f"{self.host}:{port}"

    def __str__(self) -> str:
        return self.at(self.port)


def _socket_path(text: str) -> Path:
    path = Path("/" + text.lstrip("/") if text.startswith("//") else text).absolute()
    if not text.strip("/"):
        raise StartupError(
            "the path of the Unix socket is missing: write unix:PATH, for example unix:/run/boardkeeper.sock"
        )
    if "\0" in text or len(bytes(path)) > _LONGEST_PATH:
        raise StartupError(
            f"{str(path)[:60]!r}… is too long for a Unix socket: its path has at most {_LONGEST_PATH} bytes"
        )
    return path
