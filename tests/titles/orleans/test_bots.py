"""Bots play whole games with legal commands; the sensible bot chooses commands that score well."""

from __future__ import annotations

from statistics import mean

import pytest
from msgspec import Struct
from tests.families.followers.planning import most_planned
from tests.titles.orleans.kit import OrleansGame
from tests.titles.orleans.playing import play_out

from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans.meta import META
from boardkeeper.titles.orleans.title import TITLE

CHOICES = [(option.id, choice.id) for option in (*META.options, *META.readings) for choice in option.choices[1:]]
BOTS = [bot.id for bot in META.bots]


def choose(game: OrleansGame, *commands: Struct) -> Struct:
    """Return the command that the sensible bot chooses for seat 1 from ``commands``."""
    return ask_bot(TITLE, game.setup, game.table, "sensible", 1, commands, 0.0)


# --- whole games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_every_number_of_players_to_the_end(bot: str, players: int) -> None:
    play, _ = play_out([bot] * players, f"{bot} {players}")
    assert min(standing.rank for standing in play.standings()) == 1
    assert len(play.standings()) == players


def test_the_sensible_bot_scores_far_more_than_the_random_bot() -> None:
    """Each of the four games has three sensible bots and one random bot."""
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
    is_option = option in {known.id for known in META.options}
    chosen, readings = ({option: choice}, {}) if is_option else ({}, {option: choice})
    play, _ = play_out(["sensible", "sensible"], choice, None, "capstone-2021", chosen, readings)
    assert play.is_over()


def test_the_sensible_bot_plans_without_taking_back() -> None:
    assert most_planned(TITLE, players=3) <= 11


# --- single decisions ----------------------------------------------------------------------------------------------


def test_the_sensible_bot_chooses_the_only_command() -> None:
    game = OrleansGame(2)
    assert choose(game, c.Pass()) == c.Pass()


@pytest.mark.parametrize(("chance", "index"), [(0.0, 0), (0.34, 1), (0.99, 2)])
def test_the_random_bot_chooses_each_command_with_equal_chance(chance: float, index: int) -> None:
    commands = [c.DrawFollowers(count) for count in range(3)]
    assert TITLE.choose("random", OrleansGame(2).play, 1, commands, chance) == commands[index]


def test_the_sensible_bot_gives_its_cheapest_food() -> None:
    commands = (c.GiveFood("wine"), c.GiveFood("grain"), c.PayForFood())
    assert choose(OrleansGame(2), *commands) == c.GiveFood("grain")


def test_the_sensible_bot_surrenders_what_has_the_lowest_value() -> None:
    game = OrleansGame(2).stations(1, "tours")
    stations = (c.SurrenderTradingStation("tours"), c.SurrenderTradingStation(), c.SurrenderGood("brocade"))
    assert choose(game, *stations) == c.SurrenderTradingStation()
    goods = (c.SurrenderGood("brocade"), c.SurrenderGood("grain"), c.SurrenderTradingStation("tours"))
    assert choose(game, *goods) == c.SurrenderGood("grain")


def test_the_sensible_bot_builds_before_it_travels() -> None:
    game = OrleansGame(2).fill(1, "guildhall").fill(1, "wagon")
    commands = (c.Travel("wagon", "chartres", "brocade"), c.UsePlace("guildhall"), c.Pass())
    assert choose(game, *commands) == c.UsePlace("guildhall")


def test_the_sensible_bot_takes_the_better_good() -> None:
    game = OrleansGame(2).on_way("orleans_montargis_road", wine=1, brocade=1)
    commands = [c.Travel("wagon", "montargis", good) for good in ("wine", "brocade", "")]
    assert choose(game, *commands, c.Pass()) == c.Travel("wagon", "montargis", "brocade")


def test_the_sensible_bot_takes_back_followers_from_a_useless_place() -> None:
    """The Castle is useless for a seat at the end of the knights track (5)."""
    commands = (c.DrawFollowers(0), c.DrawFollowers(4), c.TakeBackFollower("castle", "farmer"))
    game = OrleansGame(2).fill(1, "castle", "farmer").bag(1, farmer=8)
    assert choose(game, *commands) == c.DrawFollowers(4)
    game.seat(1).track["knights"].value = 5
    assert choose(game, *commands) == c.TakeBackFollower("castle", "farmer")


@pytest.mark.parametrize(
    ("event", "strength", "goods", "used"),
    [("taxes", "A", 5, True), ("taxes", "U", 5, False), ("taxes", "C", 1, False), ("harvest", "C", 0, True)],
)
def test_the_sensible_bot_keeps_the_sacristy_for_expensive_events(
    event: str, strength: str, goods: int, used: bool
) -> None:
    game = OrleansGame(2, hour_glass="ungraded" if strength == "U" else "graded").goods(1, grain=goods)
    game.t.set(game.t.event, event)
    game.t.set(game.t.strength, strength)
    chosen = choose(game, c.SufferEvent(), c.UseSacristy())
    assert chosen == (c.UseSacristy() if used else c.SufferEvent())
