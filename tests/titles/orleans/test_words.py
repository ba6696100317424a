"""Everything that Orléans says: complete, in both languages, and without a hole in it."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_type_hints

import pytest
from msgspec import Struct
from msgspec.structs import fields
from tests.titles.orleans.playing import play_out

from boardkeeper.table.rejections import Rejection
from boardkeeper.table.rules_catalogue import LANGUAGES, table_rules
from boardkeeper.table.title import Setup
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans.data import data_for
from boardkeeper.titles.orleans.offers import OFFERS
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.sentences import explain, rules, sentence, words
from boardkeeper.titles.orleans.tables import tables_of

DATA = data_for(Setup("capstone-2021", 5))
TABLES = tables_of("capstone-2021")
NAMES = ("Anna", "Ben", "Clara", "Dora", "Emil")
STRUCTS = [*c.COMMANDS, *e.EVENTS, *OFFERS]
GIVEN = {"commands": c.COMMANDS, "events": e.EVENTS, "offers": OFFERS}

SAMPLES: dict[str, Sequence[object]] = {
    "follower": DATA.followers,
    "followers": [(), ("monk",), ("farmer", "own_farmer", "farmer"), tuple(DATA.followers)],
    "character": tuple(TABLES["characters"]),
    "place": tuple(DATA.places),
    "place_tile": (*DATA.place_tiles, ""),
    "space": sorted({space for _, space in DATA.space}),
    "town": DATA.towns,
    "origin": DATA.towns,
    "way": [way.id for way in DATA.ways],
    "good": tuple(DATA.good_tiles),
    "goods": [{}, {"grain": 1}, {"grain": 2, "wine": 1, "brocade": 3}],
    "goods_removed": [{}, {"wool": 12}],
    "deed": tuple(DATA.deeds),
    "reward": ("coins", "development"),
    "event": tuple(TABLES["hour_glass"]["events"]),
    "strength": ("START", "A", "B", "C", "U"),
    "phase": ("followers", "planning", "actions", "event"),
    "placements": [(), (e.Placement("monk", "ship", "knight"), e.Placement("own_farmer", "ship", "farmer"))],
}
"""Values for fields by name; numbers and truth values are known by their type."""

EXTRA: tuple[Struct, ...] = (
    c.SurrenderTradingStation(),
    c.SurrenderTechnology(),
    c.Travel("wagon", "tours"),
    e.MerchantMoved("wagon", "orleans", "chartres", "chartres_orleans_road", ""),
    e.PlagueStruck("", lost=False),
    e.TradingStationSurrendered("", 0),
    e.TechnologySurrendered("", "", 1),
)
"""What the fields one by one do not show: parts that are empty, or empty together."""


def samples(struct: type[Struct], name: str, kind: object) -> Sequence[object]:
    """Values that a field can have; the first one is given, so that optional parts appear."""
    if kind is bool:
        return (True, False)
    if struct is e.TaxesPaid and name == "goods":
        return (1, 0, 7)
    if name == "start_seat":
        return (1, 4)
    if kind is int:
        return (1, 0, 4)
    values = SAMPLES.get(name, ())
    assert values, f"give an example for {struct.__name__}.{name}"
    return values


def examples(struct: type[Struct]) -> Iterator[Struct]:
    """Structs in which each field takes each of its values at least once."""
    yield from (example for example in EXTRA if isinstance(example, struct))
    kinds = get_type_hints(struct)
    values = {name: samples(struct, name, kind) for name, kind in kinds.items()}
    first = {name: each[0] for name, each in values.items()}
    yield struct(**first)
    yield struct(**{name: each[-1] for name, each in values.items()})
    for name, each in values.items():
        for value in each[1:]:
            yield struct(**{**first, name: value})


def check(text: str, *, ends: str) -> None:
    """A sentence has no holes, no raw ids and no stray blanks."""
    assert text, "nothing is said"
    assert not re.search(r"[{}\[\]<>|_]", text), text
    assert "  " not in text, text
    assert not re.search(r" [.,;:]|[,;:]\.|\(\)", text), text
    assert text[0].isupper(), text
    assert text.endswith(ends), text
    assert not text.endswith(".."), text


# --- completeness ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("group", GIVEN)
def test_every_struct_has_a_template_with_existing_fields(language: str, group: str) -> None:
    templates = words(language).templates[group]
    structs = {struct.__name__: struct for struct in GIVEN[group]}
    assert set(templates) == set(structs)
    for name, template in templates.items():
        known = {field.name for field in fields(structs[name])} | {"seat"}
        assert {field.name for field in template.fields()} <= known, name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_value_of_every_field_is_said(language: str, struct: type[Struct]) -> None:
    ends = "." if struct in e.EVENTS else ""
    for example in examples(struct):
        check(sentence(language, NAMES, 1, example), ends=ends)


def test_languages_know_the_same_forms_of_the_same_things() -> None:
    english, german = words("en"), words("de")
    assert set(english.numbers) == set(german.numbers)
    for form in ("name", "a", "no", "many", "the", "at", "of", "space", "strength", "reward", "way", "begins"):
        assert set(english.forms[form]) == set(german.forms[form]), form
    for group in english.templates:
        assert set(english.templates[group]) == set(german.templates[group]), group


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
    for place in DATA.places:
        assert all(place in forms[form] for form in ("the", "at", "of"))
    for _, space in DATA.space:
        assert space in forms["space"]
    for deed in DATA.deeds:
        assert deed in forms["the"]


# --- whole games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "edition", "options"),
    [
        (("sensible", "random", "sensible"), "capstone-2021", {}),
        (
            ("sensible", "sensible"),
            "dlp-2014",
            {"planning": "sealed", "hour_glass": "ungraded", "bathhouse": "passive"},
        ),
    ],
)
def test_a_whole_game_reads_well(bots: Sequence[str], edition: str, options: dict[str, str]) -> None:
    """Every event, and at each decision every legal command, each said differently from the others."""

    def watch(play: OrleansPlay, seat: int, legal: Sequence[Struct]) -> None:
        offers = [play.offered(seat, command) for command in legal]
        texts = [sentence("de" if seat == 1 else "en", NAMES, 1, offer) for offer in offers]
        assert len(set(texts)) == len(texts), texts
        for text in texts:
            check(text, ends="")

    _, events = play_out(bots, "words", watch, edition, options)
    for event in events:
        for language in LANGUAGES:
            check(sentence(language, NAMES, 1 if event.seat else 0, event.detail), ends=".")


# --- sentences as people say them -----------------------------------------------------------------------------------

SAID: list[tuple[Struct, str, str]] = [
    (
        e.HourGlassTurned(3, "taxes", "A", 2),
        "Round 3: the hour glass shows Taxes A; Ben begins.",
        "Runde 3: Das Stundenglas zeigt Steuern A; Ben beginnt.",
    ),
    (
        e.HourGlassTurned(3, "taxes", "U", 2),
        "Round 3: the hour glass shows Taxes; Ben begins.",
        "Runde 3: Das Stundenglas zeigt Steuern; Ben beginnt.",
    ),
    (
        c.PlaceFollower("monk", "ship", "knight"),
        "Place a monk on the knight space of the Ship",
        "Setze einen Mönch auf das Ritterfeld des Schiffs",
    ),
    (
        c.PlaceFollower("own_boatman", "castle", "boatman", from_tower=True),
        "Place the marked boatman from the Gunpowder Tower on the boatman space of the Castle",
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
        "Census: Anna leads in farmers and receives 1 coin, Clara has the fewest and has to pay 1 coin.",
        "Volkszählung: Anna führt bei den Bauern und erhält 1 Münze, Clara hat die wenigsten und muss 1 Münze zahlen.",
    ),
    (
        e.CensusHeld(0, 0),
        "Census: nobody leads alone in farmers.",
        "Volkszählung: Niemand führt allein bei den Bauern.",
    ),
    (
        e.TaxesPaid(5, 3, 2),
        "Anna pays 3 coins in taxes for 5 goods; 2 coins remain unpaid.",
        "Anna zahlt 3 Münzen Steuern für 5 Waren; 2 Münzen bleiben offen.",
    ),
    (
        e.PlagueStruck("boatman", lost=True),
        "Anna loses a boatman to the Plague.",
        "Anna verliert einen Schiffer durch die Pest.",
    ),
    (
        e.PlagueStruck("own_trader", lost=False),
        "The Plague touches the marked trader, and Anna loses nobody.",
        "Die Pest trifft den eigenen Händler, und Anna verliert niemanden.",
    ),
    (
        e.PlagueStruck("", lost=False),
        "The Plague finds nobody in the bag of Anna.",
        "Die Pest findet niemanden im Beutel von Anna.",
    ),
    (
        e.SeatScored(12, {"grain": 2, "wool": 1}, 6, 5, 2, 4, 28, 46, 1),
        (
            "Anna scores 46 points: 12 for coins, 6 for goods (2 grain and 1 wool) and 28 for 5 trading stations and "
            "2 citizens at status 4; rank 1."
        ),
        (
            "Anna erreicht 46 Punkte: 12 für Münzen, 6 für Waren (2 Getreide und 1 Wolle) und 28 für 5 Kontore und "
            "2 Bürger bei Entwicklungsstand 4; Rang 1."
        ),
    ),
]


@pytest.mark.parametrize(("detail", "english", "german"), SAID, ids=lambda value: type(value).__name__)
def test_sentences_sound_like_people(detail: Struct, english: str, german: str) -> None:
    assert sentence("en", NAMES, 1, detail) == english
    assert sentence("de", NAMES, 1, detail) == german


@pytest.mark.parametrize(
    ("detail", "english", "german"),
    [
        (
            e.HourGlassTurned(2, "plague", "A", 2),
            "Round 2: the hour glass shows Plague A; Ben begins.",
            "Runde 2: Das Stundenglas zeigt Pest A; Ben beginnt.",
        ),
        (
            e.CensusHeld(3, 2),
            "Census: Clara leads in farmers and receives 1 coin, Ben has the fewest and has to pay 1 coin.",
            (
                "Volkszählung: Clara führt bei den Bauern und erhält 1 Münze, "
                "Ben hat die wenigsten und muss 1 Münze zahlen."
            ),
        ),
        (
            e.CensusHeld(0, 2),
            "Census: nobody leads alone in farmers, Ben has the fewest and has to pay 1 coin.",
            "Volkszählung: Niemand führt allein bei den Bauern, Ben hat die wenigsten und muss 1 Münze zahlen.",
        ),
    ],
)
def test_other_seats_are_called_by_their_names(detail: Struct, english: str, german: str) -> None:
    assert sentence("en", NAMES, 0, detail) == english
    assert sentence("de", NAMES, 0, detail) == german
    assert sentence("en", ("", "", ""), 0, detail) == english.replace("Ben", "Seat 2").replace("Clara", "Seat 3")
    assert sentence("de", (), 0, detail) == german.replace("Ben", "Platz 2").replace("Clara", "Platz 3")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_knows_a_seat_by_its_number_alone(language: str) -> None:
    """A field that holds a seat is said by name, so no template has the word for a seat beside a field."""
    for group in ("events", "commands", "rejections"):
        for name, template in words(language).templates[group].items():
            for field in template.fields():
                if field.name in {"start_seat", "leader", "last", "winner", "winners"} and not field.test:
                    assert field.form == "seat", name


def test_an_event_of_the_whole_table_needs_no_name() -> None:
    tie = sentence("en", NAMES, 0, e.MostStationsRewarded(4))
    assert tie == "Several have built the most trading stations (4), so nobody receives the last citizen."


# --- rejections ------------------------------------------------------------------------------------------------------


def rejections(repository: Path) -> set[tuple[str, str]]:
    """Code and rule (empty where it is computed) of every rejection in the rules of Orléans."""
    found: set[tuple[str, str]] = set()
    for path in (repository / "domain/boardkeeper/titles/orleans").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Rejection":
                code, rule = node.args[:2]
                assert isinstance(code, ast.Constant), ast.unparse(node)
                found.add((str(code.value), str(rule.value) if isinstance(rule, ast.Constant) else ""))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rejection_code_has_its_words_and_no_words_are_orphans(repository: Path, language: str) -> None:
    templates = set(words(language).templates["rejections"])
    found = {(code, rule) for code, rule in rejections(repository) if rule not in table_rules()}
    assert {code for code, _ in found} <= {template.split()[0] for template in templates}
    cited = {rule for _, rule in found}
    for template in templates:
        code, _, rule = template.partition(" ")
        assert code in {code for code, _ in found}, template
        assert not rule or rule in rules(), template
        assert not rule or rule in cited or (code, "") in found, template


def test_every_refusal_in_a_game_is_explained() -> None:
    """Commands that chance makes up, at every decision of a game; most are refused, and each refusal is a sentence."""
    chance = random.Random(7)
    pool = [example for struct in c.COMMANDS for example in examples(struct)]
    explained: set[str] = set()

    def watch(play: OrleansPlay, seat: int, legal: Sequence[Struct]) -> None:
        mine = [command for command in pool if type(command) in {type(one) for one in legal}]
        for command in (*chance.sample(mine, min(6, len(mine))), chance.choice(pool)):
            rejection = play.decide(seat, command)
            play.recorder.rollback()
            if rejection and rejection.rule not in table_rules():
                explained.add(f"{rejection.code} {rejection.rule}")
                for language in LANGUAGES:
                    text = explain(language, NAMES, rejection)
                    rule = rules()[rejection.rule].text[language]
                    assert text.endswith(rule), text
                    assert len(text) > len(rule) or not all(rejection.values.values()), f"{rejection} has no words"
                    check(text, ends=".")

    play_out(("sensible", "random", "sensible"), "refusals", watch)
    assert len(explained) > 18, sorted(explained)


def test_a_refusal_names_what_is_missing() -> None:
    rejection = Rejection("NOT_ACTIVATED", "orleans.actions.activated", {"place": "ship", "missing": "farmer knight"})
    assert explain("en", NAMES, rejection).startswith(
        "The Ship is not activated; still empty: the farmer space and the knight space. "
    )
    assert explain("de", NAMES, rejection).startswith(
        "Dieser Ort ist nicht aktiviert: Schiff; noch leer: das Bauernfeld und "
    )


def test_what_a_client_made_up_is_said_as_it_is() -> None:
    rejection = Rejection("UNKNOWN_SPACE", "orleans.planning.space_exists", {"place": "{seat} [x", "space": "a|b"})
    assert explain("en", NAMES, rejection).startswith("There is no such space: {seat} [x, a|b. ")
