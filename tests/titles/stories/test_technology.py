"""Technology tiles: when and where they are placed."""

from __future__ import annotations

from tests.titles.stories.kit import StoriesGame, detail

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

FARMER_SPACES = {
    *(("fishery", "farmer"), ("crafts_and_trade", "farmer"), ("landed_estate", "farmer"), ("territory", "farmer")),
    *(("construction_yard", "farmer"), ("village_building", "farmer"), ("university", "farmer")),
}
"""The farmer spaces of the player board and the University."""


def place(place: str, space: str) -> c.PlaceTechnology:
    """Put a technology tile on a space."""
    return c.PlaceTechnology(place, space)


def pass_with_technology(*cards: str, placed: int = 1) -> StoriesGame:
    """Seat 1 has passed with a technology tile; ``placed`` is the number of tiles placed before."""
    game = StoriesGame().own(1, *cards).technology(1).at(1, technology_placed=placed)
    game.act(1, c.Pass())
    return game


def find_spaces(game: StoriesGame) -> set[tuple[str, str]]:
    """Return the spaces on which seat 1 may put technology now."""
    return {(command.place, command.space) for command in game.listed(1, c.PlaceTechnology)}


def test_stories_technology_after_passing_and_planning() -> None:
    """A seat places technology after it has passed, and during planning."""
    game = StoriesGame().technology(1, 2).at(1, technology_placed=1)
    rule = "stories.technology.after_passing_and_planning"
    game.enter("actions")
    game.reject(1, place("farm", "fisherman"), rule, "PASS_FIRST")
    game.do(1, c.Pass())
    events = game.do(1, place("farm", "fisherman"))
    assert detail(events, e.TechnologyPlaced) == e.TechnologyPlaced("farm", "fisherman")

    game.enter("planning")
    game.do(1, place("fishery", "trader"))
    assert game.counts("seat.1.fishery.trader") == {"technology": 1}


def test_stories_technology_any_time() -> None:
    """Reading ``technology_timing``: also during the actions; it costs no action and takes effect at once."""
    game = StoriesGame(technology_timing="any_time").technology(1).at(1, technology_placed=1).bag(1)
    game.fill(1, "farm", "fisherman").enter("actions")
    game.do(1, place("farm", "craftsman"))
    assert game.deciding() == [1]
    game.do(1, c.UsePlace("farm"))
    assert game.seat(1).bag.counts() == {"farmer": 1, "fisherman": 1}


def test_stories_technology_any_time__not_during_other_turns() -> None:
    """After passing, the seat places it as with the default reading."""
    game = StoriesGame(technology_timing="any_time").technology(1).at(1, technology_placed=1)
    game.enter("actions", 2)
    game.reject(1, place("farm", "craftsman"), "table.not_deciding")
    game.idle(2)
    game.do(1, c.Pass())
    assert game.decision(1) == "technology"
    game.do(1, place("farm", "craftsman"))
    assert game.t.phase.value != "actions"


def test_stories_technology_in_hand() -> None:
    game = StoriesGame().at(1, technology_placed=1)
    game.enter("planning")
    game.reject(1, place("farm", "fisherman"), "stories.technology.in_hand", "NO_TECHNOLOGY")


def test_stories_technology_may_wait() -> None:
    """A seat may keep the tile; a seat without one has no decision."""
    game = pass_with_technology()
    game.do(1, c.KeepTechnology())
    assert game.seat(1).technology.total() == 1
    assert game.deciding() == [2]
    game.do(2, c.Pass())
    assert game.t.phase.value != "actions"


def test_stories_technology_first_replaces_farmer() -> None:
    """The first tile goes to a farmer's space, also one that a knight could take."""
    game = pass_with_technology(placed=0)
    assert find_spaces(game) == FARMER_SPACES
    game.reject(1, place("farm", "craftsman"), "stories.technology.first_replaces_farmer", "FARMER_ONLY")
    game.reject(1, place("territory", "fisherman"), "stories.technology.first_replaces_farmer", "FARMER_ONLY")
    game.do(1, place("territory", "farmer"))


