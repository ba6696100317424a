"""England vs. France: the twelve tiles of the fame track, and the eras to which two of them lead."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import detail
from tests.titles.stories.nations import MESSAGES, TEAMS, NationsGame, list_details

from boardkeeper.families.followers import events as family
from boardkeeper.table.visibility import same_as
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.data import CHURCH

SPACES = (4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 36)


def create_game_before_tile(space: int, **choices: str) -> NationsGame:
    """Seat 1 is one space before a tile, in the era of that space."""
    era = 1 + (space > 13) + (space > 25)
    return NationsGame(TEAMS, MESSAGES, **choices).fame(1, space - 1).era(1, era)


def test_stories_fame_tiles_at_once__on_twelve_spaces() -> None:
    """The twelve spaces of the rulebook."""
    data = NationsGame().data
    assert tuple(data.fame_tiles) == SPACES == data.fame_bonuses


# --- timing --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("space", [7, 8, 9])
def test_stories_fame_tiles_at_once(space: int) -> None:
    """A seat gets the bonus of a tile that it reaches or passes."""
    game = NationsGame().fame(1, 6)
    events = game.advance(1, space)
    assert detail(events, e.FameGained) == e.FameGained(space, 1)
    assert game.seat(1).coins.value == 1 + 3
    assert game.deciding() == [2]


def test_stories_fame_tiles_at_once__for_each_seat_once() -> None:
    """A tile stays for other seats; each seat gets it once."""
    game = NationsGame().fame(1, 6).fame(2, 6)
    game.advance(1, 7)
    game.advance(2, 7)
    game.advance(1, 9)
    assert (game.seat(1).coins.value, game.seat(2).coins.value) == (1 + 3, 1 + 3)


def test_stories_fame_tiles_at_once__in_order() -> None:
    """Several passed tiles take effect in the order of their spaces."""
    game = NationsGame().fame(1, 3).bag(1, knight=1)
    first = game.advance(1, 10)
    assert detail(first, e.FameGained) == e.FameGained(10, 3)
    assert game.decision(1) == "drawn"
    assert game.seat(1).coins.value == 1

    rest = game.do(1, c.KeepFollower("knight")) + game.take_offers(1)
    assert list_details(rest, e.TileUsed) == [e.TileUsed("7", coins=3), e.TileUsed("10", goods={"wood": 1})]
    assert game.seat(1).fame_due.value == 0
    assert game.deciding() == [2]


def test_stories_fame_tiles_at_once__in_the_new_era() -> None:
    """If one step reaches a new era and a place card, the categories of the new era are open."""
    game = NationsGame().fame(1, 12)
    game.advance(1, 19)
    game.do(1, c.DeclineBonus())
    game.take_offers(1)
    assert game.decision(1) == "card"
    assert game.seat(1).technology.total() == 1
    categories = {game.data.places[command.card].category for command in game.listed(1, c.TakePlaceCard)}
    assert categories == {"I", "II"}


def test_stories_fame_tiles_after_the_action() -> None:
    """Reading ``fame_tile_moment``: a tile reached by the first follower sent waits until the end of the action."""
    game = NationsGame(fame_tile_moment="after_action").fame(1, 5).fill(1, "town_hall", "knight", "knight")
    game.act(1, c.SendToDeed("town_hall", "any", "town_wall"))
    assert game.seat(1).fame.value == 7
    assert (game.decision(1), game.seat(1).coins.value) == ("deed", 1)
    events = game.do(1, c.FinishDeeds())
    assert detail(events, e.TileUsed) == e.TileUsed("7", coins=3)
    assert game.deciding() == [2]


def test_stories_fame_tiles_after_the_action__of_both_followers() -> None:
    """The tiles of both followers follow in order, before the next player acts."""
    game = NationsGame(fame_tile_moment="after_action").fame(1, 6).fill(1, "town_hall", "knight", "knight").bag(1)
    game.act(1, c.SendToDeed("town_hall", "any", "town_wall"))
    events = game.do(1, c.SendToDeed("town_hall", "any_2", "embankment")) + game.take_offers(1)
    assert [tile.source for tile in list_details(events, e.TileUsed)] == ["7", "10"]
    assert game.seat(1).goods.counts() == {"wood": 1}
    assert game.deciding() == [2]


def test_stories_fame_tiles_within_an_action() -> None:
    """A tile reached by the first follower takes effect before the second one is sent."""
    game = NationsGame().fame(1, 5).fill(1, "town_hall", "knight", "knight")
    events = game.act(1, c.SendToDeed("town_hall", "any", "town_wall"))
    assert detail(events, e.TileUsed) == e.TileUsed("7", coins=3)
    assert game.decision(1) == "deed"
    events = game.do(1, c.SendToDeed("town_hall", "any_2", "embankment"))
    assert not list_details(events, e.TileUsed)
    assert game.deciding() == [2]


def test_stories_fame_tiles_within_an_action__of_both_followers() -> None:
    game = NationsGame().fame(1, 6).fill(1, "town_hall", "knight", "knight").bag(1)
    events = game.act(1, c.SendToDeed("town_hall", "any", "town_wall"))
    assert [tile.source for tile in list_details(events, e.TileUsed)] == ["7"]
    game.do(1, c.SendToDeed("town_hall", "any_2", "embankment"))
    assert game.decision(1) == "offer"
    game.do(1, c.TakeBonus())
    assert game.seat(1).goods.counts() == {"wood": 1}
    assert game.deciding() == [2]


def test_stories_fame_tiles_within_an_action__with_a_decision() -> None:
    """The second follower is sent after the decision about the tile."""
    game = create_game_before_tile(13).fill(1, "town_hall", "knight", "knight")
    game.act(1, c.SendToDeed("town_hall", "any", "town_wall"))
    assert (game.decision(1), game.seat(1).era_reached.value) == ("look", 2)
    game.reject(1, c.SendToDeed("town_hall", "any_2", "town_wall"), "table.wrong_decision")
    game.do(1, c.DeclineBonus())
    assert game.decision(1) == "deed"
    game.do(1, c.FinishDeeds())
    assert game.deciding() == [2]


def test_stories_fame_tiles_within_an_action__tile_adds_a_follower_to_the_town_hall() -> None:
    """The added follower may be the second one of the action; a third one stays."""
    game = create_game_before_tile(4).bag(1, knight=1).fill(1, "town_hall", "knight", "knight")
    game.act(1, c.SendToDeed("town_hall", "any", "town_wall"))
    game.do(1, c.TakeBonus(), c.PlaceDrawnFollower("knight", "town_hall", "any"))
    assert game.decision(1) == "deed"
    assert {command.space for command in game.listed(1, c.SendToDeed)} == {"any", "any_2"}
    game.do(1, c.SendToDeed("town_hall", "any", "town_wall"))
    assert game.seat(1).estate().places["town_hall"].spaces[1].occupant() == "knight"
    assert game.deciding() == [2]


def test_stories_fame_tiles_within_an_action__of_one_follower() -> None:
    """Without another follower the action ends with the tile."""
    game = create_game_before_tile(7).fill(1, "town_hall", "knight")
    game.act(1, c.SendToDeed("town_hall", "any", "town_wall"))
    assert game.seat(1).coins.value == 1 + 3
    assert game.deciding() == [2]


def test_stories_fame_tiles_at_once__in_the_round_bonus() -> None:
    """In the round bonus a tile takes effect before the bonus of the next player."""
    game = create_game_before_tile(4).bag(1, knight=1).settle("c3r3", 1).landscape("c3r3", "hill")
    game.bonus_tile(1, "bonus_hill")
    events = game.enter("round_bonus")
    assert [event.seat for event in events if isinstance(event.detail, e.RoundBonusCarriedOut)] == [1]
    game.take_offers(1)
    assert game.decision(1) == "drawn"
    events = game.do(1, c.KeepFollower("knight"))
    assert [event.seat for event in events if isinstance(event.detail, e.RoundBonusCarriedOut)] == [2, 3, 4]


# --- 4: a follower -------------------------------------------------------------------------------------------


def test_stories_fame_tiles_follower__to_the_market() -> None:
    game = create_game_before_tile(4).bag(1, knight=1)
    drawn = game.advance(1, 4)
    assert detail(drawn, family.BathhouseVisited) == family.BathhouseVisited("4", ("knight",))
    assert c.KeepFollower("knight") in game.legal(1)
    events = game.do(1, c.KeepFollower("knight"))
    assert detail(events, family.FollowerKept).follower == "knight"
    assert game.seat(1).market.counts()["knight"] == 1
    assert not game.seat(1).bag.items
    assert game.deciding() == [2]


def test_stories_fame_tiles_follower__on_a_space() -> None:
    """A free matching space of a place that can be used in the same round."""
    game = create_game_before_tile(4).bag(1, knight=1).fill(1, "territory", "", "fisherman", "trader")
    game.advance(1, 4)
    fits = {(command.place, command.space) for command in game.listed(1, c.PlaceDrawnFollower)}
    assert fits == {
        ("territory", "farmer"), ("fortress_building", "knight"), ("town_hall", "any"), ("town_hall", "any_2")
    }  # fmt: skip
    game.reject(
        1, c.PlaceDrawnFollower("knight", "farm", "fisherman"), "stories.planning.matching_space", "WRONG_CHARACTER"
    )
    game.reject(1, c.PlaceDrawnFollower("knight", "territory", "trader"), "stories.planning.matching_space")
    game.reject(1, c.PlaceDrawnFollower("knight", "pub", "any"), "stories.planning.own_place", "NOT_YOUR_SPACE")
    game.reject(1, c.PlaceDrawnFollower("monk", "town_hall", "any"), "stories.fame_tiles.follower", "NOT_DRAWN")
    game.do(1, c.PlaceDrawnFollower("knight", "territory", "farmer"))
    assert game.deciding() == [2]
    game.idle(2, 3, 4)
    game.do(1, c.Expand("territory", "c3r3", "c2r3"))


def test_stories_fame_tiles_follower__occupied_space() -> None:
    game = create_game_before_tile(4).bag(1, knight=1).fill(1, "town_hall", "farmer")
    game.advance(1, 4)
    taken = c.PlaceDrawnFollower("knight", "town_hall", "any")
    game.reject(1, taken, "stories.planning.free_space", "SPACE_TAKEN")


def test_stories_fame_tiles_follower__last_space_on_the_market() -> None:
    game = create_game_before_tile(4).bag(1, knight=1).market(1, farmer=7)
    game.advance(1, 4)
    assert c.KeepFollower("knight") in game.legal(1)
    game.do(1, c.KeepFollower("knight"))
    assert game.seat(1).market.counts() == {"farmer": 7, "knight": 1}


def test_stories_fame_tiles_follower__full_market() -> None:
    """The follower must be placed on a space."""
    game = create_game_before_tile(4).bag(1, knight=1).market(1, farmer=8)
    game.advance(1, 4)
    assert game.listed(1, c.PlaceDrawnFollower) == game.legal(1)
    game.reject(1, c.KeepFollower("knight"), "stories.drawing.market_room", "MARKET_FULL")
    game.reject(1, c.KeepFollower("monk"), "stories.fame_tiles.follower", "NOT_DRAWN")


def test_stories_fame_tiles_follower__no_space() -> None:
    """A follower that fits nowhere returns to the bag, with an event."""
    game = create_game_before_tile(4).bag(1, scholar=1).market(1, farmer=8)
    game.fill(1, "town_hall", "farmer", "farmer").fill(1, "workshop", "", "scholar").fill(1, "monastery", "scholar")
    events = game.advance(1, 7)
    assert detail(events, family.BathhouseVisited) == family.BathhouseVisited("4", ("scholar",))
    assert detail(events, family.DrawnFollowersReturned).followers == ("scholar",)
    assert game.seat(1).bag.counts() == {"scholar": 1}
    assert detail(events, e.TileUsed).source == "7"
    assert game.deciding() == [2]


def test_stories_fame_tiles_follower__empty_bag() -> None:
    game = create_game_before_tile(4).bag(1)
    game.advance(1, 4)
    assert game.deciding() == [2]
    assert game.seat(1).fame_due.value == 0


def test_stories_fame_tiles_follower__after_passing() -> None:
    """A seat that has passed places the follower too, but does not act again in this round."""
    game = create_game_before_tile(4).bag(1, farmer=1).bonus_tile(1, "bonus_hill").settle("c3r3", 1)
    game.landscape("c3r3", "hill")
    game.fill(1, "territory", "", "fisherman", "trader").enter("round_bonus")
    game.take_offers(1)
    game.do(1, c.PlaceDrawnFollower("farmer", "territory", "farmer"))
    assert game.t.phase.value == "declaring"


# --- 7, 10, 16, 22: gains ------------------------------------------------------------------------------------


def test_stories_fame_tiles_gains__coins() -> None:
    game = create_game_before_tile(7)
    assert detail(game.advance(1, 7), e.TileUsed) == e.TileUsed("7", coins=3)
    assert game.seat(1).coins.value == 1 + 3


def test_stories_fame_tiles_gains__wood() -> None:
    """A wood from the market, if it has any."""
    game = create_game_before_tile(10)
    assert detail(game.advance(1, 10), e.TileUsed) == e.TileUsed("10", goods={"wood": 1})
    assert game.seat(1).goods.counts() == {"wood": 1}
    assert game.t.goods_market.items["wood"] == 23

    game = create_game_before_tile(10)
    game.run_out("wood", game.t.goods_market)
    assert not list_details(game.advance(1, 10), e.TileUsed)
    assert not game.seat(1).goods.items
    assert game.deciding() == [2]


def test_stories_fame_tiles_gains__technology() -> None:
    """A technology tile, if one is left; it is placed in the technology phase."""
    game = create_game_before_tile(16)
    assert detail(game.advance(1, 16), e.TileUsed) == e.TileUsed("16", technology=1)
    assert (game.seat(1).technology.total(), game.t.technology.total()) == (1, 17)
    assert game.deciding() == [2]

    game = create_game_before_tile(16)
    game.run_out("technology", game.t.technology)
    assert not list_details(game.advance(1, 16), e.TileUsed)
    assert game.deciding() == [2]


@pytest.mark.parametrize(("left", "taken"), [(3, 2), (2, 2), (1, 0)])
def test_stories_fame_tiles_gains__number_of_technology_tiles(left: int, taken: int) -> None:
    """All of them or none."""
    game = create_game_before_tile(16).replace_fame_tile(16, technology=2)
    game.run_out("technology", game.t.technology)
    game.bring("technology", game.t.technology, left)
    game.advance(1, 16)
    assert game.seat(1).technology.total() == taken
    assert game.t.technology.total() == left - taken


def test_stories_fame_tiles_gains__monk() -> None:
    """A monk from the supply to the bag, if one is left."""
    game = create_game_before_tile(22).bag(1)
    assert detail(game.advance(1, 22), e.TileUsed) == e.TileUsed("22", follower="monk")
    assert game.seat(1).bag.counts() == {"monk": 1}

    game = create_game_before_tile(22).bag(1)
    game.run_out("monk", game.t.supply)
    assert not list_details(game.advance(1, 22), e.TileUsed)
    assert not game.seat(1).bag.items
    assert game.deciding() == [2]


# --- 19: a place card ----------------------------------------------------------------------------------------


def test_stories_fame_tiles_place_card() -> None:
    """A place card of an open category, at once and without the Construction Yard."""
    game = create_game_before_tile(19)
    game.advance(1, 19)
    cards = game.listed(1, c.TakePlaceCard)
    assert len(cards) == 16
    assert {game.data.places[command.card].category for command in cards} == {"I", "II"}
    closed, gone = c.TakePlaceCard("", "cellar"), c.TakePlaceCard("", "fortress_building")
    game.reject(1, closed, "stories.cards.category", "CATEGORY_CLOSED")
    game.reject(1, gone, "stories.cards.open", "UNKNOWN_CARD")
    game.reject(1, c.TakePlaceCard("construction_yard", "pub"), "stories.fame_tiles.place_card", "WRONG_COMMAND")
    events = game.do(1, c.TakePlaceCard("", "carpentry"))
    assert detail(events, e.PlaceCardTaken) == e.PlaceCardTaken("", "carpentry")
    assert "carpentry" in game.seat(1).place_tiles.items
    assert game.deciding() == [2]


def test_stories_fame_tiles_place_card__behind_the_screen() -> None:
    """With sealed plans, the spaces of the card are hidden by its owner's screen."""
    game = create_game_before_tile(19, planning="sealed").market(1, farmer=1)
    game.advance(1, 19)
    game.do(1, c.TakePlaceCard("", "granary"))
    game.enter("planning")
    game.do(1, c.PlaceFollower("farmer", "granary", "farmer"))
    assert game.table.zones["place.granary.farmer"].visibility == same_as("seat.1.screen")


