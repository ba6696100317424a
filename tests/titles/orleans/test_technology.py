"""Technology tiles, and the Laboratory that gives them."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e

FARMER_SPACES = {(place, "farmer") for place in ("ship", "wagon", "guildhall", "castle", "village", "university")}
"""The spaces for farmers on the player board; all are at places with several spaces."""
OTHER_SPACES = {
    ("ship", "boatman"),
    ("ship", "knight"),
    ("wagon", "trader"),
    ("wagon", "knight"),
    ("guildhall", "craftsman"),
    ("guildhall", "knight"),
    ("castle", "boatman"),
    ("castle", "trader"),
    ("scriptorium", "knight"),
    ("scriptorium", "scholar"),
    ("monastery", "scholar"),
    ("monastery", "trader"),
    ("farm_house", "boatman"),
    ("farm_house", "craftsman"),
    ("village", "boatman"),
    ("village", "craftsman"),
    ("university", "craftsman"),
    ("university", "trader"),
}
FROM_CRAFTSMEN_TRACK = "from_first_craftsmen_space"
ALSO_PLANNING = "after_passing_and_planning"


def place(place: str, space: str) -> c.PlaceTechnology:
    """Return the command that places technology on a space."""
    return c.PlaceTechnology(place, space)


def pass_with(tiles: int = 1, placed: int = 0, *owned: str, first_technology: str = "first_placed") -> OrleansGame:
    """Let seat 1 pass with technology tiles in hand, after it has placed some earlier in the game."""
    game = OrleansGame(2, first_technology=first_technology).own(1, *owned).technology(1, tiles)
    game.at(1, technology_placed=placed)
    game.enter("actions")
    game.do(1, c.Pass())
    return game


def open_spaces(game: OrleansGame) -> set[tuple[str, str]]:
    """Return the spaces on which seat 1 may place technology."""
    return {(x.place, x.space) for x in game.legal(1) if isinstance(x, c.PlaceTechnology)}


# --- time ----------------------------------------------------------------------------------------------------


def test_orleans_technology_after_passing() -> None:
    """Technology is placed after passing, not while planning or acting (p. 5)."""
    game = OrleansGame(2).technology(1)
    game.enter("planning")
    game.reject(1, place("ship", "farmer"), "orleans.technology.after_passing", "PASS_FIRST")
    game.idle_until("actions")
    game.reject(1, place("ship", "farmer"), "orleans.technology.after_passing", "PASS_FIRST")

    game.do(1, c.Pass())
    events = game.do(1, place("ship", "farmer"))

    assert detail(events, e.TechnologyPlaced) == e.TechnologyPlaced("ship", "farmer")
    assert game.counts("seat.1.ship.farmer") == {"technology": 1}
    assert not game.seat(1).technology.items
    assert game.deciding() == [2]


def test_orleans_technology_after_passing__not_used_in_the_same_round() -> None:
    """A place that is completed by technology after passing cannot be used before the next round (p. 4, 5)."""
    game = OrleansGame(2).technology(1).fill(1, "guildhall", "", "craftsman", "knight")
    game.turn(4, "income", "A").next_tile("income", "B")
    game.enter("actions")
    game.do(1, c.Pass(), place("guildhall", "farmer"))
    game.reject(1, c.UsePlace("guildhall"), "table.not_deciding")
    game.idle_round()
    game.idle_until("actions")
    game.idle(2)

    game.do(1, c.UsePlace("guildhall"))


def test_orleans_technology_after_passing__several_tiles() -> None:
    """All tiles in hand may be placed after one pass (p. 5)."""
    game = pass_with(3)

    game.do(1, place("ship", "farmer"), place("scriptorium", "knight"), place("wagon", "trader"))

    assert game.deciding() == [2]
    assert game.seat(1).technology.total() == 0


def test_orleans_technology_after_passing_and_planning() -> None:
    """With this reading a tile may also be placed while planning, but not before passing (ruling on p. 5)."""
    game = OrleansGame(2, technology_window=ALSO_PLANNING).technology(1, 2).market(1, boatman=1, knight=1)
    game.enter("planning")

    game.do(1, place("ship", "farmer"))
    game.do(1, c.PlaceFollower("boatman", "ship", "boatman"), c.PlaceFollower("knight", "ship", "knight"))
    game.idle_until("actions")
    game.reject(1, place("wagon", "knight"), "orleans.technology.after_passing_and_planning", "PASS_FIRST")
    game.do(1, c.Travel("ship", "blois"))
    game.idle(2)
    game.do(1, c.Pass(), place("wagon", "knight"))


def test_orleans_technology_after_passing_and_planning__not_taken_back() -> None:
    """A tile placed while planning is not withdrawn like a follower (p. 5)."""
    game = OrleansGame(2, technology_window=ALSO_PLANNING).technology(1).market(1, own_farmer=1)
    game.enter("planning")
    game.do(1, c.PlaceFollower("own_farmer", "ship", "farmer"), c.WithdrawFollower("ship", "farmer"))
    game.do(1, place("ship", "farmer"))

    game.reject(1, c.WithdrawFollower("ship", "farmer"), "orleans.planning.only_this_phase")


def test_orleans_technology_in_hand() -> None:
    """A seat places only tiles that it has in hand (p. 5)."""
    game = OrleansGame(2, technology_window=ALSO_PLANNING).technology(1).technology(2)
    game.enter("planning")
    game.do(1, place("ship", "farmer"))

    game.reject(1, place("wagon", "farmer"), "orleans.technology.in_hand", "NO_TECHNOLOGY")
    game.do(2, place("wagon", "farmer"))


def test_orleans_technology_in_hand__no_decision_without_a_tile() -> None:
    """A seat without technology makes no decision after passing, nor one that has placed its last tile (p. 5)."""
    game = pass_with(1)
    game.do(1, place("ship", "farmer"))
    assert game.decision(1) == ""

    game.turn(4, "income", "A").do(2, c.Pass())

    assert game.t.phase.value != "actions"


def test_orleans_technology_may_wait() -> None:
    """A tile may be kept and placed after passing in a later round (our ruling on p. 5)."""
    game = OrleansGame(2).technology(1, 3).turn(4, "income", "A").next_tile("income", "B")
    game.enter("actions")
    game.do(1, c.Pass(), place("ship", "farmer"), c.KeepTechnology())
    assert game.seat(1).technology.total() == 2
    game.idle_round()
    game.idle_until("actions")
    game.idle(2)

    game.do(1, c.Pass(), place("scriptorium", "scholar"))
    assert game.seat(1).technology.total() == 1


@pytest.mark.parametrize("window", ["after_passing", ALSO_PLANNING])
def test_orleans_technology_may_wait__until_a_later_phase(window: str) -> None:
    """A seat that keeps a tile after passing cannot place it while others still act (our ruling on p. 5)."""
    game = OrleansGame(2, technology_window=window).technology(1).fill(2, "scriptorium")
    game.enter("actions")
    game.do(1, c.Pass(), c.KeepTechnology())
    game.reject(1, place("ship", "farmer"), "table.not_deciding")
    game.do(2, c.UsePlace("scriptorium"))

    assert game.deciding() == [2]
    game.reject(1, place("ship", "farmer"), "table.not_deciding")


def test_orleans_technology_may_wait__without_a_free_space() -> None:
    """If no space for a farmer is free, the first tile is kept without a decision (p. 5)."""
    game = OrleansGame(5).technology(1)
    for id, space in FARMER_SPACES:
        game.bring("farmer", game.seat(1).estate().spaces[(id, space)].pile)
    game.enter("actions")

    game.do(1, c.Pass())

    assert game.deciding() == [2]
    assert game.seat(1).technology.total() == 1


# --- the first tile ------------------------------------------------------------------------------------------


def test_orleans_technology_first_replaces_farmer() -> None:
    """The first tile replaces a farmer of the board or of a place tile with two spaces (p. 5)."""
    game = pass_with(1, 0, "winery", "cheese_factory", "hayrick", "laboratory")

    more = {("winery", "farmer"), ("cheese_factory", "farmer"), ("cheese_factory", "farmer_2")}
    assert open_spaces(game) == FARMER_SPACES | more
    for key in [*sorted(OTHER_SPACES), ("winery", "trader"), ("laboratory", "craftsman")]:
        game.reject(1, place(*key), "orleans.technology.first_replaces_farmer", "FARMER_ONLY")
    game.do(1, place("cheese_factory", "farmer_2"))


def test_orleans_technology_first_replaces_farmer__also_with_the_herb_garden() -> None:
    """A boatman may stand in for a farmer, but a boatman's space is no farmer's space (p. 5, 8)."""
    game = pass_with(1, 0, "herb_garden", "school")

    assert open_spaces(game) == FARMER_SPACES


def test_orleans_technology_first_replaces_farmer__also_from_the_laboratory() -> None:
    """With this reading the rule applies to the first tile placed, from any source (p. 5, 8)."""
    game = OrleansGame(2).own(1, "laboratory").fill(1, "laboratory")
    game.enter("actions")
    game.do(1, c.UsePlace("laboratory"))
    game.idle(2)
    game.do(1, c.Pass())

    game.reject(1, place("scriptorium", "knight"), "orleans.technology.first_replaces_farmer")
    game.do(1, place("village", "farmer"))


def test_orleans_technology_first_replaces_farmer__once_in_a_game() -> None:
    """The rule applies to one tile, also if this tile was later lost by torture (p. 5, 6)."""
    game = pass_with(1)
    game.do(1, place("ship", "farmer"))
    game.at(1, coins=0).goods(1, wool=1).strike("taxes", "A")
    game.do(1, c.SurrenderTechnology("ship", "farmer"))
    game.technology(1)
    game.enter("actions")
    game.do(1, c.Pass())

    assert open_spaces(game) == FARMER_SPACES | OTHER_SPACES


def test_orleans_technology_first_replaces_farmer__each_seat_for_itself() -> None:
    """The rule applies to the first tile of each seat (p. 5)."""
    game = OrleansGame(2).technology(1).technology(2)
    game.enter("actions")
    game.do(1, c.Pass(), place("ship", "farmer"))
    game.do(2, c.Pass())

    game.reject(2, place("ship", "boatman"), "orleans.technology.first_replaces_farmer")


def test_orleans_technology_craftsmen_space_replaces_farmer() -> None:
    """With this reading the tile of the first craftsman must replace a farmer (8th edition, p. 6)."""
    game = OrleansGame(2, first_technology=FROM_CRAFTSMEN_TRACK).fill(1, "village")
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "craftsman"))
    game.idle(2)
    game.do(1, c.Pass())

    assert open_spaces(game) == FARMER_SPACES
    game.reject(1, place("scriptorium", "knight"), "orleans.technology.craftsmen_space_replaces_farmer", "FARMER_ONLY")
    game.do(1, place("guildhall", "farmer"))


def test_orleans_technology_craftsmen_space_replaces_farmer__not_a_tile_of_the_laboratory() -> None:
    """A first tile of the Laboratory may be placed on any space; the craftsman's tile after it does not (p. 6)."""
    game = OrleansGame(2, first_technology=FROM_CRAFTSMEN_TRACK).own(1, "laboratory").fill(1, "laboratory")
    game.enter("actions")
    game.do(1, c.UsePlace("laboratory"))
    game.idle(2)
    game.do(1, c.Pass(), place("scriptorium", "knight"))

    game.fill(1, "village")
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "craftsman"))
    game.idle(2)
    game.do(1, c.Pass())
    assert open_spaces(game) == FARMER_SPACES


