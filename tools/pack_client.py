"""What a wheel carries of the browser client, the viewer of records and what draws pictures: an archive of each folder.

Beside the code the build leaves whole files, and in a checkout they are read as they are. Files of one client have much
in common (a title's catalogue in two languages, one program as a page and as an element), so all of them in one archive
take a fifth of the room that each takes on its own. Whoever reads them unpacks them in memory, at the first use.
"""

from __future__ import annotations

import io
import lzma
import tarfile
from pathlib import Path

from build_web import CLIENT, PICTURES, VIEWER

FOLDERS = (CLIENT, VIEWER.parent, PICTURES.parent)
"""The folders that are packed, if they were built."""

PRESSED = (".br", ".gz")
"""What stands beside a file in another form is made again where it is needed."""


def archive_of(folder: Path) -> Path:
    """Where the archive of a folder lies: beside it."""
    return folder.with_name(f"{folder.name}.tar.xz")


def packed(folder: Path) -> bytes:
    """All files of a folder in one archive, which is the same for the same files."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix not in PRESSED:
                body = path.read_bytes()
                entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
                entry.size = len(body)
                tar.addfile(entry, io.BytesIO(body))
    return lzma.compress(plain.getvalue(), preset=9 | lzma.PRESET_EXTREME)
