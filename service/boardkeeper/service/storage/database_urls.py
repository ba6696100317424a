"""Opening a database by its path or URL."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from boardkeeper.service.errors import StartupError

if TYPE_CHECKING:  # parsing names of databases must not import their packages
    from boardkeeper.service.storage.database import Database, ReadableDatabase, Synchronous

_POSTGRES = ("postgresql", "postgres")


def open_database(
    name: str | Path,
    *,
    synchronous: Synchronous = "FULL",
    key_file: str | Path = "",
    notify: Literal["listen", "poll"] = "listen",
) -> Database:
    """Open or create a database. Raises :class:`StartupError`, with nothing created.

    ``key_file`` and ``notify`` are only used for PostgreSQL.
    """
    if not is_postgres(name):
        from boardkeeper.service.storage.sqlite.database import SqliteDatabase  # noqa: PLC0415  # not needed to parse names

        return SqliteDatabase.open(sqlite_path(name), synchronous=synchronous)
    require_driver()
    from boardkeeper.service.storage.postgres.database import PostgresDatabase  # noqa: PLC0415

    file = Path(key_file) if key_file else None
    return PostgresDatabase.open(str(name), key_file=file, synchronous=synchronous, notify=notify)


def open_existing(name: str | Path, key_file: Path | None = None) -> Database:
    """Open a database for an operator command. Raises :class:`StartupError` if the file does not exist."""
    check_exists(name)
    return open_database(name, key_file=key_file or "")


def open_read_only(name: str | Path, key_file: Path | None = None) -> AbstractContextManager[ReadableDatabase]:
    """Open a database without changing it. Raises :class:`StartupError`, also if its schema is not of this release."""
    if not is_postgres(name):
        from boardkeeper.service.storage.sqlite import database  # noqa: PLC0415

        check_exists(name)
        return database.open_read_only(sqlite_path(name))
    require_driver()
    from boardkeeper.service.storage.postgres import admin  # noqa: PLC0415

    return admin.open_read_only(str(name), key_file)


def check_exists(name: str | Path) -> None:
    """Raise :class:`StartupError` if a path is not an existing database file of ours.

    Does nothing for a URL of PostgreSQL.
    """
    if is_postgres(name):
        return
    from boardkeeper.service.storage.sqlite.connections import check_is_ours  # noqa: PLC0415
    from boardkeeper.service.storage.sqlite.database_files import resolve_existing  # noqa: PLC0415

    check_is_ours(resolve_existing(sqlite_path(name)))


def key_path(name: str | Path, key_file: Path | None) -> Path | None:
    """Return the path of a database's key file: beside a SQLite file, or ``key_file`` for PostgreSQL."""
    if is_postgres(name):
        return key_file
    from boardkeeper.service.storage.sqlite.database_files import append_suffix, resolve_path  # noqa: PLC0415

    return append_suffix(resolve_path(sqlite_path(name)), ".key")


def is_postgres(name: str | Path) -> bool:
    """Return whether the name is a URL of PostgreSQL."""
    return isinstance(name, str) and name.partition("://")[0] in _POSTGRES and "://" in name


def is_same_database(one: str | Path, other: str | Path) -> bool:
    """Return whether two names are the same database. Different URLs count as different databases."""
    if is_postgres(one) or is_postgres(other):
        return one == other
    return os.path.realpath(sqlite_path(one)) == os.path.realpath(sqlite_path(other))


def has_password(name: str) -> bool:
    """Return whether the name contains a password, which other users could see in the process list."""
    if not is_postgres(name):
        return False
    require_driver()
    from boardkeeper.service.storage.postgres import address  # noqa: PLC0415

    return address.has_password(name)


def check_name(name: str) -> None:
    """Raise :class:`StartupError` if the name is not a valid path or URL of a database."""
    if not is_postgres(name):
        sqlite_path(name)
        return
    require_driver()
    from boardkeeper.service.storage.postgres.address import Address  # noqa: PLC0415

    Address.of(name)


def require_driver() -> None:
    """Raise :class:`StartupError` if the packages for PostgreSQL are not installed."""
    try:
        import psycopg  # noqa: F401, PLC0415
        import psycopg_pool  # noqa: F401, PLC0415
    except ImportError as error:
        raise StartupError(f"PostgreSQL needs more packages: pip install 'boardkeeper[postgres]' ({error})") from error


def sqlite_path(name: str | Path) -> Path:
    """Return the path of a SQLite file. Raises :class:`StartupError` if the name is not a path or a URL of SQLite."""
    if isinstance(name, Path):
        return name
    scheme, separator, rest = name.partition("://")
    if not separator:
        if not name:
            raise StartupError("the database has no name")
        return Path(name)
    if scheme != "sqlite":
        raise StartupError(
            f"unknown kind of database {scheme!r}: write a path, sqlite:///PATH or postgresql://HOST/NAME"
        )
    # As in SQLAlchemy: three slashes begin a relative path, four an absolute one.
    path = unquote(rest).removeprefix("/")
    if not path or path == ":memory:":
        raise StartupError("a SQLite database needs a file: write sqlite:///PATH")
    return Path(path)
