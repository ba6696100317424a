"""Migrating the tables to this release's schema, and the rights of the server's role.

Migrations run in one transaction under a lock, so that several processes may start at once.

``events`` is partitioned by game from the start, because a large table cannot be partitioned later. Columns that every
command changes are in ``progress``, with free space in its pages and no index on these columns, so that an update
touches one page. ``games`` contains the columns that are written once, and the status, which changes twice.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage import schema as common
from boardkeeper.service.storage.sql import postgres_tables

_HISTORY = tuple(
    file.read_text("utf-8")
    for file in sorted((files(__package__) / "history").iterdir(), key=lambda file: file.name)
    if file.name.endswith(".sql")
)
"""The migrations that precede the common ones of both databases. They are never changed."""

_LOCK = 0x626B_7265  # "bkre"
_OLDEST = 150_000
"""The oldest supported version of PostgreSQL: 15."""

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
"""Rights of the server's role besides SELECT. It may insert, update and delete rows of all other tables."""

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
    """Keep other processes from creating tables until the transaction ends."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))


def migrate(connection: psycopg.Connection[Any], name: str, until: int | None = None) -> None:
    """Migrate the tables to this release's schema, or to schema ``until``, in the caller's transaction.

    Raises :class:`StartupError` for a schema of a newer release, and if the user may not create tables.
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
            for script in (*_HISTORY, *map(postgres_tables, common.MIGRATIONS))[schema:until]:
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
        raise StartupError(f"{name} contains tables of another program: use a separate database") from error


def newest() -> int:
    """Return the schema number of this release."""
    return len(_HISTORY) + len(common.MIGRATIONS)


def schema_number(connection: psycopg.Connection[Any]) -> int:
    """Return the schema number of the tables; 0 if there are none."""
    if connection.execute("SELECT to_regclass('service')").fetchone() == (None,):
        return 0
    row = connection.execute("SELECT value FROM service WHERE what = 'schema'").fetchone()
    return int(row[0]) if row is not None and re.fullmatch(r"\d{1,9}", str(row[0])) else 0


def grant(connection: psycopg.Connection[Any], role: str) -> None:
    """Grant a role the rights of a server, and revoke other rights that an earlier release granted.

    The role cannot change or delete events, except those of a removed or archived game. The rights of the tables' owner
    do not change.
    """
    names = {"schema": sql.Identifier(_schema_name(connection)), "role": sql.Identifier(role)}
    connection.execute(sql.SQL(_GRANTS).format(**names))
    for table, is_partition in connection.execute(_TABLES, (role,)).fetchall():
        names["table"] = sql.Identifier(table)
        connection.execute(sql.SQL("REVOKE ALL ON {schema}.{table} FROM {role}").format(**names))
        if not is_partition:  # partitions are only used through their parent table
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
