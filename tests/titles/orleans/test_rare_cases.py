"""What hardly ever comes about in a game: procedures that meet, supplies that end, and the last round.

Each is named by the rule that settles it; the rulebooks' pages are those of the Capstone edition.
"""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail, details, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e

EDITIONS = ("dlp-2014", "dlp-8th", "capstone-2021")


# --- the last round ----------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_orleans_round_eighteen__its_event_strikes_before_the_end(edition: str) -> None:
    """The last tile's event is carried out like any other, torture included; only then is scored (p. 3 and 6)."""
    game = OrleansGame(2, edition).at(1, coins=1).goods(1, wool=2, grain=1).at(2, coins=0).goods(2)
    game.turn(18, "taxes", "A").enter("event")
    assert game.decision(1) == "torture"
    assert game.seat(1).debt.value == 2

    game.do(1, c.SurrenderGood("grain"))
    assert not game.play.is_over()
    events = game.do(1, c.SurrenderGood("wool"))

    assert game.play.is_over()
    assert details(events, e.SeatScored)[1].goods == {"wool": 1}
    assert details(events, e.SeatScored)[1].coins == 0


def test_orleans_round_eighteen__a_debt_that_is_carried_is_not_scored() -> None:
    """What is still owed at the end costs nothing: coins cannot be fewer than none (our ruling)."""
    game = OrleansGame(2, torture_nothing_left="carried").at(1, coins=0).goods(1).bag(1).goods(2).at(2, coins=50)
    game.empty(game.seat(1).stations, "removed")
    game.turn(18, "harvest", "A").enter("event")
    events = game.do(2, c.PayForFood())
    assert game.seat(1).arrears.value == 5
    assert details(events, e.SeatScored)[1].total == 0


@pytest.mark.parametrize(("players", "start"), [(2, 2), (3, 3), (4, 2), (5, 3)])
def test_orleans_round_start_player_moves_on__until_the_last_round(players: int, start: int) -> None:
    """Seventeen times the token goes on, so the last round has its start player by the number of seats (p. 5)."""
    game = OrleansGame(players)
    while game.t.round.value < 18:
        game.idle_round()
    assert game.t.start.value == start


def test_orleans_scoring_most_stations_tied__nobody_has_built() -> None:
    """With no station on the map all have built as many: none, so nobody receives the last citizen (p. 6)."""
    events = OrleansGame(3).end()
    assert detail(events, e.MostStationsRewarded) == e.MostStationsRewarded(0)
    assert named(events, "MostStationsRewarded")[0].seat == 0


def test_orleans_scoring_most_stations__those_of_orleans_count() -> None:
    """A station in Orléans counts like any other, though others have one there, too (p. 6)."""
    game = OrleansGame(3).stations(1, "orleans", "blois").stations(2, "orleans").stations(3, "orleans")
    assert named(game.end(), "MostStationsRewarded")[0].seat == 1


def test_orleans_scoring_tie__at_the_end_of_the_track() -> None:
    """Markers on the last space are equally far, whatever was lost beyond it: both win (p. 6)."""
    game = OrleansGame(3).at(1, development=30, coins=7).at(2, development=30, coins=7).at(3, development=29, coins=7)
    ranks = {seat: line.rank for seat, line in details(game.end(), e.SeatScored).items()}
    assert ranks == {1: 1, 2: 1, 3: 3}


# --- census ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("farmers", "leader", "last"), [((0, 0, 0), 0, 0), ((3, 3, 1), 0, 3), ((4, 1, 1), 1, 0), ((2, 2, 2), 0, 0)]
)
def test_orleans_census_ties__each_end_for_itself(farmers: tuple[int, ...], leader: int, last: int) -> None:
    """A tie at one end changes nothing at the other (p. 4)."""
    game = OrleansGame(3)
    for seat, count in enumerate(farmers, 1):
        game.at(seat, farmers=count)
    assert detail(game.enter("census"), e.CensusHeld) == e.CensusHeld(leader, last)


def test_orleans_census_torture__the_follower_given_is_not_drawn() -> None:
    """The census comes before the draw (p. 3): who is given up at torture is not in the bag any more."""
    game = OrleansGame(3).at(1, coins=0).at(2, farmers=1).at(3, farmers=1).market(1).bag(1, monk=1)
    game.enter("census")
    game.do(1, c.SurrenderFollower())
    assert game.decision(1) != "draw"
    assert game.seat(1).bag.total() == 0


