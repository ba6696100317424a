"""Whether a data set is whole: everything there that rules will ask for, and nothing that they could not understand.

Each check tells what is wrong with one block, in a sentence with the path of the table. What the rulebook says of the
number and kind of things is held here too; the rest is free.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from boardkeeper.table import tables
from boardkeeper.table.rules_catalogue import LANGUAGES
from boardkeeper.table.sentences import Words
from boardkeeper.titles.stories.data_set_words import (
    ACTIONS,
    AREAS,
    ASKING,
    BONUS_TILES,
    CHARACTER,
    EVENTS,
    EVENTS_NEED,
    GOOD,
    LANDSCAPE,
    MOST,
    NUMBER,
    OF_THE_ROUND,
    PASSIVE,
    PLACES,
    PLACES_NEED,
    Ids,
    Kind,
    Needs,
    counts_of,
    id_of,
    wrong,
)

SETTLERS, NATIONS = "settlers", "england-vs-france"
CATEGORIES = ("I", "II", "III")
BUILDINGS = ("village", "fortress", "church")
PLAYERS = (2, 3, 4)

BLOCKS = ("map", "landscapes", "supply", "places", "base_places", "place_cards", "building", "deeds")
"""The blocks of every set for all stories."""

OF_STORIES: Mapping[str, tuple[str, ...]] = {
    SETTLERS: ("map", "fame", "events"),
    NATIONS: ("map", "eras", "bonus_tiles", "missions", "messages"),
}
"""The blocks for one story each."""

COUNTS = {
    "base_places": 6,
    "place_cards": 24,
    "deeds": 6,
    "building": 3,
    "events": 32,
    "eras": 3,
    "bonus_tiles": 10,
    "missions": 8,
    "messages": 12,
}
"""How many things a block has."""

ABLE = ("produce", "trades", "territory", "take_place_card", "send_to_deeds", "technology")
"""What some place of every seat does, besides recruiting each character and building each building."""

LANDSCAPE_TILES = 25
SPACES = {2: 15, 4: 29}
"""The spaces of the map by the number of players; with three some number between."""

PRINTED: tuple[tuple[str, str, str, Any], ...] = (
    ("places", "territory", "territory", 1),
    ("places", "landed_estate", "produce", "areas"),
    ("places", "market", "trades", True),
    ("places", "construction_yard", "take_place_card", True),
    ("base_places", "university", "recruit", "scholar"),
    ("place_cards", "carpentry", "fame_on_build", 1),
    ("deeds", "food_depot", "back", {"en": "Medicine", "de": "Medizin"}),
)
"""What is known of the blocks, though the rest of them is not: block, thing, word and value."""

_NAMES = frozenset({*LANGUAGES, "provenance", "also_called", *(f"{language}_provenance" for language in LANGUAGES)})
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SPACE = re.compile(r"c[1-9][0-9]*r[1-9][0-9]*")
_TAKEN = frozenset({"start", "start_village", "manor_farm", "town_1", "town_2", "england", "france"})
"""Ids of pieces that stand in no group of things, and so of nothing else."""

_GROUPS = ("characters", "goods", "pieces")

Table = Mapping[str, Any]
Found = Iterator[str]


@lru_cache(maxsize=2)
def _exact(story: str) -> dict[str, Any]:
    """What stands in no data set: the tables of a story without any."""
    return tables.tables_of(__package__, story)


def shapes(data_set: Table) -> Found:
    """What is no table where one is expected; the other checks are for sets in which nothing is."""
    stories = data_set.get("editions", {})
    wrong_stories = list(_no_tables("editions", stories, 1))
    yield from wrong_stories
    found = {block: data_set[block] for block in BLOCKS if block in data_set}
    for story, wanted in OF_STORIES.items() if not wrong_stories else ():
        of_story = stories.get(story, {})
        found |= {f"editions.{story}.{block}": of_story[block] for block in wanted if block in of_story}
    for path, block in found.items():
        kind = path.rpartition(".")[2]
        yield from _no_tables(path, block, 0 if kind in ("map", "fame") else 1)
        for group in ("spaces", "players") if kind == "map" and isinstance(block, dict) else ():
            yield from _no_tables(f"{path}.{group}", block.get(group, {}), 1)


def _no_tables(path: str, value: Any, levels: int) -> Found:
    """Which of a value and what is so many levels below it are no tables."""
    if not isinstance(value, dict):
        yield f"{path} is no table"
    elif levels:
        for key, each in value.items():
            yield from _no_tables(f"{path}.{key}", each, levels - 1)


# --- what is there ---------------------------------------------------------------------------------------------------


def blocks(data_set: Table) -> Found:
    """Blocks that are missing, or that nothing asks for."""
    for head in ("set", "editions"):
        if head not in data_set:
            yield f"{head} is missing"
    yield from _listed("", set(data_set) - {"set", "editions"}, set(BLOCKS))
    stories = data_set.get("editions", {})
    yield from _listed("editions.", set(stories), set(OF_STORIES))
    for story in OF_STORIES.keys() & stories.keys():
        yield from _listed(f"editions.{story}.", set(stories[story]), set(OF_STORIES[story]))


def _listed(path: str, there: set[str], wanted: set[str]) -> Found:
    yield from (f"{path}{block} is missing" for block in sorted(wanted - there))
    yield from (f"{path}{block}: there is no such block" for block in sorted(there - wanted))


def numbers(data_set: Table) -> Found:
    """Blocks with too many or too few things in them."""
    for path, block, things in _every(data_set):
        if block in COUNTS and len(things) != COUNTS[block]:
            yield f"{path} has {len(things)} things, not {COUNTS[block]}"


def names(data_set: Table) -> Found:
    """Things without a name or a provenance, and ids that two things have or that are none."""
    of_ids = Counter(id for group in _GROUPS for id in _exact(SETTLERS)[group])
    for path, block, things in _every(data_set):
        for id, thing in things.items():
            wanted = ("provenance",) if block == "supply" else (*LANGUAGES, "provenance")
            missing = [key for key in wanted if not (isinstance(thing.get(key), str) and thing[key].strip())]
            yield from (f"{path}.{id} has no {key}" for key in missing)
            if block not in ("supply", "eras") and not _ID.fullmatch(id):
                yield f"{path}.{id} is no id: letters, digits and underscores"
        if block not in ("supply", "eras", "building"):
            of_ids.update(things.keys())
            yield from _renamed(path, things)
    yield from (f"{id} is what the rules call something else" for id in sorted(_TAKEN & of_ids.keys()))
    yield from (f"{id} is the id of {count} things" for id, count in of_ids.items() if count > 1)


def _renamed(path: str, things: Table) -> Found:
    """Things that sentences call otherwise: an id is that of one thing in all sets."""
    for language in LANGUAGES:
        for id, thing in things.items():
            given, said = thing.get(language), _said(language).get(id)
            if said is not None and isinstance(given, str) and given.strip() and given != said:
                yield f"{path}.{id} is {said!r} in what is said, not {given!r}: another thing has another id"


@lru_cache(maxsize=4)
def _said(language: str) -> Mapping[str, str]:
    return Words.read(__package__, language).forms["name"]


def _every(data_set: Table) -> Iterator[tuple[str, str, Table]]:
    """All blocks of things, with their paths and names: those that say one thing are none."""
    for block in BLOCKS:
        if block != "map":
            yield block, block, data_set.get(block, {})
    for story, wanted in OF_STORIES.items():
        for block in wanted:
            if block not in ("map", "fame"):
                yield f"editions.{story}.{block}", block, _of(data_set, story).get(block, {})


def _of(data_set: Table, story: str) -> Table:
    blocks: Table = data_set.get("editions", {}).get(story, {})
    return blocks


def _ids(data_set: Table) -> Ids:
    exact = _exact(SETTLERS)
    return {
        CHARACTER: frozenset(exact["characters"]),
        GOOD: frozenset(exact["goods"]),
        LANDSCAPE: frozenset(data_set.get("landscapes", {})),
    }


def printed(data_set: Table) -> Found:
    """What is known and said otherwise."""
    for block, id, word, value in PRINTED:
        if block in data_set and data_set[block].get(id, {}).get(word) != value:
            yield f"{block}.{id}: {word} is {value!r}, as is known"


# --- the map ---------------------------------------------------------------------------------------------------------


def the_map(data_set: Table) -> Found:
    """Spaces, those of each number of players in one piece, the edge, start villages and towns."""
    table = data_set.get("map", {})
    spaces: Table = table.get("spaces", {})
    for id, space in spaces.items():
        if not _SPACE.fullmatch(id):
            yield f"map.spaces.{id} is no id of a space: c, its column, r, its row"
        if not (type(space.get("column")) is type(space.get("y")) is int and space.get("side") in ("north", "south")):
            yield f"map.spaces.{id} needs column, y and side (north or south)"
            return
    if not table.get("provenance") or not table.get("spaces_provenance"):
        yield "map has no provenance or no spaces_provenance"
    twice = Counter((space["column"], space["y"]) for space in spaces.values())
    yield from (f"map.spaces: two are in column {at[0]} at {at[1]}" for at, count in twice.items() if count > 1)
    yield from _unknown("map.edge", table.get("edge", ()), spaces)
    used = {players: table.get("players", {}).get(str(players), {}).get("spaces", []) for players in PLAYERS}
    for players in PLAYERS:
        path = f"map.players.{players}.spaces"
        yield from _unknown(path, used[players], spaces)
        expected = SPACES.get(players)
        if expected is not None and len(set(used[players])) != expected:
            yield f"{path} has {len(set(used[players]))} spaces, not {expected}"
        elif expected is None and not SPACES[2] < len(set(used[players])) < SPACES[4]:
            yield f"{path} has {len(set(used[players]))} spaces"
        elif not _connected({id: spaces[id] for id in used[players] if id in spaces}):
            yield f"{path} is in several pieces"
    yield from _start_villages(data_set, used)
    yield from _towns(data_set, used[max(PLAYERS)])


def _unknown(path: str, listed: Any, spaces: Any) -> Found:
    yield from (f"{path}: there is no space {id!r}" for id in listed if id not in spaces)


def _connected(spaces: Table) -> bool:
    left = dict(spaces)
    reached = [left.popitem()[1]] if left else []
    while reached:
        here = reached.pop()
        beside = [
            id
            for id, space in left.items()
            if (abs(space["column"] - here["column"]), abs(space["y"] - here["y"])) in ((0, 2), (1, 1))
        ]
        reached += [left.pop(id) for id in beside]
    return not left


def _start_villages(data_set: Table, used: Mapping[int, list[str]]) -> Found:
    there = _of(data_set, SETTLERS).get("map", {}).get("players", {})
    for players in PLAYERS:
        path = f"editions.{SETTLERS}.map.players.{players}.start_villages"
        villages = there.get(str(players), {}).get("start_villages", [])
        if len(set(villages)) != players:
            yield f"{path}: each of {players} seats needs one"
        yield from _unknown(path, villages, used[players])


def _towns(data_set: Table, used: list[str]) -> Found:
    path = f"editions.{NATIONS}.map.towns"
    towns = _of(data_set, NATIONS).get("map", {}).get("towns", {})
    wanted = _exact(NATIONS)["towns"].keys()
    if towns.keys() != wanted or len(set(towns.values())) != len(wanted):
        yield f"{path} needs a space for each of {', '.join(wanted)}"
    yield from _unknown(path, towns.values(), used)


# --- tiles and places ------------------------------------------------------------------------------------------------


def landscapes(data_set: Table) -> Found:
    """Landscapes with the goods that come from them, and as many tiles as there are."""
    things = data_set.get("landscapes", {})
    goods = _exact(SETTLERS)["goods"]
    for id, thing in things.items():
        yield from _fields(f"landscapes.{id}", thing, {"good": id_of(GOOD), "tiles": NUMBER}, _ids(data_set))
        if goods.get(thing.get("good"), {}).get("source") != id:
            yield f"landscapes.{id}: {thing.get('good')} does not come from there"
    tiles = sum(thing["tiles"] for thing in things.values() if type(thing.get("tiles")) is int)
    if "landscapes" in data_set and tiles != LANDSCAPE_TILES:
        yield f"landscapes has {tiles} tiles, not {LANDSCAPE_TILES}"


def supply(data_set: Table) -> Found:
    """A row of the rulebook's table for each stack, and a stack for each row."""
    table = data_set.get("supply", {})
    exact = _exact(SETTLERS)
    stacks = (*exact["characters"], *exact["goods"], "technology")
    rows = set(map(tuple, exact["supply_rows"]["rows"]))
    for players in PLAYERS:
        there = set(table.get(str(players), {})) - {"provenance"}
        yield from (f"supply.{players}.{stack} is missing" for stack in stacks if stack not in there)
        yield from (f"supply.{players}.{stack}: there is no such stack" for stack in sorted(there - set(stacks)))
    have = {stack: tuple(table.get(str(players), {}).get(stack) for players in reversed(PLAYERS)) for stack in stacks}
    yield from (f"supply: {row} of {stack} is no row of the table" for stack, row in have.items() if row not in rows)
    yield from (f"supply: nothing has the row {row}" for row in sorted(rows - set(have.values())))


