"""The rules as a catalogue: complete sentences, true references, and no citation of a rule that is not there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from boardkeeper.table.rules_catalogue import LANGUAGES
from boardkeeper.table.title import Rule
from boardkeeper.titles.paladins.meta import META
from boardkeeper.titles.paladins.sentences import rules

SOURCES = "domain/boardkeeper/titles/paladins"
CITATION = re.compile(r"\bpaladins(?:\.(?:[a-z_]+|\{id\}))+(?:\.\*)?(?:(?: \([^)]*\))?, \.[a-z_]+)*")
"""An id, a group of them (``paladins.pray.*``), or several of one group (``paladins.pray.cost, .clears_one_area``)."""
MODULE = re.compile(r"(from|import|boardkeeper\.titles)[ .]")
FILLED_IN = ("commission", "garrison")
"""What the rules fill in where an id is made for two actions at once."""


def cited(text: str) -> Iterator[str]:
    """Every rule and group that a text names, one by one."""
    for citation in CITATION.findall(text):
        first, *others = re.sub(r" \([^)]*\)", "", citation).split(", ")
        for id in (first, *(first.rpartition(".")[0] + other for other in others)):
            yield from (id.replace("{id}", action) for action in FILLED_IN) if "{id}" in id else (id,)


def citations(repository: Path) -> dict[str, str]:
    """Every id and group that the sources of the title name, with a file that does."""
    found: dict[str, str] = {}
    for path in sorted((repository / SOURCES).rglob("*")):
        if path.suffix == ".py" or path.name == "choices.toml":
            lines = (line for line in path.read_text("utf-8").splitlines() if not MODULE.search(line))
            text = re.sub(r"[^\s\"(`]*\.titles\.paladins[\w.]*", "", "\n".join(lines))
            found |= {id: path.name for id in cited(text) if id.count(".") > 1 or id.endswith("*")}
    return found


def test_only_rules_that_exist_are_cited(repository: Path) -> None:
    ids = set(rules())
    groups = {id[: at + 1] for id in ids for at in (match.start() for match in re.finditer(r"\.", id))}
    found = citations(repository)
    assert len(found) > 100
    for id, file in found.items():
        assert id in ids or (id.endswith("*") and id.removesuffix("*") in groups), f"{file}: {id}"


def test_citations_are_read_as_they_are_meant() -> None:
    text = "Source: paladins.pray.cost, .clears_one_area. See paladins.{id}.flag, paladins.opponent.gains.* and more."
    assert list(cited(text)) == [
        "paladins.pray.cost",
        "paladins.pray.clears_one_area",
        "paladins.commission.flag",
        "paladins.garrison.flag",
        "paladins.opponent.gains.*",
    ]


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.id)
def test_every_rule_is_one_sentence_in_each_language(rule: Rule) -> None:
    assert re.fullmatch(r"paladins(\.[a-z_]+){2,3}", rule.id)
    for language in LANGUAGES:
        text = rule.text[language]
        assert text[0].isupper(), text
        assert text.endswith("."), text
        assert not re.search(r"[.!?] ", text.removesuffix(".")), f"one sentence: {text}"
        assert len(text) < 240, text


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.id)
def test_every_rule_says_where_the_rulebook_has_it(rule: Rule) -> None:
    assert set(rule.references) == {edition.id for edition in META.editions}


def test_no_two_rules_say_the_same() -> None:
    for language in LANGUAGES:
        texts = [rule.text[language] for rule in rules().values()]
        assert len(set(texts)) == len(texts)


def test_every_choice_names_a_rule_and_conditions_of_rules_are_choices() -> None:
    choices = {option.id: {choice.id for choice in option.choices} for option in (*META.options, *META.readings)}
    for option in (*META.options, *META.readings):
        assert option.rule in rules(), option.id
    source = files("boardkeeper.titles.paladins").joinpath("rules.toml").read_text("utf-8")
    conditions = [match[1] for match in re.finditer(r"^when = (\{.*\})$", source, re.MULTILINE)]
    assert conditions
    for condition in conditions:
        for name, choice in tomllib.loads(f"when = {condition}")["when"].items():
            assert choice in choices[name], f"{name} = {choice}"
