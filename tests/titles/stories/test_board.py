"""Boards: all that a viewer sees of the table."""

from __future__ import annotations

from typing import Any

import pytest
from tests.titles.stories.kit import StoriesGame
from tests.titles.stories.playing import play_out, set_up_game

from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.board import AreaView, Board
from boardkeeper.titles.stories.title import TITLE


def find_area(board: Board, id: str) -> AreaView:
    return next(view for view in board.areas if view.area == id)


def test_table_before_set_up_has_a_board() -> None:
    """Clients read it while a game waits for its seats."""
    setup = Setup("settlers", 3)
    board = TITLE.play(Table(TITLE.layout(setup)), Dice(b""), setup).board(SPECTATOR)
    assert board.round == 0
    assert [seat.era for seat in board.seats] == [0, 0, 0]
    assert board.box["church"] == 12


def test_the_board_of_a_new_game_shows_map_seats_and_cards() -> None:
    board = set_up_game("settlers", 4, "new", start_player="youngest_named").board(1)
    assert (board.round, board.phase, board.start_seat, board.deciding) == (1, "planning", 1, (1, 2, 3, 4))
    assert len(board.areas) == 29
    assert {view.side for view in board.areas} == {"north", "south"}
    homes = [view for view in board.areas if view.settlers]
    assert sorted(view.settlers for view in homes) == [(1,), (2,), (3,), (4,)]
    assert all(view.village and not view.landscape and view.fortress == view.settlers[0] for view in homes)
    assert all(view.landscape for view in board.areas if not view.settlers)
    assert [cards.category for cards in board.place_cards] == ["I", "II", "III"]
    assert [len(cards.cards) for cards in board.place_cards] == [8, 8, 8]
    assert (board.churches, board.technology, board.scores, board.nations, board.bonus_tiles) == (12, 18, (), (), None)
    seat = board.seats[0]
    assert (seat.color, seat.era, seat.fame, seat.settlers_in_supply, seat.fortresses_in_supply) == ("red", 1, 1, 8, 4)
    assert (seat.areas, seat.villages, seat.churches, seat.draw_limit, seat.categories) == (1, 1, 0, 4, ("I",))
    assert seat.market == {"farmer": 2, "fisherman": 2, "craftsman": 1, "trader": 1}
    assert "university" in {place.place for place in seat.places}
    assert "university" not in seat.locked_places
    assert len(seat.locked_places) == 5


def test_board_shows_the_event_of_the_round_and_the_sizes_of_the_event_piles() -> None:
    board = set_up_game("settlers", 2, "cards").board(SPECTATOR)
    assert board.events.letter == "A"
    assert board.events.event.startswith("A")
    assert board.events.remaining == {"A": 7, "B": 8, "C": 8, "D": 8}
    assert board.events.turned == ()


def test_area_view_shows_all_pieces() -> None:
    game = StoriesGame().settle("c2r2", 1, 2).landscape("c2r2", "forest").village("c2r2").church("c2r2")
    game.fortress("c2r2", 2)
    shown = find_area(game.play.board(1), "c2r2")
    assert shown == AreaView("c2r2", "north", "forest", village=True, settlers=(1, 2), fortress=2, church=True)


def test_deed_view_shows_followers_free_spaces_and_citizen() -> None:
    game = StoriesGame()
    deed = game.play.board(1).deeds[0]
    assert (deed.deed, deed.followers, deed.citizen, deed.completed) == ("food_depot", {}, True, 0)
    assert deed.free == game.data.deeds["food_depot"].spaces
    for follower, count in game.data.deeds["food_depot"].spaces.items():
        game.t.move(follower, game.t.supply, game.t.deeds["food_depot"], count)
    game.t.completed["food_depot"].value = 1
    full = game.play.board(1).deeds[0]
    assert (full.citizen, full.completed, set(full.free.values())) == (False, 1, {0})


def test_bag_is_shown_to_its_seat_and_counted_for_other_viewers() -> None:
    game = StoriesGame()
    game.bag(1, monk=2, farmer=1)
    assert game.play.board(1).seats[0].bag == {"monk": 2, "farmer": 1}
    for viewer in (2, SPECTATOR):
        seat = game.play.board(viewer).seats[0]
        assert (seat.bag, seat.bag_count) == ({}, 3)