def test_stories_fame_tiles_place_card__none_left() -> None:
    """Without available cards the seat has no decision."""
    game = create_game_before_tile(19)
    for category in ("I", "II"):
        game.empty(game.t.cards[category])
    game.advance(1, 19)
    assert game.deciding() == [2]
    assert game.seat(1).fame_due.value == 0


# --- 28: goods or coins --------------------------------------------------------------------------------------


def test_stories_fame_tiles_worth__coins() -> None:
    game = create_game_before_tile(28)
    game.advance(1, 28)
    events = game.do(1, c.TakeCoins())
    assert detail(events, e.TileUsed) == e.TileUsed("28", coins=5)
    assert game.seat(1).coins.value == 1 + 5
    assert game.seat(1).owed.value == 0
    assert game.deciding() == [2]


@pytest.mark.parametrize(
    "goods", [("brocade",), ("bread", "grain"), ("wine", "fish"), ("fish", "cheese", "grain"), ("grain",) * 5]
)
@pytest.mark.parametrize("reading", ["allowed", "one_kind"])
def test_stories_fame_tiles_worth__goods(reading: str, goods: tuple[str, ...]) -> None:
    """Goods with a total value of five end the choice."""
    game = create_game_before_tile(28, worth5_mix=reading)
    game.advance(1, 28)
    for good in goods:
        assert game.decision(1) == "worth"
        events = game.do(1, c.TakeGood(good))
        assert detail(events, e.TileUsed) == e.TileUsed("28", goods={good: 1})
    assert game.deciding() == [2]
    assert game.seat(1).goods.total() == len(goods)
    assert game.seat(1).coins.value == 1