def places(data_set: Table) -> Found:
    """Places and cards: their spaces, and that they do something that rules know."""
    ids = _ids(data_set)
    for block in ("places", "base_places", "place_cards"):
        for id, thing in data_set.get(block, {}).items():
            path = f"{block}.{id}"
            words = {word: value for word, value in thing.items() if word in PLACES}
            yield from wrong(path, words, PLACES, ids, PLACES_NEED)
            if sum(1 for group in ACTIONS if group & words.keys()) > 1:
                yield f"{path} does several things: {', '.join(words)}"
            spaces = thing.get("spaces")
            asked = ids[CHARACTER] | {"any"}
            if not isinstance(spaces, list) or not all(set(space.split("|")) <= asked for space in spaces):
                yield f"{path}: spaces is a list of characters (or any), not {spaces!r}"
            elif not 0 <= thing.get("filled_at_least", 0) <= len(spaces):
                yield f"{path}: filled_at_least is more than there are spaces"
            if not words or bool(spaces) == bool(words.keys() & PASSIVE.keys()):
                yield f"{path} does nothing, or has spaces for what it does without"
            if block == "place_cards" and thing.get("category") not in CATEGORIES:
                yield f"{path}: category is one of {', '.join(CATEGORIES)}"
            known = (
                _NAMES
                | PLACES.keys()
                | {"spaces", "filled_at_least"}
                | ({"category"} if block == "place_cards" else set())
            )
            yield from (f"{path}: there is no word {word!r}" for word in thing if word not in known)
    for category in CATEGORIES if "place_cards" in data_set else ():
        if not any(card.get("category") == category for card in data_set["place_cards"].values()):
            yield f"place_cards has none of category {category}"


