"""Erasing a person: the name is gone to the last byte, the log is not touched, and the seat goes on by its number."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from uuid import UUID

import pytest
from tests.databases.places import name_of
from tests.service.api_errors import api_error
from tests.service.cache.test_game_registry import open_service, read_all_events, take_turn

from boardkeeper.service.errors import StartupError
from boardkeeper.service.games.game_creator import SeatPlan
from boardkeeper.service.storage.admin import erase_name, erase_seat
from boardkeeper.service.storage.reports import ErasedSeat
from boardkeeper.titlekit.title import Setup

pytestmark = pytest.mark.databases

ADA = "Augusta Ada King, Countess of Lovelace, Baroness Wentworth, of Ockham Park and Ashley Combe"
"""Long enough that a seat's row without it does not happen to lie over all of it."""

PLANS = (SeatPlan(ADA), SeatPlan("Bob"))


async def played(path: Path, request_id: str = "") -> UUID:
    async with open_service(path) as house:
        game = (await house.creator.create("tiny", Setup("", 2), PLANS, request_id)).game
        for number in range(3):
            await take_turn(house, game, number)
    return game


def log(path: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT rowid, * FROM stored_events ORDER BY rowid").fetchall()
    rows += connection.execute("SELECT game, chain FROM games ORDER BY 1").fetchall()
    connection.close()
    return rows


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


@pytest.mark.sqlite_only
async def test_a_name_goes_from_every_seat_and_from_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = [await played(path, f"request {number}") for number in range(20)]
    async with open_service(path) as house:  # and one who joined later
        joined = await house.game(SeatPlan("Bob"), SeatPlan(open=True))
        await house.seat_manager.join(joined, 2, ADA, b"", "join")
    before = log(path)
    assert ADA.encode() in bytes_of(tmp_path)
    expected = [ErasedSeat(game, 1) for game in games] + [ErasedSeat(joined, 2)]
    assert sorted(erase_name(name_of(path), ADA), key=repr) == sorted(expected, key=repr)
    left = bytes_of(tmp_path)
    assert [part for part in ADA.encode().split() if part in left and len(part) > 3] == []  # nor a torn piece of it
    assert log(path) == before
    assert erase_name(name_of(path), ADA) == []


async def test_the_game_goes_on_and_calls_the_seat_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    game = await played(path)
    assert erase_seat(name_of(path), str(game)[:10], 1) == [ErasedSeat(game, 1)]
    assert erase_seat(name_of(path), game.hex, 1) == []
    async with open_service(path) as house:
        live = await house.registry.get(game)
        assert live.damage is None
        assert live.seat_names("en") == ("Seat 1", "Bob")
        assert live.seat_names("de") == ("Platz 1", "Bob")
        await take_turn(house, game, 99)
        assert len(await read_all_events(house, game)) == live.game.version
        assert house.application.damage(game) is None


async def test_the_token_stays_and_the_hash_of_the_request_goes(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as house:
        seated = await house.creator.create("tiny", Setup("", 2), PLANS, "request")
    erase_name(name_of(path), ADA)
    async with open_service(path) as house:
        assert (await house.registry.get(seated.game)).is_token_of_seat(1, seated.tokens[1])
        with api_error("REQUEST_ID_REUSED"):  # not a second game
            await house.creator.create("tiny", Setup("", 2), PLANS, "request")


@pytest.mark.sqlite_only
async def test_what_cannot_be_erased(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = [await played(path) for _ in range(2)]
    with pytest.raises(LookupError, match="no seat 3"):
        erase_seat(name_of(path), games[0].hex, 3)
    with pytest.raises(LookupError, match="2 games"):
        erase_seat(name_of(path), "", 1)
    with pytest.raises(LookupError, match="no games"):
        erase_seat(name_of(path), "xyz", 1)
    with pytest.raises(StartupError, match="does not exist"):
        erase_name(str(tmp_path / "other.db"), ADA)
    assert not (tmp_path / "other.db").exists()
    (tmp_path / "letter.db").write_text("Dear Ada, " * 500)
    with pytest.raises(StartupError, match="not a Boardkeeper database"):
        erase_name(str(tmp_path / "letter.db"), ADA)
    async with open_service(path) as house:
        with pytest.raises(StartupError, match="is in use by process"):
            erase_name(name_of(path), ADA)
        live = await house.registry.get(games[0])
        assert live.seats[0].name == ADA
