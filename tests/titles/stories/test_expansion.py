"""Territory: free areas, areas of others, and what peace changes."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import control
from boardkeeper.titles.stories import events as e

HERE = "c2r2"
"""An area beside the first village of seat 1."""


def acting(game: StoriesGame, *occupants: str) -> StoriesGame:
    """Seat 1 acts, with these on the spaces of Territory: where knights may stand twice, and a trader."""
    game.fill(1, "territory", *(occupants or ("farmer", "fisherman", "trader"))).enter("actions")
    return game


def expand(area: str = HERE) -> c.Expand:
    """Put a settler there."""
    return c.Expand("territory", area)


def conquer(area: str = HERE) -> c.Conquer:
    """Drive somebody away from there."""
    return c.Conquer("territory", area)


# --- free areas ----------------------------------------------------------------------------------------------


def test_stories_expansion_free_area() -> None:
    """A settler goes from the own supply to a free area; what the Territory was done with goes to the bag."""
    game = acting(StoriesGame().bag(1))
    events = game.do(1, expand())

    assert detail(events, e.AreaEntered) == e.AreaEntered("territory", HERE)
    assert game.stands_on(HERE) == {"settler.1": 1}
    assert game.seat(1).settlers.total() == 7
    assert game.seat(1).bag.counts() == {"farmer": 1, "fisherman": 1, "trader": 1}
    assert game.deciding() == [2]


def test_stories_expansion_free_area__not_where_another_stands() -> None:
    """Without conquest and peace nobody enters an area of somebody else."""
    game = acting(StoriesGame().settle(HERE, 2))
    game.reject(1, expand(), "stories.expansion.free_area", "AREA_TAKEN")


def test_stories_expansion_no_knights() -> None:
    """Knights are not needed for it, and do no harm."""
    game = acting(StoriesGame(), "knight", "knight", "trader")
    game.do(1, expand())
    assert game.stands_on(HERE) == {"settler.1": 1}


def test_stories_expansion_adjacent() -> None:
    """It lies beside one that one controls already, whatever stands between one and the others."""
    game = acting(StoriesGame().settle("c2r3", 1))
    assert {command.area for command in game.listed(1, c.Expand)} == {"c1r3", "c2r2", "c3r2", "c3r3"}
    game.reject(1, expand("c7r2"), "stories.expansion.adjacent", "NOT_ADJACENT")
    game.reject(1, conquer("c7r3"), "stories.expansion.adjacent", "NOT_ADJACENT")


def test_stories_expansion_anywhere() -> None:
    """Read otherwise, it may be any free area of the map, and any other that can be conquered."""
    game = StoriesGame(general_expansion="anywhere_from_supply").settle("c6r2", 2)
    acting(game, "knight", "fisherman", "trader")
    assert len(game.listed(1, c.Expand)) == 15 - 3
    assert game.listed(1, c.Conquer) == [conquer("c6r2")]


def test_stories_expansion_adjacent__gone_from_the_map() -> None:
    """Who has no settler left on the map stays away from it."""
    game = acting(StoriesGame().settle("c1r2"))
    assert game.legal(1) == [c.Pass()]


def test_stories_expansion_supply() -> None:
    """The last settler of the supply goes; after him nobody does."""
    game = acting(StoriesGame().settlers(1, 1).settle("c1r3", 2))
    game.do(1, expand())
    assert game.seat(1).settlers.total() == 0
    game.idle(2)

    game.fill(1, "territory", "knight", "knight", "trader").enter("actions")
    assert game.legal(1) == [c.Pass()]
    game.reject(1, expand("c2r3"), "stories.expansion.supply", "NO_SETTLER")
    game.reject(1, conquer("c1r3"), "stories.expansion.supply", "NO_SETTLER")


def test_stories_expansion_supply__from_no_town() -> None:
    """Where there are no towns none sends a settler, on a trek neither."""
    game = acting(StoriesGame().settle("c1r3", 2), "knight", "knight", "trader")
    for command in (c.Expand("territory", HERE, "town_1"), c.Conquer("territory", "c1r3", "town_1")):
        game.reject(1, command, "stories.expansion.supply", "UNKNOWN_TOWN")
    game.strike("C8")
    game.reject(1, c.Expand("", HERE, "town_1"), "stories.expansion.supply", "UNKNOWN_TOWN")
    game.do(1, c.Expand("", HERE))


def test_stories_expansion_one_settler() -> None:
    """One settler a seat on an area."""
    game = acting(StoriesGame().settle(HERE, 1))
    game.reject(1, expand(), "stories.expansion.one_settler", "ALREADY_THERE")
    game.reject(1, expand("c1r2"), "stories.expansion.one_settler", "ALREADY_THERE")


def test_stories_expansion_free_area__with_what_is_left_there() -> None:
    """Village and church of an area that was left come to who enters it."""
    game = acting(StoriesGame().village(HERE).church(HERE))
    game.do(1, expand())
    assert game.stands_on(HERE) == {"settler.1": 1, "church": 1}


def test_stories_expansion_fortress() -> None:
    """A fortress keeps others out, though nobody is left in it; its owner may come back."""
    game = acting(StoriesGame().fortress(HERE, 2).fortress("c2r3", 1))
    game.reject(1, expand(), "stories.expansion.fortress", "FORTRESS_THERE")
    game.do(1, expand("c2r3"))
    assert game.stands_on("c2r3") == {"settler.1": 1, "fortress.1": 1}


# --- conquest ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("occupants", [("knight", "fisherman"), ("farmer", "knight"), ("monk", "fisherman")])
def test_stories_conquest_knights(occupants: tuple[str, str]) -> None:
    """One knight drives a settler from an area."""
    game = acting(StoriesGame().settle(HERE, 2), *occupants, "trader")
    events = game.do(1, conquer())

    assert detail(events, e.AreaConquered) == e.AreaConquered("territory", HERE, 2, 1)
    assert game.stands_on(HERE) == {"settler.1": 1}
    assert game.deciding() == [2]


def test_stories_conquest_loser_home() -> None:
    """Who is driven away goes back to his owner's supply, from where he can set out again."""
    game = acting(StoriesGame().settle("c6r2", 1).settle("c5r2", 2).settlers(2, 0), "knight", "fisherman", "trader")
    game.fill(2, "territory").do(1, conquer("c5r2"))
    assert (game.seat(1).settlers.total(), game.seat(2).settlers.total()) == (6, 1)
    game.do(2, expand("c7r2"))


