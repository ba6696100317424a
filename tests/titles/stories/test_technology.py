"""Technology tiles: when they are placed, where, and what they are not."""

from __future__ import annotations

from tests.titles.stories.kit import StoriesGame, detail

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

FARMER_SPACES = {
    *(("fishery", "farmer"), ("crafts_and_trade", "farmer"), ("landed_estate", "farmer"), ("territory", "farmer")),
    *(("construction_yard", "farmer"), ("village_building", "farmer"), ("university", "farmer")),
}
"""The farmers of the player board and the University."""


def place(place: str, space: str) -> c.PlaceTechnology:
    """Put a technology tile on a space."""
    return c.PlaceTechnology(place, space)


def passed(*cards: str, placed: int = 1) -> StoriesGame:
    """Seat 1 has passed, with a technology tile in hand and so many placed before."""
    game = StoriesGame().own(1, *cards).technology(1).at(1, technology_placed=placed)
    game.act(1, c.Pass())
    return game


def open_to(game: StoriesGame) -> set[tuple[str, str]]:
    """Where seat 1 may put technology now."""
    return {(command.place, command.space) for command in game.listed(1, c.PlaceTechnology)}


def test_stories_technology_after_passing_and_planning() -> None:
    """Who still acts places none; who has passed does, and so does who plans with a tile kept from before."""
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
    """Read otherwise, it is placed while acting too, which costs no action and serves at once."""
    game = StoriesGame(technology_timing="any_time").technology(1).at(1, technology_placed=1).bag(1)
    game.fill(1, "farm", "fisherman").enter("actions")
    game.do(1, place("farm", "craftsman"))
    assert game.deciding() == [1]
    game.do(1, c.UsePlace("farm"))
    assert game.seat(1).bag.counts() == {"farmer": 1, "fisherman": 1}


def test_stories_technology_any_time__others_do_not_wait() -> None:
    """Nobody places any while others act, and after the pass it is as always."""
    game = StoriesGame(technology_timing="any_time").technology(1).at(1, technology_placed=1)
    game.enter("actions", 2)
    game.reject(1, place("farm", "craftsman"), "table.not_deciding")
    game.idle(2)
    game.do(1, c.Pass())
    assert game.decision(1) == "technology"
    game.do(1, place("farm", "craftsman"))
    assert game.t.phase.value != "actions"


def test_stories_technology_in_hand() -> None:
    """Nobody places what he does not have."""
    game = StoriesGame().at(1, technology_placed=1)
    game.enter("planning")
    game.reject(1, place("farm", "fisherman"), "stories.technology.in_hand", "NO_TECHNOLOGY")


def test_stories_technology_may_wait() -> None:
    """A tile may be kept; without one nobody is asked."""
    game = passed()
    game.do(1, c.KeepTechnology())
    assert game.seat(1).technology.total() == 1
    assert game.deciding() == [2]
    game.do(2, c.Pass())
    assert game.t.phase.value != "actions"


def test_stories_technology_first_replaces_farmer() -> None:
    """The first tile goes to a farmer's space, also to one that a knight could take."""
    game = passed(placed=0)
    assert open_to(game) == FARMER_SPACES
    game.reject(1, place("farm", "craftsman"), "stories.technology.first_replaces_farmer", "FARMER_ONLY")
    game.reject(1, place("territory", "fisherman"), "stories.technology.first_replaces_farmer", "FARMER_ONLY")
    game.do(1, place("territory", "farmer"))


def test_stories_technology_replaces_any_but_monk() -> None:
    """Later ones go anywhere but to monks, single spaces and the Town Hall."""
    game = passed("cellar", "pub", "garrison", "county_fair", "ferry")
    spaces = game.seat(1).estate().spaces
    never = {("cellar", "monk"), ("pub", "any"), ("garrison", "knight"), ("town_hall", "any"), ("town_hall", "any_2")}
    assert open_to(game) == {key for key in spaces if key not in never and key[0] != "county_fair"}


def test_stories_technology_never_monk() -> None:
    """A monk is not replaced."""
    game = passed("cellar")
    game.reject(1, place("cellar", "monk"), "stories.technology.never_monk", "NEVER_FOR_MONK")
    game.do(1, place("cellar", "scholar"))


