"""A move copies each table, or rebuilds it, or leaves it out for a documented reason."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from tests.service.cache.test_game_registry import open_service
from tests.service.feeds import deliveries
from tests.service.storage.test_database_move import create_games

from boardkeeper.service.auth.key_management import create_key
from boardkeeper.service.storage.access import SetKeyLimits
from boardkeeper.service.storage.changes import NewImport
from boardkeeper.service.storage.clock_expiries import PutExpiry
from boardkeeper.service.storage.database_move import DISABLED_REASON, NOT_COPIED
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.invitations import EndInvitation, InvitationRow, NewInvitation
from boardkeeper.service.storage.players import PutPlayer
from boardkeeper.service.storage.quotas import SpendQuota
from boardkeeper.service.storage.rows import ImportRow
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.webhooks import DeliveryRow, EndpointRow, NewEndpoint, SetDisabled
from boardkeeper.terminal.main import main

COPIED: dict[str, set[str]] = {
    "games": {"number"},
    "seats": set(),
    "dice_secrets": set(),
    "requests": set(),
    "imports": set(),
    "stored_events": set(),
    "removed_games": {"first_number", "last_number"},
    "access_keys": {"number"},
    "game_access": set(),
    "players": {"number"},
    "results": {"position"},
    "seat_results": set(),
    "invitations": {"number"},
    "invitation_ends": set(),
    "expiries": set(),
    "feed": set(),
    "webhook_endpoints": {"number", "disable_time", "problem", "owner", "lease_until"},
    "webhook_deliveries": set(),
}
"""The SQLite tables that are copied, with the columns that can differ: numbers, and the state of webhooks."""

REBUILT = {"stored_snapshots", "quotas", "sqlite_sequence", "probes"}
"""Of quotas, the number of stored games is counted again; the use of a day is left out."""

LEFT_OUT = {"archived_games"}
"""With ``--archive``, the events of archived games are copied to the target's log."""

POSTGRES_NAMES = {"stored_events": "events", "stored_snapshots": "snapshots"}
"""The PostgreSQL names of SQLite tables with another name."""

POSTGRES_REBUILT = {"progress", "feed_outbox", "service"}
"""Tables that only PostgreSQL has. SQLite stores progress in the lobby row, and outbox items are numbered first."""

POSTGRES_LEFT_OUT = {"backups": "the time of the last backup"}


def create_tables(path: Path) -> list[str]:
    open_database(path).close()
    with closing(sqlite3.connect(path)) as file:
        return [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type='table'")]


def test_each_sqlite_table_is_listed(tmp_path: Path) -> None:
    known = COPIED.keys() | REBUILT | LEFT_OUT
    # For a new table, decide whether 'boardkeeper move' copies it, and document it if not.
    assert set(create_tables(tmp_path / "games.db")) - {"stored_snapshots"} == known - {"stored_snapshots"}


@pytest.mark.postgres
def test_each_postgresql_table_is_listed(tmp_path: Path, empty_database: str) -> None:
    open_database(empty_database, key_file=tmp_path / "key").close()
    with psycopg.connect(empty_database, autocommit=True) as tables:
        found = tables.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
            " AND NOT relispartition"
        ).fetchall()
    from_sqlite = {POSTGRES_NAMES.get(name, name) for name in COPIED.keys() | REBUILT - {"sqlite_sequence"} | LEFT_OUT}
    assert {name for (name,) in found} == from_sqlite | POSTGRES_REBUILT | POSTGRES_LEFT_OUT.keys()


def test_the_command_reports_the_tables_that_are_left_out() -> None:
    assert set(POSTGRES_LEFT_OUT.values()) <= NOT_COPIED.keys()


# --- rows that are copied -----------------------------------------------------------------------------------


