"""The Herb Garden works without an action. ``test_wild`` tests which followers stand in because of it."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame

from boardkeeper.titles.orleans import commands as c


def test_orleans_herb_garden_passive() -> None:
    """It has no space and no action; owning it is enough (p. 7)."""
    game = OrleansGame(2)
    game.own(1, "herb_garden").market(1, boatman=1).enter("planning")
    (garden,) = [place for place in game.board(0).seats[0].places if place.place == "herb_garden"]
    assert garden.spaces == ()
    assert not garden.active

    game.reject(1, c.PlaceFollower("boatman", "herb_garden", "boatman"), "orleans.planning.space_exists")
    game.do(1, c.PlaceFollower("boatman", "wagon", "trader"))
    game.idle_until("actions")

    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.UsePlace("herb_garden"), "orleans.actions.no_action")


def test_orleans_herb_garden_passive__from_the_next_planning_on() -> None:
    """A tile that came with a trader in phase 5 applies to the planning of the next round (p. 5 and 7)."""
    game = OrleansGame(2).next_tile("income", "A")
    game.market(1, boatman=1).fill(1, "village").enter("planning")
    command = c.PlaceFollower("boatman", "ship", "farmer")
    game.reject(1, command, "orleans.planning.matching_space")
    game.idle_until("actions")
    game.do(1, c.RecruitFollower("village", "trader", "herb_garden"))

    game.idle_round()
    game.idle_until("planning")

    game.do(1, command)


def test_orleans_herb_garden_passive__no_technology() -> None:
    """Without a space it takes no technology (p. 5 and 7)."""
    game = OrleansGame(2)
    game.own(1, "herb_garden").technology(1).enter("actions")
    game.do(1, c.Pass())

    game.reject(1, c.PlaceTechnology("herb_garden", "boatman"), "orleans.technology.own_place")


def test_orleans_herb_garden_passive__lost_by_torture() -> None:
    """After its loss by torture boatmen no longer stand in, but followers placed before stay (p. 6 and 7)."""
    game = OrleansGame(3).next_tile("income", "A")
    game.own(1, "herb_garden").market(1, boatman=1).fill(1, "ship", "boatman")
    game.at(1, coins=0).at(2, farmers=1).at(3, farmers=1)
    game.enter("hour_glass")

    game.do(1, c.SurrenderPlaceTile("herb_garden"))
    game.idle_until("planning")

    game.reject(1, c.PlaceFollower("boatman", "wagon", "farmer"), "orleans.planning.matching_space")
    assert game.counts("seat.1.ship.farmer") == {"boatman": 1}
