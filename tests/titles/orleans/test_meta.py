"""Which editions of Orléans there are; what holds for every title is in ``tests/kit/test_meta.py``."""

from __future__ import annotations

from msgspec.structs import asdict

from boardkeeper.titles.orleans.data import Options, Readings
from boardkeeper.titles.orleans.meta import META


def test_the_editions_are_those_of_the_rulebooks() -> None:
    assert {edition.id: edition.players for edition in META.editions} == {
        "dlp-2014": (2, 4),
        "dlp-8th": (2, 5),
        "capstone-2021": (2, 5),
    }
    assert META.edition(META.default_edition).id == "capstone-2021"


def test_readings_and_options_are_those_of_the_rules_with_their_defaults() -> None:
    assert {reading.id: reading.default for reading in META.readings} == asdict(Readings())
    assert {option.id: option.default for option in META.options} == asdict(Options())
