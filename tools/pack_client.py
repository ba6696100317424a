"""Pack the web client, the record viewer and the picture engine for a wheel: one archive for each folder.

In a checkout the server reads the files of the folders. The files have much in common: catalogues in two
languages, and the same program as a page and as an HTML element. So one archive has a fifth of the size of separately
compressed files. The reader unpacks an archive in memory at its first use.
"""

from __future__ import annotations

import io
import lzma
import tarfile
from pathlib import Path

from build_web import CLIENT, PICTURES, VIEWER

FOLDERS = (CLIENT, VIEWER.parent, PICTURES.parent)
"""The folders to pack, if they were built."""

COMPRESSED = (".br", ".gz")
"""Suffixes of compressed copies, which the reader makes again."""


def archive_of(folder: Path) -> Path:
    """Return the path of a folder's archive, beside the folder."""
    return folder.with_name(f"{folder.name}.tar.xz")


def pack(folder: Path) -> bytes:
    """Return the archive of all files of a folder; the same files give the same bytes."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix not in COMPRESSED:
                body = path.read_bytes()
                entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
                entry.size = len(body)
                tar.addfile(entry, io.BytesIO(body))
    return lzma.compress(plain.getvalue(), preset=9 | lzma.PRESET_EXTREME)
