"""Every event of Paladins of the West Kingdom: a small typed detail for people and clients.

The effects beside a detail say what changed on the table; the detail says what a rulebook would say. ``silver`` and
``provisions`` are what was paid, unless said otherwise. Gains are lists of the ids in ``components.toml``, one entry
each: ``("faith", "labourer", "labourer")``. Events of the seat that the rules play carry that seat.
"""

from __future__ import annotations

from msgspec import Struct

# --- setting up ------------------------------------------------------------------------------------------------


class TableLaid(Struct, frozen=True, gc=False):
    """The table was set up; these townsfolk and outsiders lie on display, from left to right."""

    players: int
    tax: int
    townsfolk: tuple[str, ...]
    outsiders: tuple[str, ...]


class OpponentPrepared(Struct, frozen=True, gc=False):
    """The opponent began with a workshop on each of these actions, drawn from the King's Orders."""

    actions: tuple[str, ...]


# --- the round begins ------------------------------------------------------------------------------------------


class RoundBegun(Struct, frozen=True, gc=False):
    """A round began, with that seat as start player."""

    round: int
    start_seat: int


class OrderRevealed(Struct, frozen=True, gc=False):
    """A King's Order was revealed: five or more of the action bring that many points at the end."""

    order: str
    points: int


class FavourRevealed(Struct, frozen=True, gc=False):
    """A King's Favour was revealed on its place (1 to 5)."""

    favour: str
    place: int


class TavernOpened(Struct, frozen=True, gc=False):
    """These tavern cards lie open; ``reshuffled`` if the discarded ones had to be shuffled for them."""

    tavern: tuple[str, ...]
    reshuffled: bool


class PaladinsDrawn(Struct, frozen=True, gc=False):
    """A seat took three paladins on its hand. Only it knows which."""

    paladins: tuple[str, ...]


class PaladinsSorted(Struct, frozen=True, gc=False):
    """A seat chose its paladin and put one of the others on top of its deck, one under it. Only it knows which."""

    paladin: str
    top: str
    under: str


class PaladinLaid(Struct, frozen=True, gc=False):
    """A seat has chosen its paladin for the round."""


class PaladinRevealed(Struct, frozen=True, gc=False):
    """A seat turned its paladin face up and took the workers that came along."""

    paladin: str
    workers: tuple[str, ...]


class TavernCardTaken(Struct, frozen=True, gc=False):
    """A seat took a tavern card and its workers."""

    tavern: str
    workers: tuple[str, ...]


# --- actions ---------------------------------------------------------------------------------------------------


class ActionBegun(Struct, frozen=True, gc=False):
    """A seat began an action that takes so many workers."""

    action: str
    workers: int


class FavourBegun(Struct, frozen=True, gc=False):
    """A seat began the action of a King's Favour, at that price."""

    favour: str
    silver: int
    provisions: int


class WorkerPlaced(Struct, frozen=True, gc=False):
    """A worker went to a space (from 1) of an action, or of a King's Favour."""

    action: str
    space: int
    worker: str


class Developed(Struct, frozen=True, gc=False):
    """A workshop went to a space of an action; a worker that stood there went back to the supply (else empty)."""

    action: str
    space: int
    silver: int
    worker: str
    sent_back: str


class TownsfolkHired(Struct, frozen=True, gc=False):
    """A seat took townsfolk into its following; ``payment`` is silver, debt or empty (for free)."""

    townsfolk: str
    payment: str
    silver: int


class TownsfolkDiscarded(Struct, frozen=True, gc=False):
    """A seat sent townsfolk away for a reward; ``payment`` is silver, debt or empty (for free)."""

    townsfolk: str
    payment: str
    silver: int


class Hunted(Struct, frozen=True, gc=False):
    """A seat hunted and received provisions."""

    received: int


class Traded(Struct, frozen=True, gc=False):
    """A seat traded and received silver."""

    received: int


class Prayed(Struct, frozen=True, gc=False):
    """A seat paid for praying."""

    silver: int


