"""Phase 3: drawing followers, taking placed ones back, and filling the Gunpowder Tower."""

from __future__ import annotations

from boardkeeper.families.followers.commands import (
    Command,
    DrawFollowers,
    FinishStoring,
    FinishTakingBack,
    KeepFollower,
    StoreFollower,
    TakeBackFollower,
)
from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.events import (
    BathhouseVisited,
    FollowerKept,
    FollowersDrawn,
    FollowerStored,
    FollowerTakenBack,
    PhaseBegun,
    StoringFinished,
    TakingBackFinished,
)
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.zones import free_spaces


def begin(t: AnyTable) -> None:
    """Ask every seat that can draw followers or take them back. Source: drawing.*."""
    t.set(t.phase, "followers")
    for seat in t.seats:
        t.set(seat.given_up, 0)
        if seat.draws_made is not None:
            t.set(seat.draws_made, 0)
        if draws_allowed(t, seat) or legal_take_backs(t, seat):
            t.ask(seat, "draw")
        else:
            _draw_extra(t, seat)
    t.emit(None, PhaseBegun("followers"))


def proceed(t: AnyTable) -> None:
    """Begin planning when all seats have drawn."""
    t.enter("planning")


# --- drawing -----------------------------------------------------------------------------------------------


def unused_draws(t: AnyTable, seat: AnySeat) -> int:
    """Return the draw limit of the seat less the draws that it has made and given up."""
    return t.hooks.draw_limit(t, seat) - seat.count_draws() - seat.given_up.value


def draws_left(t: AnyTable, seat: AnySeat) -> int:
    """Return how many draws the seat can still make or give up.

    If the reading ``taking_back`` is ``possible_draws``, it can only give up draws for which its bag has followers.
    """
    left = unused_draws(t, seat)
    if t.data.readings.taking_back == "possible_draws":
        return min(left, seat.bag.total() - seat.given_up.value)
    return left


def market_room(t: AnyTable, seat: AnySeat) -> int:
    """Return how many more followers the market and the Gunpowder Tower can take. Source: drawing.market_room."""
    index = seat.estate().index
    room = t.data.market_size + index.market_spaces - seat.market.total()
    return room + storage_room(seat) if index.storage else room


def market_overflow(t: AnyTable, seat: AnySeat) -> int:
    """Return how many followers more than it has room for are on the market; negative if it has room."""
    return seat.market.total() - t.data.market_size - seat.estate().index.market_spaces


def storage_room(seat: AnySeat) -> int:
    """Return the number of free spaces of the Gunpowder Tower."""
    estate = seat.estate()
    return (estate.free() & estate.index.storage).bit_count() if estate.storage else 0


def draws_allowed(t: AnyTable, seat: AnySeat) -> int:
    """Return how many followers the seat may draw, by its draw limit, its market room and its bag."""
    return max(0, min(draws_left(t, seat), market_room(t, seat), seat.bag.total()))


def min_draws(t: AnyTable, seat: AnySeat) -> int:
    """Return how many followers the seat must draw: 0 if the reading ``draw_amount`` is ``up_to``, else all."""
    return 0 if t.data.readings.draw_amount == "up_to" else draws_allowed(t, seat)


def draw_followers(t: AnyTable, seat: AnySeat, command: DrawFollowers) -> Rejection | None:
    """Draw followers, once a round. Then ask which followers to take back or to store, if the seat can."""
    count, most = command.count, draws_allowed(t, seat)
    if not 0 <= count <= most:
        values = {"count": str(count), "most": str(most), "limit": str(draws_left(t, seat))}
        return Rejection("TOO_MANY_DRAWS", _limiting_rule(t, seat), values)
    if count < min_draws(t, seat):
        return Rejection("TOO_FEW_DRAWS", t.rule("drawing.full"), {"count": str(count), "least": str(most)})
    drawn = t.recorder.draw(seat.bag, seat.market, count)
    if seat.draws_made is not None:
        t.set(seat.draws_made, count)
    t.ask(seat, "")
    t.emit(seat, FollowersDrawn(tuple(drawn)))
    if t.data.takes_back_after_drawing and legal_take_backs(t, seat):
        t.ask(seat, "take_back")
    else:
        _draw_extra(t, seat)
    t.advance()
    return None


