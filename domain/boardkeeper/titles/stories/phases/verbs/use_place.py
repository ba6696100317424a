"""The command that uses a place whose action leaves nothing to choose, or begins one."""

from __future__ import annotations

from collections.abc import Callable

from boardkeeper.families.followers.phases.verbs import action, bathhouse
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.bindings import BoundPlace, Seat, Stories
from boardkeeper.titles.stories.commands import UsePlace
from boardkeeper.titles.stories.phases.verbs import gain, market, produce

USE: dict[str, Callable[[Stories, Seat, BoundPlace], Rejection | None]] = {
    "bathhouse": bathhouse.use,
    "gain": gain.use,
    "market": market.use,
    "produce": produce.use,
}


def use_place(t: Stories, seat: Seat, command: UsePlace) -> Rejection | None:
    """Carry out the action of an activated place."""
    place = action.usable(t, seat, command.place, *USE)
    if isinstance(place, Rejection):
        return place
    return USE[place.verb](t, seat, place)
