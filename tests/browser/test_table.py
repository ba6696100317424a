"""The page of a game: what is drawn, playing by hand, and the way back through the history."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.error import HTTPError

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


def soaked(game: Any, but: str) -> Any:
    """Left to the soak, but for one edition: a whole game takes a minute where others use the machine."""
    return game if game.id == but else pytest.param(*game.values, id=game.id, marks=pytest.mark.soak)


SILENT = "Declare nothing"
"""Who clicks on a mission declares it, and the game is over, mostly in the first round."""


def created(house: House, title: str, edition: str = "", players: int = 2, persons: int = 1) -> Any:
    """A game of persons, and bots for the other seats."""
    seats: list[dict[str, str]] = [{"name": name} for name in ("Anna", "Ben", "Cleo", "Dan")[:persons]]
    seats += [{"bot": "sensible"}] * (players - persons)
    return house.call("Games/CreateGame", {"title": title, "edition": edition, "seats": seats})


@pytest.mark.parametrize(("title", "edition", "players"), [soaked(game, but="england-vs-france") for game in GAMES])
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
    is_over(house, made, told)
    assert first["clicked"] + told["clicked"] > first["listed"] + told["listed"]


@pytest.mark.parametrize(("title", "edition", "players"), GAMES[:3])
def test_the_end_of_a_game_is_played_by_clicking_what_is_lit(
    house: House, visitor: Visit, ended: Callable[..., str], title: str, edition: str, players: int
) -> None:
    """From seven eighths of a game of bots. Its beginning test_history.py plays, all of it the soak."""
    made = forked(house, ended(title, edition, players), players)
    anna = visitor(house)
    anna.expected.append("status of 400")  # a refusal, where a bot was faster
    anna.sits(made)
    table = anna.table(made["game"]["gameId"])
    anna.picture(f"{edition}-4-late")
    told = table.plays()
    anna.picture(f"{edition}-5-end")
    is_over(house, made, told)
    assert told["clicked"] > 0


def is_over(house: House, made: Any, told: dict[str, int]) -> None:
    """The page has said so, and the service says it."""
    assert told["over"] == 1
    game = house.call("Games/GetGame", {"gameId": made["game"]["gameId"]})["game"]
    assert game["status"] == "GAME_STATUS_ENDED"


def forked(house: House, game: str, players: int) -> Any:
    """A game of one person, and bots for the other seats, from seven eighths of that one."""
    last = int(house.call("Games/GetGame", {"gameId": game})["game"]["version"])
    seats: list[dict[str, str]] = [{"name": "Anna"}, *[{"bot": "sensible"}] * (players - 1)]
    for version in range(last * 7 // 8, last):
        try:
            return house.call("Games/ForkGame", {"gameId": game, "version": version, "seats": seats})
        except HTTPError as refused:
            if "HIDDEN" not in refused.read().decode():  # while somebody has planned in secret
                raise
    raise AssertionError(f"nothing can begin from the end of {game}")
