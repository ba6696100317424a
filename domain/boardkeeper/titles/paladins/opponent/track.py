"""The opponent's resource track, and the attributes that its marker drives up. Source: paladins.opponent.track.*."""

from __future__ import annotations

from boardkeeper.titles.paladins.data import LAST_LEVEL
from boardkeeper.titles.paladins.events import OpponentAdvanced, ResourceMarkerMoved
from boardkeeper.titles.paladins.material import Opponent, Paladins

_STACK = ("influence", "faith", "strength")
"""How the attribute markers lie on each other at first, the lowest first."""


def stack(t: Paladins, opponent: Opponent) -> None:
    """Stack the attribute markers. Source: paladins.opponent.setup.stack.

    Nothing can be taken from the middle of a stack of zones, so each marker remembers when it was moved last: of those
    on one space the latest lies on top.
    """
    for at, attribute in enumerate(_STACK, 1):
        t.set(opponent.moved[attribute], at)
    t.set(opponent.moves, len(_STACK))


def advance(t: Paladins, opponent: Opponent, attribute: str) -> bool:
    """Move an attribute's marker up by one; no if it is at the end of its track."""
    marker = opponent.attributes[attribute]
    if marker.value == LAST_LEVEL:
        return False
    t.set(marker, marker.value + 1)
    t.set(opponent.moves, opponent.moves.value + 1)
    t.set(opponent.moved[attribute], opponent.moves.value)
    return True


def lowest(opponent: Opponent) -> tuple[str, tuple[str, ...]]:
    """The lowest attribute, and all as low; of these it is the topmost. Source: paladins.opponent.track.tie."""
    least = min(marker.value for marker in opponent.attributes.values())
    tied = [attribute for attribute, marker in opponent.attributes.items() if marker.value == least]
    return max(tied, key=lambda attribute: opponent.moved[attribute].value), tuple(tied)


def move(t: Paladins, opponent: Opponent, steps: int, source: str) -> None:
    """Move the resource marker on; each time it passes the end, the lowest attribute goes up.

    Source: paladins.opponent.track.instead_of_goods, .end.
    """
    if not steps:
        return
    fields = t.data.fields
    reached = opponent.field.value - 1 + steps
    t.set(opponent.field, reached % fields + 1)
    t.emit(opponent, ResourceMarkerMoved(steps, opponent.field.value, source))
    for _ in range(reached // fields):
        attribute, tied = lowest(opponent)
        lost = not advance(t, opponent, attribute)
        t.emit(opponent, OpponentAdvanced(attribute, opponent.attributes[attribute].value, tied, lost))
