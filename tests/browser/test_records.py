"""Records in a browser: dropped, forged, as an HTML file; and tables embedded in pages of other sites."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import expect
from tests.browser.pages import TIMEOUT_MS, NewVisitor
from tests.browser.server_process import ServerProcess
from tests.golden.games import files

from boardkeeper.client.records import with_record
from boardkeeper.game.events import GameEvent
from boardkeeper.game.record import sealer, write_record
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.table.effects import Draw
from boardkeeper.terminal.pictures.board_pictures import PictureOptions, RecordPictures
from boardkeeper.testkit.golden import game_id, read, secret_of
from boardkeeper.titles.registry import TITLES
from build_web import DRAWING, VIEWING, build

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KEY = ServiceKey(Ed25519PrivateKey.generate())
PASSED = ".verdict.holds"
FAILED = ".verdict.fails"


def seal_record(path: Path, events: list[GameEvent]) -> bytes:
    """Return the whole record of a game, sealed with the test's key."""
    return b"".join(write_record(game_id(path), events, secret_of(events), sealer(KEY)))


def drop(page: Page, record: bytes) -> None:
    """Drop a file on the page."""
    transfer = page.evaluate_handle(
        "text => { const all = new DataTransfer(); all.items.add(new File([text], 'game.jsonl')); return all; }",
        record.decode(),
    )
    page.dispatch_event("body", "dragenter", {"dataTransfer": transfer})
    page.wait_for_selector(".drop-here")
    page.dispatch_event("body", "drop", {"dataTransfer": transfer})


PIECE = re.compile(r'<g data-subject="p\|([^|"]*)\|([^"]*)" transform="([^"]*)"')
WHERE = "all => all.map((it) => [...it.dataset.subject.split('|').slice(1), it.style.transform])"


Placed = tuple[str, list[float]]
"""A piece with its zone, and its place relative to the first piece of its zone or seat, and its size."""


def relative_places(pieces: list[tuple[str, str, str]]) -> list[Placed]:
    """Return the places of pieces on their boards, because the places of boards depend on the page."""
    groups: dict[str, list[Placed]] = {}
    for zone, component, transform in pieces:
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", transform)]
        whose = re.match(r"seat\.\d+", zone)  # one board for each seat
        groups.setdefault(whose[0] if whose else zone, []).append((f"{zone} {component}", numbers))
    found = []
    for group in groups.values():
        left, top = (min(numbers[at] for _, numbers in group) for at in (0, 1))
        found += [(what, [x - left, y - top, size]) for what, (x, y, size) in group]
    return found


def unmatched(pieces: list[Placed], others: list[Placed]) -> list[Placed]:
    """Return the pieces of both lists without a counterpart within half a unit."""
    left = list(others)
    missing = []
    for what, here in pieces:
        same = [it for it in left if it[0] == what and all(abs(a - b) < 0.5 for a, b in zip(here, it[1], strict=True))]
        if same:
            left.remove(same[0])
        else:
            missing.append((what, here))
    return missing + left


def shown_version(page: Page) -> str:
    """Return the shown version and the number of versions, such as "5/9"."""
    return str(page.locator(".history output").inner_text())


@pytest.mark.parametrize("title", TITLES)
def test_a_dropped_record_is_replayed_and_verified(server: ServerProcess, new_visitor: NewVisitor, title: str) -> None:
    build(DRAWING)
    path = files(title)[0]
    events = read(path)
    anna = new_visitor(server)
    page = anna.open()  # the list of games
    page.wait_for_selector("main h1")
    page.set_viewport_size({"width": 1280, "height": 800})
    drop(page, seal_record(path, events))
    page.wait_for_selector(PASSED)
    tops = page.get_by_role("tab").evaluate_all("all => all.map((it) => it.getBoundingClientRect().top)")
    assert len(tops) >= 4
    assert len(set(tops)) == 1, "all tabs are in one row"
    expect(page.get_by_role("region", name="Result").locator("strong")).to_contain_text("win")
    assert shown_version(page) == f"{len(events)}/{len(events)}"
    page.wait_for_selector(".stage[aria-busy=false]")
    with RecordPictures.of(seal_record(path, events)) as pictures:
        picture = pictures.draw(len(events), PictureOptions()).svg
    drawn = relative_places(page.locator(".stage .piece").evaluate_all(WHERE))
    assert drawn
    assert unmatched(relative_places(PIECE.findall(picture)), drawn) == []
    page.click("#tab-check")
    levels = page.locator(".levels > li").evaluate_all("all => all.map((it) => it.className)")
    assert levels == ["holds", "holds", "holds", "not-checked", "holds", "not-checked"]
    page.click("#tab-dice")
    version = page.locator(".draw .number").first.inner_text()
    page.locator(".draw .number").first.click()
    page.wait_for_selector(".draw.here .bytes")
    assert shown_version(page).startswith(f"{version}/")
    anna.take_screenshot(f"record-{title}")


def test_a_forged_record_is_shown_up_to_its_first_wrong_event(server: ServerProcess, new_visitor: NewVisitor) -> None:
    path = files("orleans")[0]
    events = read(path)
    record = seal_record(path, events)
    lines = record.split(b"\n")
    line = lines[200].replace(b'"time":0', b'"time":1')
    assert line != lines[200]
    anna = new_visitor(server)
    page = anna.open("#/record")
    drop(page, b"\n".join([*lines[:200], line, *lines[201:]]))
    page.wait_for_selector(FAILED)
    page.wait_for_function("document.querySelector('.history output').textContent === '199/199'")
    page.click("#tab-check")
    assert "201" in page.locator(".levels .fails .problem").inner_text()
    anna.take_screenshot("record-forged")
    drop(page, record)  # the genuine record, on the same page
    page.wait_for_selector(PASSED)
    page.wait_for_function(f"document.querySelector('.history output').textContent.endsWith('/{len(events)}')")


