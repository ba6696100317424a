"""What only backups of a PostgreSQL need: tables of their time, counters, rights."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from tests.databases.servers import Server
from tests.service.storage.test_backups import opened, restored, tables

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.admin import create_tables
from boardkeeper.service.storage.backups import back_up
from boardkeeper.service.storage.postgres.schema import migrate
from boardkeeper.service.storage.schema import BASE
from boardkeeper.service.storage.service_key import ServiceKey

pytestmark = pytest.mark.postgres


@pytest.mark.parametrize("number", [1, BASE])
def test_a_backup_of_an_earlier_release_comes_to_todays_tables(postgres: Server, tmp_path: Path, number: int) -> None:
    with postgres.database(empty=True) as old, postgres.database(empty=True) as new:
        key = tmp_path / "key"
        with psycopg.connect(old, autocommit=True) as connection, connection.transaction():
            migrate(connection, old, number)
            own = ServiceKey.load_or_create(key)
            connection.execute("INSERT INTO service VALUES ('key', %s)", (own.id,))
            connection.execute("INSERT INTO removed_games VALUES (gen_random_uuid(), 5, NULL, E'\\\\x\\t\\n')")
        backup = back_up(old, tmp_path / "one.backup", key).path
        database = restored(backup, new, key)
        assert [(row.time, row.key_id) for row in database.game_tables.tombstones()] == [(5, "\\x\t\n")]
        database.close()
        assert tables(new).keys() == tables_of_today(postgres)
        with psycopg.connect(new, autocommit=True) as connection:
            rights = connection.execute(
                "SELECT DISTINCT privilege_type FROM pg_class, aclexplode(relacl) WHERE relname ~ '^events(_\\d+)?$'"
            ).fetchall()
        assert {right for (right,) in rights} & {"INSERT", "UPDATE", "DELETE", "TRUNCATE"} == {"INSERT", "DELETE"}


def tables_of_today(postgres: Server) -> set[str]:
    with postgres.database() as url:
        return set(tables(url))


def test_counters_go_on_where_they_were(postgres: Server, tmp_path: Path) -> None:
    """Also where the newest row was removed: no number is given twice."""
    with postgres.database() as old, postgres.database(empty=True) as new:
        key = tmp_path / "key"
        opened(old, key).close()
        with psycopg.connect(old, autocommit=True) as connection:
            connection.execute("SELECT nextval(pg_get_serial_sequence('games', 'number')) FROM generate_series(1, 7)")
        backup = back_up(old, tmp_path / "one.backup", key).path
        restored(backup, new, key).close()
        with psycopg.connect(new, autocommit=True) as connection:
            assert connection.execute("SELECT nextval(pg_get_serial_sequence('games', 'number'))").fetchone() == (8,)


def test_the_users_of_services_can_make_backups(postgres: Server, tmp_path: Path) -> None:
    """With what 'boardkeeper migrate --grant' gives them, and no more."""
    role, key = f"service_{uuid4().hex[:12]}", tmp_path / "key"
    with postgres.database(empty=True) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
        try:
            create_tables(url, role)
            theirs = url.replace("//postgres@", f"//{role}@")
            database = opened(theirs, key)
            assert back_up(theirs, tmp_path / "one.backup", key).games == 0
            assert database.last_backup() is not None
            database.close()
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(
                    sql.SQL("REVOKE SELECT ON ALL SEQUENCES IN SCHEMA public FROM {}").format(sql.Identifier(role))
                )
            with pytest.raises(StartupError, match="'boardkeeper migrate --grant'"):
                back_up(theirs, tmp_path / "two.backup", key)
        finally:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(role)))
                connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))
