"""All seats in one table: columns that every title of the family has, to stand beside the title's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rich.text import Text

from boardkeeper.client.drawing.columns import Columns, columns
from boardkeeper.client.drawing.families.followers.views import Board, SeatView
from boardkeeper.client.drawing.look import Look

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)


@dataclass(frozen=True)
class Column(Generic[S_contra]):
    """What is said of each seat under one caption; ``number`` is flush right."""

    caption: str
    cell: Callable[[S_contra], str | Text]
    number: bool = False


def table_of(seats: Iterable[S], said: Sequence[Column[S]]) -> Columns:
    """A row for each seat."""
    rows = [[column.cell(seat) for column in said] for seat in seats]
    numbers = [at for at, column in enumerate(said) if column.number]
    return columns([column.caption for column in said], rows, right=numbers)


def family_columns(board: Board, look: Look) -> dict[str, Column[SeatView]]:
    """The columns for what each seat of the family has, by key: ``turn``, ``seat``, ``coins``, ``goods``, ``bag``."""
    return {
        "turn": Column("", lambda seat: _turn(board, seat)),
        "seat": Column(look.word("seat"), lambda seat: Text(look.seat(seat.seat), style=look.style(seat.seat))),
        "coins": Column(look.word("coins"), lambda seat: str(seat.coins), number=True),
        "goods": Column(look.word("goods"), lambda seat: look.amounts(seat.goods, short=True)),
        "bag": Column(look.word("bag"), lambda seat: str(seat.bag_count), number=True),
    }


def remarks(board: Board, seat: SeatView, look: Look) -> Sequence[str]:
    """What else is to be said of a seat: that it has passed, or has finished a planning that goes on."""
    said = []
    if seat.passed:
        said.append(look.word("passed"))
    if seat.planning_finished and board.phase == "planning":
        said.append(look.word("planned"))
    return said


def _turn(board: Board, seat: SeatView) -> str:
    if seat.seat in board.deciding:
        return "►"
    return "•" if seat.seat == board.start_seat else " "
