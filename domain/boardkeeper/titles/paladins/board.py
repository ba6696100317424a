"""The typed board that clients receive: everything on the table, by the names of the rulebook."""

from __future__ import annotations

from msgspec import Struct


class TownsfolkPlace(Struct, frozen=True):
    """A place of the townsfolk row."""

    townsfolk: str  #: Id of the card. Empty: the place is empty.
    silver: int  #: Price in silver.
    or_debt: bool  #: Whether a player can take a debt instead of paying silver.


class OutsiderPlace(Struct, frozen=True):
    """A place of the outsider row."""

    outsider: str  #: Id of the card. Empty: the place is empty.
    faith: int  #: Faith needed for converting.
    strength: int  #: Strength needed for attacking.


class SpaceView(Struct, frozen=True):
    """A space of the main board for a monk or an outpost."""

    space: str  #: Id of the space.
    region: int  #: Region, from 1 to 6.
    gains: tuple[str, ...]  #: Rewards of the space, one entry each.
    seat: int  #: Seat number of the piece on the space. 0: the space is free.
    piece: str  #: Piece on the space: ``monk`` or ``outpost``. Empty: the space is free.


class OrderPlace(Struct, frozen=True):
    """A place for a King's Order."""

    order: str  #: Action of the King's Order. Empty: not revealed yet.
    round: int  #: Round in which it is revealed.
    points: int  #: Points for fulfilling it.


class FavourPlace(Struct, frozen=True):
    """A place for a King's Favour."""

    favour: str  #: Id of the King's Favour. Empty: not revealed yet.
    round: int  #: Round in which it is revealed.
    worker: str  #: Worker on it. Empty: not used this round.


class AreaSpace(Struct, frozen=True):
    """A worker space of an action."""

    requires: str  #: Kind of worker the space needs, or ``any``.
    occupant: str  #: Worker or ``workshop`` on the space. Empty: the space is free.


class AreaView(Struct, frozen=True):
    """An action on the player board of a seat."""

    action: str  #: Id of the action.
    spaces: tuple[AreaSpace, ...]  #: Spaces of the action, from left to right.
    open: bool  #: Whether no worker is on the action.
    silver: int  #: Silver for the next time, before abilities.
    provisions: int  #: Provisions for the next time, before abilities.
    attribute: str  #: Attribute that the action needs. Empty: none.
    needs: int  #: Level of the attribute needed for the next time. 0: it depends on the target, or none is needed.
    times: int  #: Number of times the seat carried out the action. 0 on the left side.


class JarSpace(Struct, frozen=True):
    """All jar spaces of a seat with the same reward."""

    space: str  #: Id of the jar space: its reward.
    gains: tuple[str, ...]  #: Rewards of the space, one entry each.
    spaces: int  #: Number of spaces with this reward.
    taken: int  #: Number of them that have a jar.


