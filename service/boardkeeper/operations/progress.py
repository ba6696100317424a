"""Saying now and then how far long work is."""

from __future__ import annotations

import time

from boardkeeper.terminal.output import Output

_SECONDS = 2.0


class GamesDone:
    """Is told how many games are done, or ``what`` else, and remarks it every few seconds."""

    def __init__(self, output: Output, what: str = "games") -> None:
        self._output = output
        self._what = what
        self._told = time.monotonic()

    def __call__(self, done: int, of: int) -> None:
        """So many of all are done."""
        if time.monotonic() - self._told > _SECONDS:
            self._told = time.monotonic()
            self._output.remark(f"{done} of {max(done, of)} {self._what}")
