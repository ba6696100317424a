"""Places of the player board, base place cards and place cards: their spaces and effects."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from msgspec import Struct
from tests.titles.stories.kit import StoriesGame, detail

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.tables import tables_of

TABLES = tables_of("settlers")


class PlaceEffect(NamedTuple):
    """The spaces of a place, and what its action gives."""

    spaces: tuple[str, ...]
    bag: tuple[str, ...] = ()
    goods: tuple[str, ...] = ()
    coins: int = 0
    fame: int = 0
    technology: int = 0


EFFECTS = {
    "farm": PlaceEffect(("fisherman", "craftsman"), ("farmer",), ("grain",)),
    "fishery": PlaceEffect(("farmer", "trader"), ("fisherman",), ("fish",)),
    "landed_estate": PlaceEffect(("farmer", "fisherman"), goods=("grain", "wood")),
    "university": PlaceEffect(("farmer", "craftsman", "trader"), ("scholar",), fame=1),
    "workshop": PlaceEffect(("craftsman", "scholar"), technology=1),
    "castle": PlaceEffect(("farmer", "fisherman", "trader"), ("knight",)),
    "monastery": PlaceEffect(("scholar", "trader"), ("monk",)),
    "granary": PlaceEffect(("farmer",), goods=("grain",)),
    "smokehouse": PlaceEffect(("fisherman",), goods=("fish",)),
    "dairy": PlaceEffect(("farmer", "farmer"), goods=("cheese",)),
    "sawmill": PlaceEffect(("craftsman",), goods=("wood",)),
    "ferry": PlaceEffect(("fisherman", "fisherman"), coins=3),
    "county_fair": PlaceEffect(("farmer",), coins=1),
    "customs_house": PlaceEffect(("trader",), coins=2),
    "winery": PlaceEffect(("farmer", "trader"), goods=("wine",)),
    "brewery": PlaceEffect(("monk",), coins=4),
    "weaving_mill": PlaceEffect(("trader", "scholar"), goods=("brocade",)),
    "library": PlaceEffect(("knight", "scholar"), fame=2),
    "laboratory": PlaceEffect(("craftsman", "scholar"), technology=1),
    "cellar": PlaceEffect(("scholar", "monk"), coins=6),
    "office": PlaceEffect(("scholar", "scholar"), coins=4),
}
"""Places that are used without a choice, by a seat with two villages, a field and a forest."""

CHOICES: dict[str, tuple[tuple[str, ...], type[Struct] | None]] = {
    "crafts_and_trade": (("farmer", "fisherman", "craftsman"), c.RecruitFollower),
    "market": (("fisherman", "trader"), c.UsePlace),
    "territory": (("farmer|knight", "fisherman|knight", "trader"), c.Expand),
    "construction_yard": (("farmer", "fisherman", "craftsman"), c.TakePlaceCard),
    "village_building": (("farmer", "craftsman", "trader"), c.Build),
    "town_hall": (("any", "any"), c.SendToDeed),
    "fortress_building": (("craftsman", "knight"), c.Build),
    "church_building": (("craftsman", "trader", "monk"), c.Build),
    "pub": (("any",), c.ConvertCoins),
    "bathhouse": (("any",), c.UsePlace),
    "bakery": (("craftsman", "farmer"), c.ExchangeGoods),
    "garrison": (("knight",), c.Conquer),
    "shipyard": (("fisherman", "craftsman"), c.ProduceGoods),
    "sacristy": (("monk",), None),
    "hayloft": ((), None),
    "carpentry": ((), None),
    "school": ((), None),
    "herb_garden": ((), None),
}
"""Places with a choice and its command, and places without an action (``None``)."""


def create_rich_game(place: str) -> StoriesGame:
    """Seat 1 has two villages, a field and a forest, plenty of wood, grain and coins, and this place."""
    game = StoriesGame().goods(1, grain=3, wood=3).coins(1, 5).bag(1)
    game.settle("c1r3", 1).landscape("c1r3", "field").settle("c2r2", 1).landscape("c2r2", "forest")
    game.settle("c2r3", 1).village("c2r3").settle("c3r3", 2)
    if place in game.data.base_places:
        game.unlock(1)
    elif place in game.data.place_cards:
        game.own(1, place)
    return game


def test_numbers_of_places_base_place_cards_and_place_cards() -> None:
    places = [*TABLES["places"], *TABLES["base_places"], *TABLES["place_cards"]]
    assert set(places) == set(EFFECTS) | set(CHOICES) | {"county_fair"}
    assert [len(TABLES[block]) for block in ("places", "base_places", "place_cards")] == [9, 6, 24]


@pytest.mark.parametrize(("place", "effect"), EFFECTS.items(), ids=EFFECTS)
def test_stories_places_gain(place: str, effect: PlaceEffect) -> None:
    """The seat receives the effect; the followers and the recruit go to the bag."""
    game = create_rich_game(place)
    spaces = game.data.places[place].spaces
    if place != "county_fair":
        assert tuple(space.requires for space in spaces) == effect.spaces
    before = game.seat(1).goods.counts()
    game.fill(1, place, *effect.spaces)

    events = game.act(1, c.UsePlace(place))

    mine = game.seat(1)
    goods = dict.fromkeys(effect.goods, 1)
    recruit = effect.bag[0] if effect.bag else ""
    used = e.PlaceUsed(place, recruit, goods, effect.coins, effect.fame, effect.technology)
    assert detail(events, e.PlaceUsed) == used
    assert sorted(name for name, count in mine.bag.counts().items() for _ in range(count)) == sorted(
        (*effect.spaces, *effect.bag)
    )
    gained = {good: count - before.get(good, 0) for good, count in mine.goods.counts().items()}
    assert {good: count for good, count in gained.items() if count} == goods
    assert mine.coins.value == 5 + effect.coins
    assert mine.fame.value == 1 + effect.fame
    assert mine.technology.total() == effect.technology
    assert game.deciding() == [2]


@pytest.mark.parametrize(("place", "what"), CHOICES.items(), ids=CHOICES)
def test_stories_actions_matching_command(place: str, what: tuple[tuple[str, ...], type[Struct] | None]) -> None:
    """Each place accepts only its own command."""
    spaces, kind = what
    game = create_rich_game(place).era(1, 3)
    assert tuple(space.requires for space in game.data.places[place].spaces) == spaces
    game.fill(1, place, *(("knight", "knight", "trader") if place == "territory" else ())).enter("actions")

    kinds = {type(command) for command in game.legal(1)} - {c.Pass}
    if place == "territory":
        assert kinds == {c.Expand, c.Conquer}
    else:
        assert kinds == ({kind} if kind else set())
    others: list[Struct] = [
        c.UsePlace(place),
        c.RecruitFollower(place, "craftsman"),
        c.Expand(place, "c3r2"),
        c.Conquer(place, "c3r3"),
        c.Build(place, "c2r2"),
        c.TakePlaceCard(place, "ferry"),
        c.ProduceGoods(place, "field"),
        c.ConvertCoins(place, 1),
        c.ExchangeGoods(place, 1),
        c.SendToDeed(place, "any", "food_depot"),
    ]
    rule = "stories.actions.matching_command" if kind else "stories.actions.no_action"
    rule = "stories.sacristy.not_an_action" if place == "sacristy" else rule
    for command in others:
        if type(command) not in kinds:
            game.reject(1, command, rule)


@pytest.mark.parametrize("place", [place for place, effect in EFFECTS.items() if effect.bag])
def test_stories_places_to_bag(place: str) -> None:
    """The recruit comes from the supply and goes to the bag."""
    game = create_rich_game(place).fill(1, place)
    (recruit,) = EFFECTS[place].bag
    supply, market = game.t.supply.items[recruit], game.seat(1).market.counts()
    game.act(1, c.UsePlace(place))
    assert game.t.supply.items[recruit] == supply - 1
    assert recruit in game.seat(1).bag.items
    assert game.seat(1).market.counts() == market


def test_stories_places_choice() -> None:
    """Crafts and Trade gives a craftsman and a wood, or a trader and two coins."""
    for character, goods, coins in (("craftsman", {"wood": 1}, 0), ("trader", {}, 2)):
        game = StoriesGame().goods(1).bag(1).fill(1, "crafts_and_trade")
        events = game.act(1, c.RecruitFollower("crafts_and_trade", character))
        assert detail(events, e.PlaceUsed) == e.PlaceUsed("crafts_and_trade", character, goods, coins)
        assert (game.seat(1).goods.counts(), game.seat(1).coins.value) == (goods, coins)
        assert game.seat(1).bag.total() == 4


def test_stories_places_choice__other_characters() -> None:
    game = StoriesGame().fill(1, "crafts_and_trade")
    game.enter("actions")
    assert len(game.listed(1, c.RecruitFollower)) == 2
    game.reject(1, c.RecruitFollower("crafts_and_trade", "knight"), "stories.places.choice", "WRONG_CHARACTER")


# --- goods of areas ------------------------------------------------------------------------------------------


def create_harvest_game(place: str, joint_control: str = "full_each") -> StoriesGame:
    """Seat 1 has two fields, a lake and a village that was a field; seat 2 has another field."""
    game = StoriesGame(joint_control=joint_control).goods(1).settle("c1r3", 1).landscape("c1r3", "field")
    game.settle("c2r2", 1).landscape("c2r2", "field").settle("c2r3", 1).landscape("c2r3", "lake")
    game.settle("c3r2", 1).landscape("c3r2", "field").village("c3r2").settle("c7r2", 2).landscape("c7r2", "field")
    if place != "landed_estate":
        game.own(1, place)
    return game.fill(1, place)


def test_stories_places_landed_estate() -> None:
    """A good of each controlled landscape; villages yield nothing."""
    game = create_harvest_game("landed_estate")
    before = game.t.goods_market.counts()
    events = game.act(1, c.UsePlace("landed_estate"))
    assert detail(events, e.PlaceUsed) == e.PlaceUsed("landed_estate", goods={"grain": 2, "fish": 1})
    assert game.seat(1).goods.counts() == {"grain": 2, "fish": 1}
    assert game.t.goods_market.items["grain"] == before["grain"] - 2


@pytest.mark.parametrize(
    ("landscape", "good"),
    {"field": "grain", "lake": "fish", "pasture": "cheese", "forest": "wood", "hill": "wine"}.items(),
)
def test_stories_places_landed_estate__each_landscape(landscape: str, good: str) -> None:
    game = StoriesGame().goods(1).settle("c2r2", 1).landscape("c2r2", landscape).fill(1, "landed_estate")
    game.act(1, c.UsePlace("landed_estate"))
    assert game.seat(1).goods.counts() == {good: 1}


def test_stories_places_villages_yield_nothing() -> None:
    """A village replaces its landscape."""
    game = StoriesGame().goods(1, wood=1).settle("c2r2", 1).landscape("c2r2", "lake").settle("c2r3", 1)
    game.landscape("c2r3", "hill").fill(1, "landed_estate").fill(1, "village_building")
    game.act(1, c.Build("village_building", "c2r2"))
    game.idle(2)
    game.do(1, c.UsePlace("landed_estate"))
    assert game.seat(1).goods.counts() == {"wine": 1}


def test_stories_places_landed_estate__nothing_to_harvest() -> None:
    """A seat has only villages, or areas whose goods the market does not have."""
    game = StoriesGame().fill(1, "landed_estate")
    game.enter("actions")
    game.reject(1, c.UsePlace("landed_estate"), "stories.places.landed_estate", "NOTHING_TO_HARVEST")
    game.settle("c2r2", 1).landscape("c2r2", "hill").goods_market(grain=5)
    game.reject(1, c.UsePlace("landed_estate"), "stories.places.landed_estate", "NOTHING_TO_HARVEST")


def test_stories_places_landed_estate__limited_by_the_market() -> None:
    game = create_harvest_game("landed_estate").goods_market(grain=1, fish=2)
    game.act(1, c.UsePlace("landed_estate"))
    assert game.seat(1).goods.counts() == {"grain": 1, "fish": 1}
    assert game.t.goods_market.counts() == {"fish": 1}


def test_stories_places_landed_estate__shared_in_peace() -> None:
    """A shared area yields to each seat; with ``split_down``, two shared fields yield one good."""
    for reading, grain in (("full_each", 2), ("split_down", 1)):
        game = create_harvest_game("landed_estate", reading).era(2, 5)
        game.settle("c1r3", 1, 2).settle("c2r2", 1, 2)
        game.act(1, c.UsePlace("landed_estate"))
        assert game.seat(1).goods.counts() == {"grain": grain, "fish": 1}


def test_stories_places_one_landscape() -> None:
    """The Shipyard yields the goods of all own areas of one landscape."""
    game = create_harvest_game("shipyard")
    game.enter("actions")
    assert game.listed(1, c.ProduceGoods) == [c.ProduceGoods("shipyard", "field"), c.ProduceGoods("shipyard", "lake")]
    game.reject(1, c.ProduceGoods("shipyard", "moor"), "stories.places.one_landscape", "UNKNOWN_LANDSCAPE")
    game.reject(1, c.ProduceGoods("shipyard", "hill"), "stories.places.landed_estate", "NOTHING_TO_HARVEST")
    events = game.do(1, c.ProduceGoods("shipyard", "field"))
    assert detail(events, e.PlaceUsed).goods == {"grain": 2}
    assert game.seat(1).goods.counts() == {"grain": 2}


def test_stories_places_one_landscape__not_with_the_landed_estate() -> None:
    """Each place accepts only its own harvest command."""
    game = create_harvest_game("shipyard").fill(1, "landed_estate")
    game.enter("actions")
    game.reject(1, c.UsePlace("shipyard"), "stories.actions.matching_command")
    game.reject(1, c.ProduceGoods("landed_estate", "field"), "stories.actions.matching_command")


# --- County Fair, Customs House and Office -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("followers", "coins", "fame"),
    [
        (("farmer",), 1, 0),
        (("", "fisherman", "", "trader"), 2, 0),
        (("farmer", "fisherman", "craftsman"), 3, 0),
        (("farmer", "fisherman", "craftsman", "trader"), 4, 2),
        (("farmer", "fisherman", "craftsman", "trader", "knight", "scholar", "monk"), 7, 2),
    ],
)
def test_stories_places_different_followers(followers: tuple[str, ...], coins: int, fame: int) -> None:
    """A coin for each different follower, and two fame for four or more of them."""
    game = StoriesGame().own(1, "county_fair").fill(1, "county_fair", *followers).bag(1)
    events = game.act(1, c.UsePlace("county_fair"))
    assert detail(events, e.PlaceUsed) == e.PlaceUsed("county_fair", coins=coins, fame=fame)
    assert game.seat(1).bag.counts() == {follower: 1 for follower in followers if follower}


def test_stories_places_different_followers__monks_are_one_kind() -> None:
    """A monk may be on another character's space, but two monks count once."""
    game = StoriesGame().own(1, "county_fair").fill(1, "county_fair", "monk", "monk", "craftsman", "trader")
    events = game.act(1, c.UsePlace("county_fair"))
    assert detail(events, e.PlaceUsed) == e.PlaceUsed("county_fair", coins=3)


