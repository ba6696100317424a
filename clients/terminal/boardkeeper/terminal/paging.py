"""Output that is longer than the terminal, one page at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rich.console import Group
from rich.segment import Segment, Segments

from boardkeeper.terminal.output import Output

MIN_LINES = 4
"""Minimum number of lines of a page."""

Line = Sequence[Segment]


@dataclass
class Pages:
    """Lines that are shown page by page."""

    lines: Sequence[Line]
    at: int = field(default=0)

    @property
    def left(self) -> int:
        """The number of lines that are not shown yet."""
        return len(self.lines) - self.at

    def next(self, room: int) -> Sequence[Line]:
        """Return the next page of at most ``room`` lines. One line is reserved for the number of lines left."""
        count = self.left if self.left <= room else max(MIN_LINES, room - 1)
        page = self.lines[self.at : self.at + count]
        self.at += len(page)
        return page


def render_lines(output: Output, *what: object) -> Iterator[Line]:
    """Yield the terminal lines of renderables. Each is rendered only when its lines are needed."""
    for part in what:
        if isinstance(part, Group):
            yield from render_lines(output, *part.renderables)
            continue
        yield from output.console.render_lines(part, pad=False)  # type: ignore[arg-type]  # as print has it


def fits_in(output: Output, what: object, lines: int) -> bool:
    """Return whether a renderable takes at most ``lines`` lines on this terminal."""
    for segment in output.console.render(what):  # type: ignore[arg-type]  # as print has it
        lines -= segment.text.count("\n")
        if lines < 0:
            return False
    return True


def show_lines(output: Output, lines: Sequence[Line]) -> None:
    """Print rendered lines."""
    for line in lines:
        output.show(Segments([*line, Segment.line()]))
