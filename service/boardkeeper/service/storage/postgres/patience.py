"""Connections that do not wait for ever: a server can be frozen while the kernel keeps its connections alive.

The server itself ends what takes too long, and the kernel sees a host that is gone. Where neither says anything, only
the one who waits can give up.
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

STATEMENT_SECONDS = 5
"""No statement of a service takes longer, nor does a transaction stay open that nobody goes on with."""

PATIENCE_SECONDS = 2.0 * STATEMENT_SECONDS
"""So long an answer of the server is waited for: the server would have ended the statement long before."""

_LONGEST_STEP = 0.5
"""The driver asks several times a second; where more time has passed, this process stood still and not the server."""

_T = TypeVar("_T")


class PatientConnection(psycopg.Connection[Any]):
    """A connection that is lost if the server answers nothing for ``patience`` seconds; ``None`` waits for ever.

    What became of the statement is not known then, as with any lost connection. ``excuse`` is asked before, and may
    tell that the server is well and has reasons: then it is waited for as long again.
    """

    patience: float | None = PATIENCE_SECONDS
    excuse: Callable[[], bool] | None = None

    def wait(self, gen: PQGen[_T], *arguments: Any, **more: Any) -> _T:
        """Carry out what waits for the server (all of the driver goes through here)."""
        return super().wait(gen if self.patience is None else self._patiently(gen, self.patience), *arguments, **more)

    @contextmanager
    def patient_for(self, seconds: float) -> Iterator[None]:
        """Another patience, for what is done within."""
        before, self.patience = self.patience, seconds
        try:
            yield
        finally:
            self.patience = before

    def _patiently(self, gen: PQGen[_T], patience: float) -> Generator[Wait, Ready | int, _T]:
        """The driver asks for readiness here, and is told several times a second that nothing is ready yet."""
        last, silent = time.monotonic(), 0.0
        gone = False
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                now = time.monotonic()
                silent += min(now - last, _LONGEST_STEP)
                last = now
                if not ready and not gone and silent > patience:
                    if self._is_excused():
                        last, silent = time.monotonic(), 0.0
                    else:
                        gone = True
                        self._hang_up()
                wanted = gen.send(ready)
        except StopIteration as end:
            result: _T = end.value
            return result
        except psycopg.Error as error:
            if gone:
                raise psycopg.OperationalError(f"the server has answered nothing for {patience:g} seconds") from error
            raise

    def _is_excused(self) -> bool:
        return self.excuse is not None and self.excuse()

    def _hang_up(self) -> None:
        """From outside, so that the driver finds the connection lost and nothing waits for its end."""
        with socket.fromfd(self.pgconn.socket, socket.AF_INET, socket.SOCK_STREAM) as same:
            same.shutdown(socket.SHUT_RDWR)
