"""Opening a database by its name: a path, or a URL whose scheme says of which kind it is."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.database import Database, Synchronous
from boardkeeper.service.storage.sqlite.database import SqliteDatabase


def open_database(name: str | Path, *, synchronous: Synchronous = "FULL") -> Database:
    """Open or make a database; raises :class:`StartupError` if that is not possible, with nothing made."""
    return SqliteDatabase.open(file_of(name), synchronous=synchronous)


def file_of(name: str | Path) -> Path:
    """The file of a database on SQLite; raises :class:`StartupError` if the name is not that of one."""
    if isinstance(name, Path):
        return name
    scheme, separator, rest = name.partition("://")
    if not separator:
        if not name:
            raise StartupError("the database has no name")
        return Path(name)
    if scheme != "sqlite":
        raise StartupError(f"cannot use a database of kind {scheme!r}; give a path or sqlite:///PATH")
    # As in SQLAlchemy: three slashes begin a relative path, four an absolute one.
    path = unquote(rest).removeprefix("/")
    if not path or path == ":memory:":
        raise StartupError("games need a file: give sqlite:///PATH")
    return Path(path)
