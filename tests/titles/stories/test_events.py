"""Event cards: their effects, their order, and the choices of the players."""

from __future__ import annotations

import pytest
from msgspec import Struct
from tests.titles.stories.kit import StoriesGame, detail, details

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

CARDS = [f"{letter}{number}" for letter in "ABCD" for number in range(1, 9)]


def create_rich_game(**choices: str) -> StoriesGame:
    """Two seats have some of everything, and the round bonus has no effect.

    Seat 1 controls five areas (two of them villages; a field, a lake and a forest), seat 2 two (a village, a pasture).
    """
    game = StoriesGame(2, **choices).coins(1, 10).coins(2, 10).fame(1, 50).fame(2, 45)
    for seat in (1, 2):
        game.era(seat, 5, carried_out=True)
    for area, landscape in {"c1r3": "field", "c2r2": "lake", "c2r3": "forest", "c3r2": "hill"}.items():
        game.settle(area, 1).landscape(area, landscape)
    game.village("c3r2").settle("c6r3", 2).landscape("c6r3", "pasture")
    game.goods(1, grain=3, wood=1).goods(2, fish=2, wine=1)
    return game.technology(2).bag(1, farmer=2, knight=1).bag(2, farmer=3)


def count_belongings(game: StoriesGame, seat: int) -> dict[str, int]:
    """Return all numbers of a seat that events can change."""
    mine = game.seat(seat)
    followers = {f"bag {character}": count for character, count in mine.bag.counts().items()}
    counted = {"coins": mine.coins.value, "fame": mine.fame.value, "citizens": mine.citizens.value}
    pieces = {"technology": mine.technology.total(), "settlers": mine.settlers.total()}
    return counted | pieces | mine.goods.counts() | followers


