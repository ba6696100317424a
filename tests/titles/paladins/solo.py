"""Positions of solo games: the opponent has workers and turns the scheme that the test names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from tests.titles.paladins.kit import PaladinsGame, all_details, detail

from boardkeeper.table.effects import Event
from boardkeeper.titles.paladins import events as e
from boardkeeper.titles.paladins.data import ATTRIBUTES, WORKERS

LEFT = ("recruit", "pray", "trade", "conspire")


def create_solo_game(workers: int = 5, **choices: str) -> PaladinsGame:
    """Start seat 1's turn, with the opponent next, both without suspicion, townsfolk and workshops on the board."""
    game = PaladinsGame(2, opponent="standard", **choices).turn(1).workers(2, labourer=workers).at(0, tax=5)
    game.townsfolk(1).suspicion(1).suspicion(2)
    for area in game.opponent().right:
        for space in area.spaces:
            game.empty(space, "seat.2.workshops")
    return game


def play_turn(game: PaladinsGame, scheme: str) -> list[Event]:
    """Let seat 1 hunt and the opponent turn this scheme; return the events of the opponent's turn."""
    game.scheme(scheme)
    return play_random_turn(game)


def play_random_turn(game: PaladinsGame) -> list[Event]:
    """Let seat 1 hunt and the opponent turn a random scheme; return the events of the opponent's turn."""
    game.turn(1).workers(1, labourer=1).exactly(game.seat(1).areas["hunt"].spaces[0])
    return [event for event in game.act(1, "hunt", 1) if event.seat != 1]


def turn_scheme(game: PaladinsGame, scheme: str) -> e.SchemeTurned:
    """Play the opponent's turn with this scheme, and return the event of the scheme."""
    return detail(play_turn(game, scheme), e.SchemeTurned)


def find_targets(game: PaladinsGame, scheme: str) -> list[e.TargetChosen]:
    """Play the opponent's turn with this scheme, and return the events of its targets."""
    return all_details(play_turn(game, scheme), e.TargetChosen)


def block(game: PaladinsGame, *actions: str) -> PaladinsGame:
    """Put workers of the opponent on these actions."""
    for action in actions:
        game.occupy(2, action, *("" for _ in game.opponent().areas[action].spaces[1:]), "labourer")
    return game


def occupy_spaces(game: PaladinsGame, spaces: Sequence[str]) -> PaladinsGame:
    """Put pieces on these spaces of the main board, the player's first; the opponent keeps three."""
    sides = (game.seat(1), game.opponent())
    pieces = [(side.monk, side.monks) for side in sides for _ in range(7 if side is sides[0] else 5)]
    pieces += [(side.outpost, side.outposts) for side in sides for _ in range(7 if side is sides[0] else 6)]
    for space, (piece, source) in zip(spaces, pieces, strict=False):
        game.t.move(piece, source, game.t.space[space][1])
    game.play.recorder.clear()
    return game


def limit_supply(game: PaladinsGame, **left: int) -> PaladinsGame:
    """Leave at most these numbers of workers in the supply; move all others to the player's board."""
    for worker, count in left.items():
        in_supply = game.t.supply.items[worker]
        game.t.move(worker, game.t.supply, game.seat(1).areas["develop"].spaces[0], in_supply - count)
    game.play.recorder.clear()
    return game


def attribute_levels(game: PaladinsGame) -> dict[str, int]:
    """Return the opponent's attributes."""
    return {attribute: marker.value for attribute, marker in game.opponent().attributes.items()}


def opponent_state(game: PaladinsGame) -> Counter[str]:
    """Return the holdings of the opponent and the taxes, as numbers."""
    side = game.opponent()
    return Counter(
        {
            **attribute_levels(game),
            "workers": side.workers.total(),
            "suspicion": side.suspicion.total(),
            "unpaid": side.unpaid.total(),
            "paid": side.paid.total(),
            "field": side.field.value,
            "tax": game.t.tax.value,
        }
    )


def expected_state(before: Counter[str], gains: Iterable[str]) -> dict[str, int]:
    """Return the state of the opponent after a printed reward, by the rulebook.

    The opponent must have enough debts and suspicion, the next suspicion cards must have no tax, and its resource
    marker must not complete a lap.
    """
    state: dict[str, Any] = dict(before)
    for gain in gains:
        if gain in ATTRIBUTES:
            state[gain] = min(12, state[gain] + 1)
        elif gain in WORKERS:
            state["workers"] += 1
            state["suspicion"] += gain == "criminal"
        elif gain in ("silver", "provision"):
            state["field"] += 1
        elif gain == "tax":
            state["field"] += 1
            state["tax"] -= 1
        elif gain == "discard_suspicion":
            state["suspicion"] -= 1
        elif gain == "take_debt":
            state["unpaid"] += 1
        elif gain in ("destroy_debt", "pay_debt"):
            state["unpaid"] -= 1
            state["paid"] += gain == "pay_debt"
        else:
            assert gain == "pray", gain
            state["workers"] += 1
    return state
