"""The file format of a backup: a zip with a manifest, its signature, and the parts that the manifest lists.

The manifest contains the hash of each part and is signed with the server's key, so only the owner of the key can create
or change a backup.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Meta, Struct

from boardkeeper.game.record import key_id
from boardkeeper.service.errors import AlteredError, StartupError, reason
from boardkeeper.service.storage.private_files import OWNER_ONLY
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.table.decoding import decode

FORMAT = 1
SQLITE: Literal["sqlite"] = "sqlite"
POSTGRES: Literal["postgresql"] = "postgresql"

_PURPOSE = b"boardkeeper backup 1:"
_ZIP = b"PK\x03\x04"
"""The first bytes of a zip file."""

KEY_PART = "key.pem"
"""The server's key, if the backup contains it."""

_MANIFEST = "manifest.json"
_SIGNATURE = "manifest.sig"
_MAX_MANIFEST_BYTES = 1 << 20
_SIGNATURE_BYTES = 64
_CHUNK_BYTES = 1 << 20
_LEVEL = 3
"""The compression level. It takes half the time of zlib's default level, and the file is a tenth larger."""


class Part(Struct, frozen=True):
    """One part of a backup: its number of bytes and its SHA-256 in hexadecimal."""

    bytes: int
    sha256: str


class Table(Struct, frozen=True):
    """A database table in a backup. ``part`` contains its rows; empty if a copy of the whole file contains them."""

    name: str
    rows: int
    columns: tuple[str, ...] = ()
    part: str = ""


class Manifest(Struct, frozen=True, kw_only=True):
    """The contents of a backup. ``time`` is when it was started (milliseconds since 1970), ``key`` the public key.

    ``schema`` is the version of the tables; ``counters`` are the last values of PostgreSQL's sequences.
    """

    format: int = FORMAT
    kind: Literal["sqlite", "postgresql"]
    service: str
    time: Annotated[int, Meta(ge=0, lt=1 << 43)]
    schema: int
    key: str
    tables: tuple[Table, ...]
    counters: dict[str, int]
    parts: dict[str, Part]

    @property
    def key_id(self) -> str:
        """The id of the key with which the backup is signed."""
        return key_id(bytes.fromhex(self.key))

    def rows(self, table: str) -> int:
        """Return the number of rows of a table; 0 if there is no such table."""
        return next((it.rows for it in self.tables if it.name == table), 0)


