"""Both sides together: a title's play followed step by step, and every difference to the oracle reported."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from tests.oracle.chance import AstrayError, Chance
from tests.oracle.orleans import choosing, totals
from tests.oracle.orleans import play as oracle
from tests.oracle.orleans.sheet import Sheet, copy, differences

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Draw, Event
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.title import TITLE

PLANNING = (c.PlaceFollower, c.WithdrawFollower, c.FinishPlanning, c.PlaceDrawnFollower, c.FinishDeeds)
"""Commands that the oracle does not know: their tables are not looked at."""
PHASES_4_AND_5 = ("plan", "act", "deed", "bathhouse", "technology")
"""Decisions that the oracle judges by the board itself."""
ONE_PLAN_IN = 5
"""How often the oracle looks at what may be planned: plans are most of a game, and boards take time to draw up."""


class DifferenceError(AssertionError):
    """The oracle and the title do not agree."""


def new_play(setup: Setup, seed: str) -> OrleansPlay:
    """A table that is laid."""
    play: OrleansPlay = TITLE.play(Table(TITLE.layout(setup)), Dice(seed.encode()), setup)
    play.set_up()
    play.recorder.take()
    return play


def chance_of(events: Iterable[Event]) -> Chance:
    """The draws of a log."""
    return Chance(
        (effect.zone, effect.drawn) for event in events for effect in event.effects if isinstance(effect, Draw)
    )


class Follower:
    """Follows one play. ``compared`` counts, by the decision and the command, what the oracle had an opinion on."""

    def __init__(self, play: OrleansPlay, setup: Setup, story: str, compared: Counter[str] | None = None) -> None:
        self.play = play
        self.choices = {**setup.options, **setup.readings}
        self.story = story
        self.compared: Counter[str] = Counter() if compared is None else compared
        self.edition = setup.edition
        self._plans = 0
        self._board: Board | None = None
        self._sheet: Sheet | None = None

    @property
    def board(self) -> Board:
        """The board as it is, with nothing hidden; drawn up when somebody looks at it."""
        if self._board is None:
            self._board = self.play.board(OPERATOR)
        return self._board

    def sheet(self) -> Sheet:
        """The oracle's copy of the board as it is."""
        if self._sheet is None:
            self._sheet = copy(self.board, self.choices)
        return self._sheet

    def look_again(self) -> None:
        """The table has changed."""
        self._board = self._sheet = None

    def legal(self, seat: int) -> Sequence[Struct]:
        """The title's legal commands, compared with the oracle's where it has any."""
        legal = self.play.legal(seat)
        decision = self.play.t.table.decisions[seat]
        if decision == "plan":
            self._plans += 1
            if self._plans % ONE_PLAN_IN:
                return legal
        if decision in PHASES_4_AND_5:
            expected = choosing.options(self.board, seat, self.choices)
        else:
            expected = oracle.options(self.sheet(), seat)
        if expected is not None:
            self.compared[f"options: {decision}"] += 1
            if expected != set(legal):
                missing, extra = expected - set(legal), set(legal) - expected
                self.fail(f"seat {seat} may choose, says the oracle alone: {missing}; the title alone: {extra}")
        return legal

    def do(self, seat: int, command: Struct) -> list[Event]:
        """Give a command to the title, let the oracle do the same, and compare the tables."""
        judged = not isinstance(command, PLANNING)
        sheet = self.sheet() if judged else None
        rejection = self.play.decide(seat, command)
        if rejection is not None:
            self.fail(f"seat {seat}, {command}: {rejection}")
        events = self.play.recorder.take()
        self.look_again()
        if sheet is None:
            return events
        chance = chance_of(events)
        ends = sheet.phase == "actions" and self.board.phase != "actions"
        try:
            known = oracle.play(sheet, seat, command, chance, ends_actions=ends)
        except AstrayError as error:
            self.fail(f"seat {seat}, {command}: {error}")
        if self.play.is_over():
            self._compare_standings()
        if known:
            self.compare(sheet, chance, f"seat {seat}, {command}")
            self.compared[type(command).__name__] += 1
        return events

    def compare(self, expected: Sheet, chance: Chance, what: str) -> None:
        """The whole table and the draws: everything as the oracle expected it."""
        found = self.sheet()
        wrong = differences(expected, found)
        wrong += [f"drawn by the title alone: {chance.left()}"] if chance.left() else []
        if found.phase in ("planning", "over"):
            wrong += totals.wrong(self.board, self.edition)
            wrong += totals.disagreeing(self.board, found)
        if wrong:
            self.fail("\n".join([what, *wrong]))

    def _compare_standings(self) -> None:
        """The result as others see it: best first, as the score sheet says."""
        lines = self.board.scores
        best_first = sorted((line.rank, line.seat, line.total) for line in lines)
        found = [(standing.rank, standing.seat, standing.points) for standing in self.play.standings()]
        if sorted(found) != best_first or [rank for rank, _, _ in found] != [rank for rank, _, _ in best_first]:
            self.fail(f"the standings are {found}, the score sheet says {best_first}")

    def fail(self, message: str) -> None:
        """Raise, with the way to get here again."""
        board, glass = self.board, self.board.hour_glass
        where = f"round {board.round}, {glass.event} {glass.strength}, {board.phase}"
        raise DifferenceError(f"{self.story}, {where}: {message}")


def setup_of(edition: str, players: int, **choices: str) -> Setup:
    """A completed setup; ``choices`` are options or readings by name."""
    options = {option.id for option in TITLE.meta.options}
    return complete(
        TITLE.meta,
        Setup(
            edition,
            players,
            {id: value for id, value in choices.items() if id in options},
            {id: value for id, value in choices.items() if id not in options},
        ),
    )


def follow_game(setup: Setup, bots: Sequence[str], seed: str, compared: Counter[str]) -> Follower:
    """Play one game with bots in all seats to its end, the oracle following."""
    chooser = random.Random(seed)
    play = new_play(setup, seed)
    follower = Follower(play, setup, f"{setup.edition}, {'/'.join(bots)}, seed {seed}", compared)
    while not play.is_over():
        seat = chooser.choice(play.t.table.deciding())
        legal = follower.legal(seat)
        if bots[seat - 1] == "random":
            command = chooser.choice(legal)
        else:
            command = ask_bot(TITLE, setup, play.table, bots[seat - 1], seat, legal, chooser.random())
        follower.do(seat, command)
    return follower