def find_changes(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    """Return the differences that are not 0."""
    differences = {key: after.get(key, 0) - before.get(key, 0) for key in before | after}
    return {key: difference for key, difference in differences.items() if difference}


class CardEffects(Struct):
    """The changes of a card in :func:`create_rich_game`, and the commands of both seats."""

    first: tuple[Struct, ...] = ()
    second: tuple[Struct, ...] = ()
    to_first: dict[str, int] = {}
    to_second: dict[str, int] = {}


FISH, WINE, WOOD, GRAIN = (c.GiveGood(good) for good in ("fish", "wine", "wood", "grain"))
NONE = c.DeclineBonus()

EFFECTS = {
    "A1": CardEffects((), (WINE,), {"grain": -1}, {"wine": -1}),
    "A2": CardEffects((), (), {"grain": 2}, {"grain": 1}),
    "A3": CardEffects((), (), {"fish": 2}, {"fish": 1}),
    "A4": CardEffects((), (), {"wood": 1}, {}),
    "A5": CardEffects(),
    "A6": CardEffects((c.SellGood("wood"),), (c.FinishTrading(),), {"wood": -1, "coins": 3}, {}),
    "A7": CardEffects((), (), {"coins": -1}, {"coins": -1}),
    "A8": CardEffects((c.TakeFollower("fisherman"),), (NONE,), {"bag fisherman": 1}, {}),
    "B1": CardEffects((), (FISH, WINE), {"grain": -2}, {"fish": -1, "wine": -1}),
    "B2": CardEffects((), (), {"coins": 2}, {"coins": 1}),
    "B3": CardEffects((), (), {"bag followers": -1}, {"bag followers": -1}),
    "B4": CardEffects((), (), {}, {"fame": 1}),
    "B5": CardEffects((WOOD,), (), {"wood": -1, "technology": 1}, {}),
    "B6": CardEffects((WOOD,), (FISH,), {"wood": -1}, {"fish": -1}),
    "B7": CardEffects(),
    "B8": CardEffects((), (), {"coins": 2}, {}),
    "C1": CardEffects((), (), {"grain": -3}, {"fish": -2, "wine": -1}),
    "C2": CardEffects((), (), {"coins": 4}, {"coins": 2}),
    "C3": CardEffects((), (), {"bag followers": -1}, {"bag followers": -1}),
    "C4": CardEffects((), (), {"coins": -3}, {"coins": -1}),
    "C5": CardEffects((), (), {"fame": 3}, {}),
    "C6": CardEffects((WOOD,), (c.SurrenderTechnology(),), {"wood": -1}, {"technology": -1}),
    "C7": CardEffects(),
    "C8": CardEffects((c.Expand("", "c3r3"),), (NONE,), {"settlers": -1}, {}),
    "D1": CardEffects((), (FISH,), {"grain": -3}, {"fish": -1}),
    "D2": CardEffects((), (), {"citizens": 1}, {}),
    "D3": CardEffects((), (), {"bag followers": -2}, {"bag followers": -2}),
    "D4": CardEffects((), (), {"coins": -2}, {"coins": -1}),
    "D5": CardEffects(),
    "D6": CardEffects((c.PayCoins(),), (c.SurrenderSettler("c6r3"),), {"coins": -3}, {}),
    "D7": CardEffects((), (), {"grain": 1, "fish": 1, "wood": 1}, {"cheese": 1}),
    "D8": CardEffects(
        (c.SellGood("wood"), c.SellGood("grain"), c.SellGood("grain")),
        (c.FinishTrading(),),
        {"wood": -1, "grain": -2, "coins": 8},
        {},
    ),
}
"""By card."""


def test_effects_of_all_cards_are_tested() -> None:
    assert list(StoriesGame(2).data.events) == CARDS
    assert list(EFFECTS) == CARDS


@pytest.mark.parametrize("card", CARDS)
def test_effects_of_each_card(card: str) -> None:
    game, effects = create_rich_game(), EFFECTS[card]
    before = {seat: _count_followers(count_belongings(game, seat)) for seat in (1, 2)}
    game.strike(card)
    for seat, commands in ((1, effects.first), (2, effects.second)):
        assert game.t.phase.value == "event" or not commands
        game.do(seat, *commands)
    assert game.t.round.value == 6, "the next round has begun"
    for seat, expected in ((1, effects.to_first), (2, effects.to_second)):
        after = _count_followers(count_belongings(game, seat))
        assert find_changes(before[seat], after) == _count_followers(expected), f"seat {seat}"


def _count_followers(belongings: dict[str, int]) -> dict[str, int]:
    """Replace the followers in the bag by their number, because random ones are lost."""
    followers = sum(count for key, count in belongings.items() if key.startswith("bag"))
    rest = {key: count for key, count in belongings.items() if not key.startswith("bag")}
    return rest | ({"bag followers": followers} if followers else {})


# --- turning and timing --------------------------------------------------------------------------------------


def test_stories_events_turned() -> None:
    """Four cards of each letter, in order, one in each round, without repetition; the others stay hidden."""
    game = StoriesGame(3)
    turned = ["A5"]
    game.turn(1, "A5")
    while game.t.phase.value != "over":
        game.idle_round()
        turned += [game.t.event.value] if game.t.phase.value != "over" else []
    assert [card[0] for card in turned] == [*"AAAABBBBCCCCDDDD"]
    assert len(set(turned)) == 16
    assert {*game.counts("events.current"), *game.counts("events.past")} == {*turned}


@pytest.mark.parametrize("round", [1, 4, 5, 12, 13, 16])
def test_stories_events_turned__letter_by_letter(round: int) -> None:
    """The round determines the letter."""
    game = StoriesGame(2)
    event = detail(game.turn(round - 1, "A5").enter("dawn"), e.RoundBegun)
    assert event == e.RoundBegun(round, 1, game.t.event.value)
    assert game.t.event.value[0] == "ABCD"[(round - 1) // 4]
    assert game.counts("events.current") == {game.t.event.value: 1}
    assert game.counts("events.past") == {"A5": 1}


def test_stories_events_seat_order() -> None:
    """The event applies in turn order from the start player; each seat decides before the next one."""
    game = StoriesGame(3)
    for seat in (1, 2, 3):
        game.goods(seat, grain=1, fish=1)
    game.strike("A1", start=3)
    for seat in (3, 1, 2):
        assert game.deciding() == [seat]
        game.do(seat, c.GiveGood("fish"))
    assert game.t.phase.value != "event"


def test_stories_events_before_the_round_bonus() -> None:
    """The event comes between the actions and the round bonus, whose coins cannot pay for it."""
    game = StoriesGame(2).era(1, 4).goods(1, wood=2).goods(2).turn(5, "D4")
    game.enter("actions")
    game.idle_until("event")
    assert game.decision(1) == "torture"
    assert game.seat(1).coins.value == 0
    events = game.do(1, c.SurrenderSettler())
    assert details(events, e.RoundBonusCarriedOut)[1].coins == 1


def test_stories_events_whole_round() -> None:
    """An event for the whole round has no effect at its end."""
    game = create_rich_game()
    events = game.strike("C7")
    assert not details(events, e.EventCarriedOut)
    assert game.t.round.value == 6


# --- events for the whole round ------------------------------------------------------------------------------


def test_stories_events_crusade() -> None:
    """No knight is placed in this round, on any space; those placed before stay and act."""
    game = StoriesGame(2).unlock(1, "fortress_building").market(1, knight=2, craftsman=1)
    game.fill(1, "territory", "", "knight").turn(9, "C7").enter("planning")
    for place, space in (("territory", "farmer"), ("fortress_building", "knight"), ("town_hall", "any")):
        command = c.PlaceFollower("knight", place, space)
        game.reject(1, command, "stories.events.crusade", "FORBIDDEN_NOW")
    assert {command.follower for command in game.listed(1, c.PlaceFollower)} == {"craftsman"}
    game.do(1, c.PlaceFollower("craftsman", "fortress_building", "craftsman"))
    assert game.counts("seat.1.territory.fisherman") == {"knight": 1}


def test_stories_events_crusade__ends_with_the_round() -> None:
    game = StoriesGame(2).unlock(1, "fortress_building").market(1, knight=2)
    game.turn(10, "C4").enter("planning")
    assert game.t.forbidden_follower() == ""
    game.do(1, c.PlaceFollower("knight", "fortress_building", "knight"))


def test_stories_events_crusade__monk_instead_of_knight() -> None:
    """The card forbids only knights: a monk may be placed on a knight's space."""
    game = StoriesGame(2).unlock(1, "fortress_building").market(1, monk=1)
    game.turn(9, "C7").enter("planning")
    game.do(1, c.PlaceFollower("monk", "fortress_building", "knight"))


# --- comparisons of seats ------------------------------------------------------------------------------------


def test_stories_events_compared__last_on_the_fame_track() -> None:
    """All seats that share the last place gain fame."""
    game = StoriesGame(3).fame(1, 50).fame(2, 41).fame(3, 41)
    events = game.strike("B4")
    assert details(events, e.EventCarriedOut) == {
        2: e.EventCarriedOut("B4", fame=1),
        3: e.EventCarriedOut("B4", fame=1),
    }


def test_stories_events_compared() -> None:
    """Gains from comparisons take effect before losses: the leader gets its coins before the last seat pays."""
    game = StoriesGame(3).settle("c2r2", 1).settle("c3r2", 1).settle("c3r3", 2).coins(3, 1)
    events = game.strike("B8", start=3)
    names = [event.name for event in events if event.name in ("EventCarriedOut", "CoinsPaid", "RoundBonusCarriedOut")]
    assert names[:2] == ["EventCarriedOut", "CoinsPaid"]


@pytest.mark.parametrize(("knights", "winner"), [((1, 2, 0), 2), ((2, 2, 1), None), ((0, 0, 0), None)])
def test_stories_events_sole_leader(knights: tuple[int, ...], winner: int | None) -> None:
    """Three fame for the seat with the most knights; none in a tie."""
    game = StoriesGame(3)
    for seat, count in enumerate(knights, 1):
        game.fame(seat, 50).bag(seat, knight=count)
    gains = details(game.strike("C5"), e.EventCarriedOut)
    assert gains == ({winner: e.EventCarriedOut("C5", fame=3)} if winner else {})


def test_stories_events_compared__knights_in_all_zones() -> None:
    """Knights in the bag, on the market and on places count; those on a deed do not."""
    game = StoriesGame(2).fame(1, 50).fame(2, 50).bag(1, knight=1).market(1, knight=1).fill(1, "territory", "knight")
    game.bag(2, knight=2).on_deed("town_wall", knight=2)
    assert list(details(game.strike("C5"), e.EventCarriedOut)) == [1]


@pytest.mark.parametrize(("fame", "winner"), [((50, 45), 1), ((45, 50), 2), ((50, 50), None)])
def test_stories_events_sole_leader__on_the_fame_track(fame: tuple[int, int], winner: int | None) -> None:
    """A citizen for the only leader."""
    game = StoriesGame(2).fame(1, fame[0]).fame(2, fame[1])
    gains = details(game.strike("D2"), e.EventCarriedOut)
    assert gains == ({winner: e.EventCarriedOut("D2", citizens=1)} if winner else {})


@pytest.mark.parametrize(
    ("areas", "leader", "last"),
    [((3, 2, 1), 1, 3), ((2, 2, 1), None, 3), ((2, 1, 1), 1, None), ((1, 1, 1), None, None)],
)
def test_stories_events_sole_leader__in_areas(areas: tuple[int, ...], leader: int | None, last: int | None) -> None:
    """Two coins for the only seat with the most areas, one coin from the only seat with the fewest."""
    game = StoriesGame(3)
    free = iter(("c2r2", "c2r3", "c3r2", "c3r3"))
    for seat, count in enumerate(areas, 1):
        game.coins(seat, 5)
        for _ in range(count - 1):
            game.settle(next(free), seat)
    events = game.strike("B8")
    assert list(details(events, e.EventCarriedOut)) == ([leader] if leader else [])
    assert list(details(events, e.CoinsPaid)) == ([last] if last else [])
    assert [game.seat(seat).coins.value for seat in (1, 2, 3)] == [
        5 + 2 * (seat == leader) - (seat == last) for seat in (1, 2, 3)
    ]


def test_two_seats_do_not_pay_for_the_fewest_areas() -> None:
    game = StoriesGame(2).settle("c1r3", 1).coins(2, 5)
    events = game.strike("B8")
    assert details(events, e.CoinsPaid) == {}
    assert game.seat(1).coins.value == 2


def test_two_seats_pay_if_the_card_has_no_minimum_of_players() -> None:
    game = StoriesGame(2).settle("c1r3", 1).coins(2, 5)
    game.replace_effects("events", B8={"coins_from_sole_fewest_areas": 1})
    assert details(game.strike("B8"), e.CoinsPaid) == {2: e.CoinsPaid(1, 0)}


def test_stories_events_compared__last_seat_cannot_pay() -> None:
    """The seat with the fewest areas and no coin is tortured."""
    game = StoriesGame(3).settle("c2r2", 1).settle("c3r2", 2)
    game.strike("B8")
    assert game.deciding() == [3]
    assert game.decision(3) == "torture"


# --- amounts by areas and goods ------------------------------------------------------------------------------


@pytest.mark.parametrize(("areas", "food"), [(0, 0), (1, 1), (2, 1), (3, 2), (7, 4), (8, 4), (10, 4)])
def test_stories_events_amount__at_most_four_food(areas: int, food: int) -> None:
    """One food for two areas, rounded up, at most four; none without an area."""
    game = StoriesGame(4).goods(1, grain=9)
    free = [area for area in game.t.areas if not game.stands_on(area)]
    if not areas:
        game.fortress("c1r1", 0).settle("c1r1")
    game.settlers(1, 9)
    for area in free[: max(areas - 1, 0)]:
        game.settle(area, 1)
    for seat in (2, 3, 4):
        game.goods(seat, grain=1)
    game.strike("D1")
    assert game.seat(1).goods.counts() == ({"grain": 9 - food} if food < 9 else {})


@pytest.mark.parametrize(
    ("card", "goods", "coins"), [("A7", 2, 0), ("A7", 3, 1), ("A7", 5, 1), ("D4", 1, 0), ("D4", 5, 2)]
)
def test_stories_events_amount__taxes_are_rounded_down(card: str, goods: int, coins: int) -> None:
    game = StoriesGame(2).coins(1, 9).goods(1, wood=goods).goods(2)
    events = game.strike(card)
    assert game.seat(1).coins.value == 9 - coins
    assert details(events, e.CoinsPaid) == ({1: e.CoinsPaid(coins, 0)} if coins else {})


@pytest.mark.parametrize(("areas", "coins"), [(1, 1), (2, 1), (3, 2)])
def test_stories_events_amount(areas: int, coins: int) -> None:
    """One coin for two areas, rounded up."""
    game = StoriesGame(2).coins(1, 9).coins(2, 9)
    for area in ("c1r3", "c2r2")[: areas - 1]:
        game.settle(area, 1)
    game.strike("C4")
    assert game.seat(1).coins.value == 9 - coins


# --- gains ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "good", "left"), [("A2", "grain", 1), ("A3", "fish", 0), ("A4", "wood", 0)])
def test_stories_events_gained_goods(card: str, good: str, left: int) -> None:
    """The market limits the goods; seats take them in order."""
    game = create_rich_game()
    game.run_out(good, game.t.goods_market)
    game.bring(good, game.t.goods_market, left)
    gains = details(game.strike(card), e.EventCarriedOut)
    assert gains == ({1: e.EventCarriedOut(card, goods={good: left})} if left else {})


def test_stories_events_gained_goods__villages_yield_none() -> None:
    """A village replaces its landscape."""
    game = create_rich_game().village("c2r3")
    assert details(game.strike("A4"), e.EventCarriedOut) == {}
    assert "wood" not in details(create_rich_game().village("c2r3").strike("D7"), e.EventCarriedOut)[1].goods


def test_stories_events_gained_goods__one_of_each_landscape() -> None:
    """Two areas of one landscape yield one good."""
    game = create_rich_game().settle("c3r3", 1).landscape("c3r3", "field")
    gains = details(game.strike("D7"), e.EventCarriedOut)[1]
    assert gains.goods == {"grain": 1, "fish": 1, "wood": 1}


def test_blessing_gives_two_fame_for_each_controlled_church() -> None:
    game = create_rich_game().church("c1r2", "c3r2")
    gains = details(game.strike("D5"), e.EventCarriedOut)
    assert gains == {1: e.EventCarriedOut("D5", fame=4)}


def test_stories_events_seat_order__fame_bonuses_between_seats() -> None:
    """A fame bonus from an event is chosen before the next seat's turn."""
    game = StoriesGame(2).church("c1r2", "c7r3").fame(1, 3).fame(2, 3)
    game.strike("D5", start=2)
    assert game.deciding() == [2]
    assert game.decision(2) == "fame_bonus"
    assert game.seat(1).fame.value == 3
    game.do(2, c.TakeCitizen())
    assert game.deciding() == [1]
    assert game.seat(1).fame.value == 5


# --- losses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "count"), [("B3", 1), ("C3", 1), ("D3", 2)])
def test_stories_events_lost_followers(card: str, count: int) -> None:
    """Random followers return from the bag to the supply; those on the market are safe."""
    game = StoriesGame(2).bag(1, farmer=3).market(1, monk=2)
    supply = game.t.supply.items["farmer"]
    events = game.strike(card)
    assert details(events, e.FollowersLost)[1] == e.FollowersLost(("farmer",) * count)
    assert game.seat(1).bag.counts() == {"farmer": 3 - count}
    assert game.t.supply.items["farmer"] == supply + count
    assert game.seat(1).market.counts() == {"monk": 2}


def test_stories_events_lost_followers__almost_empty_bag() -> None:
    """A bag with too few followers loses all of them, without torture."""
    game = StoriesGame(2).bag(1).bag(2, farmer=1)
    losses = details(game.strike("D3"), e.FollowersLost)
    assert losses == {1: e.FollowersLost(()), 2: e.FollowersLost(("farmer",))}
    assert game.t.round.value == 6


@pytest.mark.parametrize(("fortresses", "lost"), [(0, 1), (1, 1), (2, 0), (3, 0)])
def test_stories_events_lost_goods__averted_by_two_fortresses(fortresses: int, lost: int) -> None:
    """Two own fortresses on the map prevent the loss; those in the supply do not."""
    game = StoriesGame(2).goods(1, wood=2).goods(2, wood=1).fortress("c1r2", 0)
    for area in ("c1r2", "c1r3", "c2r2")[:fortresses]:
        game.settle(area, 1).fortress(area, 1)
    game.strike("B6")
    assert game.seat(1).goods.counts() == {"wood": 2 - lost}


def test_stories_events_lost_goods() -> None:
    """The player chooses among all goods."""
    game = StoriesGame(2).goods(1, wood=1, brocade=1, grain=1).goods(2, wood=1)
    game.strike("B6")
    assert game.legal(1) == [c.GiveGood("grain"), c.GiveGood("wood"), c.GiveGood("brocade")]
    game.reject(1, c.GiveGood("wine"), "stories.food.own_goods", "NO_SUCH_GOOD")
    game.do(1, c.GiveGood("brocade"))


@pytest.mark.parametrize(("enough", "lost"), [(1, 0), (2, 1), (None, 1)])
def test_stories_events_lost_goods__averted_by_the_number_of_fortresses_on_the_card(
    enough: int | None, lost: int
) -> None:
    """If the card has no number, fortresses do not prevent the loss."""
    unless = {"unless_fortresses_at_least": enough} if enough else {}
    game = StoriesGame(2).goods(1, wood=2).replace_effects("events", B6={"lose_goods": 1, **unless})
    game.strike("B6")
    assert game.seat(1).goods.counts() == {"wood": 2 - lost}


def test_stories_events_lost_goods__no_goods() -> None:
    """A seat without goods loses nothing and is not tortured."""
    game = StoriesGame(2).goods(1).goods(2, wood=1)
    game.strike("B6")
    assert game.t.round.value == 6
    assert game.seat(1).settlers.total() == 8
    assert game.seat(2).goods.counts() == {}


# --- paying or losing ----------------------------------------------------------------------------------------


def test_stories_events_else_lose() -> None:
    """Fire: a wood, or a technology tile in any zone; a seat with both chooses."""
    game = StoriesGame(2).goods(1, wood=1).technology(1).fill(1, "farm", "technology").goods(2, wood=1)
    game.strike("C6")
    assert game.legal(1) == [WOOD, c.SurrenderTechnology(), c.SurrenderTechnology("farm", "fisherman")]
    game.reject(1, c.GiveGood("grain"), "stories.events.else_lose", "NOT_ASKED_FOR")
    game.reject(1, c.PayCoins(), "stories.events.else_lose", "NOT_ASKED_FOR")
    game.reject(1, c.SurrenderSettler("c1r2"), "stories.events.else_lose", "NOT_ASKED_FOR")
    game.reject(1, c.SurrenderTechnology("farm", "craftsman"), "stories.torture.technology", "NO_TECHNOLOGY")
    events = game.do(1, c.SurrenderTechnology("farm", "fisherman"))
    assert detail(events, e.TechnologySurrendered) == e.TechnologySurrendered("farm", "fisherman", 0)
    assert game.seat(1).goods.counts() == {"wood": 1}


def test_stories_events_else_lose__no_wood() -> None:
    """A seat with only technology must lose it."""
    game = StoriesGame(2).goods(1).technology(1).goods(2, wood=1)
    game.strike("C6")
    assert game.legal(1) == [c.SurrenderTechnology()]
    game.reject(1, WOOD, "stories.food.own_goods", "NO_SUCH_GOOD")


def test_stories_events_neither() -> None:
    """A seat with neither is tortured for the wood."""
    game = StoriesGame(2).goods(1).goods(2, wood=1)
    events = game.strike("C6")
    assert details(events, e.GoodsMissing) == {1: e.GoodsMissing(1)}
    assert game.decision(1) == "torture"
    game.do(1, c.SurrenderFortress())
    assert game.decision(2) == "pay"


def test_stories_events_revolt() -> None:
    """Three coins, or a settler without a fortress on its area; never the settler of the first village."""
    game = StoriesGame(2).coins(1, 3).settle("c1r3", 1).settle("c2r2", 1).fortress("c2r2", 1).fortress("c1r2", 0)
    game.coins(2, 3)
    game.strike("D6")
    assert game.legal(1) == [c.PayCoins(), c.SurrenderSettler("c1r3")]
    game.reject(1, WOOD, "stories.events.else_lose", "NOT_ASKED_FOR")
    for area in ("", "c1r2", "c2r2", "c4r3"):
        game.reject(1, c.SurrenderSettler(area), "stories.events.revolt", "NO_SETTLER")
    game.reject(1, c.SurrenderTechnology(), "stories.events.else_lose", "NOT_ASKED_FOR")
    events = game.do(1, c.SurrenderSettler("c1r3"))
    assert detail(events, e.SettlerSurrendered) == e.SettlerSurrendered("c1r3", 0)
    assert game.seat(1).coins.value == 3
    assert game.t.removed.counts() == {"settler.1": 1}


def test_stories_events_revolt__with_the_last_coins() -> None:
    game = StoriesGame(2).coins(1, 3).settle("c1r3", 1).coins(2, 3)
    game.strike("D6")
    assert detail(game.do(1, c.PayCoins()), e.CoinsPaid) == e.CoinsPaid(3, 0)
    assert game.seat(1).coins.value == 0
    assert game.deciding() == [2]


def test_stories_events_revolt__too_few_coins() -> None:
    game = StoriesGame(2).coins(1, 2).settle("c1r3", 1)
    game.strike("D6")
    assert game.legal(1) == [c.SurrenderSettler("c1r3")]
    game.reject(1, c.PayCoins(), "stories.events.else_lose", "NOT_ENOUGH_COINS")


def test_stories_events_neither__in_a_revolt() -> None:
    """A seat that can do neither pays its coins and is tortured for the rest."""
    game = StoriesGame(2).coins(1, 2).coins(2, 3)
    events = game.strike("D6")
    assert details(events, e.CoinsPaid)[1] == e.CoinsPaid(paid=2, missing=1)
    assert game.seat(1).debt.value == 1


# --- offers --------------------------------------------------------------------------------------------------


def test_stories_events_offers() -> None:
    """A technology tile for a wood is optional."""
    game = create_rich_game().goods(2, wood=1)
    game.strike("B5")
    assert game.legal(1) == [WOOD, NONE]
    game.reject(1, GRAIN, "stories.events.offers", "NOT_ASKED_FOR")
    events = game.do(1, WOOD)
    assert detail(events, e.EventCarriedOut) == e.EventCarriedOut("B5", technology=1)
    assert game.counts("removed") == {"wood": 1}
    events = game.do(2, NONE)
    assert detail(events, e.BonusDeclined) == e.BonusDeclined("B5")
    assert game.seat(2).goods.counts() == {"wood": 1}


def test_stories_events_offers__several_tiles() -> None:
    """A wood may buy two tiles if the card says so, while there are two."""
    game = create_rich_game().goods(2, wood=1).replace_effects("events", B5={"may_pay": "wood", "technology": 2})
    game.run_out("technology", game.t.technology)
    game.bring("technology", game.t.technology, 3)
    game.strike("B5")
    assert detail(game.do(1, WOOD), e.EventCarriedOut) == e.EventCarriedOut("B5", technology=2)
    assert (game.seat(1).technology.total(), game.t.technology.total()) == (2, 1)
    assert game.t.phase.value != "event"


def test_stories_events_offers__no_technology_left() -> None:
    """The first seat that pays takes the last tile; the next seats have no decision."""
    game = create_rich_game().goods(2, wood=1)
    game.empty(game.t.technology)
    game.bring("technology", game.t.technology)
    game.strike("B5")
    game.do(1, WOOD)
    assert game.t.round.value == 6
    assert game.seat(2).goods.counts() == {"wood": 1}


def test_stories_events_offers__newcomers() -> None:
    """A farmer or a fisherman for the bag, if the supply has any."""
    game = StoriesGame(2)
    game.run_out("farmer", game.t.supply)
    game.strike("A8")
    assert game.legal(1) == [c.TakeFollower("fisherman"), NONE]
    game.reject(1, c.TakeFollower("farmer"), "stories.running_out.tiles", "NO_FOLLOWER_LEFT")
    game.reject(1, c.TakeFollower("monk"), "stories.events.offers", "WRONG_CHARACTER")
    events = game.do(1, c.TakeFollower("fisherman"))
    assert detail(events, e.EventCarriedOut) == e.EventCarriedOut("A8", follower="fisherman")
    assert game.seat(1).bag.counts()["fisherman"] == 1


def test_stories_events_offers__no_newcomers_left() -> None:
    """Without followers in the supply no seat has a decision."""
    game = StoriesGame(2)
    for character in ("farmer", "fisherman"):
        game.run_out(character, game.t.supply)
    game.strike("A8")
    assert game.t.phase.value != "event"


def test_stories_events_fair() -> None:
    """Each good is sold for its value plus the bonus of the card; sold goods leave the game."""
    game = StoriesGame(2).goods(1, brocade=2, grain=2).goods(2)
    game.strike("D8")
    events = game.do(1, c.SellGood("brocade"))
    assert detail(events, e.GoodSold) == e.GoodSold("brocade", 6)
    game.do(1, c.SellGood("brocade"), c.SellGood("grain"))
    assert game.seat(1).coins.value == 14
    assert game.seat(1).goods.counts() == {"grain": 1}
    assert game.counts("removed") == {"brocade": 2, "grain": 1}
    assert game.seat(1).trades.value == 0
    assert game.decision(1) != "fair"


def test_stories_events_fair__fewer() -> None:
    """A seat may stop; it must stop without goods. A seat without goods has no decision."""
    game = StoriesGame(3).goods(1, brocade=2, grain=2).goods(2, fish=1).goods(3)
    game.strike("D8")
    game.do(1, c.SellGood("grain"))
    game.reject(1, c.SellGood("wine"), "stories.market.own_goods", "NO_SUCH_GOOD")
    game.do(1, c.FinishTrading())
    assert game.seat(1).trades.value == 0
    game.do(2, c.SellGood("fish"))
    assert game.t.phase.value != "event"
    assert [game.seat(seat).trades.value for seat in (1, 2, 3)] == [0, 0, 0]


def test_stories_events_trek() -> None:
    """A settler from the supply enters an area next to an own one, without an action; optional."""
    game = StoriesGame(2)
    beside = game.area("c1r2").neighbours
    game.strike("C8")
    assert game.listed(1, c.Expand) == [c.Expand("", area) for area in game.t.areas if area in beside]
    game.reject(1, c.Expand("", "c4r3"), "stories.expansion.adjacent", "NOT_ADJACENT")
    game.reject(1, c.Expand("", "c9r9"), "stories.map.spaces", "UNKNOWN_AREA")
    game.reject(1, c.Expand("territory", "c1r3"), "stories.events.trek", "WRONG_COMMAND")
    events = game.do(1, c.Expand("", "c1r3"))
    assert detail(events, e.AreaEntered) == e.AreaEntered("", "c1r3")
    game.do(2, NONE)
    assert game.stands_on("c1r3") == {"settler.1": 1}


def test_stories_events_trek__no_conquest() -> None:
    """It is an expansion: an area of another seat can be entered only in peace."""
    game = StoriesGame(2).settle("c1r3", 2)
    game.strike("C8")
    game.reject(1, c.Expand("", "c1r3"), "stories.expansion.free_area", "AREA_TAKEN")

    game = StoriesGame(2).settle("c1r3", 2).era(1, 5, carried_out=True)
    game.strike("C8")
    game.do(1, c.Expand("", "c1r3"))
    assert game.stands_on("c1r3") == {"settler.1": 1, "settler.2": 1}


def test_stories_events_trek__without_settlers() -> None:
    """A seat without settlers in the supply has no decision."""
    game = StoriesGame(2).settlers(1, 0)
    game.strike("C8")
    assert game.deciding() == [2]
