"""The key with which a server signs records. It is created at the first start, in a file beside the database."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Self

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from boardkeeper.game.record import key_id
from boardkeeper.service.errors import StartupError, reason
from boardkeeper.service.storage.private_files import write_private

_MAX_FILE_BYTES = 4096
_READABLE_BY_OTHERS = 0o077
_READABLE_BY_GROUP = 0o040


class ServiceKey:
    """An Ed25519 key. Its file must remain secret, because the key signs records in the name of this server."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public_key = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.id = key_id(self.public_key)

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message."""
        return self._key.sign(message)

    def derive(self, purpose: str) -> bytes:
        """Return a 32-byte secret that is derived from the key for one purpose."""
        private = self._key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        return HKDF(SHA256(), 32, None, purpose.encode()).derive(private)

    @classmethod
    def open(cls, database: Path) -> Self:
        """Return the key in ``<database>.key``, which is created if necessary. Raises :class:`StartupError`.

        The caller holds the lock of the database.
        """
        return cls.load_or_create(database.absolute().with_name(database.name + ".key"))

    @classmethod
    def existing(cls, path: Path) -> Self:
        """Return the key in an existing file. Raises :class:`StartupError`."""
        if not path.exists():
            raise StartupError(f"the key file {path} does not exist: the server's own key file is needed")
        return cls.load_or_create(path)

    @classmethod
    def load_or_create(cls, path: Path) -> Self:
        """Return the key in a file, which is created if necessary. Raises :class:`StartupError`.

        The caller ensures that no other process creates it at the same time.
        """
        try:
            if not path.exists():
                _create(path)
            return cls(_read(path))
        except OSError as error:
            raise StartupError(f"cannot use the key file {path}: {reason(error)}") from error


def _create(path: Path) -> None:
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    write_private(path, pem)


def _read(path: Path) -> Ed25519PrivateKey:
    found = path.stat()
    # The group may read a file of root, which controls the group: systemd provides credentials in this way.
    allowed = _READABLE_BY_GROUP if found.st_uid == 0 else 0
    if os.name != "nt" and found.st_mode & _READABLE_BY_OTHERS & ~allowed:
        raise StartupError(f"other users can read the key file {path}: run chmod 600 {path}")
    with path.open("rb") as file:
        pem = file.read(_MAX_FILE_BYTES)
    try:
        key = load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise StartupError(f"{path} contains no readable key") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise StartupError(f"{path} contains a key that is not an Ed25519 key")
    return key
