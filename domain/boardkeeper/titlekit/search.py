"""A search bot for every title: it tries commands in possible worlds and continues each with the title's policy.

The search is a rollout algorithm (Tesauro, Galperin 1996) with sequential halving (Karnin, Koren, Somekh 2013). It
draws *worlds*: tables that look like the real one to the seat, with hidden information and dice drawn at random. In
each world it carries out each candidate command, lets the policy play all seats for a while, and evaluates the table.
After each stage the better half of the candidates remains and gets more worlds. All candidates see the same worlds with
the same dice, so that luck affects them alike. The search departs from the policy's choice only if another command is
better by more than chance explains.

The search knows only what the seat sees: everything else is drawn again in each world. The same table and seed give the
same command.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt, tanh

from msgspec import Struct

from boardkeeper.table.search_dice import KeyedDice, SearchDice, scramble
from boardkeeper.table.table import Table
from boardkeeper.table.table_values import TableValues, ValueStore
from boardkeeper.titlekit.hidden_information import redraw_hidden
from boardkeeper.titlekit.policies import policy_of
from boardkeeper.titlekit.scores import points_now
from boardkeeper.titlekit.title import Play, Setup, Title

_MIN_WORLDS = 3
"""With fewer worlds the search does not depart from the policy's choice."""

_SCALE = 15.0
"""A lead of this many points is worth three quarters of a certain win."""


class SearchLimits(Struct, frozen=True):
    """The effort for one decision.

    ``rollouts`` is the number of rollouts. ``candidates`` is the number of commands that the search compares, those
    with the best scores of the policy; without a policy it compares more, at random. A rollout ends when the stage of
    the game (:attr:`CommandPolicy.stage`) has changed ``stages`` times; 0: at the end of the game. ``doubt`` is the
    number of standard errors by which a command must be better than the policy's choice.
    """

    rollouts: int = 64
    candidates: int = 6
    stages: int = 1
    doubt: float = 1.0


class Searcher:
    """The rules of a setup, bound to a table of the search, for decisions of any game with this setup."""

    def __init__(self, title: Title, setup: Setup, table: Table) -> None:
        """``table`` is any table of a game with this setup. It is copied."""
        self._title = title
        self._policy = policy_of(title)
        self._dice = KeyedDice()
        self._table = table.copy()
        self._play = title.play(self._table, self._dice, setup)
        self._store = ValueStore(self._table)
        self.rollouts = 0
        """The number of rollouts so far."""

    def fits(self, table: Table) -> bool:
        """Return whether the values of a table fit this searcher: the table has the same zones and markers."""
        return self._table.zones.index is table.zones.index and self._table.markers.index is table.markers.index

    def choose(
        self, values: TableValues, seat: int, commands: Sequence[Struct], seed: int, limits: SearchLimits
    ) -> int:
        """Return the index of the best of at least two legal commands. ``values`` are those of the game's table.

        Returns the policy's choice if the title cannot draw what the seat does not see.
        """
        order = self._by_policy(values, seat, commands, seed)
        left = order[: limits.candidates if self._policy else max(limits.candidates, limits.rollouts // 4)]
        first = left[0]
        results: dict[int, list[float]] = {candidate: [] for candidate in left}
        stages = max((len(left) - 1).bit_length(), 1)
        worlds = 0
        for stage in range(stages):
            for _ in range(max(limits.rollouts // stages // len(left), 1)):
                worlds += 1
                if not self._draw_world(values, seat, seed, worlds):
                    return first
                world = self._store.save()
                for candidate in left:
                    self._dice.restart(scramble(seed ^ worlds))
                    results[candidate].append(self._roll_out(seat, commands[candidate], limits.stages))
                    self._play.recorder.clear()
                    self._store.load(world)
            if stage < stages - 1:
                # All candidates that are left were tried equally often. The policy's choice stays, for comparison.
                others = sorted((it for it in left if it != first), key=lambda it: -sum(results[it]))
                left = [first, *others[: max((len(left) - 1) // 2, 1)]]
        doubt = limits.doubt if self._policy else 0.0
        return max(left, key=lambda it: _lower_bound(results[it], results[first], doubt))

    def _draw_world(self, values: TableValues, seat: int, seed: int, number: int) -> bool:
        """Set the table to a possible world; return false if the title cannot draw one."""
        self._store.load(values)
        if redraw_hidden(self._title, self._play, seat, SearchDice(scramble(seed + number))) is not None:
            return False
        self._play.recorder.clear()
        return True

    def _by_policy(self, values: TableValues, seat: int, commands: Sequence[Struct], seed: int) -> list[int]:
        """Return the indexes of the commands, that with the best score first; without a policy in random order."""
        indexes = list(range(len(commands)))
        if self._policy is None:
            return sorted(indexes, key=lambda it: scramble(seed ^ scramble(it)))
        if not self._draw_world(values, seat, seed, 0):
            return indexes
        scores = self._policy.scores(self._play, seat, commands)
        return sorted(indexes, key=lambda it: -scores[it])

    def _roll_out(self, seat: int, command: Struct, stages: int) -> float:
        """Carry out a command, play on, and return the result for the seat, from -1 to 1."""
        self.rollouts += 1
        play = self._play
        stage = self._policy.stage if self._policy and stages else None
        end = stage(play) + stages if stage else 0
        rejection = play.decide(seat, command)
        while rejection is None and not play.is_over():
            if stage is not None and stage(play) >= end:
                assert self._policy is not None
                return self._lead(seat, self._policy.evaluate(play))
            deciding = play.table.deciding()[0]
            rejection = play.decide(deciding, self._continue(play, deciding))
        if rejection is not None:
            raise RuntimeError(f"a legal command was rejected: {rejection}")
        lead = self._lead(seat, points_now(play))
        ranks = {it.seat: it.rank for it in play.standings()}
        others = [rank for each, rank in ranks.items() if each != seat] or [ranks[seat]]
        won = sum((ranks[seat] < rank) - (ranks[seat] > rank) for rank in others) / len(others)
        return (won + lead) / 2

    def _continue(self, play: Play, seat: int) -> Struct:
        """Return the command of a rollout."""
        commands = play.legal(seat)
        if len(commands) == 1:
            return commands[0]
        if self._policy is None:
            return commands[self._dice.number("rollout", 0, len(commands))]
        scores = self._policy.scores(play, seat, commands)
        return commands[scores.index(max(scores))]

    @staticmethod
    def _lead(seat: int, points: Sequence[float]) -> float:
        """Return how far a seat leads, from -1 to 1."""
        others = [each for at, each in enumerate(points, 1) if at != seat]
        return tanh((points[seat - 1] - (max(others) if others else 0.0)) / _SCALE)


def _lower_bound(results: Sequence[float], others: Sequence[float], doubt: float) -> float:
    """Return how much better results are than others in the same worlds, less ``doubt`` standard errors."""
    differences = [one - other for one, other in zip(results, others, strict=False)]
    count = len(differences)
    mean = sum(differences) / count
    if count < _MIN_WORLDS:
        return mean if doubt == 0.0 else min(mean, 0.0)
    variance = sum((it - mean) ** 2 for it in differences) / (count - 1)
    return mean - doubt * sqrt(variance / count)