def test_stories_conquest_knights__none() -> None:
    """Farmers conquer nothing, nor does a technology tile on the space of a knight."""
    for first in ("farmer", "technology"):
        game = acting(StoriesGame().settle(HERE, 2), first, "fisherman", "trader")
        assert not game.listed(1, c.Conquer)
        game.reject(1, conquer(), "stories.conquest.knights", "TOO_FEW_KNIGHTS")


def test_stories_conquest_knights__technology_beside_one() -> None:
    """A technology tile replaces the farmer, not a second knight: it takes an area, but no village."""
    game = acting(StoriesGame().settle(HERE, 2).settle("c2r3", 2).village("c2r3"), "technology", "knight", "trader")
    game.reject(1, conquer("c2r3"), "stories.conquest.knights", "TOO_FEW_KNIGHTS")
    assert detail(game.do(1, conquer()), e.AreaConquered).knights == 1
    assert game.counts("seat.1.territory.farmer") == {"technology": 1}


@pytest.mark.parametrize("occupants", [("knight", "knight"), ("monk", "knight"), ("monk", "monk")])
def test_stories_conquest_knights__village(occupants: tuple[str, str]) -> None:
    """A village takes two knights."""
    game = acting(StoriesGame().settle(HERE, 2).village(HERE), *occupants, "trader")
    assert detail(game.do(1, conquer()), e.AreaConquered).knights == 2

    game = acting(StoriesGame().settle(HERE, 2).village(HERE), occupants[0], "fisherman", "trader")
    rejection = game.reject(1, conquer(), "stories.conquest.knights", "TOO_FEW_KNIGHTS")
    assert rejection.values["needed"] == "2"


def test_stories_conquest_knights__first_village() -> None:
    """So does a first village that has lost its fortress."""
    game = StoriesGame().settle("c7r2", 1).fortress("c7r3", 0)
    acting(game, "knight", "knight", "trader").do(1, conquer("c7r3"))
    assert game.stands_on("c7r3") == {"settler.1": 1}


def test_stories_conquest_buildings() -> None:
    """Village and church of a conquered area are the conqueror's."""
    game = acting(StoriesGame().settle(HERE, 2).village(HERE).church(HERE), "knight", "knight", "trader")
    game.do(1, conquer())
    assert game.stands_on(HERE) == {"settler.1": 1, "church": 1}
    assert [control.count_villages(game.t, seat) for seat in game.t.seats] == [2, 1]
    assert [control.count_churches(game.t, seat) for seat in game.t.seats] == [1, 0]


def test_stories_conquest_monk_as_knight() -> None:
    """A monk counts as a knight only where a knight may stand."""
    game = acting(StoriesGame().settle(HERE, 2), "farmer", "fisherman", "monk")
    game.reject(1, conquer(), "stories.conquest.knights", "TOO_FEW_KNIGHTS")


