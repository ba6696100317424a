"""Guildhall: building a trading station in the town of the merchant."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.commands import Command, UsePlace
from boardkeeper.titles.orleans.events import TradingStationBuilt
from boardkeeper.titles.orleans.material import BoundPlace, Orleans, Seat


def find_rejection(t: Orleans, seat: Seat, town: str = "") -> Rejection | None:
    """Return why the seat cannot build in a town (empty: that of its merchant), or ``None``.

    Source: orleans.guildhall.*.
    """
    town = town or seat.merchant.value
    built = t.towns[town].items
    if town == t.data.shared_station_town:
        if seat.station in built:
            return Rejection("STATION_THERE", "orleans.guildhall.orleans", {"town": town})
    elif built:
        return Rejection("STATION_THERE", "orleans.guildhall.one_per_town", {"town": town})
    if not seat.stations.items:
        return Rejection("NO_STATION", "orleans.guildhall.supply", {"town": town})
    return None


def use(t: Orleans, seat: Seat, place: BoundPlace) -> Rejection | None:
    """Build a trading station in the town of the merchant."""
    rejection = find_rejection(t, seat)
    if rejection:
        return rejection
    town = seat.merchant.value
    t.move(seat.station, seat.stations, t.towns[town])
    action.return_followers(t, seat, place)
    t.emit(seat, TradingStationBuilt(place.id, town))
    action.end(t, seat)
    return None


def legal(t: Orleans, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return the command to build, if the seat can."""
    return () if find_rejection(t, seat) else (UsePlace(place.id),)
