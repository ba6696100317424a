"""Texts and headings that are laid out when the width of the terminal is known."""

from __future__ import annotations

import re
from collections.abc import Callable

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.rule import Rule
from rich.text import Text

_NO_BREAK = "\ue000"
"""A private character in place of a space at which no line ends. It has the width of a space."""

_COUNTED = re.compile(r"(?<=[\d□■⚙]) (?=[^\W\d])")
"""The space between a number and the counted thing, or between a mark and the marked thing."""

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
        # Wrap all lines to the width without the indent: the first line gets the cut off beginning in its place.
        head, rest = text.divide([indent]) if len(text) > indent else (text, Text())
        for number, line in enumerate(rest.wrap(console, options.max_width - indent) if rest else [Text()]):
            whole = Text.assemble(head if number == 0 else " " * indent, line)
            whole.rstrip()
            whole.plain = whole.plain.replace(_NO_BREAK, " ")
            yield whole


def without_breaks(text: str) -> str:
    """Return a text for :class:`HangingIndent` that is not broken at its spaces."""
    return text.replace(" ", _NO_BREAK)


def draw_heading(*facts: str) -> RenderableType:
    """Draw the facts that are not empty in a rule, or without the rule if they are too long for one line."""
    title = Text(" · ".join(fact for fact in facts if fact), style="bold")
    return FitToWidth(
        lambda width: title if title.cell_len > width - _MIN_RULE_COLUMNS else Rule(title, style="dim", align="left")
    )
