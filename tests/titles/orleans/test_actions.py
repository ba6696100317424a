"""Phase 5: who acts when, with which places, and what happens to the followers used."""

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
    """The start player acts first, then everybody clockwise with one action each, lap after lap (p. 4)."""
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


def test_orleans_actions_in_turn__nobody_acts_out_of_turn() -> None:
    """One action, then it is somebody else's turn (p. 4)."""
    game = OrleansGame(3).fill(1, "scriptorium").fill(2, "scriptorium").fill(2, "guildhall")
    game.enter("actions", start=2)

    game.reject(1, SCRIPTORIUM, "table.not_deciding")
    game.do(2, SCRIPTORIUM)
    game.reject(2, GUILDHALL, "table.not_deciding")
    game.reject(2, c.Pass(), "table.not_deciding")
    assert game.deciding() == [3]


def test_orleans_actions_own_place() -> None:
    """A place tile serves its owner only; nobody uses one from the stacks or a place that there is not (p. 4)."""
    game = OrleansGame(2).own(2, "hayrick").fill(2, "hayrick")
    game.enter("actions")

    for place in ("hayrick", "brewery"):
        game.reject(1, c.UsePlace(place), "orleans.actions.own_place")
    game.reject(1, c.UsePlace("nowhere"), "table.known_ids", "UNKNOWN_ID")
    game.idle(1)
    assert c.UsePlace("hayrick") in game.legal(2)


def test_orleans_actions_own_place__followers_of_others_activate_nothing() -> None:
    """Each has a player board of one's own: followers on somebody else's do not count (p. 4)."""
    game = OrleansGame(2).fill(2, "scriptorium")
    game.enter("actions")

    game.reject(1, SCRIPTORIUM, "orleans.actions.activated")


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_orleans_actions_activated(missing: int) -> None:
    """With one of three spaces empty the action is closed, whichever it is; technology fills a space as well (p. 4)."""
    needed = ["farmer", "craftsman", "knight"]
    occupants = [*needed[:missing], "", *needed[missing + 1 :]]
    game = OrleansGame(2).fill(1, "guildhall", *occupants)
    game.enter("actions")

    rejection = game.reject(1, GUILDHALL, "orleans.actions.activated")

    assert rejection.values["missing"] == needed[missing]
    game.bring("technology", game.seat(1).estate().places["guildhall"].spaces[missing].pile)
    game.do(1, GUILDHALL)


def test_orleans_actions_activated__two_missing() -> None:
    """The refusal names every space that is empty, in the order of the place."""
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
    """Passing is always open, also before the first action and with everything activated (p. 4)."""
    game = OrleansGame(2).fill(1, "scriptorium").fill(1, "guildhall")
    game.enter("actions")

    game.do(1, c.Pass())

    assert game.seat(1).development.value == 0
    assert game.seat(1).estate().free() & game.t.data.places["guildhall"].mask == 0
    assert game.deciding() == [2]


def test_orleans_actions_pass_is_final() -> None:
    """Who has passed is skipped for the rest of the round, however long the others go on (p. 4)."""
    game = OrleansGame(3).fill(1, "scriptorium").fill(2, "scriptorium").fill(2, "guildhall").fill(3, "guildhall")
    game.enter("actions")

    game.do(1, c.Pass())
    assert game.deciding() == [2]
    game.do(2, SCRIPTORIUM)
    game.do(3, GUILDHALL)

    assert game.deciding() == [2]
    game.reject(1, SCRIPTORIUM, "table.not_deciding")


def test_orleans_actions_until_all_passed() -> None:
    """The last one left goes on acting alone; only the last pass ends the phase (p. 4)."""
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


def test_orleans_actions_until_all_passed__with_nothing_to_do() -> None:
    """Also a seat that could do nothing has to pass by itself (p. 4)."""
    game = OrleansGame(2).turn(4, "income", "A")
    game.enter("actions")

    for seat in (1, 2):
        assert game.deciding() == [seat]
        assert game.legal(seat) == [c.Pass()]
        events = game.do(seat, c.Pass())
    assert named(events, "IncomeReceived")


def test_orleans_actions_followers_return() -> None:
    """Neutral, marked and stand-in followers go to the bag at once, each as what it is; not to the market (p. 4)."""
    game = OrleansGame(2).bag(1).market(1, boatman=1).fill(1, "village", "own_farmer", "monk", "craftsman")
    game.enter("actions")

    game.do(1, c.RecruitFollower("village", "boatman"))

    assert game.seat(1).bag.counts() == {"own_farmer": 1, "monk": 1, "craftsman": 1, "boatman": 1}
    assert game.seat(1).market.counts() == {"boatman": 1}
    assert game.seat(1).estate().free() & game.t.data.places["village"].mask == game.t.data.places["village"].mask


def test_orleans_actions_followers_return__early_enough_for_the_bathhouse() -> None:
    """Followers used earlier in the phase are in the bag when the Bathhouse draws from it (p. 4, 8)."""
    game = OrleansGame(2).bag(1).own(1, "bathhouse").fill(1, "bathhouse", "farmer").fill(1, "scriptorium")
    game.enter("actions", start=2)
    game.idle(2)

    game.do(1, SCRIPTORIUM)
    events = game.do(1, c.UsePlace("bathhouse"))

    assert sorted(detail(events, e.BathhouseVisited).followers) == ["knight", "scholar"]


def test_orleans_actions_technology_stays() -> None:
    """Technology remains where it is and serves again in the next round (p. 4)."""
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
    """Full and half-full places keep their followers into the next round; the full one may be used then (p. 4)."""
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
    """School and Herb Garden have an ability but no action, so neither is ever used (p. 8)."""
    game = OrleansGame(2).own(1, "school", "herb_garden")
    game.enter("actions")

    assert game.legal(1) == [c.Pass()]
    for place in ("school", "herb_garden"):
        game.reject(1, c.UsePlace(place), "orleans.actions.no_action")


def test_orleans_actions_matching_command() -> None:
    """An activated place does what it shows, and nothing that another place shows (p. 4-5)."""
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
