"""Records in a real browser: dropped, forged, as one file from a disk; and tables in pages of other sites."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import expect
from tests.browser.houses import House
from tests.browser.pages import PATIENCE, Visitor
from tests.browser.test_table import created
from tests.golden.games import files

from boardkeeper.client.record_page import with_record
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

Visit = Callable[..., Visitor]

KEY = ServiceKey(Ed25519PrivateKey.generate())
HELD = ".verdict.holds"
WRONG = ".verdict.fails"


def record_of(path: Path, events: list[GameEvent]) -> bytes:
    """Its whole record, sealed by whoever has that key."""
    return b"".join(write_record(game_id(path), events, secret_of(events), sealer(KEY)))


def drop(page: Page, record: bytes) -> None:
    """Let a file fall on the page."""
    held = page.evaluate_handle(
        "text => { const all = new DataTransfer(); all.items.add(new File([text], 'game.jsonl')); return all; }",
        record.decode(),
    )
    page.dispatch_event("body", "dragenter", {"dataTransfer": held})
    page.wait_for_selector(".drop-here")
    page.dispatch_event("body", "drop", {"dataTransfer": held})


PIECE = re.compile(r'<g data-subject="p\|([^|"]*)\|([^"]*)" transform="([^"]*)"')
WHERE = "all => all.map((it) => [...it.dataset.subject.split('|').slice(1), it.style.transform])"


Placed = tuple[str, list[float]]
"""A piece with its zone, where it is from the first of its zone or seat, and how large."""


def places(pieces: list[tuple[str, str, str]]) -> list[Placed]:
    """The pieces, as their boards have them: boards themselves stand as there is room."""
    groups: dict[str, list[Placed]] = {}
    for zone, component, transform in pieces:
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", transform)]
        whose = re.match(r"seat\.\d+", zone)  # all on one board
        groups.setdefault(whose[0] if whose else zone, []).append((f"{zone} {component}", numbers))
    found = []
    for lying in groups.values():
        left, top = (min(numbers[at] for _, numbers in lying) for at in (0, 1))
        found += [(what, [x - left, y - top, size]) for what, (x, y, size) in lying]
    return found


def astray(pieces: list[Placed], others: list[Placed]) -> list[Placed]:
    """The pieces to which there is none of the others, within half a unit."""
    left = list(others)
    lost = []
    for what, here in pieces:
        same = [it for it in left if it[0] == what and all(abs(a - b) < 0.5 for a, b in zip(here, it[1], strict=True))]
        if same:
            left.remove(same[0])
        else:
            lost.append((what, here))
    return lost + left


def shown(page: Page) -> str:
    """The version that is shown, of how many."""
    return str(page.locator(".history output").inner_text())


@pytest.mark.parametrize("title", TITLES)
def test_a_record_that_is_dropped_anywhere_is_replayed_and_verified(house: House, visitor: Visit, title: str) -> None:
    build(DRAWING)
    path = files(title)[0]
    events = read(path)
    anna = visitor(house)
    page = anna.open()  # the list of games
    page.wait_for_selector("main h1")
    page.set_viewport_size({"width": 1280, "height": 800})
    drop(page, record_of(path, events))
    page.wait_for_selector(HELD)
    tops = page.get_by_role("tab").evaluate_all("all => all.map((it) => it.getBoundingClientRect().top)")
    assert len(tops) >= 4
    assert len(set(tops)) == 1, "all tabs stand in one row"
    expect(page.get_by_role("region", name="Result").locator("strong")).to_contain_text("win")
    assert shown(page) == f"{len(events)}/{len(events)}"
    page.wait_for_selector(".stage[aria-busy=false]")
    with RecordPictures.of(record_of(path, events)) as pictures:
        picture = pictures.draw(len(events), PictureOptions()).svg
    drawn = places(page.locator(".stage .piece").evaluate_all(WHERE))
    assert drawn
    assert astray(places(PIECE.findall(picture)), drawn) == []
    page.click("#tab-check")
    levels = page.locator(".levels > li").evaluate_all("all => all.map((it) => it.className)")
    assert levels == ["holds", "holds", "holds", "not-checked", "holds", "not-checked"]
    page.click("#tab-dice")
    version = page.locator(".draw .number").first.inner_text()
    page.locator(".draw .number").first.click()
    page.wait_for_selector(".draw.here .bytes")
    assert shown(page).startswith(f"{version}/")
    anna.picture(f"record-{title}")


def test_a_forged_record_is_shown_up_to_where_it_is_wrong(house: House, visitor: Visit) -> None:
    path = files("orleans")[0]
    events = read(path)
    record = record_of(path, events)
    lines = record.split(b"\n")
    line = lines[200].replace(b'"time":0', b'"time":1')
    assert line != lines[200]
    anna = visitor(house)
    page = anna.open("#/record")
    drop(page, b"\n".join([*lines[:200], line, *lines[201:]]))
    page.wait_for_selector(WRONG)
    page.wait_for_function("document.querySelector('.history output').textContent === '199/199'")
    page.click("#tab-check")
    assert "201" in page.locator(".levels .fails .problem").inner_text()
    anna.picture("record-forged")
    drop(page, record)  # the true one, on the same page
    page.wait_for_selector(HELD)
    page.wait_for_function(f"document.querySelector('.history output').textContent.endsWith('/{len(events)}')")


def test_a_draw_that_the_dice_do_not_give_is_found_whoever_signs_it(house: House, visitor: Visit) -> None:
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
    page = visitor(house, language="de-DE").open("#/record")
    drop(page, record_of(path, events))
    page.wait_for_selector(WRONG)
    assert "stimmt nicht" in page.locator(".verdict strong").inner_text()
    assert "Die Würfel ergeben" in page.locator(".verdict").inner_text()
    page.click("#tab-check")
    levels = page.locator(".levels > li").evaluate_all("all => all.map((it) => it.className)")
    assert levels == ["holds", "holds", "holds", "not-checked", "fails", "not-checked"]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that is none of our service's; it must complain of nothing."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", viewport={"width": 1200, "height": 900})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


def test_a_game_is_one_file_that_opens_from_a_disk(page: Page, tmp_path: Path) -> None:
    build(VIEWING)
    path = files("paladins")[0]
    events = read(path)
    file = tmp_path / "game.html"
    file.write_bytes(with_record(record_of(path, events)))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_selector(HELD)
    assert shown(page) == f"{len(events)}/{len(events)}"
    page.click("#tab-dice")
    page.locator(".draw .number").first.click()
    page.wait_for_selector(".draw.here .bytes")
    assert asked == [file.as_uri()]


# --- tables elsewhere --------------------------------------------------------------------------------------------


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Another site, and the folder of its files."""
    folder = tmp_path / "site"
    folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", folder
        server.shutdown()
        serving.join()


