"""The end of the game: the last citizen, the score sheet and the winners."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail, details, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e

TOWNS = ("blois", "tours", "chinon", "nevers", "bourges", "vierzon", "loches")


def create_game(players: int) -> OrleansGame:
    """Create a game in which no seat has coins."""
    game = OrleansGame(players)
    for seat in range(1, players + 1):
        game.at(seat, coins=0)
    return game


def score(game: OrleansGame) -> dict[int, e.SeatScored]:
    """End the game, check the board and the standings, and return the line of the score sheet of each seat."""
    lines = details(game.end(), e.SeatScored)
    assert game.play.is_over()
    assert {standing.seat: (standing.points, standing.rank) for standing in game.play.standings()} == {
        seat: (line.total, line.rank) for seat, line in lines.items()
    }
    for view in game.board(0).scores:
        line = lines[view.seat]
        assert (view.total, view.rank, view.status_points) == (line.total, line.rank, line.status_points)
    return lines


# --- the last citizen ------------------------------------------------------------------------------------------


def test_orleans_scoring_most_stations() -> None:
    """Page 6: the seat with the most built stations gets the last citizen, which is scored."""
    game = create_game(3).stations(1, *TOWNS[:2]).stations(2, *TOWNS[2:5]).stations(3, *TOWNS[5:])
    game.at(2, development=9).citizens(3, 2)
    events = game.end()
    (rewarded,) = named(events, "MostStationsRewarded")
    assert (rewarded.seat, rewarded.detail) == (2, e.MostStationsRewarded(3))
    assert game.seat(2).citizens.total() == 1
    assert game.seat(3).citizens.total() == 2
    assert game.t.citizen_of_stations.total() == 0
    assert details(events, e.SeatScored)[2].status_points == (3 + 1) * 3


def test_orleans_scoring_most_stations__built_ones_only() -> None:
    """Page 6: stations on the map count, not those that are missing in the supply."""
    game = create_game(2).stations(1, "blois", "tours").stations(2, "nevers")
    game.empty(game.seat(2).stations)
    assert {seat: line.citizens for seat, line in score(game).items()} == {1: 1, 2: 0}


def test_orleans_scoring_stations_lost() -> None:
    """Stations that are surrendered to torture in the last round do not count (our ruling on p. 6)."""
    game = OrleansGame(2).stations(1, "blois", "tours", "nevers").stations(2, "bourges", "vierzon")
    game.at(1, coins=0).at(2, coins=0).goods(1, wool=2).bag(1)
    game.turn(18, "taxes", "A").enter("event")
    events = game.do(1, c.SurrenderTradingStation("blois"), c.SurrenderTradingStation("tours"))

    (rewarded,) = named(events, "MostStationsRewarded")
    assert (rewarded.seat, rewarded.detail) == (2, e.MostStationsRewarded(2))
    line = details(events, e.SeatScored)[1]
    assert (line.stations, line.citizens, line.status_points) == (1, 0, 1)


@pytest.mark.parametrize("built", [0, 1, 3])
def test_orleans_scoring_most_stations_tied(built: int) -> None:
    """Page 6: in a tie no seat gets it, also if no seat has built."""
    game = create_game(3).stations(1, *TOWNS[:built]).stations(3, *TOWNS[built : 2 * built])
    events = game.end()
    (rewarded,) = named(events, "MostStationsRewarded")
    assert (rewarded.seat, rewarded.detail) == (0, e.MostStationsRewarded(built))
    assert [seat.citizens.total() for seat in game.t.seats] == [0, 0, 0]
    assert game.t.citizen_of_stations.counts() == {"citizen": 1}


# --- points ----------------------------------------------------------------------------------------------------


def test_orleans_scoring_coins() -> None:
    """Page 6: one point per coin for every status."""
    game = create_game(2).at(1, coins=17, development=30)
    lines = score(game)
    assert (lines[1].coins, lines[1].total) == (17, 17)
    assert lines[2].total == 0


def test_orleans_scoring_goods() -> None:
    """Page 6: 1, 2, 3, 4 and 5 points for grain, cheese, wine, wool and brocade."""
    game = create_game(2).goods(1, grain=6, cheese=5, wine=4, wool=3, brocade=2).goods(2, brocade=1, grain=1)
    lines = score(game)
    assert lines[1].goods_points == lines[1].total == 6 * 1 + 5 * 2 + 4 * 3 + 3 * 4 + 2 * 5
    assert lines[1].goods == {"grain": 6, "cheese": 5, "wine": 4, "wool": 3, "brocade": 2}
    assert lines[2].total == 6


@pytest.mark.parametrize(
    ("development", "status"),
    [(0, 1), (3, 1), (4, 2), (8, 2), (9, 3), (14, 3), (15, 4), (21, 4), (22, 5), (29, 5), (30, 6)],
)
def test_orleans_scoring_status(development: int, status: int) -> None:
    """Page 6: the sum of stations and citizens, times the development status."""
    game = (
        create_game(2)
        .stations(1, "blois", "tours")
        .stations(2, *TOWNS[2:5])
        .citizens(1, 3)
        .at(1, development=development)
    )
    line = score(game)[1]
    assert (line.stations, line.citizens, line.status) == (2, 3, status)
    assert line.status_points == line.total == 5 * status


def test_orleans_scoring_supply_stations() -> None:
    """Page 6: stations in the supply score nothing."""
    game = create_game(2).stations(1, "blois").stations(2, "tours").at(1, development=30)
    assert game.seat(1).stations.total() == 9
    assert score(game)[1].total == 6


def test_orleans_scoring_supply_stations__and_other_components() -> None:
    """Page 6: followers, technology, place tiles and development alone score nothing."""
    game = create_game(2).bag(1, monk=4).technology(1, 3).own(1, "cellar", "library").at(1, development=28, scholars=5)
    assert score(game)[1].total == 0


# --- winners ---------------------------------------------------------------------------------------------------


def test_orleans_scoring_most_points() -> None:
    """Page 6: the points decide, not the track; the standings begin with the winner."""
    game = create_game(4).at(1, coins=20, development=30).at(2, coins=22).at(3, coins=1).at(4, coins=21, development=14)
    lines = score(game)
    assert {seat: line.rank for seat, line in lines.items()} == {1: 3, 2: 1, 3: 4, 4: 2}
    assert [standing.seat for standing in game.play.standings()] == [2, 4, 1, 3]


def test_orleans_scoring_most_points__with_the_last_citizen() -> None:
    """Page 6: the last citizen is given before the points are counted, so it can decide the game."""
    game = create_game(2).stations(1, "blois", "tours").stations(2, "nevers").at(2, coins=2, development=2)
    lines = score(game)
    assert (lines[1].total, lines[2].total) == (3, 3)
    assert (lines[1].rank, lines[2].rank) == (2, 1), "equal points, and seat 2 is further on"
    game = create_game(2).stations(1, "blois", "tours").stations(2, "nevers").at(2, coins=1, development=2)
    assert score(game)[1].rank == 1


def test_orleans_scoring_tie() -> None:
    """Page 6: in a tie the space on the development track decides, not the status."""
    game = create_game(3).at(1, coins=10, development=9).at(2, coins=10, development=11).at(3, coins=10, development=10)
    lines = score(game)
    assert {line.status for line in lines.values()} == {3}
    assert {seat: line.rank for seat, line in lines.items()} == {1: 3, 2: 1, 3: 2}


def test_orleans_scoring_several_winners() -> None:
    """Page 6: seats that are equal there too win together; the next seat is third."""
    game = create_game(4).at(1, coins=10, development=5).at(2, coins=9, development=30)
    game.at(3, coins=10, development=5).at(4, coins=10, development=4)
    lines = score(game)
    assert {seat: line.rank for seat, line in lines.items()} == {1: 1, 2: 4, 3: 1, 4: 3}
    assert [standing.rank for standing in game.play.standings()] == [1, 1, 3, 4]


def test_orleans_scoring_several_winners__the_game_is_over() -> None:
    """Page 6: after the scoring no seat has a decision."""
    game = create_game(2)
    assert game.play.standings() == []
    events = game.end()
    assert game.deciding() == []
    assert game.legal(1) == []
    game.reject(1, c.Pass(), "table.not_deciding")
    assert detail(events, e.MostStationsRewarded) == e.MostStationsRewarded(0)
    assert not named(events, "StartPlayerChanged")
