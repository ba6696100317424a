"""What is wrong with a position is said: every kind of problem, each naming the field, all in one go."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.titles.orleans.boards import Sheet, anything, reached, setup_of

from boardkeeper.table.title import PositionError, PositionProblem, Setup
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.material import Orleans
from boardkeeper.titles.orleans.title import TITLE

Spoil = Callable[[Sheet], object]
Make = Callable[[], tuple[Setup, Board]]
CHECKS = ("position_checks", "position_echo", "position_decisions")


def problems(setup: Setup, board: Board) -> tuple[PositionProblem, ...]:
    """What is wrong with a position; nothing if it is accepted."""
    try:
        TITLE.position(setup, board)
    except PositionError as error:
        return error.problems
    return ()


class Case(NamedTuple):
    """A good position, what a test does to it, and the problem that this has to cause."""

    field: str
    says: str
    base: Make
    spoil: Spoil


# --- good positions --------------------------------------------------------------------------------------------


def decider(board: Board, decision: str) -> int:
    """The first seat with that decision."""
    return next(seat.seat for seat in board.seats if seat.decision == decision)


def rich(t: Orleans) -> bool:
    """Late enough that there is something of everything."""
    return t.round.value >= 9 and all(seat.bag.items and seat.goods.items for seat in t.seats)


def base(phase: str, decision: str, wanted: Callable[[Orleans], bool] = anything, **choices: str) -> Make:
    """A position of three players in which some seat has that decision open."""

    def make() -> tuple[Setup, Board]:
        return reached(phase, decision, wanted, 3, **choices)

    return make


def _with_technology(t: Orleans) -> bool:
    return any("technology" in space.pile.items for space in t.seats[0].estate().spaces.values()) and rich(t)


def _with_tile(t: Orleans) -> bool:
    return bool(t.seats[0].place_tiles.items) and rich(t)


def _with_station(t: Orleans) -> bool:
    return any(town != "orleans" and t.seats[0].station in pile.items for town, pile in t.towns.items())


def _with_full_deed(t: Orleans) -> bool:
    return any("citizen" not in pile.items for pile in t.deeds.values())


def _with_tower(t: Orleans) -> bool:
    tower = t.tiles["gunpowder_tower"]
    return "gunpowder_tower" in t.seats[0].place_tiles.items and any(space.pile.items for space in tower.spaces)


FIRST_READINGS = {"taking_back_time": "before_drawing", "torture_from_coin_space": "closed"}
"""Under these, games come early to what under others hardly any comes to."""

PLAN = base("planning", "plan")
LATE = base("planning", "plan", rich)
ACT = base("actions", "act", rich)
DEED = base("actions", "deed")
BATHHOUSE = base("actions", "bathhouse")
TECHNOLOGY = base("actions", "technology")
STORE = base("followers", "store")
KEEP = base("followers", "keep", anything, bathhouse="passive", **FIRST_READINGS)
TAKE_BACK = base("followers", "take_back", rich)
DRAW_FIRST = base("followers", "draw", rich, **FIRST_READINGS)
DRAW = base("followers", "draw", rich)
CENSUS = base("census", "torture")
CENSUS_SACRISTY = base("census", "sacristy", anything, sacristy_scope="census_too", **FIRST_READINGS)
HARVEST = base("event", "harvest")
TORTURE = base("event", "torture", lambda t: t.event.value == "harvest")
TAXED = base("event", "torture", lambda t: t.event.value == "taxes")
SACRISTY = base("event", "sacristy")
TOGETHER = base("event", "harvest", event_order="simultaneous")


def of(decision: str, change: Callable[[Sheet, int], object]) -> Spoil:
    """Do something to the seat with that decision."""
    return lambda sheet: change(sheet, decider(sheet.board(), decision))


def first_space(sheet: Sheet, seat: int, wanted: Callable[[dict[str, Any]], bool]) -> str:
    """The path of the first space of a seat of which that is true."""
    return next(path for path, space in sheet.spaces(seat) if wanted(space))


def swap_in(sheet: Sheet, path: str, follower: str) -> None:
    """Put a follower from the supply on a space, and what lay there into the bag of seat 1 or nowhere."""
    occupant = sheet.get(f"{path}.occupant")
    sheet.set(f"{path}.occupant", follower).add(f"supply.{follower}", -1)
    if occupant:
        sheet.add(f"seats.1.bag.{occupant}", 1).add("seats.1.bag_count", 1)


def empty_place(sheet: Sheet, place: str) -> None:
    """Let nothing lie on the spaces of a place of seat 1."""
    for space in sheet.get(f"seats.1.places.{place}.spaces"):
        if space["occupant"]:
            sheet.add(f"seats.1.bag.{space['occupant']}", 1).add("seats.1.bag_count", 1)
        space.update(occupant="", changeable=False, placed_now=False, from_tower=False)


def two_technology(sheet: Sheet) -> None:
    empty_place(sheet, "ship")
    for space in ("farmer", "boatman"):
        sheet.set(f"seats.1.places.ship.spaces.{space}.occupant", "technology")


def complete_deed(sheet: Sheet, citizen: bool) -> None:
    deed = next(deed for deed in sheet.values["deeds"] if deed["citizen"] != citizen)
    if citizen:
        deed["citizen"] = True
    else:
        deed["citizen"] = False


def second_station(sheet: Sheet) -> None:
    town = next(town for town in sheet.get("seats.1.stations") if town != "orleans")
    sheet.get("seats.2.stations").append(town)


def stolen(sheet: Sheet) -> None:
    """Two seats swap marked followers of two kinds."""
    for seat, gets, gives in ((1, "own_farmer", "own_trader"), (2, "own_trader", "own_farmer")):
        for where in ("bag", "market"):
            pile = sheet.get(f"seats.{seat}.{where}")
            if pile.get(gives):
                sheet.add(f"seats.{seat}.{where}.{gives}", -1)
                break
        else:
            path = first_space(sheet, seat, lambda space, gives=gives: space["occupant"] == gives)  # type: ignore[misc]
            sheet.set(f"{path}.occupant", "").set(f"{path}.changeable", False).set(f"{path}.placed_now", False)
            sheet.add(f"seats.{seat}.bag_count", 1)
        sheet.add(f"seats.{seat}.bag.{gets}", 1)
        if where == "market":
            sheet.add(f"seats.{seat}.bag_count", 1)


def _nobody_left(sheet: Sheet, seat: int) -> None:
    """The follower that is left goes back to the bag."""
    for path, space in sheet.spaces(seat):
        if f".{sheet.get('action_place')}." in path and space["occupant"]:
            sheet.add(f"seats.{seat}.bag.{space['occupant']}", 1).add(f"seats.{seat}.bag_count", 1)
            space["occupant"] = ""


def _empty_bathhouse(sheet: Sheet, seat: int) -> None:
    path = f"seats.{seat}.places.bathhouse.spaces.any.occupant"
    sheet.add(f"seats.{seat}.bag.{sheet.get(path)}", 1).add(f"seats.{seat}.bag_count", 1).set(path, "")


def _other_tile(sheet: Sheet, event: str) -> None:
    """Swap the tile of this round for another of its part that has been or will be turned."""
    part = sheet.get("hour_glass.strength")
    other, mine = f"{event}.{part}", f"{sheet.get('hour_glass.event')}.{part}"
    for pile in (sheet.get("turned"), sheet.get("hour_glass.remaining")):
        if pile.pop(other, 0):
            pile[mine] = 1
    sheet.set("hour_glass.event", event)


CASES = (
    # the table
    Case("seats", "must be the seats 1 to 3, in order", PLAN, lambda s: s.values["seats"].reverse()),
    Case("round", "must be 1 to 18, not 19", PLAN, lambda s: s.set("round", 19)),
    Case("round", "must be 1 to 18, not 0", PLAN, lambda s: s.set("round", 0)),
    Case("phase", "must be one of: census", PLAN, lambda s: s.set("phase", "hour_glass")),
    Case("start_seat", "must be 1 to 3, not 4", PLAN, lambda s: s.set("start_seat", 4)),
    Case("start_seat", "must be 1 to 3, not 0", PLAN, lambda s: s.set("start_seat", 0)),
    Case("event_seats", "must be 0 to 3, not -1", PLAN, lambda s: s.set("event_seats", -1)),
    Case("event_seats", "must be 0 to 3, not 4", PLAN, lambda s: s.set("event_seats", 4)),
    Case("draws", "must have values from 0 to 999999999", LATE, lambda s: s.set("draws", {"seat.1.bag": -1})),
    Case("draws", "must have values from 0 to 999999999", LATE, lambda s: s.set("draws", {"seat.1.bag": 10**9})),
    Case("draws", "to match the rest of the board", LATE, lambda s: s.set("draws.nowhere", 1)),
    Case(
        "turned",
        "must have 0 tiles in round 1, one for each past round, not 1",
        PLAN,
        lambda s: s.move("plague.A", "hour_glass.remaining", "turned"),
    ),
    Case(
        "hour_glass",
        "has a tile that does not exist: harvest.START",
        PLAN,
        lambda s: s.set("hour_glass.event", "harvest"),
    ),
    Case(
        "hour_glass.remaining",
        "it is turned before the tiles of part",
        LATE,
        lambda s: s.move("pilgrimage.START", "turned", "hour_glass.remaining"),
    ),
    Case("deciding", "must be 1, 2 to match the rest of the board, not 1", PLAN, lambda s: s.set("deciding", [1])),
    Case(
        "deciding",
        "must be empty to match the rest of the board, not 1, 2",
        PLAN,
        lambda s: [s.set(f"seats.{seat}.decision", "") for seat in (1, 2, 3)],
    ),
    # seats
    Case(
        "seats[2].merchant",
        "must be a town on the map, not 'paris'",
        PLAN,
        lambda s: s.set("seats.2.merchant", "paris"),
    ),
    Case(
        "seats[2].tracks",
        "must have exactly these tracks: farmers, boatmen",
        PLAN,
        lambda s: s.get("seats.2.tracks").pop("knights"),
    ),
    Case("seats[2].tracks.knights", "must be 0 to 5", PLAN, lambda s: s.set("seats.2.tracks.knights", 6)),
    Case("seats[2].tracks.knights", "must be 0 to 5", PLAN, lambda s: s.set("seats.2.tracks.knights", -1)),
    Case("seats[2].tracks.nobles", "must be 0 to 0", PLAN, lambda s: s.set("seats.2.tracks.nobles", 1)),
    Case("seats[2].development", "must be 0 to 30", PLAN, lambda s: s.set("seats.2.development", 31)),
    Case("seats[2].development", "must be 0 to 30", PLAN, lambda s: s.set("seats.2.development", -1)),
    Case("seats[2].best_development", "must be 0 to 30", PLAN, lambda s: s.set("seats.2.best_development", 31)),
    Case("seats[2].best_development", "must be 0 to 30", PLAN, lambda s: s.set("seats.2.best_development", -1)),
    Case(
        "seats[2].best_development",
        "to match the rest of the board",
        LATE,
        lambda s: s.set("seats.2.best_development", 1),
    ),
    Case("seats[2].coins", "must be 0 to 999999999", PLAN, lambda s: s.set("seats.2.coins", -1)),
    Case("seats[2].coins", "must be 0 to 999999999", PLAN, lambda s: s.set("seats.2.coins", 10**9)),
    Case(
        "seats[2].status", "must be 1 to match the rest of the board, not 6", PLAN, lambda s: s.set("seats.2.status", 6)
    ),
    Case("seats[2].bag", "a position has nothing hidden", LATE, lambda s: s.set("seats.2.bag", {})),
    Case("seats[2].places", "the places of the player board", PLAN, lambda s: s.get("seats.2.places").pop()),
    Case(
        "seats[2].places[ship]",
        "must have the spaces farmer, boatman, knight",
        PLAN,
        lambda s: s.get("seats.2.places.ship.spaces").pop(),
    ),
    Case("seats[1].places[ship]", "more than one technology tile", LATE, two_technology),
    Case(
        "seats[1].places[ship].spaces[farmer]",
        "cannot have the occupant 'brocade'",
        LATE,
        lambda s: s.set("seats.1.places.ship.spaces.farmer.occupant", "brocade"),
    ),
    Case(
        "seats[1].places[town_hall].spaces[any]",
        "cannot have the occupant 'own_farmer'",
        LATE,
        lambda s: s.set("seats.1.places.town_hall.spaces.any.occupant", "own_farmer"),
    ),
    Case(
        "seats[1].places[town_hall].spaces[any]",
        "cannot have the occupant 'technology'",
        LATE,
        lambda s: s.set("seats.1.places.town_hall.spaces.any.occupant", "technology"),
    ),
    Case(
        "seats[1].places[ship].spaces[farmer]",
        "can have placed_now and from_tower only in the phase planning",
        ACT,
        lambda s: s.set("seats.1.places.ship.spaces.farmer.placed_now", True),
    ),
    Case(
        "seats[1].places[ship].spaces[farmer]",
        "must have placed_now, because it has from_tower",
        LATE,
        lambda s: s.set("seats.1.places.ship.spaces.farmer.placed_now", False).set(
            "seats.1.places.ship.spaces.farmer.from_tower", True
        ),
    ),
    Case(
        "seats[1].places[ship].spaces[farmer]",
        "cannot have placed_now with",
        LATE,
        lambda s: s.set("seats.1.places.ship.spaces.farmer.occupant", "").set(
            "seats.1.places.ship.spaces.farmer.placed_now", True
        ),
    ),
    Case(
        "seats[1].places",
        "than the tower has room for",
        base(
            "planning",
            "plan",
            lambda t: any(
                space.placed.value == t.round.value and space.pile.items
                for space in t.seats[0].estate().spaces.values()
            ),
        ),
        lambda s: s.set(first_space(s, 1, lambda space: space["placed_now"]) + ".from_tower", True),
    ),
    # the board
    Case("deeds[crusade]", "is not a deed of this edition", PLAN, lambda s: s.set("deeds.astronomy.deed", "crusade")),
    Case(
        "deeds[astronomy]",
        "cannot have 2 trader: it has 1 spaces for them",
        LATE,
        lambda s: s.set("deeds.astronomy.followers.trader", 2),
    ),
    Case(
        "deeds[astronomy]",
        "must not have its citizen, because it is complete",
        LATE,
        lambda s: s.set("deeds.astronomy.followers", {"scholar": 2, "trader": 1}).set("deeds.astronomy.citizen", True),
    ),
    Case(
        "deeds[astronomy]",
        "must have its citizen, because it is not complete",
        PLAN,
        lambda s: s.set("deeds.astronomy.citizen", False),
    ),
    Case("ways[rhine]", "is not a way of this edition", PLAN, lambda s: s.set("ways.orleans_blois_water.way", "rhine")),
    Case(
        "ways[le_mans_chartres_road]",
        "must have at most 1 goods with 3 players",
        PLAN,
        lambda s: s.set("ways.le_mans_chartres_road.goods", {"wool": 2}),
    ),
    Case(
        "ways",
        "to match the rest of the board",
        base("planning", "plan", lambda t: not all(pile.items for pile in t.ways.values())),
        lambda s: s.values["ways"].remove(next(way for way in s.values["ways"] if not way["goods"])),
    ),
    Case(
        "seats[1].stations",
        "must be towns on the map, not 'paris'",
        PLAN,
        lambda s: s.get("seats.1.stations").append("paris"),
    ),
    Case(
        "seats[1].stations",
        "must not have tours twice",
        PLAN,
        lambda s: s.get("seats.1.stations").extend(["tours", "tours"]),
    ),
    Case("seats.stations", "2 trading stations in", base("planning", "plan", _with_station), second_station),
    Case(
        "citizens_on_tracks",
        "must not have most_stations twice",
        PLAN,
        lambda s: s.values["citizens_on_tracks"].append("most_stations"),
    ),
    Case(
        "citizens_on_tracks",
        "must not have development.3: a seat has reached that space",
        PLAN,
        lambda s: s.set("seats.1.development", 3),
    ),
    Case(
        "citizens_on_tracks",
        "must not have knights: a seat has reached that space",
        PLAN,
        lambda s: s.set("seats.1.tracks.knights", 4),
    ),
    Case(
        "citizens_on_tracks",
        "must have most_stations: this citizen stays until the end of the game",
        PLAN,
        lambda s: s.values["citizens_on_tracks"].remove("most_stations"),
    ),
    Case(
        "citizens_on_tracks",
        "cannot have citizen: this game does not use that space",
        PLAN,
        lambda s: s.values["citizens_on_tracks"].append("farmers"),
    ),
    # components
    Case(
        "hour_glass.remaining",
        "cannot have plague.D: this game does not use that space",
        PLAN,
        lambda s: s.set("hour_glass.remaining", {"plague.D": 1}),
    ),
    Case("supply", "monk, not -1", PLAN, lambda s: s.set("supply.monk", -1)),
    Case("supply", "cannot have wool", PLAN, lambda s: s.set("supply.wool", 1)),
    Case("supply", "cannot have own_farmer", PLAN, lambda s: s.set("supply.own_farmer", 1)),
    Case("goods_market", "cannot have monk", PLAN, lambda s: s.set("goods_market.monk", 1)),
    Case(
        "ways[orleans_blois_water].goods",
        "cannot have monk",
        PLAN,
        lambda s: s.set("ways.orleans_blois_water.goods", {"monk": 1}),
    ),
    Case("seats[1].goods", "cannot have monk", PLAN, lambda s: s.set("seats.1.goods.monk", 1)),
    Case("seats[1].market", "cannot have wool", PLAN, lambda s: s.set("seats.1.market.wool", 1)),
    Case("removed", "cannot have own_farmer", PLAN, lambda s: s.set("removed.own_farmer", 1)),
    Case("place_tiles_1", "cannot have school", PLAN, lambda s: s.values["place_tiles_1"].append("school")),
    Case(
        "turned",
        "cannot have harvest.Z",
        LATE,
        lambda s: s.get("turned").update({"harvest.Z": 1, "pilgrimage.START": 0}),
    ),
    Case("components.monk", "must be 17 in total, not 16", PLAN, lambda s: s.add("supply.monk", -1)),
    Case(
        "components.stations of seat 2",
        "must be 10 in total, not 11",
        PLAN,
        lambda s: s.add("seats.2.stations_in_supply", 1),
    ),
    Case("box", "must have 6 monk with 3 players, not 5", PLAN, lambda s: s.move("monk", "box", "supply")),
    Case("box", "must have 6 goods with 3 players, not 7", PLAN, lambda s: s.move("wool", "goods_market", "box")),
    Case("seats[1]", "must have one own_trader, not 0", LATE, stolen),
    # who has to decide
    Case(
        "seats.decision",
        "must be set for at least one seat",
        PLAN,
        lambda s: [s.set(f"seats.{seat}.decision", "") for seat in (1, 2, 3)] and s.set("deciding", []),
    ),
    Case(
        "seats[1].decision",
        "must be one of: plan in the phase planning (not 'act')",
        PLAN,
        lambda s: s.set("seats.1.decision", "act"),
    ),
    Case(
        "seats.decision",
        "must be set for one seat only in the phase",
        ACT,
        lambda s: [s.set(f"seats.{seat}.decision", "act") for seat in (1, 2)] and s.set("deciding", [1, 2]),
    ),
    Case("acting_seat", "must be 0 in the phase planning", PLAN, lambda s: s.set("acting_seat", 1)),
    Case("action_place", "must be empty unless", ACT, lambda s: s.set("action_place", "town_hall")),
    Case("seats[1].passed", "must be false before the actions", PLAN, lambda s: s.set("seats.1.passed", True)),
    Case("seats[1].passed", "must be true during the event", HARVEST, lambda s: s.set("seats.1.passed", False)),
    Case(
        "seats[1].planning_finished", "exactly while it plans", PLAN, lambda s: s.set("seats.1.planning_finished", True)
    ),
    Case(
        "seats[?].decision",
        "seats plan in turn from the start player",
        base("planning", "plan", lambda t: t.round.value == 1, planning="in_turn"),
        lambda s: [s.set(f"seats.{seat}.decision", "plan") for seat in (1, 2)] and s.set("deciding", [1, 2]),
    ),
    Case(
        "seats[?].decision",
        "it is the turn of seat",
        ACT,
        of("act", lambda s, seat: s.set("acting_seat", seat % 3 + 1)),
    ),
    Case(
        "seats[?].decision",
        "must be 'technology' exactly if the seat has passed",
        ACT,
        of("act", lambda s, seat: s.set(f"seats.{seat}.passed", True)),
    ),
    Case(
        "seats[?].decision",
        "only the last seat on the farmers track",
        CENSUS,
        of("torture", lambda s, _: [s.set(f"seats.{other}.tracks.farmers", 3) for other in (1, 2, 3)]),
    ),
    Case("event_seats", "while the event hits seat", HARVEST, lambda s: s.set("event_seats", 0)),
    Case(
        "event_seats",
        "must be 3: the event hits all seats at the same time",
        TOGETHER,
        lambda s: s.set("event_seats", 1),
    ),
    # every seat
    Case(
        "seats[1].debt",
        "must be above 0 exactly while the decision is 'torture'",
        PLAN,
        lambda s: s.set("seats.1.debt", 1),
    ),
    Case(
        "seats[?].coins",
        "coins are paid first",
        TORTURE,
        of("torture", lambda s, seat: s.set(f"seats.{seat}.coins", 1)),
    ),
    Case(
        "seats[1].drawn",
        "unless the seat visits the Bathhouse",
        LATE,
        lambda s: s.move(next(iter(s.get("seats.1.bag"))), "seats.1.bag", "seats.1.drawn"),
    ),
    Case("seats[1].food_due", "unless the harvest hits", PLAN, lambda s: s.set("seats.1.food_due", 1)),
    Case(
        "seats[1].given_up_draws",
        "must not exceed the draws of the knights track",
        PLAN,
        lambda s: s.set("seats.1.given_up_draws", 9),
    ),
    Case("seats[1].draws_made", "less those given up", PLAN, lambda s: s.set("seats.1.draws_made", 9)),
    Case(
        "seats[?].draws_made",
        "must be 0 until the seat has drawn",
        DRAW,
        of("draw", lambda s, seat: s.set(f"seats.{seat}.draws_made", 1)),
    ),
    Case(
        "seats[1].draws_made",
        "must be 0 unless followers may be taken back after drawing",
        DRAW_FIRST,
        lambda s: s.set("seats.1.draws_made", 1),
    ),
    Case(
        "seats[1].market",
        "must have at most 8 followers",
        PLAN,
        lambda s: s.move("farmer", "supply", "seats.1.market", 8),
    ),
    Case(
        "seats[1].technology_placed",
        "the number of tiles on its spaces",
        base("planning", "plan", _with_technology),
        lambda s: s.set("seats.1.technology_placed", 0),
    ),
    Case(
        "seats[1].farmer_only_technology",
        "while the seat has not placed the tile of the first craftsmen space",
        PLAN,
        lambda s: s.set("seats.1.farmer_only_technology", 1),
    ),
    Case("seats[1].arrears", "if this game does not carry debts over", PLAN, lambda s: s.set("seats.1.arrears", 1)),
    # one decision each
    Case(
        "seats[?].decision",
        "cannot be 'take_back' in this game: followers are taken back before drawing",
        DRAW_FIRST,
        of("draw", lambda s, seat: s.set(f"seats.{seat}.decision", "take_back")),
    ),
    Case(
        "seats[?].decision",
        "no follower to take back",
        TAKE_BACK,
        of("take_back", lambda s, seat: s.set(f"seats.{seat}.draws_made", s.get(f"seats.{seat}.draw_limit"))),
    ),
    Case(
        "seats[?].drawn",
        "must have 1 to 2 followers",
        KEEP,
        of(
            "keep",
            lambda s, seat: [
                s.move(who, f"seats.{seat}.drawn", f"seats.{seat}.bag", count)
                for who, count in list(s.get(f"seats.{seat}.drawn").items())
            ],
        ),
    ),
    Case(
        "seats[?].market",
        "must have room for the follower that the seat keeps",
        KEEP,
        of(
            "keep",
            lambda s, seat: s.move(
                "farmer", "supply", f"seats.{seat}.market", 8 - sum(s.get(f"seats.{seat}.market").values())
            ),
        ),
    ),
    Case(
        "seats[?].decision",
        "nothing to store, or no room",
        DRAW,
        of("draw", lambda s, seat: s.set(f"seats.{seat}.decision", "store")),
    ),
    Case("action_place", "from which the seat sends to deeds", DEED, lambda s: s.set("action_place", "ship")),
    Case(
        "action_place",
        "must have a free space: one of its followers has gone to a deed",
        DEED,
        of(
            "deed",
            lambda s, seat: [
                s.set(f"{path}.occupant", "farmer").add("supply.farmer", -1)
                for path, space in s.spaces(seat)
                if f".{s.get('action_place')}." in path and not space["occupant"]
            ],
        ),
    ),
    Case(
        "seats[?].decision",
        "cannot be 'deed': no deed accepts the second follower",
        DEED,
        of("deed", _nobody_left),
    ),
    Case(
        "action_place",
        "must be the Bathhouse that the seat visits",
        BATHHOUSE,
        lambda s: s.set("action_place", "town_hall"),
    ),
    Case(
        "seats[?].drawn",
        "must have 1 to 2 followers",
        BATHHOUSE,
        of("bathhouse", lambda s, seat: s.move("farmer", "supply", f"seats.{seat}.drawn", 2)),
    ),
    Case(
        "seats[?].places[bathhouse]",
        "must have the follower that activated it",
        BATHHOUSE,
        of("bathhouse", _empty_bathhouse),
    ),
    Case(
        "seats[?].places[bathhouse]",
        "its follower returned first",
        base("actions", "bathhouse", bathhouse_activator="before_draw"),
        of(
            "bathhouse",
            lambda s, seat: s.set(f"seats.{seat}.places.bathhouse.spaces.any.occupant", "farmer").add(
                "supply.farmer", -1
            ),
        ),
    ),
    Case(
        "seats[?].decision",
        "must be one for which the seat has a legal command",
        BATHHOUSE,
        of(
            "bathhouse",
            lambda s, seat: [
                s.move(who, f"seats.{seat}.drawn", "supply", count)
                for who, count in list(s.get(f"seats.{seat}.drawn").items())
                if not who.startswith("own_")
            ],
        ),
    ),
    Case(
        "seats[?].decision",
        "no technology tile to place",
        TECHNOLOGY,
        of(
            "technology",
            lambda s, seat: s.add("technology", s.get(f"seats.{seat}.technology")).set(f"seats.{seat}.technology", 0),
        ),
    ),
    Case(
        "seats[?].decision",
        "the seat cannot use a Sacristy",
        HARVEST,
        of("harvest", lambda s, seat: s.set(f"seats.{seat}.decision", "sacristy").set(f"seats.{seat}.food_due", 0)),
    ),
    Case("seats[?].decision", "does not protect against the census", CENSUS_SACRISTY, lambda s: s),
    Case(
        "seats[?].decision",
        "cannot be 'sacristy': the Sacristy does not protect against income",
        SACRISTY,
        lambda s: _other_tile(s, "income"),
    ),
    Case("seats[?].decision", "cannot be 'harvest': the event is income", HARVEST, lambda s: _other_tile(s, "income")),
    Case(
        "seats[?].food_due", "must be 1 to", HARVEST, of("harvest", lambda s, seat: s.set(f"seats.{seat}.food_due", 4))
    ),
    Case(
        "seats[?].decision", "cannot be 'torture': plague causes no debt", TORTURE, lambda s: _other_tile(s, "plague")
    ),
    Case(
        "seats[?].food_due",
        "must not exceed the food that the harvest still takes",
        TAXED,
        of("torture", lambda s, seat: s.set(f"seats.{seat}.food_due", 1)),
    ),
    Case(
        "seats[?].debt",
        "must be at most 1: the census costs one coin",
        CENSUS,
        of("torture", lambda s, seat: s.set(f"seats.{seat}.debt", 2)),
    ),
    Case(
        "seats[?].debt",
        "must be at most 5, the price of one food item",
        TORTURE,
        of("torture", lambda s, seat: s.set(f"seats.{seat}.debt", 6)),
    ),
)
"""One case and more for every problem that the checks can find; ``[?]`` is whichever seat decides."""


def one_drawn(sheet: Sheet, seat: int) -> None:
    """Only one follower was left in the bag to be drawn."""
    _, *others = [who for who, count in sheet.get(f"seats.{seat}.drawn").items() for _ in range(count)]
    for who in others:
        sheet.move(who, f"seats.{seat}.drawn", f"seats.{seat}.bag")


EDGES: tuple[tuple[str, Make, Spoil], ...] = (
    ("one follower drawn to keep", KEEP, of("keep", one_drawn)),
    ("one follower drawn in the Bathhouse", BATHHOUSE, of("bathhouse", one_drawn)),
)
"""What is just possible: what it is, a good position, and what a test does to it."""


def _is(field: str, found: str) -> bool:
    return re.fullmatch(re.escape(field).replace(r"\[\?\]", r"\[\d\]"), found) is not None


def found_in(case: Case, *more: Spoil) -> tuple[PositionProblem, ...]:
    """The problems of a case, whose position was good before it was spoiled, in these ways too."""
    setup, board = case.base()
    if case.base is CENSUS_SACRISTY:
        setup = setup_of(3)
    else:
        assert not problems(setup, board)
    sheet = Sheet(board)
    for spoil in (case.spoil, *more):
        spoil(sheet)
    return problems(setup, sheet.board())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.field} {case.says}")
def test_a_problem_names_its_field(case: Case) -> None:
    found = found_in(case)
    assert [problem for problem in found if _is(case.field, problem.field) and case.says in problem.message], found


@pytest.mark.parametrize(("make", "change"), [edge[1:] for edge in EDGES], ids=[edge[0] for edge in EDGES])
def test_what_is_just_possible_is_no_problem(make: Make, change: Spoil) -> None:
    setup, board = make()
    sheet = Sheet(board)
    change(sheet)
    assert problems(setup, sheet.board()) == ()


SHOWN = tuple(
    case for case in CASES if case.says not in ("must be the seats 1 to 3, in order", "a position has nothing hidden")
)
"""All cases but the two that hide others: whose seat it is that things belong to, and what a bag holds."""


@pytest.mark.parametrize("case", SHOWN, ids=lambda case: f"{case.field} {case.says}")
def test_no_problem_hides_another(case: Case) -> None:
    """What is wrong with a thing, how many there are and what the rules say is all told, whatever else is wrong.

    Wrong besides: what lies in the supply, how many technology tiles there are, and the town of a seat that the case is
    not about.
    """
    alone = found_in(case)
    other = next(seat for seat in (3, 2, 1) if not any(f"[{seat}]" in problem.field for problem in alone))
    found = found_in(
        case,
        lambda sheet: sheet.set("supply.wool", 1),
        lambda sheet: sheet.add("technology", 1),
        lambda sheet: sheet.set(f"seats.{other}.merchant", "paris"),
    )
    fields = {problem.field for problem in found}
    assert {problem for problem in alone if not problem.field.startswith(("components", "supply"))} <= set(found)
    assert {"supply", "components.technology", f"seats[{other}].merchant"} <= fields


def test_one_position_with_a_problem_of_each_check_tells_them_all() -> None:
    setup, board = PLAN()
    sheet = Sheet(board).set("seats.2.merchant", "paris").set("supply.wool", 1)
    sheet.add("technology", 1).move("monk", "box", "supply")
    sheet.set("seats.1.decision", "act").set("seats.1.passed", True).set("seats.1.status", 6)
    sheet.set("seats.3.planning_finished", False).set("deciding", [1])
    found = {(problem.field, problem.message.partition(",")[0]) for problem in problems(setup, sheet.board())}
    assert found == {
        ("seats[2].merchant", "must be a town on the map"),
        ("supply", "cannot have wool"),
        ("components.technology", "must be 20 in total"),
        ("components.wool", "must be 15 in total"),
        ("box", "must have 6 monk with 3 players"),
        ("seats[1].decision", "must be one of: plan in the phase planning (not 'act')"),
        ("seats[1].passed", "must be false before the actions"),
        ("seats[1].status", "must be 1 to match the rest of the board"),
        ("seats[3].planning_finished", "must be false exactly while it plans"),
        ("deciding", "must be 1"),
    }


def test_problems_that_depend_on_the_rest_wait_for_it() -> None:
    """What they rest on is told, with everything that does not rest on it."""
    setup, board = LATE()
    sheet = Sheet(board).set("round", 0).set("seats.1.decision", "act").set("seats.1.passed", True)
    found = {problem.field for problem in problems(setup, sheet.add("technology", 1).board())}
    assert {"round", "turned", "seats[1].decision", "components.technology"} == found
    hidden = Sheet(board).set("seats.2.bag", {}).set("seats.1.passed", True).add("technology", 1)
    assert {problem.field for problem in problems(setup, hidden.board())} == {"seats[2].bag", "seats[1].passed"}
    swapped = Sheet(board).set("round", 0)
    swapped.values["seats"].reverse()
    assert [problem.field for problem in problems(setup, swapped.board())] == ["seats"]


# --- is every problem tested? ------------------------------------------------------------------------------------


def _templates(path: Path) -> list[str]:
    """The messages in the source, as patterns: what is filled in may be anything."""
    tree = ast.parse(path.read_text("utf-8"))
    assigned = {
        name.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for name in node.targets
        if isinstance(name, ast.Name)
    }
    found = []
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("PositionProblem", "_wrong")
        ):
            message = node.args[1]
            if isinstance(message, ast.Name) and message.id == "message" and node.lineno:
                message = _nearest(tree, node.lineno) or assigned["message"]
            found += _patterns(message)
    return found


def _nearest(tree: ast.AST, line: int) -> ast.expr | None:
    """What was last assigned to ``message`` before a line."""
    values = [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id == "message"
        and node.lineno < line
    ]
    return max(values, key=lambda entry: entry[0])[1] if values else None


def _patterns(message: ast.expr) -> list[str]:
    if isinstance(message, ast.Constant):
        return [re.escape(str(message.value))]
    if isinstance(message, ast.JoinedStr):
        return ["".join(re.escape(str(x.value)) if isinstance(x, ast.Constant) else ".*" for x in message.values)]
    if isinstance(message, ast.IfExp):
        return [*_patterns(message.body), *_patterns(message.orelse)]
    return []


def test_every_problem_has_a_case(repository: Path) -> None:
    folder = repository / "domain" / "boardkeeper" / "titles" / "orleans"
    templates = [(name, pattern) for name in CHECKS for pattern in _templates(folder / f"{name}.py")]
    assert len(templates) > 70
    messages = {problem.message for case in CASES for problem in found_in(case)}
    lacking = [
        (name, pattern) for name, pattern in templates if not any(re.fullmatch(pattern, found) for found in messages)
    ]
    assert not lacking
