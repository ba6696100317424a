"""Manor farms: their goods, no fame and no villages; and the fame for building in England vs. France."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import detail
from tests.titles.stories.nations import MESSAGES, TEAMS, NationsGame, list_details

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.control import landscape_of
from boardkeeper.titles.stories.data import MANOR

YIELDS = ("grain", "fish", "cheese", "wood", "wine")
ESTATE = c.UsePlace("landed_estate")


def create_manor_game(*areas: str, **choices: str) -> NationsGame:
    """Seat 1 has manor farms on these areas, and followers on its Landed Estate."""
    game = NationsGame(TEAMS, MESSAGES, **choices).fill(1, "landed_estate", "farmer", "fisherman")
    for area in areas:
        game.settle(area, 1)
    for area in areas:
        game.landscape(area, MANOR)
    return game


# --- goods ---------------------------------------------------------------------------------------------------


def test_stories_manors_choice__two_farms() -> None:
    """There are two manor farms, each with the goods of all landscapes."""
    data = NationsGame().data
    assert data.manor_tiles == 2
    assert data.manor_goods == YIELDS == tuple(data.landscape_goods.values())


@pytest.mark.parametrize("good", YIELDS)
def test_stories_manors_choice(good: str) -> None:
    """The player chooses a good with the Landed Estate; then the next player acts."""
    game = create_manor_game("c3r3")
    game.act(1, ESTATE)
    assert game.decision(1) == "choose_good"
    assert game.legal(1) == [c.TakeGood(each) for each in YIELDS]
    events = game.do(1, c.TakeGood(good))
    assert detail(events, e.TileUsed) == e.TileUsed(MANOR, goods={good: 1})
    assert game.seat(1).goods.counts() == {good: 1}
    assert game.seat(1).bag.counts() == {"farmer": 1, "fisherman": 1}
    assert game.deciding() == [2]
    assert game.t.action_place.value == ""


@pytest.mark.parametrize("good", ["bread", "brocade"])
def test_stories_manors_choice__of_the_land(good: str) -> None:
    """Only goods of landscapes."""
    game = create_manor_game("c3r3")
    game.act(1, ESTATE)
    game.reject(1, c.TakeGood(good), "stories.manors.choice", "NOT_OFFERED")


def test_stories_manors_choice__each_time() -> None:
    """The player may choose another good each time."""
    game = create_manor_game("c3r3")
    game.act(1, ESTATE)
    game.do(1, c.TakeGood("wine"))
    game.fill(1, "landed_estate", "farmer", "fisherman").act(1, ESTATE)
    game.do(1, c.TakeGood("fish"))
    assert game.seat(1).goods.counts() == {"wine": 1, "fish": 1}


def test_stories_manors_choice__several() -> None:
    """Each of two manor farms yields a good, after the landscapes."""
    game = create_manor_game("c3r3", "c3r2").settle("c2r2", 1).landscape("c2r2", "lake")
    events = game.act(1, ESTATE)
    assert detail(events, e.PlaceUsed).goods == {"fish": 1}
    game.do(1, c.TakeGood("wine"))
    assert game.decision(1) == "choose_good"
    game.do(1, c.TakeGood("cheese"))
    assert game.seat(1).goods.counts() == {"fish": 1, "wine": 1, "cheese": 1}
    assert game.deciding() == [2]


def test_stories_manors_choice__sold_out() -> None:
    """Only goods that the market has."""
    game = create_manor_game("c3r3").goods_market(grain=1, bread=5, wood=2)
    game.act(1, ESTATE)
    assert game.legal(1) == [c.TakeGood("grain"), c.TakeGood("wood")]
    game.reject(1, c.TakeGood("wine"), "stories.manors.choice", "NOT_OFFERED")


def test_stories_manors_choice__last_good() -> None:
    """The action ends if the market has no good for the second manor farm."""
    game = create_manor_game("c3r3", "c3r2").goods_market(grain=1, bread=5)
    game.act(1, ESTATE)
    game.do(1, c.TakeGood("grain"))
    assert game.deciding() == [2]
    assert game.seat(1).bag.total() == 2

    game = create_manor_game("c3r3").goods_market(grain=1).settle("c2r2", 1).landscape("c2r2", "field")
    game.act(1, ESTATE)
    assert game.seat(1).goods.counts() == {"grain": 1}
    assert game.deciding() == [2]
    assert game.seat(1).bag.total() == 2
    assert game.t.action_place.value == ""


def test_stories_manors_choice__nothing_left() -> None:
    """Without goods in the market, a manor farm alone cannot be harvested."""
    game = create_manor_game("c3r3").goods_market(bread=5)
    game.enter("actions")
    game.reject(1, ESTATE, "stories.places.landed_estate", "NOTHING_TO_HARVEST")


def test_stories_manors_choice__lost_farm() -> None:
    game = create_manor_game("c3r3").settle("c3r3", 2)
    game.enter("actions")
    game.reject(1, ESTATE, "stories.places.landed_estate", "NOTHING_TO_HARVEST")


def test_stories_manors_choice__not_with_a_harvest_of_one_landscape() -> None:
    """A place that harvests one landscape does not harvest manor farms."""
    game = create_manor_game("c3r3").own(1, "shipyard").fill(1, "shipyard")
    game.enter("actions")
    for landscape in game.data.landscape_goods:
        harvest = c.ProduceGoods("shipyard", landscape)
        game.reject(1, harvest, "stories.places.landed_estate", "NOTHING_TO_HARVEST")

    game = create_manor_game("c3r3").own(1, "shipyard").fill(1, "shipyard").settle("c2r2", 1).landscape("c2r2", "lake")
    game.act(1, c.ProduceGoods("shipyard", "lake"))
    assert game.seat(1).goods.counts() == {"fish": 1}
    assert game.deciding() == [2]


# --- building ------------------------------------------------------------------------------------------------


def test_stories_manors_no_village() -> None:
    """No village and no church can be built on a manor farm."""
    game = create_manor_game("c3r3").goods(1, wood=5).fill(1, "village_building").fill(1, "church_building")
    game.enter("actions")
    village, church = c.Build("village_building", "c3r3"), c.Build("church_building", "c3r3")
    game.reject(1, village, "stories.building.village_on_landscape", "NO_LANDSCAPE")
    game.reject(1, church, "stories.building.church_in_village", "NO_VILLAGE")
    assert landscape_of(game.t, game.area("c3r3")) == ""


def build_fortress(reading: str) -> e.Built:
    """Let seat 1 build a fortress on its manor farm."""
    game = create_manor_game("c3r3", manor_fortress_fame=reading).goods(1, wood=1).fill(1, "fortress_building")
    built = detail(game.act(1, c.Build("fortress_building", "c3r3")), e.Built)
    assert game.stands_on("c3r3") == {"settler.1": 1, "fortress.1": 1}
    assert game.seat(1).fame.value == built.fame
    return built


def test_stories_building_fortress_on_manor_farm() -> None:
    """A fortress is allowed and gives its fame: it is fame for building, not of the manor farm."""
    assert build_fortress("yes") == e.Built("fortress_building", "c3r3", "fortress", 1, 1)


def test_stories_building_no_fame_on_manor_farm() -> None:
    """Reading ``manor_fortress_fame``."""
    assert build_fortress("no").fame == 0


def test_stories_building_no_fame_on_manor_farm__elsewhere() -> None:
    """With this reading, fortresses on other areas still give fame."""
    game = create_manor_game("c3r3", manor_fortress_fame="no").settle("c3r2", 1).landscape("c3r2", "hill")
    game.goods(1, wood=1).fill(1, "fortress_building").act(1, c.Build("fortress_building", "c3r2"))
    assert game.seat(1).fame.value == 1


@pytest.mark.parametrize("landscape", ["field", "lake", "pasture", "forest", "hill"])
def test_stories_manors_no_fame(landscape: str) -> None:
    """A manor farm does not count as any landscape that gives fame."""
    game = create_manor_game("c3r3", "c3r2").settle("c2r2", 1).landscape("c2r2", landscape)
    game.bonus_tile(1, f"bonus_{landscape}")
    events = game.enter("round_bonus")
    assert list_details(events, e.RoundBonusCarriedOut)[0] == e.RoundBonusCarriedOut(1, 0, 1)
    assert game.seat(1).fame.value == 1


# --- fame for building ---------------------------------------------------------------------------------------

FAME = {1: (1, 1, 2), 2: (2, 1, 3), 3: (2, 2, 4)}
"""The fame of a village, a fortress and a church in each era."""

BUILDINGS = ("village", "fortress", "church")


def build(game: NationsGame, building: str) -> e.Built:
    """Let seat 1 build on its own area."""
    game.settle("c3r3", 1).landscape("c3r3", "hill").goods(1, wood=2).fill(1, f"{building}_building")
    if building == "church":
        game.village("c3r3")
    return detail(game.act(1, c.Build(f"{building}_building", "c3r3")), e.Built)


@pytest.mark.parametrize("era", [1, 2, 3])
@pytest.mark.parametrize("building", BUILDINGS)
def test_stories_building_fame_of_era(building: str, era: int) -> None:
    """The era of the seat gives the fame for building."""
    game = NationsGame().era(1, era)
    fame = FAME[era][BUILDINGS.index(building)]
    assert build(game, building).fame == fame
    assert game.seat(1).fame.value == fame


@pytest.mark.parametrize("building", BUILDINGS)
def test_stories_building_carpentry(building: str) -> None:
    """A Carpentry adds one fame."""
    assert build(NationsGame().own(1, "carpentry"), building).fame == FAME[1][BUILDINGS.index(building)] + 1


@pytest.mark.parametrize("building", BUILDINGS)
def test_stories_building_no_carpentry(building: str) -> None:
    """Reading ``carpentry_in_evf``: the Carpentry gives fame only in The Settlers."""
    game = NationsGame(carpentry_in_evf="none").own(1, "carpentry")
    assert build(game, building).fame == FAME[1][BUILDINGS.index(building)]


def test_stories_building_fame_of_era__era_before_the_building() -> None:
    """A building that leads to a new era gives the fame of the old one; the next one that of the new era."""
    game = NationsGame().fame(1, 12)
    assert build(game, "village").fame == 1
    assert game.seat(1).era_reached.value == 2
    game.do(1, c.DeclineBonus())
    game.settle("c3r2", 1).landscape("c3r2", "hill").goods(1, wood=1).fill(1, "village_building")
    assert detail(game.act(1, c.Build("village_building", "c3r2")), e.Built).fame == 2
