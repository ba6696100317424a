"""Data sets are complete and valid, the checks find errors, and one option selects a data set."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from boardkeeper.titlekit.data_sets import with_base
from boardkeeper.titles.stories.cards import BonusEffect, EventEffect, Place
from boardkeeper.titles.stories.data_set_checks import problems
from boardkeeper.titles.stories.meta import META
from boardkeeper.titles.stories.tables import DATA_SETS, tables_of

DEFAULT = DATA_SETS.read(DATA_SETS.names[0])
EVF = "england-vs-france"
TOML = dict[str, Any]

SHARED = ("map", "landscapes", "supply", "places", "base_places", "place_cards", "building", "deeds")
OF_SETTLERS = ("map", "fame", "events")
OF_NATIONS = ("map", "eras", "bonus_tiles", "missions", "messages")
BLOCKS = [
    *((block,) for block in SHARED),
    *(("editions", "settlers", block) for block in OF_SETTLERS),
    *(("editions", EVF, block) for block in OF_NATIONS),
]
ENTRY_BLOCKS = [path for path in BLOCKS if path[-1] not in ("map", "fame")]


def at(table: TOML, *path: str) -> TOML:
    for key in path:
        table = table[key]
    return table


def problems_after(change: Callable[[TOML], object]) -> list[str]:
    """Return the problems of the default data set after a change."""
    changed = copy.deepcopy(DEFAULT)
    change(changed)
    return problems(changed)


# --- whole sets ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DATA_SETS.names)
def test_every_data_set_is_valid(name: str) -> None:
    assert problems(DATA_SETS.read(name)) == []


def test_default_data_set_comes_first_and_the_others_are_sorted() -> None:
    default, *others = DATA_SETS.names
    assert default == "reconstructed-1"
    assert others == sorted(others)
    assert "reconstructed-2" in others


def test_second_data_set_differs_from_the_first_in_three_blocks() -> None:
    first, second = (DATA_SETS.read(f"reconstructed-{number}") for number in (1, 2))
    differ = {path for path in BLOCKS if at(first, *path) != at(second, *path)}
    assert differ == {("supply",), ("places",), ("editions", "settlers", "fame")}
    assert first["set"] != second["set"]


def test_block_replaces_the_whole_block_of_the_base() -> None:
    base: TOML = {"set": {}, "deeds": {"a": {"x": 1}}, "editions": {"s": {"events": {"e": {"y": 1}}, "map": {"z": 1}}}}
    own: TOML = {"set": {"base": "b"}, "deeds": {"b": {}}, "editions": {"s": {"events": {}}, "t": {"eras": {}}}}
    assert with_base(base, own) == {
        "set": {"base": "b"},
        "deeds": {"b": {}},
        "editions": {"s": {"events": {}, "map": {"z": 1}}, "t": {"eras": {}}},
    }
    assert base["editions"]["s"]["events"] == {"e": {"y": 1}}, "the base is unchanged"
    assert with_base(base, {"set": {}})["editions"] == base["editions"]


def test_default_data_set_uses_every_key_of_the_rules() -> None:
    used = {word for block in ("places", "base_places", "place_cards") for it in DEFAULT[block].values() for word in it}
    of_orleans = {"neutral_only", "extra_draw", "market_extension"}
    assert set(Place.__struct_encode_fields__) - {"id", "mask", *of_orleans} <= used
    events = at(DEFAULT, "editions", "settlers", "events").values()
    assert EventEffect.__annotations__.keys() == {word for event in events for word in event["effect"]}
    tiles = at(DEFAULT, "editions", EVF, "bonus_tiles").values()
    assert BonusEffect.__annotations__.keys() == {word for tile in tiles for word in tile["effect"]}


# --- the option ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("story", [edition.id for edition in META.editions])
def test_data_set_option_changes_only_the_blocks_of_data_sets(story: str) -> None:
    (option,) = (option for option in META.options if option.id == "data_set")
    first, second = (tables_of(story, choice.id) for choice in option.choices[:2])
    changed = {group for group in first if first[group] != second[group]}
    assert changed == {"supply", "places"} | ({"fame"} if story == "settlers" else set())
    assert tables_of(story) == first


def test_data_sets_do_not_replace_printed_facts() -> None:
    """Data sets only add to the files of the title and its stories."""
    for story in (edition.id for edition in META.editions):
        own = DATA_SETS.of_edition(DATA_SETS.names[0], story)
        assert set(own) & {"game", "goods", "characters", "pieces", "scoring", "fame_tiles", "edition"} == set()
    assert set(at(DEFAULT, "editions", "settlers", "fame")) == {"bonus_spaces"}
    assert "eras" not in at(DEFAULT, "editions", "settlers"), "the eras of The Settlers are printed"


def test_england_vs_france_starts_with_all_base_places_of_the_data_set() -> None:
    tables = tables_of(EVF)
    assert tables["game"]["start_base_places"] == list(tables["base_places"])


# --- errors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", BLOCKS, ids=".".join)
def test_missing_block_is_reported(path: tuple[str, ...]) -> None:
    found = problems_after(lambda changed: at(changed, *path[:-1]).pop(path[-1]))
    assert f"{'.'.join(path)} is missing" in found


def test_missing_head_is_reported() -> None:
    assert problems_after(lambda changed: changed.pop("set")) == ["set is missing"]


@pytest.mark.parametrize("path", [("editions",), ("editions", EVF)], ids=".".join)
def test_all_blocks_of_a_missing_story_are_reported(path: tuple[str, ...]) -> None:
    missing = [".".join(block) for block in BLOCKS if block[: len(path)] == path]
    found = problems_after(lambda changed: at(changed, *path[:-1]).pop(path[-1]))
    assert found == sorted(f"{block} is missing" for block in missing)


@pytest.mark.parametrize("path", [(), ("editions",), ("editions", "settlers")], ids=".".join)
def test_unknown_block_is_reported(path: tuple[str, ...]) -> None:
    found = problems_after(lambda changed: at(changed, *path).update(weather={"rain": {}}))
    block = (*path, "weather", "rain") if path == ("editions",) else (*path, "weather")
    assert found == [f"{'.'.join(block)}: there is no such block"]


@pytest.mark.parametrize("path", ENTRY_BLOCKS, ids=".".join)
def test_missing_entry_is_reported(path: tuple[str, ...]) -> None:
    found = problems_after(lambda changed: at(changed, *path).pop(list(at(DEFAULT, *path))[-1]))
    assert any(problem.startswith(path[-1] if len(path) == 1 else ".".join(path)) for problem in found), found


@pytest.mark.parametrize("path", [path for path in ENTRY_BLOCKS if path != ("supply",)], ids=".".join)
@pytest.mark.parametrize("key", ["en", "de", "provenance"])
def test_missing_name_or_provenance_is_reported(path: tuple[str, ...], key: str) -> None:
    first = next(iter(at(DEFAULT, *path)))
    entry = f"{'.'.join(path)}.{first}"
    missing = f"{entry}: object missing required field `{key}`"
    assert problems_after(lambda changed: at(changed, *path, first).pop(key)) == [missing]
    (blank,) = problems_after(lambda changed: at(changed, *path, first).update({key: " "}))
    assert blank.startswith(f"{entry}.{key}: expected")


@pytest.mark.parametrize("path", [path for path in ENTRY_BLOCKS if path != ("supply",)], ids=".".join)
def test_unknown_key_is_reported(path: tuple[str, ...]) -> None:
    first = next(iter(at(DEFAULT, *path)))
    found = problems_after(lambda changed: at(changed, *path, first).update(dances=1))
    assert found == [f"{'.'.join(path)}.{first}: object contains unknown field `dances`"]


SETTLERS = "editions.settlers"
NATIONS = f"editions.{EVF}"

CARD = {"en": "Mint", "de": "Münze", "provenance": "rulebook", "category": "I", "spaces": ["monk"], "coins": 2}
ERA = at(DEFAULT, "editions", EVF, "eras", "3")

WRONG: list[tuple[str, Any, str]] = [
    (
        "landscapes.field.good",
        "baker",
        "landscapes.field.good: must be one of grain, fish, cheese, wood, wine, bread, brocade",
    ),
    ("landscapes.field.good", "fish", "landscapes.field.good: fish comes from lake"),
    ("landscapes.field.tiles", 6, "landscapes must have 25 tiles, not 26"),
    ("supply.4.farmer", 25, "supply: farmer has the row (25, 18, 12), which is not printed"),
    (
        "supply.4.baker",
        1,
        "supply.4: must be one of farmer, fisherman, craftsman, trader, knight, scholar, monk, grain, fish,",
    ),
    ("supply.3.monk", None, "supply: monk has the row (10, 0, 8), which is not printed"),
    ("supply.2.monk", 9, "supply: no stack has the printed row (10, 9, 8)"),
    (
        "places.farm.recruit",
        "baker",
        "places.farm.recruit: must be one of farmer, fisherman, craftsman, trader, knight, scholar, monk",
    ),
    ("places.farm.good", ["grain"], "places.farm.good: expected `str`, got `array`"),
    ("places.farm.coins", 0, "places.farm.coins: expected `int` >= 1"),
    ("places.farm.coins", True, "places.farm.coins: expected `int`, got `bool`"),
    ("places.farm.spaces", ["baker"], "places.farm.spaces[0]: expected `str` matching regex"),
    ("places.farm.spaces", ["farmer|any", "x|y"], "places.farm.spaces[1]: expected `str` matching regex"),
    (
        "places.farm.spaces",
        [],
        "places.farm: `spaces` must be empty with `green_spaces`, `fame_on_build` or `stands_for`",
    ),
    (
        "place_cards.school.spaces",
        ["monk"],
        "place_cards.school: `spaces` must be empty with `green_spaces`, `fame_on_build` or `stands_for`",
    ),
    (
        "places.town_hall.filled_at_least",
        3,
        "places.town_hall: `filled_at_least` must be at most 2, the number of spaces",
    ),
    (
        "places.town_hall.send_to_deeds",
        None,
        "places.town_hall: the place does nothing: it needs a word for its action",
    ),
    ("places.farm.category", "I", "places.farm: `category` is for place cards, and each of them needs one"),
    (
        "places.crafts_and_trade.choose",
        [{"coins": 2}],
        "places.crafts_and_trade.choose: expected `array` of length >= 2",
    ),
    (
        "places.crafts_and_trade.choose",
        [{"coins": 2}, {"trades": True}],
        "places.crafts_and_trade.choose[0]: object missing required field `recruit`",
    ),
    (
        "places.crafts_and_trade.choose",
        [{"coins": 2}, {}],
        "places.crafts_and_trade.choose[0]: object missing required field `recruit`",
    ),
    (
        "places.crafts_and_trade.choose",
        [{"recruit": "monk"}, {"coins": 2}],
        "places.crafts_and_trade.choose[1]: object missing required field `recruit`",
    ),
    (
        "places.crafts_and_trade.choose",
        [{"recruit": "monk"}, {"recruit": "monk"}],
        "places.crafts_and_trade: each gain in `choose` must recruit another character",
    ),
    (
        "places.crafts_and_trade.choose",
        [{"recruit": "monk"}, {"recruit": "knight", "fame": 1}],
        "places.crafts_and_trade.choose[1]: object contains unknown field `fame`",
    ),
    (
        "places.crafts_and_trade.build",
        "church",
        "places.crafts_and_trade: a place has one action, not 2: choose, build",
    ),
    (
        "base_places.workshop.take_place_card",
        True,
        "base_places.workshop: a place has one action, not 2: technology, take_place_card",
    ),
    ("base_places.workshop.technology", 2, "base_places.workshop.technology: expected `int` <= 1"),
    ("place_cards.garrison.territory", 2, "place_cards.garrison.territory: expected `int` <= 1"),
    ("places.farm.en", "Mill", "places.farm is 'Farm' in all data sets, not 'Mill': give another component another id"),
    ("place_cards.manor_farm", CARD, "place_cards.manor_farm: another component has this id"),
    ("places.territory.territory", 2, "places.territory.territory: expected `int` <= 1"),
    ("places.market.trades", None, "places.market: the place does nothing: it needs a word for its action"),
    ("places.landed_estate.produce", "one_landscape", "places.landed_estate.produce must be 'areas', as printed"),
    ("place_cards.carpentry.fame_on_build", 2, "place_cards.carpentry.fame_on_build must be 1, as printed"),
    ("place_cards.pub.category", "IV", "place_cards.pub.category: must be one of I, II, III"),
    ("place_cards.bakery.exchange_most", None, "place_cards.bakery: `exchange_to` needs `exchange_most` beside it"),
    ("place_cards.county_fair.fame_bonus", None, "place_cards.county_fair: `fame_from` needs `fame_bonus` beside it"),
    ("place_cards.garrison.territory", None, "place_cards.garrison: `conquest_strength` needs `territory` beside it"),
    ("place_cards.garrison.build", "bridge", "place_cards.garrison.build: must be one of village, fortress, church"),
    (
        "place_cards.school.stands_for",
        {"scholar": ["baker"]},
        "place_cards.school.stands_for[...][0]: must be one of farmer, fisherman, craftsman, trader, knight,",
    ),
    ("place_cards.school.stands_for", ["scholar"], "place_cards.school.stands_for: expected `object`, got `array`"),
    ("place_cards.farmer", CARD, "place_cards.farmer: another component has this id"),
    ("place_cards.no id", CARD, "place_cards.no id: the id must match letters"),
    ("places.town_hall", None, "places and base_places: none has send_to_deeds"),
    ("places.crafts_and_trade", None, "places and base_places: none has recruit = 'trader'"),
    ("base_places.castle", None, "places and base_places: none has recruit = 'knight'"),
    ("base_places.workshop", None, "places and base_places: none has technology = 1"),
    ("base_places.church_building", None, "places and base_places: none has build = 'church'"),
    ("building.village.wood", "two", "building.village.wood: expected `int`, got `str`"),
    ("building.village.wood", None, "building.village: object missing required field `wood`"),
    (
        "building.bridge",
        {"wood": 1, "en": "Bridge", "de": "Brücke", "provenance": "rulebook"},
        "building must have the entries village, fortress, church, not",
    ),
    (
        "deeds.alchemy.spaces",
        {"baker": 1},
        "deeds.alchemy.spaces: must be one of farmer, fisherman, craftsman, trader, knight, scholar, monk",
    ),
    ("deeds.alchemy.spaces", ["monk"], "deeds.alchemy.spaces: expected `object`, got `array`"),
    (
        "deeds.alchemy.fame",
        {"monk": 2},
        "deeds.alchemy: each character in `spaces`, and no other, must bring `coins` or `fame`",
    ),
    ("deeds.alchemy.coins", None, "deeds.alchemy: object missing required field `coins`"),
    ("map.provenance", None, "map: object missing required field `provenance`"),
    (
        "map.spaces.meadow",
        {"column": 9, "y": 9, "side": "north"},
        "map.spaces.meadow: the id must match c[1-9][0-9]*r[1-9][0-9]*",
    ),
    (
        "map.spaces.c0r1",
        {"column": 9, "y": 9, "side": "north"},
        "map.spaces.c0r1: the id must match c[1-9][0-9]*r[1-9][0-9]*",
    ),
    ("map.spaces.c1r1.side", "west", "map.spaces.c1r1.side: must be one of north, south"),
    ("map.spaces.c1r1.column", "1", "map.spaces.c1r1.column: expected `int`, got `str`"),
    ("map.spaces.c1r1.y", 3, "map.spaces: two spaces are in column 1 at height 3"),
    ("map.spaces.c1r1.column", 9, "map.players.4.spaces must be in one piece"),
    ("map.edge", ["c9r9"], "map.edge: there is no space 'c9r9'"),
    ("map.players.4.spaces", ["c9r9"], "map.players.4.spaces: there is no space 'c9r9'"),
    ("map.players.2.spaces", ["c1r1"], "map.players.2.spaces must have 15 to 15 spaces, not 1"),
    ("map.players.3.spaces", ["c1r1"], "map.players.3.spaces must have 16 to 28 spaces, not 1"),
    (
        f"{SETTLERS}.map.players.2.start_villages",
        ["c1r2", "c1r2"],
        "map.players.2.start_villages must have a space for each of 2 seats",
    ),
    (
        f"{SETTLERS}.map.players.2.start_villages",
        ["c1r2", "c1r1"],
        "map.players.2.start_villages: there is no space 'c1r1'",
    ),
    (f"{NATIONS}.map.towns", {"town_1": "c2r3"}, "map.towns must have a space for each of town_1, town_2"),
    (f"{NATIONS}.map.towns.town_1", "c6r2", "map.towns must have a space for each of town_1, town_2"),
    (f"{NATIONS}.map.towns.town_1", "c9r9", "map.towns: there is no space 'c9r9'"),
    (f"{SETTLERS}.fame.bonus_spaces", [4, 7], "fame.bonus_spaces must be 13 spaces, not 2"),
    (
        f"{SETTLERS}.fame.bonus_spaces",
        [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 13],
        "fame.bonus_spaces must rise, from 2 to 90 at most",
    ),
    (
        f"{SETTLERS}.fame.bonus_spaces",
        [79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91],
        "fame.bonus_spaces must rise, from 2 to 90 at most",
    ),
    (
        f"{SETTLERS}.fame.bonus_spaces",
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
        "fame.bonus_spaces must rise, from 2 to 90 at most",
    ),
    (f"{SETTLERS}.events.A1.letter", "E", "events: there is no letter 'E'"),
    (f"{SETTLERS}.events.A1.timing", "now", "events.A1.timing: must be one of round"),
    (
        f"{SETTLERS}.events.A1.timing",
        "round",
        'events.A1: `timing` must be "round" with draw_modifier, forbid, forbid_placing, and only then',
    ),
    (
        f"{SETTLERS}.events.A5.timing",
        None,
        'events.A5: `timing` must be "round" with draw_modifier, forbid, forbid_placing, and only then',
    ),
    (f"{SETTLERS}.events.A1.effect", {}, "events.A1.effect: must have a word"),
    (f"{SETTLERS}.events.A1.effect", {"rains": 1}, "events.A1.effect: the rules do not know rains"),
    (
        f"{SETTLERS}.events.A2.effect.gain_good",
        "stone",
        "events.A2.effect.gain_good: must be one of grain, fish, cheese, wood, wine, bread, brocade",
    ),
    (
        f"{SETTLERS}.events.A2.effect.plus_if_controls",
        "sea",
        "events.A2.effect.plus_if_controls: must be one of field, lake, pasture, forest, hill",
    ),
    (f"{SETTLERS}.events.A2.effect.gain_good", None, "events.A2: `plus_if_controls` needs `gain_good` beside it"),
    (
        f"{SETTLERS}.events.A7.effect.round",
        None,
        "events.A7: `per_areas` or `per_goods`, one of them, needs `round` beside it and excludes `else_lose`",
    ),
    (
        f"{SETTLERS}.events.A8.effect.gain_follower",
        [],
        "events.A8.effect.gain_follower: expected `array` of length >= 1",
    ),
    (f"{SETTLERS}.events.B7.effect.draw_modifier", 0, "events.B7.effect.draw_modifier: invalid enum value 0"),
    (f"{SETTLERS}.events.D2.effect.citizens", None, "events.D2: `most_of` needs `fame` or `citizens` beside it"),
    (f"{SETTLERS}.events.D2.effect.most_of", None, "events.D2: `citizens` needs `most_of` beside it"),
    (f"{SETTLERS}.events.C5.effect.most_of", None, "events.C5: `fame` needs `most_of` beside it"),
    (f"{SETTLERS}.events.B5.effect.may_pay", None, "events.B5: `technology` needs `may_pay` beside it"),
    (f"{SETTLERS}.events.A2.effect.out_of_game", True, "events.A2: `out_of_game` needs `pay_food` beside it"),
    (f"{SETTLERS}.events.C6.effect.else_lose", None, "events.C6: `pay_wood` needs `else_lose` beside it"),
    (f"{SETTLERS}.events.C6.effect.pay_wood", 2, "events.C6.effect.pay_wood: expected `int` <= 1"),
    (f"{SETTLERS}.events.C8.effect.free_expansion", 2, "events.C8.effect.free_expansion: expected `int` <= 1"),
    (
        f"{SETTLERS}.events.A1.effect.pay_coins",
        2,
        "events.A1: an event takes or asks for one thing, not pay_food and pay_coins",
    ),
    (
        f"{SETTLERS}.events.B3.effect.sell_up_to",
        1,
        "events.B3: an event takes or asks for one thing, not lose_random_followers and sell_up_to",
    ),
    (
        f"{SETTLERS}.events.A7.effect.per_areas",
        2,
        "events.A7: `per_areas` or `per_goods`, one of them, needs `round` beside it and excludes `else_lose`",
    ),
    (
        f"{SETTLERS}.events.A7.effect.pay_coins",
        None,
        "events.A7: `per_goods` needs `pay_food` or `pay_coins` beside it",
    ),
    (
        f"{SETTLERS}.events.A7.effect.else_lose",
        "technology",
        "events.A7: `per_areas` or `per_goods`, one of them, needs `round` beside it and excludes `else_lose`",
    ),
    (f"{NATIONS}.eras.1.draw", None, "eras.1: object missing required field `draw`"),
    (f"{NATIONS}.eras.1.categories", ["IV"], "eras.1.categories[0]: must be one of I, II, III"),
    (
        f"{NATIONS}.eras.1.build_fame",
        {"village": 1},
        "eras.1.build_fame must have a number for each of village, fortress, church",
    ),
    (f"{NATIONS}.eras.5", ERA, "eras must have the entries 1, 2, 3, not 1, 2, 3, 5"),
    (
        f"{NATIONS}.bonus_tiles.bonus_lake.malus",
        True,
        "bonus_tiles must have one malus, whose effect is food_per_settler_on_map = 1",
    ),
    (
        f"{NATIONS}.bonus_tiles.malus_food.malus",
        None,
        "bonus_tiles must have one malus, whose effect is food_per_settler_on_map = 1",
    ),
    (
        f"{NATIONS}.bonus_tiles.malus_food.effect",
        {"food_per_settler_on_map": 2},
        "bonus_tiles must have one malus, whose effect is food_per_settler_on_map = 1",
    ),
    (
        f"{NATIONS}.bonus_tiles.bonus_lake.effect",
        {"fame_per_landscape": "sea"},
        "bonus_tiles.bonus_lake.effect.fame_per_landscape: must be one of field, lake, pasture, forest, hill",
    ),
    (
        f"{NATIONS}.missions.m1.areas",
        {"sea": 3},
        "missions.m1.areas: must be one of field, lake, pasture, forest, hill, forest_edge, village, north, south",
    ),
    (f"{NATIONS}.missions.m1.areas", {}, "missions.m1.areas: expected `object` of length >= 1"),
    (
        f"{NATIONS}.missions.m1.goods",
        {"stone": 3},
        "missions.m1.goods: must be one of grain, fish, cheese, wood, wine, bread, brocade",
    ),
    (f"{NATIONS}.missions.m1.goods", None, "missions.m1: object missing required field `goods`"),
    (
        f"{NATIONS}.messages.s1.most",
        "friends",
        "messages.s1.most: must be one of churches_built, fortresses, villages, coins, place_cards,",
    ),
    (f"{NATIONS}.messages.s1.most", "coins", "messages: 2 are about coins"),
]


@pytest.mark.parametrize(("path", "value", "problem"), WRONG, ids=[f"{path}={value}" for path, value, _ in WRONG])
def test_wrong_value_is_reported(path: str, value: Any, problem: str) -> None:
    *heads, last = path.split(".")

    def change(changed: TOML) -> None:
        table = at(changed, *heads)
        if value is None:
            del table[last]
        else:
            table[last] = value

    found = problems_after(change)
    assert any(problem in each for each in found), found


def test_renamed_event_and_additional_map_space_are_valid() -> None:
    def rename_and_add(changed: TOML) -> None:
        events = changed["editions"]["settlers"]["events"]
        events["drought"] = {**events.pop("A1"), "en": "Drought", "de": "Dürre"}
        changed["map"]["spaces"]["c8r1"] = {"column": 7, "y": -1, "side": "north"}

    assert problems_after(rename_and_add) == []


@pytest.mark.parametrize(
    "path",
    [
        *map(".".join, BLOCKS),
        *("map.spaces", "map.spaces.c1r1", "map.players.4", "places.farm", "deeds.alchemy"),
    ],
)
@pytest.mark.parametrize("value", [3, [1, 2]], ids=["number", "list"])
def test_value_that_is_not_a_table_is_reported(path: str, value: object) -> None:
    *heads, last = path.split(".")
    found = problems_after(lambda changed: at(changed, *heads).update({last: value}))
    shown = path.replace("players.4", "players[...]")
    assert any(problem.startswith(f"{shown}: expected `object`, got") for problem in found), found


@pytest.mark.parametrize("story", ["settlers", EVF])
def test_story_that_is_not_a_table_has_no_blocks(story: str) -> None:
    found = problems_after(lambda changed: at(changed, "editions").update({story: 3}))
    assert f"editions.{story}.map is missing" in found


def test_category_without_cards_and_letter_with_too_few_cards_are_reported() -> None:
    def no_third_category(changed: TOML) -> None:
        for card in changed["place_cards"].values():
            card["category"] = "I" if card["category"] == "III" else card["category"]

    def one_letter(changed: TOML) -> None:
        for event in changed["editions"]["settlers"]["events"].values():
            event["letter"] = "A"

    assert problems_after(no_third_category) == ["place_cards has no card of category III"]
    assert problems_after(one_letter) == [
        f"editions.settlers.events has 0 cards of letter {letter}, fewer than 4" for letter in "BCD"
    ]
