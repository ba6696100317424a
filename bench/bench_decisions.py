"""Random legal decisions per second in one process, with the full event record, of every title and of catanatron.

A decision is: list every legal command of a seat that has to decide, choose one at random, carry it out, keep its
events with all effects. catanatron's random players do the same on Catan (list playable actions, choose, apply, log).
It is installed from PyPI into its own environment under ``bench/.peers``; without it only our figures are printed.
Both programs and all our titles take turns in one run, so that a change of the machine's speed affects all.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
import venv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import msgspec

from boardkeeper.game.choices import complete
from boardkeeper.game.creation import create_game
from boardkeeper.game.seats import PERSON
from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Event
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import Play, Setup
from boardkeeper.titles.registry import TITLES, load_meta, load_title

PEER = "catanatron==3.2.1"
PEERS = Path(__file__).resolve().parent / ".peers"
ROUNDS = 9
SEATS = 60
"""Number of seats that play in a round of each title and number of players, over several games."""

COMPARED = 4
"""The number of players in catanatron."""

PEER_PROGRAM = """
import random, sys, time
from catanatron import Game, RandomPlayer, Color
random.seed(int(sys.argv[1]))
ticks, begun = 0, time.perf_counter()
for _ in range(25):
    game = Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)])
    game.play()
    ticks += len(game.state.actions)
print(ticks / (time.perf_counter() - begun))
"""


def player_counts(id: str) -> list[int]:
    """Return the numbers of players of a title's default edition, with 1 if a person can play against the rules."""
    meta = load_meta(id)
    fewest, most = meta.edition(meta.default_edition).players
    return [*([1] if meta.alone and fewest > 1 else []), *range(fewest, most + 1)]


def start_game(id: str, players: int, seed: int, edition: str = "") -> tuple[Table, Play]:
    """Return a table that waits for its first decision, by default of the title's default edition."""
    title = load_title(id)
    setup = complete(title.meta, Setup(edition, players))
    table = Table(title.layout(setup))
    rules = title.play(table, Dice(seed.to_bytes(8, "big")), setup)
    rules.set_up()
    return table, rules


def play(id: str, players: int, seed: int, edition: str = "") -> tuple[Table, int]:
    """Play one random game to its end; return its table and its number of decisions."""
    table, rules = start_game(id, players, seed, edition)
    events: list[Event] = rules.recorder.take()
    choose = random.Random(seed).random
    decisions = 0
    while not rules.is_over():
        seat = table.deciding()[0]
        legal = rules.legal(seat)
        if rules.decide(seat, legal[int(choose() * len(legal))]) is not None:
            raise AssertionError("a listed command was rejected")
        events += rules.recorder.take()
        decisions += 1
    return table, decisions


def first_event_bytes(id: str, players: int) -> int:
    """Return the stored size of a game's first event, in bytes."""
    title = load_title(id)
    setup = complete(title.meta, Setup("", players))
    seats = [PERSON] * (setup.players - len(title.automata(setup)))
    _, events = create_game(UUID(int=1), title, setup, seats, bytes(32), "bench", "", 0)
    return len(msgspec.json.encode(events[0].detail))


def measure_titles(ids: Sequence[str], players: int, first_seed: int) -> dict[str, float]:
    """Return decisions per second of titles over a few games, which they play in turn."""
    decisions: Counter[str] = Counter()
    seconds = dict.fromkeys(ids, 0.0)
    for game in range(SEATS // max(players, 2)):
        for id in ids:
            begin = time.perf_counter()
            decisions[id] += play(id, players, first_seed + game)[1]
            seconds[id] += time.perf_counter() - begin
    return {id: decisions[id] / seconds[id] for id in ids}


def peer_python() -> Path | None:
    """Return the interpreter of an environment with the peer, which the first run creates."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        venv.create(PEERS, with_pip=True)
    installed = subprocess.run([python, "-c", "import catanatron"], capture_output=True, check=False)
    if installed.returncode:
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PEER]
        if subprocess.run(command, check=False).returncode:
            return None
    return python


def measure_peer(python: Path, seed: int) -> float:
    """Return the peer's decisions per second with four random players, without its start-up."""
    output = subprocess.run([python, "-c", PEER_PROGRAM, str(seed)], capture_output=True, text=True, check=True)
    return float(output.stdout)


def report(figures: dict[tuple[str, int], list[float]]) -> None:
    """Print the figures by title and number of players, each compared with the first title in the same rounds."""
    standard = next(iter(TITLES))
    fewest = figures[standard, min(player_counts(standard))]
    together: dict[str, list[float]] = {}
    for (id, players), found in figures.items():
        # Rounds differ because their games differ, so print the mean of all rounds.
        beside = figures.get((standard, players), fewest)
        ratios = [own / other for own, other in zip(found, beside, strict=True)]
        if id != standard and (standard, players) in figures:
            together.setdefault(id, []).extend(ratios)
        print(
            f"{id}, {players} players: {statistics.median(found):>9,.0f} decisions/s  "
            f"({min(found):,.0f}-{max(found):,.0f}), {statistics.geometric_mean(ratios):.3f} of {standard}; "
            f"first event {first_event_bytes(id, players) / 1000:.1f} KB"
        )
    for id, ratios in together.items():
        print(f"{id} to {standard}, as many players: {statistics.geometric_mean(ratios):.3f}")


def main() -> int:
    """Measure all in turn, then print medians and ratios."""
    python = peer_python()
    tables: dict[int, list[str]] = {}
    for id in TITLES:
        for players in player_counts(id):
            tables.setdefault(players, []).append(id)
            play(id, players, 0)
    figures: dict[tuple[str, int], list[float]] = {
        (id, players): [] for players in sorted(tables) for id in tables[players]
    }
    peer: list[float] = []
    for round in range(ROUNDS):
        for players, ids in tables.items():
            for id, speed in measure_titles(ids, players, round * 100).items():
                figures[id, players].append(speed)
        if python:
            peer.append(measure_peer(python, round))
    report(figures)
    if not peer:
        print("catanatron: could not be installed", file=sys.stderr)
        return 1
    median = statistics.median(peer)
    print(f"catanatron 3.2.1, 4 players: {median:>5,.0f} decisions/s  ({min(peer):,.0f}-{max(peer):,.0f})")
    for (id, players), found in figures.items():
        if players == COMPARED:
            print(f"{id} to catanatron, {players} players: {statistics.median(found) / median:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
