"""TLS at the port for browsers: the certificate is that of gRPC, and renewed as there."""

from __future__ import annotations

import asyncio
import socket
import ssl

import structlog

from boardkeeper.service.edge.tls import Certificates
from boardkeeper.service.errors import SettingError
from boardkeeper.service.web.connections import Connection, Rules, named

_log = structlog.get_logger("boardkeeper.web")

_HANDSHAKE_SECONDS = 20.0
_FAREWELL_SECONDS = 2.0
_BREATH_SECONDS = 1.0


class Contexts:
    """TLS contexts made of the certificate's files: one at a time, and a new one after a file has changed.

    A new context does not know the sessions of the one before: a client that resumes one has to show a certificate
    that the authorities of now have signed.
    """

    def __init__(self, certificates: Certificates) -> None:
        """Raises :class:`SettingError`."""
        self._certificates = certificates
        self._marks = certificates.current
        self._context = self._build()

    def current(self) -> ssl.SSLContext:
        """Return the context for a handshake that begins now."""
        self._certificates.look()
        if self._certificates.current != self._marks:
            self._marks = self._certificates.current
            try:
                self._context = self._build()
            except SettingError:  # replaced again at this moment: the next handshake tries again
                self._marks = ()
        return self._context

    def _build(self) -> ssl.SSLContext:
        files = self._certificates
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        try:
            context.load_cert_chain(files.certificate, files.key)
            if files.client_ca is not None:
                context.load_verify_locations(files.client_ca)
                context.verify_mode = ssl.CERT_REQUIRED
                # A resumed session shows no certificate, so clients get no tickets to resume one with.
                context.options |= ssl.OP_NO_TICKET
                context.num_tickets = 0
        except (ssl.SSLError, OSError) as error:
            raise SettingError(f"the certificate in {files.certificate} cannot be used: {error}") from error
        return context


class SecureServer:
    """Takes connections, each with a handshake first, in which it counts as one: else handshakes had no limit."""

    def __init__(self, listening: socket.socket, contexts: Contexts, rules: Rules) -> None:
        listening.setblocking(False)
        self._socket = listening
        self._contexts = contexts
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
                _log.warning("cannot accept connections", why=error.strerror)  # too many files are open, for example
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
                ssl=self._contexts.current(),
                ssl_handshake_timeout=_HANDSHAKE_SECONDS,
                ssl_shutdown_timeout=_FAREWELL_SECONDS,
            )
        except OSError:
            pass  # it has gone, or speaks no TLS that we would
        finally:
            if not connection.is_made:
                self._rules.let_go(connection)
