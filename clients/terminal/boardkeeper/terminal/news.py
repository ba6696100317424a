"""Wait for events of the game and for input of the player at the same time."""

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
    """Items from another thread, in order, for a player who may be typing.

    At a terminal (``listening``), :meth:`hear` returns at the first item or line. If the input
    is not a terminal, or the system cannot wait for both, it waits for items only.
    """

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[_T] = queue.SimpleQueue()
        self._arrived = threading.Event()
        self.listening = os.name == "posix" and sys.stdin.isatty()
        self._bell, self._rope = os.pipe()
        os.set_blocking(self._bell, False)
        os.set_blocking(self._rope, False)
        weakref.finalize(self, _close, self._bell, self._rope)  # the other thread also refers to this object
        self._wakeup = -1
        self._interrupted = False
        self._handler: signal.Handlers | Callable[[int, FrameType | None], object] | int | None = signal.SIG_DFL

    def __enter__(self) -> Self:
        # Signals also write to the pipe. Otherwise Ctrl-C just before the wait would be noticed only after it.
        self._wakeup = signal.set_wakeup_fd(self._rope, warn_on_full_buffer=False)
        self._handler = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._handler)
        signal.set_wakeup_fd(self._wakeup)  # the pipe stays open: the other thread may still write

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Remember Ctrl-C, because Python drops exceptions that are raised in finalizers."""
        self._interrupted = True
        raise KeyboardInterrupt

    def put(self, item: _T) -> None:
        """Add an item; may be called in any thread."""
        self._queue.put(item)
        self._arrived.set()
        with contextlib.suppress(BlockingIOError):  # the pipe is full, so the reader wakes up anyway
            os.write(self._rope, b"!")

    def get(self, timeout: float | None = None) -> _T:
        """Return the next item. Raises ``queue.Empty`` after ``timeout`` seconds."""
        return self._queue.get(timeout=timeout)

    @property
    def there(self) -> bool:
        """Whether :meth:`get` returns at once."""
        return not self._queue.empty()

    def hear(self, timeout: float | None = None) -> str | None:
        """Return a line that the player typed, or ``None`` if an item arrived first or after ``timeout`` seconds.

        Raises ``EOFError`` at the end of input, and ``KeyboardInterrupt`` after Ctrl-C.
        """
        if self._interrupted:
            raise KeyboardInterrupt
        self._arrived.clear()
        with contextlib.suppress(BlockingIOError):
            os.read(self._bell, 4096)
        if self.there:
            return None
        if not self.listening:
            self._arrived.wait(timeout)
            return None
        ready, _, _ = select.select([sys.stdin, self._bell], [], [], timeout)
        if sys.stdin not in ready:
            return None
        line = sys.stdin.readline()  # a terminal returns one whole line at a time
        if not line:
            raise EOFError
        return line


def _close(*pipe: int) -> None:
    for end in pipe:
        os.close(end)
