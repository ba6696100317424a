"""Names of players and texts of a server are shown as text on every page, never as markup."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pool, message_factory
from playwright.sync_api import Page, Route
from tests.browser.pages import PHONE, NewVisitor
from tests.browser.received_messages import SERVED, walk_messages
from tests.browser.server_process import ServerProcess
from tests.browser.test_phone import FIND_OVERFLOW

NAMES = [
    "<img src=x onerror=globalThis.owned=1>",
    "</script><script>globalThis.owned=1</script>",
    "\u05d0\u05e0\u05d4 (1) {@html '<b>owned</b>'} ${globalThis.owned=1}",
    "W" * 64,
]
MARKUP = "<img src=x onerror=globalThis.owned=1><script>globalThis.owned=1</script><b class=owned>"
INJECTED = "script:not([src]), img, iframe, object, .owned, [onerror], [onclick]"
"""Elements that no page of the client has."""
TEXT_FIELDS = {"text", "sentence", "name", "designer", "publisher", "maturity_text", "rulebook", "description", "kind"}


def assert_shown_as_text(page: Page, *texts: str) -> None:
    """Wait until the page shows all texts, or has them in inputs, and check that it has no injected elements."""
    page.wait_for_function(
        """texts => texts.every((each) => document.body.innerText.replace(/\\s+/g, " ").includes(each)
        || [...document.querySelectorAll("input")].some(({ value }) => value.includes(each)))""",
        arg=texts,
    )
    assert page.locator(INJECTED).count() == 0
    assert page.evaluate("globalThis.owned") is None
    assert page.evaluate(FIND_OVERFLOW) == []


def test_names_are_text_everywhere(server: ServerProcess, new_visitor: NewVisitor) -> None:
    anna = new_visitor(server, size=PHONE)
    seats: list[dict[str, Any]] = [{"name": name} for name in NAMES]
    created = server.create_game(seats=seats)
    waiting = server.create_game(seats=[*seats, {"open": True}])["game"]["gameId"]
    anna.store_seats(created, 1)
    page = anna.open_table(created["game"]["gameId"]).page
    assert_shown_as_text(page, *NAMES)  # among the players and in the log
    page.locator(".handle").click()
    log = page.locator(".log").inner_text()
    assert [name for name in NAMES if name not in log] == []
    page.get_by_role("tab", name="Overview").click()
    assert_shown_as_text(page, *NAMES)
    for address in ("#/", f"#/games/{waiting}", f"#/join/{waiting}"):
        anna.open(address)
        page.wait_for_selector(".page .who, .page .seat-drafts")
        assert_shown_as_text(page, *NAMES)


def inject_markup(route: Route) -> None:
    """Add markup to all texts of an answer."""
    answer = route.fetch()
    service, _, method = route.request.url.partition("/boardkeeper.v1.")[2].partition("/")
    rpc = descriptor_pool.Default().FindServiceByName(f"boardkeeper.v1.{service}").methods_by_name[method]
    message = message_factory.GetMessageClass(rpc.output_type).FromString(answer.body())
    for each in walk_messages(message):
        for field in each.DESCRIPTOR.fields:
            if field.name in TEXT_FIELDS and field.type == field.TYPE_STRING and not field.is_repeated:
                setattr(each, field.name, MARKUP + getattr(each, field.name))
    route.fulfill(status=answer.status, headers={"content-type": "application/proto"}, body=message.SerializeToString())


def test_texts_of_a_malicious_server_are_shown_as_text(server: ServerProcess, new_visitor: NewVisitor) -> None:
    assert SERVED
    anna = new_visitor(server)
    created = server.create_game()
    anna.store_seats(created)
    for method in ("Catalog/*", "Games/GetGame", "Games/ListGames", "Games/ListLegalCommands", "History/ListEvents"):
        anna.page.route(f"**/boardkeeper.v1.{method}", inject_markup)
    page = anna.open_table(created["game"]["gameId"]).page
    for part in (".players", ".log", ".options"):
        page.wait_for_function(
            "([part, text]) => document.querySelector(part).innerText.includes(text)", arg=[part, MARKUP]
        )
    assert_shown_as_text(page, MARKUP)
    page.get_by_role("tab", name="Overview").click()
    assert_shown_as_text(page, MARKUP)
    for address, selector in (("#/", ".game-card"), ("#/new", ".tile")):
        anna.open(address)
        page.wait_for_selector(selector)
        assert_shown_as_text(page, MARKUP)
