"""Text of which the lines after the first stand to the right, so that none of them looks like something new."""

from __future__ import annotations

import re

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

_GLUE = "\ue000"
"""Stands for a space at which no line ends: it means nothing, and takes one column while lines are made."""

_COUNTED = re.compile(r"(?<=[\d□■⚙]) (?=[^\W\d])")
"""Between a number and what it counts, or a mark and what it marks."""


class Hanging:
    """A text whose further lines stand so many columns to the right, laid out once the width is known."""

    def __init__(self, text: Text, indent: int) -> None:
        self._text = text
        self._indent = indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        indent = min(self._indent, options.max_width // 4)
        text = self._text.copy()
        text.plain = _COUNTED.sub(_GLUE, text.plain)
        # The first line has all the room: what it is to stand left of the others by is cut off it before.
        head, rest = text.divide([indent]) if len(text) > indent else (text, Text())
        for number, line in enumerate(rest.wrap(console, options.max_width - indent) if rest else [Text()]):
            whole = Text.assemble(head if number == 0 else " " * indent, line)
            whole.rstrip()
            whole.plain = whole.plain.replace(_GLUE, " ")
            yield whole


def kept(text: str) -> str:
    """A text that is broken at no space, in a line of :class:`Hanging`."""
    return text.replace(" ", _GLUE)