# --- torture meets other rules ----------------------------------------------------------------------


def taxed(coins: int, **choices: str) -> OrleansGame:
    """Seat 1 without coins has to pay so many coins for as many wools, and has a monk in the bag."""
    return OrleansGame(2, **choices).at(1, coins=0).goods(1, wool=coins).bag(1, monk=1).goods(2)


def test_orleans_torture_station_built__makes_room_in_its_town() -> None:
    """A station that is given up leaves the map, and another may be built in that town (p. 5 and 6)."""
    game = taxed(1).stations(1, "blois").at(2, merchant="blois").fill(2, "guildhall")
    game.strike("taxes", "A")
    game.do(1, c.SurrenderTradingStation("blois"))
    game.enter("actions", start=2)
    game.do(2, c.UsePlace("guildhall"))
    assert game.t.towns["blois"].counts() == {"station.2": 1}


def test_orleans_torture_station_built__orleans_may_be_built_in_again() -> None:
    """The same seat may build in Orléans again, with one station fewer in its supply."""
    game = taxed(1).stations(1, "orleans").fill(1, "guildhall")
    game.strike("taxes", "A")
    game.do(1, c.SurrenderTradingStation("orleans"))
    game.enter("actions")
    game.do(1, c.UsePlace("guildhall"))
    assert game.seat(1).stations.total() == 8


def test_orleans_torture_followers_of_lost_place__the_gunpowder_tower() -> None:
    """With the tower its two spaces are gone as well; who stood there goes to the bag, marked or not."""
    game = taxed(1).own(1, "gunpowder_tower").fill(1, "gunpowder_tower", "knight", "own_farmer")
    game.strike("taxes", "A")
    game.do(1, c.SurrenderPlaceTile("gunpowder_tower"))
    assert game.seat(1).bag.counts() == {"monk": 1, "knight": 1, "own_farmer": 1}
    game.market(1, farmer=7).enter("followers")
    assert [command for command in game.legal(1) if isinstance(command, c.DrawFollowers)][-1] == c.DrawFollowers(1)


def test_orleans_torture_place_tile__the_sacristy_that_was_kept() -> None:
    """Who kept the Sacristy may give it up in the torture that follows; its monk goes to the bag."""
    game = taxed(2).own(1, "sacristy").fill(1, "sacristy")
    game.strike("taxes", "A")
    game.do(1, c.SufferEvent(), c.SurrenderPlaceTile("sacristy"))
    assert game.seat(1).bag.counts() == {"monk": 2}
    assert game.seat(1).debt.value == 1


def test_orleans_torture_good__food_given_up_does_not_feed() -> None:
    """At the Harvest a food item given up at torture replaces one coin, and is missing for the next item (p. 7)."""
    game = OrleansGame(2, harvest_short_of_coins="torture_allowed").at(1, coins=3).goods(1, grain=1).bag(1)
    game.at(2, coins=50).goods(2)
    game.strike("harvest", "B")
    game.do(1, c.PayForFood())
    assert (game.decision(1), game.seat(1).debt.value) == ("torture", 2)
    game.do(1, c.SurrenderGood("grain"), c.SurrenderTradingStation())
    assert (game.decision(1), game.seat(1).debt.value) == ("torture", 5)
    assert game.t.removed.counts()["grain"] == 1


def test_orleans_torture_technology__its_place_takes_another_tile() -> None:
    """A placed tile that is given up frees its space, also for a follower, and its place for another tile."""
    game = taxed(1).fill(1, "ship", "technology").technology(1).at(1, technology_placed=1)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderTechnology("ship", "farmer"))
    game.market(1, farmer=1).enter("planning")
    assert c.PlaceFollower("farmer", "ship", "farmer") in game.legal(1)
    game.enter("actions")
    game.do(1, c.Pass())
    game.do(1, c.PlaceTechnology("ship", "boatman"))


