"""Torture: what replaces coins that are missing."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail, details

from boardkeeper.table.effects import Draw
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans import scoring

COIN_SPACES = (7, 12, 25)


def owing(debt: int, players: int = 2, coins: int = 0, **readings: str) -> OrleansGame:
    """A game in which seat 1 will owe that many coins in taxes; call :func:`torture` when all is in place."""
    return OrleansGame(players, **readings).at(1, coins=coins).goods(1, brocade=debt).bag(1)


def torture(game: OrleansGame) -> OrleansGame:
    """Collect the taxes of strength A and leave seat 1 to its torture."""
    game.strike("taxes", "A")
    assert game.decision(1) == "torture"
    return game


def debt(game: OrleansGame) -> int:
    """How many coins seat 1 still misses."""
    return game.seat(1).debt.value


# --- when, and how much ----------------------------------------------------------------------------------------


def test_orleans_torture_coins_first() -> None:
    """Page 6: all coins go before anything else; only what is missing is replaced."""
    game = owing(5, coins=3)
    events = game.strike("taxes", "A")
    assert details(events, e.TaxesPaid)[1] == e.TaxesPaid(goods=5, paid=3, missing=2)
    assert game.seat(1).coins.value == 0
    assert debt(game) == 2


def test_orleans_torture_coins_first__no_torture_with_enough() -> None:
    """Page 6: whoever can pay, pays; nothing may be given up instead."""
    game = owing(5, coins=5)
    game.strike("taxes", "A")
    assert debt(game) == 0
    assert game.seat(1).coins.value == 0
    game.reject(1, c.SurrenderTradingStation(), "table.wrong_decision")


def test_orleans_torture_each_coin() -> None:
    """Page 6: one thing for one coin, whatever it is worth; torture ends with the debt and not before."""
    game = torture(owing(3))
    for missing in (2, 1, 0):
        assert game.deciding() == [1], "the other seats wait"
        events = game.do(1, c.SurrenderGood("brocade"))
        assert detail(events, e.GoodSurrendered).missing == missing
        assert debt(game) == missing
    assert game.decision(1) != "torture"
    assert game.seat(1).goods.counts() == {}


def test_orleans_torture_any_mix() -> None:
    """Page 6: six missing coins, replaced by one of each thing on the list."""
    game = owing(6).bag(1, monk=1).at(1, development=2).own(1, "library").technology(1)
    torture(game)
    payments = {
        c.SurrenderTradingStation(),
        c.SurrenderFollower(),
        c.SurrenderDevelopment(),
        c.SurrenderGood("brocade"),
        c.SurrenderPlaceTile("library"),
        c.SurrenderTechnology(),
    }
    assert set(game.legal(1)) == payments
    game.do(1, *sorted(payments, key=repr))
    assert debt(game) == 0
    assert game.seat(1).development.value == 1
    assert game.t.removed.counts() == {"station.1": 1, "monk": 1, "brocade": 1, "library": 1, "technology": 1}


def test_orleans_torture_debt_lapses__not_while_something_is_left() -> None:
    """Our ruling: nothing is forgiven as long as there is one thing more to give."""
    game = owing(4)
    game.empty(game.seat(1).stations)
    torture(game)
    game.do(1, c.SurrenderGood("brocade"), c.SurrenderGood("brocade"), c.SurrenderGood("brocade"))
    assert game.decision(1) == "torture"

    game.do(1, c.SurrenderGood("brocade"))
    assert debt(game) == 0
    assert game.t.round.value == 6


def test_orleans_torture_debt_lapses() -> None:
    """Our ruling: it lapses as soon as nothing is left, however much is missing, and no coin is owed later."""
    game = OrleansGame(2).at(1, coins=1).goods(1, wool=1).bag(1, own_farmer=1).market(1, monk=3)
    game.empty(game.seat(1).stations)
    game.strike("harvest", "A")
    assert debt(game) == 4

    events = game.do(1, c.SurrenderGood("wool"))

    assert detail(events, e.DebtLapsed) == e.DebtLapsed(missing=3)
    assert debt(game) == 0
    assert game.decision(1) == ""
    assert game.decision(2) == "harvest"
    assert game.seat(1).market.counts() == {"monk": 3}


def test_orleans_torture_debt_carried() -> None:
    """The other reading: what could not be replaced is paid from the next coins, before the seat sees any of them."""
    game = OrleansGame(2, torture_nothing_left="carried").at(1, coins=1).goods(1, wool=1).bag(1)
    game.empty(game.seat(1).stations)
    game.strike("harvest", "A")
    events = game.do(1, c.SurrenderGood("wool"))
    assert detail(events, e.DebtCarried).missing == 3
    assert game.decision(1) == ""

    game.at(2, coins=0)
    game.strike("income", "B")
    assert [game.seat(seat).coins.value for seat in (1, 2)] == [0, 2]
    game.strike("income", "B")
    assert [game.seat(seat).coins.value for seat in (1, 2)] == [1, 4]
    game.strike("income", "B")
    assert [game.seat(seat).coins.value for seat in (1, 2)] == [3, 6]


# --- trading stations ------------------------------------------------------------------------------------------


def test_orleans_torture_station_built() -> None:
    """Page 6: a station on the map; its town is free for others again."""
    game = torture(owing(1).stations(1, "blois"))
    game.do(1, c.SurrenderTradingStation("blois"))
    assert game.counts("town.blois") == {}
    assert game.seat(1).stations.total() == 9
    assert game.seat(1).built_stations() == 0

    game.at(2, merchant="blois").fill(2, "guildhall").enter("actions", start=2)
    game.do(2, c.UsePlace("guildhall"))
    assert game.counts("town.blois") == {"station.2": 1}


def test_orleans_torture_station_supply() -> None:
    """Page 6: a station from the supply instead; those on the map stay, and it can never be built."""
    game = torture(owing(2).stations(1, "blois", "orleans"))
    game.do(1, c.SurrenderTradingStation(), c.SurrenderTradingStation())
    assert game.seat(1).stations.total() == 6
    assert game.seat(1).built_stations() == 2
    assert game.t.removed.counts() == {"station.1": 2}


def test_orleans_torture_own_station() -> None:
    """Page 6: neither another seat's station nor one that is not there, not even beside it in Orléans."""
    game = torture(owing(1).stations(2, "blois", "orleans"))
    for town in ("blois", "orleans", "tours", "paris"):
        game.reject(1, c.SurrenderTradingStation(town), "orleans.torture.own_station")
    game.do(1, c.SurrenderTradingStation())


