"""On a phone, in German: no page is wider than it or says a word in English, and tables are played by tapping."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.houses import House
from tests.browser.pages import PHONE, Table, Visitor, around

Visit = Callable[..., Visitor]

TABLES = [
    pytest.param("orleans", "capstone-2021", 2, id="orleans"),
    pytest.param("paladins", "schwerkraft-2019", 2, id="paladins"),
    pytest.param("stories", "settlers", 2, id="settlers"),
    pytest.param("stories", "england-vs-france", 4, id="england-vs-france"),
]
GERMAN_PHONE: dict[str, Any] = {"size": PHONE, "touch": True, "language": "de-DE"}

SAID = """() => {
  const said = [];
  for (const each of document.querySelectorAll("body *")) {
    if (each.closest("[lang]").lang !== "de") continue;
    for (const node of each.childNodes) if (node.nodeType === Node.TEXT_NODE) said.push(node.data);
    for (const name of ["aria-label", "title", "placeholder", "aria-valuetext", "alt"])
      said.push(each.getAttribute(name) ?? "");
  }
  said.push(document.title);
  return said.map((text) => text.replace(/\\s+/g, " ").trim()).filter(Boolean);
}"""
WIDER = """() => {
  const wide = screen.width;
  if (document.documentElement.scrollWidth <= wide && innerWidth <= wide) return [];
  const all = [...document.querySelectorAll("body *")];
  const sticking = all.filter((each) => each.getBoundingClientRect().right > wide + 1).slice(0, 5);
  return [`${document.documentElement.scrollWidth} pixels`, ...sticking.map((each) => each.outerHTML.slice(0, 120))];
}"""
"""What makes the page wider than the screen."""


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
      .map((each) => `more than there is room for: ${each.outerHTML.slice(0, 120)}`),
    ...(bar.some((each) => each.getBoundingClientRect().bottom > innerHeight) ? ["it is below the screen"] : []),
    ...(history.getBoundingClientRect().height > 64 ? ["the history has more than one row"] : []),
    ...(document.documentElement.scrollHeight > innerHeight + 1 ? ["the page is longer than the screen"] : []),
  ];
}"""
"""What should always be seen, and be large enough, and is not."""


TOO_CLOSE = """() => {
  const lit = [...document.querySelectorAll(".stage .lit[data-subject]")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return { key: each.dataset.subject, x: x + width / 2, y: y + height / 2, side: Math.min(width, height) };
  });
  const near = (one, other) => one.key !== other.key && Math.hypot(one.x - other.x, one.y - other.y) < 24;
  return lit.filter((one) => one.side < 24 && lit.some((other) => near(one, other))).map(({ key }) => key);
}"""
"""What is lit, smaller than 24 pixels, and not so far from all others that a finger reaches it (WCAG 2.2, 2.5.8)."""


@pytest.fixture(scope="session")
def english(repository: Path) -> list[re.Pattern[str]]:
    """What the page says in English and otherwise in German."""

    def written(*names: str) -> set[str]:
        words = repository / "clients" / "web" / "src" / "words"
        found: set[str] = set()
        for name in names:
            text = re.sub(r"//.*|/\*.*?\*/", "", (words / name).read_text("utf-8"), flags=re.MULTILINE)
            found |= set(re.findall(r'"([^"\n]+)"', text)) | set(re.findall(r"`([^`]+)`", text))
        return found

    # Single words may be the same in both; a sentence that is has been forgotten.
    german = {each for each in written("de.ts", "lobby.de.ts") if not re.search(r"[a-z] [a-z]", each)}
    ours = written("en.ts", "lobby.en.ts") - german
    # A word alone may be a name of something; what is put in may be anything, but not more words of ours.
    return [
        re.compile(r".+?".join(re.escape(part) for part in re.split(r"\$\{(?:[^{}]|\{[^}]*\})*\}", each)))
        for each in ours
        if re.search(r"[A-Za-z]{3}", re.sub(r"\$\{.*?\}", "", each))
    ]


def in_english(page: Page, english: list[re.Pattern[str]]) -> list[str]:
    """What the page says in English, as a whole text."""
    assert page.evaluate("document.documentElement.lang") == "de"
    return [text for text in page.evaluate(SAID) if any(each.fullmatch(text) for each in english)]


def test_pages_around_the_table(house: House, visitor: Visit, english: list[re.Pattern[str]]) -> None:
    name = "Anna mit einem Namen, der so lang ist wie nur irgend möglich ..."
    seats: list[dict[str, Any]] = [{"name": name}, {"open": True}]
    made = house.call("Games/CreateGame", {"title": "orleans", "seats": seats})
    game = made["game"]["gameId"]
    anna = visitor(house, **GERMAN_PHONE)
    anna.sits(made, 1)
    wrong = {}
    for address, selector in around(game).items():
        page = anna.opens_all_of(address, selector)
        if found := page.evaluate(WIDER) + in_english(page, english):
            wrong[address] = found
    assert wrong == {}


