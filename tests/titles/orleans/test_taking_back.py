"""Phase 3: taking followers back from action spaces instead of drawing."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e


def begin_drawing(*, bag: int = 8, **choices: str) -> OrleansGame:
    """Begin phase 3 with followers of seat 1 in the Village, the Farm House and the Brewery."""
    game = OrleansGame(2, **choices)
    game.market(1).bag(1, farmer=bag).own(1, "brewery")
    game.fill(1, "village", "own_farmer", "boatman", "monk").fill(1, "farm_house").fill(1, "brewery", "monk")
    game.enter("followers")
    return game


def test_orleans_taking_back_costs_a_draw() -> None:
    """For each draw that a seat gives up, it takes a follower back to the market from any action space (p. 8)."""
    game = begin_drawing()

    events = game.do(1, c.TakeBackFollower("village", "farmer"))
    assert detail(events, e.FollowerTakenBack) == e.FollowerTakenBack("own_farmer", "village", "farmer")
    game.reject(1, c.DrawFollowers(4), "orleans.drawing.limit")
    game.do(1, c.TakeBackFollower("brewery", "monk"))
    game.reject(1, c.DrawFollowers(3), "orleans.drawing.limit")
    game.do(1, c.DrawFollowers(2))

    assert game.seat(1).market.counts() == {"own_farmer": 1, "monk": 1, "farmer": 2}
    assert game.seat(1).bag.total() == 6


def test_orleans_taking_back_costs_a_draw__placed_again() -> None:
    """A follower taken back can be placed again in the same round, and withdrawn (p. 4 and 8)."""
    game = begin_drawing()
    game.do(1, c.TakeBackFollower("village", "craftsman"), c.DrawFollowers(0))
    game.idle_until("planning")

    game.do(1, c.PlaceFollower("monk", "castle", "trader"), c.WithdrawFollower("castle", "trader"))

    assert game.seat(1).market.counts() == {"monk": 1}


def test_orleans_taking_back_limit() -> None:
    """With four draws a seat takes back at most four followers, and then draws none (p. 8)."""
    game = begin_drawing()
    for place, space in (
        ("village", "farmer"),
        ("village", "boatman"),
        ("village", "craftsman"),
        ("farm_house", "boatman"),
    ):
        game.do(1, c.TakeBackFollower(place, space))

    game.reject(1, c.TakeBackFollower("farm_house", "craftsman"), "orleans.taking_back.limit")
    assert game.legal(1) == [c.DrawFollowers(0)]


def test_orleans_taking_back_limit__in_each_round() -> None:
    """Draws given up in one round do not count in the next (p. 4)."""
    game = begin_drawing().next_tile("income", "A")
    game.do(1, c.TakeBackFollower("village", "farmer"), c.DrawFollowers(0))

    game.idle_round()

    assert c.DrawFollowers(4) in game.legal(1)


def test_orleans_taking_back_limit__with_an_empty_bag() -> None:
    """By default only the knights limit the number, as in the example (p. 8), not the bag."""
    game = begin_drawing(bag=0)

    game.do(1, c.TakeBackFollower("village", "farmer"), c.TakeBackFollower("farm_house", "boatman"))
    assert game.legal(1)[0] == c.DrawFollowers(0)


def begin_possible_draws(bag: int, draw_amount: str = "up_to") -> OrleansGame:
    """Begin phase 3 with the reading that a seat gives up only draws that its bag allows."""
    game = OrleansGame(2, taking_back="possible_draws", draw_amount=draw_amount)
    game.market(1).bag(1, farmer=bag).fill(1, "village", "own_farmer", "boatman", "monk").fill(1, "farm_house")
    game.enter("followers")
    return game


def test_orleans_taking_back_possible_draws() -> None:
    """A bag with two followers allows two draws, to make or to give up (a reading of p. 8)."""
    game = begin_possible_draws(2)
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
    """A seat with an empty bag has no decision."""
    game = begin_possible_draws(0)

    assert game.deciding() == [1, 2]
    assert game.t.phase.value == "planning"


def test_orleans_taking_back_possible_draws__one_draw_short() -> None:
    """With three followers in the bag the fourth draw cannot be given up, although the knights allow it."""
    game = begin_possible_draws(3)
    for space in ("farmer", "boatman", "craftsman"):
        game.do(1, c.TakeBackFollower("village", space))

    command = c.TakeBackFollower("farm_house", "boatman")
    game.reject(1, command, "orleans.taking_back.possible_draws", "NO_DRAW_LEFT")


def test_orleans_taking_back_possible_draws__full_bag() -> None:
    """If the bag has enough followers, the knights set the limit."""
    game = begin_possible_draws(8)
    for space in ("farmer", "boatman", "craftsman"):
        game.do(1, c.TakeBackFollower("village", space))
    game.reject(1, c.DrawFollowers(2), "orleans.drawing.limit")
    game.do(1, c.TakeBackFollower("farm_house", "boatman"))

    game.reject(1, c.TakeBackFollower("farm_house", "craftsman"), "orleans.taking_back.limit")


def test_orleans_taking_back_possible_draws__fixed_amount() -> None:
    """With a fixed amount a seat makes all draws that it does not give up."""
    game = begin_possible_draws(3, draw_amount="fixed")
    game.do(1, c.TakeBackFollower("village", "farmer"))

    game.reject(1, c.DrawFollowers(1), "orleans.drawing.full")
    game.do(1, c.DrawFollowers(2))
    assert game.seat(1).bag.total() == 1


def test_orleans_taking_back_before_drawing() -> None:
    """In the German example a seat gives up draws before drawing, not after it."""
    game = begin_drawing(taking_back_time="before_drawing")
    game.market(2).bag(2, farmer=1).enter("followers")
    game.do(1, c.DrawFollowers(1))

    game.reject(1, c.TakeBackFollower("village", "farmer"), "table.not_deciding")
    game.idle(2)
    assert game.decision(1) == "plan"
    game.reject(1, c.TakeBackFollower("village", "farmer"), "table.wrong_decision")


def draw(count: int, *, bag: int = 8, knights: int = 2, **choices: str) -> OrleansGame:
    """Begin phase 3 with followers in the Village and the Farm House, and let seat 1 draw farmers."""
    game = OrleansGame(2, **choices).at(1, knights=knights).market(1).bag(1, farmer=bag)
    game.fill(1, "village", "own_farmer", "boatman", "monk").fill(1, "farm_house")
    game.market(2).bag(2, farmer=1).enter("followers")
    game.do(1, c.DrawFollowers(count))
    return game


def test_orleans_taking_back_after_drawing() -> None:
    """The English example (p. 8): of six draws a seat makes four, and then takes back two followers."""
    game = draw(4)
    assert game.decision(1) == "take_back"
    assert game.board(0).seats[0].draws_made == 4

    game.do(1, c.TakeBackFollower("village", "craftsman"))
    assert game.decision(1) == "take_back"
    game.do(1, c.TakeBackFollower("farm_house", "boatman"))

    assert game.decision(1) == ""
    assert game.seat(1).market.counts() == {"farmer": 4, "monk": 1, "boatman": 1}
    game.reject(1, c.TakeBackFollower("village", "boatman"), "table.not_deciding")


def test_orleans_taking_back_after_drawing__before_and_after() -> None:
    """A seat may take back followers both before and after the draw."""
    game = draw(0, bag=0)
    game.bag(1, farmer=6).enter("followers")
    game.do(1, c.TakeBackFollower("village", "boatman"))
    game.reject(1, c.DrawFollowers(6), "orleans.drawing.limit")
    game.do(1, c.DrawFollowers(4), c.TakeBackFollower("farm_house", "craftsman"))

    assert game.decision(1) == ""
    assert game.seat(1).market.counts() == {"farmer": 4, "boatman": 1, "craftsman": 1}


def test_orleans_taking_back_after_drawing__drawing_is_over() -> None:
    """A seat draws once."""
    game = draw(2)
    game.reject(1, c.DrawFollowers(1), "table.wrong_decision")


def test_orleans_taking_back_after_drawing__optional() -> None:
    """A seat may finish without taking back; the other seats need not wait for it."""
    game = draw(2)
    assert game.decision(2) == "draw"
    events = game.do(1, c.FinishTakingBack())
    assert detail(events, e.TakingBackFinished) == e.TakingBackFinished()
    game.idle(2)
    assert (game.decision(1), game.seat(1).market.counts()) == ("plan", {"farmer": 2})


def test_orleans_taking_back_after_drawing__no_draw_left() -> None:
    """A seat that has made all draws has no decision."""
    game = draw(6)
    assert game.decision(1) == ""


def test_orleans_taking_back_after_drawing__no_followers() -> None:
    """A seat without followers on spaces has no decision."""
    game = OrleansGame(2).market(1).bag(1, farmer=8).market(2).bag(2)
    game.enter("followers")
    game.do(1, c.DrawFollowers(1))
    assert game.decision(1) == "plan"


def test_orleans_taking_back_after_drawing__market_room() -> None:
    """The market takes eight followers, including the drawn ones (p. 4)."""
    game = OrleansGame(2).at(1, knights=3).market(1, monk=4).bag(1, farmer=3).fill(1, "village").market(2).bag(2)
    game.enter("followers")
    game.do(1, c.DrawFollowers(3), c.TakeBackFollower("village", "farmer"))
    assert game.decision(1) == "plan"
    assert game.seat(1).market.total() == 8


def test_orleans_taking_back_after_drawing__never_technology() -> None:
    game = OrleansGame(2).market(1).bag(1, farmer=4).fill(1, "village", "technology").fill(1, "farm_house")
    game.enter("followers")
    game.do(1, c.DrawFollowers(1))
    game.reject(1, c.TakeBackFollower("village", "farmer"), "orleans.taking_back.never_technology")


def test_orleans_taking_back_after_drawing__possible_draws() -> None:
    """If only possible draws can be given up, a draw that empties the bag leaves none."""
    game = draw(3, bag=4, taking_back="possible_draws")
    game.do(1, c.TakeBackFollower("village", "boatman"))
    assert game.decision(1) == ""
    game = draw(4, bag=4, taking_back="possible_draws")
    assert game.decision(1) == ""


def test_orleans_taking_back_after_drawing__fixed_amount() -> None:
    """With a fixed amount a seat can give up only the draws that its bag did not allow."""
    game = draw(4, bag=4, draw_amount="fixed")
    game.do(1, c.TakeBackFollower("village", "boatman"), c.TakeBackFollower("village", "craftsman"))
    assert game.decision(1) == ""


def test_orleans_taking_back_after_drawing__then_the_tower() -> None:
    """A follower taken back after the draw may go to the Gunpowder Tower, which is filled last in phase 3."""
    game = OrleansGame(2).own(1, "gunpowder_tower").market(1).bag(1, farmer=4).fill(1, "farm_house").market(2).bag(2)
    game.enter("followers")
    game.do(1, c.DrawFollowers(3), c.TakeBackFollower("farm_house", "boatman"))
    assert game.decision(1) == "store"
    game.do(1, c.StoreFollower("boatman", "any"))


def test_orleans_taking_back_after_drawing__then_the_passive_bathhouse() -> None:
    """The Bathhouse of the first printings draws after that if the market has room."""
    game = OrleansGame(2, bathhouse="passive").own(1, "bathhouse").market(1).bag(1, farmer=6).fill(1, "farm_house")
    game.market(2).bag(2).enter("followers")
    game.do(1, c.DrawFollowers(3), c.TakeBackFollower("farm_house", "boatman"))
    assert game.decision(1) == "keep"
    game.do(1, c.KeepFollower("farmer"))
    assert game.seat(1).market.counts() == {"farmer": 4, "boatman": 1}


def test_orleans_taking_back_after_drawing__in_each_round() -> None:
    """Draws made in one round do not count in the next."""
    game = draw(6)
    game.market(1).bag(1, farmer=6).enter("followers")
    game.do(1, c.DrawFollowers(5), c.TakeBackFollower("village", "boatman"))
    assert game.decision(1) == ""


def test_orleans_taking_back_market_room__gunpowder_tower() -> None:
    """The free spaces of the Gunpowder Tower also give room to followers taken back (p. 8)."""
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


def test_orleans_taking_back_follower_there__of_another_seat() -> None:
    """Only followers on own places are taken back."""
    game = begin_drawing()
    game.own(2, "windmill").fill(2, "windmill")

    game.reject(1, c.TakeBackFollower("windmill", "craftsman"), "orleans.planning.own_place")


def test_orleans_taking_back_not_from_tower() -> None:
    """The Gunpowder Tower is no action space (p. 8), so no follower is taken back from it."""
    game = OrleansGame(2)
    game.market(1).bag(1, farmer=4).own(1, "gunpowder_tower").fill(1, "gunpowder_tower", "knight", "monk")
    game.enter("followers")

    game.reject(1, c.TakeBackFollower("gunpowder_tower", "any"), "orleans.taking_back.not_from_tower")
    assert not any(isinstance(command, c.TakeBackFollower) for command in game.legal(1))


def test_orleans_taking_back_not_from_tower__with_free_spaces_on_the_market() -> None:
    """In phase 3 no follower goes from the tower to the market (our ruling on p. 8)."""
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
