"""The migrations of both databases. To add a table or a column, append an entry here and add a field to the struct.

An entry is a script in the common SQL dialect (:mod:`~boardkeeper.service.storage.sql`) with PostgreSQL's types.
Entries are never changed or removed. The schema number is stored in SQLite's ``user_version`` and in PostgreSQL's table
``service``.
"""

from __future__ import annotations

from boardkeeper.service.errors import StartupError

BASE = 14
"""The schema before the first entry. ``sqlite/schema.py`` and ``postgres/schema.py`` migrate older ones to it."""

MIGRATIONS: tuple[str, ...] = (
    # A distributed PostgreSQL allows only unique keys that contain the game, by which it distributes.
    """{postgres:
ALTER TABLE games DROP CONSTRAINT games_pkey, DROP CONSTRAINT games_game_key, ADD PRIMARY KEY (game);
CREATE INDEX games_by_number ON games (number);
ALTER TABLE requests DROP CONSTRAINT requests_pkey, ADD PRIMARY KEY (request, game);
ALTER TABLE imports DROP CONSTRAINT imports_head_key;
CREATE INDEX imports_by_head ON imports (head);
ALTER TABLE results DROP CONSTRAINT results_position_key, ADD UNIQUE (position, game);
ALTER TABLE feed DROP CONSTRAINT feed_pkey, ADD PRIMARY KEY (number, game);
ALTER TABLE feed_outbox DROP CONSTRAINT feed_outbox_pkey, ADD PRIMARY KEY (sequence, game);
ALTER TABLE invitations DROP CONSTRAINT invitations_pkey, DROP CONSTRAINT invitations_id_key,
    DROP CONSTRAINT invitations_code_hash_key, ADD PRIMARY KEY (number, game);
CREATE INDEX invitations_by_id ON invitations (id);
CREATE INDEX invitations_by_code ON invitations (code_hash);
ALTER TABLE invitation_ends DROP CONSTRAINT invitation_ends_pkey, ADD PRIMARY KEY (id, game);
ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_pkey,
    ADD PRIMARY KEY (endpoint_id, number, game);
}""",
    # A distributed PostgreSQL allows no triggers. Rights replace them; only remove_events has the right to delete.
    """{postgres:
DROP FUNCTION refuse(), refuse_unless_removed(), refuse_if_removed() CASCADE;
CREATE OR REPLACE FUNCTION remove_events(removed uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM removed_games r WHERE r.game = removed)
        AND NOT EXISTS (SELECT 1 FROM archived_games a WHERE a.game = removed) THEN
        RAISE EXCEPTION 'the game is neither removed nor archived' USING ERRCODE = 'restrict_violation';
    END IF;
    DELETE FROM events e WHERE e.game = removed;
END $$;
DO $$
DECLARE
    part record;
BEGIN
    FOR part IN SELECT oid::regclass AS name, relowner::regrole AS owner FROM pg_class WHERE oid = 'events'::regclass
        OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'events'::regclass) LOOP
        EXECUTE format('REVOKE UPDATE, TRUNCATE ON %s FROM %s', part.name, part.owner);
    END LOOP;
END $$;
}""",
    # PostgreSQL has had this index since its first schema. Without it, SQLite read the whole table to remove a game.
    "{sqlite:CREATE INDEX requests_by_game ON requests (game);}",
)


def newest() -> int:
    """Return the schema number of this release."""
    return BASE + len(MIGRATIONS)


def expect_newest(name: str, number: int, update: str) -> None:
    """Raise :class:`StartupError` unless the schema is that of this release; ``update`` says how to update it."""
    if number > newest():
        raise StartupError(f"{name} was written by a newer Boardkeeper (table schema {number})")
    if number < newest():
        raise StartupError(f"{name} has the tables of an earlier release (table schema {number}): {update}")
