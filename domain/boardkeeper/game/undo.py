"""Undo: taking back a seat's last batch of commands, as one more event.

Nothing is removed from the log. ``Undone`` carries the way back from the present table as ordinary forward effects, so
code that folds effects needs no special case: the inverses of what is still *in force*, in short. What was taken back
before is not taken back again, so each event is inverted once at most, however many undos follow each other. Chance is
the exception: draw counters never go back, so the dice never give the same numbers twice, and a shuffled stack stays in
its new order. What was drawn goes back by its moves.

A batch is free to take back while it is the last one in force and nothing since it began told anybody anything: no
chance, no reveal, and nothing that went to where more people see it. Otherwise every other person at the table has to
consent. A bot that plays for a person cannot consent: what the undo shows again may be that person's secret.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec import Struct

from boardkeeper.game.events import GAME_EVENTS, GameEvent, Undone
from boardkeeper.game.versions import new_versions, widened
from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import NOBODY, PUBLIC, SPECTATOR, is_shared_by_seats, seats_of, sees, shared_by
from boardkeeper.table.zones import Pile

MOST_UNDONE_EVENTS = 2_000
"""An undo takes back no more events than that; in real games it is some dozens."""

SPARE_UNDOS = 100
UNDOS_PER_BATCH = 4
"""A seat has so many undos, and so many more for each of its batches in force: else it could fill the log alone."""

BOTS_CONSENT = frozenset({"1", "2"})
"""The versions of the rules under which a bot that plays for a person consents to every undo."""

MOST_REQUESTS = 3
"""So often a seat may ask the others about the same batch."""


class Vote(Struct, frozen=True):
    """An open vote: ``seat`` asks to take back everything from ``first_version`` on.

    ``version`` is that of the request; ``consented`` and ``waiting`` are the seats of the other people. A seat in
    ``waiting`` that a bot plays now answers once its person has taken it back.
    """

    version: int
    seat: int
    first_version: int
    consented: tuple[int, ...]
    waiting: tuple[int, ...]


class Batches:
    """The batches of commands that are in force, oldest first: five bytes each, for a game may stay in memory long."""

    __slots__ = ("_lasts", "_seats", "_versions")

    def __init__(self) -> None:
        self._versions = new_versions()
        self._lasts = new_versions()
        self._seats = array("B")

    def copy(self) -> Batches:
        """The same batches, which others may go on from."""
        other = Batches()
        other._versions, other._lasts, other._seats = self._versions[:], self._lasts[:], self._seats[:]
        return other

    def add(self, version: int, seat: int) -> None:
        """A seat's batch has its first event at that version."""
        self._versions = widened(self._versions, version)
        self._lasts = widened(self._lasts, version)
        self._versions.append(version)
        self._lasts.append(version)
        self._seats.append(seat)

    def extend(self, version: int) -> None:
        """The last batch has an event at that version too."""
        if self._lasts:
            self._lasts = widened(self._lasts, version)
            self._lasts[-1] = version

    def remove_from(self, first_version: int) -> None:
        """Everything from that version on is no longer in force."""
        while self._versions and self._versions[-1] >= first_version:
            self._versions.pop()
            self._lasts.pop()
            self._seats.pop()

    def last_of(self, seat: int) -> int:
        """The first version of the seat's last batch, or 0 if it has none."""
        for at in range(len(self._seats) - 1, -1, -1):
            if self._seats[at] == seat:
                return self._versions[at]
        return 0

    def count_of(self, seat: int) -> int:
        """How many batches of that seat are in force."""
        return self._seats.count(seat)

    def is_last(self, version: int) -> bool:
        """Whether the batch that begins there is the last one in force."""
        return bool(self._versions) and self._versions[-1] == version

    def since(self, first_version: int) -> list[tuple[int, int]]:
        """The versions in force from one on, as first and last of each run without gaps, in order."""
        runs: list[tuple[int, int]] = []
        for at in range(len(self._versions) - 1, -1, -1):
            first, last = self._versions[at], self._lasts[at]
            if first < first_version:
                break
            if runs and runs[-1][0] == last + 1:
                last = runs.pop()[1]
            runs.append((first, last))
        return runs[::-1]


# --- the way back ----------------------------------------------------------------------------------------------


def invert(effects: Sequence[Effect]) -> tuple[Effect, ...]:
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


def all_effects(events: Iterable[GameEvent]) -> list[Effect]:
    """The effects of events, one after the other."""
    return [effect for event in events for effect in event.effects]


def shorten_undos(events: Iterable[GameEvent], longest: int) -> dict[int, tuple[Effect, ...]]:
    """For the undos of a game with more effects than that: the inverses of what was in force then, by version.

    They lead to the same table. Rules version 1 stored with an undo what earlier ones had taken back too, so that each
    in a row was twice as long as the one before. ``events`` are all events of the game.
    """
    short: dict[int, tuple[Effect, ...]] = {}
    batches = Batches()
    gone_by: list[GameEvent] = []
    for event in events:
        gone_by.append(event)
        if isinstance(event.detail, Undone):
            if len(event.effects) > longest:
                runs = batches.since(event.detail.first_version)
                in_force = [it for first, last in runs for it in gone_by[first - 1 : last]]
                short[event.originator_version] = invert(all_effects(in_force))
            batches.remove_from(event.detail.first_version)
        elif event.given is not None:
            batches.add(event.originator_version, event.given.seat)
        elif not isinstance(event.detail, GAME_EVENTS):
            batches.extend(event.originator_version)
    return short


