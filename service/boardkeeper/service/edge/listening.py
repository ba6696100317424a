"""Where the service listens and who may do so: in the clear on this machine only, elsewhere with TLS.

Who wants it otherwise has to say so (``insecure``), and the log then repeats it at each start.
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
_MOMENT = 1.0


class Listening:
    """Where a service will listen and with which certificate, checked before anything is opened."""

    def __init__(self, config: Config) -> None:
        """Raises :class:`StartupError` if it cannot be, or must not."""
        self._endpoint = Endpoint.parse(config.listen)
        self._certificates = self.certificates = Certificates.given(config)
        self._refuse_what_is_open(config)

    def bind(self, server: grpc.aio.Server) -> str:
        """Let a server listen there; returns the address for clients. Raises :class:`StartupError`."""
        endpoint, certificates = self._endpoint, self._certificates
        if endpoint.path is not None:
            make_room(endpoint.path)
        try:
            if certificates is None or endpoint.path is not None:
                port = server.add_insecure_port(str(endpoint))
            else:
                port = server.add_secure_port(str(endpoint), certificates.credentials())
        except RuntimeError as error:
            raise self._cannot_listen() from error
        if not port:
            raise self._cannot_listen()
        self._tell()
        return endpoint.at(port)

    def known_as(self, address: str) -> str:
        """How other programs of this machine are told of that address."""
        return address if self._certificates is None else f"https://{address}"

    def _refuse_what_is_open(self, config: Config) -> None:
        secure = self._certificates is not None
        if secure and config.insecure:
            raise SettingError("insecure and tls_certificate contradict each other: set only one of them")
        web = config.web_endpoint
        if secure and self._endpoint.path is not None and (web is None or web.path is not None):
            raise SettingError(f"{self._endpoint} is a Unix socket and uses no TLS: remove tls_certificate")
        if secure or config.insecure:
            return
        for endpoint, flag in ((self._endpoint, ""), (web, "--web ")):
            if endpoint is not None and not endpoint.is_local:
                raise SettingError(
                    f"other machines can reach {endpoint}, and traffic would not be encrypted: set --tls-certificate"
                    f" and --tls-key, or listen on {flag}127.0.0.1 behind a proxy with TLS, or set --insecure"
                )
        # That there are keys is asked for once the database is open (access/required.py).

    def _tell(self) -> None:
        if self._certificates is not None:
            self._certificates.tell()
        elif not self._endpoint.is_local:
            _log.warning("traffic is in the clear", address=str(self._endpoint), why="--insecure")

    def _cannot_listen(self) -> StartupError:
        where = self._endpoint
        if where.path is not None:
            return StartupError(f"cannot listen on {where}: the socket cannot be created")
        return StartupError(
            f"cannot listen on {where}: the port is in use, or the address is not one of this machine;"
            " choose another with --listen"
        )


def make_room(path: Path) -> None:
    """See that nobody listens on a socket, from whom it would be taken away, and remove one that was left behind.

    Raises :class:`StartupError`.
    """
    try:
        if not stat.S_ISSOCK(path.stat().st_mode):
            raise StartupError(f"cannot listen on unix:{path}: a file of that name exists that is not a socket")
        with socket.socket(socket.AF_UNIX) as other:
            other.settimeout(_MOMENT)
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
