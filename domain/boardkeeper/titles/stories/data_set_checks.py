"""Check a data set: every block that the rules need, entries that :mod:`.cards` accepts, and ids and sums that agree.

What is printed and known, such as the numbers of cards, is checked as well; the rest of a data set is free.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any

from msgspec import Meta, Struct

from boardkeeper.families.followers.data import ANY, FollowersData
from boardkeeper.table import tables
from boardkeeper.table.rules_catalogue import LANGUAGES
from boardkeeper.table.sentences import Words
from boardkeeper.titlekit.entries import Count, NonBlank, one_of, read_entry, read_names
from boardkeeper.titles.stories.cards import (
    BUILDINGS,
    CATEGORIES,
    CHARACTERS,
    GOODS,
    BonusTile,
    Cell,
    Cost,
    Deed,
    Era,
    Event,
    Landscape,
    Message,
    Mission,
    Place,
    Space,
    cells,
)

_SETTLERS, _NATIONS = "editions.settlers", "editions.england-vs-france"
_STACKS = (*CHARACTERS, *GOODS, "technology")
_PLAYERS = ("2", "3", "4")
_ASKED = "|".join((*CHARACTERS, ANY))


class Spaces(Struct, frozen=True):
    """The spaces of a place: each asks for a character, for one of several (``farmer|knight``) or for ``any``."""

    spaces: tuple[Annotated[str, Meta(pattern=rf"^({_ASKED})(\|({_ASKED}))*$")], ...]


class Map(Struct, frozen=True, forbid_unknown_fields=True):
    """The map besides its spaces: which of them are on the edge, and which are used by each number of players."""

    provenance: NonBlank
    spaces_provenance: NonBlank
    edge: tuple[str, ...]
    spaces: dict[str, Any]
    players: dict[Annotated[str, one_of(*_PLAYERS)], dict[Annotated[str, one_of("spaces")], tuple[str, ...]]]


class StartVillages(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the seats begin, by the number of players."""

    players: dict[Annotated[str, one_of(*_PLAYERS)], dict[Annotated[str, one_of("start_villages")], tuple[str, ...]]]


class Towns(Struct, frozen=True, forbid_unknown_fields=True):
    """The spaces of the towns."""

    towns: dict[str, str]


class Fame(Struct, frozen=True, forbid_unknown_fields=True):
    """The bonus spaces of the fame track."""

    bonus_spaces: tuple[Count, ...]


WHOLE: Mapping[str, Any] = {
    "map": Map,
    f"{_SETTLERS}.map": StartVillages,
    f"{_SETTLERS}.fame": Fame,
    f"{_NATIONS}.map": Towns,
}
"""The type of each block that is one entry."""

BLOCKS: Mapping[str, tuple[Any, int]] = {
    "map.spaces": (Space, 0),
    "landscapes": (Landscape, 0),
    "supply": (dict[Annotated[str, one_of(*_STACKS)], Count], len(_PLAYERS)),
    "places": (Place, 0),
    "base_places": (Place, 6),
    "place_cards": (Place, 24),
    "building": (Cost, len(BUILDINGS)),
    "deeds": (Deed, 6),
    f"{_SETTLERS}.events": (Event, 32),
    f"{_NATIONS}.eras": (Era, 3),
    f"{_NATIONS}.bonus_tiles": (BonusTile, 10),
    f"{_NATIONS}.missions": (Mission, 8),
    f"{_NATIONS}.messages": (Message, 12),
}
"""The type of the entries of each other block, and how many it must have (0: any number)."""

_NAMELESS = ("map.spaces", "supply")

_FIXED_IDS = {"supply": _PLAYERS, "building": BUILDINGS, f"{_NATIONS}.eras": ("1", "2", "3")}
"""Blocks whose entries are no components of their own, with their ids."""

_TAKEN = frozenset(
    {*CHARACTERS, *GOODS, "start", "start_village", "manor_farm", "town_1", "town_2", "england", "france"}
)
"""Ids of components that are in no data set, besides pieces."""

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

