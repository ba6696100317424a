"""Territory: expansion, conquest and peace."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, use_territory

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import control
from boardkeeper.titles.stories import events as e

HERE = "c2r2"
"""An area next to the first village of seat 1."""


def expand(area: str = HERE) -> c.Expand:
    """Put a settler on this area."""
    return c.Expand("territory", area)


def conquer(area: str = HERE) -> c.Conquer:
    """Conquer this area."""
    return c.Conquer("territory", area)


# --- free areas ----------------------------------------------------------------------------------------------


def test_stories_expansion_free_area() -> None:
    """A settler moves from the own supply to a free area; the followers on the Territory return to the bag."""
    game = use_territory(StoriesGame().bag(1))
    events = game.do(1, expand())

    assert detail(events, e.AreaEntered) == e.AreaEntered("territory", HERE)
    assert game.stands_on(HERE) == {"settler.1": 1}
    assert game.seat(1).settlers.total() == 7
    assert game.seat(1).bag.counts() == {"farmer": 1, "fisherman": 1, "trader": 1}
    assert game.deciding() == [2]


def test_stories_expansion_free_area__area_of_another_seat() -> None:
    """Without conquest and peace no seat enters an area of another seat."""
    game = use_territory(StoriesGame().settle(HERE, 2))
    game.reject(1, expand(), "stories.expansion.free_area", "AREA_TAKEN")


def test_stories_expansion_no_knights() -> None:
    """Expansion needs no knights, but they are allowed."""
    game = use_territory(StoriesGame(), "knight", "knight", "trader")
    game.do(1, expand())
    assert game.stands_on(HERE) == {"settler.1": 1}


def test_stories_expansion_adjacent() -> None:
    """The area must be next to a controlled one."""
    game = use_territory(StoriesGame().settle("c2r3", 1))
    assert {command.area for command in game.listed(1, c.Expand)} == {"c1r3", "c2r2", "c3r2", "c3r3"}
    game.reject(1, expand("c7r2"), "stories.expansion.adjacent", "NOT_ADJACENT")
    game.reject(1, conquer("c7r3"), "stories.expansion.adjacent", "NOT_ADJACENT")


def test_stories_expansion_anywhere() -> None:
    """Reading ``general_expansion``: any free area, or any other that can be conquered."""
    game = StoriesGame(general_expansion="anywhere_from_supply").settle("c6r2", 2)
    use_territory(game, "knight", "fisherman", "trader")
    assert len(game.listed(1, c.Expand)) == 15 - 3
    assert game.listed(1, c.Conquer) == [conquer("c6r2")]


def test_stories_expansion_adjacent__no_settler_on_the_map() -> None:
    """A seat without settlers on the map cannot expand."""
    game = use_territory(StoriesGame().settle("c1r2"))
    assert game.legal(1) == [c.Pass()]


def test_stories_expansion_supply() -> None:
    game = use_territory(StoriesGame().settlers(1, 1).settle("c1r3", 2))
    game.do(1, expand())
    assert game.seat(1).settlers.total() == 0
    game.idle(2)

    game.fill(1, "territory", "knight", "knight", "trader").enter("actions")
    assert game.legal(1) == [c.Pass()]
    game.reject(1, expand("c2r3"), "stories.expansion.supply", "NO_SETTLER")
    game.reject(1, conquer("c1r3"), "stories.expansion.supply", "NO_SETTLER")


def test_stories_expansion_supply__no_towns() -> None:
    """In a story without towns no settler can come from a town, also not on a trek."""
    game = use_territory(StoriesGame().settle("c1r3", 2), "knight", "knight", "trader")
    for command in (c.Expand("territory", HERE, "town_1"), c.Conquer("territory", "c1r3", "town_1")):
        game.reject(1, command, "stories.expansion.supply", "UNKNOWN_TOWN")
    game.strike("C8")
    game.reject(1, c.Expand("", HERE, "town_1"), "stories.expansion.supply", "UNKNOWN_TOWN")
    game.do(1, c.Expand("", HERE))


def test_stories_expansion_one_settler() -> None:
    """One settler of each seat on an area."""
    game = use_territory(StoriesGame().settle(HERE, 1))
    game.reject(1, expand(), "stories.expansion.one_settler", "ALREADY_THERE")
    game.reject(1, expand("c1r2"), "stories.expansion.one_settler", "ALREADY_THERE")


def test_stories_expansion_free_area__abandoned_buildings() -> None:
    """A seat that enters an abandoned area controls its village and church."""
    game = use_territory(StoriesGame().village(HERE).church(HERE))
    game.do(1, expand())
    assert game.stands_on(HERE) == {"settler.1": 1, "church": 1}


def test_stories_expansion_fortress() -> None:
    """A fortress keeps other seats out, even without a settler; its owner may come back."""
    game = use_territory(StoriesGame().fortress(HERE, 2).fortress("c2r3", 1))
    game.reject(1, expand(), "stories.expansion.fortress", "FORTRESS_THERE")
    game.do(1, expand("c2r3"))
    assert game.stands_on("c2r3") == {"settler.1": 1, "fortress.1": 1}


# --- conquest ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("occupants", [("knight", "fisherman"), ("farmer", "knight"), ("monk", "fisherman")])
def test_stories_conquest_knights(occupants: tuple[str, str]) -> None:
    """One knight conquers an area without a village."""
    game = use_territory(StoriesGame().settle(HERE, 2), *occupants, "trader")
    events = game.do(1, conquer())

    assert detail(events, e.AreaConquered) == e.AreaConquered("territory", HERE, 2, 1)
    assert game.stands_on(HERE) == {"settler.1": 1}
    assert game.deciding() == [2]


def test_stories_conquest_loser_home() -> None:
    """The loser's settler returns to its supply and can be used again."""
    game = use_territory(
        StoriesGame().settle("c6r2", 1).settle("c5r2", 2).settlers(2, 0), "knight", "fisherman", "trader"
    )
    game.fill(2, "territory").do(1, conquer("c5r2"))
    assert (game.seat(1).settlers.total(), game.seat(2).settlers.total()) == (6, 1)
    game.do(2, expand("c7r2"))


