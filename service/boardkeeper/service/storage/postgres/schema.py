"""The tables, and how those of an earlier release become those of this one.

Migrations are SQL that stands here for ever; each release adds some behind the others and changes none. They run in
one transaction under a lock, whoever comes first, so that as many processes as wanted may start at once.

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
from boardkeeper.service.storage.postgres import access, archive, expiries, feed, invitations, players, quotas, webhooks

PARTITIONS = 16
"""Planning a query takes as long as with one; with 64 a connection holds half a megabyte more."""

_LOCK = 0x626B_7265  # "bkre"
_OLDEST = 150_000
"""PostgreSQL 15."""

_FIRST: LiteralString = """
CREATE TABLE service (what text PRIMARY KEY, value text NOT NULL);

CREATE TABLE events (
    game uuid NOT NULL,
    version integer NOT NULL,
    topic text NOT NULL,
    state bytea NOT NULL,
    link bytea NOT NULL,
    PRIMARY KEY (game, version)
) PARTITION BY HASH (game);

CREATE TABLE progress (
    game uuid PRIMARY KEY,
    version integer NOT NULL,
    chain bytea NOT NULL,
    time bigint NOT NULL DEFAULT 0,
    status text NOT NULL DEFAULT '',
    decisions bytea NOT NULL DEFAULT '[]',
    standings bytea NOT NULL DEFAULT '[]',
    bot_decides boolean NOT NULL DEFAULT false
) WITH (fillfactor = 40);

CREATE TABLE games (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    game uuid NOT NULL UNIQUE,
    title text NOT NULL,
    setup bytea NOT NULL,
    commitment text NOT NULL,
    create_time bigint NOT NULL,
    status text NOT NULL
);
CREATE INDEX games_by_status ON games (status, number);
CREATE INDEX games_by_title ON games (title, number);
CREATE INDEX games_by_title_and_status ON games (title, status, number);

CREATE TABLE seats (
    game uuid NOT NULL,
    seat integer NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    taken boolean NOT NULL,
    token_hash bytea,
    PRIMARY KEY (game, seat)
);
CREATE TABLE dice_secrets (game uuid PRIMARY KEY, secret bytea NOT NULL);
CREATE TABLE requests (
    request bytea PRIMARY KEY,
    content bytea NOT NULL,
    salt bytea NOT NULL,
    game uuid NOT NULL,
    seats bytea NOT NULL,
    create_time bigint NOT NULL
);
CREATE INDEX requests_by_game ON requests (game);
CREATE TABLE imports (
    game uuid PRIMARY KEY,
    key_id text NOT NULL,
    seal bytea NOT NULL,
    import_time bigint NOT NULL,
    record_id uuid NOT NULL,
    head text NOT NULL UNIQUE
);
CREATE TABLE snapshots (
    game uuid NOT NULL,
    version integer NOT NULL,
    topic text NOT NULL,
    state bytea NOT NULL,
    PRIMARY KEY (game, version)
);
CREATE TABLE removed_games (
    game uuid PRIMARY KEY,
    remove_time bigint NOT NULL,
    head text,
    key_id text
);
CREATE INDEX removed_games_by_head ON removed_games (head);
CREATE TABLE probes (filling bytea NOT NULL);
ALTER TABLE probes ALTER COLUMN filling SET STORAGE EXTERNAL;

-- Events are never changed, and go only with a whole game that was removed.
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'stored events are never changed or removed' USING ERRCODE = 'restrict_violation';
END $$;
CREATE FUNCTION refuse_unless_removed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM removed_games r WHERE r.game = OLD.game) THEN
        RAISE EXCEPTION 'stored events are never changed or removed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END $$;
CREATE FUNCTION refuse_if_removed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM removed_games r WHERE r.game = NEW.game) THEN
        RAISE EXCEPTION 'a game that was removed does not come back' USING ERRCODE = 'unique_violation';
    END IF;
    RETURN NEW;
END $$;
-- Whoever may write a tombstone may have the events of that game removed, which otherwise nobody but the owner can.
CREATE FUNCTION remove_events(removed uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM removed_games r WHERE r.game = removed) THEN
        RAISE EXCEPTION 'no tombstone stands for that game' USING ERRCODE = 'restrict_violation';
    END IF;
    DELETE FROM events e WHERE e.game = removed;
END $$;
REVOKE ALL ON FUNCTION remove_events(uuid) FROM PUBLIC;