def test_orleans_torture_own_station__empty_supply() -> None:
    """Page 6: a supply in which none is left gives none."""
    game = owing(1).stations(1, "blois")
    game.empty(game.seat(1).stations)
    torture(game)
    game.reject(1, c.SurrenderTradingStation(), "orleans.torture.own_station")
    game.do(1, c.SurrenderTradingStation("blois"))


# --- followers -------------------------------------------------------------------------------------------------


def test_orleans_torture_follower() -> None:
    """Page 6: chance takes one from the bag; market and action spaces are not asked, and no track goes back."""
    lost = set()
    for seed in range(24):
        game = owing(1, seed=str(seed)).bag(1, monk=1, knight=1).market(1, scholar=2).at(1, knights=1)
        events = torture(game.fill(1, "ship")).do(1, c.SurrenderFollower())
        surrendered = detail(events, e.FollowerSurrendered)
        assert (surrendered.spared, surrendered.missing) == (0, 0)
        assert game.seat(1).bag.total() == 1
        assert game.t.removed.counts() == {surrendered.follower: 1}
        assert game.seat(1).track["knights"].value == 1
        lost.add(surrendered.follower)
    assert lost == {"monk", "knight"}


def test_orleans_torture_own_followers_spared() -> None:
    """Page 6: own followers go back into the bag before the next draw, until another one comes."""
    spared = []
    for seed in range(24):
        game = owing(1, seed=str(seed)).bag(1, own_farmer=1, own_boatman=1, own_trader=1, scholar=1)
        events = torture(game).do(1, c.SurrenderFollower())
        surrendered = detail(events, e.FollowerSurrendered)
        assert surrendered.follower == "scholar"
        assert game.seat(1).bag.counts() == {"own_farmer": 1, "own_boatman": 1, "own_trader": 1}
        draws = [effect for event in events for effect in event.effects if isinstance(effect, Draw)]
        drawn = [draw.drawn for draw in draws if draw.zone == "seat.1.bag"]
        assert len(drawn) == surrendered.spared + 1, "each draw is on record"
        spared.append(surrendered.spared)
    assert min(spared) == 0
    assert max(spared) > 3, "a follower that went back can come again"


