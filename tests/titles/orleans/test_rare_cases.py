"""Rare cases: combinations of rules, supplies that run out, and the last round.

Each test is named by the rule that applies. Pages are those of the Capstone edition.
"""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail, details, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e

EDITIONS = ("dlp-2014", "dlp-8th", "capstone-2021")


# --- the last round ----------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_orleans_round_eighteen__its_event_applies_before_the_scoring(edition: str) -> None:
    """The event of the last tile applies like any other, with torture, before the scoring (p. 3 and 6)."""
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


def test_orleans_round_eighteen__a_carried_debt_is_not_scored() -> None:
    """A debt at the end costs no points: a seat cannot have fewer than no coins (our ruling)."""
    game = OrleansGame(2, torture_nothing_left="carried").at(1, coins=0).goods(1).bag(1).goods(2).at(2, coins=50)
    game.empty(game.seat(1).stations, "removed")
    game.turn(18, "harvest", "A").enter("event")
    events = game.do(2, c.PayForFood())
    assert game.seat(1).arrears.value == 5
    assert details(events, e.SeatScored)[1].total == 0


@pytest.mark.parametrize(("players", "start"), [(2, 2), (3, 3), (4, 2), (5, 3)])
def test_orleans_round_start_player_moves_on__until_the_last_round(players: int, start: int) -> None:
    """The start player changes 17 times, so the number of seats sets that of the last round (p. 5)."""
    game = OrleansGame(players)
    while game.t.round.value < 18:
        game.idle_round()
    assert game.t.start.value == start


def test_orleans_scoring_most_stations_tied__no_seat_has_built() -> None:
    """Without stations on the map all seats are tied, so no seat gets the last citizen (p. 6)."""
    events = OrleansGame(3).end()
    assert detail(events, e.MostStationsRewarded) == e.MostStationsRewarded(0)
    assert named(events, "MostStationsRewarded")[0].seat == 0


def test_orleans_scoring_most_stations__those_of_orleans_count() -> None:
    """A station in Orléans counts like any other (p. 6)."""
    game = OrleansGame(3).stations(1, "orleans", "blois").stations(2, "orleans").stations(3, "orleans")
    assert named(game.end(), "MostStationsRewarded")[0].seat == 1


def test_orleans_scoring_tie__at_the_end_of_the_track() -> None:
    """Markers on the last space are tied, so both seats win (p. 6)."""
    game = OrleansGame(3).at(1, development=30, coins=7).at(2, development=30, coins=7).at(3, development=29, coins=7)
    ranks = {seat: line.rank for seat, line in details(game.end(), e.SeatScored).items()}
    assert ranks == {1: 1, 2: 1, 3: 3}


# --- census ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("farmers", "leader", "last"), [((0, 0, 0), 0, 0), ((3, 3, 1), 0, 3), ((4, 1, 1), 1, 0), ((2, 2, 2), 0, 0)]
)
def test_orleans_census_ties__leaders_and_last_seats_are_independent(
    farmers: tuple[int, ...], leader: int, last: int
) -> None:
    """A tie of leaders does not affect the last seat, and vice versa (p. 4)."""
    game = OrleansGame(3)
    for seat, count in enumerate(farmers, 1):
        game.at(seat, farmers=count)
    assert detail(game.enter("census"), e.CensusHeld) == e.CensusHeld(leader, last)


def test_orleans_census_torture__a_surrendered_follower_is_not_drawn() -> None:
    """The census comes before the draw (p. 3): a follower surrendered to torture is no longer in the bag."""
    game = OrleansGame(3).at(1, coins=0).at(2, farmers=1).at(3, farmers=1).market(1).bag(1, monk=1)
    game.enter("census")
    game.do(1, c.SurrenderFollower())
    assert game.decision(1) != "draw"
    assert game.seat(1).bag.total() == 0


# --- torture and other rules ------------------------------------------------------------------------


