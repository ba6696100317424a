"""The choices of a new game, and the facts of the tables that options change."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from msgspec.structs import asdict

from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.titlekit.alternatives import apply_alternatives, read_alternatives
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.paladins.data import Options, data_for
from boardkeeper.titles.paladins.meta import META, tables_of

PACKAGE = "boardkeeper.titles.paladins"
TABLES = tables_of(META.default_edition)
CHOICES = [*META.options, *META.readings]
FACTS = [(option.id, choice.id) for option in META.options if option.id != "opponent" for choice in option.choices]
OTHER_FACTS = [(option.id, choice.id) for option in META.options[1:] for choice in option.choices[1:]]


def tables_with(**options: str) -> dict[str, Any]:
    """Return the tables with these options."""
    return apply_alternatives(PACKAGE, TABLES, Options(**options))


# --- choices -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", CHOICES, ids=lambda option: option.id)
def test_every_choice_has_a_rule_and_texts_in_every_language(option: Any) -> None:
    assert re.fullmatch(r"paladins(\.[a-z_]+){2,3}", option.rule)
    assert len(option.choices) >= 2
    for text in (option.text, *(choice.text for choice in option.choices)):
        assert set(text) == set(LANGUAGES)
        assert all(line.strip() and line[-1] in ".?" for line in text.values()), text
    assert "?" in option.text["en"]
    assert "?" in option.text["de"]


def test_no_two_choices_have_the_same_rule() -> None:
    rules = [option.rule for option in CHOICES]
    assert len(set(rules)) == len(rules)


@pytest.mark.parametrize("level", ["easy", "standard", "hard"])
def test_the_opponent_plays_only_with_one_player(level: str) -> None:
    options = {"opponent": level}
    assert complete(META, Setup("", 2, options)).options["opponent"] == level
    with pytest.raises(ChoiceError):
        complete(META, Setup("", 3, options))
    assert level in TABLES["opponent"]["orders"]


def test_a_solo_game_has_an_opponent() -> None:
    assert complete(META, Setup("", 2, META.alone)).options["opponent"] == "standard"


def test_a_game_has_the_chosen_options_and_readings() -> None:
    setup = Setup("schwerkraft-2019", 2, {"squires": "two_of_faith"}, {"second_traitor": "once_per_debt"})
    readings, options = data_for(setup).readings, data_for(setup).options
    assert (options.squires, readings.second_traitor) == ("two_of_faith", "once_per_debt")
    assert (options.barbarian, readings.free_recruit) == ("two", "hire")


def test_a_game_older_than_a_reading_gets_its_legacy_choice() -> None:
    """All readings that a stored game can lack, with their legacy choices; new games have the defaults."""
    added = {reading.id: reading.legacy_choice for reading in META.readings if reading.legacy_choice}
    assert added == {
        "suspicion_kept_for": "own_cards",
        "ai_orders_rest_blocked": "fallback",
        "debts_kept": "beside_other_rewards",
    }
    new = complete(META, Setup("", 2))
    old = {reading: choice for reading, choice in new.readings.items() if reading not in added}
    assert asdict(data_for(Setup(new.edition, 2, new.options, old)).readings) == {**new.readings, **added}
    assert asdict(data_for(new).readings) == new.readings
    assert {reading: new.readings[reading] for reading in added} == {
        "suspicion_kept_for": "any_reason",
        "ai_orders_rest_blocked": "fallback",
        "debts_kept": "allowed",
    }


@pytest.mark.parametrize("setup", [Setup("first", 2), Setup("schwerkraft-2019", 2, {"x": "y"})])
def test_unknown_choices_are_errors(setup: Setup) -> None:
    with pytest.raises(ValueError, match="paladins has no"):
        data_for(setup)


def test_the_edition_is_for_two_to_four_seats() -> None:
    assert [(edition.id, edition.players) for edition in META.editions] == [("schwerkraft-2019", (2, 4))]


# --- alternatives --------------------------------------------------------------------------------------------------


def test_every_choice_of_a_fact_except_the_default_has_an_alternative() -> None:
    found = {(option, choice) for option, choices in read_alternatives(PACKAGE).items() for choice in choices}
    assert found == set(OTHER_FACTS)


def test_the_default_tables_are_those_of_the_file() -> None:
    assert tables_with() == TABLES


@pytest.mark.parametrize(("option", "choice"), OTHER_FACTS)
def test_an_alternative_does_not_change_the_tables_of_other_games(option: str, choice: str) -> None:
    before = copy.deepcopy(TABLES)
    assert tables_with(**{option: choice}) != before
    assert before == TABLES


@pytest.mark.parametrize(("option", "choice"), OTHER_FACTS)
def test_the_provenance_of_a_fact_with_alternatives_names_the_option(option: str, choice: str) -> None:
    changed = read_alternatives(PACKAGE)[option][choice]
    assert any(f"(option {option})" in line for line in _provenances(changed, TABLES))


def _provenances(changes: dict[str, Any], table: dict[str, Any]) -> list[str]:
    """Return the provenances of the tables that a change affects."""
    line = [table["provenance"]] if "provenance" in table else []
    for key, change in changes.items():
        if isinstance(change, dict):
            line += _provenances(change, table[key])
    return line


def test_every_option_in_a_provenance_exists() -> None:
    named = set(re.findall(r"\(option (\w+)\)", str(TABLES)))
    assert named == {option for option, _ in FACTS}
    assert set(re.findall(r"\(reading (\w+)\)", str(TABLES))) <= {reading.id for reading in META.readings}


# --- conditions for every choice -----------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", ["rising", "low"])
def test_the_tax_supply_is_between_5_and_8_and_never_falls_with_more_players(choice: str) -> None:
    tax = tables_with(tax_supply=choice)["tax"]
    amounts = [tax[str(players)] for players in range(1, 5)]
    assert amounts == sorted(amounts)
    assert (amounts[0], amounts[-1]) == (5, 8)


@pytest.mark.parametrize("choice", ["more_twos", "more_zeros"])
def test_suspicion_cards_are_24_of_three_kinds(choice: str) -> None:
    cards = tables_with(suspicion_cards=choice)["suspicion"]
    assert {card["tax"] for card in cards.values()} == {0, 1, 2}
    assert sorted(card["count"] for card in cards.values()) == [6, 8, 10]


@pytest.mark.parametrize("choice", ["even", "odd"])
def test_jars_have_seven_numbers_that_rise_from_0(choice: str) -> None:
    tables = tables_with(jar_numbers=choice)
    numbers = tables["jars"]["numbers"]
    assert numbers == sorted(set(numbers)) == tables["actions"]["absolve"]["thresholds"]
    assert (numbers[0], len(numbers)) == (0, 7)


@pytest.mark.parametrize("choice", ["two_for_suspicion", "one_for_suspicion"])
def test_there_are_enough_spaces_for_jars(choice: str) -> None:
    assert len(tables_with(jar_spaces=choice)["jar_spaces"]) >= TABLES["each_seat"]["jar"]


@pytest.mark.parametrize("choice", ["in_turn", "in_pairs", "with_labourers"])
def test_the_workshop_row_has_eight_workers_with_a_scout(choice: str) -> None:
    row = tables_with(workshop_row=choice)["workshops"]["row"]
    assert (len(row), "scout" in row) == (8, True)
    assert set(row) < set(TABLES["workers"])


@pytest.mark.parametrize("choice", ["three_orders", "four_orders"])
def test_twelve_schemes_are_not_for_favours(choice: str) -> None:
    schemes = tables_with(scheme_deck=choice)["schemes"]
    assert schemes["favour"]["count"] == len(TABLES["favour_places"]["rounds"]) == 5
    assert sum(scheme["count"] for scheme in schemes.values()) == 17


def test_options_change_uncertain_cards() -> None:
    assert tables_with(squires="two_of_faith")["townsfolk"]["squire_1"]["reward"] == ["faith"]
    assert tables_with(transcription="first")["favours"]["favour_07"]["worker"] == "any"
    assert "labourer" in tables_with(transcription="first")["outsiders"]["champion_saracen"]["attack"]
    assert "discard_suspicion" in tables_with(vigilante="discard_suspicion")["outsiders"]["vigilante_saracen"]["attack"]
    assert tables_with(barbarian="one")["outsiders"]["barbarian_viking"]["strength"] == 1
    assert sorted(tables_with()["townsfolk"][f"squire_{n}"]["reward"][0] for n in (1, 2, 3)) == sorted(
        TABLES["attributes"]
    )
