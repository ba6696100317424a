"""Tables without lines, of which nothing is cut off: cells are broken between words, and columns keep a word whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

Cell = str | Text

LONGEST = 16
"""Words that are longer may be broken."""


def columns(captions: Sequence[str], rows: Iterable[Sequence[Cell]], *, right: Iterable[int] = ()) -> Table:
    """Rows below their captions, which may all be empty; ``right`` are the columns (from 0) of numbers."""
    cells = [[_text(cell) for cell in row] for row in rows]
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False, show_header=any(captions))
    numbers = frozenset(right)
    for index, caption in enumerate(captions):
        longest = max((_longest(row[index].plain) for row in cells), default=0)
        table.add_column(
            caption,
            justify="right" if index in numbers else "left",
            min_width=min(LONGEST, max(longest, _longest(caption))),
            overflow="fold",
        )
    for row in cells:
        table.add_row(*row)
    return table


def _text(cell: Cell) -> Text:
    return Text(cell) if isinstance(cell, str) else cell


def _longest(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)
