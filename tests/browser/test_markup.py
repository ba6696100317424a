"""What people are called, and what a service says, is text: it never becomes markup, on no page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from playwright.sync_api import Page, Route
from tests.browser.hearing import SERVED, messages
from tests.browser.houses import House
from tests.browser.pages import PHONE, Visitor
from tests.browser.test_phone import WIDER

Visit = Callable[..., Visitor]

NAMES = [
    "<img src=x onerror=globalThis.owned=1>",
    "</script><script>globalThis.owned=1</script>",
    "\u05d0\u05e0\u05d4 (1) {@html '<b>owned</b>'} ${globalThis.owned=1}",
    "W" * 64,
]
MARKUP = "<img src=x onerror=globalThis.owned=1><script>globalThis.owned=1</script><b class=owned>"
OURS = "script:not([src]), img, iframe, object, .owned, [onerror], [onclick]"
"""What no page of ours has."""
SAID = {"text", "sentence", "name", "designer", "publisher", "maturity_text", "rulebook", "description", "kind"}
"""Fields with words for people."""


def is_text(page: Page, *told: str) -> None:
    """All that can be read on the page, or is in a field of it, and nothing came of it."""
    page.wait_for_function(
        """told => told.every((each) => document.body.innerText.replace(/\\s+/g, " ").includes(each)
        || [...document.querySelectorAll("input")].some(({ value }) => value.includes(each)))""",
        arg=told,
    )
    assert page.locator(OURS).count() == 0
    assert page.evaluate("globalThis.owned") is None
    assert page.evaluate(WIDER) == []


def test_names_are_text_everywhere(house: House, visitor: Visit) -> None:
    anna = visitor(house, size=PHONE)
    seats: list[dict[str, Any]] = [{"name": name} for name in NAMES]
    made = house.call("Games/CreateGame", {"title": "orleans", "seats": seats})
    waiting = house.call("Games/CreateGame", {"title": "orleans", "seats": [*seats, {"open": True}]})
    game, waits = made["game"]["gameId"], waiting["game"]["gameId"]
    anna.sits(made, 1)
    page = anna.table(game).page
    is_text(page, *NAMES)  # among the players and in the log
    page.locator(".handle").click()
    log = page.locator(".log").inner_text()
    assert [name for name in NAMES if name not in log] == []
    page.get_by_role("tab", name="Overview").click()
    is_text(page, *NAMES)
    for address in ("#/", f"#/games/{waits}", f"#/join/{waits}"):
        anna.open(address)
        page.wait_for_selector(".page .who, .page .seat-drafts")
        is_text(page, *NAMES)


def poisoned(route: Route) -> None:
    """An answer of a service that has markup in everything it says."""
    answer = route.fetch()
    service, _, method = route.request.url.partition("/boardkeeper.v1.")[2].partition("/")
    rpc = descriptor_pool.Default().FindServiceByName(f"boardkeeper.v1.{service}").methods_by_name[method]
    message = message_factory.GetMessageClass(rpc.output_type).FromString(answer.body())
    for each in messages(message):
        for field in each.DESCRIPTOR.fields:
            if field.name in SAID and field.type == field.TYPE_STRING and not field.is_repeated:
                setattr(each, field.name, MARKUP + getattr(each, field.name))
    route.fulfill(status=answer.status, headers={"content-type": "application/proto"}, body=message.SerializeToString())


def test_what_a_malicious_service_says_is_text(house: House, visitor: Visit) -> None:
    assert SERVED
    anna = visitor(house)
    made = house.call("Games/CreateGame", {"title": "orleans", "seats": [{"name": "Anna"}, {"name": "Ben"}]})
    anna.sits(made)
    for method in ("Catalog/*", "Games/GetGame", "Games/ListGames", "Games/ListLegalCommands", "History/ListEvents"):
        anna.page.route(f"**/boardkeeper.v1.{method}", poisoned)
    page = anna.table(made["game"]["gameId"]).page
    for part in (".players", ".log", ".options"):
        page.wait_for_function(
            "([part, told]) => document.querySelector(part).innerText.includes(told)", arg=[part, MARKUP]
        )
    is_text(page, MARKUP)
    page.get_by_role("tab", name="Overview").click()
    is_text(page, MARKUP)
    for address, selector in (("#/", ".game-card"), ("#/new", ".tile")):
        anna.open(address)
        page.wait_for_selector(selector)
        is_text(page, MARKUP)
