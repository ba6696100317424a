"""What the opponent goes for: cards by its resource marker, spaces of the main board by their rewards.

Source: paladins.opponent.track.selects, paladins.opponent.pieces.*.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from boardkeeper.table.zones import Pile
from boardkeeper.titles.paladins.data import WORKERS, Space
from boardkeeper.titles.paladins.events import Attempt
from boardkeeper.titles.paladins.material import Opponent, Paladins

PAY_DEBT = ("pay_debt",)
"""What a space gives that is of use only to who has an unpaid debt."""


class Found(NamedTuple):
    """A card and its place (from 0), and what was passed over before."""

    card: str
    at: int
    passed_over: tuple[Attempt, ...]


def townsfolk(t: Paladins, opponent: Opponent) -> Found | None:
    """The townsfolk at the marker, or the next there are."""
    return _first(t, opponent, t.townsfolk, lambda _: "")


def outsider(t: Paladins, opponent: Opponent, attribute: str) -> Found | None:
    """The outsider at the marker, or the next within the opponent's attribute; the sixth is tried after the fifth."""
    flags, level = t.data.flags[attribute], opponent.attributes[attribute].value
    return _first(t, opponent, t.outsiders, lambda at: "" if flags[at] <= level else "attribute")


def favour(t: Paladins, opponent: Opponent) -> Found | None:
    """The favour at the marker, or the next one that lies open without a worker."""
    return _first(t, opponent, t.favours, lambda at: "used" if t.favour_workers[at].items else "")


def _first(t: Paladins, opponent: Opponent, row: tuple[Pile, ...], why_not: Callable[[int], str]) -> Found | None:
    """The first card that nothing keeps the opponent from: at the marker or on to the right, then from the left."""
    first = opponent.field.value - 1
    missed: list[Attempt] = []
    for at in (*range(first, len(row)), *range(first)):
        card = t.card_at(row, at)
        obstacle = why_not(at) if card else "not_there"
        if not obstacle:
            return Found(card, at, tuple(missed))
        missed.append(Attempt(card or str(at + 1), obstacle))
    return None


# --- spaces of the main board ----------------------------------------------------------------------------------------


def kind(space: Space) -> tuple[str, ...]:
    """What a space gives, in the words of the opponent's priorities, which tell no worker from another."""
    return tuple("worker" if gain in WORKERS else gain for gain in space.gains)


def space(t: Paladins, opponent: Opponent, attribute: str) -> Space:
    """The space that the opponent takes: by the kind of reward, then the leftmost; one is free.

    It goes where a debt is paid only if it has one; where nothing else is free, it goes there for nothing.
    Source: paladins.opponent.pieces.priority, .no_debt.
    """
    free = t.free_spaces(t.data.flags[attribute], opponent.attributes[attribute].value)
    for wanted in t.data.space_priority:
        if wanted == PAY_DEBT and not opponent.unpaid.items:
            continue
        for each in free:
            if kind(each) == wanted:
                return each
    return free[0]
