"""``boardkeeper seat``, and the same words in ``play``: a bot plays on, its person comes back, or gives up."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from tests.client.conftest import PROGRAM, Ran
from tests.client.terminal import Terminal
from tests.client.test_play import ASKED
from tests.client.test_undo_fork import homes

from boardkeeper.client import Client, bot, per_game, person
from boardkeeper.terminal.clocks import format_time

__all__ = ["homes"]

Run = Callable[..., Ran]
Homes = Callable[..., dict[str, str]]

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]


def test_a_seat_goes_to_a_bot_and_back_and_is_given_up(boardkeeper: Run, homes: Homes, client: Client) -> None:
    anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")]).seats
    home = homes("anna", anna)
    assert boardkeeper("seat", anna.game_id, "--bot", **home).out == "A bot takes over for Anna.\n"
    assert anna.game().seats[0].handed_over
    refused = boardkeeper("seat", anna.game_id, "--bot", **home)
    assert refused.status == 1
    assert "A bot plays your seat;" in refused.err
    assert boardkeeper("seat", anna.game_id, "--back", **home).out == "Anna takes the seat back from the bot.\n"
    ran = boardkeeper("seat", anna.game_id, "--resign", "--language", "de", **home)
    assert ran.out.startswith("Anna gibt auf.\nDas Spiel ist aus: Ben gewinnt.")
    late = boardkeeper("seat", anna.game_id, "--back", **home)
    assert late.status == 1
    assert "The game is over" in late.err


def test_clocks_are_shown_and_a_new_game_says_what_time_there_is(
    boardkeeper: Run, homes: Homes, client: Client, address: str, environment: dict[str, str]
) -> None:
    control = per_game(7_200, 30, on_expiry="resign")
    anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")], time_control=control).seats
    shown = boardkeeper("show", anna.game_id, **homes("anna", anna)).out
    assert re.search(r"^Anna (2:00:00|1:\d\d:\d\d) ⏳ · Ben (2:00:00|1:\d\d:\d\d) ⏳$", shown, re.MULTILINE)
    listed = boardkeeper("games", "--server", address).out
    assert re.search(r"Anna (2:00:00|1:\d\d:\d\d) ⏳", listed)
    with Terminal([*PROGRAM, "play", "--players", "2", "--time", "3d/move", "--name", "Anna"], environment) as terminal:
        terminal.wait_for(r"Anna (3d 0h|2d 23h) ⏳")
        terminal.wait_for(ASKED)
    wrong = boardkeeper("play", "--time", "soon")
    assert wrong.status == 2
    assert "must be a time limit, for example" in wrong.err


def test_time_that_is_left_is_said_in_two_units() -> None:
    said = [format_time(timedelta(seconds=seconds)) for seconds in (-5, 9, 90, 3_600, 86_400 * 3 + 7_200)]
    assert said == ["0:00", "0:09", "1:30", "1:00:00", "3d 2h"]


def test_at_the_table_a_bot_plays_on_until_one_is_back_and_giving_up_shows_the_ranks(
    homes: Homes, client: Client, environment: dict[str, str]
) -> None:
    anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")]).seats
    with Terminal([*PROGRAM, "play", anna.game_id], environment | homes("anna", anna)) as terminal:
        terminal.wait_for(ASKED)
        terminal.type("bot")
        terminal.wait_for("A bot plays for you")
        terminal.type("back")
        terminal.wait_for("Anna takes the seat back from the bot")
        terminal.type("resign")
        terminal.wait_for(r"\(y/n\): $")
        terminal.type("y")
        terminal.wait_for("Ben wins")
        terminal.wait_for("1. Ben\n2. Anna\n")


def test_who_comes_back_to_a_seat_that_a_bot_plays_is_told_how_to_take_it_back(
    homes: Homes, client: Client, environment: dict[str, str]
) -> None:
    control = per_game(7_200)
    anna, ben = client.create_game("orleans", [person("Anna"), person("Ben")], time_control=control).seats
    anna.hand_to_bot()
    with Terminal([*PROGRAM, "play", anna.game_id], environment | homes("anna", anna)) as terminal:
        terminal.wait_for(r"Type back to take your seat back")
        terminal.type("c")
        terminal.wait_for(r"c\s+Anna [12]:\d\d:\d\d · Ben [12]:\d\d:\d\d ⏳")
        ben.resign()
        terminal.wait_for("1. Anna\n2. Ben\n")


def test_who_would_leave_a_game_to_bots_alone_is_asked_before(
    homes: Homes, client: Client, environment: dict[str, str]
) -> None:
    (anna,) = client.create_game("orleans", [person("Anna"), bot("random")]).seats
    with Terminal([*PROGRAM, "play", anna.game_id], environment | homes("anna", anna)) as terminal:
        terminal.wait_for(ASKED)
        terminal.type("bot")
        terminal.wait_for(r"Only bots are left then.*\(y/n\): $")
        terminal.type("n")
        terminal.wait_for(ASKED)
        assert not anna.game().seats[0].handed_over
        terminal.type("bot")
        terminal.wait_for(r"\(y/n\): $")
        terminal.type("y")
        terminal.wait_for("The game is over")
