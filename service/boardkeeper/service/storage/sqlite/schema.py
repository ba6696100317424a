"""The tables of a file, and how a file of an earlier release gets those of this one.

Until the numbered migrations (:mod:`~boardkeeper.service.storage.schema`) began, releases added the tables and columns
that a file lacked. :func:`_make_base` still does so for their files. Columns with the id of a game were called
``game_id`` then. All of a migration is one transaction.

The event log has the tables of the eventsourcing library. Views show them, and the head of each game's chain, under the
names that they have in PostgreSQL.
"""

from __future__ import annotations

import sqlite3

from boardkeeper.service.storage import schema
from boardkeeper.service.storage.quotas import COUNT
from boardkeeper.service.storage.sql import for_sqlite, sqlite_tables
from boardkeeper.service.storage.sqlite.events_table import chain_old_rows, create_statements

_TABLES = """
CREATE TABLE IF NOT EXISTS games (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    setup BLOB NOT NULL,
    commitment TEXT NOT NULL,
    create_time INTEGER NOT NULL,
    update_time INTEGER NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    decisions BLOB NOT NULL,
    standings BLOB NOT NULL,
    chain BLOB
);
CREATE INDEX IF NOT EXISTS games_by_status ON games (status, number);
CREATE INDEX IF NOT EXISTS games_by_title ON games (title, number);
CREATE INDEX IF NOT EXISTS games_by_title_and_status ON games (title, status, number);
CREATE TABLE IF NOT EXISTS seats (
    game TEXT NOT NULL,
    seat INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    taken INTEGER NOT NULL,
    token_hash BLOB,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dice_secrets (
    game TEXT PRIMARY KEY,
    secret BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS requests (
    request BLOB PRIMARY KEY,
    content BLOB NOT NULL,
    salt BLOB NOT NULL,
    game TEXT NOT NULL,
    seats BLOB NOT NULL,
    create_time INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS imports (
    game TEXT PRIMARY KEY,
    key_id TEXT NOT NULL,
    seal BLOB NOT NULL,
    import_time INTEGER NOT NULL,
    record_id TEXT,
    head TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS access_keys (
    number INTEGER PRIMARY KEY,
    key_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    platform TEXT NOT NULL,
    scopes BLOB NOT NULL,
    secret_hash BLOB,
    certificate TEXT NOT NULL,
    create_time INTEGER NOT NULL,
    expire_time INTEGER,
    revoke_time INTEGER,
    use_time INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS access_keys_by_certificate ON access_keys (certificate)
    WHERE certificate<>'' AND revoke_time IS NULL;
CREATE TABLE IF NOT EXISTS game_access (
    game TEXT PRIMARY KEY,
    platform TEXT NOT NULL,
    spectators INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS feed (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id BLOB NOT NULL,
    platform TEXT NOT NULL,
    game TEXT NOT NULL,
    title TEXT NOT NULL,
    version INTEGER NOT NULL,
    time INTEGER NOT NULL,
    kind TEXT NOT NULL,
    content BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS feed_by_platform ON feed (platform, number);
CREATE INDEX IF NOT EXISTS feed_by_game ON feed (game, number);
CREATE TABLE IF NOT EXISTS webhook_endpoints (
    number INTEGER PRIMARY KEY,
    endpoint_id TEXT NOT NULL UNIQUE,
    platform TEXT NOT NULL,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    kinds BLOB NOT NULL,
    secrets BLOB NOT NULL,
    create_time INTEGER NOT NULL,
    disable_time INTEGER,
    problem TEXT NOT NULL,
    position INTEGER NOT NULL,
    owner TEXT NOT NULL,
    lease_until INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS webhook_deliveries (
    endpoint_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    game TEXT NOT NULL,
    tries INTEGER NOT NULL,
    next_time INTEGER NOT NULL,
    dead_time INTEGER,
    problem TEXT NOT NULL,
    PRIMARY KEY (endpoint_id, number)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS webhook_deliveries_by_game ON webhook_deliveries (game);
CREATE TABLE IF NOT EXISTS players (
    game TEXT NOT NULL,
    seat INTEGER NOT NULL,
    platform TEXT NOT NULL,
    player_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    title TEXT NOT NULL,
    ended INTEGER NOT NULL,
    PRIMARY KEY (game, seat),
    UNIQUE (game, player_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS players_by_id ON players (platform, player_id, number, seat);
CREATE INDEX IF NOT EXISTS players_by_state ON players (platform, player_id, ended, number, seat);
CREATE INDEX IF NOT EXISTS players_by_title ON players (platform, title, player_id) WHERE ended;
CREATE TABLE IF NOT EXISTS seat_results (
    game TEXT NOT NULL,
    seat INTEGER NOT NULL,
    points INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    share REAL NOT NULL,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS invitations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    code_hash BLOB NOT NULL UNIQUE,
    game TEXT NOT NULL,
    seat INTEGER NOT NULL,
    player_id TEXT NOT NULL,
    create_time INTEGER NOT NULL,
    expire_time INTEGER
);
CREATE INDEX IF NOT EXISTS invitations_by_game ON invitations (game, number);
CREATE INDEX IF NOT EXISTS invitations_by_player ON invitations (player_id) WHERE player_id<>'';
CREATE INDEX IF NOT EXISTS invitations_by_expiry ON invitations (expire_time) WHERE expire_time IS NOT NULL;
CREATE TABLE IF NOT EXISTS invitation_ends (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    end_time INTEGER NOT NULL,
    used_seat INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS invitation_ends_by_game ON invitation_ends (game);
CREATE INDEX IF NOT EXISTS invitation_ends_by_time ON invitation_ends (end_time);
CREATE TABLE IF NOT EXISTS expiries (game TEXT PRIMARY KEY, time INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS expiries_by_time ON expiries (time);
CREATE TABLE IF NOT EXISTS probes (id INTEGER PRIMARY KEY, filling BLOB NOT NULL);
"""

