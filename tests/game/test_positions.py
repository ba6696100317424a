"""Games that begin in mid-game: which records hold."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from tests.game.games import started
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


def forked(title: Title, turns: int, viewer: int = OPERATOR) -> tuple[Game, list[GameEvent]]:
    """A game of two persons that begins from a fork of another."""
    original, history = started(title=title)
    chance = Random(turns)
    for _ in range(turns):
        seat = chance.choice(original.table.deciding())
        history += give(original, seat, chance.choice(original.legal(seat)))
    fork = fork_game(Game.load(title, SECRET, history), viewer, b"chance")
    assert isinstance(fork, Fork), fork
    setup = original.created.setup
    game, events = create_game(ID, title, setup, ["person"] * 2, SECRET, "test", "", 1, fork=fork)
    game.commit(events)
    for seat in (1, 2):
        joined = game.join([seat], b"", "", 2)
        game.commit(joined)
        events += joined
    return game, events


@pytest.fixture(scope="module")
def records() -> dict[str, list[bytes]]:
    """The record of a game that began from a fork, for each title."""
    made = {}
    for title, turns in ((TINY, 5), (ORLEANS, 60)):
        game, events = forked(title, turns)
        made[title.meta.id] = record([*events, *finish_game(game, Random(1))])
    return made


# --- forks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [OPERATOR, 0, 1, 2])
@pytest.mark.parametrize("turns", range(8))
def test_a_game_from_a_fork_holds_with_its_undos(turns: int, viewer: int) -> None:
    game, events = forked(TINY, turns, viewer)
    (seat,) = game.table.deciding()
    events += give(game, seat, game.legal(seat)[0], id="taken back")
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


def beginning_with(lines: Sequence[bytes], change: Any) -> Report:
    """What an audit says of the record when its first layout is another, signed by whoever has the key."""
    return check(rewrite_event(lines, 1, lambda line: change(line["event"]["detail"]["layout"])))


@pytest.mark.parametrize("id", ["tiny", "orleans"])
def test_a_fork_of_another_table_than_the_titles_is_refused(id: str, records: dict[str, list[bytes]]) -> None:
    def without_a_zone(layout: Any) -> None:
        empty = next(at for at, zone in enumerate(layout["zones"]) if not zone[2])
        del layout["zones"][empty]

    def more_of_something(layout: Any) -> None:
        holding = next(zone for zone in layout["zones"] if zone[2])
        component = next(iter(holding[2]))
        holding[2][component] += 1

    def marked_with_a_word(layout: Any) -> None:
        next(marker for marker in layout["markers"] if isinstance(marker[1], int))[1] = "a word"

    def nobody_decides(layout: Any) -> None:
        layout["decisions"] = ["", ""]

    def nonsense_is_decided(layout: Any) -> None:
        layout["decisions"] = ["nonsense", "nonsense"]

    for change in (without_a_zone, more_of_something, marked_with_a_word, nobody_decides, nonsense_is_decided):
        report = beginning_with(records[id], change)
        assert "decided" in {level.name for level in report.levels if level.status == "fails"}, change
        assert any("the start position is not possible" in problem.message for problem in report.problems), change


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("id", ["tiny", "orleans"])
def test_any_layout_ends_in_a_verdict(id: str, seed: int, records: dict[str, list[bytes]]) -> None:
    """Also where the layout is a position of the title by chance, or nobody but the rules can tell that it is none."""
    chance = Random(seed)

    def anything(layout: Any) -> None:
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

    report = beginning_with(records[id], anything)
    assert set(statuses(report)) == set(LEVELS)
    assert report.holds != report.fails


class _Endless(TinyPlay):
    """Rules that go round and round on a table that they would never lay."""

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        while self.turn.value < 0:
            self.recorder.emit(0, CoinPassed(0))
        return super().decide(seat, command)


class _EndlessTitle(TinyTitle):
    def play(self, table: Table, dice: Dice, setup: Setup) -> TinyPlay:
        return _Endless(table, dice, setup)


def test_rules_that_a_table_sends_round_and_round_come_to_an_end(
    records: dict[str, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.game.records.TINY", _EndlessTitle())
    assert check(records["tiny"]).holds

    def before_the_beginning(layout: Any) -> None:
        layout["markers"][0][1] = -1

    report = beginning_with(records["tiny"], before_the_beginning)
    assert any("events at once" in problem.message for problem in report.problems), report.problems