_NEEDED: Mapping[str, tuple[Any, ...]] = {"recruit": CHARACTERS, "build": BUILDINGS, "technology": (1,)}
"""What a seat can do on its board or base places in every story, besides what is printed: words with their values."""

_LANDSCAPE_TILES = 25
_SPACES = {"2": (15, 15), "3": (16, 28), "4": (29, 29)}
"""The fewest and the most spaces of the map, by the number of players."""

Table = Mapping[str, Any]
Entries = Mapping[str, Mapping[str, Any]]
Problems = Iterator[str]


def problems(data_set: Table) -> list[str]:
    """Return everything that is wrong with a data set, each with its path; ``data_set`` includes its base.

    References between entries are checked only if all blocks are there and each entry is right by itself.
    """
    blocks = _blocks(data_set)
    known = {*WHOLE, *BLOCKS}
    found = [f"{path} is missing" for path in sorted({"set", *known} - {*data_set, *blocks})]
    found += [f"{path}: there is no such block" for path in sorted(blocks.keys() - known)]
    entries: dict[str, dict[str, Any]] = {path: {} for path in known}
    for path, id, entry in _entries(blocks):
        try:
            entries[path][id] = _read(path, id, entry)
        except ValueError as error:
            found.append(str(error))
    return found or [*_ids(entries, blocks), *_the_map(entries), *_sums(entries), *_printed(entries)]


def _blocks(data_set: Table) -> dict[str, Any]:
    """All blocks by path: those for both stories, and those of each story."""
    blocks = {path: block for path, block in data_set.items() if path not in ("set", "editions")}
    for story, of_story in _table(data_set.get("editions")).items():
        blocks |= {f"editions.{story}.{name}": block for name, block in _table(of_story).items()}
    spaces = _table(blocks.get("map")).get("spaces")
    return blocks if spaces is None else {**blocks, "map.spaces": spaces}


def _table(value: Any) -> Table:
    return value if isinstance(value, dict) else {}


def _entries(blocks: Table) -> Iterator[tuple[str, str, Any]]:
    """All entries with the paths of their blocks and their ids; a block that is one entry, or no table, has no id."""
    for path, block in blocks.items():
        if path in BLOCKS and isinstance(block, dict):
            yield from ((path, id, entry) for id, entry in block.items())
        elif path in BLOCKS or path in WHOLE:
            yield path, "", block


def _read(block: str, id: str, entry: Any) -> Any:
    """An entry as its struct; raises ``ValueError``."""
    if not id:
        return read_entry(block, entry, WHOLE.get(block, dict[str, Any]))
    path, (kind, _) = f"{block}.{id}", BLOCKS[block]
    if block not in _NAMELESS:
        read_names(path, entry)
    if kind is Place:
        read_entry(path, {"spaces": entry.get("spaces")}, Spaces)
        place = FollowersData().read_places({path: entry}, Place)[path]
        if bool(place.category) != (block == "place_cards"):
            raise ValueError(f"{path}: `category` is for place cards, and each of them needs one")
        return place
    read = read_entry(path, entry, kind, **({"id": id} if kind is Deed else {}))
    effect = getattr(read, "effect", None)
    if effect is not None and (effect != entry["effect"] or not effect):
        unknown = ", ".join(entry["effect"].keys() - effect.keys())
        raise ValueError(f"{path}.effect: {f'the rules do not know {unknown}' if unknown else 'must have a word'}")
    return read


