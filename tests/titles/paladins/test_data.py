"""The facts of boards and cards: their number, their balance as in the sources, and the rulebook's examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from boardkeeper.titles.paladins.meta import META, tables_of

TABLES = tables_of(META.default_edition)
WORKERS = ("labourer", "scout", "merchant", "fighter", "cleric", "criminal")
ATTRIBUTES = ("faith", "strength", "influence")
EFFECTS = (
    "silver",
    "tax",
    "provision",
    "discard_suspicion",
    "destroy_debt",
    "pay_debt",
    "pray",
    "free_recruit",
    "free_develop",
    "take_debt",
)
RIGHT = ("commission", "fortify", "garrison", "absolve", "attack", "convert")


def count_values(group: str, key: str) -> Counter[str]:
    """Count the values of a key in the tables of a group; lists count by entry."""
    found: Counter[str] = Counter()
    for table in TABLES[group].values():
        found.update(table[key] if isinstance(table[key], list) else [table[key]])
    return found


# --- vocabulary ----------------------------------------------------------------------------------------------------


def find_gains(value: object, key: str = "") -> Iterator[str]:
    """Yield every word for something that is given."""
    if isinstance(value, dict):
        for name, entry in value.items():
            yield from find_gains(entry, name)
    elif key in ("gain", "discard", "instant", "reward", "attack", "choice", "also", "one", "two"):
        for entry in value if isinstance(value, list) else [value]:
            assert isinstance(entry, str | list)
            yield from entry if isinstance(entry, list) else [entry]


def test_every_gain_is_a_word_that_the_file_defines() -> None:
    assert set(find_gains(TABLES)) == {*WORKERS, *ATTRIBUTES, *EFFECTS}
    assert tuple(TABLES["workers"]) == WORKERS
    assert tuple(TABLES["attributes"]) == ATTRIBUTES


def test_slots_need_a_colour_or_any() -> None:
    assert count_values("actions", "slots").keys() == {"any", *WORKERS} - {"labourer", "criminal"}
    assert count_values("favours", "worker").keys() == {"any", "scout", "merchant", "fighter", "cleric", "criminal"}


# --- counts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("group", "kind"),
    [
        ("townsfolk", "townsfolk"),
        ("outsiders", "outsider"),
        ("orders", "order"),
        ("favours", "favour"),
        ("walls", "wall"),
        ("tavern", "tavern"),
    ],
)
def test_the_number_of_cards_is_as_in_the_rulebook(group: str, kind: str) -> None:
    assert len(TABLES[group]) == TABLES["cards"][kind]["in_box"]


def test_each_of_the_four_seats_has_the_same_twelve_paladins() -> None:
    assert (len(TABLES["paladins"]), TABLES["cards"]["paladin"]["in_box"]) == (12, 48)


@pytest.mark.parametrize(("group", "kind"), [("suspicion", "suspicion"), ("schemes", "scheme")])
def test_equal_cards_are_counted_together(group: str, kind: str) -> None:
    assert sum(table["count"] for table in TABLES[group].values()) == TABLES["cards"][kind]["in_box"]


def test_pieces_of_a_seat_are_in_the_box_four_times() -> None:
    pieces, each_seat = TABLES["pieces"], dict(TABLES["each_seat"])
    assert each_seat.pop("provenance") == "rulebook"
    assert {id: pieces[id]["in_box"] for id in each_seat} == {id: 4 * count for id, count in each_seat.items()}
    assert each_seat["jar"] == len(TABLES["jars"]["numbers"])
    assert each_seat["workshop"] == len(TABLES["workshops"]["row"]) == TABLES["actions"]["develop"]["limit"]
    assert {TABLES["actions"][action]["limit"] for action in RIGHT if action != "attack"} == {each_seat["monk"]} == {7}


def test_silver_provisions_and_debts_have_consistent_counts() -> None:
    pieces, supplies = TABLES["pieces"], TABLES["supplies"]
    assert [pieces[id]["in_box"] for id in ("silver", "provision", "debt")] == [50, 40, 24]
    assert [supplies[id] for id in ("silver", "provisions", "debts")] == [50, 40, 24]


# --- main board ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "regions"),
    [(2, [2, 4, 6, 7, 5, 1]), (3, [3, 6, 8, 9, 6, 2]), (4, [4, 7, 9, 10, 7, 3])],
)
def test_more_players_use_more_spaces(players: int, regions: list[int]) -> None:
    used = Counter(space["region"] for space in TABLES["spaces"].values() if space["players"] <= players)
    assert [used[region] for region in range(1, 7)] == regions


def test_spaces_are_named_by_their_region_and_lettered_from_left_to_right() -> None:
    letters: Counter[int] = Counter()
    for id, space in TABLES["spaces"].items():
        assert id == f"r{space['region']}{'abcdefghij'[letters[space['region']]]}"
        letters[space["region"]] += 1


def test_the_opponent_has_a_priority_for_every_gain_of_a_space() -> None:
    kinds = set()
    for space in TABLES["spaces"].values():
        kinds.add(tuple("worker" if word in WORKERS else word for word in space["gain"]))
    assert kinds == set(map(tuple, TABLES["opponent"]["priority"]))


def test_spaces_are_in_the_order_of_their_regions() -> None:
    """So the first free space needs the least."""
    regions = [space["region"] for space in TABLES["spaces"].values()]
    assert regions == sorted(regions)


def test_flags_rise_from_left_to_right() -> None:
    for attribute in ("faith", "strength"):
        flags = TABLES["columns"][attribute]
        assert len(flags) == TABLES["game"]["outsiders_displayed"] == 6
        assert flags == sorted(set(flags))
    assert (TABLES["columns"]["faith"][:3], TABLES["columns"]["strength"][:4]) == ([0, 2, 4], [2, 3, 5, 7]), "rulebook"


def test_the_two_left_places_of_townsfolk_accept_a_debt() -> None:
    row = TABLES["townsfolk_row"]
    assert (row["silver"], row["debt"]) == ([3, 2, 2, 1, 0], [True, True, False, False, False])
    assert len(row["silver"]) == TABLES["game"]["townsfolk_displayed"]


# --- player board --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", RIGHT)
def test_actions_of_the_right_side_need_one_attribute_and_give_another(action: str) -> None:
    """Three slots, the middle one for any worker; the first two can have workshops."""
    table = TABLES["actions"][action]
    assert table["slots"][1] == "any"
    assert (len(table["slots"]), table["workshops"], len({*table["slots"]})) == (3, 2, 3)
    assert {table["needs"], table["gain"]} < set(ATTRIBUTES)
    assert table["needs"] != table["gain"]


def test_each_attribute_is_needed_twice_and_gained_twice() -> None:
    right = [TABLES["actions"][action] for action in RIGHT]
    assert Counter(table["needs"] for table in right) == Counter(dict.fromkeys(ATTRIBUTES, 2))
    assert Counter(table["gain"] for table in right) == Counter(dict.fromkeys(ATTRIBUTES, 2))


def test_prices_and_thresholds_are_given_for_each_time_of_an_action() -> None:
    for action in RIGHT:
        table = TABLES["actions"][action]
        for key in ("provisions", "silver", "thresholds"):
            if key in table:
                assert len(table[key]) == table["limit"], (action, key)
                assert table[key] == sorted(table[key]), (action, key)
    assert TABLES["actions"]["absolve"]["thresholds"] == TABLES["jars"]["numbers"]
    assert [TABLES["actions"]["fortify"]["thresholds"][nth] for nth in (0, 1, 2, 4)] == [0, 1, 3, 7], "rulebook"


def test_jars_have_ten_spaces_with_seven_rewards() -> None:
    assert len(TABLES["jar_spaces"]) == 10
    assert len({tuple(space["gain"]) for space in TABLES["jar_spaces"].values()}) == 7


# --- paladins ------------------------------------------------------------------------------------------------------


def test_each_paladin_adds_four_and_all_together_sixteen_of_each_attribute() -> None:
    totals: Counter[str] = Counter()
    for id, paladin in TABLES["paladins"].items():
        added = {attribute: paladin[attribute] for attribute in ATTRIBUTES}
        assert sum(added.values()) == 4, id
        totals.update(added)
    assert totals == {"faith": 16, "strength": 16, "influence": 16}


def test_each_paladin_brings_two_workers_and_an_ability_for_its_own_action() -> None:
    helped = []
    for id, paladin in TABLES["paladins"].items():
        abilities = [key for key in ("free", "bonus", "cheaper") if key in paladin]
        assert (len(paladin["workers"]), len(abilities)) == (2, 1), id
        ability = paladin[abilities[0]]
        helped.append(ability if isinstance(ability, str) else ability["action"])
    assert sorted(helped) == sorted(TABLES["actions"])


def test_no_paladin_has_a_bonus_for_recruiting_or_praying() -> None:
    """The rules do not look for a bonus in these actions."""
    rewarded = {paladin["bonus"]["action"] for paladin in TABLES["paladins"].values() if "bonus" in paladin}
    assert rewarded
    assert not rewarded & {"recruit", "pray"}


def test_a_discount_of_a_paladin_is_for_a_fixed_price_and_not_more_than_it() -> None:
    """So the rules subtract the discount without a check."""
    for paladin in TABLES["paladins"].values():
        if "cheaper" in paladin:
            (price,) = TABLES["actions"][paladin["cheaper"]["action"]]["silver"]
            assert 0 < paladin["cheaper"]["silver"] <= price


def test_a_paladin_with_a_free_action_adds_3_to_the_attribute_that_it_needs() -> None:
    for id, paladin in TABLES["paladins"].items():
        if paladin.get("free") in RIGHT:
            needs = TABLES["actions"][paladin["free"]]["needs"]
            assert paladin[needs] == 3, id


def test_the_two_paladins_of_the_rulebook_are_as_described_there() -> None:
    engelier, anseis = TABLES["paladins"]["engelier"], TABLES["paladins"]["anseis"]
    assert (sorted(engelier["workers"]), engelier["strength"], engelier["faith"]) == (["fighter", "scout"], 3, 1)
    assert engelier["bonus"] == {"action": "attack", "gain": ["silver", "silver"]}
    assert (anseis["influence"], anseis["faith"], anseis["free"]) == (3, 1, "fortify")


# --- cards ---------------------------------------------------------------------------------------------------------


def test_there_are_three_of_each_townsfolk_but_two_conspirators() -> None:
    types = count_values("townsfolk", "type")
    assert types.pop("conspirator") == 2
    assert set(types.values()) == {3}


def test_townsfolk_with_the_same_name_have_the_same_trigger() -> None:
    by_type: dict[str, set[tuple[str, str]]] = {}
    for card in TABLES["townsfolk"].values():
        by_type.setdefault(card["type"], set()).add((card["trigger"], card["condition"]))
    triggers = {kind: triggers.pop() for kind, triggers in by_type.items() if len(triggers) == 1}
    assert triggers == {
        "abbot": ("absolve", ""),
        "acolyte": ("commission", ""),
        "architect": ("develop", ""),
        "conspirator": ("inquisition", ""),
        "debt_collector": ("pay_debt", ""),
        "defender": ("attack", ""),
        "gatekeeper": ("fortify", ""),
        "missionary": ("convert", ""),
        "peddler": ("inquisition", "suspicion_2"),
        "squire": ("inquisition", "no_suspicion"),
        "watchman": ("garrison", ""),
    }


def test_the_townsfolk_of_the_rulebook_are_as_described_there() -> None:
    townsfolk = TABLES["townsfolk"]
    assert townsfolk["abbot_1"]["discard"] == ["cleric", "labourer"]
    assert (townsfolk["gatekeeper_2"]["instant"], townsfolk["gatekeeper_2"]["reward"]) == (["silver"], ["silver"])
    assert townsfolk["architect_2"]["instant"] == ["provision"]


def test_there_are_twelve_outsiders_of_each_suit() -> None:
    assert count_values("outsiders", "suit") == dict.fromkeys(("saracen", "byzantine", "viking"), 12)
    assert set(TABLES["suits"]) == set(count_values("outsiders", "suit"))


def test_outsiders_are_named_by_type_and_suit() -> None:
    for id, outsider in TABLES["outsiders"].items():
        assert id.removesuffix("_1").removesuffix("_2") == f"{outsider['type']}_{outsider['suit']}"


def test_cards_have_the_german_names_of_the_rulebook() -> None:
    """From its lists at the end, of abilities and of points for outsiders."""
    assert count_values("townsfolk", "de").keys() == {
        *("Abt", "Akolyth", "Architektin", "Missionarin", "Torwächterin", "Verteidiger", "Wachmann"),
        *("Hausierer", "Knappe", "Schuldeneintreiber", "Verschwörerin"),
    }
    assert count_values("outsiders", "de").keys() == {
        *("Abenteurer", "Beobachter", "Bogenschütze", "Jäger", "Vigilant", "Wächter", "Attentäter", "Barbar"),
        *("Invasor", "Beschützer", "Champion", "Dieb", "Krieger", "Marodeur", "Waffenmeister", "Söldner", "Verräter"),
    }


def test_every_attack_gives_influence_and_two_give_it_twice() -> None:
    influence = Counter(outsider["attack"].count("influence") for outsider in TABLES["outsiders"].values())
    assert influence == {1: 34, 2: 2}


def test_six_outsiders_give_two_strength() -> None:
    """These score attacked outsiders of a suit other than their own."""
    strong = [outsider for outsider in TABLES["outsiders"].values() if outsider["strength"] == 2]
    assert len(strong) == 6
    assert {outsider["type"] for outsider in strong} == {"assassin", "barbarian", "invader"}
    for outsider in strong:
        assert outsider["scores"] in TABLES["suits"]
        assert outsider["scores"] != outsider["suit"]
    assert count_values("outsiders", "strength") == {1: 30, 2: 6}


def test_outsiders_with_the_same_name_score_the_same() -> None:
    scored = {(outsider["type"], outsider["scores"]) for outsider in TABLES["outsiders"].values()}
    assert len(scored) == len(count_values("outsiders", "type")) == len(count_values("outsiders", "scores"))


def test_every_wall_gives_strength() -> None:
    assert all("strength" in wall["gain"] for wall in TABLES["walls"].values())
    assert sum(wall["points"] for wall in TABLES["walls"].values()) == 6
    assert sum("choice" in wall for wall in TABLES["walls"].values()) == 7
    assert TABLES["walls"]["wall_17"]["gain"] == ["strength", "labourer", "fighter"], "rulebook"


def test_tavern_cards_are_all_different_and_have_four_workers_each() -> None:
    cards = [tuple(sorted(card["workers"])) for card in TABLES["tavern"].values()]
    assert len(set(cards)) == 24
    assert {len(card) for card in cards} == {4}
    assert count_values("tavern", "workers") == {
        "scout": 17,
        "fighter": 17,
        "merchant": 17,
        "cleric": 16,
        "labourer": 15,
        "criminal": 14,
    }


def test_favours_give_something_and_two_have_a_price() -> None:
    for id, favour in TABLES["favours"].items():
        assert bool(favour["gain"]) != ("choice" in favour), id
    assert count_values("favours", "silver") == count_values("favours", "provision") == {0: 9, 1: 1}
    assert TABLES["favours"]["favour_02"]["gain"] == ["discard_suspicion", "tax", "tax"], "rulebook"


def test_there_is_an_order_for_each_action_of_the_right_side() -> None:
    assert {order["action"] for order in TABLES["orders"].values()} == set(RIGHT) == set(TABLES["orders"])
    assert TABLES["order_places"]["needed"] == 5


# --- points --------------------------------------------------------------------------------------------------------


def test_points_are_given_for_every_count() -> None:
    points = TABLES["points"]
    assert len(points["attributes"]) == 13
    assert {len(points[action]) for action in ("commission", "garrison", "fortify", "absolve")} == {8}
    assert len(points["develop"]) == 9
    for action in ("commission", "garrison", "fortify", "absolve", "develop"):
        assert points[action] == sorted(points[action])
        assert not any(points[action][:5])


def total(points: dict[str, Any], levels: list[int], counts: dict[str, int], others: list[int]) -> int:
    """Return the points of track positions and of counts of actions and debts, plus other points."""
    points_total: int = sum(points["attributes"][level] for level in levels)
    points_total += sum(points[action][count] for action, count in counts.items() if action in TABLES["actions"])
    points_total += points["paid_debt"] * counts.get("paid", 0) + points["unpaid_debt"] * counts.get("unpaid", 0)
    return points_total + sum(others)


def test_the_first_example_of_the_rulebook_gives_66() -> None:
    """Orders, walls and converted outsiders have their own points; three goods are one point."""
    orders = TABLES["order_places"]["points"]
    others = [orders[0], orders[2], 3, 3, 1, 1, 3, 3 // TABLES["points"]["goods_per_point"]]
    counts = {"commission": 6, "fortify": 6, "paid": 2, "unpaid": 1}
    assert total(TABLES["points"], [11, 10, 6], counts, others) == 66


def test_the_second_example_of_the_rulebook_gives_76() -> None:
    orders = TABLES["order_places"]["points"]
    others = [orders[1], orders[2], 3, 1, 3, 1, 2, 1]
    counts = {"commission": 6, "garrison": 5, "paid": 1, "unpaid": 2}
    assert total(TABLES["points"], [12, 11, 10], counts, others) == 76
