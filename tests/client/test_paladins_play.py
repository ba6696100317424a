"""Paladins at a pseudo-terminal of eighty columns: what somebody needs for the next decision is on the screen."""

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
from tests.client.terminal import Terminal

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

ASKED = r"Anna, your move \(.*\): $"
CONSPIRE = r"Conspire with 1 worker: a criminal"
"""What every seat can do in its first turn, and what leaves its table with more to decide."""

BOT_HAS_CHOSEN = "Bruno has chosen a paladin."

COLUMNS = 80
LINES = 150  # where all of the table and the menu have room


@pytest.fixture
def dealt(tmp_path: Path) -> Iterator[str]:
    """The address of a service whose games go the same way each time, as long as one does the same."""
    with run_server(str(tmp_path / "games.db"), "an evening at eighty columns") as address:
        yield address


def play(environment: dict[str, str], service: str, *arguments: str) -> Terminal:
    """Anna, who adds nothing to the dice, at a game with bots."""
    asked = ["--server", service, "--title", "paladins", "--name", "Anna", "--entropy", "", "--bots", "random"]
    return Terminal([*PROGRAM, "play", *asked, *arguments], environment, COLUMNS, LINES)


def until(terminal: Terminal, shown: str) -> str:
    """Type 1 at every prompt until something is shown before one.

    Paladins are chosen at once, and whoever is at the prompt is asked again when the bot has chosen: what is typed
    before that would answer the one prompt and be waited for at the next.
    """
    screen = terminal.wait_for(ASKED)
    while not re.search(shown, screen):
        if "under the deck" in screen and "Bruno" in terminal.screen and BOT_HAS_CHOSEN not in screen:
            terminal.wait_for(rf"{re.escape(BOT_HAS_CHOSEN)}\n(?:.*\n)*{ASKED}")  # the status stands above each prompt
        terminal.type("1")
        screen = terminal.wait_for(ASKED)
    return screen


def number_of(screen: str, label: str) -> str:
    """The number of the menu entry that begins so."""
    found = re.findall(rf"^ +(\d+) {label}", screen, re.MULTILINE)
    assert found, screen
    return str(found[-1])


def test_the_table_is_shown_before_each_turn_and_in_it_what_the_turn_is_about(
    environment: dict[str, str], dealt: str
) -> None:
    with play(environment, dealt, "--players", "2") as terminal:
        screen = until(terminal, CONSPIRE)
        for caption in ("Round 1", "Workers", "Paladin of this round", "Silver 3", "Bruno"):
            assert caption in screen
        terminal.type(number_of(screen, CONSPIRE))
        screen = terminal.wait_for(ASKED)
        assert "Conspire  □ any  (with 1 worker Criminal)" in screen
        screen = until_next_turn(terminal)
        assert "Round 1" in screen
        assert re.search(r"Conspire +■", screen)
        terminal.type("?")
        assert "■ taken" in terminal.wait_for(ASKED)
        for view, caption in (
            ("z", "Region"),
            ("o", "Suspicion cards"),
            ("o 2", "Hunt"),
            ("s", "Score sheet"),
            ("t", "Faith"),
        ):
            terminal.type(view)
            assert caption in terminal.wait_for(f"{ASKED}|or type a command: $")  # all sides are longer than a screen
        assert max(map(len, terminal.screen.split("\n"))) <= COLUMNS


def until_next_turn(terminal: Terminal) -> str:
    """Go on with the action that was begun until the menu of a turn stands there."""
    terminal.type("1")
    return until(terminal, r" +\d+ Pass\n")


def test_who_plays_alone_sees_the_opponents_board_and_is_told_what_it_did(
    environment: dict[str, str], dealt: str
) -> None:
    with play(environment, dealt, "--players", "1") as terminal:
        screen = until(terminal, CONSPIRE)
        assert re.search(r"\n +Opponent  .*Workers ", screen)
        terminal.type(number_of(screen, CONSPIRE))
        terminal.wait_for(ASKED)
        screen = until_next_turn(terminal)
        turned = re.search(r"\nScheme of the opponent +Scheme: (\S.*\S)", screen)
        assert turned is not None
        assert f"Opponent reveals a scheme: {turned[1]}" in screen
        terminal.type("o 2")
        assert "Workshops" in terminal.wait_for(f"{ASKED}|or type a command: $")
        assert max(map(len, terminal.screen.split("\n"))) <= COLUMNS


class FirstOfAll(Output):
    """Somebody who always does the first thing, and before whom nothing is shown."""

    def ask(self, prompt: str) -> str:  # noqa: ARG002
        return "1"

    def show(self, *what: Any) -> None:
        """See :class:`Output`."""


def test_the_table_is_drawn_again_when_others_have_acted_or_something_else_is_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    asked: list[str] = []

    class Counting(PlayerSession):
        def _show_board(self, choice: Choice, menu: int, status: int) -> int:
            asked.append(choice.legal_commands.decision)
            return super()._show_board(choice, menu, status)

    def glance(board: Board) -> RenderableType:
        drawn.append(len(asked) - 1)
        return ""

    monkeypatch.setattr(player_session, "draw_overview", glance)
    with run_server(str(tmp_path / "games.db"), "a long evening") as address, Client(address) as client:
        new = client.create_game("paladins", [person("Anna", entropy=b""), bot("random", "Bruno")])
        viewpoint = load_viewpoint(client, new.game, "en", 1)
        Counting(new.seats[0], viewpoint, texts("en"), FirstOfAll(color=False), "").play()
    changes = {at for at, (before, now) in enumerate(pairwise(asked), 1) if before != now}
    assert len(changes) > 30
    assert {0, *changes} <= set(drawn)
    assert len(drawn) < len(asked)


@pytest.mark.parametrize(("deciding", "said"), [([1], ""), ([1, 2], ""), ([2], "… waiting for Bruno\n")])
def test_nobody_is_told_to_wait_for_oneself(
    deciding: Sequence[int], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Others may have decided before it could be said: then the event that asks this seat is on its way."""
    seats = [game_pb2.Seat(name=name) for name in ("Anna", "Bruno")]
    running = game_pb2.Game(status=game_pb2.GAME_STATUS_RUNNING, deciding=deciding, seats=seats)
    seat: Any = SimpleNamespace(number=1, game=lambda: running)
    viewpoint = Viewpoint(words=captions("en"), seats={1: "Anna", 2: "Bruno"})
    PlayerSession(seat, viewpoint, texts("en"), Output(color=False), "")._show_waiting_notice()
    assert capsys.readouterr().out == said
