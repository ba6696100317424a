"""Write the perft files that a title lacks, one for each edition and decision.

The position comes from the first random game that has the decision late enough, stored as a walk. Decisions that
random games do not reach come from golden games, stored as layouts. Existing files are never changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import layout_of
from boardkeeper.table.table import Table
from boardkeeper.testkit import packed_files
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.golden import creation_of, files, numbers_of, read
from boardkeeper.testkit.perft import DICE_KEY, PerftFile, Walk, bind_position, encode, leaves, play_walk, split, step
from boardkeeper.titlekit.title import EditionMeta, Setup, Title

MAX_LEAVES = 12_000
MAX_DEPTH = 5
LATE = 0.4
"""The part of a game before the first position, so that the table is not empty."""
WALKS = 12
"""The number of random games of each edition."""


def walks(title: Title, edition: EditionMeta, wanted: set[str], from_part: float) -> Iterator[tuple[str, PerftFile]]:
    """Yield a position for each wanted decision that random games reach, and remove the decision from ``wanted``.

    ``from_part`` is the fraction of a game before the first position.
    """
    counts = numbers_of(title.meta, edition)
    for seed in range(WALKS):
        people = counts[seed % len(counts)]
        setup = complete(title.meta, Setup(edition.id, people))
        play = play_walk(title, setup, Walk(seed, 0))
        open_at: list[str] = []
        while not play.is_over():
            seat = play.table.deciding()[0]
            open_at.append(play.table.decisions[seat] if len(play.legal(seat)) > 1 else "")
            step(play, seed, len(open_at) - 1)
        for ply, decision in enumerate(open_at):
            if ply >= from_part * len(open_at) and decision in wanted:
                wanted.remove(decision)
                yield f"{decision}-{people}p", PerftFile(setup, [], {}, walk=Walk(seed, ply))


def golden(
    title: Title, edition: EditionMeta, wanted: set[str], from_part: float, games: Path
) -> Iterator[tuple[str, PerftFile]]:
    """Yield the same as :func:`walks`, from the golden games in a folder."""
    for path in files(games):
        events = read(path, title)
        setup = creation_of(events).setup
        if setup.edition != edition.id or not wanted:
            continue
        table = Table(creation_of(events).layout)
        play = title.play(table, Dice(DICE_KEY), setup)
        for event in events:
            table.apply_all(event.effects)
            late = event.originator_version > from_part * len(events)
            for seat in table.deciding()[:1] if late else ():
                decision = table.decisions[seat]
                if decision in wanted and len(play.legal(seat)) > 1:
                    wanted.remove(decision)
                    file = PerftFile(setup, [], {})
                    people = setup.players - len(title.automata(setup))
                    yield f"{decision}-{people}p", replace(file, layout=layout_of(table))


def count_leaves(title: Title, file: PerftFile) -> PerftFile:
    """Count the leaves of a position, to the greatest depth with at most :data:`MAX_LEAVES` leaves."""
    play = bind_position(title, file)
    counts = [leaves(play, 1)]
    while len(counts) < MAX_DEPTH:
        found = leaves(play, len(counts) + 1) if counts[-1] * counts[0] <= 4 * MAX_LEAVES else MAX_LEAVES + 1
        if found > MAX_LEAVES:
            break
        counts.append(found)
    return replace(file, counts=counts, split=split(play, len(counts)))


def count_missing(adapter: Adapter, perft: Path, games: Path) -> None:
    """Write the missing files of a title to ``perft``. ``games`` is the folder of its golden games."""
    title = adapter.title
    for edition in title.meta.editions:
        folder = perft / edition.id
        folder.mkdir(parents=True, exist_ok=True)
        wanted = set(adapter.decisions) - {
            packed_files.name_of(path).rpartition("-")[0] for path in packed_files.find(folder, "*.json")
        }
        for from_part in (LATE, 0):  # some decisions are open only at the beginning of a game
            for source in (walks, partial(golden, games=games)):
                for name, file in source(title, edition, wanted, from_part):
                    found = count_leaves(title, file)
                    packed_files.create(folder / f"{name}.json.xz", encode(found))
                    sys.stdout.write(f"{adapter.id}/{edition.id}/{name}: {found.counts}\n")
        if wanted:
            sys.stdout.write(f"{adapter.id}/{edition.id}: no game comes to {', '.join(sorted(wanted))}\n")
