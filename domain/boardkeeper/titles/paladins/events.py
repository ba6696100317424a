"""An event of Paladins of the West Kingdom.

Ids are those of the catalogue. A list of rewards has one entry for each unit: 2 silver are two entries ``silver``.
Events of the solo opponent have its seat number.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.titlekit.catalogue_title import structs_in

# --- setup ------------------------------------------------------------------------------------------------------------


class TableLaid(Struct, frozen=True, gc=False):
    """The table was set up."""

    players: int  #: Number of seats, without the solo opponent.
    tax: int  #: Silver in the tax supply.
    townsfolk: tuple[str, ...]  #: Townsfolk on display, from left to right.
    outsiders: tuple[str, ...]  #: Outsiders on display, from left to right.


class OpponentPrepared(Struct, frozen=True, gc=False):
    """The solo opponent received its workshops before the first round."""

    actions: tuple[str, ...]  #: Actions that have a workshop now.


# --- start of the round -----------------------------------------------------------------------------------------------


class RoundBegun(Struct, frozen=True, gc=False):
    """A round began."""

    round: int  #: Round, from 1 to 7.
    start_seat: int  #: Seat number of the start player.


class OrderRevealed(Struct, frozen=True, gc=False):
    """A King's Order was revealed."""

    order: str  #: Action of the King's Order.
    points: int  #: Points for carrying out the action at least five times in the game.


class FavourRevealed(Struct, frozen=True, gc=False):
    """A King's Favour was revealed."""

    favour: str  #: Id of the King's Favour.
    place: int  #: Place on the main board, from 1 to 5.


class TavernOpened(Struct, frozen=True, gc=False):
    """The tavern cards of the round were revealed."""

    tavern: tuple[str, ...]  #: Ids of the revealed cards.
    reshuffled: bool  #: Whether the discarded cards were shuffled into a new deck.


class PaladinsDrawn(Struct, frozen=True, gc=False):
    """A seat drew three paladins. Other viewers do not receive the detail."""

    paladins: tuple[str, ...]  #: Ids of the paladins.


class PaladinsSorted(Struct, frozen=True, gc=False):
    """A seat chose its paladin for the round and put the two others back. Other viewers do not receive the detail."""

    paladin: str  #: Paladin chosen for the round.
    top: str  #: Paladin put on top of the deck.
    under: str  #: Paladin put at the bottom of the deck.


class PaladinLaid(Struct, frozen=True, gc=False):
    """A seat has chosen its paladin for the round. Every viewer receives this after ``PaladinsSorted``."""


class PaladinRevealed(Struct, frozen=True, gc=False):
    """A seat revealed its paladin and gained its workers."""

    paladin: str  #: Id of the paladin.
    workers: tuple[str, ...]  #: Workers gained, one entry each.


class TavernCardTaken(Struct, frozen=True, gc=False):
    """A seat took a tavern card and gained its workers."""

    tavern: str  #: Id of the tavern card.
    workers: tuple[str, ...]  #: Workers gained, one entry each.


# --- actions ----------------------------------------------------------------------------------------------------------


class ActionBegun(Struct, frozen=True, gc=False):
    """A seat began an action."""

    action: str  #: Id of the action.
    workers: int  #: Number of workers it takes.


class FavourBegun(Struct, frozen=True, gc=False):
    """A seat began a King's Favour and paid its cost."""

    favour: str  #: Id of the King's Favour.
    silver: int  #: Silver paid.
    provisions: int  #: Provisions paid.


class WorkerPlaced(Struct, frozen=True, gc=False):
    """A seat placed a worker on a space of an action or of a King's Favour."""

    action: str  #: Id of the action or of the King's Favour.
    space: int  #: Space, from 1, from left to right.
    worker: str  #: Kind of the worker.


class Developed(Struct, frozen=True, gc=False):
    """A seat placed a workshop on a space of an action."""

    action: str  #: Action that has the workshop now.
    space: int  #: Space, 1 or 2, from left to right.
    silver: int  #: Silver paid.
    worker: str  #: Worker gained from the space that the workshop left.
    sent_back: str  #: Worker on the space that returned to the supply. Empty: no worker was there.


