"""Encrypted connections: whom a client trusts, which certificate it shows, and why a connection did not come about.

gRPC tells of some failures only that the connection was closed. What two programs misunderstood then is found out by
asking once more, with the standard library's TLS: whether the other side speaks it at all, and what it says of us.
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

_ROOTS = "SSL_CERT_FILE"
"""The variable in which programs are told, the world over, whom to trust."""

_GRPC_ROOTS = ("grpc._cython", "_credentials/roots.pem")
_OTHER_NAME = frozenset({62, 64})
"""OpenSSL's codes for a certificate of another host name, and of another IP address."""

_TLS_THERE = "TLS_THERE"
_SECONDS = 2.0
_PAUSE = 0.2
_MOST_QUESTIONS = 3
_CLOSED = re.compile(r"failed to connect .*(Socket closed|[Cc]onnection re(set|fused)|Endpoint closing|Broken pipe)")
"""How gRPC tells of it; of a name with several addresses it tells what the last of them did, which may be refused."""


@dataclass(frozen=True)
class Tls:
    """Files in PEM for an encrypted connection.

    ``ca_file`` has the certificates of the authorities that are trusted: without it those of ``SSL_CERT_FILE``, if that
    variable is set, else the public ones that gRPC brings along. ``certificate`` and ``key`` are the client's own, for
    services that want to see one.
    """

    ca_file: str | Path = ""
    certificate: str | Path = ""
    key: str | Path = ""

    def credentials(self) -> grpc.ChannelCredentials:
        """What a channel takes; raises ``ValueError`` or ``OSError`` for files that cannot be used."""
        if bool(self.certificate) != bool(self.key):
            raise ValueError("the client certificate and its private key need each other: set both")
        roots, key, certificate = self.roots(), _bytes(self.key), _bytes(self.certificate)
        if self.certificate:
            self.show_certificate(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        return grpc.ssl_channel_credentials(roots, key, certificate)

    def show_certificate(self, context: ssl.SSLContext) -> None:
        """Let a context show the client's own; raises as :meth:`credentials` does."""
        try:
            context.load_cert_chain(self.certificate, self.key, _no_password)
        except ssl.SSLError as error:
            raise ValueError(
                f"{self.certificate} and {self.key} must be a PEM certificate and its private key without a password"
            ) from error

    def roots(self) -> bytes | None:
        """Return the trusted certificates, ``None`` for those of gRPC; raises as :meth:`credentials` does."""
        path = self.ca_file or os.environ.get(_ROOTS, "")
        roots = _bytes(path)
        if roots is None:
            return None
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=roots.decode("ascii", "replace"))
        except (ssl.SSLError, ValueError) as error:  # an empty file is the latter
            raise ValueError(f"{path} contains no PEM certificates") from error
        return roots


def _no_password() -> str:
    return ""  # or OpenSSL would ask at the terminal


def _bytes(path: str | Path) -> bytes | None:
    return Path(path).read_bytes() if path else None


