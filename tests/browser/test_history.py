"""The history slider shows every version as the server has it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.pages import EDITIONS, NewVisitor, Table
from tests.browser.server_process import ServerProcess

LEAST_ZONES = 20
"""A skin draws components in at least this number of zones, or the comparison would be empty."""


def read_zones(server: ServerProcess, game: str, version: int, token: str) -> dict[str, dict[str, int]]:
    """Return the contents of each zone from GetTable, as a page would draw them."""
    table = server.call("Games/GetTable", {"gameId": game, "version": str(version)}, token)["table"]
    return {zone["id"]: count_components(zone) for zone in table["zones"]}


def count_components(zone: dict[str, Any]) -> dict[str, int]:
    if not zone.get("seen"):
        count = zone.get("count", 0)
        return {"?": count} if count else {}
    counts = {held["component"]: held["count"] for held in zone.get("contents", [])}
    for component in zone.get("order", []):
        counts[component] = counts.get(component, 0) + 1
    return counts


def compare_zones(table: Table, server: ServerProcess, game: str, token: str) -> int:
    """Compare the drawn zones with the server's, and return the number of zones with drawn components."""
    version, drawn = table.version_and_contents()
    zones = read_zones(server, game, version, token)
    for zone, contents in drawn.items():
        is_heap_of_all = "all" in contents
        expected = {"all": sum(zones[zone].values())} if is_heap_of_all else zones[zone]
        assert contents == expected, f"{zone} at version {version}"
    places = table.drawn_zones()
    missing = {zone: contents for zone, contents in zones.items() if zone in places and contents and zone not in drawn}
    assert missing == {}, f"version {version}"
    return len(drawn)


@pytest.mark.parametrize(("title", "edition", "players"), EDITIONS)
def test_the_slider_shows_every_version_as_the_server_has_it(
    server: ServerProcess, new_visitor: NewVisitor, title: str, edition: str, players: int
) -> None:
    created = server.create_game(title, edition, players, persons=1)
    game, token = created["game"]["gameId"], created["seatTokens"][0]["token"]
    anna = new_visitor(server)
    anna.store_seats(created)
    table = anna.open_table(game)
    table.play(25)
    last = table.version
    assert compare_zones(table, server, game, token) >= LEAST_ZONES
    for version in (1, last // 2, 2, last - 1, last // 3, last - 2):  # jumps and steps in both directions
        table.slide_to(version)
        compare_zones(table, server, game, token)
    table.page.keyboard.press(",")
    table.wait_for_exact_version(last - 3)
    compare_zones(table, server, game, token)


def test_a_link_to_a_version_opens_it(server: ServerProcess, new_visitor: NewVisitor) -> None:
    created = server.create_game(persons=1)
    game = created["game"]["gameId"]
    anna = new_visitor(server)
    anna.store_seats(created)
    anna.open_table(game).play(10)
    guest = new_visitor(server)
    table = guest.open_table(game, "?version=7&seat=0")
    table.wait_for_exact_version(7)
    compare_zones(table, server, game, "")

    # Screen readers announce the version where the slider stops, and no versions in between.
    announced, slider = table.page.locator(".said"), table.page.locator(".history input[type=range]")
    slider.evaluate("it => { it.value = 8; it.dispatchEvent(new Event('input', { bubbles: true })); }")
    table.wait_for_exact_version(8)
    expect(announced).to_be_empty()
    slider.dispatch_event("change")
    expect(announced).to_have_text("Planning phase: all players place followers.")
