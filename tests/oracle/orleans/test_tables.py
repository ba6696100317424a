"""The tables of the oracle and of the title agree with published facts about Orléans.

Three independent programs and the rulebooks agree on these numbers. The tests find typing errors in the tables.
"""

from __future__ import annotations

from collections import Counter

import pytest
from tests.oracle.orleans import tables
from tests.oracle.orleans.development import status_at
from tests.oracle.orleans.differ import new_play, setup_of

from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titles.orleans.board import Board


def _board(players: int, edition: str = "capstone-2021") -> Board:
    return new_play(setup_of(edition, players), "tables").board(OPERATOR)


# --- totals of the oracle's tables ---


@pytest.mark.parametrize(("players", "spaces"), [(2, 43), (3, 48), (4, 52), (5, 52)])
def test_the_map_has_43_connections_and_the_published_number_of_goods(players: int, spaces: int) -> None:
    assert len(tables.WAYS) == 43
    assert sum(way[3][players - 2] for way in tables.WAYS) == spaces == tables.GOODS_ON_MAP[players]
    board = _board(players)
    assert len(board.ways) == 43
    assert sum(sum(way.goods.values()) for way in board.ways) == spaces


def test_the_map_has_23_towns_29_roads_and_14_waterways_without_doubles() -> None:
    ends = [(frozenset(way[:2]), way[2]) for way in tables.WAYS]
    assert len(set(ends)) == len(ends)
    assert Counter(kind for _, kind in ends) == {"road": 29, "water": 14}
    assert len({town for way in tables.WAYS for town in way[:2]}) == 23
    assert Counter(way[3] for way in tables.WAYS) == {(1, 1, 1, 1): 34, (1, 2, 2, 2): 5, (1, 1, 2, 2): 4}
    on_water = {town for way in tables.WAYS if way[2] == "water" for town in way[:2]}
    assert len(on_water) == 15


def test_roads_alone_reach_every_town() -> None:
    roads = [set(way[:2]) for way in tables.WAYS if way[2] == "road"]
    reached = {tables.HOME}
    while more := {town for road in roads if road & reached for town in road} - reached:
        reached |= more
    assert len(reached) == 23


@pytest.mark.parametrize(("players", "removed"), [(2, 12), (3, 6), (4, 0)])
def test_the_published_number_of_90_goods_is_removed(players: int, removed: int) -> None:
    assert tables.GOODS_IN_BOX == {"grain": 24, "cheese": 21, "wine": 18, "wool": 15, "brocade": 12}
    assert sum(tables.GOODS_IN_BOX.values()) == 90 == tables.GOODS_TILES[players] + removed
    assert tables.GOODS_LEFT[players] == tables.GOODS_TILES[players] - tables.GOODS_ON_MAP[players]
    board = _board(players)
    assert sum(board.goods_market.values()) == tables.GOODS_LEFT[players]
    assert sum(board.box.get(good, 0) for good in tables.GOODS) == removed


def test_the_box_contains_125_followers_or_104_in_the_first_printings() -> None:
    for edition, colours, total in (("capstone-2021", 5, 125), ("dlp-8th", 5, 125), ("dlp-2014", 4, 104)):
        assert sum(tables.BOX_CHARACTERS[edition].values()) + 4 * colours == total


def test_the_two_lists_of_followers_in_the_rulebook_agree() -> None:
    """The German rulebooks list the removed followers, the table on the last page those that are left."""
    for players, four, three in ((4, 2, 3), (3, 4, 6), (2, 6, 9)):
        for character, count in tables.SUPPLY[5].items():
            less = three if character in ("knight", "scholar", "monk") else four
            assert tables.SUPPLY[players][character] == count - less
    for players, four, three in ((3, 2, 3), (2, 4, 6)):  # the first printings: from the box for four
        for character, count in tables.BOX_CHARACTERS["dlp-2014"].items():
            less = three if character in ("knight", "scholar", "monk") else four
            assert tables.SUPPLY[players][character] == count - less


def test_there_are_14_citizens_45_deed_spaces_12_and_8_place_tiles() -> None:
    assert len(tables.DEEDS) + len(tables.CITIZENS_BESIDE_DEEDS) == tables.CITIZENS == 14
    wanted: Counter[str] = Counter()
    for _, spaces in tables.DEEDS.values():
        wanted.update(spaces)
    assert wanted.total() == 45
    assert wanted == {
        "farmer": 7, "boatman": 7, "craftsman": 7, "trader": 7, "knight": 6, "scholar": 6, "monk": 5,
    }  # fmt: skip
    assert (len(tables.TILES_1), len(tables.TILES_2), len(tables.PLAYER_BOARD)) == (12, 8, 10)


# --- published facts about the title ---


def test_status_rises_on_the_published_spaces() -> None:
    """Thresholds 4, 9, 15, 22 and 30 for a status of 2 to 6."""
    rises = [space for space in range(1, 31) if status_at(space) > status_at(space - 1)]
    assert rises == [4, 9, 15, 22, 30]
    play = new_play(setup_of("capstone-2021", 2), "status")
    found = []
    for space in range(31):
        play.t.table.markers["seat.1.development"].value = space
        found.append(play.board(OPERATOR).seats[0].status)
    assert found == [status_at(space) for space in range(31)]
    assert found[0] == 1
    assert found[30] == 6


def test_knights_allow_the_published_number_of_draws() -> None:
    play = new_play(setup_of("capstone-2021", 2), "knights")
    found = []
    for space in range(6):
        play.t.table.markers["seat.1.knights"].value = space
        found.append(play.board(OPERATOR).seats[0].draw_limit)
    assert found == [4, 5, 6, 7, 7, 8] == list(tables.KNIGHTS_DRAW)


def test_a_game_starts_with_5_coins_10_stations_and_16_or_20_technology_tiles() -> None:
    for edition, players, technology in (("dlp-2014", 4, 16), ("dlp-8th", 4, 16), ("capstone-2021", 5, 20)):
        board = _board(players, edition)
        assert board.technology == technology
        assert {(seat.coins, seat.stations_in_supply, sum(seat.market.values())) for seat in board.seats} == {
            (5, 10, 4)
        }


def test_the_hour_glass_has_three_tiles_of_six_events_and_starts_with_pilgrimage() -> None:
    for choices in ({"hour_glass": "ungraded"}, {"hour_glass_split": "a"}, {"hour_glass_split": "b"}):
        board = new_play(setup_of("dlp-8th", 3, **choices), "glass").board(OPERATOR)
        events = Counter({board.hour_glass.event: 1})
        for tile, count in board.hour_glass.remaining.items():
            events[tile.split(".")[0]] += count
        assert events == dict.fromkeys(tables.EVENTS, 3)
        assert (board.hour_glass.event, board.hour_glass.strength) == ("pilgrimage", "START")


def test_goods_are_worth_one_to_five_points() -> None:
    assert [tables.GOODS_POINTS[good] for good in ("grain", "cheese", "wine", "wool", "brocade")] == [1, 2, 3, 4, 5]
