"""Operator commands on a PostgreSQL database that is in use."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import msgspec
import psycopg
import pytest
from tests.service.cache.test_game_registry import GameService, open_service, take_turn
from tests.service.storage.postgres_games import WAIT, new_event, new_game, open_postgres, store, temporary_role
from tests.service.tiny_title import load_title

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage import application
from boardkeeper.service.storage.admin import check_database, create_tables, erase_name, erase_seat, remove_game
from boardkeeper.service.storage.changes import PutGame
from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.postgres.database import PostgresDatabase
from boardkeeper.service.storage.projection_rebuild import rebuild
from boardkeeper.service.storage.reports import CheckedGame, ErasedSeat
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.service.storage.writer import Conflict, Stored

pytestmark = pytest.mark.postgres


def test_erasing_names_notifies_the_processes_that_serve(url: str, database: PostgresDatabase) -> None:
    games = [uuid4() for _ in range(3)]
    assert store(database, *map(new_game, games)) == [Stored()] * 3
    changed: set[object] = set()
    listening, notified = threading.Event(), threading.Event()

    def receive(changes: PeerChanges) -> None:
        listening.set()
        changed.update(changes.changed_games)
        if changed == set(games):
            notified.set()

    database.listen(receive)
    assert listening.wait(WAIT)
    assert erase_seat(url, games[0].hex[:12], 1) == [ErasedSeat(games[0], 1)]
    assert erase_seat(url, str(games[0]), 1) == []
    assert erase_name(url, "Ada") == [ErasedSeat(game, 1) for game in sorted(games[1:])]
    assert erase_name(url, "Ada") == []
    assert notified.wait(WAIT)
    assert [seat.name for game in games for seat in database.game_tables.seats(game)] == [""] * 6
    with pytest.raises(LookupError, match="3 games"):
        erase_seat(url, "", 1)
    for prefix in ("zzz", "0" * 40):
        with pytest.raises(LookupError, match="no games"):
            erase_seat(url, prefix, 1)
    with pytest.raises(LookupError, match="no seat 7"):
        erase_seat(url, games[0].hex, 7)


def test_a_game_is_removed_while_it_is_served(url: str, database: PostgresDatabase) -> None:
    game, other = uuid4(), uuid4()
    store(database, new_game(game), new_game(other))
    assert remove_game(url, game.hex[:16], 99) == game
    assert database.game_tables.removal_time(game) == 99
    assert isinstance(store(database, new_event(game, 2))[0], Conflict)
    assert store(database, new_event(other, 2)) == [Stored()]
    with pytest.raises(LookupError):
        remove_game(url, game.hex, 100)


def test_a_check_with_a_key_needs_the_key_of_the_database(
    url: str, database: PostgresDatabase, key: Path, tmp_path: Path
) -> None:
    assert store(database, new_game(uuid4())) == [Stored()]
    assert len(list(check_database(url, key_file=key))) == 1
    other = tmp_path / "other"
    with pytest.raises(StartupError, match=f"the key file {other} does not exist"):
        list(check_database(url, key_file=other))
    assert not other.exists()
    other_key = ServiceKey.load_or_create(other)
    with pytest.raises(
        StartupError, match=f"needs the key {database.key.id}, but {other} contains the key {other_key.id}"
    ):
        list(check_database(url, key_file=other))


def test_chains_are_checked_while_games_are_served(url: str, database: PostgresDatabase) -> None:
    sound, damaged = uuid4(), uuid4()
    store(database, new_game(sound), new_game(damaged), new_event(damaged, 2), new_event(damaged, 3))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE events SET state = 'other' WHERE game = %s AND version = 2", (damaged,))
    found = {it.game_id: it for it in check_database(url) if isinstance(it, CheckedGame)}
    assert found[str(sound)].damage is None
    assert (found[str(sound)].events, found[str(damaged)].events) == (1, 3)
    damage = found[str(damaged)].damage
    assert damage is not None
    assert damage.version == 2


def test_other_databases_are_rejected(empty_database: str) -> None:
    with pytest.raises(StartupError, match="not a Boardkeeper database"):
        list(check_database(empty_database))
    with pytest.raises(StartupError, match="not a Boardkeeper database"):
        erase_name(empty_database, "Ada")
    with pytest.raises(StartupError, match="only for PostgreSQL"):
        create_tables("games.db")


def test_the_owner_creates_tables_for_the_service_role(empty_database: str, key: Path) -> None:
    with temporary_role(empty_database) as (role, service_url):
        create_tables(empty_database)
        calls: list[Callable[[], object]] = [
            lambda: list(check_database(service_url)),
            lambda: create_tables(service_url),
            lambda: remove_game(service_url, "4f1c", 1),
            lambda: open_postgres(service_url, key),
        ]
        for call in calls:
            with pytest.raises(StartupError, match=r"permission denied for .* this owner runs 'boardkeeper migrate --"):
                call()
        name = create_tables(empty_database, role)
        assert name.startswith("postgresql://postgres@")
        create_tables(empty_database, role)
        database = open_postgres(service_url, key)
        game = uuid4()
        assert store(database, new_game(game), new_event(game, 2)) == [Stored(), Stored()]
        database.close()


def test_an_unknown_role_is_reported(empty_database: str) -> None:
    with pytest.raises(StartupError, match=r"the user nobodyrole does not exist in postgresql://.*: create it first"):
        create_tables(empty_database, "nobodyrole")


async def _play(service: GameService) -> None:
    game = await service.game()
    for number in range(3):
        await take_turn(service, game, number)


async def test_projections_are_rebuilt_while_games_are_served(
    url: str, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "open_database", lambda *_, **__: open_database(url, key_file=key))
    async with open_service(tmp_path / "games.db") as service:
        await _play(service)
        tables = service.application.game_tables
        (expected,) = tables.lobby_page()
        assert rebuild(url, load_title, key_file=key).differences == []
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("UPDATE progress SET decisions = '[]', time = 1")
            connection.execute("UPDATE games SET title = 'chess', status = 'open'")
            connection.execute("UPDATE seats SET taken = false WHERE seat = 2")
        rebuilt = rebuild(url, load_title, key_file=key)
        assert {it.field for it in rebuilt.differences} == {"decisions", "update_time", "title", "seat 2"}
        assert tables.lobby_page() == [expected]
        assert [game for _, game in tables.games_by_number("running", None)] == [expected.game_id]
        await take_turn(service, expected.game_id, 3)


def test_a_rebuild_keeps_later_events(url: str, database: PostgresDatabase) -> None:
    game = uuid4()
    store(database, new_game(game))
    before = database.game_tables.lobby_row(game)
    assert before is not None
    assert store(database, new_event(game, 2, "later")) == [Stored()]
    database.log.writer.store([PutGame(msgspec.structs.replace(before, version=1), b"an older head")])
    after = database.game_tables.lobby_row(game)
    assert after is not None
    assert (after.version, after.decisions) == (2, ("later", ""))
    assert database.log.select_chain(game)[1] != b"an older head"
    assert store(database, new_event(game, 3)) == [Stored()]
