"""What the catalogue says about the differences between printings."""

from __future__ import annotations

from boardkeeper.table.title import Difference
from boardkeeper.titles.orleans.title import TITLE

DIFFERENCES: dict[str, Difference] = {difference.id: difference for difference in TITLE.differences()}


def test_players_readings_boxes_and_names_differ_as_the_rulebooks_say() -> None:
    assert DIFFERENCES["players"].values == {"dlp-2014": "2-4", "dlp-8th": "2-5", "capstone-2021": "2-5"}
    assert DIFFERENCES["reading.first_technology"].values["capstone-2021"] == "first_placed"
    assert DIFFERENCES["reading.draw_amount"].values["dlp-2014"] == "fixed"
    assert DIFFERENCES["component.technology"].values == {"dlp-2014": "16", "dlp-8th": "20", "capstone-2021": "20"}
    assert DIFFERENCES["table.coins.in_box"].values == {"dlp-2014": "47", "dlp-8th": "47", "capstone-2021": "86"}
    assert DIFFERENCES["table.places.guildhall.de"].values["dlp-2014"] == "Gildenhäuser"


def test_every_difference_is_one_and_knows_all_editions() -> None:
    editions = {edition.id for edition in TITLE.meta.editions}
    for difference in DIFFERENCES.values():
        assert set(difference.values) == editions
        assert len(set(difference.values.values())) > 1
        assert set(difference.references) <= editions


def test_readings_cite_their_rule_with_each_rulebooks_place() -> None:
    known = {rule.id for rule in TITLE.rules()}
    for id, difference in DIFFERENCES.items():
        assert set(difference.rules) <= known
        if id.startswith("reading."):
            assert set(difference.references) == {edition.id for edition in TITLE.meta.editions}
