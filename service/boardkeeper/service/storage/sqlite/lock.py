"""One writing process per database file, enforced by the operating system.

SQLite itself would let two processes take turns, at the price of stalls of seconds, and each would keep
games in memory that the other one changes. A lock that the system holds for the process vanishes with it,
also after a kill.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from boardkeeper.service.errors import FileInUseError, StartupError, reason
from boardkeeper.service.storage.sqlite.database_files import resolve_path, with_suffix

_LONGEST = 512
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
"""Windows does not have it."""

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """Holds ``<database>.lock`` until :meth:`release`. The file stays, except where there is to be no database.

    The lock lies beside the real file, whatever links lead there: ``database`` is its path. In it stand the process
    and, on the second line, the address at which it serves the database.
    """

    def __init__(self, database: Path) -> None:
        database = self.database = resolve_path(database)
        self._path = with_suffix(database, ".lock")
        self._descriptor = -1
        while self._descriptor < 0:
            try:
                self._descriptor = self._locked(database)
            except OSError as error:
                raise StartupError(f"cannot write in {database.parent}: {reason(error)}") from error
        self._write("")

    def record_address(self, address: str) -> None:
        """Write down where the file is served, for whoever finds it locked."""
        self._write(address)

    def _write(self, address: str) -> None:
        with suppress(OSError):  # on a full disk the lock still holds, only nobody is told whose it is
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, f"{os.getpid()}\n{address}\n".encode())

    def _locked(self, database: Path) -> int:
        """The locked file, or -1 if it was removed in the meantime, so that another process may lock another one.

        The file is written, so a link is not followed: another program could have put it there.
        """
        if self._path.is_symlink():
            raise StartupError(f"{self._path} is a symbolic link: remove it")
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | _NO_LINK, 0o600)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise StartupError(f"{self._path} is not a regular file: remove it")
        try:
            _try_lock(descriptor)
        except OSError as error:
            process, address, *_ = [*os.read(descriptor, _LONGEST).decode(errors="replace").split("\n"), "", ""]
            os.close(descriptor)
            raise FileInUseError(database, process, address) from error
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), self._path.lstat()):
                return descriptor
        os.close(descriptor)
        return -1

    def release(self, *, remove: bool = False) -> None:
        """Let another process have the file, or leave none behind."""
        if self._descriptor >= 0:
            self._write("")
            if remove and os.name != "nt":  # where an open file cannot be removed
                self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1
