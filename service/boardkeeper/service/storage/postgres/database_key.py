"""The key that a PostgreSQL database belongs to; all processes of a server use the same key file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
import structlog

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.postgres.schema import schema_number
from boardkeeper.service.storage.service_key import ServiceKey

_Connection = psycopg.Connection[Any]
_log = structlog.get_logger()


def check_recognised(connection: _Connection, name: str) -> None:
    """Raise ``StartupError`` unless the database has our tables."""
    if not schema_number(connection):
        raise StartupError(f"{name} is not a Boardkeeper database")


def stored_key_id(connection: _Connection) -> str | None:
    """Return the id of the key that the database belongs to; ``None`` if no server has used it yet."""
    row = connection.execute("SELECT value FROM service WHERE what = 'key'").fetchone()
    return None if row is None else str(row[0])


def check_key(connection: _Connection, name: str, file: Path) -> ServiceKey:
    """Return the key in an existing file. Raises ``StartupError`` if the database does not belong to it."""
    key, needed = ServiceKey.existing(file), stored_key_id(connection)
    if needed is None:
        raise StartupError(f"{name} has no key yet: no server has used it")
    if needed != key.id:
        raise StartupError(f"{name} needs the key {needed}, but {file} contains the key {key.id}")
    return key


def check_or_create_key(connection: _Connection, name: str, file: Path | None) -> ServiceKey:
    """Return the key of the database, which is created for a new one. Raises ``StartupError``."""
    if file is None:
        raise StartupError(f"{name} needs a key file, the same for all processes: name it with --key-file FILE")
    if stored_key_id(connection) is None:
        key = ServiceKey.load_or_create(file)
        connection.execute("INSERT INTO service VALUES ('key', %s)", (key.id,))
        _log.info("the database has a key now", database=name, key=key.id, file=str(file))
        return key
    if not file.exists():
        raise StartupError(
            f"the key file {file} does not exist, but {name} has a key already:"
            " use the key file of the server that created it"
        )
    return check_key(connection, name, file)