def test_stories_places_different_followers__technology_is_no_follower() -> None:
    """Technology cannot be placed on the County Fair, and would not count there."""
    game = StoriesGame().own(1, "county_fair").technology(1)
    game.enter("planning")
    game.reject(
        1, c.PlaceTechnology("county_fair", "farmer"), "stories.technology.fixed_character", "NO_FIXED_CHARACTER"
    )

    game = StoriesGame().own(1, "county_fair").fill(1, "county_fair", "technology", "fisherman", "craftsman", "trader")
    events = game.act(1, c.UsePlace("county_fair"))
    assert detail(events, e.PlaceUsed) == e.PlaceUsed("county_fair", coins=3)


def test_stories_places_one_follower() -> None:
    """Technology on the County Fair does not activate it; else its owner could act without end."""
    choice = "open"
    game = StoriesGame(technology_on_open_spaces=choice).own(1, "county_fair").fill(1, "county_fair", "technology")
    game.bag(1).enter("actions")
    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.UsePlace("county_fair"), "stories.places.one_follower", "NOT_ACTIVATED")

    game = StoriesGame(technology_on_open_spaces=choice).own(1, "county_fair").coins(1, 0)
    game.fill(1, "county_fair", "technology", "monk").act(1, c.UsePlace("county_fair"))
    assert game.seat(1).coins.value == 1
    assert game.counts("place.county_fair.farmer") == {"technology": 1}