def test_stories_fame_tiles_mixed() -> None:
    """Goods, and coins for the rest of the value."""
    game = create_game_before_tile(28)
    game.advance(1, 28)
    game.do(1, c.TakeGood("wine"))
    assert {command.good for command in game.listed(1, c.TakeGood)} == {"grain", "fish", "cheese"}
    game.reject(1, c.TakeGood("wood"), "stories.fame_tiles.worth", "WORTH_TOO_MUCH")
    assert detail(game.do(1, c.TakeCoins()), e.TileUsed).coins == 2
    assert (game.seat(1).coins.value, game.seat(1).goods.counts()) == (1 + 2, {"wine": 1})


def test_stories_fame_tiles_one_kind() -> None:
    """Reading ``worth5_mix``: no coins together with goods; the choice ends if no cheap good is left."""
    game = create_game_before_tile(28, worth5_mix="one_kind")
    game.run_out("grain", game.t.goods_market)
    game.advance(1, 28)
    assert c.TakeCoins() in game.legal(1)
    game.do(1, c.TakeGood("wine"))
    game.reject(1, c.TakeCoins(), "stories.fame_tiles.one_kind", "ONE_KIND")
    game.do(1, c.TakeGood("fish"))
    assert game.deciding() == [2]

    game = create_game_before_tile(28, worth5_mix="one_kind")
    game.run_out("grain", game.t.goods_market)
    game.advance(1, 28)
    game.do(1, c.TakeGood("bread"))
    assert game.deciding() == [2]
    assert game.seat(1).owed.value == 0


