"""Output of the command line: text for people, JSON lines for programs, and errors in one line."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from boardkeeper.terminal.escaping import escape, escape_json

if TYPE_CHECKING:
    from rich.text import Text

MIN_WRAP_WIDTH = 20
"""Lines are not wrapped if the indentation leaves less than this width."""

PIPE_WIDTH = 120
"""The width of output that does not go to a terminal. Logs must not depend on the size of a window."""


class Output:
    """Print results to standard output and remarks to standard error.

    Control characters are escaped in all texts: see :mod:`boardkeeper.terminal.escaping`. Colours are used on a
    terminal only, and not with ``--no-color`` or if ``NO_COLOR`` is set (no-color.org). With ``as_json``, standard
    output only contains one JSON object per line for each result.
    """

    def __init__(self, *, color: bool = True, as_json: bool = False) -> None:
        from boardkeeper.terminal.console import PlainConsole

        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # print ? for characters that the terminal cannot show
        self.as_json = as_json
        self._is_terminal = sys.stdout.isatty()
        self._is_error_terminal = sys.stderr.isatty()
        self._prompt = ""
        style: dict[str, Any] = {"markup": False, "emoji": False, "highlight": False, "no_color": not color or None}
        width = None if self._is_terminal else PIPE_WIDTH
        self.console = PlainConsole(color_system="auto" if color else None, width=width, **style)
        self.remarks = PlainConsole(stderr=True, **style)

    @property
    def rows(self) -> int:
        """The number of lines of the terminal; 0 if the output is not a terminal."""
        return self.console.height if self._is_terminal else 0

    def join_items(self, items: Sequence[str]) -> list[str]:
        """Join items with dots into as few lines as fit the terminal."""
        from rich.cells import cell_len

        lines: list[str] = []
        for item in items:
            longer = f"{lines[-1]} · {item}" if lines else item
            if lines and (not self._is_terminal or cell_len(longer) <= self.console.width):
                lines[-1] = longer
            else:
                lines.append(item)
        return lines

    def show(self, *parts: Any) -> None:
        """Print texts, tables and other renderables; nothing with ``as_json``."""
        if not self.as_json:
            for part in parts:
                self.console.print(escape(part) if isinstance(part, str) else part)

    def line(self, text: str, style: str = "") -> None:
        """Print one line of text; nothing with ``as_json``. See :meth:`text`."""
        from rich.text import Text

        self.text(Text(escape(text), style), len(text) - len(text.lstrip(" ")))

    def row(self, items: Sequence[str], style: str = "") -> None:
        """Print items joined with dots, in several lines if the terminal is narrow."""
        for line in self.join_items(items):
            self.line(line, style)

    def lines(self, text: str) -> None:
        """Print several lines; nothing with ``as_json``."""
        for line in text.split("\n"):
            self.line(line)

    def command(self, text: str) -> None:
        """Print a command to copy; it is never wrapped."""
        if not self.as_json:
            self.console.print(f"  {escape(text)}", style="bold", soft_wrap=True)

    def text(self, text: Text, indent: int = 0, later: int | None = None) -> None:
        """Print one line with its own colours; nothing with ``as_json``.

        On a terminal, long lines are wrapped between words. The following lines are indented by ``later`` columns, by
        default ``indent``.
        """
        from rich.text import Text

        if self.as_json:
            return
        if text.plain != escape(text.plain):
            text = Text(escape(text.plain), text.style)
        later = indent if later is None else later
        width = self.console.width - later
        if not self._is_terminal or text.cell_len <= self.console.width or width < MIN_WRAP_WIDTH:
            self.console.print(text, soft_wrap=True)
            return
        head, rest = text.divide([indent]) if indent else (Text(), text)
        for number, part in enumerate(rest.wrap(self.console, width)):
            part.rstrip()
            self.console.print(head if number == 0 else Text(" " * later), part, sep="", soft_wrap=True)

    def record(self, value: Mapping[str, Any]) -> None:
        """Print one JSON line; nothing without ``as_json``."""
        if self.as_json:
            sys.stdout.write(escape_json(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) + "\n")
            sys.stdout.flush()

    def json(self, text: str) -> None:
        """Print a JSON text of several lines."""
        sys.stdout.write(escape_json(text) + "\n")

    def prompt(self, text: str) -> None:
        """Print a prompt without a line break. Remarks print it again until :meth:`end_prompt`."""
        self._prompt = text
        sys.stdout.write(escape(text))
        sys.stdout.flush()

    def end_prompt(self) -> None:
        """End the prompt, so that remarks no longer repeat it."""
        self._prompt = ""

    def ask(self, prompt: str) -> str:
        """Read a line from the terminal. Raises ``EOFError`` at the end of input."""
        return input(escape(prompt))

    def remark(self, text: str) -> None:
        """Print a remark to standard error."""
        self.remarks.print(escape(text), style="dim", soft_wrap=not self._is_error_terminal)

    def progress(self, text: str) -> None:
        """Print a remark if standard error is a terminal."""
        if self._is_error_terminal:
            self.remark(text)

    def remark_over_prompt(self, text: str) -> None:
        """Print a remark below a prompt, then the prompt again."""
        if self._is_terminal and self._is_error_terminal:
            self.remarks.print()
        self.remark(text)
        if self._prompt:
            self.prompt(self._prompt)

    def error(self, text: str) -> None:
        """Print an error. Lines after the first are indented, so that they do not look like separate errors."""
        text = "\n  ".join(map(escape, text.split("\n")))
        self.remarks.print(f"boardkeeper: {text}", soft_wrap=not self._is_error_terminal)