def test_stories_conquest_knights__without_knights() -> None:
    """Farmers or technology on a knight's space do not conquer."""
    for first in ("farmer", "technology"):
        game = use_territory(StoriesGame().settle(HERE, 2), first, "fisherman", "trader")
        assert not game.listed(1, c.Conquer)
        game.reject(1, conquer(), "stories.conquest.knights", "TOO_FEW_KNIGHTS")


def test_stories_conquest_knights__technology_is_no_knight() -> None:
    """Technology replaces the farmer, not a second knight: the seat can conquer an area, but no village."""
    game = use_territory(
        StoriesGame().settle(HERE, 2).settle("c2r3", 2).village("c2r3"), "technology", "knight", "trader"
    )
    game.reject(1, conquer("c2r3"), "stories.conquest.knights", "TOO_FEW_KNIGHTS")
    assert detail(game.do(1, conquer()), e.AreaConquered).knights == 1
    assert game.counts("seat.1.territory.farmer") == {"technology": 1}


@pytest.mark.parametrize("occupants", [("knight", "knight"), ("monk", "knight"), ("monk", "monk")])
def test_stories_conquest_knights__village(occupants: tuple[str, str]) -> None:
    game = use_territory(StoriesGame().settle(HERE, 2).village(HERE), *occupants, "trader")
    assert detail(game.do(1, conquer()), e.AreaConquered).knights == 2

    game = use_territory(StoriesGame().settle(HERE, 2).village(HERE), occupants[0], "fisherman", "trader")
    rejection = game.reject(1, conquer(), "stories.conquest.knights", "TOO_FEW_KNIGHTS")
    assert rejection.values["needed"] == "2"


def test_stories_conquest_knights__first_village() -> None:
    """A first village without its fortress takes two knights too."""
    game = StoriesGame().settle("c7r2", 1).fortress("c7r3", 0)
    use_territory(game, "knight", "knight", "trader").do(1, conquer("c7r3"))
    assert game.stands_on("c7r3") == {"settler.1": 1}


def test_stories_conquest_buildings() -> None:
    """The conqueror controls village and church of the area."""
    game = use_territory(StoriesGame().settle(HERE, 2).village(HERE).church(HERE), "knight", "knight", "trader")
    game.do(1, conquer())
    assert game.stands_on(HERE) == {"settler.1": 1, "church": 1}
    assert [control.count_villages(game.t, seat) for seat in game.t.seats] == [2, 1]
    assert [control.count_churches(game.t, seat) for seat in game.t.seats] == [1, 0]


def test_stories_conquest_monk_as_knight() -> None:
    """A monk counts as a knight only on a space that allows knights."""
    game = use_territory(StoriesGame().settle(HERE, 2), "farmer", "fisherman", "monk")
    game.reject(1, conquer(), "stories.conquest.knights", "TOO_FEW_KNIGHTS")