def test_stories_fame_tiles_worth__sold_out() -> None:
    """Only goods that the market has."""
    game = create_game_before_tile(28)
    game.run_out("brocade", game.t.goods_market)
    game.advance(1, 28)
    game.reject(1, c.TakeGood("brocade"), "stories.running_out.tiles", "GOOD_SOLD_OUT")


def test_stories_fame_tiles_optional() -> None:
    """The player may decline a tile, also after taking a part."""
    for space, offer in ((19, "card"), (28, "worth")):
        game = create_game_before_tile(space)
        game.advance(1, space)
        assert game.decision(1) == offer
        events = game.do(1, c.DeclineBonus())
        assert detail(events, e.BonusDeclined) == e.BonusDeclined(str(space))
        assert game.deciding() == [2]
        assert not game.seat(1).goods.items

    game = create_game_before_tile(28)
    game.advance(1, 28)
    game.do(1, c.TakeGood("grain"), c.DeclineBonus())
    assert (game.seat(1).goods.counts(), game.seat(1).coins.value) == ({"grain": 1}, 1)
    assert game.deciding() == [2]
    game.advance(1, 30)
    assert game.deciding() == [2]


@pytest.mark.parametrize("space", [4, 10, 16, 22])
def test_stories_fame_tiles_optional__offer_without_a_choice(space: int) -> None:
    """Follower, wood, technology and monk can be declined; nothing is drawn before."""
    game = create_game_before_tile(space).bag(1, knight=1)
    offered = game.advance(1, space, takes=False)
    assert game.decision(1) == "offer"
    assert game.legal(1) == [c.TakeBonus(), c.DeclineBonus()]
    assert not list_details(offered, e.TileUsed)
    assert not list_details(offered, family.BathhouseVisited)
    events = game.do(1, c.DeclineBonus())
    assert detail(events, e.BonusDeclined) == e.BonusDeclined(str(space))
    mine = game.seat(1)
    assert (mine.bag.counts(), mine.goods.counts(), mine.technology.total()) == ({"knight": 1}, {}, 0)
    assert mine.fame_due.value == 0
    assert game.deciding() == [2]


