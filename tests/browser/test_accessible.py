"""What axe-core, which knows the rules of accessibility, finds on every page: nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.browser.houses import House
from tests.browser.pages import Visitor, around

Visit = Callable[..., Visitor]

LOOKS: list[dict[str, Any]] = [
    {"scheme": "light", "language": "en-GB"},
    {"scheme": "dark", "language": "de-DE"},
]
TABLES = [
    pytest.param("orleans", "capstone-2021", 2, True, id="orleans"),
    pytest.param("paladins", "schwerkraft-2019", 2, False, id="paladins"),
    pytest.param("stories", "settlers", 2, False, id="settlers"),
    pytest.param("stories", "england-vs-france", 4, True, id="england-vs-france"),
]
"""The last: are colours looked at? Around boards they are the same in every title, but for those of the seats."""
FIND = """async ([where, rules]) => {
  const { violations } = await axe.run(where, { resultTypes: ["violations"], rules });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 4).map(({ target, html }) => `${id}: ${help}: ${target.join(" ")}: ${html.slice(0, 160)}`));
}"""
DRAWN = ".stage svg"
NOT_OF_DRAWINGS = {"color-contrast": {"enabled": False}, "label-content-name-mismatch": {"enabled": False}}
"""Colours of drawings it cannot tell, after seconds; and what is printed on a card is a picture, not its name."""


@pytest.fixture(scope="session")
def axe(repository: Path) -> str:
    """The source of axe-core."""
    return (repository / "clients" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


def violations(page: Page, axe: str, *, colours: bool = True) -> list[str]:
    """What it finds on the page as it is."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(f"() => {{ {axe} }}")
    if not colours:
        return list(page.evaluate(FIND, [{"include": ["html"]}, NOT_OF_DRAWINGS]))
    found: list[str] = page.evaluate(FIND, [{"exclude": [DRAWN]}, {}])
    if page.locator(DRAWN).count():
        found += page.evaluate(FIND, [{"include": [DRAWN]}, NOT_OF_DRAWINGS])
    return found


@pytest.mark.parametrize("looks", LOOKS, ids=["light-english", "dark-german"])
def test_pages_around_the_table(house: House, visitor: Visit, axe: str, looks: dict[str, Any]) -> None:
    seats: list[dict[str, Any]] = [{"name": "Anna"}, {"open": True}]
    made = house.call("Games/CreateGame", {"title": "orleans", "seats": seats})
    game = made["game"]["gameId"]
    anna = visitor(house, **looks)
    anna.sits(made, 1)
    found = {}
    for address, selector in around(game).items():
        page = anna.opens_all_of(address, selector)
        found[address] = violations(page, axe)
    assert {address: each for address, each in found.items() if each} == {}


@pytest.mark.parametrize(("title", "edition", "players", "colours"), TABLES)
def test_tables_at_their_opening_and_their_end(
    house: House,
    visitor: Visit,
    axe: str,
    ended: Callable[..., str],
    title: str,
    edition: str,
    players: int,
    colours: bool,
) -> None:
    seats = [{"name": name} for name in ("Anna", "Ben", "Cleo", "Dan")[:players]]
    made = house.call("Games/CreateGame", {"title": title, "edition": edition, "seats": seats})
    found = {}
    for game, looks in zip((made["game"]["gameId"], ended(title, edition, players)), LOOKS, strict=True):
        anna = visitor(house, **looks)
        anna.sits(made)
        page = anna.table(game).page
        if not page.locator(".game[data-over]").count():
            page.locator(".stage .spot[data-subject]:not(.lit)").first.dispatch_event("click")
            page.wait_for_selector(".why")
        found[game] = violations(page, axe, colours=colours)
        for tab in page.get_by_role("tab").all()[1:]:
            tab.click()
            found[f"{game} {tab.inner_text()}"] = page.evaluate(
                FIND, [{"include": [".panel"]}, {} if colours else NOT_OF_DRAWINGS]
            )
    assert {where: each for where, each in found.items() if each} == {}
