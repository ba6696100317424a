"""The file of a backup: a zip with a manifest, its signature, and the parts that the manifest names, no others.

The manifest has the hash of each part and is signed with the server's key, so that only the holder of the key can
create or change a backup. The file is written in a private folder beside its place, and gets its name when it is
complete and on the disk.
"""

from __future__ import annotations

import os
import shutil
import tempfile
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
from boardkeeper.service.storage.private_files import sync_folder
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.table.decoding import decode

FORMAT = 1
SQLITE: Literal["sqlite"] = "sqlite"
POSTGRES: Literal["postgresql"] = "postgresql"

_PURPOSE = b"boardkeeper backup 1:"
_ZIP = b"PK\x03\x04"
"""The first bytes of a zip file."""

KEY_PART = "key.pem"
"""The server's key, if the operator wants it in the backup."""

_MANIFEST = "manifest.json"
_SIGNATURE = "manifest.sig"
_MAX_MANIFEST_BYTES = 1 << 20
_SIGNATURE_BYTES = 64
_CHUNK_BYTES = 1 << 20
_LEVEL = 3
"""Half as much work as the usual level, and a tenth more bytes."""

_OWNER_ONLY = 0o600


class Part(Struct, frozen=True):
    """One part of a backup: how many bytes it has, and their SHA-256 in hexadecimal."""

    bytes: int
    sha256: str


class Table(Struct, frozen=True):
    """A table: its columns in their order, how many rows there are, and the part they stand in, if that is its own."""

    name: str
    rows: int
    columns: tuple[str, ...] = ()
    part: str = ""


class Manifest(Struct, frozen=True, kw_only=True):
    """The contents of a backup. ``time`` is when it was begun, in milliseconds since 1970; ``key`` the public key.

    ``schema`` is the version of the tables, ``counters`` the last values of what counts by itself (PostgreSQL only).
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
        """The id of the key that the games belong to."""
        return key_id(bytes.fromhex(self.key))

    def rows(self, table: str) -> int:
        """How many rows a table has."""
        return next((it.rows for it in self.tables if it.name == table), 0)


@contextmanager
def private_folder(target: Path) -> Iterator[Path]:
    """A folder beside a file that is to be made, which nobody else can enter and which goes again.

    Raises :class:`StartupError` if it cannot be made.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.absolute().parent))
    except OSError as error:
        raise StartupError(f"cannot write in {target.parent}: {reason(error)}") from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def publish_file(made: Path, target: Path) -> None:
    """Give a file that is on the disk its name; raises ``FileExistsError`` if another one has that."""
    try:
        os.link(made, target)
    except FileExistsError:
        raise
    except OSError:  # where files have one name only
        os.close(os.open(target, os.O_CREAT | os.O_EXCL, _OWNER_ONLY))
        made.replace(target)
    else:
        made.unlink()
    sync_folder(target.parent)


class BackupWriter:
    """Writes the parts of a backup one after the other, then :meth:`seal` the whole."""

    def __init__(self, path: Path) -> None:
        self.parts: dict[str, Part] = {}
        self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, _OWNER_ONLY), "w+b")
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
        """Say what is in it, sign that, and have all of it be on the disk."""
        data = msgspec.json.format(msgspec.json.encode(manifest))
        self._zip.writestr(_MANIFEST, data)
        self._zip.writestr(_SIGNATURE, key.sign(_PURPOSE + data))
        self._zip.close()
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file, whether or not it was sealed."""
        with suppress(OSError, ValueError):
            self._zip.close()
        with suppress(OSError):
            self._file.close()


class BackupReader:
    """A backup that is read, until it is closed. Each part is compared with the manifest while it is read."""

    def __init__(self, path: Path) -> None:
        """Open it; raises :class:`StartupError` if it is no backup, :class:`AlteredError` if it is damaged."""
        self.path = path
        self._zip: zipfile.ZipFile | None = None
        try:
            with self._told():
                self._zip = zipfile.ZipFile(path)
                self.manifest = _read_manifest(
                    self._small(_MANIFEST, _MAX_MANIFEST_BYTES), self._small(_SIGNATURE, _SIGNATURE_BYTES)
                )
                names = [entry.filename for entry in self._zip.infolist()]
                if sorted(names) != sorted([_MANIFEST, _SIGNATURE, *self.manifest.parts]):
                    raise AlteredError("was changed after it was created: its parts do not match its contents list")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        if self._zip is not None:
            self._zip.close()

    def read(self, name: str) -> Iterator[bytes]:
        """The bytes of a part, piece by piece; raises :class:`AlteredError` if they are not those it was made of.

        That is known only at the end: until then nothing may be done with them that cannot be undone.
        """
        read, digest = 0, sha256()
        with self._told():
            right = self.manifest.parts[name]
            assert self._zip is not None
            with self._zip.open(name) as stream:
                while data := stream.read(_CHUNK_BYTES):
                    read += len(data)
                    if read > right.bytes:
                        break
                    digest.update(data)
                    yield data
            if read != right.bytes or digest.hexdigest() != right.sha256:
                raise AlteredError(f"was changed after it was created, or is damaged: {name} is different")

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a part, as :meth:`read`."""
        rest = b""
        for data in self.read(name):
            *whole, rest = (rest + data).split(b"\n")
            yield from whole
        if rest:
            yield rest

    def key(self) -> bytes | None:
        """The file of the service's key, if it is in the backup."""
        return b"".join(self.read(KEY_PART)) if KEY_PART in self.manifest.parts else None

    def extract(self, name: str, path: Path) -> None:
        """Make a file of a part, which is on the disk then, and which its owner alone can read."""
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY), "wb") as file:
            for data in self.read(name):
                file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def _small(self, name: str, most: int) -> bytes:
        assert self._zip is not None
        with self._zip.open(name) as stream:
            return stream.read(most)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say of which backup something is told."""
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
    """Return the manifest. Raises :class:`StartupError` or :class:`AlteredError`: text behind the backup's name."""
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
