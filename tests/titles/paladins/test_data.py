"""What boards and cards say: as many as the box holds, balanced as the sources say, and as the rulebook's examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from boardkeeper.titles.paladins.meta import META
from boardkeeper.titles.paladins.tables import tables_of

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


def counted(group: str, key: str) -> Counter[str]:
    """How often each value of a key, or each entry of its lists, stands in the tables of a group."""
    found: Counter[str] = Counter()
    for table in TABLES[group].values():
        found.update(table[key] if isinstance(table[key], list) else [table[key]])
    return found


# --- vocabulary ----------------------------------------------------------------------------------------------------


def gains(value: object, key: str = "") -> Iterator[str]:
    """Every word that says what something gives."""
    if isinstance(value, dict):
        for name, entry in value.items():
            yield from gains(entry, name)
    elif key in ("gain", "discard", "instant", "reward", "attack", "choice", "also", "one", "two"):
        for entry in value if isinstance(value, list) else [value]:
            assert isinstance(entry, str | list)
            yield from entry if isinstance(entry, list) else [entry]


def test_whatever_is_given_is_a_word_of_the_head_of_the_file() -> None:
    assert set(gains(TABLES)) == {*WORKERS, *ATTRIBUTES, *EFFECTS}
    assert tuple(TABLES["workers"]) == WORKERS
    assert tuple(TABLES["attributes"]) == ATTRIBUTES


def test_slots_ask_for_a_colour_or_for_none() -> None:
    assert counted("actions", "slots").keys() == {"any", *WORKERS} - {"labourer", "criminal"}
    assert counted("favours", "worker").keys() == {"any", "scout", "merchant", "fighter", "cleric", "criminal"}


# --- how many ------------------------------------------------------------------------------------------------------


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
def test_there_are_as_many_cards_of_a_kind_as_the_rulebook_lists(group: str, kind: str) -> None:
    assert len(TABLES[group]) == TABLES["cards"][kind]["in_box"]


def test_each_of_the_four_seats_has_the_same_twelve_paladins() -> None:
    assert (len(TABLES["paladins"]), TABLES["cards"]["paladin"]["in_box"]) == (12, 48)


@pytest.mark.parametrize(("group", "kind"), [("suspicion", "suspicion"), ("schemes", "scheme")])
def test_cards_that_are_alike_are_counted_together(group: str, kind: str) -> None:
    assert sum(table["count"] for table in TABLES[group].values()) == TABLES["cards"][kind]["in_box"]


def test_pieces_of_a_seat_are_in_the_box_four_times() -> None:
    pieces, each_seat = TABLES["pieces"], dict(TABLES["each_seat"])
    assert each_seat.pop("provenance") == "rulebook"
    assert {id: pieces[id]["in_box"] for id in each_seat} == {id: 4 * count for id, count in each_seat.items()}
    assert each_seat["jar"] == len(TABLES["jars"]["numbers"])
    assert each_seat["workshop"] == len(TABLES["workshops"]["row"]) == TABLES["actions"]["develop"]["limit"]
    assert {TABLES["actions"][action]["limit"] for action in RIGHT if action != "attack"} == {each_seat["monk"]} == {7}


def test_silver_provisions_and_debts_are_counted_alike_wherever_they_are() -> None:
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


def test_the_opponent_has_a_priority_for_whatever_a_space_gives() -> None:
    kinds = set()
    for space in TABLES["spaces"].values():
        kinds.add(tuple("worker" if word in WORKERS else word for word in space["gain"]))
    assert kinds == set(map(tuple, TABLES["opponent"]["priority"]))


def test_spaces_lie_in_the_order_of_their_regions_so_the_first_one_that_is_free_asks_for_least() -> None:
    regions = [space["region"] for space in TABLES["spaces"].values()]
    assert regions == sorted(regions)


def test_flags_rise_from_left_to_right() -> None:
    for attribute in ("faith", "strength"):
        flags = TABLES["columns"][attribute]
        assert len(flags) == TABLES["game"]["outsiders_displayed"] == 6
        assert flags == sorted(set(flags))
    assert (TABLES["columns"]["faith"][:3], TABLES["columns"]["strength"][:4]) == ([0, 2, 4], [2, 3, 5, 7]), "rulebook"


def test_the_two_townsfolk_on_the_left_take_a_debt_instead() -> None:
    row = TABLES["townsfolk_row"]
    assert (row["silver"], row["debt"]) == ([3, 2, 2, 1, 0], [True, True, False, False, False])
    assert len(row["silver"]) == TABLES["game"]["townsfolk_displayed"]


# --- player board --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", RIGHT)
def test_actions_of_the_right_side_turn_an_attribute_into_another(action: str) -> None:
    """Three slots, the middle one for anybody; the first two can hold workshops."""
    table = TABLES["actions"][action]
    assert table["slots"][1] == "any"
    assert (len(table["slots"]), table["workshops"], len({*table["slots"]})) == (3, 2, 3)
    assert {table["needs"], table["gain"]} < set(ATTRIBUTES)
    assert table["needs"] != table["gain"]


def test_each_attribute_is_needed_twice_and_gained_twice() -> None:
    right = [TABLES["actions"][action] for action in RIGHT]
    assert Counter(table["needs"] for table in right) == Counter(dict.fromkeys(ATTRIBUTES, 2))
    assert Counter(table["gain"] for table in right) == Counter(dict.fromkeys(ATTRIBUTES, 2))


def test_prices_and_thresholds_are_told_for_as_often_as_an_action_can_be_done() -> None:
    for action in RIGHT:
        table = TABLES["actions"][action]
        for key in ("provisions", "silver", "thresholds"):
            if key in table:
                assert len(table[key]) == table["limit"], (action, key)
                assert table[key] == sorted(table[key]), (action, key)
    assert TABLES["actions"]["absolve"]["thresholds"] == TABLES["jars"]["numbers"]
    assert [TABLES["actions"]["fortify"]["thresholds"][nth] for nth in (0, 1, 2, 4)] == [0, 1, 3, 7], "rulebook"


def test_the_workshop_row_has_a_scout() -> None:
    assert "scout" in TABLES["workshops"]["row"]


def test_there_are_more_spaces_for_jars_than_jars_with_seven_rewards() -> None:
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


def test_each_paladin_brings_two_workers_and_one_ability_for_an_action_of_its_own() -> None:
    helped = []
    for id, paladin in TABLES["paladins"].items():
        abilities = [key for key in ("free", "bonus", "cheaper") if key in paladin]
        assert (len(paladin["workers"]), len(abilities)) == (2, 1), id
        ability = paladin[abilities[0]]
        helped.append(ability if isinstance(ability, str) else ability["action"])
    assert sorted(helped) == sorted(TABLES["actions"])


def test_no_paladin_gives_anything_for_recruiting_or_praying_since_the_rules_ask_none_there() -> None:
    rewarded = {paladin["bonus"]["action"] for paladin in TABLES["paladins"].values() if "bonus" in paladin}
    assert rewarded
    assert not rewarded & {"recruit", "pray"}


def test_who_makes_an_action_cheaper_does_not_pay_for_it_and_only_where_the_price_is_always_the_same() -> None:
    """So the rules take off what is saved and never ask whether that is more than the price."""
    for paladin in TABLES["paladins"].values():
        if "cheaper" in paladin:
            (price,) = TABLES["actions"][paladin["cheaper"]["action"]]["silver"]
            assert 0 < paladin["cheaper"]["silver"] <= price


def test_a_paladin_for_whom_an_action_of_the_right_side_is_free_adds_most_to_what_it_needs() -> None:
    for id, paladin in TABLES["paladins"].items():
        if paladin.get("free") in RIGHT:
            needs = TABLES["actions"][paladin["free"]]["needs"]
            assert paladin[needs] == 3, id


def test_the_two_paladins_of_the_rulebook_are_as_told_there() -> None:
    engelier, anseis = TABLES["paladins"]["engelier"], TABLES["paladins"]["anseis"]
    assert (sorted(engelier["workers"]), engelier["strength"], engelier["faith"]) == (["fighter", "scout"], 3, 1)
    assert engelier["bonus"] == {"action": "attack", "gain": ["silver", "silver"]}
    assert (anseis["influence"], anseis["faith"], anseis["free"]) == (3, 1, "fortify")


# --- cards ---------------------------------------------------------------------------------------------------------


def test_there_are_three_of_each_townsfolk_but_two_conspirators() -> None:
    types = counted("townsfolk", "type")
    assert types.pop("conspirator") == 2
    assert set(types.values()) == {3}


def test_townsfolk_of_a_name_wait_for_the_same() -> None:
    waits: dict[str, set[tuple[str, str]]] = {}
    for card in TABLES["townsfolk"].values():
        waits.setdefault(card["type"], set()).add((card["trigger"], card["condition"]))
    triggers = {kind: triggers.pop() for kind, triggers in waits.items() if len(triggers) == 1}
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


def test_the_townsfolk_of_the_rulebook_are_as_told_there() -> None:
    townsfolk = TABLES["townsfolk"]
    assert townsfolk["abbot_1"]["discard"] == ["cleric", "labourer"]
    assert (townsfolk["gatekeeper_2"]["instant"], townsfolk["gatekeeper_2"]["reward"]) == (["silver"], ["silver"])
    assert townsfolk["architect_2"]["instant"] == ["provision"]


def test_there_are_twelve_outsiders_of_each_suit() -> None:
    assert counted("outsiders", "suit") == dict.fromkeys(("saracen", "byzantine", "viking"), 12)
    assert set(TABLES["suits"]) == set(counted("outsiders", "suit"))


def test_outsiders_are_named_by_type_and_suit() -> None:
    for id, outsider in TABLES["outsiders"].items():
        assert id.removesuffix("_1").removesuffix("_2") == f"{outsider['type']}_{outsider['suit']}"


def test_cards_bear_the_german_names_of_the_rulebook() -> None:
    """Its lists at the end, of abilities and of what outsiders score."""
    assert counted("townsfolk", "de").keys() == {
        *("Abt", "Akolyth", "Architektin", "Missionarin", "Torwächterin", "Verteidiger", "Wachmann"),
        *("Hausierer", "Knappe", "Schuldeneintreiber", "Verschwörerin"),
    }
    assert counted("outsiders", "de").keys() == {
        *("Abenteurer", "Beobachter", "Bogenschütze", "Jäger", "Vigilant", "Wächter", "Attentäter", "Barbar"),
        *("Invasor", "Beschützer", "Champion", "Dieb", "Krieger", "Marodeur", "Waffenmeister", "Söldner", "Verräter"),
    }


def test_every_attack_gives_influence_and_two_give_it_twice() -> None:
    influence = Counter(outsider["attack"].count("influence") for outsider in TABLES["outsiders"].values())
    assert influence == {1: 34, 2: 2}


def test_six_outsiders_give_two_strength() -> None:
    """Those that score attacked outsiders of a suit, which is never their own."""
    strong = [outsider for outsider in TABLES["outsiders"].values() if outsider["strength"] == 2]
    assert len(strong) == 6
    assert {outsider["type"] for outsider in strong} == {"assassin", "barbarian", "invader"}
    for outsider in strong:
        assert outsider["scores"] in TABLES["suits"]
        assert outsider["scores"] != outsider["suit"]
    assert counted("outsiders", "strength") == {1: 30, 2: 6}


def test_outsiders_of_a_name_score_the_same() -> None:
    scored = {(outsider["type"], outsider["scores"]) for outsider in TABLES["outsiders"].values()}
    assert len(scored) == len(counted("outsiders", "type")) == len(counted("outsiders", "scores"))


def test_every_wall_gives_strength() -> None:
    assert all("strength" in wall["gain"] for wall in TABLES["walls"].values())
    assert sum(wall["points"] for wall in TABLES["walls"].values()) == 6
    assert sum("choice" in wall for wall in TABLES["walls"].values()) == 7
    assert TABLES["walls"]["wall_17"]["gain"] == ["strength", "labourer", "fighter"], "rulebook"


def test_tavern_cards_are_all_different_and_have_four_workers_each() -> None:
    cards = [tuple(sorted(card["workers"])) for card in TABLES["tavern"].values()]
    assert len(set(cards)) == 24
    assert {len(card) for card in cards} == {4}
    assert counted("tavern", "workers") == {
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
    assert counted("favours", "silver") == counted("favours", "provision") == {0: 9, 1: 1}
    assert TABLES["favours"]["favour_02"]["gain"] == ["discard_suspicion", "tax", "tax"], "rulebook"


def test_there_is_an_order_for_each_action_of_the_right_side() -> None:
    assert {order["action"] for order in TABLES["orders"].values()} == set(RIGHT) == set(TABLES["orders"])
    assert TABLES["order_places"]["needed"] == 5


# --- points --------------------------------------------------------------------------------------------------------


def test_points_are_told_for_every_count() -> None:
    points = TABLES["points"]
    assert len(points["attributes"]) == 13
    assert {len(points[action]) for action in ("commission", "garrison", "fortify", "absolve")} == {8}
    assert len(points["develop"]) == 9
    for action in ("commission", "garrison", "fortify", "absolve", "develop"):
        assert points[action] == sorted(points[action])
        assert not any(points[action][:5])


def total(points: dict[str, Any], levels: list[int], counts: dict[str, int], others: list[int]) -> int:
    """Points of positions on tracks and of counts of actions and debts, with others that are no table's."""
    told: int = sum(points["attributes"][level] for level in levels)
    told += sum(points[action][count] for action, count in counts.items() if action in TABLES["actions"])
    told += points["paid_debt"] * counts.get("paid", 0) + points["unpaid_debt"] * counts.get("unpaid", 0)
    return told + sum(others)


def test_the_first_example_of_the_rulebook_comes_to_66() -> None:
    """Orders, walls and converted outsiders say their points themselves; three goods are one point."""
    orders = TABLES["order_places"]["points"]
    others = [orders[0], orders[2], 3, 3, 1, 1, 3, 3 // TABLES["points"]["goods_per_point"]]
    counts = {"commission": 6, "fortify": 6, "paid": 2, "unpaid": 1}
    assert total(TABLES["points"], [11, 10, 6], counts, others) == 66


def test_the_second_example_of_the_rulebook_comes_to_76() -> None:
    orders = TABLES["order_places"]["points"]
    others = [orders[1], orders[2], 3, 1, 3, 1, 2, 1]
    counts = {"commission": 6, "garrison": 5, "paid": 1, "unpaid": 2}
    assert total(TABLES["points"], [12, 11, 10], counts, others) == 76
