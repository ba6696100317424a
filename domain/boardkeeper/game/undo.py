"""Undo: taking back a seat's last batch of commands, as one more event.

Nothing is removed from the log. ``Undone`` carries the inverses of what is taken back as ordinary forward effects, so
whoever folds effects needs no word about it. Chance is the exception: draw counters never go back, so the dice never
give the same numbers twice, and a shuffled stack stays in its new order. What was drawn goes back by its moves.

A batch is free to take back while it is the last one in force and told nobody anything: no chance, no reveal, and
nothing that went to where more people see it. Otherwise every other person at the table has to consent.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from msgspec import Struct

from boardkeeper.game.events import GameEvent
from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import NOBODY, PUBLIC, SPECTATOR, sees


class Vote(Struct, frozen=True):
    """An open vote: ``seat`` asks to take back everything from ``first_version`` on.

    ``version`` is that of the request; ``consented`` and ``waiting`` are the seats of the other people.
    """

    version: int
    seat: int
    first_version: int
    consented: tuple[int, ...]
    waiting: tuple[int, ...]


class Batches:
    """The batches of commands that are in force, oldest first: five bytes each, for a game may stay in memory long."""

    __slots__ = ("_seats", "_versions")

    def __init__(self) -> None:
        self._versions = array("I")
        self._seats = array("B")

    def add(self, version: int, seat: int) -> None:
        """A seat's batch has its first event at that version."""
        self._versions.append(version)
        self._seats.append(seat)

    def take_back(self, first_version: int) -> None:
        """Everything from that version on is no longer in force."""
        while self._versions and self._versions[-1] >= first_version:
            self._versions.pop()
            self._seats.pop()

    def last_of(self, seat: int) -> int:
        """The first version of the seat's last batch, or 0 if it has none."""
        for at in range(len(self._seats) - 1, -1, -1):
            if self._seats[at] == seat:
                return self._versions[at]
        return 0

    def is_last(self, version: int) -> bool:
        """Whether the batch that begins there is the last one in force."""
        return bool(self._versions) and self._versions[-1] == version


def inverse(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """The effects that take these back, the last one first; draws and shuffles have none."""
    return tuple(map(_inverse, reversed([effect for effect in effects if not isinstance(effect, Draw | Shuffle)])))


def _inverse(effect: Effect) -> Effect:
    match effect:
        case Move():
            return Move(effect.component, effect.count, effect.target, effect.source)
        case Set():
            return Set(effect.marker, effect.after, effect.before)
        case Ask():
            return Ask(effect.seat, effect.after, effect.before)
        case Reveal():
            return Reveal(effect.subject, effect.after, effect.before)
        case _:
            raise TypeError(f"{effect} is chance")


def effects_in_force(events: Iterable[GameEvent]) -> list[Effect]:
    """The effects of events that follow each other, one after the other, earlier undos included."""
    return [effect for event in events for effect in event.effects]


def covers(effects: Iterable[Effect]) -> dict[str, str]:
    """Who may see, over an undo with these effects, the zones and markers that it reveals or hides again.

    What was hidden when it moved stays so while it moves back, whichever way the screen goes meanwhile.
    """
    covered: dict[str, str] = {}
    for effect in effects:
        if isinstance(effect, Reveal):
            for seen in (effect.before, effect.after):
                known = covered.setdefault(effect.subject, seen)
                if known == PUBLIC:
                    covered[effect.subject] = seen
                elif seen not in (PUBLIC, known):
                    covered[effect.subject] = NOBODY
    return covered


def told_nothing(table: Table, effects: Iterable[Effect]) -> bool:
    """Whether nobody learnt anything from effects that led to this table, neither from chance nor from what he saw.

    Without a ``Reveal`` everything is still visible to those to whom it was.
    """
    return not any(
        isinstance(effect, Draw | Shuffle | Reveal) or (isinstance(effect, Move) and _shows(table, effect))
        for effect in effects
    )


def _shows(table: Table, move: Move) -> bool:
    source, target = table.zones[move.source], table.zones[move.target]
    if source.visibility == PUBLIC:
        return False
    viewers = range(SPECTATOR, len(table.decisions))
    return any(sees(table, target, viewer) and not sees(table, source, viewer) for viewer in viewers)


def taken_back(table: Table, effects: Sequence[Effect]) -> tuple[Effect, ...] | None:
    """The inverse of the effects that led to this table, applied to it; nothing, and nothing done, past a shuffle."""
    back = inverse(effects)
    return back if not crosses_shuffle(effects) and apply_whole(table, back) else None


def crosses_shuffle(effects: Iterable[Effect]) -> bool:
    """Whether a stack was shuffled after something had been put on it or taken off it.

    That it cannot be taken back must not depend on where chance has put it: nobody may know.
    """
    touched: set[str] = set()
    for effect in effects:
        if isinstance(effect, Move):
            touched |= {effect.source, effect.target}
        elif isinstance(effect, Shuffle) and effect.zone in touched:
            return True
    return False


def apply_whole(table: Table, effects: Sequence[Effect]) -> bool:
    """Apply all effects, or none and answer false: a shuffled stack may not have on top what has to go back."""
    done = 0
    try:
        for effect in effects:
            table.apply(effect)
            done += 1
    except ValueError:
        for effect in reversed(effects[:done]):
            table.revert(effect)
        return False
    return True
