"""Followers that stand for others: monks, and what the Herb Garden and the School allow."""

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
"""What the place tiles with action spaces ask for."""
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


def asking_for(*characters: str, marked: bool = False) -> set[tuple[str, str]]:
    """All spaces that ask for one of these characters or for any; marked followers are barred from the Town Hall."""
    found = set()
    for place, spaces in (BOARD | TILES).items():
        for index, requires in enumerate(spaces):
            name = f"{requires}_2" if requires in spaces[:index] else requires
            if requires in (*characters, "any") and not (marked and place == "town_hall"):
                found.add((place, name))
    return found


def rich(*wild_tiles: str, **market: int) -> OrleansGame:
    """Phase 4 of a seat that owns every place tile with action spaces, and these others."""
    game = OrleansGame(2)
    game.own(1, *TILES, *wild_tiles).market(1, **market).enter("planning")
    return game


def placements(game: OrleansGame, follower: str, seat: int = 1) -> set[tuple[str, str]]:
    """Where the seat may place a follower from its market."""
    return {
        (command.place, command.space)
        for command in game.legal(seat)
        if isinstance(command, c.PlaceFollower) and command.follower == follower
    }


def test_orleans_wild_monk() -> None:
    """A monk fits every action space there is (p. 5), alone or together with others of the place."""
    game = rich(monk=3)
    assert placements(game, "monk") == asking_for(*CHARACTERS)

    game.do(1, *(c.PlaceFollower("monk", "university", space) for space in ("farmer", "craftsman", "trader")))
    game.idle_until("actions")

    game.do(1, c.RecruitFollower("university", "scholar"))
    assert game.seat(1).bag.counts() == {"monk": 3, "scholar": 1}


@pytest.mark.parametrize("follower", ["farmer", "boatman", "craftsman", "trader", "knight", "scholar"])
def test_orleans_wild_never_for_monk(follower: str) -> None:
    """Monks stand for others, but nobody for a monk (p. 5), whatever tiles somebody owns."""
    game = rich("herb_garden", "school", **{follower: 1})

    for place in ("brewery", "sacristy", "cellar"):
        game.reject(1, c.PlaceFollower(follower, place, "monk"), "orleans.wild.never_for_monk")


def test_orleans_wild_herb_garden() -> None:
    """With the Herb Garden boatmen stand for farmers, craftsmen and traders (p. 7), not for knights or scholars."""
    game = rich("herb_garden", boatman=2)
    assert placements(game, "boatman") == asking_for("boatman", "farmer", "craftsman", "trader")

    game.reject(1, c.PlaceFollower("boatman", "ship", "knight"), "orleans.planning.matching_space")
    game.reject(1, c.PlaceFollower("boatman", "scriptorium", "scholar"), "orleans.planning.matching_space")
    game.do(1, c.PlaceFollower("boatman", "farm_house", "craftsman"))
    game.do(1, c.PlaceFollower("boatman", "farm_house", "boatman"))
    game.idle_until("actions")
    game.do(1, c.RecruitFollower("farm_house", "farmer"))
    assert game.seat(1).bag.counts() == {"boatman": 2, "farmer": 1}


def test_orleans_wild_herb_garden__only_boatmen() -> None:
    """The Herb Garden helps boatmen only (p. 7): nobody else stands for anybody, not even for boatmen."""
    game = rich("herb_garden", farmer=1, craftsman=1, trader=1, knight=1, scholar=1)

    for follower in ("farmer", "craftsman", "trader", "knight", "scholar"):
        assert placements(game, follower) == asking_for(follower)


def test_orleans_wild_school() -> None:
    """With the School scholars stand for everybody but monks (p. 7)."""
    game = rich("school", scholar=3)
    assert placements(game, "scholar") == asking_for("scholar", *SCHOOL["scholar"])

    game.do(1, *(c.PlaceFollower("scholar", "castle", space) for space in ("farmer", "boatman", "trader")))
    game.idle_until("actions")
    game.do(1, c.RecruitFollower("castle", "knight"))
    assert game.seat(1).bag.counts() == {"scholar": 3, "knight": 1}


def test_orleans_wild_school__only_scholars() -> None:
    """The School helps scholars only (p. 7): nobody else stands for anybody, not even for scholars."""
    game = rich("school", farmer=1, boatman=1, craftsman=1, trader=1, knight=1)

    for follower in ("farmer", "boatman", "craftsman", "trader", "knight"):
        assert placements(game, follower) == asking_for(follower)


def test_orleans_wild_school__with_the_herb_garden() -> None:
    """Both tiles together add up, without chains: a boatman does not become a knight by way of a scholar (p. 7)."""
    game = rich("herb_garden", "school", boatman=1, scholar=1)

    assert placements(game, "boatman") == asking_for("boatman", *HERB_GARDEN["boatman"])
    assert placements(game, "scholar") == asking_for("scholar", *SCHOOL["scholar"])


def test_orleans_wild_own_followers_too() -> None:
    """The own boatman profits from the Herb Garden like any other, at all own places but the Town Hall (p. 5, 7)."""
    game = rich("herb_garden", "school", own_boatman=1)

    assert placements(game, "own_boatman") == asking_for("boatman", "farmer", "craftsman", "trader", marked=True)
    game.do(1, c.PlaceFollower("own_boatman", "hayrick", "farmer"))
    game.idle_until("actions")
    game.do(1, c.UsePlace("hayrick"))
    assert game.seat(1).bag.counts() == {"own_boatman": 1}


def test_orleans_wild_own_followers_too__of_the_owner_only() -> None:
    """The tiles serve their owner (p. 5 and 7), not the others at the table."""
    game = OrleansGame(2)
    game.own(1, "herb_garden", "school").market(2, boatman=1, scholar=1, own_boatman=1).enter("planning")

    for follower in ("boatman", "own_boatman"):
        assert {space for _, space in placements(game, follower, 2)} <= {"boatman", "any", "any_2"}
        game.reject(2, c.PlaceFollower(follower, "ship", "farmer"), "orleans.planning.matching_space")
    game.reject(2, c.PlaceFollower("scholar", "ship", "knight"), "orleans.planning.matching_space")


@pytest.mark.parametrize(("tile", "follower"), [("herb_garden", "boatman"), ("school", "scholar")])
def test_orleans_wild_stand_in_stays(tile: str, follower: str) -> None:
    """Who stands in for a farmer does so also after the tile was given up under torture (our ruling on p. 6)."""
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
