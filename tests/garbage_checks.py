"""Check that games are freed when their last reference goes, without the garbage collector."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from boardkeeper.game.game import Game
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.table.recorder import Recorder

_ATTEMPTS = 3_000

PARTS = (Game, LiveGame, VisibilityHistory, Recorder)
"""The objects of one game. Tables are counted separately: similar games share the redactions of their events."""


def count_game_parts() -> Counter[str]:
    """Count the parts of games in this process."""
    counts = Counter(type(it).__name__ for it in gc.get_objects() if isinstance(it, PARTS))
    recorders = [it for it in gc.get_objects() if isinstance(it, Recorder)]
    counts["tables of games"] = len({id(recorder.table) for recorder in recorders})
    return counts


@contextmanager
def assert_all_freed() -> Iterator[None]:
    """Fail if a part of a game that the body creates is still there afterwards, or only the collector can free it."""
    with _without_collector():
        before = count_game_parts()
        yield
        left = count_game_parts() - before
        cycles = _cycles()
    _assert_none(left, cycles)


@asynccontextmanager
async def assert_all_freed_soon() -> AsyncIterator[None]:
    """Like :func:`assert_all_freed`, but wait for other threads to drop their references."""
    with _without_collector():
        before = count_game_parts()
        yield
        for _ in range(_ATTEMPTS):
            if not (left := count_game_parts() - before):
                break
            await asyncio.sleep(0.01)
        cycles = _cycles()
    _assert_none(left, cycles)


@contextmanager
def assert_no_cycles() -> Iterator[None]:
    """Fail if the body drops an object of ours that only the collector can free. Other objects may stay."""
    with _without_collector():
        yield
        cycles = _cycles()
    _assert_none(Counter(), cycles)


def _assert_none(left: Counter[str], cycles: Counter[str]) -> None:
    assert not left, f"{dict(left)} are still there; in cycles: {dict(cycles)}"
    assert not cycles, f"only the collector frees {dict(cycles)}"


@contextmanager
def _without_collector() -> Iterator[None]:
    # Check only new objects: a process of many tests has millions of old ones. They stay frozen, as they have been
    # since the tests were collected.
    gc.collect()
    gc.freeze()
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _cycles() -> Counter[str]:
    """Count the objects of ours in reference cycles that nothing else refers to."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
        ours = (type(it) for it in gc.garbage if type(it).__module__.startswith("boardkeeper."))
        return Counter(each.__name__ for each in ours)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.collect()
