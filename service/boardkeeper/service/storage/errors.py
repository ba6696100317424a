"""Classification of storage errors: storage that is unavailable for a time, or stored data that is damaged."""

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
"""How the sqlite3 module reports text that is not UTF-8; there is no error code for it."""

_PRIMARY_CODE_MASK = 0xFF
"""The lowest byte of an extended error code is the primary code."""


class UnreachableError(OperationalError):
    """The database does not answer or cannot be written now; a later attempt may succeed."""


class BlockedError(UnreachableError):
    """Another transaction holds a lock that an append needs."""


class ConflictError(IntegrityError):
    """Part of an append exists already, or its game is not at the version that the append expects."""


class FilesLostError(OperationalError):
    """The database files were removed or replaced after they were opened; writes to them would be lost."""


def library_error_class(error: BaseException) -> type[PersistenceError]:
    """Return the eventsourcing library's error class with the same name as a class of a driver's error."""
    names = [kind.__name__ for kind in type(error).__mro__]
    return next((getattr(persistence, name) for name in names if hasattr(persistence, name)), OperationalError)


@contextmanager
def decode_errors_as_damage() -> Iterator[None]:
    """Raise a database error for a ``UnicodeDecodeError`` in the block.

    It occurs when SQLite reports a damaged schema with a message that is not UTF-8.
    """
    try:
        yield
    except UnicodeDecodeError as error:
        damaged = sqlite3.DatabaseError("malformed database schema")
        damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damaged from error


def is_unavailable(error: BaseException) -> bool:
    """Return whether the storage cannot be read or written now, regardless of what is stored."""
    return isinstance(error, UnreachableError) or any(code in _UNAVAILABLE_CODES for code in _primary_codes(error))


def is_file_damage(error: BaseException) -> bool:
    """Return whether SQLite found its file structure damaged, or text that is not UTF-8."""
    return any(code in _DAMAGE_CODES for code in _primary_codes(error)) or any(
        map(is_invalid_text, _error_chain(error))
    )


def is_invalid_text(error: object) -> bool:
    """Return whether the sqlite3 module found text that is not UTF-8."""
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith(_INVALID_TEXT)


def is_storage_error(error: BaseException) -> bool:
    """Return whether an error comes from the storage or from decoding stored data."""
    return isinstance(error, sqlite3.Error | PersistenceError | MapperDeserialisationError | msgspec.MsgspecError)


def is_damage(error: BaseException) -> bool:
    """Return whether an error means that stored data is damaged, not that the storage is unavailable."""
    return is_storage_error(error) and not is_unavailable(error)


def read_or_default(read: Callable[[], _T], *, default: _T) -> _T:
    """Return the result of a read, or ``default`` if the stored data is damaged."""
    try:
        return read()
    except Exception as error:
        if not is_damage(error):
            raise
        return default


def describe_file_error(error: BaseException) -> str:
    """Return what is wrong with a file. The text follows the name of the file in a message."""
    if is_unavailable(error):
        return f"cannot be read or written: {error}"
    if sqlite3.SQLITE_NOTADB in _primary_codes(error):
        return "is not a Boardkeeper database, or is damaged at its beginning"
    return f"is damaged ({error}): restore it from a backup"


def _primary_codes(error: BaseException | None) -> Iterator[int]:
    """Yield SQLite's primary codes of an error and its causes."""
    for one in _error_chain(error):
        code = getattr(one, "sqlite_errorcode", None)
        if isinstance(code, int):
            yield code & _PRIMARY_CODE_MASK


def _error_chain(error: BaseException | None) -> Iterator[object]:
    """Yield an error, its causes, and the arguments of each."""
    while error is not None:
        yield from (error, *error.args)
        error = error.__cause__