def abilities(data_set: Table) -> Found:
    """What a seat cannot do on its board and base places, though every story takes it for granted."""
    if not {"places", "base_places"} <= data_set.keys():
        return
    able = [*data_set["places"].values(), *data_set["base_places"].values()]
    able += [gain for thing in able for gain in thing.get("choose", []) if isinstance(gain, dict)]
    can = {(word, str(value)) for thing in able for word, value in thing.items()}
    words = {word for word, _ in can}
    wanted = [("recruit", character) for character in _exact(SETTLERS)["characters"]]
    wanted += [("build", building) for building in BUILDINGS]
    yield from (
        f"places and base_places: none has {word} = {value!r}" for word, value in wanted if (word, value) not in can
    )
    yield from (f"places and base_places: none has {word}" for word in ABLE if word not in words)


def building(data_set: Table) -> Found:
    """What villages, fortresses and churches cost."""
    for id, thing in data_set.get("building", {}).items():
        if id not in BUILDINGS:
            yield f"building.{id} cannot be built"
        yield from _fields(f"building.{id}", thing, {"wood": NUMBER}, _ids(data_set))


def deeds(data_set: Table) -> Found:
    """Deeds: which characters they take, and that each of these brings something."""
    of_characters = counts_of(CHARACTER)
    kinds = {"spaces": of_characters, "coins": of_characters, "fame": of_characters}
    for id, thing in data_set.get("deeds", {}).items():
        said = {key: value for key, value in thing.items() if key != "back"}
        found = list(_fields(f"deeds.{id}", said, kinds, _ids(data_set)))
        yield from found
        if not found and set(thing["spaces"]) != {*thing["coins"], *thing["fame"]}:
            yield f"deeds.{id}: each of its characters brings coins or fame, and no other does"


