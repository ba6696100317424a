"""Bonus tiles: what each brings to who is on its era, the malus, and how they move on."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import detail, details
from tests.titles.stories.nations import NationsGame, nations, told

from boardkeeper.families.followers import events as family
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e
from boardkeeper.titles.stories.data import CHURCH, MANOR

SOUTH, NORTH = "c2r3", "c6r2"

LANDSCAPES = ("field", "lake", "pasture", "forest", "hill")


def owning(tile: str, era: int = 1, **choices: str) -> NationsGame:
    """Seat 1 has two fields, a forest with a fortress, and a village with a church; that tile lies on its era."""
    game = nations(**choices).era(1, era).bonus_tile(era, tile)
    for area in ("c1r1", "c1r2", "c2r1", "c3r1"):
        game.settle(area, 1)
    game.landscape("c1r1", "field").landscape("c1r2", "field").landscape("c2r1", "forest").landscape("c3r1", "field")
    return game.village("c3r1").church("c3r1").fortress("c2r1", 1)


def carried_out(game: NationsGame) -> list[e.RoundBonusCarriedOut]:
    """What the round bonus brings the seats, in turn."""
    return told(game.enter("round_bonus"), e.RoundBonusCarriedOut)


# --- what they bring ---------------------------------------------------------------------------------------


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
def test_stories_bonus_tiles_of_era__what_each_brings(tile: str, coins: int, fame: int, era: int) -> None:
    """A tile counts what one controls, whatever the era on which it lies; a village is no landscape."""
    game = owning(tile, era)
    assert carried_out(game)[0] == e.RoundBonusCarriedOut(era, coins, fame)
    assert (game.seat(1).coins.value, game.seat(1).fame.value) == (1 + coins, fame)


def test_stories_bonus_tiles_of_era__all_that_one_tile_says() -> None:
    """Coins for villages, and more for who has the most areas; fame for settlers, in towns too, and for fields."""
    game = owning("bonus_villages").says(
        "bonus_tiles", bonus_villages={"coins_per_village": 1, "coins_to_sole_most_areas": 2}
    )
    assert carried_out(game)[0] == e.RoundBonusCarriedOut(1, coins=1 + 2)

    game = owning("bonus_villages").says(
        "bonus_tiles", bonus_villages={"fame_per_own_settler_on_map": 1, "fame_per_landscape": "field"}
    )
    assert carried_out(game)[0] == e.RoundBonusCarriedOut(1, fame=4 + 4 + 2)


def test_stories_bonus_tiles_of_era() -> None:
    """Everybody has what lies on the era that he is in, and only that, in turn from the start player."""
    game = NationsGame().era(2, 2).era(3, 3).era(4, 3)
    game.bonus_tile(1, "bonus_field").bonus_tile(2, "bonus_forest").bonus_tile(3, "bonus_hill")
    for seat, areas in enumerate((("c1r1", "c1r2"), ("c2r1", "c2r2"), ("c3r1", "c3r2"), ("c4r1", "c4r2")), 1):
        game.hold(seat, *areas)
    lie = ("field", "field", "forest", "field", "hill", "forest", "hill", "hill")
    for area, landscape in zip(("c1r1", "c1r2", "c2r1", "c2r2", "c3r1", "c3r2", "c4r1", "c4r2"), lie, strict=True):
        game.landscape(area, landscape)
    events = game.enter("round_bonus", start=3)
    bonuses = [event for event in events if isinstance(event.detail, e.RoundBonusCarriedOut)]
    assert [event.seat for event in bonuses] == [3, 4, 1, 2]
    assert [game.seat(seat).fame.value for seat in (1, 2, 3, 4)] == [2, 1, 1, 2]


def test_stories_bonus_tiles_of_era__a_good() -> None:
    """A good of one controlled area, which one chooses: villages yield none."""
    game = owning("bonus_goods")
    assert carried_out(game) == [e.RoundBonusCarriedOut(1)]
    assert game.decision(1) == "choose_good"
    assert game.legal(1) == [c.TakeGood("grain"), c.TakeGood("wood")]
    game.reject(1, c.TakeGood("wine"), "stories.manors.choice", "NOT_OFFERED")
    events = game.do(1, c.TakeGood("wood"))
    assert detail(events, e.TileUsed) == e.TileUsed("round_bonus", goods={"wood": 1})
    assert game.seat(1).goods.counts() == {"wood": 1}
    assert game.t.phase.value == "declaring"


def test_stories_bonus_tiles_of_era__a_good_of_a_manor_farm() -> None:
    """A manor farm leaves the choice of all that the land yields."""
    game = NationsGame().bonus_tile(1, "bonus_goods").settle("c3r3", 3).landscape("c3r3", MANOR)
    game.enter("round_bonus")
    assert game.decision(3) == "choose_good"
    assert [command.good for command in game.listed(3, c.TakeGood)] == ["grain", "fish", "cheese", "wood", "wine"]
    game.do(3, c.TakeGood("cheese"))
    assert game.seat(3).goods.counts() == {"cheese": 1}


def test_stories_bonus_tiles_of_era__no_good() -> None:
    """Who has no area, or none that yields what the market has, has nothing, and nothing is asked."""
    game = owning("bonus_goods").goods_market(wine=5)
    assert carried_out(game)[0] == e.RoundBonusCarriedOut(1)
    assert game.t.phase.value == "declaring"
    assert not any(seat.goods.items for seat in game.t.seats)
    assert not any(seat.owed.value for seat in game.t.seats)


def test_stories_bonus_tiles_of_era__a_good_in_turn() -> None:
    """The next player has his bonus once the one before has chosen."""
    game = owning("bonus_goods").settle("c5r1", 2).landscape("c5r1", "hill")
    game.enter("round_bonus")
    assert game.deciding() == [1]
    assert details(game.do(1, c.TakeGood("grain")), e.RoundBonusCarriedOut) == {2: e.RoundBonusCarriedOut(1)}
    assert game.deciding() == [2]
    assert game.legal(2) == [c.TakeGood("wine")]


# --- the malus ---------------------------------------------------------------------------------------------


def hungry(**goods: int) -> NationsGame:
    """Seat 1 is where the malus lies, with two settlers in each town, one on an area, and these goods."""
    game = NationsGame().bonus_tile(2, "malus_food").bonus_tile(1, "bonus_lake").era(1, 2)
    return game.settle("c3r3", 1).landscape("c3r3", "hill").goods(1, **goods)


def test_stories_malus_food() -> None:
    """A food for each settler on the map, in towns and on areas, not on tracks or in the supply."""
    game = hungry(grain=5, bread=0)
    events = game.enter("round_bonus")
    assert told(events, e.RoundBonusCarriedOut)[0].food == 5
    assert len(told(events, e.GoodGiven)) == 5
    assert not game.seat(1).goods.items
    assert game.counts("removed") == {"grain": 5}
    assert game.seat(1).settlers.total() == 5


def test_stories_malus_food__chosen() -> None:
    """Which food, one chooses; wood and brocade are none."""
    game = hungry(grain=2, fish=2, cheese=1, wine=1, bread=1, wood=3, brocade=3)
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
    """Where paid food is read to go back, so it does here."""
    game = NationsGame(paid_food="back_to_market").bonus_tile(1, "malus_food").goods(1, grain=4)
    game.enter("round_bonus")
    assert game.t.goods_market.items["grain"] == 40
    assert not game.counts("removed")


def test_stories_malus_food__only_of_who_is_there() -> None:
    """Who is in another era pays nothing, nor does who has nobody on the map."""
    game = hungry(grain=5).goods(2, grain=5)
    game.era(3, 2).goods(3, grain=5).in_town(SOUTH, 3, 0).in_town(NORTH, 3, 0)
    game.enter("round_bonus")
    assert game.seat(2).goods.counts() == {"grain": 5}
    assert game.seat(3).goods.counts() == {"grain": 5}
    assert not game.seat(1).goods.items


def test_stories_malus_unfed() -> None:
    """For each settler that one cannot feed one takes one back, from towns and areas as one likes."""
    game = hungry(fish=3, wood=2)
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


def test_stories_malus_unfed__comes_back_by_territory() -> None:
    """Who was taken back is put into a town again with Territory."""
    game = hungry().settlers(1, 0).settle("c3r3", 1)
    game.enter("round_bonus")
    game.do(1, *[c.ReturnSettler(SOUTH)] * 2, *[c.ReturnSettler(NORTH)] * 2)
    assert game.legal(1) == [c.ReturnSettler("c3r3")]
    game.do(1, c.ReturnSettler("c3r3"))
    assert game.seat(1).settlers.total() == 5
    game.fill(1, "territory", "farmer", "fisherman", "trader").act(1, c.EnterTown("territory", NORTH))
    assert game.counts(f"area.{NORTH}")["settler.1"] == 1


def test_stories_malus_unfed__nobody_there() -> None:
    """Only from where an own settler stands."""
    game = hungry().in_town(NORTH, 1, 0).settle("c4r3", 2)
    game.enter("round_bonus")
    for area in (NORTH, "c4r3", "c5r3"):
        game.reject(1, c.ReturnSettler(area), "stories.malus.unfed", "NO_SETTLER")


def test_stories_malus_unfed__no_torture() -> None:
    """Nothing else is given for it, and nobody is tortured."""
    game = hungry()
    game.enter("round_bonus")
    assert {type(command) for command in game.legal(1)} == {c.ReturnSettler}
    assert game.seat(1).debt.value == 0
    for command in (c.SurrenderPlaceCard("castle"), c.SurrenderSettler(), c.SurrenderFortress()):
        game.reject(1, command, "table.wrong_decision")


def test_stories_malus_unfed__what_stays_behind() -> None:
    """A village, its church and a fortress stay on an area that is left; the fortress keeps others out."""
    game = hungry(grain=4).village("c3r3").church("c3r3").fortress("c3r3", 1)
    game.enter("round_bonus")
    game.do(1, c.ReturnSettler("c3r3"))
    assert game.stands_on("c3r3") == {CHURCH: 1, "fortress.1": 1}
    assert game.area("c3r3").is_village()
    game.fill(2, "territory", "knight", "knight", "trader").enter("actions", 2)
    game.reject(2, c.Expand("territory", "c3r3", SOUTH), "stories.expansion.fortress", "FORTRESS_THERE")


def test_stories_malus_unfed__what_is_removed() -> None:
    """Read otherwise, it is all cleared away."""
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
    """A Sacristy spares its owner the malus, if he likes."""
    game = hungry(grain=5).own(1, "sacristy").fill(1, "sacristy")
    game.enter("round_bonus")
    assert game.decision(1) == "sacristy"
    events = game.do(1, c.UseSacristy())
    assert detail(events, family.SacristyUsed) == family.SacristyUsed("round_bonus")
    assert game.seat(1).goods.counts() == {"grain": 5}

    game = hungry(grain=5).own(1, "sacristy").fill(1, "sacristy")
    game.enter("round_bonus")
    game.do(1, c.SufferEvent())
    assert not game.seat(1).goods.items


# --- moving on ---------------------------------------------------------------------------------------------


def lying(game: NationsGame) -> list[str]:
    """The tiles of the three eras."""
    return [tile for pile in game.t.bonus.values() for tile in pile.items]


def test_stories_bonus_tiles_shift() -> None:
    """III moves to II, II to I, I is set aside openly, and a new one is turned on III."""
    game = NationsGame()
    first, second, third = lying(game)
    stack = set(game.t.bonus_stack.items)
    events = game.enter("shift")
    new = detail(events, e.BonusTilesShifted).tile
    assert lying(game) == [second, third, new]
    assert game.t.aside.counts() == {first: 1}
    assert new in stack
    assert set(game.t.bonus_stack.items) == stack - {new}
    assert game.t.start.value == 2


def test_stories_bonus_tiles_shift__until_all_have_come() -> None:
    """All ten come, the malus with them, before any comes again."""
    game = NationsGame()
    seen = lying(game)
    for _ in range(7):
        events = game.enter("shift")
        seen.append(detail(events, e.BonusTilesShifted).tile)
    assert sorted(seen) == sorted(game.data.bonus_tiles)


def test_stories_bonus_tiles_renewed() -> None:
    """With the last of the stack those set aside become the new one, that of this round among them."""
    game = NationsGame()
    seen = lying(game)
    for number in range(1, 7):
        seen.append(detail(game.enter("shift"), e.BonusTilesShifted).tile)
        assert (game.t.aside.total(), game.t.bonus_stack.total()) == (number, 7 - number)
    last = detail(game.enter("shift"), e.BonusTilesShifted).tile
    assert not game.t.aside.items
    assert sorted(game.t.bonus_stack.items) == sorted(seen[:7])
    assert [*lying(game)[:2], last] == [*seen[-2:], last]

    again = detail(game.enter("shift"), e.BonusTilesShifted).tile
    assert again in seen[:7]
    assert game.t.aside.total() == 1


def test_stories_end_moment() -> None:
    """A round ends with its bonuses, then the tiles move on, then the next one begins to play."""
    game = NationsGame().bonus_tile(1, "bonus_lake")
    events = game.enter("round_bonus")
    while game.t.phase.value == "declaring":
        (seat,) = game.deciding()
        events += game.do(seat, c.KeepSilent())
    names = [event.name for event in events]
    assert names.index("RoundBonusCarriedOut") < names.index("BonusTilesShifted") < names.index("StartPlayerChanged")
    assert names.count("BonusTilesShifted") == 1


@pytest.mark.parametrize(("reading", "bonuses"), [("immediate", [1]), ("round_end", [1, 2, 3, 4])])
def test_stories_end_fame__by_a_bonus(reading: str, bonuses: list[int]) -> None:
    """Whose bonus brings him to the last tile ends the game before the others have theirs, or after, as it is read."""
    game = nations(fame_end=reading).fame(1, 34).era(1, 3).bonus_tile(3, "bonus_hill").bonus_tile(1, "bonus_lake")
    game.hold(1, "c1r1", "c1r2").landscape("c1r1", "hill").landscape("c1r2", "hill")
    events = game.enter("round_bonus")
    assert [event.seat for event in events if isinstance(event.detail, e.RoundBonusCarriedOut)] == bonuses
    assert game.play.is_over()
    assert len(told(events, e.NationScored)) == 2
