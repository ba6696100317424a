"""The TLS certificate of the server. The server reads it again when its files have changed."""

from __future__ import annotations

import os
import ssl
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import structlog
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from boardkeeper.service.config import Config
from boardkeeper.service.config.secret_files import check_private
from boardkeeper.service.errors import SettingError

_log = structlog.get_logger("boardkeeper.tls")
_MAX_FILE_BYTES = 1 << 20
_WARN_BEFORE = timedelta(days=14)

_PROTOCOLS = ["h2", "http/1.1"]
"""The protocols that the server offers with ALPN."""


def certificates_of(config: Config) -> Certificates | None:
    """Return the certificate of the settings, ``None`` without TLS.

    Raises :class:`SettingError`, also if other machines could connect without TLS and ``insecure`` is not set.
    """
    certificates = None
    if config.tls_certificate and config.tls_key:
        ca = Path(config.tls_client_ca) if config.tls_client_ca else None
        certificates = Certificates(Path(config.tls_certificate), Path(config.tls_key), ca)
    else:
        missing = [name for name in ("tls_certificate", "tls_key") if not getattr(config, name)]
        for name in ("tls_certificate", "tls_key", "tls_client_ca"):
            if getattr(config, name):
                raise SettingError(f"{name} needs {' and '.join(missing)} too")
    if certificates is not None and config.insecure:
        raise SettingError("insecure and tls_certificate contradict each other: set only one of them")
    if certificates is not None and all(endpoint.path is not None for endpoint in config.endpoints):
        raise SettingError(f"{config.endpoints[0]} is a Unix socket and uses no TLS: remove tls_certificate")
    for endpoint in config.endpoints:
        if endpoint.is_local or certificates is not None:
            continue
        if not config.insecure:
            raise SettingError(
                f"other machines can reach {endpoint}, and traffic would not be encrypted: set --tls-certificate"
                " and --tls-key, or listen on 127.0.0.1 behind a proxy with TLS, or set --insecure"
            )
    return certificates


def log_security(config: Config, certificates: Certificates | None) -> None:
    """Log which certificate the server has, and which addresses other machines can use without TLS."""
    if certificates is not None:
        certificates.log()
        return
    for endpoint in config.endpoints:
        if not endpoint.is_local:
            _log.warning("traffic is not encrypted", address=str(endpoint), why="--insecure")


class _Loaded(NamedTuple):
    """The checked content of the files."""

    key: bytes
    chain: bytes
    authorities: bytes | None
    certificate: x509.Certificate
    context: ssl.SSLContext


