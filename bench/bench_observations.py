"""Measures what an observation and a mask cost beside a push, for each title with the fewest and the most players.

The same random game is pushed several times, in turn: alone, with the legal commands of the next seat, and with these
and an updated observer, a mask, or both. Each line has the CPU time of a push in microseconds, and the others as
multiples of it. ``write`` is a whole vector, ``copy`` a copy of the state.
"""

from __future__ import annotations

import time
from random import Random

from msgspec import Struct

from boardkeeper import engine

REPEATS = 7
WRITES = 50


def measure(title: str, players: int) -> str:
    random, root = Random(title), engine.create(title, players, seed=1).search_state(seed=1)
    moves: list[tuple[int, Struct, tuple[int, ...], int]] = []
    state = root.copy()
    while not state.is_over:
        seat = state.to_move[0]
        command = random.choice(state.legal(seat))
        state.push(seat, command)
        moves.append((seat, command, state.outcome, state.to_move[0] if state.to_move else seat))
    observations, actions = engine.observation_space(title, players), engine.action_space(title, players)
    mask = bytearray(actions.n_actions)

    def walk(*, legal: bool = False, observe: bool = False, masks: bool = False) -> float:
        state = root.copy()
        observer = observations.observer(state, 1)
        start = time.process_time()
        for seat, command, outcome, following in moves:
            state.push(seat, command, outcome=outcome)
            if legal:
                state.legal(following)
            if observe:
                observer.update()
            if masks:
                actions.mask(state, following, mask)
        return (time.process_time() - start) / len(moves)

    kinds = [(False, False, False), (True, False, False), (True, True, False), (True, False, True), (True, True, True)]
    runs = [[walk(legal=legal, observe=seen, masks=masked) for legal, seen, masked in kinds] for _ in range(REPEATS)]
    push, legal, observed, masked, both = map(min, zip(*runs, strict=True))
    observer = observations.observer(state, 1)
    start = time.process_time()
    for _ in range(WRITES):
        observer.follow(state)
    written = time.process_time()
    for _ in range(WRITES):
        state.copy()
    copied = time.process_time()
    times = {"legal": legal - push, "update": observed - legal, "mask": masked - legal, "update and mask": both - legal}
    beside = ", ".join(f"{name} {spent / push:.2f}" for name, spent in times.items())
    write, copy = (written - start) / WRITES, (copied - written) / WRITES
    return (
        f"{title} {players}: push {push * 1e6:.1f} µs, {beside}; write {write * 1e6:.0f} µs, copy {copy * 1e6:.0f} µs"
    )


def main() -> None:
    for meta in engine.titles():
        fewest, most = meta.edition(meta.default_edition).players
        for players in (fewest, most):
            print(measure(meta.id, players), flush=True)


if __name__ == "__main__":
    main()
