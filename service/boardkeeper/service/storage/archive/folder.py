"""The archive folder: one file per game with its stored events, signed by the server.

The file is a gzip of JSON lines: a header, one line ``[version, topic, state]`` per event, and a signature over
everything before it. Equal events give equal contents, so writing a file again is harmless. The events are stored as
they are in the database, not as a game record, because the format of records may change with a release.
"""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from uuid import UUID

import msgspec
from msgspec import Struct

from boardkeeper.service.errors import StartupError, reason
from boardkeeper.service.storage.archive.tables import ArchivedRow
from boardkeeper.service.storage.chain import ChainedRow, compute_links
from boardkeeper.service.storage.errors import UnreachableError
from boardkeeper.service.storage.private_files import sync_folder
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.table.decoding import decode

FORMAT = 1

_PURPOSE = b"boardkeeper archive 1:"
_GZIP_WBITS = 31
_LEVEL = 6
_SLACK = 1 << 16
"""An upper limit of the bytes that gzip adds to incompressible contents."""


class ArchiveError(UnreachableError):
    """The archived events of one game cannot be read or written; other games are not affected."""

    def __init__(self, game: UUID, problem: str) -> None:
        super().__init__(f"game {game} is archived, and {problem}")
        self.game = game
        self.problem = problem


class _Header(Struct, frozen=True):
    archive: int
    game: UUID
    events: int
    head: str
    key: str


class _Event(Struct, frozen=True, array_like=True):
    version: int
    topic: str
    state: str


class ArchiveFolder:
    """The files of the archive. Several processes may use the folder."""

    def __init__(self, path: Path) -> None:
        """Check the folder. Raises :class:`StartupError` if it does not exist or cannot be read."""
        try:
            is_folder = path.is_dir()
        except OSError as error:
            raise StartupError(f"cannot read the archive folder {path}: {reason(error)}") from error
        if not is_folder:
            raise StartupError(f"the archive folder {path} does not exist: create it with mkdir -m 700")
        self.path = path.absolute()

    def game_path(self, game: UUID) -> Path:
        """Return the path of a game's file. There are 65,536 folders, so that no folder gets too many files."""
        name = game.hex
        return self.path / name[-2:] / name[-4:-2] / f"{game}.jsonl.gz"

    def write(self, game: UUID, rows: Sequence[ChainedRow], key: ServiceKey, time: int) -> ArchivedRow:
        """Write the events of a game to disk and return the row for the table of archived games.

        Raises :class:`ArchiveError` if the file cannot be written, does not read back, or is in a folder that is a
        symbolic link.
        """
        try:
            contents = _file_contents(game, rows, key)
        except ValueError as error:
            raise ArchiveError(game, f"has a row that is no text: {error}") from error
        row = ArchivedRow(game, time, len(rows), sha256(contents).hexdigest(), len(contents))
        try:
            self._check_links(game)
            self._write(self.game_path(game), gzip.compress(contents, _LEVEL, mtime=0))
        except OSError as error:
            raise ArchiveError(game, f"{self.game_path(game)} cannot be written: {reason(error)}") from error
        if self.read(row) != list(rows):
            raise ArchiveError(game, "what was written does not read back")
        return row

    def _check_links(self, game: UUID) -> None:
        """Raise ``ArchiveError`` if a folder of the file is a symbolic link, which could lead elsewhere."""
        for folder in self.game_path(game).parents[:2]:
            if folder.is_symlink():
                raise ArchiveError(game, f"{folder} is a symbolic link, which the archive does not follow")

    def _write(self, file: Path, data: bytes) -> None:
        for folder in (file.parent.parent, file.parent):
            with suppress(FileExistsError):
                folder.mkdir(mode=0o700)
                sync_folder(folder.parent)
        descriptor, unfinished = tempfile.mkstemp(prefix=".", dir=file.parent)  # readable by the owner only
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(unfinished).replace(file)
        except BaseException:
            Path(unfinished).unlink(missing_ok=True)
            raise
        sync_folder(file.parent)

    def read(self, row: ArchivedRow) -> list[ChainedRow]:
        """Return the events of a game with their links, verified by the hash in ``row``.

        Raises :class:`ArchiveError`.
        """
        game, file = row.game_id, self.game_path(row.game_id)
        try:
            with file.open("rb") as stream:
                packed = stream.read(row.size + _SLACK)
            unpacking = zlib.decompressobj(_GZIP_WBITS)
            contents = unpacking.decompress(packed, row.size + 1)
        except FileNotFoundError as error:
            raise ArchiveError(game, f"{file} is missing") from error
        except OSError as error:
            raise ArchiveError(game, f"{file} cannot be read: {reason(error)}") from error
        except zlib.error as error:
            raise ArchiveError(game, f"{file} is damaged: {error}") from error
        if sha256(contents).hexdigest() != row.sha256:
            raise ArchiveError(game, f"{file} was changed, or is damaged")
        _, *lines, _ = contents.splitlines()
        events = [decode(line, _Event) for line in lines]
        plain = [(it.version, it.topic, it.state.encode()) for it in events]
        return [(*it, link) for it, (_, link) in zip(plain, compute_links(game.hex, plain), strict=True)]

    def remove(self, game: UUID) -> bool:
        """Delete the file of a removed game; return whether it existed. Raises ``OSError`` and ``ArchiveError``."""
        self._check_links(game)
        file = self.game_path(game)
        try:
            file.unlink()
        except FileNotFoundError:
            return False
        sync_folder(file.parent)
        return True


def _file_contents(game: UUID, rows: Sequence[ChainedRow], key: ServiceKey) -> bytes:
    header = _Header(FORMAT, game, len(rows), rows[-1][3].hex(), key.public_key.hex())
    lines = [msgspec.json.encode(header)]
    lines += [msgspec.json.encode(_Event(version, topic, state.decode())) for version, topic, state, _ in rows]
    signed = b"".join(line + b"\n" for line in lines)
    signature = key.sign(_PURPOSE + sha256(signed).digest()).hex()
    return signed + msgspec.json.encode({"signature": signature}) + b"\n"