def _limiting_rule(t: AnyTable, seat: AnySeat) -> str:
    """Return the id of the rule that limits the number of draws of the seat."""
    most = draws_allowed(t, seat)
    if most == unused_draws(t, seat):
        return t.rule("drawing.limit")
    if most == seat.bag.total():
        return t.rule("drawing.bag")
    return t.rule("taking_back.possible_draws") if most == draws_left(t, seat) else t.rule("drawing.market_room")


# --- taking back -------------------------------------------------------------------------------------------


def take_back_follower(t: AnyTable, seat: AnySeat, command: TakeBackFollower) -> Rejection | None:
    """Take a placed follower back instead of one draw, before or after drawing. Source: taking_back.*."""
    place = {"place": command.place, "space": command.space}
    estate = seat.estate()
    space = estate.spaces.get((command.place, command.space))
    if space is None:
        return Rejection("NOT_YOUR_SPACE", t.rule("planning.own_place"), place)
    follower = space.occupant()
    if not follower:
        return Rejection("SPACE_EMPTY", t.rule("taking_back.follower_there"), place)
    if follower == TECHNOLOGY:
        return Rejection("TECHNOLOGY_STAYS", t.rule("taking_back.never_technology"), place)
    if space.bit & estate.index.storage:
        return Rejection("NOT_FROM_TOWER", t.rule("taking_back.not_from_tower"), place)
    if draws_left(t, seat) <= 0:
        possible = unused_draws(t, seat) > 0
        rule = t.rule("taking_back.possible_draws") if possible else t.rule("taking_back.limit")
        return Rejection("NO_DRAW_LEFT", rule, place)
    if market_room(t, seat) <= 0:
        return Rejection("MARKET_FULL", t.rule("taking_back.market_room"), place)
    t.move(follower, space.pile, seat.market)
    t.set(seat.given_up, seat.given_up.value + 1)
    t.emit(seat, FollowerTakenBack(follower, command.place, command.space))
    if t.table.decisions[seat.number] == "take_back" and not legal_take_backs(t, seat):
        _end_taking_back(t, seat)
    return None


def finish_taking_back(t: AnyTable, seat: AnySeat, command: FinishTakingBack) -> Rejection | None:
    """Finish taking followers back. Source: taking_back.after_drawing."""
    t.emit(seat, TakingBackFinished())
    _end_taking_back(t, seat)
    return None


def _end_taking_back(t: AnyTable, seat: AnySeat) -> None:
    t.ask(seat, "")
    _draw_extra(t, seat)
    t.advance()


def legal_take_backs(t: AnyTable, seat: AnySeat) -> list[Command]:
    """Return a command for each follower that the seat may take back now."""
    return _take_backs(seat) if draws_left(t, seat) > 0 and market_room(t, seat) > 0 else []


def _take_backs(seat: AnySeat) -> list[Command]:
    """Return a command for each follower that could be taken back if draws and market room are left."""
    estate = seat.estate()
    storage = estate.index.storage
    return [
        space.space.take_back
        for space in estate.occupied(estate.free())
        if not space.bit & storage and TECHNOLOGY not in space.pile.items
    ]


def legal_draw(t: AnyTable, seat: AnySeat) -> list[Command]:
    """Return the commands of a seat that draws."""
    left, room = draws_left(t, seat), market_room(t, seat)
    most = max(0, min(left, room, seat.bag.total()))
    least = 0 if t.data.readings.draw_amount == "up_to" else most
    commands: list[Command] = [DrawFollowers(count) for count in range(least, most + 1)]
    return commands + _take_backs(seat) if left > 0 and room > 0 else commands


