"""Records of games that start from a fork, with valid and hostile layouts."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from tests.game.games import join_all, start
from tests.game.records import ORLEANS, check
from tests.service.tiny_title import TINY, CoinPassed, DrawPearl, TinyPlay, TinyTitle

from boardkeeper.game.audit import HOLDS, LEVELS, Report
from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.forking import Fork, fork_game
from boardkeeper.game.game import Game
from boardkeeper.table.dice import Dice
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.testkit.games import ID, SECRET, finish_game, give, record, rewrite_event, statuses, undo
from boardkeeper.titlekit.title import Setup, Title

ALL_HOLD = dict.fromkeys(LEVELS, HOLDS)


def start_from_fork(title: Title, turns: int, viewer: int = OPERATOR) -> tuple[Game, list[GameEvent]]:
    """Start a game of two persons from a fork of another game after some turns."""
    original, history = start(title=title)
    chance = Random(turns)
    for _ in range(turns):
        seat = chance.choice(original.table.deciding())
        history += give(original, seat, chance.choice(original.legal(seat)))
    fork = fork_game(Game.load(title, SECRET, history), viewer, b"chance")
    assert isinstance(fork, Fork), fork
    setup = original.created.setup
    game, events = create_game(ID, title, setup, ["person"] * 2, SECRET, "test", "", 1, fork=fork)
    game.commit(events)
    join_all(game, events)
    return game, events


@pytest.fixture(scope="module")
def records() -> dict[str, list[bytes]]:
    """The record of a game that started from a fork, by title."""
    found = {}
    for title, turns in ((TINY, 5), (ORLEANS, 60)):
        game, events = start_from_fork(title, turns)
        found[title.meta.id] = record([*events, *finish_game(game, Random(1))])
    return found


# --- forks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [OPERATOR, 0, 1, 2])
@pytest.mark.parametrize("turns", range(8))
def test_the_record_of_a_fork_with_undos_is_valid(turns: int, viewer: int) -> None:
    game, events = start_from_fork(TINY, turns, viewer)
    (seat,) = game.table.deciding()
    events += give(game, seat, game.legal(seat)[0], id="undone")
    undo(game, events, seat, "back")
    (seat,) = game.table.deciding()
    if DrawPearl() in game.legal(seat):
        events += give(game, seat, DrawPearl(), id="voted on")
        undo(game, events, seat, "back by vote")
    events += finish_game(game, Random(turns))
    assert Game.load(TINY, SECRET, events).table.contents() == game.table.contents()
    report = check(record(events))
    assert statuses(report) == ALL_HOLD, report.problems


# --- hostile layouts ---------------------------------------------------------------------------------------------


def check_with_layout(lines: Sequence[bytes], change: Any) -> Report:
    """Audit a record with a changed and correctly signed initial layout."""
    return check(rewrite_event(lines, 1, lambda line: change(line["event"]["detail"]["layout"])))


@pytest.mark.parametrize("id", ["tiny", "orleans"])
def test_an_impossible_initial_layout_is_rejected(id: str, records: dict[str, list[bytes]]) -> None:
    def remove_zone(layout: Any) -> None:
        empty = next(at for at, zone in enumerate(layout["zones"]) if not zone[2])
        del layout["zones"][empty]

    def add_component(layout: Any) -> None:
        contents = next(zone for zone in layout["zones"] if zone[2])[2]
        contents[next(iter(contents))] += 1

    def set_number_to_text(layout: Any) -> None:
        next(marker for marker in layout["markers"] if isinstance(marker[1], int))[1] = "a word"

    def remove_decisions(layout: Any) -> None:
        layout["decisions"] = ["", ""]

    def set_unknown_decisions(layout: Any) -> None:
        layout["decisions"] = ["nonsense", "nonsense"]

    for change in (remove_zone, add_component, set_number_to_text, remove_decisions, set_unknown_decisions):
        report = check_with_layout(records[id], change)
        assert "decided" in {level.name for level in report.levels if level.status == "fails"}, change
        assert any("the start position is not possible" in problem.message for problem in report.problems), change


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("id", ["tiny", "orleans"])
def test_audits_with_random_layouts_do_not_raise(id: str, seed: int, records: dict[str, list[bytes]]) -> None:
    """Some of these layouts are valid, and some are invalid only under the rules of the title."""
    chance = Random(seed)

    def change_randomly(layout: Any) -> None:
        for _ in range(chance.randint(1, 3)):
            zone, other = chance.sample(layout["zones"], 2)
            match chance.randrange(7):
                case 0:
                    chance.choice(layout["markers"])[1] = chance.choice([-1, 1, 7, 999_999_999, -999_999_999, "", "x"])
                case 1:
                    subject, visibility = chance.choice([(zone, 1), (chance.choice(layout["markers"]), 2)])
                    subject[visibility] = chance.choice(["seat.1", "nobody", "public", "secret.16"])
                case 2:
                    zone[2], other[2] = other[2], zone[2]
                case 3:
                    layout["decisions"] = [chance.choice(["", "turn", "plan", "act", "draw", "x"]) for _ in range(2)]
                case 4:
                    zone[3] = not zone[3]
                case 5:
                    zone[4] = chance.choice([0, 1, 999_999_999])
                case _:
                    zone[5] = ["coin"] * chance.randint(0, 9)

    report = check_with_layout(records[id], change_randomly)
    assert set(statuses(report)) == set(LEVELS)
    assert report.holds != report.fails


class _Endless(TinyPlay):
    """Rules with an endless loop on an impossible table."""

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        while self.turn.value < 0:
            self.recorder.emit(0, CoinPassed(0))
        return super().decide(seat, command)


class _EndlessTitle(TinyTitle):
    def play(self, table: Table, dice: Dice, setup: Setup) -> TinyPlay:
        return _Endless(table, dice, setup)


def test_endless_loops_of_rules_are_stopped(records: dict[str, list[bytes]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.game.records.TINY", _EndlessTitle())
    assert check(records["tiny"]).holds

    def set_negative_turn(layout: Any) -> None:
        layout["markers"][0][1] = -1

    report = check_with_layout(records["tiny"], set_negative_turn)
    assert any("events at once" in problem.message for problem in report.problems), report.problems
