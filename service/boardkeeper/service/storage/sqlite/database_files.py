"""The files of a database: their paths, their permissions, and a check that no program removed or replaced them.

SQLite finds the write-ahead log by the path of the database. A process that opens the database by another name does not
find the log, and the data in it can be lost. Therefore this module resolves symbolic links and rejects files with
several names (hard links).
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

import structlog

from boardkeeper.service.errors import StartupError, reason
from boardkeeper.service.storage.errors import FilesLostError
from boardkeeper.service.storage.private_files import OWNER_ONLY

SQLITE_SUFFIXES = ("", "-wal", "-shm")
"""The suffixes of the files that SQLite creates: database, write-ahead log and shared memory."""

OTHER_SUFFIXES = (
    *(".key", ".key.new", ".lock", ".checkpoint", ".checkpoint.new", ".checkpoint.old"),
    *(".backed-up", ".backed-up.new"),
)
"""The suffixes of the files that Boardkeeper creates beside the database."""

_OTHERS = 0o077
_MOUNTS = Path("/proc/self/mountinfo")
_log = structlog.get_logger()


def append_suffix(database: Path, suffix: str) -> Path:
    """Return the path of a file beside the database: its own name, followed by the suffix."""
    return database.with_name(database.name + suffix)


def resolve_path(database: Path) -> Path:
    """Return the path of a database file without symbolic links. The file may not exist yet.

    Raises :class:`StartupError` if the folder does not exist, or if the file is a folder, a device, a mount point or
    has several names.
    """
    try:
        path = Path(os.path.realpath(database))
        _check_path(database.absolute(), path)
    except ValueError as error:  # the path contains a zero byte
        raise StartupError(f"{str(database)!r} is not a path: {error}") from error
    except OSError as error:
        raise StartupError(f"cannot read {database}: {reason(error)}") from error
    return path


def resolve_existing(database: Path) -> Path:
    """Return the path of an existing file without symbolic links.

    Raises :class:`StartupError` if the file does not exist or cannot be read, and as :func:`resolve_path` does.
    """
    try:
        with database.open("rb"):
            return resolve_path(database.absolute())
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        raise StartupError(f"the file {database.absolute()} does not exist") from error
    except OSError as error:
        raise StartupError(f"cannot read {database.absolute()}: {reason(error)}") from error


def _check_path(named: Path, path: Path) -> None:
    folder = path.parent
    if not folder.is_dir():
        problem = (
            f"{folder} is not a folder: choose another with --db"
            if folder.exists()
            else f"the folder {folder} does not exist: create it, or choose another with --db"
        )
        raise StartupError(f"cannot store a database at {named}: {problem}")
    if path.is_dir():
        raise StartupError(f"{path} is a folder: name a file with --db")
    if _is_mounted(path):
        raise StartupError(
            f"{path} is mounted without its folder, which also needs room for the write-ahead log: mount the folder"
        )
    for suffix in SQLITE_SUFFIXES:
        _check_name(append_suffix(path, suffix))
    key, named_key = append_suffix(path, ".key"), append_suffix(named, ".key")
    if named_key.exists() and not key.exists():  # release 0.1.0 stored the key beside the symbolic link
        raise StartupError(f"{named} is a link to {path}, but the key is at {named_key}: move it to {key}")


def _check_name(path: Path) -> None:
    """Raise :class:`StartupError` if a file exists and is not a regular file or has several names."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if stat.S_ISLNK(found.st_mode) or not stat.S_ISREG(found.st_mode):
        raise StartupError(f"{path} is a link or a device, not a regular file")
    if found.st_nlink > 1:
        raise StartupError(
            f"{path} has {found.st_nlink} names (hard links), with which SQLite can lose data: use a copy, or remove"
            " the other names"
        )


def _is_mounted(path: Path) -> bool:
    """Return whether the file itself is a mount point: a container can mount a file without its folder."""
    try:
        mounts = _MOUNTS.read_bytes().splitlines()
    except OSError:  # only Linux has this file
        return False
    escaped = os.fsencode(path).replace(b"\\", b"\\134").replace(b" ", b"\\040").replace(b"\t", b"\\011")
    return any(mount.split()[4] == escaped.replace(b"\n", b"\\012") for mount in mounts)


def create_file(database: Path) -> None:
    """Create an empty database file that only its owner can read, unless it exists.

    SQLite gives the files beside it the same permissions.
    """
    with suppress(FileExistsError):
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY))


def restrict_permissions(database: Path) -> None:
    """Remove the permissions of other users for the database files, because these contain dice secrets.

    Release 0.1.0 created files that other users could read. Each change is logged.
    """
    if os.name == "nt":  # Windows does not use these permissions
        return
    for suffix in SQLITE_SUFFIXES:
        path = append_suffix(database, suffix)
        mode = OWNER_ONLY
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & _OTHERS:
                path.chmod(mode & ~_OTHERS)
                _log.warning("made private", file=str(path), mode=f"{mode:o}")
        except FileNotFoundError:
            continue
        except OSError as error:
            _log.warning("others can read dice secrets", file=str(path), mode=f"{mode:o}", problem=error.strerror)


class FileIdentities:
    """The identities (device and inode) of the open database files.

    Other programs can remove or replace a file while it is open. SQLite would then continue to write to the old file,
    and the data would be lost.
    """

    def __init__(self, database: Path) -> None:
        """Read the identities. All files exist only after a connection has read the database."""
        self._files = [
            (str(path), _identity(str(path))) for path in (append_suffix(database, end) for end in SQLITE_SUFFIXES)
        ]

    def check(self) -> None:
        """Raise :class:`FilesLostError` if a file was removed or replaced."""
        for path, identity in self._files:
            try:
                now = _identity(path)
            except OSError as error:
                raise FilesLostError(f"{path} was removed or cannot be reached: {error.strerror}") from error
            if now != identity:
                raise FilesLostError(f"{path} was replaced by another file")


def _identity(path: str) -> tuple[int, int]:
    found = os.stat(path)  # noqa: PTH116  # runs for every commit; a Path takes twice as long
    return found.st_dev, found.st_ino


def remove_database(database: Path) -> None:
    """Delete all files of a database. No process may use it."""
    for suffix in (*SQLITE_SUFFIXES, *OTHER_SUFFIXES):
        append_suffix(database, suffix).unlink(missing_ok=True)
