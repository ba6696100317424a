"""Technology tiles, and the Laboratory that brings them."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e

FARMER_SPACES = {(place, "farmer") for place in ("ship", "wagon", "guildhall", "castle", "village", "university")}
"""The farmers of the player board; all lie at places with several spaces."""
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
    """Put a technology tile on a space."""
    return c.PlaceTechnology(place, space)


def passed(tiles: int = 1, placed: int = 0, *owned: str, first_technology: str = "first_placed") -> OrleansGame:
    """Seat 1 has just passed with technology in hand, after having placed some earlier in the game."""
    game = OrleansGame(2, first_technology=first_technology).own(1, *owned).technology(1, tiles)
    game.at(1, technology_placed=placed)
    game.enter("actions")
    game.do(1, c.Pass())
    return game


def open_spaces(game: OrleansGame) -> set[tuple[str, str]]:
    """Where seat 1 may put technology now."""
    return {(x.place, x.space) for x in game.legal(1) if isinstance(x, c.PlaceTechnology)}


# --- when ----------------------------------------------------------------------------------------------------


def test_orleans_technology_after_passing() -> None:
    """As long as its owner may still act, or plans, technology stays aside; after passing it is placed (p. 5)."""
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
    """A place that technology completes after the pass is used in the next round at the earliest (p. 4, 5)."""
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
    game = passed(3)

    game.do(1, place("ship", "farmer"), place("scriptorium", "knight"), place("wagon", "trader"))

    assert game.deciding() == [2]
    assert game.seat(1).technology.total() == 0


def test_orleans_technology_after_passing_and_planning() -> None:
    """Under that reading a kept tile may be placed while planning; before passing it still waits (ruling on p. 5)."""
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
    """Without a tile in hand nothing is placed, though one lies on the table and others in the supply (p. 5)."""
    game = OrleansGame(2, technology_window=ALSO_PLANNING).technology(1).technology(2)
    game.enter("planning")
    game.do(1, place("ship", "farmer"))

    game.reject(1, place("wagon", "farmer"), "orleans.technology.in_hand", "NO_TECHNOLOGY")
    game.do(2, place("wagon", "farmer"))


def test_orleans_technology_in_hand__nobody_else_is_asked() -> None:
    """Who has no technology passes without a question, and so does who has just placed the last one (p. 5)."""
    game = passed(1)
    game.do(1, place("ship", "farmer"))
    assert game.decision(1) == ""

    game.turn(4, "income", "A").do(2, c.Pass())

    assert game.t.phase.value != "actions"


def test_orleans_technology_may_wait() -> None:
    """A tile may be kept and be placed after the pass of a later round (our ruling on p. 5)."""
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
def test_orleans_technology_may_wait__till_a_later_phase(window: str) -> None:
    """Who keeps a tile after passing does not place it while others still act (our ruling on p. 5)."""
    game = OrleansGame(2, technology_window=window).technology(1).fill(2, "scriptorium")
    game.enter("actions")
    game.do(1, c.Pass(), c.KeepTechnology())
    game.reject(1, place("ship", "farmer"), "table.not_deciding")
    game.do(2, c.UsePlace("scriptorium"))

    assert game.deciding() == [2]
    game.reject(1, place("ship", "farmer"), "table.not_deciding")


def test_orleans_technology_may_wait__has_to_without_an_open_space() -> None:
    """If the first tile finds no free farmer's space, it waits without a question (p. 5)."""
    game = OrleansGame(5).technology(1)
    for id, space in FARMER_SPACES:
        game.bring("farmer", game.seat(1).estate().spaces[(id, space)].pile)
    game.enter("actions")

    game.do(1, c.Pass())

    assert game.deciding() == [2]
    assert game.seat(1).technology.total() == 1


# --- the first tile ------------------------------------------------------------------------------------------


def test_orleans_technology_first_replaces_farmer() -> None:
    """The first tile goes to one of the farmers, of the board or of a place tile with two spaces (p. 5)."""
    game = passed(1, 0, "winery", "cheese_factory", "hayrick", "laboratory")

    more = {("winery", "farmer"), ("cheese_factory", "farmer"), ("cheese_factory", "farmer_2")}
    assert open_spaces(game) == FARMER_SPACES | more
    for key in [*sorted(OTHER_SPACES), ("winery", "trader"), ("laboratory", "craftsman")]:
        game.reject(1, place(*key), "orleans.technology.first_replaces_farmer", "FARMER_ONLY")
    game.do(1, place("cheese_factory", "farmer_2"))


def test_orleans_technology_first_replaces_farmer__by_herb_garden_no_other() -> None:
    """A boatman may stand in for farmers, yet a boatman's space is no farmer's (p. 5, 8)."""
    game = passed(1, 0, "herb_garden", "school")

    assert open_spaces(game) == FARMER_SPACES