def legal_take_back(t: AnyTable, seat: AnySeat) -> list[Command]:
    """Return the commands of a seat that may take followers back after drawing."""
    return [*legal_take_backs(t, seat), FinishTakingBack()]


# --- the Bathhouse of the first printings ------------------------------------------------------------------


def _draw_extra(t: AnyTable, seat: AnySeat) -> None:
    """Draw followers for the Bathhouse, of which the seat keeps one, if it has the extra draw, followers and room."""
    place = seat.estate().index.extra_draw
    count = min(place.extra_draw, seat.bag.total()) if place else 0
    if place is None or not count or not market_room(t, seat):
        _ask_to_store(t, seat)
        return
    drawn = t.recorder.draw(seat.bag, seat.drawn, count)
    t.ask(seat, "keep")
    t.emit(seat, BathhouseVisited(place.id, tuple(drawn)))


def keep_follower(t: AnyTable, seat: AnySeat, command: KeepFollower) -> Rejection | None:
    """Put one of the followers of the extra draw on the market, the others into the bag. Source: bathhouse.passive."""
    if command.follower not in seat.drawn.items:
        return Rejection("NOT_DRAWN", t.rule("bathhouse.drawn_follower"), {"follower": command.follower})
    t.move(command.follower, seat.drawn, seat.market)
    for follower, count in seat.drawn.counts().items():
        t.move(follower, seat.drawn, seat.bag, count)
    t.ask(seat, "")
    _ask_to_store(t, seat)
    t.emit(seat, FollowerKept(command.follower))
    t.advance()
    return None


def legal_keep(t: AnyTable, seat: AnySeat) -> list[Command]:
    """Return a command for each follower of the extra draw."""
    return [KeepFollower(follower) for follower in sorted(seat.drawn.items)]


# --- the Gunpowder Tower -----------------------------------------------------------------------------------


def _ask_to_store(t: AnyTable, seat: AnySeat) -> None:
    if seat.market.items and storage_room(seat):
        t.ask(seat, "store")


def store_follower(t: AnyTable, seat: AnySeat, command: StoreFollower) -> Rejection | None:
    """Put a follower from the market on the Gunpowder Tower. Source: gunpowder_tower.phase_three."""
    values = {"follower": command.follower, "space": command.space}
    space = next((space for space in seat.estate().storage if space.id == command.space), None)
    if space is None:
        return Rejection("NOT_YOUR_SPACE", t.rule("gunpowder_tower.owned"), values)
    if space.pile.items:
        return Rejection("SPACE_TAKEN", t.rule("gunpowder_tower.free_space"), values)
    if command.follower not in seat.market.items:
        return Rejection("NOT_ON_MARKET", t.rule("planning.from_market"), values)
    t.move(command.follower, seat.market, space.pile)
    if not (seat.market.items and storage_room(seat)):
        t.ask(seat, "")
    t.emit(seat, FollowerStored(command.follower, command.space))
    t.advance()
    return None


def finish_storing(t: AnyTable, seat: AnySeat, command: FinishStoring) -> Rejection | None:
    """Finish storing. The market must not have more followers than it has room for. Source: drawing.market_room."""
    overflow = market_overflow(t, seat)
    if overflow > 0:
        return Rejection("MARKET_OVERFULL", t.rule("drawing.market_room"), {"too_many": str(overflow)})
    t.ask(seat, "")
    t.emit(seat, StoringFinished())
    t.advance()
    return None


def legal_store(t: AnyTable, seat: AnySeat) -> list[Command]:
    """Return the commands of a seat that fills its Gunpowder Tower."""
    free = free_spaces(seat.estate().storage)
    followers = sorted(seat.market.items)
    commands: list[Command] = [StoreFollower(follower, space.id) for follower in followers for space in free]
    if market_overflow(t, seat) <= 0:
        commands.append(FinishStoring())
    return commands
