"""The detail of an event of Orléans Stories. The event envelope has the seat.

The detail describes the event in the terms of the rulebook; the effects in the envelope list the changes on the table.
Ids are as in commands.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers import ids
from boardkeeper.families.followers.events import *
from boardkeeper.titlekit.catalogue_title import structs_in


class TableLaid(Struct, frozen=True, gc=False):
    """The table was set up."""

    players: int  #: Number of seats.
    landscapes: dict[str, str]  #: The landscape of each map space that received a landscape tile, by map space id.
    start_seat: int  #: The seat of the start player.


# --- the round -----------------------------------------------------------------------------------------------


class RoundBegun(Struct, frozen=True, gc=False):
    """A round began."""

    round: int  #: The round, from 1.
    start_seat: int  #: The seat of the start player.
    event: str = ""  #: The event card turned over. Empty in stories without event cards.


# --- actions -------------------------------------------------------------------------------------------------


class PlaceUsed(Struct, frozen=True, gc=False):
    """A seat used a place and received its rewards."""

    place: ids.Place
    follower: str = ""  #: The follower received. Empty if none.
    goods: dict[str, int] = {}  #: Goods received, by good id.
    coins: int = 0  #: Number of coins received.
    fame: int = 0  #: Number of fame points.
    technology: int = 0  #: Number of technology tiles received.


class AreaEntered(Struct, frozen=True, gc=False):
    """A seat put a settler on a free area or, at peace, on a shared area."""

    place: str  #: The place used. Empty if the event of the round allowed it.
    area: str  #: The map space id ("c4r2").
    town: str = ""  #: The town that the settler came from; empty: the supply.


class AreaConquered(Struct, frozen=True, gc=False):
    """A seat conquered an area. The other seat's settler returned to its supply."""

    place: str  #: The place used.
    area: str  #: The map space id ("c4r2").
    loser: int  #: The seat of the defeated settler.
    knights: int  #: Number of knights counted for the conquest.
    town: str = ""  #: The town that the settler came from; empty: the supply.


class TownEntered(Struct, frozen=True, gc=False):
    """A seat put a settler from its supply into a town."""

    place: str  #: The place used.
    town: str  #: The town, by its map space id.


class Built(Struct, frozen=True, gc=False):
    """A seat built a village, a fortress or a church."""

    place: str  #: The place used. Empty if a fame tile allowed it.
    area: str  #: The map space id ("c4r2").
    building: str  #: The building: "village", "fortress" or "church".
    wood: int  #: Number of wood paid.
    fame: int  #: Number of fame points.


class PlaceCardTaken(Struct, frozen=True, gc=False):
    """A seat took a place card."""

    place: str  #: The place used. Empty if a fame tile allowed it.
    card: str  #: The place card id.


class CoinsConverted(Struct, frozen=True, gc=False):
    """A seat turned coins into fame."""

    place: ids.Place
    paid: int  #: Number of coins paid.
    fame: int  #: Number of fame points.


class GoodsExchanged(Struct, frozen=True, gc=False):
    """A seat exchanged goods for the same number of other goods."""

    place: ids.Place
    given: str  #: The good given.
    received: str  #: The good received.
    count: int  #: Number of goods given, and of goods received.


class TradingBegun(Struct, frozen=True, gc=False):
    """A seat started trading."""

    place: str  #: The place used.
    trades: int  #: Maximum number of trades.


class GoodSold(Struct, frozen=True, gc=False):
    """A seat sold a good, which was removed from the game."""

    good: ids.Good
    coins: int  #: Number of coins received.


class GoodBought(Struct, frozen=True, gc=False):
    """A seat bought a good."""

    good: ids.Good
    paid: int  #: Number of coins paid.


class TradingFinished(Struct, frozen=True, gc=False):
    """A seat stopped trading."""


class FollowerSentToDeed(Struct, frozen=True, gc=False):
    """A seat sent a follower to a beneficial deed."""

    place: str  #: The place that sent the follower.
    follower: ids.Follower
    deed: ids.Deed
    coins: int  #: Number of coins received.
    fame: int  #: Number of fame points.
    completed: bool  #: Whether this completed the deed.
    citizens: int  #: Number of citizens received for completing the deed.


