"""The command that uses a place whose action leaves nothing to choose."""

from __future__ import annotations

from collections.abc import Callable

from boardkeeper.families.followers.phases.verbs import action, bathhouse
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.bindings import BoundPlace, Orleans, Seat
from boardkeeper.titles.orleans.commands import UsePlace
from boardkeeper.titles.orleans.phases.verbs import gain, station

USE: dict[str, Callable[[Orleans, Seat, BoundPlace], Rejection | None]] = {
    "bathhouse": bathhouse.use,
    "gain": gain.use,
    "station": station.use,
}


def use_place(t: Orleans, seat: Seat, command: UsePlace) -> Rejection | None:
    """Carry out the action of an activated place."""
    place = action.usable(t, seat, command.place, *USE)
    if isinstance(place, Rejection):
        return place
    return USE[place.verb](t, seat, place)