@pytest.mark.parametrize(("place", "each"), [("customs_house", 1), ("office", 2)])
def test_stories_places_gain__coins_per_village(place: str, each: int) -> None:
    """Coins for each controlled village."""
    for villages in (0, 1, 3):
        game = StoriesGame().own(1, place).fill(1, place).settle("c1r2").settle("c3r3", 1)
        for area in ("c1r2", "c2r2", "c2r3")[:villages]:
            game.settle(area, 1).village(*([area] if area != "c1r2" else []))
        game.act(1, c.UsePlace(place))
        assert game.seat(1).coins.value == each * villages


def test_stories_running_out_tiles() -> None:
    """A place cannot be used if its follower, good or technology has run out."""
    game = create_rich_game("workshop").fill(1, "farm").fill(1, "fishery").fill(1, "workshop")
    game.fill(1, "crafts_and_trade").run_out("farmer", game.t.supply).run_out("craftsman", game.t.supply)
    game.run_out("fish", game.t.goods_market).run_out("technology", game.t.technology)
    game.enter("actions")
    rule = "stories.running_out.tiles"
    game.reject(1, c.UsePlace("farm"), rule, "NO_FOLLOWER_LEFT")
    game.reject(1, c.UsePlace("fishery"), rule, "GOOD_SOLD_OUT")
    game.reject(1, c.UsePlace("workshop"), rule, "NO_TECHNOLOGY_LEFT")
    game.reject(1, c.RecruitFollower("crafts_and_trade", "craftsman"), rule, "NO_FOLLOWER_LEFT")
    assert game.legal(1) == [c.RecruitFollower("crafts_and_trade", "trader"), c.Pass()]


