"""A game is created, played and browsed with the keyboard only, and the focus is always visible."""

from __future__ import annotations

from playwright.sync_api import Page, TimeoutError, expect
from tests.browser.pages import NewVisitor, Table
from tests.browser.server_process import ServerProcess

MOST_TABS = 300

FOCUS_PROBLEM = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return "nowhere";
  const text = at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 40);
  const what = `${at.tagName} ${at.className.baseVal ?? at.className} ${text}`;
  if (!at.matches(":focus-visible")) return `${what}: is focused, but not :focus-visible`;
  const marked = getComputedStyle(at).outlineStyle !== "none" || getComputedStyle(at).boxShadow !== "none";
  if (!marked) return `${what}: has no focus ring`;
  const box = at.getBoundingClientRect();
  const isOnScreen = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
  if (!isOnScreen) return `${what}: is not on the screen`;
  return "";
}"""
"""Returns the problem of the focused element, or an empty string."""
NOWHERE = "nowhere"
FOCUS_STATE = f"wanted => [document.activeElement.matches(wanted), ({FOCUS_PROBLEM})()]"
"""One call, because the moves of other players can change the page in between."""


class Keyboard:
    """A user without a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def wait_for_visible_focus(self) -> None:
        """Wait until an element has the focus and shows it."""
        try:
            self.page.wait_for_function(f"() => ({FOCUS_PROBLEM})() === ''")
        except TimeoutError:
            assert self.page.evaluate(FOCUS_PROBLEM) == ""

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def tab_to(self, selector: str, *, back: bool = False) -> None:
        """Press Tab until an element has the focus; each element in between must show it."""
        for tabs in range(MOST_TABS):
            is_there, problem = self.page.evaluate(FOCUS_STATE, selector)
            if is_there or tabs:
                assert problem in ("", NOWHERE)  # at the end of the page the browser has the focus
            if is_there:
                return
            self.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"no {selector} after {MOST_TABS} times")


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

    # On the board: choose highlighted items until a command is submitted.
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

    # In the list.
    for _ in range(2):
        before = table.version
        keys.tab_to(".options ol button")
        keys.press("Enter")
        table.wait_for_version(before + 1)
        table.wait_for_decision()
        keys.wait_for_visible_focus()

    # The switch "Why not?" makes everything on the table selectable once.
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

    # Through the history, and back to the present.
    head = table.version
    keys.tab_to(".history input[type=range]")
    for key, shown in (("ArrowLeft", head - 1), ("ArrowLeft", head - 2), ("Home", 1), ("ArrowRight", 2), ("End", head)):
        keys.press(key)
        page.wait_for_function(
            "shown => document.querySelector('.history output').textContent.startsWith(`${shown}/`)", arg=shown
        )
        keys.wait_for_visible_focus()

    # The tabs of the panel.
    keys.tab_to("[role=tab][aria-selected=true]", back=True)
    keys.press("ArrowRight")
    expect(page.get_by_role("tab", name="Overview")).to_have_attribute("aria-selected", "true")
    expect(page.locator("table.ledger")).to_be_visible()
    keys.wait_for_visible_focus()
    keys.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Log")).to_have_attribute("aria-selected", "true")
    keys.wait_for_visible_focus()


HAS_SUBMITTED = """async (before) => {
  await new Promise((resolve) => setTimeout(resolve)); // the immediate effects of a key are drawn then
  return boardkeeperTests.submissions() > before;
}"""
INVISIBLE = """() => [...document.querySelectorAll(".stage [data-subject][tabindex]")]
  .filter((it) => it.getBoundingClientRect().width === 0)
  .map((it) => it.dataset.subject)"""
"""Returns focusable items of the board that are not visible."""
