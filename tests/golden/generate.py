"""Make golden games that are missing: ``python -m tests.golden.generate``.

A game that is there is never made again: it is what the rules decided when it was recorded. For each edition and number
of players the candidate that shows most that is new is kept, then games are added, first as they are played by default,
then under other options and readings, until nothing new turns up. Everything follows from fixed seeds.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from msgspec import Struct
from tests.golden.games import FOLDER, encode, features, files, game_id, read
from tests.titles.orleans.adapter import ADAPTER
from tests.titles.orleans.playouts import META, Playout, varied

from boardkeeper.game.choices import complete
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.title import Setup
from boardkeeper.titles.orleans.title import TITLE

CANDIDATES = 12
"""Games tried for each edition and number of players."""

EXTRAS = 400
"""Games tried for what those do not show."""


class Recorded(Playout):
    """An eager random game that a real aggregate keeps."""

    def __init__(self, path: Path, seed: int, setup: Setup) -> None:
        self.adapter = ADAPTER
        self.seed = seed
        self.setup = setup
        self.random = Random(f"golden {seed}")
        secret = hashlib.sha256(f"golden {path.stem} {seed}".encode()).digest()
        seats = ("bot.random",) * setup.players
        self.game, self.stored = Game.create(game_id(path), TITLE, setup, seats, secret, "golden", "", 0)
        self.game.commit(self.stored)
        assert self.game.play is not None
        self.play = self.game.play  # type: ignore[assignment]
        self.table = self.game.table

    def record(self, bot: str = "") -> list[GameEvent]:
        """Play to the end, with bots of that kind if there is one; every event."""
        while self.game.status != "ended":
            seat, command = self._asked(bot) if bot else self.choose()
            events = self.game.decide(seat, [command], f"{self.game.version}", 0)
            assert not isinstance(events, Rejection), events
            self.game.commit(events)
            self.stored += events
        return self.stored

    def _asked(self, bot: str) -> tuple[int, Struct]:
        seat = self.table.deciding()[0]
        board = self.play.board(seat)
        return seat, TITLE.choose(bot, board, seat, self.play.legal(seat), self.random.random())


def candidates(path: Path, setups: Iterator[tuple[int, Setup]]) -> Iterator[list[GameEvent]]:
    """Games for a file, one a setup."""
    for seed, setup in setups:
        yield Recorded(path, seed, setup).record()


def keep(path: Path, events: list[GameEvent], shown: set[str]) -> None:
    """Write a golden game; refuses to change one."""
    with path.open("xb") as file:
        file.writelines(encode(event) + b"\n" for event in events)
    new = features(events) - shown
    shown |= new
    sys.stdout.write(f"{path.name}: {len(events)} events, {path.stat().st_size // 1024} KB, {len(new)} new\n")


def main() -> None:
    """Make what is missing."""
    FOLDER.mkdir(exist_ok=True)
    shown: set[str] = set()
    for path in files():
        shown |= features(read(path))
    for edition in META.editions:
        for players in range(edition.players[0], edition.players[1] + 1):
            path = FOLDER / f"{edition.id}-{players}p.jsonl"
            if not path.exists():
                setup = complete(META, Setup(edition.id, players))
                tried = candidates(path, ((2 * seed + 1, setup) for seed in range(CANDIDATES)))
                keep(path, max(tried, key=lambda events: len(features(events) - shown)), shown)
    add_extras("default", shown, lambda seed: complete(META, Setup("", 2 + seed // 2 % 4)))
    add_extras("sensible", shown, lambda seed: complete(META, Setup("", 2 + seed // 2 % 4)), bot="sensible", tries=60)
    add_extras("varied", shown, lambda seed: varied(seed, 2 + seed // 2 % 3))


def add_extras(
    kind: str, shown: set[str], setup_of: Callable[[int], Setup], bot: str = "", tries: int = EXTRAS
) -> None:
    """Add games that show something that no other does."""
    added = len(list(FOLDER.glob(f"{kind}-*.jsonl")))
    for seed in range(1, 2 * tries, 2):
        path = FOLDER / f"{kind}-{added + 1:02}.jsonl"
        events = Recorded(path, seed, setup_of(seed)).record(bot)
        if features(events) - shown:
            keep(path, events, shown)
            added += 1


if __name__ == "__main__":
    main()
