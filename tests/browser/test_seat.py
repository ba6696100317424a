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
    expect(mine).to_have_attribute("title", re.compile("^50 minutes for the game.*a bot plays on"))
    expect(page.get_by_role("timer")).to_have_count(2)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    assert 2800 < seconds(mine) <= 3000
    assert any(passes(page, mine) for _ in range(3))
    page.get_by_role("button", name="To the beginning").click()
    expect(mine).to_have_count(0)  # the present's time is not the past's
