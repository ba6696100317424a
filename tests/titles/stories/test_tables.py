"""Tables of the two stories: boards, tiles and cards as in the box and the rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from boardkeeper.titles.stories.tables import DATA_SETS, tables_of

STORIES = ("settlers", "england-vs-france")
SETS = DATA_SETS.names
EVERY = [pytest.param(story, data_set, id=f"{story}-{data_set}") for story in STORIES for data_set in SETS]


@pytest.fixture
def settlers() -> dict[str, Any]:
    return tables_of("settlers")


@pytest.fixture
def england_vs_france() -> dict[str, Any]:
    return tables_of("england-vs-france")


def test_unknown_story_or_data_set_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="stories has no edition 'first-kingdom'"):
        tables_of("first-kingdom")
    with pytest.raises(ValueError, match="stories has no data set 'printed'"):
        tables_of("settlers", "printed")


# --- supplies ------------------------------------------------------------------------------------------------


def test_four_players_use_all_components_of_the_box(settlers: dict[str, Any]) -> None:
    supply = settlers["supply"]["4"]
    assert sum(supply[good] for good in settlers["goods"]) == 184
    assert sum(supply[character] for character in settlers["characters"]) == 126
    assert supply["technology"] == 18


@pytest.mark.parametrize("data_set", SETS)
def test_supplies_of_stacks_are_the_rows_of_the_rulebook(data_set: str) -> None:
    tables = tables_of("settlers", data_set)
    stacks = [*tables["characters"], *tables["goods"], "technology"]
    rows = {tuple(tables["supply"][players][stack] for players in "432") for stack in stacks}
    assert rows == set(map(tuple, tables["supply_rows"]["rows"]))


def test_goods_have_the_values_and_food_of_the_rulebook(settlers: dict[str, Any]) -> None:
    goods = settlers["goods"]
    assert sorted(good["value"] for good in goods.values()) == [1, 2, 2, 3, 3, 4, 5]
    assert {id for id, good in goods.items() if good["food"]} == {"grain", "fish", "cheese", "wine", "bread"}


# --- map -----------------------------------------------------------------------------------------------------


def neighbours(spaces: dict[str, Any], of: str) -> Iterator[str]:
    """Return the neighbours of a space: two halves away in its column, one half in the next columns."""
    here = spaces[of]
    for id, space in spaces.items():
        columns, halves = abs(space["column"] - here["column"]), abs(space["y"] - here["y"])
        if (columns, halves) in ((0, 2), (1, 1)):
            yield id


@pytest.mark.parametrize(("players", "count"), [(2, 15), (3, 22), (4, 29)])
def test_map_of_each_number_of_players_is_connected(settlers: dict[str, Any], players: int, count: int) -> None:
    used = settlers["map"]["players"][str(players)]["spaces"]
    spaces = {id: space for id, space in settlers["map"]["spaces"].items() if id in used}
    assert len(used) == len(spaces) == count
    reached, new = set[str](), {used[0]}
    while new:
        reached |= new
        new = {beside for id in new for beside in neighbours(spaces, id)} - reached
    assert reached == set(used)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_has_its_own_start_village(settlers: dict[str, Any], players: int) -> None:
    places = settlers["map"]["players"][str(players)]
    assert len(set(places["start_villages"])) == players
    assert set(places["start_villages"]) <= set(places["spaces"])


def test_edge_is_all_spaces_with_fewer_than_six_neighbours(settlers: dict[str, Any]) -> None:
    spaces = settlers["map"]["spaces"]
    assert settlers["map"]["edge"] == [id for id in spaces if len(list(neighbours(spaces, id))) < 6]


def test_tiles_of_each_story_cover_the_map(settlers: dict[str, Any], england_vs_france: dict[str, Any]) -> None:
    landscapes = [landscape["tiles"] for landscape in settlers["landscapes"].values()]
    assert landscapes == [5] * 5
    assert sum(landscapes) + settlers["start_villages"]["tiles"] == 29
    towns = england_vs_france["map"]["towns"]
    assert set(towns) == set(england_vs_france["towns"])
    assert sum(landscapes) + england_vs_france["manor_farm"]["tiles"] + len(towns) == 29
    assert {settlers["map"]["spaces"][space]["side"] for space in towns.values()} == {"north", "south"}


# --- start of a seat -----------------------------------------------------------------------------------------


def test_seat_has_twelve_settlers(settlers: dict[str, Any], england_vs_france: dict[str, Any]) -> None:
    def count(start: dict[str, Any]) -> int:
        return sum(2 * number if at == "each_town" else number for at, number in start.items() if at != "provenance")

    assert count(settlers["start_settlers"]) == settlers["pieces"]["settler"]["each_seat"] == 12
    assert count(england_vs_france["start_settlers"]) == 12
    assert settlers["start_settlers"]["supply"] == 8
    assert england_vs_france["start_settlers"]["supply"] == 6


@pytest.mark.parametrize("story", STORIES)
def test_seat_has_five_fortresses(story: str) -> None:
    tables = tables_of(story)
    for players in tables["edition"]["players"]:
        start = tables["start_fortresses"][str(players)]
        assert sum(start.values()) == tables["pieces"]["fortress"]["each_seat"] == 5


@pytest.mark.parametrize("story", STORIES)
def test_seat_starts_with_six_followers(story: str) -> None:
    followers = tables_of(story)["game"]["start_followers"]
    assert followers == ["farmer", "farmer", "fisherman", "fisherman", "craftsman", "trader"]


def test_settlers_starts_with_the_university_and_england_vs_france_with_all_base_places(
    settlers: dict[str, Any], england_vs_france: dict[str, Any]
) -> None:
    assert settlers["game"]["start_base_places"] == ["university"]
    assert england_vs_france["game"]["start_base_places"] == list(england_vs_france["base_places"])
    assert len(settlers["base_places"]) == 6


# --- places and cards ----------------------------------------------------------------------------------------


def test_place_cards_are_24_in_three_categories(settlers: dict[str, Any]) -> None:
    categories = [card["category"] for card in settlers["place_cards"].values()]
    assert len(categories) == 24
    assert {category: categories.count(category) for category in categories} == {"I": 8, "II": 8, "III": 8}


def test_board_has_nine_or_ten_places(settlers: dict[str, Any]) -> None:
    other = tables_of("settlers", "reconstructed-2")
    assert (len(settlers["places"]), len(other["places"])) == (9, 10)
    assert set(settlers["places"]) - set(other["places"]) == {"crafts_and_trade"}


def test_events_are_32_with_eight_of_each_letter(settlers: dict[str, Any]) -> None:
    letters = [event["letter"] for event in settlers["events"].values()]
    assert letters == [*"A" * 8, *"B" * 8, *"C" * 8, *"D" * 8]
    assert all(id[0] == event["letter"] for id, event in settlers["events"].items())


def test_eras_draw_and_open_categories_as_in_the_rulebook(settlers: dict[str, Any]) -> None:
    eras = settlers["eras"].values()
    assert [era["draw"] for era in eras] == [4, 7, 5, 6, 7]
    assert [era["categories"][-1] for era in eras] == ["I", "II", "II", "III", "III"]
    assert [era["en"] for era in eras if era.get("peace")] == ["Peace"]


def test_fame_tiles_are_on_the_spaces_of_the_rulebook(england_vs_france: dict[str, Any]) -> None:
    spaces = england_vs_france["fame"]["bonus_spaces"]
    assert spaces == [int(space) for space in england_vs_france["fame_tiles"]]
    assert spaces == [4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 36]
    eras = [tile["effect"].get("era") for tile in england_vs_france["fame_tiles"].values()]
    assert [era for era in eras if era] == [2, 3]


@pytest.mark.parametrize("data_set", SETS)
def test_settlers_has_thirteen_fame_spaces_on_the_track(data_set: str) -> None:
    tables = tables_of("settlers", data_set)
    spaces = tables["fame"]["bonus_spaces"]
    assert spaces == sorted(set(spaces))
    assert len(spaces) == tables["fame"]["tiles"] == 13
    assert tables["game"]["start_fame"] < spaces[0] < spaces[-1] <= tables["game"]["fame_length"]


def test_numbers_of_missions_messages_and_bonus_tiles_are_as_in_the_rulebook(
    england_vs_france: dict[str, Any],
) -> None:
    counts = {group: len(england_vs_france[group]) for group in ("missions", "messages", "bonus_tiles", "eras")}
    assert counts == {"missions": 8, "messages": 12, "bonus_tiles": 10, "eras": 3}
    assert [id for id, tile in england_vs_france["bonus_tiles"].items() if tile.get("malus")] == ["malus_food"]
    assert sum(nation["cards"] for nation in england_vs_france["nations"].values()) == 4


@pytest.mark.parametrize(("story", "data_set"), EVERY)
def test_every_named_good_and_character_exists(story: str, data_set: str) -> None:
    tables = tables_of(story, data_set)
    characters, goods = set(tables["characters"]), set(tables["goods"])
    for group in ("places", "base_places", "place_cards"):
        for place in tables[group].values():
            required = {character for space in place["spaces"] for character in space.split("|")}
            assert required <= {*characters, "any"}
            for gain in (place, *place.get("choose", ())):
                assert {gain[key] for key in ("good", "exchange_from", "exchange_to") if key in gain} <= goods
                assert {gain[key] for key in ("recruit",) if key in gain} <= characters
    for deed in tables["deeds"].values():
        assert set(deed["coins"]) | set(deed["fame"]) == set(deed["spaces"]) <= characters
    assert {landscape["good"] for landscape in tables["landscapes"].values()} < goods
    for mission in tables.get("missions", {}).values():
        assert set(mission["goods"]) <= goods
