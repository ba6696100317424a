"""Whether games are freed as soon as nobody holds them, without the garbage collector."""

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

_PATIENCE = 3_000

PARTS = (Game, LiveGame, VisibilityHistory, Recorder)
"""One of each makes a game, or goes with it. Tables are apart: games of a kind share the veils over their events."""


def count_game_parts() -> Counter[str]:
    """How many of them there are in this process."""
    held = Counter(type(it).__name__ for it in gc.get_objects() if isinstance(it, PARTS))
    recorders = [it for it in gc.get_objects() if isinstance(it, Recorder)]
    held["tables of games"] = len({id(recorder.table) for recorder in recorders})
    return held


@contextmanager
def assert_all_freed() -> Iterator[None]:
    """What is made within must be gone afterwards, by the counting of references alone.

    What only the collector could free is told.
    """
    with _without_collector():
        before = count_game_parts()
        yield
        left = count_game_parts() - before
        circles = _circles()
    assert not left, f"{dict(left)} are still there; in circles: {dict(circles)}"
    assert not circles, f"only the collector frees {dict(circles)}"


@asynccontextmanager
async def assert_all_freed_soon() -> AsyncIterator[None]:
    """As :func:`nothing_left`, where other threads may still be letting go of what they have handed over."""
    with _without_collector():
        before = count_game_parts()
        yield
        for _ in range(_PATIENCE):
            if not (left := count_game_parts() - before):
                break
            await asyncio.sleep(0.01)
        circles = _circles()
    assert not left, f"{dict(left)} are still there; in circles: {dict(circles)}"
    assert not circles, f"only the collector frees {dict(circles)}"


@contextmanager
def assert_no_cycles() -> Iterator[None]:
    """What is made within may stay, but nothing of ours that was let go may wait for the collector."""
    with _without_collector():
        yield
        circles = _circles()
    assert not circles, f"only the collector frees {dict(circles)}"


@contextmanager
def _without_collector() -> Iterator[None]:
    # Only what is made from here on is looked through: a process of many tests has millions of objects. They stay
    # frozen, as they have been since the tests were collected.
    gc.collect()
    gc.freeze()
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _circles() -> Counter[str]:
    """What refers to itself, so that only the collector frees it."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
        ours = (type(it) for it in gc.garbage if type(it).__module__.startswith("boardkeeper."))
        return Counter(each.__name__ for each in ours)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.collect()