def test_orleans_technology_first_replaces_farmer__from_the_laboratory_too() -> None:
    """Under this reading it is the first tile placed, wherever it came from (p. 5, 8)."""
    game = OrleansGame(2).own(1, "laboratory").fill(1, "laboratory")
    game.enter("actions")
    game.do(1, c.UsePlace("laboratory"))
    game.idle(2)
    game.do(1, c.Pass())

    game.reject(1, place("scriptorium", "knight"), "orleans.technology.first_replaces_farmer")
    game.do(1, place("village", "farmer"))


def test_orleans_technology_first_replaces_farmer__once_a_game() -> None:
    """After the first tile of the game the rule is spent, also if that tile was lost under torture (p. 5, 6)."""
    game = passed(1)
    game.do(1, place("ship", "farmer"))
    game.at(1, coins=0).goods(1, wool=1).strike("taxes", "A")
    game.do(1, c.SurrenderTechnology("ship", "farmer"))
    game.technology(1)
    game.enter("actions")
    game.do(1, c.Pass())

    assert open_spaces(game) == FARMER_SPACES | OTHER_SPACES


def test_orleans_technology_first_replaces_farmer__each_seat_for_itself() -> None:
    """Another seat's first tile is not one's own (p. 5)."""
    game = OrleansGame(2).technology(1).technology(2)
    game.enter("actions")
    game.do(1, c.Pass(), place("ship", "farmer"))
    game.do(2, c.Pass())

    game.reject(2, place("ship", "boatman"), "orleans.technology.first_replaces_farmer")


def test_orleans_technology_craftsmen_space_replaces_farmer() -> None:
    """In that reading the tile of the first craftsman is tied to a farmer (8th edition, p. 6)."""
    game = OrleansGame(2, first_technology=FROM_CRAFTSMEN_TRACK).fill(1, "village")
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "craftsman"))
    game.idle(2)
    game.do(1, c.Pass())

    assert open_spaces(game) == FARMER_SPACES
    game.reject(1, place("scriptorium", "knight"), "orleans.technology.craftsmen_space_replaces_farmer", "FARMER_ONLY")
    game.do(1, place("guildhall", "farmer"))


def test_orleans_technology_craftsmen_space_replaces_farmer__not_the_tile_of_the_laboratory() -> None:
    """A tile of the Laboratory is free even if it comes first; the craftsman's tile later is not (p. 6)."""
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
    """With a free tile beside the tied one, either may go first; the tied one is used up on a farmer (p. 6)."""
    game = OrleansGame(2, first_technology=FROM_CRAFTSMEN_TRACK).technology(1).fill(1, "village")
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "craftsman"))
    game.idle(2)
    game.do(1, c.Pass())
    assert open_spaces(game) == FARMER_SPACES | OTHER_SPACES

    game.do(1, place(*first))

    expected = FARMER_SPACES | OTHER_SPACES if second_is_free else FARMER_SPACES
    assert open_spaces(game) == {key for key in expected if key[0] != "wagon"}


def test_orleans_technology_craftsmen_space_replaces_farmer__the_second_craftsman_is_free() -> None:
    """Only the first space of the craftsmen track ties its tile (p. 6)."""
    game = OrleansGame(2, first_technology=FROM_CRAFTSMEN_TRACK).fill(1, "village").at(1, craftsmen=1)
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "craftsman"))
    game.idle(2)
    game.do(1, c.Pass())

    assert open_spaces(game) == FARMER_SPACES | OTHER_SPACES


# --- where ---------------------------------------------------------------------------------------------------


def test_orleans_technology_replaces_any_but_monk() -> None:
    """From the second tile on every character of the board and of two-space tiles may be replaced (p. 5)."""
    game = passed(1, 1, "cellar", "laboratory", "office", "windmill")

    tiles = {("cellar", "scholar"), ("laboratory", "craftsman"), ("laboratory", "scholar")}
    tiles |= {("office", "scholar"), ("office", "scholar_2"), ("windmill", "craftsman"), ("windmill", "craftsman_2")}
    assert open_spaces(game) == FARMER_SPACES | OTHER_SPACES | tiles
    game.do(1, place("office", "scholar_2"))


def test_orleans_technology_never_monk() -> None:
    """Of the Cellar's two spaces the monk's stays closed, for the first tile as for later ones (p. 5)."""
    for placed in (0, 1):
        game = passed(1, placed, "cellar")
        game.reject(1, place("cellar", "monk"), "orleans.technology.never_monk", "NEVER_FOR_MONK")
    game.do(1, place("cellar", "scholar"))