@pytest.mark.parametrize(("title", "edition", "players"), TABLES)
def test_tables_are_played_by_tapping(
    house: House, visitor: Visit, english: list[re.Pattern[str]], title: str, edition: str, players: int
) -> None:
    seats: list[dict[str, str]] = [{"name": "Anna"}, *[{"bot": "sensible"}] * (players - 1)]
    made = house.call("Games/CreateGame", {"title": title, "edition": edition, "seats": seats})
    anna = visitor(house, **GERMAN_PHONE)
    anna.sits(made)
    table = anna.table(made["game"]["gameId"])
    page = table.page
    table.is_offered()
    assert page.evaluate(TOO_CLOSE) == []
    if title == "orleans":  # "has passed" is lit, and no higher than its print
        page.touchscreen.tap(*page.locator(".stage .mark.begins").first.evaluate(BESIDE))
        expect(page.locator(".stage .mark.picked")).to_have_count(1)
        page.get_by_role("button", name="Auswahl aufheben").tap()
    wrong = [each for _ in range(3) for each in taps(table)]
    anna.picture(f"{edition}-phone")
    wrong += page.evaluate(OUT_OF_REACH)
    page.locator(".handle").tap()
    expect(table.listed.first).to_be_visible()
    for tab in page.get_by_role("tab").all():
        tab.tap()
        wrong += page.evaluate(WIDER) + in_english(page, english)
    assert wrong == []
    # What happened is told in German too.
    told = house.call(
        "History/ListEvents", {"gameId": made["game"]["gameId"], "pageSize": 500}, made["seatTokens"][0]["token"], "de"
    )
    sentences = {each["sentence"] for each in told["events"] if each.get("sentence")}
    page.get_by_role("tab", name="Was geschah").tap()
    logged = page.locator(".log li").evaluate_all("rows => rows.map((row) => row.innerText.replace(/^\\d+\\s+/, ''))")
    assert logged
    assert set(logged) <= sentences


@pytest.mark.parametrize("language", ["de-DE", "en-GB"])
@pytest.mark.parametrize("width", [320, PHONE[0]])
def test_what_is_picked_leaves_all_else_in_reach(house: House, visitor: Visit, language: str, width: int) -> None:
    made = house.call("Games/CreateGame", {"title": "orleans", "seats": [{"name": "Anna"}, {"name": "Ben"}]})
    anna = visitor(house, size=(width, PHONE[1]), touch=True, language=language)
    anna.sits(made, 1)
    table = anna.table(made["game"]["gameId"])
    page = table.page
    table.is_offered()
    page.touchscreen.tap(*page.locator(".stage .mark.begins").first.evaluate(BESIDE))
    expect(page.locator(".stage .mark.picked")).to_have_count(1)
    anna.picture(f"picked-{language}-{width}")
    assert page.evaluate(OUT_OF_REACH) + page.evaluate(WIDER) == []
    clear = page.locator(".reach button").nth(1)
    clear.tap()
    expect(page.locator(".stage .mark.picked")).to_have_count(0)
    assert page.evaluate(OUT_OF_REACH) + page.evaluate(WIDER) == []
    page.locator(".handle").tap()
    expect(table.listed.first).to_be_visible()


def taps(table: Table) -> list[str]:
    """Give one command with a finger: what is lit, and then what is lit of that, or else by its words.

    Returns what is out of reach once something was picked.
    """
    table.is_offered()
    page, given, wrong = table.page, table.given, []
    for _ in range(3):
        if not table.lit.count():
            break
        before = page.evaluate(PICKED)
        page.touchscreen.tap(*table.lit.first.evaluate(MIDDLE))
        page.wait_for_function(f"([given, before]) => {HAS_GIVEN} || ({PICKED})() !== before", arg=[given, before])
        if table.given > given:
            break
        wrong += page.evaluate(OUT_OF_REACH)
    if table.given == given:
        page.locator(".handle").tap()
        table.listed.first.tap()
        page.wait_for_function(f"([given]) => {HAS_GIVEN}", arg=[given])
    table.is_offered()
    return wrong


HAS_GIVEN = "boardkeeperTests.given() > given"
PICKED = """() => {
  const picked = [...document.querySelectorAll(".stage .picked")].map((each) => each.dataset.subject);
  return `${picked} of ${document.querySelectorAll(".options ol button").length}`;
}"""
"""What was picked, and how much is left of what can be done."""
MIDDLE = """(each) => {
  each.scrollIntoView({ block: "center", inline: "center" });
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""
"""Where somebody taps it."""
BESIDE = """(each) => {
  each.scrollIntoView({ block: "center", inline: "center" });
  const { x, width, bottom } = each.getBoundingClientRect();
  return [x + width / 2, bottom + 10];
}"""
"""Where somebody taps who misses it."""
