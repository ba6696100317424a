"""Record the golden games that a title lacks.

Existing games are never recorded again. For each edition and number of players, the candidate with most new features
is stored. Then games with new features are added: first with default choices, then of strong bots, then with random
options and readings. All use fixed seeds.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from msgspec import Struct

from boardkeeper.game.choices import complete
from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.seats import AUTOMA, BOT
from boardkeeper.table.rejections import Rejection
from boardkeeper.testkit import packed_files
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.golden import encode, features, files, find_missing_features, game_id, numbers_of, read
from boardkeeper.testkit.playouts import Playout
from boardkeeper.testkit.setups import default_setup, player_counts, random_setup
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.title import Play, Setup

CANDIDATES = 12
"""Games tried for each edition and number of players."""

EXTRAS = 400
"""Games tried for features that those lack."""

WELL_PLAYED = 60
"""Games tried of each kind of strong bot."""


class RecordedGame(Playout[Play]):
    """A recorded game, either random or of bots."""

    def __init__(self, adapter: Adapter, path: Path, seed: int, setup: Setup, bots: Sequence[str] = ()) -> None:
        self.adapter = adapter
        self.seed = seed
        self.setup = setup
        self.space = None
        self.random = Random(f"golden {seed}")
        self.bots = bots
        played = adapter.title.automata(setup)
        seats = [AUTOMA if seat in played else f"{BOT}{self._bot(seat)}" for seat in range(1, setup.players + 1)]
        secret = hashlib.sha256(f"golden {packed_files.name_of(path)} {seed}".encode()).digest()
        self.game, self.stored = create_game(game_id(path), adapter.title, setup, seats, secret, "golden", "", 0)
        self.game.commit(self.stored)
        assert self.game.play is not None
        self.play = self.game.play
        self.table = self.game.table

    def _bot(self, seat: int) -> str:
        """Return the kind of bot of a seat; ``random`` for eager games too."""
        return self.bots[(seat - 1) % len(self.bots)] if self.bots else "random"

    def record(self) -> list[GameEvent]:
        """Play to the end, and return all events."""
        while self.game.status != "ended":
            seat, command = self._choose_as_bot() if self.bots else self.choose()
            events = self.game.decide(seat, [command], f"{self.game.version}", 0)
            assert not isinstance(events, Rejection), events
            self.game.commit(events)
            self.stored += events
        return self.stored

    def _choose_as_bot(self) -> tuple[int, Struct]:
        seat = self.table.deciding()[0]
        legal, bot, chance = self.play.legal(seat), self._bot(seat), self.random.random()
        return seat, ask_bot(self.adapter.title, self.setup, self.table, bot, seat, legal, chance)


def store_game(adapter: Adapter, path: Path, events: list[GameEvent], shown: set[str]) -> None:
    """Write a golden game; raises ``FileExistsError`` if it exists."""
    packed_files.create(path, b"".join(encode(event) + b"\n" for event in events))
    new = features(adapter, events) - shown
    shown |= new
    sys.stdout.write(f"{path.name}: {len(events)} events, {path.stat().st_size // 1024} KB, {len(new)} new\n")


def record_missing(adapter: Adapter, folder: Path) -> None:
    """Record all golden games that a title lacks in a folder."""
    title = adapter.title
    counts = player_counts(title.meta)
    folder.mkdir(exist_ok=True)
    shown: set[str] = set()
    for path in files(folder):
        shown |= features(adapter, read(path, title))
    for edition in title.meta.editions:
        for players in numbers_of(title.meta, edition):
            path = folder / f"{edition.id}-{players}p.jsonl.xz"
            if not packed_files.find(folder, f"{edition.id}-{players}p.jsonl"):
                setup = complete(title.meta, Setup(edition.id, players))
                tried = (RecordedGame(adapter, path, 2 * seed + 1, setup).record() for seed in range(CANDIDATES))
                store_game(adapter, path, max(tried, key=lambda events: len(features(adapter, events) - shown)), shown)

    def usual(seed: int) -> Setup:
        return default_setup(title, counts[seed // 2 % len(counts)])

    add_extras(adapter, folder, "default", shown, usual)
    for bot in [it.id for it in title.meta.bots if it.id != "random"]:
        add_extras(adapter, folder, bot, shown, usual, (bot,), WELL_PLAYED)
    add_extras(
        adapter, folder, "varied", shown, lambda seed: random_setup(title, seed, counts[seed // 2 % len(counts)])
    )


def add_extras(
    adapter: Adapter,
    folder: Path,
    kind: str,
    shown: set[str],
    setup_of: Callable[[int], Setup],
    bots: Sequence[str] = (),
    tries: int = EXTRAS,
) -> None:
    """Add games with new features."""
    added = len(packed_files.find(folder, f"{kind}-*.jsonl"))
    for seed in range(1, 2 * tries, 2):
        if not find_missing_features(adapter, shown):
            return
        path = folder / f"{kind}-{added + 1:02}.jsonl.xz"
        events = RecordedGame(adapter, path, seed, setup_of(seed), bots).record()
        if features(adapter, events) - shown:
            store_game(adapter, path, events, shown)
            added += 1
