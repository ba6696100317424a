"""Check an installed wheel: its rules are compiled, and a game of every title can be played to its end.

cibuildwheel runs it in an environment with the wheel and its dependencies only (`test-command` in pyproject.toml).
"""

from __future__ import annotations

import sys

from boardkeeper import engine
from boardkeeper.table import zones


def main() -> int:
    """Play one game of every title; returns 1 for interpreted rules."""
    if zones.__file__.endswith(".py"):
        print("the wheel has no compiled rules", file=sys.stderr)
        return 1
    for title in engine.titles():
        game = engine.create(title.id, 2, seed=1)
        turns = 0
        while not game.is_over:
            seat = game.to_move[0]
            commands = game.legal(seat)
            game.submit(seat, game.suggest(seat) if turns % 2 else commands[turns * 7919 % len(commands)])
            turns += 1
        print(f"{title.id}: {turns} commands")
    return 0


if __name__ == "__main__":
    sys.exit(main())