def test_stories_conquest_monk_is_no_knight() -> None:
    """Reading ``monk_as_knight``: a monk never counts as a knight."""
    game = use_territory(StoriesGame(monk_as_knight="no").settle(HERE, 2), "monk", "monk", "monk")
    game.reject(1, conquer(), "stories.conquest.knights", "TOO_FEW_KNIGHTS")

    game = use_territory(
        StoriesGame(monk_as_knight="no").settle(HERE, 2).settle("c2r3", 2).village("c2r3"), "monk", "knight", "monk"
    )
    game.reject(1, conquer("c2r3"), "stories.conquest.knights", "TOO_FEW_KNIGHTS")
    game.do(1, conquer())


def test_stories_conquest_foreign_area() -> None:
    """Only an area of another seat can be conquered."""
    game = use_territory(StoriesGame().settle("c2r3", 1), "knight", "knight", "trader")
    game.reject(1, conquer(), "stories.conquest.foreign_area", "NOBODY_TO_CONQUER")
    game.reject(1, conquer("c2r3"), "stories.conquest.foreign_area", "NOBODY_TO_CONQUER")


def test_stories_conquest_fortress() -> None:
    game = StoriesGame().settle(HERE, 2).fortress(HERE, 2).settle("c7r2", 1)
    use_territory(game, "knight", "knight", "trader")
    game.reject(1, conquer(), "stories.conquest.fortress", "FORTRESS_THERE")
    game.reject(1, conquer("c7r3"), "stories.conquest.fortress", "FORTRESS_THERE")


def test_stories_conquest_forbidden() -> None:
    """During a truce no seat conquers, but free areas can be entered."""
    game = use_territory(StoriesGame().turn(1, "A5").settle(HERE, 2), "knight", "knight", "trader")
    game.reject(1, conquer(), "stories.conquest.forbidden", "FORBIDDEN_NOW")
    game.turn(2, "A4").enter("actions")
    assert conquer() in game.legal(1)
    game.turn(3, "A5").enter("actions")
    game.do(1, expand("c1r3"))


# --- Garrison ------------------------------------------------------------------------------------------------


def create_garrison_game(game: StoriesGame) -> StoriesGame:
    """Seat 1 acts with a knight on its Garrison."""
    game.own(1, "garrison").fill(1, "garrison").enter("actions")
    return game


def test_stories_conquest_areas_only() -> None:
    """The Garrison conquers an area, but no village."""
    game = create_garrison_game(StoriesGame().settle(HERE, 2).settle("c2r3", 2).village("c2r3"))
    assert game.listed(1, c.Conquer) == [c.Conquer("garrison", HERE)]
    game.reject(1, c.Conquer("garrison", "c2r3"), "stories.conquest.areas_only", "AREAS_ONLY")
    events = game.do(1, c.Conquer("garrison", HERE))
    assert detail(events, e.AreaConquered) == e.AreaConquered("garrison", HERE, 2, 1)
    assert game.seat(1).bag.counts() == {"knight": 1}


@pytest.mark.parametrize("monk_as_knight", ["yes", "no"])
def test_stories_conquest_areas_only__with_any_follower(monk_as_knight: str) -> None:
    """The Garrison has the strength, not the follower on it."""
    game = StoriesGame(monk_as_knight=monk_as_knight).settle(HERE, 2).own(1, "garrison").fill(1, "garrison", "monk")
    game.enter("actions")
    events = game.do(1, c.Conquer("garrison", HERE))
    assert detail(events, e.AreaConquered) == e.AreaConquered("garrison", HERE, 2, 1)
    assert game.seat(1).bag.counts() == {"monk": 1}


def test_stories_conquest_areas_only__no_expansion() -> None:
    """A free area cannot be entered with it."""
    game = create_garrison_game(StoriesGame())
    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.Expand("garrison", HERE), "stories.actions.matching_command", "WRONG_COMMAND")


def test_stories_conquest_areas_only__rules_of_conquest_apply() -> None:
    """Fortresses, truces and peace protect against a Garrison too, and the area must have an owner."""
    game = create_garrison_game(StoriesGame().settle(HERE, 2).fortress(HERE, 2).settle("c1r3", 1))
    game.reject(1, c.Conquer("garrison", HERE), "stories.conquest.fortress")
    game.reject(1, c.Conquer("garrison", "c1r3"), "stories.conquest.foreign_area")
    game = create_garrison_game(StoriesGame().turn(1, "A5").settle(HERE, 2))
    game.reject(1, c.Conquer("garrison", HERE), "stories.conquest.forbidden")
    game = create_garrison_game(StoriesGame().era(2, 5).settle(HERE, 2))
    game.reject(1, c.Conquer("garrison", HERE), "stories.peace.conquered_by_nobody")


# --- peace ---------------------------------------------------------------------------------------------------