def test_orleans_technology_one_per_place() -> None:
    """A place with technology takes no second tile, on any of its spaces (p. 5)."""
    game = passed(2, 1, "office")
    game.do(1, place("village", "farmer"))

    for space in ("boatman", "craftsman"):
        game.reject(1, place("village", space), "orleans.technology.one_per_place", "ONE_PER_PLACE")
    game.do(1, place("castle", "farmer"))


def test_orleans_technology_one_per_place__over_rounds() -> None:
    """The tile of an earlier round counts, on a place tile too (p. 5)."""
    game = passed(1, 1, "office")
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
    """Places that ask for a single follower take no tile, be it a farmer and the tile the first (p. 5)."""
    for placed in (0, 1):
        game = passed(1, placed, tile)
        game.reject(1, place(tile, space), "orleans.technology.never_single_space", "SINGLE_SPACE")


def test_orleans_technology_fixed_character() -> None:
    """The open spaces of Town Hall and Gunpowder Tower take no technology (our ruling on p. 5)."""
    game = passed(1, 1, "gunpowder_tower")

    for id in ("town_hall", "gunpowder_tower"):
        for space in ("any", "any_2"):
            game.reject(1, place(id, space), "orleans.technology.fixed_character", "NO_FIXED_CHARACTER")


def test_orleans_technology_free_space() -> None:
    """A space with a follower on it is taken; its neighbour is not (our ruling on p. 5)."""
    game = OrleansGame(2).technology(1, 2).fill(1, "ship", "farmer", "monk")
    game.enter("actions")
    game.do(1, c.Pass(), place("wagon", "farmer"))

    for space in ("farmer", "boatman"):
        game.reject(1, place("ship", space), "orleans.technology.free_space", "SPACE_TAKEN")
    game.do(1, place("ship", "knight"))


def test_orleans_technology_own_place() -> None:
    """Neither place tiles of another seat or of the stacks nor spaces that there are not take technology (p. 5)."""
    game = passed(1, 1).own(2, "winery")

    for key in (("winery", "farmer"), ("office", "scholar"), ("ship", "monk"), ("school", "")):
        game.reject(1, place(*key), "orleans.technology.own_place", "NOT_YOUR_SPACE")
    game.reject(1, place("harbour", "farmer"), "table.known_ids", "UNKNOWN_ID")
    game.do(1, place("ship", "knight"))
    assert not game.counts("seat.2.ship.knight")


def test_orleans_technology_open_spaces() -> None:
    """Under that reading Town Hall and Gunpowder Tower take one tile each; single spaces do not (ruling on p. 5)."""
    game = OrleansGame(2, technology_on_open_spaces="open").own(1, "gunpowder_tower", "pharmacy")
    game.technology(1, 3).at(1, technology_placed=1)
    game.enter("actions")
    game.do(1, c.Pass(), place("town_hall", "any_2"), place("gunpowder_tower", "any"))

    assert game.board(0).seats[0].technology_placed == 3
    game.reject(1, place("town_hall", "any"), "orleans.technology.one_per_place")
    game.reject(1, place("pharmacy", "any"), "orleans.technology.never_single_space")
    game.reject(1, c.SendToDeed("town_hall", "any_2", "city_wall"), "table.wrong_decision")


def test_orleans_technology_open_spaces__not_as_the_first_tile() -> None:
    """A space for anybody is no farmer's space (p. 5)."""
    game = OrleansGame(2, technology_on_open_spaces="open").technology(1)
    game.enter("actions")
    game.do(1, c.Pass())

    game.reject(1, place("town_hall", "any"), "orleans.technology.first_replaces_farmer")


def test_orleans_technology_open_spaces__technology_goes_to_no_deed() -> None:
    """Technology in the Town Hall is not sent anywhere; the follower beside it is, alone (p. 5)."""
    game = OrleansGame(2, technology_on_open_spaces="open").fill(1, "town_hall", "technology", "knight")
    game.enter("actions")

    game.reject(1, c.SendToDeed("town_hall", "any", "city_wall"), "orleans.deeds.exact_character")
    game.do(1, c.SendToDeed("town_hall", "any_2", "city_wall"))

    assert game.deciding() == [2]


def test_orleans_technology_sends_follower_home() -> None:
    """Under that reading a tile may take the space of a follower, who goes to the bag (ruling on p. 5)."""
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
    """A follower placed from the tower (p. 23) may come back to it, so that technology leaves a space there free."""
    game = OrleansGame(2, technology_window=ALSO_PLANNING, technology_on_open_spaces="open").technology(1)
    game.at(1, technology_placed=1).own(1, "gunpowder_tower").fill(1, "gunpowder_tower", "farmer", "knight")
    game.enter("planning")
    game.do(1, c.PlaceFollower("knight", "ship", "knight", from_tower=True))

    game.reject(1, place("gunpowder_tower", "any_2"), "orleans.technology.tower_space_kept", "SPACE_KEPT")
    game.do(1, c.WithdrawFollower("ship", "knight"))
    assert game.counts("place.gunpowder_tower.any_2") == {"knight": 1}


