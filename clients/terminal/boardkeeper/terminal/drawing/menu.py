"""Legal commands as a menu: under headings, numbered from 1 in the order in which they stand there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from boardkeeper.terminal.drawing.fitted import Fitted
from boardkeeper.terminal.drawing.hanging import Hanging

INDENT = 6
"""Where the text of an entry begins, after its number; what has no room in a line goes on there."""


@dataclass(frozen=True)
class Entry:
    """One command: where it stands in the list of legal commands (from 0), and a label.

    ``compact`` entries of a section share lines. ``number`` is what the player types; :func:`numbered` gives it.
    ``note`` says what the command changes, where there is room for it.
    """

    index: int
    label: str
    compact: bool = False
    number: int = 0
    note: str = ""


@dataclass(frozen=True)
class Section:
    """Entries under one heading (empty: none)."""

    heading: Text
    entries: tuple[Entry, ...]


def numbered(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The menu with its numbers."""
    numbers = count(1)
    return tuple(
        replace(section, entries=tuple(replace(entry, number=next(numbers)) for entry in section.entries))
        for section in sections
    )


def draw_menu(sections: Sequence[Section]) -> RenderableType:
    """The menu as text."""
    parts: list[RenderableType] = []
    for section in sections:
        if section.heading.plain:
            parts.append(Hanging(section.heading, INDENT))
        compact = [_entry(entry) for entry in section.entries if entry.compact]
        if compact:
            parts.append(Padding(Columns(compact, padding=(0, 3, 0, 0)), (0, 0, 0, 2)))
        parts += [_line(entry) for entry in section.entries if not entry.compact]
    return Group(*parts)


def only(sections: Sequence[Section], numbers: set[int]) -> tuple[Section, ...]:
    """The part of a menu with these numbers."""
    kept = []
    for section in sections:
        entries = tuple(entry for entry in section.entries if entry.number in numbers)
        if entries:
            kept.append(Section(section.heading, entries))
    return tuple(kept)


def _entry(entry: Entry) -> Text:
    return Text.assemble((f"{entry.number:>3} ", "bold cyan"), entry.label)


def _line(entry: Entry) -> Fitted:
    """An entry in a line of its own, with its note if that needs no further line."""
    text = Text("  ") + _entry(entry)
    noted = text.copy().append(f"  ({entry.note})", "dim") if entry.note else text
    return Fitted(lambda width: Hanging(noted if noted.cell_len <= width else text, INDENT))
