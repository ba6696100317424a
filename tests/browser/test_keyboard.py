"""A user can create, play and browse a game with the keyboard only, and always sees which element has the focus."""

from __future__ import annotations

from playwright.sync_api import Page, TimeoutError, expect
from tests.browser.pages import NewVisitor, Table
from tests.browser.server_process import ServerProcess

MAX_TABS = 300

FOCUS_PROBLEM = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return "no focus";
  const text = at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 40);
  const element = `${at.tagName} ${at.className.baseVal ?? at.className} ${text}`;
  if (!at.matches(":focus-visible")) return `${element}: is focused, but not :focus-visible`;
  const marked = getComputedStyle(at).outlineStyle !== "none" || getComputedStyle(at).boxShadow !== "none";
  if (!marked) return `${element}: has no focus ring`;
  const box = at.getBoundingClientRect();
  const isOnScreen = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
  if (!isOnScreen) return `${element}: is not on the screen`;
  return "";
}"""
"""Returns why the user cannot see which element has the focus; an empty string if the focus is visible."""

NO_FOCUS = "no focus"
"""The problem if no element of the page has the focus."""

FOCUS_STATE = f"wanted => [document.activeElement.matches(wanted), ({FOCUS_PROBLEM})()]"
"""Returns whether the focused element matches a selector, and its problem.

A single script does both, because the move of another player can change the page between two scripts.
"""


class Keyboard:
    """The keyboard of a user without a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def wait_for_visible_focus(self) -> None:
        """Wait until an element has the focus and the focus is visible."""
        try:
            self.page.wait_for_function(f"() => ({FOCUS_PROBLEM})() === ''")
        except TimeoutError:
            assert self.page.evaluate(FOCUS_PROBLEM) == ""

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def tab_to(self, selector: str, *, back: bool = False) -> None:
        """Press Tab, or Shift+Tab with ``back``, until an element has the focus.

        On each element on the way, the focus must be visible.
        """
        for tabs in range(MAX_TABS):
            has_focus, problem = self.page.evaluate(FOCUS_STATE, selector)
            if has_focus or tabs:
                assert problem in ("", NO_FOCUS)  # after the last element, the focus leaves the page
            if has_focus:
                return
            self.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"{selector} does not get the focus after {MAX_TABS} tabs")


def test_a_game_is_created_and_played_without_a_mouse(server: ServerProcess, new_visitor: NewVisitor) -> None:
    anna = new_visitor(server)
    page = anna.open("#/")
    keys = Keyboard(page)
    keys.tab_to("a[href='#/new']")
    keys.press("Enter")
    page.wait_for_selector("input[name=title]")
    keys.tab_to("input[name=title]")
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    keys.press("ArrowUp")
    keys.tab_to("[aria-label='Name for seat 1']")
    page.keyboard.insert_text("Anna")
    keys.tab_to("button[type=submit]")
    keys.press("Enter")
    page.wait_for_selector(".stage .piece")
    table = Table(page)

    # Play on the board: choose highlighted items until a command is submitted.
    for _ in range(3):
        page.wait_for_selector(".stage .begins")
        before, before_submissions = table.version, table.submissions
        for _ in range(4):
            keys.tab_to(".stage .begins" if page.locator(".stage .begins").count() else ".options ol button")
            keys.press("Enter")
            keys.wait_for_visible_focus()
            if page.evaluate(HAS_SUBMITTED, before_submissions):
                break
        else:
            keys.tab_to(".options ol button")
            keys.press("Enter")
        table.wait_for_version(before + 1)
        table.wait_for_decision()
        keys.wait_for_visible_focus()

    # Play with the list of commands.
    for _ in range(2):
        before = table.version
        keys.tab_to(".options ol button")
        keys.press("Enter")
        table.wait_for_version(before + 1)
        table.wait_for_decision()
        keys.wait_for_visible_focus()

    # While the switch "Why not?" is on, the user can select any item of the board, once.
    switch = page.locator(".panel button[aria-pressed]")
    for key in ("Enter", "Escape"):
        keys.tab_to(".panel button[aria-pressed]", back=True)
        keys.press("Enter")
        expect(switch).to_have_attribute("aria-pressed", "true")
        assert page.evaluate(INVISIBLE) == []
        keys.tab_to(".stage [data-subject]", back=True)
        keys.press("ArrowUp")
        keys.wait_for_visible_focus()
        keys.press(key)
        expect(switch).to_have_attribute("aria-pressed", "false")
        expect(switch).to_be_focused()
        expect(page.locator(".why")).to_have_count(1)
        expect(page.locator(".stage .picked")).to_have_count(0)

    # Go back in the history, and return to the newest version.
    head = table.version
    keys.tab_to(".history input[type=range]")
    for key, shown in (("ArrowLeft", head - 1), ("ArrowLeft", head - 2), ("Home", 1), ("ArrowRight", 2), ("End", head)):
        keys.press(key)
        page.wait_for_function(
            "shown => document.querySelector('.history output').textContent.startsWith(`${shown}/`)", arg=shown
        )
        keys.wait_for_visible_focus()

    # Change between the tabs of the panel.
    keys.tab_to("[role=tab][aria-selected=true]", back=True)
    keys.press("ArrowRight")
    expect(page.get_by_role("tab", name="Overview")).to_have_attribute("aria-selected", "true")
    expect(page.locator("table.ledger")).to_be_visible()
    keys.wait_for_visible_focus()
    keys.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Log")).to_have_attribute("aria-selected", "true")
    keys.wait_for_visible_focus()


HAS_SUBMITTED = """async (before) => {
  await new Promise((resolve) => setTimeout(resolve)); // wait until the page shows the effect of the key
  return boardkeeperTests.submissions() > before;
}"""
INVISIBLE = """() => [...document.querySelectorAll(".stage [data-subject][tabindex]")]
  .filter((it) => it.getBoundingClientRect().width === 0)
  .map((it) => it.dataset.subject)"""
"""Returns the items of the board that can get the focus but are not visible."""
