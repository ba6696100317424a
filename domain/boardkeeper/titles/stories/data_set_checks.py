"""Checks of a data set: required blocks, valid entries, known ids, sums, and facts that the rulebook shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from boardkeeper.families.followers.data import ANY, FollowersData
from boardkeeper.titlekit import title_files
from boardkeeper.titlekit.data_sets import Block, Entries, Table, entries_of, find_id_problems, read_blocks
from boardkeeper.titlekit.entries import Count, NonBlank, one_of, read_entry
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.sentences import Words
from boardkeeper.titles.stories import cards as c
from boardkeeper.titles.stories.tables import NAMED

_SETTLERS, _NATIONS = "editions.settlers", "editions.england-vs-france"
_STACKS = (*c.CHARACTERS, *c.GOODS, "technology")
_PLAYERS = ("2", "3", "4")
_REQUIREMENTS = "|".join((*c.CHARACTERS, ANY))


class Spaces(Struct, frozen=True):
    """The spaces of a place: each needs a character, one of several (``farmer|knight``) or ``any``."""

    spaces: tuple[Annotated[str, Meta(pattern=rf"^({_REQUIREMENTS})(\|({_REQUIREMENTS}))*$")], ...]


class Map(Struct, frozen=True, forbid_unknown_fields=True):
    """The map: its spaces, those on the edge, and those for each number of players."""

    provenance: NonBlank
    spaces_provenance: NonBlank
    edge: tuple[str, ...]
    spaces: dict[str, Any]
    players: dict[Annotated[str, one_of(*_PLAYERS)], dict[Annotated[str, one_of("spaces")], tuple[str, ...]]]


class StartVillages(Struct, frozen=True, forbid_unknown_fields=True):
    """The start villages by number of players."""

    players: dict[Annotated[str, one_of(*_PLAYERS)], dict[Annotated[str, one_of("start_villages")], tuple[str, ...]]]


class Towns(Struct, frozen=True, forbid_unknown_fields=True):
    """The spaces of the towns."""

    towns: dict[str, str]


class Fame(Struct, frozen=True, forbid_unknown_fields=True):
    """The bonus spaces of the fame track."""

    bonus_spaces: tuple[Count, ...]


T = TypeVar("T", c.Event, c.BonusTile)


def _read_effect(path: str, entry: Any, kind: type[T]) -> T:
    """Read an entry; raises ``ValueError`` if its ``effect`` has an unknown word or none."""
    read = read_entry(path, entry, kind)
    if read.effect != entry["effect"] or not read.effect:
        unknown = ", ".join(entry["effect"].keys() - read.effect.keys())
        raise ValueError(f"{path}.effect: {f'the rules do not know {unknown}' if unknown else 'must have a word'}")
    return read


def _read_place(path: str, entry: Any) -> c.Place:
    """Read a place; raises ``ValueError`` unless exactly the place cards have a category."""
    read_entry(path, {"spaces": entry.get("spaces")}, Spaces)
    place = FollowersData().read_places({path: entry}, c.Place)[path]
    if bool(place.category) != path.startswith("place_cards."):
        raise ValueError(f"{path}: `category` is for place cards, and each of them needs one")
    return place


BLOCKS: Mapping[str, Block] = {
    "map": Block(Map, is_entry=True),
    "map.spaces": Block(c.Space, id_pattern="c[1-9][0-9]*r[1-9][0-9]*", has_names=False),
    "landscapes": Block(c.Landscape),
    "supply": Block(dict[Annotated[str, one_of(*_STACKS)], Count], ids=_PLAYERS, has_names=False),
    "places": Block(c.Place, read=_read_place),
    "base_places": Block(c.Place, 6, read=_read_place),
    "place_cards": Block(c.Place, 24, read=_read_place),
    "building": Block(c.Cost, ids=c.BUILDINGS),
    "deeds": Block(c.Deed, 6),
    f"{_SETTLERS}.map": Block(StartVillages, is_entry=True),
    f"{_SETTLERS}.fame": Block(Fame, is_entry=True),
    f"{_SETTLERS}.events": Block(c.Event, 32, read=lambda path, entry: _read_effect(path, entry, c.Event)),
    f"{_NATIONS}.map": Block(Towns, is_entry=True),
    f"{_NATIONS}.eras": Block(c.Era, ids=("1", "2", "3")),
    f"{_NATIONS}.bonus_tiles": Block(c.BonusTile, 10, read=lambda path, entry: _read_effect(path, entry, c.BonusTile)),
    f"{_NATIONS}.missions": Block(c.Mission, 8),
    f"{_NATIONS}.messages": Block(c.Message, 12),
}
"""The type of each block."""

_TAKEN = frozenset(
    {*c.CHARACTERS, *c.GOODS, "start", "start_village", "manor_farm", "town_1", "town_2", "england", "france"}
)
"""Ids of components outside data sets, besides pieces. Entries of data sets must not use them."""

PRINTED: tuple[tuple[str, str, str, Any], ...] = (
    ("places", "territory", "territory", 1),
    ("places", "landed_estate", "produce", "areas"),
    ("places", "market", "trades", True),
    ("places", "construction_yard", "take_place_card", True),
    ("base_places", "university", "recruit", "scholar"),
    ("place_cards", "carpentry", "fame_on_build", 1),
    ("deeds", "food_depot", "back", {"en": "Medicine", "de": "Medizin"}),
)
"""Printed facts: block, entry, word and value."""

_NEEDED: Mapping[str, tuple[Any, ...]] = {"recruit": c.CHARACTERS, "build": c.BUILDINGS, "technology": (1,)}
"""Words with values that the places of the player board or base places must have, besides printed facts."""

_LANDSCAPE_TILES = 25
_SPACES = {"2": (15, 15), "3": (16, 28), "4": (29, 29)}
"""The minimum and maximum number of spaces of the map, by the number of players."""

Problems = Iterator[str]


def problems(data_set: Table) -> list[str]:
    """Return all problems of a data set (merged with its base), each with its path.

    References between entries are checked only if all blocks exist and each entry is valid.
    """
    entries, found = read_blocks(data_set, BLOCKS)
    taken = _TAKEN | _fixed_tables()["pieces"].keys()
    return found or [
        *find_id_problems(entries, BLOCKS, taken),
        *_name_problems(data_set),
        *_map_problems(entries),
        *_sum_problems(entries),
        *_printed_fact_problems(entries),
    ]


def _name_problems(data_set: Table) -> Problems:
    """Yield entries whose name differs from the name of their id in the word files or in other data sets."""
    for language in LANGUAGES:
        names = Words.read(__package__, language).forms["name"]
        for path, id, entry in entries_of(data_set, NAMED):
            name = entry[language]
            if names.get(id, name) != name:
                yield f"{path}.{id} is {names[id]!r} in all data sets, not {name!r}: give another component another id"


@lru_cache(maxsize=1)
def _fixed_tables() -> dict[str, Any]:
    """Return the tables of The Settlers without a data set."""
    return title_files.tables_of(__package__, "settlers")


def _map_problems(entries: Entries) -> Problems:
    """Yield overlapping or unknown spaces, and wrong numbers of spaces, start villages and towns."""
    whole, spaces = entries["map"][""], entries["map.spaces"]
    twice = [at for at, count in Counter((space.column, space.y) for space in spaces.values()).items() if count > 1]
    yield from (f"map.spaces: two spaces are in column {column} at height {y}" for column, y in twice)
    used = {players: set(whole.players.get(players, {}).get("spaces", ())) for players in _PLAYERS}
    begin = {players: of.get("start_villages", ()) for players, of in entries[f"{_SETTLERS}.map"][""].players.items()}
    towns = entries[f"{_NATIONS}.map"][""].towns
    yield from _unknown_spaces("map.edge", whole.edge, spaces)
    for players, (fewest, most) in _SPACES.items():
        path = f"map.players.{players}.spaces"
        yield from _unknown_spaces(path, used[players], spaces)
        if not fewest <= len(used[players]) <= most:
            yield f"{path} must have {fewest} to {most} spaces, not {len(used[players])}"
        elif not _is_connected(c.cells({id: spaces[id] for id in used[players] if id in spaces})):
            yield f"{path} must be in one piece"
        path = f"{_SETTLERS}.map.players.{players}.start_villages"
        yield from _unknown_spaces(path, begin.get(players, ()), used[players])
        if len(set(begin.get(players, ()))) != int(players):
            yield f"{path} must have a space for each of {players} seats"
    yield from _unknown_spaces(f"{_NATIONS}.map.towns", towns.values(), used["4"])
    if towns.keys() != {"town_1", "town_2"} or len(set(towns.values())) != len(towns):
        yield f"{_NATIONS}.map.towns must have a space for each of town_1, town_2"


def _unknown_spaces(path: str, listed: Iterable[str], known: Container[str]) -> Problems:
    yield from (f"{path}: there is no space {id!r}" for id in listed if id not in known)


def _is_connected(map: Mapping[str, c.Cell]) -> bool:
    reached: set[str] = set()
    found = set(list(map)[:1])
    while found:
        reached |= found
        found = {other for id in found for other in map[id].neighbours} - reached
    return len(reached) == len(map)


def _sum_problems(entries: Entries) -> Problems:
    """Yield wrong numbers of tiles and cards, and wrong rows of the supply."""
    exact = _fixed_tables()
    landscapes, cards = entries["landscapes"], entries["place_cards"].values()
    for id, landscape in landscapes.items():
        if exact["goods"][landscape.good]["source"] != id:
            yield f"landscapes.{id}.good: {landscape.good} comes from {exact['goods'][landscape.good]['source']}"
    tiles = sum(landscape.tiles for landscape in landscapes.values())
    if tiles != _LANDSCAPE_TILES:
        yield f"landscapes must have {_LANDSCAPE_TILES} tiles, not {tiles}"
    supply = entries["supply"]
    have = {stack: tuple(supply.get(players, {}).get(stack, 0) for players in reversed(_PLAYERS)) for stack in _STACKS}
    rows = set(map(tuple, exact["supply_rows"]["rows"]))
    yield from (
        f"supply: {stack} has the row {row}, which is not printed" for stack, row in have.items() if row not in rows
    )
    yield from (f"supply: no stack has the printed row {row}" for row in sorted(rows - set(have.values())))
    missing = set(c.CATEGORIES) - {card.category for card in cards}
    yield from (f"place_cards has no card of category {category}" for category in sorted(missing))
    path, spaces = f"{_SETTLERS}.fame.bonus_spaces", list(entries[f"{_SETTLERS}.fame"][""].bonus_spaces)
    if len(spaces) != exact["fame"]["tiles"]:
        yield f"{path} must be {exact['fame']['tiles']} spaces, not {len(spaces)}"
    first, last = exact["game"]["start_fame"] + 1, exact["game"]["fame_length"]
    if spaces != sorted({space for space in spaces if first <= space <= last}):
        yield f"{path} must rise, from {first} to {last} at most"
    deck = exact["event_deck"]
    letters = Counter(event.letter for event in entries[f"{_SETTLERS}.events"].values())
    for letter in deck["letters"]:
        if letters[letter] < deck["each"]:
            yield f"{_SETTLERS}.events has {letters[letter]} cards of letter {letter}, fewer than {deck['each']}"
    yield from (
        f"{_SETTLERS}.events: there is no letter {letter!r}" for letter in letters.keys() - set(deck["letters"])
    )
    about = Counter(message.most for message in entries[f"{_NATIONS}.messages"].values())
    yield from (f"{_NATIONS}.messages: {count} are about {most}" for most, count in about.items() if count > 1)


def _printed_fact_problems(entries: Entries) -> Problems:
    """Yield differences from printed facts, and effects that every story needs and that no place has."""
    for block, id, word, value in PRINTED:
        if getattr(entries[block].get(id), word, None) != value:
            yield f"{block}.{id}.{word} must be {value!r}, as printed"
    places = [*entries["places"].values(), *entries["base_places"].values()]
    if not any(place.send_to_deeds for place in places):
        yield "places and base_places: none has send_to_deeds"
    places += [gain for place in places for gain in place.choose]
    for word, values in _NEEDED.items():
        missing = [value for value in values if value not in (getattr(place, word, None) for place in places)]
        yield from (f"places and base_places: none has {word} = {value!r}" for value in missing)
    for id, era in entries[f"{_NATIONS}.eras"].items():
        if era.build_fame.keys() != set(c.BUILDINGS):
            yield f"{_NATIONS}.eras.{id}.build_fame must have a number for each of {', '.join(c.BUILDINGS)}"
    malus = [tile.effect for tile in entries[f"{_NATIONS}.bonus_tiles"].values() if tile.malus]
    if malus != [{"food_per_settler_on_map": 1}]:
        yield f"{_NATIONS}.bonus_tiles must have one malus, whose effect is food_per_settler_on_map = 1"