class Line:
    """How one service is reached: where, whether encrypted, and what stands in the way."""

    def __init__(
        self, address: str, tls: Tls | None = None, credentials: grpc.ChannelCredentials | None = None
    ) -> None:
        """``credentials`` are whatever the caller has made, instead of ``tls``; raises as ``Tls.credentials`` does."""
        where = Address.parse(address)
        if tls is not None and credentials is not None:
            raise ValueError("set tls or credentials, not both")
        if tls is not None and not where.secure:
            raise ValueError(f"TLS settings need an https:// address: write https://{where.target}")
        self.address = Address(where.target, where.secure or credentials is not None)
        self._tls = tls or Tls()
        self._questions = _MOST_QUESTIONS if credentials is None else 0
        self.credentials = self._tls.credentials() if where.secure and credentials is None else credentials

    def explained(self, error: Exception) -> Exception:
        """Return the error, or a clearer one if retries cannot help or the connection goes through a proxy."""
        if not isinstance(error, Unavailable):
            return error
        return _told(error.sentence, self.address) or self._with_proxy(error)

    def _with_proxy(self, error: Unavailable) -> Unavailable:
        hint = "" if error.reason else proxy_hint(self.address)  # with a reason it is the service's own answer
        if not hint:
            return error
        made = Unavailable(f"{error.sentence}; {hint}", status=error.status, values=error.values)
        made.retry_after, made.call_id = error.retry_after, error.call_id
        return made

    def wants_asking(self, error: BaseException) -> bool:
        """Whether :meth:`asked` may find out more; after a few times it will not."""
        if not self._questions or not isinstance(error, Unavailable) or not _CLOSED.search(error.sentence):
            return False
        if proxy_variable(self.address):  # `asked` connects directly and would not reach the service behind the proxy
            return False
        self._questions -= 1
        return True

    def asked(self) -> NoSecureConnection | None:
        """What the other side says to another voice; ``None`` if that explains nothing. Takes seconds at most."""
        first = self._asked_once()
        if first is None or first.reason == _TLS_THERE:
            return first
        time.sleep(_PAUSE)  # who hangs up may just have been stopped
        again = self._asked_once()
        return again if again is not None and again.reason == first.reason else None

    def _asked_once(self) -> NoSecureConnection | None:
        address, tls = self.address, self._tls
        if address.endpoint is None:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # we are to be told, and tell nothing: trust plays no part
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        try:
            if address.secure and tls.certificate:
                tls.show_certificate(context)
            with (
                socket.create_connection(address.endpoint, _SECONDS) as plain,
                context.wrap_socket(plain, server_hostname=address.endpoint[0]) as encrypted,
            ):
                if not address.secure:
                    return _speaks_tls(address)
                # In TLS 1.3 only now it says what it thinks of our certificate, or hangs up; else HTTP/2 begins.
                if not encrypted.recv(1):
                    return _not_taken(address, shown=bool(tls.certificate))
            return self._distrusted(address.endpoint)
        except ssl.SSLError as error:
            if "ALERT" in (error.reason or ""):
                return _not_taken(address, shown=bool(tls.certificate)) if address.secure else _speaks_tls(address)
        except (OSError, ValueError):
            pass
        return None

    def _distrusted(self, endpoint: tuple[str, int]) -> NoSecureConnection | None:
        """Return what is wrong with the certificate of the service; ``None`` if it can be trusted. Raises ``OSError``.

        gRPC's error does not say it if the name has several addresses and the last one refuses connections.
        """
        roots = self._tls.roots() or pkgutil.get_data(*_GRPC_ROOTS)
        if roots is None:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=roots.decode("ascii", "replace"))
        context.set_alpn_protocols(["h2"])
        try:
            with socket.create_connection(endpoint, _SECONDS) as plain:
                context.wrap_socket(plain, server_hostname=endpoint[0]).close()
        except ssl.SSLCertVerificationError as error:
            if error.verify_code in _OTHER_NAME:
                return _of_another_name(self.address)
            return _untrusted(self.address, error.verify_message)
        return None


def _told(said: str, address: Address) -> NoSecureConnection | None:
    """What gRPC itself says."""
    if "CERTIFICATE_VERIFY_FAILED" in said:
        why = said.rpartition("CERTIFICATE_VERIFY_FAILED: ")[2].partition(": ")[0]
        return _untrusted(address, why)
    if "Hostname Verification" in said or "not in peer certificate" in said:
        return _of_another_name(address)
    if "WRONG_VERSION_NUMBER" in said:
        return NoSecureConnection(
            f"{address} does not use TLS: on a trusted network, call it as {address.target}, without https://",
            "NO_TLS_THERE",
        )
    return None


def _untrusted(address: Address, why: str) -> NoSecureConnection:
    sentence = f"the certificate of {address} is not trusted ({why}): name the authority that signed it"
    return NoSecureConnection(sentence, "CERTIFICATE_NOT_TRUSTED")


def _of_another_name(address: Address) -> NoSecureConnection:
    sentence = f"{address} has a certificate for another host name: call it by the name in the certificate"
    return NoSecureConnection(sentence, "CERTIFICATE_OF_ANOTHER_NAME")


def _speaks_tls(address: Address) -> NoSecureConnection:
    return NoSecureConnection(f"{address} requires TLS: call it as https://{address}", _TLS_THERE)


def _not_taken(address: Address, *, shown: bool) -> NoSecureConnection:
    if shown:
        sentence = f"{address} does not accept your certificate: use one signed by an authority that it trusts"
        return NoSecureConnection(sentence, "CLIENT_CERTIFICATE_REFUSED")
    sentence = f"{address} requires a client certificate: set one with its private key"
    return NoSecureConnection(sentence, "CLIENT_CERTIFICATE_WANTED")
