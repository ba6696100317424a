"""Addresses to listen on: TCP addresses of this machine, and Unix domain sockets."""

from __future__ import annotations

import errno
import os
import re
import socket
import stat
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from boardkeeper.service.errors import SettingError, StartupError

_TCP = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]\s]+):(\d{1,5})", re.ASCII)
_UNIX = "unix:"
_MAX_PATH = 107
"""The most bytes in the path of a Unix socket."""

_CONNECT_SECONDS = 1.0


def split_host_port(text: str) -> tuple[str, int] | None:
    """Split ``HOST:PORT``; return ``None`` for any other text."""
    match = _TCP.fullmatch(text)
    return None if match is None or int(match[2]) > 65535 else (match[1], int(match[2]))


@dataclass(frozen=True)
class Endpoint:
    """A TCP address (``host`` and ``port``) or the ``path`` of a Unix socket."""

    host: str = ""
    port: int = 0
    path: Path | None = None

    @classmethod
    def parse(cls, text: str, setting: str = "listen") -> Endpoint:
        """Read ``HOST:PORT`` or ``unix:PATH``; raises :class:`StartupError`."""
        if text.startswith(_UNIX):
            return cls(path=_socket_path(text.removeprefix(_UNIX)))
        found = split_host_port(text)
        if found is None:
            what, off = ("", "") if setting == "listen" else (f" ({setting})", ", or off")
            raise StartupError(
                f"cannot listen on {text!r}{what}: write HOST:PORT, for example 127.0.0.1:8050, or unix:PATH{off}"
            )
        return cls(*found)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can connect. Host names other than localhost count as remote."""
        if self.path is not None or self.host.lower() == "localhost":
            return True
        try:
            return ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return False

    def at(self, port: int) -> str:
        """Return the address for clients, with the port that was bound."""
        return f"{_UNIX}{self.path}" if self.path is not None else f"{self.host}:{port}"

    def bind(self, *, shares_port: bool = False, receive_buffer: int = 0) -> socket.socket:
        """Return a socket that is bound to the address and does not listen yet. Raises :class:`StartupError`.

        ``shares_port`` lets other processes bind the same port. ``receive_buffer`` is the size of the kernel's buffer
        in bytes; with 0 the kernel chooses it.
        """
        where: Any = str(self.path)
        bound = None
        try:
            if self.path is not None:
                remove_stale_socket(self.path)
                bound = socket.socket(socket.AF_UNIX)
            else:
                family, _, _, _, where = socket.getaddrinfo(
                    self.host.strip("[]"), self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
                )[0]
                bound = socket.socket(family)
                if os.name == "posix":  # on Windows it would let other programs take the port
                    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if shares_port:
                    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            if receive_buffer:
                bound.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            bound.bind(where)
        except OSError as error:
            if bound is not None:
                bound.close()
            raise self.cannot_listen(error) from error
        return bound

    def cannot_listen(self, error: OSError) -> SettingError:
        """Return the error for the start, from an error of ``bind`` or ``listen``."""
        if self.path is not None:
            return SettingError(f"cannot listen on {self}: {error.strerror or error}")
        why = {
            errno.EADDRINUSE: "the port is in use",
            errno.EADDRNOTAVAIL: "the address is not one of this machine",
        }.get(error.errno or 0, error.strerror or str(error))
        return SettingError(f"cannot listen on {self}: {why}; choose another with --listen or --grpc-listen")

    def __str__(self) -> str:
        return self.at(self.port)


def remove_stale_socket(path: Path) -> None:
    """Remove a socket that no process listens on any more, so that its path can be bound again.

    Raises :class:`StartupError`.
    """
    try:
        if not stat.S_ISSOCK(path.stat().st_mode):
            raise StartupError(f"cannot listen on unix:{path}: a file of that name exists that is not a socket")
        with socket.socket(socket.AF_UNIX) as other:
            other.settimeout(_CONNECT_SECONDS)
            other.connect(str(path))
    except ConnectionRefusedError:
        path.unlink(missing_ok=True)
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise StartupError(f"cannot listen on unix:{path}: the folder {path.parent} does not exist") from None
    except OSError as error:
        raise StartupError(f"cannot listen on unix:{path}: {error.strerror or error}") from error
    else:
        raise StartupError(f"cannot listen on unix:{path}: another process listens there")


def _socket_path(text: str) -> Path:
    path = Path("/" + text.lstrip("/") if text.startswith("//") else text).absolute()
    if not text.strip("/"):
        raise StartupError(
            "the path of the Unix socket is missing: write unix:PATH, for example unix:/run/boardkeeper.sock"
        )
    if "\0" in text or len(bytes(path)) > _MAX_PATH:
        raise StartupError(f"{str(path)[:60]!r}… is too long for a Unix socket: its path has at most {_MAX_PATH} bytes")
    return path
