"""Construction Yard and place cards: which cards a seat may take, and the cards with special actions."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, named

from boardkeeper.table.visibility import same_as
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

CATEGORIES = {1: ("I",), 2: ("I", "II"), 3: ("I", "II"), 4: ("I", "II", "III"), 5: ("I", "II", "III")}


def take(card: str) -> c.TakePlaceCard:
    return c.TakePlaceCard("construction_yard", card)


def create_yard_game(era: int = 1) -> StoriesGame:
    """Seat 1 acts at the Construction Yard in this era."""
    game = StoriesGame().era(1, era).bag(1).fill(1, "construction_yard")
    game.enter("actions")
    return game


@pytest.mark.parametrize(("era", "open"), CATEGORIES.items())
def test_stories_cards_categories(era: int, open: tuple[str, ...]) -> None:
    """An era opens its categories and those of earlier eras."""
    game = create_yard_game(era)
    cards = {command.card for command in game.listed(1, c.TakePlaceCard)}
    assert cards == {card for card in game.data.place_cards if game.data.places[card].category in open}
    for category, card in {"I": "pub", "II": "carpentry", "III": "garrison"}.items():
        if category not in open:
            game.reject(1, take(card), "stories.cards.category", "CATEGORY_CLOSED")


def test_stories_cards_category() -> None:
    """The eras of other seats open nothing."""
    game = StoriesGame().era(2, 4).fill(1, "construction_yard")
    game.enter("actions")
    game.reject(1, take("carpentry"), "stories.cards.category", "CATEGORY_CLOSED")


def test_stories_cards_open() -> None:
    """Each card exists once; a taken or surrendered card is gone."""
    game = create_yard_game().own(2, "pub")
    game.bring("ferry", game.t.removed)
    for card in ("pub", "ferry"):
        game.reject(1, take(card), "stories.cards.open", "CARD_GONE")
    for card in ("university", "tavern"):
        game.reject(1, take(card), "stories.cards.open", "UNKNOWN_CARD")


def test_stories_cards_construction_yard() -> None:
    """A card costs only the action; its spaces can be filled from the next planning on."""
    game = create_yard_game()
    events = game.do(1, take("granary"))
    assert detail(events, e.PlaceCardTaken) == e.PlaceCardTaken("construction_yard", "granary")
    assert "granary" in game.seat(1).place_tiles.items
    assert "granary" not in game.t.cards["I"].items
    assert game.seat(1).bag.counts() == {"farmer": 1, "fisherman": 1, "craftsman": 1}
    game.market(1, farmer=1).enter("planning")
    game.do(1, c.PlaceFollower("farmer", "granary", "farmer"))


def test_stories_cards_construction_yard__behind_the_screen() -> None:
    """With sealed plans, the spaces of a new card are hidden by its owner's screen."""
    game = StoriesGame(planning="sealed").fill(1, "construction_yard").market(1, farmer=1)
    game.act(1, take("granary"))
    game.enter("planning")
    game.do(1, c.PlaceFollower("farmer", "granary", "farmer"))
    zone = game.table.zones["place.granary.farmer"]
    assert zone.visibility == same_as("seat.1.screen")


# --- Pub and Bakery ------------------------------------------------------------------------------------------


def test_stories_cards_coins_for_fame() -> None:
    """The Pub turns one to three coins into the same number of fame."""
    game = StoriesGame().own(1, "pub").coins(1, 5).fill(1, "pub", "monk").bag(1)
    game.enter("actions")
    assert game.listed(1, c.ConvertCoins) == [c.ConvertCoins("pub", coins) for coins in (1, 2, 3)]
    for coins in (0, 4, -1):
        game.reject(1, c.ConvertCoins("pub", coins), "stories.cards.coins_for_fame", "WRONG_NUMBER")
    events = game.do(1, c.ConvertCoins("pub", 2))
    assert detail(events, e.CoinsConverted) == e.CoinsConverted("pub", 2, 2)
    assert (game.seat(1).coins.value, game.seat(1).fame.value, game.seat(1).bag.counts()) == (3, 3, {"monk": 1})


def test_stories_cards_coins_for_fame__limited_by_coins() -> None:
    game = StoriesGame().own(1, "pub").coins(1, 1).fill(1, "pub")
    game.enter("actions")
    assert game.listed(1, c.ConvertCoins) == [c.ConvertCoins("pub", 1)]
    game.coins(1, 0)
    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.ConvertCoins("pub", 1), "stories.cards.coins_for_fame")


