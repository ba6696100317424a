"""Who sees what: a property of zones and markers, never of the code that answers a question.

A zone or marker carries one of these words:

* ``public``   everybody sees what is in it,
* ``seat.N``   that seat sees what is in it, everybody else how many components there are,
* ``seats.A.B…`` each of these seats does, everybody else sees how many; two at least, in ascending order,
* ``secret.N`` that seat sees what is in it, everybody else nothing at all,
* ``count``    everybody sees how many components there are,
* ``nobody``   nobody sees anything of it,
* ``as:M``     it is seen by those who see the marker M: a screen that goes up and down before many zones at once.

A viewer is a seat number; 0 is a spectator, :data:`OPERATOR` sees everything.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from itertools import pairwise

from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.table import Table
from boardkeeper.table.zones import AnyMarker, Zone

PUBLIC = "public"
COUNT = "count"
NOBODY = "nobody"

SPECTATOR = 0
OPERATOR = -1

_AS = "as:"
_SEATS = "seats."

_OF_A_SEAT = re.compile(r"(?:seat|secret)\.([1-9][0-9]?)")
_OF_SEATS = re.compile(r"seats((?:\.[1-9][0-9]?){2,})")

HIDDEN = "?"
"""Stands for a component that the viewer may not know."""


def viewer_word(viewer: int) -> str:
    """Return the name of a viewer in tables and records; the operator's is ``whole``."""
    return {OPERATOR: "whole", SPECTATOR: "spectator"}.get(viewer, f"seat.{viewer}")


def viewer_named(word: str) -> int:
    """Return the viewer of that name: the operator for an empty one, a spectator for an unknown one."""
    if word in ("", "whole"):
        return OPERATOR
    of_a_seat = _OF_A_SEAT.fullmatch(word)
    return int(of_a_seat[1]) if of_a_seat is not None else SPECTATOR


def only(seat: int) -> str:
    """The visibility of something that one seat alone sees into."""
    return f"seat.{seat}"


def shared_by(*seats: int) -> str:
    """The visibility of something that these seats alone see into; raises ``ValueError`` for none.

    There is one word for each set of seats, in whatever order they are named: for a single one :func:`only`.
    """
    if not seats:
        raise ValueError("what no seat sees into is not shared by seats")
    numbers = sorted(set(seats))
    return _SEATS + ".".join(map(str, numbers)) if len(numbers) > 1 else only(numbers[0])


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
    if word in (PUBLIC, COUNT, NOBODY):
        return True
    if _OF_SEATS.fullmatch(word):
        several = seats_of(word)
        return several[-1] <= seats and all(one < next for one, next in pairwise(several))
    of_a_seat = _OF_A_SEAT.fullmatch(word)
    return of_a_seat is not None and int(of_a_seat[1]) <= seats


def is_shared(word: str) -> bool:
    """Whether that is the visibility of something that several seats see into, which records know from format 2 on."""
    return word.startswith(_SEATS)


def seats_of(word: str) -> tuple[int, ...]:
    """The seats that alone see what has that visibility, in ascending order; none where it is no matter of seats."""
    kind, _, numbers = word.partition(".")
    return tuple(map(int, numbers.split("."))) if kind in ("seat", "seats", "secret") else ()


def in_force(table: Table, visibility: str) -> str:
    """Return a visibility, or for a visibility that follows a marker, the present one of the marker."""
    return table.markers[visibility.removeprefix(_AS)].visibility if visibility.startswith(_AS) else visibility


def behind_it(table: Table, screen: AnyMarker) -> Iterator[Zone | AnyMarker]:
    """The zones and markers that stand behind a marker."""
    word = behind(screen.id)
    yield from (zone for zone in table.zones.values() if zone.visibility == word)
    yield from (marker for marker in table.markers.values() if marker.visibility == word)


def sees(table: Table, subject: Zone | AnyMarker, viewer: int) -> bool:
    """Whether a viewer knows a zone's contents or a marker's value."""
    if viewer == OPERATOR or subject.visibility == PUBLIC:  # most things are public: this is asked all the time
        return True
    return shows(in_force(table, subject.visibility), viewer)


def shows(word: str, viewer: int) -> bool:
    """Whether a seat or a spectator knows what has that visibility, which is none behind a screen."""
    if word.startswith(_SEATS):
        return f".{viewer}." in f"{word}."
    return word in (PUBLIC, f"seat.{viewer}", f"secret.{viewer}")


def counts(table: Table, zone: Zone, viewer: int) -> bool:
    """Whether a viewer knows how many components lie in a zone."""
    if sees(table, zone, viewer):
        return True
    visibility = in_force(table, zone.visibility)
    return visibility != NOBODY and not visibility.startswith("secret.")


def shows_to_some(table: Table, reveal: Reveal) -> bool:
    """Whether a reveal lets somebody see what it is about, but not everybody; ``table`` is that after its event."""
    after = in_force(table, reveal.after)
    if after == PUBLIC:
        return False
    before = in_force(table, reveal.before)
    return before != PUBLIC and not set(seats_of(after)) <= set(seats_of(before))


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

    A draw alone does not hide it: what was drawn and then shown is known from where it went. A reveal hides it, though
    everybody knows of it, from those who do not see what others do from now on.
    """
    kind = type(effect)
    if kind is Ask or kind is Draw:
        return False
    if type(effect) is Reveal:
        return _is_for_others(table, effect, viewer)
    return visible_effect(table, effect, viewer) is not effect


def _is_for_others(table: Table, reveal: Reveal, viewer: int) -> bool:
    return shows_to_some(table, reveal) and not sees(table, table.subject(reveal.subject), viewer)


def visible_effects(table: Table, effects: Iterable[Effect], viewer: int) -> tuple[tuple[Effect, ...], bool]:
    """What a viewer may know of an event's effects, and whether that is enough to know its detail too.

    The detail tells what moved and what was shown, so it goes to those who see every move and marker of the event, and
    everything that it shows to some. A draw alone does not hide it: what was drawn and then shown is known from where
    it went.
    """
    shown: list[Effect] = []
    whole = True
    for effect in effects:
        visible = visible_effect(table, effect, viewer)
        if visible is not None:
            shown.append(visible)
        if visible is not effect:
            whole = whole and type(effect) is Draw
        elif type(effect) is Reveal:
            whole = whole and not _is_for_others(table, effect, viewer)
    return tuple(shown), whole
