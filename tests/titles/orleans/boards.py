"""Operator's boards of real games, to begin from and to spoil."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random
from typing import Any

import msgspec
from tests.titles.orleans.playouts import META, Playout

from boardkeeper.game.choices import complete
from boardkeeper.table.title import Setup
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.data import Options
from boardkeeper.titles.orleans.material import Orleans

Wanted = Callable[[Orleans], bool]


def setup_of(players: int, edition: str = "", **choices: str) -> Setup:
    """A setup with these options and readings."""
    options = {name: choice for name, choice in choices.items() if name in Options.__struct_fields__}
    readings = {name: choice for name, choice in choices.items() if name not in options}
    return complete(META, Setup(edition, players, options, readings))


def anything(t: Orleans) -> bool:
    """Whatever comes first."""
    return True


@lru_cache(maxsize=64)
def _reached(phase: str, decision: str, wanted: Wanted, players: int, choices: tuple[tuple[str, str], ...]) -> Playout:
    setup = setup_of(players, **dict(choices))
    for seed in range(40):
        game = Playout(seed, setup)
        while not game.play.is_over():
            game.step()
            t = game.play.t
            if t.phase.value == phase and decision in game.table.decisions and wanted(t):
                return game
    raise AssertionError(f"no game came to {decision} in phase {phase}")


def reached(
    phase: str, decision: str, wanted: Wanted = anything, players: int = 3, **choices: str
) -> tuple[Setup, Board]:
    """The first board of some random game on which a seat has that decision open, and its setup."""
    game = _reached(phase, decision, wanted, players, tuple(choices.items()))
    return game.setup, game.play.board(OPERATOR)


def as_json(board: Board, random: Random | None = None) -> bytes:
    """A board as JSON; with ``random`` the entries of its objects in another order."""
    return msgspec.json.encode(_shuffled(msgspec.to_builtins(board), random) if random else board)


def _shuffled(value: Any, random: Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: _shuffled(value[key], random) for key in keys}
    if isinstance(value, (list, tuple)):
        return [_shuffled(entry, random) for entry in value]
    return value


class Sheet:
    """A board as plain values that a test may change; paths: ``seats.1.coins``, ``deeds.astronomy.citizen``."""

    def __init__(self, board: Board) -> None:
        self.values: Any = msgspec.json.decode(msgspec.json.encode(board))

    def board(self) -> Board:
        """The board as it is now."""
        return msgspec.convert(self.values, Board)

    def _holder(self, path: str) -> tuple[Any, Any]:
        *steps, last = path.split(".")
        at = self.values
        for step in steps:
            at = at[_key(at, step)]
        return at, _key(at, last)

    def get(self, path: str) -> Any:
        """What stands there."""
        at, key = self._holder(path)
        return at[key]

    def set(self, path: str, value: Any) -> Sheet:
        """Write something there."""
        at, key = self._holder(path)
        at[key] = value
        return self

    def add(self, path: str, count: int) -> Sheet:
        """Add to a number; one that is not there yet counts as 0."""
        at, key = self._holder(path)
        at[key] = (at.get(key, 0) if isinstance(at, dict) else at[key]) + count
        return self

    def move(self, component: str, source: str, target: str, count: int = 1) -> Sheet:
        """Let components lie elsewhere; where they lie in a bag, its count follows."""
        for path, change in ((source, -count), (target, count)):
            pile = self.get(path)
            pile[component] = pile.get(component, 0) + change
            if path.endswith(".bag"):
                self.add(path.replace(".bag", ".bag_count"), change)
        return self

    def spaces(self, seat: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every action space of a seat with its path."""
        for place in self.get(f"seats.{seat}.places"):
            for space in place["spaces"]:
                yield f"seats.{seat}.places.{place['place']}.spaces.{space['space']}", space


def _key(at: Any, step: str) -> Any:
    """Lists are entered by the first field of their entries: the seat's number, the id of a place."""
    if isinstance(at, list):
        return next(index for index, entry in enumerate(at) if str(next(iter(entry.values()))) == step)
    return step
