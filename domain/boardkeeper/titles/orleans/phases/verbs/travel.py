"""Ship, Wagon and Horse Wagon: one step of the merchant, and a good from the way."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.commands import Command, Travel
from boardkeeper.titles.orleans.events import MerchantMoved
from boardkeeper.titles.orleans.material import BoundPlace, Orleans, Seat


def travel(t: Orleans, seat: Seat, command: Travel, place: BoundPlace) -> Rejection | None:
    """Move the merchant to a neighbouring town. Source: orleans.travel.*."""
    kind = place.place.travel
    origin = seat.merchant.value
    way = next((route.way for route in t.data.routes[kind][origin] if route.town == command.town), "")
    if not way:
        rule = "orleans.travel.road" if kind == "road" else "orleans.travel.waterway"
        return Rejection("NOT_CONNECTED", rule, {"from": origin, "town": command.town, "kind": kind})
    good = command.good
    if good and good not in t.ways[way].items:
        return Rejection("NO_SUCH_GOOD", "orleans.travel.good_on_the_way", {"good": good, "way": way})
    if not good and not may_leave_goods(t, place, way):
        return Rejection("GOOD_LEFT", "orleans.horse_wagon.collects", {"place": place.id, "way": way})
    t.set(seat.merchant, command.town)
    if good:
        t.move(good, t.ways[way], seat.goods)
    action.return_followers(t, seat, place)
    t.emit(seat, MerchantMoved(place.id, origin, command.town, way, good))
    action.end(t, seat)
    return None


def may_leave_goods(t: Orleans, place: BoundPlace, way: str) -> bool:
    """Return whether the seat may take no good from a way.

    With the Horse Wagon it must take one of a way that has any, if the reading ``horse_wagon_good`` is ``must``.
    """
    must = place.place.collects and t.data.readings.horse_wagon_good == "must"
    return not (must and t.ways[way].items)


def legal(t: Orleans, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return a command for each step with each good on the way, and without a good where allowed."""
    commands: list[Command] = []
    for route in t.data.routes[place.place.travel][seat.merchant.value]:
        commands += [Travel(place.id, route.town, good) for good in sorted(t.ways[route.way].items)]
        if may_leave_goods(t, place, route.way):
            commands.append(Travel(place.id, route.town))
    return commands
