"""Declension and number: every sentence with none, one and two of each thing has no form that nobody says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

import pytest
from msgspec import Struct
from tests.titles.orleans.adapter import ADAPTER

from boardkeeper.table.rejections import Rejection
from boardkeeper.terminal.drawing.captions import captions
from boardkeeper.terminal.drawing.phrases import phrases_of
from boardkeeper.testkit.checks import published_rejections
from boardkeeper.testkit.sentence_checks import NAMES, examples, structs
from boardkeeper.titlekit.rules_catalogue import LANGUAGES, kernel_rules
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans.data import CHARACTERS, GOODS
from boardkeeper.titles.orleans.sentences import explain, rules, sentence, words

TWO_OF_ALL = tuple(str(who) for who in ADAPTER.values["follower"] for _ in range(2))
FORMS: tuple[Struct, ...] = (
    *(struct for goods in GOODS for struct in (c.GiveFood(goods), c.SurrenderGood(goods))),
    e.FollowersDrawn(TWO_OF_ALL),
    e.BathhouseVisited("bathhouse", ()),
    e.BathhouseVisited("bathhouse", TWO_OF_ALL),
    e.DrawnFollowersReturned(()),
    e.DrawnFollowersReturned(("monk",)),
    e.TradingDayHeld(0, 0),
    e.TradingDayHeld(2, 1),
    e.TaxesPaid(0, 0, 0),
    e.TaxesPaid(1, 0, 0),
    e.TaxesPaid(2, 0, 2),
    e.TableLaid(2, 43, dict.fromkeys(GOODS, 2)),
    *(e.SeatScored(n, {good: n for good in GOODS if n}, n, n, n, n, n, n, 1) for n in (0, 1, 2)),
    *(e.DevelopmentAdvanced(n, 1, n, n) for n in (0, 1, 2)),
    *(e.CensusPaid(n, 1 - n) for n in (0, 1)),
    *(e.FoodPaidFor(n, 5 - n) for n in (0, 1, 2)),
    *(e.FollowerSurrendered("monk", n, n) for n in (0, 1, 2)),
    *(c.BuyDevelopment("pharmacy", n) for n in (0, 1, 2)),
    *(c.DrawFollowers(n) for n in (0, 1, 2)),
)
"""Numbers and things that do not meet in :func:`boardkeeper.testkit.sentence_checks.examples`."""

KNOWN: Mapping[str, Sequence[str]] = {
    "follower": tuple(map(str, ADAPTER.values["follower"])),
    "character": CHARACTERS,
    "requires": CHARACTERS,
    "occupant": (*map(str, ADAPTER.values["follower"]), "technology"),
    "place": ("ship", "castle", "town_hall", "bathhouse"),
    "under_way": ("town_hall", "gunpowder_tower"),
    "place_tile": ("school", "windmill", "herb_garden"),
    "space": ("farmer", "scholar_2", "any"),
    "missing": ("farmer", "farmer knight", "any any_2 monk"),
    "good": GOODS,
    "town": ("orleans", "tours"),
    "from": ("orleans", "tours"),
    "deed": ("city_wall", "astronomy", "canalization"),
    "reward": ("coins", "development"),
    "kind": ("road", "water"),
    "way": ("chartres_orleans_road",),
    "needed": ("1", "2", "5"),
    "owned": ("2", "0", "1"),
    "too_many": ("1", "2"),
}
"""Values of rejections by name; all others are numbers."""


def said(language: str) -> Iterator[str]:
    """Every command and event."""
    for struct in structs(ADAPTER):
        for example in examples(ADAPTER, struct):
            yield sentence(language, NAMES, 1, example)
    for example in FORMS:
        yield sentence(language, NAMES, 1, example)


def refused(language: str) -> Iterator[str]:
    """Every published refusal without its rule, each value of each field at least once."""
    for (code, rule), names in published_rejections(Path(__file__).parent).items():
        if rule in kernel_rules():
            continue
        tail = rules()[rule].text[language]
        for fields in names:
            columns = [KNOWN.get(field, ("0", "1", "2", "7")) for field in fields.split()]
            for row in zip_longest(*columns):
                values = [value or column[0] for value, column in zip(row, columns, strict=True)]
                text = explain(language, NAMES, Rejection(code, rule, dict(zip(fields.split(), values, strict=True))))
                yield text.removesuffix(tail).strip()


def drawn(language: str) -> Iterator[str]:
    """Captions of the terminal client, and values as it words them."""
    yield from captions(language).values()
    phrases = phrases_of("orleans", language)
    yield from phrases.words.values()
    for number in (1, 2):
        for key, text in phrases.facts.items():
            value = number if text.count("{}") < 2 else [[number, number]]
            yield phrases.say(key.partition(".")[0], value, str)


def numbers(language: str) -> tuple[set[str], set[str]]:
    """Forms of characters that are singular only, and those that are plural only."""
    forms = words(language).forms
    one = {re.sub(r"^\w+ ", "", forms["a"][id]) for id in CHARACTERS} | {forms["name"][id] for id in CHARACTERS}
    many = {forms["many"][id] for id in CHARACTERS}
    one, many = ({each for text in texts for each in (text, text.capitalize())} for texts in (one, many))
    return one - many, many - one


def one_of(texts: set[str]) -> str:
    """A pattern for any of them."""
    return "(?:" + "|".join(sorted(texts, key=len, reverse=True)) + ")"


SINGULAR, PLURAL = ({language: numbers(language)[which] for language in LANGUAGES} for which in (0, 1))


WRONG = {
    "de": {
        "a number with a singular": rf"\b(?:0|[2-9]|\d\d+) {one_of(SINGULAR['de'])}\b(?! \()",
        "1 with a plural": rf"\b1 {one_of(PLURAL['de'])}\b",
        "no number where there is none": r"\b0 (?:Münzen|Kontore|Bürger)",
        "strong after kein": r"\bkeinen? (?:eigene|eigener|Gelehrte|Gelehrter|zweite|offene)\b",
        "a plural after keinen": rf"\bkeinen {one_of({'Mönche', 'Kontore', 'Waren', 'Münzen', 'Personen'})}\b",
        "keine before a masculine": r"\bkeine (?:Bauer|Schiffer|Handwerker|Händler|Ritter|Mönch|Wein|Käse|Brokat)\b",
        "nicht ein for kein": r"\bnicht ein(?:en|e)?\b",
        "not contracted": r"\b(?:von|in|zu|an|bei) dem\b",
        "none twice": r"\bkeine?n?\b[^;(]*\bkeine?\b",
        "nothing of nothing": r"\bkein\w* [^;.]*\b(?:nichts|niemand)\b",
        "weak after a number": r"\b(?:[2-9]|\d\d+) eigenen\b",
        "the nominative after a verb": r"\b(?:Behalte|Lege|Setze|zieht|verliert|behält) (?:ein|der) [BSM]",
        "held by a comma": r", (?:im Badehaus|eben) gezogen",
        "laid for dinner": r"\bgedeckt\b",
    },
    "en": {
        "a number with a singular": rf"\b(?:0|[2-9]|\d\d+) {one_of(SINGULAR['en'])}\b(?! \()",
        "1 with a plural": rf"\b1 {one_of(PLURAL['en'])}\b",
        "a number of one": r"\b1 (?:coins|points|spaces|goods|stations|citizens|followers|players|trading stations)\b",
        "numbers of many": r"\b(?:0|[2-9]|\d\d+) (?:coin|point|space|good|station|citizen|follower|player)\b",
        "no number where there is none": r"\b0 (?:coins|trading|citizens)",
        "a before a vowel": r"\ba (?=[aeio])",
        "an before a consonant": r"\ban (?=[^aeiou ])",
        "none twice": r"\bno\b[^;(]*\b(?:no|nothing|nobody)\b",
        "held by a comma": r", (?:just )?drawn\b",
        "some are that is one": r"\b1 \w+ are\b",
    },
}
"""What nobody says, by language."""

MEANT = {
    "de": {"none twice": r"für keine Kontore und keine Bürger"},
    "en": {"none twice": r"no trading stations and no citizens"},
}
"""What looks wrong and is right."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("of", [said, refused, drawn], ids=lambda of: of.__name__)
def test_no_sentence_has_a_form_that_nobody_says(language: str, of: object) -> None:
    texts = set({"said": said, "refused": refused, "drawn": drawn}[of.__name__](language))  # type: ignore[attr-defined]
    assert len(texts) > 50
    found = [
        (what, text)
        for text in sorted(texts)
        for what, pattern in WRONG[language].items()
        if re.search(pattern, text) and not re.search(MEANT[language].get(what, r"(?!)"), text)
    ]
    assert not found, "\n".join(f"{what}: {text}" for what, text in found[:40])
