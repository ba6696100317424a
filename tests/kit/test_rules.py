"""The rules catalogue of every title: one sentence for each rule, valid references, and valid citations."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titles.registry import TITLES, load_meta, load_title

KEYS_OF_A_RULE = {"at", "ruling", "when", *LANGUAGES}


@pytest.mark.parametrize("title", TITLES)
def test_every_rule_is_one_sentence_in_each_language(title: str) -> None:
    for rule in load_title(title).rules():
        assert re.fullmatch(rf"{title}(\.[a-z_]+){{2,3}}", rule.id), rule.id
        for language in LANGUAGES:
            text = rule.text[language]
            assert text[0].isupper(), text
            assert text.endswith("."), text
            assert not re.search(r"(?<! vs)[.!?] ", text.removesuffix(".")), f"one sentence: {text}"
            assert len(text) < 240, text


@pytest.mark.parametrize("title", TITLES)
def test_every_rule_cites_the_rulebooks_of_its_editions(title: str) -> None:
    editions = {edition.id for edition in load_meta(title).editions}
    for rule in load_title(title).rules():
        assert rule.references, rule.id
        assert set(rule.references) <= editions, rule.id


@pytest.mark.parametrize("title", TITLES)
def test_no_two_rules_say_the_same(title: str) -> None:
    for language in LANGUAGES:
        texts = [rule.text[language] for rule in load_title(title).rules()]
        assert len(set(texts)) == len(texts)


def entries(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rules in a table of ``rules.toml``."""
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


def citations(title: str, text: str) -> Iterator[str]:
    """Yield every rule and group of rules (``title.pray.*``) of a title that a text names.

    Several rules of one group have a short form (``title.pray.cost, .clears_one_area``). Code can compute a part of an
    id (``title.{action}.cost``).
    """
    part = r"(?:[a-z_]+|\{\w+\})"
    id = rf"{title}(?:\.{part})+\.\*|{title}(?:\.{part}){{2,3}}"
    for citation in re.finditer(rf"\b(?:{id})(?:(?: \([^)]*\))?, \.[a-z_]+)*", text):
        first, *others = re.sub(r" \([^)]*\)", "", citation[0]).split(", ")
        yield from (first, *(first.rpartition(".")[0] + other for other in others))


def exists(citation: str, rules: set[str]) -> bool:
    """Return whether a rule matches the citation."""
    pattern = re.sub(r"\\\{\w+\\\}", "[a-z_]+", re.escape(citation)).replace(r"\.\*", r"\..+")
    return any(re.fullmatch(pattern, rule) for rule in rules)


def test_citations_are_parsed() -> None:
    text = "Source: chess.king.moves, .castles (reading ``rook``), .check. chess.{piece}.takes and chess.pawn.*."
    expected = ["chess.king.moves", "chess.king.castles", "chess.king.check", "chess.{piece}.takes", "chess.pawn.*"]
    assert list(citations("chess", text)) == expected
    assert exists("chess.{piece}.takes", {"chess.pawn.takes"})
    assert exists("chess.pawn.*", {"chess.pawn.takes"})
    assert not exists("chess.pawn.*", {"chess.king.moves"})
    assert not exists("chess.king.castles", {"chess.king.moves"})


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("folder", ["domain", "service", "clients", "docs"])
def test_only_existing_rules_are_cited(repository: Path, folder: str, title: str) -> None:
    known = {rule.id for rule in load_title(title).rules()}
    for path in sorted((repository / folder).rglob("*")):
        if path.suffix in (".py", ".md", ".toml") and path.name != "rules.toml":
            text = re.sub(r"[\w./]*boardkeeper[\w./]*", "", path.read_text("utf-8"))
            for citation in citations(title, text):
                assert exists(citation, known) or citation.startswith(f"{title}.v1."), f"{path}: {citation}"
