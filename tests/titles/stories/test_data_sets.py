"""Data sets are whole, or the check says what they lack; one option swaps them, a block at a time."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from boardkeeper.titles.stories import data_sets
from boardkeeper.titles.stories.data_set_words import BONUS_TILES, EVENTS, PLACES
from boardkeeper.titles.stories.meta import META
from boardkeeper.titles.stories.tables import tables_of

DEFAULT = data_sets.read(data_sets.DEFAULT)
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
THINGS = [path for path in BLOCKS if path[-1] not in ("map", "fame")]


def at(table: TOML, *path: str) -> TOML:
    for key in path:
        table = table[key]
    return table


def problems_after(change: Callable[[TOML], object]) -> list[str]:
    """What is wrong with the default set once something was changed in it."""
    changed = copy.deepcopy(DEFAULT)
    change(changed)
    return data_sets.problems(changed)


# --- whole sets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", data_sets.names())
def test_every_data_set_is_whole(name: str) -> None:
    assert data_sets.problems(data_sets.read(name)) == []


def test_the_default_comes_first_and_then_the_others_by_name() -> None:
    default, *others = data_sets.names()
    assert default == data_sets.DEFAULT == "reconstructed-1"
    assert others == sorted(others)
    assert "reconstructed-2" in others


def test_the_second_has_the_rivals_of_the_first_and_all_else_from_there() -> None:
    first, second = (data_sets.read(f"reconstructed-{number}") for number in (1, 2))
    differ = {path for path in BLOCKS if at(first, *path) != at(second, *path)}
    assert differ == {("supply",), ("places",), ("editions", "settlers", "fame")}
    assert first["set"] != second["set"]


def test_a_block_replaces_that_of_the_base_whole() -> None:
    base: TOML = {"set": {}, "deeds": {"a": {"x": 1}}, "editions": {"s": {"events": {"e": {"y": 1}}, "map": {"z": 1}}}}
    own: TOML = {"set": {"base": "b"}, "deeds": {"b": {}}, "editions": {"s": {"events": {}}, "t": {"eras": {}}}}
    assert data_sets.over(base, own) == {
        "set": {"base": "b"},
        "deeds": {"b": {}},
        "editions": {"s": {"events": {}, "map": {"z": 1}}, "t": {"eras": {}}},
    }
    assert base["editions"]["s"]["events"] == {"e": {"y": 1}}, "the base stays as it is"
    assert data_sets.over(base, {"set": {}})["editions"] == base["editions"]


def test_every_word_that_rules_know_can_be_said() -> None:
    said = {word for block in ("places", "base_places", "place_cards") for it in DEFAULT[block].values() for word in it}
    assert PLACES.keys() <= said
    events = at(DEFAULT, "editions", "settlers", "events").values()
    assert EVENTS.keys() == {word for event in events for word in event["effect"]}
    tiles = at(DEFAULT, "editions", EVF, "bonus_tiles").values()
    assert BONUS_TILES.keys() == {word for tile in tiles for word in tile["effect"]}


# --- swapping by the option ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("story", [edition.id for edition in META.editions])
def test_one_option_swaps_what_a_data_set_says_and_nothing_else(story: str) -> None:
    (option,) = (option for option in META.options if option.id == "data_set")
    first, second = (tables_of(story, choice.id) for choice in option.choices[:2])
    changed = {group for group in first if first[group] != second[group]}
    assert changed == {"supply", "places"} | ({"fame"} if story == "settlers" else set())
    assert tables_of(story) == first


def test_a_set_never_speaks_of_what_is_known_for_certain() -> None:
    """What stands in the files of the title and its stories is added to, and not replaced."""
    for story in (edition.id for edition in META.editions):
        own = data_sets.of_edition(data_sets.DEFAULT, story)
        assert set(own) & {"game", "goods", "characters", "pieces", "scoring", "fame_tiles", "edition"} == set()
    assert set(at(DEFAULT, "editions", "settlers", "fame")) == {"bonus_spaces"}
    assert "eras" not in at(DEFAULT, "editions", "settlers"), "those of The Settlers are printed"


def test_a_story_that_begins_with_all_base_places_begins_with_those_of_the_set() -> None:
    tables = tables_of(EVF)
    assert tables["game"]["start_base_places"] == list(tables["base_places"])


# --- what is missing or wrong is found -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", BLOCKS, ids=".".join)
def test_a_missing_block_is_found(path: tuple[str, ...]) -> None:
    found = problems_after(lambda changed: at(changed, *path[:-1]).pop(path[-1]))
    assert f"{'.'.join(path)} is missing" in found


@pytest.mark.parametrize("path", ["set", "editions", f"editions.{EVF}"])
def test_a_missing_head_or_story_is_found(path: str) -> None:
    *heads, last = path.split(".")
    assert f"{path} is missing" in problems_after(lambda changed: at(changed, *heads).pop(last))


@pytest.mark.parametrize("path", [(), ("editions",), ("editions", "settlers")], ids=".".join)
def test_a_block_that_nothing_asks_for_is_found(path: tuple[str, ...]) -> None:
    found = problems_after(lambda changed: at(changed, *path).update(weather={"rain": {}}))
    assert found == [f"{'.'.join((*path, 'weather'))}: there is no such block"]


@pytest.mark.parametrize("path", THINGS, ids=".".join)
def test_a_missing_thing_is_found(path: tuple[str, ...]) -> None:
    found = problems_after(lambda changed: at(changed, *path).pop(list(at(DEFAULT, *path))[-1]))
    assert any(problem.startswith(path[-1] if len(path) == 1 else ".".join(path)) for problem in found), found


@pytest.mark.parametrize("path", [path for path in THINGS if path != ("supply",)], ids=".".join)
@pytest.mark.parametrize("key", ["en", "de", "provenance"])
def test_a_missing_name_or_provenance_is_found(path: tuple[str, ...], key: str) -> None:
    first = next(iter(at(DEFAULT, *path)))
    expected = f"{'.'.join(path)}.{first} has no {key}"
    assert problems_after(lambda changed: at(changed, *path, first).pop(key)) == [expected]
    assert problems_after(lambda changed: at(changed, *path, first).update({key: " "})) == [expected]


@pytest.mark.parametrize("path", [path for path in THINGS if path != ("supply",)], ids=".".join)
def test_a_word_that_no_rule_knows_is_found(path: tuple[str, ...]) -> None:
    first = next(iter(at(DEFAULT, *path)))
    found = problems_after(lambda changed: at(changed, *path, first).update(dances=1))
    assert f"{'.'.join(path)}.{first}: there is no word 'dances'" in found


SETTLERS = "editions.settlers"
NATIONS = f"editions.{EVF}"

WRONG: list[tuple[str, Any, str]] = [
    # --- things, by path and value ---
    ("landscapes.field.good", "baker", "good is the id of one of the goods, not 'baker'"),
    ("landscapes.field.good", "fish", "landscapes.field: fish does not come from there"),
    ("landscapes.field.tiles", 6, "landscapes has 26 tiles, not 25"),
    ("supply.4.farmer", 25, "supply: (25, 18, 12) of farmer is no row of the table"),
    ("supply.4.baker", 1, "supply.4.baker: there is no such stack"),
    ("supply.3.monk", None, "supply.3.monk is missing"),
    ("supply.2.monk", 9, "supply: nothing has the row (10, 9, 8)"),
    ("places.farm.recruit", "baker", "places.farm: recruit is the id of one of the characters, not 'baker'"),
    ("places.farm.good", ["grain"], "places.farm: good is the id of one of the goods, not ['grain']"),
    ("places.farm.coins", 0, "places.farm: coins is a number from 1 on, not 0"),
    ("places.farm.coins", True, "places.farm: coins is a number from 1 on, not True"),
    ("places.farm.spaces", ["baker"], "places.farm: spaces is a list of characters (or any), not ['baker']"),
    ("places.farm.spaces", ["farmer|any", "x|y"], "spaces is a list of characters (or any)"),
    ("places.farm.spaces", [], "places.farm does nothing, or has spaces for what it does without"),
    ("place_cards.school.spaces", ["monk"], "place_cards.school does nothing, or has spaces"),
    ("places.town_hall.filled_at_least", 3, "places.town_hall: filled_at_least is more than there are spaces"),
    ("places.town_hall.send_to_deeds", None, "places.town_hall does nothing"),
    ("places.farm.category", "I", "places.farm: there is no word 'category'"),
    ("places.crafts_and_trade.choose", [{"coins": 2}], "choose is a list of two or more gains"),
    ("places.crafts_and_trade.choose", [{"coins": 2}, {"trades": True}], "choose is a list of two or more gains"),
    ("places.crafts_and_trade.choose", [{"coins": 2}, {}], "choose is a list of two or more gains"),
    ("places.crafts_and_trade.choose", [{"recruit": "monk"}, {"coins": 2}], "each with another character to recruit"),
    ("places.crafts_and_trade.choose", [{"recruit": "monk"}, {"recruit": "monk"}], "another character to recruit"),
    ("places.crafts_and_trade.choose", [{"recruit": "monk"}, {"recruit": "knight", "fame": 1}], "choose is a list of"),
    ("places.crafts_and_trade.build", "church", "places.crafts_and_trade does several things: choose, build"),
    ("base_places.workshop.take_place_card", True, "workshop does several things: technology, take_place_card"),
    ("base_places.workshop.technology", 2, "base_places.workshop: technology is 1, not 2"),
    ("place_cards.garrison.territory", 2, "place_cards.garrison: territory is 1, not 2"),
    ("places.farm.en", "Mill", "places.farm is 'Farm' in what is said, not 'Mill': another thing has another id"),
    ("place_cards.manor_farm", {}, "manor_farm is what the rules call something else"),
    ("places.territory.territory", 2, "places.territory: territory is 1, as is known"),
    ("places.market.trades", None, "places.market: trades is True, as is known"),
    ("places.landed_estate.produce", "one_landscape", "places.landed_estate: produce is 'areas', as is known"),
    ("place_cards.carpentry.fame_on_build", 2, "place_cards.carpentry: fame_on_build is 1, as is known"),
    ("place_cards.pub.category", "IV", "place_cards.pub: category is one of I, II, III"),
    ("place_cards.bakery.exchange_most", None, "place_cards.bakery: exchange_to needs exchange_most beside it"),
    ("place_cards.county_fair.fame_bonus", None, "place_cards.county_fair: fame_from needs fame_bonus beside it"),
    ("place_cards.garrison.territory", None, "place_cards.garrison: conquest_strength needs territory beside it"),
    ("place_cards.garrison.build", "bridge", "build is one of village, fortress, church, not 'bridge'"),
    ("place_cards.school.stands_for", {"scholar": ["baker"]}, "stands_for is a character with those"),
    ("place_cards.school.stands_for", ["scholar"], "stands_for is a character with those"),
    ("place_cards.farmer", {}, "farmer is the id of 2 things"),
    ("place_cards.no id", {}, "place_cards.no id is no id: letters, digits and underscores"),
    ("places.town_hall", None, "places and base_places: none has send_to_deeds"),
    ("places.crafts_and_trade", None, "places and base_places: none has recruit = 'trader'"),
    ("base_places.castle", None, "places and base_places: none has recruit = 'knight'"),
    ("base_places.workshop", None, "places and base_places: none has technology"),
    ("base_places.church_building", None, "places and base_places: none has build = 'church'"),
    ("building.village.wood", "two", "building.village: wood is a number from 1 on, not 'two'"),
    ("building.village.wood", None, "building.village has no wood"),
    ("building.bridge", {"wood": 1}, "building.bridge cannot be built"),
    ("deeds.alchemy.spaces", {"baker": 1}, "deeds.alchemy: spaces is characters with a number each"),
    ("deeds.alchemy.spaces", ["monk"], "deeds.alchemy: spaces is characters with a number each"),
    ("deeds.alchemy.fame", {"monk": 2}, "deeds.alchemy: each of its characters brings coins or fame"),
    ("deeds.alchemy.coins", None, "deeds.alchemy has no coins"),
    # --- the map ---
    ("map.provenance", None, "map has no provenance or no spaces_provenance"),
    (
        "map.spaces.meadow",
        {"column": 9, "y": 9, "side": "north"},
        "map.spaces.meadow is no id of a space: c, its column",
    ),
    ("map.spaces.c0r1", {"column": 9, "y": 9, "side": "north"}, "map.spaces.c0r1 is no id of a space: c, its column"),
    ("map.spaces.c1r1.side", "west", "map.spaces.c1r1 needs column, y and side (north or south)"),
    ("map.spaces.c1r1.column", "1", "map.spaces.c1r1 needs column, y and side (north or south)"),
    ("map.spaces.c1r1.y", 3, "map.spaces: two are in column 1 at 3"),
    ("map.spaces.c1r1.column", 9, "map.players.4.spaces is in several pieces"),
    ("map.edge", ["c9r9"], "map.edge: there is no space 'c9r9'"),
    ("map.players.4.spaces", ["c9r9"], "map.players.4.spaces: there is no space 'c9r9'"),
    ("map.players.2.spaces", ["c1r1"], "map.players.2.spaces has 1 spaces, not 15"),
    ("map.players.3.spaces", ["c1r1"], "map.players.3.spaces has 1 spaces"),
    (f"{SETTLERS}.map.players.2.start_villages", ["c1r2", "c1r2"], "each of 2 seats needs one"),
    (f"{SETTLERS}.map.players.2.start_villages", ["c1r2", "c1r1"], "start_villages: there is no space 'c1r1'"),
    (f"{NATIONS}.map.towns", {"town_1": "c2r3"}, "map.towns needs a space for each of town_1, town_2"),
    (f"{NATIONS}.map.towns.town_1", "c6r2", "map.towns needs a space for each of town_1, town_2"),
    (f"{NATIONS}.map.towns.town_1", "c9r9", "map.towns: there is no space 'c9r9'"),
    # --- The Settlers ---
    (f"{SETTLERS}.fame.bonus_spaces", [4, 7], "fame.bonus_spaces are 2, not 13"),
    (f"{SETTLERS}.fame.bonus_spaces", [*range(12, 0, -1), 13], "fame.bonus_spaces rise from 2 to 90 at most"),
    (f"{SETTLERS}.fame.bonus_spaces", [*range(79, 92)], "fame.bonus_spaces rise from 2 to 90 at most"),
    (f"{SETTLERS}.fame.bonus_spaces", [*range(1, 14)], "fame.bonus_spaces rise from 2 to 90 at most"),
    (f"{SETTLERS}.events.A1.letter", "E", "events.A1: letter is one of A, B, C, D"),
    (f"{SETTLERS}.events.A1.timing", "now", "events.A1: timing is round, or it is left out"),
    (f"{SETTLERS}.events.A1.timing", "round", "events.A1: what holds for a round, and only that, has the timing"),
    (f"{SETTLERS}.events.A5.timing", None, "events.A5: what holds for a round, and only that, has the timing"),
    (f"{SETTLERS}.events.A1.effect", {}, "events.A1 has no effect"),
    (f"{SETTLERS}.events.A1.effect", {"rains": 1}, "events.A1: there is no word 'rains'"),
    (f"{SETTLERS}.events.A2.effect.gain_good", "stone", "gain_good is the id of one of the goods, not 'stone'"),
    (f"{SETTLERS}.events.A2.effect.plus_if_controls", "sea", "plus_if_controls is the id of one of the landscapes"),
    (f"{SETTLERS}.events.A2.effect.gain_good", None, "events.A2: plus_if_controls needs gain_good beside it"),
    (f"{SETTLERS}.events.A7.effect.round", None, "events.A7: per_goods needs round beside it"),
    (f"{SETTLERS}.events.A8.effect.gain_follower", [], "gain_follower is a list of ids of characters, not []"),
    (f"{SETTLERS}.events.B7.effect.draw_modifier", 0, "draw_modifier is a number other than 0, not 0"),
    (f"{SETTLERS}.events.D2.effect.citizens", None, "events.D2: most_of needs fame or citizens beside it"),
    (f"{SETTLERS}.events.D2.effect.most_of", None, "events.D2: citizens needs most_of beside it"),
    (f"{SETTLERS}.events.C5.effect.most_of", None, "events.C5: fame needs most_of beside it"),
    (f"{SETTLERS}.events.B5.effect.may_pay", None, "events.B5: technology needs may_pay beside it"),
    (f"{SETTLERS}.events.A2.effect.out_of_game", True, "events.A2: out_of_game needs pay_food beside it"),
    (f"{SETTLERS}.events.C6.effect.else_lose", None, "events.C6: pay_wood needs else_lose beside it"),
    (f"{SETTLERS}.events.C6.effect.pay_wood", 2, "events.C6: pay_wood is 1, not 2"),
    (f"{SETTLERS}.events.C8.effect.free_expansion", 2, "events.C8: free_expansion is 1, not 2"),
    (f"{SETTLERS}.events.A1.effect.pay_coins", 2, "events.A1 takes or asks for several things: pay_food, pay_coins"),
    (f"{SETTLERS}.events.B3.effect.sell_up_to", 1, "asks for several things: lose_random_followers, sell_up_to"),
    (f"{SETTLERS}.events.A7.effect.per_areas", 2, "events.A7: per_areas and per_goods says how much is paid"),
    (f"{SETTLERS}.events.A7.effect.pay_coins", None, "events.A7: per_goods says how much is paid, in one way"),
    (f"{SETTLERS}.events.A7.effect.else_lose", "technology", "events.A7: per_goods says how much is paid, in one way"),
    # --- England vs. France ---
    (f"{NATIONS}.eras.1.draw", None, "eras.1: draw is a number from 1 on"),
    (f"{NATIONS}.eras.1.categories", ["IV"], "eras.1: categories is a list of I, II, III"),
    (
        f"{NATIONS}.eras.1.build_fame",
        {"village": 1},
        "eras.1: build_fame has a number for each of",
    ),
    (f"{NATIONS}.eras.5", {}, "eras.5: eras are counted from 1"),
    (f"{NATIONS}.bonus_tiles.bonus_lake.malus", True, "bonus_tiles: one is the malus"),
    (f"{NATIONS}.bonus_tiles.malus_food.malus", None, "bonus_tiles: one is the malus"),
    (f"{NATIONS}.bonus_tiles.malus_food.effect", {"food_per_settler_on_map": 2}, "bonus_tiles: one is the malus"),
    (f"{NATIONS}.bonus_tiles.bonus_lake.effect", {"fame_per_landscape": "sea"}, "is the id of one of the landscapes"),
    (f"{NATIONS}.missions.m1.areas", {"sea": 3}, "missions.m1: areas is landscapes with a number each"),
    (f"{NATIONS}.missions.m1.areas", {}, "missions.m1 asks for areas and for goods"),
    (f"{NATIONS}.missions.m1.goods", {"stone": 3}, "missions.m1: goods is goods with a number each"),
    (f"{NATIONS}.missions.m1.goods", None, "missions.m1 has no goods"),
    (f"{NATIONS}.messages.s1.most", "friends", "messages.s1: most is one of churches_built"),
    (f"{NATIONS}.messages.s1.most", "coins", "messages: 2 are about coins"),
]


@pytest.mark.parametrize(("path", "value", "problem"), WRONG, ids=[f"{path}={value}" for path, value, _ in WRONG])
def test_what_is_wrong_in_a_thing_is_found(path: str, value: Any, problem: str) -> None:
    *heads, last = path.split(".")

    def change(changed: TOML) -> None:
        table = at(changed, *heads)
        if value is None:
            del table[last]
        else:
            table[last] = value

    found = problems_after(change)
    assert any(problem in each for each in found), found


def test_another_thing_has_another_id_and_then_any_name() -> None:
    def other(changed: TOML) -> None:
        events = changed["editions"]["settlers"]["events"]
        events["drought"] = {**events.pop("A1"), "en": "Drought", "de": "Dürre"}
        changed["map"]["spaces"]["c8r1"] = {"column": 7, "y": -1, "side": "north"}

    assert problems_after(other) == []


@pytest.mark.parametrize("path", BLOCKS, ids=".".join)
def test_what_is_no_table_is_found_before_anything_is_read_from_it(path: tuple[str, ...]) -> None:
    found = problems_after(lambda changed: at(changed, *path[:-1]).update({path[-1]: 3}))
    assert found == [f"{'.'.join(path)} is no table"]


@pytest.mark.parametrize(
    "path",
    ["editions", "editions.settlers", "map.spaces", "map.spaces.c1r1", "map.players.4", "places.farm", "deeds.alchemy"],
)
def test_what_is_no_table_further_down_is_found_too(path: str) -> None:
    *heads, last = path.split(".")
    found = problems_after(lambda changed: at(changed, *heads).update({last: [1, 2]}))
    assert found == [f"{path} is no table"]


def test_a_category_without_cards_and_a_letter_with_too_few_are_found() -> None:
    def no_third_category(changed: TOML) -> None:
        for card in changed["place_cards"].values():
            card["category"] = "I" if card["category"] == "III" else card["category"]

    def one_letter(changed: TOML) -> None:
        for event in changed["editions"]["settlers"]["events"].values():
            event["letter"] = "A"

    assert problems_after(no_third_category) == ["place_cards has none of category III"]
    assert problems_after(one_letter) == [
        f"editions.settlers.events: {letter} has 0 cards, fewer than 4" for letter in "BCD"
    ]
