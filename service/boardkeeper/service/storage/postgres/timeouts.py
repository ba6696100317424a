"""Connections with a timeout for each answer of the server.

The server ends long statements itself, and the kernel detects a host that is down. Neither helps if the server process
is frozen while the kernel of its host keeps its connections alive: only the client can detect that.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.waiting import Ready, Wait

STATEMENT_TIMEOUT_SECONDS = 5
"""The server's limit for a statement, and for a transaction without statements."""

RESPONSE_TIMEOUT_SECONDS = 2.0 * STATEMENT_TIMEOUT_SECONDS
"""The default time to wait for an answer; a working server ends the statement long before."""

_MAX_STEP_SECONDS = 0.5
"""The driver polls several times a second. If more time has passed between two polls, this process was suspended."""

_T = TypeVar("_T")


class TimeoutConnection(psycopg.Connection[Any]):
    """A connection that is closed if the server sends nothing for ``response_timeout`` seconds (``None``: no limit).

    The outcome of the statement is unknown then, as with any lost connection. When the time is over, the connection
    calls ``keep_waiting``; if this returns true, the time starts again.
    """

    response_timeout: float | None = RESPONSE_TIMEOUT_SECONDS
    keep_waiting: Callable[[], bool] | None = None

    def wait(self, gen: PQGen[_T], *arguments: Any, **more: Any) -> _T:
        """Run a generator of the driver with the timeout; all communication with the server passes through here."""
        timeout = self.response_timeout
        return super().wait(gen if timeout is None else self._limit(gen, timeout), *arguments, **more)

    @contextmanager
    def with_timeout(self, seconds: float) -> Iterator[None]:
        """Use another timeout within the block."""
        before, self.response_timeout = self.response_timeout, seconds
        try:
            yield
        finally:
            self.response_timeout = before

    def _limit(self, gen: PQGen[_T], timeout: float) -> Generator[Wait, Ready | int, _T]:
        """Run a generator of the driver. The driver resumes it several times a second, even while nothing is ready."""
        last, silent = time.monotonic(), 0.0
        has_timed_out = False
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                now = time.monotonic()
                silent += min(now - last, _MAX_STEP_SECONDS)
                last = now
                if not ready and not has_timed_out and silent > timeout:
                    if self.keep_waiting is not None and self.keep_waiting():
                        last, silent = time.monotonic(), 0.0
                    else:
                        has_timed_out = True
                        self._hang_up()
                wanted = gen.send(ready)
        except StopIteration as end:
            result: _T = end.value
            return result
        except psycopg.Error as error:
            if has_timed_out:
                raise psycopg.OperationalError(f"the server has answered nothing for {timeout:g} seconds") from error
            raise

    def _hang_up(self) -> None:
        """Shut the socket down, so that the driver finds the connection lost; its own ``close`` might wait."""
        with socket.fromfd(self.pgconn.socket, socket.AF_INET, socket.SOCK_STREAM) as same:
            same.shutdown(socket.SHUT_RDWR)
