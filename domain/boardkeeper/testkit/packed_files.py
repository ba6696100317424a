"""Test data that is compressed with xz: golden games and perft files.

A file is found and read in both forms, ``NAME.json`` and ``NAME.json.xz``; new files are written compressed.
``python -m boardkeeper.testkit show FILE`` prints one, and so does ``xz -dc FILE``.
"""

from __future__ import annotations

import lzma
from pathlib import Path

SUFFIX = ".xz"


def name_of(path: Path) -> str:
    """Return the name of a file without its suffixes: ``default-01`` for ``default-01.jsonl.xz``."""
    return path.name.partition(".")[0]


def find(folder: Path, pattern: str) -> list[Path]:
    """Return the files that match a pattern such as ``*.jsonl``, in both forms, sorted by folder and name."""
    return sorted(
        [*folder.glob(pattern), *folder.glob(pattern + SUFFIX)], key=lambda path: (path.parent, name_of(path))
    )


def read(path: Path) -> bytes:
    """Return the content of a file."""
    content = path.read_bytes()
    return lzma.decompress(content) if path.suffix == SUFFIX else content


def create(path: Path, content: bytes) -> None:
    """Write a new file, compressed if its suffix is ``.xz``; raise ``FileExistsError`` if it exists."""
    with path.open("xb") as file:
        file.write(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME) if path.suffix == SUFFIX else content)
