"""The certificate of the service for the port for browsers: the same files as for gRPC, and renewed as there."""

from __future__ import annotations

import ssl
import threading

from boardkeeper.service.edge.tls import Certificates
from boardkeeper.service.errors import SettingError


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
