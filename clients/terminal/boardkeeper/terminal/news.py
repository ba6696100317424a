"""Waiting for events of the game and for input of the player at the same time."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import signal
import sys
import threading
import weakref
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Generic, Self, TypeVar

_T = TypeVar("_T")


class Inbox(Generic[_T]):
    """A queue of items from another thread, for a reader that also waits for typed lines.

    If standard input is a terminal (``is_interactive``), :meth:`wait_for_line` returns at the first item or line. If it
    is not, or the system cannot wait for both, it only waits for items.
    """

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[_T] = queue.SimpleQueue()
        self._arrived = threading.Event()
        self.is_interactive = os.name == "posix" and sys.stdin.isatty()
        self._read_end, self._write_end = os.pipe()
        os.set_blocking(self._read_end, False)
        os.set_blocking(self._write_end, False)
        weakref.finalize(self, _close, self._read_end, self._write_end)  # the other thread also refers to this object
        self._wakeup = -1
        self._interrupted = False
        self._handler: signal.Handlers | Callable[[int, FrameType | None], object] | int | None = signal.SIG_DFL

    def __enter__(self) -> Self:
        # Signals also write to the pipe. Otherwise Ctrl-C just before the wait would be noticed only after it.
        self._wakeup = signal.set_wakeup_fd(self._write_end, warn_on_full_buffer=False)
        self._handler = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._handler)
        signal.set_wakeup_fd(self._wakeup)  # the pipe stays open: the other thread may still write

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Store that Ctrl-C was pressed, because Python drops exceptions that are raised in finalizers."""
        self._interrupted = True
        raise KeyboardInterrupt

    def put(self, item: _T) -> None:
        """Add an item; may be called in any thread."""
        self._queue.put(item)
        self._arrived.set()
        with contextlib.suppress(BlockingIOError):  # the pipe is full, so the reader wakes up anyway
            os.write(self._write_end, b"!")

    def get(self, timeout: float | None = None) -> _T:
        """Return the next item. Raises ``queue.Empty`` after ``timeout`` seconds."""
        return self._queue.get(timeout=timeout)

    @property
    def has_items(self) -> bool:
        """Return whether an item is available, so that :meth:`get` returns at once."""
        return not self._queue.empty()

    def wait_for_line(self, timeout: float | None = None) -> str | None:
        """Return a line that the player typed, or ``None`` if an item arrived first or after ``timeout`` seconds.

        Raises ``EOFError`` at the end of input, and ``KeyboardInterrupt`` after Ctrl-C.
        """
        if self._interrupted:
            raise KeyboardInterrupt
        self._arrived.clear()
        with contextlib.suppress(BlockingIOError):
            os.read(self._read_end, 4096)
        if self.has_items:
            return None
        if not self.is_interactive:
            self._arrived.wait(timeout)
            return None
        ready, _, _ = select.select([sys.stdin, self._read_end], [], [], timeout)
        if sys.stdin not in ready:
            return None
        line = sys.stdin.readline()  # a terminal returns one whole line at a time
        if not line:
            raise EOFError
        return line


def _close(*pipe: int) -> None:
    for end in pipe:
        os.close(end)
