"""Files that only their owner can read, and syncing of folders."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from boardkeeper.service.errors import StartupError, reason

OWNER_ONLY = 0o600


def write_private(path: Path, data: bytes) -> None:
    """Write a file completely or not at all, readable by the owner only. Raises ``OSError``."""
    unfinished = path.with_name(path.name + ".new")
    unfinished.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder to disk, where the system supports it. Raises ``OSError``."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def private_folder(target: Path) -> Iterator[Path]:
    """Create a temporary folder beside a target file, for the owner only. Raises :class:`StartupError`."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.absolute().parent))
    except OSError as error:
        raise StartupError(f"cannot write in {target.parent}: {reason(error)}") from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def publish_file(made: Path, target: Path) -> None:
    """Rename a synced file without overwriting another one. Raises ``FileExistsError``."""
    try:
        os.link(made, target)
    except FileExistsError:
        raise
    except OSError:  # the file system has no hard links
        os.close(os.open(target, os.O_CREAT | os.O_EXCL, OWNER_ONLY))
        made.replace(target)
    else:
        made.unlink()
    sync_folder(target.parent)
