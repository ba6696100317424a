"""The table of an untrusted record: each effect and each random draw is checked before it is applied.

An effect must fit the table. So no component can appear or disappear, and a hostile record cannot make the table large.
"""

from __future__ import annotations

from collections import Counter

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.layout import MAX_SEATS, TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import is_visibility
from boardkeeper.table.zones import Pile, Stack, Zone

MAX_WORK = 20_000_000
"""The maximum work for one record: the components that draws, shuffles and stack moves read; some 10,000 are usual."""

_WORK_PER_NUMBER = 32
"""The work for one random number, in the same unit."""


class NotConservedError(ValueError):
    """An effect that does not fit the table."""


class UnfairDiceError(ValueError):
    """A draw or shuffle with another outcome than the dice give."""


class TooMuchWorkError(ValueError):
    """A record whose draws, shuffles and moves on stacks need more work than :data:`MAX_WORK`."""


class StrictTable:
    """A table whose effects are checked."""

    def __init__(self, layout: TableLayout) -> None:
        self.table = Table(layout)
        self._work = 0

    def check(self, effect: Effect) -> None:
        """Raise :class:`NotConservedError` if the effect does not fit the table, or :class:`TooMuchWorkError`."""
        match effect:
            case Move():
                source = self._zone(effect.source)
                target = self._zone(effect.target)
                if effect.count < 1:
                    raise NotConservedError(f"a move has {effect.count} components, not 1 or more")
                if isinstance(source, Stack) or isinstance(target, Stack):
                    self._spend(min(effect.count, source.total()))
                if not _holds(source, effect.component, effect.count):
                    raise NotConservedError(f"{effect.source} does not hold {effect.count} × {effect.component}")
            case Set():
                marker = self.table.markers.get(effect.marker)
                if marker is None:
                    raise NotConservedError(f"the game has no marker {effect.marker}")
                _expect(effect.marker, marker.value, effect.before)
                if type(effect.after) is not type(marker.value):
                    raise NotConservedError(f"{effect.marker} must stay a number or stay a word")
            case Ask():
                if not 1 <= effect.seat < len(self.table.decisions):
                    raise NotConservedError(f"the game has no seat {effect.seat}")
                _expect(f"the decision of seat {effect.seat}", self.table.decisions[effect.seat], effect.before)
            case Draw():
                pile = self._zone(effect.zone)
                if not isinstance(pile, Pile):
                    raise NotConservedError(f"{effect.zone} is not a pile, so nothing can be drawn from it")
                _expect(f"the draw counter of {effect.zone}", pile.counter, effect.counter)
                for component, count in Counter(effect.drawn).items():
                    if not _holds(pile, component, count):
                        raise NotConservedError(f"{effect.zone} does not hold the drawn {count} × {component}")
            case Shuffle():
                stack = self._zone(effect.zone)
                if not isinstance(stack, Stack):
                    raise NotConservedError(f"{effect.zone} is not a stack, so it cannot be shuffled")
                _expect(f"the draw counter of {effect.zone}", stack.counter, effect.counter)
                if tuple(stack.order) != effect.before or sorted(effect.after) != sorted(effect.before):
                    raise NotConservedError(f"{effect.zone} does not hold the components of the shuffle")
            case Reveal():
                subject = self.table.zones.get(effect.subject) or self.table.markers.get(effect.subject)
                if subject is None:
                    raise NotConservedError(f"the game has no zone or marker {effect.subject} to reveal")
                _expect(f"the visibility of {effect.subject}", subject.visibility, effect.before)
                if not is_visibility(effect.after, self.table.markers, MAX_SEATS):
                    raise NotConservedError(f"{effect.after!r} is not a visibility of this game")

    def check_dice(self, effect: Draw | Shuffle, dice: Dice) -> None:
        """Raise :class:`UnfairDiceError` if the dice give another outcome, or :class:`TooMuchWorkError`."""
        zone = self.table.zones[effect.zone]
        if isinstance(effect, Draw) and isinstance(zone, Pile):
            self._spend((len(effect.drawn) + 1) * (len(zone.items) + _WORK_PER_NUMBER))
            drawn = tuple(dice.picks(zone.id, zone.counter, zone.items, len(effect.drawn)))
            if drawn != effect.drawn:
                raise UnfairDiceError(
                    f"{_list(effect.drawn)} was drawn from {zone.id}, but the dice give {_list(drawn)}"
                )
        elif isinstance(effect, Shuffle) and isinstance(zone, Stack):
            self._spend((len(effect.after) + 1) * _WORK_PER_NUMBER)
            after = tuple(dice.shuffled(zone.id, zone.counter, zone.order))
            if after != effect.after:
                raise UnfairDiceError(
                    f"{zone.id} was shuffled to {_list(effect.after)}, but the dice give {_list(after)}"
                )

    def _zone(self, id: str) -> Zone:
        zone = self.table.zones.get(id)
        if zone is None:
            raise NotConservedError(f"the game has no zone {id}")
        return zone

    def _spend(self, work: int) -> None:
        self._work += work
        if self._work > MAX_WORK:
            raise TooMuchWorkError("the record has too many draws, shuffles and moves to check")


def _holds(zone: Zone, component: str, count: int) -> bool:
    if isinstance(zone, Pile):
        return zone.items.get(component, 0) >= count
    return count <= len(zone.order) and all(each == component for each in zone.order[-count:])


def _expect(what: str, actual: object, recorded: object) -> None:
    if type(actual) is not type(recorded) or actual != recorded:
        raise NotConservedError(f"{what} was {actual!r} before, not {recorded!r}")


def _list(components: tuple[str, ...]) -> str:
    shown = ", ".join(components[:8])
    return f"{shown}, …" if len(components) > 8 else shown
