"""Followers that stand in for others: monks, boatmen with the Herb Garden and scholars with the School."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame

from boardkeeper.titles.orleans import commands as c

TILES = {
    "hayrick": ("farmer",),
    "cheese_factory": ("farmer", "farmer"),
    "winery": ("farmer", "trader"),
    "wool_manufacturer": ("boatman", "trader"),
    "tailor_shop": ("trader", "scholar"),
    "brewery": ("monk",),
    "sacristy": ("monk",),
    "windmill": ("craftsman", "craftsman"),
    "library": ("knight", "scholar"),
    "hospital": ("boatman", "scholar"),
    "bathhouse": ("any",),
    "shipping_line": ("boatman",),
    "cellar": ("monk", "scholar"),
    "office": ("scholar", "scholar"),
    "horse_wagon": ("knight", "trader"),
    "laboratory": ("craftsman", "scholar"),
    "pharmacy": ("any",),
}
"""The characters that place tiles with action spaces require."""
BOARD = {
    "ship": ("farmer", "boatman", "knight"),
    "wagon": ("farmer", "trader", "knight"),
    "guildhall": ("farmer", "craftsman", "knight"),
    "castle": ("farmer", "boatman", "trader"),
    "scriptorium": ("knight", "scholar"),
    "town_hall": ("any", "any"),
    "monastery": ("scholar", "trader"),
    "farm_house": ("boatman", "craftsman"),
    "village": ("farmer", "boatman", "craftsman"),
    "university": ("farmer", "craftsman", "trader"),
}
CHARACTERS = ("farmer", "boatman", "craftsman", "trader", "knight", "scholar", "monk")
HERB_GARDEN = {"boatman": {"farmer", "craftsman", "trader"}}
SCHOOL = {"scholar": {"farmer", "boatman", "craftsman", "trader", "knight"}}


def spaces_for(*characters: str, marked: bool = False) -> set[tuple[str, str]]:
    """Return all spaces for one of these characters or for any; for marked followers without the Town Hall."""
    found = set()
    for place, spaces in (BOARD | TILES).items():
        for index, requires in enumerate(spaces):
            name = f"{requires}_2" if requires in spaces[:index] else requires
            if requires in (*characters, "any") and not (marked and place == "town_hall"):
                found.add((place, name))
    return found


def begin_planning(*passive_tiles: str, **market: int) -> OrleansGame:
    """Begin phase 4 with a seat that owns all place tiles with action spaces, and these others."""
    game = OrleansGame(2)
    game.own(1, *TILES, *passive_tiles).market(1, **market).enter("planning")
    return game


def placements(game: OrleansGame, follower: str, seat: int = 1) -> set[tuple[str, str]]:
    """Return the spaces on which the seat may place a follower from its market."""
    return {
        (command.place, command.space)
        for command in game.legal(seat)
        if isinstance(command, c.PlaceFollower) and command.follower == follower
    }


def test_orleans_wild_monk() -> None:
    """A monk matches all action spaces, also several of a place (p. 5)."""
    game = begin_planning(monk=3)
    assert placements(game, "monk") == spaces_for(*CHARACTERS)

    game.do(1, *(c.PlaceFollower("monk", "university", space) for space in ("farmer", "craftsman", "trader")))
    game.idle_until("actions")

    game.do(1, c.RecruitFollower("university", "scholar"))
    assert game.seat(1).bag.counts() == {"monk": 3, "scholar": 1}


@pytest.mark.parametrize("follower", ["farmer", "boatman", "craftsman", "trader", "knight", "scholar"])
def test_orleans_wild_never_for_monk(follower: str) -> None:
    """No follower stands in for a monk, also not with tiles (p. 5)."""
    game = begin_planning("herb_garden", "school", **{follower: 1})

    for place in ("brewery", "sacristy", "cellar"):
        game.reject(1, c.PlaceFollower(follower, place, "monk"), "orleans.wild.never_for_monk")


def test_orleans_wild_herb_garden() -> None:
    """With the Herb Garden boatmen stand in for farmers, craftsmen and traders, not for knights or scholars (p. 7)."""
    game = begin_planning("herb_garden", boatman=2)
    assert placements(game, "boatman") == spaces_for("boatman", "farmer", "craftsman", "trader")

    game.reject(1, c.PlaceFollower("boatman", "ship", "knight"), "orleans.planning.matching_space")
    game.reject(1, c.PlaceFollower("boatman", "scriptorium", "scholar"), "orleans.planning.matching_space")
    game.do(1, c.PlaceFollower("boatman", "farm_house", "craftsman"))
    game.do(1, c.PlaceFollower("boatman", "farm_house", "boatman"))
    game.idle_until("actions")
    game.do(1, c.RecruitFollower("farm_house", "farmer"))
    assert game.seat(1).bag.counts() == {"boatman": 2, "farmer": 1}


def test_orleans_wild_herb_garden__only_boatmen() -> None:
    """With the Herb Garden only boatmen stand in for others (p. 7)."""
    game = begin_planning("herb_garden", farmer=1, craftsman=1, trader=1, knight=1, scholar=1)

    for follower in ("farmer", "craftsman", "trader", "knight", "scholar"):
        assert placements(game, follower) == spaces_for(follower)


def test_orleans_wild_school() -> None:
    """With the School scholars stand in for all characters except monks (p. 7)."""
    game = begin_planning("school", scholar=3)
    assert placements(game, "scholar") == spaces_for("scholar", *SCHOOL["scholar"])

    game.do(1, *(c.PlaceFollower("scholar", "castle", space) for space in ("farmer", "boatman", "trader")))
    game.idle_until("actions")
    game.do(1, c.RecruitFollower("castle", "knight"))
    assert game.seat(1).bag.counts() == {"scholar": 3, "knight": 1}


def test_orleans_wild_school__only_scholars() -> None:
    """With the School only scholars stand in for others (p. 7)."""
    game = begin_planning("school", farmer=1, boatman=1, craftsman=1, trader=1, knight=1)

    for follower in ("farmer", "boatman", "craftsman", "trader", "knight"):
        assert placements(game, follower) == spaces_for(follower)


def test_orleans_wild_school__with_the_herb_garden() -> None:
    """Both tiles apply independently: a boatman does not stand in for a knight (p. 7)."""
    game = begin_planning("herb_garden", "school", boatman=1, scholar=1)

    assert placements(game, "boatman") == spaces_for("boatman", *HERB_GARDEN["boatman"])
    assert placements(game, "scholar") == spaces_for("scholar", *SCHOOL["scholar"])


def test_orleans_wild_own_followers_too() -> None:
    """The Herb Garden applies to the own boatman, at all places except the Town Hall (p. 5, 7)."""
    game = begin_planning("herb_garden", "school", own_boatman=1)

    assert placements(game, "own_boatman") == spaces_for("boatman", "farmer", "craftsman", "trader", marked=True)
    game.do(1, c.PlaceFollower("own_boatman", "hayrick", "farmer"))
    game.idle_until("actions")
    game.do(1, c.UsePlace("hayrick"))
    assert game.seat(1).bag.counts() == {"own_boatman": 1}


def test_orleans_wild_own_followers_too__only_of_the_owner() -> None:
    """The tiles apply only to followers of their owner (p. 5 and 7)."""
    game = OrleansGame(2)
    game.own(1, "herb_garden", "school").market(2, boatman=1, scholar=1, own_boatman=1).enter("planning")

    for follower in ("boatman", "own_boatman"):
        assert {space for _, space in placements(game, follower, 2)} <= {"boatman", "any", "any_2"}
        game.reject(2, c.PlaceFollower(follower, "ship", "farmer"), "orleans.planning.matching_space")
    game.reject(2, c.PlaceFollower("scholar", "ship", "knight"), "orleans.planning.matching_space")


@pytest.mark.parametrize(("tile", "follower"), [("herb_garden", "boatman"), ("school", "scholar")])
def test_orleans_wild_stand_in_stays(tile: str, follower: str) -> None:
    """A follower stands in for a farmer also after the tile was surrendered to torture (our ruling on p. 6)."""
    game = OrleansGame(2).own(1, tile).market(1, **{follower: 2}).fill(1, "ship", "", "boatman", "knight")
    game.on_way("orleans_blois_water").enter("planning")
    game.do(1, c.PlaceFollower(follower, "ship", "farmer"))
    game.idle_until("actions")
    game.at(1, coins=0).goods(1, wool=1).bag(1).strike("taxes", "A")
    game.do(1, c.SurrenderPlaceTile(tile))

    game.enter("planning")
    game.reject(1, c.PlaceFollower(follower, "wagon", "farmer"), "orleans.planning.matching_space")
    game.idle_until("actions")
    game.do(1, c.Travel("ship", "blois"))
    assert game.seat(1).merchant.value == "blois"