_QUOTAS = """
CREATE TABLE quotas (
    platform TEXT NOT NULL,
    what TEXT NOT NULL,
    period INTEGER NOT NULL,
    used INTEGER NOT NULL,
    most INTEGER,
    PRIMARY KEY (platform, what, period),
    CHECK (most IS NULL OR used<=most)
) WITHOUT ROWID;
"""

# A position in the list of results is never given twice, also not after the last game was removed.
_RESULTS = """
CREATE TABLE results (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL UNIQUE,
    platform TEXT NOT NULL,
    title TEXT NOT NULL,
    end_time INTEGER NOT NULL,
    seats INTEGER NOT NULL,
    people INTEGER NOT NULL
);
CREATE INDEX results_by_platform ON results (platform, position);
CREATE INDEX results_by_title ON results (platform, title, position);
CREATE INDEX results_by_title_of_all ON results (title, position);
INSERT INTO results (game, platform, title, end_time, seats, people)
    SELECT game, platform, title, update_time, json_array_length(CAST(standings AS TEXT)),
        (SELECT count(*) FROM seats s WHERE s.game=games.game AND s.kind='person')
    FROM games WHERE status='ended' AND json_valid(CAST(standings AS TEXT)) ORDER BY update_time, number;
INSERT OR IGNORE INTO seat_results (game, seat, points, rank, outcome, share)
    SELECT game, seat, points, rank, CASE WHEN rank>1 THEN 'lost' WHEN worst>1 THEN 'won' ELSE 'drawn' END,
        CASE WHEN rank>1 THEN 0.0 ELSE 1.0/first END
    FROM (
        SELECT *, max(rank) OVER game AS worst, sum(rank=1) OVER game AS first FROM (
            SELECT game, json_extract(value, '$.seat') AS seat, json_extract(value, '$.points') AS points,
                json_extract(value, '$.rank') AS rank
            FROM (SELECT game, CAST(standings AS TEXT) AS content FROM games WHERE game IN
                (SELECT game FROM results)), json_each(content)
        ) WINDOW game AS (PARTITION BY game)
    );
"""

_COLUMNS = {
    ("games", "chain"): """
ALTER TABLE games ADD COLUMN chain BLOB;
UPDATE games SET chain=(
    SELECT link FROM stored_events WHERE originator_id=game ORDER BY originator_version DESC LIMIT 1
);
""",
    ("imports", "head"): """
ALTER TABLE imports ADD COLUMN record_id TEXT;
ALTER TABLE imports ADD COLUMN head TEXT;
UPDATE imports SET record_id=game, head=json_extract(CAST(seal AS TEXT), '$.head');
""",
    ("games", "platform"): "ALTER TABLE games ADD COLUMN platform TEXT NOT NULL DEFAULT '';",
    ("access_keys", "limits"): "ALTER TABLE access_keys ADD COLUMN limits TEXT NOT NULL DEFAULT '';",
    ("game_access", "token_seconds"): """
ALTER TABLE game_access ADD COLUMN by_invitation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game_access ADD COLUMN token_seconds INTEGER NOT NULL DEFAULT 0;
""",
    ("seats", "token_expires"): "ALTER TABLE seats ADD COLUMN token_expires INTEGER;",
    ("expiries", "clocks"): "ALTER TABLE expiries ADD COLUMN clocks BLOB;",
}
"""Columns that tables of earlier releases lack, and the scripts that add them."""

