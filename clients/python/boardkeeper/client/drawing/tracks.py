"""Tracks with all seats on them."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.board import Board
from boardkeeper.client.drawing.columns import columns

TRACKS = ("track", "era")
SEVERAL = "*"
FREE = "."


def draw_tracks(board: Board) -> RenderableType:
    """A row for each track: where every seat is, by its number, and what the spaces give."""
    look = board.look
    found: dict[str, tuple[str, str, dict[int, int]]] = {}
    for seat in sorted(board.seats):
        for it in board.markers(seat, *TRACKS):
            if it.value.isdecimal():
                key = it.entry.component or it.entry.text
                found.setdefault(key, (it.entry.text, it.entry.component, {}))[2][seat] = int(it.value)
    rows = [
        (text, f"[{_spaces(positions, _last(board, component))}]", look.describe(component))
        for text, component, positions in found.values()
    ]
    seats = "  ".join(f"{seat} {look.seat(seat)}" for seat in sorted(board.seats))
    return Group(Text(seats, "dim"), columns([look.word("tracks"), "", look.word("gives")], rows))


def _last(board: Board, track: str) -> int:
    """The last space of a track, as far as the catalogue says."""
    values = board.look.values.get(track, {})
    lists = (len(it) for it in values.values() if isinstance(it, list))
    return int(values.get("last", 0)) or max(lists, default=0)


def _spaces(positions: dict[int, int], last: int) -> str:
    there: dict[int, str] = {}
    for seat, position in positions.items():
        there[position] = SEVERAL if position in there else str(seat)
    return "".join(there.get(space, FREE) for space in range(max([last, *positions.values()]) + 1))