def test_stories_fame_tiles_optional__next_tile_follows_a_declined_one() -> None:
    game = NationsGame().fame(1, 3).bag(1, knight=1)
    game.advance(1, 10, takes=False)
    first = game.do(1, c.DeclineBonus())
    assert list_details(first, e.TileUsed) == [e.TileUsed("7", coins=3)], "coins cannot be declined"
    assert game.decision(1) == "offer"
    assert detail(game.do(1, c.TakeBonus()), e.TileUsed) == e.TileUsed("10", goods={"wood": 1})
    assert game.deciding() == [2]


# --- 31: a fortress ------------------------------------------------------------------------------------------


def test_stories_fame_tiles_fortress() -> None:
    """The player removes any fortress of the map from the game, also an own one or one without a settler."""
    game = create_game_before_tile(31).settle("c1r1", 2).fortress("c1r1", 2).settle("c2r1", 1).fortress("c2r1", 1)
    game.fortress("c3r1", 3)
    game.advance(1, 31)
    assert game.listed(1, c.RazeFortress) == [c.RazeFortress(area) for area in ("c1r1", "c2r1", "c3r1")]
    game.reject(1, c.RazeFortress("c4r1"), "stories.fame_tiles.fortress", "NO_FORTRESS")
    game.reject(1, c.RazeFortress("c2r3"), "stories.map.spaces", "UNKNOWN_AREA")
    events = game.do(1, c.RazeFortress("c1r1"))
    assert detail(events, e.FortressRazed) == e.FortressRazed("c1r1", 2)
    assert game.stands_on("c1r1") == {"settler.2": 1}
    assert game.counts("removed") == {"fortress.2": 1}
    assert game.seat(2).fortresses.total() == 3
    assert game.deciding() == [2]


