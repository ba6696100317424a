"""Phase 5: the order of actions, the places that can be used, and the followers after it."""

from __future__ import annotations

from itertools import permutations

import pytest
from msgspec import Struct
from tests.titles.orleans.kit import OrleansGame, detail, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e

SCRIPTORIUM = c.UsePlace("scriptorium")
GUILDHALL = c.UsePlace("guildhall")


def test_orleans_actions_in_turn() -> None:
    """The start player begins; the seats act clockwise, one action each, again and again (p. 4)."""
    game = OrleansGame(4)
    for seat in (1, 2, 3, 4):
        game.fill(seat, "scriptorium").fill(seat, "guildhall")
    game.enter("actions", start=3)

    acted = []
    for command in (SCRIPTORIUM,) * 4 + (GUILDHALL,) * 4:
        (seat,) = game.deciding()
        acted.append(seat)
        game.do(seat, command)

    assert acted == [3, 4, 1, 2, 3, 4, 1, 2]


def test_orleans_actions_in_turn__only_the_seat_in_turn_acts() -> None:
    """After one action it is the next seat's turn (p. 4)."""
    game = OrleansGame(3).fill(1, "scriptorium").fill(2, "scriptorium").fill(2, "guildhall")
    game.enter("actions", start=2)

    game.reject(1, SCRIPTORIUM, "table.not_deciding")
    game.do(2, SCRIPTORIUM)
    game.reject(2, GUILDHALL, "table.not_deciding")
    game.reject(2, c.Pass(), "table.not_deciding")
    assert game.deciding() == [3]


def test_orleans_actions_own_place() -> None:
    """Only its owner uses a place tile; no seat uses a tile of the stacks or an unknown place (p. 4)."""
    game = OrleansGame(2).own(2, "hayrick").fill(2, "hayrick")
    game.enter("actions")

    for place in ("hayrick", "brewery"):
        game.reject(1, c.UsePlace(place), "orleans.actions.own_place")
    game.reject(1, c.UsePlace("nowhere"), "table.known_ids", "UNKNOWN_ID")
    game.idle(1)
    assert c.UsePlace("hayrick") in game.legal(2)


def test_orleans_actions_own_place__followers_of_others_activate_nothing() -> None:
    """Followers on the player board of another seat do not count (p. 4)."""
    game = OrleansGame(2).fill(2, "scriptorium")
    game.enter("actions")

    game.reject(1, SCRIPTORIUM, "orleans.actions.activated")


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_orleans_actions_activated(missing: int) -> None:
    """An action needs all of its spaces filled; technology also fills a space (p. 4)."""
    needed = ["farmer", "craftsman", "knight"]
    occupants = [*needed[:missing], "", *needed[missing + 1 :]]
    game = OrleansGame(2).fill(1, "guildhall", *occupants)
    game.enter("actions")

    rejection = game.reject(1, GUILDHALL, "orleans.actions.activated")

    assert rejection.values["missing"] == needed[missing]
    game.bring("technology", game.seat(1).estate().places["guildhall"].spaces[missing].pile)
    game.do(1, GUILDHALL)


def test_orleans_actions_activated__two_missing() -> None:
    """The rejection names all empty spaces in the order of the place."""
    game = OrleansGame(2).fill(1, "guildhall", "", "craftsman", "")
    game.enter("actions")

    assert game.reject(1, GUILDHALL, "orleans.actions.activated").values["missing"] == "farmer knight"


def test_orleans_actions_activated__every_place_of_the_board() -> None:
    """No place of an empty player board can be used (p. 4)."""
    game = OrleansGame(2)
    game.enter("actions")

    assert game.legal(1) == [c.Pass()]
    commands: list[Struct] = [
        c.Travel("ship", "blois"),
        c.Travel("wagon", "chartres"),
        GUILDHALL,
        c.RecruitFollower("castle", "knight"),
        SCRIPTORIUM,
        c.SendToDeed("town_hall", "any", "city_wall"),
        c.RecruitFollower("monastery", "monk"),
        c.RecruitFollower("farm_house", "farmer"),
        c.RecruitFollower("village", "boatman"),
        c.RecruitFollower("university", "scholar"),
    ]
    for command in commands:
        game.reject(1, command, "orleans.actions.activated")


@pytest.mark.parametrize("order", list(permutations((SCRIPTORIUM, GUILDHALL, c.RecruitFollower("castle", "knight")))))
def test_orleans_actions_any_order(order: tuple[Struct, ...]) -> None:
    """Three activated places may be used in each of their six orders (p. 4)."""
    game = OrleansGame(2).fill(1, "scriptorium").fill(1, "guildhall").fill(1, "castle")
    game.enter("actions", start=2)
    game.idle(2)

    for command in order:
        game.do(1, command)

    assert game.legal(1) == [c.Pass()]
    assert game.seat(1).bag.total() == 9


def test_orleans_actions_voluntary() -> None:
    """A seat may always pass, also before its first action and with activated places (p. 4)."""
    game = OrleansGame(2).fill(1, "scriptorium").fill(1, "guildhall")
    game.enter("actions")

    game.do(1, c.Pass())

    assert game.seat(1).development.value == 0
    assert game.seat(1).estate().free() & game.t.data.places["guildhall"].mask == 0
    assert game.deciding() == [2]


