"""A thing has one name in a language: the catalogue of every edition, boards, sentences and drawings say the same."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.titles.orleans.reached import Base, reached

from boardkeeper.families.followers.data import OWN, TECHNOLOGY
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.terminal.drawing.captions import captions
from boardkeeper.terminal.drawing.phrases import phrases_of
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Component, Setup
from boardkeeper.titles.orleans.material import Orleans
from boardkeeper.titles.orleans.sentences import words
from boardkeeper.titles.orleans.title import TITLE

EDITIONS = [edition.id for edition in TITLE.meta.editions]
SAID = ("character", "good", "deed", "place", "place_tile", "town", "hour_glass_tile")
"""Kinds of which sentences say the names."""
FORMS = ("a", "no", "many", "the", "at", "of", "with")
FOLDER = Path("domain") / "boardkeeper" / "titles" / "orleans"


def catalogue(edition: str) -> dict[str, Component]:
    """The components of an edition by id; hour glass tiles go by their event."""
    found = TITLE.components(Setup(edition, 2))
    return {component.id.partition(".")[0]: component for component in found}


def texts(repository: Path, language: str) -> Iterator[tuple[str, str]]:
    """Everything that is said in a language, with where it comes from: what the files hold, whatever uses it."""
    files = ("words/" + language, "rules", "choices", *(f"editions/{edition}" for edition in EDITIONS))
    for file in files:
        tables = tomllib.loads((repository / FOLDER / f"{file}.toml").read_text("utf-8"))
        yield from _strings(file, tables, "" if file.startswith("words/") else language)
    phrases = phrases_of("orleans", language)
    for caption, text in (*captions(language).items(), *phrases.facts.items(), *phrases.words.items()):
        yield f"caption {caption}", text


def _strings(at: str, value: object, key: str) -> Iterator[tuple[str, str]]:
    """The strings below a table that stand under a key; under any key if it is empty."""
    if isinstance(value, dict):
        for name, entry in value.items():
            if isinstance(entry, str):
                if key in ("", name):
                    yield f"{at}.{name}", entry
            else:
                yield from _strings(f"{at}.{name}", entry, key)


def roots(name: str) -> list[str]:
    """The words of a name without what declension changes: ``eigen``, ``bau``."""
    return [re.sub(r"(er|en|e|r|n|s)$", "", word) for word in name.lower().split()]


# --- catalogue and sentences ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_sentences_name_things_as_the_catalogue_of_every_edition(edition: str, language: str) -> None:
    names = words(language).forms["name"]
    for id, component in catalogue(edition).items():
        if component.kind in SAID or id == TECHNOLOGY or id.startswith(OWN):
            assert names[id] == component.text[language], id
        else:
            assert names.get(id, component.text[language]) == component.text[language], id


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_of_a_name_is_a_form_of_that_name(language: str) -> None:
    """In "the Town Hall" is "Town Hall", in "im Gildenhaus" is "Gildenhaus"."""
    forms = words(language).forms
    irregular = {("en", "many", word) for word in ("boatman", "craftsman", "own_boatman", "own_craftsman")}
    for id, name in forms["name"].items():
        for form in FORMS:
            if (language, form, id) not in irregular and id in forms.get(form, {}):
                said = forms[form][id].lower()
                assert all(root in said for root in roots(name)), (form, name, said)


def test_no_edition_gives_a_thing_another_name() -> None:
    """Sentences know no edition: a name that an edition had for itself would stand in the catalogue alone."""
    first, *others = (catalogue(edition) for edition in EDITIONS)
    for other in others:
        assert {id: component.text for id, component in other.items() if id in first} == {
            id: component.text for id, component in first.items() if id in other
        }


# --- other spellings -----------------------------------------------------------------------------------------------


def spellings() -> dict[str, set[str]]:
    """How else boards and rulebooks write a thing, by its id."""
    found: dict[str, set[str]] = {}
    for edition in EDITIONS:
        for id, component in catalogue(edition).items():
            if "also_called" in component.facts:
                found.setdefault(id, set()).update(component.facts["also_called"].split(", "))
    return found


def test_the_catalogue_tells_other_spellings() -> None:
    assert spellings() == {
        "town_hall": {"City Hall"},
        "guildhall": {"Gildenhäuser"},
        "canalization": {"Canalisation"},
        "etampes": {"Etampes"},
        "vendome": {"Venedôme"},
        "saint_amand": {"S.-Amand-Montrond"},
        "merchant": {"Merchant Token"},
        "marker": {"Wooden Cube", "Holzwürfel"},
        "start_player": {"Startspielerplättchen"},
    }
    assert "also_called" not in catalogue("dlp-8th")["guildhall"].facts
    assert catalogue("dlp-2014")["guildhall"].facts["also_called"] == "Gildenhäuser"


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_that_is_said_uses_another_spelling(repository: Path, language: str) -> None:
    others = {spelling for found in spellings().values() for spelling in found}
    for where, text in texts(repository, language):
        assert not [spelling for spelling in others if spelling in text], (where, text)


def test_english_texts_capitalize_nothing_but_names(repository: Path) -> None:
    """A capital inside a sentence marks a name of the game, and there is no name that no component has.

    Headings of rulebooks stand in brackets.
    """
    known = {word for component in catalogue("capstone-2021").values() for word in component.text["en"].split()}
    known |= {*(word for names in words("en").forms["name"].values() for word in names.split()), "Seat", "II", "I"}
    known |= {"English", "German", "Capstone", "A", "B", "C"}
    for where, text in texts(repository, "en"):
        plain = re.sub(r"[{\[<][^\s]*?[}\]>]|\([^)]*\)", "x", text)
        inside = re.findall(r"(?<=[a-z,;] )[A-Z]\w*", plain)
        if where.startswith(("rules", "choices", "words/en.events")):
            assert set(inside) <= known, (where, text)


def test_german_texts_call_the_figure_by_its_name(repository: Path) -> None:
    """The trader is a character and the merchant a figure; German rulebooks call either Händler, we do not."""
    moves = r"(steht|beginnt|zieht nur|über einen|seinem Weg|Händler stehen)"
    for where, text in texts(repository, "de"):
        assert not re.search(rf"\b(der|den|jeder|ein|Ein|Jeder|Der) Händler\b.*{moves}", text), (where, text)


# --- boards and drawings -------------------------------------------------------------------------------------------


def _owns_tiles(t: Orleans) -> bool:
    return all(seat.place_tiles.items for seat in t.seats)


@pytest.mark.parametrize("edition", EDITIONS)
def test_whatever_a_board_names_is_in_the_catalogue(edition: str) -> None:
    """Boards carry ids; each is one of the catalogue, so that a client finds one name for it."""
    components = catalogue(edition)
    board = reached(Base("planning", "plan", _owns_tiles, edition=edition)).play.board(OPERATOR)
    ids: list[str] = [*board.supply, *board.goods_market, *board.place_tiles_1, *board.place_tiles_2, *board.box]
    ids += [*board.removed, *board.hour_glass.remaining, *board.turned, board.hour_glass.event]
    ids += [deed.deed for deed in board.deeds]
    ids += [id for way in board.ways for id in (way.way, *way.towns, *way.goods)]
    for seat in board.seats:
        ids += [seat.merchant, *seat.tracks, *seat.goods, *seat.stations, *seat.market, *seat.bag]
        ids += [id for place in seat.places for id in (place.place, *(x.occupant for x in place.spaces if x.occupant))]
    assert {id.partition(".")[0] for id in ids} <= set(components)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_names_things_as_sentences_do(language: str) -> None:
    """What the terminal client names without the catalogue, sentences call the same."""
    said, named = words(language), phrases_of("orleans", language).words
    for id, text in named.items():
        known = said.forms["name"].get(id) or said.forms["way"].get(id)
        assert known is None or known.lower() == text.lower() or id == "event", id  # sentences name the phase
    for way in ("road", "water"):
        assert named[way].lower() == said.forms["way"][way].lower()
