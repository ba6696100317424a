"""A lock that allows one writing process per database file.

Without it, two processes would write alternately, with delays of seconds, and each would have outdated games in memory.
The operating system releases the lock when the process ends, also after a kill.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from boardkeeper.service.errors import FileInUseError, StartupError, reason
from boardkeeper.service.storage.sqlite.database_files import append_suffix, resolve_path

_MAX_FILE_BYTES = 512
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
"""The flag that rejects symbolic links; 0 on Windows, which does not have it."""

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """Holds ``<database>.lock`` until :meth:`release`.

    The lock is beside the resolved path of the file, ``database``. Its first line is the id of the process, the second
    line the address of the server.
    """

    def __init__(self, database: Path) -> None:
        database = self.database = resolve_path(database)
        self._path = append_suffix(database, ".lock")
        self._descriptor = -1
        while self._descriptor < 0:
            try:
                self._descriptor = self._open_locked(database)
            except OSError as error:
                raise StartupError(f"cannot write in {database.parent}: {reason(error)}") from error
        self._write("")

    def record_address(self, address: str) -> None:
        """Write the server's address for processes that find the file locked."""
        self._write(address)

    def _write(self, address: str) -> None:
        with suppress(OSError):  # on a full disk the lock is still valid
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, f"{os.getpid()}\n{address}\n".encode())

    def _open_locked(self, database: Path) -> int:
        """Return the locked file descriptor, or -1 if the file was removed meanwhile and the caller must try again.

        Links are not followed: another user could have created one whose target would be overwritten.
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
            process, address, *_ = [*os.read(descriptor, _MAX_FILE_BYTES).decode(errors="replace").split("\n"), "", ""]
            os.close(descriptor)
            raise FileInUseError(database, process, address) from error
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), self._path.lstat()):
                return descriptor
        os.close(descriptor)
        return -1

    def release(self, *, remove: bool = False) -> None:
        """Release the lock; with ``remove`` also delete its file."""
        if self._descriptor >= 0:
            self._write("")
            if remove and os.name != "nt":  # Windows cannot remove an open file
                self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1
