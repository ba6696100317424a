"""The typed board that clients receive: everything on the table, by the names of the rulebook."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers import board
from boardkeeper.titles.stories.events import NationScored, SeatScored


class AreaView(Struct, frozen=True):
    """A space of the map."""

    area: str  #: The map space id ("c4r2").
    side: str  #: The side of the Loire: "north" or "south".
    #: The landscape of the tile there, even if its village side is up. Empty if the space has no landscape tile.
    landscape: str
    village: bool  #: Whether the space has a village, either built or a seat's first village.
    #: The seats with settlers there, in ascending order; a seat is listed once for each of its settlers.
    settlers: tuple[int, ...]
    fortress: int  #: The seat with a fortress there. 0 if none.
    church: bool  #: Whether the space has a church.
    manor_farm: bool = False  #: Whether the tile is a manor farm.
    town: str = ""  #: The town id. Empty if the space is not a town. Towns belong to no seat.


class SeatView(board.SeatView, frozen=True, kw_only=True):
    """The components and markers of one seat."""

    fame: int  #: Position on the fame track.
    era: int  #: The era of the seat, from 1. 0 before setup.
    carried_out: bool  #: Whether the seat has carried out the bonus or malus of its era since entering it.
    peace: bool  #: Whether the seat is at peace.
    categories: tuple[str, ...]  #: The categories of place cards that the era allows.
    areas: int  #: Number of controlled areas, as counted by the chosen readings.
    villages: int  #: Number of controlled villages, as counted by the chosen readings.
    churches: int  #: Number of controlled churches, as counted by the chosen readings.
    settlers_in_supply: int  #: Number of settlers in the supply.
    fortresses_in_supply: int  #: Number of fortresses in the supply.
    locked_places: tuple[str, ...]  #: The base place cards that are not open yet.
    fame_due: int  #: Number of fame track bonuses still to choose.
    bonus_due: bool  #: Whether the seat has yet to carry out the round bonus in this round.
    owed: int  #: Number of required goods still to give.
    trades: int  #: Number of trades left.
    churches_built: int  #: Number of churches built by the seat.
    #: The nation of the seat. Empty for a viewer who cannot see the card, and in stories without nations.
    nation: str = ""
    message: str = ""  #: The secret message kept by the seat. Empty for a viewer who cannot see the card.
    #: The dealt secret messages from which the seat must still choose. Empty for a viewer who cannot see them.
    dealt: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()  #: The secret messages returned by the seat. Empty for a viewer who cannot see them.
    #: Nations of other seats that only this seat knows ("2:england"). Used if looks at nation cards are secret (reading
    #: ``look_is_public``).
    noted: str = ""
    declared: bool  #: Whether the seat has declared its mission fulfilled.


class NationView(Struct, frozen=True):
    """A nation and its mission."""

    nation: str  #: The nation id ("england").
    mission: str  #: The mission of the nation. Empty until it is dealt.
    goods: dict[str, int]  #: Goods on the mission card, by good id.
    fulfilled: bool  #: Whether the mission was fulfilled.
    lost: bool  #: Whether the nation has lost because its declared mission was not fulfilled.


class BonusTilesView(Struct, frozen=True):
    """The bonus tiles."""

    on_eras: tuple[str, ...]  #: The bonus tile of each era, from era I. An entry is empty if the era has none.
    aside: tuple[str, ...]  #: The bonus tiles set aside.
    stack: tuple[str, ...]  #: The bonus tiles in the stack. The order does not reveal the order of the stack.


class CardsView(Struct, frozen=True):
    """The available place cards of one category."""

    category: str  #: The category: "I", "II" or "III".
    cards: tuple[str, ...]  #: The card ids.


class DeedView(board.DeedView, frozen=True):
    """A beneficial deed."""

    completed: int  #: Number of times the deed was completed.


class EventsView(Struct, frozen=True):
    """The event cards.

    Only some cards of each letter come up in a game; ``turned`` lists those that already have.
    """

    event: str  #: This round's card. Empty if none.
    letter: str  #: The letter of this round's card: "A", "B", "C" or "D".
    remaining: dict[str, int]  #: Number of cards in the face-down pile of each letter.
    turned: tuple[str, ...]  #: The cards of past rounds.


class ScoreView(SeatScored, frozen=True):
    """The score of one seat."""

    seat: int  #: The seat number, from 1.


class NationScoreView(NationScored, frozen=True):
    """The score of one nation."""


class Board(board.Board, frozen=True, kw_only=True):
    """The table as one viewer sees it."""

    #: The phase: "secrets", "followers", "planning", "actions", "event", "round_bonus", "declaring" or "over". Empty
    #: before the first phase.
    phase: str
    events: EventsView  #: The event cards.
    areas: tuple[AreaView, ...]  #: The map spaces in play.
    churches: int  #: Number of churches in the supply.
    place_cards: tuple[CardsView, ...]  #: The available place cards, by category.
    deeds: tuple[DeedView, ...]  #: All beneficial deeds.
    seats: tuple[SeatView, ...]  #: The seats, in order from seat 1.
    scores: tuple[ScoreView, ...]  #: The score sheet, best seat first. Empty until the game is over.
    seats_reached: int  #: Number of seats already affected by this round's event, in turn order.
    nations: tuple[NationView, ...]  #: The nations. Empty in stories without nations.
    bonus_tiles: BonusTilesView | None = None  #: The bonus tiles. Absent in stories without bonus tiles.
    #: The score sheet of the nations, best nation first. Empty until the game is over, and in stories without nations.
    nation_scores: tuple[NationScoreView, ...]