def test_orleans_torture_neutral_follower_needed() -> None:
    """Our ruling: a bag of own followers only has nothing to give, whatever lies on the market."""
    game = torture(owing(1).bag(1, own_farmer=1, own_trader=1).market(1, monk=2))
    game.reject(1, c.SurrenderFollower(), "orleans.torture.neutral_follower_needed")


def test_orleans_torture_neutral_follower_needed__empty_bag() -> None:
    """Our ruling: nor has an empty bag."""
    game = torture(owing(1))
    game.reject(1, c.SurrenderFollower(), "orleans.torture.neutral_follower_needed")


# --- development -----------------------------------------------------------------------------------------------


def test_orleans_torture_development() -> None:
    """Page 6: one space back for one coin, also out of a status or citizen space; citizens are kept."""
    game = torture(owing(2).at(1, development=4).citizens(1, 1))
    game.do(1, c.SurrenderDevelopment(), c.SurrenderDevelopment())
    assert game.seat(1).development.value == 2
    assert game.seat(1).citizens.total() == 1
    assert game.seat(1).coins.value == 0


@pytest.mark.parametrize("position", [0, *(space + 1 for space in COIN_SPACES)])
@pytest.mark.parametrize("reading", ["closed", "open"])
def test_orleans_torture_coin_spaces_stop(position: int, reading: str) -> None:
    """Page 6: never onto a coin space, so never past one, and the track has no space below the start."""
    game = torture(owing(1, torture_from_coin_space=reading).at(1, development=position))
    game.reject(1, c.SurrenderDevelopment(), "orleans.torture.coin_spaces_stop")


def test_orleans_torture_coin_spaces_stop__two_behind() -> None:
    """Page 6: two spaces behind a coin space one step is free, the next is not."""
    game = torture(owing(2).at(1, development=14))
    game.do(1, c.SurrenderDevelopment())
    game.reject(1, c.SurrenderDevelopment(), "orleans.torture.coin_spaces_stop")


@pytest.mark.parametrize("position", COIN_SPACES)
def test_orleans_torture_coin_space_holds(position: int) -> None:
    """The other reading: a marker on a coin space stays there, as if leaving it were crossing it."""
    game = torture(owing(1, torture_from_coin_space="closed").at(1, development=position))
    game.reject(1, c.SurrenderDevelopment(), "orleans.torture.coin_space_holds")


@pytest.mark.parametrize("position", COIN_SPACES)
def test_orleans_torture_from_coin_space(position: int) -> None:
    """Page 6: leaving a coin space is neither stepping onto it nor across it."""
    game = torture(owing(2, torture_from_coin_space="open").at(1, development=position))
    game.do(1, c.SurrenderDevelopment(), c.SurrenderDevelopment())
    assert game.seat(1).development.value == position - 2


def test_orleans_torture_status_follows() -> None:
    """Our ruling: the status counts for the space where the marker is now, in scoring as well."""
    game = torture(owing(2).at(1, development=22).citizens(1, 2))
    assert game.seat(1).status() == 5
    events = game.do(1, c.SurrenderDevelopment())
    assert detail(events, e.DevelopmentSurrendered) == e.DevelopmentSurrendered(position=21, status=4, missing=1)
    game.do(1, c.SurrenderDevelopment())
    assert game.seat(1).status() == 4
    assert scoring.sheet(game.t, game.seat(1)).status_points == 8


def test_orleans_torture_status_kept() -> None:
    """The other reading: the status stays what it was; only the marker goes back."""
    game = torture(owing(2, torture_status="kept").at(1, development=22).citizens(1, 2))
    events = game.do(1, c.SurrenderDevelopment())
    assert detail(events, e.DevelopmentSurrendered) == e.DevelopmentSurrendered(position=21, status=5, missing=1)
    game.do(1, c.SurrenderDevelopment())
    assert game.seat(1).development.value == 20
    assert game.seat(1).status() == 5
    assert scoring.sheet(game.t, game.seat(1)).status_points == 10


# --- goods -----------------------------------------------------------------------------------------------------


