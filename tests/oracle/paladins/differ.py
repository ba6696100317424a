"""Comparison of a game of Paladins with the oracle after each command."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import asdict
from tests.oracle.chance import Chance, DrawMismatchError
from tests.oracle.paladins import choosing, scoring, stock
from tests.oracle.paladins.course import LAPSED, Game, Log
from tests.oracle.paladins.sheet import begin, board_lines, sheet_lines

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Draw, Event, Move
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.meta import META
from boardkeeper.titles.paladins.play import PaladinsPlay
from boardkeeper.titles.paladins.title import TITLE

SETTLED: dict[type[Struct], str] = {
    e.SuspicionDiscarded: "discard_suspicion",
    e.DebtPaid: "pay_debt",
    e.DebtDestroyed: "destroy_debt",
}
"""Events with the reward that they settle."""
Choose = Callable[[random.Random, PaladinsPlay, int, Sequence[Struct]], Struct]


class DifferenceError(AssertionError):
    """The oracle and the title do not agree."""


def log_of(events: Sequence[Event], automaton: int, paid_with_debt: bool = False, asked: Iterable[int] = ()) -> Log:
    """Return the settled rewards and used townsfolk in events, in order."""
    settled: list[tuple[int, str]] = []
    used: list[tuple[int, str]] = []
    for event in events:
        detail = event.detail
        if isinstance(detail, e.TownsfolkUsed):
            used.append((event.seat, detail.townsfolk))
        if event.seat == automaton:
            continue
        if type(detail) in SETTLED:
            settled.append((event.seat, SETTLED[type(detail)]))
        elif isinstance(detail, e.TaxTaken):
            settled.append((event.seat, "tax_2" if detail.from_tax + detail.from_supply == 2 else "tax"))
        elif isinstance(detail, e.RewardLapsed):
            settled.append((event.seat, LAPSED + detail.reward))
        elif isinstance(detail, e.Gained) and detail.gains == ("criminal",):
            settled.append((event.seat, "criminal"))
        elif isinstance(detail, e.DebtTaken):
            if not paid_with_debt:
                settled.append((event.seat, "take_debt"))
            paid_with_debt = False
    attempts = [
        [(attempt.action, attempt.obstacle) for attempt in event.detail.tried]
        for event in events
        if isinstance(event.detail, e.SchemeTurned)
    ]
    return Log(settled, used, asked, attempts)


def chance_of(events: Iterable[Event], automaton: int) -> Chance:
    """Return the draws in events. Workers that the opponent takes and places count as draws."""
    hand, found = f"seat.{automaton}.workers", []
    for effect in (effect for event in events for effect in event.effects):
        if isinstance(effect, Draw):
            found.append((effect.zone, effect.drawn))
        elif isinstance(effect, Move) and (effect.source, effect.target) == ("supply", hand):
            found.append((stock.TAKEN, (effect.component,) * effect.count))
        elif isinstance(effect, Move) and effect.source == hand and effect.target != "supply":
            found.append((stock.PUT, (effect.component,) * effect.count))
    return Chance(found)


class Follower:
    """Compares one game with the oracle. ``compared`` counts the compared decisions and commands.

    The game can start from another layout than the title's.
    """

    def __init__(
        self, setup: Setup, seed: str, compared: Counter[str] | None = None, layout: TableLayout | None = None
    ) -> None:
        self.setup = setup
        self.story = f"{setup.players} players, {setup.options['opponent']}, seed {seed}"
        self.compared: Counter[str] = Counter() if compared is None else compared
        self.commands: list[tuple[int, Struct]] = []
        self.play: PaladinsPlay = TITLE.play(Table(layout or TITLE.layout(setup)), Dice(seed.encode()), setup)
        self.play.set_up()
        self.game = Game(begin({**setup.options, **setup.readings}, setup.players))
        self.automaton = 2 if self.game.sheet.opponent else 0
        events = self.play.recorder.take()
        chance = chance_of(events, self.automaton)
        self.game.set_up(chance)
        self._compare(chance, log_of(events, self.automaton), "set up")

    def legal(self, seat: int) -> Sequence[Struct]:
        """Return the title's legal commands, compared with the oracle's."""
        legal = self.play.legal(seat)
        expected = choosing.options(self.game.sheet, seat)
        decision = self.play.t.table.decisions[seat]
        if expected != set(legal):
            missing, extra = expected - set(legal), set(legal) - expected
            self.fail(f"seat {seat}, {decision}: legal only for the oracle: {missing}; only for the title: {extra}")
        self.compared[f"options: {decision}"] += 1
        return legal

    def do(self, seat: int, command: Struct) -> list[Event]:
        """Submit a command to the title and the oracle, and compare them."""
        self.commands.append((seat, command))
        rejection = self.play.decide(seat, command)
        if rejection is not None:
            self.fail(f"seat {seat}, {command}: {rejection}")
        events = self.play.recorder.take()
        chance = chance_of(events, self.automaton)
        asked = [at for at, decision in enumerate(self.play.t.table.decisions) if decision == "inquisition"]
        log = log_of(events, self.automaton, getattr(command, "payment", "") == "debt", asked)
        try:
            self.game.play(seat, command, chance, log)
        except DrawMismatchError as error:
            self.fail(f"seat {seat}, {command}: {error}")
        self._compare(chance, log, f"seat {seat}, {command}")
        self._compare_turns(log, events)
        if self.play.is_over():
            self._compare_scores(events)
        self.compared[type(command).__name__] += 1
        return events

    def _compare(self, chance: Chance, log: Log, what: str) -> None:
        expected = sheet_lines(self.game.sheet)
        board = self.play.board(OPERATOR)
        found = board_lines(board)
        wrong = [
            f"{name}: the oracle says {value}, the title {found.get(name)}"
            for name, value in expected.items()
            if found.get(name) != value
        ]
        wrong += [f"drawn only by the title: {chance.left()}"] if chance.left() else []
        wrong += [f"settled only by the title: {list(log.settled)}"] if log.settled else []
        wrong += [f"used only by the title: {list(log.used)}"] if log.used else []
        points = {side.seat: scoring.lines(self.game.sheet, side)["total"] for side in self.game.sheet.sides}
        wrong += [] if points == {view.seat: view.points for view in board.seats} else [f"the points are {points}"]
        wrong += log.doubts
        if wrong:
            self.fail("\n".join([what, *wrong]))

    def _compare_turns(self, log: Log, events: Iterable[Event]) -> None:
        turned = [(x.detail.scheme, x.detail.action) for x in events if isinstance(x.detail, e.SchemeTurned)]
        if turned != log.turns:
            self.fail(f"the oracle says the opponent's turns are {log.turns}, the title {turned}")
        self.compared.update(f"opponent: {action}" for _, action in turned)

    def _compare_scores(self, events: Iterable[Event]) -> None:
        scored = {x.seat: asdict(x.detail) for x in events if isinstance(x.detail, e.SeatScored)}
        if scored != self.game.sheet.scores:
            self.fail(f"the oracle's score sheets are {self.game.sheet.scores}, the title's {scored}")
        ranks = {seat: (lines["rank"], lines["total"]) for seat, lines in self.game.sheet.scores.items()}
        found = [(standing.seat, (standing.rank, standing.points)) for standing in self.play.standings()]
        if dict(found) != ranks or [rank for _, (rank, _) in found] != sorted(rank for _, (rank, _) in found):
            self.fail(f"the standings are {found}, the score sheets say {ranks}")

    def fail(self, message: str) -> None:
        """Raise an error that says how to reproduce the difference."""
        sheet = self.game.sheet
        last = "\n".join(f"  {seat}: {command}" for seat, command in self.commands[-8:])
        raise DifferenceError(
            f"{self.story}, {self.setup}\nround {sheet.round}, {sheet.phase}, command {len(self.commands)}: {message}\n"
            f"The last commands:\n{last}"
        )


def setup_of(players: int, opponent: str = "off", **choices: str) -> Setup:
    """Return a completed setup. ``choices`` are options or readings by name."""
    options = {option.id for option in META.options}
    chosen: Mapping[str, str] = {"opponent": opponent, **choices}
    return complete(
        META,
        Setup(
            "",
            players,
            {id: value for id, value in chosen.items() if id in options},
            {id: value for id, value in chosen.items() if id not in options},
        ),
    )


def choose_randomly(chance: random.Random, play: PaladinsPlay, seat: int, legal: Sequence[Struct]) -> Struct:
    """Choose a random legal command, with a low probability of passing."""
    if isinstance(legal[-1], c.Pass) and len(legal) > 1 and chance.random() < 0.8:
        return legal[int(chance.random() * (len(legal) - 1))]
    return legal[int(chance.random() * len(legal))]


def count_decisions(compared: Counter[str]) -> int:
    """Return the number of compared decisions."""
    return sum(count for what, count in compared.items() if what.startswith("options: "))


def follow_game(
    setup: Setup, seed: str, compared: Counter[str], choose: Choose = choose_randomly, layout: TableLayout | None = None
) -> Follower:
    """Play one game to its end, and compare each step."""
    chance = random.Random(seed)
    follower = Follower(setup, seed, compared, layout)
    play = follower.play
    while not play.is_over():
        seat = chance.choice(play.t.table.deciding())
        legal = follower.legal(seat)
        follower.do(seat, choose(chance, play, seat, legal))
    return follower