def test_stories_conquest_monk_is_no_knight() -> None:
    """Read otherwise, nowhere; beside a knight he helps against no village."""
    game = acting(StoriesGame(monk_as_knight="no").settle(HERE, 2), "monk", "monk", "monk")
    game.reject(1, conquer(), "stories.conquest.knights", "TOO_FEW_KNIGHTS")

    game = acting(
        StoriesGame(monk_as_knight="no").settle(HERE, 2).settle("c2r3", 2).village("c2r3"), "monk", "knight", "monk"
    )
    game.reject(1, conquer("c2r3"), "stories.conquest.knights", "TOO_FEW_KNIGHTS")
    game.do(1, conquer())


def test_stories_conquest_foreign_area() -> None:
    """Only another seat's area is conquered: not a free one, and not the own one."""
    game = acting(StoriesGame().settle("c2r3", 1), "knight", "knight", "trader")
    game.reject(1, conquer(), "stories.conquest.foreign_area", "NOBODY_TO_CONQUER")
    game.reject(1, conquer("c2r3"), "stories.conquest.foreign_area", "NOBODY_TO_CONQUER")


def test_stories_conquest_fortress() -> None:
    """An area with a fortress is not conquered."""
    game = StoriesGame().settle(HERE, 2).fortress(HERE, 2).settle("c7r2", 1)
    acting(game, "knight", "knight", "trader")
    game.reject(1, conquer(), "stories.conquest.fortress", "FORTRESS_THERE")
    game.reject(1, conquer("c7r3"), "stories.conquest.fortress", "FORTRESS_THERE")


def test_stories_conquest_forbidden() -> None:
    """In a round of truce nobody conquers, but free areas are to be had."""
    game = acting(StoriesGame().turn(1, "A5").settle(HERE, 2), "knight", "knight", "trader")
    game.reject(1, conquer(), "stories.conquest.forbidden", "FORBIDDEN_NOW")
    game.do(1, expand("c1r3"))


# --- Garrison ------------------------------------------------------------------------------------------------


def garrison(game: StoriesGame) -> StoriesGame:
    """Seat 1 acts with a knight on its Garrison."""
    game.own(1, "garrison").fill(1, "garrison").enter("actions")
    return game


def test_stories_conquest_areas_only() -> None:
    """The Garrison conquers an area, but no village."""
    game = garrison(StoriesGame().settle(HERE, 2).settle("c2r3", 2).village("c2r3"))
    assert game.listed(1, c.Conquer) == [c.Conquer("garrison", HERE)]
    game.reject(1, c.Conquer("garrison", "c2r3"), "stories.conquest.areas_only", "AREAS_ONLY")
    events = game.do(1, c.Conquer("garrison", HERE))
    assert detail(events, e.AreaConquered) == e.AreaConquered("garrison", HERE, 2, 1)
    assert game.seat(1).bag.counts() == {"knight": 1}


@pytest.mark.parametrize("monk_as_knight", ["yes", "no"])
def test_stories_conquest_areas_only__whoever_activates_it(monk_as_knight: str) -> None:
    """The strength is the Garrison's, not the monk's."""
    game = StoriesGame(monk_as_knight=monk_as_knight).settle(HERE, 2).own(1, "garrison").fill(1, "garrison", "monk")
    game.enter("actions")
    events = game.do(1, c.Conquer("garrison", HERE))
    assert detail(events, e.AreaConquered) == e.AreaConquered("garrison", HERE, 2, 1)
    assert game.seat(1).bag.counts() == {"monk": 1}


def test_stories_conquest_areas_only__and_nothing_free() -> None:
    """It is for conquest alone: a free area is not entered from it."""
    game = garrison(StoriesGame())
    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.Expand("garrison", HERE), "stories.actions.matching_command", "WRONG_COMMAND")


def test_stories_conquest_areas_only__as_any_conquest() -> None:
    """Fortresses, truces and peace hold against a Garrison too, and somebody has to stand there."""
    game = garrison(StoriesGame().settle(HERE, 2).fortress(HERE, 2).settle("c1r3", 1))
    game.reject(1, c.Conquer("garrison", HERE), "stories.conquest.fortress")
    game.reject(1, c.Conquer("garrison", "c1r3"), "stories.conquest.foreign_area")
    game = garrison(StoriesGame().turn(1, "A5").settle(HERE, 2))
    game.reject(1, c.Conquer("garrison", HERE), "stories.conquest.forbidden")
    game = garrison(StoriesGame().era(2, 5).settle(HERE, 2))
    game.reject(1, c.Conquer("garrison", HERE), "stories.peace.conquered_by_nobody")


# --- peace ---------------------------------------------------------------------------------------------------


