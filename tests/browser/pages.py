"""A user of the web client, and the page of a game. Tests wait for what the page shows, never for a time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from tests.browser.server_process import ServerProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page

PICTURES = Path("build") / "pictures"
"""The folder of a run's screenshots."""

DESK = (1400, 900)
PHONE = (390, 844)
TIMEOUT_MS = 60_000
"""Timeout of all conditions in milliseconds, for slow machines."""

EDITIONS = [
    pytest.param("orleans", "capstone-2021", 2, id="orleans"),
    pytest.param("paladins", "schwerkraft-2019", 2, id="paladins"),
    pytest.param("stories", "settlers", 2, id="settlers"),
    pytest.param("stories", "england-vs-france", 4, id="england-vs-france"),
]
"""Title, edition and number of players, as test parameters."""

PLAY = (Path(__file__).parent / "play.js").read_text("utf-8")


def pages_around_table(game: str) -> dict[str, str]:
    """Return the address of each page other than tables, with a selector for its drawn content.

    ``game`` is a game that waits for players.
    """
    return {
        "#/": ".game-card",
        "#/new": ".rule-said",
        f"#/join/{game}": "form",
        f"#/games/{game}": ".waiting-room",
        "#/record": ".record-open",
        "#/nothing": "main h1",
    }


class Visitor:
    """One user's browser context, with one page."""

    def __init__(
        self,
        browser: Browser,
        server: ServerProcess,
        *,
        size: tuple[int, int] = DESK,
        language: str = "en-GB",
        scheme: Literal["light", "dark"] = "light",
        reduced_motion: bool = True,
        touch: bool = False,
    ) -> None:
        """``reduced_motion`` avoids waiting for animations. ``touch`` emulates a phone."""
        self.server = server
        self.errors: list[str] = []
        self.expected_errors: list[str] = []
        self.allowed_origins: list[str] = [server.web, "data:", "blob:"]
        self._context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            color_scheme=scheme,
            reduced_motion="reduce" if reduced_motion else "no-preference",
            has_touch=touch,
            is_mobile=touch,
        )
        self._context.set_default_timeout(TIMEOUT_MS)
        self.page: Page = self._context.new_page()
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self._on_request(request.url))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(word in message.text for word in self.expected_errors):
            self.errors.append(message.text)

    def _on_request(self, url: str) -> None:
        if not url.startswith(tuple(self.allowed_origins)):
            self.errors.append(f"request to another server: {url}")

    def open(self, address: str = "") -> Page:
        """Open an address of the client, which begins with ``#``."""
        self.page.goto(f"{self.server.web}/{address}")
        return self.page

    def add_init_script(self, script: str) -> None:
        """Run a script on each page before the page's own scripts."""
        self._context.add_init_script(script)

    def open_unfolded(self, address: str, selector: str) -> Page:
        """Open an address, wait until it is drawn, and unfold all details."""
        page = self.open(address)
        page.wait_for_selector(selector, state="attached")
        page.evaluate("document.querySelectorAll('main details').forEach((each) => (each.open = true))")
        return page

    def store_seats(self, created: dict[str, Any], *seats: int) -> None:
        """Store the tokens of seats of a created game in the browser; default: all seats."""
        tokens = {each["seat"]: each["token"] for each in created["seatTokens"]}
        game = created["game"]
        stored = [
            {"server": self.server.web, "game": game["gameId"], "seat": seat, "token": tokens[seat],
             "name": game["seats"][seat - 1].get("name", ""), "title": game["title"]}
            for seat in seats or tokens
        ]  # fmt: skip
        self.page.goto(f"{self.server.web}/icon.svg")  # a small file of the same origin
        self.page.evaluate("stored => localStorage.setItem('boardkeeper.seats', JSON.stringify(stored))", stored)

    def open_table(self, game: str, more: str = "") -> Table:
        """Open a game in a newly loaded page, and wait until it is drawn."""
        is_open = self.page.url.partition("#")[0] == f"{self.server.web}/"
        self.open(f"#/games/{game}{more}")
        if is_open:  # a change of the fragment does not load the page
            self.page.reload()
        table = Table(self.page)
        table.wait_until_drawn()
        return table

    def take_screenshot(self, name: str) -> None:
        """Save a screenshot for people."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png")

    def close(self) -> None:
        """Close the context, after the route handlers that are still running."""
        self.page.unroute_all(behavior="wait")
        self._context.close()


NewVisitor = Callable[..., Visitor]
"""The type of the fixture ``new_visitor``."""


class Table:
    """The page of a game."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.evaluate(PLAY)

    def wait_until_drawn(self) -> None:
        """Wait for the pieces."""
        self.page.wait_for_selector(".stage .piece")

    @property
    def clickable(self) -> Locator:
        """Highlighted items that start or continue a command."""
        return self.page.locator(".stage .begins")

    @property
    def list_buttons(self) -> Locator:
        """The buttons of the list of commands."""
        return self.page.locator(".options ol button")

    @property
    def version(self) -> int:
        """The shown version."""
        return int(self.page.locator(".history output").inner_text().split("/")[0])

    @property
    def submissions(self) -> int:
        """The number of commands submitted on this page. The version also counts those of other players."""
        number: int = self.page.evaluate("boardkeeperTests.submissions()")
        return number

    def wait_for_decision(self) -> None:
        """Wait until a command can be chosen, after earlier ones are carried out."""
        self.page.wait_for_function(
            "() => document.querySelector('.options[aria-busy=false] ol button:not(:disabled)') !== null"
        )

    def choose(self, words: str) -> None:
        """Submit the first command in the list that contains these words, and wait until it is carried out."""
        before = self.version
        self.page.locator(".options ol button:enabled", has_text=words).first.click()
        self.wait_for_version(before + 1)

    def wait_for_version(self, version: int) -> None:
        """Wait until the page shows a version or a later one."""
        self.page.wait_for_function(
            "least => Number(document.querySelector('.history output').textContent.split('/')[0]) >= least", arg=version
        )

    def slide_to(self, version: int) -> None:
        """Move the slider to a version, and wait until it is shown."""
        slider = self.page.locator(".history input[type=range]")
        slider.fill(str(version))
        self.wait_for_exact_version(version)

    def wait_for_exact_version(self, version: int) -> None:
        """Wait until exactly this version is shown."""
        self.page.wait_for_function(
            "wanted => document.querySelector('.history output').textContent.startsWith(`${wanted}/`)", arg=version
        )

    def drawn_zones(self) -> set[str]:
        """Return the zones that have a place on the boards."""
        return set(self.page.evaluate("boardkeeperTests.zones()"))

    def zone_contents(self) -> Any:
        """Return the drawn numbers of components by zone."""
        return self.version_and_contents()[1]

    def version_and_contents(self) -> tuple[int, Any]:
        """Return the shown version and its :meth:`zone_contents`, after the page is completely drawn."""
        whole = self.page.wait_for_function(
            "() => document.querySelector('.stage[aria-busy=false]') && JSON.stringify(boardkeeperTests.shown())"
        )
        shown = json.loads(whole.json_value())
        return shown["version"], shown["zones"]

    def play(self, most: int = 100_000, prefer: str = "") -> dict[str, int]:
        """Submit random commands by clicking, until the game is over or ``most`` commands are submitted.

        Commands with the words ``prefer`` are preferred. Return the counts of ``play`` in play.js.
        """
        options = [most, 1, prefer]
        counts: dict[str, int] = self.page.evaluate("(options) => boardkeeperTests.play(...options)", options)
        return counts
