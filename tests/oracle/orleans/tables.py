"""The contents of boards and rulebook tables, typed in by hand from the component list.

Nothing is read from the data of the title, so that a typing error on either side is found as a difference.
"""

from __future__ import annotations

ROUNDS = 18
MARKET_SPACES = 8
START_COINS = 5
STATIONS_EACH = 10
HOME = "orleans"

GOODS = ("grain", "cheese", "wine", "wool", "brocade")
FOOD = ("grain", "cheese", "wine")
GOODS_IN_BOX = {"grain": 24, "cheese": 21, "wine": 18, "wool": 15, "brocade": 12}
GOODS_POINTS = {"grain": 1, "cheese": 2, "wine": 3, "wool": 4, "brocade": 5}

CHARACTERS = ("farmer", "boatman", "craftsman", "trader", "knight", "scholar", "monk")
OWN = ("own_farmer", "own_boatman", "own_craftsman", "own_trader")
TECHNOLOGY = "technology"
TRACKS = ("farmers", "boatmen", "craftsmen", "traders", "knights", "scholars")
TRACK_OF = {
    "farmer": "farmers",
    "boatman": "boatmen",
    "craftsman": "craftsmen",
    "trader": "traders",
    "knight": "knights",
    "scholar": "scholars",
}

# --- supply by number of players, and contents of the boxes ---

PLAYERS = {"dlp-2014": (2, 3, 4), "dlp-8th": (2, 3, 4, 5), "capstone-2021": (2, 3, 4, 5)}
SUPPLY = {
    2: {"farmer": 12, "boatman": 6, "craftsman": 6, "trader": 6, "knight": 8, "scholar": 8, "monk": 8},
    3: {"farmer": 14, "boatman": 8, "craftsman": 8, "trader": 8, "knight": 11, "scholar": 11, "monk": 11},
    4: {"farmer": 16, "boatman": 10, "craftsman": 10, "trader": 10, "knight": 14, "scholar": 14, "monk": 14},
    5: {"farmer": 18, "boatman": 12, "craftsman": 12, "trader": 12, "knight": 17, "scholar": 17, "monk": 17},
}
TECHNOLOGY_TILES = {2: 16, 3: 16, 4: 16, 5: 20}
GOODS_TILES = {2: 78, 3: 84, 4: 90, 5: 90}
GOODS_REMOVED = {2: 12, 3: 6, 4: 0, 5: 0}
GOODS_ON_MAP = {2: 43, 3: 48, 4: 52, 5: 52}
GOODS_LEFT = {2: 35, 3: 36, 4: 38, 5: 38}
# The box of an edition contains the supply for the largest number of players: four in the first printings.
BOX_CHARACTERS = {"dlp-2014": SUPPLY[4], "dlp-8th": SUPPLY[5], "capstone-2021": SUPPLY[5]}
BOX_TECHNOLOGY = {"dlp-2014": 16, "dlp-8th": 20, "capstone-2021": 20}
BOX_COLOURS = {"dlp-2014": 4, "dlp-8th": 5, "capstone-2021": 5}
CITIZENS = 14

# --- the map: town, town, kind, spaces with 2, 3, 4 and 5 players ---

_ONE = (1, 1, 1, 1)
_THREE = (1, 2, 2, 2)  # the second space is marked "3": empty with two players
_FOUR = (1, 1, 2, 2)  # the second space is marked "4": empty with two and three players

WAYS: tuple[tuple[str, str, str, tuple[int, int, int, int]], ...] = (
    ("le_mans", "chartres", "road", _FOUR),
    ("le_mans", "chateaudun", "road", _ONE),
    ("le_mans", "vendome", "road", _ONE),
    ("le_mans", "tours", "road", _THREE),
    ("chartres", "etampes", "road", _ONE),
    ("chartres", "chateaudun", "road", _ONE),
    ("chartres", "orleans", "road", _ONE),
    ("etampes", "montargis", "road", _FOUR),
    ("chateaudun", "vendome", "road", _ONE),
    ("chateaudun", "orleans", "road", _ONE),
    ("vendome", "blois", "road", _ONE),
    ("orleans", "montargis", "road", _ONE),
    ("orleans", "vierzon", "road", _THREE),
    ("montargis", "briare", "road", _ONE),
    ("blois", "vierzon", "road", _ONE),
    ("loches", "chateauroux", "road", _ONE),
    ("vierzon", "chateauroux", "road", _ONE),
    ("le_blanc", "chateauroux", "road", _ONE),
    ("argenton", "chateauroux", "road", _ONE),
    ("argenton", "la_chatre", "road", _ONE),
    ("chateauroux", "la_chatre", "road", _ONE),
    ("la_chatre", "saint_amand", "road", _ONE),
    ("saint_amand", "bourges", "road", _ONE),
    ("saint_amand", "nevers", "road", _FOUR),
    ("bourges", "sancerre", "road", _ONE),
    ("bourges", "nevers", "road", _ONE),
    ("chinon", "chatellerault", "road", _ONE),
    ("chatellerault", "argenton", "road", _FOUR),
    ("montrichard", "loches", "road", _ONE),
    ("orleans", "blois", "water", _ONE),
    ("orleans", "briare", "water", _THREE),
    ("briare", "sancerre", "water", _THREE),
    ("sancerre", "nevers", "water", _ONE),
    ("blois", "tours", "water", _ONE),
    ("tours", "chinon", "water", _ONE),
    ("tours", "montrichard", "water", _ONE),
    ("tours", "loches", "water", _ONE),
    ("montrichard", "vierzon", "water", _ONE),
    ("vierzon", "bourges", "water", _ONE),
    ("vierzon", "saint_amand", "water", _ONE),
    ("chinon", "chatellerault", "water", _ONE),
    ("chinon", "le_blanc", "water", _THREE),
    ("le_blanc", "argenton", "water", _ONE),
)


