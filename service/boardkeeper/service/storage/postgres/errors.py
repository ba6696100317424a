"""What goes wrong with PostgreSQL, as the library's errors and as ours, so that nobody else knows its driver's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from eventsourcing.persistence import IntegrityError, InternalError, PersistenceError

from boardkeeper.service.storage.errors import UnreachableError, library_error_class

# The driver's operational errors are classes 08, 53, 55, 57 and 58: no connection, no room, a lock or a limit that was
# met, the server itself.
_UNREACHABLE = (
    psycopg.OperationalError,
    psycopg.errors.ReadOnlySqlTransaction,  # it is a standby now
    psycopg.InterfaceError,  # the connection is closed
)
CONFLICTS = (
    psycopg.errors.UniqueViolation,
    psycopg.errors.NotNullViolation,  # as whoever names what should be there makes of it what is not
    psycopg.errors.ExclusionViolation,
    psycopg.errors.CheckViolation,  # of a quota: nothing else is checked
    psycopg.errors.SerializationFailure,
    psycopg.errors.DeadlockDetected,
)
"""Somebody else was first: who decides again may come through."""

_DAMAGE = (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted)


def one_line(error: BaseException) -> str:
    """Return what the server or libpq says, in one line, and what to do if the user lacks a right."""
    text = " ".join(str(error).split())
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        text += (
            ". Connect as the user who owns the tables; to let another user run the server, this owner runs"
            " 'boardkeeper migrate --grant USER'"
        )
    return text


def translate(error: BaseException) -> PersistenceError:
    """An error of the driver as one that the rest of the service knows."""
    if isinstance(error, PersistenceError):
        return error
    for theirs, ours in ((CONFLICTS, IntegrityError), (_DAMAGE, InternalError), (_UNREACHABLE, UnreachableError)):
        if isinstance(error, theirs):
            return ours(str(error))
    return library_error_class(error)(one_line(error))


@contextmanager
def translate_errors() -> Iterator[None]:
    """What the driver raises within is raised as :func:`translate`."""
    try:
        yield
    except psycopg.Error as error:
        raise translate(error) from error