def create_taxable_game(coins: int, **choices: str) -> OrleansGame:
    """Create a game in which seat 1 has no coins, wool that costs this tax, and a monk in the bag."""
    return OrleansGame(2, **choices).at(1, coins=0).goods(1, wool=coins).bag(1, monk=1).goods(2)


def test_orleans_torture_station_built__makes_room_in_its_town() -> None:
    """After a station is surrendered, another may be built in its town (p. 5 and 6)."""
    game = create_taxable_game(1).stations(1, "blois").at(2, merchant="blois").fill(2, "guildhall")
    game.strike("taxes", "A")
    game.do(1, c.SurrenderTradingStation("blois"))
    game.enter("actions", start=2)
    game.do(2, c.UsePlace("guildhall"))
    assert game.t.towns["blois"].counts() == {"station.2": 1}


def test_orleans_torture_station_built__orleans_may_be_built_in_again() -> None:
    """A seat that surrendered its station in Orléans may build there again."""
    game = create_taxable_game(1).stations(1, "orleans").fill(1, "guildhall")
    game.strike("taxes", "A")
    game.do(1, c.SurrenderTradingStation("orleans"))
    game.enter("actions")
    game.do(1, c.UsePlace("guildhall"))
    assert game.seat(1).stations.total() == 8


def test_orleans_torture_followers_of_lost_place__the_gunpowder_tower() -> None:
    """Without the tower its spaces give no room; its followers return to the bag, marked or not."""
    game = create_taxable_game(1).own(1, "gunpowder_tower").fill(1, "gunpowder_tower", "knight", "own_farmer")
    game.strike("taxes", "A")
    game.do(1, c.SurrenderPlaceTile("gunpowder_tower"))
    assert game.seat(1).bag.counts() == {"monk": 1, "knight": 1, "own_farmer": 1}
    game.market(1, farmer=7).enter("followers")
    assert [command for command in game.legal(1) if isinstance(command, c.DrawFollowers)][-1] == c.DrawFollowers(1)


def test_orleans_torture_place_tile__an_unused_sacristy() -> None:
    """A seat that did not use its Sacristy may surrender it to the torture; its monk returns to the bag."""
    game = create_taxable_game(2).own(1, "sacristy").fill(1, "sacristy")
    game.strike("taxes", "A")
    game.do(1, c.SufferEvent(), c.SurrenderPlaceTile("sacristy"))
    assert game.seat(1).bag.counts() == {"monk": 2}
    assert game.seat(1).debt.value == 1


def test_orleans_torture_good__surrendered_food_is_not_given_to_the_harvest() -> None:
    """Food surrendered to torture during a harvest replaces one coin, and cannot be given for the next item (p. 7)."""
    game = OrleansGame(2, harvest_short_of_coins="torture_allowed").at(1, coins=3).goods(1, grain=1).bag(1)
    game.at(2, coins=50).goods(2)
    game.strike("harvest", "B")
    game.do(1, c.PayForFood())
    assert (game.decision(1), game.seat(1).debt.value) == ("torture", 2)
    game.do(1, c.SurrenderGood("grain"), c.SurrenderTradingStation())
    assert (game.decision(1), game.seat(1).debt.value) == ("torture", 5)
    assert game.t.removed.counts()["grain"] == 1


def test_orleans_torture_technology__its_place_takes_another_tile() -> None:
    """A surrendered tile frees its space for a follower, and its place for another tile."""
    game = create_taxable_game(1).fill(1, "ship", "technology").technology(1).at(1, technology_placed=1)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderTechnology("ship", "farmer"))
    game.market(1, farmer=1).enter("planning")
    assert c.PlaceFollower("farmer", "ship", "farmer") in game.legal(1)
    game.enter("actions")
    game.do(1, c.Pass())
    game.do(1, c.PlaceTechnology("ship", "boatman"))


