"""Twin games: two games that differ only in what one viewer cannot see, to find leaks of hidden information.

The games are played side by side. The viewer gives the same commands in both. Other seats give different commands as
long as the viewer receives the same redacted events. Draws from zones that the viewer cannot see differ
(:mod:`boardkeeper.testkit.twin_dice`). All answers to the viewer must then be equal in both games.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import eq
from typing import Any
from uuid import UUID

from msgspec import Struct

from boardkeeper.game.creation import create_game
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
_ATTEMPTS = 200
_TRIES_FOR_DIFFERENT = 5
_TRIES_FOR_LASTING = 20


@dataclass
class Step:
    """The command of a seat in each of the two games; ``sealed`` if the viewer does not see all of it."""

    seat: int
    commands: tuple[Struct, Struct]
    sealed: bool = False

    def command_id(self, number: int, which: int) -> str:
        """Return the command id in one of the games. Ids of sealed steps differ, to test that they are hidden."""
        return f"step-{number}-{which}-{type(self.commands[which]).__name__}" if self.sealed else f"step-{number}"


@dataclass
class Twins:
    """The setup, dice and steps of two twin games."""

    title: Title
    setup: Setup
    viewer: int
    secrets: tuple[bytes, bytes]
    shared: bytes = b"shared"
    """The key of the dice for draws that the viewer sees."""
    apart: float = 0.0
    """The fraction of the hidden zones whose draws differ."""
    by_draw: bool = False
    """Whether ``apart`` is a fraction of draws instead of zones, for titles with a single deck."""
    steps: list[Step] = field(default_factory=list)
    differ: bool = False
    """Whether the two tables differ at the end."""
    drawn: bool = False
    """Whether any random draw differed."""
    chosen: bool = False
    """Whether any command differed."""

    def twin_title(self) -> TwinTitle:
        """Return the title with twin dice, for one of the two games."""
        return TwinTitle(self.title, self.viewer, self.shared, self.apart, by_draw=self.by_draw)


@dataclass(frozen=True)
class EditionGroup:
    """Editions of a title, either those with hidden random draws or those without."""

    title: Title
    editions: tuple[str, ...]
    hidden_draws: bool

    def __str__(self) -> str:
        """Return the id of the title, followed by the editions if these are not all."""
        named = len(self.editions) < len(self.title.meta.editions)
        return ":".join((self.title.meta.id, *self.editions)) if named else self.title.meta.id

    def viewers(self) -> list[int]:
        """Return the viewers to test: a spectator, and up to two seats."""
        return [SPECTATOR, *range(1, 1 + min(2, self.players()[-1]))]

    def players(self) -> range:
        """Return all numbers of players of the editions."""
        counts = [it.players for it in self.title.meta.editions if it.id in self.editions]
        return range(min(fewest for fewest, _ in counts), max(most for _, most in counts) + 1)


def edition_groups(title: Title, open_draws: Sequence[str] = ()) -> list[EditionGroup]:
    """Group the editions of a title by whether they have hidden random draws; ``open_draws`` are those without."""
    editions = [it.id for it in title.meta.editions]
    opened = tuple(it for it in editions if it in open_draws)
    hiding = tuple(it for it in editions if it not in open_draws)
    return [EditionGroup(title, it, hidden_draws=it is hiding) for it in (opened, hiding) if it]


def find_twins(
    group: EditionGroup, viewer: int, seed: int, *, length: int = 60, lasting: bool = False, by_draw: bool = False
) -> Twins:
    """Return the twins that differ most among several random ones; they may be equal.

    If the editions have hidden draws, twins with different draws are preferred. ``lasting`` twins give equal commands
    where possible, so that they still differ after the commands are revealed.
    """
    chance = random.Random(f"{group}:{viewer}:{seed}")
    hidden_draws = group.hidden_draws
    best: Twins | None = None

    def worth(twins: Twins) -> tuple[bool, bool, bool, int]:
        return twins.differ, twins.drawn, twins.chosen and not lasting, len(twins.steps)

    for attempt in range(_ATTEMPTS):
        apart = (1.0, 0.5, 0.2, 0.0)[attempt % 4] if hidden_draws else 0.0
        found = _play_twins(group, viewer, chance, length, apart, lasting=lasting, by_draw=by_draw)
        if found is not None and (best is None or worth(found) > worth(best)):
            best = found
        found_enough = attempt >= (_TRIES_FOR_LASTING if lasting else _TRIES_FOR_DIFFERENT)
        if best is not None and best.differ and found_enough and (best.drawn or not hidden_draws):
            return best
    assert best is not None, f"no twins of {group} for viewer {viewer} with seed {seed}"
    return best


def _setup(group: EditionGroup, viewer: int, chance: random.Random) -> Setup | None:
    """Return a random setup, or ``None`` if the rules play the viewer's seat in it."""
    title, players = group.title, [it for it in group.players() if it >= viewer]
    setup = random_setup(title, chance.getrandbits(32), chance.choice(players), group.editions)
    return None if viewer in title.automata(setup) else setup


