"""The texts of every title: complete in every language, and well-formed sentences."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import Struct
from tests.kit.adapters import EACH_TITLE, adapters
from tests.kit.families import rejections_of

from boardkeeper.service.requests.seat_names import normalize_name
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.bot_games import play_bot_game
from boardkeeper.testkit.checks import words_of
from boardkeeper.testkit.full import WordsTests
from boardkeeper.testkit.sentence_checks import NAMES, check_sentence, check_sentences, examples
from boardkeeper.testkit.setups import has_automata
from boardkeeper.titlekit.rules_catalogue import LANGUAGES, kernel_rules
from boardkeeper.titlekit.title import Setup


class TestWords(WordsTests):
    """The words of every title."""

    adapters = adapters()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_sentences_use_the_names_of_components(language: str, adapter: Adapter) -> None:
    names = words_of(adapter.package, language).forms["name"]
    for edition in adapter.title.meta.editions:
        for component in adapter.title.components(Setup(edition.id, edition.players[1])):
            text = component.text[language]
            assert text.strip(), component
            assert names.get(component.id, text) == text, component


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_sentences_name_the_players_of_seats(language: str, adapter: Adapter) -> None:
    """Templates show a field that contains a seat as the player's name, not as a number."""
    for group in ("events", "commands", "rejections"):
        for name, template in words_of(adapter.package, language).templates[group].items():
            for field in template.fields():
                if field.name in adapter.seats and not field.test:
                    assert field.form == "seat", name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_the_name_of_automata_is_a_valid_seat_name(language: str, adapter: Adapter) -> None:
    name = adapter.title.automaton_name(language)
    assert bool(name) == has_automata(adapter.title)
    assert normalize_name(name) == name
    if name:
        check_sentence(name, ends="")


# --- whole games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_the_sentences_of_a_whole_game_are_well_formed(adapter: Adapter) -> None:
    best = adapter.title.meta.bots[0].id
    check_sentences(adapter, (best, "random", best)[: adapter.players[-1]])


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_the_sentences_of_a_solo_game_are_well_formed(adapter: Adapter) -> None:
    if adapter.title.meta.alone:
        check_sentences(adapter, (adapter.title.meta.bots[0].id,))


# --- rejections --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_every_rejection_has_a_template_and_every_template_a_rejection(adapter: Adapter, language: str) -> None:
    rules = {rule.id for rule in adapter.title.rules()}
    templates = set(words_of(adapter.package, language).templates["rejections"])
    found = {(code, rule) for code, rule in rejections_of(adapter.title) if rule not in kernel_rules()}
    assert {code for code, _ in found} <= {template.split()[0] for template in templates}
    cited = {rule for _, rule in found}
    for template in templates:
        code, _, rule = template.partition(" ")
        assert code in {code for code, _ in found}, template
        assert not rule or rule in rules, template
        assert not rule or rule in cited or (code, "") in found, template


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_every_rejection_in_a_game_has_an_explanation(adapter: Adapter) -> None:
    """Try random commands at every decision of a game. Most are rejected, each with a sentence."""
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
