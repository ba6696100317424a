"""Comparison of the title with the oracle after each command."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from tests.oracle.chance import Chance, DrawMismatchError
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
"""Commands whose results the oracle does not know. It does not compare the table after them."""
PHASES_4_AND_5 = ("plan", "act", "deed", "bathhouse", "technology")
"""Decisions for which the oracle reads the board directly."""
ONE_PLAN_IN = 5
"""Only one of this number of plans is compared: most decisions are plans, and creating a board is slow."""


class DifferenceError(AssertionError):
    """The oracle and the title do not agree."""


def new_play(setup: Setup, seed: str) -> OrleansPlay:
    """Return a new game after the setup."""
    play: OrleansPlay = TITLE.play(Table(TITLE.layout(setup)), Dice(seed.encode()), setup)
    play.set_up()
    play.recorder.take()
    return play


def chance_of(events: Iterable[Event]) -> Chance:
    """Return the draws in events."""
    return Chance(
        (effect.zone, effect.drawn) for event in events for effect in event.effects if isinstance(effect, Draw)
    )


class Follower:
    """Compares one game with the oracle. ``compared`` counts the compared decisions and commands by name."""

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
        """The current board without hidden contents. It is cached."""
        if self._board is None:
            self._board = self.play.board(OPERATOR)
        return self._board

    def sheet(self) -> Sheet:
        """Return the oracle's copy of the current board."""
        if self._sheet is None:
            self._sheet = copy(self.board, self.choices)
        return self._sheet

    def refresh(self) -> None:
        """Clear the cached board after the table has changed."""
        self._board = self._sheet = None

    def legal(self, seat: int) -> Sequence[Struct]:
        """Return the title's legal commands. Compare them with the oracle's if it knows the decision."""
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
                self.fail(f"seat {seat}: legal only for the oracle: {missing}; legal only for the title: {extra}")
        return legal

    def do(self, seat: int, command: Struct) -> list[Event]:
        """Submit a command to the title and the oracle, and compare the tables."""
        sheet = None if isinstance(command, PLANNING) else self.sheet()
        rejection = self.play.decide(seat, command)
        if rejection is not None:
            self.fail(f"seat {seat}, {command}: {rejection}")
        events = self.play.recorder.take()
        self.refresh()
        if sheet is None:
            return events
        chance = chance_of(events)
        ends = sheet.phase == "actions" and self.board.phase != "actions"
        try:
            known = oracle.play(sheet, seat, command, chance, ends_actions=ends)
        except DrawMismatchError as error:
            self.fail(f"seat {seat}, {command}: {error}")
        if self.play.is_over():
            self._compare_standings()
        if known:
            self.compare(sheet, chance, f"seat {seat}, {command}")
            self.compared[type(command).__name__] += 1
        return events

    def compare(self, expected: Sheet, chance: Chance, what: str) -> None:
        """Compare the whole table and the draws with the oracle's."""
        found = self.sheet()
        wrong = differences(expected, found)
        wrong += [f"drawn only by the title: {chance.left()}"] if chance.left() else []
        if found.phase in ("planning", "over"):
            wrong += totals.wrong_totals(self.board, self.edition)
            wrong += totals.wrong_derived_fields(self.board, found)
        if wrong:
            self.fail("\n".join([what, *wrong]))

    def _compare_standings(self) -> None:
        """Check that the standings agree with the score sheet, best first."""
        lines = self.board.scores
        best_first = sorted((line.rank, line.seat, line.total) for line in lines)
        found = [(standing.rank, standing.seat, standing.points) for standing in self.play.standings()]
        if sorted(found) != best_first or [rank for rank, _, _ in found] != [rank for rank, _, _ in best_first]:
            self.fail(f"the standings are {found}, the score sheet says {best_first}")

    def fail(self, message: str) -> None:
        """Raise an error that says how to reproduce the difference."""
        board, glass = self.board, self.board.hour_glass
        where = f"round {board.round}, {glass.event} {glass.strength}, {board.phase}"
        raise DifferenceError(f"{self.story}, {where}: {message}")


def setup_of(edition: str, players: int, **choices: str) -> Setup:
    """Return a completed setup. ``choices`` are options or readings by name."""
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
    """Play one game of bots to its end, and compare each step."""
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