def test_stories_peace_shared_areas() -> None:
    """Who is at peace enters areas of others, and stands there beside them."""
    game = acting(StoriesGame().era(1, 5).settle(HERE, 2))
    events = game.do(1, expand())
    assert detail(events, e.AreaEntered) == e.AreaEntered("territory", HERE)
    assert game.stands_on(HERE) == {"settler.1": 1, "settler.2": 1}


def test_stories_peace_shared_areas__his_own() -> None:
    """And others enter the areas of who is at peace."""
    game = acting(StoriesGame(3).era(2, 5).settle("c1r2", 2))
    game.do(1, expand("c1r2"))
    assert game.stands_on("c1r2") == {"settler.1": 1, "settler.2": 1}


def test_stories_peace_all_there() -> None:
    """Of several there all have to be at peace."""
    game = acting(StoriesGame(3).era(2, 5).settle("c1r2", 2, 3))
    game.reject(1, expand("c1r2"), "stories.peace.all_there", "AREA_TAKEN")
    game.era(3, 5).do(1, expand("c1r2"))
    assert game.stands_on("c1r2") == {"settler.1": 1, "settler.2": 1, "settler.3": 1}


def test_stories_peace_fortress() -> None:
    """Fortresses keep others out whoever is at peace."""
    for peaceful in (1, 2):
        game = acting(StoriesGame().era(peaceful, 5).settle(HERE, 2).fortress(HERE, 2))
        game.reject(1, expand(), "stories.expansion.fortress", "FORTRESS_THERE")


def test_stories_peace_open_fortress() -> None:
    """Read otherwise, a fortress of who is at peace keeps out only those who are at peace as well."""
    game = StoriesGame(peace_fortress="blocks_the_peaceful_only").settle(HERE, 2).fortress(HERE, 2)
    acting(game).reject(1, expand(), "stories.expansion.fortress", "FORTRESS_THERE")
    game.era(1, 5).reject(1, expand(), "stories.expansion.fortress", "FORTRESS_THERE")
    game.era(2, 5).reject(1, expand(), "stories.expansion.fortress", "FORTRESS_THERE")
    game.era(1, 4).do(1, expand())
    assert game.stands_on(HERE) == {"settler.1": 1, "settler.2": 1, "fortress.2": 1}


def with_peace(seat: int, peace_conquest: str) -> StoriesGame:
    """Seat 1 stands with two knights before an area of seat 2; that seat is at peace."""
    game = StoriesGame(peace_conquest=peace_conquest).era(seat, 5).settle(HERE, 2)
    return acting(game, "knight", "knight", "trader")


@pytest.mark.parametrize("reading", ["none", "may_not_conquer"])
def test_stories_peace_conquers_nobody(reading: str) -> None:
    """Who is at peace conquers nothing more."""
    game = with_peace(1, reading)
    game.reject(1, conquer(), "stories.peace.conquers_nobody", "AT_PEACE")
    game.do(1, expand())


def test_stories_peace_conquered_by_nobody() -> None:
    """Nor is anything conquered from him."""
    game = with_peace(2, "none")
    game.reject(1, conquer(), "stories.peace.conquered_by_nobody", "AT_PEACE")
    game.do(1, expand())


def test_stories_peace_may_be_conquered() -> None:
    """Where it is read that only he may not conquer, others still may: him, or beside him."""
    game = with_peace(2, "may_not_conquer")
    assert expand() in game.legal(1)
    game.do(1, conquer())
    assert game.stands_on(HERE) == {"settler.1": 1}


@pytest.mark.parametrize("peaceful", [1, 2])
def test_stories_peace_conquest_as_before(peaceful: int) -> None:
    """Or peace changes nothing in conquests, on either side."""
    game = with_peace(peaceful, "as_before")
    assert expand() in game.legal(1)
    game.do(1, conquer())
    assert game.stands_on(HERE) == {"settler.1": 1}


@pytest.mark.parametrize("reading", ["none", "may_not_conquer", "as_before"])
def test_stories_peace_shared_area(reading: str) -> None:
    """Where several stand there is peace between them, and nobody drives one of them away."""
    game = StoriesGame(3, peace_conquest=reading).era(2, 5).settle("c1r2", 2, 3)
    acting(game, "knight", "knight", "trader")
    game.reject(1, conquer("c1r2"), "stories.peace.shared_area", "AT_PEACE")


def test_stories_conquest_foreign_area__shared() -> None:
    """Nor is a shared area conquered by who stands there already."""
    game = StoriesGame(peace_conquest="as_before").era(2, 5).settle(HERE, 1, 2)
    acting(game, "knight", "knight", "trader").reject(1, conquer(), "stories.conquest.foreign_area")
