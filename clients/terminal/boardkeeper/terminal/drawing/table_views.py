"""Drawings of a table: the overview for a decision, the whole table, and further views.

They use the table and the catalogue (zones, markers, components, map), so they work for every title.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from rich.console import Group, RenderableType

from boardkeeper.terminal.drawing import common_area, seats
from boardkeeper.terminal.drawing.board import Board
from boardkeeper.terminal.drawing.columns import draw_captioned
from boardkeeper.terminal.drawing.maps import draw_map, way_rows
from boardkeeper.terminal.drawing.tracks import TRACKS, draw_tracks

View = Callable[[Board], RenderableType]


def draw_overview(board: Board) -> RenderableType:
    """Draw what the viewer needs for a decision, the most important first: the viewer's seat, then the other seats."""
    viewer = board.viewpoint.viewer
    lines: list[RenderableType] = [common_area.draw_progress(board), *_captioned(common_area.round_rows(board))]
    if viewer:
        lines += _captioned(seats.zone_rows(board, viewer, short=True, first=True))
        lines.append(seats.draw_seat_line(board, viewer))
        lines += _captioned(
            [
                *seats.next_space_rows(board, viewer),
                *seats.zone_rows(board, viewer, short=True, first=False),
                *seats.occupied_rows(board, viewer),
            ]
        )
    lines += _captioned(common_area.mission_rows(board))
    lines += (seats.draw_seat_line(board, seat) for seat in board.seats if seat != viewer)
    if viewer:
        lines += _captioned(way_rows(board, viewer))
    return Group(*lines)


def draw_table(board: Board) -> RenderableType:
    """Draw all seats and the zones of the table."""
    return Group(*_parts(board))


def draw_zones(board: Board) -> RenderableType:
    """Draw all zones of the table."""
    return common_area.draw_zone_groups(board, show_all=True)


VIEWS: Mapping[str, tuple[str, View]] = {
    "m": ("map", draw_map),
    "o": ("all_seats", seats.draw_comparison),
    "t": ("all_tracks", draw_tracks),
    "z": ("all_zones", draw_zones),
}
"""Further views by the key that a player types, with their captions."""


def available_views(board: Board) -> Mapping[str, tuple[str, View]]:
    """Return the views of a title. Some titles have no map or no tracks."""
    missing = set() if board.viewpoint.title.HasField("map") else {"m"}
    if not any(it.kind in TRACKS for it in board.viewpoint.title.markers):
        missing.add("t")
    return {key: view for key, view in VIEWS.items() if key not in missing}


def _parts(board: Board) -> Iterator[RenderableType]:
    viewer = board.viewpoint.viewer
    yield common_area.draw_progress(board)
    yield from _captioned([*common_area.round_rows(board), *common_area.mission_rows(board)])
    for seat in board.seats:
        yield seats.draw_seat_line(board, seat)
    for seat in [viewer] if viewer else board.seats:
        yield ""
        yield seats.draw_seat(board, seat)
    yield from _captioned(way_rows(board, viewer)) if viewer else ()
    yield ""
    yield common_area.draw_zone_groups(board)


def _captioned(rows: Iterable[tuple[str, str]]) -> Iterator[RenderableType]:
    lines = list(rows)
    if lines:
        yield draw_captioned(lines)
