"""Towns: settlers enter the map there and expand from them; no seat controls a town."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, use_territory
from tests.titles.stories.nations import NationsGame

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.control import count_areas, count_settlers, count_villages, reachable_spaces

SOUTH, NORTH = "c2r3", "c6r2"
"""The spaces of the two towns."""

BESIDE_SOUTH = {"c1r2", "c1r3", "c2r2", "c2r4", "c3r2", "c3r3"}
BESIDE_NORTH = {"c5r2", "c5r3", "c6r1", "c6r3", "c7r2", "c7r3"}


def expand(area: str, town: str = SOUTH) -> c.Expand:
    """Send a settler from a town to an area."""
    return c.Expand("territory", area, town)


def conquer(area: str, town: str = SOUTH) -> c.Conquer:
    """Conquer an area with a settler from a town."""
    return c.Conquer("territory", area, town)


def enter(town: str) -> c.EnterTown:
    """Put a settler into a town."""
    return c.EnterTown("territory", town)


# --- towns ---------------------------------------------------------------------------------------------------


def test_stories_towns_peace() -> None:
    """Settlers of all seats share a town without limit; it cannot be conquered or controlled."""
    game = use_territory(NationsGame().in_town(SOUTH, 2, 8).in_town(SOUTH, 1, 7), "knight", "knight", "trader")
    game.do(1, enter(SOUTH))
    assert game.counts(f"area.{SOUTH}") == {
        "town_1": 1, "settler.1": 8, "settler.2": 8, "settler.3": 2, "settler.4": 2
    }  # fmt: skip

    game = use_territory(NationsGame(), "knight", "knight", "trader")
    assert not game.listed(1, c.Conquer)
    for town, origin in ((SOUTH, NORTH), (NORTH, SOUTH), (SOUTH, SOUTH)):
        game.reject(1, conquer(town, origin), "stories.map.spaces", "UNKNOWN_AREA")
        game.reject(1, expand(town, origin), "stories.map.spaces", "UNKNOWN_AREA")


@pytest.mark.parametrize(
    ("place", "occupants"),
    [
        ("village_building", ("farmer", "craftsman", "trader")),
        ("fortress_building", ("craftsman", "knight")),
        ("church_building", ("craftsman", "trader", "monk")),
    ],
)
def test_stories_towns_no_buildings(place: str, occupants: tuple[str, ...]) -> None:
    game = NationsGame().goods(1, wood=5).fill(1, place, *occupants)
    game.enter("actions")
    assert not game.listed(1, c.Build)
    for town in (SOUTH, NORTH):
        game.reject(1, c.Build(place, town), "stories.map.spaces", "UNKNOWN_AREA")


def test_stories_towns_peace__no_area() -> None:
    """A town counts neither as an area nor as a village, but its settlers are on the map."""
    game = NationsGame().settle("c1r1", 1).settle("c2r1", 1).village("c2r1")
    seat = game.seat(1)
    assert (count_areas(game.t, seat), count_villages(game.t, seat)) == (2, 1)
    assert count_settlers(game.t, seat) == 4 + 2
    other = game.seat(2)
    assert (count_areas(game.t, other), count_villages(game.t, other)) == (0, 0)


@pytest.mark.parametrize(
    ("south", "north", "villages", "trades"), [(2, 2, 0, 2), (8, 0, 0, 1), (0, 1, 0, 1), (1, 1, 2, 4), (0, 0, 1, 1)]
)
def test_stories_towns_market(south: int, north: int, villages: int, trades: int) -> None:
    """One trade for each town with own settlers, and one for each village."""
    game = NationsGame().settlers(1, 8).in_town(SOUTH, 1, south).in_town(NORTH, 1, north).coins(1, 40).goods(1, wine=9)
    for area in ("c1r1", "c2r1")[:villages]:
        game.settle(area, 1).village(area)
    events = game.fill(1, "market").act(1, c.UsePlace("market"))
    assert detail(events, e.TradingBegun).trades == trades
    for left in range(trades, 0, -1):
        assert game.seat(1).trades.value == left
        game.do(1, c.SellGood("wine"))
    assert game.deciding() == [2]
    assert game.seat(1).coins.value == 40 + 3 * trades


def test_stories_towns_market__in_neither_town() -> None:
    """A seat in neither town and without a village cannot trade."""
    game = NationsGame().in_town(SOUTH, 1, 0).in_town(NORTH, 1, 0).settle("c1r1", 1).fill(1, "market")
    game.enter("actions")
    game.reject(1, c.UsePlace("market"), "stories.market.villages", "NO_TRADE")


# --- putting settlers into towns -----------------------------------------------------------------------------


@pytest.mark.parametrize("occupants", [("farmer", "fisherman"), ("knight", "fisherman"), ("knight", "knight")])
@pytest.mark.parametrize("town", [SOUTH, NORTH])
def test_stories_towns_enter(town: str, occupants: tuple[str, str]) -> None:
    """Territory puts a settler from the supply into either town, with or without knights."""
    game = use_territory(NationsGame(), *occupants, "trader")
    events = game.do(1, enter(town))
    assert detail(events, e.TownEntered) == e.TownEntered("territory", town)
    assert game.counts(f"area.{town}")["settler.1"] == 3
    assert game.seat(1).settlers.total() == 5
    assert game.seat(1).bag.total() == 3
    assert game.deciding() == [2]


def test_stories_towns_enter__without_settlers_in_towns() -> None:
    """A seat may enter both towns, also without settlers there."""
    game = use_territory(NationsGame().in_town(SOUTH, 1, 0).in_town(NORTH, 1, 0))
    assert game.listed(1, c.EnterTown) == [enter(SOUTH), enter(NORTH)]
    assert not game.listed(1, c.Expand)
    game.do(1, enter(NORTH))
    assert game.counts(f"area.{NORTH}")["settler.1"] == 1


def test_stories_towns_enter__no_settler_left() -> None:
    game = use_territory(NationsGame().settlers(1, 0))
    assert not game.listed(1, c.EnterTown)
    game.reject(1, enter(SOUTH), "stories.expansion.supply", "NO_SETTLER")


def test_stories_towns_enter__only_a_town() -> None:
    game = use_territory(NationsGame())
    game.reject(1, enter("c3r3"), "stories.towns.enter", "UNKNOWN_TOWN")


def test_stories_towns_enter__not_with_a_garrison() -> None:
    """A card that only conquers cannot be used to enter a town."""
    game = NationsGame().own(1, "garrison").fill(1, "garrison")
    game.enter("actions")
    game.reject(1, c.EnterTown("garrison", SOUTH), "stories.actions.matching_command", "WRONG_COMMAND")
    game.reject(1, c.EnterTown("farm", SOUTH), "stories.actions.matching_command", "WRONG_COMMAND")
    game.reject(1, c.EnterTown("pub", SOUTH), "stories.actions.own_place", "NOT_YOUR_PLACE")


# --- expansion -----------------------------------------------------------------------------------------------


def test_stories_expansion_from_town() -> None:
    """A settler of a town goes to a free area next to it; those of the supply stay."""
    game = use_territory(NationsGame())
    assert {command.area for command in game.listed(1, c.Expand) if command.town == SOUTH} == BESIDE_SOUTH
    assert {command.area for command in game.listed(1, c.Expand) if command.town == NORTH} == BESIDE_NORTH

    events = game.do(1, expand("c3r3"))
    assert detail(events, e.AreaEntered) == e.AreaEntered("territory", "c3r3", SOUTH)
    assert game.stands_on("c3r3") == {"settler.1": 1}
    assert game.counts(f"area.{SOUTH}")["settler.1"] == 1
    assert game.counts(f"area.{NORTH}")["settler.1"] == 2
    assert game.seat(1).settlers.total() == 6


def test_stories_expansion_from_town__not_from_elsewhere() -> None:
    """Not from the supply, an area or an unknown town."""
    game = use_territory(NationsGame().settle("c3r3", 1))
    for town in ("", "c3r3", "c9r9"):
        game.reject(1, expand("c4r3", town), "stories.expansion.from_town", "UNKNOWN_TOWN")
        game.reject(1, conquer("c4r3", town), "stories.expansion.from_town", "UNKNOWN_TOWN")


def test_stories_expansion_from_town__without_own_settler() -> None:
    """Neither settlers of other seats nor own settlers in the other town help."""
    game = use_territory(NationsGame().in_town(SOUTH, 1, 0))
    assert all(command.town == NORTH for command in game.listed(1, c.Expand))
    game.reject(1, expand("c3r3"), "stories.expansion.from_town", "NO_SETTLER")
    game.reject(1, expand("c3r3", NORTH), "stories.expansion.adjacent", "NOT_ADJACENT")


def test_stories_expansion_from_town__not_in_the_settlers() -> None:
    """In The Settlers, settlers come from the supply and there are no towns."""
    game = StoriesGame()
    use_territory(game)
    game.reject(1, c.Expand("territory", "c2r2", SOUTH), "stories.expansion.supply", "UNKNOWN_TOWN")
    game.reject(1, enter(SOUTH), "stories.towns.enter", "UNKNOWN_TOWN")


def test_stories_expansion_chain() -> None:
    """The area may also be next to a chain of own areas that begins at the town."""
    game = NationsGame().settle("c3r2", 1).settle("c4r2", 1)
    use_territory(game)
    reached = {command.area for command in game.listed(1, c.Expand) if command.town == SOUTH}
    assert reached == (BESIDE_SOUTH - {"c3r2"}) | {"c3r1", "c4r1", "c4r3", "c5r1", "c5r2"}
    game.do(1, expand("c5r1"))
    assert game.stands_on("c5r1") == {"settler.1": 1}


def test_stories_expansion_chain__of_another_town() -> None:
    """The chain of the other town does not help."""
    game = NationsGame().settle("c3r2", 1)
    use_territory(game)
    game.reject(1, expand("c4r2", NORTH), "stories.expansion.adjacent", "NOT_ADJACENT")
    game.do(1, expand("c4r2", SOUTH))


def test_stories_expansion_chain__of_both_towns() -> None:
    """A chain between both towns helps the settlers of both, but does not continue through a town."""
    game = NationsGame().settle("c3r2", 1).settle("c4r2", 1)
    assert not reachable_spaces(game.t, game.seat(1), NORTH) & {"c3r1", "c4r1", "c4r3"}
    game.settle("c5r2", 1)
    assert reachable_spaces(game.t, game.seat(1), NORTH) >= {"c3r1", "c4r1", "c4r3"}
    assert not reachable_spaces(game.t, game.seat(1), NORTH) & (BESIDE_SOUTH - {"c2r2", "c3r2", "c3r3"})
    assert not reachable_spaces(game.t, game.seat(1), SOUTH) & {"c7r2", "c7r3", "c6r3"}


def test_stories_expansion_chain__broken() -> None:
    """After the loss of an area, the areas behind it are out of reach."""
    game = NationsGame().settle("c3r2", 1).settle("c4r2", 1).settle("c5r1", 1)
    assert "c4r1" in reachable_spaces(game.t, game.seat(1), SOUTH)
    game.settle("c4r2", 2)
    use_territory(game)
    game.reject(1, expand("c4r1"), "stories.expansion.adjacent", "NOT_ADJACENT")
    game.reject(1, expand("c4r1", NORTH), "stories.expansion.adjacent", "NOT_ADJACENT")


def test_stories_expansion_chain__areas_of_other_seats() -> None:
    """Areas of other seats do not connect, also of the same nation."""
    game = NationsGame().settle("c3r2", 2).settle("c4r2", 1)
    use_territory(game)
    for area in ("c3r1", "c4r1"):
        game.reject(1, expand(area), "stories.expansion.adjacent", "NOT_ADJACENT")


@pytest.mark.parametrize(("reading", "is_reachable"), [("no_obstacle", True), ("blocks", False)])
def test_stories_expansion_chain__across_the_loire(reading: str, *, is_reachable: bool) -> None:
    """Reading ``loire_adjacency``."""
    game = NationsGame(loire_adjacency=reading)
    use_territory(game)
    assert (expand("c2r2") in game.legal(1)) is is_reachable
    assert expand("c2r4") in game.legal(1)


def test_stories_expansion_free_area__in_england_vs_france() -> None:
    """An area of another seat cannot be entered, also of the same nation, nor an own area again."""
    game = use_territory(NationsGame().settle("c3r3", 2).settle("c3r2", 1).fortress("c2r4", 2))
    game.reject(1, expand("c3r3"), "stories.expansion.free_area", "AREA_TAKEN")
    game.reject(1, expand("c3r2"), "stories.expansion.one_settler", "ALREADY_THERE")
    game.reject(1, expand("c2r4"), "stories.expansion.fortress", "FORTRESS_THERE")


# --- conquest ------------------------------------------------------------------------------------------------


def test_stories_expansion_from_town__conquest() -> None:
    """A settler of a town conquers an area with a knight; the loser's settler returns to its supply, not to a town."""
    game = use_territory(NationsGame().settle("c3r3", 2), "knight", "fisherman", "trader")
    events = game.do(1, conquer("c3r3"))
    assert detail(events, e.AreaConquered) == e.AreaConquered("territory", "c3r3", 2, 1, SOUTH)
    assert game.stands_on("c3r3") == {"settler.1": 1}
    assert game.counts(f"area.{SOUTH}") == {
        "town_1": 1, "settler.1": 1, "settler.2": 2, "settler.3": 2, "settler.4": 2
    }  # fmt: skip
    assert (game.seat(1).settlers.total(), game.seat(2).settlers.total()) == (6, 6)