def test_sealed_plan_is_shown_to_its_seat_only() -> None:
    play = set_up_game("settlers", 2, "sealed", planning="sealed")
    assert play.decide(1, c.PlaceFollower("fisherman", "farm", "fisherman")) is None
    shown = {viewer: play.board(viewer).seats[0] for viewer in (1, 2, SPECTATOR, OPERATOR)}
    for viewer, seat in shown.items():
        farm = next(place for place in seat.places if place.place == "farm")
        is_visible = viewer in (1, OPERATOR)
        assert farm.spaces[0].occupant == ("fisherman" if is_visible else "")
        assert (farm.spaces[0].changeable, farm.spaces[0].placed_now) == (is_visible, is_visible)
        assert bool(seat.market) == is_visible


def test_board_has_the_score_sheet_after_the_game() -> None:
    play, events = play_out(["sensible", "random", "random"], "scores")
    board = play.board(SPECTATOR)
    assert [line.seat for line in board.scores] == [standing.seat for standing in play.standings()]
    assert [line.total for line in board.scores] == [standing.points for standing in play.standings()]
    line = board.scores[0]
    parts = (line.coins, line.goods_points, line.area_points, line.citizen_points, line.church_points)
    assert line.total == sum(parts)
    assert len([event for event in events if event.name == "SeatScored"]) == 3


# --- England vs. France --------------------------------------------------------------------------------------


def test_missions_and_bonus_tiles_are_public_and_towns_have_settlers_of_all_seats() -> None:
    board = set_up_game("england-vs-france", 4, "nations").board(SPECTATOR)
    assert [nation.nation for nation in board.nations] == ["england", "france"]
    assert all(nation.mission and not nation.fulfilled and not nation.lost for nation in board.nations)
    assert board.bonus_tiles is not None
    assert [bool(tile) for tile in board.bonus_tiles.on_eras] == [True, True, True]
    assert len(board.bonus_tiles.stack) == 7
    towns = [view for view in board.areas if view.town]
    assert [view.settlers for view in towns] == [(1, 1, 2, 2, 3, 3, 4, 4)] * 2
    assert all(not view.landscape and not view.village for view in towns)
    assert board.events.remaining == {}


@pytest.mark.parametrize("viewer", [1, 2, SPECTATOR])
def test_nation_and_messages_are_shown_to_their_owner_only(viewer: int) -> None:
    play = set_up_game("england-vs-france", 4, "secrets")
    chosen = play.board(1).seats[0].dealt[0]
    for seat in range(1, 5):
        assert len(play.board(seat).seats[seat - 1].dealt) == 2
        assert play.decide(seat, play.legal(seat)[0]) is None
    mine: Any = play.board(viewer).seats[0]
    shown = (mine.nation, mine.message, len(mine.returned), mine.dealt)
    everything = play.board(OPERATOR).seats[0]
    assert shown == ((everything.nation, chosen, 1, ()) if viewer == 1 else ("", "", 0, ()))


def test_secretly_viewed_nation_is_noted_for_its_viewer_only() -> None:
    play = set_up_game("england-vs-france", 4, "noted", look_is_public="no")
    play.t.seats[0].noted.value = "2:england"
    assert play.board(1).seats[0].noted == "2:england"
    assert play.board(2).seats[0].noted == ""


def test_board_has_the_nation_scores_after_the_game() -> None:
    play, _ = play_out(["sensible"] * 4, "nations", edition="england-vs-france")
    board = play.board(SPECTATOR)
    assert not board.scores
    assert sorted(line.nation for line in board.nation_scores) == ["england", "france"]
    points = {standing.seat: standing.points for standing in play.standings()}
    totals = {line.nation: line.total for line in board.nation_scores}
    assert points == {seat.seat: totals[seat.nation] for seat in board.seats}
    assert [line.rank for line in board.nation_scores] in ([1, 2], [1, 1])
