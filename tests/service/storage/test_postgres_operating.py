"""What an operator does to a shared database, while somebody has it open."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import msgspec
import psycopg
import pytest
from psycopg import sql
from tests.databases.servers import Server
from tests.service.cache.test_game_registry import GameService, open_service, take_turn
from tests.service.storage.test_postgres import WAIT, moved, new, opened, outcomes
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


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    with postgres.database() as url:
        yield url


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return tmp_path / "key"


@pytest.fixture
def database(url: str, key: Path) -> Iterator[PostgresDatabase]:
    database = opened(url, key)
    yield database
    database.close()


def test_a_name_goes_and_who_serves_is_told(url: str, database: PostgresDatabase) -> None:
    games = [uuid4() for _ in range(3)]
    assert outcomes(database, *map(new, games)) == [Stored()] * 3
    changed: set[object] = set()
    began, told = threading.Event(), threading.Event()

    def hear(news: PeerChanges) -> None:
        began.set()
        changed.update(news.changed_games)
        if changed == set(games):
            told.set()

    database.listen(hear)
    assert began.wait(WAIT)
    assert erase_seat(url, games[0].hex[:12], 1) == [ErasedSeat(games[0], 1)]
    assert erase_seat(url, str(games[0]), 1) == []
    assert erase_name(url, "Ada") == [ErasedSeat(game, 1) for game in sorted(games[1:])]
    assert erase_name(url, "Ada") == []
    assert told.wait(WAIT)
    assert [seat.name for game in games for seat in database.game_tables.seats(game)] == [""] * 6
    with pytest.raises(LookupError, match="3 games"):
        erase_seat(url, "", 1)
    for beginning in ("zzz", "0" * 40):
        with pytest.raises(LookupError, match="no games"):
            erase_seat(url, beginning, 1)
    with pytest.raises(LookupError, match="no seat 7"):
        erase_seat(url, games[0].hex, 7)


def test_a_game_goes_while_it_is_served(url: str, database: PostgresDatabase) -> None:
    game, other = uuid4(), uuid4()
    outcomes(database, new(game), new(other))
    assert remove_game(url, game.hex[:16], 99) == game
    assert database.game_tables.removal_time(game) == 99
    assert isinstance(outcomes(database, moved(game, 2))[0], Conflict)
    assert outcomes(database, moved(other, 2)) == [Stored()]
    with pytest.raises(LookupError):
        remove_game(url, game.hex, 100)


def test_a_check_needs_the_key_of_the_database_if_one_is_given(
    url: str, database: PostgresDatabase, key: Path, tmp_path: Path
) -> None:
    assert outcomes(database, new(uuid4())) == [Stored()]
    assert len(list(check_database(url, key_file=key))) == 1
    other = tmp_path / "other"
    with pytest.raises(StartupError, match=f"the key file {other} does not exist"):
        list(check_database(url, key_file=other))
    assert not other.exists()
    made = ServiceKey.load_or_create(other)
    with pytest.raises(StartupError, match=f"needs the key {database.key.id}, but {other} contains the key {made.id}"):
        list(check_database(url, key_file=other))


def test_all_chains_are_checked_while_it_is_served(url: str, database: PostgresDatabase) -> None:
    sound, damaged = uuid4(), uuid4()
    outcomes(database, new(sound), new(damaged), moved(damaged, 2), moved(damaged, 3))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE events SET state = 'other' WHERE game = %s AND version = 2", (damaged,))
    found = {it.game_id: it for it in check_database(url) if isinstance(it, CheckedGame)}
    assert found[str(sound)].damage is None
    assert (found[str(sound)].events, found[str(damaged)].events) == (1, 3)
    damage = found[str(damaged)].damage
    assert damage is not None
    assert damage.version == 2


def test_what_is_no_database_of_ours(empty_database: str) -> None:
    with pytest.raises(StartupError, match="not a Boardkeeper database"):
        list(check_database(empty_database))
    with pytest.raises(StartupError, match="not a Boardkeeper database"):
        erase_name(empty_database, "Ada")
    with pytest.raises(StartupError, match="only for PostgreSQL"):
        create_tables("games.db")


def test_who_owns_the_tables_makes_them_for_who_serves(empty_database: str, key: Path) -> None:
    role = f"service_{uuid4().hex[:12]}"
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
    served = empty_database.replace("//postgres@", f"//{role}@")
    try:
        create_tables(empty_database)
        works: list[Callable[[], object]] = [
            lambda: list(check_database(served)),
            lambda: create_tables(served),
            lambda: remove_game(served, "4f1c", 1),
            lambda: opened(served, key),
        ]
        for work in works:
            with pytest.raises(StartupError, match=r"permission denied for .* this owner runs 'boardkeeper migrate --"):
                work()
        name = create_tables(empty_database, role)
        assert name.startswith("postgresql://postgres@")
        create_tables(empty_database, role)
        database = opened(served, key)
        game = uuid4()
        assert outcomes(database, new(game), moved(game, 2)) == [Stored(), Stored()]
        database.close()
    finally:
        with psycopg.connect(empty_database, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(role)))
            connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))


def test_a_role_that_does_not_exist_is_told(empty_database: str) -> None:
    with pytest.raises(StartupError, match=r"the user nobodyrole does not exist in postgresql://.*: create it first"):
        create_tables(empty_database, "nobodyrole")


async def _played(house: GameService) -> None:
    game = await house.game()
    for number in range(3):
        await take_turn(house, game, number)


async def test_projections_are_made_again_while_it_is_served(
    url: str, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "open_database", lambda *_, **__: open_database(url, key_file=key))
    async with open_service(tmp_path / "games.db") as house:
        await _played(house)
        tables = house.application.game_tables
        (right,) = tables.lobby_page()
        assert rebuild(url, load_title, key_file=key).differences == []
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("UPDATE progress SET decisions = '[]', time = 1")
            connection.execute("UPDATE games SET title = 'chess', status = 'open'")
            connection.execute("UPDATE seats SET taken = false WHERE seat = 2")
        done = rebuild(url, load_title, key_file=key)
        assert {it.field for it in done.differences} == {"decisions", "update_time", "title", "seat 2"}
        assert tables.lobby_page() == [right]
        assert [game for _, game in tables.games_by_number("running", None)] == [right.game_id]
        await take_turn(house, right.game_id, 3)


def test_what_went_on_while_it_was_rebuilt_stays(url: str, database: PostgresDatabase) -> None:
    game = uuid4()
    outcomes(database, new(game))
    before = database.game_tables.lobby_row(game)
    assert before is not None
    assert outcomes(database, moved(game, 2, "later")) == [Stored()]
    database.log.writer.store([PutGame(msgspec.structs.replace(before, version=1), b"an older head")])
    after = database.game_tables.lobby_row(game)
    assert after is not None
    assert (after.version, after.decisions) == (2, ("later", ""))
    assert database.log.select_chain(game)[1] != b"an older head"
    assert outcomes(database, moved(game, 3)) == [Stored()]
