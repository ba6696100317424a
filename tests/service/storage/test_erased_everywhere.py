"""After a player is erased, no table, archive file or webhook message contains the player's id or name."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from psycopg import sql
from tests.databases import database_access
from tests.service.api.test_players import play_out
from tests.service.cache.test_game_registry import GameService, take_turn
from tests.service.feeds import stored_items
from tests.service.receivers import run_receiver
from tests.service.storage.test_archive import open_archive_service
from tests.service.webhooks.test_deliveries import create_endpoint, list_deliveries, run_dispatcher
from tests.waiting import until

from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.game_creator import GameSettings, SeatPlan
from boardkeeper.service.games.invitations import Invitations
from boardkeeper.service.storage.access import GameAccess
from boardkeeper.service.storage.archive.transfer import ArchiveFilter, archive
from boardkeeper.service.webhooks import retry_schedule
from boardkeeper.titlekit.title import Setup

pytestmark = [pytest.mark.socket, pytest.mark.databases]

ID, NAME = "p-quux-7f3e", "Quuxifer Zaphodine"
PLATFORM = "lobby"


async def create_game(service: GameService, request: str, *seats: SeatPlan, players: tuple[str, ...]) -> UUID:
    settings = GameSettings(GameAccess(PLATFORM), players)
    return (await service.creator.create("tiny", Setup("", len(seats)), list(seats), request, None, settings)).game


def values_in(path: Path) -> Iterator[tuple[str, object]]:
    """Yield all values of all tables, with the names of their tables."""
    url = database_access.URLS.get(path.absolute())
    if url is None:
        with closing(sqlite3.connect(path)) as file:
            for (table,) in file.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchall():
                yield from ((table, value) for row in file.execute(f"SELECT * FROM {table}") for value in row)
        return
    with psycopg.connect(url, autocommit=True) as database:
        tables = database.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
        ).fetchall()
        for (table,) in tables:
            rows = database.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(table))).fetchall()
            yield from ((table, value) for row in rows for value in row)


def has_player(value: object) -> bool:
    text = value if isinstance(value, bytes) else str(value).encode()
    return any(it.encode().lower() in text.lower() for it in (ID, NAME))


def find_player(path: Path, folder: Path) -> set[str]:
    """Return the tables that contain the player, and ``archive`` if a file of the archive does."""
    found = {table for table, value in values_in(path) if has_player(value)}
    return found | {
        "archive" for file in folder.rglob("*") if file.is_file() and has_player(gzip.decompress(file.read_bytes()))
    }


async def allow_all(_: LiveGame) -> None:
    """Accept every caller."""


async def test_an_erased_player_is_neither_stored_nor_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry_schedule, "DELAYS", (1, 1))
    path, folder = tmp_path / "games.db", tmp_path / "archive"
    folder.mkdir(mode=0o700)
    player_seat, ben_seat = SeatPlan(NAME), SeatPlan("Ben")
    async with run_receiver() as receiver:
        receiver.answer = lambda _: "503 No"
        with open_archive_service(path, folder) as service:
            create_endpoint(service, receiver.url)
            create_endpoint(service, receiver.url, "wh_of_the_lobby", platform=PLATFORM)
            running = await create_game(service, "running", player_seat, ben_seat, players=(ID, "ben"))
            await take_turn(service, running, 0)
            free = await create_game(service, "free", SeatPlan(open=True), SeatPlan(open=True), players=("", ""))
            joined = await service.seat_manager.join(free, 1, NAME, b"salt", "joined", ID)
            assert joined.game == free
            for name in ("one", "two"):
                ended = await create_game(service, name, ben_seat, player_seat, players=("ben", ID))
                await play_out(service, ended)
            await Invitations(service.handler).create(free, 2, 0, ID, allow_all)
            used = await create_game(service, "used", ben_seat, SeatPlan(open=True), players=("ben", ""))
            _, code = await Invitations(service.handler).create(used, 2, 0, ID, allow_all)
            await service.seat_manager.join(used, 0, NAME, b"", "by-invitation", "", code)
            async with run_dispatcher(service):
                await until(lambda: list_deliveries(service, dead=True))
            items = len(stored_items(service))
        archived = archive(database_access.db_argument(path), folder, ArchiveFilter(), database_access.key_path(path))
        assert archived.games == 2
        assert find_player(path, folder) == {"players", "seats", "invitations"}, "the search works"
        with open_archive_service(path, folder) as service:
            assert await service.handler.changes.erase_player(PLATFORM, ID) == (5, 2)
            receiver.answer = lambda _: "200 OK"
            receiver.received.clear()
            async with run_dispatcher(service):
                await until(
                    lambda: (
                        not list_deliveries(service, dead=False)
                        and not list_deliveries(service, dead=False, id="wh_of_the_lobby")
                    )
                )
                fork = await create_game(service, "another", ben_seat, SeatPlan("Cem"), players=("ben", "cem"))
                await receiver.wait_until(lambda: any(str(fork).encode() in it.body for it in receiver.received))
            assert len(receiver.received) >= 2
            for message in receiver.received:
                assert not has_player(message.body)
                assert not has_player(repr(message.headers))
            assert len(stored_items(service)) > items
            for game in (running, ended, free):
                live = await service.registry.get(game)
                assert not any(has_player(seat.name) for seat in live.seats)
    assert find_player(path, folder) == set()
    if path.exists():
        # Free pages and the write-ahead log do not contain the player either.
        files = [file for file in tmp_path.iterdir() if file.is_file()]  # noqa: ASYNC240
        assert not [file.name for file in files if has_player(file.read_bytes())]