def people(title: Title, setup: Setup) -> list[int]:
    """Return the seats that the rules do not play."""
    return [seat for seat in range(1, setup.players + 1) if seat not in title.automata(setup)]


def start_twin(twins: Twins, which: int) -> Game:
    """Return one of the two games at its start."""
    title, setup = twins.twin_title(), twins.setup
    joining = people(twins.title, setup)
    seats = [PERSON if seat in joining else AUTOMA for seat in range(1, setup.players + 1)]
    game, events = create_game(ID, title.as_title(), setup, seats, twins.secrets[which], "test", "", 1)
    game.commit(events)
    for seat in joining:
        game.commit(game.join([seat], b"", "", 1))
    return game


def _play_twins(
    group: EditionGroup, viewer: int, chance: random.Random, length: int, apart: float, *, lasting: bool, by_draw: bool
) -> Twins | None:
    title, setup = group.title, _setup(group, viewer, chance)
    if setup is None:
        return None
    secrets = chance.randbytes(32), chance.randbytes(32)
    twins = Twins(title, setup, viewer, secrets, chance.randbytes(32), apart, by_draw)
    games = [start_twin(twins, which) for which in range(2)]
    if _encoded_view(games[0], viewer) != _encoded_view(games[1], viewer) or _order(games[0], viewer) != _order(
        games[1], viewer
    ):
        return None  # the viewer sees different setups
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
    """Return commands of a seat in both games for which the viewer receives the same, or ``None``.

    Different commands are preferred, or for ``lasting`` twins similar ones.
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
            ones.sort(key=lambda one: min((_difference_key(one, other) for other in others), default=()))
        for one in ones[:6]:
            received = _try(first, seat, one, viewer)
            chance.shuffle(others)
            if received is None:
                continue
            others.sort(key=partial(_difference_key if lasting else eq, one))
            candidates = [one] if seat == viewer else others[:12]
            for other in candidates:
                if received == _try(second, seat, other, viewer) and _look_equal(games, seat, (one, other), viewer):
                    if one != other or chance.random() < 0.7 or not _look_equal(games, seat, (one, other), OPERATOR):
                        sealed = seat != viewer and any(b'"detail":null' in it for it in received)
                        return Step(seat, (one, other), sealed)
                    break
    return None


def _difference_key(one: Struct, other: Struct) -> tuple[bool, ...]:
    """Return a sort key for the difference of two commands: first the type, then each field."""
    if type(one) is not type(other):
        return (True,)
    return False, *(getattr(one, name) != getattr(other, name) for name in one.__struct_fields__)


def _look_equal(games: Sequence[Game], seat: int, commands: Sequence[Struct], viewer: int) -> bool:
    """Return whether a viewer receives the same events in both games, and sees the same table afterwards."""
    one, other = (
        _try(game, seat, command, viewer, has_table=True) for game, command in zip(games, commands, strict=True)
    )
    return one == other


def _try(game: Game, seat: int, command: Struct, viewer: int, *, has_table: bool = False) -> list[bytes] | None:
    """Return the events of a command as a viewer receives them, and roll it back; ``None`` if it ends the game.

    With ``has_table``, which takes ten times as long, the last entry is the table that the viewer sees afterwards.
    """
    decided = game.decide(seat, [command], "trial", 1)
    if isinstance(decided, Rejection):
        return None
    over = game.play is not None and game.play.is_over()
    for event in reversed(decided):
        game.table.revert_all(event.effects)
    received = _received(game, decided, viewer)
    if has_table:
        received.append(_encoded_view(game, viewer))
    game.discard(decided)
    return None if over else received


def _received(game: Game, events: Sequence[GameEvent], viewer: int) -> list[bytes]:
    """Apply events, and return their forms for a viewer."""
    received: list[EventForm] = []
    for event in events:
        game.table.apply_all(event.effects)
        received.append(event_forms(game.table, event)[form_index(viewer)])
    return [*map(canonical, received)]


def _encoded_view(game: Game, viewer: int) -> bytes:
    """Return the table as a viewer sees it, encoded; faster than ``visible_table``."""
    table = game.table
    zones = [_zone_view(table, zone, viewer) for zone in table.zones.values()]
    markers = [it.value if sees(table, it, viewer) else None for it in table.markers.values()]
    return canonical([zones, markers, table.decisions[1:]])


def _order(game: Game, viewer: int) -> list[list[str]]:
    """Return the components of each zone that a viewer sees, in the order in which rules may list them."""
    return [list(zone.counts()) for zone in game.table.zones.values() if sees(game.table, zone, viewer)]


def _zone_view(table: Table, zone: Zone, viewer: int) -> list[Any] | int | None:
    if sees(table, zone, viewer):
        contents = zone.order if isinstance(zone, Stack) else sorted(zone.items.items())
        return [contents, zone.counter]
    return zone.total() if can_count(table, zone, viewer) else None