async def fill_tables(path: Path) -> list[UUID]:
    """Create a file with rows in all tables that are copied."""
    games = await create_games(path)
    running, free, ended, _ = games
    key = create_key("lobby", ["create"], 1)
    invitations = [
        InvitationRow(f"i{seat}", bytes([seat]) * 32, free, seat, player, 5, until)
        for seat, player, until in ((1, "", None), (2, "p-ada", 99))
    ]
    endpoints = [
        EndpointRow(id, "lobby", f"https://{id}.example", "tiny", ("turn",), b"sealed", 7, position=position)
        for id, position in (("wh_one", 3), ("wh_two", 4))
    ]
    changes: list[Change] = [
        *key.changes,
        SetKeyLimits(key.row.key_id, "reads=5/s"),
        PutPlayer(free, 1, "p-bob"),
        PutPlayer(ended, 2, "p-ada"),
        *map(NewInvitation, invitations),
        EndInvitation("i1", free, 8, 1),
        NewImport(ImportRow(running, "a-key", b"{}", 6, running, "head")),
        PutExpiry(running, 123_456),
        *map(NewEndpoint, endpoints),
        SetDisabled("wh_two", 9, "it answered 410 Gone"),
        deliveries(
            DeliveryRow("wh_one", 1, free, 2, 77, None, "refused"),
            DeliveryRow("wh_one", 2, ended, 10, 0, 88, "refused"),
            DeliveryRow("wh_one", 3, running),
        ),
        SpendQuota("lobby", "mails", 20_000, 3),
    ]
    database = open_database(path)
    try:
        database.log.writer.store(changes)
    finally:
        database.close()
    return games


def read_rows(path: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table without the columns that can differ."""
    with closing(sqlite3.connect(path)) as file:
        cursor = file.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in cursor.description]
        found = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    assert COPIED[table] <= set(names)
    compared = [{name: value for name, value in row.items() if name not in COPIED[table]} for row in found]
    return sorted(compared, key=repr)


def check_same_rows(one: Path, other: Path) -> None:
    for table in COPIED:
        expected = read_rows(one, table)
        assert expected, f"the test has no rows in {table}"
        assert read_rows(other, table) == expected, table


def endpoints(path: Path) -> dict[str, EndpointRow]:
    database = open_database(path)
    try:
        return {row.endpoint_id: row for row in database.webhooks.endpoints()}
    finally:
        database.close()


@pytest.mark.sqlite_only
async def test_all_rows_are_moved_to_another_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    await fill_tables(old)
    assert main(["move", "--from", str(old), "--to", str(new)]) == 0
    check_same_rows(old, new)
    printed = capsys.readouterr()
    assert "2 webhooks" in printed.out
    assert "boardkeeper webhooks enable" in printed.err
    assert all(item in " ".join(printed.err.split()) for item in NOT_COPIED)
    one, two = endpoints(new).values()
    assert (one.problem, two.problem, two.disable_time) == (DISABLED_REASON, "it answered 410 Gone", 9)
    assert one.disable_time


@pytest.mark.sqlite_only
@pytest.mark.postgres
async def test_all_rows_are_moved_to_postgresql_and_back(tmp_path: Path, empty_database: str) -> None:
    old, new, key = tmp_path / "old.db", tmp_path / "new.db", str(tmp_path / "shared.key")
    await fill_tables(old)
    assert main(["move", "--from", str(old), "--to", empty_database, "--key-file", key]) == 0
    assert main(["move", "--from", empty_database, "--to", str(new), "--key-file", key]) == 0
    check_same_rows(old, new)


async def test_existing_webhooks_of_the_target_are_not_changed(tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    await fill_tables(old)
    for _ in range(2):
        assert main(["move", "--from", str(old), "--to", str(new)]) == 0
        database = open_database(new)
        database.log.writer.store([SetDisabled("wh_one", None)])
        database.close()
    assert endpoints(new)["wh_one"].disable_time is None


@pytest.mark.sqlite_only
async def test_webhooks_are_not_copied_to_a_database_with_another_feed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    await fill_tables(old)
    shutil.copy(old.with_name("old.db.key"), new.with_name("new.db.key"))
    async with open_service(new) as service:
        await service.game()
    assert main(["move", "--from", str(old), "--to", str(new)]) == 0
    assert endpoints(new) == {}
    assert "The event feed was not copied" in (printed := " ".join(capsys.readouterr().err.split()))
    assert "Its webhooks (2) were not copied either" in printed
