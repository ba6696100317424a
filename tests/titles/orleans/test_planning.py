"""Phase 4: planning."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame

from boardkeeper.table.visibility import redact_effects
from boardkeeper.titles.orleans import commands as c

PLACES = {
    "ship": ("farmer", "boatman", "knight"),
    "wagon": ("farmer", "trader", "knight"),
    "guildhall": ("farmer", "craftsman", "knight"),
    "castle": ("farmer", "boatman", "trader"),
    "scriptorium": ("knight", "scholar"),
    "monastery": ("scholar", "trader"),
    "farm_house": ("boatman", "craftsman"),
    "village": ("farmer", "boatman", "craftsman"),
    "university": ("farmer", "craftsman", "trader"),
}
"""The characters that the places of the player board require; the Town Hall takes any two."""


def begin_planning(**market: int) -> OrleansGame:
    """Begin phase 4 with these followers on the market of seat 1."""
    game = OrleansGame(2)
    game.market(1, **market).enter("planning")
    return game


def placements(game: OrleansGame, seat: int, follower: str) -> set[tuple[str, str]]:
    """Return the spaces on which a seat may place a follower from its market."""
    return {
        (command.place, command.space)
        for command in game.legal(seat)
        if isinstance(command, c.PlaceFollower) and command.follower == follower
    }


def test_orleans_planning_from_market() -> None:
    """A follower comes from the own market (p. 4), not from the bag, the supply or another market."""
    game = begin_planning(farmer=1)
    game.bag(1, knight=1).market(2, scholar=1)

    for follower in ("knight", "boatman"):
        game.reject(1, c.PlaceFollower(follower, "ship", follower), "orleans.planning.from_market")
    game.reject(1, c.PlaceFollower("scholar", "scriptorium", "scholar"), "orleans.planning.from_market")
    game.reject(1, c.PlaceFollower("own_farmer", "ship", "farmer"), "orleans.planning.from_market")
    game.do(1, c.PlaceFollower("farmer", "ship", "farmer"))
    game.reject(1, c.PlaceFollower("farmer", "wagon", "farmer"), "orleans.planning.from_market")

    assert game.seat(1).market.counts() == {}


def test_orleans_planning_own_place() -> None:
    """A seat places followers only on its own place tiles (p. 5)."""
    game = begin_planning(craftsman=1, boatman=1, farmer=1)
    game.own(1, "windmill").own(2, "hayrick")

    game.reject(1, c.PlaceFollower("boatman", "hospital", "boatman"), "orleans.planning.own_place")
    game.reject(1, c.PlaceFollower("farmer", "hayrick", "farmer"), "orleans.planning.own_place")
    game.do(1, c.PlaceFollower("craftsman", "windmill", "craftsman_2"))


def test_orleans_planning_own_place__of_the_player_board() -> None:
    """Each seat has the ten places of its board (p. 4)."""
    game = OrleansGame(2)
    game.do(1, c.PlaceFollower("own_farmer", "village", "farmer"))

    game.do(2, c.PlaceFollower("own_farmer", "village", "farmer"))

    assert game.counts("seat.1.village.farmer") == game.counts("seat.2.village.farmer") == {"own_farmer": 1}
    assert len(game.board(0).seats[0].places) == 10


@pytest.mark.parametrize("follower", ["farmer", "boatman", "craftsman", "trader", "knight", "scholar"])
def test_orleans_planning_matching_space(follower: str) -> None:
    """A follower matches the spaces of its character and the Town Hall (p. 4)."""
    game = begin_planning(**{follower: 1})
    own = {(place, follower) for place, spaces in PLACES.items() if follower in spaces}

    assert placements(game, 1, follower) == own | {("town_hall", "any"), ("town_hall", "any_2")}
    for place, spaces in PLACES.items():
        for space in set(spaces) - {follower}:
            game.reject(1, c.PlaceFollower(follower, place, space), "orleans.planning.matching_space")


def test_orleans_planning_matching_space__own_followers() -> None:
    """A marked follower counts as a follower of its character (p. 3 and 4)."""
    game = begin_planning(own_craftsman=1)

    assert placements(game, 1, "own_craftsman") == {
        (place, "craftsman") for place in ("guildhall", "farm_house", "village", "university")
    }
    game.reject(1, c.PlaceFollower("own_craftsman", "ship", "farmer"), "orleans.planning.matching_space")


def test_orleans_planning_free_space__two_of_one_character() -> None:
    """Two spaces for the same character take one follower each (p. 7, Cheese Factory)."""
    game = OrleansGame(2)
    game.market(1, farmer=3).own(1, "cheese_factory").enter("planning")

    game.do(1, c.PlaceFollower("farmer", "cheese_factory", "farmer"))
    game.do(1, c.PlaceFollower("farmer", "cheese_factory", "farmer_2"))

    assert placements(game, 1, "farmer") & {("cheese_factory", "farmer"), ("cheese_factory", "farmer_2")} == set()


def test_orleans_planning_partly() -> None:
    """A place may be filled over several rounds; before that it cannot be used (p. 4)."""
    game = OrleansGame(2).next_tile("income", "A")
    game.market(1, farmer=1, boatman=1).bag(1, knight=1).market(2).enter("planning")
    game.do(1, c.PlaceFollower("farmer", "ship", "farmer"), c.PlaceFollower("boatman", "ship", "boatman"))

    game.idle_until("actions")
    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.Travel("ship", "blois"), "orleans.actions.activated")
    game.idle_round()

    game.do(1, c.DrawFollowers(1), c.FinishTakingBack())
    game.do(1, c.PlaceFollower("knight", "ship", "knight"))
    game.idle_until("actions")
    assert game.deciding() == [2]
    game.idle(2)
    game.do(1, c.Travel("ship", "blois"))
    assert game.seat(1).bag.counts() == {"farmer": 1, "boatman": 1, "knight": 1}


def test_orleans_planning_keep_on_market() -> None:
    """A seat need not place followers (p. 4); it may place them in a later round."""
    game = OrleansGame(2).next_tile("income", "A")
    game.idle_round()
    game.idle_until("planning")

    assert game.seat(1).market.counts() == {"own_farmer": 1, "own_boatman": 1, "own_craftsman": 1, "own_trader": 1}
    game.do(1, c.PlaceFollower("own_farmer", "castle", "farmer"))


def test_orleans_planning_only_this_phase() -> None:
    """Only followers placed in this round can be withdrawn (p. 8)."""
    game = OrleansGame(2).next_tile("income", "A")
    game.do(1, c.PlaceFollower("own_farmer", "village", "farmer"))
    game.idle_round()
    game.idle_until("planning")
    game.do(1, c.PlaceFollower("own_boatman", "village", "boatman"))

    game.reject(1, c.WithdrawFollower("village", "farmer"), "orleans.planning.only_this_phase")
    game.reject(1, c.WithdrawFollower("village", "craftsman"), "orleans.planning.only_this_phase")
    game.do(1, c.WithdrawFollower("village", "boatman"))


def test_orleans_planning_only_this_phase__not_technology() -> None:
    """Technology is not withdrawn, even if a follower was placed on its space in this phase (p. 5)."""
    game = OrleansGame(2, technology_window="after_passing_and_planning")
    game.technology(1).market(1, farmer=1).enter("planning")
    game.do(1, c.PlaceFollower("farmer", "castle", "farmer"), c.WithdrawFollower("castle", "farmer"))
    game.do(1, c.PlaceTechnology("castle", "farmer"))

    game.reject(1, c.WithdrawFollower("castle", "farmer"), "orleans.planning.only_this_phase")


def test_orleans_planning_never_moved() -> None:
    """A follower on an action space does not move to another one (p. 8)."""
    game = begin_planning(farmer=1)
    game.fill(1, "castle", "", "boatman")

    game.reject(1, c.PlaceFollower("boatman", "ship", "boatman"), "orleans.planning.from_market")
    game.do(1, c.PlaceFollower("farmer", "castle", "farmer"))
    game.reject(1, c.PlaceFollower("farmer", "ship", "farmer"), "orleans.planning.from_market")
    assert not any(isinstance(command, c.PlaceFollower) for command in game.legal(1))


def test_orleans_planning_final() -> None:
    """A seat that has finished cannot change its plan while others still plan (p. 4)."""
    game = OrleansGame(2)
    game.do(1, c.PlaceFollower("own_farmer", "ship", "farmer"), c.FinishPlanning())

    assert game.decision(2) == "plan"
    assert game.legal(1) == []
    game.reject(1, c.WithdrawFollower("ship", "farmer"), "table.not_deciding")
    game.reject(1, c.PlaceFollower("own_boatman", "ship", "boatman"), "table.not_deciding")
    game.reject(1, c.FinishPlanning(), "table.not_deciding")

    assert game.board(2).seats[0].planning_finished
    assert not game.board(2).seats[1].planning_finished


def test_orleans_planning_open() -> None:
    """All viewers see each follower as soon as it is placed (p. 4)."""
    game = OrleansGame(2)

    (event,) = game.do(1, c.PlaceFollower("own_farmer", "ship", "farmer"))

    for viewer in (0, 2):
        assert redact_effects(game.table, event.effects, viewer)[1]
        (ship,) = [place for place in game.board(viewer).seats[0].places if place.place == "ship"]
        assert [space.occupant for space in ship.spaces] == ["own_farmer", "", ""]