@pytest.mark.parametrize(("first", "second_is_free"), [(("wagon", "knight"), False), (("wagon", "farmer"), True)])
def test_orleans_technology_craftsmen_space_replaces_farmer__among_two(
    first: tuple[str, str], second_is_free: bool
) -> None:
    """Of a bound and a free tile, the first one on a space for a farmer is the bound one (p. 6)."""
    game = OrleansGame(2, first_technology=FROM_CRAFTSMEN_TRACK).technology(1).fill(1, "village")
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "craftsman"))
    game.idle(2)
    game.do(1, c.Pass())
    assert open_spaces(game) == FARMER_SPACES | OTHER_SPACES

    game.do(1, place(*first))

    expected = FARMER_SPACES | OTHER_SPACES if second_is_free else FARMER_SPACES
    assert open_spaces(game) == {key for key in expected if key[0] != "wagon"}


def test_orleans_technology_craftsmen_space_replaces_farmer__not_for_the_second_craftsman() -> None:
    """Only the tile of the first craftsmen space must replace a farmer (p. 6)."""
    game = OrleansGame(2, first_technology=FROM_CRAFTSMEN_TRACK).fill(1, "village").at(1, craftsmen=1)
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "craftsman"))
    game.idle(2)
    game.do(1, c.Pass())

    assert open_spaces(game) == FARMER_SPACES | OTHER_SPACES


