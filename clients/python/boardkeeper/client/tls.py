"""TLS settings, and diagnosis of failed TLS connections.

For some failures gRPC only reports that the connection was closed. Then the client connects again with the ``ssl``
module, to find out whether the server uses TLS and which alert it sends.
"""

from __future__ import annotations

import os
import pkgutil
import re
import socket
import ssl
import time
from dataclasses import dataclass
from pathlib import Path

import grpc

from boardkeeper.client.addresses import Address
from boardkeeper.client.errors import NoSecureConnection, Unavailable
from boardkeeper.client.proxies import proxy_hint, proxy_variable

_ROOTS_VARIABLE = "SSL_CERT_FILE"
_GRPC_ROOTS = ("grpc._cython", "_credentials/roots.pem")
_NAME_MISMATCH = frozenset({62, 64})
"""OpenSSL's error codes for a certificate with another host name, and with another IP address."""

_TLS_THERE = "TLS_THERE"
_TIMEOUT_SECONDS = 2.0
_PAUSE_SECONDS = 0.2
_MAX_DIAGNOSES = 3
_CLOSED = re.compile(r"failed to connect .*(Socket closed|[Cc]onnection re(set|fused)|Endpoint closing|Broken pipe)")
"""Errors of gRPC that may hide a TLS failure. For a host with several addresses gRPC only reports the last one."""


@dataclass(frozen=True)
class Tls:
    """PEM files for an encrypted connection.

    ``ca_file`` contains the trusted certificate authorities; by default those of the variable ``SSL_CERT_FILE``, or the
    public ones that gRPC contains. ``certificate`` and ``key`` are the client's own, for servers that require them.
    """

    ca_file: str | Path = ""
    certificate: str | Path = ""
    key: str | Path = ""

    def credentials(self) -> grpc.ChannelCredentials:
        """Return the credentials for a channel. Raises ``ValueError`` or ``OSError`` for unusable files."""
        if bool(self.certificate) != bool(self.key):
            raise ValueError("the client certificate and its private key need each other: set both")
        roots, key, certificate = self.roots(), _read_file(self.key), _read_file(self.certificate)
        if self.certificate:
            self.load_certificate(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        return grpc.ssl_channel_credentials(roots, key, certificate)

    def load_certificate(self, context: ssl.SSLContext) -> None:
        """Load the client's certificate into a context. Raises the errors of :meth:`credentials`."""
        try:
            # Without the callback, OpenSSL would ask for a password on the terminal.
            context.load_cert_chain(self.certificate, self.key, lambda: "")
        except ssl.SSLError as error:
            raise ValueError(
                f"{self.certificate} and {self.key} must be a PEM certificate and its private key without a password"
            ) from error

    def roots(self) -> bytes | None:
        """Return the trusted certificates; ``None`` for those of gRPC. Raises the errors of :meth:`credentials`."""
        path = self.ca_file or os.environ.get(_ROOTS_VARIABLE, "")
        roots = _read_file(path)
        if roots is None:
            return None
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=roots.decode("ascii", "replace"))
        except (ssl.SSLError, ValueError) as error:  # an empty file raises ValueError
            raise ValueError(f"{path} contains no PEM certificates") from error
        return roots


def _read_file(path: str | Path) -> bytes | None:
    return Path(path).read_bytes() if path else None


