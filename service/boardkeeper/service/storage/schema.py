"""The migrations of both databases. Adding a table or a column takes one entry here, and the field of a struct.

An entry is a script in the common form of SQL (:mod:`~boardkeeper.service.storage.sql`) with PostgreSQL's types.
Entries are never changed or removed. The number of the schema is stored with the tables: in SQLite's ``user_version``,
in PostgreSQL's table ``service``.
"""

from __future__ import annotations

BASE = 14
"""The schema before the first entry. ``sqlite/schema.py`` and ``postgres/history.py`` make it of any earlier one."""

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
)


def newest() -> int:
    """Return the number of this release's schema."""
    return BASE + len(MIGRATIONS)
