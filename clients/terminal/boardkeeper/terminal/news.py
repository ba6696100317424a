"""Hearing two things at once: what the game tells, and what the player types."""

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


class News(Generic[_T]):
    """What another thread has to tell, in order, for a player who may be typing meanwhile.

    At a terminal (``listening``) :meth:`hear` ends with whichever comes first. Where input is no terminal, or the
    system cannot wait for two things at once, it hears news alone, and whoever wants a line has to wait for it.
    """

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[_T] = queue.SimpleQueue()
        self._arrived = threading.Event()
        self.listening = os.name == "posix" and sys.stdin.isatty()
        self._bell, self._rope = os.pipe()
        os.set_blocking(self._bell, False)
        os.set_blocking(self._rope, False)
        weakref.finalize(self, _close, self._bell, self._rope)  # once the thread that tells has let go of it, too
        self._wakeup = -1
        self._interrupted = False
        self._handler: signal.Handlers | Callable[[int, FrameType | None], object] | int | None = signal.SIG_DFL

    def __enter__(self) -> Self:
        # A signal rings the bell too. Otherwise a Ctrl-C just before the wait begins would be noticed after it.
        self._wakeup = signal.set_wakeup_fd(self._rope, warn_on_full_buffer=False)
        self._handler = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._handler)
        signal.set_wakeup_fd(self._wakeup)  # the pipe stays: the other thread may still have something to tell

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Ctrl-C: it is remembered, because what it raises is lost where Python cannot raise, as in a finalizer."""
        self._interrupted = True
        raise KeyboardInterrupt

    def put(self, item: _T) -> None:
        """Tell something; from any thread."""
        self._queue.put(item)
        self._arrived.set()
        with contextlib.suppress(BlockingIOError):  # it has rung enough
            os.write(self._rope, b"!")

    def get(self, timeout: float | None = None) -> _T:
        """The next piece of news; raises ``queue.Empty`` after ``timeout`` seconds."""
        return self._queue.get(timeout=timeout)

    @property
    def there(self) -> bool:
        """Whether there is something to :meth:`get`."""
        return not self._queue.empty()

    def hear(self, timeout: float | None = None) -> str | None:
        """A line that the player typed; ``None`` if news came, or ``timeout`` seconds went by, before it.

        Raises ``EOFError`` at the end of input, and ``KeyboardInterrupt`` after a Ctrl-C, whatever became of it.
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
        line = sys.stdin.readline()  # a terminal gives whole lines, one at a time
        if not line:
            raise EOFError
        return line


def _close(*pipe: int) -> None:
    for end in pipe:
        os.close(end)