class TownsfolkHired(Struct, frozen=True, gc=False):
    """A seat hired townsfolk."""

    townsfolk: str  #: Id of the card.
    payment: str  #: Payment: ``silver`` or ``debt``. Empty: for free.
    silver: int  #: Silver paid.


class TownsfolkDiscarded(Struct, frozen=True, gc=False):
    """A seat discarded townsfolk for their reward."""

    townsfolk: str  #: Id of the card.
    payment: str  #: Payment: ``silver`` or ``debt``. Empty: for free.
    silver: int  #: Silver paid.


class Hunted(Struct, frozen=True, gc=False):
    """A seat hunted and gained provisions."""

    received: int  #: Provisions gained.


class Traded(Struct, frozen=True, gc=False):
    """A seat traded and gained silver."""

    received: int  #: Silver gained.


class Prayed(Struct, frozen=True, gc=False):
    """A seat carried out Pray and paid its cost."""

    silver: int  #: Silver paid.


class AreaCleared(Struct, frozen=True, gc=False):
    """All workers of an action returned to the supply."""

    action: str  #: Id of the action.
    workers: tuple[str, ...]  #: Workers that returned to the supply, one entry each.


class Conspired(Struct, frozen=True, gc=False):
    """A seat carried out Conspire."""


class MonkSent(Struct, frozen=True, gc=False):
    """A seat sent a monk to a space of the main board."""

    space: str  #: Id of the space.
    region: int  #: Region of the space, from 1 to 6.
    provisions: int  #: Provisions paid.


class OutpostBuilt(Struct, frozen=True, gc=False):
    """A seat built an outpost on a space of the main board."""

    space: str  #: Id of the space.
    region: int  #: Region of the space, from 1 to 6.
    provisions: int  #: Provisions paid.


class WallBuilt(Struct, frozen=True, gc=False):
    """A seat drew and built a wall."""

    wall: str  #: Id of the wall card.
    number: int  #: Number of the wall for this seat, from 1 to 7.
    provisions: int  #: Provisions paid.


class Absolved(Struct, frozen=True, gc=False):
    """A seat used its next jar for an absolution."""

    space: str  #: Jar space, by its reward. Empty: the opponent turned the jar over.
    number: int  #: Number of the jar for this seat, from 1 to 7.
    silver: int  #: Silver paid.


class OutsiderAttacked(Struct, frozen=True, gc=False):
    """A seat attacked an outsider."""

    outsider: str  #: Id of the card.
    silver: int  #: Silver paid for missing strength.


class OutsiderConverted(Struct, frozen=True, gc=False):
    """A seat converted an outsider."""

    outsider: str  #: Id of the card.
    silver: int  #: Silver paid.


class Passed(Struct, frozen=True, gc=False):
    """A seat passed for the round; the workers on its board returned to the supply."""

    workers: tuple[str, ...]  #: Workers that left the board, one entry each.


class WorkerReturned(Struct, frozen=True, gc=False):
    """A seat that has passed returned an unused worker to the supply."""

    worker: str  #: Kind of the worker.


class WorkersKept(Struct, frozen=True, gc=False):
    """A seat that has passed kept its unused workers for the next round."""

    workers: tuple[str, ...]  #: Workers kept, one entry each.


# --- rewards ----------------------------------------------------------------------------------------------------------


class Gained(Struct, frozen=True, gc=False):
    """A seat gained workers, silver, provisions or attribute points."""

    gains: tuple[str, ...]  #: Rewards gained, one entry each.
    source: str  #: Source: id of an action, card, space or reward.
    #: Part of ``gains`` that was lost, one entry each: an attribute is at 12, or the supply has no such piece.
    lost: tuple[str, ...] = ()


class RewardChosen(Struct, frozen=True, gc=False):
    """A seat chose an option of a reward."""

    reward: str  #: Kind of the reward.
    gains: tuple[str, ...]  #: Rewards of the chosen option, one entry each.


