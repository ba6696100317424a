"""The score sheet of a finished or a running game."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.terminal.drawing.columns import Cell, draw_columns
from boardkeeper.terminal.drawing.viewpoint import Viewpoint
from boardkeeper.v1 import scores_pb2

PRODUCT_SIGN = "×"
"""A note that contains this sign is a calculation, such as ``3 × 4``. Its result is the points."""


def draw_score(sheet: scores_pb2.ScoreSheet, viewpoint: Viewpoint) -> RenderableType:
    """Draw a row for each line of the sheet and a column for each seat. The seat with the best rank is first."""
    seats = list(range(1, len(sheet.totals) + 1))
    if sheet.ranks:
        seats.sort(key=lambda seat: (sheet.ranks[seat - 1], seat))
    rows: list[Sequence[Cell]] = [
        (line.text, *(_points(line, seat) for seat in seats))
        for line in sheet.lines
        if any(line.points) or any(line.notes) or line.unknown_seats
    ]
    partial = {seat for line in sheet.lines for seat in line.unknown_seats}
    totals = (f"{sheet.totals[seat - 1]}{' + ?' if seat in partial else ''}" for seat in seats)
    rows.append((Text(viewpoint.word("total"), "bold"), *(Text(total, "bold") for total in totals)))
    if sheet.ranks:
        rows.append((viewpoint.word("rank"), *(str(sheet.ranks[seat - 1]) for seat in seats)))
    captions = ["", *(viewpoint.seat(seat) for seat in seats)]
    return Group(Text(viewpoint.word("score_sheet"), "bold"), draw_columns(captions, rows))


def _points(line: scores_pb2.ScoreLine, seat: int) -> str:
    if seat in line.unknown_seats:
        return "?"
    points = str(line.points[seat - 1]) if len(line.points) >= seat else "–"
    note = line.notes[seat - 1] if len(line.notes) >= seat else ""
    if PRODUCT_SIGN in note:
        return f"{note} = {points}"
    return f"{points} ({note})" if note else points