def test_stories_technology_replaces_any_but_monk() -> None:
    """Later tiles go to all spaces except those of monks, single spaces and the Town Hall."""
    game = pass_with_technology("cellar", "pub", "garrison", "county_fair", "ferry")
    spaces = game.seat(1).estate().spaces
    never = {("cellar", "monk"), ("pub", "any"), ("garrison", "knight"), ("town_hall", "any"), ("town_hall", "any_2")}
    assert find_spaces(game) == {key for key in spaces if key not in never and key[0] != "county_fair"}


def test_stories_technology_never_monk() -> None:
    game = pass_with_technology("cellar")
    game.reject(1, place("cellar", "monk"), "stories.technology.never_monk", "NEVER_FOR_MONK")
    game.do(1, place("cellar", "scholar"))


def test_stories_technology_never_single_space() -> None:
    for card in ("granary", "pub", "garrison", "brewery", "sacristy"):
        game = pass_with_technology(card)
        space = game.data.places[card].spaces[0].id
        game.reject(1, place(card, space), "stories.technology.never_single_space", "SINGLE_SPACE")


def test_stories_technology_fixed_character() -> None:
    """The County Fair and the Town Hall accept no technology: one follower activates them."""
    game = pass_with_technology("county_fair")
    for key in (("county_fair", "farmer"), ("town_hall", "any")):
        game.reject(1, place(*key), "stories.technology.fixed_character", "NO_FIXED_CHARACTER")


def test_stories_technology_open_spaces() -> None:
    """Reading ``technology_on_open_spaces``: they accept one each, but never instead of a monk."""
    game = StoriesGame(technology_on_open_spaces="open").own(1, "county_fair").technology(1, 3)
    game.at(1, technology_placed=1).act(1, c.Pass())
    game.reject(1, place("county_fair", "monk"), "stories.technology.never_monk", "NEVER_FOR_MONK")
    game.do(1, place("county_fair", "farmer"), place("town_hall", "any"))
    game.reject(1, place("town_hall", "any_2"), "stories.technology.one_per_place", "ONE_PER_PLACE")


def test_stories_technology_one_per_place() -> None:
    game = pass_with_technology().fill(1, "farm", "technology")
    game.reject(1, place("farm", "craftsman"), "stories.technology.one_per_place", "ONE_PER_PLACE")


def test_stories_technology_free_space() -> None:
    game = pass_with_technology().fill(1, "farm", "fisherman")
    game.reject(1, place("farm", "fisherman"), "stories.technology.free_space", "SPACE_TAKEN")


def test_stories_technology_sends_follower_home() -> None:
    """Reading ``technology_on_occupied``: the follower on the space returns to the bag."""
    game = StoriesGame(technology_on_occupied="sends_follower_home").technology(1).at(1, technology_placed=1)
    game.bag(1).fill(1, "farm", "fisherman").act(1, c.Pass())
    game.do(1, place("farm", "fisherman"))
    assert game.seat(1).bag.counts() == {"fisherman": 1}


def test_stories_technology_own_place() -> None:
    game = pass_with_technology().own(2, "winery")
    for key in (("castle", "trader"), ("winery", "trader"), ("farm", "knight")):
        game.reject(1, place(*key), "stories.technology.own_place", "NOT_YOUR_SPACE")


def test_stories_technology_stays() -> None:
    """It is neither withdrawn nor taken back, and no follower is placed on it."""
    game = StoriesGame().fill(1, "farm", "technology").market(1, fisherman=1).bag(1, farmer=3)
    game.enter("followers")
    game.reject(1, c.TakeBackFollower("farm", "fisherman"), "stories.taking_back.never_technology")
    game.enter("planning")
    game.reject(1, c.WithdrawFollower("farm", "fisherman"), "stories.planning.only_this_phase")
    game.reject(1, c.PlaceFollower("fisherman", "farm", "fisherman"), "stories.planning.free_space")


def test_stories_technology_no_knight() -> None:
    """It is no knight on a knight's space, but helps to enter a free area."""
    game = StoriesGame().settle("c2r2", 2).fill(1, "territory", "technology", "fisherman", "trader")
    game.enter("actions")
    game.reject(1, c.Conquer("territory", "c2r2"), "stories.conquest.knights", "TOO_FEW_KNIGHTS")
    game.do(1, c.Expand("territory", "c2r3"))
    assert game.counts("seat.1.territory.farmer") == {"technology": 1}
