"""Rules that all titles of the family share: each test runs once per title, and for Hamlet.

``test_followers_drawing_bag`` is the test of the rule ``drawing.bag`` of each title.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from msgspec import Struct
from tests.families.followers.hamlet.kit import HamletGame
from tests.families.followers.kit import FollowersGame
from tests.kit.families import members

from boardkeeper.families.followers import commands as c
from boardkeeper.families.followers import events as e
from boardkeeper.families.followers.data import FARMER, MONK, TECHNOLOGY
from boardkeeper.table.visibility import redact_effects
from boardkeeper.testkit.scenario_game import detail
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titles.registry import load_title

Game = type[FollowersGame[Any]]


def game_of(title: str) -> Game:
    """Return the class for scenario games of a title."""
    kit = vars(import_module(f"tests.titles.{title}.kit")).values()
    (found,) = (it for it in kit if isinstance(it, type) and FollowersGame in it.__bases__)
    return found


TITLES = members("followers")
GAMES = [*(pytest.param(game_of(title), id=title) for title in TITLES), pytest.param(HamletGame, id="hamlet")]

each_game = pytest.mark.parametrize("create", GAMES)


def two_spaces(game: FollowersGame[Any]) -> tuple[tuple[str, str, str], tuple[str, str, str]]:
    """Return follower, place and space of two spaces for different characters, not monks, of one place of seat 1."""
    for place in game.seat(1).estate().places.values():
        spaces = [it for it in place.spaces if it.requires in game.t.data.followers and it.requires != MONK]
        if len({it.requires for it in spaces}) > 1 and not any(it.pile.items for it in place.spaces):
            first, second, *_ = spaces
            return (first.requires, place.id, first.id), (second.requires, place.id, second.id)
    raise AssertionError("no place has two such spaces")


def occupants(game: FollowersGame[Any], place: str, space: str, follower: str) -> list[str]:
    """Return the arguments of ``fill`` that put one follower on one space of a place."""
    return [follower if it.id == space else "" for it in game.seat(1).estate().places[place].spaces]


def rule(game: FollowersGame[Any], rule: str) -> str:
    """Return the title's id of a rule."""
    return f"{game.t.hooks.title}.{rule}"


def draw_limit(game: FollowersGame[Any]) -> int:
    """Return the number of followers that seat 1 may draw."""
    return game.t.hooks.draw_limit(game.t, game.seat(1))


def draws(game: FollowersGame[Any], seat: int) -> list[Struct]:
    """Return the legal draws of a seat."""
    return [command for command in game.legal(seat) if isinstance(command, c.DrawFollowers)]


# --- drawing ---------------------------------------------------------------------------------------------------------


@each_game
def test_followers_drawing_bag(create: Game) -> None:
    """A bag with two followers gives two; it is not refilled."""
    game = create(2)
    followers = {follower: 1 for follower, _, _ in two_spaces(game)}
    game.market(1).bag(1, **followers).enter("followers")
    game.reject(1, c.DrawFollowers(3), rule(game, "drawing.bag"), "TOO_MANY_DRAWS")
    game.do(1, c.DrawFollowers(2))
    assert game.seat(1).market.counts() == followers
    assert not game.seat(1).bag.items


@each_game
def test_followers_drawing_fewer(create: Game) -> None:
    """A seat may draw fewer followers or none."""
    game = create(2)
    limit = draw_limit(game)
    for seat in (1, 2):
        game.market(seat).bag(seat, farmer=limit + 1)
    game.enter("followers")
    assert game.legal(1) == [c.DrawFollowers(count) for count in range(limit + 1)]
    events = game.do(1, c.DrawFollowers(0))
    assert detail(events, e.FollowersDrawn).followers == ()
    events = game.do(2, c.DrawFollowers(limit - 1))
    assert detail(events, e.FollowersDrawn).followers == (FARMER,) * (limit - 1)
    assert (game.seat(1).market.total(), game.seat(2).market.total()) == (0, limit - 1)
    assert game.t.phase.value == "planning"