def test_orleans_torture_technology__does_not_return_to_the_supply() -> None:
    """Surrendered tiles leave the game (p. 6): without tiles in the supply no craftsman is recruited."""
    game = create_taxable_game(1).technology(1)
    game.run_out("technology", game.t.technology)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderTechnology())
    assert game.t.technology.total() == 0
    game.fill(1, "village").enter("actions")
    game.reject(1, c.RecruitFollower("village", "craftsman"), "orleans.village.technology_available")


def test_orleans_torture_followers_of_lost_place__stand_ins_of_the_herb_garden_stay() -> None:
    """A boatman on a farmer's space stays when the Herb Garden is lost, and activates the place (our ruling)."""
    game = create_taxable_game(1).own(1, "herb_garden").fill(1, "ship", "boatman", "own_boatman", "knight")
    game.strike("taxes", "A")
    game.do(1, c.SurrenderPlaceTile("herb_garden"))
    game.enter("actions")
    assert c.Travel("ship", "blois") in game.legal(1)


def test_orleans_torture_neutral_follower_needed__for_each_follower() -> None:
    """Neutral followers may be surrendered until only marked ones are in the bag."""
    game = create_taxable_game(3).bag(1, monk=2, own_farmer=1)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderFollower(), c.SurrenderFollower())
    game.reject(1, c.SurrenderFollower(), "orleans.torture.neutral_follower_needed")


# --- plague, sacristy and pilgrimage ----------------------------------------------------------------------


def test_orleans_plague_empty_bag__the_sacristy_may_be_kept() -> None:
    """The owner of a Sacristy decides even if there is nothing to lose (our ruling)."""
    game = OrleansGame(2).own(1, "sacristy").fill(1, "sacristy").bag(1).bag(2)
    game.strike("plague")
    events = game.do(1, c.SufferEvent())
    assert details(events, e.PlagueStruck)[1] == e.PlagueStruck("", lost=False)
    assert game.seat(1).estate().places["sacristy"].is_active(game.seat(1).estate().free())


def test_orleans_sacristy_shields__again_with_another_monk() -> None:
    """It may shield in each round if a monk is placed there again (p. 8)."""
    game = OrleansGame(2).own(1, "sacristy").bag(1, farmer=1).goods(1, wool=3).at(1, coins=0).goods(2)
    for event in ("taxes", "plague"):
        game.fill(1, "sacristy").strike(event)
        game.do(1, c.UseSacristy())
        assert game.seat(1).bag.counts()["monk"] >= 1
    assert game.seat(1).goods.counts() == {"wool": 3}


def test_orleans_pilgrimage__monks_still_stand_in() -> None:
    """Pilgrimage closes only the Monastery; monks are placed and drawn as usual (p. 7)."""
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


def test_orleans_deeds_free_space__no_deed_for_the_follower() -> None:
    """A Town Hall cannot be used if no deed takes its followers (p. 5)."""
    game = OrleansGame(2).on_deed("papal_conclave", monk=2).on_deed("cathedral", monk=2).on_deed("peace_treaty", monk=1)
    game.fill(1, "town_hall", "monk", "").enter("actions")
    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.SendToDeed("town_hall", "any", "peace_treaty"), "orleans.deeds.free_space")


def test_orleans_deeds_canalization__development_beyond_the_end() -> None:
    """At the end of the development track the point may be chosen, but is lost (our ruling)."""
    game = OrleansGame(2).at(1, development=30, coins=0).fill(1, "town_hall", "boatman", "")
    game.enter("actions")
    events = game.do(1, c.SendToDeed("town_hall", "any", "canalization", "development"))
    assert not named(events, "DevelopmentAdvanced")
    assert (game.seat(1).development.value, game.seat(1).coins.value) == (30, 0)


# --- supplies that end ----------------------------------------------------------------------


