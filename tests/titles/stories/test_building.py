"""Building villages, fortresses and churches."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, named

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

PLACES = {"village": "village_building", "fortress": "fortress_building", "church": "church_building"}
WOOD = {"village": 1, "fortress": 1, "church": 2}
HERE = "c2r2"


def create_building_game(what: str, wood: int = 9, game: StoriesGame | None = None) -> StoriesGame:
    """Seat 1 acts and can build this; it controls its first village and a neighbouring area."""
    game = game or StoriesGame()
    game.unlock(1).goods(1, wood=wood, grain=1).bag(1).settle(HERE, 1)
    game.fill(1, PLACES[what]).enter("actions")
    return game


def build(what: str, area: str = HERE) -> c.Build:
    return c.Build(PLACES[what], area)


@pytest.mark.parametrize("what", PLACES)
def test_stories_building_wood(what: str) -> None:
    """A village or fortress costs one wood, a church two. The wood leaves the game; the workers return to the bag."""
    game = create_building_game(what, WOOD[what]).village(*([HERE] if what == "church" else []))
    workers = {
        follower: 1 for space in game.seat(1).estate().places[PLACES[what]].spaces for follower in space.pile.items
    }

    events = game.do(1, build(what))

    assert detail(events, e.Built) == e.Built(PLACES[what], HERE, what, WOOD[what], 0)
    assert game.seat(1).goods.counts() == {"grain": 1}
    assert game.t.removed.items["wood"] == WOOD[what]
    assert game.seat(1).bag.counts() == workers


@pytest.mark.parametrize("what", PLACES)
def test_stories_building_wood__too_little(what: str) -> None:
    game = create_building_game(what, WOOD[what] - 1).village(*([HERE] if what == "church" else []))
    assert game.legal(1) == [c.Pass()]
    game.reject(1, build(what), "stories.building.wood", "NOT_ENOUGH_WOOD")


@pytest.mark.parametrize("what", PLACES)
def test_stories_building_own_area(what: str) -> None:
    """A seat builds only on areas with its own settler."""
    game = create_building_game(what).settle("c2r3", 2).village(*(["c1r3", "c2r3"] if what == "church" else []))
    for area in ("c1r3", "c2r3"):
        game.reject(1, build(what, area), "stories.building.own_area", "NOT_YOUR_AREA")
    game.reject(1, build(what, "c9r9"), "stories.map.spaces", "UNKNOWN_AREA")


def test_stories_building_village_on_landscape() -> None:
    """Only a landscape can become a village."""
    game = create_building_game("village")
    assert game.listed(1, c.Build) == [build("village")]
    game.reject(1, build("village", "c1r2"), "stories.building.village_on_landscape", "NO_LANDSCAPE")
    game.do(1, build("village"))
    assert game.area(HERE).is_village()

    game.fill(1, "village_building").enter("actions")
    game.reject(1, build("village"), "stories.building.village_on_landscape", "NO_LANDSCAPE")


def test_stories_building_own_fortresses() -> None:
    """A fortress comes from the seat's own supply, while it has one."""
    game = create_building_game("fortress").fortresses(1, 1)
    game.do(1, build("fortress"))
    assert game.stands_on(HERE) == {"settler.1": 1, "fortress.1": 1}
    assert game.seat(1).fortresses.total() == 0

    game.settle("c2r3", 1).fill(1, "fortress_building").enter("actions")
    assert game.legal(1) == [c.Pass()]
    game.reject(1, build("fortress", "c2r3"), "stories.building.own_fortresses", "NO_FORTRESS")


def test_stories_building_one_fortress() -> None:
    """One fortress on each area; that of a first village counts."""
    game = create_building_game("fortress").fortress(HERE, 1)
    for area in (HERE, "c1r2"):
        game.reject(1, build("fortress", area), "stories.building.one_fortress", "FORTRESS_THERE")
    assert game.legal(1) == [c.Pass()]


def test_stories_building_one_fortress__on_a_village() -> None:
    game = create_building_game("fortress").village(HERE)
    game.do(1, build("fortress"))
    assert game.stands_on(HERE) == {"settler.1": 1, "fortress.1": 1}


def test_stories_building_fortress_alone() -> None:
    """A fortress would exclude the other seats that are already there."""
    game = create_building_game("fortress", game=StoriesGame().era(2, 5)).settle(HERE, 1, 2)
    game.reject(1, build("fortress"), "stories.building.fortress_alone", "AREA_SHARED")


def test_stories_building_church_in_village() -> None:
    """A church needs a built or first village."""
    game = create_building_game("church").settle("c2r3", 1).village("c2r3")
    assert game.listed(1, c.Build) == [build("church", "c1r2"), build("church", "c2r3")]
    game.reject(1, build("church"), "stories.building.church_in_village", "NO_VILLAGE")
    game.do(1, build("church", "c1r2"))
    assert game.stands_on("c1r2") == {"settler.1": 1, "fortress.1": 1, "church": 1}


def test_stories_building_one_church() -> None:
    """One church in each village."""
    game = create_building_game("church").church("c1r2")
    game.reject(1, build("church", "c1r2"), "stories.building.one_church", "CHURCH_THERE")


def test_stories_building_churches() -> None:
    """All seats share a limited number of churches."""
    game = create_building_game("church")
    game.run_out("church", game.t.churches).bring("church", game.t.churches)
    game.do(1, build("church", "c1r2"))
    assert not game.t.churches.items

    game.village(HERE).fill(1, "church_building").enter("actions")
    game.reject(1, build("church"), "stories.building.churches", "NO_CHURCH")


@pytest.mark.parametrize("what", ["village", "church"])
def test_stories_building_own_area__shared_in_peace(what: str) -> None:
    game = create_building_game(what, game=StoriesGame().era(2, 5)).settle(HERE, 1, 2)
    if what == "church":
        game.village(HERE)
    game.do(1, build(what))
    assert game.area(HERE).is_village()


@pytest.mark.parametrize("what", PLACES)
def test_stories_building_fame(what: str) -> None:
    game = create_building_game(what).village(*([HERE] if what == "church" else []))
    events = game.do(1, build(what))
    assert detail(events, e.Built).fame == 0
    assert not named(events, "FameGained")
    assert game.seat(1).fame.value == 1


@pytest.mark.parametrize("what", PLACES)
def test_stories_carpentry_fame(what: str) -> None:
    """The owner of the Carpentry gains one fame for each village, fortress or church that it builds itself."""
    game = create_building_game(what).own(1, "carpentry").village(*([HERE] if what == "church" else []))
    events = game.do(1, build(what))
    assert detail(events, e.Built).fame == 1
    assert game.seat(1).fame.value == 2

    game = create_building_game(what).own(2, "carpentry").village(*([HERE] if what == "church" else []))
    assert detail(game.do(1, build(what)), e.Built).fame == 0


def test_stories_carpentry_fame__reaches_a_bonus() -> None:
    game = create_building_game("village").own(1, "carpentry").fame(1, 3)
    game.do(1, build("village"))
    assert game.decision(1) == "fame_bonus"


def test_stories_carpentry_fame__not_for_place_cards() -> None:
    """Taking a place card is not building."""
    game = StoriesGame().own(1, "carpentry").fill(1, "construction_yard")
    game.act(1, c.TakePlaceCard("construction_yard", "pub"))
    assert game.seat(1).fame.value == 1
