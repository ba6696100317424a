"""The map: which spaces lie beside each other, and who controls what stands there."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import control


def counted(game: StoriesGame, seat: int) -> tuple[int, int, int]:
    """The areas, villages and churches that a seat controls."""
    t, mine = game.t, game.seat(seat)
    return control.count_areas(t, mine), control.count_villages(t, mine), control.count_churches(t, mine)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_stories_map_spaces(players: int) -> None:
    """The map is one, every space has two to six neighbours, and what is not on it with so few players is not there."""
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


def test_stories_map_spaces__beside_each_other() -> None:
    """In a column the spaces above and below lie beside one, in the next columns those half a space higher or lower."""
    game = StoriesGame(4)
    assert set(game.area("c4r3").neighbours) == {"c4r2", "c4r4", "c3r2", "c3r3", "c5r2", "c5r3"}
    assert set(game.area("c1r1").neighbours) == {"c1r2", "c2r1", "c2r2"}
    assert set(game.area("c7r4").neighbours) == {"c7r3", "c6r3", "c6r4"}
    for area in game.t.areas.values():
        assert all(area.id in game.area(other).neighbours for other in area.neighbours)


def test_stories_map_loire_crossed() -> None:
    """The Loire keeps nobody from the other bank."""
    game = StoriesGame().fill(1, "territory")
    game.enter("actions")
    assert c.Expand("territory", "c1r3") in game.legal(1)


def test_stories_map_loire_blocks() -> None:
    """Or else it does: then one's area lies beside those of its own bank only."""
    game = StoriesGame(loire_adjacency="blocks").fill(1, "territory")
    game.enter("actions")
    assert game.listed(1, c.Expand) == [c.Expand("territory", "c2r2")]
    game.reject(1, c.Expand("territory", "c1r3"), "stories.expansion.adjacent", "NOT_ADJACENT")
    sides = {area.id: area.cell.side for area in game.t.areas.values()}
    for area in game.t.areas.values():
        assert {sides[other] for other in area.neighbours} <= {sides[area.id]}


def test_stories_map_control() -> None:
    """Whoever has a settler on an area controls it, its village and its church; where nobody is, nobody does."""
    game = StoriesGame().settle("c2r2", 1).settle("c2r3", 1).village("c2r3", "c4r3").church("c2r3", "c4r3")
    assert counted(game, 1) == (3, 2, 1)
    assert counted(game, 2) == (1, 1, 0)
    game.settle("c2r3", 2)
    assert (counted(game, 1), counted(game, 2)) == ((2, 1, 0), (2, 2, 1))


@pytest.mark.parametrize(("reading", "areas"), [("yes", 4), ("no", 2)])
def test_stories_map_village_is_area(reading: str, areas: int) -> None:
    """A village is a controlled area as well, or, read otherwise, it is not."""
    game = StoriesGame(village_is_area=reading).settle("c2r2", 1).settle("c1r3", 1).settle("c2r3", 1).village("c2r3")
    assert counted(game, 1) == (areas, 2, 0)


def test_stories_map_village_is_no_area() -> None:
    """Then who has villages alone has no area, and goes hungry for none."""
    game = StoriesGame(village_is_area="no").settle("c2r2", 1).village("c2r2")
    assert counted(game, 1) == (0, 2, 0)


def test_stories_peace_joint_control() -> None:
    """In peace everybody who stands on an area counts it in full, with its village and church."""
    game = StoriesGame(4).era(2, 5).settle("c2r2", 1, 2).settle("c2r3", 1, 2, 3).village("c2r3").church("c2r3")
    assert counted(game, 1) == (3, 2, 1)
    assert counted(game, 2) == (3, 2, 1)
    assert counted(game, 3) == (2, 2, 1)


def test_stories_peace_split_control() -> None:
    """Read otherwise, shares are divided among those who stand there, and their sum is rounded down."""
    game = StoriesGame(4, joint_control="split_down").era(2, 5)
    game.settle("c2r2", 1, 2).settle("c2r3", 1, 2).village("c2r3").church("c2r3")
    assert counted(game, 1) == (2, 1, 0)
    assert counted(game, 2) == (2, 1, 0)
    game.settle("c3r2", 1, 2).settle("c3r3", 1, 2)
    assert counted(game, 1) == (3, 1, 0)


@pytest.mark.parametrize("shared", [3, 6])
def test_stories_peace_split_control__three_thirds_are_one(shared: int) -> None:
    """However many thirds there are, three of them make one."""
    game = StoriesGame(4, joint_control="split_down").era(2, 5)
    for area in ("c2r2", "c2r3", "c3r2", "c3r3", "c4r2", "c4r3")[:shared]:
        game.settle(area, 1, 2, 3)
    assert counted(game, 1)[0] == 1 + shared // 3


def test_stories_map_buildings_stay() -> None:
    """Where the last settler is gone, buildings stay and are nobody's until somebody comes."""
    game = torn("buildings_stay_unowned")
    assert counted(game, 1) == (1, 1, 0)
    assert game.stands_on("c2r2") == {"church": 1, "fortress.1": 1}
    assert game.area("c2r2").is_village()

    game.fill(1, "territory").act(1, c.Expand("territory", "c2r2"))
    assert counted(game, 1) == (2, 2, 1)


def test_stories_map_buildings_removed() -> None:
    """Read otherwise, they go: the church to the others, the fortress to its owner, the village becomes landscape."""
    game = torn("buildings_removed")
    assert game.stands_on("c2r2") == {}
    assert not game.area("c2r2").is_village()
    assert game.t.churches.counts() == {"church": 12}
    assert game.seat(1).fortresses.total() == 3, "of three that could be built, though one has been"


def test_stories_map_buildings_removed__not_while_another_stands_there() -> None:
    """As long as somebody is left, nothing is removed."""
    game = StoriesGame(emptied_area="buildings_removed").era(1, 5).settle("c2r2", 1, 2).village("c2r2").church("c2r2")
    game.goods(1).strike("A1")
    game.do(1, c.SurrenderSettler("c2r2"))
    assert game.stands_on("c2r2") == {"settler.2": 1, "church": 1}
    assert game.area("c2r2").is_village()


def torn(reading: str) -> StoriesGame:
    """Seat 1 has given up the settler of an area with village, church and fortress."""
    game = StoriesGame(emptied_area=reading).settle("c2r2", 1).village("c2r2").church("c2r2").fortress("c2r2", 1)
    game.goods(1).strike("A1")
    game.do(1, c.SurrenderSettler("c2r2"))
    return game
