"""Games are played on the page by clicking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.error import HTTPError

import pytest
from tests.browser.pages import EDITIONS, NewVisitor
from tests.browser.server_process import ServerProcess

DECLARE_NOTHING = "Declare nothing"
"""A click on a mission declares it, which ends most games in the first round."""


def soak_unless(edition: Any, id: str) -> Any:
    """Mark all editions but one for the soak: a whole game can take a minute."""
    return edition if edition.id == id else pytest.param(*edition.values, id=edition.id, marks=pytest.mark.soak)


@pytest.mark.parametrize(
    ("title", "edition", "players"), [soak_unless(each, id="england-vs-france") for each in EDITIONS]
)
def test_a_whole_game_is_played_by_clicking(
    server: ServerProcess, new_visitor: NewVisitor, title: str, edition: str, players: int
) -> None:
    created = server.create_game(title, edition, players, persons=1)
    anna = new_visitor(server)
    anna.expected_errors.append("status of 400")  # a rejection, where a bot was faster
    anna.store_seats(created)
    table = anna.open_table(created["game"]["gameId"])
    anna.take_screenshot(f"{edition}-1-opening")
    first = table.play(60, prefer=DECLARE_NOTHING)
    anna.take_screenshot(f"{edition}-2-middle")
    counts = table.play()
    anna.take_screenshot(f"{edition}-3-end")
    assert_game_over(server, created, counts)
    assert first["clicked"] + counts["clicked"] > first["listed"] + counts["listed"]


@pytest.mark.parametrize(("title", "edition", "players"), EDITIONS[:3])
def test_the_end_of_a_game_is_played_by_clicking(
    server: ServerProcess,
    new_visitor: NewVisitor,
    finished_game: Callable[..., str],
    title: str,
    edition: str,
    players: int,
) -> None:
    """From seven eighths of a game of bots. test_history.py plays the beginning, the soak plays whole games."""
    created = fork_late(server, finished_game(title, edition, players), players)
    anna = new_visitor(server)
    anna.expected_errors.append("status of 400")  # a rejection, where a bot was faster
    anna.store_seats(created)
    table = anna.open_table(created["game"]["gameId"])
    anna.take_screenshot(f"{edition}-4-late")
    counts = table.play()
    anna.take_screenshot(f"{edition}-5-end")
    assert_game_over(server, created, counts)
    assert counts["clicked"] > 0


def assert_game_over(server: ServerProcess, created: Any, counts: dict[str, int]) -> None:
    """Check that both the page and the server report the end of the game."""
    assert counts["over"] == 1
    game = server.call("Games/GetGame", {"gameId": created["game"]["gameId"]})["game"]
    assert game["status"] == "GAME_STATUS_ENDED"


def fork_late(server: ServerProcess, game: str, players: int) -> Any:
    """Fork a game after seven eighths of its events, with one person and bots."""
    last = int(server.call("Games/GetGame", {"gameId": game})["game"]["version"])
    seats: list[dict[str, str]] = [{"name": "Anna"}, *[{"bot": "sensible"}] * (players - 1)]
    for version in range(last * 7 // 8, last):
        try:
            return server.call("Games/ForkGame", {"gameId": game, "version": version, "seats": seats})
        except HTTPError as error:
            if "HIDDEN" not in error.read().decode():  # a secret plan cannot be forked
                raise
    raise AssertionError(f"no late version of {game} can be forked")
