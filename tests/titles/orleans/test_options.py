"""The options of a game, with each of their choices."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest
from tests.titles.orleans.kit import OrleansGame, detail, details, named

from boardkeeper.families.followers.events import Placement
from boardkeeper.table.effects import Effect, Event
from boardkeeper.table.visibility import OPERATOR, redact_effects
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans.board import Board

CHARACTERS = ("farmer", "boatman", "craftsman", "trader", "knight", "scholar", "monk")
EVENTS = ("pilgrimage", "income", "harvest", "taxes", "trading_day", "plague")
SHIP_FARMER = c.PlaceFollower("own_farmer", "ship", "farmer")
WAGON_FARMER = c.PlaceFollower("own_farmer", "wagon", "farmer")

# --- planning in turn --------------------------------------------------------------------------------------------


def test_orleans_planning_in_turn__final() -> None:
    """A seat that has finished cannot change its plan while others still plan (8th edition, p. 14)."""
    game = OrleansGame(2, planning="in_turn")
    game.do(1, SHIP_FARMER, c.FinishPlanning())

    game.reject(1, c.WithdrawFollower("ship", "farmer"), "table.not_deciding")
    assert game.deciding() == [2]


def test_orleans_planning_in_turn__the_start_player_changes() -> None:
    """The start player of each round plans first (8th edition, p. 14)."""
    game = OrleansGame(2, planning="in_turn")
    game.idle_round()
    game.idle_until("planning")
    assert game.deciding() == [2]


# --- sealed planning -------------------------------------------------------------------------------------------


def occupants(board: Board, seat: int) -> dict[tuple[str, str], str]:
    """Return the followers that a board shows on the spaces of a seat."""
    return {
        (place.place, space.space): space.occupant
        for place in board.seats[seat - 1].places
        for space in place.spaces
        if space.occupant
    }


def test_orleans_planning_sealed() -> None:
    """Only the owner sees placed followers until all seats have finished."""
    game = OrleansGame(2, planning="sealed")
    (placed,) = game.do(1, SHIP_FARMER)

    for viewer in (0, 2):
        assert redact_effects(game.table, placed.effects, viewer) == ((), False)
        assert not occupants(game.board(viewer), 1)
        assert game.board(viewer).seats[0].market == {}
    for viewer in (1, OPERATOR):
        assert redact_effects(game.table, placed.effects, viewer) == (placed.effects, True)
        assert occupants(game.board(viewer), 1) == {("ship", "farmer"): "own_farmer"}

    game.do(1, c.FinishPlanning())
    assert not occupants(game.board(2), 1), "seat 2 has not finished"
    game.do(2, c.PlaceFollower("own_trader", "castle", "trader"))
    events = game.do(2, c.FinishPlanning())

    revealed = details(events, e.PlansRevealed)
    assert revealed[1].placements == (Placement("own_farmer", "ship", "farmer"),)
    assert revealed[2].placements == (Placement("own_trader", "castle", "trader"),)
    for viewer in (0, 1, 2):
        assert occupants(game.board(viewer), 1) == {("ship", "farmer"): "own_farmer"}
        assert occupants(game.board(viewer), 2) == {("castle", "trader"): "own_trader"}
        assert game.board(viewer).seats[0].market == {"own_boatman": 1, "own_craftsman": 1, "own_trader": 1}


def test_orleans_planning_sealed__earlier_followers_and_technology_stay_visible() -> None:
    """They cannot move, so nothing about them is secret."""
    game = OrleansGame(2, planning="sealed").fill(1, "village", "farmer", "", "technology")
    game.enter("planning")
    assert occupants(game.board(2), 1) == {("village", "farmer"): "farmer", ("village", "craftsman"): "technology"}


def test_orleans_planning_sealed__a_plan_has_only_new_followers() -> None:
    game = OrleansGame(2, planning="sealed").fill(1, "village", "farmer", "", "technology")
    game.enter("planning")
    game.do(1, SHIP_FARMER)

    events = game.idle(1, 2)

    assert details(events, e.PlansRevealed)[1].placements == (Placement("own_farmer", "ship", "farmer"),)


def test_orleans_planning_sealed__draws_are_visible_and_the_tower_is_hidden() -> None:
    """Followers may leave the Gunpowder Tower while planning, so it is hidden."""
    game = OrleansGame(2, planning="sealed").own(1, "gunpowder_tower").market(1).bag(1, monk=2)
    game.enter("followers")
    (event,) = game.do(1, c.DrawFollowers(2))
    assert redact_effects(game.table, event.effects, 2)[1]
    game.do(1, c.StoreFollower("monk", "any"), c.FinishStoring())
    game.idle_until("planning")
    assert not occupants(game.board(2), 1)
    assert occupants(game.board(1), 1) == {("gunpowder_tower", "any"): "monk"}
    game.do(1, c.PlaceFollower("monk", "ship", "knight", from_tower=True))
    game.idle_until("actions")
    assert occupants(game.board(2), 1) == {("ship", "knight"): "monk"}


def test_orleans_planning_sealed__technology_is_visible() -> None:
    """A tile that is placed while planning leaves a public hand, so it cannot be hidden."""
    game = OrleansGame(2, planning="sealed", technology_window="after_passing_and_planning").technology(1)
    game.enter("planning")
    (event,) = game.do(1, c.PlaceTechnology("ship", "farmer"))
    assert redact_effects(game.table, event.effects, 2)[1]
    assert occupants(game.board(2), 1) == {("ship", "farmer"): "technology"}


def test_orleans_planning_sealed__a_new_place_tile_hides_plans() -> None:
    game = OrleansGame(2, planning="sealed").fill(1, "village")
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "trader", "brewery"))
    assert "brewery" in [place.place for place in game.board(2).seats[0].places]
    game.bring("monk", game.seat(1).market).enter("planning")
    game.do(1, c.PlaceFollower("monk", "brewery", "monk"))
    assert not occupants(game.board(2), 1)


def redact(events: Sequence[Event], game: OrleansGame, viewer: int) -> list[tuple[tuple[Effect, ...], bool]]:
    """Return the effects that a viewer sees, and whether these are all effects, of each event."""
    return [redact_effects(game.table, event.effects, viewer) for event in events]


def views(game: OrleansGame, viewer: int) -> tuple[bytes, bytes]:
    """Return the board and the legal commands of a viewer as bytes."""
    legal = [(type(command).__name__, command) for command in game.legal(viewer)] if viewer else []
    return msgspec.json.encode(game.board(viewer)), msgspec.json.encode(legal)


def begin_sealed_planning(seed: str) -> OrleansGame:
    """Begin the planning of three seats with followers, tiles and partly filled places."""
    game = OrleansGame(3, seed=seed, planning="sealed").own(2, "gunpowder_tower", "herb_garden", "brewery")
    game.fill(2, "castle", "farmer").fill(2, "gunpowder_tower", "monk")
    for seat in (1, 2, 3):
        game.market(seat, farmer=1, boatman=1, craftsman=1, trader=1, knight=1, scholar=1)
    game.enter("planning")
    return game


def plan(chance: random.Random, game: OrleansGame, seat: int, steps: int) -> list[list[Event]]:
    """Let a seat give random commands without finishing; return the events of each."""
    events: list[list[Event]] = []
    for _ in range(steps):
        legal = [command for command in game.legal(seat) if not isinstance(command, c.FinishPlanning)]
        events.append(game.do(seat, chance.choice(legal)))
    return events


@pytest.mark.parametrize("seed", range(8))
def test_other_viewers_see_nothing_of_sealed_plans(seed: int) -> None:
    """Two games that differ only in the plan of seat 2 are equal for other viewers, byte by byte, until the reveal."""
    one, other = begin_sealed_planning(str(seed)), begin_sealed_planning(str(seed))
    chance, another = random.Random(seed), random.Random(1000 + seed)
    for step in range(12):
        new = [plan(chance, one, 2, 1), plan(another, other, 2, 1)]
        for viewer in (0, 1, 3):
            assert views(one, viewer) == views(other, viewer), f"seed {seed}, step {step}, viewer {viewer}"
            assert redact(new[0][0], one, viewer) == redact(new[1][0], other, viewer) == [((), False)]
    assert occupants(one.board(2), 2) != occupants(other.board(2), 2), "the games were meant to differ"

    for game in (one, other):
        game.do(2, c.FinishPlanning())
        game.do(1, c.PlaceFollower("farmer", "wagon", "farmer"), c.FinishPlanning())
    for viewer in (0, 1, 3):
        assert views(one, viewer) == views(other, viewer)
    for game in (one, other):
        game.do(3, c.FinishPlanning())
    assert occupants(one.board(0), 2) == occupants(one.board(OPERATOR), 2) != occupants(other.board(0), 2)


@pytest.mark.parametrize("steps", [(0, 5), (3, 9)])
def test_other_viewers_do_not_see_the_number_of_sealed_placements(steps: tuple[int, int]) -> None:
    games = [begin_sealed_planning("count") for _ in steps]
    for game, count in zip(games, steps, strict=True):
        plan(random.Random(count), game, 2, count)
    for viewer in (0, 1, 3):
        assert views(games[0], viewer) == views(games[1], viewer)


@pytest.mark.parametrize("phase", ["followers", "planning", "actions", "event"])
@pytest.mark.parametrize("planning", ["open", "sealed"])
def test_other_viewers_see_nothing_of_a_bag(phase: str, planning: str) -> None:
    """Two games with exchanged bags are equal for the third seat and for spectators before a draw."""
    bags: list[dict[str, int]] = [{"farmer": 2, "knight": 3}, {"monk": 1, "scholar": 4}]
    games = []
    for first, second in (bags, bags[::-1]):
        game = OrleansGame(3, planning=planning).own(1, "bathhouse").fill(1, "bathhouse")
        for seat in (1, 2, 3):
            game.at(seat, coins=0).goods(seat, wool=2)
        game.bag(3, trader=2).bag(2, **second).bag(1, **first)
        if phase == "event":
            game.strike("taxes", start=3)
        else:
            game.enter(phase, start=3)
        games.append(game)
    one, other = games
    assert one.deciding() == other.deciding()
    for viewer in (0, 3):
        assert views(one, viewer) == views(other, viewer)
    assert views(one, 1) != views(other, 1), "the games were meant to differ"


# --- hour glass ------------------------------------------------------------------------------------------------


def turn_all(game: OrleansGame) -> list[tuple[str, str]]:
    """Play to the last round, and return the event and the letter of each tile in order."""
    tiles = [(game.t.event.value, game.t.strength.value)]
    while game.t.round.value < 18:
        game.idle_round()
        tiles.append((game.t.event.value, game.t.strength.value))
    return tiles


def test_orleans_events_graded() -> None:
    """The letter sets the strength of an event (components.md, section 6)."""
    expected = {"A": 3, "B": 2, "C": 1}
    for letter, coins in expected.items():
        assert details(OrleansGame(2).strike("income", letter), e.IncomeReceived)[1].coins == coins
    assert Counter(letter for _, letter in turn_all(OrleansGame(2))) == {"START": 1, "A": 5, "B": 6, "C": 6}


@pytest.mark.parametrize("split", ["a", "b", "c"])
def test_orleans_setup_hour_glass_split__as_chosen(split: str) -> None:
    """The chosen part has no Pilgrimage; each part has each of the other five events once."""
    tiles = turn_all(OrleansGame(2, hour_glass_split=split))
    assert tiles[0] == ("pilgrimage", "START")
    for letter in "ABC":
        expected = [event for event in EVENTS if event != "pilgrimage" or letter != split.upper()]
        assert sorted(event for event, strength in tiles if strength == letter) == sorted(expected)
    assert "".join(letter for _, letter in tiles[1:]) == "".join(sorted(letter for _, letter in tiles[1:]))


@pytest.mark.parametrize("split", ["a", "c"])
def test_orleans_events_ungraded(split: str) -> None:
    """Seventeen tiles without letters are shuffled together under the first one."""
    game = OrleansGame(2, hour_glass="ungraded", hour_glass_split=split)
    tiles = turn_all(game)
    assert tiles[0] == ("pilgrimage", "START")
    assert {letter for _, letter in tiles[1:]} == {"U"}
    assert Counter(event for event, _ in tiles) == dict.fromkeys(EVENTS, 3)


def test_orleans_events_ungraded__shuffled_as_one() -> None:
    """The same event may follow itself, and the order differs between games."""
    orders = [
        [event for event, _ in turn_all(OrleansGame(2, hour_glass="ungraded", seed=str(seed)))] for seed in (1, 2)
    ]
    assert orders[0] != orders[1]
    assert any(len(set(order[1:6])) < 5 for order in orders)


def create_ungraded_game() -> OrleansGame:
    game = OrleansGame(2, hour_glass="ungraded").at(1, coins=10, development=9)
    return game.stations(1, "tours", "blois").goods(1, wool=7)


def test_orleans_events_ungraded__income() -> None:
    game = create_ungraded_game()
    assert details(game.strike("income", "U"), e.IncomeReceived)[1].coins == game.seat(1).status() == 3


def test_orleans_events_ungraded__harvest() -> None:
    game = create_ungraded_game().goods(1, grain=2).at(2, coins=20)
    game.strike("harvest", "U")
    game.do(1, c.GiveFood("grain"))
    assert game.decision(1) == "", "one food item is enough"
    assert game.deciding() == [2]
    assert detail(game.do(2, c.PayForFood()), e.FoodPaidFor).paid == 5


def test_orleans_events_ungraded__taxes() -> None:
    assert details(create_ungraded_game().strike("taxes", "U"), e.TaxesPaid)[1] == e.TaxesPaid(7, 2, 0)


def test_orleans_events_ungraded__trading_day() -> None:
    assert details(create_ungraded_game().strike("trading_day", "U"), e.TradingDayHeld)[1] == e.TradingDayHeld(2, 2)


def test_orleans_events_ungraded__pilgrimage_and_plague() -> None:
    game = create_ungraded_game().fill(1, "monastery").turn(4, "pilgrimage", "U")
    game.enter("actions")
    game.reject(1, c.RecruitFollower("monastery", "monk"), "orleans.monastery.not_during_pilgrimage")
    game.bag(1, knight=1)
    assert details(game.strike("plague", "U"), e.PlagueStruck)[1] == e.PlagueStruck("knight", lost=True)


# --- Bathhouse -------------------------------------------------------------------------------------------------


def create_passive_game(owned: tuple[str, ...] = (), **options: str) -> OrleansGame:
    """Create a game in which seat 1 owns a Bathhouse of the first printings."""
    return OrleansGame(2, bathhouse="passive", **options).own(1, "bathhouse", *owned).market(1).bag(1)


def test_orleans_bathhouse_passive__needs_market_room() -> None:
    """A full market leaves no room for an extra draw, but a Gunpowder Tower does."""
    full = create_passive_game().market(1, farmer=4, knight=4).bag(1, monk=2)
    events = full.enter("followers")
    assert not named(events, "BathhouseVisited")
    assert not full.seat(1).drawn.items

    tower = create_passive_game(("gunpowder_tower",)).market(1, farmer=4, knight=4).bag(1, monk=2)
    tower.enter("followers")
    tower.do(1, c.DrawFollowers(0))
    tower.do(1, c.KeepFollower("monk"), c.StoreFollower("monk", "any"))
    tower.reject(1, c.StoreFollower("monk", "any_2"), "orleans.planning.from_market")


def test_orleans_bathhouse_passive__without_a_draw() -> None:
    """A seat that has given up all its draws still has the two extra draws."""
    game = create_passive_game().bag(1, monk=6)
    for space in ("farmer", "boatman", "craftsman"):
        game.bring(space, game.seat(1).estate().spaces["village", space].pile)
    game.bring("farmer", game.seat(1).estate().spaces["ship", "farmer"].pile)
    game.enter("followers")
    for place, space in (("village", "farmer"), ("village", "boatman"), ("village", "craftsman"), ("ship", "farmer")):
        game.do(1, c.TakeBackFollower(place, space))
    assert game.legal(1) == [c.DrawFollowers(0)]
    game.do(1, c.DrawFollowers(0), c.KeepFollower("monk"))
    assert game.seat(1).market.total() == 5


def matching_characters(space: str) -> set[str]:
    """Return the characters that match the Bathhouse if its space requires a character."""
    game = OrleansGame(4, bathhouse_space=space).own(1, "bathhouse").market(1, **dict.fromkeys(CHARACTERS, 1))
    game.enter("planning")
    return {
        command.follower
        for command in game.legal(1)
        if isinstance(command, c.PlaceFollower) and command.place == "bathhouse"
    }


@pytest.mark.parametrize("space", CHARACTERS)
def test_orleans_bathhouse_chosen_character(space: str) -> None:
    """A space with a character takes only this character and monks; then the Bathhouse works as usual."""
    assert matching_characters(space) == {space, "monk"}
    game = OrleansGame(2, bathhouse_space=space).own(1, "bathhouse").market(1, **{space: 1}).bag(1, knight=2)
    game.enter("planning")
    wrong = "farmer" if space != "farmer" else "knight"
    rule = "orleans.wild.never_for_monk" if space == "monk" else "orleans.planning.matching_space"
    game.bring(wrong, game.seat(1).market)
    game.reject(1, c.PlaceFollower(wrong, "bathhouse", space), rule)
    game.do(1, c.PlaceFollower(space, "bathhouse", space))
    game.idle_until("actions")
    game.do(1, c.UsePlace("bathhouse"))
    game.do(1, c.PlaceDrawnFollower("knight", "ship", "knight"))


def test_orleans_bathhouse_chosen_character__stand_ins() -> None:
    """The Herb Garden applies to its space as to any other."""
    game = OrleansGame(2, bathhouse_space="trader").own(1, "bathhouse", "herb_garden").market(1, boatman=1)
    game.enter("planning")
    game.do(1, c.PlaceFollower("boatman", "bathhouse", "trader"))
