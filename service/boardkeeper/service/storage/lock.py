"""One writing process per database file, enforced by the operating system.

SQLite itself would let two processes take turns, at the price of stalls of seconds, and each would keep
games in memory that the other one changes. A lock that the system holds for the process vanishes with it,
also after a kill.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from boardkeeper.service.errors import StartupError

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """Holds ``<database>.lock`` until :meth:`release`; the file stays, since removing it would race."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".lock")
        try:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StartupError(f"cannot write in {database.parent}: {error.strerror}") from error
        try:
            _try_lock(self._descriptor)
        except OSError as error:
            owner = os.read(self._descriptor, 32).decode(errors="replace").strip()
            os.close(self._descriptor)
            raise StartupError(
                f"{database} is already served by process {owner or 'unknown'}: stop it or use another file"
            ) from error
        with suppress(OSError):  # on a full disk the lock still holds, only nobody is told whose it is
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Let another process have the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
