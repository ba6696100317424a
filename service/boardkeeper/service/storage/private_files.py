"""Files that nobody else may read, and folders whose names are on the disk."""

from __future__ import annotations

import os
from pathlib import Path

_OWNER_ONLY = 0o600


def write_private(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all, that its owner alone can read from the first byte on. Raises ``OSError``."""
    unfinished = path.with_name(path.name + ".new")
    unfinished.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Have the names in a folder be on the disk, where that can be asked for. Raises ``OSError``."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