@pytest.mark.parametrize(("fame", "most"), [(87, 3), (88, 2), (89, 1), (90, 0)])
def test_stories_cards_coins_for_fame__limited_by_the_end_of_the_track(fame: int, most: int) -> None:
    game = StoriesGame().own(1, "pub").coins(1, 5).fill(1, "pub").fame(1, fame)
    game.enter("actions")
    assert game.listed(1, c.ConvertCoins) == [c.ConvertCoins("pub", coins) for coins in range(1, most + 1)]
    game.reject(1, c.ConvertCoins("pub", most + 1), "stories.cards.coins_for_fame", "WRONG_NUMBER")


def test_stories_fame_beyond_the_end__from_the_pub() -> None:
    """Reading ``fame_beyond_end``."""
    game = StoriesGame(fame_beyond_end="count_on").own(1, "pub").coins(1, 5).fill(1, "pub").fame(1, 90)
    game.act(1, c.ConvertCoins("pub", 3))
    assert (game.seat(1).fame.value, game.seat(1).coins.value) == (93, 2)


def test_stories_cards_exchange() -> None:
    """The Bakery exchanges one to three grain for the same number of bread; the grain leaves the game."""
    game = StoriesGame().own(1, "bakery").goods(1, grain=4).fill(1, "bakery").bag(1)
    game.enter("actions")
    assert game.listed(1, c.ExchangeGoods) == [c.ExchangeGoods("bakery", count) for count in (1, 2, 3)]
    for count in (0, 4, -1):
        game.reject(1, c.ExchangeGoods("bakery", count), "stories.cards.exchange", "WRONG_NUMBER")
    events = game.do(1, c.ExchangeGoods("bakery", 3))
    assert detail(events, e.GoodsExchanged) == e.GoodsExchanged("bakery", "grain", "bread", 3)
    assert game.seat(1).goods.counts() == {"grain": 1, "bread": 3}
    assert game.t.removed.items["grain"] == 3
    assert game.seat(1).bag.counts() == {"craftsman": 1, "farmer": 1}


def test_stories_cards_exchange__limited_by_grain_and_bread() -> None:
    for grain, bread, most in ((2, 9, 2), (3, 1, 1), (0, 9, 0), (3, 0, 0)):
        game = StoriesGame().own(1, "bakery").goods(1, grain=grain).goods_market(bread=bread).fill(1, "bakery")
        game.enter("actions")
        assert len(game.listed(1, c.ExchangeGoods)) == most
        game.reject(1, c.ExchangeGoods("bakery", most + 1), "stories.cards.exchange")
        if most == 1:
            game.do(1, c.ExchangeGoods("bakery", 1))
            assert game.seat(1).goods.counts() == {"grain": 2, "bread": 1}


# --- Hayloft, School and Herb Garden -------------------------------------------------------------------------


@pytest.mark.parametrize(("cards", "room"), [((), 8), (("hayloft",), 10)])
def test_stories_drawing_market_room(cards: tuple[str, ...], room: int) -> None:
    """The market holds eight followers, with a Hayloft ten."""
    game = StoriesGame().own(1, *cards).era(1, 5).market(1, farmer=4, trader=1).bag(1, fisherman=7)
    game.enter("followers")
    assert max(command.count for command in game.listed(1, c.DrawFollowers)) == room - 5
    game.reject(1, c.DrawFollowers(room - 4), "stories.drawing.market_room", "TOO_MANY_DRAWS")
    game.do(1, c.DrawFollowers(room - 5))
    assert game.seat(1).market.total() == room


def test_stories_drawing_market_room__hayloft_of_another_seat() -> None:
    game = StoriesGame().own(2, "hayloft").era(1, 5).market(1, farmer=8).bag(1, fisherman=7)
    game.enter("followers")
    assert game.t.phase.value == "planning"  # no seat could draw


def spaces_for(game: StoriesGame, follower: str) -> set[tuple[str, str]]:
    """Return the spaces on which seat 1 may place this follower."""
    placements = game.listed(1, c.PlaceFollower)
    return {(command.place, command.space) for command in placements if command.follower == follower}


def spaces_requiring(game: StoriesGame, *characters: str) -> set[tuple[str, str]]:
    """Return the spaces of seat 1 that require one of these characters, or any."""
    spaces = game.seat(1).estate().spaces
    return {key for key, space in spaces.items() if {"any", *characters} & set(space.requires.split("|"))}


def test_stories_wild_stand_ins__school() -> None:
    """With a School a scholar can replace every character except a monk, also on spaces for two characters."""
    game = StoriesGame().unlock(1).own(1, "school", "brewery", "garrison").market(1, scholar=1)
    game.enter("planning")
    all_but_monks = ("farmer", "fisherman", "craftsman", "trader", "knight", "scholar")
    assert spaces_for(game, "scholar") == spaces_requiring(game, *all_but_monks)
    assert ("territory", "farmer") in spaces_for(game, "scholar")
    game.reject(1, c.PlaceFollower("scholar", "brewery", "monk"), "stories.wild.never_for_monk", "MONK_REQUIRED")


