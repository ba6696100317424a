"""Twins: two games that differ only in what one viewer cannot see, each in a service of its own.

What a viewer sees of events and of the table is taken from the one rule of :mod:`boardkeeper.table.visibility`, which
has tests of its own, by way of the forms of the record. Two games are led side by side: where the viewer acts, it does
the same in both; where another seat acts, it does something else in each, as long as the viewer sees the same of it.
The games have different secrets; what is drawn from zones that the viewer cannot see follows from them, and everything
else from dice that both have (``twin_dice``). All that is answered has to follow from what the viewer was shown.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID

from msgspec import Struct

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import RUNNING, Game
from boardkeeper.game.record import EventForm, canonical, event_forms, form_index
from boardkeeper.game.seats import AUTOMA, PERSON
from boardkeeper.table.effects import Draw, Effect, Shuffle
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR, can_count, sees
from boardkeeper.table.zones import Stack, Zone
from boardkeeper.testkit.setups import random_setup
from boardkeeper.testkit.twin_dice import TwinTitle
from boardkeeper.titlekit.title import Setup, Title

ID = UUID("0f8fad5b-d9cb-469f-a165-70867728950e")
_TRIES = 200
_TRIES_FOR_DIFFERENT = 5
_TRIES_FOR_LASTING = 20


@dataclass
class Step:
    """What a seat does in each of the two games; ``sealed`` if the viewer does not see all of it."""

    seat: int
    commands: tuple[Struct, Struct]
    sealed: bool = False

    def command_id(self, number: int, which: int) -> str:
        """How its client calls it in one of the games: by what it does, where the viewer may not know."""
        return f"step-{number}-{which}-{type(self.commands[which]).__name__}" if self.sealed else f"step-{number}"


@dataclass
class Twins:
    """How to come to the two games: the setup, the secrets, what else their dice follow from, and each step."""

    title: Title
    setup: Setup
    viewer: int
    secrets: tuple[bytes, bytes]
    shared: bytes = b"shared"
    """The key of the dice for what the viewer sees drawn."""
    apart: float = 0.0
    """How many of the zones that the viewer cannot see into are drawn from by dice of their own in each game."""
    by_draw: bool = False
    """Whether ``apart`` counts single draws, not zones: for titles in which all draw from the same deck."""
    steps: list[Step] = field(default_factory=list)
    differ: bool = False
    """Whether something hidden is different on the two tables now."""
    drawn: bool = False
    """Whether chance has drawn something else in each game."""
    chosen: bool = False
    """Whether a seat has chosen something else in each game."""

    def diced(self) -> TwinTitle:
        """The title with the dice of the twins, for one of the two games."""
        return TwinTitle(self.title, self.viewer, self.shared, self.apart, by_draw=self.by_draw)


@dataclass(frozen=True)
class EditionGroup:
    """Editions of a title that are alike in whether chance ever draws in them what not everybody sees at once."""

    title: Title
    editions: tuple[str, ...]
    hidden_draws: bool

    def __str__(self) -> str:
        """The title, and which of its editions if these are not all."""
        named = len(self.editions) < len(self.title.meta.editions)
        return ":".join((self.title.meta.id, *self.editions)) if named else self.title.meta.id

    def viewers(self) -> list[int]:
        """Whom to look for twins for: a spectator, and up to two seats that are taken by people."""
        return [SPECTATOR, *range(1, 1 + min(2, self.players()[-1]))]

    def players(self) -> range:
        """Every number of seats that the editions have."""
        counts = [it.players for it in self.title.meta.editions if it.id in self.editions]
        return range(min(fewest for fewest, _ in counts), max(most for _, most in counts) + 1)


def edition_groups(title: Title, open_draws: Sequence[str] = ()) -> list[EditionGroup]:
    """All editions of a title, apart if chance hides in some what it draws and in others not."""
    editions = [it.id for it in title.meta.editions]
    opened = tuple(it for it in editions if it in open_draws)
    hiding = tuple(it for it in editions if it not in open_draws)
    return [EditionGroup(title, it, hidden_draws=it is hiding) for it in (opened, hiding) if it]


def find_twins(
    kind: EditionGroup, viewer: int, seed: int, *, length: int = 60, lasting: bool = False, by_draw: bool = False
) -> Twins:
    """Twins of a kind for a viewer, as different as chance finds them; they may not differ at all.

    Where there are ``hidden_draws``, best are those in which something else was drawn and not only chosen. ``lasting``
    twins choose alike where they can, so that they still differ when what was chosen has been shown.
    """
    chance = random.Random(f"{kind}:{viewer}:{seed}")
    hidden_draws = kind.hidden_draws
    best: Twins | None = None

    def worth(twins: Twins) -> tuple[bool, bool, bool, int]:
        return twins.differ, twins.drawn, twins.chosen and not lasting, len(twins.steps)

    for attempt in range(_TRIES):
        apart = (1.0, 0.5, 0.2, 0.0)[attempt % 4] if hidden_draws else 0.0
        found = _led(kind, viewer, chance, length, apart, lasting=lasting, by_draw=by_draw)
        if found is not None and (best is None or worth(found) > worth(best)):
            best = found
        found_enough = attempt >= (_TRIES_FOR_LASTING if lasting else _TRIES_FOR_DIFFERENT)
        if best is not None and best.differ and found_enough and (best.drawn or not hidden_draws):
            return best
    assert best is not None, f"no twins of {kind} for {viewer} with seed {seed}"
    return best


def _setup(kind: EditionGroup, viewer: int, chance: random.Random) -> Setup | None:
    """Some setup with few seats or many in which the viewer is nobody or a person; nothing if the rules have none."""
    title, players = kind.title, [it for it in kind.players() if it >= viewer]
    setup = random_setup(title, chance.getrandbits(32), chance.choice(players), kind.editions)
    return None if viewer in title.automata(setup) else setup


def people(title: Title, setup: Setup) -> list[int]:
    """The seats that people take: all but those that the rules play."""
    return [seat for seat in range(1, setup.players + 1) if seat not in title.automata(setup)]


def start_twin(twins: Twins, which: int) -> Game:
    """One of the two games of people as it begins."""
    title, setup = twins.diced(), twins.setup
    joining = people(twins.title, setup)
    edition_groups = [PERSON if seat in joining else AUTOMA for seat in range(1, setup.players + 1)]
    game, events = Game.create(ID, title.as_title(), setup, edition_groups, twins.secrets[which], "test", "", 1)
    game.commit(events)
    for seat in joining:
        game.commit(game.join([seat], b"", "", 1))
    return game


def _led(
    kind: EditionGroup, viewer: int, chance: random.Random, length: int, apart: float, *, lasting: bool, by_draw: bool
) -> Twins | None:
    title, setup = kind.title, _setup(kind, viewer, chance)
    if setup is None:
        return None
    secrets = chance.randbytes(32), chance.randbytes(32)
    twins = Twins(title, setup, viewer, secrets, chance.randbytes(32), apart, by_draw)
    games = [start_twin(twins, which) for which in range(2)]
    if _shown(games[0], viewer) != _shown(games[1], viewer) or _order(games[0], viewer) != _order(games[1], viewer):
        return None  # the setup has shown already that the dice are not the same
    dealt_apart = games[0].table.contents() != games[1].table.contents()
    draws: tuple[list[Effect], list[Effect]] = [], []
    for _ in range(length):
        step = _step(games, viewer, chance, lasting=lasting)
        if step is None:
            break
        for game, command, drawn in zip(games, step.commands, draws, strict=True):
            events = game.decide(step.seat, [command], f"step-{len(twins.steps)}", 1)
            assert isinstance(events, list)
            game.commit(events)
            drawn += [effect for event in events for effect in event.effects if isinstance(effect, Draw | Shuffle)]
        twins.steps.append(step)
    twins.differ = games[0].table.contents() != games[1].table.contents()
    twins.chosen = any(step.commands[0] != step.commands[1] for step in twins.steps)
    twins.drawn = dealt_apart or draws[0] != draws[1]
    return twins


def _step(games: Sequence[Game], viewer: int, chance: random.Random, *, lasting: bool) -> Step | None:
    """Something that a seat can do in both games so that the viewer is told the same.

    Rather it is not the same thing, or, if they are to be ``lasting``, one that is as alike as can be.
    """
    first, second = games
    if first.status != RUNNING:
        return None
    seats = list(first.table.deciding())
    chance.shuffle(seats)
    for seat in seats:
        ones, others = list(first.legal(seat)), list(second.legal(seat))
        chance.shuffle(ones)
        if lasting:
            ones.sort(key=lambda one: min((_unlike(one, other) for other in others), default=()))
        for one in ones[:6]:
            told = _tried(first, seat, one, viewer)
            chance.shuffle(others)
            if told is None:
                continue
            others.sort(key=partial(_unlike if lasting else _same, one))
            candidates = [one] if seat == viewer else others[:12]
            for other in candidates:
                if told == _tried(second, seat, other, viewer) and _alike(games, seat, (one, other), viewer):
                    if one != other or chance.random() < 0.7 or not _alike(games, seat, (one, other), OPERATOR):
                        sealed = seat != viewer and any(b'"detail":null' in it for it in told)
                        return Step(seat, (one, other), sealed)
                    break
    return None


def _same(one: Struct, other: Struct) -> bool:
    return one == other


def _unlike(one: Struct, other: Struct) -> tuple[bool, ...]:
    """In what two commands are not alike: what kind they are is most, then the first of their fields."""
    if type(one) is not type(other):
        return (True,)
    return False, *(getattr(one, name) != getattr(other, name) for name in one.__struct_fields__)


def _alike(games: Sequence[Game], seat: int, commands: Sequence[Struct], viewer: int) -> bool:
    """Whether a viewer would be told the same in both games, and would see the same table after it."""
    one, other = (
        _tried(game, seat, command, viewer, is_shown=True) for game, command in zip(games, commands, strict=True)
    )
    return one == other


def _tried(game: Game, seat: int, command: Struct, viewer: int, *, is_shown: bool = False) -> list[bytes] | None:
    """What a viewer would be told of a command, which is taken back; nothing if it ends the game.

    What he would see of the table after it ``is_shown`` too where that is asked for: it takes ten times as long.
    """
    decided = game.decide(seat, [command], "tried", 1)
    if isinstance(decided, Rejection):
        return None
    over = game.play is not None and game.play.is_over()
    for event in reversed(decided):
        game.table.revert_all(event.effects)
    told = _told(game, decided, viewer)
    if is_shown:
        told.append(_shown(game, viewer))
    game.discard(decided)
    return None if over else told


def _told(game: Game, events: Sequence[GameEvent], viewer: int) -> list[bytes]:
    """The forms of events for a viewer. The table stays after them."""
    told: list[EventForm] = []
    for event in events:
        game.table.apply_all(event.effects)
        told.append(event_forms(game.table, event)[form_index(viewer)])
    return [*map(canonical, told)]


def _shown(game: Game, viewer: int) -> bytes:
    """What a viewer sees of the whole table: asked so often that no layout is made for it."""
    table = game.table
    zones = [_seen(table, zone, viewer) for zone in table.zones.values()]
    markers = [it.value if sees(table, it, viewer) else None for it in table.markers.values()]
    return canonical([zones, markers, table.decisions[1:]])


def _order(game: Game, viewer: int) -> list[list[str]]:
    """In which order components came to the zones that a viewer sees."""
    return [list(zone.counts()) for zone in game.table.zones.values() if sees(game.table, zone, viewer)]


def _seen(table: Table, zone: Zone, viewer: int) -> list[Any] | int | None:
    if sees(table, zone, viewer):
        contents = zone.order if isinstance(zone, Stack) else sorted(zone.items.items())
        return [contents, zone.counter]
    return zone.total() if can_count(table, zone, viewer) else None
