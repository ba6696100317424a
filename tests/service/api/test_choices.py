"""Choices of some editions only, and the maturity text of a title, over a real socket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from msgspec.structs import replace
from tests.service.api_server import Api, grpc_error, run_server
from tests.service.rival_services import install_rival_title
from tests.service.rival_title import RIVAL_TITLE, RivalTitle

from boardkeeper.titlekit.title import ChoiceMeta, EditionMeta, OptionMeta
from boardkeeper.titles.registry import list_metas
from boardkeeper.v1 import catalog_pb2, games_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

HIGH_AND_LOW = (ChoiceMeta("high", {"en": "high"}), ChoiceMeta("low", {"en": "low"}))
OF_FIRST_EDITION = OptionMeta("shore", {"en": "shore"}, HIGH_AND_LOW, "high", editions=("first",))
OF_OTHER_EDITIONS = OptionMeta("tide", {"en": "tide"}, HIGH_AND_LOW, "high", editions=("second", "third"))
MATURITY_TEXT = {"en": "It is a test.", "de": "Es ist ein Test."}


@pytest.fixture
async def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Api]:
    """A server with a title whose readings exist only in some editions."""
    meta = replace(RIVAL_TITLE.meta, readings=(OF_FIRST_EDITION, OF_OTHER_EDITIONS), maturity_text=MATURITY_TEXT)
    monkeypatch.setattr(RivalTitle, "meta", meta)
    install_rival_title(monkeypatch)
    async with run_server(tmp_path / "games.db") as api:
        yield api


def create_request(**readings: str) -> games_pb2.CreateGameRequest:
    seats = [games_pb2.SeatRequest(name=name) for name in ("Ada", "Ben")]
    return games_pb2.CreateGameRequest(title="tiny", seats=seats, readings=readings)


async def test_a_game_has_the_readings_of_its_edition(api: Api) -> None:
    game = (await api.games.CreateGame(create_request())).game
    assert dict(game.readings) == {"shore": "high"}
    game = (await api.games.CreateGame(create_request(shore="low"))).game
    assert dict(game.readings) == {"shore": "low"}


async def test_a_reading_of_another_edition_is_rejected(api: Api) -> None:
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST") as problems:
        await api.games.CreateGame(create_request(tide="low"))
    wrong = "exists only in the editions second and third, not in first"
    assert problems[0].violations == {"readings.tide": wrong}


async def test_the_catalogue_has_editions_of_choices_and_the_maturity_text(api: Api) -> None:
    request = catalog_pb2.GetTitleRequest(title="tiny")
    title = (await api.catalog.GetTitle(request)).title
    assert {reading.id: list(reading.editions) for reading in title.readings} == {
        "shore": ["first"],
        "tide": ["second", "third"],
    }
    assert [list(option.editions) for option in title.options] == [[], []]
    assert title.maturity_text == "It is a test."
    german = await api.catalog.GetTitle(request, metadata=(("accept-language", "de"),))
    assert german.title.maturity_text == "Es ist ein Test."


@pytest.mark.parametrize(
    ("title", "edition"), [pytest.param(it.id, each, id=each.id) for it in list_metas() for each in it.editions]
)
async def test_a_game_can_be_created_again_from_its_options_and_readings(
    tmp_path: Path, title: str, edition: EditionMeta
) -> None:
    """A rematch sends every option and reading of the first game."""
    bots = [games_pb2.SeatRequest(bot="random") for _ in range(edition.players[-1] - 1)]
    async with run_server(tmp_path / "games.db") as api:
        request = games_pb2.CreateGameRequest(
            title=title, edition=edition.id, seats=[games_pb2.SeatRequest(name="Ada"), *bots]
        )
        game = (await api.games.CreateGame(request)).game
        request.options.update(game.options)
        request.readings.update(game.readings)
        again = (await api.games.CreateGame(request)).game
    assert again.game_id != game.game_id
    assert (again.options, again.readings) == (game.options, game.readings)
