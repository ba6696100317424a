"""The Gunpowder Tower: two more spaces beside the market, with a way to the beneficial deeds."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e


def tower(*stored: str, players: int = 2, **market: int) -> OrleansGame:
    """A table whose seat 1 owns the tower with these followers on it."""
    game = OrleansGame(players)
    game.own(1, "gunpowder_tower").market(1, **market)
    return game.fill(1, "gunpowder_tower", *stored) if stored else game


def stored(game: OrleansGame) -> list[str]:
    """What lies on the tower, space by space."""
    return [space.occupant() for space in game.seat(1).estate().places["gunpowder_tower"].spaces]


def test_orleans_gunpowder_tower_market() -> None:
    """The tower adds two spaces to the eight of the market (p. 8), so ten followers find room, but never eleven."""
    game = tower(farmer=7)
    game.bag(1, boatman=8).at(1, knights=5).enter("followers")

    game.reject(1, c.DrawFollowers(4), "orleans.drawing.market_room")
    game.do(1, c.DrawFollowers(3))
    assert game.decision(1) == "store"
    game.reject(1, c.FinishStoring(), "orleans.drawing.market_room")
    game.do(1, c.StoreFollower("farmer", "any"))
    game.reject(1, c.FinishStoring(), "orleans.drawing.market_room")
    game.do(1, c.StoreFollower("boatman", "any_2"))

    assert game.seat(1).market.counts() == {"farmer": 6, "boatman": 2}
    assert stored(game) == ["farmer", "boatman"]
    assert game.decision(1) == "plan"


def test_orleans_gunpowder_tower_market__just_full() -> None:
    """A market that holds eight followers is full, not overfull (p. 4), so nobody has to go to the tower (p. 8)."""
    game = tower(farmer=8)
    game.bag(1).enter("followers")

    game.do(1, c.FinishStoring())

    assert game.seat(1).market.counts() == {"farmer": 8}
    assert game.decision(1) == "plan"


def test_orleans_gunpowder_tower_market__occupied() -> None:
    """Only free spaces of the tower make room (p. 8); who stands there already takes up one."""
    game = tower("knight", "knight", farmer=7)
    game.bag(1, boatman=8).enter("followers")

    game.reject(1, c.DrawFollowers(2), "orleans.drawing.market_room")
    game.do(1, c.DrawFollowers(1))

    assert game.decision(1) == "plan"


def test_orleans_gunpowder_tower_market__the_draw_limit_stays() -> None:
    """More room does not mean more draws (p. 4 and 8)."""
    game = tower()
    game.bag(1, boatman=8).enter("followers")

    game.reject(1, c.DrawFollowers(5), "orleans.drawing.limit")


def test_orleans_gunpowder_tower_phase_three() -> None:
    """In phase 3 one or two followers may go to the tower, with or without a draw (p. 8); in phase 4 none does."""
    game = tower(farmer=1, monk=1, own_trader=1)
    game.enter("followers")
    assert game.decision(1) == "store"

    events = game.do(1, c.StoreFollower("monk", "any_2"))
    assert detail(events, e.FollowerStored) == e.FollowerStored("monk", "any_2")
    game.do(1, c.FinishStoring())

    assert game.decision(1) == "plan"
    assert stored(game) == ["", "monk"]
    for follower in ("farmer", "own_trader"):
        command = c.PlaceFollower(follower, "gunpowder_tower", "any")
        game.reject(1, command, "orleans.gunpowder_tower.phase_three")
    again = c.PlaceFollower("monk", "gunpowder_tower", "any", from_tower=True)
    game.reject(1, again, "orleans.gunpowder_tower.phase_three")
    game.reject(1, c.StoreFollower("farmer", "any"), "table.wrong_decision")


def test_orleans_gunpowder_tower_phase_three__after_drawing() -> None:
    """Followers just drawn may go to the tower at once (p. 8); nobody has to put any there."""
    game = tower()
    game.bag(1, scholar=2).enter("followers")
    game.do(1, c.DrawFollowers(2))
    assert c.FinishStoring() in game.legal(1)

    game.do(1, c.StoreFollower("scholar", "any"))
    game.reject(1, c.StoreFollower("knight", "any_2"), "orleans.planning.from_market")
    game.do(1, c.FinishStoring())

    assert game.seat(1).market.counts() == {"scholar": 1}


def test_orleans_gunpowder_tower_any_character() -> None:
    """The tower takes any follower (p. 8); the ban on own ones is for deeds, not for standing here."""
    characters = ("farmer", "boatman", "craftsman", "trader", "knight", "scholar", "monk", "own_farmer")
    for follower in characters:
        game = tower(**{follower: 2 if follower != "own_farmer" else 1})
        game.enter("followers")
        game.do(1, c.StoreFollower(follower, "any"))
        assert stored(game) == [follower, ""]


def test_orleans_gunpowder_tower_planning() -> None:
    """While planning one or both go from the tower to action spaces that fit (p. 8)."""
    game = tower("boatman", "own_farmer", knight=1)
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
    assert stored(game) == ["", ""]


def test_orleans_gunpowder_tower_planning__two_alike() -> None:
    """Of two followers of one character either may go (p. 8): it is one choice, and the other stays for the next."""
    game = tower("knight", "knight")
    game.enter("planning")
    command = c.PlaceFollower("knight", "ship", "knight", from_tower=True)
    assert game.legal(1).count(command) == 1

    game.do(1, command)
    game.do(1, c.PlaceFollower("knight", "wagon", "knight", from_tower=True))

    assert stored(game) == ["", ""]


def test_orleans_gunpowder_tower_planning__change_of_mind() -> None:
    """Who changes the plan gets each follower back where it came from, tower or market (p. 4 and 8)."""
    game = tower("farmer", "knight", farmer=1)
    game.enter("planning")
    game.do(1, c.PlaceFollower("farmer", "ship", "farmer", from_tower=True))
    game.do(1, c.PlaceFollower("farmer", "wagon", "farmer"))
    game.do(1, c.PlaceFollower("knight", "ship", "knight", from_tower=True))

    game.do(1, c.WithdrawFollower("wagon", "farmer"))
    assert game.seat(1).market.counts() == {"farmer": 1}
    game.do(1, c.WithdrawFollower("ship", "knight"))
    game.do(1, c.WithdrawFollower("ship", "farmer"))

    assert game.seat(1).market.counts() == {"farmer": 1}
    assert sorted(stored(game)) == ["farmer", "knight"]


def test_orleans_gunpowder_tower_planning__technology_stays() -> None:
    """Technology on the tower is no follower: no plan moves it to any other space (p. 4 and 8)."""
    game = OrleansGame(2, technology_on_open_spaces="open").own(1, "gunpowder_tower")
    game.fill(1, "gunpowder_tower", "technology").enter("planning")

    assert not [command for command in game.legal(1) if isinstance(command, c.PlaceFollower) and command.from_tower]
    command = c.PlaceFollower("technology", "ship", "farmer", from_tower=True)
    game.reject(1, command, "table.known_ids", "UNKNOWN_ID")


def test_orleans_gunpowder_tower_planning__may_stay() -> None:
    """Followers may stay on the tower over rounds, beside what is on the market (p. 4 and 8)."""
    game = tower("boatman", "monk", farmer=2).next_tile("income", "A")
    game.enter("planning")

    game.idle_round()
    game.idle_until("planning")

    assert stored(game) == ["boatman", "monk"]
    assert c.PlaceFollower("monk", "castle", "trader", from_tower=True) in game.legal(1)


def test_orleans_gunpowder_tower_deeds() -> None:
    """A single action sends both followers to deeds, each with its own reward (p. 8)."""
    game = tower("knight", "scholar")
    game.enter("actions")

    game.do(1, c.SendToDeed("gunpowder_tower", "any", "papal_conclave"))
    assert game.deciding() == [1]
    game.do(1, c.SendToDeed("gunpowder_tower", "any_2", "defeat_plague"))

    assert game.seat(1).coins.value == 5 + 3 + 2
    assert stored(game) == ["", ""]
    assert game.seat(1).bag.total() == 0
    assert game.deciding() == [2]


def test_orleans_gunpowder_tower_deeds__one_of_two() -> None:
    """One may go and the other stay (p. 8), and wait for a later action of the same round."""
    game = tower("knight", "scholar")
    game.enter("actions")

    game.do(1, c.SendToDeed("gunpowder_tower", "any_2", "astronomy"), c.FinishDeeds())
    assert stored(game) == ["knight", ""]
    game.idle(2)

    game.do(1, c.SendToDeed("gunpowder_tower", "any", "city_wall"))
    assert game.deciding() == [1]
    assert game.decision(1) == "act"


def test_orleans_gunpowder_tower_deeds__no_own_followers() -> None:
    """Own followers on the tower never go to a deed, even one that asks for their character (p. 8)."""
    game = tower("own_farmer", "trader")
    game.enter("actions")

    barred = c.SendToDeed("gunpowder_tower", "any", "city_wall")
    game.reject(1, barred, "orleans.deeds.no_own_followers")
    game.do(1, c.SendToDeed("gunpowder_tower", "any_2", "city_wall"))

    assert game.deciding() == [2]
    assert stored(game) == ["own_farmer", ""]


def test_orleans_gunpowder_tower_deeds__exact_character() -> None:
    """A monk on the tower goes to monks' spaces of deeds only (p. 5 and 8)."""
    game = tower("monk")
    game.enter("actions")

    game.reject(1, c.SendToDeed("gunpowder_tower", "any", "astronomy"), "orleans.deeds.exact_character")
    game.do(1, c.SendToDeed("gunpowder_tower", "any", "cathedral"))


