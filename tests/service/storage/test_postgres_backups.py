"""Backups of PostgreSQL databases: old schemas, sequences and permissions."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from tests.databases.servers import Server
from tests.service.storage.postgres_games import temporary_role
from tests.service.storage.test_backups import count_rows, restore_and_open

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.admin import create_tables
from boardkeeper.service.storage.backups import back_up
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.postgres.schema import migrate
from boardkeeper.service.storage.schema import BASE
from boardkeeper.service.storage.service_key import ServiceKey

pytestmark = pytest.mark.postgres


@pytest.mark.parametrize("number", [1, BASE])
def test_a_backup_of_an_earlier_release_is_migrated(postgres: Server, tmp_path: Path, number: int) -> None:
    with postgres.database(empty=True) as old, postgres.database(empty=True) as new:
        key = tmp_path / "key"
        with psycopg.connect(old, autocommit=True) as connection, connection.transaction():
            migrate(connection, old, number)
            own = ServiceKey.load_or_create(key)
            connection.execute("INSERT INTO service VALUES ('key', %s)", (own.id,))
            connection.execute("INSERT INTO removed_games VALUES (gen_random_uuid(), 5, NULL, E'\\\\x\\t\\n')")
        backup = back_up(old, tmp_path / "one.backup", key).path
        database = restore_and_open(backup, new, key)
        assert [(row.time, row.key_id) for row in database.game_tables.tombstones()] == [(5, "\\x\t\n")]
        database.close()
        assert count_rows(new).keys() == current_tables(postgres)
        with psycopg.connect(new, autocommit=True) as connection:
            privileges = connection.execute(
                "SELECT DISTINCT privilege_type FROM pg_class, aclexplode(relacl) WHERE relname ~ '^events(_\\d+)?$'"
            ).fetchall()
        assert {privilege for (privilege,) in privileges} & {"INSERT", "UPDATE", "DELETE", "TRUNCATE"} == {
            "INSERT",
            "DELETE",
        }


def current_tables(postgres: Server) -> set[str]:
    with postgres.database() as url:
        return set(count_rows(url))


def test_restored_sequences_continue(postgres: Server, tmp_path: Path) -> None:
    """A restored database does not reuse numbers of a sequence, even if no row has them."""
    with postgres.database() as old, postgres.database(empty=True) as new:
        key = tmp_path / "key"
        open_database(old, key_file=key).close()
        with psycopg.connect(old, autocommit=True) as connection:
            connection.execute("SELECT nextval(pg_get_serial_sequence('games', 'number')) FROM generate_series(1, 7)")
        backup = back_up(old, tmp_path / "one.backup", key).path
        restore_and_open(backup, new, key).close()
        with psycopg.connect(new, autocommit=True) as connection:
            assert connection.execute("SELECT nextval(pg_get_serial_sequence('games', 'number'))").fetchone() == (8,)


def test_the_service_role_can_make_backups(postgres: Server, tmp_path: Path) -> None:
    """The permissions that 'boardkeeper migrate --grant' gives are sufficient. Without them, the error names it."""
    key = tmp_path / "key"
    with postgres.database(empty=True) as url, temporary_role(url) as (role, service_url):
        create_tables(url, role)
        database = open_database(service_url, key_file=key)
        assert back_up(service_url, tmp_path / "one.backup", key).games == 0
        assert database.last_backup() is not None
        database.close()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                sql.SQL("REVOKE SELECT ON ALL SEQUENCES IN SCHEMA public FROM {}").format(sql.Identifier(role))
            )
        with pytest.raises(StartupError, match="'boardkeeper migrate --grant'"):
            back_up(service_url, tmp_path / "two.backup", key)
