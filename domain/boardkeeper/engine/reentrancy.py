"""A guard against concurrent and reentrant calls of one game."""

from __future__ import annotations

import threading
from types import TracebackType

from boardkeeper.engine.errors import MisuseError


class ReentrancyGuard:
    """A lock for the calls of one game, which raises :class:`MisuseError` instead of waiting."""

    __slots__ = ("_lock",)

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise MisuseError(
                "the game is busy with another call, of another thread or of a function that it called itself: "
                "give each thread its own clone(), or take turns"
            )

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._lock.release()
