"""The development track from every space, forwards in every way and backwards, and the other tracks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import Struct
from tests.oracle.orleans import tables
from tests.oracle.orleans.constructed import Position
from tests.oracle.orleans.differ import Follower, setup_of

from boardkeeper.titles.orleans import commands as c

GIVES_POINTS: dict[str, tuple[Struct, ...]] = {
    "scriptorium": (c.UsePlace("scriptorium"),),
    "shipping_line": (c.UsePlace("shipping_line"),),
    "windmill": (c.UsePlace("windmill"),),
    "library": (c.UsePlace("library"),),
    "hospital": (c.UsePlace("hospital"),),
    "university": (c.RecruitFollower("university", "scholar"),),
    "pharmacy": tuple(c.BuyDevelopment("pharmacy", coins) for coins in (1, 2, 3)),
    "town_hall": (
        c.SendToDeed("town_hall", "any", "canalization", "development"),
        c.SendToDeed("town_hall", "any", "canalization", "coins"),
    ),
}


def _positions(again: bool, **choices: str) -> Iterator[tuple[Position, Follower, int]]:
    setup = setup_of("capstone-2021", 2, **choices)
    for space in range(tables.DEVELOPMENT_END + 1):
        for farthest in {space, min(space + 4, tables.DEVELOPMENT_END)} if again else {space}:
            game = Position(setup, f"{space}.{farthest}")
            game.at(1, development=space, best_development=farthest, coins=9)
            for citizen in tables.DEVELOPMENT_CITIZENS:
                if farthest >= citizen:
                    game.shift("citizen", f"track.development.{citizen}", game.seat(2).citizens)
            yield game, Follower(game.play, setup, f"space {space}, once on {farthest}"), space


def _use(game: Position, follower: Follower, place: str, command: Struct) -> None:
    if place not in tables.PLAYER_BOARD:
        game.own(1, place)
    game.fill(1, place)
    game.enter("actions")
    follower.refresh()
    assert command in game.legal(1)
    follower.do(1, command)


@pytest.mark.parametrize("place", GIVES_POINTS)
def test_every_advance_agrees_with_the_oracle(place: str) -> None:
    for number, command in enumerate(GIVES_POINTS[place]):
        for game, follower, space in _positions(again=False):
            scholars = (space + number) % tables.TRACK_LENGTH["scholars"]
            game.at(1, scholars=scholars)
            _use(game, follower, place, command)
            assert follower.compared.total() == 1, command


@pytest.mark.parametrize("coins", ["once", "each_time"])
@pytest.mark.parametrize("status", ["follows_marker", "kept"])
@pytest.mark.parametrize("place", ["hospital", "university"])
def test_rewards_of_spaces_reached_again_agree_with_the_oracle(place: str, status: str, coins: str) -> None:
    for game, follower, space in _positions(again=True, torture_status=status, coin_space_again=coins):
        game.at(1, scholars=space % tables.TRACK_LENGTH["scholars"])
        _use(game, follower, place, GIVES_POINTS[place][0])


@pytest.mark.parametrize("from_coins", ["closed", "open"])
def test_every_step_back_agrees_with_the_oracle(from_coins: str) -> None:
    for game, follower, _ in _positions(again=False, torture_from_coin_space=from_coins):
        game.at(1, coins=0).goods(1, grain=3, wine=1)
        game.tile("taxes", "A")
        game.strike("taxes", "A")
        follower.refresh()
        while game.decision(1) == "torture":
            legal = follower.legal(1)
            step = c.SurrenderDevelopment()
            follower.do(1, step if step in legal else legal[0])


@pytest.mark.parametrize("track", ["boatmen", "craftsmen", "knights", "scholars", "farmers"])
def test_rewards_of_recruits_agree_with_the_oracle(track: str) -> None:
    (character,) = [character for character, its in tables.TRACK_OF.items() if its == track]
    place = {"farmers": "farm_house", "knights": "castle", "scholars": "university"}.get(track, "village")
    setup = setup_of("dlp-8th", 3)
    for space in range(tables.TRACK_LENGTH[track]):
        for first in (True, False):
            game = Position(setup, f"{track}.{space}")
            if not first and track in ("boatmen", "knights"):
                game.shift("citizen", f"track.{track}", game.seat(2).citizens)
            game.at(1, **{track: space})
            follower = Follower(game.play, setup, f"{track} {space}")
            _use(game, follower, place, c.RecruitFollower(place, character))
            assert follower.compared.total() == 1
