"""axe-core finds no accessibility violations on any page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.browser.pages import EDITIONS, NewVisitor, pages_around_table
from tests.browser.server_process import ServerProcess

APPEARANCES: list[dict[str, Any]] = [
    {"scheme": "light", "language": "en-GB"},
    {"scheme": "dark", "language": "de-DE"},
]
CHECK_COLOURS = ("capstone-2021", "england-vs-france")
"""Editions whose colours are checked: outside of boards, only the colours of the seats differ between titles."""
FIND = """async ([where, rules]) => {
  const { violations } = await axe.run(where, { resultTypes: ["violations"], rules });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 4).map(({ target, html }) => `${id}: ${help}: ${target.join(" ")}: ${html.slice(0, 160)}`));
}"""
BOARDS = ".stage svg"
RULES_FOR_BOARDS = {"color-contrast": {"enabled": False}, "label-content-name-mismatch": {"enabled": False}}
"""axe cannot determine colours of drawings, and text printed on a card is a picture, not its name."""


@pytest.fixture(scope="session")
def axe(repository: Path) -> str:
    """The source of axe-core."""
    return (repository / "clients" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


def find_violations(page: Page, axe: str, *, colours: bool = True) -> list[str]:
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(f"() => {{ {axe} }}")
    if not colours:
        return list(page.evaluate(FIND, [{"include": ["html"]}, RULES_FOR_BOARDS]))
    found: list[str] = page.evaluate(FIND, [{"exclude": [BOARDS]}, {}])
    if page.locator(BOARDS).count():
        found += page.evaluate(FIND, [{"include": [BOARDS]}, RULES_FOR_BOARDS])
    return found


@pytest.mark.parametrize("appearance", APPEARANCES, ids=["light-english", "dark-german"])
def test_pages_around_the_table(
    server: ServerProcess, new_visitor: NewVisitor, axe: str, appearance: dict[str, Any]
) -> None:
    created = server.create_game(seats=[{"name": "Anna"}, {"open": True}])
    game = created["game"]["gameId"]
    anna = new_visitor(server, **appearance)
    anna.store_seats(created, 1)
    found = {}
    for address, selector in pages_around_table(game).items():
        page = anna.open_unfolded(address, selector)
        found[address] = find_violations(page, axe)
    assert {address: each for address, each in found.items() if each} == {}


@pytest.mark.parametrize(("title", "edition", "players"), EDITIONS)
def test_tables_at_the_beginning_and_the_end_of_a_game(
    server: ServerProcess,
    new_visitor: NewVisitor,
    axe: str,
    finished_game: Callable[..., str],
    title: str,
    edition: str,
    players: int,
) -> None:
    created = server.create_game(title, edition, players)
    colours = edition in CHECK_COLOURS
    found = {}
    for game, appearance in zip(
        (created["game"]["gameId"], finished_game(title, edition, players)), APPEARANCES, strict=True
    ):
        anna = new_visitor(server, **appearance)
        anna.store_seats(created)
        page = anna.open_table(game).page
        if not page.locator(".game[data-over]").count():
            page.locator(".stage .spot[data-subject]:not(.lit)").first.dispatch_event("click")
            page.wait_for_selector(".why")
        found[game] = find_violations(page, axe, colours=colours)
        for tab in page.get_by_role("tab").all()[1:]:
            tab.click()
            found[f"{game} {tab.inner_text()}"] = page.evaluate(
                FIND, [{"include": [".panel"]}, {} if colours else RULES_FOR_BOARDS]
            )
    assert {where: each for where, each in found.items() if each} == {}
