"""The catalogue of Orléans agrees with its games; ``tests/kit`` tests the form of all catalogues."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.titles.orleans.kit import OrleansGame

from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titlekit.title import Component, Setup, Supply
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans.data import CHARACTERS, GOODS, data_for
from boardkeeper.titles.orleans.title import TITLE

EDITIONS = [edition.id for edition in TITLE.meta.editions]
PRINTINGS = [(edition.id, supply.players) for edition in TITLE.meta.editions for supply in edition.supplies]
LISTED = {
    "dlp-2014": {
        "game_board": 1,
        "deeds_board": 1,
        "player_board": 4,
        "bag": 4,
        "merchant": 4,
        "station": 40,
        "marker": 28,
        "character": 104,
        "good": 90,
        "technology": 16,
        "citizen": 14,
        "coins": 47,
        "place_tile": 20,
        "hour_glass_tile": 18,
        "overview": 2,
        "start_player": 1,
        "manual": 1,
    }
}
"""The contents of the boxes by their lists of components."""
LISTED["dlp-8th"] = LISTED["dlp-2014"] | {
    "player_board": 5,
    "bag": 5,
    "merchant": 5,
    "station": 50,
    "marker": 35,
    "character": 125,
    "technology": 20,
}
LISTED["capstone-2021"] = LISTED["dlp-8th"] | {"coins": 86}


def catalogue(edition: str) -> dict[str, Component]:
    """Return the components of an edition by id."""
    return {component.id: component for component in TITLE.components(Setup(edition, 2))}


# --- the box -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_box_agrees_with_the_list_of_components(edition: str) -> None:
    counted: Counter[str] = Counter()
    for component in catalogue(edition).values():
        if component.kind == "character" or component.id.startswith("own_"):
            counted["character"] += component.in_box
        elif component.kind == "piece":
            counted[component.id.partition(".")[0]] += component.in_box
        else:
            counted[component.kind] += component.in_box
    assert {kind: count for kind, count in counted.items() if count} == LISTED[edition]


# --- supplies ------------------------------------------------------------------------------------------------------


def supply_of(edition: str, players: int) -> Supply:
    """Return the catalogue's supply for a number of players."""
    (found,) = (supply for supply in TITLE.meta.edition(edition).supplies if supply.players == players)
    return found


@pytest.mark.parametrize(("edition", "players"), PRINTINGS)
def test_supplies_are_those_of_a_new_table(edition: str, players: int) -> None:
    supply, game = supply_of(edition, players), OrleansGame(players, edition)
    t = game.t
    assert {character: supply.common[character] for character in CHARACTERS} == game.counts("supply")
    assert supply.common["technology"] == t.technology.total()
    assert supply.common["goods_on_map"] == sum(way.total() for way in t.ways.values())
    assert supply.common["goods_on_market"] == t.goods_market.total()
    assert supply.common["place_tile"] == sum(pile.total() for pile in t.place_tiles.values())
    piles = [*t.hour_glass.values(), *(zone for id, zone in t.table.zones.items() if id.startswith("hour_glass.c"))]
    assert supply.common["hour_glass_tile"] == sum(sum(pile.counts().values()) for pile in piles)
    assert supply.common["citizen"] == game.components["citizen"]
    board = game.play.board(OPERATOR)
    for seat in board.seats:
        followers = {id: count for id, count in supply.each_seat.items() if id.startswith("own_")}
        assert followers == seat.market
        assert (supply.each_seat["coins"], supply.each_seat["station"]) == (seat.coins, seat.stations_in_supply)
    box = Counter[str]()
    for component, count in game.counts("box").items():
        box["good" if component in GOODS else component.partition(".")[0]] += count
    assert {id: supply.unused.get(id, 0) for id in box} == box
    assert set(supply.unused) - set(box) <= {"merchant", "marker", "player_board", "bag"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_seats_have_the_colors_that_boards_show(edition: str) -> None:
    colors = TITLE.meta.edition(edition).seat_colors
    most = TITLE.meta.edition(edition).players[1]
    board = OrleansGame(most, edition).play.board(OPERATOR)
    assert [(color.seat, color.id) for color in colors] == [(seat.seat, seat.color) for seat in board.seats]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_market_has_its_size(edition: str) -> None:
    market = catalogue(edition)["market"]
    assert market.values["spaces"] == data_for(Setup(edition, 2)).market_size == 8
    assert market.provenance == "public(JER, STI, NEO)"


# --- typed facts ---------------------------------------------------------------------------------------------------


def test_each_space_of_the_traders_track_has_its_categories() -> None:
    traders = catalogue("capstone-2021")["traders"]
    assert traders.values["place_tiles"] == [["1"], ["1", "2"], ["1", "2"], ["1", "2"], ["1", "2"]]
    assert traders.facts["place_tiles"] == "1; 1, 2; 1, 2; 1, 2; 1, 2"


def test_facts_are_typed() -> None:
    found = catalogue("capstone-2021")
    assert found["farmers"].values["goods"] == list(data_for(Setup("capstone-2021", 2)).farmers_goods)
    assert found["development"].values["coins"] == {"7": 3, "12": 4, "25": 5}
    assert found["craftsmen"].values["farmer_only"] == [True, False, False, False, False]
    assert found["town_hall"].values["neutral_only"] is True
    assert found["astronomy"].values["spaces"] == {"scholar": 2, "trader": 1}
    assert found["harvest.B"].values == {"pile": "B", "strength": 2, "negative": True, "coins_per_missing": 5}


def test_the_icon_of_a_craftsmen_space_binds_technology_to_a_farmer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules read the place of the icon from the data: here it is beside the second space."""
    game = OrleansGame(2, "dlp-8th").fill(1, "village")
    monkeypatch.setattr(game.t.data, "craftsmen_farmer_only", (False, True, False, False, False))
    for bound in (0, 1):
        game.fill(1, "village") if bound else game
        game.enter("actions")
        game.do(1, c.RecruitFollower("village", "craftsman"))
        assert game.t.seats[0].farmer_only.value == bound
