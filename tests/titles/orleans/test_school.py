"""The School works without an action. ``test_wild`` tests where scholars stand in because of it."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame

from boardkeeper.titles.orleans import commands as c


def test_orleans_school_passive() -> None:
    """It has no space and no action; owning it is enough (p. 7)."""
    game = OrleansGame(2)
    game.own(1, "school").market(1, scholar=1).enter("planning")
    (school,) = [place for place in game.board(0).seats[0].places if place.place == "school"]
    assert school.spaces == ()
    assert not school.active

    game.reject(1, c.PlaceFollower("scholar", "school", "scholar"), "orleans.planning.space_exists")
    game.do(1, c.PlaceFollower("scholar", "wagon", "knight"))
    game.idle_until("actions")

    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.UsePlace("school"), "orleans.actions.no_action")


def test_orleans_school_passive__bathhouse() -> None:
    """A scholar drawn by the Bathhouse also stands in for all characters except monks (p. 7 and 8)."""
    game = OrleansGame(2)
    game.own(1, "school", "bathhouse", "brewery").fill(1, "bathhouse", "own_farmer").bag(1, scholar=2)
    game.enter("actions")
    game.do(1, c.UsePlace("bathhouse"))

    game.reject(1, c.PlaceDrawnFollower("scholar", "brewery", "monk"), "orleans.wild.never_for_monk")
    game.do(1, c.PlaceDrawnFollower("scholar", "castle", "boatman"))

    assert game.counts("seat.1.castle.boatman") == {"scholar": 1}


def test_orleans_school_passive__not_for_deeds() -> None:
    """Deeds need the exact character (p. 5)."""
    game = OrleansGame(2)
    game.own(1, "school").fill(1, "town_hall", "scholar").enter("actions")

    game.reject(1, c.SendToDeed("town_hall", "any", "city_wall"), "orleans.deeds.exact_character")
    game.do(1, c.SendToDeed("town_hall", "any", "astronomy"))
