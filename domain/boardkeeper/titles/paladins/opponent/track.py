"""The resource track and the attribute markers of the opponent. Source: paladins.opponent.track.*."""

from __future__ import annotations

from boardkeeper.titles.paladins.data import LAST_LEVEL
from boardkeeper.titles.paladins.events import OpponentAdvanced, ResourceMarkerMoved
from boardkeeper.titles.paladins.material import Opponent, Paladins

_STACK = ("influence", "faith", "strength")
"""The stack of attribute markers at the start, from bottom to top."""


def stack(t: Paladins, opponent: Opponent) -> None:
    """Stack the attribute markers. Source: paladins.opponent.setup.stack.

    Each marker has the number of its last move: on the same space, the marker moved last is on top.
    """
    for at, attribute in enumerate(_STACK, 1):
        t.set(opponent.moved[attribute], at)
    t.set(opponent.moves, len(_STACK))


def advance(t: Paladins, opponent: Opponent, attribute: str) -> bool:
    """Move an attribute up by 1; return whether it was not at the end of its track."""
    marker = opponent.attributes[attribute]
    if marker.value == LAST_LEVEL:
        return False
    t.set(marker, marker.value + 1)
    t.set(opponent.moves, opponent.moves.value + 1)
    t.set(opponent.moved[attribute], opponent.moves.value)
    return True


def lowest(opponent: Opponent) -> tuple[str, tuple[str, ...]]:
    """Return the lowest attribute (if tied, the one whose marker is on top), and all tied attributes.

    Source: paladins.opponent.track.tie.
    """
    least = min(marker.value for marker in opponent.attributes.values())
    tied = [attribute for attribute, marker in opponent.attributes.items() if marker.value == least]
    return max(tied, key=lambda attribute: opponent.moved[attribute].value), tuple(tied)


def move(t: Paladins, opponent: Opponent, steps: int, source: str) -> None:
    """Move the resource marker; each time it passes the end, the lowest attribute goes up by 1.

    Source: paladins.opponent.track.instead_of_goods, .end.
    """
    if not steps:
        return
    fields = t.data.fields
    position = opponent.field.value - 1 + steps
    t.set(opponent.field, position % fields + 1)
    t.emit(opponent, ResourceMarkerMoved(steps, opponent.field.value, source))
    for _ in range(position // fields):
        attribute, tied = lowest(opponent)
        lost = not advance(t, opponent, attribute)
        t.emit(opponent, OpponentAdvanced(attribute, opponent.attributes[attribute].value, tied, lost))
