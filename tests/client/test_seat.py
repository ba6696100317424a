"""``boardkeeper seat``, and the same commands in ``play``: hand a seat to a bot, take it back, resign."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from tests.client.conftest import PROGRAM, Homes, RunCommand
from tests.client.terminal import PROMPT, Terminal

from boardkeeper.client import Client, bot, per_game, person
from boardkeeper.terminal.clocks import format_time

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]


def test_a_seat_is_handed_to_a_bot_taken_back_and_resigned(
    run_program: RunCommand, homes: Homes, client: Client
) -> None:
    anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")]).seats
    home = homes("anna", anna)
    assert run_program("seat", anna.game_id, "--bot", **home).out == "A bot takes over for Anna.\n"
    assert anna.game().seats[0].handed_over
    failed = run_program("seat", anna.game_id, "--bot", **home)
    assert failed.status == 1
    assert "A bot plays your seat;" in failed.err
    assert run_program("seat", anna.game_id, "--back", **home).out == "Anna takes the seat back from the bot.\n"
    result = run_program("seat", anna.game_id, "--resign", "--language", "de", **home)
    assert result.out.startswith("Anna gibt auf.\nDas Spiel ist aus: Ben gewinnt.")
    late = run_program("seat", anna.game_id, "--back", **home)
    assert late.status == 1
    assert "The game is over" in late.err


def test_clocks_are_shown_in_lists_and_new_games(
    run_program: RunCommand, homes: Homes, client: Client, address: str, environment: dict[str, str]
) -> None:
    control = per_game(7_200, 30, on_expiry="resign")
    anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")], time_control=control).seats
    shown = run_program("show", anna.game_id, **homes("anna", anna)).out
    assert re.search(r"^Anna (2:00:00|1:\d\d:\d\d) ⏳ · Ben (2:00:00|1:\d\d:\d\d) ⏳$", shown, re.MULTILINE)
    listed = run_program("games", "--server", address).out
    assert re.search(r"Anna (2:00:00|1:\d\d:\d\d) ⏳", listed)
    with Terminal([*PROGRAM, "play", "--players", "2", "--time", "3d/move", "--name", "Anna"], environment) as terminal:
        terminal.wait_for(r"Anna (3d 0h|2d 23h) ⏳")
        terminal.wait_for(PROMPT)
    wrong = run_program("play", "--time", "soon")
    assert wrong.status == 2
    assert "must be a time limit, for example" in wrong.err


def test_remaining_time_is_shown_in_two_units() -> None:
    shown = [format_time(timedelta(seconds=seconds)) for seconds in (-5, 9, 90, 3_600, 86_400 * 3 + 7_200)]
    assert shown == ["0:00", "0:09", "1:30", "1:00:00", "3d 2h"]


def test_bot_back_and_resign_in_play(homes: Homes, client: Client, environment: dict[str, str]) -> None:
    anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")]).seats
    with Terminal([*PROGRAM, "play", anna.game_id], environment | homes("anna", anna)) as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("bot")
        terminal.wait_for("A bot plays for you")
        terminal.type("back")
        terminal.wait_for("Anna takes the seat back from the bot")
        terminal.type("resign")
        terminal.wait_for(r"\(y/n\): $")
        terminal.type("y")
        terminal.wait_for("Ben wins")
        terminal.wait_for("1. Ben\n2. Anna\n")


def test_play_explains_how_to_take_a_seat_back_from_a_bot(
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


def test_leaving_a_game_to_only_bots_needs_a_confirmation(
    homes: Homes, client: Client, environment: dict[str, str]
) -> None:
    (anna,) = client.create_game("orleans", [person("Anna"), bot("random")]).seats
    with Terminal([*PROGRAM, "play", anna.game_id], environment | homes("anna", anna)) as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("bot")
        terminal.wait_for(r"Only bots are left then.*\(y/n\): $")
        terminal.type("n")
        terminal.wait_for(PROMPT)
        assert not anna.game().seats[0].handed_over
        terminal.type("bot")
        terminal.wait_for(r"\(y/n\): $")
        terminal.type("y")
        terminal.wait_for("The game is over")
