"""The service is killed in mid-game and started again: pages say so and go on; nothing is lost or doubled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect
from tests.browser.houses import House
from tests.browser.pages import Visitor

Visit = Callable[..., Visitor]

LOST = ".players .warning[role=alert]"


def test_pages_go_on_with_a_service_that_was_killed(own_house: House, visitor: Visit) -> None:
    house = own_house
    made: Any = house.call("Games/CreateGame", {"title": "orleans", "seats": [{"name": "Anna"}, {"name": "Ben"}]})
    game = made["game"]["gameId"]
    both = [visitor(house), visitor(house)]
    tables = []
    for seat, one in enumerate(both, 1):
        one.expected += ["net::ERR_", "Failed to load resource"]
        one.sits(made, seat)
        tables.append(one.table(game))
    anna, ben = tables
    anna.plays(2)
    ben.reaches(anna.version)
    before = anna.version
    for table in tables:
        expect(table.listed.first).to_be_enabled()

    house.kill()
    for table in tables:
        expect(table.page.locator(LOST)).to_have_text("Connection lost. Reconnecting …")
    # What is sent now waits until there is somebody to answer.
    anna.listed.first.click()
    expect(anna.page.locator(".options")).to_have_attribute("aria-busy", "true")
    house.start()

    for table in tables:
        expect(table.page.locator(LOST)).to_have_count(0)
        table.reaches(before + 1)
        expect(table.page.locator(".options .refusal")).to_have_count(0)
    ben.plays(2)
    anna.reaches(before + 3)
    # Each event once, in order, on both pages and at the service, and the same table everywhere.
    events = house.call("History/ListEvents", {"gameId": game, "pageSize": 500}, made["seatTokens"][0]["token"])[
        "events"
    ]
    assert [int(each["version"]) for each in events] == list(range(1, before + 4))
    commands = [each["commandId"] for each in events if each.get("seat") == 1 and each.get("commandId")]
    assert len(commands) == len(set(commands))
    for table in tables:
        numbers = table.page.locator(".log .number").all_inner_texts()
        assert numbers == sorted(set(numbers), key=int)
        assert int(numbers[-1]) == before + 3
    assert anna.shown() == ben.shown()
