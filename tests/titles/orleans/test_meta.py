"""The catalogue entry lists what the rules can play, and nothing else."""

from __future__ import annotations

from importlib.resources import files

import pytest
from msgspec.structs import asdict, fields

from boardkeeper.table.rules_catalogue import LANGUAGES
from boardkeeper.table.table import Table
from boardkeeper.table.title import OptionMeta, Setup
from boardkeeper.titles.orleans.data import Options, Readings
from boardkeeper.titles.orleans.meta import META
from boardkeeper.titles.orleans.sentences import rules
from boardkeeper.titles.orleans.title import TITLE

PRINTINGS = [
    (edition.id, players) for edition in META.editions for players in range(edition.players[0], edition.players[1] + 1)
]
CHOICES = [*META.options, *META.readings]


def test_the_editions_are_those_that_the_rules_have() -> None:
    folder = files("boardkeeper.titles.orleans") / "editions"
    assert {f"{edition.id}.toml" for edition in META.editions} == {entry.name for entry in folder.iterdir()}
    assert {edition.id: edition.players for edition in META.editions} == {
        "dlp-2014": (2, 4),
        "dlp-8th": (2, 5),
        "capstone-2021": (2, 5),
    }
    assert META.edition(META.default_edition).id == "capstone-2021"


@pytest.mark.parametrize(("edition", "players"), PRINTINGS)
def test_every_edition_lays_a_table_for_each_number_of_players(edition: str, players: int) -> None:
    layout = TITLE.layout(Setup(edition, players))
    assert Table(layout).components()
    with pytest.raises(ValueError, match="players"):
        TITLE.layout(Setup(edition, 6))


def test_readings_and_options_are_those_of_the_rules_with_their_defaults() -> None:
    assert {reading.id: reading.default for reading in META.readings} == asdict(Readings())
    assert {option.id: option.default for option in META.options} == asdict(Options())
    assert not {field.name for field in fields(Readings)} & {field.name for field in fields(Options)}


def test_editions_select_readings_that_exist() -> None:
    known = {reading.id: {choice.id for choice in reading.choices} for reading in META.readings}
    for edition in META.editions:
        for reading, choice in edition.readings.items():
            assert choice in known[reading], f"{edition.id}: {reading} = {choice}"


@pytest.mark.parametrize("option", CHOICES, ids=lambda option: option.id)
def test_every_choice_is_explained_in_every_language(option: OptionMeta) -> None:
    assert option.default == option.choices[0].id
    assert len({choice.id for choice in option.choices}) == len(option.choices) > 1
    assert option.rule in rules()
    for language in LANGUAGES:
        assert option.text[language].rstrip()[-1] in "?.", option.text
        texts = [choice.text[language] for choice in option.choices]
        assert len(set(texts)) == len(texts)
        assert all(text.endswith(".") and len(text) < 200 for text in texts), texts
