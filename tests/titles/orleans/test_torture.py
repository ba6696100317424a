"""Torture: what seats surrender for missing coins."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail, details

from boardkeeper.table.effects import Draw
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans import scoring

COIN_SPACES = (7, 12, 25)


def create_game(debt: int, players: int = 2, coins: int = 0, **readings: str) -> OrleansGame:
    """Create a game in which seat 1 will owe this number of coins in taxes (see :func:`torture`)."""
    return OrleansGame(players, **readings).at(1, coins=coins).goods(1, brocade=debt).bag(1)


def torture(game: OrleansGame) -> OrleansGame:
    """Begin taxes of strength A, which cause the torture of seat 1."""
    game.strike("taxes", "A")
    assert game.decision(1) == "torture"
    return game


def debt(game: OrleansGame) -> int:
    """Return the number of coins that seat 1 still has to replace."""
    return game.seat(1).debt.value


# --- debts -----------------------------------------------------------------------------------------------------


def test_orleans_torture_coins_first() -> None:
    """Page 6: a seat pays all its coins first and replaces only the missing ones."""
    game = create_game(5, coins=3)
    events = game.strike("taxes", "A")
    assert details(events, e.TaxesPaid)[1] == e.TaxesPaid(goods=5, paid=3, missing=2)
    assert game.seat(1).coins.value == 0
    assert debt(game) == 2


def test_orleans_torture_coins_first__no_torture_with_enough() -> None:
    """Page 6: a seat with enough coins must pay them."""
    game = create_game(5, coins=5)
    game.strike("taxes", "A")
    assert debt(game) == 0
    assert game.seat(1).coins.value == 0
    game.reject(1, c.SurrenderTradingStation(), "table.wrong_decision")


def test_orleans_torture_each_coin() -> None:
    """Page 6: each thing replaces one coin; torture ends with the debt."""
    game = torture(create_game(3))
    for missing in (2, 1, 0):
        assert game.deciding() == [1], "the other seats wait"
        events = game.do(1, c.SurrenderGood("brocade"))
        assert detail(events, e.GoodSurrendered).missing == missing
        assert debt(game) == missing
    assert game.decision(1) != "torture"
    assert game.seat(1).goods.counts() == {}


def test_orleans_torture_any_mix() -> None:
    """Page 6: one of each thing on the list replaces six coins."""
    game = create_game(6).bag(1, monk=1).at(1, development=2).own(1, "library").technology(1)
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
    """Our ruling: a debt does not lapse while a seat has something to surrender."""
    game = create_game(4)
    game.empty(game.seat(1).stations)
    torture(game)
    game.do(1, c.SurrenderGood("brocade"), c.SurrenderGood("brocade"), c.SurrenderGood("brocade"))
    assert game.decision(1) == "torture"

    game.do(1, c.SurrenderGood("brocade"))
    assert debt(game) == 0
    assert game.t.round.value == 6


def test_orleans_torture_debt_lapses() -> None:
    """Our ruling: the debt lapses when nothing is left to surrender, and is not owed later."""
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
    """The other reading: the rest of the debt is paid from the next coins of the seat."""
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
    """Page 6: a station on the map may be surrendered; others may then build in its town."""
    game = torture(create_game(1).stations(1, "blois"))
    game.do(1, c.SurrenderTradingStation("blois"))
    assert game.counts("town.blois") == {}
    assert game.seat(1).stations.total() == 9
    assert game.seat(1).built_stations() == 0

    game.at(2, merchant="blois").fill(2, "guildhall").enter("actions", start=2)
    game.do(2, c.UsePlace("guildhall"))
    assert game.counts("town.blois") == {"station.2": 1}


def test_orleans_torture_station_supply() -> None:
    """Page 6: a station of the supply may be surrendered; those on the map stay."""
    game = torture(create_game(2).stations(1, "blois", "orleans"))
    game.do(1, c.SurrenderTradingStation(), c.SurrenderTradingStation())
    assert game.seat(1).stations.total() == 6
    assert game.seat(1).built_stations() == 2
    assert game.t.removed.counts() == {"station.1": 2}


def test_orleans_torture_own_station() -> None:
    """Page 6: a seat surrenders only its own stations."""
    game = torture(create_game(1).stations(2, "blois", "orleans"))
    for town in ("blois", "orleans", "tours", "paris"):
        game.reject(1, c.SurrenderTradingStation(town), "orleans.torture.own_station")
    game.do(1, c.SurrenderTradingStation())


def test_orleans_torture_own_station__empty_supply() -> None:
    """Page 6: an empty supply has no station to surrender."""
    game = create_game(1).stations(1, "blois")
    game.empty(game.seat(1).stations)
    torture(game)
    game.reject(1, c.SurrenderTradingStation(), "orleans.torture.own_station")
    game.do(1, c.SurrenderTradingStation("blois"))


# --- followers -------------------------------------------------------------------------------------------------


def test_orleans_torture_follower() -> None:
    """Page 6: a random follower of the bag is lost, none of the market or of spaces; no track changes."""
    lost = set()
    for seed in range(24):
        game = create_game(1, seed=str(seed)).bag(1, monk=1, knight=1).market(1, scholar=2).at(1, knights=1)
        events = torture(game.fill(1, "ship")).do(1, c.SurrenderFollower())
        surrendered = detail(events, e.FollowerSurrendered)
        assert (surrendered.spared, surrendered.missing) == (0, 0)
        assert game.seat(1).bag.total() == 1
        assert game.t.removed.counts() == {surrendered.follower: 1}
        assert game.seat(1).track["knights"].value == 1
        lost.add(surrendered.follower)
    assert lost == {"monk", "knight"}


def test_orleans_torture_own_followers_spared() -> None:
    """Page 6: an own follower returns to the bag before the next draw, until a neutral one is drawn."""
    spared = []
    for seed in range(24):
        game = create_game(1, seed=str(seed)).bag(1, own_farmer=1, own_boatman=1, own_trader=1, scholar=1)
        events = torture(game).do(1, c.SurrenderFollower())
        surrendered = detail(events, e.FollowerSurrendered)
        assert surrendered.follower == "scholar"
        assert game.seat(1).bag.counts() == {"own_farmer": 1, "own_boatman": 1, "own_trader": 1}
        draws = [effect for event in events for effect in event.effects if isinstance(effect, Draw)]
        drawn = [draw.drawn for draw in draws if draw.zone == "seat.1.bag"]
        assert len(drawn) == surrendered.spared + 1, "each draw is recorded"
        spared.append(surrendered.spared)
    assert min(spared) == 0
    assert max(spared) > 3, "a follower that returned can be drawn again"


def test_orleans_torture_neutral_follower_needed() -> None:
    """Our ruling: a bag with only own followers has none to surrender; the market does not count."""
    game = torture(create_game(1).bag(1, own_farmer=1, own_trader=1).market(1, monk=2))
    game.reject(1, c.SurrenderFollower(), "orleans.torture.neutral_follower_needed")


def test_orleans_torture_neutral_follower_needed__empty_bag() -> None:
    game = torture(create_game(1))
    game.reject(1, c.SurrenderFollower(), "orleans.torture.neutral_follower_needed")


# --- development -----------------------------------------------------------------------------------------------


def test_orleans_torture_development() -> None:
    """Page 6: each space back replaces a coin, also from a status or citizen space; citizens are kept."""
    game = torture(create_game(2).at(1, development=4).citizens(1, 1))
    game.do(1, c.SurrenderDevelopment(), c.SurrenderDevelopment())
    assert game.seat(1).development.value == 2
    assert game.seat(1).citizens.total() == 1
    assert game.seat(1).coins.value == 0


@pytest.mark.parametrize("position", [0, *(space + 1 for space in COIN_SPACES)])
@pytest.mark.parametrize("reading", ["closed", "open"])
def test_orleans_torture_coin_spaces_stop(position: int, reading: str) -> None:
    """Page 6: a marker does not step back onto a coin space, nor from the first space of the track."""
    game = torture(create_game(1, torture_from_coin_space=reading).at(1, development=position))
    game.reject(1, c.SurrenderDevelopment(), "orleans.torture.coin_spaces_stop")


def test_orleans_torture_coin_spaces_stop__two_behind() -> None:
    """Page 6: a marker two spaces behind a coin space can step back once."""
    game = torture(create_game(2).at(1, development=14))
    game.do(1, c.SurrenderDevelopment())
    game.reject(1, c.SurrenderDevelopment(), "orleans.torture.coin_spaces_stop")


@pytest.mark.parametrize("position", COIN_SPACES)
def test_orleans_torture_coin_space_holds(position: int) -> None:
    """The other reading: a marker on a coin space stays there."""
    game = torture(create_game(1, torture_from_coin_space="closed").at(1, development=position))
    game.reject(1, c.SurrenderDevelopment(), "orleans.torture.coin_space_holds")


@pytest.mark.parametrize("position", COIN_SPACES)
def test_orleans_torture_from_coin_space(position: int) -> None:
    """Page 6: a marker may step back from a coin space."""
    game = torture(create_game(2, torture_from_coin_space="open").at(1, development=position))
    game.do(1, c.SurrenderDevelopment(), c.SurrenderDevelopment())
    assert game.seat(1).development.value == position - 2


def test_orleans_torture_status_follows() -> None:
    """Our ruling: the status is that of the present space of the marker, also in scoring."""
    game = torture(create_game(2).at(1, development=22).citizens(1, 2))
    assert game.seat(1).status() == 5
    events = game.do(1, c.SurrenderDevelopment())
    assert detail(events, e.DevelopmentSurrendered) == e.DevelopmentSurrendered(position=21, status=4, missing=1)
    game.do(1, c.SurrenderDevelopment())
    assert game.seat(1).status() == 4
    assert scoring.sheet(game.t, game.seat(1)).status_points == 8


def test_orleans_torture_status_kept() -> None:
    """The other reading: the status does not change when the marker steps back."""
    game = torture(create_game(2, torture_status="kept").at(1, development=22).citizens(1, 2))
    events = game.do(1, c.SurrenderDevelopment())
    assert detail(events, e.DevelopmentSurrendered) == e.DevelopmentSurrendered(position=21, status=5, missing=1)
    game.do(1, c.SurrenderDevelopment())
    assert game.seat(1).development.value == 20
    assert game.seat(1).status() == 5
    assert scoring.sheet(game.t, game.seat(1)).status_points == 10


# --- goods -----------------------------------------------------------------------------------------------------


def test_orleans_torture_good() -> None:
    """Page 6: a good of any kind replaces a coin; it does not go to the goods market."""
    game = create_game(0).goods(1, grain=1, brocade=1)
    market = game.t.goods_market.counts()
    torture(game)
    game.do(1, c.SurrenderGood("brocade"), c.SurrenderGood("grain"))
    assert game.t.removed.counts() == {"brocade": 1, "grain": 1}
    assert game.t.goods_market.counts() == market


def test_orleans_torture_own_good() -> None:
    """Page 6: a seat surrenders only its own goods."""
    game = torture(create_game(1).goods(2, wool=1))
    for good in ("wool", "grain"):
        game.reject(1, c.SurrenderGood(good), "orleans.torture.own_good")
    for nothing in ("gold", ""):
        game.reject(1, c.SurrenderGood(nothing), "table.known_ids", "UNKNOWN_ID")


# --- place tiles -----------------------------------------------------------------------------------------------


def test_orleans_torture_place_tile() -> None:
    """Page 6: a place tile replaces a coin; its ability ends, and it does not return to the stacks."""
    game = torture(create_game(1).own(1, "herb_garden").market(1, boatman=2))
    game.do(1, c.SurrenderPlaceTile("herb_garden"))
    assert game.seat(1).place_tiles.counts() == {}
    assert game.t.removed.counts() == {"herb_garden": 1}
    assert all("herb_garden" not in pile.items for pile in game.t.place_tiles.values())

    game.enter("planning")
    game.reject(1, c.PlaceFollower("boatman", "wagon", "farmer"), "orleans.planning.matching_space")
    game.do(1, c.PlaceFollower("boatman", "ship", "boatman"))


def test_orleans_torture_own_place_tile() -> None:
    """Page 6: a seat surrenders only its own place tiles."""
    game = torture(create_game(1).own(1, "cellar").own(2, "school"))
    for place in ("ship", "town_hall", "school", "library"):
        game.reject(1, c.SurrenderPlaceTile(place), "orleans.torture.own_place_tile")
    for nothing in ("nowhere", ""):
        game.reject(1, c.SurrenderPlaceTile(nothing), "table.known_ids", "UNKNOWN_ID")
    game.do(1, c.SurrenderPlaceTile("cellar"))


def test_orleans_torture_followers_of_lost_place() -> None:
    """Our ruling: the followers on it, also own ones, return to the bag; technology on it is lost."""
    game = create_game(2).own(1, "winery", "cheese_factory")
    game.fill(1, "winery", "technology", "own_trader").fill(1, "cheese_factory", "own_farmer", "monk")
    torture(game)
    game.do(1, c.SurrenderPlaceTile("winery"))
    assert debt(game) == 1, "the technology tile that is lost with it replaces no coin"
    assert game.seat(1).bag.counts() == {"own_trader": 1}
    assert game.t.removed.counts() == {"winery": 1, "technology": 1}
    game.do(1, c.SurrenderPlaceTile("cheese_factory"))
    assert game.seat(1).bag.counts() == {"own_trader": 1, "own_farmer": 1, "monk": 1}


def test_orleans_torture_followers_of_lost_place__can_be_surrendered_next() -> None:
    """Our ruling: a neutral follower that returned to the bag may be surrendered for the next coin."""
    game = torture(create_game(2).own(1, "brewery").fill(1, "brewery"))
    game.reject(1, c.SurrenderFollower(), "orleans.torture.neutral_follower_needed")
    game.do(1, c.SurrenderPlaceTile("brewery"), c.SurrenderFollower())
    assert game.t.removed.counts() == {"brewery": 1, "monk": 1}


def test_orleans_torture_followers_lost_with_place() -> None:
    """The other reading: the followers on it are lost, except own ones."""
    game = create_game(2, torture_place_followers="lost").own(1, "winery", "cheese_factory")
    game.fill(1, "winery", "technology", "own_trader").fill(1, "cheese_factory", "own_farmer", "monk")
    torture(game)
    game.do(1, c.SurrenderPlaceTile("winery"), c.SurrenderPlaceTile("cheese_factory"))
    assert game.seat(1).bag.counts() == {"own_trader": 1, "own_farmer": 1}
    assert game.t.removed.counts() == {"winery": 1, "technology": 1, "cheese_factory": 1, "monk": 1}


# --- technology ------------------------------------------------------------------------------------------------


def test_orleans_torture_technology() -> None:
    """Page 6: a technology tile in hand may be surrendered; it does not return to the supply."""
    game = create_game(1).technology(1)
    left = game.t.technology.total()
    torture(game).do(1, c.SurrenderTechnology())
    assert game.seat(1).technology.counts() == {}
    assert game.t.removed.counts() == {"technology": 1}
    assert game.t.technology.total() == left


def test_orleans_torture_technology__placed() -> None:
    """Page 6: a placed tile may be surrendered; its space becomes free, and the followers beside it stay."""
    game = create_game(1).technology(1).fill(1, "ship", "technology", "boatman", "knight")
    torture(game)
    game.do(1, c.SurrenderTechnology("ship", "farmer"))
    assert game.counts("seat.1.ship.farmer") == {}
    assert game.counts("seat.1.ship.boatman") == {"boatman": 1}
    assert game.seat(1).technology.total() == 1
    assert game.t.removed.counts() == {"technology": 1}
    game.enter("actions")
    assert all(not isinstance(command, c.Travel) for command in game.legal(1))


def test_orleans_torture_technology__the_next_tile_is_not_the_first() -> None:
    """Page 5: only the first tile must replace a farmer, even if it was surrendered."""
    game = create_game(1).technology(1).fill(1, "ship", "technology").at(1, technology_placed=1)
    torture(game).do(1, c.SurrenderTechnology("ship", "farmer"))
    game.enter("actions")
    game.do(1, c.Pass(), c.PlaceTechnology("scriptorium", "knight"))


def test_orleans_torture_technology__the_one_for_a_farmer_first() -> None:
    """A tile that has to replace a farmer is surrendered first: the next tile may be placed on any space."""
    game = create_game(1, first_technology="from_first_craftsmen_space").technology(1).at(1, farmer_only_technology=1)
    torture(game).do(1, c.SurrenderTechnology())
    game.technology(1).enter("actions")
    game.do(1, c.Pass(), c.PlaceTechnology("scriptorium", "knight"))


def test_orleans_torture_own_technology() -> None:
    """Page 6: a seat surrenders only its own technology, on a space or in hand."""
    game = create_game(1).own(2, "winery")
    game.fill(1, "ship").fill(2, "winery", "technology").fill(2, "wagon", "technology").technology(2)
    torture(game)
    for key in (("ship", "farmer"), ("wagon", "farmer"), ("winery", "farmer"), ("", "")):
        game.reject(1, c.SurrenderTechnology(*key), "orleans.torture.own_technology")
    game.reject(1, c.SurrenderTechnology("nowhere", "farmer"), "table.known_ids", "UNKNOWN_ID")


@pytest.mark.parametrize(("place", "space"), [("ship", ""), ("", "farmer")])
def test_orleans_torture_own_technology__incomplete_space(place: str, space: str) -> None:
    game = torture(create_game(1).technology(1))

    game.reject(1, c.SurrenderTechnology(place, space), "orleans.torture.own_technology")


# --- afterwards ------------------------------------------------------------------------------------------------


def test_orleans_torture_out_of_game() -> None:
    """Page 6: surrendered components do not return to the supply, even if it has no others."""
    game = create_game(0).goods(1, brocade=2, wool=1).bag(1, monk=1).technology(1)
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


def test_orleans_torture_out_of_game__except_development() -> None:
    """Page 6: only development can be regained."""
    game = torture(create_game(1).at(1, development=9))
    game.do(1, c.SurrenderDevelopment())
    game.fill(1, "scriptorium").enter("actions")
    game.do(1, c.UsePlace("scriptorium"))
    assert game.seat(1).development.value == 9
    assert game.seat(1).status() == 3
