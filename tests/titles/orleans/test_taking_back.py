"""Phase 3: followers that come back from action spaces instead of draws."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e


def followers(*, bag: int = 8, market: dict[str, int] | None = None, **choices: str) -> OrleansGame:
    """Phase 3 of seat 1 with a village, a farm house and a place tile that are filled."""
    game = OrleansGame(2, **choices)
    game.market(1, **(market or {})).bag(1, farmer=bag).own(1, "brewery")
    game.fill(1, "village", "own_farmer", "boatman", "monk").fill(1, "farm_house").fill(1, "brewery", "monk")
    game.enter("followers")
    return game


def test_orleans_taking_back_costs_a_draw() -> None:
    """Each draw that is given up brings one follower back to the market, from any action space (p. 8)."""
    game = followers()

    events = game.do(1, c.TakeBackFollower("village", "farmer"))
    assert detail(events, e.FollowerTakenBack) == e.FollowerTakenBack("own_farmer", "village", "farmer")
    game.reject(1, c.DrawFollowers(4), "orleans.drawing.limit")
    game.do(1, c.TakeBackFollower("brewery", "monk"))
    game.reject(1, c.DrawFollowers(3), "orleans.drawing.limit")
    game.do(1, c.DrawFollowers(2))

    assert game.seat(1).market.counts() == {"own_farmer": 1, "monk": 1, "farmer": 2}
    assert game.seat(1).bag.total() == 6


def test_orleans_taking_back_costs_a_draw__plan_anew() -> None:
    """What came back can be placed again in the same round, and that placement can be changed (p. 4 and 8)."""
    game = followers()
    game.do(1, c.TakeBackFollower("village", "craftsman"), c.DrawFollowers(0))
    game.idle_until("planning")

    game.do(1, c.PlaceFollower("monk", "castle", "trader"), c.WithdrawFollower("castle", "trader"))

    assert game.seat(1).market.counts() == {"monk": 1}


def test_orleans_taking_back_limit() -> None:
    """With four draws four followers come back, and then nothing is drawn and no fifth one comes (p. 8)."""
    game = followers()
    for place, space in (
        ("village", "farmer"),
        ("village", "boatman"),
        ("village", "craftsman"),
        ("farm_house", "boatman"),
    ):
        game.do(1, c.TakeBackFollower(place, space))

    game.reject(1, c.TakeBackFollower("farm_house", "craftsman"), "orleans.taking_back.limit")
    assert game.legal(1) == [c.DrawFollowers(0)]


def test_orleans_taking_back_limit__in_each_round_anew() -> None:
    """Draws given up in one round are there again in the next (p. 4)."""
    game = followers().next_tile("income", "A")
    game.do(1, c.TakeBackFollower("village", "farmer"), c.DrawFollowers(0))

    game.idle_round()

    assert c.DrawFollowers(4) in game.legal(1)


def test_orleans_taking_back_limit__whatever_the_bag_holds() -> None:
    """By default the knights alone say how many come back, as the example counts (p. 8), whoever is in the bag."""
    game = followers(bag=0)

    game.do(1, c.TakeBackFollower("village", "farmer"), c.TakeBackFollower("farm_house", "boatman"))
    assert game.legal(1)[0] == c.DrawFollowers(0)


def short_bag(bag: int, draw_amount: str = "up_to") -> OrleansGame:
    """Phase 3 of seat 1, which may give up only draws that its bag could have filled."""
    game = OrleansGame(2, taking_back="possible_draws", draw_amount=draw_amount)
    game.market(1).bag(1, farmer=bag).fill(1, "village", "own_farmer", "boatman", "monk").fill(1, "farm_house")
    game.enter("followers")
    return game


def test_orleans_taking_back_possible_draws() -> None:
    """Of four draws the bag fills two, so that who comes back is one fewer drawn (a reading of p. 8)."""
    game = short_bag(2)
    game.reject(1, c.DrawFollowers(3), "orleans.drawing.bag")
    game.do(1, c.TakeBackFollower("village", "farmer"))
    game.reject(1, c.DrawFollowers(2), "orleans.taking_back.possible_draws", "TOO_MANY_DRAWS")
    assert {command for command in game.legal(1) if isinstance(command, c.DrawFollowers)} == {
        c.DrawFollowers(0),
        c.DrawFollowers(1),
    }
    game.do(1, c.TakeBackFollower("village", "boatman"))

    game.reject(1, c.TakeBackFollower("village", "craftsman"), "orleans.taking_back.possible_draws", "NO_DRAW_LEFT")
    assert game.legal(1) == [c.DrawFollowers(0)]


def test_orleans_taking_back_possible_draws__empty_bag() -> None:
    """Without anybody to draw nobody comes back, and the seat is not even asked."""
    game = short_bag(0)

    assert game.deciding() == [1, 2]
    assert game.t.phase.value == "planning"


def test_orleans_taking_back_possible_draws__one_draw_short() -> None:
    """With one follower fewer than draws the last draw cannot be given up, though the knights would allow it."""
    game = short_bag(3)
    for space in ("farmer", "boatman", "craftsman"):
        game.do(1, c.TakeBackFollower("village", space))

    command = c.TakeBackFollower("farm_house", "boatman")
    game.reject(1, command, "orleans.taking_back.possible_draws", "NO_DRAW_LEFT")


def test_orleans_taking_back_possible_draws__full_bag() -> None:
    """Where the bag holds enough, the knights set the limit as ever."""
    game = short_bag(8)
    for space in ("farmer", "boatman", "craftsman"):
        game.do(1, c.TakeBackFollower("village", space))
    game.reject(1, c.DrawFollowers(2), "orleans.drawing.limit")
    game.do(1, c.TakeBackFollower("farm_house", "boatman"))

    game.reject(1, c.TakeBackFollower("farm_house", "craftsman"), "orleans.taking_back.limit")


def test_orleans_taking_back_possible_draws__fixed_amount() -> None:
    """Who has to draw all draws what was not given up."""
    game = short_bag(3, draw_amount="fixed")
    game.do(1, c.TakeBackFollower("village", "farmer"))

    game.reject(1, c.DrawFollowers(1), "orleans.drawing.full")
    game.do(1, c.DrawFollowers(2))
    assert game.seat(1).bag.total() == 1


def test_orleans_taking_back_before_drawing() -> None:
    """In the German example draws are given up before the bag is opened, not after seeing the draw."""
    game = followers(taking_back_time="before_drawing")
    game.market(2).bag(2, farmer=1).enter("followers")
    game.do(1, c.DrawFollowers(1))

    game.reject(1, c.TakeBackFollower("village", "farmer"), "table.not_deciding")
    game.idle(2)
    assert game.decision(1) == "plan"
    game.reject(1, c.TakeBackFollower("village", "farmer"), "table.wrong_decision")


def drawn(count: int, *, bag: int = 8, knights: int = 2, **choices: str) -> OrleansGame:
    """Seat 1 may draw six, has a filled village and farm house, and has drawn so many farmers; seat 2 waits."""
    game = OrleansGame(2, **choices).at(1, knights=knights).market(1).bag(1, farmer=bag)
    game.fill(1, "village", "own_farmer", "boatman", "monk").fill(1, "farm_house")
    game.market(2).bag(2, farmer=1).enter("followers")
    game.do(1, c.DrawFollowers(count))
    return game


def test_orleans_taking_back_after_drawing() -> None:
    """The English example (p. 8): six allowed, four drawn, and for the other two followers come back after the draw."""
    game = drawn(4)
    assert game.decision(1) == "take_back"
    assert game.board(0).seats[0].draws_made == 4

    game.do(1, c.TakeBackFollower("village", "craftsman"))
    assert game.decision(1) == "take_back"
    game.do(1, c.TakeBackFollower("farm_house", "boatman"))

    assert game.decision(1) == ""
    assert game.seat(1).market.counts() == {"farmer": 4, "monk": 1, "boatman": 1}
    game.reject(1, c.TakeBackFollower("village", "boatman"), "table.not_deciding")


def test_orleans_taking_back_after_drawing__before_and_after() -> None:
    """One comes back before the draw and one after it; together they are as many as draws that were not made."""
    game = drawn(0, bag=0)
    game.bag(1, farmer=6).enter("followers")
    game.do(1, c.TakeBackFollower("village", "boatman"))
    game.reject(1, c.DrawFollowers(6), "orleans.drawing.limit")
    game.do(1, c.DrawFollowers(4), c.TakeBackFollower("farm_house", "craftsman"))

    assert game.decision(1) == ""
    assert game.seat(1).market.counts() == {"farmer": 4, "boatman": 1, "craftsman": 1}


def test_orleans_taking_back_after_drawing__drawing_is_over() -> None:
    """All that are drawn are drawn at once: after the draw nobody else is."""
    game = drawn(2)
    game.reject(1, c.DrawFollowers(1), "table.wrong_decision")


def test_orleans_taking_back_after_drawing__nobody_has_to() -> None:
    """Whoever wants nobody back says so; the draws that are left are gone, and the others need not wait."""
    game = drawn(2)
    assert game.decision(2) == "draw"
    events = game.do(1, c.FinishTakingBack())
    assert detail(events, e.TakingBackFinished) == e.TakingBackFinished()
    game.idle(2)
    assert (game.decision(1), game.seat(1).market.counts()) == ("plan", {"farmer": 2})


def test_orleans_taking_back_after_drawing__no_draw_left() -> None:
    """Whoever has made all draws has none to give up, and is not asked."""
    game = drawn(6)
    assert game.decision(1) == ""


def test_orleans_taking_back_after_drawing__nobody_there() -> None:
    """Without anybody on a space there is nothing to ask."""
    game = OrleansGame(2).market(1).bag(1, farmer=8).market(2).bag(2)
    game.enter("followers")
    game.do(1, c.DrawFollowers(1))
    assert game.decision(1) == "plan"


def test_orleans_taking_back_after_drawing__market_room() -> None:
    """The market takes no more than eight, the drawn ones among them (p. 4)."""
    game = OrleansGame(2).at(1, knights=3).market(1, monk=4).bag(1, farmer=3).fill(1, "village").market(2).bag(2)
    game.enter("followers")
    game.do(1, c.DrawFollowers(3), c.TakeBackFollower("village", "farmer"))
    assert game.decision(1) == "plan"
    assert game.seat(1).market.total() == 8


def test_orleans_taking_back_after_drawing__never_technology() -> None:
    """What never comes back does not come back after the draw either."""
    game = OrleansGame(2).market(1).bag(1, farmer=4).fill(1, "village", "technology").fill(1, "farm_house")
    game.enter("followers")
    game.do(1, c.DrawFollowers(1))
    game.reject(1, c.TakeBackFollower("village", "farmer"), "orleans.taking_back.never_technology")


def test_orleans_taking_back_after_drawing__possible_draws() -> None:
    """Where only possible draws can be given up, a draw that emptied the bag leaves none."""
    game = drawn(3, bag=4, taking_back="possible_draws")
    game.do(1, c.TakeBackFollower("village", "boatman"))
    assert game.decision(1) == ""
    game = drawn(4, bag=4, taking_back="possible_draws")
    assert game.decision(1) == ""


def test_orleans_taking_back_after_drawing__fixed_amount() -> None:
    """Whoever has to draw all that the bag gives has only those draws left for which nobody was there."""
    game = drawn(4, bag=4, draw_amount="fixed")
    game.do(1, c.TakeBackFollower("village", "boatman"), c.TakeBackFollower("village", "craftsman"))
    assert game.decision(1) == ""


def test_orleans_taking_back_after_drawing__then_the_tower() -> None:
    """Who came back after the draw may go to the Gunpowder Tower, which is filled last in phase 3."""
    game = OrleansGame(2).own(1, "gunpowder_tower").market(1).bag(1, farmer=4).fill(1, "farm_house").market(2).bag(2)
    game.enter("followers")
    game.do(1, c.DrawFollowers(3), c.TakeBackFollower("farm_house", "boatman"))
    assert game.decision(1) == "store"
    game.do(1, c.StoreFollower("boatman", "any"))


def test_orleans_taking_back_after_drawing__then_the_passive_bathhouse() -> None:
    """The Bathhouse of the first printings draws after that, if the market then has room."""
    game = OrleansGame(2, bathhouse="passive").own(1, "bathhouse").market(1).bag(1, farmer=6).fill(1, "farm_house")
    game.market(2).bag(2).enter("followers")
    game.do(1, c.DrawFollowers(3), c.TakeBackFollower("farm_house", "boatman"))
    assert game.decision(1) == "keep"
    game.do(1, c.KeepFollower("farmer"))
    assert game.seat(1).market.counts() == {"farmer": 4, "boatman": 1}


def test_orleans_taking_back_after_drawing__each_round_anew() -> None:
    """Draws made in one round do not count in the next."""
    game = drawn(6)
    game.market(1).bag(1, farmer=6).enter("followers")
    game.do(1, c.DrawFollowers(5), c.TakeBackFollower("village", "boatman"))
    assert game.decision(1) == ""


def test_orleans_taking_back_market_room() -> None:
    """Whoever comes back needs a space on the market, too (p. 4 and 8)."""
    game = followers(market={"monk": 7})

    game.do(1, c.TakeBackFollower("village", "boatman"))
    game.reject(1, c.TakeBackFollower("village", "farmer"), "orleans.taking_back.market_room")

    assert game.legal(1) == [c.DrawFollowers(0)]


def test_orleans_taking_back_market_room__gunpowder_tower() -> None:
    """The Gunpowder Tower adds its free spaces to the market (p. 8), so it makes room for who comes back, too."""
    game = OrleansGame(2)
    game.market(1, farmer=8).bag(1).own(1, "gunpowder_tower").fill(1, "gunpowder_tower", "knight")
    game.fill(1, "scriptorium").enter("followers")

    game.do(1, c.TakeBackFollower("scriptorium", "scholar"))
    game.reject(1, c.TakeBackFollower("scriptorium", "knight"), "orleans.taking_back.market_room")
    game.do(1, c.DrawFollowers(0))
    game.reject(1, c.FinishStoring(), "orleans.drawing.market_room")
    game.do(1, c.StoreFollower("scholar", "any_2"))

    assert game.seat(1).market.counts() == {"farmer": 8}
    assert game.decision(1) == "plan"


def test_orleans_taking_back_never_technology() -> None:
    """Technology stays where it is; the followers beside it may come back (p. 5 and 8)."""
    game = OrleansGame(2)
    game.market(1).bag(1, monk=4).fill(1, "village", "technology", "boatman", "craftsman")
    game.enter("followers")

    game.reject(1, c.TakeBackFollower("village", "farmer"), "orleans.taking_back.never_technology")
    game.do(1, c.TakeBackFollower("village", "boatman"))


def test_orleans_taking_back_follower_there() -> None:
    """Nobody comes back from an empty space (p. 8), nor a second time from the same one."""
    game = followers()

    game.reject(1, c.TakeBackFollower("castle", "farmer"), "orleans.taking_back.follower_there")
    game.do(1, c.TakeBackFollower("farm_house", "boatman"))
    game.reject(1, c.TakeBackFollower("farm_house", "boatman"), "orleans.taking_back.follower_there")


def test_orleans_taking_back_follower_there__of_another_seat() -> None:
    """Only followers on own places come back; those on a neighbour's place tile stay."""
    game = followers()
    game.own(2, "windmill").fill(2, "windmill")

    game.reject(1, c.TakeBackFollower("windmill", "craftsman"), "orleans.planning.own_place")


