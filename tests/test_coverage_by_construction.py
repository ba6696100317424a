"""Every rule and every rejection code has a test.

The test of a rule ``title.topic.rule`` is named ``test_title_topic_rule…``. Rejection codes are read from the source of
the rules. A test must expect each of them: codes of a title in its own tests, codes of a family in its own tests or in
the tests of each of its titles. ``tests/golden/test_golden.py`` and the adapters of titles define what golden games
cover.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.kit.coverage import DOMAIN, TESTS
from tests.kit.families import members, names_of_rule_tests, package_of

from boardkeeper.testkit.coverage import find_untested, rejection_codes, strings
from boardkeeper.titlekit.rules_catalogue import kernel_rules
from boardkeeper.titles.registry import TITLES, load_title

RULES_WITHOUT_TEST: dict[str, str] = {}
"""Rules that need no test, with the reason."""

CODES_WITHOUT_TEST: dict[str, str] = {}
"""Rejection codes that no test can expect, with the reason."""

HERE = Path(__file__)


def test_every_rule_has_a_test_named_after_it() -> None:
    rules = [rule.id for title in TITLES for rule in load_title(title).rules()]
    missing = find_untested([*rules, *kernel_rules()], names_of_rule_tests(TESTS))
    assert missing == set(RULES_WITHOUT_TEST), "a rule has no test, or an exception is no longer needed"


def test_every_rejection_code_is_expected_by_a_test() -> None:
    kernel = rejection_codes(DOMAIN, DOMAIN / "titles", DOMAIN / "families")
    assert kernel
    unexpected = kernel - strings(TESTS, HERE)
    for title in TITLES:
        codes = rejection_codes(package_of(title))
        assert len(codes) > 20
        unexpected |= codes - strings(TESTS / "titles" / title)
    assert unexpected == set(CODES_WITHOUT_TEST), "a code is never expected, or an exception is no longer needed"


FAMILIES = sorted(path.parent.name for path in (DOMAIN / "families").glob("*/__init__.py"))


@pytest.mark.parametrize("family", FAMILIES)
def test_every_rejection_code_of_a_family_is_expected_by_a_test(family: str) -> None:
    codes = rejection_codes(DOMAIN / "families" / family)
    assert len(codes) > 20
    titles = members(family)
    assert titles
    expected = strings(TESTS / "families" / family)
    expected |= set.intersection(*(strings(TESTS / "titles" / title) for title in titles))
    assert codes - expected == set()