def test_stories_peace_shared_areas() -> None:
    """A seat at peace may enter areas of other seats and share them."""
    game = use_territory(StoriesGame().era(1, 5).settle(HERE, 2))
    events = game.do(1, expand())
    assert detail(events, e.AreaEntered) == e.AreaEntered("territory", HERE)
    assert game.stands_on(HERE) == {"settler.1": 1, "settler.2": 1}


def test_stories_peace_shared_areas__of_the_peaceful_seat() -> None:
    """Other seats may enter the areas of a seat at peace."""
    game = use_territory(StoriesGame(3).era(2, 5).settle("c1r2", 2))
    game.do(1, expand("c1r2"))
    assert game.stands_on("c1r2") == {"settler.1": 1, "settler.2": 1}


def test_stories_peace_all_there() -> None:
    """All seats on a shared area must be at peace."""
    game = use_territory(StoriesGame(3).era(2, 5).settle("c1r2", 2, 3))
    game.reject(1, expand("c1r2"), "stories.peace.all_there", "AREA_TAKEN")
    game.era(3, 5).do(1, expand("c1r2"))
    assert game.stands_on("c1r2") == {"settler.1": 1, "settler.2": 1, "settler.3": 1}


def test_stories_peace_fortress() -> None:
    """A fortress keeps other seats out, with peace on either side."""
    for peaceful in (1, 2):
        game = use_territory(StoriesGame().era(peaceful, 5).settle(HERE, 2).fortress(HERE, 2))
        game.reject(1, expand(), "stories.expansion.fortress", "FORTRESS_THERE")


def test_stories_peace_open_fortress() -> None:
    """Reading ``peace_fortress``: a fortress of a seat at peace keeps out only other seats at peace."""
    game = StoriesGame(peace_fortress="blocks_the_peaceful_only").settle(HERE, 2).fortress(HERE, 2)
    use_territory(game).reject(1, expand(), "stories.expansion.fortress", "FORTRESS_THERE")
    game.era(1, 5).reject(1, expand(), "stories.expansion.fortress", "FORTRESS_THERE")
    game.era(2, 5).reject(1, expand(), "stories.expansion.fortress", "FORTRESS_THERE")
    game.era(1, 4).do(1, expand())
    assert game.stands_on(HERE) == {"settler.1": 1, "settler.2": 1, "fortress.2": 1}


def create_peace_game(seat: int, peace_conquest: str) -> StoriesGame:
    """Seat 1 has two knights next to an area of seat 2; ``seat`` is at peace."""
    game = StoriesGame(peace_conquest=peace_conquest).era(seat, 5).settle(HERE, 2)
    return use_territory(game, "knight", "knight", "trader")


@pytest.mark.parametrize("reading", ["none", "may_not_conquer"])
def test_stories_peace_conquers_nobody(reading: str) -> None:
    """A seat at peace cannot conquer."""
    game = create_peace_game(1, reading)
    game.reject(1, conquer(), "stories.peace.conquers_nobody", "AT_PEACE")
    game.do(1, expand())


def test_stories_peace_conquered_by_nobody() -> None:
    """A seat at peace cannot be conquered."""
    game = create_peace_game(2, "none")
    game.reject(1, conquer(), "stories.peace.conquered_by_nobody", "AT_PEACE")
    game.do(1, expand())


def test_stories_peace_may_be_conquered() -> None:
    """Reading ``peace_conquest``: others may conquer a seat at peace, or enter its area."""
    game = create_peace_game(2, "may_not_conquer")
    assert expand() in game.legal(1)
    game.do(1, conquer())
    assert game.stands_on(HERE) == {"settler.1": 1}


@pytest.mark.parametrize("peaceful", [1, 2])
def test_stories_peace_conquest_as_before(peaceful: int) -> None:
    """Reading ``peace_conquest``: peace does not change conquests."""
    game = create_peace_game(peaceful, "as_before")
    assert expand() in game.legal(1)
    game.do(1, conquer())
    assert game.stands_on(HERE) == {"settler.1": 1}


@pytest.mark.parametrize("reading", ["none", "may_not_conquer", "as_before"])
def test_stories_peace_shared_area(reading: str) -> None:
    """A shared area cannot be conquered."""
    game = StoriesGame(3, peace_conquest=reading).era(2, 5).settle("c1r2", 2, 3)
    use_territory(game, "knight", "knight", "trader")
    game.reject(1, conquer("c1r2"), "stories.peace.shared_area", "AT_PEACE")


def test_stories_conquest_foreign_area__shared() -> None:
    """Not by one of its owners either."""
    game = StoriesGame(peace_conquest="as_before").era(2, 5).settle(HERE, 1, 2)
    use_territory(game, "knight", "knight", "trader").reject(1, conquer(), "stories.conquest.foreign_area")
