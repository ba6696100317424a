"""A drawing of all tracks with the positions of the seats."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.terminal.drawing import progress
from boardkeeper.terminal.drawing.board import Board
from boardkeeper.terminal.drawing.columns import draw_captioned, draw_columns
from boardkeeper.terminal.drawing.seats import space_row
from boardkeeper.v1 import catalog_pb2

TRACKS = ("track", "era")
SEVERAL = "*"
FREE = "."


def draw_tracks(board: Board) -> RenderableType:
    """Draw a row for each track: the numbers of the seats at their positions, and the effects of the spaces."""
    viewpoint = board.viewpoint
    entries: dict[str, catalog_pb2.MarkerEntry] = {}
    found: dict[str, dict[int, int]] = {}
    for seat in sorted(board.seats):
        for it in board.markers(seat, *TRACKS):
            if it.value.isdecimal():
                key = it.entry.component or it.entry.text
                entries.setdefault(key, it.entry)
                found.setdefault(key, {})[seat] = int(it.value)
    rows = [
        (entry.text, f"[{_spaces(found[key], _last(board, entry))}]", viewpoint.describe(entry.component))
        for key, entry in entries.items()
    ]
    named = [
        space_row(board, entry, str(space), component)
        for entry in entries.values()
        for space, component in progress.spaces_of(board, entry).items()
    ]
    seats = "  ".join(f"{seat} {viewpoint.seat(seat)}" for seat in sorted(board.seats))
    drawn: list[RenderableType] = [
        Text(seats, "dim"),
        draw_columns([viewpoint.word("tracks"), "", viewpoint.word("gives")], rows),
    ]
    if named:
        drawn += ["", draw_captioned(named)]
    return Group(*drawn)


def _last(board: Board, entry: catalog_pb2.MarkerEntry) -> int:
    """Return the last space of a track that the catalogue contains."""
    values = board.viewpoint.values.get(entry.component, {})
    last = values.get("last")
    lasts = [last] if isinstance(last, int) else []
    for key, value in values.items():
        if isinstance(value, list):
            lasts.append(
                max(progress.spaces_in(value), default=0) if key in board.viewpoint.phrases.next else len(value)
            )
    return max([0, *progress.spaces_of(board, entry), *lasts])


def _spaces(positions: dict[int, int], last: int) -> str:
    signs: dict[int, str] = {}
    for seat, position in positions.items():
        signs[position] = SEVERAL if position in signs else str(seat)
    return "".join(signs.get(space, FREE) for space in range(max([last, *positions.values()]) + 1))
