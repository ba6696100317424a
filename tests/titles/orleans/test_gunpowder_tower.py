"""The Gunpowder Tower: two more spaces beside the market, from which followers also go to beneficial deeds."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e


def create_game(*stored: str, players: int = 2, **market: int) -> OrleansGame:
    """Create a game in which seat 1 owns the tower with these followers on it."""
    game = OrleansGame(players)
    game.own(1, "gunpowder_tower").market(1, **market)
    return game.fill(1, "gunpowder_tower", *stored) if stored else game


def followers_on_tower(game: OrleansGame) -> list[str]:
    """Return the followers on the two spaces of the tower; empty for a free space."""
    return [space.occupant() for space in game.seat(1).estate().places["gunpowder_tower"].spaces]


def test_orleans_gunpowder_tower_market() -> None:
    """The tower adds two spaces to the eight of the market (p. 8): together they have room for ten followers."""
    game = create_game(farmer=7)
    game.bag(1, boatman=8).at(1, knights=5).enter("followers")

    game.reject(1, c.DrawFollowers(4), "orleans.drawing.market_room")
    game.do(1, c.DrawFollowers(3))
    assert game.decision(1) == "store"
    game.reject(1, c.FinishStoring(), "orleans.drawing.market_room")
    game.do(1, c.StoreFollower("farmer", "any"))
    game.reject(1, c.FinishStoring(), "orleans.drawing.market_room")
    game.do(1, c.StoreFollower("boatman", "any_2"))

    assert game.seat(1).market.counts() == {"farmer": 6, "boatman": 2}
    assert followers_on_tower(game) == ["farmer", "boatman"]
    assert game.decision(1) == "plan"


def test_orleans_gunpowder_tower_market__not_overfull() -> None:
    """A market with eight followers is full, not overfull (p. 4), so none has to go to the tower (p. 8)."""
    game = create_game(farmer=8)
    game.bag(1).enter("followers")

    game.do(1, c.FinishStoring())

    assert game.seat(1).market.counts() == {"farmer": 8}
    assert game.decision(1) == "plan"


def test_orleans_gunpowder_tower_market__occupied() -> None:
    """Only free spaces of the tower make room (p. 8)."""
    game = create_game("knight", "knight", farmer=7)
    game.bag(1, boatman=8).enter("followers")

    game.reject(1, c.DrawFollowers(2), "orleans.drawing.market_room")
    game.do(1, c.DrawFollowers(1))

    assert game.decision(1) == "plan"


def test_orleans_gunpowder_tower_market__the_draw_limit_stays() -> None:
    """More room does not mean more draws (p. 4 and 8)."""
    game = create_game()
    game.bag(1, boatman=8).enter("followers")

    game.reject(1, c.DrawFollowers(5), "orleans.drawing.limit")


def test_orleans_gunpowder_tower_phase_three() -> None:
    """One or two followers may go to the tower in phase 3, with or without a draw, but not in phase 4 (p. 8)."""
    game = create_game(farmer=1, monk=1, own_trader=1)
    game.enter("followers")
    assert game.decision(1) == "store"

    events = game.do(1, c.StoreFollower("monk", "any_2"))
    assert detail(events, e.FollowerStored) == e.FollowerStored("monk", "any_2")
    game.do(1, c.FinishStoring())

    assert game.decision(1) == "plan"
    assert followers_on_tower(game) == ["", "monk"]
    for follower in ("farmer", "own_trader"):
        command = c.PlaceFollower(follower, "gunpowder_tower", "any")
        game.reject(1, command, "orleans.gunpowder_tower.phase_three")
    again = c.PlaceFollower("monk", "gunpowder_tower", "any", from_tower=True)
    game.reject(1, again, "orleans.gunpowder_tower.phase_three")
    game.reject(1, c.StoreFollower("farmer", "any"), "table.wrong_decision")


def test_orleans_gunpowder_tower_phase_three__after_drawing() -> None:
    """Drawn followers may go to the tower at once, but need not (p. 8)."""
    game = create_game()
    game.bag(1, scholar=2).enter("followers")
    game.do(1, c.DrawFollowers(2))
    assert c.FinishStoring() in game.legal(1)

    game.do(1, c.StoreFollower("scholar", "any"))
    game.reject(1, c.StoreFollower("knight", "any_2"), "orleans.planning.from_market")
    game.do(1, c.FinishStoring())

    assert game.seat(1).market.counts() == {"scholar": 1}


def test_orleans_gunpowder_tower_any_character() -> None:
    """The tower takes any follower, also own ones, although these do not go to deeds (p. 8)."""
    characters = ("farmer", "boatman", "craftsman", "trader", "knight", "scholar", "monk", "own_farmer")
    for follower in characters:
        game = create_game(**{follower: 2 if follower != "own_farmer" else 1})
        game.enter("followers")
        game.do(1, c.StoreFollower(follower, "any"))
        assert followers_on_tower(game) == [follower, ""]


def test_orleans_gunpowder_tower_planning() -> None:
    """While planning, followers go from the tower to matching action spaces (p. 8)."""
    game = create_game("boatman", "own_farmer", knight=1)
    game.enter("planning")

    game.reject(1, c.PlaceFollower("boatman", "ship", "boatman"), "orleans.planning.from_market")
    game.reject(1, c.PlaceFollower("knight", "ship", "knight", from_tower=True), "orleans.planning.from_market")
    wrong = c.PlaceFollower("boatman", "ship", "knight", from_tower=True)
    game.reject(1, wrong, "orleans.planning.matching_space")
    barred = c.PlaceFollower("own_farmer", "town_hall", "any", from_tower=True)
    game.reject(1, barred, "orleans.town_hall.no_own_followers")
    game.do(1, c.PlaceFollower("boatman", "ship", "boatman", from_tower=True))
    game.do(1, c.PlaceFollower("own_farmer", "ship", "farmer", from_tower=True))
    game.do(1, c.PlaceFollower("knight", "ship", "knight"))
    game.idle_until("actions")

    assert c.Travel("ship", "blois") in game.legal(1)
    assert followers_on_tower(game) == ["", ""]


def test_orleans_gunpowder_tower_planning__two_of_one_character() -> None:
    """Two followers of one character make one legal command (p. 8)."""
    game = create_game("knight", "knight")
    game.enter("planning")
    command = c.PlaceFollower("knight", "ship", "knight", from_tower=True)
    assert game.legal(1).count(command) == 1

    game.do(1, command)
    game.do(1, c.PlaceFollower("knight", "wagon", "knight", from_tower=True))

    assert followers_on_tower(game) == ["", ""]


def test_orleans_gunpowder_tower_planning__change_of_mind() -> None:
    """A withdrawn follower returns to where it came from, tower or market (p. 4 and 8)."""
    game = create_game("farmer", "knight", farmer=1)
    game.enter("planning")
    game.do(1, c.PlaceFollower("farmer", "ship", "farmer", from_tower=True))
    game.do(1, c.PlaceFollower("farmer", "wagon", "farmer"))
    game.do(1, c.PlaceFollower("knight", "ship", "knight", from_tower=True))

    game.do(1, c.WithdrawFollower("wagon", "farmer"))
    assert game.seat(1).market.counts() == {"farmer": 1}
    game.do(1, c.WithdrawFollower("ship", "knight"))
    game.do(1, c.WithdrawFollower("ship", "farmer"))

    assert game.seat(1).market.counts() == {"farmer": 1}
    assert sorted(followers_on_tower(game)) == ["farmer", "knight"]


def test_orleans_gunpowder_tower_planning__technology_stays() -> None:
    """Technology on the tower is no follower and is not placed elsewhere (p. 4 and 8)."""
    game = OrleansGame(2, technology_on_open_spaces="open").own(1, "gunpowder_tower")
    game.fill(1, "gunpowder_tower", "technology").enter("planning")

    assert not [command for command in game.legal(1) if isinstance(command, c.PlaceFollower) and command.from_tower]
    command = c.PlaceFollower("technology", "ship", "farmer", from_tower=True)
    game.reject(1, command, "table.known_ids", "UNKNOWN_ID")


def test_orleans_gunpowder_tower_planning__may_stay() -> None:
    """Followers may stay on the tower for several rounds (p. 4 and 8)."""
    game = create_game("boatman", "monk", farmer=2).next_tile("income", "A")
    game.enter("planning")

    game.idle_round()
    game.idle_until("planning")

    assert followers_on_tower(game) == ["boatman", "monk"]
    assert c.PlaceFollower("monk", "castle", "trader", from_tower=True) in game.legal(1)


def test_orleans_gunpowder_tower_deeds() -> None:
    """One action sends both followers to deeds, each with its reward (p. 8)."""
    game = create_game("knight", "scholar")
    game.enter("actions")

    game.do(1, c.SendToDeed("gunpowder_tower", "any", "papal_conclave"))
    assert game.deciding() == [1]
    game.do(1, c.SendToDeed("gunpowder_tower", "any_2", "defeat_plague"))

    assert game.seat(1).coins.value == 5 + 3 + 2
    assert followers_on_tower(game) == ["", ""]
    assert game.seat(1).bag.total() == 0
    assert game.deciding() == [2]


def test_orleans_gunpowder_tower_deeds__one_of_two() -> None:
    """One follower may go and the other stay for a later action of the round (p. 8)."""
    game = create_game("knight", "scholar")
    game.enter("actions")

    game.do(1, c.SendToDeed("gunpowder_tower", "any_2", "astronomy"), c.FinishDeeds())
    assert followers_on_tower(game) == ["knight", ""]
    game.idle(2)

    game.do(1, c.SendToDeed("gunpowder_tower", "any", "city_wall"))
    assert game.deciding() == [1]
    assert game.decision(1) == "act"


def test_orleans_gunpowder_tower_deeds__no_own_followers() -> None:
    """Own followers never go to a deed, even if it needs their character (p. 8)."""
    game = create_game("own_farmer", "trader")
    game.enter("actions")

    barred = c.SendToDeed("gunpowder_tower", "any", "city_wall")
    game.reject(1, barred, "orleans.deeds.no_own_followers")
    game.do(1, c.SendToDeed("gunpowder_tower", "any_2", "city_wall"))

    assert game.deciding() == [2]
    assert followers_on_tower(game) == ["own_farmer", ""]


def test_orleans_gunpowder_tower_deeds__exact_character() -> None:
    """A monk goes only to spaces of deeds for monks (p. 5 and 8)."""
    game = create_game("monk")
    game.enter("actions")

    game.reject(1, c.SendToDeed("gunpowder_tower", "any", "astronomy"), "orleans.deeds.exact_character")
    game.do(1, c.SendToDeed("gunpowder_tower", "any", "cathedral"))


def test_orleans_gunpowder_tower_owned() -> None:
    """Only the owner stores followers and has more room (p. 5 and 8)."""
    game = create_game(farmer=2)
    game.market(2, farmer=8).bag(2, knight=3).enter("followers")

    assert (game.decision(1), game.decision(2)) == ("store", "")
    game.reject(2, c.StoreFollower("farmer", "any"), "table.not_deciding")
    game.reject(1, c.StoreFollower("farmer", "any_3"), "orleans.gunpowder_tower.owned")
    game.idle(1)

    into_tower = c.PlaceFollower("farmer", "gunpowder_tower", "any")
    game.reject(2, into_tower, "orleans.planning.own_place")


def test_orleans_gunpowder_tower_owned__bought_in_this_round() -> None:
    """A tower that came with a trader in phase 5 is used from phase 3 of the next round (p. 5 and 8)."""
    game = OrleansGame(2).next_tile("income", "A")
    game.market(1, monk=8).at(1, traders=1).fill(1, "village").market(2).enter("actions")
    game.do(1, c.RecruitFollower("village", "trader", "gunpowder_tower"))

    game.idle_round()

    game.do(1, c.DrawFollowers(2))
    assert game.decision(1) == "store"


def test_orleans_gunpowder_tower_free_space() -> None:
    """Each space takes one follower (p. 8), and a full tower makes no decision."""
    game = create_game(farmer=3)
    game.enter("followers")

    game.do(1, c.StoreFollower("farmer", "any"))
    game.reject(1, c.StoreFollower("farmer", "any"), "orleans.gunpowder_tower.free_space")
    game.do(1, c.StoreFollower("farmer", "any_2"))

    assert game.decision(1) == "plan"
    assert game.seat(1).market.counts() == {"farmer": 1}
