"""Make golden games: ``python -m tests.golden.generate [TITLE …]`` makes those that are missing.

A game that is there is never made again: it is what the rules decided when it was recorded. For each edition and number
of players the candidate that shows most that is new is kept, then games are added, first as they are played by default,
then by bots that know how, then under other options and readings, until nothing new turns up. Everything follows from
fixed seeds.

With ``--name`` a single game is recorded, as it is asked for: ``--seed``, ``--edition``, ``--players``, ``--bots`` (one
a seat, or one for all; none: a random game, eager if the seed is odd) and ``--choose`` for options and readings.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from msgspec import Struct
from tests.golden.games import encode, features, files, folder, game_id, numbers_of, read
from tests.kit.adapters import adapter_of

from boardkeeper.game.choices import complete
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.game.seats import AUTOMA, BOT
from boardkeeper.table.bots import ask_bot
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.title import Play, Setup
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.playouts import Playout
from boardkeeper.testkit.setups import numbers, standard, varied
from boardkeeper.titles.registry import TITLES

CANDIDATES = 12
"""Games tried for each edition and number of players."""

EXTRAS = 400
"""Games tried for what those do not show."""

WELL_PLAYED = 60
"""Games tried of bots that know how."""


class Recorded(Playout[Play]):
    """A game that a real aggregate keeps: a random one, or one of bots."""

    def __init__(self, adapter: Adapter, path: Path, seed: int, setup: Setup, bots: Sequence[str] = ()) -> None:
        self.adapter = adapter
        self.seed = seed
        self.setup = setup
        self.random = Random(f"golden {seed}")
        self.bots = bots
        played = adapter.title.automata(setup)
        seats = [AUTOMA if seat in played else f"{BOT}{self._bot(seat)}" for seat in range(1, setup.players + 1)]
        secret = hashlib.sha256(f"golden {path.stem} {seed}".encode()).digest()
        self.game, self.stored = Game.create(game_id(path), adapter.title, setup, seats, secret, "golden", "", 0)
        self.game.commit(self.stored)
        assert self.game.play is not None
        self.play = self.game.play
        self.table = self.game.table

    def _bot(self, seat: int) -> str:
        """What a seat is played by; ``random`` also if it is eager."""
        return self.bots[(seat - 1) % len(self.bots)] if self.bots else "random"

    def record(self) -> list[GameEvent]:
        """Play to the end; every event."""
        while self.game.status != "ended":
            seat, command = self._asked() if self.bots else self.choose()
            events = self.game.decide(seat, [command], f"{self.game.version}", 0)
            assert not isinstance(events, Rejection), events
            self.game.commit(events)
            self.stored += events
        return self.stored

    def _asked(self) -> tuple[int, Struct]:
        seat = self.table.deciding()[0]
        legal, bot, chance = self.play.legal(seat), self._bot(seat), self.random.random()
        return seat, ask_bot(self.adapter.title, self.setup, self.table, bot, seat, legal, chance)


def candidates(adapter: Adapter, path: Path, setups: Iterator[tuple[int, Setup]]) -> Iterator[list[GameEvent]]:
    """Games for a file, one a setup."""
    for seed, setup in setups:
        yield Recorded(adapter, path, seed, setup).record()


def keep(path: Path, events: list[GameEvent], shown: set[str]) -> None:
    """Write a golden game; refuses to change one."""
    with path.open("xb") as file:
        file.writelines(encode(event) + b"\n" for event in events)
    new = features(events) - shown
    shown |= new
    sys.stdout.write(f"{path.name}: {len(events)} events, {path.stat().st_size // 1024} KB, {len(new)} new\n")


def make_missing(id: str) -> None:
    """All golden games that a title lacks."""
    adapter = adapter_of(id)
    title = adapter.title
    counts = numbers(title.meta)
    folder(id).mkdir(exist_ok=True)
    shown: set[str] = set()
    for path in files(id):
        shown |= features(read(path))
    for edition in title.meta.editions:
        for players in numbers_of(title.meta, edition):
            path = folder(id) / f"{edition.id}-{players}p.jsonl"
            if not path.exists():
                setup = complete(title.meta, Setup(edition.id, players))
                tried = candidates(adapter, path, ((2 * seed + 1, setup) for seed in range(CANDIDATES)))
                keep(path, max(tried, key=lambda events: len(features(events) - shown)), shown)

    def usual(seed: int) -> Setup:
        return standard(title, counts[seed // 2 % len(counts)])

    add_extras(adapter, "default", shown, usual)
    for bot in [it.id for it in title.meta.bots if it.id != "random"]:
        add_extras(adapter, bot, shown, usual, (bot,), WELL_PLAYED)
    add_extras(adapter, "varied", shown, lambda seed: varied(title, seed, counts[seed // 2 % len(counts)]))


def add_extras(
    adapter: Adapter,
    kind: str,
    shown: set[str],
    setup_of: Callable[[int], Setup],
    bots: Sequence[str] = (),
    tries: int = EXTRAS,
) -> None:
    """Add games that show something that no other does."""
    added = len(list(folder(adapter.id).glob(f"{kind}-*.jsonl")))
    for seed in range(1, 2 * tries, 2):
        path = folder(adapter.id) / f"{kind}-{added + 1:02}.jsonl"
        events = Recorded(adapter, path, seed, setup_of(seed), bots).record()
        if features(events) - shown:
            keep(path, events, shown)
            added += 1


def single(id: str, asked: argparse.Namespace) -> None:
    """The game that is asked for."""
    adapter = adapter_of(id)
    meta = adapter.title.meta
    chosen = dict(it.partition("=")[::2] for it in asked.choose)
    options = {option: value for option, value in chosen.items() if option in {it.id for it in meta.options}}
    readings = {reading: value for reading, value in chosen.items() if reading not in options}
    setup = complete(meta, Setup(asked.edition, asked.players, options, readings))
    path = folder(id) / f"{asked.name}.jsonl"
    keep(path, Recorded(adapter, path, asked.seed, setup, asked.bots).record(), set())


def main() -> None:
    """Make what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.generate", description="Make golden games.")
    parser.add_argument("titles", nargs="*", help=f"whose games, all by default: {', '.join(TITLES)}")
    parser.add_argument("--name", help="record this single game of one title")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--edition", default="")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--bots", nargs="*", default=())
    parser.add_argument("--choose", nargs="*", default=(), metavar="ID=CHOICE")
    asked = parser.parse_args()
    if unknown := [title for title in asked.titles if title not in TITLES]:
        parser.error(f"no such title: {', '.join(unknown)}")
    if asked.name:
        if len(asked.titles) != 1:
            parser.error("a single game is of one title")
        single(asked.titles[0], asked)
        return
    for title in asked.titles or TITLES:
        make_missing(title)


if __name__ == "__main__":
    main()
