"""Somebody at a browser: what is seen there, and what hands do. Tests wait for what is to be seen, never for a time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tests.browser.houses import House

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page

PICTURES = Path("build") / "pictures"
"""Where the pictures of a run are kept, for people to look at."""

DESK = (1400, 900)
PHONE = (390, 844)
PATIENCE = 60_000
"""A condition that has not come true by then, in milliseconds, will not: machines may be slow."""

PLAY = (Path(__file__).parent / "play.js").read_text("utf-8")


def around(game: str) -> dict[str, str]:
    """The pages around the table, with a game that waits for players: address to what is there once it is drawn."""
    return {
        "#/": ".game-card",
        "#/new": ".rule-said",
        f"#/join/{game}": "form",
        f"#/games/{game}": ".waiting-room",
        "#/record": ".record-open",
        "#/nothing": "main h1",
    }


class Visitor:
    """A browser of one person."""

    def __init__(
        self,
        browser: Browser,
        house: House,
        *,
        size: tuple[int, int] = DESK,
        language: str = "en-GB",
        scheme: Literal["light", "dark"] = "light",
        still: bool = True,
        touch: bool = False,
    ) -> None:
        """``still``: less motion is asked for, so that nothing has to be waited for. ``touch``: a phone in a hand."""
        self.house = house
        self.complaints: list[str] = []
        self.expected: list[str] = []
        self.allowed: list[str] = [house.web, "data:", "blob:"]
        self._context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            color_scheme=scheme,
            reduced_motion="reduce" if still else "no-preference",
            has_touch=touch,
            is_mobile=touch,
        )
        self._context.set_default_timeout(PATIENCE)
        self.page: Page = self._context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(word in message.text for word in self.expected):
            self.complaints.append(message.text)

    def _asked(self, url: str) -> None:
        if not url.startswith(tuple(self.allowed)):
            self.complaints.append(f"asked somebody else: {url}")

    def open(self, address: str = "") -> Page:
        """Go to an address of the page, which begins with ``#``."""
        self.page.goto(f"{self.house.web}/{address}")
        return self.page

    def begins_with(self, script: str) -> None:
        """Have a script run on each page before those of the page itself."""
        self._context.add_init_script(script)

    def copies(self) -> None:
        """Let pages write to the clipboard."""
        self._context.grant_permissions(["clipboard-read", "clipboard-write"])

    def opens_all_of(self, address: str, selector: str) -> Page:
        """Go there, wait until it is drawn, and unfold what can be."""
        page = self.open(address)
        page.wait_for_selector(selector, state="attached")
        page.evaluate("document.querySelectorAll('main details').forEach((each) => (each.open = true))")
        return page

    def sits(self, game: dict[str, Any], *seats: int) -> None:
        """Have the tokens of these seats of a game that was just made, as its maker's browser has."""
        tokens = {each["seat"]: each["token"] for each in game["seatTokens"]}
        known = game["game"]
        kept = [
            {"server": self.house.web, "game": known["gameId"], "seat": seat, "token": tokens[seat],
             "name": known["seats"][seat - 1].get("name", ""), "title": known["title"]}
            for seat in seats or tokens
        ]  # fmt: skip
        self.page.goto(f"{self.house.web}/icon.svg")  # anything from there that is nothing to draw twice
        self.page.evaluate("kept => localStorage.setItem('boardkeeper.seats', JSON.stringify(kept))", kept)

    def table(self, game: str, more: str = "") -> Table:
        """Open a game, in a page that knows of nothing before, and wait until it is drawn."""
        is_open = self.page.url.partition("#")[0] == f"{self.house.web}/"
        self.open(f"#/games/{game}{more}")
        if is_open:  # there it has only gone from one part of the page to another
            self.page.reload()
        table = Table(self.page)
        table.is_drawn()
        return table

    def picture(self, name: str, *, whole: bool = False) -> None:
        """Keep what is to be seen."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)

    def close(self) -> None:
        """Leave. Answers that a test is still rewriting get through first: later there is no page to give them to."""
        self.page.unroute_all(behavior="wait")
        self._context.close()


class Table:
    """The page of a game."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.evaluate(PLAY)

    def is_drawn(self) -> None:
        """Wait for the pieces."""
        self.page.wait_for_selector(".stage .piece")

    @property
    def lit(self) -> Locator:
        """What a command can begin with, or go on with."""
        return self.page.locator(".stage .begins")

    @property
    def listed(self) -> Locator:
        """What can be done, in words."""
        return self.page.locator(".options ol button")

    @property
    def version(self) -> int:
        """The version that is shown."""
        return int(self.page.locator(".history output").inner_text().split("/")[0])

    @property
    def given(self) -> int:
        """How many commands were given on this page. The version tells less: others go on with the game, too."""
        number: int = self.page.evaluate("boardkeeperTests.given()")
        return number

    def is_offered(self) -> None:
        """Wait until something can be chosen, and whatever was given before is done."""
        self.page.wait_for_function(
            "() => document.querySelector('.options[aria-busy=false] ol button:not(:disabled)') !== null"
        )

    def chooses(self, words: str) -> None:
        """Give the first command in the list that has these words, and wait until it was carried out."""
        before = self.version
        self.page.locator(".options ol button:enabled", has_text=words).first.click()
        self.reaches(before + 1)

    def reaches(self, version: int) -> None:
        """Wait until it shows that version or a later one."""
        self.page.wait_for_function(
            "least => Number(document.querySelector('.history output').textContent.split('/')[0]) >= least", arg=version
        )

    def slide(self, version: int) -> None:
        """Draw the slider to a version, and wait until it is shown."""
        slider = self.page.locator(".history input[type=range]")
        slider.fill(str(version))
        self.shows(version)

    def shows(self, version: int) -> None:
        """Wait until that very version is shown."""
        self.page.wait_for_function(
            "wanted => document.querySelector('.history output').textContent.startsWith(`${wanted}/`)", arg=version
        )

    def drawn_zones(self) -> set[str]:
        """The zones that have a place on the boards."""
        return set(self.page.evaluate("boardkeeperTests.zones()"))

    def shown(self) -> Any:
        """What lies in each zone that is drawn, by component."""
        return self.shown_at()[1]

    def shown_at(self) -> tuple[int, Any]:
        """The version that is shown once all of it was told, and what then lies in each zone that is drawn."""
        whole = self.page.wait_for_function(
            "() => document.querySelector('.stage[aria-busy=false]') && JSON.stringify(boardkeeperTests.shown())"
        )
        told = json.loads(whole.json_value())
        return told["version"], told["zones"]

    def plays(self, most: int = 100_000, seed: int = 1, rather: str = "") -> dict[str, int]:
        """Click what is lit until the game is over, or so many commands were given; tells how each was given.

        ``rather``: words of a command that is given wherever it can be.
        """
        how = [most, seed, rather]
        told: dict[str, int] = self.page.evaluate("(how) => boardkeeperTests.play(...how)", how)
        return told
