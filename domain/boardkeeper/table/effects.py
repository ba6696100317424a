"""Effects and events.

An effect is the smallest change of a table. It names zones, markers and components by their stable ids, stores the
outcome instead of the intention, and can be reverted. So a history can be replayed, stepped back and hashed
without the rules of the title. In storage and on the wire an effect is an array that begins with its tag.

An event is one sentence of the game's log, with the effects that belong to it.
"""

from __future__ import annotations

from msgspec import Struct

Scalar = int | str


class Move(Struct, frozen=True, array_like=True, tag="m", gc=False):
    """``count`` components of one kind moved from one zone to another (in stacks: from top to top).

    A move from a zone to itself changes nothing. It discloses the component to the viewers who can now see the zone.
    """

    component: str
    count: int
    source: str
    target: str


class Set(Struct, frozen=True, array_like=True, tag="s", gc=False):
    """The value of a marker changed."""

    marker: str
    before: Scalar
    after: Scalar


class Ask(Struct, frozen=True, array_like=True, tag="a", gc=False):
    """The open decision of a seat changed. ``before`` and ``after`` are names of decisions; empty: no decision."""

    seat: int
    before: str
    after: str


class Draw(Struct, frozen=True, array_like=True, tag="d", gc=False):
    """The dice picked these components from a pile, in this order, without replacement.

    ``counter`` is the draw counter of the zone before the first pick; each pick adds one. The components stay in the
    pile: moves in the same event say where they go. docs/dice.md explains how to verify a draw.
    """

    zone: str
    counter: int
    drawn: tuple[str, ...]


class Shuffle(Struct, frozen=True, array_like=True, tag="r", gc=False):
    """The dice changed the order of a stack. ``before`` and ``after`` list its components, bottom first."""

    zone: str
    counter: int
    before: tuple[str, ...]
    after: tuple[str, ...]


class Reveal(Struct, frozen=True, array_like=True, tag="v", gc=False):
    """The visibility of a zone or marker changed (see :mod:`boardkeeper.table.visibility`)."""

    subject: str
    before: str
    after: str


Effect = Move | Set | Ask | Draw | Shuffle | Reveal


class Event(Struct, frozen=True, gc=False):
    """An event of a game.

    ``seat`` is the seat that the event belongs to, 0 for the whole table. ``detail`` is a struct of the title; the name
    of its class is the name of the event. ``effects`` are all changes of the table by this event.
    """

    seat: int
    detail: Struct
    effects: tuple[Effect, ...]

    @property
    def name(self) -> str:
        """The event's name in the past tense, for example ``FollowerRecruited``."""
        return type(self.detail).__name__
