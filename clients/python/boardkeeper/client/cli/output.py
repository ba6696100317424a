"""Where the command line writes: a console that knows when not to colour, JSON lines, and one-line errors."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

DONE = 0
FAILED = 1
USAGE = 2
UNREACHABLE = 3
INTERRUPTED = 130

PIPE_WIDTH = 120
"""The width of output that goes to no terminal, so that a log does not depend on somebody's window."""


class CommandError(Exception):
    """Ends the command with one line for a person: what happened and what to do about it."""

    def __init__(self, message: str, status: int = FAILED) -> None:
        super().__init__(message)
        self.status = status


class Output:
    """Standard output for results, standard error for remarks.

    Colours are used on a terminal only, and never with ``--no-color`` or ``NO_COLOR`` set (no-color.org).
    With ``as_json`` every result is one JSON object a line and nothing else goes to standard output.
    """

    def __init__(self, *, color: bool = True, as_json: bool = False) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal without é shows ?, it does not end the game
        terminal = sys.stdout.isatty()
        self.as_json = as_json
        self.console = Console(
            no_color=not color or None,
            color_system="auto" if color else None,
            highlight=False,
            width=None if terminal else PIPE_WIDTH,
            soft_wrap=False,
        )
        self.remarks = Console(stderr=True, no_color=not color or None, highlight=False, soft_wrap=True)

    def show(self, *what: Any) -> None:
        """Print for people; nothing with ``as_json``."""
        if not self.as_json:
            for part in what:
                self.console.print(part, markup=False)

    def line(self, text: str, style: str = "") -> None:
        """One line of text as it is, not cut and not wrapped; nothing with ``as_json``."""
        if not self.as_json:
            self.console.print(text, style=style or None, markup=False, soft_wrap=True)

    def text(self, text: Text) -> None:
        """One line with its own colours, not cut and not wrapped; nothing with ``as_json``."""
        if not self.as_json:
            self.console.print(text, soft_wrap=True)

    def record(self, value: Mapping[str, Any]) -> None:
        """One JSON line; nothing without ``as_json``."""
        if self.as_json:
            sys.stdout.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")
            sys.stdout.flush()

    def prompt(self, text: str) -> None:
        """What is asked, without ending the line."""
        sys.stdout.write(text)
        sys.stdout.flush()

    def ask(self, prompt: str) -> str:
        """A line typed by the player; raises ``EOFError`` at the end of input."""
        return input(prompt)

    def raw(self, text: str) -> None:
        """A line exactly as it is, for programs."""
        sys.stdout.write(text + "\n")

    def remark(self, text: str) -> None:
        """Something beside the results, for people, on standard error."""
        self.remarks.print(text, style="dim", markup=False)

    def error(self, text: str) -> None:
        """Why the command ends."""
        self.remarks.print(f"boardkeeper: {text}", markup=False)
