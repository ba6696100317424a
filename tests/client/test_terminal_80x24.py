"""At a terminal of 80 columns and 24 lines: what is asked, where the game is and what one has are always in sight."""

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
ASKED = r"(your move|wähle) \(.*\): $"
NEXT = r"What next\? $"
MORE = r"(type a command|gleich das Nächste): $"
LOOKS = 2
"""At so many places of a game all is looked at closely."""
GAMES = [
    pytest.param(meta.id, it, None if at == 0 else LOOKS, id=f"{meta.id}-{it.id}")
    for meta in list_metas()
    for at, it in enumerate(meta.editions)
    if it in (meta.editions[0], meta.editions[-1])
] + [
    pytest.param(meta.id, it, 10_000, id=f"{meta.id}-{it.id}-all", marks=pytest.mark.soak)
    for meta in list_metas()
    for it in meta.editions
]
"""A whole game of each title, and some places of one of its last edition; whole games of all when there is time."""


class AtTerminal(Output):
    """A terminal of that size before which nobody sits: whoever is asked there leaves."""

    def __init__(self, columns: int = COLUMNS, lines: int = LINES) -> None:
        super().__init__(color=False)
        self._is_terminal = True
        self.console.size = (columns, lines)

    def ask(self, prompt: str) -> str:
        sys.stdout.write(prompt)
        raise EOFError


