"""``boardkeeper seat``, and the same words in ``play``: a bot plays on, its person comes back, or gives up."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.client.conftest import PROGRAM, Ran
from tests.client.terminal import Terminal
from tests.client.test_play import ASKED
from tests.client.test_undo_fork import homes

from boardkeeper.client import Client, person

__all__ = ["homes"]

Run = Callable[..., Ran]
Homes = Callable[..., dict[str, str]]

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]


def test_a_seat_goes_to_a_bot_and_back_and_is_given_up(boardkeeper: Run, homes: Homes, client: Client) -> None:
    anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")]).seats
    home = homes("anna", anna)
    assert boardkeeper("seat", anna.game_id, "--bot", **home).out == "A bot plays on for Anna.\n"
    assert anna.game().seats[0].handed_over
    refused = boardkeeper("seat", anna.game_id, "--bot", **home)
    assert refused.status == 1
    assert "A bot plays your seat now" in refused.err
    assert boardkeeper("seat", anna.game_id, "--back", **home).out == "Anna plays again instead of the bot.\n"
    ran = boardkeeper("seat", anna.game_id, "--resign", "--language", "de", **home)
    assert ran.out.startswith("Anna gibt auf.\nDas Spiel ist aus: Ben gewinnt.")
    late = boardkeeper("seat", anna.game_id, "--back", **home)
    assert late.status == 1
    assert "The game is over" in late.err


def test_at_the_table_a_bot_plays_on_until_one_is_back_and_giving_up_shows_the_ranks(
    homes: Homes, client: Client, environment: dict[str, str]
) -> None:
    anna, _ = client.create_game("orleans", [person("Anna"), person("Ben")]).seats
    with Terminal([*PROGRAM, "play", anna.game_id], environment | homes("anna", anna)) as terminal:
        terminal.wait_for(ASKED)
        terminal.type("bot")
        terminal.wait_for("A bot plays on for you")
        terminal.type("back")
        terminal.wait_for("Anna plays again instead of the bot")
        terminal.type("resign")
        terminal.wait_for(r"\(y/n\): $")
        terminal.type("y")
        terminal.wait_for("Ben wins")
        terminal.wait_for("1. Ben\n2. Anna\n")
