"""What an exception out of the storage is about: the disk, which may be better in a moment, or what is stored."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec
from eventsourcing import persistence
from eventsourcing.persistence import IntegrityError, MapperDeserialisationError, OperationalError, PersistenceError

_T = TypeVar("_T")
_UNAVAILABLE_CODES = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    }
)
_DAMAGE_CODES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_INVALID_TEXT = "Could not decode to UTF-8"
"""How the driver says that a value's bytes are no text; SQLite has no code for it."""

_PRIMARY_CODE_MASK = 0xFF
"""An extended code is a primary one with more above it."""


class UnreachableError(OperationalError):
    """The database does not answer, or cannot be written now, whatever stands in it; it may be better in a moment."""


class BlockedError(UnreachableError):
    """Another transaction holds a lock that an append needs."""


class ConflictError(IntegrityError):
    """Something of an append was stored before, or its game is not at the version that the append expects."""


class FilesLostError(OperationalError):
    """The files of the database are no longer those that were opened: what is written to them will be lost."""


def library_error_class(error: BaseException) -> type[PersistenceError]:
    """Return the class of the library's errors that has the name of a class of the error of a driver."""
    names = [kind.__name__ for kind in type(error).__mro__]
    return next((getattr(persistence, name) for name in names if hasattr(persistence, name)), OperationalError)


@contextmanager
def decode_errors_as_damage() -> Iterator[None]:
    """Where SQLite says within what is wrong with a file in bytes of it that are no text, it is an error of it still.

    Python would make an error of those bytes. It happens where the tables' own descriptions are damaged, which a
    connection reads before anything else.
    """
    try:
        yield
    except UnicodeDecodeError as error:
        damaged = sqlite3.DatabaseError("malformed database schema")
        damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damaged from error


def is_unavailable(error: BaseException) -> bool:
    """Whether reading or writing failed, or there was no room, whatever stands in the file."""
    return isinstance(error, UnreachableError) or any(code in _UNAVAILABLE_CODES for code in _primary_codes(error))


def is_file_damage(error: BaseException) -> bool:
    """Whether SQLite found its own structures damaged, or text that is none."""
    return any(code in _DAMAGE_CODES for code in _primary_codes(error)) or any(
        map(is_invalid_text, _error_chain(error))
    )


def is_invalid_text(error: object) -> bool:
    """Return whether SQLite's driver found text that is not UTF-8."""
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith(_INVALID_TEXT)


def is_storage_error(error: BaseException) -> bool:
    """Whether the error comes from the storage, or from what is stored, which then is not what was stored once."""
    return isinstance(error, sqlite3.Error | PersistenceError | MapperDeserialisationError | msgspec.MsgspecError)


def is_damage(error: BaseException) -> bool:
    """Return whether what is stored is damaged; false if the disk cannot be read."""
    return is_storage_error(error) and not is_unavailable(error)


def read_or_default(read: Callable[[], _T], *, default: _T) -> _T:
    """Return what a function reads, or the default if what is stored is damaged there."""
    try:
        return read()
    except Exception as error:
        if not is_damage(error):
            raise
        return default


def describe_file_error(error: BaseException) -> str:
    """What is wrong, for who stands before the file, to be said behind its name."""
    if is_unavailable(error):
        return f"cannot be read or written: {error}"
    if sqlite3.SQLITE_NOTADB in _primary_codes(error):
        return "is not a Boardkeeper database, or is damaged at its beginning"
    return f"is damaged ({error}): restore it from a backup"


def _primary_codes(error: BaseException | None) -> Iterator[int]:
    """SQLite's codes of an error and of those that it wraps."""
    for one in _error_chain(error):
        code = getattr(one, "sqlite_errorcode", None)
        if isinstance(code, int):
            yield code & _PRIMARY_CODE_MASK


def _error_chain(error: BaseException | None) -> Iterator[object]:
    """An error, and those that it wraps."""
    while error is not None:
        yield from (error, *error.args)
        error = error.__cause__