def test_orleans_torture_good() -> None:
    """Page 6: a good of any kind for one coin; it does not go to the goods market."""
    game = owing(0).goods(1, grain=1, brocade=1)
    market = game.t.goods_market.counts()
    torture(game)
    game.do(1, c.SurrenderGood("brocade"), c.SurrenderGood("grain"))
    assert game.t.removed.counts() == {"brocade": 1, "grain": 1}
    assert game.t.goods_market.counts() == market


def test_orleans_torture_own_good() -> None:
    """Page 6: only a good that the seat has."""
    game = torture(owing(1).goods(2, wool=1))
    for good in ("wool", "grain"):
        game.reject(1, c.SurrenderGood(good), "orleans.torture.own_good")
    for nothing in ("gold", ""):
        game.reject(1, c.SurrenderGood(nothing), "table.known_ids", "UNKNOWN_ID")


# --- place tiles -----------------------------------------------------------------------------------------------


def test_orleans_torture_place_tile() -> None:
    """Page 6: a place tile for one coin; what it allowed is over, and it does not return to the stacks."""
    game = torture(owing(1).own(1, "herb_garden").market(1, boatman=2))
    game.do(1, c.SurrenderPlaceTile("herb_garden"))
    assert game.seat(1).place_tiles.counts() == {}
    assert game.t.removed.counts() == {"herb_garden": 1}
    assert all("herb_garden" not in pile.items for pile in game.t.place_tiles.values())

    game.enter("planning")
    game.reject(1, c.PlaceFollower("boatman", "wagon", "farmer"), "orleans.planning.matching_space")
    game.do(1, c.PlaceFollower("boatman", "ship", "boatman"))


def test_orleans_torture_own_place_tile() -> None:
    """Page 6: neither a place of the player board nor a tile of somebody else nor one that nobody has."""
    game = torture(owing(1).own(1, "cellar").own(2, "school"))
    for place in ("ship", "town_hall", "school", "library"):
        game.reject(1, c.SurrenderPlaceTile(place), "orleans.torture.own_place_tile")
    for nothing in ("nowhere", ""):
        game.reject(1, c.SurrenderPlaceTile(nothing), "table.known_ids", "UNKNOWN_ID")
    game.do(1, c.SurrenderPlaceTile("cellar"))


def test_orleans_torture_followers_of_lost_place() -> None:
    """Our ruling: its followers, own ones too, are in the bag again; a technology tile on it is lost with it."""
    game = owing(2).own(1, "winery", "cheese_factory")
    game.fill(1, "winery", "technology", "own_trader").fill(1, "cheese_factory", "own_farmer", "monk")
    torture(game)
    game.do(1, c.SurrenderPlaceTile("winery"))
    assert debt(game) == 1, "the technology tile that is lost with it pays nothing"
    assert game.seat(1).bag.counts() == {"own_trader": 1}
    assert game.t.removed.counts() == {"winery": 1, "technology": 1}
    game.do(1, c.SurrenderPlaceTile("cheese_factory"))
    assert game.seat(1).bag.counts() == {"own_trader": 1, "own_farmer": 1, "monk": 1}


def test_orleans_torture_followers_of_lost_place__can_be_given_next() -> None:
    """Our ruling: a neutral follower that came back so may be drawn for the next coin."""
    game = torture(owing(2).own(1, "brewery").fill(1, "brewery"))
    game.reject(1, c.SurrenderFollower(), "orleans.torture.neutral_follower_needed")
    game.do(1, c.SurrenderPlaceTile("brewery"), c.SurrenderFollower())
    assert game.t.removed.counts() == {"brewery": 1, "monk": 1}


def test_orleans_torture_followers_lost_with_place() -> None:
    """The other reading: they leave the game with it, but own followers always stay with their seat."""
    game = owing(2, torture_place_followers="lost").own(1, "winery", "cheese_factory")
    game.fill(1, "winery", "technology", "own_trader").fill(1, "cheese_factory", "own_farmer", "monk")
    torture(game)
    game.do(1, c.SurrenderPlaceTile("winery"), c.SurrenderPlaceTile("cheese_factory"))
    assert game.seat(1).bag.counts() == {"own_trader": 1, "own_farmer": 1}
    assert game.t.removed.counts() == {"winery": 1, "technology": 1, "cheese_factory": 1, "monk": 1}


# --- technology ------------------------------------------------------------------------------------------------


