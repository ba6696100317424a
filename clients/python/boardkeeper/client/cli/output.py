"""Where the command line writes: a console that knows when not to colour, JSON lines, and one-line errors."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment
from rich.text import Text

from boardkeeper.client.cli.plain import plain_json, plain_lines

DONE = 0
FAILED = 1
USAGE = 2
UNREACHABLE = 3
INTERRUPTED = 130

NARROWEST = 20
"""Where less room is left beside an indentation, lines are not broken by us."""

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
        terminal = self._terminal = sys.stdout.isatty()
        self.as_json = as_json
        self.console = Console(
            no_color=not color or None,
            color_system="auto" if color else None,
            highlight=False,
            width=None if terminal else PIPE_WIDTH,
            soft_wrap=False,
        )
        self.remarks = Console(stderr=True, no_color=not color or None, highlight=False)
        for console in (self.console, self.remarks):
            console.push_render_hook(_Plain())
        self._told = sys.stderr.isatty()  # a terminal wants its lines broken between words, a file as they are

    def show(self, *what: Any) -> None:
        """Print for people; nothing with ``as_json``."""
        if not self.as_json:
            for part in what:
                self.console.print(part, markup=False)

    def line(self, text: str, style: str = "") -> None:
        """One line of text, or lines; nothing with ``as_json``. See :meth:`text`."""
        for one in text.split("\n"):
            self.text(Text(one, style), len(one) - len(one.lstrip()))

    def command(self, text: str) -> None:
        """A command to copy: as it is, however long."""
        if not self.as_json:
            self.console.print(f"  {text}", style="bold", markup=False, soft_wrap=True)

    def text(self, text: Text, indent: int = 0) -> None:
        """One line with its own colours; nothing with ``as_json``.

        On a terminal it is broken between words where it is too long, and what follows stands ``indent`` columns to the
        right. Elsewhere a line is a line.
        """
        if self.as_json:
            return
        width = self.console.width - indent
        if not self._terminal or text.cell_len <= self.console.width or width < NARROWEST:
            self.console.print(text, soft_wrap=True)
            return
        head, rest = text.divide([indent]) if indent else (Text(), text)
        for number, part in enumerate(rest.wrap(self.console, width)):
            part.rstrip()
            self.console.print(head if number == 0 else Text(" " * indent), part, sep="", soft_wrap=True)

    def record(self, value: Mapping[str, Any]) -> None:
        """One JSON line; nothing without ``as_json``."""
        if self.as_json:
            sys.stdout.write(plain_json(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) + "\n")
            sys.stdout.flush()

    def prompt(self, text: str) -> None:
        """What is asked, without ending the line."""
        sys.stdout.write(plain_lines(text))
        sys.stdout.flush()

    def ask(self, prompt: str) -> str:
        """A line typed by the player; raises ``EOFError`` at the end of input."""
        return input(plain_lines(prompt))

    def raw(self, text: str) -> None:
        """A line exactly as it is, for programs."""
        sys.stdout.write(plain_json(text) + "\n")

    def remark(self, text: str) -> None:
        """Something beside the results, for people, on standard error."""
        self.remarks.print(text, style="dim", markup=False, soft_wrap=not self._told)

    def aside(self, text: str) -> None:
        """A remark that comes while something else may stand on the line, such as a prompt."""
        self.remark(f"\n{text}" if self._terminal and self._told else text)

    def error(self, text: str) -> None:
        """Why the command ends; lines after the first stand to the right, so that none passes for one of ours."""
        text = text.replace("\n", "\n  ")
        self.remarks.print(f"boardkeeper: {text}", markup=False, soft_wrap=not self._told)


class _Plain(RenderHook):
    """The last thing before a terminal: whatever was drawn, nothing in its texts is obeyed. Colours are not texts."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_PlainTexts(it) for it in renderables]


class _PlainTexts:
    def __init__(self, drawn: ConsoleRenderable) -> None:
        self._drawn = drawn

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for text, style, control in console.render(self._drawn, options):
            yield Segment(text if control else plain_lines(text), style, control)