# --- fame and eras -------------------------------------------------------------------------------------------


class FameGained(Struct, frozen=True, gc=False):
    """A seat advanced on the fame track."""

    position: int  #: The new position of the marker.
    tiles: int  #: Number of fame tiles reached or passed.


class PlaceUnlocked(Struct, frozen=True, gc=False):
    """Fame bonus: a seat opened a base place card."""

    place: str  #: The base place card id.


class EraEntered(Struct, frozen=True, gc=False):
    """A seat entered an era."""

    era: int  #: The era, from 1.
    peace: bool  #: Whether the seat is at peace from now on.


class CitizenTaken(Struct, frozen=True, gc=False):
    """Fame bonus: a seat took a citizen."""


class TileUsed(Struct, frozen=True, gc=False):
    """A seat received something from a fame tile, a bonus tile or a manor farm."""

    source: str  #: The source: the number of the fame tile, "manor_farm" or "round_bonus".
    coins: int = 0  #: Number of coins received.
    goods: dict[str, int] = {}  #: Goods received, by good id.
    technology: int = 0  #: Number of technology tiles received.
    follower: str = ""  #: The follower received. Empty if none.
    card: str = ""  #: The place card received. Empty if none.


class FortressRazed(Struct, frozen=True, gc=False):
    """A fortress was removed from the game."""

    area: str  #: The map space of the fortress.
    owner: int  #: The seat of the fortress.


class NationSeen(Struct, frozen=True, gc=False):
    """A seat looked at the nation card of another seat."""

    of: int  #: The seat with the nation card. 0 if this is secret (reading ``look_is_public``).


class NationShown(Struct, frozen=True, gc=False):
    """The nation that a seat saw on another seat's card. Visible only to the seat that looked."""

    of: int  #: The seat with the nation card.
    nation: str  #: The nation id ("england").


class BonusDeclined(Struct, frozen=True, gc=False):
    """A seat declined a bonus."""

    bonus: str  #: The source of the bonus: "fame_bonus", an event card, or the number of a fame tile.


class RoundBonusCarriedOut(Struct, frozen=True, gc=False):
    """A seat carried out the bonus or malus of its era."""

    era: int  #: The era of the bonus or malus, from 1.
    coins: int = 0  #: Number of coins received.
    fame: int = 0  #: Number of fame points.
    food: int = 0  #: Number of food items required.


# --- events --------------------------------------------------------------------------------------------------


class EventCarriedOut(Struct, frozen=True, gc=False):
    """The event of the round gave something to a seat or took something from it."""

    event: str  #: The event card id.
    coins: int = 0  #: Number of coins received.
    fame: int = 0  #: Number of fame points.
    citizens: int = 0  #: Number of citizens received.
    technology: int = 0  #: Number of technology tiles received.
    goods: dict[str, int] = {}  #: Goods received, by good id.
    follower: str = ""  #: The follower put into the bag. Empty if none.


class GoodGiven(Struct, frozen=True, gc=False):
    """A seat gave a required good."""

    good: ids.Good


class GoodsMissing(Struct, frozen=True, gc=False):
    """A seat did not have enough of the required goods."""

    missing: int  #: Number of items still missing, to be replaced by torture.


class CoinsPaid(Struct, frozen=True, gc=False):
    """A seat paid required coins."""

    paid: int  #: Number of coins paid.
    missing: int  #: Number of items still missing, to be replaced by torture.


class FollowersLost(Struct, frozen=True, gc=False):
    """A seat lost followers drawn at random from its bag; they returned to the supply."""

    followers: tuple[str, ...]  #: The drawn followers, in the order of the draw.


class SettlerReturned(Struct, frozen=True, gc=False):
    """A settler that the seat could not feed returned to its supply."""

    area: str  #: The map space of the area or town that the settler left.


# --- nations -------------------------------------------------------------------------------------------------


class SecretsDealt(Struct, frozen=True, gc=False):
    """Missions, nation cards and secret messages were dealt. Each seat chooses a secret message."""

    missions: dict[str, str]  #: The mission of each nation, by nation id.


