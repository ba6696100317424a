"""Requirements of a distributed PostgreSQL on the tables (docs/operations.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from tests.databases.servers import Server

pytestmark = pytest.mark.postgres

DISTRIBUTED = {
    *("events", "progress", "games", "seats", "dice_secrets", "requests", "imports", "snapshots", "removed_games"),
    *("archived_games", "players", "seat_results", "results", "expiries", "invitations", "invitation_ends"),
    "game_access",
}
"""The tables distributed by their column ``game``."""

LOCAL = {
    *("service", "access_keys", "quotas", "webhook_endpoints", "webhook_deliveries", "backups", "probes"),
    *("feed", "feed_outbox"),  # one machine numbers their items
}
"""The tables that only the coordinator has. Add a new table to one of the two sets."""


@pytest.fixture(scope="module")
def tables(postgres: Server) -> Iterator[psycopg.Connection[Any]]:
    with postgres.database() as url, psycopg.connect(url, autocommit=True) as connection:
        yield connection


def names(tables: psycopg.Connection[Any], query: str) -> set[str]:
    return {str(row[0]) for row in tables.execute(query.encode()).fetchall()}


_TABLES = "FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition"
_HAS_GAME = "EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'game' AND NOT attisdropped)"


def test_each_table_is_distributed_by_its_game_or_local(tables: psycopg.Connection[Any]) -> None:
    assert not DISTRIBUTED & LOCAL
    assert names(tables, f"SELECT relname {_TABLES}") == DISTRIBUTED | LOCAL
    assert names(tables, f"SELECT relname {_TABLES} AND {_HAS_GAME}") >= DISTRIBUTED


def test_each_unique_key_of_a_table_with_games_contains_the_game(tables: psycopg.Connection[Any]) -> None:
    without = (
        f"SELECT i.indexrelid::regclass FROM pg_index i WHERE i.indisunique AND i.indrelid IN (SELECT c.oid {_TABLES}"
        f" AND {_HAS_GAME}) AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = i.indrelid"
        " AND a.attname = 'game' AND a.attnum = ANY(i.indkey::int2[]))"
    )
    assert names(tables, without) == set()
    with_key = f"SELECT relname {_TABLES} AND EXISTS (SELECT 1 FROM pg_index WHERE indrelid = c.oid AND indisprimary)"
    assert names(tables, with_key) == DISTRIBUTED | LOCAL - {"probes"}


def test_no_table_has_a_trigger_or_refers_to_another(tables: psycopg.Connection[Any]) -> None:
    assert names(tables, "SELECT tgname FROM pg_trigger") == set()
    assert names(tables, "SELECT conname FROM pg_constraint WHERE contype = 'f'") == set()