class Endpoint:
    """The address of a server, the credentials to use there, and the diagnosis of failed connections to it."""

    def __init__(
        self, address: str, tls: Tls | None = None, credentials: grpc.ChannelCredentials | None = None
    ) -> None:
        """Pass ``tls`` or ``credentials``, not both. Raises the errors of :meth:`Tls.credentials`."""
        parsed = Address.parse(address)
        if tls is not None and credentials is not None:
            raise ValueError("set tls or credentials, not both")
        if tls is not None and not parsed.secure:
            raise ValueError(f"TLS settings need an https:// address: write https://{parsed.target}")
        self.address = Address(parsed.target, parsed.secure or credentials is not None)
        self._tls = tls or Tls()
        self._diagnoses_left = _MAX_DIAGNOSES if credentials is None else 0
        self.credentials = self._tls.credentials() if parsed.secure and credentials is None else credentials

    def explain(self, error: Exception) -> Exception:
        """Return the error, or a clearer one if retries cannot help or the connection goes through a proxy."""
        if not isinstance(error, Unavailable):
            return error
        return _recognize(error.sentence, self.address) or self._mention_proxy(error)

    def _mention_proxy(self, error: Unavailable) -> Unavailable:
        hint = "" if error.reason else proxy_hint(self.address)  # errors with a reason come from the server itself
        if not hint:
            return error
        extended = Unavailable(f"{error.sentence}; {hint}", status=error.status, values=error.values)
        extended.retry_after, extended.call_id = error.retry_after, error.call_id
        return extended

    def can_diagnose(self, error: BaseException) -> bool:
        """Return whether :meth:`diagnose` may find the cause of an error. True at most ``_MAX_DIAGNOSES`` times."""
        if not self._diagnoses_left or not isinstance(error, Unavailable) or not _CLOSED.search(error.sentence):
            return False
        if proxy_variable(self.address):  # a diagnosis connects directly and would not reach a server behind a proxy
            return False
        self._diagnoses_left -= 1
        return True

    def diagnose(self) -> NoSecureConnection | None:
        """Connect to the server to find out why TLS fails; ``None`` if no cause was found. Blocks for seconds."""
        first = self._diagnose_once()
        if first is None or first.reason == _TLS_THERE:
            return first
        time.sleep(_PAUSE_SECONDS)  # the server may have closed the connection because it was shutting down
        second = self._diagnose_once()
        return second if second is not None and second.reason == first.reason else None

    def _diagnose_once(self) -> NoSecureConnection | None:
        address, tls = self.address, self._tls
        if address.host_and_port is None:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # no data is sent, so an untrusted server is no risk
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        try:
            if address.secure and tls.certificate:
                tls.load_certificate(context)
            with (
                socket.create_connection(address.host_and_port, _TIMEOUT_SECONDS) as plain,
                context.wrap_socket(plain, server_hostname=address.host_and_port[0]) as encrypted,
            ):
                if not address.secure:
                    return _tls_required_error(address)
                # In TLS 1.3 the server rejects a client certificate only after the handshake. Else HTTP/2 begins.
                if not encrypted.recv(1):
                    return _client_certificate_error(address, was_sent=bool(tls.certificate))
            return self._check_server_certificate(address.host_and_port)
        except ssl.SSLError as error:
            if "ALERT" in (error.reason or ""):
                if not address.secure:
                    return _tls_required_error(address)
                return _client_certificate_error(address, was_sent=bool(tls.certificate))
        except (OSError, ValueError):
            pass
        return None

    def _check_server_certificate(self, host_and_port: tuple[str, int]) -> NoSecureConnection | None:
        """Return an error if the server's certificate is not trusted, else ``None``. Raises ``OSError``.

        gRPC does not report this if the host has several addresses and the last one rejects connections.
        """
        roots = self._tls.roots() or pkgutil.get_data(*_GRPC_ROOTS)
        if roots is None:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=roots.decode("ascii", "replace"))
        context.set_alpn_protocols(["h2"])
        try:
            with socket.create_connection(host_and_port, _TIMEOUT_SECONDS) as plain:
                context.wrap_socket(plain, server_hostname=host_and_port[0]).close()
        except ssl.SSLCertVerificationError as error:
            if error.verify_code in _NAME_MISMATCH:
                return _other_name_error(self.address)
            return _untrusted_error(self.address, error.verify_message)
        return None


def _recognize(message: str, address: Address) -> NoSecureConnection | None:
    """Return a clear error for a message of gRPC about TLS."""
    if "CERTIFICATE_VERIFY_FAILED" in message:
        reason = message.rpartition("CERTIFICATE_VERIFY_FAILED: ")[2].partition(": ")[0]
        return _untrusted_error(address, reason)
    if "Hostname Verification" in message or "not in peer certificate" in message:
        return _other_name_error(address)
    if "WRONG_VERSION_NUMBER" in message:
        return NoSecureConnection(
            f"{address} does not use TLS: on a trusted network, call it as {address.target}, without https://",
            "NO_TLS_THERE",
        )
    return None


def _untrusted_error(address: Address, reason: str) -> NoSecureConnection:
    sentence = f"the certificate of {address} is not trusted ({reason}): name the authority that signed it"
    return NoSecureConnection(sentence, "CERTIFICATE_NOT_TRUSTED")


def _other_name_error(address: Address) -> NoSecureConnection:
    sentence = f"{address} has a certificate for another host name: call it by the name in the certificate"
    return NoSecureConnection(sentence, "CERTIFICATE_OF_ANOTHER_NAME")


def _tls_required_error(address: Address) -> NoSecureConnection:
    return NoSecureConnection(f"{address} requires TLS: call it as https://{address}", _TLS_THERE)


def _client_certificate_error(address: Address, *, was_sent: bool) -> NoSecureConnection:
    if was_sent:
        sentence = f"{address} does not accept your certificate: use one signed by an authority that it trusts"
        return NoSecureConnection(sentence, "CLIENT_CERTIFICATE_REFUSED")
    sentence = f"{address} requires a client certificate: set one with its private key"
    return NoSecureConnection(sentence, "CLIENT_CERTIFICATE_WANTED")
