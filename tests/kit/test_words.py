"""Everything that a title says: complete, in every language, and without a hole in it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import Struct
from tests.kit.adapters import adapters
from tests.kit.families import refusals_of

from boardkeeper.service.requests.seat_names import normalize_name
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.bot_games import play_bot_game
from boardkeeper.testkit.checks import words_of
from boardkeeper.testkit.full import WordsTests
from boardkeeper.testkit.sentence_checks import NAMES, check_sentence, check_sentences, examples
from boardkeeper.testkit.setups import has_automata
from boardkeeper.titlekit.rules_catalogue import LANGUAGES, kernel_rules
from boardkeeper.titlekit.title import Setup

TITLES = [pytest.param(it, id=it.id) for it in adapters()]


class TestWords(WordsTests):
    """The words of every title."""

    adapters = adapters()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("adapter", TITLES)
def test_components_are_named_and_sentences_call_them_so(language: str, adapter: Adapter) -> None:
    names = words_of(adapter.package, language).forms["name"]
    for edition in adapter.title.meta.editions:
        for component in adapter.title.components(Setup(edition.id, edition.players[1])):
            text = component.text[language]
            assert text.strip(), component
            assert names.get(component.id, text) == text, component


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("adapter", TITLES)
def test_no_sentence_knows_a_seat_by_its_number_alone(language: str, adapter: Adapter) -> None:
    """A field that holds a seat is said by name, so no template has the word for a seat beside a field."""
    for group in ("events", "commands", "rejections"):
        for name, template in words_of(adapter.package, language).templates[group].items():
            for field in template.fields():
                if field.name in adapter.seats and not field.test:
                    assert field.form == "seat", name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("adapter", TITLES)
def test_what_a_seat_of_the_rules_is_called_could_be_a_name(language: str, adapter: Adapter) -> None:
    word = adapter.title.automaton_name(language)
    assert bool(word) == has_automata(adapter.title)
    assert normalize_name(word) == word
    if word:
        check_sentence(word, ends="")


# --- whole games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("adapter", TITLES)
def test_a_whole_game_reads_well(adapter: Adapter) -> None:
    best = adapter.title.meta.bots[0].id
    check_sentences(adapter, (best, "random", best)[: adapter.players[-1]])


@pytest.mark.parametrize("adapter", TITLES)
def test_a_game_alone_against_the_rules_reads_well(adapter: Adapter) -> None:
    if adapter.title.meta.alone:
        check_sentences(adapter, (adapter.title.meta.bots[0].id,))


# --- rejections --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("adapter", TITLES)
def test_every_rejection_code_has_its_words_and_no_words_are_orphans(adapter: Adapter, language: str) -> None:
    rules = {rule.id for rule in adapter.title.rules()}
    templates = set(words_of(adapter.package, language).templates["rejections"])
    found = {(code, rule) for code, rule in refusals_of(adapter.title) if rule not in kernel_rules()}
    assert {code for code, _ in found} <= {template.split()[0] for template in templates}
    cited = {rule for _, rule in found}
    for template in templates:
        code, _, rule = template.partition(" ")
        assert code in {code for code, _ in found}, template
        assert not rule or rule in rules, template
        assert not rule or rule in cited or (code, "") in found, template


@pytest.mark.parametrize("adapter", TITLES)
def test_every_refusal_in_a_game_is_explained(adapter: Adapter) -> None:
    """Commands that chance makes up, at every decision of a game; most are refused, and each refusal is a sentence."""
    title, chance = adapter.title, random.Random(7)
    rules = {rule.id: rule for rule in title.rules()}
    pool = [example for struct in title.commands.values() for example in examples(adapter, struct)]
    explained: set[str] = set()

    def watch(play: Any, seat: int, legal: Sequence[Struct]) -> None:
        mine = [command for command in pool if type(command) in {type(one) for one in legal}]
        for command in (*chance.sample(mine, min(6, len(mine))), chance.choice(pool)):
            rejection = play.decide(seat, command)
            play.recorder.rollback()
            if rejection and rejection.rule not in kernel_rules():
                explained.add(f"{rejection.code} {rejection.rule}")
                for language in LANGUAGES:
                    text = title.explain(language, NAMES, rejection)
                    rule = rules[rejection.rule].text[language]
                    assert text.endswith(rule), text
                    assert len(text) > len(rule), f"{rejection} has no words"
                    check_sentence(text, ends=".")

    best = title.meta.bots[0].id
    play_bot_game(title, (best, "random", best)[: adapter.players[-1]], "refusals", watch)
    assert len(explained) > 18, sorted(explained)
