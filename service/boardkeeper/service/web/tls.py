"""TLS at the port for browsers: the certificate is that of gRPC, and renewed as there."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading

import structlog

from boardkeeper.service.edge.tls import Certificates
from boardkeeper.service.errors import SettingError
from boardkeeper.service.web.connections import Connection, Rules, named

_log = structlog.get_logger("boardkeeper.web")

_HANDSHAKE_SECONDS = 20.0
_FAREWELL_SECONDS = 2.0
_BREATH_SECONDS = 1.0


def context_of(certificates: Certificates) -> ssl.SSLContext:
    """What a server takes; at each handshake it asks whether there is something newer. Raises :class:`SettingError`."""
    return _Renewing(certificates).context


class _Renewing:
    def __init__(self, certificates: Certificates) -> None:
        self._certificates = certificates
        self._lock = threading.Lock()
        self._marks = certificates.current
        self._latest = self.context = self._made()

    def _made(self) -> ssl.SSLContext:
        files = self._certificates
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        try:
            context.load_cert_chain(files.certificate, files.key)
            if files.client_ca is not None:
                context.load_verify_locations(files.client_ca)
                context.verify_mode = ssl.CERT_REQUIRED
        except (ssl.SSLError, OSError) as error:
            raise SettingError(f"the certificate in {files.certificate} cannot be used: {error}") from error
        context.sni_callback = self._renew
        return context

    def _renew(self, connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
        """Called at each handshake, whatever host it names."""
        with self._lock:
            self._certificates.look()
            if self._certificates.current != self._marks:
                self._marks = self._certificates.current
                try:
                    self._latest = self._made()
                except SettingError:  # replaced again at this moment: the next handshake looks again
                    self._marks = ()
            connection.context = self._latest


class SecureServer:
    """Takes connections, each with a handshake first, in which it counts as one: else handshakes had no limit."""

    def __init__(self, listening: socket.socket, context: ssl.SSLContext, rules: Rules) -> None:
        listening.setblocking(False)
        self._socket = listening
        self._context = context
        self._rules = rules
        self._handshakes: set[asyncio.Task[None]] = set()
        self._task = asyncio.create_task(self._accept())
        self._task.add_done_callback(lambda _: listening.close())

    def close(self) -> None:
        """Take no more; what is in its handshake has gone then."""
        for task in (self._task, *self._handshakes):
            task.cancel()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                taken, peer = await loop.sock_accept(self._socket)
            except ConnectionError:
                continue  # it went before it was taken
            except OSError as error:
                _log.warning("connections cannot be taken", why=error.strerror)  # too many files are open, for example
                await asyncio.sleep(_BREATH_SECONDS)
                continue
            connection = Connection(self._rules)
            if not self._rules.take(connection, named(peer)):
                taken.close()
                continue
            task = loop.create_task(self._shake_hands(connection, taken))
            self._handshakes.add(task)
            task.add_done_callback(self._handshakes.discard)

    async def _shake_hands(self, connection: Connection, taken: socket.socket) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: connection,
                taken,
                ssl=self._context,
                ssl_handshake_timeout=_HANDSHAKE_SECONDS,
                ssl_shutdown_timeout=_FAREWELL_SECONDS,
            )
        except OSError:
            pass  # it has gone, or speaks no TLS that we would
        finally:
            if not connection.is_made:
                self._rules.let_go(connection)