def spaces_on_way(towns: frozenset[str], kind: str, players: int) -> int:
    """Return the initial number of goods on a connection."""
    for one, other, line, spaces in WAYS:
        if {one, other} == towns and line == kind:
            return spaces[players - 2]
    raise KeyError((towns, kind))


# --- tracks ---

FARMERS_GOODS = ("grain", "grain", "cheese", "cheese", "wine", "wine", "wool", "brocade")  # spaces 1 to 8
BOATMEN_COINS = (2, 3, 4, 5, 0)
BOATMEN_CITIZEN_SPACE = 5
KNIGHTS_DRAW = (4, 5, 6, 7, 7, 8)  # spaces 0 to 5
KNIGHTS_CITIZEN_SPACE = 4
SCHOLARS_POINTS = (2, 3, 4, 5, 6)
TRACK_LENGTH = {"farmers": 8, "boatmen": 5, "craftsmen": 5, "traders": 5, "knights": 5, "scholars": 5}

DEVELOPMENT_END = 30
DEVELOPMENT_COINS = {7: 3, 12: 4, 25: 5}
DEVELOPMENT_CITIZENS = (3, 18, 28)
DEVELOPMENT_STATUS = {0: 1, 4: 2, 9: 3, 15: 4, 22: 5, 30: 6}

CITIZENS_BESIDE_DEEDS = ("development.3", "development.18", "development.28", "boatmen", "knights", "most_stations")

# --- beneficial deeds: coins per follower, spaces ---

DEEDS: dict[str, tuple[int, dict[str, int]]] = {
    "city_wall": (1, {"knight": 3, "trader": 1, "farmer": 3, "craftsman": 3}),
    "papal_conclave": (3, {"monk": 2, "knight": 1}),
    "defeat_plague": (2, {"scholar": 2, "boatman": 1, "farmer": 1, "trader": 1}),
    "astronomy": (1, {"scholar": 2, "trader": 1}),
    "boatmen_guild": (1, {"scholar": 1, "boatman": 3}),
    "cathedral": (2, {"craftsman": 2, "monk": 2, "trader": 2}),
    "peace_treaty": (2, {"monk": 1, "scholar": 1, "knight": 2}),
    "canalization": (1, {"boatman": 3, "trader": 2, "farmer": 3, "craftsman": 2}),
}

# --- places ---

PLAYER_BOARD: dict[str, tuple[str, ...]] = {
    "ship": ("farmer", "boatman", "knight"),
    "wagon": ("farmer", "trader", "knight"),
    "guildhall": ("farmer", "craftsman", "knight"),
    "castle": ("farmer", "boatman", "trader"),
    "scriptorium": ("knight", "scholar"),
    "town_hall": ("any", "any"),
    "monastery": ("scholar", "trader"),
    "farm_house": ("boatman", "craftsman"),
    "village": ("farmer", "boatman", "craftsman"),
    "university": ("farmer", "craftsman", "trader"),
}
TILES_1: dict[str, tuple[str, ...]] = {
    "hayrick": ("farmer",),
    "cheese_factory": ("farmer", "farmer"),
    "winery": ("farmer", "trader"),
    "wool_manufacturer": ("boatman", "trader"),
    "tailor_shop": ("trader", "scholar"),
    "brewery": ("monk",),
    "sacristy": ("monk",),
    "windmill": ("craftsman", "craftsman"),
    "library": ("knight", "scholar"),
    "hospital": ("boatman", "scholar"),
    "herb_garden": (),
    "bathhouse": ("any",),
}
TILES_2: dict[str, tuple[str, ...]] = {
    "shipping_line": ("boatman",),
    "cellar": ("monk", "scholar"),
    "office": ("scholar", "scholar"),
    "horse_wagon": ("knight", "trader"),
    "laboratory": ("craftsman", "scholar"),
    "pharmacy": ("any",),
    "gunpowder_tower": ("any", "any"),
    "school": (),
}
GIVES_GOOD = {
    "hayrick": "grain",
    "cheese_factory": "cheese",
    "winery": "wine",
    "wool_manufacturer": "wool",
    "tailor_shop": "brocade",
}

# --- hour glass ---

EVENTS = ("pilgrimage", "income", "harvest", "taxes", "trading_day", "plague")
NEGATIVE = ("harvest", "taxes", "plague")
LETTERS = ("A", "B", "C", "U")  # U: tiles of the earliest printings, which have no letter
INCOME_PER_STATUS = {"A": 3, "B": 2, "C": 1}
HARVEST_FOOD = {"A": 1, "B": 2, "C": 3}
HARVEST_COINS = 5
TAXES_GOODS_PER_COIN = {"A": 1, "B": 2, "C": 3}
TRADING_DAY_PER_STATION = {"A": 3, "B": 2, "C": 1}
# The tiles of the earliest printings have no letters. They have the weakest effects, but only one food at the harvest.
UNGRADED_INCOME = 1
UNGRADED_FOOD = 1
UNGRADED_GOODS_PER_COIN = 3
UNGRADED_PER_STATION = 1
