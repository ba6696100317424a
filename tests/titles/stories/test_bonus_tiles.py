"""Bonus tiles: the round bonus of each era, the food malus, and how the tiles move."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import detail, details
from tests.titles.stories.nations import MESSAGES, TEAMS, NationsGame, list_details

from boardkeeper.families.followers import events as family
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.data import CHURCH, MANOR

SOUTH, NORTH = "c2r3", "c6r2"


def create_game_with_tile(tile: str, era: int = 1, **choices: str) -> NationsGame:
    """Seat 1 has two fields, a forest with a fortress, and a village with a church; the tile is on its era."""
    game = NationsGame(TEAMS, MESSAGES, **choices).era(1, era).bonus_tile(era, tile)
    for area in ("c1r1", "c1r2", "c2r1", "c3r1"):
        game.settle(area, 1)
    game.landscape("c1r1", "field").landscape("c1r2", "field").landscape("c2r1", "forest").landscape("c3r1", "field")
    return game.village("c3r1").church("c3r1").fortress("c2r1", 1)


def run_round_bonus(game: NationsGame) -> list[e.RoundBonusCarriedOut]:
    """Return the round bonuses, in seating order."""
    return list_details(game.enter("round_bonus"), e.RoundBonusCarriedOut)


# --- round bonus ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("era", [1, 2, 3])
@pytest.mark.parametrize(
    ("tile", "coins", "fame"),
    [
        ("bonus_field", 0, 2),
        ("bonus_lake", 0, 0),
        ("bonus_pasture", 0, 0),
        ("bonus_forest", 0, 1),
        ("bonus_hill", 0, 0),
        ("bonus_villages", 1, 0),
        ("bonus_fortresses", 0, 1),
        ("bonus_churches", 0, 2),
    ],
)
def test_stories_bonus_tiles_of_era__bonus_of_each_tile(tile: str, coins: int, fame: int, era: int) -> None:
    """A tile counts what the seat controls, on any era; a village is no landscape."""
    game = create_game_with_tile(tile, era)
    assert run_round_bonus(game)[0] == e.RoundBonusCarriedOut(era, coins, fame)
    assert (game.seat(1).coins.value, game.seat(1).fame.value) == (1 + coins, fame)


def test_stories_bonus_tiles_of_era__several_effects_on_one_tile() -> None:
    """Coins for villages and for the most areas; fame for settlers (in towns too) and for fields."""
    game = create_game_with_tile("bonus_villages").replace_effects(
        "bonus_tiles", bonus_villages={"coins_per_village": 1, "coins_to_sole_most_areas": 2}
    )
    assert run_round_bonus(game)[0] == e.RoundBonusCarriedOut(1, coins=1 + 2)

    game = create_game_with_tile("bonus_villages").replace_effects(
        "bonus_tiles", bonus_villages={"fame_per_own_settler_on_map": 1, "fame_per_landscape": "field"}
    )
    assert run_round_bonus(game)[0] == e.RoundBonusCarriedOut(1, fame=4 + 4 + 2)


def test_stories_bonus_tiles_of_era() -> None:
    """A seat gets the bonus of its era only, in turn order from the start player."""
    game = NationsGame().era(2, 2).era(3, 3).era(4, 3)
    game.bonus_tile(1, "bonus_field").bonus_tile(2, "bonus_forest").bonus_tile(3, "bonus_hill")
    for seat, areas in enumerate((("c1r1", "c1r2"), ("c2r1", "c2r2"), ("c3r1", "c3r2"), ("c4r1", "c4r2")), 1):
        game.hold(seat, *areas)
    landscapes = ("field", "field", "forest", "field", "hill", "forest", "hill", "hill")
    for area, landscape in zip(
        ("c1r1", "c1r2", "c2r1", "c2r2", "c3r1", "c3r2", "c4r1", "c4r2"), landscapes, strict=True
    ):
        game.landscape(area, landscape)
    events = game.enter("round_bonus", start=3)
    bonuses = [event for event in events if isinstance(event.detail, e.RoundBonusCarriedOut)]
    assert [event.seat for event in bonuses] == [3, 4, 1, 2]
    assert [game.seat(seat).fame.value for seat in (1, 2, 3, 4)] == [2, 1, 1, 2]


def test_stories_bonus_tiles_of_era__a_good() -> None:
    """The player chooses a good of a controlled area; villages yield none."""
    game = create_game_with_tile("bonus_goods")
    assert run_round_bonus(game) == [e.RoundBonusCarriedOut(1)]
    assert game.decision(1) == "choose_good"
    assert game.legal(1) == [c.TakeGood("grain"), c.TakeGood("wood")]
    game.reject(1, c.TakeGood("wine"), "stories.manors.choice", "NOT_OFFERED")
    events = game.do(1, c.TakeGood("wood"))
    assert detail(events, e.TileUsed) == e.TileUsed("round_bonus", goods={"wood": 1})
    assert game.seat(1).goods.counts() == {"wood": 1}
    assert game.t.phase.value == "declaring"


def test_stories_bonus_tiles_of_era__a_good_of_a_manor_farm() -> None:
    """A manor farm yields any good of a landscape."""
    game = NationsGame().bonus_tile(1, "bonus_goods").settle("c3r3", 3).landscape("c3r3", MANOR)
    game.enter("round_bonus")
    assert game.decision(3) == "choose_good"
    assert [command.good for command in game.listed(3, c.TakeGood)] == ["grain", "fish", "cheese", "wood", "wine"]
    game.do(3, c.TakeGood("cheese"))
    assert game.seat(3).goods.counts() == {"cheese": 1}


def test_stories_bonus_tiles_of_era__no_good_available() -> None:
    """No area, or no good of the areas in the market: the seat gets nothing and has no decision."""
    game = create_game_with_tile("bonus_goods").goods_market(wine=5)
    assert run_round_bonus(game)[0] == e.RoundBonusCarriedOut(1)
    assert game.t.phase.value == "declaring"
    assert not any(seat.goods.items for seat in game.t.seats)
    assert not any(seat.owed.value for seat in game.t.seats)


def test_stories_bonus_tiles_of_era__goods_chosen_in_turn() -> None:
    game = create_game_with_tile("bonus_goods").settle("c5r1", 2).landscape("c5r1", "hill")
    game.enter("round_bonus")
    assert game.deciding() == [1]
    assert details(game.do(1, c.TakeGood("grain")), e.RoundBonusCarriedOut) == {2: e.RoundBonusCarriedOut(1)}
    assert game.deciding() == [2]
    assert game.legal(2) == [c.TakeGood("wine")]


# --- the food malus ------------------------------------------------------------------------------------------


def create_malus_game(**goods: int) -> NationsGame:
    """The malus is on the era of seat 1, which has two settlers in each town, one on an area, and these goods."""
    game = NationsGame().bonus_tile(2, "malus_food").bonus_tile(1, "bonus_lake").era(1, 2)
    return game.settle("c3r3", 1).landscape("c3r3", "hill").goods(1, **goods)


def test_stories_malus_food() -> None:
    """One food for each settler on the map, in towns and on areas."""
    game = create_malus_game(grain=5, bread=0)
    events = game.enter("round_bonus")
    assert list_details(events, e.RoundBonusCarriedOut)[0].food == 5
    assert len(list_details(events, e.GoodGiven)) == 5
    assert not game.seat(1).goods.items
    assert game.counts("removed") == {"grain": 5}
    assert game.seat(1).settlers.total() == 5


def test_stories_malus_food__player_chooses_the_goods() -> None:
    """Wood and brocade are no food."""
    game = create_malus_game(grain=2, fish=2, cheese=1, wine=1, bread=1, wood=3, brocade=3)
    game.enter("round_bonus")
    assert game.legal(1) == [c.GiveGood(good) for good in ("grain", "fish", "cheese", "wine", "bread")]
    game.reject(1, c.GiveGood("wood"), "stories.food.what_counts", "NOT_ASKED_FOR")
    game.reject(1, c.GiveGood("brocade"), "stories.food.what_counts", "NOT_ASKED_FOR")
    game.do(1, *(c.GiveGood(good) for good in ("bread", "wine", "cheese", "fish")))
    assert game.seat(1).owed.value == 1
    game.do(1, c.GiveGood("fish"))
    assert game.seat(1).goods.counts() == {"grain": 2, "wood": 3, "brocade": 3}
    assert game.t.phase.value == "declaring"
    assert game.seat(1).settlers.total() == 5


def test_stories_malus_food__back_to_the_market() -> None:
    """Reading ``paid_food``."""
    game = NationsGame(paid_food="back_to_market").bonus_tile(1, "malus_food").goods(1, grain=4)
    game.enter("round_bonus")
    assert game.t.goods_market.items["grain"] == 40
    assert not game.counts("removed")


def test_stories_malus_food__only_for_seats_in_its_era() -> None:
    """A seat in another era pays nothing, nor does a seat without settlers on the map."""
    game = create_malus_game(grain=5).goods(2, grain=5)
    game.era(3, 2).goods(3, grain=5).in_town(SOUTH, 3, 0).in_town(NORTH, 3, 0)
    game.enter("round_bonus")
    assert game.seat(2).goods.counts() == {"grain": 5}
    assert game.seat(3).goods.counts() == {"grain": 5}
    assert not game.seat(1).goods.items


def test_stories_malus_unfed() -> None:
    """For each unfed settler the player takes back a settler, from any town or area."""
    game = create_malus_game(fish=3, wood=2)
    events = game.enter("round_bonus")
    assert detail(events, e.GoodsMissing).missing == 2
    assert game.decision(1) == "unfed"
    assert game.legal(1) == [c.ReturnSettler(area) for area in ("c3r3", SOUTH, NORTH)]
    assert game.seat(1).goods.counts() == {"wood": 2}
    events = game.do(1, c.ReturnSettler(SOUTH))
    assert detail(events, e.SettlerReturned) == e.SettlerReturned(SOUTH)
    assert game.decision(1) == "unfed"
    game.do(1, c.ReturnSettler("c3r3"))
    assert game.t.phase.value == "declaring"
    assert game.counts(f"area.{SOUTH}")["settler.1"] == 1
    assert game.stands_on("c3r3") == {}
    assert game.seat(1).settlers.total() == 5 + 2


def test_stories_malus_unfed__settler_returns_with_territory() -> None:
    game = create_malus_game().settlers(1, 0).settle("c3r3", 1)
    game.enter("round_bonus")
    game.do(1, *[c.ReturnSettler(SOUTH)] * 2, *[c.ReturnSettler(NORTH)] * 2)
    assert game.legal(1) == [c.ReturnSettler("c3r3")]
    game.do(1, c.ReturnSettler("c3r3"))
    assert game.seat(1).settlers.total() == 5
    game.fill(1, "territory", "farmer", "fisherman", "trader").act(1, c.EnterTown("territory", NORTH))
    assert game.counts(f"area.{NORTH}")["settler.1"] == 1


def test_stories_malus_unfed__area_without_own_settler() -> None:
    game = create_malus_game().in_town(NORTH, 1, 0).settle("c4r3", 2)
    game.enter("round_bonus")
    for area in (NORTH, "c4r3", "c5r3"):
        game.reject(1, c.ReturnSettler(area), "stories.malus.unfed", "NO_SETTLER")


def test_stories_malus_unfed__is_not_torture() -> None:
    """The player cannot give anything else instead."""
    game = create_malus_game()
    game.enter("round_bonus")
    assert {type(command) for command in game.legal(1)} == {c.ReturnSettler}
    assert game.seat(1).debt.value == 0
    for command in (c.SurrenderPlaceCard("castle"), c.SurrenderSettler(), c.SurrenderFortress()):
        game.reject(1, command, "table.wrong_decision")


def test_stories_malus_unfed__buildings_stay() -> None:
    """A village, its church and a fortress stay on the area; the fortress keeps others out."""
    game = create_malus_game(grain=4).village("c3r3").church("c3r3").fortress("c3r3", 1)
    game.enter("round_bonus")
    game.do(1, c.ReturnSettler("c3r3"))
    assert game.stands_on("c3r3") == {CHURCH: 1, "fortress.1": 1}
    assert game.area("c3r3").is_village()
    game.fill(2, "territory", "knight", "knight", "trader").enter("actions", 2)
    game.reject(2, c.Expand("territory", "c3r3", SOUTH), "stories.expansion.fortress", "FORTRESS_THERE")


def test_stories_malus_unfed__buildings_are_removed() -> None:
    """Reading ``emptied_area``."""
    game = NationsGame(emptied_area="buildings_removed").bonus_tile(1, "malus_food").goods(1, grain=4)
    game.settle("c3r3", 1).village("c3r3").church("c3r3").fortress("c3r3", 1)
    for seat in (2, 3, 4):
        game.era(seat, 2)
    game.bonus_tile(2, "bonus_lake").enter("round_bonus")
    churches = game.t.churches.total()
    game.do(1, c.ReturnSettler("c3r3"))
    assert game.stands_on("c3r3") == {}
    assert not game.area("c3r3").is_village()
    assert game.t.churches.total() == churches + 1
    assert game.seat(1).fortresses.total() == 4


def test_stories_malus_food__with_a_sacristy() -> None:
    """The owner of a filled Sacristy may avoid the malus."""
    game = create_malus_game(grain=5).own(1, "sacristy").fill(1, "sacristy")
    game.enter("round_bonus")
    assert game.decision(1) == "sacristy"
    events = game.do(1, c.UseSacristy())
    assert detail(events, family.SacristyUsed) == family.SacristyUsed("round_bonus")
    assert game.seat(1).goods.counts() == {"grain": 5}

    game = create_malus_game(grain=5).own(1, "sacristy").fill(1, "sacristy")
    game.enter("round_bonus")
    game.do(1, c.SufferEvent())
    assert not game.seat(1).goods.items


# --- moving --------------------------------------------------------------------------------------------------


def era_tiles(game: NationsGame) -> list[str]:
    """Return the tiles of the three eras."""
    return [tile for pile in game.t.bonus.values() for tile in pile.items]


def test_stories_bonus_tiles_shift() -> None:
    """III moves to II, II to I, I is set aside publicly, and a new tile is turned on III."""
    game = NationsGame()
    first, second, third = era_tiles(game)
    stack = set(game.t.bonus_stack.items)
    events = game.enter("shift")
    new = detail(events, e.BonusTilesShifted).tile
    assert era_tiles(game) == [second, third, new]
    assert game.t.aside.counts() == {first: 1}
    assert new in stack
    assert set(game.t.bonus_stack.items) == stack - {new}
    assert game.t.start.value == 2


def test_stories_bonus_tiles_shift__all_tiles_appear_before_one_repeats() -> None:
    game = NationsGame()
    tiles = era_tiles(game)
    for _ in range(7):
        events = game.enter("shift")
        tiles.append(detail(events, e.BonusTilesShifted).tile)
    assert sorted(tiles) == sorted(game.data.bonus_tiles)


def test_stories_bonus_tiles_renewed() -> None:
    """When the stack is empty, the tiles that were set aside become the new stack, including the one of this round."""
    game = NationsGame()
    tiles = era_tiles(game)
    for number in range(1, 7):
        tiles.append(detail(game.enter("shift"), e.BonusTilesShifted).tile)
        assert (game.t.aside.total(), game.t.bonus_stack.total()) == (number, 7 - number)
    last = detail(game.enter("shift"), e.BonusTilesShifted).tile
    assert not game.t.aside.items
    assert sorted(game.t.bonus_stack.items) == sorted(tiles[:7])
    assert [*era_tiles(game)[:2], last] == [*tiles[-2:], last]

    again = detail(game.enter("shift"), e.BonusTilesShifted).tile
    assert again in tiles[:7]
    assert game.t.aside.total() == 1


def test_stories_end_moment() -> None:
    """After the bonuses of a round the tiles move, then the next round begins."""
    game = NationsGame().bonus_tile(1, "bonus_lake")
    events = game.enter("round_bonus")
    while game.t.phase.value == "declaring":
        (seat,) = game.deciding()
        events += game.do(seat, c.KeepSilent())
    names = [event.name for event in events]
    assert names.index("RoundBonusCarriedOut") < names.index("BonusTilesShifted") < names.index("StartPlayerChanged")
    assert names.count("BonusTilesShifted") == 1


@pytest.mark.parametrize(("reading", "bonuses"), [("immediate", [1]), ("round_end", [1, 2, 3, 4])])
def test_stories_end_fame__reached_by_a_round_bonus(reading: str, bonuses: list[int]) -> None:
    """Reaching the last tile ends the game before or after the other bonuses (reading ``fame_end``)."""
    game = NationsGame(fame_end=reading).fame(1, 34).era(1, 3).bonus_tile(3, "bonus_hill").bonus_tile(1, "bonus_lake")
    game.hold(1, "c1r1", "c1r2").landscape("c1r1", "hill").landscape("c1r2", "hill")
    events = game.enter("round_bonus")
    assert [event.seat for event in events if isinstance(event.detail, e.RoundBonusCarriedOut)] == bonuses
    assert game.play.is_over()
    assert len(list_details(events, e.NationScored)) == 2
