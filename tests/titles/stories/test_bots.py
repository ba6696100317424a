"""Bots give legal commands, finish their games, and the sensible one plays for points."""

from __future__ import annotations

from random import Random
from statistics import mean

import pytest
from msgspec import Struct
from tests.families.followers.planning import most_planned
from tests.titles.stories.kit import StoriesGame
from tests.titles.stories.nations import NationsGame
from tests.titles.stories.playing import play_out

from boardkeeper.table.visibility import shared_by
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import teams
from boardkeeper.titles.stories.meta import META
from boardkeeper.titles.stories.tables import DATA_SETS
from boardkeeper.titles.stories.title import TITLE

BOTS = [bot.id for bot in META.bots]


def choose_sensibly(game: StoriesGame, *commands: Struct) -> Struct:
    """Return the command of the sensible bot on seat 1."""
    return ask_bot(TITLE, game.setup, game.table, "sensible", 1, commands, 0.0)


# --- whole games ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bot", BOTS)
def test_bot_finishes_games_with_every_number_of_players(bot: str, players: int) -> None:
    play, _ = play_out([bot] * players, f"{bot} {players}")
    assert play.is_over()
    assert len(play.standings()) == players


def test_sensible_bot_finishes_england_vs_france() -> None:
    play, _ = play_out(["sensible"] * 4, "nations", edition="england-vs-france")
    assert play.is_over()
    assert len(play.standings()) == 4


def test_sensible_bot_is_much_better_than_random() -> None:
    totals: dict[str, list[int]] = {bot: [] for bot in BOTS}
    for game in range(3):
        bots = ["sensible"] * 3
        bots[game] = "random"
        play, _ = play_out(bots, f"contest {game}")
        for standing in play.standings():
            totals[bots[standing.seat - 1]].append(standing.points)
    assert mean(totals["sensible"]) > 60
    assert min(totals["sensible"]) > max(totals["random"])


@pytest.mark.parametrize("data_set", DATA_SETS.names)
def test_sensible_bot_plays_with_every_data_set(data_set: str) -> None:
    """Places differ between data sets; the bot reads them from the board."""
    play, _ = play_out(["sensible"] * 2, data_set, options={"data_set": data_set})
    assert play.is_over()
    assert min(standing.points for standing in play.standings()) > 20


def test_planning_ends_without_taking_followers_back() -> None:
    """The sensible bot places at most all its followers, then finishes."""
    assert most_planned(TITLE, players=2) <= 13


# --- single decisions ----------------------------------------------------------------------------------------


def test_sensible_bot_gives_its_cheapest_food() -> None:
    commands = (c.GiveGood("wine"), c.GiveGood("grain"), c.GiveGood("bread"))
    assert choose_sensibly(StoriesGame(), *commands) == c.GiveGood("grain")


def test_sensible_bot_surrenders_what_is_worth_least() -> None:
    commands = (c.SurrenderSettler("c1r2"), c.SurrenderCitizen(), c.SurrenderFortress())
    assert choose_sensibly(StoriesGame().citizens(1, 3), *commands) == c.SurrenderFortress()


def test_sensible_bot_prefers_an_expansion_to_passing() -> None:
    game = StoriesGame()
    area = game.area("c1r2").neighbours[0]
    assert choose_sensibly(game, c.Pass(), c.Expand("territory", area)) == c.Expand("territory", area)


def test_sensible_bot_prefers_a_monastery_early_and_a_citizen_late() -> None:
    game = StoriesGame()
    commands = (c.TakeCitizen(), c.UnlockPlace("monastery"))
    assert choose_sensibly(game, *commands) == c.UnlockPlace("monastery")
    game.t.round.value = game.data.rounds
    areas = game.area("c1r2").neighbours[:2]
    game.settle(areas[0], 1).settle(areas[1], 1).village(*areas)
    assert choose_sensibly(game, *commands) == c.TakeCitizen()


# --- declaring -----------------------------------------------------------------------------------------------

DECLARING = (c.KeepSilent(), c.DeclareMission())


def create_fulfilled_game(look_is_public: str = "yes") -> NationsGame:
    """England's mission (three lakes, four fish) is fulfilled by seats 1 and 3 together."""
    game = NationsGame(look_is_public=look_is_public).mission("england", "m3").mission("france", "m4")
    for area, seat in (("c1r1", 1), ("c1r2", 1), ("c2r1", 3)):
        game.landscape(area, "lake").hold(seat, area)
    return game.goods(1, fish=2).goods(3, fish=2)


def declares(game: NationsGame, seat: int) -> bool:
    """Return whether the sensible bot on this seat declares."""
    chosen = ask_bot(TITLE, game.setup, game.table, "sensible", seat, DECLARING, 0.0)
    return isinstance(chosen, c.DeclareMission)


def test_sensible_bot_declares_only_what_it_knows_to_be_fulfilled() -> None:
    """It counts a seat only if it knows that the seat is of its nation, or that both others are not."""
    game = create_fulfilled_game()
    assert not declares(game, 1), "seat 1 does not know its teammate"
    game.t.recorder.show(game.seat(2).nation, shared_by(1, 2))
    assert not declares(game, 1), "seat 2 is not the teammate, but seat 4 may be"
    game.t.recorder.show(game.seat(4).nation, shared_by(1, 4))
    assert declares(game, 1), "so seat 3 is the teammate"
    game.goods(3, fish=1)
    assert not declares(game, 1)

    game = create_fulfilled_game()
    game.t.recorder.show(game.seat(3).nation, shared_by(1, 3))
    assert declares(game, 1)
    assert not declares(game, 3), "a seat does not learn the nation of the viewer of its card"
    assert not declares(game, 2), "the fulfilled mission is not its own"


def test_sensible_bot_declares_what_it_fulfils_alone() -> None:
    game = create_fulfilled_game().hold(1, "c2r1").goods(1, fish=4)
    assert declares(game, 1)
    game.village("c2r1")
    assert not declares(game, 1), "a village is no lake"


def test_sensible_bot_uses_what_it_has_noted() -> None:
    game = create_fulfilled_game(look_is_public="no")
    game.t.set(game.seat(1).noted, "3:england")
    assert declares(game, 1)
    commands = tuple(c.LookAtNation(number) for number in (3, 2, 4))
    assert choose_sensibly(game, *commands) == c.LookAtNation(2)


@pytest.mark.parametrize("forest_edge", ["map_border", "beside_forest"])
@pytest.mark.parametrize("mission", [f"m{number}" for number in range(1, 9)])
def test_sensible_bot_never_declares_an_unfulfilled_mission(mission: str, forest_edge: str) -> None:
    """For random areas of one seat."""
    game = NationsGame(forest_edge=forest_edge).mission("england", mission)
    game.goods(1, grain=4, fish=4, cheese=4, wood=4, wine=4, bread=4, brocade=4)
    for town in game.t.towns:
        game.in_town(town, 1, 0)
    areas, declared = sorted(game.t.areas), 0
    for chance in map(Random, range(20)):
        for area in areas:
            game.settle(area)
        areas_of_seat = chance.sample(areas, 10)
        game.hold(1, *areas_of_seat)
        game.village(*(areas_of_seat[:4] if mission == "m7" else ()))
        if declares(game, 1):
            declared += 1
            assert teams.is_fulfilled(game.t, "england")
    assert declared
