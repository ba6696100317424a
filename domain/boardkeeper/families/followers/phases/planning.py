"""Phase 4: placing followers on action spaces. Seats plan in turn if the option ``planning`` is ``in_turn``."""

from __future__ import annotations

from boardkeeper.families.followers.commands import Command, FinishPlanning, PlaceFollower, WithdrawFollower
from boardkeeper.families.followers.data import MONK, is_marked
from boardkeeper.families.followers.events import FollowerPlaced, FollowerWithdrawn, PhaseBegun, PlanningFinished
from boardkeeper.families.followers.phases import screens, technology
from boardkeeper.families.followers.places import BoundSpace
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.zones import Pile, free_spaces

FINISH = FinishPlanning()


def begin(t: AnyTable) -> None:
    """Ask every seat to plan, or the start player if seats plan in turn. Source: planning.*."""
    t.set(t.phase, "planning")
    screens.raise_all(t)
    for seat in t.seats:
        t.set(seat.planned, 0)
        if not is_in_turn(t):
            t.ask(seat, "plan")
    if is_in_turn(t):
        t.ask(unfinished_seats(t)[0], "plan")
    t.emit(None, PhaseBegun("planning"))


def proceed(t: AnyTable) -> None:
    """Ask the next seat if seats plan in turn. When all have finished, lower the screens and begin the actions."""
    if is_in_turn(t) and unfinished_seats(t):
        t.ask(unfinished_seats(t)[0], "plan")
        return
    screens.lower_all(t)
    t.enter("actions")


def is_in_turn(t: AnyTable) -> bool:
    """Return whether seats plan one after the other: the option ``planning`` is ``in_turn``."""
    return t.data.options.planning == "in_turn"


def unfinished_seats(t: AnyTable) -> list[AnySeat]:
    """Return the seats that have not finished planning, clockwise from the start player."""
    return [seat for seat in t.clockwise() if not seat.planned.value]


# --- placing -----------------------------------------------------------------------------------------------


def place_follower(t: AnyTable, seat: AnySeat, command: PlaceFollower) -> Rejection | None:
    """Place a follower from the market or the Gunpowder Tower on a space that fits. Source: planning.*."""
    estate = seat.estate()
    space = estate.spaces.get((command.place, command.space))
    follower = command.follower
    if space is None:
        return _reject_unknown_space(t, command.place, command.space)
    source = _find_tower_pile(seat, follower) if command.from_tower else seat.market
    if source is None or follower not in source.items:
        return Rejection("NOT_ON_MARKET", t.rule("planning.from_market"), {"follower": follower})
    if not space.bit & estate.index.fits.get(follower, 0):
        return find_placement_rejection(t, seat, follower, space)
    if space.pile.items:
        return Rejection(
            "SPACE_TAKEN", t.rule("planning.free_space"), _space_values(space) | {"occupant": space.occupant()}
        )
    t.move(follower, source, space.pile)
    t.set(space.placed, -t.round.value if command.from_tower else t.round.value)
    t.emit(seat, FollowerPlaced(follower, command.place, command.space, command.from_tower))
    return None


def find_placement_rejection(t: AnyTable, seat: AnySeat, follower: str, space: BoundSpace) -> Rejection:
    """Return why a follower may not be placed on a space of the seat."""
    values = _space_values(space) | {"follower": follower, "requires": space.requires}
    place = seat.estate().places[space.place].place
    if place.market_extension:
        return Rejection("ONLY_IN_PHASE_THREE", t.rule("gunpowder_tower.phase_three"), values)
    if place.neutral_only and is_marked(follower):
        return Rejection("MARKED_FOLLOWER", t.rule("town_hall.no_own_followers"), values)
    if space.requires == MONK:
        return Rejection("MONK_REQUIRED", t.rule("wild.never_for_monk"), values)
    return Rejection("WRONG_CHARACTER", t.rule("planning.matching_space"), values)


def _reject_unknown_space(t: AnyTable, place: str, space: str) -> Rejection:
    values = {"place": place, "space": space}
    if (place, space) in t.data.space:
        return Rejection("NOT_YOUR_SPACE", t.rule("planning.own_place"), values)
    return Rejection("UNKNOWN_SPACE", t.rule("planning.space_exists"), values)


def _find_tower_pile(seat: AnySeat, follower: str) -> Pile | None:
    return next((space.pile for space in seat.estate().storage if follower in space.pile.items), None)


def _space_values(space: BoundSpace) -> dict[str, str]:
    return {"place": space.place, "space": space.id}


# --- withdrawing and finishing -----------------------------------------------------------------------------


def withdraw_follower(t: AnyTable, seat: AnySeat, command: WithdrawFollower) -> Rejection | None:
    """Put a follower placed in this phase back where it came from. Source: planning.change_of_mind."""
    space = seat.estate().spaces.get((command.place, command.space))
    if space is None:
        return _reject_unknown_space(t, command.place, command.space)
    follower = space.occupant()
    if not follower:
        return Rejection("SPACE_EMPTY", t.rule("planning.only_this_phase"), _space_values(space))
    if abs(space.placed.value) != t.round.value:
        return Rejection("NOT_PLACED_NOW", t.rule("planning.only_this_phase"), _space_values(space))
    target = seat.market if space.placed.value > 0 else _free_tower_space(seat)
    t.move(follower, space.pile, target)
    t.set(space.placed, 0)
    t.emit(seat, FollowerWithdrawn(follower, command.place, command.space))
    return None


def _free_tower_space(seat: AnySeat) -> Pile:
    """Return a free tower space. One is always free: only followers that left the tower in this phase return."""
    return free_spaces(seat.estate().storage)[0].pile


def finish_planning(t: AnyTable, seat: AnySeat, command: FinishPlanning) -> Rejection | None:
    """Finish planning. Source: planning.final."""
    t.ask(seat, "")
    t.set(seat.planned, 1)
    t.emit(seat, PlanningFinished())
    t.advance()
    return None


# --- listing -----------------------------------------------------------------------------------------------


def legal_plan(t: AnyTable, seat: AnySeat) -> list[Command]:
    """Return the commands of a seat that plans. It must be fast: bots spend most of their time here."""
    estate = seat.estate()
    data = t.data
    fits = estate.index.fits
    round = t.round.value
    free = estate.free()
    commands: list[Command] = []
    for follower in sorted(seat.market.items):
        mask = fits[follower] & free
        if mask:
            commands += data.placements.get((follower, mask)) or data.make_placements(follower, mask)
    if estate.index.storage:
        for space in estate.storage:
            commands += _placements_from_tower(t, seat, space, free)
    for space in estate.occupied(free):
        placed = space.placed.value
        if placed == round or placed == -round:
            commands.append(space.space.withdraw)
    if data.readings.technology_window == "after_passing_and_planning":
        commands += technology.placements(t, seat)
    commands.append(FINISH)
    return commands


def _placements_from_tower(t: AnyTable, seat: AnySeat, stored: BoundSpace, free: int) -> list[PlaceFollower]:
    follower = stored.occupant()
    if follower not in t.data.followers or stored.pile is not _find_tower_pile(seat, follower):
        return []
    mask = seat.estate().index.fits[follower] & free
    placements = t.data.placements.get((follower, mask)) or t.data.make_placements(follower, mask)
    return [PlaceFollower(follower, command.place, command.space, from_tower=True) for command in placements]
