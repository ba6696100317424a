"""Every title's rules as a catalogue: whole sentences, true references, and no citation of a rule that is not there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from boardkeeper.table.rules_catalogue import LANGUAGES
from boardkeeper.table.title import Rule
from boardkeeper.titles.registry import TITLES, load_meta, load_title

RULES = [pytest.param(id, rule, id=rule.id) for id in TITLES for rule in load_title(id).rules()]
KEYS_OF_A_RULE = {"at", "ruling", "when", *LANGUAGES}


@pytest.mark.parametrize(("title", "rule"), RULES)
def test_every_rule_is_one_sentence_in_each_language(title: str, rule: Rule) -> None:
    assert re.fullmatch(rf"{title}(\.[a-z_]+){{2,3}}", rule.id)
    for language in LANGUAGES:
        text = rule.text[language]
        assert text[0].isupper(), text
        assert text.endswith("."), text
        assert not re.search(r"[.!?] ", text.removesuffix(".")), f"one sentence: {text}"
        assert len(text) < 240, text


@pytest.mark.parametrize(("title", "rule"), RULES)
def test_every_rule_says_where_the_rulebooks_have_it(title: str, rule: Rule) -> None:
    meta = load_meta(title)
    assert rule.references, rule.id
    assert set(rule.references) <= {edition.id for edition in meta.editions}
    assert meta.default_edition in rule.references


@pytest.mark.parametrize("title", TITLES)
def test_no_two_rules_say_the_same(title: str) -> None:
    for language in LANGUAGES:
        texts = [rule.text[language] for rule in load_title(title).rules()]
        assert len(set(texts)) == len(texts)


def entries(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The entries of rules below a table of ``rules.toml``."""
    for entry in table.values():
        if isinstance(entry, dict):
            if LANGUAGES[0] in entry:
                yield entry
            else:
                yield from entries(entry)


@pytest.mark.parametrize("title", TITLES)
def test_conditions_of_rules_are_choices_that_exist(title: str) -> None:
    meta = load_meta(title)
    choices = {option.id: {choice.id for choice in option.choices} for option in (*meta.options, *meta.readings)}
    source = files(TITLES[title]).joinpath("rules.toml").read_text("utf-8")
    found = list(entries(tomllib.loads(source)[title]))
    assert len(found) == len(load_title(title).rules())
    assert all(set(entry) <= KEYS_OF_A_RULE for entry in found)
    conditional = [(name, choice) for rule in found for name, choice in rule.get("when", {}).items()]
    assert conditional or not choices
    for name, choice in conditional:
        assert choice in choices[name], f"{name} = {choice}"


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("folder", ["domain", "service", "clients", "docs"])
def test_only_rules_that_exist_are_cited(repository: Path, folder: str, title: str) -> None:
    known = {rule.id for rule in load_title(title).rules()}
    cited = re.compile(rf"\b({title}(?:\.[a-z_]+){{2,3}})\b(\.\*)?")
    for path in sorted((repository / folder).rglob("*")):
        if path.suffix not in (".py", ".md", ".toml") or path.name == "rules.toml":
            continue
        for line in path.read_text("utf-8").splitlines():
            line = re.sub(r"[\w./]*boardkeeper[\w./]*", "", line)
            for id, several in cited.findall(line):
                found = any(rule.startswith(f"{id}.") for rule in known) if several else id in known
                assert found or id.startswith(f"{title}.v1."), f"{path}: {id}"
