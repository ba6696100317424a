"""On a phone, in German: no page is wider than the screen or has English text, and tables are played by tapping."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.pages import EDITIONS, PHONE, NewVisitor, Table, pages_around_table
from tests.browser.server_process import ServerProcess

GERMAN_PHONE: dict[str, Any] = {"size": PHONE, "touch": True, "language": "de-DE"}

TEXTS = """() => {
  const texts = [];
  for (const each of document.querySelectorAll("body *")) {
    if (each.closest("[lang]").lang !== "de") continue;
    for (const node of each.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
    for (const name of ["aria-label", "title", "placeholder", "aria-valuetext", "alt"])
      texts.push(each.getAttribute(name) ?? "");
  }
  texts.push(document.title);
  return texts.map((text) => text.replace(/\\s+/g, " ").trim()).filter(Boolean);
}"""
FIND_OVERFLOW = """() => {
  const wide = screen.width;
  if (document.documentElement.scrollWidth <= wide && innerWidth <= wide) return [];
  const all = [...document.querySelectorAll("body *")];
  const sticking = all.filter((each) => each.getBoundingClientRect().right > wide + 1).slice(0, 5);
  return [`${document.documentElement.scrollWidth} pixels`, ...sticking.map((each) => each.outerHTML.slice(0, 120))];
}"""
"""Returns the elements that make the page wider than the screen."""


OUT_OF_REACH = """() => {
  const under = (each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return width >= 24 && height >= 24 && each.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };
  const bar = [...document.querySelectorAll(".status, .reach button, .history > button, .history > input")]
    .filter((each) => each.checkVisibility());
  const reach = [...document.querySelectorAll(".reach button")];
  const [history] = document.querySelectorAll(".history");
  return [
    ...bar.filter((each) => each.matches("button:enabled") && !under(each))
      .map((each) => each.outerHTML.slice(0, 120)),
    ...reach.filter((each) => each.scrollWidth > each.clientWidth)
      .map((each) => `wider than its place: ${each.outerHTML.slice(0, 120)}`),
    ...(bar.some((each) => each.getBoundingClientRect().bottom > innerHeight) ? ["the bar is below the screen"] : []),
    ...(history.getBoundingClientRect().height > 64 ? ["the history has more than one row"] : []),
    ...(document.documentElement.scrollHeight > innerHeight + 1 ? ["the page is longer than the screen"] : []),
  ];
}"""
"""Returns controls that should always be visible and large enough, and are not."""


TOO_CLOSE = """() => {
  const lit = [...document.querySelectorAll(".stage .lit[data-subject]")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return { key: each.dataset.subject, x: x + width / 2, y: y + height / 2, side: Math.min(width, height) };
  });
  const near = (one, other) => one.key !== other.key && Math.hypot(one.x - other.x, one.y - other.y) < 24;
  return lit.filter((one) => one.side < 24 && lit.some((other) => near(one, other))).map(({ key }) => key);
}"""
"""Returns highlighted items smaller than 24 pixels and too close to others (WCAG 2.2, 2.5.8)."""


@pytest.fixture(scope="session")
def english(repository: Path) -> list[re.Pattern[str]]:
    """Patterns of the client's English texts that differ from the German ones."""

    def read_texts(*names: str) -> set[str]:
        words = repository / "clients" / "web" / "src" / "words"
        found: set[str] = set()
        for name in names:
            text = re.sub(r"//.*|/\*.*?\*/", "", (words / name).read_text("utf-8"), flags=re.MULTILINE)
            found |= set(re.findall(r'"([^"\n]+)"', text)) | set(re.findall(r"`([^`]+)`", text))
        return found

    # Single words may be the same in both languages, but an equal sentence is not translated.
    german = {each for each in read_texts("de.ts", "lobby.de.ts") if not re.search(r"[a-z] [a-z]", each)}
    ours = read_texts("en.ts", "lobby.en.ts") - german
    # Placeholders match any text.
    return [
        re.compile(r".+?".join(re.escape(part) for part in re.split(r"\$\{(?:[^{}]|\{[^}]*\})*\}", each)))
        for each in ours
        if re.search(r"[A-Za-z]{3}", re.sub(r"\$\{.*?\}", "", each))
    ]


def find_english(page: Page, english: list[re.Pattern[str]]) -> list[str]:
    """Return the texts of the page that are English."""
    assert page.evaluate("document.documentElement.lang") == "de"
    return [text for text in page.evaluate(TEXTS) if any(each.fullmatch(text) for each in english)]


def test_pages_around_the_table(server: ServerProcess, new_visitor: NewVisitor, english: list[re.Pattern[str]]) -> None:
    name = "Anna mit einem Namen, der so lang ist wie nur irgend möglich ..."
    created = server.create_game(seats=[{"name": name}, {"open": True}])
    game = created["game"]["gameId"]
    anna = new_visitor(server, **GERMAN_PHONE)
    anna.store_seats(created, 1)
    problems = {}
    for address, selector in pages_around_table(game).items():
        page = anna.open_unfolded(address, selector)
        if found := page.evaluate(FIND_OVERFLOW) + find_english(page, english):
            problems[address] = found
    assert problems == {}