def test_stories_fame_tiles_fortress__none_on_the_map() -> None:
    """Without a fortress on the map the seat has no decision; removing one is optional."""
    game = create_game_before_tile(31)
    game.advance(1, 31)
    assert game.deciding() == [2]

    game = create_game_before_tile(31).fortress("c1r1", 2)
    game.advance(1, 31)
    game.do(1, c.DeclineBonus())
    assert game.stands_on("c1r1") == {"fortress.2": 1}
    assert game.deciding() == [2]


# --- 34: a church --------------------------------------------------------------------------------------------


def create_parish_game(**choices: str) -> NationsGame:
    """Seat 1 has a village and two wood, and is one space before the church tile."""
    return create_game_before_tile(34, **choices).settle("c1r1", 1).village("c1r1").goods(1, wood=2)


def test_stories_fame_tiles_church() -> None:
    game = create_parish_game(tile_church_gives_fame="no")
    game.advance(1, 34)
    assert game.legal(1) == [c.Build("", "c1r1"), c.DeclineBonus()]
    events = game.do(1, c.Build("", "c1r1"))
    assert detail(events, e.Built) == e.Built("", "c1r1", CHURCH, 1, 0)
    assert game.stands_on("c1r1") == {"settler.1": 1, CHURCH: 1}
    assert game.seat(1).goods.counts() == {"wood": 1}