class AreaCleared(Struct, frozen=True, gc=False):
    """All workers of an action area went back to the supply."""

    action: str
    workers: tuple[str, ...]


class Conspired(Struct, frozen=True, gc=False):
    """A seat conspired."""


class MonkSent(Struct, frozen=True, gc=False):
    """A monk went to a space of the main board."""

    space: str
    region: int
    provisions: int


class OutpostBuilt(Struct, frozen=True, gc=False):
    """An outpost was built on a space of the main board."""

    space: str
    region: int
    provisions: int


class WallBuilt(Struct, frozen=True, gc=False):
    """A wall was drawn and built: the seat's first (1), second, and so on."""

    wall: str
    number: int
    provisions: int


class Absolved(Struct, frozen=True, gc=False):
    """A jar, the seat's first, second, …, went to a space for jars (empty: it was turned over in its place)."""

    space: str
    number: int
    silver: int


class OutsiderAttacked(Struct, frozen=True, gc=False):
    """A seat attacked an outsider; ``silver`` paid for missing strength."""

    outsider: str
    silver: int


class OutsiderConverted(Struct, frozen=True, gc=False):
    """A seat converted an outsider."""

    outsider: str
    silver: int


class Passed(Struct, frozen=True, gc=False):
    """A seat carries out no further action in this round; its workers on the board went back to the supply."""

    workers: tuple[str, ...]


class WorkerReturned(Struct, frozen=True, gc=False):
    """A seat that has passed gave an unused worker back."""

    worker: str


class WorkersKept(Struct, frozen=True, gc=False):
    """A seat took its unused workers into the next round."""

    workers: tuple[str, ...]


# --- rewards ---------------------------------------------------------------------------------------------------


class Gained(Struct, frozen=True, gc=False):
    """A seat received workers, silver, provisions and points of attributes.

    ``source`` says where from: an action, card, space or reward. What no longer fitted (12 is the end of a track) is
    ``lost``.
    """

    gains: tuple[str, ...]
    source: str
    lost: tuple[str, ...] = ()


class RewardChosen(Struct, frozen=True, gc=False):
    """A seat took one of the options of a reward."""

    reward: str
    gains: tuple[str, ...]


class RewardForgone(Struct, frozen=True, gc=False):
    """A seat did without a reward."""

    reward: str


class RewardLapsed(Struct, frozen=True, gc=False):
    """A reward had nothing to act on."""

    reward: str


class SuspicionTaken(Struct, frozen=True, gc=False):
    """A seat took a suspicion card and that much silver: from the tax supply, and the rest from the general supply."""

    suspicion: str
    from_tax: int
    from_supply: int
    reshuffled: bool


class SuspicionLapsed(Struct, frozen=True, gc=False):
    """There was no suspicion card left to take."""


class TaxTaken(Struct, frozen=True, gc=False):
    """A seat took taxes: from the tax supply, and the rest from the general supply."""

    from_tax: int
    from_supply: int


class SuspicionDiscarded(Struct, frozen=True, gc=False):
    """A seat got rid of its newest suspicion card."""

    suspicion: str


class DebtTaken(Struct, frozen=True, gc=False):
    """A seat took an unpaid debt."""


class DebtPaid(Struct, frozen=True, gc=False):
    """A seat turned an unpaid debt to its paid side."""


class DebtDestroyed(Struct, frozen=True, gc=False):
    """A seat put an unpaid debt back on the pile."""


# --- the inquisition -------------------------------------------------------------------------------------------


class InquisitionBegun(Struct, frozen=True, gc=False):
    """An inquisition began; ``reason`` is tax (its supply was emptied) or suspicion (no card was left to take)."""

    reason: str


class TownsfolkUsed(Struct, frozen=True, gc=False):
    """Townsfolk of a seat acted in the inquisition; ``effective`` unless there was nothing for it to do."""

    townsfolk: str
    gains: tuple[str, ...]
    effective: bool


class SeatCondemned(Struct, frozen=True, gc=False):
    """A seat with the most suspicion took an unpaid debt (unless none is left) and discarded half of its suspicion."""

    suspicion: int
    debt: bool
    discarded: tuple[str, ...]