def test_orleans_torture_technology() -> None:
    """Page 6: a technology tile that was not placed yet; the stack on the game board does not get it back."""
    game = owing(1).technology(1)
    left = game.t.technology.total()
    torture(game).do(1, c.SurrenderTechnology())
    assert game.seat(1).technology.counts() == {}
    assert game.t.removed.counts() == {"technology": 1}
    assert game.t.technology.total() == left


def test_orleans_torture_technology__placed() -> None:
    """Page 6: or a placed one; its space is free again, the followers beside it stay."""
    game = owing(1).technology(1).fill(1, "ship", "technology", "boatman", "knight")
    torture(game)
    game.do(1, c.SurrenderTechnology("ship", "farmer"))
    assert game.counts("seat.1.ship.farmer") == {}
    assert game.counts("seat.1.ship.boatman") == {"boatman": 1}
    assert game.seat(1).technology.total() == 1
    assert game.t.removed.counts() == {"technology": 1}
    game.enter("actions")
    assert all(not isinstance(command, c.Travel) for command in game.legal(1))


def test_orleans_torture_technology__the_first_was_placed_before() -> None:
    """Page 5: only the first tile placed in a game must replace a farmer, even if torture took that one."""
    game = owing(1).technology(1).fill(1, "ship", "technology").at(1, technology_placed=1)
    torture(game).do(1, c.SurrenderTechnology("ship", "farmer"))
    game.enter("actions")
    game.do(1, c.Pass(), c.PlaceTechnology("scriptorium", "knight"))


def test_orleans_torture_technology__the_one_for_a_farmer_goes_first() -> None:
    """Where the tile of the first craftsmen space has to replace a farmer, it is the one given up: the next is free."""
    game = owing(1, first_technology="from_first_craftsmen_space").technology(1).at(1, farmer_only_technology=1)
    torture(game).do(1, c.SurrenderTechnology())
    game.technology(1).enter("actions")
    game.do(1, c.Pass(), c.PlaceTechnology("scriptorium", "knight"))


def test_orleans_torture_own_technology() -> None:
    """Page 6: a space with a follower or with nothing, another seat's tile and an empty hand give none."""
    game = owing(1).own(2, "winery")
    game.fill(1, "ship").fill(2, "winery", "technology").fill(2, "wagon", "technology").technology(2)
    torture(game)
    for key in (("ship", "farmer"), ("wagon", "farmer"), ("winery", "farmer"), ("", "")):
        game.reject(1, c.SurrenderTechnology(*key), "orleans.torture.own_technology")
    game.reject(1, c.SurrenderTechnology("nowhere", "farmer"), "table.known_ids", "UNKNOWN_ID")


@pytest.mark.parametrize(("place", "space"), [("ship", ""), ("", "farmer")])
def test_orleans_torture_own_technology__half_named(place: str, space: str) -> None:
    """Half the name of a space is no name for the tile in the hand."""
    game = torture(owing(1).technology(1))

    game.reject(1, c.SurrenderTechnology(place, space), "orleans.torture.own_technology")


# --- afterwards ------------------------------------------------------------------------------------------------


def test_orleans_torture_out_of_game() -> None:
    """Page 6: what was taken cannot be gained again, though nothing else of its kind is left."""
    game = owing(0).goods(1, brocade=2, wool=1).bag(1, monk=1).technology(1)
    game.own(1, "wool_manufacturer", "laboratory")
    for place in ("wool_manufacturer", "laboratory", "monastery"):
        game.fill(1, place)
    for store in (game.t.goods_market, game.t.supply, game.t.technology):
        game.empty(store)
    torture(game.at(1, coins=0))
    game.do(1, c.SurrenderGood("wool"), c.SurrenderFollower(), c.SurrenderTechnology())

    game.turn(6, "income", "A").enter("actions")

    game.reject(1, c.UsePlace("wool_manufacturer"), "orleans.goods.available")
    game.reject(1, c.UsePlace("laboratory"), "orleans.laboratory.technology_available")
    game.reject(1, c.RecruitFollower("monastery", "monk"), "orleans.recruiting.supply")


def test_orleans_torture_out_of_game__but_development() -> None:
    """Page 6: development alone can be regained."""
    game = torture(owing(1).at(1, development=9))
    game.do(1, c.SurrenderDevelopment())
    game.fill(1, "scriptorium").enter("actions")
    game.do(1, c.UsePlace("scriptorium"))
    assert game.seat(1).development.value == 9
    assert game.seat(1).status() == 3