def played(client: Client, title: str, edition: Any, players: int) -> Seat:
    """The first seat of a game that is over, in which a bot was in the place of whoever has it."""
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
@pytest.mark.parametrize(("title", "edition", "looks"), GAMES)
def test_what_is_asked_fits_below_any_board(
    title: str, edition: Any, looks: int | None, client: Client, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wherever a game stands, in both languages: board, menu, status and prompt on one screen, and whole words."""
    seat = played(client, title, edition, max(2, edition.players[0] if looks is None else edition.players[1]))
    # A seat was asked before the first event of each of its commands, and not amid them.
    first = {event.command_id: event for event in reversed([*seat.events()])}
    own = sorted(it.version - 1 for id, it in first.items() if id and it.seat == seat.number)
    if looks is not None:
        own = own[:: max(1, len(own) // looks)]
    closely = set(own[:: max(1, len(own) // LOOKS)])
    explained: list[str] = []
    with Client(address, language="de") as german:
        tables = [
            Table(Seat(it, seat.game_id, seat.number, seat.token), language)
            for language, it in (("en", client), ("de", german))
        ]
        for number, version in enumerate(own):
            table = tables[number % 2]
            table.decide_at(version, capsys)
            if version in closely:
                explained += table.look_closely(version)
    assert len(own) >= LOOKS
    assert explained
    assert not [text for text in explained if "seat." in text or "_" in text]


class Talk(PlayerSession):
    """A talk that remembers where it said that the game is."""

    status: Sequence[str] = ()

    def _status(self, legal: games_pb2.ListLegalCommandsResponse) -> list[str]:
        found = super()._status(legal)
        self.status = found
        return found


class Table:
    """A game that is over, at which somebody is asked again what was asked in it."""

    def __init__(self, seat: Seat, language: str) -> None:
        self._seat = seat
        self._words = texts(language)
        self._viewpoint = load_viewpoint(seat.client, seat.game(), language, seat.number)
        self._guide = Guide(self._viewpoint, self._words)

    def talk(self, version: int, output: Output) -> tuple[Talk, Any]:
        """The talk of that moment, and what is legal then."""
        then: Any = AtVersion(self._seat, version)
        talk = Talk(then, self._viewpoint, self._words, output, "")
        return talk, then.legal_commands(with_effects=True)

    def decide_at(self, version: int, capsys: pytest.CaptureFixture[str]) -> None:
        """See what is asked, all of it on one screen with nothing cut off."""
        talk, legal = self.talk(version, AtTerminal())
        with pytest.raises(EOFError):
            talk._decide(legal)
        screen = capsys.readouterr().out.removeprefix("\n").rstrip("\n").split("\n")
        assert max(map(cell_len, screen[:-1])) <= COLUMNS
        assert len(screen) + cell_len(screen[-1]) // COLUMNS <= LINES, "\n".join(screen)
        assert not [line for line in screen if line.rstrip().endswith("…") or "… " in line[1:]]
        assert len(status := talk.status) >= 2
        assert screen[-1] == self._words["prompt"].format(name=self._viewpoint.seat(self._seat.number))
        assert screen[-1 - len(status) : -1] == status
        assert talk._menu is not None
        shown = len(talk._menu.lines) - talk._menu.left
        assert shown >= min(len(talk._menu.lines), LINES // 4)
        more = self._words["more_below"].format(count=talk._menu.left)
        assert (more in screen) == bool(talk._menu.left)

    def look_closely(self, version: int) -> list[str]:
        """See that no word of the board or the menu is broken, and what commands are said to change."""
        talk, legal = self.talk(version, AtTerminal())
        choice = talk._choice(legal)
        assert words_at(80, draw_menu(choice.menu)) <= words_at(1000, draw_menu(choice.menu))  # which has all notes
        for view in (draw_overview, draw_table):
            board = view(choice.board)
            assert words_at(80, board) == words_at(99, board)
        return [text for it in legal.commands for text in self._guide.changes(it.effects, self._seat.number)]


def words_at(columns: int, drawn: Any) -> Counter[str]:
    """The words of what is drawn, on a terminal of that width."""
    lines = render_lines(AtTerminal(columns), drawn)
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
def test_after_a_game_it_is_verified_saved_and_played_again(environment: dict[str, str], tmp_path: Path) -> None:
    """By a key each; nothing of it is asked where nobody sits at a terminal."""
    command = [
        *PROGRAM,
        "play",
        "--name",
        "Anna",
        "--title",
        "stories",
        "--players",
        "2",
        "--choose",
        "planning=sealed",
    ]
    with Terminal(command, environment, COLUMNS, LINES, tmp_path) as terminal:
        terminal.wait_for(ASKED)
        terminal.type("resign")
        terminal.wait_for(r"\(y/n\): $")
        terminal.type("y")
        screen = terminal.wait_for(NEXT)
        assert "The game is over." in screen
        for key, seen in {
            "v": "Verified: the record passes every check.",
            "e": r"Saved: game-\w{8}\.jsonl",
            "nothing": "rematch",
        }.items():
            terminal.type(key)
            assert re.search(seen, terminal.wait_for(NEXT))
        terminal.type("r")
        assert "Place followers" in terminal.wait_for(ASKED)
        terminal.type("resign")
        terminal.wait_for(r"\(y/n\): $")
        terminal.type("y")
        terminal.wait_for(NEXT)
        terminal.type("q")
        last = terminal.wait_for(r"boardkeeper show \S+\n")
        assert max(map(cell_len, last.splitlines())) <= COLUMNS  # so that no command is broken
        again = re.search(r"boardkeeper verify (\S+)\n", last)
        assert terminal.process.wait(timeout=100) == 0
    (saved,) = tmp_path.glob("game-*.jsonl")
    first = created(saved.read_bytes())
    assert again is not None
    ran = subprocess.run(
        [*PROGRAM, "export", again[1]], env={**os.environ, **environment}, capture_output=True, check=True
    )
    second = created(ran.stdout)
    assert first["game"] != second["game"]
    for same in ("setup", "seats"):
        assert first["detail"][same] == second["detail"][same]
    assert first["detail"]["setup"]["options"]["planning"] == "sealed"


def created(record: bytes) -> Any:
    """The game and how it was made, of a record."""
    lines = [json.loads(line) for line in record.splitlines()[:2]]
    return {"game": lines[0]["game"], "detail": lines[1]["event"]["detail"]}


@pytest.mark.socket
@pytest.mark.timeout(300)
def test_everything_is_in_sight_while_somebody_plays(environment: dict[str, str]) -> None:
    command = [*PROGRAM, "play", "--name", "Anna", "--players", "2"]
    with Terminal(command, environment, columns=COLUMNS, lines=LINES) as terminal:
        screen = terminal.wait_for(ASKED)
        assert (
            "\nRound 1/18 · Planning · Place followers\nCoins 5\nScore now: Anna 5 · Bruno 5\nAnna, your move" in screen
        )
        assert "\nShip  □ Farmer  □ Boatman  □ Knight  (travel by Waterway)\n" in screen
        terminal.type("?farm house")
        screen = terminal.wait_for(ASKED)
        assert "Farm House: needs Boatman, Craftsman, recruit Farmer" in screen
        assert "Own Boatman: Market → Farm House: Boatman" in screen
        terminal.type("?4")
        screen = terminal.wait_for(ASKED)
        assert "Wagon  □ Farmer  □ Trader  □ Knight  (travel by Road)" in screen
        assert "Own Trader: Market → Wagon: Trader" in screen
        terminal.type("? no such thing")
        assert "No move contains 'no such thing'." in terminal.wait_for(ASKED)
        terminal.type("auto")
        assert "Automatic passing is off:" in terminal.wait_for(ASKED)
        terminal.type("b")
        first = terminal.wait_for(MORE)
        assert first.count("\n") <= LINES
        terminal.type("")
        assert re.search(r"Castle +□ Farmer  □ Boatman  □ Trader +recruit Knight", first + terminal.wait_for(MORE))
        terminal.type("auto")  # which is no key of the pages: it is what comes next
        assert "Automatic passing is on:" in terminal.wait_for(ASKED)
        terminal.type("+")
        assert "Finish planning" in terminal.wait_for(ASKED)
        terminal.type("+")
        assert "\nThere is no more to show.\n" in terminal.wait_for(ASKED)
        assert max(map(cell_len, terminal.screen.split("\n"))) <= COLUMNS


def talk_of(seat: Any) -> tuple[PlayerSession, Choice]:
    """A talk about a title of which little is known, and what can be chosen there."""
    talk = PlayerSession(seat, LOOK, texts("en"), Output(color=False), "")
    board = Board(table_pb2.Table(), LOOK)
    menu = build_menu(seat.legal.commands, board)
    return talk, Choice(seat.legal, board, menu, Countdown(game_pb2.Game()), scores_pb2.ScoreSheet())


def test_a_number_asks_for_that_command_whatever_else_has_the_number_in_its_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seat: Any = Passing((), [1], 0)
    seat.legal.commands.extend(command_pb2.LegalCommand(sentence=it) for it in ("Pay 12 coins.", "Build Wall 1."))
    talk, choice = talk_of(seat)
    said = {}
    for typed in ("1", "2, 1", "3", "wall", "no"):
        talk._inspection.explain(choice, typed)
        said[typed] = capsys.readouterr().out
    assert said["1"] == "    1 Pay 12 coins.\n      no immediate effect\n"
    assert said["2, 1"] == said["1"] + "    2 Build Wall 1.\n      no immediate effect\n"
    assert said["3"] == "There is no number 3: choose 1 to 2.\n"
    assert said["wall"] == "Wall 1: points: 3\n" + said["2, 1"].removeprefix(said["1"])
    assert said["no"] == "No move contains 'no'. Press Enter to see all.\n"


def test_a_long_menu_is_shown_a_page_at_a_time() -> None:
    output = AtTerminal()
    pages = Pages(list(render_lines(output, "\n".join(map(str, range(30))))))
    shown = ["".join(it.text for it in line).strip() for line in pages.next(20)]
    assert shown == [str(it) for it in range(19)]
    assert pages.left == 11
    assert len(pages.next(11)) == 11
    assert not pages.left


# --- passing by itself -----------------------------------------------------------------------------------------------

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
LOOK = Viewpoint.of(TITLE, "en", SEATS, 1)


def put(marker: str, before: int, after: int) -> effect_pb2.Effect:
    scalars = (effect_pb2.Scalar(number=before), effect_pb2.Scalar(number=after))
    return effect_pb2.Effect(set=effect_pb2.Set(marker=marker, before=scalars[0], after=scalars[1]))


def move(source: str, target: str, count: int = 1) -> effect_pb2.Effect:
    return effect_pb2.Effect(move=effect_pb2.Move(component="wine", count=count, source=source, target=target))


PASS = (put("seat.1.passed", 0, 1),)


class Passing:
    """A seat of which the others have acted last, and that can only pass."""

    def __init__(self, effects: Sequence[effect_pb2.Effect], deciding: Sequence[int], commands: int) -> None:
        self.number, self.given = 1, 0
        self._game = game_pb2.Game(deciding=deciding)
        command = command_pb2.LegalCommand(sentence="Pass.", effects=effects)
        self.legal = games_pb2.ListLegalCommandsResponse(version=7, decision="act", commands=[command] * commands)

    def game(self) -> game_pb2.Game:
        return self._game

    def legal_commands(self, **_: Any) -> games_pb2.ListLegalCommandsResponse:
        return self.legal

    def submit(self, *_: Any, **__: Any) -> Any:
        self.given += 1
        return SimpleNamespace(version=0)


@pytest.mark.parametrize(
    ("effects", "deciding", "commands", "own", "auto", "expected"),
    [
        pytest.param(PASS, [1], 1, 3, True, 1, id="all that can be done"),
        pytest.param((), [1], 1, 3, True, 1, id="with nothing to note"),
        pytest.param(PASS, [1], 1, 3, False, 0, id="switched off"),
        pytest.param(PASS, [1], 2, 3, True, 0, id="something else can be done"),
        pytest.param(PASS, [1, 2], 1, 3, True, 0, id="others decide at the same time"),
        pytest.param(PASS, [1], 1, 6, True, 0, id="what was done last could be taken back"),
        pytest.param((*PASS, move("market", "seat.1.goods")), [1], 1, 3, True, 0, id="something moves"),
        pytest.param((put("seat.1.coins", 3, 2),), [1], 1, 3, True, 0, id="it costs something"),
        pytest.param((put("seat.2.passed", 0, 1),), [1], 1, 3, True, 0, id="it is about another seat"),
        pytest.param((put("unknown", 0, 1),), [1], 1, 3, True, 0, id="nobody knows what it does"),
    ],
)
def test_what_is_all_that_can_be_done_is_done(
    effects: Sequence[effect_pb2.Effect],
    deciding: Sequence[int],
    commands: int,
    own: int,
    auto: bool,
    expected: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    seat: Any = Passing(effects, deciding, commands)
    words = texts("en")
    talk = PlayerSession(seat, LOOK, words, Output(color=False), "", auto_pass=auto)
    talk._events.own_version, talk._events.other_version = own, 5
    assert talk._pass_automatically(seat.legal) == bool(expected)
    assert seat.given == expected
    said = "Passed automatically, as it was the only move: Pass. (type auto to turn this off)\n"
    assert capsys.readouterr().out == (said if expected else "")


def test_what_could_not_be_passed_is_not_said_to_be_done(capsys: pytest.CaptureFixture[str]) -> None:
    seat: Any = Passing(PASS, [1], 1)
    seat.submit = refusing(VersionConflict("The game has moved on."))
    talk, _ = talk_of(seat)
    talk._auto_pass, talk._events.own_version, talk._events.other_version = True, 3, 5
    assert not talk._pass_automatically(seat.legal)
    assert capsys.readouterr().out == ""


def refusing(error: Exception) -> Callable[..., Any]:
    def submit(*_: Any, **__: Any) -> Any:
        raise error

    return submit


@pytest.mark.parametrize(
    ("effects", "commands", "does", "said"),
    [
        pytest.param(
            (put("seat.1.coins", 5, 0),), 1, True, "Press Enter to do it. (Coins −5)\n", id="nothing else can be done"
        ),
        pytest.param((put("seat.1.coins", 5, 0),), 2, False, "(Coins −5).\n", id="something else can be done"),
        pytest.param((move("seat.1.goods", "market"),), 2, False, "(Wine).\n", id="goods are paid, too"),
        pytest.param(
            (move("market", "seat.1.goods"), *PASS), 2, True, "Press Enter to do it.\n", id="it costs nothing"
        ),
        pytest.param((put("seat.2.coins", 5, 0),), 2, True, "Press Enter to do it.\n", id="somebody else pays"),
    ],
)
def test_a_stray_enter_pays_nothing_where_something_else_could_be_done(
    effects: Sequence[effect_pb2.Effect], commands: int, does: bool, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    talk, choice = talk_of(Passing(effects, [1], commands))
    assert (talk._explain_enter(choice, 0) == 0) == does
    assert capsys.readouterr().out.endswith(said)


def test_of_several_commands_the_one_that_does_not_go_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    seat: Any = Passing((), [1], 3)
    seat.submit = refusing(Rejected("You have no wine.", values={"index": "1"}))
    talk, choice = talk_of(seat)
    assert not talk._submit(choice, [0, 2])
    assert not talk._submit(choice, [2])
    first, second = capsys.readouterr().out.splitlines()
    assert first == "3 is not possible, so none of the moves was made: You have no wine."
    assert second == "Not possible: You have no wine."


def test_where_the_game_is_stands_above_the_prompt_again_when_others_have_acted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seat: Any = Passing((), [1], 2)
    talk, _ = talk_of(seat)
    typed = iter((None, "1"))
    news: Any = SimpleNamespace(listening=True, there=True, hear=lambda: next(typed))
    monkeypatch.setattr(talk._events, "news", news)
    monkeypatch.setattr(talk._events, "catch_up", lambda: True)
    assert talk._prompt.ask("Anna? ", lambda: False, lambda: ["Round 3", "Coins 5"]) == "1"
    assert capsys.readouterr().out == "Anna? Round 3\nCoins 5\nAnna? "


def test_what_was_typed_for_another_question_answers_none(monkeypatch: pytest.MonkeyPatch) -> None:
    seat: Any = Passing((), [1], 2)
    talk, choice = talk_of(seat)
    for is_past, typed in ((False, "1"), (True, None)):
        talk._prompt.typed_ahead = "1"
        monkeypatch.setattr(talk, "_is_past", lambda _, is_past=is_past: is_past)
        assert talk._take_typed_ahead(choice.legal_commands) == typed
        assert talk._take_typed_ahead(choice.legal_commands) == ""


def test_a_file_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    name = str(tmp_path / "game-12345678")
    assert _free(name, ".jsonl", b"a") == f"{name}.jsonl"
    Path(f"{name}.jsonl").write_bytes(b"a")
    assert _free(name, ".jsonl", b"a") == f"{name}.jsonl"
    assert _free(name, ".jsonl", b"b") == f"{name}-2.jsonl"
    Path(f"{name}-2.jsonl").mkdir()
    assert _free(name, ".jsonl", b"b") == f"{name}-3.jsonl"


# --- what is told ----------------------------------------------------------------------------------------------------


def test_changes_are_told_from_where_one_sits() -> None:
    guide = Guide(LOOK, texts("en"))
    effects = [
        put("seat.1.coins", 5, 3),
        put("seat.1.coins", 3, 2),
        move("market", "seat.1.goods", 2),
        *PASS,
        effect_pb2.Effect(draw=effect_pb2.Draw(zone="market", drawn=["?", "?"])),
    ]
    assert guide.changes(effects, 1) == ["Coins −3", "+2 Wine", "draws 2 from Market"]
    assert guide.changes(effects[:3], 2) == ["Anna: Coins −3", "2× Wine: Market → Anna: Goods"]
    assert guide.changes([move("seat.1.goods", "market")], 1) == ["Wine: → Market"]


def test_the_outcome_is_what_comes_from_others_or_goes_to_them() -> None:
    guide = Guide(LOOK, texts("en"))
    effects = [put("seat.1.coins", 5, 3), move("market", "seat.1.goods"), move("seat.1.goods", "seat.1.pot"), *PASS]
    assert guide.outcome(effects, 1) == ["Coins −2", "+1 Wine"]
    assert guide.outcome([move("seat.1.goods", "market"), put("seat.2.coins", 1, 2)], 1) == ["Wine: → Market"]


def test_a_service_that_tells_little_of_its_titles_has_a_guide_that_says_little() -> None:
    guide = Guide(Viewpoint.of(catalog_pb2.GetTitleResponse(), "en", SEATS), texts("en"))
    table = table_pb2.Table(markers=[table_pb2.Marker(id="round", value=effect_pb2.Scalar(number=3))])
    assert guide.where(table, "act") == guide.owned(table, 1) == guide.scored(scores_pb2.ScoreSheet()) == []
    assert Guide(LOOK, texts("en")).where(table, "act") == ["Round 3"]
    assert not guide.is_idle(PASS, 1)