class RewardForgone(Struct, frozen=True, gc=False):
    """A seat declined a reward."""

    reward: str  #: Kind of the reward.


class RewardLapsed(Struct, frozen=True, gc=False):
    """A reward lapsed because it could have no effect."""

    reward: str  #: Kind of the reward.


class SuspicionTaken(Struct, frozen=True, gc=False):
    """A seat took a suspicion card and the silver it shows."""

    suspicion: str  #: Id of the card.
    from_tax: int  #: Silver from the tax supply.
    from_supply: int  #: Silver from the general supply, because the tax supply had too little.
    reshuffled: bool  #: Whether the discarded cards were shuffled into a new deck.


class SuspicionLapsed(Struct, frozen=True, gc=False):
    """A seat took no suspicion card because none was left."""


class TaxTaken(Struct, frozen=True, gc=False):
    """A seat took taxes."""

    from_tax: int  #: Silver from the tax supply.
    from_supply: int  #: Silver from the general supply, because the tax supply had too little.


class SuspicionDiscarded(Struct, frozen=True, gc=False):
    """A seat discarded its newest suspicion card."""

    suspicion: str  #: Id of the card.


class DebtTaken(Struct, frozen=True, gc=False):
    """A seat took an unpaid debt."""


class DebtPaid(Struct, frozen=True, gc=False):
    """A seat paid a debt: the card was turned to its paid side."""


class DebtDestroyed(Struct, frozen=True, gc=False):
    """A seat destroyed a debt: the card returned to the pile."""


# --- the inquisition --------------------------------------------------------------------------------------------------


class InquisitionBegun(Struct, frozen=True, gc=False):
    """An inquisition began."""

    reason: str  #: Reason: ``tax`` (the tax supply is empty) or ``suspicion`` (no suspicion card is left).


class TownsfolkUsed(Struct, frozen=True, gc=False):
    """A seat used one of its townsfolk in the inquisition."""

    townsfolk: str  #: Id of the card.
    gains: tuple[str, ...]  #: Rewards of the card, one entry each.
    effective: bool  #: Whether the card had an effect.


class SeatCondemned(Struct, frozen=True, gc=False):
    """A seat with the most suspicion cards took an unpaid debt, if one was left, and discarded half of its cards."""

    suspicion: int  #: Number of suspicion cards it had.
    debt: bool  #: Whether it took a debt. False: no debt was left.
    discarded: tuple[str, ...]  #: Suspicion cards discarded, one entry each.


class InquisitionEnded(Struct, frozen=True, gc=False):
    """The inquisition ended and the tax supply was refilled."""

    silver: int  #: Silver added to the tax supply.


# --- the round ends ---------------------------------------------------------------------------------------------------


class RowsMoved(Struct, frozen=True, gc=False):
    """A round ended and the rows of townsfolk and outsiders moved."""

    round: int  #: Round that ended.
    discarded: tuple[str, ...]  #: Ids of the cards discarded.
    townsfolk: tuple[str, ...]  #: Townsfolk on display, from left to right. An empty entry is an empty place.
    outsiders: tuple[str, ...]  #: Outsiders on display, from left to right. An empty entry is an empty place.


class SeatScored(Struct, frozen=True, gc=False):
    """The final score of a seat, by line of the score sheet."""

    orders: dict[str, int]  #: Points of each fulfilled King's Order, by its action.
    commission: int  #: Points for monks sent.
    faith: int  #: Points for faith.
    strength: int  #: Points for strength.
    influence: int  #: Points for influence.
    fortify: int  #: Points for the number of walls built.
    walls: int  #: Points printed on walls.
    develop: int  #: Points for workshops placed.
    garrison: int  #: Points for outposts built.
    paid_debts: int  #: Points for paid debts.
    unpaid_debts: int  #: Points lost for unpaid debts, as a negative number.
    absolve: int  #: Points for absolutions.
    goods: int  #: Points for silver and provisions.
    outsiders: dict[str, int]  #: Points of each converted outsider, by the id of its card.
    total: int  #: Sum of all points.
    rank: int  #: Rank, from 1 (winner). Tied seats have the same rank.