@each_game
def test_followers_drawing_full(create: Game) -> None:
    """Reading ``draw_amount``: a seat makes all draws except those that it gives up."""
    game = create(2, draw_amount="fixed")
    (follower, place, space), _ = two_spaces(game)
    limit = draw_limit(game)
    game.market(1).bag(1, farmer=limit + 1).fill(1, place, *occupants(game, place, space, follower))
    game.enter("followers")
    assert draws(game, 1) == [c.DrawFollowers(limit)]
    for count in (0, limit - 1):
        game.reject(1, c.DrawFollowers(count), rule(game, "drawing.full"), "TOO_FEW_DRAWS")
    game.do(1, c.TakeBackFollower(place, space))
    assert draws(game, 1) == [c.DrawFollowers(limit - 1)]
    game.reject(1, c.DrawFollowers(limit - 2), rule(game, "drawing.full"), "TOO_FEW_DRAWS")
    game.do(1, c.DrawFollowers(limit - 1))


# --- taking back -----------------------------------------------------------------------------------------------------


@each_game
def test_followers_taking_back_follower_there(create: Game) -> None:
    """No follower is taken back from an empty space."""
    game = create(2)
    (follower, place, space), (_, _, empty) = two_spaces(game)
    game.market(1).bag(1, farmer=4).fill(1, place, *occupants(game, place, space, follower)).enter("followers")
    game.reject(1, c.TakeBackFollower(place, empty), rule(game, "taking_back.follower_there"), "SPACE_EMPTY")
    game.do(1, c.TakeBackFollower(place, space))
    game.reject(1, c.TakeBackFollower(place, space), rule(game, "taking_back.follower_there"), "SPACE_EMPTY")


@each_game
def test_followers_taking_back_market_room(create: Game) -> None:
    """A follower taken back needs a space on the market."""
    game = create(2)
    (first, place, space), (second, _, other) = two_spaces(game)
    game.market(1, farmer=game.t.data.market_size - 1).bag(1, monk=2)
    game.fill(1, place, *occupants(game, place, space, first)).fill(1, place, *occupants(game, place, other, second))
    game.enter("followers")
    game.do(1, c.TakeBackFollower(place, space))
    game.reject(1, c.TakeBackFollower(place, other), rule(game, "taking_back.market_room"), "MARKET_FULL")
    assert game.legal(1) == [c.DrawFollowers(0)]


@each_game
def test_followers_taking_back_never_technology(create: Game) -> None:
    """Technology is not taken back, the followers beside it are."""
    game = create(2)
    (_, place, space), (second, _, other) = two_spaces(game)
    game.market(1).bag(1, farmer=4).fill(1, place, *occupants(game, place, space, TECHNOLOGY))
    game.fill(1, place, *occupants(game, place, other, second)).enter("followers")
    never = rule(game, "taking_back.never_technology")
    game.reject(1, c.TakeBackFollower(place, space), never, "TECHNOLOGY_STAYS")
    game.do(1, c.TakeBackFollower(place, other))


# --- planning --------------------------------------------------------------------------------------------------------


@each_game
def test_followers_planning_simultaneous(create: Game) -> None:
    """All seats plan at the same time, in any order; the actions begin when all have finished."""
    game = create(3)
    (first, place, space), (second, _, other) = two_spaces(game)
    game.market(1, **{first: 1}).market(3, **{first: 1, second: 1}).enter("planning")
    assert game.deciding() == [1, 2, 3]
    game.do(3, c.PlaceFollower(first, place, space))
    game.do(1, c.PlaceFollower(first, place, space))
    game.do(3, c.PlaceFollower(second, place, other))
    game.idle(3, 1)
    assert (game.deciding(), game.t.phase.value) == ([2], "planning")
    game.idle(2)
    assert (game.deciding(), game.t.phase.value) == ([1], "actions")


