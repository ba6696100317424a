"""The words with which data sets say what places, cards and tiles do: a closed list, as each needs rules of its own.

``reconstructed-1.toml`` explains them beside the tables that use them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

CHARACTER, GOOD, LANDSCAPE = "characters", "goods", "landscapes"

Ids = Mapping[str, frozenset[str]]
"""The ids that there are of characters, goods and landscapes."""


class Kind(NamedTuple):
    """What a word takes: in plain words, and whether a value is that."""

    says: str
    fits: Callable[[Any, Ids], bool]


def one_of(*words: str) -> Kind:
    """One of some words."""
    return Kind(f"one of {', '.join(words)}", lambda value, _: value in words)


def id_of(group: str) -> Kind:
    """The id of a character, good or landscape."""
    return Kind(f"the id of one of the {group}", lambda value, ids: isinstance(value, str) and value in ids[group])


def some_of(group: str) -> Kind:
    """A list of such ids."""
    return Kind(
        f"a list of ids of {group}",
        lambda value, ids: isinstance(value, list) and bool(value) and set(value) <= ids[group],
    )


def counts_of(group: str, *more: str) -> Kind:
    """Such ids, or other words, each with a number."""
    return Kind(
        f"{group} with a number each",
        lambda value, ids: (
            isinstance(value, dict)
            and set(value) <= ids[group] | set(more)
            and all(NUMBER.fits(count, ids) for count in value.values())
        ),
    )


def _is_number(value: Any, _: Ids) -> bool:
    return type(value) is int and value >= 1


def _stands_for(value: Any, ids: Ids) -> bool:
    return (
        isinstance(value, dict)
        and set(value) <= ids[CHARACTER]
        and all(map(set(ids[CHARACTER]).issuperset, value.values()))
    )


NUMBER = Kind("a number from 1 on", _is_number)
ONE = Kind("1", lambda value, _: type(value) is int and value == 1)
CHANGE = Kind("a number other than 0", lambda value, _: type(value) is int and value != 0)
YES = Kind("true", lambda value, _: value is True)

GAINS: Mapping[str, Kind] = {
    "recruit": id_of(CHARACTER),
    "good": id_of(GOOD),
    "coins": NUMBER,
    "fame": NUMBER,
    "technology": ONE,
}
"""What a place gives."""

CHOSEN: Mapping[str, Kind] = {word: GAINS[word] for word in ("recruit", "good", "coins")}
"""What one of several gains is made of; each is known by the character that it recruits."""

CHOICE = Kind(
    f"a list of two or more gains ({', '.join(CHOSEN)}), each with another character to recruit",
    lambda value, ids: (
        isinstance(value, list)
        and len(value) >= 2
        and all(gain and not [*wrong("", gain, CHOSEN, ids)] for gain in value)
        and len({gain.get("recruit", "") for gain in value} - {""}) == len(value)
    ),
)

PASSIVE: Mapping[str, Kind] = {
    "green_spaces": NUMBER,
    "fame_on_build": NUMBER,
    "stands_for": Kind("a character with those that it stands for", _stands_for),
}
"""What a card does for whoever owns it, without spaces for followers."""

PLACES: Mapping[str, Kind] = {
    **GAINS,
    **PASSIVE,
    "choose": CHOICE,
    "produce": one_of("areas", "one_landscape"),
    "trades": YES,
    "territory": ONE,
    "conquest_strength": NUMBER,
    "build": one_of("village", "fortress", "church"),
    "take_place_card": YES,
    "send_to_deeds": NUMBER,
    "convert_coins": NUMBER,
    "exchange_from": id_of(GOOD),
    "exchange_to": id_of(GOOD),
    "exchange_most": NUMBER,
    "bathhouse": NUMBER,
    "coins_per_village": NUMBER,
    "coins_per_follower": NUMBER,
    "fame_from": NUMBER,
    "fame_bonus": NUMBER,
    "cancels_event": YES,
}

EVENTS: Mapping[str, Kind] = {
    "pay_food": NUMBER,
    "pay_coins": NUMBER,
    "pay_wood": ONE,
    "per_areas": NUMBER,
    "per_goods": NUMBER,
    "round": one_of("up", "down"),
    "most": NUMBER,
    "else_lose": one_of("technology", "unfortified_settler"),
    "out_of_game": YES,
    "lose_goods": NUMBER,
    "lose_random_followers": NUMBER,
    "unless_fortresses_at_least": NUMBER,
    "gain_good": id_of(GOOD),
    "plus_if_controls": id_of(LANDSCAPE),
    "only_if_controls": id_of(LANDSCAPE),
    "gain_follower": some_of(CHARACTER),
    "gain_good_per_distinct_landscape": NUMBER,
    "coins_per_village": NUMBER,
    "fame_per_church": NUMBER,
    "coins_to_sole_most_areas": NUMBER,
    "coins_from_sole_fewest_areas": NUMBER,
    "from_players": NUMBER,
    "fame_to_lowest": NUMBER,
    "most_of": one_of("knights", "fame"),
    "fame": NUMBER,
    "citizens": NUMBER,
    "may_pay": id_of(GOOD),
    "technology": NUMBER,
    "sell_up_to": NUMBER,
    "price_bonus": NUMBER,
    "free_expansion": ONE,
    "forbid": one_of("conquest"),
    "forbid_placing": id_of(CHARACTER),
    "draw_modifier": CHANGE,
}

ACTIONS: tuple[frozenset[str], ...] = (
    frozenset({*GAINS, "coins_per_village", "coins_per_follower", "fame_from", "fame_bonus"}),
    frozenset({"territory", "conquest_strength"}),
    frozenset({"exchange_from", "exchange_to", "exchange_most"}),
    *(frozenset({word}) for word in ("choose", "produce", "trades", "build", "take_place_card", "send_to_deeds")),
    *(frozenset({word}) for word in ("convert_coins", "bathhouse", "cancels_event")),
)
"""Words that say together what a place does: it does one thing, and would forget the others."""

ASKING = frozenset(
    {
        *("pay_food", "pay_coins", "pay_wood", "coins_from_sole_fewest_areas", "lose_goods", "lose_random_followers"),
        *("may_pay", "gain_follower", "sell_up_to", "free_expansion"),
    }
)
"""What events take from each seat or ask of it: one thing, as a seat decides about one at a time."""

OF_THE_ROUND = frozenset({"forbid", "forbid_placing", "draw_modifier"})
"""What events do for a whole round; everything else is done at its end."""

BONUS_TILES: Mapping[str, Kind] = {
    "fame_per_landscape": id_of(LANDSCAPE),
    "coins_per_village": NUMBER,
    "fame_per_fortress": NUMBER,
    "fame_per_church": NUMBER,
    "good_of_one_controlled_area": NUMBER,
    "food_per_settler_on_map": NUMBER,
}

AREAS = counts_of(LANDSCAPE, "forest_edge", "village", "north", "south")
"""What areas a mission can ask for."""

MOST = one_of(
    *("churches_built", "fortresses", "villages", "coins", "place_cards", "technology"),
    *("food_goods", "wood", "brocade", "areas_north", "areas_south", "knights"),
)
"""What a secret message can be about."""

Needs = Mapping[str, tuple[str, ...]]
"""Words that say nothing without another one: with each, those of which one has to stand beside it."""

PLACES_NEED: Needs = {
    "conquest_strength": ("territory",),
    "exchange_from": ("exchange_to",),
    "exchange_to": ("exchange_most",),
    "exchange_most": ("exchange_from",),
    "fame_from": ("fame_bonus",),
    "fame_bonus": ("fame_from",),
}

EVENTS_NEED: Needs = {
    "pay_wood": ("else_lose",),
    "per_areas": ("round",),
    "per_goods": ("round",),
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


def wrong(
    path: str, said: Mapping[str, Any], words: Mapping[str, Kind], ids: Ids, needs: Needs = MappingProxyType({})
) -> Iterator[str]:
    """What is wrong with the words of a table: unknown ones, values that they do not take, and words that they need."""
    for word, value in said.items():
        if word not in words:
            yield f"{path}: there is no word {word!r}"
        elif not words[word].fits(value, ids):
            yield f"{path}: {word} is {words[word].says}, not {value!r}"
        elif word in needs and not set(needs[word]) & set(said):
            yield f"{path}: {word} needs {' or '.join(needs[word])} beside it"