def test_orleans_technology_tower_space_kept__not_where_there_is_another() -> None:
    """With a tower that was half empty there is a space for each of them, and after planning nobody comes back."""
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
    """Put where a follower was placed in this very planning phase, the tile is not withdrawn like it (p. 5)."""
    game = OrleansGame(2, technology_on_occupied="sends_follower_home", technology_window=ALSO_PLANNING)
    game.technology(1).market(1, own_farmer=1).bag(1)
    game.enter("planning")
    game.do(1, c.PlaceFollower("own_farmer", "ship", "farmer"), place("ship", "farmer"))

    assert game.seat(1).bag.counts() == {"own_farmer": 1}
    game.reject(1, c.WithdrawFollower("ship", "farmer"), "orleans.planning.only_this_phase")


# --- for good ------------------------------------------------------------------------------------------------


def test_orleans_technology_never_moved() -> None:
    """Neither drawing nor planning brings a placed tile back, and nothing is put on top of it (p. 5)."""
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
    """Use after use the tile replaces its follower; the other spaces are filled anew each time (p. 5)."""
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
    """Craftsman and scholar bring a technology tile, which waits for the pass like any other (p. 8)."""
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
    """Once technology has run out the activated Laboratory is closed; the last tile is still given (p. 8)."""
    game = OrleansGame(2).own(1, "laboratory").fill(1, "laboratory")
    game.run_out("technology", game.t.technology)
    game.enter("actions")

    game.reject(1, c.UsePlace("laboratory"), "orleans.laboratory.technology_available")

    game.bring("technology", game.t.technology)
    game.do(1, c.UsePlace("laboratory"))
    assert game.t.technology.total() == 0


@pytest.mark.parametrize("space", ["craftsman", "scholar"])
def test_orleans_laboratory_own_space(space: str) -> None:
    """The tile may go to the Laboratory itself, on a space that its followers have just left (p. 8)."""
    game = OrleansGame(2).own(1, "laboratory").fill(1, "laboratory").at(1, technology_placed=1)
    game.enter("actions")
    game.do(1, c.UsePlace("laboratory"))
    game.idle(2)

    game.do(1, c.Pass(), place("laboratory", space))

    assert game.counts(f"place.laboratory.{space}") == {"technology": 1}


def test_orleans_laboratory_own_space__not_as_the_first_tile() -> None:
    """The Laboratory has no farmer, so the first tile of all cannot go there (p. 5, 8)."""
    game = passed(1, 0, "laboratory")

    game.reject(1, place("laboratory", "scholar"), "orleans.technology.first_replaces_farmer")


def test_orleans_technology_tower_space_kept__not_for_other_followers() -> None:
    """Only who left the tower while planning may need its spaces again, not who came from the market (our ruling)."""
    game = OrleansGame(2, technology_window=ALSO_PLANNING, technology_on_open_spaces="open").own(1, "gunpowder_tower")
    game.technology(1).at(1, technology_placed=1).market(1, boatman=1).fill(1, "wagon", "farmer", "trader")
    game.enter("planning")
    game.do(1, c.PlaceFollower("boatman", "ship", "boatman"))

    assert {("gunpowder_tower", "any"), ("gunpowder_tower", "any_2")} < open_spaces(game)


def test_orleans_technology_tower_space_kept__no_other_space_is() -> None:
    """That they may need the tower again closes no space of another place (our ruling)."""
    game = OrleansGame(2, technology_window=ALSO_PLANNING, technology_on_open_spaces="open").own(1, "gunpowder_tower")
    game.technology(1).fill(1, "gunpowder_tower", "knight").enter("planning")

    game.do(1, place("ship", "farmer"))


def test_orleans_technology_tower_space_kept__only_while_planning() -> None:
    """After passing nobody goes back to the tower any more, so its free spaces take a tile (our ruling)."""
    game = OrleansGame(2, technology_on_open_spaces="open").own(1, "gunpowder_tower").technology(1)
    game.at(1, technology_placed=1).fill(1, "gunpowder_tower", "boatman", "knight").enter("planning")
    game.do(1, c.PlaceFollower("boatman", "ship", "boatman", from_tower=True))
    game.do(1, c.PlaceFollower("knight", "ship", "knight", from_tower=True))
    game.idle_until("actions")

    game.do(1, c.Pass(), place("gunpowder_tower", "any"))