def test_stories_running_out_tiles__last_one() -> None:
    """The last one is still given."""
    game = create_rich_game("farm").fill(1, "farm")
    game.run_out("farmer", game.t.supply).run_out("grain", game.t.goods_market)
    game.bring("farmer", game.t.supply).bring("grain", game.t.goods_market)
    game.act(1, c.UsePlace("farm"))
    assert "farmer" not in game.t.supply.items
    assert "grain" not in game.t.goods_market.items


def test_stories_running_out_tiles__good_of_a_choice() -> None:
    """Without wood the seat can recruit no craftsman, but still a trader."""
    game = StoriesGame().fill(1, "crafts_and_trade")
    game.run_out("wood", game.t.goods_market).enter("actions")
    game.reject(1, c.RecruitFollower("crafts_and_trade", "craftsman"), "stories.running_out.tiles", "GOOD_SOLD_OUT")
    game.do(1, c.RecruitFollower("crafts_and_trade", "trader"))


def test_stories_actions_no_action() -> None:
    """Cards without spaces have a permanent effect and no action."""
    game = StoriesGame().own(1, "hayloft", "carpentry", "school", "herb_garden")
    game.enter("actions")
    assert game.legal(1) == [c.Pass()]
    for card in ("hayloft", "carpentry", "school", "herb_garden"):
        game.reject(1, c.UsePlace(card), "stories.actions.no_action", "NO_ACTION")


