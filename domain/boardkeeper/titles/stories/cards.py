"""Structs of places, cards and tiles, which are read from entries in tables and data sets.

The fields of a struct are the keys of an entry, here called words. ``data_sets/reconstructed-1.toml`` explains them; a
new word needs new rules. Creating a struct raises ``ValueError`` if its words contradict each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from msgspec import Meta, Struct, field

from boardkeeper.families.followers import data as family
from boardkeeper.titlekit.entries import Count, NonBlank, check_partners, one_of

CHARACTERS = ("farmer", "fisherman", "craftsman", "trader", "knight", "scholar", "monk")
GOODS = ("grain", "fish", "cheese", "wood", "wine", "bread", "brocade")
LANDSCAPES = ("field", "lake", "pasture", "forest", "hill")
CATEGORIES = ("I", "II", "III")
BUILDINGS = ("village", "fortress", "church")

Character = Annotated[str, one_of(*CHARACTERS)]
Good = Annotated[str, one_of(*GOODS)]
LandscapeId = Annotated[str, one_of(*LANDSCAPES)]
Category = Annotated[str, one_of(*CATEGORIES)]
Building = Annotated[str, one_of(*BUILDINGS)]
One = Annotated[int, Meta(ge=1, le=1)]

Effect = Mapping[str, Any]
"""The effect of a card, tile, era or event: words with their values."""


class Gain(Struct, frozen=True, forbid_unknown_fields=True):
    """A choice of a place: a follower, and the good and coins that come with it."""

    recruit: Character
    good: Good = ""
    coins: Count = 0


_ACTIONS = (
    [
        "recruit",
        "good",
        "coins",
        "fame",
        "technology",
        "coins_per_village",
        *("coins_per_follower", "fame_from", "fame_bonus"),
    ],
    ["territory", "conquest_strength"],
    ["exchange_from", "exchange_to", "exchange_most"],
    *([word] for word in ("choose", "produce", "trades", "build", "take_place_card", "send_to_deeds")),
    *([word] for word in ("convert_coins", "bathhouse", "cancels_event")),
)
"""Groups of words that together describe one action. A place has one action."""

_PASSIVE = ("market_spaces", "fame_on_build", "stands_for")
"""Words of cards that have no spaces: they have an effect while a seat owns the card."""

_PLACE_PARTNERS = {  # for a word, the words of which it needs one
    "conquest_strength": ("territory",),
    "exchange_from": ("exchange_to",),
    "exchange_to": ("exchange_most",),
    "exchange_most": ("exchange_from",),
    "fame_from": ("fame_bonus",),
    "fame_bonus": ("fame_from",),
}


class Place(family.Place, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place of the player board, a base place card or a place card: its spaces and its effect.

    ``produce``: goods of all ``areas`` or of ``one_landscape``. ``conquest_strength``: the strength of a conquest
    instead of knights; villages cannot be conquered with it. ``coins_per_follower``: coins for each different follower
    on the place; ``fame_from`` or more of them also give ``fame_bonus``.
    """

    category: Category = ""
    recruit: Character = ""
    choose: Annotated[tuple[Gain, ...], Meta(min_length=2)] = ()
    good: Good = ""
    coins: Count = 0
    fame: Count = 0
    technology: One = 0
    produce: Annotated[str, one_of("areas", "one_landscape")] = ""
    trades: bool = False
    territory: One = 0
    conquest_strength: Count = 0
    build: Building = ""
    take_place_card: bool = False
    send_to_deeds: Count = 0
    bathhouse: Count = 0
    convert_coins: Count = 0
    exchange_from: Good = ""
    exchange_to: Good = ""
    exchange_most: Count = 0
    coins_per_village: Count = 0
    coins_per_follower: Count = 0
    fame_from: Count = 0
    fame_bonus: Count = 0
    fame_on_build: Count = 0
    market_spaces: Count = field(default=0, name="green_spaces")
    stands_for: dict[Character, tuple[Character, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        words = {word for word in self.__struct_fields__ if getattr(self, word)}
        check_partners(words, _PLACE_PARTNERS)
        actions = [action for action in _ACTIONS if words & set(action)]
        passive = words & set(_PASSIVE)
        if len(actions) > 1:
            listed = ", ".join(word for action in actions for word in action if word in words)
            raise ValueError(f"a place has one action, not {len(actions)}: {listed}")
        if not (actions or passive):
            raise ValueError("the place does nothing: it needs a word for its action")
        if bool(self.spaces) == bool(passive):
            raise ValueError(
                "`spaces` must be empty with `green_spaces`, `fame_on_build` or `stands_for`, and only then"
            )
        if self.filled_at_least > len(self.spaces):
            raise ValueError(f"`filled_at_least` must be at most {len(self.spaces)}, the number of spaces")
        if len({gain.recruit for gain in self.choose}) < len(self.choose):
            raise ValueError("each gain in `choose` must recruit another character")

    @property
    def verb(self) -> str:
        """The kind of action: the name of a module in ``phases/verbs`` of the title or the family."""
        if self.choose:
            return "choose"
        if self.produce:
            return "produce"
        if self.trades:
            return "market"
        if self.territory:
            return "territory"
        if self.build:
            return "build"
        if self.take_place_card:
            return "construction"
        if self.convert_coins:
            return "convert"
        return super().verb or ("exchange" if self.exchange_from else "gain")


class Deed(family.Deed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A beneficial deed: the spaces, coins and fame for each character, and the name of its ``back`` by language."""

    spaces: dict[Character, Count]
    coins: dict[Character, Count]
    fame: dict[Character, Count]
    back: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if set(self.spaces) != {*self.coins, *self.fame}:
            raise ValueError("each character in `spaces`, and no other, must bring `coins` or `fame`")


class Landscape(Struct, frozen=True, forbid_unknown_fields=True):
    """A landscape: the good that it yields and how many tiles show it."""

    good: Good
    tiles: Count


class Cost(Struct, frozen=True, forbid_unknown_fields=True):
    """The cost of a building."""

    wood: Count


class Era(Struct, frozen=True, forbid_unknown_fields=True):
    """An era: the number of followers to draw, the open categories of place cards and the round bonus.

    ``malus`` replaces ``bonus`` until the deed ``malus_until_deed`` is complete. ``build_fame`` has the fame for each
    building.
    """

    draw: Count
    categories: Annotated[tuple[Category, ...], Meta(min_length=1)]
    bonus: dict[str, Any] = {}
    malus: dict[str, Any] = {}
    malus_until_deed: str = ""
    peace: bool = False
    build_fame: dict[Building, int] = {}


class Mission(Struct, frozen=True, forbid_unknown_fields=True):
    """A mission: the number of areas that a nation must control, by kind of area, and the goods that it must have."""

    areas: Annotated[
        dict[Annotated[str, one_of(*LANDSCAPES, "forest_edge", "village", "north", "south")], Count], Meta(min_length=1)
    ]
    goods: Annotated[dict[Good, Count], Meta(min_length=1)]


class Message(Struct, frozen=True, forbid_unknown_fields=True):
    """A secret message: it gives points to the nation with the most pieces of a kind."""

    most: Annotated[
        str,
        one_of(
            *("churches_built", "fortresses", "villages", "coins", "place_cards", "technology"),
            *("food_goods", "wood", "brocade", "areas_north", "areas_south", "knights"),
        ),
    ]


class BonusEffect(TypedDict, total=False):
    """The words of the effect of a bonus tile."""

    fame_per_landscape: LandscapeId
    coins_per_village: Count
    fame_per_fortress: Count
    fame_per_church: Count
    good_of_one_controlled_area: Count
    food_per_settler_on_map: Count


class BonusTile(Struct, frozen=True, forbid_unknown_fields=True):
    """A bonus tile: the round bonus of the era that it is on. A ``malus`` takes something from the seats."""

    effect: BonusEffect
    malus: bool = False


class EventEffect(TypedDict, total=False):
    """The words of the effect of an event card."""

    pay_food: Count
    pay_coins: Count
    pay_wood: One
    per_areas: Count
    per_goods: Count
    round: Annotated[str, one_of("up", "down")]
    most: Count
    else_lose: Annotated[str, one_of("technology", "unfortified_settler")]
    out_of_game: Literal[True]
    lose_goods: Count
    lose_random_followers: Count
    unless_fortresses_at_least: Count
    gain_good: Good
    plus_if_controls: LandscapeId
    only_if_controls: LandscapeId
    gain_follower: Annotated[list[Character], Meta(min_length=1)]
    gain_good_per_distinct_landscape: Count
    coins_per_village: Count
    fame_per_church: Count
    coins_to_sole_most_areas: Count
    coins_from_sole_fewest_areas: Count
    from_players: Count
    fame_to_lowest: Count
    most_of: Annotated[str, one_of("knights", "fame")]
    fame: Count
    citizens: Count
    may_pay: Good
    technology: Count
    sell_up_to: Count
    price_bonus: Count
    free_expansion: One
    forbid: Annotated[str, one_of("conquest")]
    forbid_placing: Character
    draw_modifier: Literal[-3, -2, -1, 1, 2, 3]


_DEMANDS = (
    *("pay_food", "pay_coins", "pay_wood", "coins_from_sole_fewest_areas", "lose_goods", "lose_random_followers"),
    *("may_pay", "gain_follower", "sell_up_to", "free_expansion"),
)
"""Words of effects that take something from a seat or ask it for a decision; an event has at most one of them."""

_ROUND_EFFECTS = frozenset({"forbid", "forbid_placing", "draw_modifier"})
"""Words that apply during the whole round; all others apply at its end."""

_EVENT_PARTNERS = {  # for a word, the words of which it needs one
    "pay_wood": ("else_lose",),
    "per_areas": ("pay_food", "pay_coins"),
    "per_goods": ("pay_food", "pay_coins"),
    "round": ("per_areas", "per_goods"),
    "most": ("per_areas", "per_goods"),
    "else_lose": ("pay_wood", "pay_coins"),
    "out_of_game": ("pay_food",),
    "unless_fortresses_at_least": ("lose_goods",),
    "plus_if_controls": ("gain_good",),
    "only_if_controls": ("gain_good",),
    "from_players": ("coins_from_sole_fewest_areas",),
    "most_of": ("fame", "citizens"),
    "fame": ("most_of",),
    "citizens": ("most_of",),
    "may_pay": ("technology",),
    "technology": ("may_pay",),
    "price_bonus": ("sell_up_to",),
}


class Event(Struct, frozen=True, forbid_unknown_fields=True):
    """An event card: the letter of its pile and its effect. ``timing`` is ``round`` if it applies during the round."""

    letter: NonBlank
    effect: EventEffect
    timing: Annotated[str, one_of("round")] = ""

    def __post_init__(self) -> None:
        words = self.effect.keys()
        check_partners(words, _EVENT_PARTNERS)
        asking = [word for word in _DEMANDS if word in words]
        counted = words & {"per_areas", "per_goods"}
        if len(asking) > 1:
            raise ValueError(f"an event takes or asks for one thing, not {' and '.join(asking)}")
        if counted and ("round" not in words or "else_lose" in words or len(counted) > 1):
            raise ValueError(
                "`per_areas` or `per_goods`, one of them, needs `round` beside it and excludes `else_lose`"
            )
        if any((word in _ROUND_EFFECTS) != (self.timing == "round") for word in words):
            raise ValueError(f'`timing` must be "round" with {", ".join(sorted(_ROUND_EFFECTS))}, and only then')


class Space(Struct, frozen=True, forbid_unknown_fields=True):
    """A space of the map, a hexagon with a flat top: its column, its height in half hexagons, its side of the Loire."""

    column: int
    y: int
    side: Annotated[str, one_of("north", "south")]


class Cell(Struct, frozen=True):
    """A space of the map with the ids of adjacent spaces."""

    id: str
    side: str
    neighbours: tuple[str, ...]


def cells(spaces: Mapping[str, Space], *, is_blocked: bool = False) -> dict[str, Cell]:
    """Return spaces with their neighbours, by id. ``is_blocked``: spaces across the Loire are not adjacent."""

    def is_adjacent(one: Space, other: Space) -> bool:
        distance = (abs(one.column - other.column), abs(one.y - other.y))
        return distance in ((0, 2), (1, 1)) and not (is_blocked and one.side != other.side)

    return {
        id: Cell(id, space.side, tuple(other for other in spaces if is_adjacent(space, spaces[other])))
        for id, space in spaces.items()
    }
