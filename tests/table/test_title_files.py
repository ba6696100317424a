"""The files of a title become tables, choices, components, differences, rules and texts; ``box`` is an example."""

from __future__ import annotations

import pytest
from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.choices import chosen, edition_meta, read_choices
from boardkeeper.titlekit.components import component_with, format_fact, make_component, with_box_counts
from boardkeeper.titlekit.edition_differences import AffectedRules, EditionComparison
from boardkeeper.titlekit.meta import read_meta
from boardkeeper.titlekit.sentences import TitleWords
from boardkeeper.titlekit.title import BotMeta, ChoiceMeta, Component, Difference, Setup, Supply
from boardkeeper.titlekit.title_files import tables_of

BOX = "tests.table.box"
CHOICES = read_choices(BOX)
META = read_meta(BOX)
WORDS = TitleWords(BOX)


class Readings(Struct, frozen=True):
    owls: str = "one"
    moles: str = "none"


class Options(Struct, frozen=True):
    opponent: str = "off"


class OwlFlew(Struct, frozen=True):
    owl: str


class FlyOwl(Struct, frozen=True):
    owl: str
    tree: str = ""


class Slept(Struct, frozen=True):
    """An event without a sentence."""


# --- tables and choices ----------------------------------------------------------------------------------------


def test_a_title_has_the_metadata_of_its_file() -> None:
    assert (META.id, META.text, META.designer) == ("box", {"en": "Box", "de": "Kiste"}, "A. Mole")
    assert [edition.id for edition in META.editions] == ["first", "second"]
    assert META.bots == (BotMeta("random", {"en": "Random bot", "de": "Zufallsbot"}),)
    assert (META.alone, META.rules_versions) == ({}, ("2", "3"))


def test_an_edition_overrides_single_values_of_the_tables() -> None:
    first, second = tables_of(BOX, "first"), tables_of(BOX, "second")
    assert first["cards"]["owl"]["points"] == 2
    assert second["cards"]["owl"]["points"] == 3
    assert second["cards"]["owl"]["en"] == "Owl"
    assert first["cards"]["mole"] == second["cards"]["mole"]
    with pytest.raises(ValueError, match=r"^box has no edition 'third'$"):
        tables_of(BOX, "third")


def test_choices_are_in_the_order_of_the_file_and_the_first_is_the_default() -> None:
    (opponent,) = CHOICES.options
    assert [choice.id for choice in opponent.choices] == ["off", "hard"]
    assert opponent.default == "off"
    assert [reading.id for reading in CHOICES.readings] == ["owls", "moles"]
    assert [reading.legacy_choice for reading in CHOICES.readings] == ["many", ""]
    assert [reading.editions for reading in CHOICES.readings] == [(), ("second",)]


def test_a_choice_can_be_limited_to_numbers_of_players() -> None:
    (opponent,) = CHOICES.options
    assert opponent.choices == (
        ChoiceMeta("off", {"en": "No.", "de": "Nein."}),
        ChoiceMeta("hard", {"en": "Yes.", "de": "Ja."}, players=(2,)),
    )


def test_an_edition_has_its_players_readings_and_seat_colours() -> None:
    first, second = META.editions
    assert (first.players, second.players) == ((1, 2), (1, 3))
    assert (first.readings, second.readings) == ({"owls": "many"}, {})
    assert [color.id for color in first.seat_colors] == ["red", "blue"]
    assert [color.text["de"] for color in second.seat_colors] == ["Rot", "Blau", "Grün"]


def test_the_supplies_of_an_edition_come_from_its_tables() -> None:
    tables = tables_of(BOX, "second")
    edition = edition_meta("second", tables, lambda found: [Supply(1, {"rounds": found["game"]["rounds"]}, {}, {}, "")])
    assert edition.supplies == (Supply(1, {"rounds": 3}, {}, {}, ""),)


def test_choices_that_are_not_made_have_the_default_of_the_edition_or_title() -> None:
    assert chosen(META, Setup("first", 2), Readings, Options) == (Readings("many", "none"), Options("off"))
    assert chosen(META, Setup("second", 2), Readings, Options) == (Readings("one", "none"), Options("off"))
    setup = Setup("first", 2, {"opponent": "hard"}, {"owls": "one", "moles": "all"})
    assert chosen(META, setup, Readings, Options) == (Readings("one", "all"), Options("hard"))


def test_a_game_older_than_a_reading_gets_its_legacy_choice() -> None:
    """A stored setup names all readings of its time; a setup without any readings is a new one."""
    old = Setup("second", 2, {"opponent": "off"}, {"moles": "none"})
    assert chosen(META, old, Readings, Options)[0] == Readings("many", "none")
    assert chosen(META, replace(old, readings={}), Readings, Options)[0] == Readings("one", "none")