@pytest.mark.parametrize(("title", "edition", "players"), EDITIONS)
def test_tables_are_played_by_tapping(
    server: ServerProcess,
    new_visitor: NewVisitor,
    english: list[re.Pattern[str]],
    title: str,
    edition: str,
    players: int,
) -> None:
    created = server.create_game(title, edition, players, persons=1)
    anna = new_visitor(server, **GERMAN_PHONE)
    anna.store_seats(created)
    table = anna.open_table(created["game"]["gameId"])
    page = table.page
    table.wait_for_decision()
    assert page.evaluate(TOO_CLOSE) == []
    if title == "orleans":  # the marker "has passed" is as small as its print
        page.touchscreen.tap(*page.locator(".stage .mark.begins").first.evaluate(BESIDE))
        expect(page.locator(".stage .mark.picked")).to_have_count(1)
        page.get_by_role("button", name="Auswahl aufheben").tap()
    problems = [each for _ in range(3) for each in tap_command(table)]
    anna.take_screenshot(f"{edition}-phone")
    problems += page.evaluate(OUT_OF_REACH)
    page.locator(".handle").tap()
    expect(table.list_buttons.first).to_be_visible()
    for tab in page.get_by_role("tab").all():
        tab.tap()
        problems += page.evaluate(FIND_OVERFLOW) + find_english(page, english)
    assert problems == []
    # The log is in German, too.
    events = server.call(
        "History/ListEvents",
        {"gameId": created["game"]["gameId"], "pageSize": 500},
        created["seatTokens"][0]["token"],
        "de",
    )
    sentences = {each["sentence"] for each in events["events"] if each.get("sentence")}
    page.get_by_role("tab", name="Was geschah").tap()
    logged = page.locator(".log li").evaluate_all("rows => rows.map((row) => row.innerText.replace(/^\\d+\\s+/, ''))")
    assert logged
    assert set(logged) <= sentences


@pytest.mark.parametrize("language", ["de-DE", "en-GB"])
@pytest.mark.parametrize("width", [320, PHONE[0]])
def test_a_selection_leaves_all_controls_in_reach(
    server: ServerProcess, new_visitor: NewVisitor, language: str, width: int
) -> None:
    created = server.create_game()
    anna = new_visitor(server, size=(width, PHONE[1]), touch=True, language=language)
    anna.store_seats(created, 1)
    table = anna.open_table(created["game"]["gameId"])
    page = table.page
    table.wait_for_decision()
    page.touchscreen.tap(*page.locator(".stage .mark.begins").first.evaluate(BESIDE))
    expect(page.locator(".stage .mark.picked")).to_have_count(1)
    anna.take_screenshot(f"picked-{language}-{width}")
    assert page.evaluate(OUT_OF_REACH) + page.evaluate(FIND_OVERFLOW) == []
    clear = page.locator(".reach button").nth(1)
    clear.tap()
    expect(page.locator(".stage .mark.picked")).to_have_count(0)
    assert page.evaluate(OUT_OF_REACH) + page.evaluate(FIND_OVERFLOW) == []
    page.locator(".handle").tap()
    expect(table.list_buttons.first).to_be_visible()


def tap_command(table: Table) -> list[str]:
    """Submit one command by tapping highlighted items, or else in the list.

    Return the controls that are out of reach while an item is selected.
    """
    table.wait_for_decision()
    page, submissions, problems = table.page, table.submissions, []
    for _ in range(3):
        if not table.clickable.count():
            break
        picked = page.evaluate(PICKED)
        page.touchscreen.tap(*table.clickable.first.evaluate(MIDDLE))
        page.wait_for_function(
            f"([submissions, picked]) => {HAS_SUBMITTED} || ({PICKED})() !== picked", arg=[submissions, picked]
        )
        if table.submissions > submissions:
            break
        problems += page.evaluate(OUT_OF_REACH)
    if table.submissions == submissions:
        page.locator(".handle").tap()
        table.list_buttons.first.tap()
        page.wait_for_function(f"([submissions]) => {HAS_SUBMITTED}", arg=[submissions])
    table.wait_for_decision()
    return problems


HAS_SUBMITTED = "boardkeeperTests.submissions() > submissions"
PICKED = """() => {
  const picked = [...document.querySelectorAll(".stage .picked")].map((each) => each.dataset.subject);
  return `${picked} of ${document.querySelectorAll(".options ol button").length}`;
}"""
"""Returns the selected items and the number of remaining commands."""
MIDDLE = """(each) => {
  each.scrollIntoView({ block: "center", inline: "center" });
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""
"""Returns the middle of an element."""
BESIDE = """(each) => {
  each.scrollIntoView({ block: "center", inline: "center" });
  const { x, width, bottom } = each.getBoundingClientRect();
  return [x + width / 2, bottom + 10];
}"""
"""Returns a point just below an element."""