def test_orleans_torture_technology__does_not_come_back_to_the_supply() -> None:
    """What torture takes leaves the game (p. 6): with the last tile gone, no craftsman brings one."""
    game = taxed(1).technology(1)
    game.run_out("technology", game.t.technology)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderTechnology())
    assert game.t.technology.total() == 0
    game.fill(1, "village").enter("actions")
    game.reject(1, c.RecruitFollower("village", "craftsman"), "orleans.village.technology_available")


def test_orleans_torture_followers_of_lost_place__herb_garden_and_who_stands_by_it() -> None:
    """A boatman that the Herb Garden let stand for a farmer stays where he is and activates the place (our ruling)."""
    game = taxed(1).own(1, "herb_garden").fill(1, "ship", "boatman", "own_boatman", "knight")
    game.strike("taxes", "A")
    game.do(1, c.SurrenderPlaceTile("herb_garden"))
    game.enter("actions")
    assert c.Travel("ship", "blois") in game.legal(1)


def test_orleans_torture_neutral_follower_needed__until_the_last() -> None:
    """One after the other may be given, until only marked followers are in the bag."""
    game = taxed(3).bag(1, monk=2, own_farmer=1)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderFollower(), c.SurrenderFollower())
    game.reject(1, c.SurrenderFollower(), "orleans.torture.neutral_follower_needed")


# --- plague, sacristy and pilgrimage ----------------------------------------------------------------------


def test_orleans_plague_empty_bag__the_sacristy_is_still_asked() -> None:
    """A Sacristy may be kept where there is nothing to lose; its owner is asked all the same (our ruling)."""
    game = OrleansGame(2).own(1, "sacristy").fill(1, "sacristy").bag(1).bag(2)
    game.strike("plague")
    events = game.do(1, c.SufferEvent())
    assert details(events, e.PlagueStruck)[1] == e.PlagueStruck("", lost=False)
    assert game.seat(1).estate().places["sacristy"].is_active(game.seat(1).estate().free())


def test_orleans_sacristy_shields__again_after_its_monk_came_back() -> None:
    """It shields each time that a monk is put there, round for round (p. 8)."""
    game = OrleansGame(2).own(1, "sacristy").bag(1, farmer=1).goods(1, wool=3).at(1, coins=0).goods(2)
    for event in ("taxes", "plague"):
        game.fill(1, "sacristy").strike(event)
        game.do(1, c.UseSacristy())
        assert game.seat(1).bag.counts()["monk"] >= 1
    assert game.seat(1).goods.counts() == {"wool": 3}


def test_orleans_pilgrimage__a_monk_still_stands_for_others() -> None:
    """Pilgrimage closes the Monastery only; monks are placed and drawn as ever (p. 7)."""
    game = OrleansGame(2).fill(1, "castle", "monk", "monk", "monk").turn(5, "pilgrimage", "B")
    game.enter("actions")
    game.do(1, c.RecruitFollower("castle", "knight"))
    assert game.seat(1).bag.counts()["monk"] == 3


# --- deeds ----------------------------------------------------------------------


def test_orleans_deeds_citizen__two_in_one_action() -> None:
    """Two followers of one action may complete two deeds and bring both citizens (p. 5)."""
    game = OrleansGame(2).on_deed("astronomy", scholar=2).on_deed("papal_conclave", monk=1, knight=1)
    game.fill(1, "town_hall", "trader", "monk").enter("actions")
    game.do(1, c.SendToDeed("town_hall", "any", "astronomy"))
    game.do(1, c.SendToDeed("town_hall", "any_2", "papal_conclave"))
    assert game.seat(1).citizens.total() == 2


def test_orleans_deeds_free_space__nobody_takes_him() -> None:
    """A Town Hall whose followers no deed takes any more cannot be used (p. 5)."""
    game = OrleansGame(2).on_deed("papal_conclave", monk=2).on_deed("cathedral", monk=2).on_deed("peace_treaty", monk=1)
    game.fill(1, "town_hall", "monk", "").enter("actions")
    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.SendToDeed("town_hall", "any", "peace_treaty"), "orleans.deeds.free_space")


def test_orleans_deeds_canalization__development_beyond_the_end() -> None:
    """At the end of the development track the point may be chosen, and is lost (our ruling)."""
    game = OrleansGame(2).at(1, development=30, coins=0).fill(1, "town_hall", "boatman", "")
    game.enter("actions")
    events = game.do(1, c.SendToDeed("town_hall", "any", "canalization", "development"))
    assert not named(events, "DevelopmentAdvanced")
    assert (game.seat(1).development.value, game.seat(1).coins.value) == (30, 0)


