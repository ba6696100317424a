"""Combinations of readings. The tests of single readings are with those of their rules."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e


def test_orleans_technology_open_spaces__not_the_pharmacy() -> None:
    """It takes any follower but has a single space, so it takes no technology in any reading."""
    game = OrleansGame(2, technology_on_open_spaces="open").own(1, "pharmacy").technology(1).at(1, technology_placed=1)
    game.enter("actions")
    game.do(1, c.Pass())
    game.reject(1, c.PlaceTechnology("pharmacy", "any"), "orleans.technology.never_single_space")


def test_orleans_technology_open_spaces__with_sends_follower_home() -> None:
    """A tile replaces a follower of the Town Hall, which stays activated but has no follower to send."""
    game = OrleansGame(2, technology_on_open_spaces="open", technology_on_occupied="sends_follower_home")
    game.bag(1).technology(1).at(1, technology_placed=1).fill(1, "town_hall", "monk", "").enter("actions")
    game.do(1, c.Pass(), c.PlaceTechnology("town_hall", "any"))
    assert game.seat(1).bag.counts() == {"monk": 1}
    game.enter("actions")
    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.SendToDeed("town_hall", "any", "papal_conclave"), "orleans.deeds.exact_character")


def test_orleans_technology_sends_follower_home__not_technology() -> None:
    """A place takes one tile, so a tile does not replace another one."""
    game = OrleansGame(2, technology_on_occupied="sends_follower_home").technology(1).at(1, technology_placed=1)
    game.fill(1, "ship", "technology").enter("actions")
    game.do(1, c.Pass())
    for space in ("farmer", "boatman"):
        game.reject(1, c.PlaceTechnology("ship", space), "orleans.technology.one_per_place")


def create_shielded_game(**readings: str) -> OrleansGame:
    """Create a game in which seat 1 is last on the farmers track, without coins, with an activated Sacristy."""
    game = OrleansGame(3, **readings).own(1, "sacristy").fill(1, "sacristy").bag(1).at(1, coins=0)
    return game.at(2, farmers=2).at(3, farmers=2)


def test_orleans_sacristy_census_too__automatic() -> None:
    """With both readings it is used at the census without a decision."""
    game = create_shielded_game(sacristy_scope="census_too", sacristy_use="automatic")
    assert detail(game.enter("census"), e.SacristyUsed).event == "census"
    assert game.t.phase.value == "followers"


def test_orleans_sacristy_census_too__and_events() -> None:
    game = create_shielded_game(sacristy_scope="census_too")
    game.strike("taxes")
    assert game.decision(1) == "sacristy"


def test_orleans_torture_status_kept__until_a_higher_one() -> None:
    """Only a higher status space changes the status, not the return to lost spaces."""
    game = OrleansGame(2, torture_status="kept").at(1, coins=0, development=5).goods(1, grain=2).bag(1)
    game.strike("taxes")
    game.do(1, c.SurrenderDevelopment(), c.SurrenderDevelopment())
    game.fill(1, "scriptorium").enter("actions")
    game.do(1, c.UsePlace("scriptorium"))
    assert (game.seat(1).development.value, game.seat(1).status()) == (4, 2)
    game.at(1, development=8).fill(1, "scriptorium").enter("actions")
    game.do(1, c.UsePlace("scriptorium"))
    assert game.seat(1).status() == 3


def test_orleans_torture_debt_carried__adds_up() -> None:
    game = OrleansGame(2, torture_nothing_left="carried").at(1, coins=0).at(2, coins=50).bag(1)
    game.empty(game.seat(1).stations, "removed")
    for owed in (5, 10):
        game.strike("harvest", "A")
        game.do(2, c.PayForFood())
        assert game.seat(1).arrears.value == owed


# --- all choices in all printings -------------------------------------------------------------------------------------

EDITIONS = ("dlp-2014", "dlp-8th", "capstone-2021")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("reading", "after"), [("before_or_after", True), ("before_drawing", False)])
def test_orleans_taking_back_after_drawing__taking_back_time(edition: str, reading: str, after: bool) -> None:
    game = OrleansGame(2, edition, taking_back_time=reading).market(1).bag(1, farmer=8).fill(1, "scriptorium")
    game.market(2).bag(2).enter("followers")
    back = c.TakeBackFollower("scriptorium", "knight")
    assert back in game.legal(1)
    game.do(1, c.DrawFollowers(3))
    if after:
        game.do(1, back)
    else:
        game.reject(1, back, "table.wrong_decision")
    assert game.decision(1) == "plan"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("reading", "accepted"), [("allowed_draws", True), ("possible_draws", False)])
def test_orleans_taking_back_possible_draws__taking_back(edition: str, reading: str, accepted: bool) -> None:
    """With an empty bag a seat cannot give up a draw that it could make."""
    game = OrleansGame(2, edition, taking_back=reading).market(1).bag(1).fill(1, "scriptorium").market(2)
    game.bag(2, farmer=1).enter("followers")
    if accepted:
        game.do(1, c.TakeBackFollower("scriptorium", "knight"))
    else:
        game.reject(1, c.TakeBackFollower("scriptorium", "knight"), "table.not_deciding")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("reading", "fewer"), [("up_to", True), ("fixed", False)])
def test_orleans_drawing_fewer__draw_amount(edition: str, reading: str, fewer: bool) -> None:
    game = OrleansGame(2, edition, draw_amount=reading).market(1).bag(1, farmer=8)
    game.enter("followers")
    if fewer:
        game.do(1, c.DrawFollowers(0))
    else:
        game.reject(1, c.DrawFollowers(3), "orleans.drawing.full", "TOO_FEW_DRAWS")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("reading", "leaves"), [("open", True), ("closed", False)])
def test_orleans_torture_from_coin_space__torture_from_coin_space(edition: str, reading: str, leaves: bool) -> None:
    game = OrleansGame(2, edition, torture_from_coin_space=reading).at(1, development=12, coins=0).goods(1, wool=1)
    game.strike("taxes", "A")
    if leaves:
        game.do(1, c.SurrenderDevelopment())
    else:
        game.reject(1, c.SurrenderDevelopment(), "orleans.torture.coin_space_holds", "COIN_SPACE_HOLDS")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("reading", "planned"), [("after_passing_and_planning", True), ("after_passing", False)])
def test_orleans_technology_after_passing__technology_window(edition: str, reading: str, planned: bool) -> None:
    game = OrleansGame(2, edition, technology_window=reading).technology(1)
    game.enter("planning")
    if planned:
        game.do(1, c.PlaceTechnology("ship", "farmer"))
    else:
        game.reject(1, c.PlaceTechnology("ship", "farmer"), "orleans.technology.after_passing", "PASS_FIRST")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("reading", "takes"), [("open", True), ("closed", False)])
def test_orleans_technology_fixed_character__technology_on_open_spaces(edition: str, reading: str, takes: bool) -> None:
    game = OrleansGame(2, edition, technology_on_open_spaces=reading).technology(1).at(1, technology_placed=1)
    game.enter("actions")
    game.do(1, c.Pass())
    command = c.PlaceTechnology("town_hall", "any")
    if takes:
        game.do(1, command)
    else:
        game.reject(1, command, "orleans.technology.fixed_character", "NO_FIXED_CHARACTER")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("reading", "leaves"), [("may", True), ("must", False)])
def test_orleans_horse_wagon_collects__horse_wagon_good(edition: str, reading: str, leaves: bool) -> None:
    game = OrleansGame(2, edition, horse_wagon_good=reading).own(1, "horse_wagon").fill(1, "horse_wagon")
    game.on_way("orleans_vierzon_road", wool=1).enter("actions")
    command = c.Travel("horse_wagon", "vierzon")
    if leaves:
        game.do(1, command)
    else:
        game.reject(1, command, "orleans.horse_wagon.collects", "GOOD_LEFT")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("reading", "remains"), [("points_lost", True), ("closes_actions", False)])
def test_orleans_development_end_closes__development_end(edition: str, reading: str, remains: bool) -> None:
    game = OrleansGame(2, edition, development_end=reading).at(1, development=30).fill(1, "scriptorium")
    game.enter("actions")
    if remains:
        game.do(1, c.UsePlace("scriptorium"))
    else:
        game.reject(1, c.UsePlace("scriptorium"), "orleans.development.end_closes", "TRACK_END")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("reading", "coins"), [("once", 0), ("each_time", 3)])
def test_orleans_development_coins_each_time__coin_space_again(edition: str, reading: str, coins: int) -> None:
    game = OrleansGame(2, edition, coin_space_again=reading).at(1, development=7, coins=0).goods(1, wool=1)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderDevelopment())
    game.fill(1, "scriptorium").enter("actions")
    game.do(1, c.UsePlace("scriptorium"))
    assert game.seat(1).coins.value == coins
