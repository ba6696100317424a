"""What strangers bring as a record: refused at the door, and where an earlier release let it in, no harm to anybody."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from tests.service.api import Api, refused, served
from tests.service.forging import Change, at, beginning, forged, stranger
from tests.service.test_records import BAD, BOT, check, get_record, import_record

from boardkeeper.game.audit import LEVELS, Level, Report
from boardkeeper.game.record_reading import parse_header
from boardkeeper.service import clamps, records
from boardkeeper.v1 import games_pb2, history_pb2

pytestmark = pytest.mark.socket

YEAR_287396 = 9_007_199_254_740_991
LONG = "bot." + "x" * 800_000
HOSTILE: dict[str, Change] = {
    "the year 287396": at(YEAR_287396),
    "a day that has not come": at(4_000_000_000_000),
    "a long kind of seat": beginning(seats=(LONG, LONG[:100])),
    "an escape in the kind of a seat": beginning(seats=("bot.\x1b[2J", "bot.random")),
    "a long build": beginning(server_build="x" * 900_000),
    "an escape in the build": beginning(server_build="\x1b]0;evil\x07"),
    "a fork of something else": beginning(forked_game="x" * 5000, forked_version=1),
    "a fork from a version beyond all": beginning(forked_game=str(uuid4()), forked_version=2**53 - 1),
}


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with served(tmp_path / "games.db") as api:
        yield api


@pytest.fixture
async def record(tmp_path: Path) -> bytes:
    """A game that was played at another service."""
    async with served(tmp_path / "elsewhere.db") as other:
        game, _ = await other.create(BOT, BOT)
        async for _ in other.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id)):
            pass
        return await get_record(other, game.game_id)


async def test_records_out_of_bounds_are_refused(api: Api, record: bytes) -> None:
    key = stranger()
    assert check(forged(record, key=key)).holds, "signed by anybody, a true record holds"
    for name, change in HOSTILE.items():
        data = forged(record, change, key=key)
        async with refused(BAD, "RECORD_REFUSED") as problems:
            await import_record(api, data)
        assert problems[0].values["level"] == "well-formed", name
        assert problems[0].values["problem"].isprintable()
    assert not (await api.games.ListGames(games_pb2.ListGamesRequest())).games


def let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on the service asks as little of a record as it did before there were bounds."""

    def audit(lines: list[bytes], *_: Any) -> Report:
        levels = tuple(Level(name, "holds") for name in LEVELS)
        return Report(parse_header(lines[0]).game, "orleans", "whole", len(lines) - 2, "0" * 64, levels, ())

    monkeypatch.setattr(records, "audit", audit)
    monkeypatch.setattr(records, "_CLOCKS_DIFFER", YEAR_287396)


async def test_games_that_an_earlier_release_let_in_spoil_nothing(
    api: Api, record: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        let_in(patch)
        key = stranger()
        for change in (*HOSTILE.values(), *[beginning(seats=(LONG, "person"))] * 7):
            await import_record(api, forged(record, change, key=key, game=uuid4()))
    listed = []
    token = ""
    while True:
        answer = await api.games.ListGames(games_pb2.ListGamesRequest(page_token=token, page_size=200))
        assert answer.ByteSize() < 2_000_000
        listed += answer.games
        token = answer.next_page_token
        if not token:
            break
    assert len(listed) == len(HOSTILE) + 7
    for game in listed:
        for time in (game.create_time, game.update_time):
            assert 1970 <= time.ToDatetime().year <= 9999
        assert all(seat.bot.isprintable() and len(seat.bot) < 100 for seat in game.seats)
        assert (await api.game(game.game_id)).seats == game.seats
        page = await api.history.ListEvents(history_pb2.ListEventsRequest(game_id=game.game_id, page_size=500))
        assert page.ByteSize() < 2_000_000
        created = page.events[0].detail.game_created
        assert created.server_build.isprintable()
        assert created.ByteSize() < 10_000
        assert 1970 <= page.events[0].time.ToDatetime().year <= 9999
        board = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id, version=9))
        assert board.version == 9
        watched = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id))
        assert len([it async for it in watched]) == game.version


async def test_a_page_of_the_lobby_is_bounded_in_bytes(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [(await api.create())[0].game_id for _ in range(5)]
    size = (await api.game(made[0])).ByteSize()
    monkeypatch.setattr(clamps, "LARGEST_PAGE", 2 * size + 9)
    found: list[str] = []
    pages, token = 0, ""
    while pages == 0 or token:
        answer = await api.games.ListGames(games_pb2.ListGamesRequest(page_token=token))
        assert 1 <= len(answer.games) <= 2
        found += [game.game_id for game in answer.games]
        token = answer.next_page_token
        pages += 1
    assert found == made[::-1]
