"""Tables without lines, of which nothing is cut off: cells are broken between words, and in words where they must."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

Cell = str | Text

BETWEEN = 2
"""How many columns of the terminal are free between two of the table, unless that would break a word."""


class Columns:
    """Rows below their captions, laid out once the width in characters is known."""

    def __init__(self, captions: Sequence[str], rows: Sequence[Sequence[Text]]) -> None:
        self._captions = captions
        self._rows = rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        # What is wider than the terminal would be cut off, and rich makes columns with a least width too wide together.
        cells = [(caption, *(row[at].plain for row in self._rows)) for at, caption in enumerate(self._captions)]
        words = [max(map(_longest_word, column)) for column in cells]
        gaps = len(cells) - 1
        between = BETWEEN if sum(words) + BETWEEN * gaps <= options.max_width else 1
        room = options.max_width - between * gaps
        least = _within(words, [1] * len(cells), room)
        widths = _within([max(map(_longest_line, column)) for column in cells], least, room)
        table = Table(
            box=None,
            padding=(0, between, 0, 0),
            header_style="dim",
            pad_edge=False,
            show_header=any(self._captions),
        )
        for caption, width in zip(self._captions, widths, strict=True):
            table.add_column(Text(caption), width=width, overflow="fold")
        for row in self._rows:
            table.add_row(*row)
        yield table


def columns(captions: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Columns:
    """Rows below their captions, which may all be empty."""
    cells = [[Text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return Columns(captions, cells)


def captioned(lines: Iterable[tuple[str, str | Text]]) -> Table:
    """Lines, each behind its caption; all begin below each other."""
    table = Table.grid(padding=(0, BETWEEN))
    table.add_column(style="dim")
    table.add_column()
    for caption, line in lines:
        table.add_row(caption, line)
    return table


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)


def _longest_line(text: str) -> int:
    return max(1, *map(cell_len, text.split("\n")))


def _within(widths: list[int], least: list[int], room: int) -> list[int]:
    """Widths that have room together: the widest gives way first, as long as it is wider than its least."""
    while sum(widths) > room:
        able = [at for at, width in enumerate(widths) if width > least[at]]
        if not able:
            break
        widths[max(able, key=lambda at: widths[at])] -= 1
    return widths
