"""Checkpoints: signed statements of the newest event, which detect that a database was replaced by an older copy.

Events are numbered in the order in which they were stored, across all games. A checkpoint contains the number of the
newest event and its link, which depends on all earlier events of its game. A file with fewer events, or with another
event of that number, is older or was changed. Other games are protected by their hash chains and exported records only.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import suppress
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Struct

from boardkeeper.service.errors import AlteredError, StartupError, reason
from boardkeeper.service.storage.private_files import write_private
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.service.storage.sqlite.database_files import append_suffix
from boardkeeper.service.storage.sqlite.events_table import ARCHIVED, TOMBSTONES
from boardkeeper.table.decoding import decode

SUFFIX = ".checkpoint"
OLD_SUFFIX = ".checkpoint.old"
"""The suffix to which a contradicting checkpoint is renamed, because it is the only evidence of lost events."""

_MAX_FILE_BYTES = 4096


class Checkpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """The number and link of the newest event. ``time`` is in milliseconds since 1970.

    ``link``, ``key`` (the public key) and ``signature`` are hexadecimal.
    """

    events: int
    link: str
    time: int
    key: str
    signature: str = ""

    def signed_bytes(self) -> bytes:
        """Return the bytes that are signed."""
        return f"boardkeeper checkpoint 1:{self.events}:{self.link}:{self.time}".encode()


def newest_event(connection: sqlite3.Connection, table: str) -> tuple[int, str] | None:
    """Return the number and link of the newest event; ``None`` if there is none."""
    row = connection.execute(f"SELECT rowid, link FROM {table} ORDER BY rowid DESC LIMIT 1").fetchone()
    return None if row is None or not isinstance(row[1], bytes) else (row[0], row[1].hex())


def save_checkpoint(database: Path, key: ServiceKey, reached: tuple[int, str]) -> None:
    """Write the checkpoint beside a database, unless it is unchanged. Raises ``OSError``."""
    file = append_suffix(database, SUFFIX)
    with suppress(StartupError):
        before = read_checkpoint(file)
        if (before.events, before.link) == reached and before.key == key.public_key.hex():
            return
    unsigned = Checkpoint(*reached, time.time_ns() // 1_000_000, key.public_key.hex())
    signed = msgspec.structs.replace(unsigned, signature=key.sign(unsigned.signed_bytes()).hex())
    write_private(file, msgspec.json.encode(signed) + b"\n")


def read_checkpoint(file: Path) -> Checkpoint:
    """Return the checkpoint in a file. Raises :class:`StartupError` if it is invalid."""
    try:
        with file.open("rb") as stream:
            checkpoint = decode(stream.read(_MAX_FILE_BYTES), Checkpoint)
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(checkpoint.key))
        public.verify(bytes.fromhex(checkpoint.signature), checkpoint.signed_bytes())
    except OSError as error:
        raise StartupError(f"cannot read the checkpoint {file}: {reason(error)}") from error
    except InvalidSignature as error:
        raise AlteredError(f"the signature of the checkpoint {file} is wrong") from error
    except ValueError as error:
        raise StartupError(f"{file} is not a checkpoint: {error}") from error
    return checkpoint


def find_contradiction(connection: sqlite3.Connection, table: str, checkpoint: Checkpoint) -> str:
    """Return how a database contradicts a checkpoint; empty if it does not. The text follows the database's name."""
    if _was_removed(connection, checkpoint):
        return ""
    reached = newest_event(connection, table)
    events = reached[0] if reached is not None else 0
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(checkpoint.time / 1000))
    if events < checkpoint.events:
        return (
            f"has {events} events, but had {checkpoint.events} on {when} UTC: it is an older copy, or events were"
            " removed"
        )
    row = connection.execute(f"SELECT link FROM {table} WHERE rowid=?", (checkpoint.events,)).fetchone()
    if row is None or not isinstance(row[0], bytes) or row[0].hex() != checkpoint.link:
        return f"has another event {checkpoint.events} than on {when} UTC: it continues an older copy, or was changed"
    return ""


def _was_removed(connection: sqlite3.Connection, checkpoint: Checkpoint) -> bool:
    """Return whether the checkpoint's event may belong to a game that was removed or archived later."""
    for table, when in ((TOMBSTONES, "remove_time"), (ARCHIVED, "archive_time")):
        with suppress(sqlite3.OperationalError):  # a file of an earlier release does not have the table
            select = f"SELECT 1 FROM {table} WHERE ? BETWEEN first_number AND last_number AND {when}>=?"
            if connection.execute(select, (checkpoint.events, checkpoint.time)).fetchone() is not None:
                return True
    return False
