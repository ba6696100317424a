"""TLS contexts of the front: the certificate is read again after its files have changed."""

from __future__ import annotations

import ssl

from boardkeeper.service.edge.tls import Certificates
from boardkeeper.service.errors import SettingError

_PROTOCOLS = ["h2", "http/1.1"]
"""What the server offers by ALPN."""


class Contexts:
    """Makes TLS contexts of the certificate's files: one at a time, and a new one after a file has changed.

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
        context.set_alpn_protocols(_PROTOCOLS)
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
