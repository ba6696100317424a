"""What a command would change at once, as its seat may know it before it gives it: so a board shows what can be done.

It is tried on the table and taken back, as a dry run is. What chance or something hidden decides is not told, nor
anything after it: a preview tells a seat nothing that does not follow from what it sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from boardkeeper.table.effects import Ask, Draw, Effect, Event, Move, Reveal, Set, Shuffle
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import HIDDEN, can_count, effective_visibility, is_visible_to, sees
from boardkeeper.titlekit.title import Play


def preview(play: Play, seat: int, command: Struct) -> tuple[Effect, ...]:
    """The first effects of a command; nothing for one that is refused. The table is as before.

    That is its first event, and what else happens to the seat until it, or another one, has to decide: a place is used,
    and its reward comes. What the game goes on with then (the next phase, income, what the rules do) is not in it, nor
    who decides next. Where chance picks or reorders something, that comes last, with :data:`HIDDEN` in place of what it
    would pick.
    """
    recorder = play.recorder
    try:
        rejection = play.decide(seat, command)
        events = [] if rejection is not None else recorder.pending_events()
    finally:
        recorder.rollback()
    return tuple(_known(play.table, seat, _own(seat, events)))


def _own(seat: int, events: Sequence[Event]) -> Iterator[Effect]:
    """Of all effects that a command had those that are its own."""
    for number, event in enumerate(events):
        if number and event.seat != seat:
            return
        asked = False
        for effect in event.effects:
            if type(effect) is not Ask:
                yield effect
            elif number:
                return
            asked = asked or type(effect) is Ask
        if asked:
            return


def _known(table: Table, seat: int, effects: Iterator[Effect]) -> Iterator[Effect]:
    """The effects up to the first whose outcome the seat cannot know; ``table`` is that before them."""
    for effect in effects:
        if type(effect) is Draw or type(effect) is Shuffle:
            if can_count(table, table.zones[effect.zone], seat):
                yield _undecided(effect)
            return
        if not _is_known(table, seat, effect):
            return
        yield effect


def _undecided(effect: Draw | Shuffle) -> Draw | Shuffle:
    if isinstance(effect, Draw):
        return Draw(effect.zone, effect.counter, (HIDDEN,) * len(effect.drawn))
    hidden = (HIDDEN,) * len(effect.after)
    return Shuffle(effect.zone, effect.counter, hidden, hidden)


def _is_known(table: Table, seat: int, effect: Effect) -> bool:
    match effect:
        case Move():
            return sees(table, table.zones[effect.source], seat)
        case Set():
            return sees(table, table.markers[effect.marker], seat)
        case Reveal():  # what is hidden from the seat may change then: that it sees it before says nothing of it after
            is_seen = sees(table, table.subject(effect.subject), seat)
            return is_seen and is_visible_to(effective_visibility(table, effect.after), seat)
        case _:
            return True
