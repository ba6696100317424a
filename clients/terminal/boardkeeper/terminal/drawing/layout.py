"""Texts and headings that are laid out when the width of the terminal is known."""

from __future__ import annotations

import re
from collections.abc import Callable

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.rule import Rule
from rich.text import Text

_NO_BREAK = "\ue000"
"""A private character for a space at which a line must not be broken. It is as wide as a space."""

_COUNTED = re.compile(r"(?<=[\d□■⚙]) (?=[^\W\d])")
"""The space between a number or a mark and the following word."""

_MIN_RULE_COLUMNS = 4


class FitToWidth:
    """A drawing that depends on its width in characters."""

    def __init__(self, draw: Callable[[int], RenderableType]) -> None:
        self._draw = draw

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._draw(options.max_width)


class HangingIndent:
    """A text whose lines after the first are indented, so that they do not look like a new entry."""

    def __init__(self, text: Text, indent: int) -> None:
        self._text = text
        self._indent = indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        indent = min(self._indent, options.max_width // 4)
        text = self._text.copy()
        text.plain = _COUNTED.sub(_NO_BREAK, text.plain)
        # Cut off `head`, wrap the rest, and put `head` before its first line and spaces before the others.
        head, rest = text.divide([indent]) if len(text) > indent else (text, Text())
        for number, line in enumerate(rest.wrap(console, options.max_width - indent) if rest else [Text()]):
            whole = Text.assemble(head if number == 0 else " " * indent, line)
            whole.rstrip()
            whole.plain = whole.plain.replace(_NO_BREAK, " ")
            yield whole


def without_breaks(text: str) -> str:
    """Return a text that :class:`HangingIndent` does not break at its spaces."""
    return text.replace(" ", _NO_BREAK)


def draw_heading(*facts: str) -> RenderableType:
    """Draw the non-empty facts in a horizontal line, or without the line if they do not fit in it."""
    title = Text(" · ".join(fact for fact in facts if fact), style="bold")
    return FitToWidth(
        lambda width: title if title.cell_len > width - _MIN_RULE_COLUMNS else Rule(title, style="dim", align="left")
    )
