"""The first thing in a backup: what is in it, by the byte, and who says so.

A backup without its key is signed by it, so that nobody else can have made or changed it.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Meta, Struct

from boardkeeper.game.record import key_id
from boardkeeper.service.errors import StartupError
from boardkeeper.table.decoding import decode

FORMAT = 1
SQLITE: Literal["sqlite"] = "sqlite"
POSTGRES: Literal["postgresql"] = "postgresql"

_PURPOSE = b"boardkeeper backup 1:"


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
    """What a backup holds. ``time`` is when it was begun, in milliseconds since 1970; ``key`` the public key.

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


class _Format(Struct):
    format: int


def encode(manifest: Manifest) -> bytes:
    """The bytes that are signed and stored."""
    return msgspec.json.format(msgspec.json.encode(manifest))


def signed_message(manifest: bytes) -> bytes:
    """What the signature is over."""
    return _PURPOSE + manifest


def read(data: bytes, signature: bytes) -> Manifest:
    """The manifest in these bytes; raises :class:`StartupError`, whose text goes behind the name of the backup."""
    try:
        found = decode(data, _Format).format
        if found != FORMAT:
            raise StartupError(f"has format {found}: use the newer Boardkeeper that created it")
        manifest = decode(data, Manifest)
        public = bytes.fromhex(manifest.key)
        Ed25519PublicKey.from_public_bytes(public).verify(signature, signed_message(data))
    except InvalidSignature as error:
        raise StartupError("was changed after it was created: its signature is wrong") from error
    except ValueError as error:
        raise StartupError(f"has an unreadable contents list: {error}") from error
    return manifest