class SeatView(Struct, frozen=True, kw_only=True):
    """The player board, cards and pieces of a seat.

    Only the seat itself receives ``deck``, ``again``, ``under``, ``hand`` and ``chosen``; they are empty for other
    viewers. The seat of the solo opponent has no silver, provisions or paladins.
    """

    seat: int  #: Seat number.
    decision: str  #: Kind of decision the seat has to make. Empty: none.
    automaton: bool  #: Whether the seat is the solo opponent.
    passed: bool  #: Whether the seat has passed for this round.
    silver: int = 0  #: Silver of the seat.
    provisions: int = 0  #: Provisions of the seat.
    faith: int  #: Faith on the track, from 0 to 12.
    strength: int  #: Strength on the track, from 0 to 12.
    influence: int  #: Influence on the track, from 0 to 12.
    bonus: dict[str, int] = {}  #: Points that the paladin of this round adds, by attribute.
    workers: dict[str, int]  #: Unused workers by kind.
    paladin: str = ""  #: Id of the revealed paladin of this round. Empty: none.
    retired: tuple[str, ...] = ()  #: Ids of the paladins of earlier rounds.
    hand: tuple[str, ...] = ()  #: Ids of the paladins in hand. Empty for other viewers.
    hand_count: int = 0  #: Number of paladins in hand.
    has_chosen: bool = False  #: Whether the seat has placed a paladin face down.
    chosen: str = ""  #: Id of that paladin. Empty for other viewers.
    deck: tuple[str, ...] = ()  #: Ids of the paladins in the deck whose position is unknown. Empty for other viewers.
    deck_count: int = 0  #: Number of all paladins in the deck.
    again: str = ""  #: Id of the paladin put on top of the deck. Empty: none, or another viewer.
    #: Ids of the paladins put at the bottom of the deck; the next to be drawn is first. Empty for other viewers.
    under: tuple[str, ...] = ()
    areas: tuple[AreaView, ...]  #: Actions of the player board.
    workshops: tuple[str, ...]  #: Workers under the remaining workshops, from left to right.
    monks: int  #: Number of monks on the player board.
    outposts: int  #: Number of outposts on the player board.
    jars: int  #: Number of jars on the player board.
    jar_spaces: tuple[JarSpace, ...] = ()  #: Jar spaces, by reward.
    walls: tuple[str, ...]  #: Ids of the walls built.
    townsfolk: tuple[str, ...] = ()  #: Ids of the hired townsfolk.
    attacked: tuple[str, ...]  #: Ids of the attacked outsiders.
    converted: tuple[str, ...]  #: Ids of the converted outsiders.
    suspicion: tuple[str, ...]  #: Ids of the suspicion cards, the newest last.
    unpaid_debts: int  #: Number of unpaid debts.
    paid_debts: int  #: Number of paid debts.
    due: dict[str, int]  #: Rewards waiting to be taken, by kind.
    inquiry: tuple[str, ...] = ()  #: Ids of the townsfolk that can still be used in the inquisition.
    points: int  #: Points if the game ended now.


class OpponentView(Struct, frozen=True):
    """The resource track and the schemes of the solo opponent."""

    seat: int  #: Seat number.
    field: int  #: Space of the resource marker, from 1 to 5.
    #: Attributes in the order in which their markers were last moved, the latest last. Of markers on the same level,
    #: the last is on top.
    markers: tuple[str, ...]
    scheme: str  #: Id of the scheme revealed last. Empty: none.
    schemes: dict[str, int]  #: Schemes in the deck by id.
    discarded_schemes: dict[str, int]  #: Discarded schemes by id.
    favour_schemes: int  #: Number of King's Favour schemes still on King's Favours.


class Board(Struct, frozen=True):
    """The whole table as one viewer sees it."""

    round: int  #: Round, from 1 to 7. 0: before the first round.
    #: Phase: ``founding`` (first townsfolk), ``dawn`` (start of the round), ``paladins``, ``tavern``, ``actions``,
    #: ``dusk`` (end of the round) or ``over``.
    phase: str
    start_seat: int  #: Seat number of the start player.
    acting_seat: int  #: Seat number of the active player. 0: no seat is active.
    action: str  #: Id of the action in progress. Empty: none.
    tax: int  #: Silver in the tax supply.
    tax_full: int  #: Silver in the tax supply when it is full.
    inquisition: str  #: Reason for the inquisition in progress: ``tax`` or ``suspicion``. Empty: no inquisition.
    townsfolk: tuple[TownsfolkPlace, ...]  #: Townsfolk row, from left to right.
    townsfolk_deck: dict[str, int]  #: Cards in the townsfolk deck by id.
    townsfolk_discarded: tuple[str, ...]  #: Ids of the discarded townsfolk.
    outsiders: tuple[OutsiderPlace, ...]  #: Outsider row, from left to right.
    outsider_deck: dict[str, int]  #: Cards in the outsider deck by id.
    outsiders_discarded: tuple[str, ...]  #: Ids of the discarded outsiders.
    spaces: tuple[SpaceView, ...]  #: Spaces of the main board.
    orders: tuple[OrderPlace, ...]  #: Places of the King's Orders, from left to right.
    favours: tuple[FavourPlace, ...]  #: Places of the King's Favours, from left to right.
    tavern: tuple[str, ...]  #: Ids of the tavern cards on display.
    tavern_deck: int  #: Number of cards in the tavern deck.
    walls: int  #: Number of walls in the deck.
    suspicion_deck: dict[str, int]  #: Cards in the suspicion deck by id.
    suspicion_discarded: dict[str, int]  #: Discarded suspicion cards by id.
    debts: int  #: Number of debts in the pile.
    seats: tuple[SeatView, ...]  #: All seats, in seat order.
    opponent: OpponentView | None = None  #: The solo opponent. Absent in a game without one.
