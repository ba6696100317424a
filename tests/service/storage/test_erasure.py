"""Erasing a person: no byte of the name is left, the events are unchanged, and the seat is shown by its number."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from uuid import UUID

import pytest
from tests.databases.database_access import db_argument
from tests.service.api_errors import api_error
from tests.service.cache.test_game_registry import open_service, read_all_events, take_turn

from boardkeeper.service.errors import StartupError
from boardkeeper.service.games.game_creator import SeatPlan
from boardkeeper.service.storage.admin import erase_name, erase_seat
from boardkeeper.service.storage.reports import ErasedSeat
from boardkeeper.titlekit.title import Setup

pytestmark = pytest.mark.databases

ADA = "Augusta Ada King, Countess of Lovelace, Baroness Wentworth, of Ockham Park and Ashley Combe"
"""A long name: the seat's row without it is too short to overwrite all of it by chance."""

PLANS = (SeatPlan(ADA), SeatPlan("Bob"))


async def create_played_game(path: Path, request_id: str = "") -> UUID:
    async with open_service(path) as service:
        game = (await service.creator.create("tiny", Setup("", 2), PLANS, request_id)).game
        for number in range(3):
            await take_turn(service, game, number)
    return game


def read_events(path: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT rowid, * FROM stored_events ORDER BY rowid").fetchall()
    rows += connection.execute("SELECT game, chain FROM games ORDER BY 1").fetchall()
    connection.close()
    return rows


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


@pytest.mark.sqlite_only
async def test_a_name_is_erased_from_every_seat_and_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = [await create_played_game(path, f"request {number}") for number in range(20)]
    async with open_service(path) as service:
        joined = await service.game(SeatPlan("Bob"), SeatPlan(open=True))
        await service.seat_manager.join(joined, 2, ADA, b"", "join")
    before = read_events(path)
    assert ADA.encode() in bytes_of(tmp_path)
    expected = [ErasedSeat(game, 1) for game in games] + [ErasedSeat(joined, 2)]
    assert sorted(erase_name(db_argument(path), ADA), key=repr) == sorted(expected, key=repr)
    remaining = bytes_of(tmp_path)
    assert [part for part in ADA.encode().split() if part in remaining and len(part) > 3] == []  # no fragment of it
    assert read_events(path) == before
    assert erase_name(db_argument(path), ADA) == []


async def test_the_game_continues_and_shows_the_number_of_the_seat(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    assert erase_seat(db_argument(path), str(game)[:10], 1) == [ErasedSeat(game, 1)]
    assert erase_seat(db_argument(path), game.hex, 1) == []
    async with open_service(path) as service:
        live = await service.registry.get(game)
        assert live.damage is None
        assert live.seat_names("en") == ("Seat 1", "Bob")
        assert live.seat_names("de") == ("Platz 1", "Bob")
        await take_turn(service, game, 99)
        assert len(await read_all_events(service, game)) == live.game.version
        assert service.application.damage(game) is None


async def test_the_token_stays_valid_and_the_request_hash_is_erased(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        seated = await service.creator.create("tiny", Setup("", 2), PLANS, "request")
    erase_name(db_argument(path), ADA)
    async with open_service(path) as service:
        assert (await service.registry.get(seated.game)).is_token_of_seat(1, seated.tokens[1])
        with api_error("REQUEST_ID_REUSED"):  # not a second game
            await service.creator.create("tiny", Setup("", 2), PLANS, "request")


@pytest.mark.sqlite_only
async def test_names_that_cannot_be_erased_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = [await create_played_game(path) for _ in range(2)]
    with pytest.raises(LookupError, match="no seat 3"):
        erase_seat(db_argument(path), games[0].hex, 3)
    with pytest.raises(LookupError, match="2 games"):
        erase_seat(db_argument(path), "", 1)
    with pytest.raises(LookupError, match="no games"):
        erase_seat(db_argument(path), "xyz", 1)
    with pytest.raises(StartupError, match="does not exist"):
        erase_name(str(tmp_path / "other.db"), ADA)
    assert not (tmp_path / "other.db").exists()
    (tmp_path / "letter.db").write_text("Dear Ada, " * 500)
    with pytest.raises(StartupError, match="not a Boardkeeper database"):
        erase_name(str(tmp_path / "letter.db"), ADA)
    async with open_service(path) as service:
        with pytest.raises(StartupError, match="is in use by process"):
            erase_name(db_argument(path), ADA)
        live = await service.registry.get(games[0])
        assert live.seats[0].name == ADA