# --- spaces --------------------------------------------------------------------------------------------------


def test_orleans_technology_replaces_any_but_monk() -> None:
    """Later tiles replace any character except monks, on the board and on tiles with two spaces (p. 5)."""
    game = pass_with(1, 1, "cellar", "laboratory", "office", "windmill")

    tiles = {("cellar", "scholar"), ("laboratory", "craftsman"), ("laboratory", "scholar")}
    tiles |= {("office", "scholar"), ("office", "scholar_2"), ("windmill", "craftsman"), ("windmill", "craftsman_2")}
    assert open_spaces(game) == FARMER_SPACES | OTHER_SPACES | tiles
    game.do(1, place("office", "scholar_2"))


def test_orleans_technology_never_monk() -> None:
    """No tile replaces the monk of the Cellar (p. 5)."""
    for placed in (0, 1):
        game = pass_with(1, placed, "cellar")
        game.reject(1, place("cellar", "monk"), "orleans.technology.never_monk", "NEVER_FOR_MONK")
    game.do(1, place("cellar", "scholar"))


def test_orleans_technology_one_per_place() -> None:
    """A place with technology takes no second tile, on any of its spaces (p. 5)."""
    game = pass_with(2, 1, "office")
    game.do(1, place("village", "farmer"))

    for space in ("boatman", "craftsman"):
        game.reject(1, place("village", space), "orleans.technology.one_per_place", "ONE_PER_PLACE")
    game.do(1, place("castle", "farmer"))


