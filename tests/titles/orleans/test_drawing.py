"""Phase 3: drawing followers."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail, named

from boardkeeper.table.visibility import redact_effects
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans.meta import META


def legal_draws(game: OrleansGame, seat: int) -> list[int]:
    """Return the numbers of followers that the seat may draw."""
    return sorted(command.count for command in game.legal(seat) if isinstance(command, c.DrawFollowers))


@pytest.mark.parametrize(("knights", "limit"), [(0, 4), (1, 5), (2, 6), (3, 7), (4, 7), (5, 8)])
def test_orleans_drawing_limit(knights: int, limit: int) -> None:
    """The marker on the knights track sets the limit; the fourth knight does not raise it (p. 4 and 5)."""
    game = OrleansGame(2)
    game.market(1).bag(1, farmer=9, monk=1).at(1, knights=knights)
    game.enter("followers")

    game.reject(1, c.DrawFollowers(limit + 1), "orleans.drawing.limit")
    events = game.do(1, c.DrawFollowers(limit))

    assert len(detail(events, e.FollowersDrawn).followers) == limit
    assert game.seat(1).market.total() == limit
    assert game.seat(1).bag.total() == 10 - limit


def test_orleans_drawing_start_limit() -> None:
    """At the start each seat may draw four; knights in the bag do not change this (p. 4)."""
    game = OrleansGame(2)
    game.market(1).bag(1, knight=8)
    game.enter("followers")

    assert game.board(0).seats[0].draw_limit == 4
    assert max(legal_draws(game, 1)) == 4


def test_orleans_drawing_market_room() -> None:
    """A market with two free spaces takes only two followers (p. 4)."""
    game = OrleansGame(2)
    game.market(1, farmer=3, own_farmer=1, monk=2).bag(1, boatman=5)
    game.enter("followers")

    game.reject(1, c.DrawFollowers(3), "orleans.drawing.market_room")
    game.do(1, c.DrawFollowers(2))

    assert game.seat(1).market.total() == 8


def test_orleans_drawing_market_room__full() -> None:
    """A seat with a full market has no decision (p. 4); the others still draw."""
    game = OrleansGame(2)
    game.market(1, farmer=8).bag(1, boatman=5).market(2).bag(2, monk=5)

    game.enter("followers")

    assert game.deciding() == [2]
    assert game.seat(1).bag.counts() == {"boatman": 5}


def test_orleans_drawing_market_spaces() -> None:
    """An empty market takes eight followers, and one with a single follower takes seven (p. 3 and 4)."""
    game = OrleansGame(2)
    game.market(1).bag(1, farmer=9).at(1, knights=5)
    game.market(2, monk=1).bag(2, boatman=9).at(2, knights=5)
    game.enter("followers")

    assert max(legal_draws(game, 1)) == 8
    assert max(legal_draws(game, 2)) == 7
    game.reject(2, c.DrawFollowers(8), "orleans.drawing.market_room")


def test_orleans_drawing_bag__placed_followers_are_not_in_it() -> None:
    """Followers on action spaces are not in the bag (p. 4)."""
    game = OrleansGame(2)
    game.market(1).bag(1).fill(1, "castle").market(2).bag(2, farmer=1)
    game.enter("followers")

    assert legal_draws(game, 1) == [0]


def test_orleans_drawing_fewer__not_negative() -> None:
    game = OrleansGame(2)
    game.market(1).bag(1, farmer=5).enter("followers")

    game.reject(1, c.DrawFollowers(-1), "orleans.drawing.limit")


def test_orleans_drawing_full__limited_by_bag_and_market() -> None:
    game = OrleansGame(2, draw_amount="fixed")
    game.market(1, monk=6).bag(1, farmer=5)
    game.market(2).bag(2, farmer=3)
    game.enter("followers")

    assert legal_draws(game, 1) == [2]
    assert legal_draws(game, 2) == [3]


def test_orleans_drawing_random() -> None:
    """Any follower of the bag may be drawn, but not more often than it is in the bag (p. 4)."""
    inside = {"own_farmer": 1, "boatman": 1, "knight": 2, "monk": 1}
    first: set[str] = set()
    orders: set[tuple[str, ...]] = set()
    for seed in range(40):
        game = OrleansGame(2, seed=str(seed))
        game.market(1).bag(1, **inside).enter("followers")
        drawn = detail(game.do(1, c.DrawFollowers(4)), e.FollowersDrawn).followers
        first.add(drawn[0])
        orders.add(drawn)
        assert all(drawn.count(follower) <= inside[follower] for follower in drawn)

    assert first == set(inside)
    assert len(orders) > 10


@pytest.mark.parametrize("edition", [edition.id for edition in META.editions])
def test_orleans_drawing_at_once(edition: str) -> None:
    """A seat draws with one command: if it draws two of four, it cannot draw the others later (our ruling on p. 4)."""
    game = OrleansGame(2, edition).market(1).bag(1, farmer=3, monk=3).market(2).bag(2, farmer=1)
    game.enter("followers")
    game.do(1, c.DrawFollowers(2))

    game.reject(1, c.DrawFollowers(1), "table.not_deciding")
    assert game.seat(1).bag.total() == 4


def test_orleans_drawing_first_round() -> None:
    """In the first round the own followers are on the market and no seat draws (p. 3)."""
    game = OrleansGame(4)

    assert not named(game.laid, "FollowersDrawn")
    assert [game.decision(seat) for seat in (1, 2, 3, 4)] == ["plan"] * 4
    assert c.PlaceFollower("own_farmer", "village", "farmer") in game.legal(3)


def test_orleans_drawing_idle_followers() -> None:
    """Followers stay on the market in the next round and leave less room for draws (p. 4)."""
    game = OrleansGame(2).next_tile("income", "A")
    game.market(1, farmer=3, monk=4).bag(1, boatman=4).market(2)
    game.enter("planning")
    game.do(1, c.PlaceFollower("farmer", "ship", "farmer"))

    game.idle_round()

    assert game.seat(1).market.counts() == {"farmer": 2, "monk": 4}
    assert max(legal_draws(game, 1)) == 2


def test_orleans_drawing_own_bag() -> None:
    """A seat sees its own bag at any time (p. 8), and of other bags the number of followers."""
    game = OrleansGame(3)
    game.bag(1, farmer=2, own_boatman=1).bag(2, monk=3)

    assert game.board(1).seats[0].bag == {"farmer": 2, "own_boatman": 1}
    for viewer in (0, 2, 3):
        assert game.board(viewer).seats[0].bag == {}
        assert game.board(viewer).seats[0].bag_count == 3
    assert game.board(2).seats[1].bag == {"monk": 3}


def test_orleans_drawing_own_bag__drawn_followers_are_public() -> None:
    """Drawn followers are on the market, where all seats see them (p. 4)."""
    game = OrleansGame(2)
    game.market(1).bag(1, farmer=2, monk=3).enter("followers")

    (event,) = named(game.do(1, c.DrawFollowers(3)), "FollowersDrawn")

    for viewer in (0, 1, 2):
        assert redact_effects(game.table, event.effects, viewer)[1]
        assert game.board(viewer).seats[0].market == game.seat(1).market.counts()
