"""A component has one name per language in the catalogues of all editions, sentences and drawings."""

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
from boardkeeper.titles.orleans.meta import words
from boardkeeper.titles.orleans.title import TITLE

EDITIONS = [edition.id for edition in TITLE.meta.editions]
NAMED_KINDS = ("character", "good", "deed", "place", "place_tile", "town", "hour_glass_tile")
"""Kinds of components that sentences name."""
FORMS = ("a", "no", "many", "the", "at", "of", "with")
FOLDER = Path("domain") / "boardkeeper" / "titles" / "orleans"


def catalogue(edition: str) -> dict[str, Component]:
    """Return the components of an edition by id, hour glass tiles by their event."""
    found = TITLE.components(Setup(edition, 2))
    return {component.id.partition(".")[0]: component for component in found}


def texts(repository: Path, language: str) -> Iterator[tuple[str, str]]:
    """Yield all texts of the files in a language, each with its source."""
    files = ("words/" + language, "rules", "choices", *(f"editions/{edition}" for edition in EDITIONS))
    for file in files:
        tables = tomllib.loads((repository / FOLDER / f"{file}.toml").read_text("utf-8"))
        yield from _strings(file, tables, "" if file.startswith("words/") else language)
    phrases = phrases_of("orleans", language)
    for caption, text in (*captions(language).items(), *phrases.facts.items(), *phrases.words.items()):
        yield f"caption {caption}", text


def _strings(at: str, value: object, key: str) -> Iterator[tuple[str, str]]:
    """Yield the strings with a key in a table and its subtables; all strings if the key is empty."""
    if isinstance(value, dict):
        for name, entry in value.items():
            if isinstance(entry, str):
                if key in ("", name):
                    yield f"{at}.{name}", entry
            else:
                yield from _strings(f"{at}.{name}", entry, key)


def roots(name: str) -> list[str]:
    """Return the words of a name without the endings of declension: ``eigen``, ``bau``."""
    return [re.sub(r"(er|en|e|r|n|s)$", "", word) for word in name.lower().split()]


# --- catalogue and sentences ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_sentences_use_the_names_of_the_catalogue(edition: str, language: str) -> None:
    names = words(language).forms["name"]
    for id, component in catalogue(edition).items():
        if component.kind in NAMED_KINDS or id == TECHNOLOGY or id.startswith(OWN):
            assert names[id] == component.text[language], id
        else:
            assert names.get(id, component.text[language]) == component.text[language], id


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_of_a_name_contains_the_name(language: str) -> None:
    """For example "the Town Hall" contains "Town Hall", and "im Gildenhaus" contains "Gildenhaus"."""
    forms = words(language).forms
    irregular = {("en", "many", word) for word in ("boatman", "craftsman", "own_boatman", "own_craftsman")}
    for id, name in forms["name"].items():
        for form in FORMS:
            if (language, form, id) not in irregular and id in forms.get(form, {}):
                text = forms[form][id].lower()
                assert all(root in text for root in roots(name)), (form, name, text)


def test_all_editions_use_the_same_names() -> None:
    """Sentences do not depend on the edition, so they could not use different names."""
    first, *others = (catalogue(edition) for edition in EDITIONS)
    for other in others:
        assert {id: component.text for id, component in other.items() if id in first} == {
            id: component.text for id, component in first.items() if id in other
        }


# --- other spellings -----------------------------------------------------------------------------------------------


def spellings() -> dict[str, set[str]]:
    """Return other spellings of names on boards and in rulebooks, by id."""
    found: dict[str, set[str]] = {}
    for edition in EDITIONS:
        for id, component in catalogue(edition).items():
            if "also_called" in component.facts:
                found.setdefault(id, set()).update(component.facts["also_called"].split(", "))
    return found


def test_the_catalogue_has_other_spellings() -> None:
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
def test_no_text_uses_another_spelling(repository: Path, language: str) -> None:
    others = {spelling for found in spellings().values() for spelling in found}
    for where, text in texts(repository, language):
        assert not [spelling for spelling in others if spelling in text], (where, text)


def test_english_texts_capitalize_only_names(repository: Path) -> None:
    """A capital letter inside a sentence begins the name of a component.

    Headings of rulebooks are in brackets.
    """
    known = {word for component in catalogue("capstone-2021").values() for word in component.text["en"].split()}
    known |= {*(word for names in words("en").forms["name"].values() for word in names.split()), "Seat", "II", "I"}
    known |= {"English", "German", "Capstone", "A", "B", "C"}
    for where, text in texts(repository, "en"):
        plain = re.sub(r"[{\[<][^\s]*?[}\]>]|\([^)]*\)", "x", text)
        inside = re.findall(r"(?<=[a-z,;] )[A-Z]\w*", plain)
        if where.startswith(("rules", "choices", "words/en.events")):
            assert set(inside) <= known, (where, text)


def test_german_texts_do_not_call_the_merchant_haendler(repository: Path) -> None:
    """German rulebooks call both the trader and the merchant "Händler"; our texts only the trader."""
    moves = r"(steht|beginnt|zieht nur|über einen|seinem Weg|Händler stehen)"
    for where, text in texts(repository, "de"):
        assert not re.search(rf"\b(der|den|jeder|ein|Ein|Jeder|Der) Händler\b.*{moves}", text), (where, text)


# --- boards and drawings -------------------------------------------------------------------------------------------


def _owns_tiles(t: Orleans) -> bool:
    return all(seat.place_tiles.items for seat in t.seats)


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_ids_of_a_board_are_in_the_catalogue(edition: str) -> None:
    """Clients find the names of ids in the catalogue."""
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
def test_the_terminal_uses_the_names_of_sentences(language: str) -> None:
    """The terminal client has some names that are not from the catalogue."""
    forms, named = words(language).forms, phrases_of("orleans", language).words
    for id, text in named.items():
        known = forms["name"].get(id) or forms["way"].get(id)
        assert known is None or known.lower() == text.lower() or id == "event", id  # sentences name the phase
    for way in ("road", "water"):
        assert named[way].lower() == forms["way"][way].lower()