def test_stories_conquest_knights__scholar_does_not_count() -> None:
    """A scholar on a knight's space is no knight."""
    game = StoriesGame().own(1, "school").settle("c2r2", 2).fill(1, "territory", "scholar", "scholar", "trader")
    game.enter("actions")
    game.reject(1, c.Conquer("territory", "c2r2"), "stories.conquest.knights", "TOO_FEW_KNIGHTS")


def test_stories_wild_stand_ins() -> None:
    """With a Herb Garden a fisherman can replace farmers, craftsmen and traders."""
    game = StoriesGame().unlock(1).own(1, "herb_garden", "library", "brewery").market(1, fisherman=1)
    game.enter("planning")
    assert spaces_for(game, "fisherman") == spaces_requiring(game, "farmer", "fisherman", "craftsman", "trader")
    assert {("territory", "farmer"), ("territory", "fisherman"), ("territory", "trader")} < spaces_for(
        game, "fisherman"
    )
    game.reject(1, c.PlaceFollower("fisherman", "library", "knight"), "stories.planning.matching_space")


def test_stories_wild_monk() -> None:
    """A monk can replace every character."""
    game = StoriesGame().unlock(1).own(1, "brewery", "library").market(1, monk=1)
    game.enter("planning")
    assert spaces_for(game, "monk") == set(game.seat(1).estate().spaces)


def test_stories_wild_never_for_monk() -> None:
    """No other character can replace a monk."""
    game = StoriesGame().own(1, "brewery", "herb_garden").market(1, fisherman=1, scholar=1)
    game.enter("planning")
    for follower in ("fisherman", "scholar"):
        game.reject(1, c.PlaceFollower(follower, "brewery", "monk"), "stories.wild.never_for_monk", "MONK_REQUIRED")


# --- Bathhouse -----------------------------------------------------------------------------------------------


def visit_bathhouse(*cards: str, **bag: int) -> StoriesGame:
    """Seat 1 visits the Bathhouse with these followers in its bag."""
    game = StoriesGame().own(1, "bathhouse", *cards).bag(1, **bag).fill(1, "bathhouse", "trader")
    game.act(1, c.UsePlace("bathhouse"))
    return game


def test_stories_bathhouse_draw() -> None:
    """Two followers are drawn publicly."""
    game = StoriesGame().own(1, "bathhouse").bag(1, farmer=5).fill(1, "bathhouse", "trader")
    events = game.act(1, c.UsePlace("bathhouse"))
    assert detail(events, e.BathhouseVisited) == e.BathhouseVisited("bathhouse", ("farmer", "farmer"))
    assert game.seat(1).bag.counts() == {"farmer": 3}


def test_stories_bathhouse_drawn_follower() -> None:
    """Only a drawn follower can be placed, not one in the bag or on the market."""
    game = visit_bathhouse(farmer=2).market(1, knight=1)
    game.reject(1, c.PlaceDrawnFollower("knight", "town_hall", "any"), "stories.bathhouse.drawn_follower")


def test_stories_bathhouse_rest_returns() -> None:
    """The other drawn follower and the one on the Bathhouse return to the bag."""
    game = visit_bathhouse(farmer=2)
    events = game.do(1, c.PlaceDrawnFollower("farmer", "fishery", "farmer"))
    assert detail(events, e.DrawnFollowerPlaced) == e.DrawnFollowerPlaced("farmer", "fishery", "farmer")
    assert game.seat(1).bag.counts() == {"farmer": 1, "trader": 1}
    assert game.counts("seat.1.fishery.farmer") == {"farmer": 1}
    assert game.deciding() == [2]


def test_stories_bathhouse_not_there() -> None:
    game = visit_bathhouse(farmer=2)
    game.reject(1, c.PlaceDrawnFollower("farmer", "bathhouse", "any"), "stories.bathhouse.not_there")


def test_stories_bathhouse_must_place() -> None:
    """One of the two must be placed, on a free matching space of an own place."""
    game = visit_bathhouse(farmer=2).fill(1, "university", "farmer")
    assert not game.listed(1, c.Pass)
    game.reject(1, c.PlaceDrawnFollower("farmer", "farm", "craftsman"), "stories.planning.matching_space")
    game.reject(1, c.PlaceDrawnFollower("farmer", "university", "farmer"), "stories.planning.free_space")
    game.reject(1, c.PlaceDrawnFollower("farmer", "granary", "farmer"), "stories.planning.own_place")


