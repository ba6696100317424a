"""Previews: the effects of a command that its seat can foresee, for clients that show them before the command is sent.

The command is carried out and rolled back. The preview ends before anything that depends on the dice or on hidden
information, so the seat learns nothing hidden from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from boardkeeper.table.effects import Ask, Draw, Effect, Event, Move, Reveal, Set, Shuffle
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import can_count, effective_visibility, hide_outcome, is_visible_to, sees
from boardkeeper.titlekit.title import Play


def preview(play: Play, seat: int, command: Struct) -> tuple[Effect, ...]:
    """Return the first effects of a command; empty if the rules reject it. The table stays unchanged.

    They are the effects of its first event and of further events of the same seat, up to the next decision; ``Ask``
    effects are left out. A random draw or shuffle comes last, with :data:`boardkeeper.table.visibility.HIDDEN` for
    each component.
    """
    recorder = play.recorder
    try:
        rejection = play.decide(seat, command)
        events = [] if rejection is not None else recorder.pending_events()
    finally:
        recorder.rollback()
    return tuple(_known_effects(play.table, seat, _own_effects(seat, events)))


def _own_effects(seat: int, events: Sequence[Event]) -> Iterator[Effect]:
    """Yield the effects of the first event and of further events of the seat, up to the next decision."""
    for number, event in enumerate(events):
        if number and event.seat != seat:
            return
        has_ask = False
        for effect in event.effects:
            if type(effect) is not Ask:
                yield effect
            elif number:
                return
            has_ask = has_ask or type(effect) is Ask
        if has_ask:
            return


def _known_effects(table: Table, seat: int, effects: Iterator[Effect]) -> Iterator[Effect]:
    """Yield the effects before the first one that the seat cannot know; ``table`` is the table before them."""
    for effect in effects:
        if type(effect) is Draw or type(effect) is Shuffle:
            if can_count(table, table.zones[effect.zone], seat):
                yield hide_outcome(effect)
            return
        if not _is_known(table, seat, effect):
            return
        yield effect


def _is_known(table: Table, seat: int, effect: Effect) -> bool:
    match effect:
        case Move():
            return sees(table, table.zones[effect.source], seat)
        case Set():
            return sees(table, table.markers[effect.marker], seat)
        case Reveal():  # if this hides the subject from the seat, later changes of it are unknown
            is_seen = sees(table, table.subject(effect.subject), seat)
            return is_seen and is_visible_to(effective_visibility(table, effect.after), seat)
        case _:
            return True
