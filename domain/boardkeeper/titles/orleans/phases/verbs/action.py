"""What all actions share: is the place usable, and what happens to the followers used."""

from __future__ import annotations

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.bindings import BoundPlace, Orleans, Seat
from boardkeeper.titles.orleans.data import TECHNOLOGY


def usable(seat: Seat, id: str, *verbs: str) -> BoundPlace | Rejection:
    """The seat's activated place of that id, if a command of these verbs is the right one for it."""
    estate = seat.estate()
    place = estate.places.get(id)
    if place is None:
        return Rejection("NOT_YOUR_PLACE", "orleans.actions.own_place", {"place": id})
    if place.place.cancels_event:
        return Rejection("NO_ACTION", "orleans.sacristy.not_an_action", {"place": id})
    if not place.mask:
        return Rejection("NO_ACTION", "orleans.actions.no_action", {"place": id})
    if place.verb not in verbs:
        return Rejection("WRONG_COMMAND", "orleans.actions.matching_command", {"place": id})
    if not place.is_active(estate.free()):
        missing = " ".join(space.id for space in place.spaces if not space.items)
        return Rejection("NOT_ACTIVATED", "orleans.actions.activated", {"place": id, "missing": missing})
    return place


def return_followers(t: Orleans, seat: Seat, place: BoundPlace) -> None:
    """Put the followers used back into the bag; technology stays (orleans.actions.followers_return)."""
    for space in place.spaces:
        occupant = space.occupant()
        if occupant and occupant != TECHNOLOGY:
            t.move(occupant, space.pile, seat.bag)


def end(t: Orleans, seat: Seat) -> None:
    """The action is over; the next seat acts."""
    t.ask(seat, "")
    t.advance()