def test_stories_technology_never_single_space() -> None:
    """A place with one space takes none."""
    for card in ("granary", "pub", "garrison", "brewery", "sacristy"):
        game = passed(card)
        space = game.data.places[card].spaces[0].id
        game.reject(1, place(card, space), "stories.technology.never_single_space", "SINGLE_SPACE")


def test_stories_technology_fixed_character() -> None:
    """The County Fair and the Town Hall, for which one follower is enough, take none."""
    game = passed("county_fair")
    for key in (("county_fair", "farmer"), ("town_hall", "any")):
        game.reject(1, place(*key), "stories.technology.fixed_character", "NO_FIXED_CHARACTER")


def test_stories_technology_open_spaces() -> None:
    """Read otherwise, they take one each; but never where a monk is asked for."""
    game = StoriesGame(technology_on_open_spaces="open").own(1, "county_fair").technology(1, 3)
    game.at(1, technology_placed=1).act(1, c.Pass())
    game.reject(1, place("county_fair", "monk"), "stories.technology.never_monk", "NEVER_FOR_MONK")
    game.do(1, place("county_fair", "farmer"), place("town_hall", "any"))
    game.reject(1, place("town_hall", "any_2"), "stories.technology.one_per_place", "ONE_PER_PLACE")


def test_stories_technology_one_per_place() -> None:
    """One tile for each place."""
    game = passed().fill(1, "farm", "technology")
    game.reject(1, place("farm", "craftsman"), "stories.technology.one_per_place", "ONE_PER_PLACE")


def test_stories_technology_free_space() -> None:
    """Nothing may lie there."""
    game = passed().fill(1, "farm", "fisherman")
    game.reject(1, place("farm", "fisherman"), "stories.technology.free_space", "SPACE_TAKEN")


def test_stories_technology_sends_follower_home() -> None:
    """Read otherwise, a follower that lies there goes into the bag."""
    game = StoriesGame(technology_on_occupied="sends_follower_home").technology(1).at(1, technology_placed=1)
    game.bag(1).fill(1, "farm", "fisherman").act(1, c.Pass())
    game.do(1, place("farm", "fisherman"))
    assert game.seat(1).bag.counts() == {"fisherman": 1}


def test_stories_technology_own_place() -> None:
    """It goes to spaces of one's own open places."""
    game = passed().own(2, "winery")
    for key in (("castle", "trader"), ("winery", "trader"), ("farm", "knight")):
        game.reject(1, place(*key), "stories.technology.own_place", "NOT_YOUR_SPACE")


def test_stories_technology_stays() -> None:
    """It is neither withdrawn nor taken back, and nothing is placed upon it."""
    game = StoriesGame().fill(1, "farm", "technology").market(1, fisherman=1).bag(1, farmer=3)
    game.enter("followers")
    game.reject(1, c.TakeBackFollower("farm", "fisherman"), "stories.taking_back.never_technology")
    game.enter("planning")
    game.reject(1, c.WithdrawFollower("farm", "fisherman"), "stories.planning.only_this_phase")
    game.reject(1, c.PlaceFollower("fisherman", "farm", "fisherman"), "stories.planning.free_space")


def test_stories_technology_no_knight() -> None:
    """On a knight's space it is no knight; free areas are entered with it as with any follower."""
    game = StoriesGame().settle("c2r2", 2).fill(1, "territory", "technology", "fisherman", "trader")
    game.enter("actions")
    game.reject(1, c.Conquer("territory", "c2r2"), "stories.conquest.knights", "TOO_FEW_KNIGHTS")
    game.do(1, c.Expand("territory", "c2r3"))
    assert game.counts("seat.1.territory.farmer") == {"technology": 1}


def test_stories_technology_stays__with_a_lost_card_it_does_not() -> None:
    """A place card that is given up takes the technology on it along, out of the game."""
    game = StoriesGame().own(1, "winery").fill(1, "winery", "technology", "trader").goods(1).bag(1)
    gone = game.t.removed.items.get("technology", 0)
    game.strike("A1")
    game.do(1, c.SurrenderPlaceCard("winery"))
    assert game.t.removed.items["technology"] == gone + 1
    assert game.seat(1).bag.counts() == {"trader": 1}