def test_orleans_technology_one_per_place__over_rounds() -> None:
    """The tile of an earlier round counts, also on a place tile (p. 5)."""
    game = pass_with(1, 1, "office")
    game.do(1, place("office", "scholar"))
    game.technology(1)
    game.enter("actions")
    game.do(1, c.Pass())

    game.reject(1, place("office", "scholar_2"), "orleans.technology.one_per_place", "ONE_PER_PLACE")


@pytest.mark.parametrize(
    ("tile", "space"),
    [
        ("hayrick", "farmer"),
        ("shipping_line", "boatman"),
        ("brewery", "monk"),
        ("sacristy", "monk"),
        ("pharmacy", "any"),
        ("bathhouse", "any"),
    ],
)
def test_orleans_technology_never_single_space(tile: str, space: str) -> None:
    """Places with a single space take no tile, also not the first one for a farmer (p. 5)."""
    for placed in (0, 1):
        game = pass_with(1, placed, tile)
        game.reject(1, place(tile, space), "orleans.technology.never_single_space", "SINGLE_SPACE")


def test_orleans_technology_fixed_character() -> None:
    """The open spaces of Town Hall and Gunpowder Tower take no technology (our ruling on p. 5)."""
    game = pass_with(1, 1, "gunpowder_tower")

    for id in ("town_hall", "gunpowder_tower"):
        for space in ("any", "any_2"):
            game.reject(1, place(id, space), "orleans.technology.fixed_character", "NO_FIXED_CHARACTER")