def test_a_draw_that_contradicts_the_dice_is_found_despite_a_valid_signature(
    server: ServerProcess, new_visitor: NewVisitor
) -> None:
    path = files("orleans")[0]
    events = read(path)
    at, drawn = next(
        (at, effect)
        for at, event in enumerate(events)
        for effect in event.effects
        if isinstance(effect, Draw) and len(set(effect.drawn)) > 1
    )
    other = msgspec.structs.replace(drawn, drawn=drawn.drawn[::-1])
    effects = tuple(other if effect is drawn else effect for effect in events[at].effects)
    events[at] = msgspec.structs.replace(events[at], effects=effects)
    page = new_visitor(server, language="de-DE").open("#/record")
    drop(page, seal_record(path, events))
    page.wait_for_selector(FAILED)
    assert "stimmt nicht" in page.locator(".verdict strong").inner_text()
    assert "Die Würfel ergeben" in page.locator(".verdict").inner_text()
    page.click("#tab-check")
    levels = page.locator(".levels > li").evaluate_all("all => all.map((it) => it.className)")
    assert levels == ["holds", "holds", "holds", "not-checked", "fails", "not-checked"]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without a server; it must log no errors."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", viewport={"width": 1200, "height": 900})
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def test_a_record_page_is_one_file_that_needs_no_server(page: Page, tmp_path: Path) -> None:
    build(VIEWING)
    path = files("paladins")[0]
    events = read(path)
    file = tmp_path / "game.html"
    file.write_bytes(with_record(seal_record(path, events)))
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_selector(PASSED)
    assert shown_version(page) == f"{len(events)}/{len(events)}"
    page.click("#tab-dice")
    page.locator(".draw .number").first.click()
    page.wait_for_selector(".draw.here .bytes")
    assert requests == [file.as_uri()]


# --- embedded tables ---------------------------------------------------------------------------------------------


class _SilentHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The origin of another site, and the folder of its files."""
    folder = tmp_path / "site"
    folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_SilentHandler, directory=str(folder))) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", folder
        server.shutdown()
        serving.join()


TABLES = """
<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Other site</title>
  <link rel="icon" href="data:,">
  <meta http-equiv="Content-Security-Policy" content="style-src 'none'">
  <script>
    window.messages = [];
    for (const what of ["ready", "event", "error"])
      addEventListener(`boardkeeper-${what}`, ({ target, detail }) => messages.push([what, target.id, detail]));
  </script>
  <script type="module" src="SERVER/embed/boardkeeper-table.js"></script>
  <boardkeeper-table id="played" game="GAME"></boardkeeper-table>
  <boardkeeper-table id="watched" game="GAME" lang="de" theme="dark" skin="plain"></boardkeeper-table>
  <boardkeeper-table id="replayed" record="game.jsonl"></boardkeeper-table>
</html>
"""


def test_tables_in_a_page_of_another_site(
    client_is_built: None, page: Page, site: tuple[str, Path], tmp_path: Path
) -> None:
    """One table with a seat, one that watches the same game, and one that replays a record."""
    origin, folder = site
    server = ServerProcess(tmp_path, "--web-origin", origin)
    try:
        created = server.create_game(persons=1)
        path = files("orleans")[0]
        events = read(path)
        (folder / "game.jsonl").write_bytes(seal_record(path, events))
        text = TABLES.strip().replace("SERVER", server.web).replace("GAME", created["game"]["gameId"])
        (folder / "index.html").write_text(text, "utf-8")
        page.goto(f"{origin}/index.html")
        token = next(each["token"] for each in created["seatTokens"] if each["seat"] == 1)
        page.evaluate("token => { document.querySelector('#played').token = token; }", token)
        page.locator("#played .options li button").first.click()
        page.wait_for_function("messages.some(([what, id]) => what === 'event' && id === 'played')")
        page.locator("#watched").scroll_into_view_if_needed()
        page.wait_for_function("messages.some(([what, id]) => what === 'ready' && id === 'watched')")
        page.locator("#played").scroll_into_view_if_needed()
        page.locator("#played .options li button").first.click()
        page.wait_for_function("messages.filter(([what, id]) => what === 'event' && id === 'played').length >= 2")
        page.locator("#watched").scroll_into_view_if_needed()
        version = page.evaluate(
            "Math.max(...messages.filter(([, id]) => id === 'played').map(([,, it]) => it.version))"
        )
        page.wait_for_function(
            "version => messages.some(([, id, it]) => id === 'watched' && it.version === version)", arg=version
        )
        page.locator("#replayed").scroll_into_view_if_needed()
        page.wait_for_selector("#replayed .verified:not(.fails)")
        assert page.locator("#replayed .history output").inner_text() == f"{len(events)}/{len(events)}"
        assert page.evaluate("messages.filter(([what]) => what === 'error')") == []
        assert page.evaluate("[localStorage.length, document.cookie, location.hash]") == [0, "", ""]
        assert token not in page.content()
        page.evaluate("for (const it of document.querySelectorAll('boardkeeper-table')) it.remove()")
    finally:
        server.close()
