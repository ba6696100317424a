"""Whether the open decisions of a position are such as the rules can have left it with, and can go on from.

Asks the rules themselves, on the table that the position describes, so that neither knows more than the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.phases import followers, planning, technology
from boardkeeper.table.title import PositionProblem
from boardkeeper.titles.orleans.bindings import BoundPlace, Orleans, Seat
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.data import Data
from boardkeeper.titles.orleans.phases import census, events
from boardkeeper.titles.orleans.play import LEGAL

DECISIONS = {
    "census": ("torture", "sacristy"),
    "followers": ("draw", "take_back", "keep", "store"),
    "planning": ("plan",),
    "actions": ("act", "deed", "bathhouse", "technology"),
    "event": ("sacristy", "harvest", "torture"),
}
"""Which decisions can be open in a phase."""

Found = Iterator[PositionProblem]


def of_board(data: Data, board: Board) -> Found:
    """Whether each open decision is one of the phase, and as many are open as can be. Needs the board alone."""
    allowed = DECISIONS.get(board.phase)
    if allowed is None:
        return
    deciding = [seat for seat in board.seats if seat.decision]
    if not deciding:
        yield PositionProblem("seats.decision", "no seat has to decide")
    for seat in deciding:
        if seat.decision not in allowed:
            message = f"in phase {board.phase} it can be {', '.join(allowed)}, not {seat.decision!r}"
            yield PositionProblem(f"seats[{seat.seat}].decision", message)
    struck_at_once = board.phase == "event" and data.readings.event_order == "simultaneous"
    if len(deciding) > 1 and board.phase not in ("followers", "planning") and not struck_at_once:
        yield PositionProblem("seats.decision", f"in phase {board.phase} only one seat decides at a time")


def of_table(t: Orleans) -> Found:
    """What the rules say against who has to decide what, on the table that the position describes.

    A seat whose decision is none of the phase is not asked what that decision needs.
    """
    yield from _table(t)
    yield from _PHASES[t.phase.value](t)
    for seat in t.seats:
        yield from _seat(t, seat)
        if _decision(t, seat) in ("", *DECISIONS[t.phase.value]):
            yield from _DECISIONS[_decision(t, seat)](t, seat)


def _at(seat: Seat) -> str:
    return f"seats[{seat.number}]"


def _decision(t: Orleans, seat: Seat) -> str:
    return t.table.decisions[seat.number]


def _all_struck_at_once(t: Orleans) -> bool:
    return t.phase.value == "event" and t.data.readings.event_order == "simultaneous"


def _wrong(seat: Seat, message: str, field: str = "decision") -> PositionProblem:
    return PositionProblem(f"{_at(seat)}.{field}", message)


# --- the table ---------------------------------------------------------------------------------------------------


def _table(t: Orleans) -> Found:
    acting = t.phase.value == "actions"
    if not acting and t.acting.value:
        yield PositionProblem("acting_seat", f"nobody acts in phase {t.phase.value}, so it must be 0")
    half_done = any(_decision(t, seat) in ("deed", "bathhouse") for seat in t.seats)
    if t.action_place.value and not half_done:
        yield PositionProblem("action_place", "must be empty unless a seat sends to deeds or visits the Bathhouse")


def _passed(t: Orleans, expected: int, message: str) -> Found:
    for seat in t.seats:
        if seat.passed.value != expected:
            yield _wrong(seat, message, "passed")


def _before_actions(t: Orleans) -> Found:
    yield from _passed(t, 0, "nobody has passed before the actions")


def _census(t: Orleans) -> Found:
    yield from _before_actions(t)
    for seat in t.seats:
        if t.decides(seat) and seat is not census.last(t):
            yield _wrong(seat, "only the seat alone behind on the farmers track pays at the census")


def _planning(t: Orleans) -> Found:
    yield from _before_actions(t)
    if planning.is_in_turn(t):
        for seat in t.seats:
            if t.decides(seat) != (seat in planning.next_in_turn(t)[:1]):
                yield _wrong(seat, "seats plan in turn from the start player; who has finished says so")
        return
    for seat in t.seats:
        if t.decides(seat) == bool(seat.planned.value):
            yield _wrong(seat, "must be false exactly while it plans", "planning_finished")


def _actions(t: Orleans) -> Found:
    for seat in t.seats:
        if t.decides(seat) and seat.number != t.acting.value:
            yield _wrong(seat, f"it is the turn of seat {t.acting.value}")
        if t.decides(seat) and bool(seat.passed.value) != (_decision(t, seat) == "technology"):
            yield _wrong(seat, "who has passed only places technology, and nobody else does")


def _event(t: Orleans) -> Found:
    yield from _passed(t, 1, "everybody has passed before the event")
    order = t.clockwise()
    if _all_struck_at_once(t):
        if t.cursor.value != len(order):
            yield PositionProblem("event_seats", f"the event strikes all at once, so it must be {len(order)}")
        return
    for seat in t.seats:
        if t.decides(seat) and (not t.cursor.value or order[t.cursor.value - 1] is not seat):
            yield PositionProblem("event_seats", f"must be {order.index(seat) + 1} while it strikes seat {seat.number}")


_PHASES: dict[str, Callable[[Orleans], Found]] = {
    "census": _census,
    "followers": _before_actions,
    "planning": _planning,
    "actions": _actions,
    "event": _event,
}


# --- every seat --------------------------------------------------------------------------------------------------


def _seat(t: Orleans, seat: Seat) -> Found:
    decision = _decision(t, seat)
    if (decision == "torture") != (seat.debt.value > 0):
        yield _wrong(seat, "a seat is tortured exactly while it has a debt", "debt")
    if seat.debt.value and seat.coins.value:
        yield _wrong(seat, "who has coins pays before being tortured", "coins")
    if decision not in ("keep", "bathhouse") and seat.drawn.items:
        yield _wrong(seat, "must be empty unless the seat visits the Bathhouse", "drawn")
    if decision not in ("harvest", "torture") and seat.food_due.value:
        yield _wrong(seat, "must be 0 unless the harvest strikes the seat", "food_due")
    yield from _draws(t, seat)
    yield from _market(t, seat)
    yield from _technology_markers(t, seat)
    if seat.arrears.value and (t.data.readings.torture_nothing_left != "carried" or seat.coins.value):
        yield _wrong(seat, "is paid from the first coins, and only where debts are carried", "arrears")


def _draws(t: Orleans, seat: Seat) -> Found:
    """Draws made are counted only where a seat that has drawn may go on taking followers back."""
    if seat.given_up.value > t.data.draw_limit(seat.track["knights"].value):
        yield _wrong(seat, "is more than the knights track allows", "given_up_draws")
    elif followers.draws_unused(t, seat) < 0:
        yield _wrong(seat, "is more than the knights track allows besides the draws given up", "draws_made")
    if seat.made_draws() and _decision(t, seat) == "draw":
        yield _wrong(seat, "must be 0 until the seat has drawn", "draws_made")


def _market(t: Orleans, seat: Seat) -> Found:
    """While drawing, what will go on the Gunpowder Tower may lie on the market; followers placed now may come back."""
    size = t.data.market_size
    if _decision(t, seat) in ("draw", "take_back", "keep", "store"):
        size += followers.storage_room(seat)
    placed_now = [space for space in seat.estate().spaces.values() if space.placed.value]
    from_tower = sum(space.placed.value < 0 for space in placed_now)
    if seat.market.total() + len(placed_now) - from_tower > size:
        yield _wrong(seat, f"holds at most {size} followers, those placed now among them", "market")
    if from_tower > followers.storage_room(seat):
        yield _wrong(seat, "its tower has no room for all that came from there in this phase", "places")


def _technology_markers(t: Orleans, seat: Seat) -> Found:
    placed = sum(TECHNOLOGY in space.pile.items for space in seat.estate().spaces.values())
    if seat.technology_placed.value < placed:
        yield _wrong(seat, f"must be at least {placed}, as many as lie on its spaces", "technology_placed")
    bound = t.data.readings.first_technology == "from_first_craftsmen_space"
    if seat.farmer_only.value > (min(1, seat.technology.total()) if bound else 0):
        message = "is 1 at most, while the tile of the first craftsmen space is in hand and has to replace a farmer"
        yield _wrong(seat, message, "farmer_only_technology")


# --- one decision each -------------------------------------------------------------------------------------------


def _no_check(t: Orleans, seat: Seat) -> Found:
    """Whoever draws, plans or acts may always do nothing."""
    yield from ()


def _stuck(t: Orleans, seat: Seat) -> Found:
    if not LEGAL[_decision(t, seat)](t, seat):
        yield _wrong(seat, "there is nothing that the seat could do")


def _take_back(t: Orleans, seat: Seat) -> Found:
    if not t.data.takes_back_after_drawing:
        yield _wrong(seat, "followers are taken back before drawing")
    elif not followers.retractable(t, seat):
        yield _wrong(seat, "there is nobody that it could take back")


def _keep(t: Orleans, seat: Seat) -> Found:
    most = max(place.extra_draw for place in seat.estate().hand.places)
    if not 1 <= seat.drawn.total() <= most:
        yield _wrong(seat, f"must hold 1 to {most} followers", "drawn")
    if followers.market_room(t, seat) < 1:
        yield _wrong(seat, "has no room for the follower to keep", "market")


def _store(t: Orleans, seat: Seat) -> Found:
    if not (seat.market.items and followers.storage_room(seat)):
        yield _wrong(seat, "there is nothing to store, or no room for it")


def _place_of_action(t: Orleans, seat: Seat, verb: str) -> BoundPlace | None:
    place = seat.estate().places.get(t.action_place.value)
    return place if place is not None and place.verb == verb else None


def _deed(t: Orleans, seat: Seat) -> Found:
    place = _place_of_action(t, seat, "deeds")
    if place is None:
        yield PositionProblem("action_place", "must be the place from which the seat sends to deeds")
    elif all(space.pile.items for space in place.spaces):
        yield PositionProblem("action_place", "one of its followers must have gone to a deed already")
    elif len(LEGAL["deed"](t, seat)) == 1:
        yield _wrong(seat, "no deed takes the second follower")


def _bathhouse(t: Orleans, seat: Seat) -> Found:
    place = _place_of_action(t, seat, "bathhouse")
    if place is None:
        yield PositionProblem("action_place", "must be the Bathhouse that the seat visits")
        return
    if not 1 <= seat.drawn.total() <= place.place.bathhouse:
        yield _wrong(seat, f"must hold 1 to {place.place.bathhouse} followers", "drawn")
    waits = t.data.readings.bathhouse_activator == "after_draw"
    if any(bool(space.pile.items) != waits for space in place.spaces):
        message = "must hold the follower that activated it" if waits else "must be empty: who activated it went first"
        yield _wrong(seat, message, f"places[{place.id}]")
    yield from _stuck(t, seat)


def _technology(t: Orleans, seat: Seat) -> Found:
    if not technology.placements(t, seat):
        yield _wrong(seat, "there is no technology tile that it could place")


def _sacristy(t: Orleans, seat: Seat) -> Found:
    if not seat.shields() or t.data.readings.sacristy_use != "choice":
        yield _wrong(seat, "it has no Sacristy whose use it could choose")
    if t.phase.value == "census" and t.data.readings.sacristy_scope != "census_too":
        yield _wrong(seat, "the Sacristy does not shield from the census")
    if t.phase.value == "event" and t.event.value not in t.data.negative_events:
        yield _wrong(seat, f"the Sacristy does not shield from {t.event.value}")


def _harvest(t: Orleans, seat: Seat) -> Found:
    if t.event.value != "harvest":
        yield _wrong(seat, f"the event is {t.event.value}, not harvest")
    elif not 1 <= seat.food_due.value <= events.strength(t):
        yield _wrong(seat, f"must be 1 to {events.strength(t)}", "food_due")
    yield from _stuck(t, seat)


def _torture(t: Orleans, seat: Seat) -> Found:
    harvest = t.phase.value == "event" and t.event.value == "harvest"
    if t.phase.value == "event" and t.event.value not in ("harvest", "taxes"):
        yield _wrong(seat, f"{t.event.value} leaves no debt")
    if seat.food_due.value > (events.strength(t) - 1 if harvest else 0):
        yield _wrong(seat, "is more than the harvest still asks for", "food_due")
    if t.phase.value == "census" and seat.debt.value > 1:
        yield _wrong(seat, "the census costs one coin", "debt")
    if harvest and seat.debt.value > t.data.coins_per_food:
        yield _wrong(seat, f"a food item costs {t.data.coins_per_food} coins", "debt")
    yield from _stuck(t, seat)


_DECISIONS: dict[str, Callable[[Orleans, Seat], Found]] = {
    "": _no_check,
    "draw": _no_check,
    "take_back": _take_back,
    "keep": _keep,
    "store": _store,
    "plan": _no_check,
    "act": _no_check,
    "deed": _deed,
    "bathhouse": _bathhouse,
    "technology": _technology,
    "sacristy": _sacristy,
    "harvest": _harvest,
    "torture": _torture,
}