def test_orleans_running_out_characters__the_last_technology_tile() -> None:
    """After the last tile is taken, no seat recruits craftsmen or uses the Laboratory (p. 8)."""
    game = OrleansGame(2).fill(1, "village").own(2, "laboratory").fill(2, "laboratory").fill(2, "village")
    game.run_out("technology", game.t.technology).bring("technology", game.t.technology)
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "craftsman"))
    game.reject(2, c.UsePlace("laboratory"), "orleans.laboratory.technology_available")
    game.reject(2, c.RecruitFollower("village", "craftsman"), "orleans.village.technology_available")
    assert c.RecruitFollower("village", "boatman") in game.legal(2)


def test_orleans_running_out_characters__no_advance_without_a_follower() -> None:
    """Without a scholar in the supply there is no advance and no development (p. 8)."""
    game = OrleansGame(2).fill(1, "university")
    game.run_out("scholar", game.t.supply).enter("actions")
    game.reject(1, c.RecruitFollower("university", "scholar"), "orleans.recruiting.supply")
    assert game.seat(1).development.value == 0


def test_orleans_running_out_returns__not_from_deeds() -> None:
    """Followers on deeds do not return to the supply (p. 5), so with two players boatmen can run out."""
    game = OrleansGame(2).on_deed("canalization", boatman=3).on_deed("boatmen_guild", boatman=3)
    game.fill(1, "village", "own_farmer", "own_boatman", "own_craftsman").enter("actions")
    game.reject(1, c.RecruitFollower("village", "boatman"), "orleans.recruiting.supply")


# --- bathhouse and tower ----------------------------------------------------------------------


def test_orleans_bathhouse_draw__a_marked_follower_may_be_placed() -> None:
    """Own followers are drawn and placed like others, but not in the Town Hall (p. 5 and 8)."""
    game = OrleansGame(2).own(1, "bathhouse").fill(1, "bathhouse", "monk").bag(1, own_farmer=1, own_trader=1)
    game.enter("actions")
    game.do(1, c.UsePlace("bathhouse"))
    assert not any(command.place == "town_hall" for command in game.legal(1) if hasattr(command, "place"))
    game.do(1, c.PlaceDrawnFollower("own_trader", "castle", "trader"))
    assert game.seat(1).bag.counts() == {"own_farmer": 1, "monk": 1}


def test_orleans_bathhouse_usable_at_once__a_place_bought_in_this_phase() -> None:
    """A place tile of the same phase may be filled by the Bathhouse, and used (p. 4 and 8)."""
    game = OrleansGame(2).own(1, "bathhouse").fill(1, "bathhouse", "own_farmer").fill(1, "village").bag(1, monk=1)
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "trader", "hayrick"))
    game.idle(2)
    game.bag(1, monk=2)
    game.do(1, c.UsePlace("bathhouse"), c.PlaceDrawnFollower("monk", "hayrick", "farmer"))
    events = game.do(1, c.UsePlace("hayrick"))
    assert detail(events, e.PlaceUsed).good == "grain"


def test_orleans_gunpowder_tower_market__taken_back_and_stored() -> None:
    """If the market is full, a follower taken back has to go to the tower (p. 8)."""
    game = OrleansGame(2).own(1, "gunpowder_tower").market(1, farmer=8).bag(1).fill(1, "scriptorium")
    game.market(2).bag(2).enter("followers")
    game.do(1, c.DrawFollowers(0), c.TakeBackFollower("scriptorium", "scholar"))
    game.do(1, c.TakeBackFollower("scriptorium", "knight"))
    assert game.decision(1) == "store"
    game.reject(1, c.FinishStoring(), "orleans.drawing.market_room")


# --- technology, travel, development ----------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_orleans_technology_one_per_place__two_equal_spaces(edition: str) -> None:
    """In all printings only one of the two farmers of the Cheese Factory may be replaced (p. 4)."""
    game = OrleansGame(2, edition).own(1, "cheese_factory").technology(1, 2)
    game.enter("actions")
    game.do(1, c.Pass(), c.PlaceTechnology("cheese_factory", "farmer_2"))
    game.reject(1, c.PlaceTechnology("cheese_factory", "farmer"), "orleans.technology.one_per_place")


