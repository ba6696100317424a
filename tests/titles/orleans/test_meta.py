"""The editions of Orléans. Tests for all titles are in ``tests/kit/test_meta.py``."""

from __future__ import annotations

from boardkeeper.titles.orleans.meta import META


def test_the_editions_are_those_of_the_rulebooks() -> None:
    assert {edition.id: edition.players for edition in META.editions} == {
        "dlp-2014": (2, 4),
        "dlp-8th": (2, 5),
        "capstone-2021": (2, 5),
    }
    assert META.edition(META.default_edition).id == "capstone-2021"
