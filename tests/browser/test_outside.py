"""A title of another package in the web client, which has no skin or words for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.pages import NewVisitor
from tests.browser.server_process import ServerProcess
from tests.browser.test_lobby import fill_seat, submit_form
from tests.browser.test_table import assert_game_over

SITE = Path(__file__).parent.parent / "service" / "outside" / "site"


@pytest.fixture
def pebbles_server(client_is_built: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerProcess]:
    monkeypatch.setenv("PYTHONPATH", str(SITE), prepend=":")
    server = ServerProcess(tmp_path, "--titles", "built-in,pebbles")
    yield server
    server.close()


def test_a_whole_game_is_played(pebbles_server: ServerProcess, new_visitor: NewVisitor) -> None:
    created = pebbles_server.create_game("pebbles", seats=[{"name": "Anna"}, {"bot": "random"}])
    anna = new_visitor(pebbles_server)
    anna.expected_errors.append("status of 400")  # a rejection, where a bot was faster
    anna.store_seats(created)
    table = anna.open_table(created["game"]["gameId"])
    anna.take_screenshot("pebbles-1-opening")
    counts = table.play()
    anna.take_screenshot("pebbles-2-end")
    assert_game_over(pebbles_server, created, counts)


def test_a_game_is_created_in_the_lobby(pebbles_server: ServerProcess, new_visitor: NewVisitor) -> None:
    page = new_visitor(pebbles_server).open()
    page.get_by_role("link", name="New game").click()
    page.locator("input[name=title][value=pebbles]").check()
    page.locator("input[name=players][value='2']").check()
    fill_seat(page, 1, "me", "Anna")
    fill_seat(page, 2, "bot:greedy", "Robo")
    game = pebbles_server.call("Games/GetGame", {"gameId": submit_form(page)})["game"]
    assert (game["title"], game["edition"]) == ("pebbles", "first")
    expect(page.get_by_role("button", name="Draw 3")).to_be_visible()
