"""What is longer than a terminal, a screen at a time: what is asked stays in sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rich.console import Group
from rich.segment import Segment, Segments

from boardkeeper.terminal.output import Output

FEWEST = 4
"""Lines that are shown at once, however small the terminal."""

Line = Sequence[Segment]


@dataclass
class Pages:
    """Lines, and which of them come next."""

    lines: Sequence[Line]
    at: int = field(default=0)

    @property
    def left(self) -> int:
        """How many lines have not been shown."""
        return len(self.lines) - self.at

    def next(self, room: int) -> Sequence[Line]:
        """As many of the next lines as there is room for, with one line kept for saying what is left."""
        count = self.left if self.left <= room else max(FEWEST, room - 1)
        page = self.lines[self.at : self.at + count]
        self.at += len(page)
        return page


def laid_out(output: Output, *what: object) -> Iterator[Line]:
    """The lines that something takes on this terminal, part by part: who wants the first only has no more drawn."""
    for part in what:
        if isinstance(part, Group):
            yield from laid_out(output, *part.renderables)
            continue
        yield from output.console.render_lines(part, pad=False)  # type: ignore[arg-type]  # as print has it


def fits(output: Output, what: object, lines: int) -> bool:
    """Whether something takes no more than so many lines on this terminal; no more of it is drawn than tells that."""
    for segment in output.console.render(what):  # type: ignore[arg-type]  # as print has it
        lines -= segment.text.count("\n")
        if lines < 0:
            return False
    return True


def show_lines(output: Output, lines: Sequence[Line]) -> None:
    """Lines as they were laid out."""
    for line in lines:
        output.show(Segments([*line, Segment.line()]))