def _ids(entries: Entries, blocks: Table) -> Problems:
    """Entries that are too few or too many, ids that are wrong or used twice, and ids that sentences name otherwise."""
    for path, (_, count) in BLOCKS.items():
        if count and len(entries[path]) != count:
            yield f"{path} must have {count} entries, not {len(entries[path])}"
    for path, ids in _FIXED_IDS.items():
        if set(entries[path]) != set(ids):
            yield f"{path} must have the entries {', '.join(ids)}, not {', '.join(entries[path])}"
    pattern = {"map.spaces": "c[1-9][0-9]*r[1-9][0-9]*"}
    taken = _TAKEN | _exact()["pieces"].keys()
    for path in BLOCKS.keys() - _FIXED_IDS.keys():
        for id in entries[path]:
            if not re.fullmatch(pattern.get(path, "[A-Za-z][A-Za-z0-9_]*"), id):
                yield f"{path}.{id}: the id must match {pattern.get(path, 'letters, digits and underscores')}"
            if id in taken:
                yield f"{path}.{id}: another component has this id"
            for language in LANGUAGES if path not in _NAMELESS else ():
                name, said = blocks[path][id][language], _said(language).get(id)
                if said not in (None, name):
                    yield f"{path}.{id} is {said!r} in all data sets, not {name!r}: give another component another id"
        taken = taken | entries[path].keys()


@lru_cache(maxsize=4)
def _said(language: str) -> Mapping[str, str]:
    return Words.read(__package__, language).forms["name"]


@lru_cache(maxsize=1)
def _exact() -> dict[str, Any]:
    """The tables of The Settlers that are in no data set."""
    return tables.tables_of(__package__, "settlers")


def _the_map(entries: Entries) -> Problems:
    """Spaces in one place, unknown spaces, and start villages and towns that are too few or too many."""
    whole, spaces = entries["map"][""], entries["map.spaces"]
    twice = [at for at, count in Counter((space.column, space.y) for space in spaces.values()).items() if count > 1]
    yield from (f"map.spaces: two spaces are in column {column} at height {y}" for column, y in twice)
    used = {players: set(whole.players.get(players, {}).get("spaces", ())) for players in _PLAYERS}
    begin = {players: of.get("start_villages", ()) for players, of in entries[f"{_SETTLERS}.map"][""].players.items()}
    towns = entries[f"{_NATIONS}.map"][""].towns
    yield from _unknown("map.edge", whole.edge, spaces)
    for players, (fewest, most) in _SPACES.items():
        path = f"map.players.{players}.spaces"
        yield from _unknown(path, used[players], spaces)
        if not fewest <= len(used[players]) <= most:
            yield f"{path} must have {fewest} to {most} spaces, not {len(used[players])}"
        elif not _is_connected(cells({id: spaces[id] for id in used[players] if id in spaces})):
            yield f"{path} must be in one piece"
        path = f"{_SETTLERS}.map.players.{players}.start_villages"
        yield from _unknown(path, begin.get(players, ()), used[players])
        if len(set(begin.get(players, ()))) != int(players):
            yield f"{path} must have a space for each of {players} seats"
    yield from _unknown(f"{_NATIONS}.map.towns", towns.values(), used["4"])
    if towns.keys() != {"town_1", "town_2"} or len(set(towns.values())) != len(towns):
        yield f"{_NATIONS}.map.towns must have a space for each of town_1, town_2"


def _unknown(path: str, listed: Iterable[str], known: Container[str]) -> Problems:
    yield from (f"{path}: there is no space {id!r}" for id in listed if id not in known)


def _is_connected(map: Mapping[str, Cell]) -> bool:
    reached: set[str] = set()
    found = set(list(map)[:1])
    while found:
        reached |= found
        found = {other for id in found for other in map[id].neighbours} - reached
    return len(reached) == len(map)


def _sums(entries: Entries) -> Problems:
    """Numbers that must agree: tiles, rows of the supply, cards of each kind."""
    exact = _exact()
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
    missing = set(CATEGORIES) - {card.category for card in cards}
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


def _printed(entries: Entries) -> Problems:
    """Printed facts that are said otherwise, and what every story takes for granted but no place does."""
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
        if era.build_fame.keys() != set(BUILDINGS):
            yield f"{_NATIONS}.eras.{id}.build_fame must have a number for each of {', '.join(BUILDINGS)}"
    malus = [tile.effect for tile in entries[f"{_NATIONS}.bonus_tiles"].values() if tile.malus]
    if malus != [{"food_per_settler_on_map": 1}]:
        yield f"{_NATIONS}.bonus_tiles must have one malus, whose effect is food_per_settler_on_map = 1"