class CardsDealt(Struct, frozen=True, gc=False):
    """The nation card and the secret messages dealt to a seat. Visible only to that seat."""

    nation: str  #: The nation id ("england").
    messages: tuple[str, ...]  #: The secret messages from which the seat keeps one.


class MessageChosen(Struct, frozen=True, gc=False):
    """A seat chose its secret message. This event does not reveal the message."""


class MessageKept(Struct, frozen=True, gc=False):
    """The secret message that a seat kept. Visible only to that seat."""

    message: str  #: The secret message id.


class BonusTilesShifted(Struct, frozen=True, gc=False):
    """The bonus tiles moved by one era, and the last era received a new one."""

    tile: str  #: The new bonus tile.


class SilenceKept(Struct, frozen=True, gc=False):
    """A seat did not declare its mission fulfilled."""


class MissionDeclared(Struct, frozen=True, gc=False):
    """A seat declared its mission fulfilled."""


class NationsRevealed(Struct, frozen=True, gc=False):
    """All nation cards were revealed."""

    nations: tuple[str, ...]  #: The nation of each seat, in order from seat 1.


class MissionJudged(Struct, frozen=True, gc=False):
    """The mission of a nation was judged. If it is fulfilled, its goods were put on the card."""

    nation: str  #: The nation id ("england").
    mission: str  #: The mission id.
    fulfilled: bool  #: Whether the mission is fulfilled.


class MessagesRevealed(Struct, frozen=True, gc=False):
    """All kept secret messages were revealed."""

    messages: tuple[str, ...]  #: The secret message of each seat, in order from seat 1.


class NationScored(Struct, frozen=True, gc=False):
    """The final score of a nation."""

    nation: str  #: The nation id ("england").
    mission: int  #: Points for the mission.
    messages: int  #: Points for the secret messages that the nation leads.
    majority: int  #: Points for the most areas.
    areas: int  #: Number of occupied areas.
    villages: int  #: Number of occupied villages.
    churches: int  #: Number of occupied churches.
    coins: int  #: Number of coins; each scores 1 point.
    goods_points: int  #: Points for goods.
    total: int  #: Total points.
    rank: int  #: The rank, from 1. Tied nations both have 1.


class DeclarationFailed(Struct, frozen=True, gc=False):
    """A nation had not fulfilled its declared mission and has lost."""

    nation: str  #: The nation id ("england").


# --- torture -------------------------------------------------------------------------------------------------


class SettlerSurrendered(Struct, frozen=True, gc=False):
    """A seat gave up a settler."""

    area: str  #: The map space that the piece left. Empty: from the supply.
    missing: int  #: Number of items still missing, to be replaced by torture.


class FortressSurrendered(Struct, frozen=True, gc=False):
    """A seat gave up a fortress."""

    area: str  #: The map space that the piece left. Empty: from the supply.
    missing: int  #: Number of items still missing, to be replaced by torture.


class PlaceCardSurrendered(Struct, frozen=True, gc=False):
    """A seat gave up a place card. Followers on it returned to the bag; technology tiles on it are lost."""

    place: str  #: The place card or base place card.
    missing: int  #: Number of items still missing, to be replaced by torture.


class CitizenSurrendered(Struct, frozen=True, gc=False):
    """A seat gave up a citizen."""

    missing: int  #: Number of items still missing, to be replaced by torture.


# --- the end -------------------------------------------------------------------------------------------------


class SeatScored(Struct, frozen=True, gc=False):
    """The final score of one seat."""

    coins: int  #: Number of coins; each scores 1 point.
    goods: dict[str, int]  #: Number of goods, by good id.
    goods_points: int  #: Points for goods.
    areas: int  #: Number of controlled areas.
    area_points: int  #: Points for areas.
    villages: int  #: Number of controlled villages.
    citizens: int  #: Number of citizens.
    citizen_points: int  #: Points for citizens: villages × citizens.
    churches: int  #: Number of controlled churches.
    church_points: int  #: Points for churches.
    total: int  #: Total points.
    rank: int  #: The rank, from 1. Tied seats have the same rank.


EVENTS = structs_in(globals(), Placement, FollowerStored, StoringFinished)
