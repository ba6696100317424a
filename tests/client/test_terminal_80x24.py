"""A terminal of 80 columns and 24 lines always shows the menu, the state of the game and the own resources."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from google.protobuf import struct_pb2
from rich.cells import cell_len
from tests.client.conftest import PROGRAM
from tests.client.terminal import Terminal

from boardkeeper.client import Client, Seat, bot, person
from boardkeeper.client.clocks import Countdown
from boardkeeper.client.errors import Rejected, VersionConflict
from boardkeeper.terminal.choice import Choice
from boardkeeper.terminal.connections import load_viewpoint
from boardkeeper.terminal.drawing.board import Board
from boardkeeper.terminal.drawing.command_menu import build_menu
from boardkeeper.terminal.drawing.menu import draw_menu
from boardkeeper.terminal.drawing.table_views import draw_overview, draw_table
from boardkeeper.terminal.drawing.viewpoint import Viewpoint
from boardkeeper.terminal.end_menu import _free
from boardkeeper.terminal.guide import Guide
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.paging import Pages, render_lines
from boardkeeper.terminal.player_session import PlayerSession
from boardkeeper.terminal.texts import texts
from boardkeeper.titles.registry import list_metas
from boardkeeper.v1 import catalog_pb2, command_pb2, effect_pb2, game_pb2, games_pb2, scores_pb2, table_pb2

COLUMNS, LINES = 80, 24
PROMPT = r"(your move|wähle) \(.*\): $"
NEXT = r"What next\? $"
MORE = r"(type a command|gleich das Nächste): $"
SAMPLES = 2
"""Number of positions of a game that are tested in detail."""
GAMES = [
    pytest.param(meta.id, it, None if at == 0 else SAMPLES, id=f"{meta.id}-{it.id}")
    for meta in list_metas()
    for at, it in enumerate(meta.editions)
    if it in (meta.editions[0], meta.editions[-1])
] + [
    pytest.param(meta.id, it, 10_000, id=f"{meta.id}-{it.id}-all", marks=pytest.mark.soak)
    for meta in list_metas()
    for it in meta.editions
]
"""A whole game of each title, and some positions of a game of its last edition; in the soak, whole games of all."""


class SmallTerminal(Output):
    """A terminal of this size whose user leaves at the first prompt."""

    def __init__(self, columns: int = COLUMNS, lines: int = LINES) -> None:
        super().__init__(color=False)
        self._is_terminal = True
        self.console.size = (columns, lines)

    def ask(self, prompt: str) -> str:
        sys.stdout.write(prompt)
        raise EOFError


def play_game(client: Client, title: str, edition: Any, players: int) -> Seat:
    """Return the first seat of a finished game, which a bot has played."""
    seats = [
        person("Bartholomäus von und zu Hohenlohe"),
        *(bot("random", f"Gegenspieler {it}") for it in range(1, players)),
    ]
    seat = client.create_game(title, seats, edition=edition.id).seats[0]
    seat.hand_to_bot("random")
    for _ in seat.watch():
        pass
    return seat


@pytest.mark.socket
@pytest.mark.parametrize(("title", "edition", "samples"), GAMES)
def test_every_decision_fits_on_the_screen(
    title: str, edition: Any, samples: int | None, client: Client, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In both languages, board, menu, status and prompt fit on one screen, with unbroken words."""
    seat = play_game(client, title, edition, max(2, edition.players[0] if samples is None else edition.players[1]))
    # A seat decides before the first event of each command, and not between its events.
    first = {event.command_id: event for event in reversed([*seat.events()])}
    own = sorted(
        it.version - 1
        for id, it in first.items()
        if id and it.seat == seat.number and it.name != "SeatHandedToBot"  # possible without a decision
    )
    if samples is not None:
        own = own[:: max(1, len(own) // samples)]
    detailed = set(own[:: max(1, len(own) // SAMPLES)])
    explanations: list[str] = []
    with Client(address, language="de") as german:
        tables = [
            FinishedGame(Seat(it, seat.game_id, seat.number, seat.token), language)
            for language, it in (("en", client), ("de", german))
        ]
        for number, version in enumerate(own):
            table = tables[number % 2]
            table.decide_at(version, capsys)
            if version in detailed:
                explanations += table.check_details(version)
    assert len(own) >= SAMPLES
    assert explanations
    assert not [text for text in explanations if "seat." in text or "_" in text]


class RecordingSession(PlayerSession):
    """A session that stores its last status lines."""

    status: Sequence[str] = ()

    def _status(self, legal: games_pb2.ListLegalCommandsResponse) -> list[str]:
        found = super()._status(legal)
        self.status = found
        return found


class FinishedGame:
    """A finished game whose decisions are shown again."""

    def __init__(self, seat: Seat, language: str) -> None:
        self._seat = seat
        self._words = texts(language)
        self._viewpoint = load_viewpoint(seat.client, seat.game(), language, seat.number)
        self._guide = Guide(self._viewpoint, self._words)

    def session(self, version: int, output: Output) -> tuple[RecordingSession, Any]:
        """Return a session at a version, and the legal commands."""
        past_seat: Any = AtVersion(self._seat, version)
        session = RecordingSession(past_seat, self._viewpoint, self._words, output, "")
        return session, past_seat.legal_commands(with_effects=True)

    def decide_at(self, version: int, capsys: pytest.CaptureFixture[str]) -> None:
        """Show the decision at a version, and check that it fits on one screen."""
        session, legal = self.session(version, SmallTerminal())
        with pytest.raises(EOFError):
            session._decide(legal)
        screen = capsys.readouterr().out.removeprefix("\n").rstrip("\n").split("\n")
        assert max(map(cell_len, screen[:-1])) <= COLUMNS
        assert len(screen) + cell_len(screen[-1]) // COLUMNS <= LINES, "\n".join(screen)
        assert not [line for line in screen if line.rstrip().endswith("…") or "… " in line[1:]]
        assert len(status := session.status) >= 2
        assert screen[-1] == self._words["prompt"].format(name=self._viewpoint.seat(self._seat.number))
        assert screen[-1 - len(status) : -1] == status
        assert session._menu is not None
        shown = len(session._menu.lines) - session._menu.left
        assert shown >= min(len(session._menu.lines), LINES // 4)
        more = self._words["more_below"].format(count=session._menu.left)
        assert (more in screen) == bool(session._menu.left)

    def check_details(self, version: int) -> list[str]:
        """Check that no word of board and menu is broken, and return the explanations of commands."""
        session, legal = self.session(version, SmallTerminal())
        choice = session._choice(legal)
        # Wide menus have all notes.
        assert words_at(80, draw_menu(choice.menu)) <= words_at(1000, draw_menu(choice.menu))
        for view in (draw_overview, draw_table):
            board = view(choice.board)
            assert words_at(80, board) == words_at(99, board)
        return [text for it in legal.commands for text in self._guide.changes(it.effects, self._seat.number)]


def words_at(columns: int, drawn: Any) -> Counter[str]:
    """Return the words of a drawing on a terminal of this width."""
    lines = render_lines(SmallTerminal(columns), drawn)
    texts = ["".join(segment.text for segment in line) for line in lines]
    assert max(map(cell_len, texts)) <= columns
    return Counter(word for text in texts for word in text.split() if word.strip("─"))


class AtVersion:
    """A seat as it was at a version."""

    def __init__(self, seat: Seat, version: int) -> None:
        self._seat, self._version = seat, version
        self.number, self.game_id, self.client = seat.number, seat.game_id, seat.client

    def __getattr__(self, name: str) -> Any:
        ask = getattr(self._seat, name)
        return lambda **_: ask(version=self._version, **{key: it for key, it in _.items() if key == "with_effects"})


@pytest.mark.socket
@pytest.mark.timeout(300)
def test_after_a_game_keys_verify_save_and_start_a_rematch(environment: dict[str, str], tmp_path: Path) -> None:
    options = ["--title", "stories", "--players", "2", "--choose", "planning=sealed"]
    command = [*PROGRAM, "play", "--name", "Anna", *options]
    with Terminal(command, environment, COLUMNS, LINES, tmp_path) as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("resign")
        terminal.wait_for(r"\(y/n\): $")
        terminal.type("y")
        screen = terminal.wait_for(NEXT)
        assert "The game is over." in screen
        for key, expected in {
            "v": "Verified: the record passes every check.",
            "e": r"Saved: game-\w{8}\.jsonl",
            "nothing": "rematch",
        }.items():
            terminal.type(key)
            assert re.search(expected, terminal.wait_for(NEXT))
        terminal.type("r")
        assert "Place followers" in terminal.wait_for(PROMPT)
        terminal.type("resign")
        terminal.wait_for(r"\(y/n\): $")
        terminal.type("y")
        terminal.wait_for(NEXT)
        terminal.type("q")
        last = terminal.wait_for(r"boardkeeper show \S+\n")
        assert max(map(cell_len, last.splitlines())) <= COLUMNS  # so no shown command is broken
        again = re.search(r"boardkeeper verify (\S+)\n", last)
        assert terminal.process.wait(timeout=100) == 0
    (saved,) = tmp_path.glob("game-*.jsonl")
    first = read_creation(saved.read_bytes())
    assert again is not None
    exported = subprocess.run(
        [*PROGRAM, "export", again[1]], env={**os.environ, **environment}, capture_output=True, check=True
    )
    second = read_creation(exported.stdout)
    assert first["game"] != second["game"]
    for same in ("setup", "seats"):
        assert first["detail"][same] == second["detail"][same]
    assert first["detail"]["setup"]["options"]["planning"] == "sealed"


def read_creation(record: bytes) -> Any:
    """Return the id and the first event of a record's game."""
    lines = [json.loads(line) for line in record.splitlines()[:2]]
    return {"game": lines[0]["game"], "detail": lines[1]["event"]["detail"]}


@pytest.mark.socket
@pytest.mark.timeout(300)
def test_the_screen_shows_everything_during_play(environment: dict[str, str]) -> None:
    command = [*PROGRAM, "play", "--name", "Anna", "--players", "2"]
    with Terminal(command, environment, columns=COLUMNS, lines=LINES) as terminal:
        screen = terminal.wait_for(PROMPT)
        assert (
            "\nRound 1/18 · Planning · Place followers\nCoins 5\nScore now: Anna 5 · Bruno 5\nAnna, your move" in screen
        )
        assert "\nShip  □ Farmer  □ Boatman  □ Knight  (travel by Waterway)\n" in screen
        terminal.type("?farm house")
        screen = terminal.wait_for(PROMPT)
        assert "Farm House: needs Boatman, Craftsman, recruit Farmer" in screen
        assert "Own Boatman: Market → Farm House: Boatman" in screen
        terminal.type("?4")
        screen = terminal.wait_for(PROMPT)
        assert "Wagon  □ Farmer  □ Trader  □ Knight  (travel by Road)" in screen
        assert "Own Trader: Market → Wagon: Trader" in screen
        terminal.type("? no such thing")
        assert "No move contains 'no such thing'." in terminal.wait_for(PROMPT)
        terminal.type("auto")
        assert "Automatic passing is off:" in terminal.wait_for(PROMPT)
        terminal.type("b")
        first = terminal.wait_for(MORE)
        assert first.count("\n") <= LINES
        terminal.type("")
        assert re.search(r"Castle +□ Farmer  □ Boatman  □ Trader +recruit Knight", first + terminal.wait_for(MORE))
        terminal.type("auto")  # not a key of the pager, so it is a command
        assert "Automatic passing is on:" in terminal.wait_for(PROMPT)
        terminal.type("+")
        assert "Finish planning" in terminal.wait_for(PROMPT)
        terminal.type("+")
        assert "\nThere is no more to show.\n" in terminal.wait_for(PROMPT)
        assert max(map(cell_len, terminal.screen.split("\n"))) <= COLUMNS


def new_session(seat: Any) -> tuple[PlayerSession, Choice]:
    """Return a session of a title without texts, and its choice."""
    session = PlayerSession(seat, VIEWPOINT, texts("en"), Output(color=False), "")
    board = Board(table_pb2.Table(), VIEWPOINT)
    menu = build_menu(seat.legal.commands, board)
    return session, Choice(seat.legal, board, menu, Countdown(game_pb2.Game()), scores_pb2.ScoreSheet())


def test_a_number_selects_a_command_and_not_names_with_the_number(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seat: Any = PassingSeat((), [1], 0)
    seat.legal.commands.extend(command_pb2.LegalCommand(sentence=it) for it in ("Pay 12 coins.", "Build Wall 1."))
    session, choice = new_session(seat)
    output = {}
    for typed in ("1", "2, 1", "3", "wall", "no"):
        session._inspection.explain(choice, typed)
        output[typed] = capsys.readouterr().out
    assert output["1"] == "    1 Pay 12 coins.\n      no immediate effect\n"
    assert output["2, 1"] == output["1"] + "    2 Build Wall 1.\n      no immediate effect\n"
    assert output["3"] == "There is no number 3: choose 1 to 2.\n"
    assert output["wall"] == "Wall 1: points: 3\n" + output["2, 1"].removeprefix(output["1"])
    assert output["no"] == "No move contains 'no'. Press Enter to see all.\n"


def test_a_long_menu_is_shown_in_pages() -> None:
    output = SmallTerminal()
    pages = Pages(list(render_lines(output, "\n".join(map(str, range(30))))))
    shown = ["".join(it.text for it in line).strip() for line in pages.next(20)]
    assert shown == [str(it) for it in range(19)]
    assert pages.left == 11
    assert len(pages.next(11)) == 11
    assert not pages.left


# --- automatic passing ------------------------------------------------------------------------------------------------

MARKERS = [
    catalog_pb2.MarkerEntry(id="seat.1.passed", text="Has passed", seat=1, kind="flag"),
    catalog_pb2.MarkerEntry(id="seat.2.passed", text="Has passed", seat=2, kind="flag"),
    catalog_pb2.MarkerEntry(id="seat.1.coins", text="Coins", seat=1, kind="money"),
    catalog_pb2.MarkerEntry(id="round", text="Round", kind="round"),
]
ZONES = [
    catalog_pb2.ZoneEntry(id="seat.1.goods", text="Goods", seat=1, kind="goods"),
    catalog_pb2.ZoneEntry(id="seat.1.pot", text="Pot", seat=1),
    catalog_pb2.ZoneEntry(id="market", text="Market"),
]
COMPONENTS = [
    catalog_pb2.Component(id="wine", text="Wine"),
    catalog_pb2.Component(
        id="wall_1",
        text="Wall 1",
        values=struct_pb2.Struct(fields={"points": struct_pb2.Value(number_value=3)}),
    ),
]
TITLE = catalog_pb2.GetTitleResponse(markers=MARKERS, zones=ZONES, components=COMPONENTS)
SEATS = {1: "Anna", 2: "Bruno"}
VIEWPOINT = Viewpoint.of(TITLE, "en", SEATS, 1)


def set_marker(marker: str, before: int, after: int) -> effect_pb2.Effect:
    scalars = (effect_pb2.Scalar(number=before), effect_pb2.Scalar(number=after))
    return effect_pb2.Effect(set=effect_pb2.Set(marker=marker, before=scalars[0], after=scalars[1]))


def move(source: str, target: str, count: int = 1) -> effect_pb2.Effect:
    return effect_pb2.Effect(move=effect_pb2.Move(component="wine", count=count, source=source, target=target))


PASS = (set_marker("seat.1.passed", 0, 1),)


class PassingSeat:
    """A seat whose only commands are passes; another seat has acted last."""

    def __init__(self, effects: Sequence[effect_pb2.Effect], deciding: Sequence[int], commands: int) -> None:
        self.number, self.submissions = 1, 0
        self._game = game_pb2.Game(deciding=deciding)
        command = command_pb2.LegalCommand(sentence="Pass.", effects=effects)
        self.legal = games_pb2.ListLegalCommandsResponse(version=7, decision="act", commands=[command] * commands)

    def game(self) -> game_pb2.Game:
        return self._game

    def legal_commands(self, **_: Any) -> games_pb2.ListLegalCommandsResponse:
        return self.legal

    def submit(self, *_: Any, **__: Any) -> Any:
        self.submissions += 1
        return SimpleNamespace(version=0)


@pytest.mark.parametrize(
    ("effects", "deciding", "commands", "own", "auto", "expected"),
    [
        pytest.param(PASS, [1], 1, 3, True, 1, id="only command"),
        pytest.param((), [1], 1, 3, True, 1, id="without effects"),
        pytest.param(PASS, [1], 1, 3, False, 0, id="switched off"),
        pytest.param(PASS, [1], 2, 3, True, 0, id="another command is possible"),
        pytest.param(PASS, [1, 2], 1, 3, True, 0, id="other seats decide at the same time"),
        pytest.param(PASS, [1], 1, 6, True, 0, id="the last command could be undone"),
        pytest.param((*PASS, move("market", "seat.1.goods")), [1], 1, 3, True, 0, id="something moves"),
        pytest.param((set_marker("seat.1.coins", 3, 2),), [1], 1, 3, True, 0, id="it costs something"),
        pytest.param((set_marker("seat.2.passed", 0, 1),), [1], 1, 3, True, 0, id="it is about another seat"),
        pytest.param((set_marker("unknown", 0, 1),), [1], 1, 3, True, 0, id="unknown effect"),
    ],
)
def test_an_only_command_is_submitted_automatically(
    effects: Sequence[effect_pb2.Effect],
    deciding: Sequence[int],
    commands: int,
    own: int,
    auto: bool,
    expected: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    seat: Any = PassingSeat(effects, deciding, commands)
    words = texts("en")
    session = PlayerSession(seat, VIEWPOINT, words, Output(color=False), "", auto_pass=auto)
    session._events.own_version, session._events.other_version = own, 5
    assert session._pass_automatically(seat.legal) == bool(expected)
    assert seat.submissions == expected
    output = "Passed automatically, as it was the only move: Pass. (type auto to turn this off)\n"
    assert capsys.readouterr().out == (output if expected else "")


def test_a_failed_automatic_pass_is_not_reported(capsys: pytest.CaptureFixture[str]) -> None:
    seat: Any = PassingSeat(PASS, [1], 1)
    seat.submit = failing_submit(VersionConflict("The game has moved on."))
    session, _ = new_session(seat)
    session._auto_pass, session._events.own_version, session._events.other_version = True, 3, 5
    assert not session._pass_automatically(seat.legal)
    assert capsys.readouterr().out == ""


def failing_submit(error: Exception) -> Callable[..., Any]:
    def submit(*_: Any, **__: Any) -> Any:
        raise error

    return submit


@pytest.mark.parametrize(
    ("effects", "commands", "does", "output"),
    [
        pytest.param(
            (set_marker("seat.1.coins", 5, 0),),
            1,
            True,
            "Press Enter to do it. (Coins −5)\n",
            id="no other command is possible",
        ),
        pytest.param((set_marker("seat.1.coins", 5, 0),), 2, False, "(Coins −5).\n", id="another command is possible"),
        pytest.param((move("seat.1.goods", "market"),), 2, False, "(Wine).\n", id="goods are paid, too"),
        pytest.param(
            (move("market", "seat.1.goods"), *PASS), 2, True, "Press Enter to do it.\n", id="it costs nothing"
        ),
        pytest.param((set_marker("seat.2.coins", 5, 0),), 2, True, "Press Enter to do it.\n", id="another seat pays"),
    ],
)
def test_an_accidental_enter_pays_nothing_if_another_command_is_possible(
    effects: Sequence[effect_pb2.Effect], commands: int, does: bool, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    session, choice = new_session(PassingSeat(effects, [1], commands))
    assert (session._explain_enter(choice, 0) == 0) == does
    assert capsys.readouterr().out.endswith(output)


def test_the_impossible_command_of_a_batch_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    seat: Any = PassingSeat((), [1], 3)
    seat.submit = failing_submit(Rejected("You have no wine.", values={"index": "1"}))
    session, choice = new_session(seat)
    assert not session._submit(choice, [0, 2])
    assert not session._submit(choice, [2])
    first, second = capsys.readouterr().out.splitlines()
    assert first == "3 is not possible, so none of the moves was made: You have no wine."
    assert second == "Not possible: You have no wine."


def test_the_status_is_repeated_above_the_prompt_after_actions_of_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seat: Any = PassingSeat((), [1], 2)
    session, _ = new_session(seat)
    typed = iter((None, "1"))
    inbox: Any = SimpleNamespace(is_interactive=True, has_items=True, wait_for_line=lambda: next(typed))
    monkeypatch.setattr(session._events, "news", inbox)
    monkeypatch.setattr(session._events, "catch_up", lambda: True)
    assert session._prompt.ask("Anna? ", lambda: False, lambda: ["Round 3", "Coins 5"]) == "1"
    assert capsys.readouterr().out == "Anna? Round 3\nCoins 5\nAnna? "


def test_input_for_an_earlier_prompt_is_discarded(monkeypatch: pytest.MonkeyPatch) -> None:
    seat: Any = PassingSeat((), [1], 2)
    session, choice = new_session(seat)
    for is_past, typed in ((False, "1"), (True, None)):
        session._prompt.typed_ahead = "1"
        monkeypatch.setattr(session, "_is_past", lambda _, is_past=is_past: is_past)
        assert session._take_typed_ahead(choice.legal_commands) == typed
        assert session._take_typed_ahead(choice.legal_commands) == ""


def test_an_existing_file_with_other_content_is_not_overwritten(tmp_path: Path) -> None:
    name = str(tmp_path / "game-12345678")
    assert _free(name, ".jsonl", b"a") == f"{name}.jsonl"
    Path(f"{name}.jsonl").write_bytes(b"a")
    assert _free(name, ".jsonl", b"a") == f"{name}.jsonl"
    assert _free(name, ".jsonl", b"b") == f"{name}-2.jsonl"
    Path(f"{name}-2.jsonl").mkdir()
    assert _free(name, ".jsonl", b"b") == f"{name}-3.jsonl"


# --- explanations ---------------------------------------------------------------------------------------------------


def test_changes_are_described_for_the_own_seat() -> None:
    guide = Guide(VIEWPOINT, texts("en"))
    effects = [
        set_marker("seat.1.coins", 5, 3),
        set_marker("seat.1.coins", 3, 2),
        move("market", "seat.1.goods", 2),
        *PASS,
        effect_pb2.Effect(draw=effect_pb2.Draw(zone="market", drawn=["?", "?"])),
    ]
    assert guide.changes(effects, 1) == ["Coins −3", "+2 Wine", "draws 2 from Market"]
    assert guide.changes(effects[:3], 2) == ["Anna: Coins −3", "2× Wine: Market → Anna: Goods"]
    assert guide.changes([move("seat.1.goods", "market")], 1) == ["Wine: → Market"]


def test_the_outcome_contains_only_exchanges_with_others() -> None:
    guide = Guide(VIEWPOINT, texts("en"))
    effects = [
        set_marker("seat.1.coins", 5, 3),
        move("market", "seat.1.goods"),
        move("seat.1.goods", "seat.1.pot"),
        *PASS,
    ]
    assert guide.outcome(effects, 1) == ["Coins −2", "+1 Wine"]
    assert guide.outcome([move("seat.1.goods", "market"), set_marker("seat.2.coins", 1, 2)], 1) == ["Wine: → Market"]


def test_a_guide_without_catalogue_entries_is_empty() -> None:
    guide = Guide(Viewpoint.of(catalog_pb2.GetTitleResponse(), "en", SEATS), texts("en"))
    table = table_pb2.Table(markers=[table_pb2.Marker(id="round", value=effect_pb2.Scalar(number=3))])
    assert guide.where(table, "act") == guide.owned(table, 1) == guide.scored(scores_pb2.ScoreSheet()) == []
    assert Guide(VIEWPOINT, texts("en")).where(table, "act") == ["Round 3"]
    assert not guide.is_idle(PASS, 1)
