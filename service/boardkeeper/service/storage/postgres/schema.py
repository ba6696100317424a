"""Bringing the tables to this release's schema, and the rights of the role that serves them.

Migrations run in one transaction under a lock, so that several processes may start at once.

``events`` is split by game from the start, for a table that is large cannot be split any more. What changes with every
command stands in ``progress``, in rows with room beside them and no index on what changes, so that an update touches
one page. ``games`` has what is written once, and the status, which changes twice.
"""

from __future__ import annotations

import re
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage import schema as common
from boardkeeper.service.storage.postgres.history import HISTORY
from boardkeeper.service.storage.sql import postgres_tables

_LOCK = 0x626B_7265  # "bkre"
_OLDEST = 150_000
"""PostgreSQL 15."""

_RIGHTS = {
    "access_keys": "INSERT, UPDATE",
    "archived_games": "DELETE",
    "backups": "INSERT",
    "dice_secrets": "INSERT, DELETE",
    "events": "INSERT",
    "feed_outbox": "INSERT, DELETE",
    "game_access": "INSERT",
    "imports": "INSERT, DELETE",
    "invitation_ends": "INSERT, DELETE",
    "probes": "INSERT, DELETE",
    "removed_games": "INSERT",
    "seat_results": "INSERT, DELETE",
    "service": "INSERT",
    "snapshots": "INSERT, DELETE",
}
"""What the role of a service may do with some tables besides reading them. It may change the rows of all others."""

_TABLES: LiteralString = """
SELECT relname, relispartition FROM pg_class WHERE relnamespace = current_schema()::regnamespace
    AND relkind IN ('r', 'p') AND pg_get_userbyid(relowner) <> %s ORDER BY relname
"""
_GRANTS: LiteralString = """
GRANT SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {role};
GRANT USAGE ON SEQUENCE {schema}.result_positions TO {role};
GRANT EXECUTE ON FUNCTION {schema}.remove_events(uuid) TO {role};
GRANT USAGE ON SCHEMA {schema} TO {role};
"""


def lock(connection: psycopg.Connection[Any]) -> None:
    """Have nobody else make tables until the end of the transaction."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))


def migrate(connection: psycopg.Connection[Any], name: str, until: int | None = None) -> None:
    """Bring the tables to this release's schema, within a transaction of the caller's, which holds a lock till its end.

    With ``until`` to that of an earlier one, for a backup of its time. Raises :class:`StartupError` for a schema of a
    newer release, and for tables that may not be made.
    """
    if connection.info.server_version < _OLDEST:
        raise StartupError(f"{name} must be PostgreSQL 15 or newer")
    lock(connection)
    schema = schema_number(connection)
    if schema > newest():
        raise StartupError(f"{name} was written by a newer Boardkeeper (table schema {schema})")
    until = newest() if until is None else until
    if schema >= until:
        return
    try:
        with connection.transaction():
            _set_search_path(connection)
            for script in (*HISTORY, *map(postgres_tables, common.MIGRATIONS))[schema:until]:
                connection.execute(script.encode(), prepare=False)
            connection.execute(
                "INSERT INTO service VALUES ('schema', %s) ON CONFLICT (what) DO UPDATE SET value = excluded.value",
                (str(until),),
            )
    except psycopg.errors.InsufficientPrivilege as error:
        raise StartupError(
            f"the tables of {name} must be updated, which this user cannot do:"
            " run 'boardkeeper migrate' as the user who owns them"
        ) from error
    except (psycopg.errors.DuplicateTable, psycopg.errors.DuplicateFunction) as error:
        raise StartupError(f"{name} contains tables of another program: use a database of its own") from error


def newest() -> int:
    """Return the number of this release's schema."""
    return len(HISTORY) + len(common.MIGRATIONS)


def schema_number(connection: psycopg.Connection[Any]) -> int:
    """The number of the schema of the tables; 0 if there are none."""
    if connection.execute("SELECT to_regclass('service')").fetchone() == (None,):
        return 0
    row = connection.execute("SELECT value FROM service WHERE what = 'schema'").fetchone()
    return int(row[0]) if row is not None and re.fullmatch(r"\d{1,9}", str(row[0])) else 0


def grant(connection: psycopg.Connection[Any], role: str) -> None:
    """Grant a role the rights of a service, and revoke what an earlier release granted beyond them.

    The role cannot change or delete events, except those of a game that gets a tombstone. The rights of a role that
    owns the tables stay as they are.
    """
    names = {"schema": sql.Identifier(_schema_name(connection)), "role": sql.Identifier(role)}
    connection.execute(sql.SQL(_GRANTS).format(**names))
    for table, is_partition in connection.execute(_TABLES, (role,)).fetchall():
        names["table"] = sql.Identifier(table)
        connection.execute(sql.SQL("REVOKE ALL ON {schema}.{table} FROM {role}").format(**names))
        if not is_partition:  # partitions are used through their table only
            rights = sql.SQL(_RIGHTS.get(table, "INSERT, UPDATE, DELETE"))
            connection.execute(sql.SQL("GRANT SELECT, {} ON {schema}.{table} TO {role}").format(rights, **names))


def _set_search_path(connection: psycopg.Connection[Any]) -> None:
    """Set the search path that new functions store, so that they never use a table of another schema."""
    path = sql.SQL("SET LOCAL search_path = {}, pg_temp").format(sql.Identifier(_schema_name(connection)))
    connection.execute(path)


def _schema_name(connection: psycopg.Connection[Any]) -> str:
    row = connection.execute("SELECT current_schema()").fetchone()
    if row is None or row[0] is None:
        raise StartupError("the database has no schema in which this user can create tables")
    return str(row[0])
