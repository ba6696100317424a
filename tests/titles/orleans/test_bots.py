"""Bots: always a legal command, always to the end, and the sensible one plays for points."""

from __future__ import annotations

from statistics import mean

import pytest
from msgspec import Struct
from tests.families.followers.planning import most_planned
from tests.titles.orleans.kit import OrleansGame
from tests.titles.orleans.playing import play_out

from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans.bots.sensible import VALUE_FUNCTIONS
from boardkeeper.titles.orleans.meta import META
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.title import TITLE

CHOICES = [(option.id, choice.id) for option in (*META.options, *META.readings) for choice in option.choices[1:]]
BOTS = [bot.id for bot in META.bots]


def sensible(game: OrleansGame, *commands: Struct) -> Struct:
    """What the sensible bot on seat 1 does."""
    return ask_bot(TITLE, game.setup, game.table, "sensible", 1, commands, 0.0)


# --- whole games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_every_number_of_players_to_the_end(bot: str, players: int) -> None:
    play, _ = play_out([bot] * players, f"{bot} {players}")
    assert min(standing.rank for standing in play.standings()) == 1
    assert len(play.standings()) == players


def test_the_sensible_bot_plays_well_and_far_better_than_chance() -> None:
    """Four games of four: sensible bots score like people who know the game, random ones next to nothing."""
    totals: dict[str, list[int]] = {bot: [] for bot in BOTS}
    for game in range(4):
        bots = ["sensible"] * 4
        bots[game] = "random"
        play, _ = play_out(bots, f"contest {game}")
        for standing in play.standings():
            totals[bots[standing.seat - 1]].append(standing.points)
    assert mean(totals["sensible"]) > 80
    assert mean(totals["random"]) < 20
    assert min(totals["sensible"]) > max(totals["random"])


@pytest.mark.parametrize(("option", "choice"), CHOICES)
def test_the_sensible_bot_plays_under_every_option_and_reading(option: str, choice: str) -> None:
    """The board shows the consequences of a reading in legal commands; the bot asks for nothing else."""
    is_option = option in {known.id for known in META.options}
    chosen, readings = ({option: choice}, {}) if is_option else ({}, {option: choice})
    play, _ = play_out(["sensible", "sensible"], choice, None, "capstone-2021", chosen, readings)
    assert play.is_over()


def test_planning_ends_without_taking_anything_back() -> None:
    """The sensible bot places what it wants to, at most everything at hand, and finishes."""
    assert most_planned(TITLE, players=3) <= 11


def test_the_sensible_bot_knows_what_every_command_is_worth() -> None:
    compared = {command for decision, command in OrleansPlay.dispatcher.decide_functions if decision != "plan"}
    assert set(VALUE_FUNCTIONS) >= compared


# --- single decisions ----------------------------------------------------------------------------------------------


def test_a_single_command_needs_no_thought() -> None:
    game = OrleansGame(2)
    assert sensible(game, c.Pass()) == c.Pass()


def test_an_unknown_bot_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="clever"):
        TITLE.choose("clever", OrleansGame(2).play, 1, [c.Pass(), c.Pass()], 0.0)


@pytest.mark.parametrize(("chance", "index"), [(0.0, 0), (0.34, 1), (0.99, 2)])
def test_the_random_bot_takes_each_command_with_equal_chance(chance: float, index: int) -> None:
    commands = [c.DrawFollowers(count) for count in range(3)]
    assert TITLE.choose("random", OrleansGame(2).play, 1, commands, chance) == commands[index]


def test_the_sensible_bot_draws_all_it_may() -> None:
    assert sensible(OrleansGame(2), *(c.DrawFollowers(count) for count in range(5))) == c.DrawFollowers(4)


def test_the_sensible_bot_gives_its_cheapest_food() -> None:
    commands = (c.GiveFood("wine"), c.GiveFood("grain"), c.PayForFood())
    assert sensible(OrleansGame(2), *commands) == c.GiveFood("grain")


def test_the_sensible_bot_under_torture_gives_what_it_misses_least() -> None:
    game = OrleansGame(2).stations(1, "tours")
    stations = (c.SurrenderTradingStation("tours"), c.SurrenderTradingStation(), c.SurrenderGood("brocade"))
    assert sensible(game, *stations) == c.SurrenderTradingStation()
    goods = (c.SurrenderGood("brocade"), c.SurrenderGood("grain"), c.SurrenderTradingStation("tours"))
    assert sensible(game, *goods) == c.SurrenderGood("grain")


def test_the_sensible_bot_builds_before_it_travels_on() -> None:
    game = OrleansGame(2).fill(1, "guildhall").fill(1, "wagon")
    commands = (c.Travel("wagon", "chartres", "brocade"), c.UsePlace("guildhall"), c.Pass())
    assert sensible(game, *commands) == c.UsePlace("guildhall")


def test_the_sensible_bot_takes_the_better_good() -> None:
    game = OrleansGame(2).on_way("orleans_montargis_road", wine=1, brocade=1)
    commands = [c.Travel("wagon", "montargis", good) for good in ("wine", "brocade", "")]
    assert sensible(game, *commands, c.Pass()) == c.Travel("wagon", "montargis", "brocade")


def test_the_sensible_bot_frees_followers_from_a_place_without_use() -> None:
    """Whoever waits in the Castle of a seat that has all its knights waits in vain."""
    commands = (c.DrawFollowers(0), c.DrawFollowers(4), c.TakeBackFollower("castle", "farmer"))
    game = OrleansGame(2).fill(1, "castle", "farmer").bag(1, farmer=8)
    assert sensible(game, *commands) == c.DrawFollowers(4)
    game.seat(1).track["knights"].value = 5
    assert sensible(game, *commands) == c.TakeBackFollower("castle", "farmer")


@pytest.mark.parametrize(
    ("event", "strength", "goods", "used"),
    [("taxes", "A", 5, True), ("taxes", "U", 5, False), ("taxes", "C", 1, False), ("harvest", "C", 0, True)],
)
def test_the_sensible_bot_keeps_the_sacristy_for_what_hurts(event: str, strength: str, goods: int, used: bool) -> None:
    game = OrleansGame(2, hour_glass="ungraded" if strength == "U" else "graded").goods(1, grain=goods)
    game.t.set(game.t.event, event)
    game.t.set(game.t.strength, strength)
    chosen = sensible(game, c.SufferEvent(), c.UseSacristy())
    assert chosen == (c.UseSacristy() if used else c.SufferEvent())
