"""Who sees what: a property of zones and markers, never of the code that answers a question.

A zone or marker carries one of these words:

* ``public``   everybody sees what is in it,
* ``seat.N``   that seat sees what is in it, everybody else how many components there are,
* ``secret.N`` that seat sees what is in it, everybody else nothing at all,
* ``count``    everybody sees how many components there are,
* ``nobody``   nobody sees anything of it,
* ``as:M``     it is seen by those who see the marker M: a screen that goes up and down before many zones at once.

A viewer is a seat number; 0 is a spectator, :data:`OPERATOR` sees everything.
"""

from __future__ import annotations

import re
from collections.abc import Container

from boardkeeper.table.effects import Ask, Draw, Effect, Move, Set, Shuffle
from boardkeeper.table.events import Event
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Marker, Zone

PUBLIC = "public"
COUNT = "count"
NOBODY = "nobody"

SPECTATOR = 0
OPERATOR = -1

_AS = "as:"

_OF_A_SEAT = re.compile(r"(?:seat|secret)\.([1-9][0-9]?)")

HIDDEN = "?"
"""Stands for a component that the viewer may not know."""


def only(seat: int) -> str:
    """The visibility of something that one seat alone sees into."""
    return f"seat.{seat}"


def secret(seat: int) -> str:
    """The visibility of something that one seat alone knows anything of."""
    return f"secret.{seat}"


def behind(screen: str) -> str:
    """The visibility of something that stands behind the marker of that id."""
    return f"{_AS}{screen}"


def is_visibility(word: str, markers: Container[str], seats: int) -> bool:
    """Whether that says who sees a zone or marker, on a table with these markers and so many seats."""
    if word.startswith(_AS):
        return word.removeprefix(_AS) in markers
    of_a_seat = _OF_A_SEAT.fullmatch(word)
    return int(of_a_seat[1]) <= seats if of_a_seat else word in (PUBLIC, COUNT, NOBODY)


def _in_force(table: Table, subject: Zone | Marker) -> str:
    visibility = subject.visibility
    return table.markers[visibility.removeprefix(_AS)].visibility if visibility.startswith(_AS) else visibility


def sees(table: Table, subject: Zone | Marker, viewer: int) -> bool:
    """Whether a viewer knows a zone's contents or a marker's value."""
    if viewer == OPERATOR or subject.visibility == PUBLIC:  # most things are public: this is asked all the time
        return True
    return _in_force(table, subject) in (PUBLIC, f"seat.{viewer}", f"secret.{viewer}")


def counts(table: Table, zone: Zone, viewer: int) -> bool:
    """Whether a viewer knows how many components lie in a zone."""
    if sees(table, zone, viewer):
        return True
    visibility = _in_force(table, zone)
    return visibility != NOBODY and not visibility.startswith("secret.")


def visible_effect(table: Table, effect: Effect, viewer: int) -> Effect | None:
    """What a viewer may know of one effect: itself, itself with hidden components, or nothing."""
    match effect:
        case Move():
            source, target = table.zones[effect.source], table.zones[effect.target]
            if sees(table, source, viewer) or sees(table, target, viewer):
                return effect
            if counts(table, source, viewer) and counts(table, target, viewer):
                return Move(HIDDEN, effect.count, effect.source, effect.target)
            return None
        case Set():
            return effect if sees(table, table.markers[effect.marker], viewer) else None
        case Draw():
            zone = table.zones[effect.zone]
            if sees(table, zone, viewer):
                return effect
            hidden = (HIDDEN,) * len(effect.drawn)
            return Draw(effect.zone, effect.counter, hidden) if counts(table, zone, viewer) else None
        case Shuffle():
            zone = table.zones[effect.zone]
            if sees(table, zone, viewer):
                return effect
            hidden = (HIDDEN,) * len(effect.after)
            return Shuffle(effect.zone, effect.counter, hidden, hidden) if counts(table, zone, viewer) else None
        case _:  # who sees what and who decides is known to all
            return effect


def hides_detail(table: Table, effect: Effect, viewer: int) -> bool:
    """Whether a viewer who may not know all of an effect may not know the detail of its event either.

    A draw alone does not hide it: what was drawn and then shown is known from where it went.
    """
    kind = type(effect)
    return kind is not Ask and kind is not Draw and visible_effect(table, effect, viewer) is not effect


def visible_effects(table: Table, event: Event, viewer: int) -> tuple[tuple[Effect, ...], bool]:
    """What a viewer may know of an event's effects, and whether that is enough to know its detail too.

    The detail tells what moved, so it goes to those who see every move and marker of the event. A draw alone
    does not hide it: what was drawn and then shown is known from where it went.
    """
    shown: list[Effect] = []
    whole = True
    for effect in event.effects:
        visible = visible_effect(table, effect, viewer)
        if visible is not None:
            shown.append(visible)
        if visible is not effect and not isinstance(effect, Draw):
            whole = False
    return tuple(shown), whole
