"""Sentences of Orléans. ``tests/kit/test_words.py`` tests for all titles that they are complete."""

from __future__ import annotations

import pytest
from msgspec import Struct
from tests.titles.orleans.adapter import ADAPTER, DATA, TABLES

from boardkeeper.table.rejections import Rejection
from boardkeeper.testkit.sentence_checks import NAMES, check_sentences
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans.meta import explain, sentence, words

# --- forms -------------------------------------------------------------------------------------------------------


def test_languages_have_the_same_forms() -> None:
    english, german = words("en"), words("de")
    for form in ("name", "a", "no", "many", "the", "at", "of", "space", "strength", "reward", "way", "begins"):
        assert set(english.forms[form]) == set(german.forms[form]), form


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_those_of_the_components(language: str) -> None:
    names = words(language).forms["name"]
    for group in ("characters", "goods", "places", "place_tiles", "deeds"):
        for id, table in TABLES[group].items():
            assert names[id] == table[language]
    for id, table in TABLES["pieces"].items():
        assert names.get(id, table[language]) == table[language]
    for id, town in TABLES["map"]["towns"].items():
        assert names[id] == town["name"]
    for id, event in TABLES["hour_glass"]["events"].items():
        assert names[id] == event[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_component_has_the_forms_that_templates_use(language: str) -> None:
    forms = words(language).forms
    for follower in DATA.followers:
        assert follower in forms["a"]
        assert follower in forms["many"]
        assert follower in forms["no"]
    assert language == "de" or set(forms["your"]) == set(DATA.followers)
    for place in DATA.places:
        assert all(place in forms[form] for form in ("the", "at", "of"))
    for _, space in DATA.space:
        assert space in forms["space"]
    for deed in DATA.deeds:
        assert deed in forms["the"]


# --- whole games -------------------------------------------------------------------------------------------------


def test_sentences_of_a_game_of_the_first_printing_with_other_choices() -> None:
    options = {"planning": "sealed", "hour_glass": "ungraded", "bathhouse": "passive"}
    check_sentences(ADAPTER, ("sensible", "sensible"), "dlp-2014", options)


# --- sentences ------------------------------------------------------------------------------------------------------

SENTENCES: list[tuple[Struct, str, str]] = [
    (
        e.HourGlassTurned(3, "taxes", "A", 2),
        "Round 3: event Taxes A, start player Ben.",
        "Runde 3: Das Stundenglas zeigt Steuern A; Ben beginnt.",
    ),
    (
        e.HourGlassTurned(3, "taxes", "U", 2),
        "Round 3: event Taxes, start player Ben.",
        "Runde 3: Das Stundenglas zeigt Steuern; Ben beginnt.",
    ),
    (
        c.PlaceFollower("monk", "ship", "knight"),
        "Place a monk on the knight space of the Ship",
        "Setze einen Mönch auf das Ritterfeld des Schiffs",
    ),
    (
        c.PlaceFollower("own_boatman", "castle", "boatman", from_tower=True),
        "Place your own boatman from the Gunpowder Tower on the boatman space of the Castle",
        "Setze den eigenen Schiffer aus dem Pulverturm auf das Schifferfeld der Burg",
    ),
    (
        c.Travel("ship", "blois"),
        "Travel to Blois with the Ship and take no good",
        "Reise mit dem Schiff nach Blois und nimm keine Ware",
    ),
    (c.DrawFollowers(0), "Draw no followers", "Ziehe keine Gefolgsleute"),
    (
        c.RecruitFollower("village", "trader", "windmill"),
        "Recruit a trader in the Village and take the Windmill",
        "Wirb im Dorf einen Händler an und nimm die Windmühle",
    ),
    (
        e.FollowerRecruited("village", "boatman", 2, coins=3),
        "Anna recruits a boatman in the Village and receives 3 coins.",
        "Anna wirbt im Dorf einen Schiffer an und erhält 3 Münzen.",
    ),
    (
        e.FollowerRecruited("castle", "knight", 4, citizen=True),
        "Anna recruits a knight in the Castle and receives a citizen.",
        "Anna wirbt in der Burg einen Ritter an und erhält einen Bürger.",
    ),
    (
        e.FollowerRecruited("monastery", "monk", 0),
        "Anna recruits a monk in the Monastery.",
        "Anna wirbt im Kloster einen Mönch an.",
    ),
    (
        e.CensusHeld(1, 3),
        "Census: Anna leads on the farmers track and receives 1 coin; Clara is last and must pay 1 coin.",
        "Volkszählung: Anna führt bei den Bauern und erhält 1 Münze, Clara hat die wenigsten und muss 1 Münze zahlen.",
    ),
    (
        e.CensusHeld(0, 0),
        "Census: no player leads alone on the farmers track.",
        "Volkszählung: Niemand führt allein bei den Bauern.",
    ),
    (
        e.TaxesPaid(5, 3, 2),
        "Anna pays 3 coins in taxes for 5 goods; 2 coins are still unpaid.",
        "Anna zahlt 3 Münzen Steuern für 5 Waren; 2 Münzen bleiben offen.",
    ),
    (
        e.PlagueStruck("boatman", lost=True),
        "Anna loses a boatman to the Plague.",
        "Anna verliert einen Schiffer durch die Pest.",
    ),
    (
        e.PlagueStruck("own_trader", lost=False),
        "Anna draws their own trader for the Plague and loses no follower.",
        "Die Pest trifft den eigenen Händler, und Anna verliert niemanden.",
    ),
    (
        e.PlagueStruck("", lost=False),
        "Anna has an empty bag and loses no follower to the Plague.",
        "Die Pest findet niemanden im Beutel von Anna.",
    ),
    (
        e.SeatScored(12, {"grain": 2, "wool": 1}, 6, 5, 2, 4, 28, 46, 1),
        (
            "Anna scores 46 points: 12 for coins, 6 for goods (2 grain and 1 wool) and 28 for 5 trading stations and "
            "2 citizens at development status 4; rank 1."
        ),
        (
            "Anna erreicht 46 Punkte: 12 für Münzen, 6 für Waren (2 Getreide und 1 Wolle) und 28 für 5 Kontore und "
            "2 Bürger bei Entwicklungsstand 4; Rang 1."
        ),
    ),
]


@pytest.mark.parametrize(("detail", "english", "german"), SENTENCES, ids=lambda value: type(value).__name__)
def test_sentences_are_idiomatic(detail: Struct, english: str, german: str) -> None:
    assert sentence("en", NAMES, 1, detail) == english
    assert sentence("de", NAMES, 1, detail) == german


@pytest.mark.parametrize(
    ("detail", "english", "german"),
    [
        (
            e.HourGlassTurned(2, "plague", "A", 2),
            "Round 2: event Plague A, start player Ben.",
            "Runde 2: Das Stundenglas zeigt Pest A; Ben beginnt.",
        ),
        (
            e.CensusHeld(3, 2),
            "Census: Clara leads on the farmers track and receives 1 coin; Ben is last and must pay 1 coin.",
            (
                "Volkszählung: Clara führt bei den Bauern und erhält 1 Münze, "
                "Ben hat die wenigsten und muss 1 Münze zahlen."
            ),
        ),
        (
            e.CensusHeld(0, 2),
            "Census: no player leads alone on the farmers track; Ben is last and must pay 1 coin.",
            "Volkszählung: Niemand führt allein bei den Bauern, Ben hat die wenigsten und muss 1 Münze zahlen.",
        ),
    ],
)
def test_other_seats_are_called_by_their_names(detail: Struct, english: str, german: str) -> None:
    assert sentence("en", NAMES, 0, detail) == english
    assert sentence("de", NAMES, 0, detail) == german
    assert sentence("en", ("", "", ""), 0, detail) == english.replace("Ben", "Seat 2").replace("Clara", "Seat 3")
    assert sentence("de", (), 0, detail) == german.replace("Ben", "Platz 2").replace("Clara", "Platz 3")


def test_a_sentence_of_an_event_without_a_seat() -> None:
    tie = sentence("en", NAMES, 0, e.MostStationsRewarded(4))
    assert tie == "Several players have built the most trading stations (4), so no player receives the last citizen."


# --- rejections ------------------------------------------------------------------------------------------------------


def test_an_explanation_names_the_missing_followers() -> None:
    rejection = Rejection("NOT_ACTIVATED", "orleans.actions.activated", {"place": "ship", "missing": "farmer knight"})
    assert explain("en", NAMES, rejection).startswith(
        "The Ship is not activated; empty: the farmer space and the knight space. "
    )
    assert explain("de", NAMES, rejection).startswith(
        "Dieser Ort ist nicht aktiviert: Schiff; noch leer: das Bauernfeld und "
    )


def test_an_explanation_quotes_unknown_ids_unchanged() -> None:
    rejection = Rejection("UNKNOWN_SPACE", "orleans.planning.space_exists", {"place": "{seat} [x", "space": "a|b"})
    assert explain("en", NAMES, rejection).startswith("This space does not exist: {seat} [x, a|b. ")
