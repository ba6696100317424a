"""A program in a pseudo-terminal, with keyboard input."""

from __future__ import annotations

import codecs
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.client.conftest import PROGRAM

# Makes standard input the controlling terminal, so that Ctrl-C becomes a signal, then executes the program.
_LAUNCHER = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")

PROMPT = r"Anna, your move \(.*\): $"
"""The prompt of ``boardkeeper play --name Anna``."""


class Terminal:
    """Runs a program until the block ends; ``screen`` is its whole output without control sequences."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        columns: int = 130,
        lines: int = 60,
        folder: Path | None = None,
    ) -> None:
        self._own, other = pty.openpty()
        size = {"COLUMNS": str(columns), "LINES": str(lines), "TERM": "xterm-256color"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCHER, *command],
            stdin=other,
            stdout=other,
            stderr=other,
            env={**os.environ, **size, **environment},
            cwd=folder,
            start_new_session=True,
        )
        os.close(other)
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.screen = ""
        self._seen = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self._own)

    def wait_for(self, pattern: str, seconds: float = 100) -> str:
        """Read until the pattern appears after the last match; return the text up to its end.

        The limit is far above the time that a program needs on a busy machine.
        """
        end = time.monotonic() + seconds
        while True:
            found = re.search(pattern, self.screen[self._seen :])
            if found is not None:
                begin, self._seen = self._seen, self._seen + found.end()
                return self.screen[begin : self._seen]
            assert time.monotonic() < end, f"no {pattern!r} in:\n{self.screen[self._seen :]}"
            assert self._read(), f"the program ended without {pattern!r}:\n{self.screen[self._seen :]}"

    def _read(self) -> bool:
        """Read new output; return False if the program has ended."""
        ready, _, _ = select.select([self._own], [], [], 0.1)
        if not ready:
            return True
        try:
            read = os.read(self._own, 65536)
        except OSError:  # on Linux: the program has ended
            return False
        self.raw += self._decoder.decode(read)  # the bytes may end inside a character
        self.screen = _CONTROL.sub("", self.raw)
        return bool(read)

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self._own, text.encode() + b"\n")

    def press(self, key: bytes) -> None:
        """Press a key, as a byte: 3 is Ctrl-C, 4 is Ctrl-D."""
        os.write(self._own, key)


def play_as_anna(environment: Mapping[str, str], *arguments: str) -> Terminal:
    """Start ``boardkeeper play`` for Anna in a terminal."""
    return Terminal([*PROGRAM, "play", "--name", "Anna", *arguments], environment)