def test_stories_actions_activated() -> None:
    """A place can be used when all its spaces are filled."""
    game = StoriesGame().fill(1, "farm", "fisherman")
    game.enter("actions")
    rejection = game.reject(1, c.UsePlace("farm"), "stories.actions.activated", "NOT_ACTIVATED")
    assert rejection.values["missing"] == "craftsman"


def test_stories_actions_own_place() -> None:
    """A locked base place card, a card that no seat has taken, or one of another seat is no own place."""
    game = StoriesGame().own(2, "granary").fill(2, "granary")
    game.enter("actions")
    for place in ("castle", "pub", "granary"):
        game.reject(1, c.UsePlace(place), "stories.actions.own_place", "NOT_YOUR_PLACE")
    game.idle(1)
    game.do(2, c.UsePlace("granary"))


def test_stories_actions_in_turn() -> None:
    """One action after the other, in turn order from the start player; a seat that passes is skipped."""
    game = StoriesGame(3).own(1, "granary").own(2, "smokehouse", "sawmill").own(3, "pub").coins(3, 1)
    game.fill(1, "granary").fill(2, "smokehouse").fill(2, "sawmill").fill(3, "pub").enter("actions", 2)
    assert game.deciding() == [2]
    game.do(2, c.UsePlace("sawmill"))
    game.do(3, c.Pass())
    game.do(1, c.UsePlace("granary"))
    game.do(2, c.UsePlace("smokehouse"))
    assert game.deciding() == [1]
    game.do(1, c.Pass())
    game.do(2, c.Pass())
    assert game.t.phase.value != "actions"


