"""The typed board that clients see: everything on the table, by the names of the rulebook."""

from __future__ import annotations

from msgspec import Struct


class TownsfolkPlace(Struct, frozen=True):
    """A place of the townsfolk row, from left to right: who is there (empty: nobody) and the price."""

    townsfolk: str
    silver: int
    or_debt: bool


class OutsiderPlace(Struct, frozen=True):
    """A place of the outsider row, from left to right: who is there (empty: nobody) and what it asks for."""

    outsider: str
    faith: int
    strength: int


class SpaceView(Struct, frozen=True):
    """A space of the main board: its region (1 to 6), its reward, whose piece stands there (0: nobody's) and which.

    ``piece`` is ``monk``, ``outpost`` or empty.
    """

    space: str
    region: int
    gains: tuple[str, ...]
    seat: int
    piece: str


class OrderPlace(Struct, frozen=True):
    """A place for a King's Order: the order (empty: not yet revealed), the round of its revelation and its points."""

    order: str
    round: int
    points: int


class FavourPlace(Struct, frozen=True):
    """A place for a King's Favour: the favour (empty: not yet revealed), its round and the worker on it (or empty)."""

    favour: str
    round: int
    worker: str


class AreaSpace(Struct, frozen=True):
    """A space of an action area: what it asks for, and what is on it: a worker, ``workshop`` or empty."""

    requires: str
    occupant: str


class AreaView(Struct, frozen=True):
    """An action area of a seat.

    ``open`` unless workers stand there. Of the right side: ``silver`` and ``provisions`` are what the next time costs
    (before abilities), ``attribute`` and ``needs`` what it asks for where that does not depend on the target (else 0),
    ``times`` how often it was done.
    """

    action: str
    spaces: tuple[AreaSpace, ...]
    open: bool
    silver: int
    provisions: int
    attribute: str
    needs: int
    times: int


class JarSpace(Struct, frozen=True):
    """The spaces for jars with one reward: how many there are and how many are taken."""

    space: str
    gains: tuple[str, ...]
    spaces: int
    taken: int


class SeatView(Struct, frozen=True, kw_only=True):
    """One seat's side of the table.

    ``bonus`` is what this round's paladin adds to the attributes. What only the seat itself knows is empty for others:
    ``deck``, ``again`` (on top of the deck), ``under`` (under it, the next to come first), ``hand`` and ``chosen``;
    ``deck_count`` and ``hand_count`` are known to all, as is ``has_chosen``. ``due`` are the rewards that are still to
    be taken, ``inquiry`` the townsfolk that still act in the inquisition. A seat that the rules play has no silver, no
    provisions and no paladins.
    """

    seat: int
    decision: str
    automaton: bool
    passed: bool
    silver: int = 0
    provisions: int = 0
    faith: int
    strength: int
    influence: int
    bonus: dict[str, int] = {}
    workers: dict[str, int]
    paladin: str = ""
    retired: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    hand_count: int = 0
    has_chosen: bool = False
    chosen: str = ""
    deck: tuple[str, ...] = ()
    deck_count: int = 0
    again: str = ""
    under: tuple[str, ...] = ()
    areas: tuple[AreaView, ...]
    workshops: tuple[str, ...]
    monks: int
    outposts: int
    jars: int
    jar_spaces: tuple[JarSpace, ...] = ()
    walls: tuple[str, ...]
    townsfolk: tuple[str, ...] = ()
    attacked: tuple[str, ...]
    converted: tuple[str, ...]
    suspicion: tuple[str, ...]
    unpaid_debts: int
    paid_debts: int
    due: dict[str, int]
    inquiry: tuple[str, ...] = ()
    points: int


class OpponentView(Struct, frozen=True):
    """The opponent: its seat, the field (1 to 5) of its resource marker and its schemes.

    ``markers`` is the stack of its attribute markers as they were moved, the one moved last at the end. ``scheme`` is
    the card that it turned last.
    """

    seat: int
    field: int
    markers: tuple[str, ...]
    scheme: str
    schemes: dict[str, int]
    discarded_schemes: dict[str, int]
    favour_schemes: int


class Board(Struct, frozen=True):
    """The whole table as one viewer sees it."""

    round: int
    phase: str
    start_seat: int
    acting_seat: int
    action: str
    tax: int
    tax_full: int
    inquisition: str
    townsfolk: tuple[TownsfolkPlace, ...]
    townsfolk_deck: dict[str, int]
    townsfolk_discarded: tuple[str, ...]
    outsiders: tuple[OutsiderPlace, ...]
    outsider_deck: dict[str, int]
    outsiders_discarded: tuple[str, ...]
    spaces: tuple[SpaceView, ...]
    orders: tuple[OrderPlace, ...]
    favours: tuple[FavourPlace, ...]
    tavern: tuple[str, ...]
    tavern_deck: int
    walls: int
    suspicion_deck: dict[str, int]
    suspicion_discarded: dict[str, int]
    debts: int
    seats: tuple[SeatView, ...]
    opponent: OpponentView | None = None