def test_stories_building_no_fame_of_fame_tile() -> None:
    """Reading ``tile_church_gives_fame``: no fame, and the game continues."""
    game = create_parish_game(tile_church_gives_fame="no")
    game.advance(1, 34)
    assert detail(game.do(1, c.Build("", "c1r1")), e.Built).fame == 0
    assert game.seat(1).fame.value == 34
    assert game.deciding() == [2]


def test_stories_building_church_of_fame_tile() -> None:
    """The church gives the fame of the era; here it reaches the end of the track."""
    game = create_parish_game()
    game.advance(1, 34)
    events = game.do(1, c.Build("", "c1r1"))
    assert detail(events, e.Built).fame == 4
    assert detail(events, e.FameGained) == e.FameGained(38, 1)
    assert game.play.is_over()


def test_stories_fame_tiles_church__only_where_a_church_may_be_built() -> None:
    """Not on a landscape, a manor farm or a town, not next to another church, not in a village of another seat."""
    game = create_parish_game().settle("c2r1", 2).village("c2r1").settle("c3r1", 1).landscape("c3r1", "manor_farm")
    game.settle("c4r1", 1).village("c4r1").church("c4r1").settle("c5r1", 1)
    game.advance(1, 34)
    game.reject(1, c.Build("", "c2r1"), "stories.building.own_area", "NOT_YOUR_AREA")
    game.reject(1, c.Build("", "c3r1"), "stories.building.church_in_village", "NO_VILLAGE")
    game.reject(1, c.Build("", "c4r1"), "stories.building.one_church", "CHURCH_THERE")
    game.reject(1, c.Build("", "c5r1"), "stories.building.church_in_village", "NO_VILLAGE")
    game.reject(1, c.Build("", "c2r3"), "stories.map.spaces", "UNKNOWN_AREA")
    game.reject(1, c.Build("church_building", "c1r1"), "stories.fame_tiles.church", "WRONG_COMMAND")


@pytest.mark.parametrize(("wood", "price", "is_offered"), [(1, 1, True), (2, 2, True), (1, 2, False), (3, 2, True)])
def test_stories_fame_tiles_church__at_its_price(wood: int, price: int, *, is_offered: bool) -> None:
    """The tile gives the price; a seat with less wood has no decision."""
    game = create_parish_game(tile_church_gives_fame="no").goods(1, wood=wood)
    game.replace_fame_tile(34, build_church_for_wood=price)
    game.advance(1, 34)
    assert (game.decision(1) == "church") is is_offered
    if is_offered:
        assert detail(game.do(1, c.Build("", "c1r1")), e.Built).wood == price
        assert game.seat(1).goods.total() == wood - price


def test_stories_fame_tiles_church__not_possible() -> None:
    """Without wood, a village or a church in the supply the seat has no decision."""
    without_church = create_parish_game()
    without_church.run_out(CHURCH, without_church.t.churches)
    for game in (create_parish_game().goods(1, grain=1), create_parish_game().settle("c1r1", 2), without_church):
        game.advance(1, 34)
        assert game.deciding() == [2]
        assert game.seat(1).fame_due.value == 0


# --- 36: the end ---------------------------------------------------------------------------------------------


def test_stories_fame_tiles_at_once__before_the_end() -> None:
    """Tiles passed before the last one take effect first."""
    game = create_parish_game(tile_church_gives_fame="no").fame(1, 30).fortress("c2r1", 2)
    game.advance(1, 40)
    assert game.decision(1) == "raze"
    game.do(1, c.RazeFortress("c2r1"))
    assert game.decision(1) == "church"
    assert not game.play.is_over()
    game.do(1, c.Build("", "c1r1"))
    assert game.play.is_over()
    assert not game.deciding()