def test_orleans_taking_back_not_from_tower() -> None:
    """The Gunpowder Tower is no action space but an addition to the market (p. 8): nobody comes back from there."""
    game = OrleansGame(2)
    game.market(1).bag(1, farmer=4).own(1, "gunpowder_tower").fill(1, "gunpowder_tower", "knight", "monk")
    game.enter("followers")

    game.reject(1, c.TakeBackFollower("gunpowder_tower", "any"), "orleans.taking_back.not_from_tower")
    assert not any(isinstance(command, c.TakeBackFollower) for command in game.legal(1))


def test_orleans_taking_back_not_from_tower__nor_to_free_spaces_of_the_market() -> None:
    """In phase 3 the way leads to the tower only (our ruling): on the market it is as good for whoever plans (p. 8)."""
    game = OrleansGame(2).own(1, "gunpowder_tower").fill(1, "gunpowder_tower", "knight").market(1, monk=1)
    game.bag(1, farmer=2).enter("followers")
    assert game.legal(1) == [c.DrawFollowers(count) for count in range(3)]
    game.do(1, c.DrawFollowers(1))

    assert set(game.legal(1)) == {
        c.StoreFollower("farmer", "any_2"),
        c.StoreFollower("monk", "any_2"),
        c.FinishStoring(),
    }
    game.do(1, c.FinishStoring())
    assert game.counts("place.gunpowder_tower.any") == {"knight": 1}