def test_orleans_actions_technology_stays__and_other_followers_are_needed_again() -> None:
    """A place with technology needs its other followers for each action (p. 4)."""
    game = OrleansGame(2).fill(1, "scriptorium", "technology", "scholar")
    game.enter("actions")
    game.do(1, c.UsePlace("scriptorium"))
    game.idle(2)
    game.reject(1, c.UsePlace("scriptorium"), "orleans.actions.activated")
    assert game.seat(1).bag.counts()["scholar"] == 1


def test_orleans_travel_good_on_the_way__two_merchants() -> None:
    """The second merchant on a way takes one of the goods that the first left (p. 5)."""
    game = OrleansGame(2).fill(1, "ship").fill(2, "ship")
    way = next(way.id for way in game.t.data.ways if way.kind == "water" and set(way.towns) == {"orleans", "briare"})
    game.on_way(way, wine=1, wool=1).enter("actions")
    game.do(1, c.Travel("ship", "briare", "wool"))
    game.reject(2, c.Travel("ship", "briare", "wool"), "orleans.travel.good_on_the_way")
    game.do(2, c.Travel("ship", "briare", "wine"))


def test_orleans_development_coins__two_coin_spaces_in_one_step() -> None:
    """The six points of the fifth scholar can pass two coin spaces and a status space (p. 6)."""
    game = OrleansGame(2).at(1, development=6, coins=0, scholars=4).fill(1, "university")
    game.enter("actions")
    events = game.do(1, c.RecruitFollower("university", "scholar"))
    assert detail(events, e.DevelopmentAdvanced) == e.DevelopmentAdvanced(12, 3, 7, 0)


def test_orleans_guildhall_one_per_town__merchants_do_not_count() -> None:
    """A merchant in a town prevents no seat from building there; a station prevents all, also its owner (p. 5)."""
    game = OrleansGame(2).at(1, merchant="tours").at(2, merchant="tours").fill(1, "guildhall").fill(2, "guildhall")
    game.enter("actions")
    game.do(1, c.UsePlace("guildhall"))
    game.reject(2, c.UsePlace("guildhall"), "orleans.guildhall.one_per_town", "STATION_THERE")
    game.fill(1, "guildhall").enter("actions")
    game.reject(1, c.UsePlace("guildhall"), "orleans.guildhall.one_per_town", "STATION_THERE")


def test_orleans_hospital_coins__the_status_after_torture() -> None:
    """The Hospital pays for the present status, also after steps back (p. 6 and 8)."""
    game = OrleansGame(2).at(1, development=9, coins=0).goods(1, wool=1).bag(1).own(1, "hospital")
    game.strike("taxes", "A")
    game.do(1, c.SurrenderDevelopment())
    game.fill(1, "hospital").enter("actions")
    assert detail(game.do(1, c.UsePlace("hospital")), e.PlaceUsed).coins == 2


def test_orleans_trading_day__after_a_station_was_surrendered() -> None:
    """Only stations on the map bring coins (p. 7)."""
    game = OrleansGame(2).stations(1, "orleans", "blois").at(1, coins=0).goods(1, wool=1).bag(1)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderTradingStation("blois"))
    assert details(game.strike("trading_day", "A"), e.TradingDayHeld)[1] == e.TradingDayHeld(3, 1)


@pytest.mark.parametrize("edition", ["dlp-8th", "capstone-2021"])
def test_orleans_setup__five_seats(edition: str) -> None:
    """A game of five has all technology tiles and goods spaces, and the fifth seat acts last (p. 2, 8)."""
    game = OrleansGame(5, edition)
    assert game.t.technology.total() == 20
    assert sum(pile.total() for pile in game.t.ways.values()) == 52
    game.enter("actions")
    for seat in (1, 2, 3, 4, 5):
        assert game.deciding() == [seat]
        game.do(seat, c.Pass())
    assert game.t.phase.value != "actions"