def cancel_inverses(effects: Iterable[Effect]) -> list[Effect]:
    """Effects without neighbours that take each other back, and without those that are neighbours then, and so on."""
    left: list[Effect] = []
    for effect in effects:
        if left and not isinstance(effect, Draw | Shuffle) and left[-1] == _inverse(effect):
            left.pop()
        else:
            left.append(effect)
    return left


def shorten(table: Table, back: Sequence[Effect]) -> tuple[Effect, ...]:
    """Effects without chance that can be applied to a table, in short: they lead to the same table.

    What everybody sees is netted: one ``Set`` a marker, one ``Ask`` a seat, and moves between the same two piles put
    together where nothing has touched them in between; what comes to nothing goes. Reveals are merged as far as
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
        """Where in ``_kept`` a kind of component was moved from or to a zone."""

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
            case Set() if self._everybody_sees(effect.marker):
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
            assert isinstance(earlier, Move)  # of the same kind between the same two piles
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
        """Whether it is a pile whose contents everybody sees."""
        return isinstance(self._table.zones[zone], Pile) and self._everybody_sees(zone)

    def _everybody_sees(self, subject: str) -> bool:
        return sees(self._table, self._table.subject(subject), SPECTATOR)


def _is_idle(effect: Set | Ask) -> bool:
    return effect.before == effect.after


def _fewest(steps: Sequence[Reveal]) -> list[Reveal]:
    """As few reveals as lead the same way with the same cover."""
    subject, before, after = steps[0].subject, steps[0].before, steps[-1].after
    cover = visibility_covers(steps)[subject]
    if cover == visibility_covers([Reveal(subject, before, after)])[subject]:
        return [Reveal(subject, before, after)] if before != after else []
    return [Reveal(subject, before, cover), Reveal(subject, cover, after)]


# --- who may know ----------------------------------------------------------------------------------------------


def visibility_covers(effects: Iterable[Effect]) -> dict[str, str]:
    """Who may see, over an undo with these effects, the zones and markers that it reveals or hides again.

    What was hidden when it moved stays so while it moves back, whichever way the screen goes meanwhile.
    """
    result: dict[str, str] = {}
    for effect in effects:
        if isinstance(effect, Reveal):
            for seen in (effect.before, effect.after):
                known = result.setdefault(effect.subject, seen)
                result[effect.subject] = _less_seen(known, seen)
    return result


def _less_seen(one: str, other: str) -> str:
    """Who sees what has been seen in both ways: of two circles of seats those that are in both, else nobody."""
    if one in (PUBLIC, other):
        return other
    if other == PUBLIC:
        return one
    if is_shared_by_seats(one) or is_shared_by_seats(other):
        both = [seat for seat in _counted_by_all(one) if seat in _counted_by_all(other)]
        return shared_by(*both) if both else NOBODY
    return NOBODY


def _counted_by_all(word: str) -> tuple[int, ...]:
    return () if word.startswith("secret.") else seats_of(word)


@contextmanager
def apply_covers(table: Table, effects: Iterable[Effect]) -> Iterator[None]:
    """A table with the :func:`visibility_covers` of an undo with these effects over it, for a while."""
    over = visibility_covers(effects)
    subjects = [table.subject(id) for id in over]
    present = [subject.visibility for subject in subjects]
    for subject, visibility in zip(subjects, over.values(), strict=True):
        subject.visibility = visibility
    try:
        yield
    finally:
        for subject, visibility in zip(subjects, present, strict=True):
            subject.visibility = visibility


def reveals_nothing(table: Table, effects: Iterable[Effect]) -> bool:
    """Whether nobody learnt anything from effects that led to this table, neither from chance nor from what he saw.

    Without a ``Reveal`` everything is still visible to those to whom it was.
    """
    for effect in effects:  # noqa: SIM110  # it is asked for every command
        if type(effect) in _NEWS or (type(effect) is Move and _shows(table, effect)):
            return False
    return True


_NEWS = frozenset({Draw, Shuffle, Reveal})
"""Looked up by the type itself, as with :data:`~boardkeeper.game.events.GAME_EVENT_TYPES`."""


def _shows(table: Table, move: Move) -> bool:
    source, target = table.zones[move.source], table.zones[move.target]
    if source.visibility == PUBLIC:
        return False
    viewers = range(SPECTATOR, len(table.decisions))
    return any(sees(table, target, viewer) and not sees(table, source, viewer) for viewer in viewers)


# --- whether it can be done ------------------------------------------------------------------------------------


def take_back_effects(
    table: Table, events: Sequence[GameEvent], shuffles: Mapping[str, int]
) -> tuple[Effect, ...] | None:
    """The way back over events in force from this table, applied to it; nothing, and nothing done, past a shuffle.

    ``shuffles`` says at which version a stack was shuffled last, in force or not: a shuffle is never taken back.
    """
    if crosses_shuffle(events, shuffles):
        return None
    back = shorten(table, invert(all_effects(events)))
    return back if apply_all(table, back) else None


def crosses_shuffle(events: Iterable[GameEvent], shuffles: Mapping[str, int]) -> bool:
    """Whether a stack was shuffled after something had been put on it or taken off it.

    That it cannot be taken back must not depend on where chance has put it: nobody may know.
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
