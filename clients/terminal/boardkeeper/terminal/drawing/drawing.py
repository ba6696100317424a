"""How a table is drawn: the part that a seat needs to decide, the whole table, and further views of it.

Everything comes from the table and the catalogue (zones, markers, components, map), so every title is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from rich.console import Group, RenderableType

from boardkeeper.terminal.drawing import seats, shared
from boardkeeper.terminal.drawing.board import Board
from boardkeeper.terminal.drawing.columns import captioned
from boardkeeper.terminal.drawing.maps import draw_map, nearby
from boardkeeper.terminal.drawing.tracks import TRACKS, draw_tracks

View = Callable[[Board], RenderableType]


def draw_glance(board: Board) -> RenderableType:
    """What a seat needs to decide, the most important first: its own things, then the others."""
    viewer = board.look.viewer
    lines: list[RenderableType] = [shared.progress(board), *_captioned(shared.current(board))]
    if viewer:
        lines += _captioned(seats.rows(board, viewer, short=True, first=True))
        lines.append(seats.line(board, viewer))
        lines += _captioned(
            [
                *seats.ahead(board, viewer),
                *seats.rows(board, viewer, short=True, first=False),
                *seats.taken(board, viewer),
            ]
        )
    lines += _captioned(shared.goals(board))
    lines += (seats.line(board, seat) for seat in board.seats if seat != viewer)
    if viewer:
        lines += _captioned(nearby(board, viewer))
    return Group(*lines)


def draw_table(board: Board) -> RenderableType:
    """Everything: the own seat, the others, and what belongs to the table."""
    return Group(*_parts(board))


def draw_zones(board: Board) -> RenderableType:
    """All zones of the table."""
    return shared.groups(board, everything=True)


VIEWS: Mapping[str, tuple[str, View]] = {
    "m": ("map", draw_map),
    "o": ("all_seats", seats.compared),
    "t": ("all_tracks", draw_tracks),
    "z": ("all_zones", draw_zones),
}
"""Further views of the table by the key that a player types, each with its caption."""


def views(board: Board) -> Mapping[str, tuple[str, View]]:
    """The views that a title has: not every title has a map or tracks."""
    missing = set() if board.look.title.HasField("map") else {"m"}
    if not any(it.kind in TRACKS for it in board.look.title.markers):
        missing.add("t")
    return {key: view for key, view in VIEWS.items() if key not in missing}


def _parts(board: Board) -> Iterator[RenderableType]:
    viewer = board.look.viewer
    yield shared.progress(board)
    yield from _captioned([*shared.current(board), *shared.goals(board)])
    for seat in board.seats:
        yield seats.line(board, seat)
    for seat in [viewer] if viewer else board.seats:
        yield ""
        yield seats.side(board, seat)
    yield from _captioned(nearby(board, viewer)) if viewer else ()
    yield ""
    yield shared.groups(board)


def _captioned(rows: Iterable[tuple[str, str]]) -> Iterator[RenderableType]:
    found = list(rows)
    if found:
        yield captioned(found)