def _fields(path: str, thing: Table, kinds: Mapping[str, Kind], ids: Ids) -> Found:
    """Things whose fields all have to be there."""
    said = {key: value for key, value in thing.items() if key not in _NAMES}
    yield from (f"{path} has no {key}" for key in kinds if key not in said)
    yield from wrong(path, said, kinds, ids)


# --- single stories --------------------------------------------------------------------------------------------------


def fame(data_set: Table) -> Found:
    """The bonus spaces of the fame track."""
    exact = _exact(SETTLERS)
    spaces = _of(data_set, SETTLERS).get("fame", {}).get("bonus_spaces", [])
    first, last, count = exact["game"]["start_fame"], exact["game"]["fame_length"], exact["fame"]["tiles"]
    path = f"editions.{SETTLERS}.fame.bonus_spaces"
    if spaces != sorted(set(spaces)) or not all(first < space <= last for space in spaces):
        yield f"{path} rise from {first + 1} to {last} at most"
    if len(spaces) != count:
        yield f"{path} are {len(spaces)}, not {count}"


def events(data_set: Table) -> Found:
    """Event cards: their letters, of which each has enough, and what they do."""
    deck = _exact(SETTLERS)["event_deck"]
    things = _of(data_set, SETTLERS).get("events", {})
    for id, thing in things.items():
        path = f"editions.{SETTLERS}.events.{id}"
        effect = thing.get("effect", {})
        yield from _effect(path, thing, {"letter", "timing"}, EVENTS, _ids(data_set), EVENTS_NEED)
        asked = [word for word in effect if word in ASKING]
        if len(asked) > 1:
            yield f"{path} takes or asks for several things: {', '.join(asked)}"
        yield from _amounts(path, effect)
        if thing.get("letter") not in deck["letters"]:
            yield f"{path}: letter is one of {', '.join(deck['letters'])}"
        if thing.get("timing", "") not in ("", "round"):
            yield f"{path}: timing is round, or it is left out"
        if any((word in OF_THE_ROUND) != ("timing" in thing) for word in effect):
            yield f"{path}: what holds for a round, and only that, has the timing of the round"
    letters = Counter(thing.get("letter") for thing in things.values())
    for letter in deck["letters"] if things else ():
        if letters[letter] < deck["each"]:
            yield f"editions.{SETTLERS}.events: {letter} has {letters[letter]} cards, fewer than {deck['each']}"


