"""A title of another package in the web client, which has no drawing or words of its own for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.houses import House
from tests.browser.pages import Visitor
from tests.browser.test_lobby import created as created_in
from tests.browser.test_lobby import seats
from tests.browser.test_table import is_over

SITE = Path(__file__).parent.parent / "service" / "outside" / "site"


@pytest.fixture
def outside_house(client_is_built: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setenv("PYTHONPATH", str(SITE), prepend=":")
    house = House(tmp_path, "--titles", "built-in,pebbles")
    yield house
    house.close()


def test_a_whole_game_is_played(outside_house: House, visitor: Callable[..., Visitor]) -> None:
    players = [{"name": "Anna"}, {"bot": "random"}]
    made = outside_house.call("Games/CreateGame", {"title": "pebbles", "seats": players})
    anna = visitor(outside_house)
    anna.expected.append("status of 400")  # a rejection, where a bot was faster
    anna.sits(made)
    table = anna.table(made["game"]["gameId"])
    anna.picture("pebbles-1-opening")
    told = table.plays()
    anna.picture("pebbles-2-end")
    is_over(outside_house, made, told)


def test_a_game_is_created_in_the_lobby(outside_house: House, visitor: Callable[..., Visitor]) -> None:
    page = visitor(outside_house).open()
    page.get_by_role("link", name="New game").click()
    page.locator("input[name=title][value=pebbles]").check()
    page.locator("input[name=players][value='2']").check()
    seats(page, 1, "me", "Anna")
    seats(page, 2, "bot:greedy", "Robo")
    game = outside_house.call("Games/GetGame", {"gameId": created_in(page)})["game"]
    assert (game["title"], game["edition"]) == ("pebbles", "first")
    expect(page.get_by_role("button", name="Draw 3")).to_be_visible()