def test_stories_conquest_knights__from_a_town() -> None:
    """One knight for an area, two for a village; a fortress prevents conquest."""

    def act(*occupants: str) -> StoriesGame:
        game = NationsGame().settle("c3r3", 2).settle("c3r2", 2).village("c3r2").settle("c2r2", 2).fortress("c2r2", 2)
        return use_territory(game, *occupants)

    act().reject(1, conquer("c3r3"), "stories.conquest.knights", "TOO_FEW_KNIGHTS")

    game = act("knight", "fisherman", "trader")
    assert game.listed(1, c.Conquer) == [conquer("c3r3")]
    game.reject(1, conquer("c3r2"), "stories.conquest.knights", "TOO_FEW_KNIGHTS")

    game = act("knight", "knight", "trader")
    assert game.listed(1, c.Conquer) == [conquer("c3r2"), conquer("c3r3")]
    game.reject(1, conquer("c2r2"), "stories.conquest.fortress", "FORTRESS_THERE")
    game.do(1, conquer("c3r2"))
    assert game.area("c3r2").is_village()
    assert game.stands_on("c3r2") == {"settler.1": 1}


def test_stories_expansion_chain__conquest() -> None:
    """Only from the town of the chain, and only with a settler in it."""
    game = NationsGame().settle("c3r2", 1).settle("c4r2", 2)
    use_territory(game, "knight", "knight", "trader")
    game.reject(1, conquer("c4r2", NORTH), "stories.expansion.adjacent", "NOT_ADJACENT")
    assert game.listed(1, c.Conquer) == [conquer("c4r2", SOUTH)]
    game.in_town(SOUTH, 1, 0)
    game.reject(1, conquer("c4r2", SOUTH), "stories.expansion.from_town", "NO_SETTLER")


def test_stories_conquest_areas_only__from_a_town() -> None:
    """The Garrison conquers an area from a town, but no village."""
    game = NationsGame().own(1, "garrison").fill(1, "garrison").settle("c3r3", 2).settle("c3r2", 2).village("c3r2")
    game.enter("actions")
    assert game.legal(1) == [c.Conquer("garrison", "c3r3", SOUTH), c.Pass()]
    game.reject(1, c.Conquer("garrison", "c3r2", SOUTH), "stories.conquest.areas_only", "AREAS_ONLY")
    game.do(1, c.Conquer("garrison", "c3r3", SOUTH))
    assert game.seat(2).settlers.total() == 6 - 2 + 1