def test_orleans_technology_free_space() -> None:
    """A space with a follower takes no tile (our ruling on p. 5)."""
    game = OrleansGame(2).technology(1, 2).fill(1, "ship", "farmer", "monk")
    game.enter("actions")
    game.do(1, c.Pass(), place("wagon", "farmer"))

    for space in ("farmer", "boatman"):
        game.reject(1, place("ship", space), "orleans.technology.free_space", "SPACE_TAKEN")
    game.do(1, place("ship", "knight"))


def test_orleans_technology_own_place() -> None:
    """Technology is placed only on existing spaces of own places (p. 5)."""
    game = pass_with(1, 1).own(2, "winery")

    for key in (("winery", "farmer"), ("office", "scholar"), ("ship", "monk"), ("school", "")):
        game.reject(1, place(*key), "orleans.technology.own_place", "NOT_YOUR_SPACE")
    game.reject(1, place("harbour", "farmer"), "table.known_ids", "UNKNOWN_ID")
    game.do(1, place("ship", "knight"))
    assert not game.counts("seat.2.ship.knight")


def test_orleans_technology_open_spaces() -> None:
    """With this reading Town Hall and Gunpowder Tower take one tile each; single spaces do not (ruling on p. 5)."""
    game = OrleansGame(2, technology_on_open_spaces="open").own(1, "gunpowder_tower", "pharmacy")
    game.technology(1, 3).at(1, technology_placed=1)
    game.enter("actions")
    game.do(1, c.Pass(), place("town_hall", "any_2"), place("gunpowder_tower", "any"))

    assert game.board(0).seats[0].technology_placed == 3
    game.reject(1, place("town_hall", "any"), "orleans.technology.one_per_place")
    game.reject(1, place("pharmacy", "any"), "orleans.technology.never_single_space")
    game.reject(1, c.SendToDeed("town_hall", "any_2", "city_wall"), "table.wrong_decision")


def test_orleans_technology_open_spaces__not_as_the_first_tile() -> None:
    """A space for any follower is no farmer's space (p. 5)."""
    game = OrleansGame(2, technology_on_open_spaces="open").technology(1)
    game.enter("actions")
    game.do(1, c.Pass())

    game.reject(1, place("town_hall", "any"), "orleans.technology.first_replaces_farmer")


def test_orleans_technology_open_spaces__technology_is_not_sent() -> None:
    """Technology in the Town Hall is not sent to a deed; the follower beside it is sent alone (p. 5)."""
    game = OrleansGame(2, technology_on_open_spaces="open").fill(1, "town_hall", "technology", "knight")
    game.enter("actions")

    game.reject(1, c.SendToDeed("town_hall", "any", "city_wall"), "orleans.deeds.exact_character")
    game.do(1, c.SendToDeed("town_hall", "any_2", "city_wall"))

    assert game.deciding() == [2]


def test_orleans_technology_sends_follower_home() -> None:
    """With this reading a tile may replace a follower on its space, which returns to the bag (ruling on p. 5)."""
    game = OrleansGame(2, technology_on_occupied="sends_follower_home").technology(1, 2).bag(1)
    game.fill(1, "ship", "own_farmer", "monk").fill(1, "wagon", "technology")
    game.enter("actions")
    game.do(1, c.Pass())

    game.reject(1, place("wagon", "farmer"), "orleans.technology.one_per_place")
    game.reject(1, place("ship", "boatman"), "orleans.technology.first_replaces_farmer")
    game.do(1, place("ship", "farmer"))

    assert game.seat(1).bag.counts() == {"own_farmer": 1}
    assert game.counts("seat.1.ship.farmer") == {"technology": 1}
    assert game.counts("seat.1.ship.boatman") == {"monk": 1}


