"""Whether the open decisions of a position are such as the rules can have left it with, and can go on from.

Asks the rules themselves, on the table that the position describes, so that neither knows more than the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.phases import followers, planning, technology
from boardkeeper.table.title import PositionProblem
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.data import Data
from boardkeeper.titles.orleans.material import BoundPlace, Orleans, Seat
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
        yield PositionProblem("seats.decision", "must be set for at least one seat")
    for seat in deciding:
        if seat.decision not in allowed:
            message = f"must be one of: {', '.join(allowed)} in the phase {board.phase} (not {seat.decision!r})"
            yield PositionProblem(f"seats[{seat.seat}].decision", message)
    struck_at_once = board.phase == "event" and data.readings.event_order == "simultaneous"
    if len(deciding) > 1 and board.phase not in ("followers", "planning") and not struck_at_once:
        yield PositionProblem("seats.decision", f"must be set for one seat only in the phase {board.phase}")


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
        yield PositionProblem("acting_seat", f"must be 0 in the phase {t.phase.value}")
    half_done = any(_decision(t, seat) in ("deed", "bathhouse") for seat in t.seats)
    if t.action_place.value and not half_done:
        yield PositionProblem("action_place", "must be empty unless a seat sends to deeds or visits the Bathhouse")


def _passed(t: Orleans, expected: int, message: str) -> Found:
    for seat in t.seats:
        if seat.passed.value != expected:
            yield _wrong(seat, message, "passed")


def _before_actions(t: Orleans) -> Found:
    yield from _passed(t, 0, "must be false before the actions")


def _census(t: Orleans) -> Found:
    yield from _before_actions(t)
    for seat in t.seats:
        if t.decides(seat) and seat is not census.last(t):
            yield _wrong(seat, "must be empty: only the last seat on the farmers track pays at the census")


def _planning(t: Orleans) -> Found:
    yield from _before_actions(t)
    if planning.is_in_turn(t):
        for seat in t.seats:
            if t.decides(seat) != (seat in planning.next_in_turn(t)[:1]):
                yield _wrong(seat, "must be empty: seats plan in turn from the start player, and one has not finished")
        return
    for seat in t.seats:
        if t.decides(seat) == bool(seat.planned.value):
            yield _wrong(seat, "must be false exactly while it plans", "planning_finished")


def _actions(t: Orleans) -> Found:
    for seat in t.seats:
        if t.decides(seat) and seat.number != t.acting.value:
            yield _wrong(seat, f"must be empty: it is the turn of seat {t.acting.value}")
        if t.decides(seat) and bool(seat.passed.value) != (_decision(t, seat) == "technology"):
            yield _wrong(seat, "must be 'technology' exactly if the seat has passed")


def _event(t: Orleans) -> Found:
    yield from _passed(t, 1, "must be true during the event")
    order = t.clockwise()
    if _all_struck_at_once(t):
        if t.cursor.value != len(order):
            yield PositionProblem("event_seats", f"must be {len(order)}: the event hits all seats at the same time")
        return
    for seat in t.seats:
        if t.decides(seat) and (not t.cursor.value or order[t.cursor.value - 1] is not seat):
            yield PositionProblem(
                "event_seats", f"must be {order.index(seat) + 1} while the event hits seat {seat.number}"
            )


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
        yield _wrong(seat, "must be above 0 exactly while the decision is 'torture'", "debt")
    if seat.debt.value and seat.coins.value:
        yield _wrong(seat, "must be 0 while the seat has a debt: coins are paid first", "coins")
    if decision not in ("keep", "bathhouse") and seat.drawn.items:
        yield _wrong(seat, "must be empty unless the seat visits the Bathhouse", "drawn")
    if decision not in ("harvest", "torture") and seat.food_due.value:
        yield _wrong(seat, "must be 0 unless the harvest hits the seat", "food_due")
    yield from _draws(t, seat)
    yield from _market(t, seat)
    yield from _technology_markers(t, seat)
    if seat.arrears.value and (t.data.readings.torture_nothing_left != "carried" or seat.coins.value):
        yield _wrong(seat, "must be 0 if the seat has coins, or if this game does not carry debts over", "arrears")


def _draws(t: Orleans, seat: Seat) -> Found:
    """Draws made are counted only where a seat that has drawn may go on taking followers back."""
    if seat.given_up.value > t.data.draw_limit(seat.track["knights"].value):
        yield _wrong(seat, "must not exceed the draws of the knights track", "given_up_draws")
    elif followers.draws_unused(t, seat) < 0:
        yield _wrong(seat, "must not exceed the draws of the knights track less those given up", "draws_made")
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
        yield _wrong(seat, f"must have at most {size} followers, including those placed in this phase", "market")
    if from_tower > followers.storage_room(seat):
        yield _wrong(seat, "must not have more followers with from_tower than the tower has room for", "places")


def _technology_markers(t: Orleans, seat: Seat) -> Found:
    placed = sum(TECHNOLOGY in space.pile.items for space in seat.estate().spaces.values())
    if seat.technology_placed.value < placed:
        yield _wrong(seat, f"must be at least {placed}, the number of tiles on its spaces", "technology_placed")
    bound = t.data.readings.first_technology == "from_first_craftsmen_space"
    if seat.farmer_only.value > (min(1, seat.technology.total()) if bound else 0):
        message = "must be 0, or 1 while the seat has not placed the tile of the first craftsmen space"
        yield _wrong(seat, message, "farmer_only_technology")


# --- one decision each -------------------------------------------------------------------------------------------


def _no_check(t: Orleans, seat: Seat) -> Found:
    """Whoever draws, plans or acts may always do nothing."""
    yield from ()


def _stuck(t: Orleans, seat: Seat) -> Found:
    if not LEGAL[_decision(t, seat)](t, seat):
        yield _wrong(seat, "must be one for which the seat has a legal command")


def _take_back(t: Orleans, seat: Seat) -> Found:
    if not t.data.takes_back_after_drawing:
        yield _wrong(seat, "cannot be 'take_back' in this game: followers are taken back before drawing")
    elif not followers.retractable(t, seat):
        yield _wrong(seat, "cannot be 'take_back': the seat has no follower to take back")


def _keep(t: Orleans, seat: Seat) -> Found:
    most = max(place.extra_draw for place in seat.estate().hand.places)
    if not 1 <= seat.drawn.total() <= most:
        yield _wrong(seat, f"must have 1 to {most} followers", "drawn")
    if followers.market_room(t, seat) < 1:
        yield _wrong(seat, "must have room for the follower that the seat keeps", "market")


def _store(t: Orleans, seat: Seat) -> Found:
    if not (seat.market.items and followers.storage_room(seat)):
        yield _wrong(seat, "cannot be 'store': the seat has nothing to store, or no room")


def _place_of_action(t: Orleans, seat: Seat, verb: str) -> BoundPlace | None:
    place = seat.estate().places.get(t.action_place.value)
    return place if place is not None and place.verb == verb else None


def _deed(t: Orleans, seat: Seat) -> Found:
    place = _place_of_action(t, seat, "deeds")
    if place is None:
        yield PositionProblem("action_place", "must be the place from which the seat sends to deeds")
    elif all(space.pile.items for space in place.spaces):
        yield PositionProblem("action_place", "must have a free space: one of its followers has gone to a deed")
    elif len(LEGAL["deed"](t, seat)) == 1:
        yield _wrong(seat, "cannot be 'deed': no deed accepts the second follower")


def _bathhouse(t: Orleans, seat: Seat) -> Found:
    place = _place_of_action(t, seat, "bathhouse")
    if place is None:
        yield PositionProblem("action_place", "must be the Bathhouse that the seat visits")
        return
    if not 1 <= seat.drawn.total() <= place.place.bathhouse:
        yield _wrong(seat, f"must have 1 to {place.place.bathhouse} followers", "drawn")
    waits = t.data.readings.bathhouse_activator == "after_draw"
    if any(bool(space.pile.items) != waits for space in place.spaces):
        message = "must have the follower that activated it" if waits else "must be empty: its follower returned first"
        yield _wrong(seat, message, f"places[{place.id}]")
    yield from _stuck(t, seat)


def _technology(t: Orleans, seat: Seat) -> Found:
    if not technology.placements(t, seat):
        yield _wrong(seat, "cannot be 'technology': the seat has no technology tile to place")


def _sacristy(t: Orleans, seat: Seat) -> Found:
    if not seat.shields() or t.data.readings.sacristy_use != "choice":
        yield _wrong(seat, "cannot be 'sacristy': the seat cannot use a Sacristy")
    if t.phase.value == "census" and t.data.readings.sacristy_scope != "census_too":
        yield _wrong(seat, "cannot be 'sacristy': the Sacristy does not protect against the census")
    if t.phase.value == "event" and t.event.value not in t.data.negative_events:
        yield _wrong(seat, f"cannot be 'sacristy': the Sacristy does not protect against {t.event.value}")


def _harvest(t: Orleans, seat: Seat) -> Found:
    if t.event.value != "harvest":
        yield _wrong(seat, f"cannot be 'harvest': the event is {t.event.value}")
    elif not 1 <= seat.food_due.value <= events.strength(t):
        yield _wrong(seat, f"must be 1 to {events.strength(t)}", "food_due")
    yield from _stuck(t, seat)


def _torture(t: Orleans, seat: Seat) -> Found:
    harvest = t.phase.value == "event" and t.event.value == "harvest"
    if t.phase.value == "event" and t.event.value not in ("harvest", "taxes"):
        yield _wrong(seat, f"cannot be 'torture': {t.event.value} causes no debt")
    if seat.food_due.value > (events.strength(t) - 1 if harvest else 0):
        yield _wrong(seat, "must not exceed the food that the harvest still takes", "food_due")
    if t.phase.value == "census" and seat.debt.value > 1:
        yield _wrong(seat, "must be at most 1: the census costs one coin", "debt")
    if harvest and seat.debt.value > t.data.coins_per_food:
        yield _wrong(seat, f"must be at most {t.data.coins_per_food}, the price of one food item", "debt")
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
