"""Goals for the size and speed of the web client that do not depend on the machine."""

from __future__ import annotations

from tests.browser.measures import ReceivedBytes
from tests.browser.pages import NewVisitor
from tests.browser.server_process import ServerProcess

MOST_BYTES = 300_000


def test_the_first_view_of_a_thousand_events_is_small(server: ServerProcess, new_visitor: NewVisitor) -> None:
    game = server.create_game(players=4, persons=0)["game"]["gameId"]
    assert server.wait_for_end(game) > 900
    guest = new_visitor(server)
    wire = ReceivedBytes(guest.page)
    guest.open(f"#/games/{game}")
    guest.page.wait_for_selector(".stage .piece")
    guest.page.wait_for_selector(".log li[aria-current], .scores")
    guest.page.wait_for_load_state("networkidle")
    assert wire.total > 50_000, wire.bytes  # the bytes were counted
    assert wire.total <= MOST_BYTES, wire.bytes


def test_moves_of_others_are_drawn_in_the_next_frame(server: ServerProcess, new_visitor: NewVisitor) -> None:
    created = server.create_game()
    game = created["game"]["gameId"]
    tokens = {each["seat"]: each["token"] for each in created["seatTokens"]}
    anna = new_visitor(server, reduced_motion=False)
    anna.page.clock.install()
    anna.store_seats(created, 1)
    table = anna.open_table(game)
    # From now on the page's clock is stopped, so timers and animation frames never run: updates that are drawn without
    # them are visible in the next frame, even on a slow machine.
    now = anna.page.evaluate("Date.now()")
    stopped = now / 1000 + 20  # before the page takes a silent server for lost
    anna.page.clock.pause_at(stopped)
    for number in range(3):
        before = table.version
        seat = {"gameId": game, "seat": 2}
        commands = server.call("Games/ListLegalCommands", seat, tokens[2])["commands"]
        request = {**seat, "commandId": f"c{number}", "commands": [commands[0]["command"]]}
        server.call("Games/SubmitCommands", request, tokens[2])
        table.wait_for_version(before + 1)
        assert anna.page.evaluate("Date.now()") / 1000 == stopped