def test_orleans_actions_pass_is_final() -> None:
    """A seat that has passed is skipped for the rest of the round (p. 4)."""
    game = OrleansGame(3).fill(1, "scriptorium").fill(2, "scriptorium").fill(2, "guildhall").fill(3, "guildhall")
    game.enter("actions")

    game.do(1, c.Pass())
    assert game.deciding() == [2]
    game.do(2, SCRIPTORIUM)
    game.do(3, GUILDHALL)

    assert game.deciding() == [2]
    game.reject(1, SCRIPTORIUM, "table.not_deciding")


def test_orleans_actions_until_all_passed() -> None:
    """The last seat continues to act alone; only the last pass ends the phase (p. 4)."""
    game = OrleansGame(3).fill(2, "scriptorium").fill(2, "guildhall").fill(2, "castle").turn(4, "income", "A")
    game.enter("actions")
    game.idle(1)
    game.do(2, SCRIPTORIUM)
    game.idle(3)

    for command in (GUILDHALL, c.RecruitFollower("castle", "knight")):
        assert game.deciding() == [2]
        game.do(2, command)
        assert game.t.phase.value == "actions"
    events = game.do(2, c.Pass())

    assert next(event.detail for event in named(events, "PhaseBegun")) == e.PhaseBegun("event")


def test_orleans_actions_until_all_passed__without_possible_actions() -> None:
    """A seat without a possible action also has to pass (p. 4)."""
    game = OrleansGame(2).turn(4, "income", "A")
    game.enter("actions")

    for seat in (1, 2):
        assert game.deciding() == [seat]
        assert game.legal(seat) == [c.Pass()]
        events = game.do(seat, c.Pass())
    assert named(events, "IncomeReceived")


def test_orleans_actions_followers_return() -> None:
    """Neutral, marked and stand-in followers return to the bag at once, not to the market (p. 4)."""
    game = OrleansGame(2).bag(1).market(1, boatman=1).fill(1, "village", "own_farmer", "monk", "craftsman")
    game.enter("actions")

    game.do(1, c.RecruitFollower("village", "boatman"))

    assert game.seat(1).bag.counts() == {"own_farmer": 1, "monk": 1, "craftsman": 1, "boatman": 1}
    assert game.seat(1).market.counts() == {"boatman": 1}
    assert game.seat(1).estate().free() & game.t.data.places["village"].mask == game.t.data.places["village"].mask


def test_orleans_actions_followers_return__before_the_bathhouse_draws() -> None:
    """Followers used earlier in the phase are in the bag when the Bathhouse draws from it (p. 4, 8)."""
    game = OrleansGame(2).bag(1).own(1, "bathhouse").fill(1, "bathhouse", "farmer").fill(1, "scriptorium")
    game.enter("actions", start=2)
    game.idle(2)

    game.do(1, SCRIPTORIUM)
    events = game.do(1, c.UsePlace("bathhouse"))

    assert sorted(detail(events, e.BathhouseVisited).followers) == ["knight", "scholar"]


def test_orleans_actions_technology_stays() -> None:
    """Technology stays on its space and is used again in the next round (p. 4)."""
    game = OrleansGame(2).bag(1).fill(1, "guildhall", "technology", "craftsman", "knight")
    game.enter("actions")
    game.do(1, GUILDHALL)

    assert game.counts("seat.1.guildhall.farmer") == {"technology": 1}
    assert game.seat(1).bag.counts() == {"craftsman": 1, "knight": 1}

    game.at(1, merchant="blois").fill(1, "guildhall", "", "craftsman", "knight")
    game.enter("actions")
    game.do(1, GUILDHALL)
    assert game.counts("seat.1.guildhall.farmer") == {"technology": 1}


def test_orleans_actions_unused_stay() -> None:
    """Followers stay on full and partly filled places for the next round (p. 4)."""
    game = OrleansGame(2).fill(1, "scriptorium").fill(1, "castle", "farmer", "", "trader").turn(4, "income", "A")
    game.next_tile("income", "B")
    game.enter("actions")
    game.idle_round()
    game.idle_until("actions")

    assert game.t.round.value == 5
    assert game.counts("seat.1.castle.farmer") == {"farmer": 1}
    assert game.counts("seat.1.castle.trader") == {"trader": 1}
    game.idle(2)
    game.reject(1, c.RecruitFollower("castle", "knight"), "orleans.actions.activated")
    game.do(1, SCRIPTORIUM)


def test_orleans_actions_no_action() -> None:
    """School and Herb Garden have an ability but no action (p. 8)."""
    game = OrleansGame(2).own(1, "school", "herb_garden")
    game.enter("actions")

    assert game.legal(1) == [c.Pass()]
    for place in ("school", "herb_garden"):
        game.reject(1, c.UsePlace(place), "orleans.actions.no_action")


def test_orleans_actions_matching_command() -> None:
    """An activated place allows only its own action (p. 4-5)."""
    game = OrleansGame(2).own(1, "pharmacy", "library").turn(4, "income", "A")
    for place in ("castle", "scriptorium", "guildhall", "wagon", "town_hall", "pharmacy", "library"):
        game.fill(1, place)
    game.enter("actions")

    commands: list[Struct] = [
        c.UsePlace("castle"),
        c.UsePlace("wagon"),
        c.UsePlace("town_hall"),
        c.UsePlace("pharmacy"),
        c.RecruitFollower("castle", "monk"),
        c.RecruitFollower("castle", "trader", "hayrick"),
        c.RecruitFollower("scriptorium", "scholar"),
        c.Travel("guildhall", "blois"),
        c.SendToDeed("castle", "farmer", "city_wall"),
        c.BuyDevelopment("library", 1),
    ]
    for command in commands:
        game.reject(1, command, "orleans.actions.matching_command")
    game.do(1, c.RecruitFollower("castle", "knight"))
