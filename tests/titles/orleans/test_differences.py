"""The differences between printings in the catalogue."""

from __future__ import annotations

from boardkeeper.titlekit.title import Difference
from boardkeeper.titles.orleans.title import TITLE

DIFFERENCES: dict[str, Difference] = {difference.id: difference for difference in TITLE.differences()}


def test_players_readings_boxes_and_names_differ_as_in_the_rulebooks() -> None:
    assert DIFFERENCES["players"].values == {"dlp-2014": "2-4", "dlp-8th": "2-5", "capstone-2021": "2-5"}
    assert DIFFERENCES["reading.first_technology"].values["capstone-2021"] == "first_placed"
    assert DIFFERENCES["reading.taking_back_time"].values == {
        "dlp-2014": "before_drawing",
        "dlp-8th": "before_or_after",
        "capstone-2021": "before_or_after",
    }
    assert "reading.draw_amount" not in DIFFERENCES
    assert DIFFERENCES["component.technology"].values == {"dlp-2014": "16", "dlp-8th": "20", "capstone-2021": "20"}
    assert DIFFERENCES["table.coins.in_box"].values == {"dlp-2014": "47", "dlp-8th": "47", "capstone-2021": "86"}
    assert DIFFERENCES["table.places.guildhall.also_called"].values == {
        "dlp-2014": "Gildenhäuser",
        "dlp-8th": "",
        "capstone-2021": "",
    }
    assert DIFFERENCES["table.places.town_hall.also_called"].values["dlp-8th"] == "City Hall"


def test_differences_cite_the_rules_that_they_affect() -> None:
    spelling = DIFFERENCES["table.places.guildhall.also_called"]
    assert "orleans.guildhall.one_per_town" in spelling.rules
    assert spelling.references["dlp-2014"] == "Gildenhäuser"
    assert "orleans.running_out.coins" in DIFFERENCES["table.coins.in_box"].rules


def test_differences_of_components_cite_the_rules_with_their_numbers() -> None:
    """The rulebook of the first printings has no list of components, so it does not count technology tiles."""
    assert DIFFERENCES["component.technology"].rules == ("orleans.setup.technology",)
    assert set(DIFFERENCES["component.technology"].references) == {"dlp-8th", "capstone-2021"}
    assert DIFFERENCES["component.monk"].references["dlp-2014"] == "Vorbereitung, 6"
    assert DIFFERENCES["component.own_trader"].rules == ("orleans.setup.seats", "orleans.setup.own_followers")
    assert DIFFERENCES["component.station.5"].rules == ("orleans.setup.seats", "orleans.setup.stations")


def test_every_component_of_the_fifth_seat_is_a_difference() -> None:
    """The fifth seat adds a board, a bag, a merchant, markers, followers and trading stations."""
    for piece, each in (("player_board", 1), ("bag", 1), ("merchant", 1), ("marker", 7), ("own_farmer", 1)):
        counts = {"dlp-2014": str(4 * each), "dlp-8th": str(5 * each), "capstone-2021": str(5 * each)}
        assert DIFFERENCES[f"component.{piece}"].values == counts
    assert "orleans.setup.merchants" in DIFFERENCES["component.merchant"].rules
    assert not {"component.game_board", "component.coins", "component.grain"} & set(DIFFERENCES)


def test_rules_for_five_players_do_not_cite_the_first_printings() -> None:
    rules = {rule.id: rule for rule in TITLE.rules()}
    assert "dlp-2014" not in rules["orleans.setup.neutral_followers_five"].references
    assert rules["orleans.setup.neutral_followers_four"].references["dlp-2014"] == "Vorbereitung, 6"