def test_orleans_technology_tower_space_kept() -> None:
    """A follower placed from the tower (p. 23) may return to it, so technology leaves a space free for it."""
    game = OrleansGame(2, technology_window=ALSO_PLANNING, technology_on_open_spaces="open").technology(1)
    game.at(1, technology_placed=1).own(1, "gunpowder_tower").fill(1, "gunpowder_tower", "farmer", "knight")
    game.enter("planning")
    game.do(1, c.PlaceFollower("knight", "ship", "knight", from_tower=True))

    game.reject(1, place("gunpowder_tower", "any_2"), "orleans.technology.tower_space_kept", "SPACE_KEPT")
    game.do(1, c.WithdrawFollower("ship", "knight"))
    assert game.counts("place.gunpowder_tower.any_2") == {"knight": 1}


def test_orleans_technology_tower_space_kept__not_with_another_free_space() -> None:
    """A tower with another free space has room for both, and after planning no follower returns."""
    game = OrleansGame(2, technology_window=ALSO_PLANNING, technology_on_open_spaces="open").technology(1)
    game.at(1, technology_placed=1).own(1, "gunpowder_tower").fill(1, "gunpowder_tower", "", "knight")
    game.enter("planning")
    game.do(1, c.PlaceFollower("knight", "ship", "knight", from_tower=True), place("gunpowder_tower", "any_2"))
    game.do(1, c.WithdrawFollower("ship", "knight"))
    assert game.counts("place.gunpowder_tower.any") == {"knight": 1}

    game.empty(game.seat(1).estate().storage[1].pile, "technology").technology(1)
    game.do(1, c.PlaceFollower("knight", "ship", "knight", from_tower=True))
    game.idle_until("actions")
    game.do(1, c.Pass(), place("gunpowder_tower", "any"))


def test_orleans_technology_sends_follower_home__and_is_not_withdrawn() -> None:
    """A tile on the space of a follower placed in this phase cannot be withdrawn (p. 5)."""
    game = OrleansGame(2, technology_on_occupied="sends_follower_home", technology_window=ALSO_PLANNING)
    game.technology(1).market(1, own_farmer=1).bag(1)
    game.enter("planning")
    game.do(1, c.PlaceFollower("own_farmer", "ship", "farmer"), place("ship", "farmer"))

    assert game.seat(1).bag.counts() == {"own_farmer": 1}
    game.reject(1, c.WithdrawFollower("ship", "farmer"), "orleans.planning.only_this_phase")


# --- after placing -------------------------------------------------------------------------------------------


def test_orleans_technology_never_moved() -> None:
    """A placed tile is not taken back or withdrawn, and no other component is placed on it (p. 5)."""
    game = OrleansGame(2).fill(1, "ship", "technology").market(1, own_farmer=1).bag(1, knight=4)
    game.enter("followers")
    game.reject(1, c.TakeBackFollower("ship", "farmer"), "orleans.taking_back.never_technology")
    game.enter("planning")
    game.reject(1, c.WithdrawFollower("ship", "farmer"), "orleans.planning.only_this_phase")
    game.reject(1, c.PlaceFollower("own_farmer", "ship", "farmer"), "orleans.planning.free_space")
    game.idle_until("actions")
    game.technology(1).at(1, technology_placed=1)
    game.do(1, c.Pass())
    game.reject(1, place("ship", "farmer"), "orleans.technology.one_per_place")


def test_orleans_technology_stays() -> None:
    """The tile replaces its follower for each action; the other spaces are filled again (p. 5)."""
    game = OrleansGame(2).bag(1).fill(1, "scriptorium", "technology", "scholar")
    for development in (1, 2, 3):
        game.enter("actions")
        game.do(1, c.UsePlace("scriptorium"))

        assert game.seat(1).development.value == development
        assert game.counts("seat.1.scriptorium.knight") == {"technology": 1}
        game.idle(2)
        game.reject(1, c.UsePlace("scriptorium"), "orleans.actions.activated")
        game.fill(1, "scriptorium", "", "scholar")
    assert game.seat(1).bag.counts() == {"scholar": 3}


# --- the Laboratory ------------------------------------------------------------------------------------------