def _amounts(path: str, effect: Table) -> Found:
    """Numbers for so many areas or goods: of what is paid, where nothing else can be lost for it."""
    counted = [word for word in ("per_areas", "per_goods") if word in effect]
    paid = {"pay_food", "pay_coins"} & effect.keys() if "else_lose" not in effect else set()
    if len(counted) > 1 or (counted and not paid):
        yield f"{path}: {' and '.join(counted)} says how much is paid, in one way, and leaves nothing to lose instead"


def eras(data_set: Table) -> Found:
    """Eras with what they let one draw and take, and what building brings."""
    things = _of(data_set, NATIONS).get("eras", {})
    for number, (id, thing) in enumerate(things.items(), 1):
        path = f"editions.{NATIONS}.eras.{id}"
        if id != str(number):
            yield f"{path}: eras are counted from 1"
        if not NUMBER.fits(thing.get("draw"), {}):
            yield f"{path}: draw is {NUMBER.says}"
        categories = thing.get("categories", [])
        if not categories or not set(categories) <= set(CATEGORIES):
            yield f"{path}: categories is a list of {', '.join(CATEGORIES)}"
        fame = thing.get("build_fame", {})
        if fame.keys() != set(BUILDINGS) or not all(type(each) is int for each in fame.values()):
            yield f"{path}: build_fame has a number for each of {', '.join(BUILDINGS)}"
        known = _NAMES | {"draw", "categories", "build_fame"}
        yield from (f"{path}: there is no word {word!r}" for word in thing if word not in known)


def bonus_tiles(data_set: Table) -> Found:
    """Bonus tiles, of which one is the malus."""
    things = _of(data_set, NATIONS).get("bonus_tiles", {})
    for id, thing in things.items():
        yield from _effect(f"editions.{NATIONS}.bonus_tiles.{id}", thing, {"malus"}, BONUS_TILES, _ids(data_set))
    malus = [thing.get("effect") for thing in things.values() if thing.get("malus")]
    if things and malus != [{"food_per_settler_on_map": 1}]:
        yield f"editions.{NATIONS}.bonus_tiles: one is the malus, a food for each settler on the map"


def _effect(
    path: str, thing: Table, more: set[str], words: Mapping[str, Kind], ids: Ids, needs: Needs = MappingProxyType({})
) -> Found:
    effect = thing.get("effect")
    if not effect:
        yield f"{path} has no effect"
    else:
        yield from wrong(path, effect, words, ids, needs)
    yield from (f"{path}: there is no word {word!r}" for word in thing if word not in _NAMES | more | {"effect"})


def missions(data_set: Table) -> Found:
    """Missions: areas and goods."""
    for id, thing in _of(data_set, NATIONS).get("missions", {}).items():
        path = f"editions.{NATIONS}.missions.{id}"
        yield from _fields(path, thing, {"areas": AREAS, "goods": counts_of(GOOD)}, _ids(data_set))
        if not thing.get("areas") or not thing.get("goods"):
            yield f"{path} asks for areas and for goods"


def messages(data_set: Table) -> Found:
    """Secret messages: something to have most of, each another."""
    things = _of(data_set, NATIONS).get("messages", {})
    for id, thing in things.items():
        yield from _fields(f"editions.{NATIONS}.messages.{id}", thing, {"most": MOST}, _ids(data_set))
    twice = Counter(thing.get("most") for thing in things.values())
    yield from (f"editions.{NATIONS}.messages: {count} are about {most}" for most, count in twice.items() if count > 1)


CHECKS: tuple[Callable[[Table], Found], ...] = (
    *(blocks, numbers, names, printed, the_map, landscapes, supply, places, abilities, building, deeds),
    *(fame, events, eras, bonus_tiles, missions, messages),
)