class Certificates:
    """The files of the TLS certificate, of its private key and of the authorities of clients' certificates.

    The server reads them at the start, and again for the first connection after one of them has changed, so a renewed
    certificate needs no restart. If the new files are unusable, the server logs the reason and uses the old one.
    """

    def __init__(self, certificate: Path, key: Path, client_ca: Path | None) -> None:
        """Read the files. Raises :class:`SettingError`."""
        self._certificate = certificate
        self._key = key
        self.client_ca = client_ca
        self._lock = threading.Lock()
        self._problem = ""
        self._file_stamps = self._read_stamps()
        self._loaded = self._load()

    def context(self) -> ssl.SSLContext:
        """Return the context for a handshake that begins now.

        A new context does not resume sessions of an old one, so clients must present a certificate of the new
        authorities.
        """
        return self._current().context

    def credentials(self) -> grpc.ServerCredentials:
        """Return the credentials for grpcio's server, which checks for changes before each handshake."""
        current = self._loaded

        def read_changes() -> Any:  # gRPC calls it in a thread
            nonlocal current
            before, current = current, self._current()
            return None if current is before else _configuration(current)

        return grpc.dynamic_ssl_server_credentials(
            _configuration(current), read_changes, require_client_authentication=self.client_ca is not None
        )

    def log(self) -> None:
        """Log the certificate, with a warning if it expires soon."""
        certificate = self._loaded.certificate
        until = certificate.not_valid_after_utc
        left = until - datetime.now(UTC)
        log = _log.warning if left < _WARN_BEFORE else _log.info
        log(
            "certificate",
            names=", ".join(_names(certificate)),
            until=f"{until:%Y-%m-%d %H:%M} UTC",
            days=left.days,
            clients="need one" if self.client_ca else "need none",
        )

    def _current(self) -> _Loaded:
        """Return the files, read again if they have changed and can be used."""
        with self._lock:
            try:
                stamps = self._read_stamps()
                if stamps != self._file_stamps:
                    self._file_stamps = stamps  # read unusable files again only after they change
                    self._loaded = self._load()
                    self._problem = ""
                    self.log()
            except SettingError as error:
                if str(error) != self._problem:
                    self._problem = str(error)
                    _log.error("the old certificate stays in use", problem=self._problem)
            return self._loaded

    def _read_stamps(self) -> list[tuple[int, int, int]]:
        """Return values that change when a file is replaced."""
        files = [(self._certificate, "tls_certificate"), (self._key, "tls_key")]
        files += [(self.client_ca, "tls_client_ca")] if self.client_ca else []
        return [_stamp(path, what) for path, what in files]

    def _load(self) -> _Loaded:
        chain, key = _read(self._certificate, "tls_certificate"), _read(self._key, "tls_key")
        authorities = _read(self.client_ca, "tls_client_ca") if self.client_ca else None
        check_private(self._key, "the private key")
        certificates = _certificates(chain, self._certificate)
        _check_key(key, self._key, certificates, self._certificate)
        until = certificates[0].not_valid_after_utc
        if until <= datetime.now(UTC):
            raise SettingError(
                f"the certificate in {self._certificate} expired on {until:%Y-%m-%d %H:%M} UTC: renew it"
            )
        if authorities is not None and self.client_ca is not None:
            _certificates(authorities, self.client_ca)
        return _Loaded(key, chain, authorities, certificates[0], self._make_context())

    def _make_context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(_PROTOCOLS)
        try:
            context.load_cert_chain(self._certificate, self._key)
            if self.client_ca is not None:
                context.load_verify_locations(self.client_ca)
                context.verify_mode = ssl.CERT_REQUIRED
                # A resumed session presents no certificate, so the server sends no tickets for resumption.
                context.options |= ssl.OP_NO_TICKET
                context.num_tickets = 0
        except (ssl.SSLError, OSError) as error:
            raise SettingError(f"the certificate in {self._certificate} cannot be used: {error}") from error
        return context


def _configuration(loaded: _Loaded) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration([(loaded.key, loaded.chain)], loaded.authorities)


def _stamp(path: Path, what: str) -> tuple[int, int, int]:
    try:
        found = os.stat(path)  # noqa: PTH116  # Path.stat takes twice as long, for each connection
    except (OSError, ValueError) as error:
        raise _unreadable(path, what, error) from error
    return found.st_mtime_ns, found.st_size, found.st_ino


def _read(path: Path, what: str) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_FILE_BYTES)
    except (OSError, ValueError) as error:
        raise _unreadable(path, what, error) from error


def _unreadable(path: Path, what: str, error: Exception) -> SettingError:
    return SettingError(f"cannot read {path} (from {what}): {getattr(error, 'strerror', None) or error}")


def _certificates(pem: bytes, path: Path) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(pem)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise SettingError(
            f"{path} contains no PEM certificate, which begins with -----BEGIN CERTIFICATE-----"
        ) from error


def _check_key(pem: bytes, path: Path, certificates: list[x509.Certificate], chain: Path) -> None:
    try:
        key = load_pem_private_key(pem, None)
    except TypeError as error:
        raise SettingError(
            f"the private key in {path} has a password: use a key without one, that only you can read"
        ) from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise SettingError(
            f"{path} contains no PEM private key, which begins with -----BEGIN PRIVATE KEY-----"
        ) from error
    if not isinstance(key, EllipticCurvePrivateKey | RSAPrivateKey):
        raise SettingError(f"clients do not accept this kind of private key ({path}): create an ECDSA or RSA key")
    matches = [_public_key(certificate) == _encoded(key.public_key()) for certificate in certificates]
    if not any(matches):
        raise SettingError(f"the private key in {path} does not belong to the certificate in {chain}")
    if not matches[0]:
        raise SettingError(f"the first certificate in {chain} must belong to the key; the authorities follow")


def _public_key(certificate: x509.Certificate) -> bytes:
    try:
        return _encoded(certificate.public_key())
    except (ValueError, UnsupportedAlgorithm):  # an unknown kind of key cannot be ours
        return b""


def _encoded(key: CertificatePublicKeyTypes) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _names(certificate: x509.Certificate) -> list[str]:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return [certificate.subject.rfc4514_string()]
    return [str(name.value) for name in names]
