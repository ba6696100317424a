"""What people need at the table beside moves: their time, and giving their seat away and back."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect
from tests.browser.houses import House
from tests.browser.pages import Visitor

Visit = Callable[..., Visitor]


def seconds(clock: Locator) -> int:
    """What a clock shows."""
    minutes, rest = clock.inner_text().split(":")
    return 60 * int(minutes) + int(rest)


def passes(page: Page, clock: Locator) -> bool:
    """Whether ten seconds of the page are ten of a clock; not if the service has told the true time meanwhile."""
    before = seconds(clock)
    page.clock.run_for(10_000)
    return before - seconds(clock) == 10


def test_clocks_count_down_by_themselves_from_what_the_service_told(house: House, visitor: Visit) -> None:
    control = {"kind": "game", "seconds": 3000, "onExpiry": "bot"}
    seats = [{"name": "Anna"}, {"name": "Ben"}]
    made = house.call("Games/CreateGame", {"title": "orleans", "seats": seats, "timeControl": control})
    anna = visitor(house)
    page = anna.page
    page.clock.install(time="2040-01-01")  # the service's calendar is another one
    anna.sits(made, 1)
    anna.table(made["game"]["gameId"])
    mine = page.get_by_role("timer", name="Time left: Anna")
    expect(mine).to_have_attribute("title", re.compile("^50 min per game.*a bot takes over"))
    expect(page.get_by_role("timer")).to_have_count(2)
    # Far enough ahead for a slow machine, and less than after which a silent service is taken for lost.
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 20)
    assert 2800 < seconds(mine) <= 3000
    assert any(passes(page, mine) for _ in range(3))
    page.get_by_role("button", name="First version").click()
    expect(mine).to_have_count(0)  # the present's time is not the past's


HEARS = """
globalThis.rung = 0;
globalThis.AudioContext = class extends AudioContext {
  constructor() { super(); globalThis.rung++; }
};
Document.prototype.hasFocus = () => false;
"""
"""Counts the tones of a page that nobody is at."""


def test_a_seat_is_handed_to_a_bot_taken_back_and_given_up(house: House, visitor: Visit) -> None:
    seats = [{"name": "Anna"}, {"name": "Ben"}]
    made = house.call("Games/CreateGame", {"title": "orleans", "seats": seats})
    game = made["game"]["gameId"]
    anna = visitor(house)
    anna.begins_with(HEARS)
    anna.sits(made, 1)
    table = anna.table(game)
    page, dialog = anna.page, anna.page.get_by_role("dialog")
    seat = page.locator(".players li", has_text="Anna")
    hand, resign = (page.get_by_role("button", name=name, exact=True) for name in ("Let a bot take over", "Resign"))

    expect(page).to_have_title("● Your turn – Orléans")
    bell = page.get_by_role("button", name="Sound on my turn", pressed=False)
    bell.click()
    page.wait_for_function("() => globalThis.rung === 1")  # so it will sound

    hand.click()
    expect(dialog).to_contain_text("take your seat back at any time")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(hand).to_be_focused()
    hand.click()
    expect(dialog.get_by_label("Which bot?")).to_have_value("sensible")
    dialog.get_by_role("button", name="Let a bot take over").click()
    expect(seat).to_contain_text("bot took over")
    expect(table.listed).to_have_count(0)
    expect(page.locator(".players .status")).to_have_text("Waiting for Ben")  # the bot has planned
    expect(page).to_have_title("Orléans · Boardkeeper")
    assert house.call("Games/GetGame", {"gameId": game})["game"]["seats"][0]["bot"] == "sensible"
    page.get_by_role("button", name="Take my seat back").click()
    expect(seat).not_to_contain_text("bot took over")
    expect(hand).to_be_visible()
    assert "bot" not in house.call("Games/GetGame", {"gameId": game})["game"]["seats"][0]

    ask = {"gameId": game, "seat": 2}
    ben = made["seatTokens"][1]["token"]
    commands = house.call("Games/ListLegalCommands", ask, ben)["commands"]
    [finish] = [each["command"] for each in commands if "inish" in each["sentence"]]
    house.call("Games/SubmitCommands", {**ask, "commandId": "c", "commands": [finish]}, ben)
    expect(page).to_have_title("● Your turn – Orléans")
    page.wait_for_function("() => globalThis.rung === 2")

    resign.click()
    expect(dialog).to_contain_text("The game ends at once")
    page.keyboard.press("Escape")
    expect(resign).to_be_focused()
    resign.click()
    dialog.get_by_role("button", name="Resign").click()
    expect(page.locator(".game[data-over]")).to_be_visible()
    expect(seat).to_contain_text("resigned")


def test_a_seat_keeps_its_name_when_a_bot_plays_it(house: House, visitor: Visit) -> None:
    made = house.call("Games/CreateGame", {"title": "orleans", "seats": [{}, {"bot": "sensible"}, {}]})
    game = made["game"]["gameId"]
    anna = visitor(house)
    page = anna.page
    anna.sits(made, 1)
    anna.table(game)
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
