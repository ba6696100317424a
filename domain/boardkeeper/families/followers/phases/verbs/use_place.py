"""The command that uses a place whose action leaves nothing to choose, or begins one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from boardkeeper.families.followers.commands import UsePlace
from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.rejections import Rejection

Use = Callable[[Any, Any, Any], Rejection | None]
"""Carries out the action of a seat's activated place."""


def by_verb(uses: Mapping[str, Use]) -> Callable[[AnyTable, AnySeat, UsePlace], Rejection | None]:
    """Return the function that carries out ``UsePlace``: ``uses`` has the function of each verb of places."""

    def use_place(t: AnyTable, seat: AnySeat, command: UsePlace) -> Rejection | None:
        place = action.usable(t, seat, command.place, *uses)
        return place if isinstance(place, Rejection) else uses[place.verb](t, seat, place)

    return use_place