# --- supplies that end ----------------------------------------------------------------------


def test_orleans_running_out_characters__the_last_technology_tile() -> None:
    """Whoever takes the last tile closes craftsmen and Laboratory for everybody (p. 8)."""
    game = OrleansGame(2).fill(1, "village").own(2, "laboratory").fill(2, "laboratory").fill(2, "village")
    game.run_out("technology", game.t.technology).bring("technology", game.t.technology)
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "craftsman"))
    game.reject(2, c.UsePlace("laboratory"), "orleans.laboratory.technology_available")
    game.reject(2, c.RecruitFollower("village", "craftsman"), "orleans.village.technology_available")
    assert c.RecruitFollower("village", "boatman") in game.legal(2)


def test_orleans_running_out_characters__the_track_goes_no_further_either() -> None:
    """Without a scholar to take there is no advance and no development (p. 8)."""
    game = OrleansGame(2).fill(1, "university")
    game.run_out("scholar", game.t.supply).enter("actions")
    game.reject(1, c.RecruitFollower("university", "scholar"), "orleans.recruiting.supply")
    assert game.seat(1).development.value == 0


def test_orleans_running_out_returns__a_deed_does_not() -> None:
    """Followers on a deed are not in the supply again (p. 5): with two players boatmen run out for good."""
    game = OrleansGame(2).on_deed("canalization", boatman=3).on_deed("boatmen_guild", boatman=3)
    game.fill(1, "village", "own_farmer", "own_boatman", "own_craftsman").enter("actions")
    game.reject(1, c.RecruitFollower("village", "boatman"), "orleans.recruiting.supply")


# --- bathhouse and tower ----------------------------------------------------------------------


def test_orleans_bathhouse_draw__a_marked_follower_may_be_placed() -> None:
    """The bag's own followers are drawn and placed like others, but not in the Town Hall (p. 5 and 8)."""
    game = OrleansGame(2).own(1, "bathhouse").fill(1, "bathhouse", "monk").bag(1, own_farmer=1, own_trader=1)
    game.enter("actions")
    game.do(1, c.UsePlace("bathhouse"))
    assert not any(command.place == "town_hall" for command in game.legal(1) if hasattr(command, "place"))
    game.do(1, c.PlaceDrawnFollower("own_trader", "castle", "trader"))
    assert game.seat(1).bag.counts() == {"own_farmer": 1, "monk": 1}


def test_orleans_bathhouse_usable_at_once__a_place_bought_in_this_phase() -> None:
    """A place tile taken earlier in the same phase may be filled from the Bathhouse, and used (p. 4 and 8)."""
    game = OrleansGame(2).own(1, "bathhouse").fill(1, "bathhouse", "own_farmer").fill(1, "village").bag(1, monk=1)
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "trader", "hayrick"))
    game.idle(2)
    game.bag(1, monk=2)
    game.do(1, c.UsePlace("bathhouse"), c.PlaceDrawnFollower("monk", "hayrick", "farmer"))
    events = game.do(1, c.UsePlace("hayrick"))
    assert detail(events, e.PlaceUsed).good == "grain"


def test_orleans_gunpowder_tower_market__taken_back_and_stored() -> None:
    """With a full market who comes back has room on the tower, and has to go there (p. 8)."""
    game = OrleansGame(2).own(1, "gunpowder_tower").market(1, farmer=8).bag(1).fill(1, "scriptorium")
    game.market(2).bag(2).enter("followers")
    game.do(1, c.DrawFollowers(0), c.TakeBackFollower("scriptorium", "scholar"))
    game.do(1, c.TakeBackFollower("scriptorium", "knight"))
    assert game.decision(1) == "store"
    game.reject(1, c.FinishStoring(), "orleans.drawing.market_room")


