"""What the browser client promises of its weight and its promptness, where that does not depend on the machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.houses import House
from tests.browser.measures import Wire
from tests.browser.pages import Visitor
from tests.browser.test_table import created

Visit = Callable[..., Visitor]

MOST_BYTES = 300_000


def of_a_thousand_events(house: House) -> Any:
    """A game that bots have played out."""
    seats = [{"bot": "sensible"}] * 4
    made = house.call("Games/CreateGame", {"title": "orleans", "seats": seats})
    game = made["game"]["gameId"]
    assert house.waits_for_the_end(game) > 900
    return game


def test_the_first_view_of_a_thousand_events_is_light(house: House, visitor: Visit) -> None:
    game = of_a_thousand_events(house)
    guest = visitor(house)
    wire = Wire(guest.page)
    guest.open(f"#/games/{game}")
    guest.page.wait_for_selector(".stage .piece")
    guest.page.wait_for_selector(".log li[aria-current], .scores")
    guest.page.wait_for_load_state("networkidle")
    assert wire.total > 50_000, wire.bytes  # it did count
    assert wire.total <= MOST_BYTES, wire.bytes


def test_what_somebody_else_did_is_drawn_in_the_frame_after_it_came(house: House, visitor: Visit) -> None:
    made = created(house, "orleans", players=2, persons=2)
    game = made["game"]["gameId"]
    tokens = {each["seat"]: each["token"] for each in made["seatTokens"]}
    anna = visitor(house, still=False)
    anna.page.clock.install()
    anna.sits(made, 1)
    table = anna.table(game)
    # The page's time stands still from now on: what waits for a timer or for a frame never comes, so whatever is drawn
    # all the same is there in the next frame, however slow the machine.
    now = anna.page.evaluate("Date.now()")
    still = now / 1000 + 20  # less than after which a silent service is taken for lost
    anna.page.clock.pause_at(still)
    for number in range(3):
        before = table.version
        ask = {"gameId": game, "seat": 2}
        commands = house.call("Games/ListLegalCommands", ask, tokens[2])["commands"]
        asked = {**ask, "commandId": f"c{number}", "commands": [commands[0]["command"]]}
        house.call("Games/SubmitCommands", asked, tokens[2])
        table.reaches(before + 1)
        assert anna.page.evaluate("Date.now()") / 1000 == still
