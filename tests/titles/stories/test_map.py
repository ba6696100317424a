"""The map: adjacent spaces, and control of areas, villages and churches."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import control


def count_controlled(game: StoriesGame, seat: int) -> tuple[int, int, int]:
    """Return the numbers of areas, villages and churches that a seat controls."""
    t, mine = game.t, game.seat(seat)
    return control.count_areas(t, mine), control.count_villages(t, mine), control.count_churches(t, mine)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_stories_map_spaces(players: int) -> None:
    """The map is connected, each space has two to six neighbours, and spaces for more players do not exist."""
    game = StoriesGame(players)
    reached, at = {"c4r3"}, ["c4r3"]
    while at:
        beside = game.area(at.pop()).neighbours
        assert 2 <= len(beside) <= 6
        at += [area for area in beside if area not in reached]
        reached |= set(beside)
    assert reached == set(game.t.areas)

    game.fill(1, "territory", "knight", "knight", "trader").enter("actions")
    for command in (c.Expand("territory", "c9r9"), c.Conquer("territory", "c9r9"), c.Expand("territory", "")):
        game.reject(1, command, "stories.map.spaces", "UNKNOWN_AREA")
    if players == 2:
        game.reject(1, c.Expand("territory", "c1r1"), "stories.map.spaces", "UNKNOWN_AREA")


def test_stories_map_spaces__adjacent_spaces() -> None:
    """The spaces above and below in the column, and those half a space higher or lower in the next columns."""
    game = StoriesGame(4)
    assert set(game.area("c4r3").neighbours) == {"c4r2", "c4r4", "c3r2", "c3r3", "c5r2", "c5r3"}
    assert set(game.area("c1r1").neighbours) == {"c1r2", "c2r1", "c2r2"}
    assert set(game.area("c7r4").neighbours) == {"c7r3", "c6r3", "c6r4"}
    for area in game.t.areas.values():
        assert all(area.id in game.area(other).neighbours for other in area.neighbours)


def test_stories_map_loire_crossed() -> None:
    """Areas of both banks are adjacent."""
    game = StoriesGame().fill(1, "territory")
    game.enter("actions")
    assert c.Expand("territory", "c1r3") in game.legal(1)


def test_stories_map_loire_blocks() -> None:
    """Reading ``loire_adjacency``: only areas of the same bank are adjacent."""
    game = StoriesGame(loire_adjacency="blocks").fill(1, "territory")
    game.enter("actions")
    assert game.listed(1, c.Expand) == [c.Expand("territory", "c2r2")]
    game.reject(1, c.Expand("territory", "c1r3"), "stories.expansion.adjacent", "NOT_ADJACENT")
    sides = {area.id: area.cell.side for area in game.t.areas.values()}
    for area in game.t.areas.values():
        assert {sides[other] for other in area.neighbours} <= {sides[area.id]}


def test_stories_map_control() -> None:
    """A seat with a settler on an area controls it with its village and church; without a settler no seat does."""
    game = StoriesGame().settle("c2r2", 1).settle("c2r3", 1).village("c2r3", "c4r3").church("c2r3", "c4r3")
    assert count_controlled(game, 1) == (3, 2, 1)
    assert count_controlled(game, 2) == (1, 1, 0)
    game.settle("c2r3", 2)
    assert (count_controlled(game, 1), count_controlled(game, 2)) == ((2, 1, 0), (2, 2, 1))


@pytest.mark.parametrize(("reading", "areas"), [("yes", 4), ("no", 2)])
def test_stories_map_village_is_area(reading: str, areas: int) -> None:
    """Reading ``village_is_area``."""
    game = StoriesGame(village_is_area=reading).settle("c2r2", 1).settle("c1r3", 1).settle("c2r3", 1).village("c2r3")
    assert count_controlled(game, 1) == (areas, 2, 0)


def test_stories_map_village_is_no_area() -> None:
    """With this reading, a seat that has only villages has no areas."""
    game = StoriesGame(village_is_area="no").settle("c2r2", 1).village("c2r2")
    assert count_controlled(game, 1) == (0, 2, 0)


def test_stories_peace_joint_control() -> None:
    """In peace every seat on an area counts it fully, with its village and church."""
    game = StoriesGame(4).era(2, 5).settle("c2r2", 1, 2).settle("c2r3", 1, 2, 3).village("c2r3").church("c2r3")
    assert count_controlled(game, 1) == (3, 2, 1)
    assert count_controlled(game, 2) == (3, 2, 1)
    assert count_controlled(game, 3) == (2, 2, 1)


def test_stories_peace_split_control() -> None:
    """Reading ``joint_control``: shares are divided among the seats, and their sum is rounded down."""
    game = StoriesGame(4, joint_control="split_down").era(2, 5)
    game.settle("c2r2", 1, 2).settle("c2r3", 1, 2).village("c2r3").church("c2r3")
    assert count_controlled(game, 1) == (2, 1, 0)
    assert count_controlled(game, 2) == (2, 1, 0)
    game.settle("c3r2", 1, 2).settle("c3r3", 1, 2)
    assert count_controlled(game, 1) == (3, 1, 0)


@pytest.mark.parametrize("shared", [3, 6])
def test_stories_peace_split_control__three_thirds_are_one(shared: int) -> None:
    """Thirds are added exactly."""
    game = StoriesGame(4, joint_control="split_down").era(2, 5)
    for area in ("c2r2", "c2r3", "c3r2", "c3r3", "c4r2", "c4r3")[:shared]:
        game.settle(area, 1, 2, 3)
    assert count_controlled(game, 1)[0] == 1 + shared // 3


def test_stories_map_buildings_stay() -> None:
    """Default of reading ``emptied_area``: buildings of an abandoned area stay, without an owner."""
    game = leave_area("buildings_stay_unowned")
    assert count_controlled(game, 1) == (1, 1, 0)
    assert game.stands_on("c2r2") == {"church": 1, "fortress.1": 1}
    assert game.area("c2r2").is_village()
    assert game.seat(1).fortresses.total() == 2

    game.fill(1, "territory").act(1, c.Expand("territory", "c2r2"))
    assert count_controlled(game, 1) == (2, 2, 1)


def test_stories_map_buildings_removed() -> None:
    """Reading ``emptied_area``: church and fortress return to their supplies, the village becomes a landscape."""
    game = leave_area("buildings_removed")
    assert game.stands_on("c2r2") == {}
    assert not game.area("c2r2").is_village()
    assert game.t.churches.counts() == {"church": 12}
    assert game.seat(1).fortresses.total() == 3, "the fortress of the area has returned"


def test_stories_map_buildings_removed__not_on_a_shared_area() -> None:
    """Nothing is removed while another seat has a settler there."""
    game = StoriesGame(emptied_area="buildings_removed").era(1, 5).settle("c2r2", 1, 2).village("c2r2").church("c2r2")
    game.goods(1).strike("A1")
    game.do(1, c.SurrenderSettler("c2r2"))
    assert game.stands_on("c2r2") == {"settler.2": 1, "church": 1}
    assert game.area("c2r2").is_village()


def leave_area(reading: str) -> StoriesGame:
    """Seat 1 surrenders the settler of an area with village, church and fortress."""
    game = StoriesGame(emptied_area=reading).settle("c2r2", 1).village("c2r2").church("c2r2").fortress("c2r2", 1)
    game.goods(1).strike("A1")
    game.do(1, c.SurrenderSettler("c2r2"))
    return game
