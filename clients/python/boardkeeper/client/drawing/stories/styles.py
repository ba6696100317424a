"""The colours of seats, as their pieces have them."""

from __future__ import annotations

from rich.text import Text

from boardkeeper.client.drawing.look import Look
from boardkeeper.titles.stories.board import Board

_SHOWN = frozenset({"red", "blue", "green", "yellow", "white", "magenta", "cyan"})
"""Colours that every terminal has by these names."""


def style(board: Board, number: int, look: Look) -> str:
    """The colour of a seat's pieces; where a terminal has none like it, that of other titles."""
    color = next((seat.color for seat in board.seats if seat.seat == number), "")
    return color if color in _SHOWN else look.style(number)


def seat_name(board: Board, number: int, look: Look) -> Text:
    """A seat's name in its colour."""
    return Text(look.seat(number), style=style(board, number, look))
