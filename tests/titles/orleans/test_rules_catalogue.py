"""The references of rules to the rulebooks of Orléans. Tests for all titles are in ``tests/kit/test_rules.py``."""

from __future__ import annotations

import re

from boardkeeper.titlekit.rules_catalogue import RULING
from boardkeeper.titles.orleans.meta import META, rules

PAGE = re.compile(r"\bpp?\. \d")


def test_every_rule_has_a_reference_to_the_default_edition() -> None:
    assert all(META.default_edition in rule.references for rule in rules().values())


def test_references_to_the_eighth_edition_name_a_page() -> None:
    for rule in rules().values():
        if "dlp-8th" in rule.references:
            assert PAGE.search(rule.references["dlp-8th"]), rule


def test_references_to_our_rulings_are_marked() -> None:
    assert rules()["orleans.torture.debt_lapses"].references["capstone-2021"].endswith(RULING)
    assert not rules()["orleans.census.leader"].references["capstone-2021"].endswith(RULING)
