"""Tables without lines. Cells are wrapped between words, or within words if the terminal is too narrow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

Cell = str | Text

BETWEEN = 2
"""The gap between two columns in characters. It is 1 if a larger gap would break a word."""


class Columns:
    """Rows below captions, which are laid out when the width in characters is known."""

    def __init__(self, captions: Sequence[str], rows: Sequence[Sequence[Text]]) -> None:
        self._captions = captions
        self._rows = rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        # Rich cuts off tables that are too wide, and makes tables too wide if columns have a minimum width.
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


def draw_columns(captions: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Columns:
    """Draw rows below captions. If all captions are empty, their row is omitted."""
    cells = [[Text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return Columns(captions, cells)


def draw_captioned(lines: Iterable[tuple[str, str | Text]]) -> Table:
    """Draw aligned lines with a caption to the left of each."""
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
    """Reduce widths until their sum is at most ``room``, the largest first, but none below its minimum (``least``)."""
    while sum(widths) > room:
        reducible = [at for at, width in enumerate(widths) if width > least[at]]
        if not reducible:
            break
        widths[max(reducible, key=lambda at: widths[at])] -= 1
    return widths
