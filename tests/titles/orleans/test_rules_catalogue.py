"""The rules as a catalogue: complete sentences, true references, and no citation of a rule that is not there."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from boardkeeper.table.rules_catalogue import LANGUAGES, RULING
from boardkeeper.table.title import Rule
from boardkeeper.titles.orleans.meta import META
from boardkeeper.titles.orleans.sentences import rules

EDITIONS = {edition.id for edition in META.editions}
CITED = re.compile(r"\b(orleans(?:\.[a-z_]+){2})\b")
PAGE = re.compile(r"\bpp?\. \d")


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.id)
def test_every_rule_is_one_sentence_in_each_language(rule: Rule) -> None:
    assert re.fullmatch(r"orleans\.[a-z_]+\.[a-z_]+", rule.id)
    for language in LANGUAGES:
        text = rule.text[language]
        assert text[0].isupper(), text
        assert text.endswith("."), text
        assert not re.search(r"[.!?] ", text.removesuffix(".")), f"one sentence: {text}"
        assert len(text) < 240, text


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.id)
def test_every_rule_says_where_the_rulebooks_have_it(rule: Rule) -> None:
    assert rule.references, rule.id
    assert set(rule.references) <= EDITIONS
    assert META.default_edition in rule.references


def test_references_to_the_eighth_edition_name_a_page() -> None:
    for rule in rules().values():
        if "dlp-8th" in rule.references:
            assert PAGE.search(rule.references["dlp-8th"]), rule


def test_no_two_rules_say_the_same() -> None:
    for language in LANGUAGES:
        texts = [rule.text[language] for rule in rules().values()]
        assert len(set(texts)) == len(texts)


def test_rulings_are_marked_as_such() -> None:
    assert rules()["orleans.torture.debt_lapses"].references["capstone-2021"].endswith(RULING)
    assert not rules()["orleans.census.leader"].references["capstone-2021"].endswith(RULING)


def test_conditions_of_rules_are_choices_that_exist() -> None:
    choices = {option.id: {choice.id for choice in option.choices} for option in (*META.options, *META.readings)}
    source = files("boardkeeper.titles.orleans").joinpath("rules.toml").read_text("utf-8")
    conditional = [
        (name, choice)
        for topic in tomllib.loads(source)["orleans"].values()
        for rule in topic.values()
        for name, choice in rule.get("when", {}).items()
    ]
    assert conditional
    for name, choice in conditional:
        assert choice in choices[name], f"{name} = {choice}"


@pytest.mark.parametrize("folder", ["domain", "service", "clients", "docs"])
def test_only_rules_that_exist_are_cited(repository: Path, folder: str) -> None:
    known = set(rules())
    for path in sorted((repository / folder).rglob("*")):
        if path.suffix not in (".py", ".md", ".toml") or path.name == "rules.toml":
            continue
        for line in path.read_text("utf-8").splitlines():
            line = re.sub(r"[\w./]*boardkeeper[\w./]*", "", line)
            for id in CITED.findall(line):
                assert id in known or id.startswith("orleans.v1."), f"{path}: {id}"
