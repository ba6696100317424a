"""Visibility: which viewers see the contents of a zone or the value of a marker.

Each zone and marker has one of these visibilities:

* ``public``: every viewer sees the contents.
* ``seat.N``: seat N sees the contents; the other viewers see the number of components.
* ``seats.A.B…``: the same for two or more seats, in ascending order.
* ``secret.N``: seat N sees the contents; the other viewers see nothing.
* ``count``: every viewer sees only the number of components.
* ``nobody``: no viewer sees anything.
* ``as:M``: the current visibility of the marker M, for example a screen in front of many zones.

A viewer is a seat number, :data:`SPECTATOR`, or :data:`OPERATOR`, which sees everything.
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
"""Replaces the id of a component that the viewer may not know."""


def viewer_name(viewer: int) -> str:
    """Return the name of a viewer in tables and records: ``seat.N``, ``spectator``, or ``whole`` for the operator."""
    return {OPERATOR: "whole", SPECTATOR: "spectator"}.get(viewer, f"seat.{viewer}")


def parse_viewer(word: str) -> int:
    """Return the viewer with this name: the operator for an empty name, a spectator for an unknown one."""
    if word in ("", "whole"):
        return OPERATOR
    of_a_seat = _OF_A_SEAT.fullmatch(word)
    return int(of_a_seat[1]) if of_a_seat is not None else SPECTATOR


def only(seat: int) -> str:
    """Return ``seat.N``: only this seat sees the contents."""
    return f"seat.{seat}"


def shared_by(*seats: int) -> str:
    """Return the visibility for contents that only these seats see, in any order; raises ``ValueError`` for none."""
    if not seats:
        raise ValueError("name at least one seat")
    numbers = sorted(set(seats))
    return _SEATS + ".".join(map(str, numbers)) if len(numbers) > 1 else only(numbers[0])


def secret(seat: int) -> str:
    """Return ``secret.N``: other seats may not even count the components."""
    return f"secret.{seat}"


def same_as(marker: str) -> str:
    """Return ``as:M``: the visibility is always that of the marker with this id."""
    return f"{_AS}{marker}"


def is_visibility(word: str, markers: Container[str], seats: int) -> bool:
    """Return whether a word is a visibility on a table with these markers (ids) and this number of seats."""
    if word.startswith(_AS):
        return word.removeprefix(_AS) in markers
    if word in (PUBLIC, COUNT, NOBODY):
        return True
    if _OF_SEATS.fullmatch(word):
        several = seats_of(word)
        return several[-1] <= seats and all(one < next for one, next in pairwise(several))
    of_a_seat = _OF_A_SEAT.fullmatch(word)
    return of_a_seat is not None and int(of_a_seat[1]) <= seats


def is_shared_by_seats(word: str) -> bool:
    """Return whether a visibility names several seats. Game records can have it from format 2 on."""
    return word.startswith(_SEATS)


def seats_of(word: str) -> tuple[int, ...]:
    """Return the seats that a visibility names, in ascending order; empty if it names none."""
    kind, _, numbers = word.partition(".")
    return tuple(map(int, numbers.split("."))) if kind in ("seat", "seats", "secret") else ()


def effective_visibility(table: Table, visibility: str) -> str:
    """Return the visibility itself, or for ``as:M`` the current visibility of the marker M."""
    return table.markers[visibility.removeprefix(_AS)].visibility if visibility.startswith(_AS) else visibility


def dependents_of(table: Table, screen: AnyMarker) -> Iterator[Zone | AnyMarker]:
    """Yield the zones and markers with the visibility ``as:M``, where M is the marker ``screen``."""
    word = same_as(screen.id)
    yield from (zone for zone in table.zones.values() if zone.visibility == word)
    yield from (marker for marker in table.markers.values() if marker.visibility == word)


def sees(table: Table, subject: Zone | AnyMarker, viewer: int) -> bool:
    """Return whether a viewer may know the contents of a zone or the value of a marker."""
    if viewer == OPERATOR or subject.visibility == PUBLIC:  # fast path: most zones are public
        return True
    return is_visible_to(effective_visibility(table, subject.visibility), viewer)


def is_visible_to(word: str, viewer: int) -> bool:
    """Return whether a seat or spectator sees contents with this visibility, which must not be ``as:M``."""
    if word.startswith(_SEATS):
        return f".{viewer}." in f"{word}."
    return word in (PUBLIC, f"seat.{viewer}", f"secret.{viewer}")


def can_count(table: Table, zone: Zone, viewer: int) -> bool:
    """Return whether a viewer may know the number of components in a zone."""
    if sees(table, zone, viewer):
        return True
    visibility = effective_visibility(table, zone.visibility)
    return visibility != NOBODY and not visibility.startswith("secret.")


def is_partial_reveal(table: Table, reveal: Reveal) -> bool:
    """Return whether a reveal shows its subject to more seats, but not to all viewers.

    ``table`` is the table after the event.
    """
    after = effective_visibility(table, reveal.after)
    if after == PUBLIC:
        return False
    before = effective_visibility(table, reveal.before)
    return before != PUBLIC and not set(seats_of(after)) <= set(seats_of(before))


def redact_effect(table: Table, effect: Effect, viewer: int) -> Effect | None:
    """Return the effect if a viewer may know it, a copy with hidden components, or ``None`` if nothing may be known."""
    match effect:
        case Move():
            source, target = table.zones[effect.source], table.zones[effect.target]
            if sees(table, source, viewer) or sees(table, target, viewer):
                return effect
            if can_count(table, source, viewer) and can_count(table, target, viewer):
                return Move(HIDDEN, effect.count, effect.source, effect.target)
            return None
        case Set():
            return effect if sees(table, table.markers[effect.marker], viewer) else None
        case Draw() | Shuffle():
            zone = table.zones[effect.zone]
            if sees(table, zone, viewer):
                return effect
            return hide_outcome(effect) if can_count(table, zone, viewer) else None
        case _:  # visibilities and open decisions are public
            return effect


def hide_outcome(effect: Draw | Shuffle) -> Draw | Shuffle:
    """Return a random effect with hidden components."""
    if isinstance(effect, Draw):
        return Draw(effect.zone, effect.counter, (HIDDEN,) * len(effect.drawn))
    hidden = (HIDDEN,) * len(effect.after)
    return Shuffle(effect.zone, effect.counter, hidden, hidden)


def hides_detail(table: Table, effect: Effect, viewer: int) -> bool:
    """Return whether an effect hides the detail of its event from a viewer.

    It does if the viewer may not know all of the effect, or if the effect reveals something to other seats only. Draws
    hide nothing, because the moves that follow show or hide the drawn components.
    """
    kind = type(effect)
    if kind is Ask or kind is Draw:
        return False
    if type(effect) is Reveal:
        return _reveals_to_others_only(table, effect, viewer)
    return redact_effect(table, effect, viewer) is not effect


def _reveals_to_others_only(table: Table, reveal: Reveal, viewer: int) -> bool:
    return is_partial_reveal(table, reveal) and not sees(table, table.subject(reveal.subject), viewer)


def redact_effects(table: Table, effects: Iterable[Effect], viewer: int) -> tuple[tuple[Effect, ...], bool]:
    """Return the effects of an event as a viewer may know them, and whether the viewer may know its detail.

    The detail may be shown if no effect :func:`hides it <hides_detail>`.
    """
    shown: list[Effect] = []
    shows_detail = True
    for effect in effects:
        visible = redact_effect(table, effect, viewer)
        if visible is not None:
            shown.append(visible)
        if visible is not effect:
            shows_detail = shows_detail and type(effect) is Draw
        elif type(effect) is Reveal:
            shows_detail = shows_detail and not _reveals_to_others_only(table, effect, viewer)
    return tuple(shown), shows_detail
