"""The commands that use a place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from boardkeeper.families.followers.commands import UsePlace
from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.rejections import Rejection

Use = Callable[[Any, Any, Any], Rejection | None]
"""Carries out the action of a seat's activated place."""

AtPlace = Callable[[Any, Any, Any, Any], Rejection | None]
"""Carries out a command of a seat at its activated place."""


def by_verb(uses: Mapping[str, Use]) -> Callable[[AnyTable, AnySeat, UsePlace], Rejection | None]:
    """Return the function that carries out ``UsePlace``: ``uses`` has the function of each verb of places."""

    def use_place(t: AnyTable, seat: AnySeat, command: UsePlace) -> Rejection | None:
        place = action.usable(t, seat, command.place, *uses)
        return place if isinstance(place, Rejection) else uses[place.verb](t, seat, place)

    return use_place


def at_place(verb: str, carry_out: AtPlace) -> Callable[[AnyTable, AnySeat, Any], Rejection | None]:
    """Return the function that carries out a command at the place that it names, an activated one with this verb."""

    def decide(t: AnyTable, seat: AnySeat, command: Any) -> Rejection | None:
        place = action.usable(t, seat, command.place, verb)
        return place if isinstance(place, Rejection) else carry_out(t, seat, command, place)

    return decide
