"""The opponent on a table of a test's making: it has workers, and turns the scheme that the test names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from tests.titles.paladins.kit import PaladinsGame

from boardkeeper.table.effects import Event
from boardkeeper.titles.paladins.data import ATTRIBUTES, WORKERS

LEFT = ("recruit", "pray", "trade", "conspire")


def solo(workers: int = 5, **choices: str) -> PaladinsGame:
    """Seat 1 acts, the opponent next; neither has suspicion, debts, townsfolk, workshops or pieces on the board."""
    game = PaladinsGame(2, opponent="standard", **choices).turn(1).workers(2, labourer=workers).at(0, tax=5)
    game.hired(1).suspicion(1).suspicion(2)
    for area in game.opponent().right:
        for space in area.spaces:
            game.empty(space, "seat.2.workshops")
    return game


def turn(game: PaladinsGame, scheme: str) -> list[Event]:
    """Seat 1 hunts, and the opponent turns this scheme; the events of its turn."""
    game.scheme(scheme)
    return any_turn(game)


def any_turn(game: PaladinsGame) -> list[Event]:
    """Seat 1 hunts, and the opponent turns a scheme; the events of its turn."""
    game.turn(1).workers(1, labourer=1).exactly(game.seat(1).areas["hunt"].spaces[0])
    return [event for event in game.act(1, "hunt", 1) if event.seat != 1]


def blocked(game: PaladinsGame, *actions: str) -> PaladinsGame:
    """Let workers of the opponent stand on these actions."""
    for action in actions:
        game.occupied(2, action, *("" for _ in game.opponent().areas[action].spaces[1:]), "labourer")
    return game


def occupy(game: PaladinsGame, spaces: Sequence[str]) -> PaladinsGame:
    """Let pieces stand on these spaces of the main board, the player's first; three of the opponent's are kept."""
    sides = (game.seat(1), game.opponent())
    pieces = [(side.monk, side.monks) for side in sides for _ in range(7 if side is sides[0] else 5)]
    pieces += [(side.outpost, side.outposts) for side in sides for _ in range(7 if side is sides[0] else 6)]
    for space, (piece, source) in zip(spaces, pieces, strict=False):
        game.t.move(piece, source, game.t.space[space][1])
    game.play.recorder.clear()
    return game


def scarce(game: PaladinsGame, **left: int) -> PaladinsGame:
    """Let no more than so many of these workers be left in the supply; all others stand on the player's board."""
    for worker, count in left.items():
        there = game.t.supply.items[worker]
        game.t.move(worker, game.t.supply, game.seat(1).areas["develop"].spaces[0], there - count)
    game.play.recorder.clear()
    return game


def levels(game: PaladinsGame) -> dict[str, int]:
    """The opponent's attributes."""
    return {attribute: marker.value for attribute, marker in game.opponent().attributes.items()}


def state(game: PaladinsGame) -> Counter[str]:
    """What the opponent has, and the taxes, as numbers."""
    side = game.opponent()
    return Counter(
        {
            **levels(game),
            "workers": side.workers.total(),
            "suspicion": side.suspicion.total(),
            "unpaid": side.unpaid.total(),
            "paid": side.paid.total(),
            "field": side.field.value,
            "tax": game.t.tax.value,
        }
    )


def after(before: Counter[str], gains: Iterable[str]) -> dict[str, int]:
    """What the opponent has after a printed reward, by the rulebook.

    It had debts and suspicion enough, the suspicion cards to be drawn take nothing, and no lap of its marker is full.
    """
    now: dict[str, Any] = dict(before)
    for gain in gains:
        if gain in ATTRIBUTES:
            now[gain] = min(12, now[gain] + 1)
        elif gain in WORKERS:
            now["workers"] += 1
            now["suspicion"] += gain == "criminal"
        elif gain in ("silver", "provision"):
            now["field"] += 1
        elif gain == "tax":
            now["field"] += 1
            now["tax"] -= 1
        elif gain == "discard_suspicion":
            now["suspicion"] -= 1
        elif gain == "take_debt":
            now["unpaid"] += 1
        elif gain in ("destroy_debt", "pay_debt"):
            now["unpaid"] -= 1
            now["paid"] += gain == "pay_debt"
        else:
            assert gain == "pray", gain
            now["workers"] += 1
    return now
