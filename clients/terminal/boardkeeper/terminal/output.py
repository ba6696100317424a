"""Where the command line writes: a console that knows when not to colour, JSON lines, and one-line errors."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from boardkeeper.terminal.escaping import plain, plain_json, plain_lines

DONE = 0
FAILED = 1
USAGE = 2
UNREACHABLE = 3
UNCHECKED = 5
"""The exit status of checks that could not be made, which is neither a yes nor a no."""
INTERRUPTED = 130

NARROWEST = 20
"""Where less room is left beside an indentation, lines are not broken by us."""

PIPE_WIDTH = 120
"""The width of output that goes to no terminal, so that a log does not depend on somebody's window."""


def counted(number: int, plural: str) -> str:
    """Return a number with its noun, "1 game" or "2 files of games"; a noun without the ending "s" stays as it is."""
    noun, *rest = plural.partition(" of ")
    return f"{number} {noun.removesuffix('s') if number == 1 else noun}{''.join(rest)}"


class CommandError(Exception):
    """Ends the command with one line for a person: what happened and what to do about it."""

    def __init__(self, message: str, status: int = FAILED) -> None:
        super().__init__(message)
        self.status = status


class _PlainConsole(Console):
    """A console that writes its own escapes and nobody else's, whatever it draws and whoever the texts come from."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=plain_lines(segment.text))

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(plain_lines(text), **options)  # before cells are measured, and not only after


class Output:
    """Standard output for results, standard error for remarks.

    Whatever is said, and whoever said it first, no terminal obeys it: see :mod:`boardkeeper.terminal.escaping`.

    Colours are used on a terminal only, and never with ``--no-color`` or ``NO_COLOR`` set (no-color.org).
    With ``as_json`` every result is one JSON object a line and nothing else goes to standard output.
    """

    def __init__(self, *, color: bool = True, as_json: bool = False) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal without é shows ?, it does not end the game
        terminal = self._terminal = sys.stdout.isatty()
        self.as_json = as_json
        self.console = _PlainConsole(
            markup=False,
            emoji=False,
            no_color=not color or None,
            color_system="auto" if color else None,
            highlight=False,
            width=None if terminal else PIPE_WIDTH,
            soft_wrap=False,
        )
        self.remarks = _PlainConsole(
            markup=False, emoji=False, stderr=True, no_color=not color or None, highlight=False
        )
        self._standing = ""
        self._told = sys.stderr.isatty()  # a terminal wants its lines broken between words, a file as they are

    @property
    def rows(self) -> int:
        """How many lines a terminal has; 0 where there is none, and output has no end."""
        return self.console.height if self._terminal else 0

    def row_lines(self, items: Sequence[str]) -> list[str]:
        """Items with dots between them, in as many lines as they need; none is broken that fits."""
        lines: list[str] = []
        for item in items:
            longer = f"{lines[-1]} · {item}" if lines else item
            if lines and (not self._terminal or cell_len(longer) <= self.console.width):
                lines[-1] = longer
            else:
                lines.append(item)
        return lines

    def show(self, *what: Any) -> None:
        """Print for people; nothing with ``as_json``."""
        if not self.as_json:
            for part in what:
                self.console.print(plain(part) if isinstance(part, str) else part)

    def line(self, text: str, style: str = "") -> None:
        """One line of text; nothing with ``as_json``. See :meth:`text`."""
        self.text(Text(plain(text), style), len(text) - len(text.lstrip(" ")))

    def row(self, items: Sequence[str], style: str = "") -> None:
        """Items in one line, with dots between them; a terminal that is too narrow has them in several lines."""
        for line in self.row_lines(items):
            self.line(line, style)

    def lines(self, text: str) -> None:
        """Lines of our own; nothing with ``as_json``."""
        for line in text.split("\n"):
            self.line(line)

    def command(self, text: str) -> None:
        """A command to copy: as it is, however long."""
        if not self.as_json:
            self.console.print(f"  {plain(text)}", style="bold", soft_wrap=True)

    def text(self, text: Text, indent: int = 0, later: int | None = None) -> None:
        """One line with its own colours; nothing with ``as_json``.

        On a terminal it is broken between words where it is too long, and what follows stands ``indent`` columns to the
        right, or ``later`` columns. Elsewhere a line is a line.
        """
        if self.as_json:
            return
        if text.plain != plain(text.plain):
            text = Text(plain(text.plain), text.style)
        later = indent if later is None else later
        width = self.console.width - later
        if not self._terminal or text.cell_len <= self.console.width or width < NARROWEST:
            self.console.print(text, soft_wrap=True)
            return
        head, rest = text.divide([indent]) if indent else (Text(), text)
        for number, part in enumerate(rest.wrap(self.console, width)):
            part.rstrip()
            self.console.print(head if number == 0 else Text(" " * later), part, sep="", soft_wrap=True)

    def record(self, value: Mapping[str, Any]) -> None:
        """One JSON line; nothing without ``as_json``."""
        if self.as_json:
            sys.stdout.write(plain_json(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) + "\n")
            sys.stdout.flush()

    def prompt(self, text: str) -> None:
        """What is asked, without ending the line; it stands there until :meth:`answered`."""
        self._standing = text
        sys.stdout.write(plain(text))
        sys.stdout.flush()

    def answered(self) -> None:
        """Nothing is asked any more."""
        self._standing = ""

    def ask(self, prompt: str) -> str:
        """A line typed by the player; raises ``EOFError`` at the end of input."""
        return input(plain(prompt))

    def raw(self, text: str) -> None:
        """JSON in lines of its own, for programs."""
        sys.stdout.write(plain_json(text) + "\n")

    def remark(self, text: str) -> None:
        """Something beside the results, for people, on standard error."""
        self.remarks.print(plain(text), style="dim", soft_wrap=not self._told)

    def progress(self, text: str) -> None:
        """What takes a while now, for a person who waits at a terminal."""
        if self._told:
            self.remark(text)

    def aside(self, text: str) -> None:
        """A remark that comes while something else may stand on the line; a prompt that stood there is said again."""
        if self._terminal and self._told:
            self.remarks.print()
        self.remark(text)
        if self._standing:
            self.prompt(self._standing)

    def error(self, text: str) -> None:
        """Why the command ends; lines after the first stand to the right, so that none passes for one of ours."""
        text = "\n  ".join(map(plain, text.split("\n")))
        self.remarks.print(f"boardkeeper: {text}", soft_wrap=not self._told)