def test_stories_actions_pass_is_final() -> None:
    """A seat that has passed does not act again in the round, also if its places are filled."""
    game = StoriesGame().own(1, "granary").fill(1, "granary").own(2, "ferry").fill(2, "ferry")
    game.act(1, c.Pass())
    game.do(2, c.UsePlace("ferry"))
    game.reject(1, c.UsePlace("granary"), "table.not_deciding")
    assert game.deciding() == [2]


def test_stories_actions_followers_return() -> None:
    """Used followers return to the bag; those on unused places stay."""
    game = StoriesGame().bag(1).own(1, "granary").fill(1, "granary").fill(1, "farm", "fisherman")
    game.act(1, c.UsePlace("granary"))
    assert game.seat(1).bag.counts() == {"farmer": 1}
    assert game.counts("seat.1.farm.fisherman") == {"fisherman": 1}


def test_stories_actions_technology_stays() -> None:
    """Technology on a place replaces its follower permanently."""
    game = StoriesGame().bag(1).fill(1, "farm", "fisherman", "technology")
    for farmers in (1, 2):
        game.act(1, c.UsePlace("farm"))
        assert game.counts("seat.1.farm.craftsman") == {"technology": 1}
        assert game.seat(1).bag.counts() == {"farmer": farmers, "fisherman": farmers}
        game.fill(1, "farm", "fisherman")


@pytest.mark.parametrize(
    ("place", "effect"),
    {
        "workshop_quarter": PlaceEffect(("farmer", "fisherman", "trader"), ("craftsman",), ("wood",)),
        "trading_house": PlaceEffect(("farmer", "fisherman", "craftsman"), ("trader",), coins=2),
    }.items(),
)
def test_stories_places_gain__of_another_data_set(place: str, effect: PlaceEffect) -> None:
    """A board with ten places has one for craftsmen and one for traders, instead of one for both."""
    game = StoriesGame(data_set="reconstructed-2").goods(1).bag(1).fill(1, place)
    assert tuple(space.requires for space in game.data.places[place].spaces) == effect.spaces
    assert len(game.data.board_places) == 10
    assert "crafts_and_trade" not in game.data.places
    events = game.act(1, c.UsePlace(place))
    goods = dict.fromkeys(effect.goods, 1)
    assert detail(events, e.PlaceUsed) == e.PlaceUsed(place, effect.bag[0], goods, effect.coins)
    assert (game.seat(1).goods.counts(), game.seat(1).coins.value) == (goods, effect.coins)
