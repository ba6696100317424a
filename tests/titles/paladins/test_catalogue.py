"""The catalogue contains all components in an edition's box, with unique ids and names in every language."""

from __future__ import annotations

from collections import Counter

import pytest

from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titles.paladins.catalogue import components, differences
from boardkeeper.titles.paladins.meta import META, tables_of

TABLES = tables_of(META.default_edition)
FOUND = {component.id: component for component in components(META.default_edition)}


def count_box() -> Counter[str]:
    """Count the components in the box by kind. Pieces and workers are counted by the first part of their id."""
    box: Counter[str] = Counter()
    for component in FOUND.values():
        kind = component.kind
        box[component.id.partition(".")[0] if kind in ("piece", "worker") else kind] += component.in_box
    return +box


def test_ids_are_unique() -> None:
    assert len(FOUND) == len(components(META.default_edition))


def test_every_component_has_a_name_in_every_language_and_its_provenance() -> None:
    for component in FOUND.values():
        assert set(component.text) == set(LANGUAGES)
        assert all(component.text.values()), component.id
        assert component.provenance, component.id


def test_the_box_contains_the_components_of_the_rulebooks_list() -> None:
    assert count_box() == {
        "labourer": 22,
        "scout": 18,
        "merchant": 18,
        "fighter": 18,
        "cleric": 18,
        "criminal": 18,
        "workshop": 32,
        "outpost": 28,
        "monk": 28,
        "jar": 28,
        "attribute_marker": 12,
        "paladin": 48,
        "townsfolk": 32,
        "outsider": 36,
        "favour": 10,
        "order": 6,
        "debt": 24,
        "suspicion": 24,
        "tavern": 24,
        "wall": 24,
        "scheme": 17,
        "provision": 40,
        "silver": 50,
        "starter": 1,
        "resource_marker": 1,
        "player_board": 4,
        "game_board": 1,
    }


@pytest.mark.parametrize(
    "group", ["workers", "attributes", "suits", "actions", "paladins", "townsfolk", "outsiders", "favours", "walls"]
)
def test_components_have_the_ids_of_their_tables(group: str) -> None:
    for id, table in TABLES[group].items():
        assert FOUND[id].provenance == table["provenance"]


def test_components_with_the_id_of_an_action_or_a_reward_have_a_prefix() -> None:
    assert {f"order_{id}" for id in TABLES["orders"]} <= set(FOUND)
    assert {f"scheme_{id}" for id in TABLES["schemes"]} <= set(FOUND)
    assert {f"jar_space_{id}" for id in TABLES["jar_spaces"]} <= set(FOUND)
    assert {*TABLES["spaces"], *TABLES["tavern"], *TABLES["suspicion"]} <= set(FOUND)


def test_components_without_a_name_are_named_by_their_kind() -> None:
    names = {id: FOUND[id].text for id in ("wall_07", "tavern_24", "favour_10", "suspicion_2", "order_absolve")}
    assert names == {
        "wall_07": {"en": "Wall 7", "de": "Mauer 7"},
        "tavern_24": {"en": "Tavern Card 24", "de": "Tavernenkarte 24"},
        "favour_10": {"en": "King's Favour 10", "de": "Gunst des Königs 10"},
        "suspicion_2": {"en": "Suspicion Card 2", "de": "Verdachtskarte 2"},
        "order_absolve": {"en": "King's Order: Absolve", "de": "Auftrag des Königs: Lossprechen"},
    }
    assert FOUND["scheme_order"].text == {"en": "Scheme: King's Order", "de": "Plankarte: Auftrag des Königs"}
    assert FOUND["r4j"].text == {"en": "Region 4, space 10", "de": "Bereich 4, Feld 10"}


def test_facts_are_typed() -> None:
    assert FOUND["favour_05"].values["choice"] == [["pay_debt"], ["discard_suspicion", "discard_suspicion"]]
    assert FOUND["favour_05"].facts["choice"] == "pay_debt; discard_suspicion, discard_suspicion"
    assert FOUND["samson"].values["cheaper"] == {"action": "develop", "silver": 2}
    assert FOUND["monk.3"].values == {"in_box": 7, "seat": 3}


def test_one_edition_has_no_differences() -> None:
    assert len(META.editions) == 1
    assert differences() == []


def test_an_unknown_edition_has_no_components() -> None:
    with pytest.raises(ValueError, match="no edition"):
        components("first")


# --- supplies ------------------------------------------------------------------------------------------------------


def test_the_supplies_contain_the_whole_box_for_any_number_of_players() -> None:
    """The common components, the unused ones and those of all seats add up to the whole box."""
    supplies = META.editions[0].supplies
    assert [supply.players for supply in supplies] == [2, 3, 4]
    for supply in supplies:
        used = Counter(supply.common) + Counter(supply.unused)
        for id, count in supply.each_seat.items():
            used[id] += count * supply.players
        assert used == count_box()
