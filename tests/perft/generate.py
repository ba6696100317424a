"""Make perft files that are missing, from positions of the golden games: ``python -m tests.perft.generate``.

For each edition and each decision there is, the first golden game that comes to it gives a position; files that are
there are never changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.golden.games import created, read
from tests.golden.games import files as golden_games
from tests.perft.counting import FOLDER, PerftFile, bound, encode, leaves, split

from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.title import Setup
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.title import TITLE

DECISIONS = (
    "draw",
    "take_back",
    "plan",
    "act",
    "deed",
    "bathhouse",
    "technology",
    "store",
    "sacristy",
    "harvest",
    "torture",
    "keep",
)
MOST_LEAVES = 12_000
DEEPEST = 5
LATE = 0.4
"""How much of a game has to be over for its first position of a decision, so that there is something on the table."""


def positions(edition: str) -> Iterator[tuple[str, Setup, Board]]:
    """A position for each decision, and the beginning of the game."""
    wanted = list(DECISIONS)
    for path in golden_games():
        events = read(path)
        setup = created(events).setup
        if setup.edition != edition or not wanted:
            continue
        table = Table(created(events).layout)
        play = TITLE.play(table, Dice(b""), setup)
        for event in events:
            table.apply_all(event.effects)
            late = event.originator_version > LATE * len(events)
            for seat in table.deciding()[:1] if late else ():
                decision = table.decisions[seat]
                if decision in wanted and len(play.legal(seat)) > 1:
                    wanted.remove(decision)
                    yield f"{decision}-{setup.players}p", setup, play.board(OPERATOR)


def counted(setup: Setup, position: Board) -> PerftFile:
    """Count as deep as the bound on leaves allows."""
    play = bound(setup, position)
    counts = [leaves(play, 1)]
    while len(counts) < DEEPEST:
        found = leaves(play, len(counts) + 1) if counts[-1] * counts[0] <= 4 * MOST_LEAVES else MOST_LEAVES + 1
        if found > MOST_LEAVES:
            break
        counts.append(found)
    return PerftFile(setup, position, counts, split(play, len(counts)))


def main() -> None:
    """Write what is missing."""
    for edition in TITLE.meta.editions:
        folder = FOLDER / edition.id
        folder.mkdir(parents=True, exist_ok=True)
        for name, setup, position in positions(edition.id):
            path = folder / f"{name}.json"
            if not path.exists():
                file = counted(setup, position)
                path.write_bytes(encode(file))
                sys.stdout.write(f"{edition.id}/{name}: {file.counts}\n")


if __name__ == "__main__":
    main()
