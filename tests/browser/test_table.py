"""The page of a game: what is drawn, playing by hand, and the way back through the history."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.browser.houses import House
from tests.browser.pages import Visitor

Visit = Callable[..., Visitor]

GAMES = [
    pytest.param("orleans", "capstone-2021", 2, id="orleans"),
    pytest.param("paladins", "schwerkraft-2019", 2, id="paladins"),
    pytest.param("stories", "settlers", 2, id="settlers"),
    pytest.param("stories", "england-vs-france", 4, id="england-vs-france"),
]


SILENT = "Declare nothing"
"""Who clicks on a mission declares it, and the game is over, mostly in the first round."""


def created(house: House, title: str, edition: str = "", players: int = 2, persons: int = 1) -> Any:
    """A game of persons, and bots for the other seats."""
    seats: list[dict[str, str]] = [{"name": name} for name in ("Anna", "Ben", "Cleo", "Dan")[:persons]]
    seats += [{"bot": "sensible"}] * (players - persons)
    return house.call("Games/CreateGame", {"title": title, "edition": edition, "seats": seats})


@pytest.mark.parametrize(("title", "edition", "players"), GAMES)
def test_a_whole_game_is_played_by_clicking_what_is_lit(
    house: House, visitor: Visit, title: str, edition: str, players: int
) -> None:
    made = created(house, title, edition, players)
    anna = visitor(house)
    anna.expected.append("status of 400")  # a refusal, where a bot was faster
    anna.sits(made)
    table = anna.table(made["game"]["gameId"])
    anna.picture(f"{edition}-1-opening")
    first = table.plays(60, rather=SILENT)
    anna.picture(f"{edition}-2-middle")
    told = table.plays()
    anna.picture(f"{edition}-3-end")
    assert told["over"] == 1
    game = house.call("Games/GetGame", {"gameId": made["game"]["gameId"]})["game"]
    assert game["status"] == "GAME_STATUS_ENDED"
    assert first["clicked"] + told["clicked"] > first["listed"] + told["listed"]