class BackupWriter:
    """Writes the parts of a backup one after the other; :meth:`seal` completes it."""

    def __init__(self, path: Path) -> None:
        self.parts: dict[str, Part] = {}
        self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "w+b")
        self._zip = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL)

    def add(self, name: str, pieces: Iterable[bytes | bytearray | memoryview]) -> None:
        """Write the next part."""
        size, digest = 0, sha256()
        with self._zip.open(name, "w", force_zip64=True) as stream:
            for data in pieces:
                stream.write(data)
                digest.update(data)
                size += len(data)
        self.parts[name] = Part(size, digest.hexdigest())

    def add_file(self, name: str, path: Path) -> None:
        """Write a file as the next part."""
        with path.open("rb") as file:
            self.add(name, iter(partial(file.read, _CHUNK_BYTES), b""))

    def seal(self, manifest: Manifest, key: ServiceKey) -> None:
        """Write the manifest and its signature, and sync the file to disk."""
        data = msgspec.json.format(msgspec.json.encode(manifest))
        self._zip.writestr(_MANIFEST, data)
        self._zip.writestr(_SIGNATURE, key.sign(_PURPOSE + data))
        self._zip.close()
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file, sealed or not."""
        with suppress(OSError, ValueError):
            self._zip.close()
        with suppress(OSError):
            self._file.close()


class BackupReader:
    """Reads a backup. Each part is compared with the manifest while it is read."""

    def __init__(self, path: Path) -> None:
        """Open a backup.

        Raises :class:`StartupError` if the file is not a backup, :class:`AlteredError` if it is damaged.
        """
        self.path = path
        self._zip: zipfile.ZipFile | None = None
        try:
            with self._backup_errors():
                self._zip = zipfile.ZipFile(path)
                self.manifest = _read_manifest(
                    self._read_small(_MANIFEST, _MAX_MANIFEST_BYTES), self._read_small(_SIGNATURE, _SIGNATURE_BYTES)
                )
                names = [entry.filename for entry in self._zip.infolist()]
                if sorted(names) != sorted([_MANIFEST, _SIGNATURE, *self.manifest.parts]):
                    raise AlteredError("was changed after it was created: its parts do not match its contents list")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        if self._zip is not None:
            self._zip.close()

    def read(self, name: str) -> Iterator[bytes]:
        """Yield the bytes of a part in chunks. Raises :class:`AlteredError` after the last chunk if a byte is wrong.

        Therefore the caller must be able to undo what it does with the chunks.
        """
        read, digest = 0, sha256()
        with self._backup_errors():
            expected = self.manifest.parts[name]
            assert self._zip is not None
            with self._zip.open(name) as stream:
                while data := stream.read(_CHUNK_BYTES):
                    read += len(data)
                    if read > expected.bytes:
                        break
                    digest.update(data)
                    yield data
            if read != expected.bytes or digest.hexdigest() != expected.sha256:
                raise AlteredError(f"was changed after it was created, or is damaged: {name} is different")

    def lines(self, name: str) -> Iterator[bytes]:
        """Yield the lines of a part; raises as :meth:`read`."""
        rest = b""
        for data in self.read(name):
            *whole, rest = (rest + data).split(b"\n")
            yield from whole
        if rest:
            yield rest

    def key(self) -> bytes | None:
        """Return the contents of the key file, if the backup contains it."""
        return b"".join(self.read(KEY_PART)) if KEY_PART in self.manifest.parts else None

    def extract(self, name: str, path: Path) -> None:
        """Write a part to a new file, synced to disk and readable by the owner only."""
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
            for data in self.read(name):
                file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def _read_small(self, name: str, max_bytes: int) -> bytes:
        assert self._zip is not None
        with self._zip.open(name) as stream:
            return stream.read(max_bytes)

    @contextmanager
    def _backup_errors(self) -> Iterator[None]:
        """Convert errors in the block to errors that name the backup."""
        try:
            yield
        except StartupError as error:
            raise type(error)(f"the backup {self.path} {error}") from error
        except KeyError as error:
            raise StartupError(f"{self.path} is not a Boardkeeper backup: it has no contents list") from error
        except FileNotFoundError as error:
            raise StartupError(f"the backup {self.path} does not exist") from error
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            if self._zip is None and not self._begins_as_zip():
                raise StartupError(f"{self.path} is not a Boardkeeper backup") from error
            raise AlteredError(f"the backup {self.path} is incomplete or damaged") from error
        except OSError as error:
            raise StartupError(f"cannot read {self.path}: {reason(error)}") from error

    def _begins_as_zip(self) -> bool:
        with self.path.open("rb") as file:
            return file.read(len(_ZIP)) == _ZIP


class _Format(Struct):
    format: int


def _read_manifest(data: bytes, signature: bytes) -> Manifest:
    """Return the verified manifest. Error messages continue a sentence that begins with the name of the backup."""
    try:
        found = decode(data, _Format).format
        if found != FORMAT:
            raise StartupError(f"has format {found}: use the newer Boardkeeper that created it")
        manifest = decode(data, Manifest)
        public = bytes.fromhex(manifest.key)
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _PURPOSE + data)
    except InvalidSignature as error:
        raise AlteredError("was changed after it was created: its signature is wrong") from error
    except ValueError as error:
        raise AlteredError(f"has an unreadable contents list: {error}") from error
    return manifest
