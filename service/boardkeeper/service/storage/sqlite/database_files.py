"""The files of a database: where they really are, who may read them, and whether they are still there.

SQLite keeps a write-ahead log and shared memory beside the database and finds them by its name, so one file must have
one name: whoever opens it by another one does not see what is in the log, and destroys it. Links in the way to the file
are followed, so that all of them lead to the same names; a file that has several names for itself is refused.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

import structlog

from boardkeeper.service.errors import StartupError, reason
from boardkeeper.service.storage.errors import FilesLostError

SQLITE_FILES = ("", "-wal", "-shm")
"""The files of a database that SQLite makes, by what their names add to its own."""

OTHER_FILES = (
    *(".key", ".key.new", ".lock", ".checkpoint", ".checkpoint.new", ".checkpoint.old"),
    *(".backed-up", ".backed-up.new"),
)
"""Those that we add."""

_OWNER_ONLY = 0o600
_OTHERS = 0o077
_MOUNTS = Path("/proc/self/mountinfo")
_log = structlog.get_logger()


def with_suffix(database: Path, ending: str) -> Path:
    """The file of a database whose name has that ending."""
    return database.with_name(database.name + ending)


def resolve_path(database: Path) -> Path:
    """Where a database file really is, or will be, whatever links lead there.

    Raises :class:`StartupError` if there is no folder for it or if it cannot be known by this one name.
    """
    try:
        path = Path(os.path.realpath(database))
        _check_path(database.absolute(), path)
    except ValueError as error:  # a path with a zero byte
        raise StartupError(f"{str(database)!r} is not a path: {error}") from error
    except OSError as error:
        raise StartupError(f"cannot read {database}: {reason(error)}") from error
    return path


def resolve_existing(database: Path) -> Path:
    """Return where an existing file really is. Raises :class:`StartupError` if there is none or it cannot be read."""
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
    for ending in SQLITE_FILES:
        _check_name(with_suffix(path, ending))
    key, named_key = with_suffix(path, ".key"), with_suffix(named, ".key")
    if named_key.exists() and not key.exists():  # release 0.1.0 stored the key beside the link
        raise StartupError(f"{named} is a link to {path}, but the key is at {named_key}: move it to {key}")


def _check_name(path: Path) -> None:
    """That a file which is there has no second name."""
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
    """Whether the file itself is a mount point, as of a container that was given a file instead of a folder."""
    try:
        mounts = _MOUNTS.read_bytes().splitlines()
    except OSError:  # a system that does not tell
        return False
    escaped = os.fsencode(path).replace(b"\\", b"\\134").replace(b" ", b"\\040").replace(b"\t", b"\\011")
    return any(mount.split()[4] == escaped.replace(b"\n", b"\\012") for mount in mounts)


def create_file(database: Path) -> None:
    """Make the database file if it is not there; SQLite gives what it makes beside it the same permissions."""
    with suppress(FileExistsError):
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_EXCL, _OWNER_ONLY))


def restrict_permissions(database: Path) -> None:
    """Nobody but its owner shall read the database and what lies beside it, for the secrets of the dice are there.

    Files that others can read, as 0.1.0 has left them, are closed to them now, which the log tells.
    """
    if os.name == "nt":  # where permissions are another matter
        return
    for ending in SQLITE_FILES:
        path = with_suffix(database, ending)
        mode = _OWNER_ONLY
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
    """The files of a database that is open, by what they are and not by their names.

    An operating system lets everybody remove or replace a file that somebody has open, who writes on into what nobody
    will ever find again.
    """

    def __init__(self, database: Path) -> None:
        """Take note of the files; the database must have been read from, for only then all of them are there."""
        self._files = [
            (str(path), _identity(str(path))) for path in (with_suffix(database, end) for end in SQLITE_FILES)
        ]

    def check(self) -> None:
        """Raises :class:`FilesLostError` if one of the files is not there any more or is another one."""
        for path, identity in self._files:
            try:
                now = _identity(path)
            except OSError as error:
                raise FilesLostError(f"{path} was removed or cannot be reached: {error.strerror}") from error
            if now != identity:
                raise FilesLostError(f"{path} was replaced by another file")


def _identity(path: str) -> tuple[int, int]:
    found = os.stat(path)  # noqa: PTH116  # with a Path it takes twice as long, and is done for every commit
    return found.st_dev, found.st_ino


def remove_database(database: Path) -> None:
    """Remove a database that nobody has open, and everything that belongs to it."""
    for ending in (*SQLITE_FILES, *OTHER_FILES):
        with_suffix(database, ending).unlink(missing_ok=True)
