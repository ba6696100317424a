"""Connect with plain `fetch`: JSON calls, a stream, rejections, and the origins that may call."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.browser.pages import NewVisitor
from tests.browser.server_process import ServerProcess

CALL = """async ([address, request, token]) => {
  const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(request) });
  return [answer.status, await answer.json()];
}"""

STREAM = """async ([address, request, wanted]) => {
  const message = new TextEncoder().encode(JSON.stringify(request));
  const body = new Uint8Array(5 + message.length);
  new DataView(body.buffer).setUint32(1, message.length);
  body.set(message, 5);
  const controller = new AbortController();
  const headers = { "content-type": "application/connect+json" };
  const answer = await fetch(address, { method: "POST", headers, body, signal: controller.signal });
  const reader = answer.body.getReader();
  const messages = [];
  let buffer = new Uint8Array();
  globalThis.received = messages;
  while (messages.length < wanted) {
    const { done, value } = await reader.read();
    if (done) break;
    buffer = new Uint8Array([...buffer, ...value]);
    while (buffer.length >= 5) {
      const size = new DataView(buffer.buffer, buffer.byteOffset).getUint32(1);
      if (buffer.length < 5 + size) break;
      messages.push([buffer[0], JSON.parse(new TextDecoder().decode(buffer.subarray(5, 5 + size)))]);
      buffer = buffer.slice(5 + size);
    }
  }
  controller.abort();
  return [answer.status, messages];
}"""
"""Before each message are a byte of flags and its length."""

TRY_CALL = f"async (call) => {{ try {{ return await ({CALL})(call); }} catch {{ return 'nothing'; }} }}"


def url(server: ServerProcess, method: str) -> str:
    return f"{server.web}/boardkeeper.v1.{method}"


def test_calls_streams_and_rejections_by_plain_fetch(server: ServerProcess, new_visitor: NewVisitor) -> None:
    anna = new_visitor(server)
    anna.expected_errors.append("the server responded with a status of")
    page = anna.open()
    seats = [{"name": "Anna"}, {"name": "Ben"}]
    status, created = page.evaluate(CALL, [url(server, "Games/CreateGame"), {"title": "orleans", "seats": seats}, ""])
    assert (status, created["game"]["title"]) == (200, "orleans")
    game, token = created["game"]["gameId"], created["seatTokens"][0]["token"]
    version = int(created["game"]["version"])

    # The stream sends stored events immediately, and later events when they happen.
    stream = page.evaluate_handle(
        f"call => {{ const ended = ({STREAM})(call); return {{ ended }}; }}",
        [url(server, "Games/WatchGame"), {"gameId": game}, version + 1],
    )
    page.wait_for_function(
        "version => globalThis.received?.filter(([, it]) => it.event).length >= version", arg=version
    )
    status, legal = page.evaluate(CALL, [url(server, "Games/ListLegalCommands"), {"gameId": game, "seat": 1}, token])
    wanted = {"gameId": game, "seat": 1, "commands": [legal["commands"][0]["command"]], "commandId": "0" * 32}
    status, done = page.evaluate(CALL, [url(server, "Games/SubmitCommands"), wanted, token])
    assert (status, done["version"]) == (200, str(version + 1))
    page.wait_for_function(
        "version => received.some(([, it]) => it.event?.version === String(version))", arg=version + 1
    )
    versions = page.evaluate("received.flatMap(([, it]) => (it.event ? [Number(it.event.version)] : []))")
    assert versions == list(range(1, version + 2))
    stream.dispose()

    # Rejections have details for programs and a message for people.
    status, error = page.evaluate(CALL, [url(server, "Games/SubmitCommands"), wanted | {"commandId": "1" * 32}, token])
    details = {each["type"].rpartition(".")[2]: each["debug"] for each in error["details"]}
    assert (status, error["code"]) == (400, "failed_precondition")
    assert details["ErrorInfo"]["metadata"]["rule"]
    assert details["LocalizedMessage"]["message"]
    status, error = page.evaluate(CALL, [url(server, "Games/SubmitCommands"), wanted, "unknown token"])
    assert (status, error["code"]) == (403, "permission_denied")


class OtherSite(BaseHTTPRequestHandler):
    """A page of another site, without a content security policy."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Other site</title><link rel=icon href=data:,>")

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def other_origin() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), OtherSite)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_pages_of_other_sites_can_call_only_with_web_origin(
    server: ServerProcess, new_visitor: NewVisitor, other_origin: str, tmp_path: Path
) -> None:
    created = server.create_game()
    visitor = new_visitor(server)
    visitor.allowed_origins.append(other_origin)
    visitor.expected_errors += ["CORS policy", "net::ERR_FAILED"]
    page: Page = visitor.page
    page.goto(other_origin)
    assert page.evaluate(TRY_CALL, [url(server, "Catalog/ListTitles"), {}, ""]) == "nothing"
    # The server does not carry out a call whose answer the page cannot read.
    resign = {"gameId": created["game"]["gameId"], "seat": 1, "commandId": "0" * 32}
    token = created["seatTokens"][0]["token"]
    assert page.evaluate(TRY_CALL, [url(server, "Games/ResignSeat"), resign, token]) == "nothing"
    game = server.call("Games/GetGame", {"gameId": created["game"]["gameId"]})["game"]
    assert game["status"] == "GAME_STATUS_RUNNING"

    open_server = ServerProcess(tmp_path, "--web-origin", other_origin)
    try:
        visitor.allowed_origins.append(open_server.web)
        status, created = page.evaluate(
            CALL,
            [
                url(open_server, "Games/CreateGame"),
                {"title": "orleans", "seats": [{"name": "Anna"}, {"name": "Ben"}]},
                "",
            ],
        )
        assert (status, created["game"]["title"]) == (200, "orleans")
        wanted = {"gameId": created["game"]["gameId"], "seat": 1}
        status, _ = page.evaluate(
            CALL, [url(open_server, "Games/ListLegalCommands"), wanted, created["seatTokens"][0]["token"]]
        )
        assert status == 200
    finally:
        open_server.close()
