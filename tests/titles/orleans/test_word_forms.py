"""Grammar of sentences: number and declension with none, one and two of each component."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from boardkeeper.titles.orleans.meta import explain, rules, sentence, words

TWO_OF_ALL = tuple(str(follower) for follower in ADAPTER.values["follower"] for _ in range(2))
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
"""Combinations of values that :func:`boardkeeper.testkit.sentence_checks.examples` does not have."""

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


def sentences(language: str) -> Iterator[str]:
    """Yield the sentences of all commands and events."""
    for struct in structs(ADAPTER):
        for example in examples(ADAPTER, struct):
            yield sentence(language, NAMES, 1, example)
    for example in FORMS:
        yield sentence(language, NAMES, 1, example)


def explanations(language: str) -> Iterator[str]:
    """Yield the explanations of all published rejections, without the rule, with each value of each field."""
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


def terminal_texts(language: str) -> Iterator[str]:
    """Yield the captions and the values of the terminal client."""
    yield from captions(language).values()
    phrases = phrases_of("orleans", language)
    yield from phrases.words.values()
    for number in (1, 2):
        for key, text in phrases.facts.items():
            value = number if text.count("{}") < 2 else [[number, number]]
            yield phrases.describe_value(key.partition(".")[0], value, str)


def numbers(language: str) -> tuple[set[str], set[str]]:
    """Return the forms of characters that are only singular, and those that are only plural."""
    forms = words(language).forms
    one = {re.sub(r"^\w+ ", "", forms["a"][id]) for id in CHARACTERS} | {forms["name"][id] for id in CHARACTERS}
    many = {forms["many"][id] for id in CHARACTERS}
    one, many = ({each for text in texts for each in (text, text.capitalize())} for texts in (one, many))
    return one - many, many - one


def one_of(texts: set[str]) -> str:
    """Return a pattern that matches any of these texts."""
    return "(?:" + "|".join(sorted(texts, key=len, reverse=True)) + ")"


SINGULAR, PLURAL = ({language: numbers(language)[which] for language in LANGUAGES} for which in (0, 1))


WRONG = {
    "de": {
        "a number with a singular": rf"\b(?:0|[2-9]|\d\d+) {one_of(SINGULAR['de'])}\b(?! \()",
        "1 with a plural": rf"\b1 {one_of(PLURAL['de'])}\b",
        "0 for keine": r"\b0 (?:Münzen|Kontore|Bürger)",
        "a strong adjective after kein": r"\bkeinen? (?:eigene|eigener|Gelehrte|Gelehrter|zweite|offene)\b",
        "a plural after keinen": rf"\bkeinen {one_of({'Mönche', 'Kontore', 'Waren', 'Münzen', 'Personen'})}\b",
        "keine before a masculine": r"\bkeine (?:Bauer|Schiffer|Handwerker|Händler|Ritter|Mönch|Wein|Käse|Brokat)\b",
        "nicht ein for kein": r"\bnicht ein(?:en|e)?\b",
        "not contracted": r"\b(?:von|in|zu|an|bei) dem\b",
        "double negation": r"\bkeine?n?\b[^;(]*\bkeine?\b",
        "nichts after kein": r"\bkein\w* [^;.]*\b(?:nichts|niemand)\b",
        "weak after a number": r"\b(?:[2-9]|\d\d+) eigenen\b",
        "the nominative after a verb": r"\b(?:Behalte|Lege|Setze|zieht|verliert|behält) (?:ein|der) [BSM]",
        "a participle after a comma": r", (?:im Badehaus|eben) gezogen",
        "gedeckt for aufgebaut": r"\bgedeckt\b",
    },
    "en": {
        "a number with a singular": rf"\b(?:0|[2-9]|\d\d+) {one_of(SINGULAR['en'])}\b(?! \()",
        "1 with a plural": rf"\b1 {one_of(PLURAL['en'])}\b",
        "1 with coins": r"\b1 (?:coins|points|spaces|goods|stations|citizens|followers|players|trading stations)\b",
        "2 with coin": r"\b(?:0|[2-9]|\d\d+) (?:coin|point|space|good|station|citizen|follower|player)\b",
        "0 for no": r"\b0 (?:coins|trading|citizens)",
        "a before a vowel": r"\ba (?=[aeio])",
        "an before a consonant": r"\ban (?=[^aeiou ])",
        "double negation": r"\bno\b[^;(]*\b(?:no|nothing|nobody)\b",
        "a participle after a comma": r", (?:just )?drawn\b",
        "1 with are": r"\b1 \w+ are\b",
    },
}
"""Patterns of wrong grammar, by language."""

EXCEPTIONS = {
    "de": {"double negation": r"für keine Kontore und keine Bürger"},
    "en": {"double negation": r"no trading stations and no citizens"},
}
"""Correct texts that match a pattern."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", [sentences, explanations, terminal_texts])
def test_no_text_has_wrong_grammar(language: str, source: Callable[[str], Iterator[str]]) -> None:
    texts = set(source(language))
    assert len(texts) > 50
    found = [
        (fault, text)
        for text in sorted(texts)
        for fault, pattern in WRONG[language].items()
        if re.search(pattern, text) and not re.search(EXCEPTIONS[language].get(fault, r"(?!)"), text)
    ]
    assert not found, "\n".join(f"{fault}: {text}" for fault, text in found[:40])
