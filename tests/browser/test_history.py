"""The way back: what the slider shows of any version is what the service tells of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.houses import House
from tests.browser.pages import Table, Visitor
from tests.browser.test_table import GAMES, created

Visit = Callable[..., Visitor]

FEW = 20
"""Of so many zones at least a skin shows what lies in them, or nothing would be compared."""


def told(house: House, game: str, version: int, token: str) -> dict[str, dict[str, int]]:
    """What lies in each zone by GetTable, as a page would draw it."""
    table = house.call("Games/GetTable", {"gameId": game, "version": str(version)}, token)["table"]
    return {zone["id"]: _lies(zone) for zone in table["zones"]}


def _lies(zone: dict[str, Any]) -> dict[str, int]:
    if not zone.get("seen"):
        count = zone.get("count", 0)
        return {"?": count} if count else {}
    lies = {held["component"]: held["count"] for held in zone.get("contents", [])}
    for component in zone.get("order", []):
        lies[component] = lies.get(component, 0) + 1
    return lies


def agrees(table: Table, house: House, game: str, token: str) -> int:
    """Compares what is shown at this moment; tells in how many zones something lies that is drawn."""
    version, drawn = table.shown_at()
    known = told(house, game, version, token)
    for zone, lies in drawn.items():
        is_heap_of_all = "all" in lies
        expected = {"all": sum(known[zone].values())} if is_heap_of_all else known[zone]
        assert lies == expected, f"{zone} at version {version}"
    places = table.drawn_zones()
    missing = {zone: lies for zone, lies in known.items() if zone in places and lies and zone not in drawn}
    assert missing == {}, f"version {version}"
    return len(drawn)


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_the_slider_shows_every_version_as_the_service_tells_it(
    house: House, visitor: Visit, title: str, edition: str, players: int
) -> None:
    made = created(house, title, edition, players)
    game, token = made["game"]["gameId"], made["seatTokens"][0]["token"]
    anna = visitor(house)
    anna.sits(made)
    table = anna.table(game)
    table.plays(25)
    last = table.version
    assert agrees(table, house, game, token) >= FEW
    for version in (1, last // 2, 2, last - 1, last // 3, last - 2):  # there and back, in jumps and steps
        table.slide(version)
        agrees(table, house, game, token)
    table.page.keyboard.press(",")
    table.shows(last - 3)
    agrees(table, house, game, token)


def test_a_link_to_a_version_opens_it(house: House, visitor: Visit) -> None:
    made = created(house, "orleans")
    game = made["game"]["gameId"]
    anna = visitor(house)
    anna.sits(made)
    anna.table(game).plays(10)
    guest = visitor(house)
    table = guest.table(game, "?version=7&seat=0")
    table.shows(7)
    agrees(table, house, game, "")

    # Who hears the page is told where the slider comes to rest, and nothing of what it passes.
    said, slider = table.page.locator(".said"), table.page.locator(".history input[type=range]")
    slider.evaluate("it => { it.value = 8; it.dispatchEvent(new Event('input', { bubbles: true })); }")
    table.shows(8)
    expect(said).to_be_empty()
    slider.dispatch_event("change")
    expect(said).to_have_text("Planning phase: all players place followers.")
