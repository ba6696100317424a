"""Clocks, and handing a seat to a bot, taking it back and resigning."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect
from tests.browser.pages import NewVisitor
from tests.browser.server_process import ServerProcess


def read_seconds(clock: Locator) -> int:
    minutes, rest = clock.inner_text().split(":")
    return 60 * int(minutes) + int(rest)


def counts_down(page: Page, clock: Locator) -> bool:
    """Return whether a clock counts ten seconds of the page; False if the server sent the real time in between."""
    before = read_seconds(clock)
    page.clock.run_for(10_000)
    return before - read_seconds(clock) == 10


def test_clocks_count_down_between_updates_from_the_server(server: ServerProcess, new_visitor: NewVisitor) -> None:
    control = {"kind": "game", "seconds": 3000, "onExpiry": "bot"}
    seats = [{"name": "Anna"}, {"name": "Ben"}]
    created = server.call("Games/CreateGame", {"title": "orleans", "seats": seats, "timeControl": control})
    anna = new_visitor(server)
    page = anna.page
    page.clock.install(time="2040-01-01")  # not the server's date
    anna.store_seats(created, 1)
    anna.open_table(created["game"]["gameId"])
    mine = page.get_by_role("timer", name="Time left: Anna")
    expect(mine).to_have_attribute("title", re.compile("^50 min per game.*a bot takes over"))
    expect(page.get_by_role("timer")).to_have_count(2)
    # Late enough for a slow machine, and before the page takes a silent server for lost.
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 20)
    assert 2800 < read_seconds(mine) <= 3000
    assert any(counts_down(page, mine) for _ in range(3))
    page.get_by_role("button", name="First version").click()
    expect(mine).to_have_count(0)  # past versions have no clocks


COUNT_TONES = """
globalThis.tones = 0;
globalThis.AudioContext = class extends AudioContext {
  constructor() { super(); globalThis.tones++; }
};
Document.prototype.hasFocus = () => false;
"""
"""Counts the tones of a page without the focus."""


def test_a_seat_is_handed_to_a_bot_taken_back_and_resigned(server: ServerProcess, new_visitor: NewVisitor) -> None:
    created = server.create_game()
    game = created["game"]["gameId"]
    anna = new_visitor(server)
    anna.add_init_script(COUNT_TONES)
    anna.store_seats(created, 1)
    table = anna.open_table(game)
    page, dialog = anna.page, anna.page.get_by_role("dialog")
    seat = page.locator(".players li", has_text="Anna")
    hand, resign = (page.get_by_role("button", name=name, exact=True) for name in ("Let a bot take over", "Resign"))

    expect(page).to_have_title("● Your turn – Orléans")
    bell = page.get_by_role("button", name="Sound on my turn", pressed=False)
    bell.click()
    page.wait_for_function("() => globalThis.tones === 1")  # a sample of the tone

    hand.click()
    expect(dialog).to_contain_text("take your seat back at any time")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(hand).to_be_focused()
    hand.click()
    expect(dialog.get_by_label("Which bot?")).to_have_value("sensible")
    dialog.get_by_role("button", name="Let a bot take over").click()
    expect(seat).to_contain_text("bot took over")
    expect(table.list_buttons).to_have_count(0)
    expect(page.locator(".players .status")).to_have_text("Waiting for Ben")  # the bot has planned
    expect(page).to_have_title("Orléans · Boardkeeper")
    assert server.call("Games/GetGame", {"gameId": game})["game"]["seats"][0]["bot"] == "sensible"
    page.get_by_role("button", name="Take my seat back").click()
    expect(seat).not_to_contain_text("bot took over")
    expect(hand).to_be_visible()
    assert "bot" not in server.call("Games/GetGame", {"gameId": game})["game"]["seats"][0]

    ask = {"gameId": game, "seat": 2}
    ben = created["seatTokens"][1]["token"]
    commands = server.call("Games/ListLegalCommands", ask, ben)["commands"]
    [finish] = [each["command"] for each in commands if "inish" in each["sentence"]]
    server.call("Games/SubmitCommands", {**ask, "commandId": "c", "commands": [finish]}, ben)
    expect(page).to_have_title("● Your turn – Orléans")
    page.wait_for_function("() => globalThis.tones === 2")

    resign.click()
    expect(dialog).to_contain_text("The game ends at once")
    page.keyboard.press("Escape")
    expect(resign).to_be_focused()
    resign.click()
    dialog.get_by_role("button", name="Resign").click()
    expect(page.locator(".game[data-over]")).to_be_visible()
    expect(seat).to_contain_text("resigned")


def test_a_seat_keeps_its_name_when_a_bot_plays_it(server: ServerProcess, new_visitor: NewVisitor) -> None:
    created = server.create_game(seats=[{}, {"bot": "sensible"}, {}])
    game = created["game"]["gameId"]
    anna = new_visitor(server)
    page = anna.page
    anna.store_seats(created, 1)
    anna.open_table(game)
    names = page.locator(".players .name")
    expect(names).to_have_text(["Seat 1", "Bot 2", "Seat 3"])
    page.get_by_role("button", name="Let a bot take over", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Let a bot take over").click()
    expect(page.locator(".players li").first).to_contain_text("bot took over")
    expect(names).to_have_text(["Seat 1", "Bot 2", "Seat 3"])
    expect(page.locator(".log")).to_contain_text("A bot takes over for Seat 1.")
    anna.open("#/")
    seats = page.locator("section[aria-labelledby=my-games] .game-card", has_text=game[:8]).locator(".who li")
    expect(seats).to_have_text(["1 Seat 1 you bot", "2 Bot 2", "3 Seat 3"])
