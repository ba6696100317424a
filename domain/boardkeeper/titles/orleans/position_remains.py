"""What can still be checked of a position in which single things are wrong.

Two checks ask a table that is built from the position: what follows from the rest, and what the rules say to the open
decisions. If the board is wrong somewhere, that table is built without what is wrong, so that the rest is told in
the same answer; what those checks then find at the wrong thing itself is not told, as it may follow from the error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from boardkeeper.table.title import PositionProblem
from boardkeeper.titles.orleans.board import Board, SeatView
from boardkeeper.titles.orleans.data import TRACKS, Data
from boardkeeper.titles.orleans.position_checks import COUNTS, MOST

_BASIS = re.compile(r"round|phase|start_seat|event_seats|hour_glass|deeds\[.*|seats\[\d+\]\.tracks(\.farmers)?")
"""What the rules look at whoever has to decide: if that is wrong, they cannot be asked."""


def can_be_asked(found: Iterable[PositionProblem]) -> bool:
    """Whether the rules can be asked in spite of these problems."""
    return not any(_BASIS.fullmatch(problem.field) for problem in found)


def mended(data: Data, board: Board) -> Board:
    """The board with every number in its range, so that a table can hold it."""
    draws = {zone: _within(counter, MOST) for zone, counter in board.draws.items()}
    return replace(board, draws=draws, seats=tuple(_seat(data, seat) for seat in board.seats))


def _seat(data: Data, seat: SeatView) -> SeatView:
    tracks = {track: _within(seat.tracks.get(track, 0), data.track_length[track]) for track in TRACKS}
    counts = {name: _within(getattr(seat, name), MOST) for name in COUNTS}
    development = _within(seat.development, data.last_development)
    best = _within(seat.best_development, data.last_development)
    return replace(seat, tracks=tracks, development=development, best_development=best, **counts)


def _within(value: int, most: int) -> int:
    return min(max(value, 0), most)


def elsewhere(found: Iterable[PositionProblem], told: Iterable[PositionProblem]) -> list[PositionProblem]:
    """The problems that are found in another part of the board than those already told."""
    parts = {_part(problem.field) for problem in told}
    return [problem for problem in found if _part(problem.field) not in parts]


def _part(field: str) -> str:
    """A whole seat, or one field of the board."""
    seat = re.match(r"seats\[\d+\]", field)
    return seat[0] if seat else re.split(r"[.\[]", field)[0] if not field.startswith("seats.") else field
