"""The entry of the title in the catalogue: its editions, supplies, components and choices."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Component, OptionMeta, Setup, Supply
from boardkeeper.titles.stories.catalogue import components
from boardkeeper.titles.stories.meta import META
from boardkeeper.titles.stories.supplies import in_box
from boardkeeper.titles.stories.tables import DATA_SETS, tables_of

STORIES = [edition.id for edition in META.editions]
CHOICES = [pytest.param(option, id=option.id) for option in (*META.options, *META.readings)]
SUPPLIES = [
    pytest.param(edition.id, supply, id=f"{edition.id}-{supply.players}")
    for edition in META.editions
    for supply in edition.supplies
]


def components_by_id(story: str) -> dict[str, Component]:
    found = {component.id: component for component in components(story)}
    assert len(found) == len(components(story)), "two components have one id"
    return found


# --- editions and supplies -----------------------------------------------------------------------------------


def test_each_story_is_an_edition() -> None:
    assert [(edition.id, edition.players) for edition in META.editions] == [
        ("settlers", (2, 4)),
        ("england-vs-france", (4, 4)),
    ]
    assert META.default_edition == "settlers"
    assert META.maturity == "reconstructed"
    assert all(META.maturity_text[language].endswith(".") for language in LANGUAGES)


@pytest.mark.parametrize(("story", "supply"), SUPPLIES)
def test_supplies_and_unused_components_are_the_whole_box(story: str, supply: Supply) -> None:
    """Except coins, which are unlimited, and boards, which are not counted."""
    seats = Counter({id: count * supply.players for id, count in supply.each_seat.items() if id != "coins"})
    assert Counter(supply.common) + seats + Counter(supply.unused) == Counter(in_box(tables_of(story)))


def test_two_players_use_fewer_components() -> None:
    supply = META.edition("settlers").supplies[0]
    assert supply.players == 2
    assert (supply.common["landscape"], supply.common["start_village"], supply.common["event"]) == (13, 2, 16)
    assert (supply.common["farmer"], supply.common["grain"]) == (12 - 4, 20 - 2), "without those of the seats"
    assert (supply.each_seat["settler"], supply.each_seat["fortress"]) == (11, 4)


def test_each_seat_of_england_vs_france_starts_with_a_coin_a_nation_and_a_message() -> None:
    (supply,) = META.edition("england-vs-france").supplies
    assert {id: supply.each_seat[id] for id in ("coins", "nation", "message", "settler", "fortress")} == {
        "coins": 1,
        "nation": 1,
        "message": 1,
        "settler": 12,
        "fortress": 4,
    }
    assert (supply.common["mission"], supply.unused["mission"], supply.unused["message"]) == (2, 6, 8)


@pytest.mark.parametrize("story", STORIES)
def test_documentation_explains_every_kind_and_key(repository: Path, story: str) -> None:
    page = (repository / "docs" / "catalogue.md").read_text("utf-8").partition("## Orléans Stories")[2]
    found = components_by_id(story)
    keys = {key for component in found.values() for key in (component.kind, *component.values)}
    for supply in META.edition(story).supplies:
        keys |= {key for key in (*supply.common, *supply.unused, *supply.each_seat) if key not in found}
    assert keys - set(re.findall(r"`(\w+)`", page)) == set()


@pytest.mark.parametrize("story", STORIES)
def test_components_have_names_in_every_language_and_provenance_of_every_value(story: str) -> None:
    for component in components_by_id(story).values():
        assert all(component.text[language].strip() for language in LANGUAGES), component.id
        assert set(component.values) == set(component.facts), component.id
        assert "ae" not in component.text["de"].replace("ä", ""), "umlauts are written as such"


def test_box_has_the_printed_numbers_of_components() -> None:
    found = components_by_id("settlers")
    kinds = Counter[str]()
    for component in found.values():
        kinds[component.kind] += component.in_box
    assert (kinds["good"], kinds["character"], found["technology"].in_box) == (184, 126, 18)
    assert kinds["landscape"] + found["start_village"].in_box == 29
    assert kinds["place_card"] + kinds["base_place"] == 48
    assert sum(found[f"settler.{seat}"].in_box for seat in range(1, 5)) == 48
    assert sum(found[f"fortress.{seat}"].in_box for seat in range(1, 5)) == 20
    assert (found["church"].in_box, found["coins"].in_box, kinds["event"], kinds["deed"]) == (12, 64, 32, 6)
    assert found["citizen"].in_box == 0, "citizens are ticks on a pad"


# --- choices -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", CHOICES)
def test_every_choice_has_a_text_in_every_language_and_a_rule(option: OptionMeta) -> None:
    assert re.fullmatch(r"stories(\.[a-z_]+){2}", option.rule)
    assert len(option.choices) >= 2
    for language in LANGUAGES:
        assert option.text[language].endswith("?")
        texts = [choice.text[language] for choice in option.choices]
        assert len(set(texts)) == len(texts)
        assert all(text.endswith(".") and len(text) < 200 for text in texts), texts


def test_each_rule_has_at_most_one_choice() -> None:
    rules = Counter(option.rule for option in (*META.options, *META.readings))
    assert rules.most_common(1)[0][1] == 1


def test_data_set_option_lists_all_files_and_defaults_to_the_first() -> None:
    (option,) = (option for option in META.options if option.id == "data_set")
    assert [choice.id for choice in option.choices] == list(DATA_SETS.names)
    assert option.default == "reconstructed-1"


def test_each_story_has_its_own_readings_and_the_shared_ones() -> None:
    settlers = complete(META, Setup("settlers", 3))
    teams = complete(META, Setup("england-vs-france", 4))
    assert settlers.options == teams.options == {"planning": "open", "data_set": "reconstructed-1"}
    both = {reading.id for reading in META.readings if not reading.editions}
    assert set(settlers.readings) & set(teams.readings) == both
    assert (len(settlers.readings), len(teams.readings)) == (28, 34)
    assert {"torture_unit", "era_one_gate", "peace_conquest"} <= set(settlers.readings) - both
    assert {"worth5_mix", "fame_end", "tie_evf"} <= set(teams.readings) - both


def test_readings_of_the_other_story_are_rejected() -> None:
    with pytest.raises(ChoiceError, match="exists only in the edition settlers, not in england-vs-france"):
        complete(META, Setup("england-vs-france", 4, {}, {"torture_unit": "demanded"}))
    with pytest.raises(ChoiceError, match="must be 4 in the edition 'england-vs-france', not 3"):
        complete(META, Setup("england-vs-france", 3))
