"""The certificate of the service: read, checked, and read again when it was renewed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import grpc
import structlog
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from boardkeeper.service.config import Config
from boardkeeper.service.config.secrets import check_private
from boardkeeper.service.errors import SettingError

_log = structlog.get_logger("boardkeeper.tls")
_LARGEST_FILE = 1 << 20
_SOON = timedelta(days=14)

_Marks = tuple[tuple[int, int, int], ...]
"""What tells whether files are others than before."""


class Certificates:
    """The files of the TLS certificate, of its private key and of the authorities that sign clients' certificates.

    The server reads them at the start, and again for the first connection after one of them has changed: a renewed
    certificate needs no restart. If the new files are unusable, the server logs why and uses the old certificate.
    """

    def __init__(self, certificate: Path, key: Path, client_ca: Path | None) -> None:
        """Raises :class:`SettingError`, which says what to do."""
        self.certificate = certificate
        self.key = key
        self.client_ca = client_ca
        self._lock = threading.Lock()
        self._problem = ""
        self._marks = self._look()
        self._configuration = self._given = self._load()
        self.current = self._marks
        """Tells which files are in use, when they are others than before."""

    @classmethod
    def given(cls, config: Config) -> Certificates | None:
        """Those that the settings name; raises :class:`SettingError`."""
        if config.tls_certificate and config.tls_key:
            ca = Path(config.tls_client_ca) if config.tls_client_ca else None
            return cls(Path(config.tls_certificate), Path(config.tls_key), ca)
        for name in ("tls_certificate", "tls_key", "tls_client_ca"):
            if getattr(config, name):
                missing = [each for each in ("tls_certificate", "tls_key") if not getattr(config, each)]
                raise SettingError(f"{name} needs {' and '.join(missing)} too")
        return None

    def credentials(self) -> grpc.ServerCredentials:
        """What a server takes; it asks for every connection whether there is something newer."""
        newer = cast(Callable[[], grpc.ServerCertificateConfiguration], self._newer)  # its types do not know of None
        return grpc.dynamic_ssl_server_credentials(
            self._configuration, newer, require_client_authentication=self.client_ca is not None
        )

    def tell(self) -> None:
        """Say in the log which certificate it is, and whether it ends soon."""
        left = self._until - datetime.now(UTC)
        log = _log.warning if left < _SOON else _log.info
        log(
            "certificate",
            names=", ".join(self._names),
            until=f"{self._until:%Y-%m-%d %H:%M} UTC",
            days=left.days,
            clients="need one" if self.client_ca else "need none",
        )

    def _newer(self) -> grpc.ServerCertificateConfiguration | None:
        """Called by gRPC, in a thread of its own, before each handshake: usually there is nothing new."""
        with self._lock:
            self._renew()
            if self._given is self._configuration:
                return None
            self._given = self._configuration
            return self._configuration

    def look(self) -> None:
        """Use the files from now on that are there now, if they can be used."""
        with self._lock:
            self._renew()

    def _renew(self) -> None:
        try:
            marks = self._look()
            if marks == self._marks:
                return
            self._marks = marks  # what is wrong with these is wrong until they change again
            self._configuration = self._load()
        except SettingError as error:
            self._tell_once(str(error))
            return
        self._problem = ""
        self.current = marks
        self.tell()

    def _tell_once(self, problem: str) -> None:
        if problem != self._problem:
            self._problem = problem
            _log.error("the old certificate stays in use", problem=problem)

    def _look(self) -> _Marks:
        return tuple(_mark(path, what) for path, what in self._files())

    def _files(self) -> list[tuple[Path, str]]:
        files = [(self.certificate, "tls_certificate"), (self.key, "tls_key")]
        return [*files, (self.client_ca, "tls_client_ca")] if self.client_ca else files

    def _load(self) -> grpc.ServerCertificateConfiguration:
        chain, key = _read(self.certificate, "tls_certificate"), _read(self.key, "tls_key")
        clients = _read(self.client_ca, "tls_client_ca") if self.client_ca else None
        check_private(self.key, "the private key")
        certificates = _certificates(chain, self.certificate)
        _check_key(key, self.key, certificates, self.certificate)
        own = certificates[0]
        if own.not_valid_after_utc <= datetime.now(UTC):
            raise SettingError(
                f"the certificate in {self.certificate} expired on {own.not_valid_after_utc:%Y-%m-%d %H:%M} UTC:"
                " renew it"
            )
        if clients is not None and self.client_ca is not None:
            _certificates(clients, self.client_ca)
        self._until = own.not_valid_after_utc
        self._names = _names(own)
        return grpc.ssl_server_certificate_configuration([(key, chain)], clients)


def _mark(path: Path, what: str) -> tuple[int, int, int]:
    try:
        found = os.stat(path)  # noqa: PTH116  # with a Path it takes twice as long, and is done for every connection
    except (OSError, ValueError) as error:
        raise _unreadable(path, what, error) from error
    return found.st_mtime_ns, found.st_size, found.st_ino


def _read(path: Path, what: str) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST_FILE)
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
    fits = [_public_key(certificate) == _encoded(key.public_key()) for certificate in certificates]
    if not any(fits):
        raise SettingError(f"the private key in {path} does not belong to the certificate in {chain}")
    if not fits[0]:
        raise SettingError(f"the first certificate in {chain} must belong to the key; the authorities follow")


def _public_key(certificate: x509.Certificate) -> bytes:
    try:
        return _encoded(certificate.public_key())
    except (ValueError, UnsupportedAlgorithm):  # of a kind that we do not know, and so not that of our key
        return b""


def _encoded(key: CertificatePublicKeyTypes) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _names(certificate: x509.Certificate) -> list[str]:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return [certificate.subject.rfc4514_string()]
    return [str(name.value) for name in names]
