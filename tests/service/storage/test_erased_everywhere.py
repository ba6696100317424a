"""Whatever a database, its archive and its webhooks can hold: after a player was erased nothing has his id or name."""

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
from tests.databases import places
from tests.service.api.test_players import play_out
from tests.service.cache.test_game_registry import GameService, take_turn
from tests.service.feeds import stored_items
from tests.service.receivers import run_receiver
from tests.service.tiny_title import load_title
from tests.service.webhooks.test_deliveries import aside, dispatcher_of, endpoint
from tests.waiting import until

from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_creator import GameCreator, GameSettings, SeatPlan
from boardkeeper.service.games.invitations import Invitations
from boardkeeper.service.games.seat_manager import SeatManager
from boardkeeper.service.storage.access import GameAccess
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.archive.transfer import ArchiveFilter, archive
from boardkeeper.service.webhooks import retry_schedule
from boardkeeper.titlekit.title import Setup

pytestmark = [pytest.mark.socket, pytest.mark.databases]

ID, NAME = "p-quux-7f3e", "Quuxifer Zaphodine"
PLATFORM = "lobby"


class ArchiveHouse(GameService):
    """A house that has an archive."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.application = GameApplication.open(path, load_title, archive=str(folder))
        self.registry = GameRegistry(self.application)
        self.handler = CommandHandler(self.registry)
        self.creator = GameCreator(self.handler, load_title, "test")
        self.seat_manager = SeatManager(self.handler)

    async def of_players(self, request: str, *seats: SeatPlan, players: tuple[str, ...]) -> UUID:
        terms = GameSettings(GameAccess(PLATFORM), players)
        return (await self.creator.create("tiny", Setup("", len(seats)), list(seats), request, None, terms)).game


def values_in(path: Path) -> Iterator[tuple[str, object]]:
    """All values of all tables, with the names of their tables."""
    url = places.URLS.get(path.absolute())
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


def has_him(value: object) -> bool:
    text = value if isinstance(value, bytes) else str(value).encode()
    return any(it.encode().lower() in text.lower() for it in (ID, NAME))


def where_he_is(path: Path, folder: Path) -> set[str]:
    """In which tables and files of the archive the player is found by his id or name."""
    found = {table for table, value in values_in(path) if has_him(value)}
    return found | {
        "archive" for file in folder.rglob("*") if file.is_file() and has_him(gzip.decompress(file.read_bytes()))
    }


async def may(_: LiveGame) -> None:
    """Everybody."""


async def test_nothing_stored_or_sent_has_a_player_who_was_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry_schedule, "DELAYS", (1, 1))
    path, folder = tmp_path / "games.db", tmp_path / "archive"
    folder.mkdir(mode=0o700)
    his, bens = SeatPlan(NAME), SeatPlan("Ben")
    async with run_receiver() as receiver:
        receiver.answer = lambda _: "503 No"
        house = ArchiveHouse(path, folder)
        try:
            endpoint(house, receiver.url)
            endpoint(house, receiver.url, "wh_of_the_lobby", platform=PLATFORM)
            running = await house.of_players("running", his, bens, players=(ID, "ben"))
            await take_turn(house, running, 0)
            free = await house.of_players("free", SeatPlan(open=True), SeatPlan(open=True), players=("", ""))
            joined = await house.seat_manager.join(free, 1, NAME, b"salt of his", "joined", ID)
            assert joined.game == free
            for name in ("one", "two"):
                ended = await house.of_players(name, bens, his, players=("ben", ID))
                await play_out(house, ended)
            await Invitations(house.handler).create(free, 2, 0, ID, may)
            used = await house.of_players("used", bens, SeatPlan(open=True), players=("ben", ""))
            _, code = await Invitations(house.handler).create(used, 2, 0, ID, may)
            await house.seat_manager.join(used, 0, NAME, b"", "by-invitation", "", code)
            async with dispatcher_of(house):
                await until(lambda: aside(house, dead=True))
            items = len(stored_items(house))
        finally:
            house.application.close()
        archived = archive(places.name_of(path), folder, ArchiveFilter(), places.key_of(path))
        assert archived.games == 2
        assert where_he_is(path, folder) == {"players", "seats", "invitations"}, "so the search finds what there is"
        house = ArchiveHouse(path, folder)
        try:
            assert await house.handler.changes.erase_player(PLATFORM, ID) == (5, 2)
            receiver.answer = lambda _: "200 OK"
            receiver.received.clear()
            async with dispatcher_of(house):
                await until(lambda: not aside(house, dead=False) and not aside(house, dead=False, id="wh_of_the_lobby"))
                fork = await house.of_players("another", bens, SeatPlan("Cem"), players=("ben", "cem"))
                await receiver.wait_until(lambda: any(str(fork).encode() in it.body for it in receiver.received))
            assert len(receiver.received) >= 2
            for message in receiver.received:
                assert not has_him(message.body)
                assert not has_him(repr(message.headers))
            assert len(stored_items(house)) > items
            for game in (running, ended, free):
                live = await house.registry.get(game)
                assert not any(has_him(seat.name) for seat in live.seats)
        finally:
            house.application.close()
    assert where_he_is(path, folder) == set()
    if path.exists():
        # A file has no byte of him either, in pages that are free or in what was logged.
        files = [file for file in tmp_path.iterdir() if file.is_file()]  # noqa: ASYNC240
        assert not [file.name for file in files if has_him(file.read_bytes())]
