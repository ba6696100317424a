"""Conversion of the driver's errors to the library's and ours, so that other packages do not need the driver."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from eventsourcing.persistence import IntegrityError, InternalError, PersistenceError

from boardkeeper.service.storage.errors import UnreachableError, library_error_class

# The driver's operational errors are the classes 08, 53, 55, 57 and 58: connection, resources, locks and limits,
# server.
_UNREACHABLE = (
    psycopg.OperationalError,
    psycopg.errors.ReadOnlySqlTransaction,  # the server is a standby now
    psycopg.InterfaceError,  # the connection is closed
)
CONFLICTS = (
    psycopg.errors.UniqueViolation,
    psycopg.errors.NotNullViolation,  # changes use NULL to force a conflict
    psycopg.errors.ExclusionViolation,
    psycopg.errors.CheckViolation,  # only quotas have check constraints
    psycopg.errors.SerializationFailure,
    psycopg.errors.DeadlockDetected,
)
"""Another transaction was first; deciding again may succeed."""

_DAMAGE = (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted)


def one_line(error: BaseException) -> str:
    """Return the message of the server or libpq in one line, with advice if the user lacks a privilege."""
    text = " ".join(str(error).split())
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        text += (
            ". Connect as the user who owns the tables; to let another user run the server, this owner runs"
            " 'boardkeeper migrate --grant USER'"
        )
    return text


def translate(error: BaseException) -> PersistenceError:
    """Return an error of the driver as an error of the library or ours."""
    if isinstance(error, PersistenceError):
        return error
    for theirs, ours in ((CONFLICTS, IntegrityError), (_DAMAGE, InternalError), (_UNREACHABLE, UnreachableError)):
        if isinstance(error, theirs):
            return ours(str(error))
    return library_error_class(error)(one_line(error))


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise errors of the driver as the result of :func:`translate`."""
    try:
        yield
    except psycopg.Error as error:
        raise translate(error) from error
