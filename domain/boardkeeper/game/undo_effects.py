"""The effects of an undo.

An undo removes nothing from the log. It is one more event, ``Undone``, whose effects lead the table back: the inverses
of all effects that are not undone yet, shortened. Events that an earlier undo inverted are not inverted again. Draws
and shuffles are not inverted: draw counters never go back, so the dice never give the same numbers twice, and a
shuffled stack stays in its new order. Drawn components return by the inverses of their moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from boardkeeper.game.events import GAME_EVENTS, GameEvent, Undone
from boardkeeper.game.versions import Batches
from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import NOBODY, PUBLIC, SPECTATOR, is_shared_by_seats, seats_of, sees, shared_by
from boardkeeper.table.zones import Pile

# --- inverses --------------------------------------------------------------------------------------------------


def invert(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """Return the inverses of effects, in reverse order. Draws and shuffles have none."""
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
            raise TypeError(f"{effect} has no inverse")


def all_effects(events: Iterable[GameEvent]) -> list[Effect]:
    """Return the effects of events in order."""
    return [effect for event in events for effect in event.effects]


def shorten_undos(events: Iterable[GameEvent], longest: int) -> dict[int, tuple[Effect, ...]]:
    """Return shorter effects for each undo of a game with more than ``longest`` effects, by version.

    They lead to the same table. Under rules version 1 an undo also inverted earlier undos, so each undo in a row had
    twice as many effects as the one before. ``events`` are all events of the game.
    """
    short: dict[int, tuple[Effect, ...]] = {}
    batches = Batches()
    past: list[GameEvent] = []
    for event in events:
        past.append(event)
        if isinstance(event.detail, Undone):
            if len(event.effects) > longest:
                runs = batches.since(event.detail.first_version)
                in_force = [it for first, last in runs for it in past[first - 1 : last]]
                short[event.originator_version] = invert(all_effects(in_force))
            batches.remove_from(event.detail.first_version)
        elif event.given is not None:
            batches.add(event.originator_version, event.given.seat)
        elif not isinstance(event.detail, GAME_EVENTS):
            batches.extend(event.originator_version)
    return short


def cancel_inverses(effects: Iterable[Effect]) -> list[Effect]:
    """Remove neighbouring effects that are inverses of each other, until none are left."""
    left: list[Effect] = []
    for effect in effects:
        if left and not isinstance(effect, Draw | Shuffle) and left[-1] == _inverse(effect):
            left.pop()
        else:
            left.append(effect)
    return left


def shorten(table: Table, back: Sequence[Effect]) -> tuple[Effect, ...]:
    """Return fewer effects that lead to the same table; ``back`` has no draws and shuffles.

    Public effects are merged: one ``Set`` for each marker, one ``Ask`` for each seat, and consecutive moves between the
    same two piles. Effects that cancel each other are left out. Reveals are merged as long as
    :func:`visibility_covers` stays the same. Hidden effects are not merged, because merging would reveal which of them
    cancel each other.
    """
    with apply_covers(table, back):
        return _Shortening(table).of(back)


class _Shortening:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._kept: list[Effect | None] = []
        self._sets: dict[str, int] = {}
        self._asks: dict[int, int] = {}
        self._reveals: dict[str, list[Reveal]] = {}
        self._touches: dict[tuple[str, str], list[int]] = {}
        """Indices in ``_kept`` of the moves from or to a zone, by zone and component."""

    def of(self, back: Iterable[Effect]) -> tuple[Effect, ...]:
        for effect in back:
            self._add(effect)
        left = [it for it in self._kept if it is not None and not (isinstance(it, Set | Ask) and _is_idle(it))]
        return (*left, *(reveal for steps in self._reveals.values() for reveal in _fewest(steps)))

    def _add(self, effect: Effect) -> None:
        match effect:
            case Move():
                self._add_move(effect)
                return
            case Set() if self._is_public(effect.marker):
                at = self._sets.setdefault(effect.marker, len(self._kept))
                if at < len(self._kept):
                    earlier = self._kept[at]
                    assert isinstance(earlier, Set)
                    self._kept[at] = Set(effect.marker, earlier.before, effect.after)
                    return
            case Ask():
                at = self._asks.setdefault(effect.seat, len(self._kept))
                if at < len(self._kept):
                    asked = self._kept[at]
                    assert isinstance(asked, Ask)
                    self._kept[at] = Ask(effect.seat, asked.before, effect.after)
                    return
            case Reveal():
                self._reveals.setdefault(effect.subject, []).append(effect)
                return
            case _:
                pass
        self._kept.append(effect)

    def _add_move(self, move: Move) -> None:
        ends = [self._touches.setdefault((zone, move.component), []) for zone in (move.source, move.target)]
        if (
            move.source != move.target
            and all(map(self._is_open, (move.source, move.target)))
            and all(ends)
            and ends[0][-1] == ends[1][-1]
        ):
            at = ends[0][-1]
            earlier = self._kept[at]
            assert isinstance(earlier, Move)  # of the same component between the same two piles
            count = earlier.count + (move.count if earlier.source == move.source else -move.count)
            if count > 0:
                self._kept[at] = Move(move.component, count, earlier.source, earlier.target)
            elif count < 0:
                self._kept[at] = Move(move.component, -count, earlier.target, earlier.source)
            else:
                self._kept[at] = None
                for touches in ends:
                    touches.pop()
            return
        for touches in ends:
            touches.append(len(self._kept))
        self._kept.append(move)

    def _is_open(self, zone: str) -> bool:
        """Return whether a zone is a pile with public contents."""
        return isinstance(self._table.zones[zone], Pile) and self._is_public(zone)

    def _is_public(self, subject: str) -> bool:
        return sees(self._table, self._table.subject(subject), SPECTATOR)


def _is_idle(effect: Set | Ask) -> bool:
    return effect.before == effect.after


def _fewest(steps: Sequence[Reveal]) -> list[Reveal]:
    """Return the fewest reveals with the same result and the same cover."""
    subject, before, after = steps[0].subject, steps[0].before, steps[-1].after
    cover = visibility_covers(steps)[subject]
    if cover == visibility_covers([Reveal(subject, before, after)])[subject]:
        return [Reveal(subject, before, after)] if before != after else []
    return [Reveal(subject, before, cover), Reveal(subject, cover, after)]


# --- visibility ------------------------------------------------------------------------------------------------


def visibility_covers(effects: Iterable[Effect]) -> dict[str, str]:
    """Return the visibility of each zone and marker that an undo reveals or hides, while its effects are disclosed.

    It is the narrowest one that the subject has during the undo, so that a component that was hidden when it moved is
    also hidden when it moves back.
    """
    result: dict[str, str] = {}
    for effect in effects:
        if isinstance(effect, Reveal):
            for visibility in (effect.before, effect.after):
                known = result.setdefault(effect.subject, visibility)
                result[effect.subject] = _narrower(known, visibility)
    return result


def _narrower(one: str, other: str) -> str:
    """Return the visibility for viewers who see a subject under both visibilities."""
    if one in (PUBLIC, other):
        return other
    if other == PUBLIC:
        return one
    if is_shared_by_seats(one) or is_shared_by_seats(other):
        both = [seat for seat in _seats_seeing(one) if seat in _seats_seeing(other)]
        return shared_by(*both) if both else NOBODY
    return NOBODY


def _seats_seeing(visibility: str) -> tuple[int, ...]:
    """Return the seats that see a subject; none for ``secret.N``, whose size is secret too."""
    return () if visibility.startswith("secret.") else seats_of(visibility)


@contextmanager
def apply_covers(table: Table, effects: Iterable[Effect]) -> Iterator[None]:
    """Apply the :func:`visibility_covers` of an undo with these effects to a table within a ``with`` block."""
    covers = visibility_covers(effects)
    subjects = [table.subject(id) for id in covers]
    original = [subject.visibility for subject in subjects]
    for subject, visibility in zip(subjects, covers.values(), strict=True):
        subject.visibility = visibility
    try:
        yield
    finally:
        for subject, visibility in zip(subjects, original, strict=True):
            subject.visibility = visibility


def reveals_nothing(table: Table, effects: Iterable[Effect]) -> bool:
    """Return whether no viewer learnt anything new from the effects that led to this table.

    Random results, reveals, and moves to a zone that more viewers see teach something.
    """
    for effect in effects:  # hot: a loop is faster than a generator
        if type(effect) in _REVEALING or (type(effect) is Move and _reveals_component(table, effect)):
            return False
    return True


_REVEALING = frozenset({Draw, Shuffle, Reveal})


def _reveals_component(table: Table, move: Move) -> bool:
    source, target = table.zones[move.source], table.zones[move.target]
    if source.visibility == PUBLIC:
        return False
    viewers = range(SPECTATOR, len(table.decisions))
    return any(sees(table, target, viewer) and not sees(table, source, viewer) for viewer in viewers)


# --- undoing ---------------------------------------------------------------------------------------------------


def undo_events(table: Table, events: Sequence[GameEvent], shuffles: Mapping[str, int]) -> tuple[Effect, ...] | None:
    """Undo events on a table and return the effects, or ``None`` if a shuffle makes that impossible.

    The events must not be undone yet. ``shuffles`` has for each stack the version of its last shuffle, whether it is
    undone or not.
    """
    if crosses_shuffle(events, shuffles):
        return None
    back = shorten(table, invert(all_effects(events)))
    return back if apply_all(table, back) else None


def crosses_shuffle(events: Iterable[GameEvent], shuffles: Mapping[str, int]) -> bool:
    """Return whether a stack was shuffled after one of the events put a component on it or took one off.

    The answer must not depend on where the shuffle put the component, because that is hidden.
    """
    touched: set[str] = set()
    for event in events:
        for effect in event.effects:
            if isinstance(effect, Move):
                zones = {effect.source, effect.target}
                if any(shuffles.get(zone, 0) > event.originator_version for zone in zones):
                    return True
                touched |= zones
            elif isinstance(effect, Shuffle) and effect.zone in touched:
                return True
    return False


def apply_all(table: Table, effects: Sequence[Effect]) -> bool:
    """Apply all effects, or none and return false: a shuffled stack may have another component on top."""
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
