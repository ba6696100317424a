"""The migrations of both databases. Adding a table or a column takes one entry here, and the field of a struct.

An entry is a script in the common form of SQL (:mod:`~boardkeeper.service.storage.sql`) with PostgreSQL's types.
Entries are never changed or removed. The number of the schema is stored with the tables: in SQLite's ``user_version``,
in PostgreSQL's table ``service``.
"""

from __future__ import annotations

BASE = 14
"""The schema before the first entry. ``sqlite/schema.py`` and ``postgres/history.py`` make it of any earlier one."""

MIGRATIONS: tuple[str, ...] = ()


def newest() -> int:
    """Return the number of this release's schema."""
    return BASE + len(MIGRATIONS)
