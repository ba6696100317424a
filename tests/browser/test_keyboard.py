"""By the keyboard alone: to a new game, on the board, in the list, through the history; one always sees where."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, TimeoutError, expect
from tests.browser.houses import House
from tests.browser.pages import Table, Visitor

Visit = Callable[..., Visitor]

MOST_TABS = 300

SEEN = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return "nowhere";
  const says = at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 40);
  const what = `${at.tagName} ${at.className.baseVal ?? at.className} ${says}`;
  if (!at.matches(":focus-visible")) return `${what}: it does not show that it has the focus`;
  const marked = getComputedStyle(at).outlineStyle !== "none" || getComputedStyle(at).boxShadow !== "none";
  if (!marked) return `${what}: nothing is drawn around it`;
  const box = at.getBoundingClientRect();
  const isThere = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
  if (!isThere) return `${what}: it is not on the screen`;
  return "";
}"""
"""What is wrong with where the focus is."""
NOWHERE = "nowhere"
AT = f"wanted => [document.activeElement.matches(wanted), ({SEEN})()]"
"""Both at one moment: others move, too."""


class Keys:
    """Somebody who has no mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def has_focus(self) -> None:
        """The focus is somewhere, and to be seen there. It may have to be drawn first."""
        try:
            self.page.wait_for_function(f"() => ({SEEN})() === ''")
        except TimeoutError:
            assert self.wrong() == ""

    def wrong(self) -> str:
        """What is wrong with where it is; empty: nothing."""
        said: str = self.page.evaluate(SEEN)
        return said

    def press(self, key: str) -> None:
        """A key."""
        self.page.keyboard.press(key)

    def goes_to(self, selector: str, *, back: bool = False) -> None:
        """Tab until the focus is there; each place on the way shows that it has it."""
        for tabs in range(MOST_TABS):
            is_there, wrong = self.page.evaluate(AT, selector)
            if is_there or tabs:
                assert wrong in ("", NOWHERE)  # at the end of the page the browser has it
            if is_there:
                return
            self.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"no {selector} after {MOST_TABS} times")


def test_a_game_is_made_and_played_without_a_mouse(house: House, visitor: Visit) -> None:
    anna = visitor(house)
    page = anna.open("#/")
    keys = Keys(page)
    keys.goes_to("a[href='#/new']")
    keys.press("Enter")
    page.wait_for_selector("input[name=title]")
    keys.goes_to("input[name=title]")
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    keys.press("ArrowUp")
    keys.goes_to("[aria-label='Name for seat 1']")
    page.keyboard.insert_text("Anna")
    keys.goes_to("button[type=submit]")
    keys.press("Enter")
    page.wait_for_selector(".stage .piece")
    table = Table(page)

    # On the board: to what is lit, and what is lit then, until it is done.
    for _ in range(3):
        page.wait_for_selector(".stage .begins")
        before, given = table.version, table.given
        for _ in range(4):
            keys.goes_to(".stage .begins" if page.locator(".stage .begins").count() else ".options ol button")
            keys.press("Enter")
            keys.has_focus()
            if page.evaluate(ACTED, given):
                break
        else:
            keys.goes_to(".options ol button")
            keys.press("Enter")
        table.reaches(before + 1)
        table.is_offered()
        keys.has_focus()

    # In the list.
    for _ in range(2):
        before = table.version
        keys.goes_to(".options ol button")
        keys.press("Enter")
        table.reaches(before + 1)
        table.is_offered()
        keys.has_focus()

    # Why not? The switch makes everything on the table something to ask about, once.
    switch = page.locator(".panel button[aria-pressed]")
    for key in ("Enter", "Escape"):
        keys.goes_to(".panel button[aria-pressed]", back=True)
        keys.press("Enter")
        expect(switch).to_have_attribute("aria-pressed", "true")
        assert page.evaluate(UNSEEN) == []
        keys.goes_to(".stage [data-subject]", back=True)
        keys.press("ArrowUp")
        keys.has_focus()
        keys.press(key)
        expect(switch).to_have_attribute("aria-pressed", "false")
        expect(switch).to_be_focused()
        expect(page.locator(".why")).to_have_count(1)
        expect(page.locator(".stage .picked")).to_have_count(0)

    # Through the history, and back to the present.
    head = table.version
    keys.goes_to(".history input[type=range]")
    for key, shown in (("ArrowLeft", head - 1), ("ArrowLeft", head - 2), ("Home", 1), ("ArrowRight", 2), ("End", head)):
        keys.press(key)
        page.wait_for_function(
            "shown => document.querySelector('.history output').textContent.startsWith(`${shown}/`)", arg=shown
        )
        keys.has_focus()

    # What happened, and what everybody has.
    keys.goes_to("[role=tab][aria-selected=true]", back=True)
    keys.press("ArrowRight")
    expect(page.get_by_role("tab", name="Overview")).to_have_attribute("aria-selected", "true")
    expect(page.locator("table.ledger")).to_be_visible()
    keys.has_focus()
    keys.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Log")).to_have_attribute("aria-selected", "true")
    keys.has_focus()


ACTED = """async (given) => {
  await new Promise((resolve) => setTimeout(resolve)); // whatever a key changes at once has been drawn then
  return boardkeeperTests.given() > given;
}"""
UNSEEN = """() => [...document.querySelectorAll(".stage [data-subject][tabindex]")]
  .filter((it) => it.getBoundingClientRect().width === 0)
  .map((it) => it.dataset.subject)"""
"""What on the board can have the focus, but is not to be seen there."""
