"""Effects: the smallest changes of a table, each with an inverse.

An effect names zones, markers and components by their stable string ids and carries the outcome, never the
intention, so that a history can be folded, stepped back, hashed and drawn without any title's rules.
On the wire and in storage an effect is a short array whose first element is its tag.
"""

from __future__ import annotations

from msgspec import Struct

Scalar = int | str


class Move(Struct, frozen=True, array_like=True, tag="m", gc=False):
    """``count`` components of one kind went from one zone to another (top to top where a zone is a stack).

    One after the other from a zone to itself they change nothing: they say all that lies there, to who sees it now.
    """

    component: str
    count: int
    source: str
    target: str


class Set(Struct, frozen=True, array_like=True, tag="s", gc=False):
    """A marker took another value."""

    marker: str
    before: Scalar
    after: Scalar


class Ask(Struct, frozen=True, array_like=True, tag="a", gc=False):
    """The open decision of a seat changes: ``before`` and ``after`` are its names, empty for none."""

    seat: int
    before: str
    after: str


class Draw(Struct, frozen=True, array_like=True, tag="d", gc=False):
    """Chance picked these components, in this order, without replacement, from what lay in the pile.

    ``counter`` is the zone's draw counter before the first pick; each pick adds one. Draws move nothing: what
    became of the components, the moves beside this effect say. ``docs/dice.md`` tells how to check one.
    """

    zone: str
    counter: int
    drawn: tuple[str, ...]


class Shuffle(Struct, frozen=True, array_like=True, tag="r", gc=False):
    """Chance put a stack into another order (bottom first)."""

    zone: str
    counter: int
    before: tuple[str, ...]
    after: tuple[str, ...]


class Reveal(Struct, frozen=True, array_like=True, tag="v", gc=False):
    """Another circle of viewers sees a zone or a marker from now on."""

    subject: str
    before: str
    after: str


Effect = Move | Set | Ask | Draw | Shuffle | Reveal
