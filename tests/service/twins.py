"""Twins: two games that differ only in what one viewer cannot see, each in a service of its own.

What a viewer sees of events and of the table is taken from the one rule of :mod:`boardkeeper.table.visibility`, which
has tests of its own, by way of the forms of the record. Two games are led side by side: where the viewer acts, it does
the same in both; where another seat acts, it does something else in each, as long as the viewer sees the same of it.
The dice have different secrets, as far as that can be without showing. All that is answered has to follow from this.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from msgspec import Struct

from boardkeeper.game.choices import ChoiceError
from boardkeeper.game.events import GameCreated, GameEvent
from boardkeeper.game.game import RUNNING, Game
from boardkeeper.game.record import Told, canonical, form_place, forms
from boardkeeper.table.events import unfold
from boardkeeper.table.forking import layout_of
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.title import Setup, Title
from boardkeeper.table.visibility import OPERATOR

ID = UUID("0f8fad5b-d9cb-469f-a165-70867728950e")
_TRIES = 200


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
    """How to come to the two games: the setup, the secrets, and each step."""

    title: Title
    setup: Setup
    viewer: int
    secrets: tuple[bytes, bytes]
    steps: list[Step] = field(default_factory=list)
    differ: bool = False
    """Whether something hidden is different on the two tables now."""


def search(title: Title, viewer: int, seed: int, length: int = 60) -> Twins:
    """Twins of a title for a viewer, as different as chance finds them; they may not differ at all."""
    chance = random.Random(f"{title.meta.id}:{viewer}:{seed}")
    best: Twins | None = None
    for attempt in range(_TRIES):
        found = _led(title, viewer, chance, length, same_secret=attempt % 2 == 1)
        if found is not None and (best is None or (found.differ, len(found.steps)) > (best.differ, len(best.steps))):
            best = found
        if best is not None and best.differ and attempt >= 5:
            return best
    assert best is not None, f"no twins of {title.meta.id} for {viewer} with seed {seed}"
    return best


def _setup(title: Title, chance: random.Random) -> Setup:
    meta = title.meta
    edition = chance.choice(meta.editions)
    options = {it.id: chance.choice(it.choices).id for it in meta.options}
    return Setup(edition.id, edition.players[0] + chance.randrange(2), options)


def started(title: Title, setup: Setup, secret: bytes) -> Game:
    """A game of persons that has begun."""
    game, events = Game.create(ID, title, setup, ["person"] * setup.players, secret, "test", "", 1)
    game.commit(events)
    for seat in range(1, setup.players + 1):
        game.commit(game.join([seat], b"", "", 1))
    return game


def _led(title: Title, viewer: int, chance: random.Random, length: int, *, same_secret: bool) -> Twins | None:
    setup = _setup(title, chance)
    secret = chance.randbytes(32)
    twins = Twins(title, setup, viewer, (secret, secret if same_secret else chance.randbytes(32)))
    try:
        games = [started(title, setup, it) for it in twins.secrets]
    except (ChoiceError, ValueError):
        return None
    if _shown(games[0], viewer) != _shown(games[1], viewer):
        return None  # the dice have shown already that they are not the same
    for _ in range(length):
        step = _step(games, viewer, chance)
        if step is None:
            break
        for game, command in zip(games, step.commands, strict=True):
            events = game.decide(step.seat, [command], f"step-{len(twins.steps)}", 1)
            assert isinstance(events, list)
            game.commit(events)
        twins.steps.append(step)
    twins.differ = games[0].table.contents() != games[1].table.contents()
    return twins


def _step(games: Sequence[Game], viewer: int, chance: random.Random) -> Step | None:
    """Something that a seat can do in both games so that the viewer is told the same, rather not the same thing."""
    first, second = games
    if first.status != RUNNING:
        return None
    seats = list(first.table.deciding())
    chance.shuffle(seats)
    for seat in seats:
        ones, others = list(first.legal(seat)), list(second.legal(seat))
        chance.shuffle(ones)
        for one in ones[:6]:
            told = _tried(first, seat, one, viewer)
            candidates = [one] if seat == viewer else sorted(others, key=lambda it: (it == one, chance.random()))[:12]
            for other in candidates:
                also = _tried(second, seat, other, viewer)
                if told is not None and also is not None and told[0] == also[0]:
                    if one != other or chance.random() < 0.7 or told[1] != also[1]:
                        return Step(seat, (one, other), any(b'"detail":null' in it for it in told[0][:-1]))
                    break
    return None


def _tried(game: Game, seat: int, command: Struct, viewer: int) -> tuple[list[bytes], list[bytes]] | None:
    """What the viewer and the operator would be told of a command, which is taken back; nothing if it ends the game."""
    decided = game.decide(seat, [command], "tried", 1)
    if isinstance(decided, Rejection):
        return None
    over = game.play is not None and game.play.is_over()
    for event in reversed(decided):
        unfold(game.table, event.effects)
    told = _told(game, decided, viewer)
    for event in reversed(decided):
        unfold(game.table, event.effects)
    return None if over else told


def _told(game: Game, events: Sequence[GameEvent], viewer: int) -> tuple[list[bytes], list[bytes]]:
    """For a viewer and for the operator: the forms of events, and what is seen of the table, which stays after them."""
    told: list[list[Told]] = []
    for event in events:
        game.table.apply_all(event.effects)
        told.append(forms(game.table, event))
    one, whole = ([*(canonical(it[form_place(who)]) for it in told), _shown(game, who)] for who in (viewer, OPERATOR))
    return one, whole


def _shown(game: Game, viewer: int) -> bytes:
    """What a viewer sees of the whole table."""
    created = GameCreated("", game.created.setup, (), "", "", "", "", layout_of(game.table))
    event = GameEvent(game.id, 1, "game.GameCreated", 0, "", 0, created, ())
    return canonical(forms(game.table, event)[form_place(viewer)])
