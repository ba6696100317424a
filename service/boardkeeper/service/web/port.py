"""The port for browsers as the service opens it, closes it, and is told about it."""

from __future__ import annotations

import asyncio
import errno
import importlib.util
import os
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from boardkeeper.service.config import Config
from boardkeeper.service.edge.guard import Rpc
from boardkeeper.service.edge.listening import make_room
from boardkeeper.service.edge.tls import Certificates
from boardkeeper.service.errors import SettingError, StartupError
from boardkeeper.service.limits.crowds import Crowds
from boardkeeper.service.tallies import CallTallies

if TYPE_CHECKING:
    from boardkeeper.service.web.connections import Rules  # for which packages of an extra are needed
    from boardkeeper.service.web.tls import SecureServer

_log = structlog.get_logger("boardkeeper.web")

_BACKLOG = 512
_HERE = frozenset({"127.0.0.1", "::1", "0.0.0.0", "::"})
_LOOK_SECONDS = 0.02
_STALLS = 2.0
"""A reader is told that it was too slow when it reads on; one that does not is cut off after so many times as long."""


class WebPort:
    """One port, with TLS if there are ``certificates``. Between :meth:`open` and :meth:`close` calls come in."""

    def __init__(self, config: Config, certificates: Certificates | None, *, shares_port: bool) -> None:
        """Raises :class:`StartupError`."""
        endpoint = config.web_endpoint
        if endpoint is None:
            raise TypeError("there is to be no such port")
        from boardkeeper.service.web.origins import Origins  # noqa: PLC0415  # packages of an extra
        from boardkeeper.service.web.tls import Contexts  # noqa: PLC0415

        self._origins = Origins(config.web_origin, local=endpoint.is_local)
        if endpoint.path is not None:
            certificates = None  # a socket never leaves this machine
        self._contexts = Contexts(certificates) if certificates is not None else None
        self._config = config
        self._endpoint = endpoint
        self._shares_port = shares_port
        self._socket: socket.socket | None = None
        self._server: asyncio.Server | SecureServer | None = None
        self._rules: Rules | None = None
        self._path: Path | None = None
        self.address = ""

    @classmethod
    def given(cls, config: Config, certificates: Certificates | None, *, shares_port: bool) -> WebPort | None:
        """The port that the settings name.

        There is none, and the log says why, if it was not asked for and its packages are not installed. Raises
        :class:`StartupError` if it was.
        """
        if config.web_endpoint is None:
            return None
        if importlib.util.find_spec("httptools") is None:
            what = "the HTTP port needs more packages: pip install 'boardkeeper[web]'"
            if config.web != "auto":
                raise SettingError(f"{what}, or remove --web")
            _log.info(what)
            return None
        return cls(config, certificates, shares_port=shares_port)

    def bind(self) -> None:
        """Take the port, on which nobody is listened to yet. Raises :class:`StartupError`."""
        endpoint = self._endpoint
        if endpoint.path is not None:
            self._bind_socket(endpoint.path)
            return
        host = endpoint.host.strip("[]")
        try:
            family, kind, protocol, _, where = socket.getaddrinfo(
                host, endpoint.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            self._socket = socket.socket(family, kind, protocol)
            if os.name == "posix":  # elsewhere it would let others take the port, too
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if self._shares_port:
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            self._socket.bind(where)
            self._socket.listen(_BACKLOG)  # or a port that is busy would be found out too late
        except OSError as error:
            self.discard()
            why = "the port is in use" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
            raise SettingError(
                f"cannot listen for HTTP on {endpoint}: {why}. Choose another address with --web HOST:PORT, or disable"
                " the HTTP port with --no-web"
            ) from error
        port = self._socket.getsockname()[1]
        name = "localhost" if host in _HERE else endpoint.host
        self.address = f"{'http' if self._contexts is None else 'https'}://{name}:{port}"

    def _bind_socket(self, path: Path) -> None:
        try:
            make_room(path)
        except StartupError as error:
            raise SettingError(
                f"{error}. Choose another address with --web, or disable the HTTP port with --no-web"
            ) from error
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.bind(str(path))
            self._path = path
            self._socket.listen(_BACKLOG)
        except OSError as error:
            self.discard()
            raise SettingError(f"cannot listen for HTTP on unix:{path}: {error.strerror or error}") from error
        self.address = str(self._endpoint)

    async def open(
        self, rpcs: Iterable[Rpc], is_well: Callable[[], bool], tallies: CallTallies, crowds: Crowds
    ) -> None:
        """Let calls in, at the port that was taken."""
        if self._socket is None:
            raise TypeError("the port was not taken")
        from boardkeeper.service.web.connections import Connection, Rules  # noqa: PLC0415  # packages of an extra
        from boardkeeper.service.web.files import Files  # noqa: PLC0415
        from boardkeeper.service.web.site import Site  # noqa: PLC0415
        from boardkeeper.service.web.tls import SecureServer  # noqa: PLC0415

        config = self._config
        site = Site(rpcs, self._origins, await asyncio.to_thread(Files), is_well, tallies)
        rules = Rules(
            site.answer,
            tallies.web,
            crowds,
            most=config.connections,
            stalled_seconds=_STALLS * config.slow_reader_seconds,
        )
        self._rules = rules
        if self._contexts is not None:
            self._server = SecureServer(self._socket, self._contexts, rules)
            return
        self._server = await asyncio.get_running_loop().create_server(
            lambda: Connection(rules), sock=self._socket, backlog=_BACKLOG
        )
        if not self._endpoint.is_local:
            _log.warning("HTTP traffic is not encrypted", address=self.address, why="--insecure")

    async def close(self, seconds: float) -> None:
        """Let nobody in any more; what is under way has so many seconds to end."""
        rules = self._rules
        if self._server is None or rules is None:
            self.discard()
            return
        self._remove_socket()
        self._server.close()
        rules.is_closing = True
        for connection in list(rules.open):
            connection.close_if_idle()
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while rules.open and loop.time() < until:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_SECONDS)
        for connection in list(rules.open):
            connection.cut()
        self._server = None

    def discard(self) -> None:
        """Give the port back if it was never opened."""
        if self._server is None and self._socket is not None:
            self._remove_socket()
            self._socket.close()
            self._socket = None

    def _remove_socket(self) -> None:
        """Before it is closed: afterwards the name may be another process's already."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            self._path = None
