"""The table that the effects of a record make, trusting none of them: conservation and dice.

An effect is only applied if the table is as the effect says it was. So no component can appear or vanish, and nothing
in a hostile record can make the table large.
"""

from __future__ import annotations

from collections import Counter

from boardkeeper.game.record_bounds import MOST_SEATS
from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import is_visibility
from boardkeeper.table.zones import Pile, Stack, Zone

MOST_WORK = 20_000_000
"""How many looks at a component all draws, shuffles and moves on stacks may take; real games take some ten thousand."""

_NUMBER = 32
"""What a number from the dice takes, in such looks."""


class NotConservedError(ValueError):
    """An effect that does not fit the table; the message says how."""


class UnfairDiceError(ValueError):
    """Chance that is not what the dice give; the message says what they do."""


class TooMuchWorkError(ValueError):
    """A record has more draws, or more moves on stacks, than anybody needs to look at."""


class StrictTable:
    """A table that lets itself be changed only by effects that fit it."""

    def __init__(self, layout: TableLayout) -> None:
        self.table = Table(layout)
        self._work = 0

    def check(self, effect: Effect) -> None:
        """Raises :class:`NotConservedError` unless the effect fits the table as it is, or :class:`TooMuchWorkError`."""
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
                if not is_visibility(effect.after, self.table.markers, MOST_SEATS):
                    raise NotConservedError(f"{effect.after!r} is not a visibility of this game")

    def check_dice(self, effect: Draw | Shuffle, dice: Dice) -> None:
        """Raise :class:`UnfairDiceError` if the dice give another outcome, or :class:`TooMuchWorkError`."""
        zone = self.table.zones[effect.zone]
        if isinstance(effect, Draw) and isinstance(zone, Pile):
            self._spend((len(effect.drawn) + 1) * (len(zone.items) + _NUMBER))
            drawn = tuple(dice.picks(zone.id, zone.counter, zone.items, len(effect.drawn)))
            if drawn != effect.drawn:
                raise UnfairDiceError(
                    f"{_list(effect.drawn)} was drawn from {zone.id}, but the dice give {_list(drawn)}"
                )
        elif isinstance(effect, Shuffle) and isinstance(zone, Stack):
            self._spend((len(effect.after) + 1) * _NUMBER)
            after = tuple(dice.shuffled(zone.id, zone.counter, zone.order))
            if after != effect.after:
                raise UnfairDiceError(
                    f"{zone.id} was shuffled to {_list(effect.after)}, but the dice give {_list(after)}"
                )

    def apply(self, effect: Effect) -> None:
        """Make a change that was checked."""
        self.table.apply(effect)

    def _zone(self, id: str) -> Zone:
        zone = self.table.zones.get(id)
        if zone is None:
            raise NotConservedError(f"the game has no zone {id}")
        return zone

    def _spend(self, work: int) -> None:
        self._work += work
        if self._work > MOST_WORK:
            raise TooMuchWorkError("the record has too many draws, shuffles and moves to check")


def _holds(zone: Zone, component: str, count: int) -> bool:
    if isinstance(zone, Pile):
        return zone.items.get(component, 0) >= count
    return count <= len(zone.order) and all(lying == component for lying in zone.order[-count:])


def _expect(what: str, found: object, said: object) -> None:
    if type(found) is not type(said) or found != said:
        raise NotConservedError(f"{what} was {found!r} before, not {said!r}")


def _list(components: tuple[str, ...]) -> str:
    shown = ", ".join(components[:8])
    return f"{shown}, …" if len(components) > 8 else shown