# Indices with a platform contain only games of platforms: a file without such games pays nothing for them.
_INDICES = """
CREATE UNIQUE INDEX IF NOT EXISTS imports_by_head ON imports (head);
CREATE INDEX IF NOT EXISTS games_by_time ON games (create_time, number);
CREATE INDEX IF NOT EXISTS games_that_go_on_by_time ON games (status, create_time, number) WHERE status<>'ended';
CREATE INDEX IF NOT EXISTS games_by_platform_and_time ON games (platform, create_time, number) WHERE platform<>'';
CREATE INDEX IF NOT EXISTS games_by_platform ON games (platform, number) WHERE platform<>'';
CREATE INDEX IF NOT EXISTS games_by_platform_and_title ON games (platform, title, number) WHERE platform<>'';
CREATE INDEX IF NOT EXISTS games_by_platform_and_status ON games (platform, status, number) WHERE platform<>'';
"""

_VIEWS = """
CREATE VIEW progress AS SELECT game, version, chain, update_time AS time, status, decisions, standings FROM games;
CREATE VIEW events AS
    SELECT originator_id AS game, originator_version AS version, topic, state, link FROM stored_events;
CREATE TRIGGER events_insert INSTEAD OF INSERT ON events BEGIN
    INSERT INTO stored_events VALUES (NEW.game, NEW.version, NEW.topic, NEW.state, NEW.link);
END;
CREATE TRIGGER events_delete INSTEAD OF DELETE ON events BEGIN
    DELETE FROM stored_events WHERE originator_id=OLD.game AND originator_version=OLD.version;
END;
CREATE VIEW snapshots AS
    SELECT originator_id AS game, originator_version AS version, topic, state FROM stored_snapshots;
CREATE TRIGGER snapshots_insert INSTEAD OF INSERT ON snapshots BEGIN
    INSERT INTO stored_snapshots VALUES (NEW.game, NEW.version, NEW.topic, NEW.state);
END;
CREATE TRIGGER snapshots_delete INSTEAD OF DELETE ON snapshots BEGIN
    DELETE FROM stored_snapshots WHERE originator_id=OLD.game AND originator_version=OLD.version;
END;
"""

HEAD_OF = "SELECT chain, version FROM games WHERE game=?"
"""SQL that reads the head of a game's chain, and its version."""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables to this release's schema, all or nothing. The schema must not be newer."""
    ((number,),) = connection.execute("PRAGMA user_version").fetchall()
    if number == schema.newest():
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if number < schema.BASE:
            _make_base(connection)
        for script in schema.MIGRATIONS[max(number - schema.BASE, 0) :]:
            _run(connection, sqlite_tables(script))
        connection.execute(f"PRAGMA user_version={schema.newest()}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _make_base(connection: sqlite3.Connection) -> None:
    """Add the tables and columns that a file of an earlier release lacks."""
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchall()]
    for table in tables:
        if "game_id" in _columns(connection, table):
            connection.execute(f"ALTER TABLE {table} RENAME COLUMN game_id TO game")
    chain_old_rows(connection.cursor())
    for statement in create_statements():
        connection.execute(statement)
    _run(connection, _TABLES)
    for (table, column), script in _COLUMNS.items():
        if column not in _columns(connection, table):
            _run(connection, script)
    if "results" not in tables:
        _run(connection, _RESULTS)
    _run(connection, _INDICES)
    if "quotas" not in tables:
        _run(connection, _QUOTAS)
        connection.execute(for_sqlite(COUNT))
    _run(connection, _VIEWS)


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})").fetchall()]


def _run(connection: sqlite3.Connection, script: str) -> None:
    """Run the statements of a script. The driver's ``executescript`` would commit first."""
    statement = ""
    for part in script.strip().removesuffix(";").split(";"):
        statement += part + ";"
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
