"""Check the addresses on which the service listens: without TLS only this machine may reach them.

The setting ``insecure`` permits others, and the log then says so at each start.
"""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import grpc
import structlog

from boardkeeper.service.config import Config
from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.edge.tls import Certificates
from boardkeeper.service.errors import SettingError, StartupError

_log = structlog.get_logger("boardkeeper.listening")
_CONNECT_SECONDS = 1.0


class Listening:
    """The addresses and the certificate of a service, checked before anything is opened."""

    def __init__(self, config: Config) -> None:
        """Raises :class:`StartupError` if the service cannot listen there, or must not."""
        self.certificates = Certificates.given(config)
        self._grpcio = config.grpcio_endpoint
        self._endpoints = config.endpoints
        self._check_encryption(config)

    def tell(self) -> None:
        """Log which certificate the service has."""
        if self.certificates is not None:
            self.certificates.tell()

    def bind_grpcio(self, server: grpc.aio.Server) -> str:
        """Let grpcio's server listen; return the address for clients. Raises :class:`StartupError`."""
        endpoint, certificates = self._grpcio, self.certificates
        if endpoint is None:
            raise TypeError("grpcio's server is not to listen")
        if endpoint.path is not None:
            make_room(endpoint.path)
        try:
            if certificates is None or endpoint.path is not None:
                port = server.add_insecure_port(str(endpoint))
            else:
                port = server.add_secure_port(str(endpoint), certificates.credentials())
        except RuntimeError as error:
            raise _cannot_listen(endpoint) from error
        if not port:
            raise _cannot_listen(endpoint)
        if certificates is None and not endpoint.is_local:
            _log.warning("traffic is not encrypted", address=str(endpoint), why="--insecure")
        return endpoint.at(port)

    def known_as(self, address: str) -> str:
        """Return an address as other programs of this machine use it."""
        return address if self.certificates is None or address.startswith("unix:") else f"https://{address}"

    def _check_encryption(self, config: Config) -> None:
        secure = self.certificates is not None
        if secure and config.insecure:
            raise SettingError("insecure and tls_certificate contradict each other: set only one of them")
        if secure and all(endpoint.path is not None for endpoint in self._endpoints):
            raise SettingError(f"{self._endpoints[0]} is a Unix socket and uses no TLS: remove tls_certificate")
        if secure or config.insecure:
            return
        for endpoint in self._endpoints:
            if not endpoint.is_local:
                raise SettingError(
                    f"other machines can reach {endpoint}, and traffic would not be encrypted: set --tls-certificate"
                    " and --tls-key, or listen on 127.0.0.1 behind a proxy with TLS, or set --insecure"
                )
        # That there are keys is checked once the database is open (access/required.py).


def _cannot_listen(endpoint: Endpoint) -> StartupError:
    if endpoint.path is not None:
        return StartupError(f"cannot listen on {endpoint}: the socket cannot be created")
    return StartupError(
        f"cannot listen on {endpoint}: the port is in use, or the address is not one of this machine;"
        " choose another with --grpc-listen"
    )


def make_room(path: Path) -> None:
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
