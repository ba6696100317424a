"""The data of Hamlet: three places for each seat, six place tiles and two deeds."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from boardkeeper.families.followers import data as family
from boardkeeper.families.followers.data import COINS, FARMER, MONK, OWN, FollowersData
from boardkeeper.families.followers.readings import FollowersOptions, FollowersReadings

HONOUR = "honour"
KNIGHT = "knight"
PIG = "pig"
FOLLOWERS = (FARMER, KNIGHT, MONK, OWN + FARMER)

BOARD: dict[str, dict[str, Any]] = {
    "mill": {"spaces": [FARMER, KNIGHT, MONK], "flour": 2},
    "garden": {"spaces": [FARMER], "flour": 1},
    "hall": {"spaces": ["any", "any"], "filled_at_least": 1, "neutral_only": True, "send_to_deeds": 2},
}
TILES: dict[str, dict[str, Any]] = {
    "chapel": {"spaces": [MONK], "cancels_event": True},
    "tower": {"spaces": ["any", "any"], "market_extension": 2, "filled_at_least": 1, "send_to_deeds": 2},
    "bath": {"spaces": ["any"], "bathhouse": 2},
    "spring": {"spaces": [], "extra_draw": 3},
    "inn": {"spaces": [], "stands_for": {KNIGHT: [FARMER]}},
    "cell": {"spaces": [MONK], "cancels_event": True},
}


class Options(FollowersOptions, frozen=True):
    """The options of Hamlet."""


class Place(family.Place, frozen=True, kw_only=True):
    """A place of Hamlet. A mill gives a coin for each sack of flour."""

    flour: int = 0

    @property
    def verb(self) -> str:
        """The verb: the family does not have the mill's."""
        return "mill" if self.flour else super().verb


class Deed(family.Deed, frozen=True, kw_only=True):
    """A deed that gives coins, or honour if it has any."""

    coins: int
    honour: int = 0

    @property
    def rewards(self) -> tuple[str, ...]:
        """The possible rewards."""
        return (COINS, HONOUR) if self.honour else (COINS,)


class Data(FollowersData):
    """All data of Hamlet."""

    readings: FollowersReadings
    places: dict[str, Place]
    deeds: dict[str, Deed]

    def __init__(self, tiles: dict[str, dict[str, Any]], readings: FollowersReadings, options: Options) -> None:
        super().__init__()
        self.readings = readings
        self.options = options
        self.market_size = 4
        self.start_draw = 1
        self.followers = FOLLOWERS
        self.tiles = tuple(tiles)
        self.board_places = tuple(BOARD)
        self.places = self.read_places({**BOARD, **tiles}, Place)
        self.deeds = {
            "bridge": Deed(id="bridge", spaces={FARMER: 2}, coins=1),
            "shrine": Deed(id="shrine", spaces={KNIGHT: 1, MONK: 1}, coins=2, honour=3),
        }


class Grind(Struct, frozen=True):
    """A command that only Hamlet has: use the mill or the garden."""

    place: str


class SellPig(Struct, frozen=True):
    """A command that only Hamlet has: sell a pig for a missing coin."""


class Ground(Struct, frozen=True):
    """A seat ground flour and sold it."""

    place: str
    coins: int


class Welcomed(Struct, frozen=True):
    """A follower joined a deed."""

    deed: str
    follower: str
    coins: int
    honour: int
    completed: bool


class Struck(Struct, frozen=True):
    """A seat paid what it could for the tithe or the storm."""

    by: str
    paid: int
    missing: int


class PigSold(Struct, frozen=True):
    """A pig replaced a missing coin."""

    missing: int


class Comforted(Struct, frozen=True):
    """A seat that had sold a pig got a coin after the storm."""


class TableLaid(Struct, frozen=True):
    """The game began."""


class Ended(Struct, frozen=True):
    """The game ended."""