# --- the opponent -----------------------------------------------------------------------------------------------------


class WorkersMustered(Struct, frozen=True, gc=False):
    """The opponent took its workers for the round."""

    workers: int  #: Number of workers.


class WorkshopReceived(Struct, frozen=True, gc=False):
    """The workshop on a revealed King's Order went to the opponent."""

    action: str  #: Id of the action.
    placed: bool  #: Whether the workshop was placed. False: the action already has two.


class FavourSchemeAdded(Struct, frozen=True, gc=False):
    """The scheme on a revealed King's Favour went to the opponent's discarded schemes."""


class Attempt(Struct, frozen=True, gc=False):
    """An action, card or place that the opponent could not use, with the reason."""

    action: str  #: Id of the action or card, or the number of an empty place (from 1).
    #: The reason: ``workers`` (too few), ``occupied`` (workers are on the action), ``attribute`` (too low),
    #: ``no_piece`` (done seven times), ``no_target``, ``already_fulfilled``, ``used`` (a worker is on the King's
    #: Favour) or ``not_there`` (the place is empty).
    obstacle: str


class SchemeTurned(Struct, frozen=True, gc=False):
    """The opponent revealed a scheme, and the action that it carries out."""

    scheme: str  #: Id of the scheme, by its action: ``commission``, ``order``, ``favour``, … Empty: no scheme was left.
    action: str  #: Action that the opponent carries out.
    tried: tuple[Attempt, ...]  #: Actions that were not possible, in the order tried.
    order: str  #: Action of the King's Order that the opponent follows. Empty: none.
    reshuffled: bool  #: Whether the discarded schemes were shuffled into a new deck.


class TargetChosen(Struct, frozen=True, gc=False):
    """The opponent chose a card, space or option."""

    target: str  #: Id of the card or space, or the rewards of the option joined by ``+``.
    #: Reason: ``marker`` (first possible card from the resource marker), ``priority`` (best reward within reach),
    #: ``lowest`` (lowest attribute), ``left_option``, ``right_option`` or ``none`` (the left option, without effect).
    reason: str
    field: int  #: Space of the resource marker, from 1 to 5. 0: not relevant.
    passed_over: tuple[Attempt, ...] = ()  #: Cards and places skipped, in order.


class ResourceMarkerMoved(Struct, frozen=True, gc=False):
    """The opponent's resource marker moved."""

    steps: int  #: Number of spaces moved.
    field: int  #: New space of the marker, from 1 to 5.
    source: str  #: Source: id of an action, card or space, or ``tax``.


class OpponentAdvanced(Struct, frozen=True, gc=False):
    """The resource marker passed the end of its track, and the opponent's lowest attribute rose."""

    attribute: str  #: Attribute whose marker was on top of the lowest.
    level: int  #: Level of the attribute now, from 0 to 12.
    tied: tuple[str, ...]  #: All attributes at the lowest level, including ``attribute``.
    lost: bool  #: Whether the gain was lost because the attribute was already at 12.


class TaxRemoved(Struct, frozen=True, gc=False):
    """Silver of the tax supply returned to the general supply because of the opponent."""

    silver: int  #: Silver removed from the tax supply.
    #: Reason: ``tax`` (taxes of the opponent), or the reward it could not use: ``discard_suspicion`` or
    #: ``destroy_debt``.
    reason: str


class SchemesShuffled(Struct, frozen=True, gc=False):
    """The opponent prayed, and all its schemes were shuffled into a new deck."""

    cleared: tuple[str, ...]  #: Workers that left the right side, one entry each. Empty: the opponent gained a worker.


class OpponentRested(Struct, frozen=True, gc=False):
    """The opponent rested and passed."""

    workers: tuple[str, ...]  #: Unused workers, one entry each.


class OpponentFinished(Struct, frozen=True, gc=False):
    """The opponent passed because it has no workers left."""


EVENTS = structs_in(globals(), Attempt)