def test_readings_of_other_editions_do_not_matter_for_a_stored_game() -> None:
    (first, second), (owls, moles) = META.editions, META.readings
    meta = replace(META, editions=(replace(first, readings={}), second), readings=(owls, moles))
    assert chosen(meta, Setup("first", 2), Readings, Options)[0] == Readings("many", "none")


@pytest.mark.parametrize(
    ("setup", "error"),
    [
        (Setup("third", 2), "box has no edition 'third'"),
        (Setup("first", 2, {}, {"owls": "one", "foxes": "one"}), "box has no reading 'foxes'"),
        (Setup("first", 2, {"speed": "high"}), "box has no option 'speed'"),
    ],
)
def test_an_unknown_choice_is_an_error(setup: Setup, error: str) -> None:
    with pytest.raises(ValueError, match=f"^{error}$"):
        chosen(META, setup, Readings, Options)


# --- components and differences --------------------------------------------------------------------------------


def components(edition: str) -> list[Component]:
    cards = tables_of(BOX, edition)["cards"]
    return with_box_counts(
        (make_component("card", id, table) for id, table in cards.items()), {"owl": 2 if edition == "first" else 4}
    )


def test_a_component_has_names_facts_and_a_provenance() -> None:
    owl, mole = components("first")
    assert (owl.id, owl.kind, owl.text) == ("owl", "card", {"en": "Owl", "de": "Eule"})
    assert owl.facts == {"points": "2", "flies": "yes", "costs": "1, 2; 3"}
    assert owl.values == {"points": 2, "flies": True, "costs": [[1, 2], [3]]}
    assert owl.provenance == "public(A)"
    assert mole.provenance == "reconstructed"


def test_a_component_can_be_made_with_given_names() -> None:
    assert component_with(
        "a.b", "way", {"en": "A – B"}, {"length": 2, "provenance": "no fact"}, "rulebook"
    ) == Component("a.b", "way", {"en": "A – B"}, {"length": "2"}, "rulebook", {"length": 2})


def test_box_counts_come_from_the_counts_or_else_from_the_table() -> None:
    assert [each.in_box for each in components("first")] == [2, 6]


def test_facts_are_formatted_as_plain_text() -> None:
    assert format_fact({"coins": 1, "free": False}) == "coins: 1, free: no"


def test_differences_of_editions_are_in_players_readings_boxes_and_tables() -> None:
    editions = EditionComparison(
        META,
        lambda edition: tables_of(BOX, edition),
        lambda edition: {each.id: each.in_box for each in components(edition)},
        WORDS.rules(),
        AffectedRules(("box.owls",), lambda component: (f"box.{component}s",), lambda _: ()),
    )
    places = {"first": "page 1", "second": "page 2"}
    assert editions.differences() == [
        Difference("players", {"first": "1-2", "second": "1-3"}, ("box.owls",), places),
        Difference("reading.owls", {"first": "many", "second": "one"}, ("box.owls",), places),
        Difference("component.owl", {"first": "2", "second": "4"}, ("box.owls",), places),
        Difference("table.cards.owl.points", {"first": "2", "second": "3"}),
    ]


def test_a_reading_of_some_editions_is_a_difference_only_between_those() -> None:
    def differences(*edition_ids: str) -> list[Difference]:
        owls, _ = META.readings
        third = replace(META.editions[1], id="third")
        meta = replace(META, editions=(*META.editions, third), readings=(replace(owls, editions=edition_ids),))
        affected = AffectedRules((), lambda _: (), lambda _: ())
        return EditionComparison(meta, lambda _: {}, lambda _: {}, WORDS.rules(), affected).differences()

    assert [it.values for it in differences("first", "third") if it.id == "reading.owls"] == [
        {"first": "many", "second": "", "third": "one"}
    ]
    assert [it.id for it in differences("second", "third")] == ["players"], "both have the default"


# --- words -----------------------------------------------------------------------------------------------------


def test_commands_and_events_have_sentences_in_every_language() -> None:
    names = ("Anna", "")
    assert WORDS.sentence("en", names, 1, OwlFlew("Otto")) == "Anna lets Otto fly"
    assert WORDS.sentence("de-AT", names, 2, OwlFlew("Otto")) == "Platz 2 lässt Otto fliegen"
    assert WORDS.sentence("fr", names, 1, FlyOwl("Otto")) == "Let Otto fly"
    assert WORDS.sentence("en", names, 1, Slept()) == "Slept"
    assert WORDS.words("en") is WORDS.words("en")


def test_a_rejection_is_explained_with_its_rule() -> None:
    error = Rejection("NO_OWL", "box.owls", {"id": "mole"})
    assert WORDS.explain("en", (), error) == "There is no mole. Owls fly."
    assert WORDS.explain("de", (), error) == "Eulen fliegen."
    assert list(WORDS.rules()) == ["box.owls", "box.opponent"]