TABLES = """
<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Elsewhere</title>
  <link rel="icon" href="data:,">
  <meta http-equiv="Content-Security-Policy" content="style-src 'none'">
  <script>
    window.told = [];
    for (const what of ["ready", "event", "error"])
      addEventListener(`boardkeeper-${what}`, ({ target, detail }) => told.push([what, target.id, detail]));
  </script>
  <script type="module" src="HOUSE/embed/boardkeeper-table.js"></script>
  <boardkeeper-table id="played" game="GAME"></boardkeeper-table>
  <boardkeeper-table id="watched" game="GAME" lang="de" theme="dark" skin="plain"></boardkeeper-table>
  <boardkeeper-table id="replayed" record="game.jsonl"></boardkeeper-table>
</html>
"""


def test_tables_in_a_page_of_another_site(
    client_is_built: None, page: Page, site: tuple[str, Path], tmp_path: Path
) -> None:
    """One with a seat, one that watches and one that replays; what is done at the first is seen at the second."""
    origin, folder = site
    house = House(tmp_path, "--web-origin", origin)
    try:
        made = created(house, "orleans")
        path = files("orleans")[0]
        events = read(path)
        (folder / "game.jsonl").write_bytes(record_of(path, events))
        text = TABLES.strip().replace("HOUSE", house.web).replace("GAME", made["game"]["gameId"])
        (folder / "index.html").write_text(text, "utf-8")
        page.goto(f"{origin}/index.html")
        token = next(each["token"] for each in made["seatTokens"] if each["seat"] == 1)
        page.evaluate("token => { document.querySelector('#played').token = token; }", token)
        page.locator("#played .options li button").first.click()
        page.wait_for_function("told.some(([what, id]) => what === 'event' && id === 'played')")
        page.locator("#watched").scroll_into_view_if_needed()
        page.wait_for_function("told.some(([what, id]) => what === 'ready' && id === 'watched')")
        page.locator("#played").scroll_into_view_if_needed()
        page.locator("#played .options li button").first.click()
        page.wait_for_function("told.filter(([what, id]) => what === 'event' && id === 'played').length >= 2")
        page.locator("#watched").scroll_into_view_if_needed()
        version = page.evaluate("Math.max(...told.filter(([, id]) => id === 'played').map(([,, it]) => it.version))")
        page.wait_for_function(
            "version => told.some(([, id, it]) => id === 'watched' && it.version === version)", arg=version
        )
        page.locator("#replayed").scroll_into_view_if_needed()
        page.wait_for_selector("#replayed .verified:not(.fails)")
        assert page.locator("#replayed .history output").inner_text() == f"{len(events)}/{len(events)}"
        assert page.evaluate("told.filter(([what]) => what === 'error')") == []
        assert page.evaluate("[localStorage.length, document.cookie, location.hash]") == [0, "", ""]
        assert token not in page.content()
        page.evaluate("for (const it of document.querySelectorAll('boardkeeper-table')) it.remove()")
    finally:
        house.close()
