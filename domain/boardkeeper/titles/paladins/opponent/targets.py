"""Targets of the opponent (cards by its resource marker, spaces by their rewards), and obstacles to its actions.

Source: paladins.opponent.track.selects, paladins.opponent.pieces.*, paladins.opponent.turn.possible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from boardkeeper.table.zones import Pile, free_spaces
from boardkeeper.titles.paladins.data import WORKERS, Space
from boardkeeper.titles.paladins.events import Attempt
from boardkeeper.titles.paladins.material import LEFT_OF_OPPONENT, Opponent, Paladins

PAY_DEBT = ("pay_debt",)
"""Reward of a space that has an effect only with an unpaid debt."""


class Target(NamedTuple):
    """A card, its place (from 0), and the places skipped before it."""

    card: str
    at: int
    passed_over: tuple[Attempt, ...]


def find_townsfolk(t: Paladins, opponent: Opponent) -> Target | None:
    """Return the townsfolk at the resource marker, or the next on display."""
    return _find_first(t, opponent, t.townsfolk, lambda _: "")


def find_outsider(t: Paladins, opponent: Opponent, attribute: str) -> Target | None:
    """Return the outsider at the resource marker, or the next one, that the opponent's attribute level reaches."""
    flags, level = t.data.flags[attribute], opponent.attributes[attribute].value
    return _find_first(t, opponent, t.outsiders, lambda at: "" if flags[at] <= level else "attribute")


def find_favour(t: Paladins, opponent: Opponent) -> Target | None:
    """Return the unused favour at the resource marker, or the next unused one."""
    return _find_first(t, opponent, t.favours, lambda at: "used" if t.favour_workers[at].items else "")


def _find_first(t: Paladins, opponent: Opponent, row: tuple[Pile, ...], why_not: Callable[[int], str]) -> Target | None:
    """Return the first possible card, from the marker to the right, then from the left, or ``None``.

    ``why_not`` returns the obstacle at an index of the row, or an empty string.
    """
    first = opponent.field.value - 1
    skipped: list[Attempt] = []
    for at in (*range(first, len(row)), *range(first)):
        card = t.card_at(row, at)
        obstacle = why_not(at) if card else "not_there"
        if not obstacle:
            return Target(card, at, tuple(skipped))
        skipped.append(Attempt(card or str(at + 1), obstacle))
    return None


# --- spaces of the main board -----------------------------------------------------------------------------------------


def reward_kinds(space: Space) -> tuple[str, ...]:
    """Return the rewards of a space as the opponent's priorities name them: every worker is ``worker``."""
    return tuple("worker" if gain in WORKERS else gain for gain in space.gains)


def choose_space(t: Paladins, opponent: Opponent, attribute: str) -> Space:
    """Return the free space with the reward of highest priority, the leftmost of several.

    Without an unpaid debt, it takes a space that pays a debt only if no other space is free.
    Source: paladins.opponent.pieces.priority, .no_debt.
    """
    free = t.free_spaces(t.data.flags[attribute], opponent.attributes[attribute].value)
    for wanted in t.data.space_priority:
        if wanted == PAY_DEBT and not opponent.unpaid.items:
            continue
        for each in free:
            if reward_kinds(each) == wanted:
                return each
    return free[0]


# --- obstacles ------------------------------------------------------------------------------------------------------


def find_obstacle(t: Paladins, opponent: Opponent, action: str) -> str:
    """Return why the opponent, which has at least one worker, cannot carry out an action; empty if it can.

    It pays no silver and no provisions.
    """
    if action == "favour":
        return "" if find_favour(t, opponent) else "no_target"
    area = opponent.areas[action]
    if not area.is_open():
        return "occupied"
    if opponent.workers.total() < len(free_spaces(area.spaces)):
        return "workers"
    if action in LEFT_OF_OPPONENT:
        return "no_target" if action == "recruit" and not find_townsfolk(t, opponent) else ""
    return _find_right_obstacle(t, opponent, action)


def _find_right_obstacle(t: Paladins, opponent: Opponent, action: str) -> str:
    done = opponent.times(action)
    if action != "attack" and done == t.data.pieces:
        return "no_piece"
    attribute = t.data.actions[action].needs
    match action:
        case "commission" | "garrison":
            free = t.first_free_space()
            has_target, needs = free is not None, t.data.flags[attribute][free.region - 1] if free else 0
        case "fortify":
            has_target, needs = bool(t.walls.items), t.data.actions["fortify"].thresholds[done]
        case "absolve":
            has_target, needs = True, t.data.jar_numbers[done]
        case _:
            if find_outsider(t, opponent, attribute):
                return ""
            return "attribute" if any(place.items for place in t.outsiders) else "no_target"
    if not has_target:
        return "no_target"
    return "" if opponent.attributes[attribute].value >= needs else "attribute"
