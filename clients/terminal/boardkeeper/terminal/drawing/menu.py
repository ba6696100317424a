"""Menus of legal commands: entries under headings, numbered from 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from boardkeeper.terminal.drawing.layout import FitToWidth, HangingIndent

INDENT = 6
"""The column in which the text of an entry begins. Its further lines begin in the same column."""


@dataclass(frozen=True)
class Entry:
    """A command: its index in the list of legal commands, and a label.

    Several ``compact`` entries of a section share a line. The player types ``number``. ``note`` describes the changes
    of the command. It is omitted if it does not fit.
    """

    index: int
    label: str
    compact: bool = False
    number: int = 0
    note: str = ""


@dataclass(frozen=True)
class Section:
    """Entries under one heading, which may be empty."""

    heading: Text
    entries: tuple[Entry, ...]


def number_entries(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Return the menu with its entries numbered from 1."""
    numbers = count(1)
    return tuple(
        replace(section, entries=tuple(replace(entry, number=next(numbers)) for entry in section.entries))
        for section in sections
    )


def draw_menu(sections: Sequence[Section]) -> RenderableType:
    """Draw a menu."""
    parts: list[RenderableType] = []
    for section in sections:
        if section.heading.plain:
            parts.append(HangingIndent(section.heading, INDENT))
        compact = [_entry(entry) for entry in section.entries if entry.compact]
        if compact:
            parts.append(Padding(Columns(compact, padding=(0, 3, 0, 0)), (0, 0, 0, 2)))
        parts += [_line(entry) for entry in section.entries if not entry.compact]
    return Group(*parts)


def select(sections: Sequence[Section], numbers: set[int]) -> tuple[Section, ...]:
    """Return the entries with these numbers and their headings."""
    selected = []
    for section in sections:
        entries = tuple(entry for entry in section.entries if entry.number in numbers)
        if entries:
            selected.append(Section(section.heading, entries))
    return tuple(selected)


def _entry(entry: Entry) -> Text:
    return Text.assemble((f"{entry.number:>3} ", "bold cyan"), entry.label)


def _line(entry: Entry) -> FitToWidth:
    """Draw an entry in its own line, with its note if the line has room for it."""
    text = Text("  ") + _entry(entry)
    with_note = text.copy().append(f"  ({entry.note})", "dim") if entry.note else text
    return FitToWidth(lambda width: HangingIndent(with_note if with_note.cell_len <= width else text, INDENT))
