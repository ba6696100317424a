"""What the opponent goes for: cards by its resource marker, spaces of the main board by their rewards.

Source: paladins.opponent.track.selects, paladins.opponent.pieces.priority.
"""

from __future__ import annotations

from typing import NamedTuple

from boardkeeper.table.zones import Pile
from boardkeeper.titles.paladins.bindings import Opponent, Paladins
from boardkeeper.titles.paladins.data import WORKERS, Space
from boardkeeper.titles.paladins.events import Attempt

PAY_DEBT = ("pay_debt",)
"""What a space gives that is of use only to who has an unpaid debt."""


class Found(NamedTuple):
    """A card and its place (from 0), and what was passed over before; place -1 if there is none."""

    card: str
    at: int
    passed_over: tuple[Attempt, ...]


def _from_marker(opponent: Opponent, places: int) -> list[int]:
    """All places from the marker's field on to the right, then from the left again."""
    first = opponent.field.value - 1
    return [*range(first, places), *range(first)]


def townsfolk(t: Paladins, opponent: Opponent) -> Found:
    """The townsfolk at the marker, or the next there are."""
    return _first(t.townsfolk, _from_marker(opponent, len(t.townsfolk)), None, 0)


def outsider(t: Paladins, opponent: Opponent, attribute: str) -> Found:
    """The outsider at the marker, or the next within the opponent's attribute; the sixth is tried after the fifth."""
    flags = t.data.faith_flags if attribute == "faith" else t.data.strength_flags
    order = _from_marker(opponent, len(t.outsiders))
    return _first(t.outsiders, order, flags, opponent.attributes[attribute].value)


def favour(t: Paladins, opponent: Opponent) -> Found:
    """The favour at the marker, or the next one that lies open without a worker."""
    missed: list[Attempt] = []
    for at in _from_marker(opponent, len(t.favours)):
        card = t.card_at(t.favours, at)
        if not card:
            missed.append(Attempt(str(at + 1), "not_there"))
        elif t.favour_workers[at].items:
            missed.append(Attempt(card, "used"))
        else:
            return Found(card, at, tuple(missed))
    return Found("", -1, tuple(missed))


def _first(row: tuple[Pile, ...], order: list[int], flags: tuple[int, ...] | None, level: int) -> Found:
    missed: list[Attempt] = []
    for at in order:
        for card in row[at].items:
            if flags is None or flags[at] <= level:
                return Found(card, at, tuple(missed))
            missed.append(Attempt(card, "attribute"))
            break
        else:
            missed.append(Attempt(str(at + 1), "not_there"))
    return Found("", -1, tuple(missed))


# --- spaces of the main board ----------------------------------------------------------------------------------------


def kind(space: Space) -> tuple[str, ...]:
    """What a space gives, in the words of the opponent's priorities, which tell no worker from another."""
    return tuple("worker" if gain in WORKERS else gain for gain in space.gains)


def space(t: Paladins, opponent: Opponent, flags: tuple[int, ...], level: int) -> Space | None:
    """The space that the opponent takes: by the kind of reward, then the leftmost.

    It goes where a debt is paid only if it has one; where nothing else is free, it goes there for nothing.
    """
    free = t.free_spaces(flags, level)
    for wanted in t.data.space_priority:
        if wanted == PAY_DEBT and not opponent.unpaid.items:
            continue
        for each in free:
            if kind(each) == wanted:
                return each
    return free[0] if free else None
