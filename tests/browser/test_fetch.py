"""Connect by a plain `fetch`, as any page can write it: JSON, a stream read by hand, rejections; and who may call."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.browser.houses import House
from tests.browser.pages import Visitor
from tests.browser.test_table import created

Visit = Callable[..., Visitor]

CALL = """async ([address, request, token]) => {
  const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(request) });
  return [answer.status, await answer.json()];
}"""

STREAM = """async ([address, request, wanted]) => {
  const said = new TextEncoder().encode(JSON.stringify(request));
  const body = new Uint8Array(5 + said.length);
  new DataView(body.buffer).setUint32(1, said.length);
  body.set(said, 5);
  const left = new AbortController();
  const headers = { "content-type": "application/connect+json" };
  const answer = await fetch(address, { method: "POST", headers, body, signal: left.signal });
  const reader = answer.body.getReader();
  const messages = [];
  let held = new Uint8Array();
  globalThis.heard = messages;
  while (messages.length < wanted) {
    const { done, value } = await reader.read();
    if (done) break;
    held = new Uint8Array([...held, ...value]);
    while (held.length >= 5) {
      const size = new DataView(held.buffer, held.byteOffset).getUint32(1);
      if (held.length < 5 + size) break;
      messages.push([held[0], JSON.parse(new TextDecoder().decode(held.subarray(5, 5 + size)))]);
      held = held.slice(5 + size);
    }
  }
  left.abort();
  return [answer.status, messages];
}"""
"""Each message has a byte of flags and its length before it."""

TRIED = f"async (given) => {{ try {{ return await ({CALL})(given); }} catch {{ return 'nothing'; }} }}"


def at(house: House, method: str) -> str:
    """The address of an rpc."""
    return f"{house.web}/boardkeeper.v1.{method}"


def test_calls_streams_and_rejections_by_plain_fetch(house: House, visitor: Visit) -> None:
    anna = visitor(house)
    anna.expected.append("the server responded with a status of")
    page = anna.open()
    seats = [{"name": "Anna"}, {"name": "Ben"}]
    status, made = page.evaluate(CALL, [at(house, "Games/CreateGame"), {"title": "orleans", "seats": seats}, ""])
    assert (status, made["game"]["title"]) == (200, "orleans")
    game, token = made["game"]["gameId"], made["seatTokens"][0]["token"]
    version = int(made["game"]["version"])

    # What has happened comes at once, and what happens later as it does.
    follow = page.evaluate_handle(
        f"given => {{ const ended = ({STREAM})(given); return {{ ended }}; }}",
        [at(house, "Games/WatchGame"), {"gameId": game}, version + 1],
    )
    page.wait_for_function("version => globalThis.heard?.filter(([, it]) => it.event).length >= version", arg=version)
    status, legal = page.evaluate(CALL, [at(house, "Games/ListLegalCommands"), {"gameId": game, "seat": 1}, token])
    wanted = {"gameId": game, "seat": 1, "commands": [legal["commands"][0]["command"]], "commandId": "0" * 32}
    status, done = page.evaluate(CALL, [at(house, "Games/SubmitCommands"), wanted, token])
    assert (status, done["version"]) == (200, str(version + 1))
    page.wait_for_function("version => heard.some(([, it]) => it.event?.version === String(version))", arg=version + 1)
    versions = page.evaluate("heard.flatMap(([, it]) => (it.event ? [Number(it.event.version)] : []))")
    assert versions == list(range(1, version + 2))
    follow.dispose()

    # What is refused says why, for programs and for people.
    status, refused = page.evaluate(CALL, [at(house, "Games/SubmitCommands"), wanted | {"commandId": "1" * 32}, token])
    told = {each["type"].rpartition(".")[2]: each["debug"] for each in refused["details"]}
    assert (status, refused["code"]) == (400, "failed_precondition")
    assert told["ErrorInfo"]["metadata"]["rule"]
    assert told["LocalizedMessage"]["message"]
    status, refused = page.evaluate(CALL, [at(house, "Games/SubmitCommands"), wanted, "of somebody else"])
    assert (status, refused["code"]) == (403, "permission_denied")


class Elsewhere(BaseHTTPRequestHandler):
    """A page of nobody's that may run anything."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Elsewhere</title><link rel=icon href=data:,>")

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The origin of another site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_pages_of_other_sites_may_call_only_where_that_was_said(
    house: House, visitor: Visit, elsewhere: str, tmp_path: Path
) -> None:
    made = created(house, "orleans", persons=2)
    somebody = visitor(house)
    somebody.allowed.append(elsewhere)
    somebody.expected += ["CORS policy", "net::ERR_FAILED"]
    page: Page = somebody.page
    page.goto(elsewhere)
    assert page.evaluate(TRIED, [at(house, "Catalog/ListTitles"), {}, ""]) == "nothing"
    # Nor is a call carried out whose answer nobody could read.
    resigns = {"gameId": made["game"]["gameId"], "seat": 1, "commandId": "0" * 32}
    token = made["seatTokens"][0]["token"]
    assert page.evaluate(TRIED, [at(house, "Games/ResignSeat"), resigns, token]) == "nothing"
    game = house.call("Games/GetGame", {"gameId": made["game"]["gameId"]})["game"]
    assert game["status"] == "GAME_STATUS_RUNNING"

    open_house = House(tmp_path, "--web-origin", elsewhere)
    try:
        somebody.allowed.append(open_house.web)
        status, made = page.evaluate(
            CALL,
            [
                at(open_house, "Games/CreateGame"),
                {"title": "orleans", "seats": [{"name": "Anna"}, {"name": "Ben"}]},
                "",
            ],
        )
        assert (status, made["game"]["title"]) == (200, "orleans")
        wanted = {"gameId": made["game"]["gameId"], "seat": 1}
        status, _ = page.evaluate(
            CALL, [at(open_house, "Games/ListLegalCommands"), wanted, made["seatTokens"][0]["token"]]
        )
        assert status == 200
    finally:
        open_house.close()
