"""The server is killed and restarted during a game: pages report it and continue, without lost or repeated events."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.pages import NewVisitor
from tests.browser.server_process import ServerProcess

LOST = ".players .warning[role=alert]"


def test_pages_continue_after_a_restart_of_the_server(own_server: ServerProcess, new_visitor: NewVisitor) -> None:
    server = own_server
    created = server.create_game()
    game = created["game"]["gameId"]
    both = [new_visitor(server), new_visitor(server)]
    tables = []
    for seat, one in enumerate(both, 1):
        one.expected_errors += ["net::ERR_", "Failed to load resource"]
        one.store_seats(created, seat)
        tables.append(one.open_table(game))
    anna, ben = tables
    anna.play(2)
    ben.wait_for_version(anna.version)
    before = anna.version
    for table in tables:
        expect(table.list_buttons.first).to_be_enabled()

    server.kill()
    for table in tables:
        expect(table.page.locator(LOST)).to_have_text("Connection lost. Reconnecting …")
    # A command sent now waits for the restart.
    anna.list_buttons.first.click()
    expect(anna.page.locator(".options")).to_have_attribute("aria-busy", "true")
    server.start()

    for table in tables:
        expect(table.page.locator(LOST)).to_have_count(0)
        table.wait_for_version(before + 1)
        expect(table.page.locator(".options .refusal")).to_have_count(0)
    ben.play(2)
    anna.wait_for_version(before + 3)
    # Both pages and the server have each event once, in order, and the pages show the same table.
    events = server.call("History/ListEvents", {"gameId": game, "pageSize": 500}, created["seatTokens"][0]["token"])[
        "events"
    ]
    assert [int(each["version"]) for each in events] == list(range(1, before + 4))
    commands = [each["commandId"] for each in events if each.get("seat") == 1 and each.get("commandId")]
    assert len(commands) == len(set(commands))
    for table in tables:
        numbers = table.page.locator(".log .number").all_inner_texts()
        assert numbers == sorted(set(numbers), key=int)
        assert int(numbers[-1]) == before + 3
    assert anna.zone_contents() == ben.zone_contents()
