"""Each table goes along when games are moved, or is made anew, or stays for a reason that people are told."""

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
from tests.service.storage.test_database_move import filled

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

GOES: dict[str, set[str]] = {
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
"""The tables of a file that go along, and what is otherwise there: numbers in an order, and who delivers."""

MADE_ANEW = {"stored_snapshots", "quotas", "sqlite_sequence", "probes"}
"""Of quotas this is how many games are stored; what was used of a day stays."""

STAY = {"archived_games"}
"""With ``--archive`` the events of archived games go into the target's log."""

OTHER_NAMES = {"stored_events": "events", "stored_snapshots": "snapshots"}
"""What tables of a file are called in PostgreSQL."""

MADE_ANEW_THERE = {"progress", "feed_outbox", "service"}
"""Tables of PostgreSQL alone: progress is in the line of the lobby, and what is in the outbox gets its number first."""

STAY_THERE = {"backups": "the time of the last backup"}


def open_tables(path: Path) -> list[str]:
    open_database(path).close()
    with closing(sqlite3.connect(path)) as file:
        return [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type='table'")]


def test_of_each_table_of_a_file_is_said_what_becomes_of_it(tmp_path: Path) -> None:
    known = GOES.keys() | MADE_ANEW | STAY
    # Whoever adds a table decides whether 'boardkeeper move' takes it along, and what people are told if not.
    assert set(open_tables(tmp_path / "games.db")) - {"stored_snapshots"} == known - {"stored_snapshots"}


@pytest.mark.postgres
def test_of_each_table_of_postgresql_is_said_what_becomes_of_it(tmp_path: Path, empty_database: str) -> None:
    open_database(empty_database, key_file=tmp_path / "key").close()
    with psycopg.connect(empty_database, autocommit=True) as tables:
        found = tables.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
            " AND NOT relispartition"
        ).fetchall()
    as_in_a_file = {OTHER_NAMES.get(name, name) for name in GOES.keys() | MADE_ANEW - {"sqlite_sequence"} | STAY}
    assert {name for (name,) in found} == as_in_a_file | MADE_ANEW_THERE | STAY_THERE.keys()


def test_people_are_told_what_stays(repository: Path) -> None:
    docs = " ".join((repository / "docs" / "operations.md").read_text().split())
    for reason in STAY_THERE.values():
        assert any(what.startswith(reason) for what in NOT_COPIED)
    for what in NOT_COPIED:
        assert what.split(":")[0].split(",")[0] in docs


# --- what goes along ----------------------------------------------------------------------------------------


async def everything_in(path: Path) -> list[UUID]:
    """A file with rows in all tables that go along."""
    games = await filled(path)
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


def rows(path: Path, table: str) -> list[dict[str, Any]]:
    """What a table of a file has, but for what may differ."""
    with closing(sqlite3.connect(path)) as file:
        cursor = file.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in cursor.description]
        found = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    assert GOES[table] <= set(names)
    kept = [{name: value for name, value in row.items() if name not in GOES[table]} for row in found]
    return sorted(kept, key=repr)


def same_rows(one: Path, other: Path) -> None:
    for table in GOES:
        there = rows(one, table)
        assert there, f"the test has put nothing into {table}"
        assert rows(other, table) == there, table


def endpoints(path: Path) -> dict[str, EndpointRow]:
    database = open_database(path)
    try:
        return {row.endpoint_id: row for row in database.webhooks.endpoints()}
    finally:
        database.close()


@pytest.mark.sqlite_only
async def test_each_row_goes_to_another_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    await everything_in(old)
    assert main(["move", "--from", str(old), "--to", str(new)]) == 0
    same_rows(old, new)
    printed = capsys.readouterr()
    assert "2 webhooks" in printed.out
    assert "boardkeeper webhooks enable" in printed.err
    assert all(what in " ".join(printed.err.split()) for what in NOT_COPIED)
    one, two = endpoints(new).values()
    assert (one.problem, two.problem, two.disable_time) == (DISABLED_REASON, "it answered 410 Gone", 9)
    assert one.disable_time


@pytest.mark.sqlite_only
@pytest.mark.postgres
async def test_each_row_goes_to_postgresql_and_back(tmp_path: Path, empty_database: str) -> None:
    old, new, key = tmp_path / "old.db", tmp_path / "new.db", str(tmp_path / "shared.key")
    await everything_in(old)
    assert main(["move", "--from", str(old), "--to", empty_database, "--key-file", key]) == 0
    assert main(["move", "--from", empty_database, "--to", str(new), "--key-file", key]) == 0
    same_rows(old, new)


async def test_webhooks_that_are_there_already_stay_as_they_are(tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    await everything_in(old)
    for _ in range(2):
        assert main(["move", "--from", str(old), "--to", str(new)]) == 0
        database = open_database(new)
        database.log.writer.store([SetDisabled("wh_one", None)])
        database.close()
    assert endpoints(new)["wh_one"].disable_time is None


@pytest.mark.sqlite_only
async def test_where_there_is_another_feed_webhooks_stay_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    await everything_in(old)
    shutil.copy(old.with_name("old.db.key"), new.with_name("new.db.key"))
    async with open_service(new) as house:
        await house.game()
    assert main(["move", "--from", str(old), "--to", str(new)]) == 0
    assert endpoints(new) == {}
    assert "The event feed was not copied" in (told := " ".join(capsys.readouterr().err.split()))
    assert "Its webhooks (2) were not copied either" in told