@each_game
def test_followers_planning_space_exists(create: Game) -> None:
    game = create(2)
    (follower, place, space), _ = two_spaces(game)
    game.market(1, **{follower: 1}).enter("planning")
    exists = rule(game, "planning.space_exists")
    spaces = game.seat(1).estate().spaces
    absent = next(it for it in game.t.data.followers if (place, it) not in spaces)
    for key in ((place, absent), (place, f"{space}_2"), ("tavern", "any")):
        game.reject(1, c.PlaceFollower(follower, *key), exists, "UNKNOWN_SPACE")
    game.reject(1, c.WithdrawFollower("tavern", "any"), exists, "UNKNOWN_SPACE")


@each_game
def test_followers_planning_free_space(create: Game) -> None:
    """A space takes one tile, a follower or technology."""
    game = create(2)
    (first, place, space), (second, _, other) = two_spaces(game)
    game.market(1, **{first: 2, second: 1, MONK: 1}).fill(1, place, *occupants(game, place, other, TECHNOLOGY))
    game.enter("planning")
    game.do(1, c.PlaceFollower(first, place, space))
    for follower, taken in ((first, space), (MONK, space), (second, other), (MONK, other)):
        game.reject(1, c.PlaceFollower(follower, place, taken), rule(game, "planning.free_space"), "SPACE_TAKEN")


@each_game
def test_followers_planning_in_turn(create: Game) -> None:
    """Option ``planning``: seats plan clockwise from the start player, and later seats see earlier plans."""
    game = create(3, planning="in_turn")
    (follower, place, space), _ = two_spaces(game)
    for seat in (1, 2, 3):
        game.market(seat, **{follower: 1})
    game.enter("planning", start=2)
    command = c.PlaceFollower(follower, place, space)
    for seat in (2, 3, 1):
        assert game.deciding() == [seat]
        placed = game.do(seat, command)
        assert all(redact_effects(game.table, event.effects, 0)[1] for event in placed)
        game.reject(seat % 3 + 1, command, "table.not_deciding")
        game.do(seat, c.FinishPlanning())
    assert (game.deciding(), game.t.phase.value) == ([2], "actions")


@each_game
def test_followers_planning_change_of_mind(create: Game) -> None:
    """Until a seat finishes planning, it may withdraw followers and place them elsewhere."""
    game = create(2)
    (first, place, space), (second, _, other) = two_spaces(game)
    game.market(1, **{first: 1, second: 1}).enter("planning")
    game.do(1, c.PlaceFollower(first, place, space), c.PlaceFollower(second, place, other))
    events = game.do(1, c.WithdrawFollower(place, space))
    assert detail(events, e.FollowerWithdrawn) == e.FollowerWithdrawn(first, place, space)
    game.do(1, c.WithdrawFollower(place, other))
    assert game.seat(1).market.counts() == {first: 1, second: 1}

    elsewhere = [it for it in game.legal(1) if isinstance(it, c.PlaceFollower) and it.place != place]
    command = next(it for it in elsewhere if it.follower == first)
    game.do(1, command, c.PlaceFollower(second, place, other))
    spaces = game.seat(1).estate().spaces
    assert not spaces[place, space].pile.items
    assert spaces[command.place, command.space].occupant() == first
    assert spaces[place, other].occupant() == second


# --- bots ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", TITLES)
def test_sensible_bot_has_a_value_for_every_command(title: str) -> None:
    functions = import_module(f"boardkeeper.titles.{title}.bots.policy").VALUE_FUNCTIONS
    decide_functions = game_of(title)(2).play.dispatcher.decide_functions
    compared = {command for decision, command in decide_functions if decision != "plan"}
    assert set(functions) >= compared


@pytest.mark.parametrize("title", TITLES)
def test_unknown_bot_raises_a_value_error(title: str) -> None:
    with pytest.raises(ValueError, match="clever"):
        load_title(title).choose("clever", game_of(title)(2).play, 1, [c.Pass(), c.Pass()], 0.0)


@pytest.mark.parametrize("title", TITLES)
def test_sensible_bot_draws_as_many_as_allowed(title: str) -> None:
    game = game_of(title)(2)
    commands = [c.DrawFollowers(count) for count in range(5)]
    chosen = ask_bot(load_title(title), game.setup, game.table, "sensible", 1, commands, 0.0)
    assert chosen == c.DrawFollowers(4)