# --- technology, travel, development ----------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_orleans_technology_one_per_place__two_spaces_alike(edition: str) -> None:
    """Of the two farmers of the Cheese Factory one may be replaced, not both, in all printings (p. 4)."""
    game = OrleansGame(2, edition).own(1, "cheese_factory").technology(1, 2)
    game.enter("actions")
    game.do(1, c.Pass(), c.PlaceTechnology("cheese_factory", "farmer_2"))
    game.reject(1, c.PlaceTechnology("cheese_factory", "farmer"), "orleans.technology.one_per_place")


def test_orleans_actions_technology_stays__and_the_place_wants_the_other_follower_again() -> None:
    """A place with technology needs its other followers for each action anew (p. 4)."""
    game = OrleansGame(2).fill(1, "scriptorium", "technology", "scholar")
    game.enter("actions")
    game.do(1, c.UsePlace("scriptorium"))
    game.idle(2)
    game.reject(1, c.UsePlace("scriptorium"), "orleans.actions.activated")
    assert game.seat(1).bag.counts()["scholar"] == 1


def test_orleans_travel_good_on_the_way__two_merchants() -> None:
    """Two merchants on one way share what lies there: whoever comes second takes what the first left (p. 5)."""
    game = OrleansGame(2).fill(1, "ship").fill(2, "ship")
    way = next(way.id for way in game.t.data.ways if way.kind == "water" and set(way.towns) == {"orleans", "briare"})
    game.on_way(way, wine=1, wool=1).enter("actions")
    game.do(1, c.Travel("ship", "briare", "wool"))
    game.reject(2, c.Travel("ship", "briare", "wool"), "orleans.travel.good_on_the_way")
    game.do(2, c.Travel("ship", "briare", "wine"))


def test_orleans_development_coins__the_longest_step() -> None:
    """The fifth scholar brings six points, which can pass two coin spaces and a status (p. 6)."""
    game = OrleansGame(2).at(1, development=6, coins=0, scholars=4).fill(1, "university")
    game.enter("actions")
    events = game.do(1, c.RecruitFollower("university", "scholar"))
    assert detail(events, e.DevelopmentAdvanced) == e.DevelopmentAdvanced(12, 3, 7, 0)


def test_orleans_guildhall_one_per_town__not_where_a_merchant_only_stands() -> None:
    """A merchant in a town keeps nobody from building there; a station does, also its owner (p. 5)."""
    game = OrleansGame(2).at(1, merchant="tours").at(2, merchant="tours").fill(1, "guildhall").fill(2, "guildhall")
    game.enter("actions")
    game.do(1, c.UsePlace("guildhall"))
    game.reject(2, c.UsePlace("guildhall"), "orleans.guildhall.one_per_town", "STATION_THERE")
    game.fill(1, "guildhall").enter("actions")
    game.reject(1, c.UsePlace("guildhall"), "orleans.guildhall.one_per_town", "STATION_THERE")


def test_orleans_hospital_coins__the_status_after_torture() -> None:
    """The Hospital pays for the status that counts now, also after steps back (p. 6 and 8)."""
    game = OrleansGame(2).at(1, development=9, coins=0).goods(1, wool=1).bag(1).own(1, "hospital")
    game.strike("taxes", "A")
    game.do(1, c.SurrenderDevelopment())
    game.fill(1, "hospital").enter("actions")
    assert detail(game.do(1, c.UsePlace("hospital")), e.PlaceUsed).coins == 2


def test_orleans_trading_day__after_a_station_was_given_up() -> None:
    """Only stations that still stand on the map bring coins (p. 7)."""
    game = OrleansGame(2).stations(1, "orleans", "blois").at(1, coins=0).goods(1, wool=1).bag(1)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderTradingStation("blois"))
    assert details(game.strike("trading_day", "A"), e.TradingDayHeld)[1] == e.TradingDayHeld(3, 1)


@pytest.mark.parametrize("edition", ["dlp-8th", "capstone-2021"])
def test_orleans_setup__five_at_the_table(edition: str) -> None:
    """Five seats of five colors have all technology tiles and goods spaces, and the fifth seat acts last (p. 2, 8)."""
    game = OrleansGame(5, edition)
    assert game.t.technology.total() == 20
    assert sum(pile.total() for pile in game.t.ways.values()) == 52
    game.enter("actions")
    for seat in (1, 2, 3, 4, 5):
        assert game.deciding() == [seat]
        game.do(seat, c.Pass())
    assert game.t.phase.value != "actions"