# --- 13, 25: eras --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("space", "era", "draw"), [(13, 2, 6), (25, 3, 7)])
def test_stories_fame_tiles_eras(space: int, era: int, draw: int) -> None:
    """A seat enters the era of the tile at once and draws its number of followers from then on."""
    game = create_game_before_tile(space)
    events = game.advance(1, space)
    assert detail(events, e.EraEntered) == e.EraEntered(era, peace=False)
    assert game.seat(1).era_reached.value == era
    assert game.seat(2).era_reached.value == 1
    game.do(1, c.DeclineBonus())
    game.market(1).bag(1, farmer=8).enter("followers")
    assert max(command.count for command in game.listed(1, c.DrawFollowers)) == draw


def test_stories_fame_tiles_eras__two_at_once() -> None:
    """Passing both tiles enters both eras, with a look at a nation in each."""
    game = NationsGame().fame(1, 12)
    for category in ("I", "II", "III"):
        game.empty(game.t.cards[category])
    game.advance(1, 25)
    assert (game.decision(1), game.seat(1).era_reached.value) == ("look", 2)
    game.do(1, c.LookAtNation(2))
    game.take_offers(1)
    assert (game.decision(1), game.seat(1).era_reached.value) == ("look", 3)
    game.do(1, c.LookAtNation(3))
    assert game.deciding() == [2]


@pytest.mark.parametrize(("era", "categories"), [(1, "I"), (2, "I II"), (3, "I II III")])
def test_stories_cards_category__in_england_vs_france(era: int, categories: str) -> None:
    """The Construction Yard gives cards of the categories that the era opens."""
    game = NationsGame().era(1, era).fill(1, "construction_yard")
    game.enter("actions")
    cards = game.listed(1, c.TakePlaceCard)
    assert {game.data.places[command.card].category for command in cards} == set(categories.split())


# --- looking at a nation -------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [2, 3, 4])
def test_stories_secrets_look__at_another_seat(other: int) -> None:
    game = create_game_before_tile(13)
    game.advance(1, 13)
    assert game.legal(1) == [c.LookAtNation(2), c.LookAtNation(3), c.LookAtNation(4), c.DeclineBonus()]
    events = game.do(1, c.LookAtNation(other))
    assert detail(events, e.NationSeen) == e.NationSeen(other)
    assert detail(events, e.NationShown) == e.NationShown(other, ("england", "france")[other % 2 == 0])
    assert game.deciding() == [2]


@pytest.mark.parametrize("other", [-1, 0, 1, 5])
def test_stories_secrets_look__not_at_own_or_unknown_seat(other: int) -> None:
    game = create_game_before_tile(13)
    game.advance(1, 13)
    game.reject(1, c.LookAtNation(other), "stories.secrets.look", "NO_SUCH_SEAT")


def test_stories_secrets_look__is_optional() -> None:
    game = create_game_before_tile(13)
    game.advance(1, 13)
    events = game.do(1, c.DeclineBonus())
    assert detail(events, e.BonusDeclined) == e.BonusDeclined("13")
    assert not list_details(events, e.NationSeen)
    assert game.seat(1).era_reached.value == 2
    assert game.deciding() == [2]


def test_stories_end_fame__by_the_first_of_two_followers() -> None:
    """The game ends before the second follower is sent."""
    game = create_game_before_tile(36).fill(1, "town_hall", "knight", "knight")
    events = game.act(1, c.SendToDeed("town_hall", "any", "town_wall"))
    assert game.play.is_over()
    assert not game.deciding()
    assert game.seat(1).estate().places["town_hall"].spaces[1].occupant() == "knight"
    assert game.t.action_place.value == ""
    assert len(list_details(events, e.NationScored)) == 2


def test_stories_fame_tiles_after_the_action__last_tile() -> None:
    """Reading ``fame_tile_moment``: the second follower is sent, then the game ends."""
    game = create_game_before_tile(36, fame_tile_moment="after_action").fill(1, "town_hall", "knight", "knight")
    game.act(1, c.SendToDeed("town_hall", "any", "town_wall"))
    assert game.decision(1) == "deed"
    assert not game.play.is_over()
    game.do(1, c.SendToDeed("town_hall", "any_2", "town_wall"))
    assert game.play.is_over()
    assert game.seat(1).fame.value == 39