def test_stories_bathhouse_short_bag() -> None:
    """A bag with one follower gives one, an empty bag none; the action is used up."""
    game = visit_bathhouse(fisherman=1)
    game.do(1, c.PlaceDrawnFollower("fisherman", "farm", "fisherman"))
    assert game.seat(1).bag.counts() == {"trader": 1}

    game = visit_bathhouse()
    assert game.deciding() == [2]
    assert game.seat(1).bag.counts() == {"trader": 1}


def test_stories_bathhouse_activator_after_draw() -> None:
    """The follower on the Bathhouse returns after the draw, so it cannot be drawn."""
    game = StoriesGame().own(1, "bathhouse").bag(1, farmer=1).fill(1, "bathhouse", "trader")
    assert detail(game.act(1, c.UsePlace("bathhouse")), e.BathhouseVisited).followers == ("farmer",)


def test_stories_bathhouse_activator_before_draw() -> None:
    """Reading ``bathhouse_activator``: it returns before the draw and can be drawn."""
    game = StoriesGame(bathhouse_activator="before_draw").own(1, "bathhouse").bag(1, farmer=1)
    game.fill(1, "bathhouse", "trader")
    drawn = detail(game.act(1, c.UsePlace("bathhouse")), e.BathhouseVisited).followers
    assert sorted(drawn) == ["farmer", "trader"]


def test_stories_bathhouse_full_draw() -> None:
    """Reading ``bathhouse_short_bag``: with fewer than two followers in the bag the Bathhouse cannot be used."""
    game = StoriesGame(bathhouse_short_bag="needs_all").own(1, "bathhouse").bag(1, farmer=1).fill(1, "bathhouse")
    game.enter("actions")
    game.reject(1, c.UsePlace("bathhouse"), "stories.bathhouse.full_draw", "BAG_TOO_SMALL")
    game.bag(1, farmer=2).do(1, c.UsePlace("bathhouse"))


def test_stories_bathhouse_town_hall() -> None:
    """A drawn follower may be placed in the Town Hall."""
    game = visit_bathhouse(scholar=2)
    game.do(1, c.PlaceDrawnFollower("scholar", "town_hall", "any"))


def test_stories_bathhouse_not_town_hall() -> None:
    """Reading ``bathhouse_town_hall``."""
    game = StoriesGame(bathhouse_town_hall="forbidden").own(1, "bathhouse").bag(1, farmer=2)
    game.fill(1, "bathhouse", "trader").act(1, c.UsePlace("bathhouse"))
    command = c.PlaceDrawnFollower("farmer", "town_hall", "any")
    game.reject(1, command, "stories.bathhouse.not_town_hall", "NOT_FROM_BATHHOUSE")


def test_stories_bathhouse_none_fits() -> None:
    """Both return if neither fits a free space."""
    game = StoriesGame().own(1, "bathhouse").bag(1, scholar=2).fill(1, "bathhouse", "trader").fill(1, "town_hall")
    events = game.act(1, c.UsePlace("bathhouse"))
    assert detail(events, e.DrawnFollowersReturned) == e.DrawnFollowersReturned(("scholar", "scholar"))
    assert game.seat(1).bag.counts() == {"scholar": 2, "trader": 1}


def test_stories_events_crusade__in_the_bathhouse() -> None:
    """During a crusade no knight can be placed from the Bathhouse either."""
    game = StoriesGame().unlock(1).own(1, "bathhouse").bag(1, knight=1, farmer=1).turn(9, "C7")
    game.fill(1, "bathhouse", "trader").act(1, c.UsePlace("bathhouse"))
    assert {command.follower for command in game.listed(1, c.PlaceDrawnFollower)} == {"farmer"}
    for place, space in (("town_hall", "any"), ("fortress_building", "knight")):
        command = c.PlaceDrawnFollower("knight", place, space)
        game.reject(1, command, "stories.events.crusade", "FORBIDDEN_NOW")
    game.do(1, c.PlaceDrawnFollower("farmer", "fishery", "farmer"))
    assert game.seat(1).bag.counts() == {"knight": 1, "trader": 1}


def test_stories_bathhouse_none_fits__during_a_crusade() -> None:
    """Two knights return."""
    game = StoriesGame().unlock(1).own(1, "bathhouse").bag(1, knight=2).turn(9, "C7").fill(1, "bathhouse", "trader")
    events = game.act(1, c.UsePlace("bathhouse"))
    assert named(events, "DrawnFollowersReturned")
    assert game.seat(1).bag.counts() == {"knight": 2, "trader": 1}
    assert game.deciding() == [2]
