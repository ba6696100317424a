"""Steps that all actions of places share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from boardkeeper.families.followers.commands import UsePlace
from boardkeeper.families.followers.data import TECHNOLOGY, Place
from boardkeeper.families.followers.places import BoundPlace
from boardkeeper.families.followers.table import AnyPlace, AnySeat, AnyTable, FollowersSeat
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.zones import free_spaces

P = TypeVar("P", bound=Place)

PlaceHandler = Callable[[Any, Any, Any], Rejection | None]
"""A function that carries out the action of an activated place: ``(table, seat, place)``."""

PlaceCommandHandler = Callable[[Any, Any, Any, Any], Rejection | None]
"""A function that carries out a command at an activated place: ``(table, seat, command, place)``."""


def find_usable_place(t: AnyTable, seat: FollowersSeat[P], id: str, *verbs: str) -> BoundPlace[P] | Rejection:
    """Return the seat's activated place if its verb is one of ``verbs``, else the rejection."""
    estate = seat.estate()
    place = estate.places.get(id)
    if place is None:
        return Rejection("NOT_YOUR_PLACE", t.rule("actions.own_place"), {"place": id})
    if place.place.cancels_event:
        return Rejection("NO_ACTION", t.rule("sacristy.not_an_action"), {"place": id})
    if not place.mask:
        return Rejection("NO_ACTION", t.rule("actions.no_action"), {"place": id})
    if place.verb not in verbs:
        return Rejection("WRONG_COMMAND", t.rule("actions.matching_command"), {"place": id})
    if not place.is_active(estate.free()):
        missing = " ".join(space.id for space in free_spaces(place.spaces))
        return Rejection("NOT_ACTIVATED", t.rule("actions.activated"), {"place": id, "missing": missing})
    return place


def return_followers(t: AnyTable, seat: AnySeat, place: AnyPlace) -> None:
    """Return used followers to the bag; technology stays. Source: actions.followers_return."""
    for space in place.spaces:
        occupant = space.occupant()
        if occupant and occupant != TECHNOLOGY:
            t.move(occupant, space.pile, seat.bag)


def end(t: AnyTable, seat: AnySeat) -> None:
    """Close the decision of the seat and advance the game. The next seat acts if ``action_place`` is empty."""
    t.ask(seat, "")
    t.advance()


def use_place_by_verb(
    handlers: Mapping[str, PlaceHandler],
) -> Callable[[AnyTable, AnySeat, UsePlace], Rejection | None]:
    """Return a function that carries out ``UsePlace`` with the handler for the verb of the place."""

    def use_place(t: AnyTable, seat: AnySeat, command: UsePlace) -> Rejection | None:
        place = find_usable_place(t, seat, command.place, *handlers)
        return place if isinstance(place, Rejection) else handlers[place.verb](t, seat, place)

    return use_place


def decide_at_place(verb: str, handler: PlaceCommandHandler) -> Callable[[AnyTable, AnySeat, Any], Rejection | None]:
    """Return a function that carries out a command whose field ``place`` must be an activated place with ``verb``."""

    def decide(t: AnyTable, seat: AnySeat, command: Any) -> Rejection | None:
        place = find_usable_place(t, seat, command.place, verb)
        return place if isinstance(place, Rejection) else handler(t, seat, command, place)

    return decide