def test_orleans_gunpowder_tower_owned() -> None:
    """Only its owner has the tower (p. 5 and 8): others neither store followers nor have more room."""
    game = tower(farmer=2)
    game.market(2, farmer=8).bag(2, knight=3).enter("followers")

    assert (game.decision(1), game.decision(2)) == ("store", "")
    game.reject(2, c.StoreFollower("farmer", "any"), "table.not_deciding")
    game.reject(1, c.StoreFollower("farmer", "any_3"), "orleans.gunpowder_tower.owned")
    game.idle(1)

    into_tower = c.PlaceFollower("farmer", "gunpowder_tower", "any")
    game.reject(2, into_tower, "orleans.planning.own_place")


def test_orleans_gunpowder_tower_owned__bought_in_this_round() -> None:
    """A tower that came with a trader in phase 5 serves from the next round's phase 3 on (p. 5 and 8)."""
    game = OrleansGame(2).next_tile("income", "A")
    game.market(1, monk=8).at(1, traders=1).fill(1, "village").market(2).enter("actions")
    game.do(1, c.RecruitFollower("village", "trader", "gunpowder_tower"))

    game.idle_round()

    game.do(1, c.DrawFollowers(2))
    assert game.decision(1) == "store"


def test_orleans_gunpowder_tower_free_space() -> None:
    """Each of the two spaces takes one follower (p. 8), and a full tower asks nobody."""
    game = tower(farmer=3)
    game.enter("followers")

    game.do(1, c.StoreFollower("farmer", "any"))
    game.reject(1, c.StoreFollower("farmer", "any"), "orleans.gunpowder_tower.free_space")
    game.do(1, c.StoreFollower("farmer", "any_2"))

    assert game.decision(1) == "plan"
    assert game.seat(1).market.counts() == {"farmer": 1}