def test_orleans_laboratory_technology() -> None:
    """A craftsman and a scholar give a technology tile, which is placed after passing (p. 8)."""
    game = OrleansGame(2).own(1, "laboratory").bag(1).fill(1, "laboratory")
    left = game.t.technology.total()
    game.enter("actions")

    events = game.do(1, c.UsePlace("laboratory"))

    assert detail(events, e.PlaceUsed).technology
    assert game.seat(1).technology.total() == 1
    assert game.t.technology.total() == left - 1
    assert game.seat(1).bag.counts() == {"craftsman": 1, "scholar": 1}
    assert game.seat(1).track["craftsmen"].value == 0
    game.idle(2)
    game.reject(1, place("ship", "farmer"), "orleans.technology.after_passing")
    game.do(1, c.Pass(), place("ship", "farmer"))


def test_orleans_laboratory_technology_available() -> None:
    """If technology has run out, the Laboratory is closed (p. 8)."""
    game = OrleansGame(2).own(1, "laboratory").fill(1, "laboratory")
    game.run_out("technology", game.t.technology)
    game.enter("actions")

    game.reject(1, c.UsePlace("laboratory"), "orleans.laboratory.technology_available")

    game.bring("technology", game.t.technology)
    game.do(1, c.UsePlace("laboratory"))
    assert game.t.technology.total() == 0


@pytest.mark.parametrize("space", ["craftsman", "scholar"])
def test_orleans_laboratory_own_space(space: str) -> None:
    """The tile may be placed on a space of the Laboratory (p. 8)."""
    game = OrleansGame(2).own(1, "laboratory").fill(1, "laboratory").at(1, technology_placed=1)
    game.enter("actions")
    game.do(1, c.UsePlace("laboratory"))
    game.idle(2)

    game.do(1, c.Pass(), place("laboratory", space))

    assert game.counts(f"place.laboratory.{space}") == {"technology": 1}


def test_orleans_laboratory_own_space__not_as_the_first_tile() -> None:
    """The Laboratory has no space for a farmer, so it does not take the first tile (p. 5, 8)."""
    game = pass_with(1, 0, "laboratory")

    game.reject(1, place("laboratory", "scholar"), "orleans.technology.first_replaces_farmer")


def test_orleans_technology_tower_space_kept__not_for_other_followers() -> None:
    """Followers placed from the market do not return to the tower (our ruling)."""
    game = OrleansGame(2, technology_window=ALSO_PLANNING, technology_on_open_spaces="open").own(1, "gunpowder_tower")
    game.technology(1).at(1, technology_placed=1).market(1, boatman=1).fill(1, "wagon", "farmer", "trader")
    game.enter("planning")
    game.do(1, c.PlaceFollower("boatman", "ship", "boatman"))

    assert {("gunpowder_tower", "any"), ("gunpowder_tower", "any_2")} < open_spaces(game)


def test_orleans_technology_tower_space_kept__not_on_other_places() -> None:
    """Only spaces of the tower are kept free, not those of other places (our ruling)."""
    game = OrleansGame(2, technology_window=ALSO_PLANNING, technology_on_open_spaces="open").own(1, "gunpowder_tower")
    game.technology(1).fill(1, "gunpowder_tower", "knight").enter("planning")

    game.do(1, place("ship", "farmer"))


def test_orleans_technology_tower_space_kept__only_while_planning() -> None:
    """After planning no follower returns to the tower, so its free spaces take a tile (our ruling)."""
    game = OrleansGame(2, technology_on_open_spaces="open").own(1, "gunpowder_tower").technology(1)
    game.at(1, technology_placed=1).fill(1, "gunpowder_tower", "boatman", "knight").enter("planning")
    game.do(1, c.PlaceFollower("boatman", "ship", "boatman", from_tower=True))
    game.do(1, c.PlaceFollower("knight", "ship", "knight", from_tower=True))
    game.idle_until("actions")

    game.do(1, c.Pass(), place("gunpowder_tower", "any"))
