"""All seats in one table: what they have and how far they are."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from boardkeeper.client.drawing.fitted import Fitted
from boardkeeper.client.drawing.look import Look
from boardkeeper.titles.orleans.board import Board, SeatView

TRACKS = {
    "farmers": "farmer",
    "boatmen": "boatman",
    "craftsmen": "craftsman",
    "traders": "trader",
    "knights": "knight",
    "scholars": "scholar",
}
"""Tracks in the order of the game board, and the character by which a column is called."""


_NUMBERS = frozenset({"coins", "citizens", "stations", "draws", "bag"})

WIDE = 110
"""How much room the table needs; with less it becomes two."""

NARROW = 80
"""How much room the two need; with less they become three."""


def draw_seats(board: Board, look: Look) -> RenderableType:
    """A row for each seat, in the order of play from seat 1: what it has, and how far it is on the tracks."""
    has = ("seat", "coins", "goods", "citizens", "stations", "merchant")
    stands = ("development", *TRACKS, "draws", "bag", "remark")

    def draw(width: int) -> RenderableType:
        if width >= WIDE:
            return _table(board, look, (*has[:-1], *stands[:-1], "merchant", "remark"))
        if width >= NARROW:
            return Group(_table(board, look, has), "", _table(board, look, ("seat", *stands)))
        parts = (has[:-1], ("seat", "development", *TRACKS), ("seat", "draws", "bag", "merchant", "remark"))
        return Group(*(part for columns in parts for part in (_table(board, look, columns), "")))

    return Fitted(draw)


def _table(board: Board, look: Look, columns: tuple[str, ...]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    table.add_column("")
    for column in columns:
        caption = look.short(TRACKS[column]) if column in TRACKS else "" if column == "remark" else look.word(column)
        right = column in TRACKS or column in _NUMBERS
        table.add_column(caption, justify="right" if right else "left", no_wrap=column != "goods")
    for seat in board.seats:
        table.add_row(_turn(board, seat), *(_cell(board, seat, column, look) for column in columns))
    return table


def _cell(board: Board, seat: SeatView, column: str, look: Look) -> Text:
    match column:
        case "seat":
            return Text(look.seat(seat.seat), style=look.style(seat.seat))
        case "goods":
            return Text(look.amounts(seat.goods, short=True))
        case "stations":
            return Text(str(len(seat.stations)))
        case "development":
            return Text(f"{seat.development} (×{seat.status})")
        case "draws":
            return Text(str(seat.draw_limit))
        case "bag":
            return Text(str(seat.bag_count))
        case "merchant":
            return Text(look.name(seat.merchant))
        case "remark":
            return Text(_remark(board, seat, look))
        case _:
            return Text(str(seat.tracks[column] if column in TRACKS else getattr(seat, column)))


def _turn(board: Board, seat: SeatView) -> str:
    if seat.seat in board.deciding:
        return "►"
    return "•" if seat.seat == board.start_seat else " "


def _remark(board: Board, seat: SeatView, look: Look) -> str:
    remarks = []
    if seat.debt:
        remarks.append(f"{look.word('owes')} {seat.debt}")
    if seat.passed:
        remarks.append(look.word("passed"))
    if seat.planning_finished and board.phase == "planning":
        remarks.append(look.word("planned"))
    return ", ".join(remarks)
