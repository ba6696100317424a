"""Paladins in a terminal of eighty columns: the screen shows what the player needs for the next decision."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import RenderableType
from tests.client.conftest import PROGRAM
from tests.client.terminal import PROMPT, Terminal

from boardkeeper.client import Client, bot, person
from boardkeeper.terminal import player_session
from boardkeeper.terminal.choice import Choice
from boardkeeper.terminal.connections import load_viewpoint
from boardkeeper.terminal.drawing.board import Board
from boardkeeper.terminal.drawing.captions import captions
from boardkeeper.terminal.drawing.viewpoint import Viewpoint
from boardkeeper.terminal.local_server import run_server
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.player_session import PlayerSession
from boardkeeper.terminal.texts import texts
from boardkeeper.v1 import game_pb2

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]  # for a busy machine

CONSPIRE = r"Conspire with 1 worker: a criminal"
"""A command that every seat has in its first turn, and after which the seat has to decide again."""

BOT_HAS_CHOSEN = "Bruno has chosen a paladin."

COLUMNS = 80
LINES = 150  # enough for the whole table and menu


@pytest.fixture
def seeded_server(tmp_path: Path) -> Iterator[str]:
    """The address of a server with reproducible games."""
    with run_server(str(tmp_path / "games.db"), "an evening at eighty columns") as address:
        yield address


def play(environment: dict[str, str], service: str, *arguments: str) -> Terminal:
    """Start a game of Anna, without entropy, against bots."""
    options = ["--server", service, "--title", "paladins", "--name", "Anna", "--entropy", "", "--bots", "random"]
    return Terminal([*PROGRAM, "play", *options, *arguments], environment, COLUMNS, LINES)


def play_until(terminal: Terminal, shown: str) -> str:
    """Type 1 at every prompt until a pattern is shown before a prompt.

    All seats choose paladins at the same time, and the prompt is repeated when the bot has chosen: input before that
    would answer the first prompt, and the test would wait for the second one.
    """
    screen = terminal.wait_for(PROMPT)
    while not re.search(shown, screen):
        if "under the deck" in screen and "Bruno" in terminal.screen and BOT_HAS_CHOSEN not in screen:
            terminal.wait_for(rf"{re.escape(BOT_HAS_CHOSEN)}\n(?:.*\n)*{PROMPT}")  # the status is above each prompt
        terminal.type("1")
        screen = terminal.wait_for(PROMPT)
    return screen


def number_of(screen: str, label: str) -> str:
    """Return the number of the menu entry that begins with a label."""
    found = re.findall(rf"^ +(\d+) {label}", screen, re.MULTILINE)
    assert found, screen
    return str(found[-1])


def test_the_table_is_shown_before_each_turn(environment: dict[str, str], seeded_server: str) -> None:
    with play(environment, seeded_server, "--players", "2") as terminal:
        screen = play_until(terminal, CONSPIRE)
        for caption in ("Round 1", "Workers", "Paladin of this round", "Silver 3", "Bruno"):
            assert caption in screen
        terminal.type(number_of(screen, CONSPIRE))
        screen = terminal.wait_for(PROMPT)
        assert "Conspire  □ any  (with 1 worker Criminal)" in screen
        screen = play_until_next_turn(terminal)
        assert "Round 1" in screen
        assert re.search(r"Conspire +■", screen)
        terminal.type("?")
        assert "■ taken" in terminal.wait_for(PROMPT)
        for view, caption in (
            ("z", "Region"),
            ("o", "Suspicion cards"),
            ("o 2", "Hunt"),
            ("s", "Score sheet"),
            ("t", "Faith"),
        ):
            terminal.type(view)
            # These views may be longer than a screen.
            assert caption in terminal.wait_for(f"{PROMPT}|or type a command: $")
        assert max(map(len, terminal.screen.split("\n"))) <= COLUMNS


def play_until_next_turn(terminal: Terminal) -> str:
    """Finish the current action, until the menu of the next turn is shown."""
    terminal.type("1")
    return play_until(terminal, r" +\d+ Pass\n")


def test_a_solo_player_sees_the_opponents_board_and_actions(environment: dict[str, str], seeded_server: str) -> None:
    with play(environment, seeded_server, "--players", "1") as terminal:
        screen = play_until(terminal, CONSPIRE)
        assert re.search(r"\n +Opponent  .*Workers ", screen)
        terminal.type(number_of(screen, CONSPIRE))
        terminal.wait_for(PROMPT)
        screen = play_until_next_turn(terminal)
        turned = re.search(r"\nScheme of the opponent +Scheme: (\S.*\S)", screen)
        assert turned is not None
        assert f"Opponent reveals a scheme: {turned[1]}" in screen
        terminal.type("o 2")
        assert "Workshops" in terminal.wait_for(f"{PROMPT}|or type a command: $")
        assert max(map(len, terminal.screen.split("\n"))) <= COLUMNS


class FirstCommand(Output):
    """A player who always chooses the first command, without output."""

    def ask(self, prompt: str) -> str:  # noqa: ARG002
        return "1"

    def show(self, *what: Any) -> None:
        """See :class:`Output`."""


def test_the_table_is_drawn_again_after_actions_of_others_and_for_new_decisions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    decisions: list[str] = []

    class CountingSession(PlayerSession):
        def _show_board(self, choice: Choice, menu: int, status: int) -> int:
            decisions.append(choice.legal_commands.decision)
            return super()._show_board(choice, menu, status)

    def draw_overview(board: Board) -> RenderableType:
        drawn.append(len(decisions) - 1)
        return ""

    monkeypatch.setattr(player_session, "draw_overview", draw_overview)
    with run_server(str(tmp_path / "games.db"), "a long evening") as address, Client(address) as client:
        new = client.create_game("paladins", [person("Anna", entropy=b""), bot("random", "Bruno")])
        viewpoint = load_viewpoint(client, new.game, "en", 1)
        CountingSession(new.seats[0], viewpoint, texts("en"), FirstCommand(color=False), "").play()
    changes = {at for at, (before, now) in enumerate(pairwise(decisions), 1) if before != now}
    assert len(changes) > 30
    assert {0, *changes} <= set(drawn)
    assert len(drawn) < len(decisions)


@pytest.mark.parametrize(("deciding", "output"), [([1], ""), ([1, 2], ""), ([2], "… waiting for Bruno\n")])
def test_the_waiting_notice_does_not_name_the_own_seat(
    deciding: Sequence[int], output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """If this seat has to decide, its event is about to arrive, and no notice is printed."""
    seats = [game_pb2.Seat(name=name) for name in ("Anna", "Bruno")]
    running = game_pb2.Game(status=game_pb2.GAME_STATUS_RUNNING, deciding=deciding, seats=seats)
    seat: Any = SimpleNamespace(number=1, game=lambda: running)
    viewpoint = Viewpoint(words=captions("en"), seats={1: "Anna", 2: "Bruno"})
    PlayerSession(seat, viewpoint, texts("en"), Output(color=False), "")._show_waiting_notice()
    assert capsys.readouterr().out == output