CREATE TRIGGER no_update BEFORE UPDATE ON events FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER no_delete BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_unless_removed();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER no_return BEFORE INSERT ON progress FOR EACH ROW EXECUTE FUNCTION refuse_if_removed();
"""

_PARTITION: LiteralString = """
DO $$ BEGIN
    FOR number IN 0..{last} LOOP
        EXECUTE format('CREATE TABLE events_%s PARTITION OF events FOR VALUES WITH (MODULUS {modulus}, REMAINDER %s)',
            number, number);
        EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON events_%s FOR EACH STATEMENT'
            ' EXECUTE FUNCTION refuse()', number);
    END LOOP;
END $$;
"""

MIGRATIONS: tuple[LiteralString, ...] = (
    _FIRST + _PARTITION.replace("{last}", str(PARTITIONS - 1)).replace("{modulus}", str(PARTITIONS)),
    access.MIGRATION,
    quotas.MIGRATION,
    "CREATE TABLE backups (time bigint PRIMARY KEY);",  # when each was made
    players.MIGRATION,
    expiries.MIGRATION,
    feed.MIGRATION,
    invitations.MIGRATION,
    archive.MIGRATION,
    webhooks.MIGRATION,
    invitations.BY_PLAYER,
    invitations.BY_TIME,
    players.BY_TIME,
    expiries.CLOCKS,
)
"""What makes each schema of the one before it, from nothing on."""

_GRANTS: LiteralString = """
GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role};
GRANT SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {role};
GRANT INSERT ON {events}, {games}, {progress}, {seats}, {dice_secrets}, {requests}, {imports}, {snapshots},
    {removed_games}, {probes}, {service}, {access_keys}, {game_access}, {quotas}, {expiries} TO {role};
GRANT UPDATE ON {games}, {progress}, {seats}, {requests}, {access_keys}, {quotas}, {expiries} TO {role};
GRANT DELETE ON {games}, {progress}, {seats}, {dice_secrets}, {requests}, {imports}, {snapshots}, {probes},
    {quotas}, {expiries} TO {role};
GRANT INSERT ON {backups} TO {role};
GRANT INSERT, DELETE ON {players}, {seat_results}, {results} TO {role};
GRANT UPDATE ON {players}, {results} TO {role};
GRANT INSERT, DELETE ON {invitations}, {invitation_ends} TO {role};
GRANT UPDATE ON {invitations} TO {role};
GRANT USAGE ON SEQUENCE {result_positions} TO {role};
GRANT INSERT, UPDATE, DELETE ON {feed}, {feed_outbox} TO {role};
GRANT DELETE ON {archived_games} TO {role};
GRANT INSERT, UPDATE, DELETE ON {feed}, {feed_outbox}, {webhook_endpoints}, {webhook_deliveries} TO {role};
GRANT EXECUTE ON FUNCTION {remove_events}(uuid) TO {role};
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
    if schema > len(MIGRATIONS):
        raise StartupError(f"{name} was written by a newer Boardkeeper (table schema {schema})")
    until = len(MIGRATIONS) if until is None else until
    if schema >= until:
        return
    try:
        with connection.transaction():
            _set_path(connection)
            for script in MIGRATIONS[schema:until]:
                connection.execute(script, prepare=False)
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


def schema_number(connection: psycopg.Connection[Any]) -> int:
    """The number of the schema of the tables; 0 if there are none."""
    if connection.execute("SELECT to_regclass('service')").fetchone() == (None,):
        return 0
    row = connection.execute("SELECT value FROM service WHERE what = 'schema'").fetchone()
    return int(row[0]) if row is not None and re.fullmatch(r"\d{1,9}", str(row[0])) else 0


def grant(connection: psycopg.Connection[Any], role: str) -> None:
    """Give a role what a service needs: everything but to change and remove events, and to change tables."""
    tables = (
        "events games progress seats dice_secrets requests imports snapshots removed_games probes service remove_events"
        " feed feed_outbox webhook_endpoints webhook_deliveries"
        " access_keys game_access quotas"
        " backups expiries"
        " players seat_results results result_positions"
        " invitations invitation_ends"
        " archived_games"
    )
    schema = _schema(connection)
    names = {table: sql.Identifier(schema, table) for table in tables.split()}
    connection.execute(sql.SQL(_GRANTS).format(**names, schema=sql.Identifier(schema), role=sql.Identifier(role)))


def _set_path(connection: psycopg.Connection[Any]) -> None:
    """Functions keep the path that is set while they are made: nobody else's tables shall come before ours."""
    path = sql.SQL("SET LOCAL search_path = {}, pg_temp").format(sql.Identifier(_schema(connection)))
    connection.execute(path)


def _schema(connection: psycopg.Connection[Any]) -> str:
    row = connection.execute("SELECT current_schema()").fetchone()
    if row is None or row[0] is None:
        raise StartupError("the database has no schema in which this user can create tables")
    return str(row[0])