class InquisitionEnded(Struct, frozen=True, gc=False):
    """The tax supply was filled up again by so much."""

    silver: int


# --- the round ends --------------------------------------------------------------------------------------------


class RowsMoved(Struct, frozen=True, gc=False):
    """The round ended: who was discarded, and how the rows lie now from left to right (empty: nobody there)."""

    round: int
    discarded: tuple[str, ...]
    townsfolk: tuple[str, ...]
    outsiders: tuple[str, ...]


class SeatScored(Struct, frozen=True, gc=False):
    """The final score of one seat, line by line of the score sheet.

    ``orders`` are the fulfilled orders, ``outsiders`` the points of each converted outsider.
    """

    orders: dict[str, int]
    commission: int
    faith: int
    strength: int
    influence: int
    fortify: int
    walls: int
    develop: int
    garrison: int
    paid_debts: int
    unpaid_debts: int
    absolve: int
    goods: int
    outsiders: dict[str, int]
    total: int
    rank: int


# --- the opponent ----------------------------------------------------------------------------------------------


class WorkersMustered(Struct, frozen=True, gc=False):
    """The opponent took its workers for the round."""

    workers: int


class WorkshopReceived(Struct, frozen=True, gc=False):
    """The workshop on a revealed King's Order went to the opponent's action (``placed`` unless it has two there)."""

    action: str
    placed: bool


class FavourSchemeAdded(Struct, frozen=True, gc=False):
    """The scheme card on a revealed King's Favour went to the discarded schemes."""


class Attempt(Struct, frozen=True, gc=False):
    """An action, or a card, space or favour for it, that the opponent could not carry out or take, and why not.

    ``obstacle`` is one of workers, occupied, attribute, no_piece, no_target, already_fulfilled, used, not_there.
    """

    action: str
    obstacle: str


class SchemeTurned(Struct, frozen=True, gc=False):
    """The opponent turned a scheme card: what it tried in vain, and the action that it carries out.

    ``reshuffled`` if its discarded schemes had to be shuffled for that. ``order`` is the King's Order that it follows,
    or empty.
    """

    scheme: str
    action: str
    tried: tuple[Attempt, ...]
    order: str
    reshuffled: bool


class TargetChosen(Struct, frozen=True, gc=False):
    """What the opponent chose for its action and why.

    ``field`` is where its resource marker stands (0 where that does not matter), ``passed_over`` what it could not
    take before, ``reason`` is marker, priority, lowest, left_option, right_option or only.
    """

    target: str
    reason: str
    field: int
    passed_over: tuple[Attempt, ...] = ()


class ResourceMarkerMoved(Struct, frozen=True, gc=False):
    """The opponent's resource marker went on by so many fields, and stands on ``field`` now."""

    steps: int
    field: int
    source: str


class OpponentAdvanced(Struct, frozen=True, gc=False):
    """The marker passed the end of its track: the opponent's lowest attribute went up to ``level``.

    ``tied`` are the attributes that were as low; the topmost marker was moved. ``lost``: all are at their end.
    """

    attribute: str
    level: int
    tied: tuple[str, ...]
    lost: bool


class TaxRemoved(Struct, frozen=True, gc=False):
    """So much silver went from the tax supply to the general supply; ``reason`` is what for."""

    silver: int
    reason: str


class SchemesShuffled(Struct, frozen=True, gc=False):
    """The opponent prayed: all its schemes were shuffled. ``cleared`` are the workers that left its right side."""

    cleared: tuple[str, ...]


class OpponentRested(Struct, frozen=True, gc=False):
    """The opponent rested: it passes, its unused workers moved its resource marker."""

    workers: tuple[str, ...]


class OpponentFinished(Struct, frozen=True, gc=False):
    """The opponent has no workers left and passes."""


EVENTS: tuple[type[Struct], ...] = tuple(
    value
    for value in list(globals().values())
    if isinstance(value, type) and issubclass(value, Struct) and value not in (Struct, Attempt)
)
"""Every event of the title, in the order of this module."""
