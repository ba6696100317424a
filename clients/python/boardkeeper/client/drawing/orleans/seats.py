"""All seats in one table: what they have and how far they are."""

from __future__ import annotations

from rich.console import Group, RenderableType

from boardkeeper.client.drawing.families.followers.seats import Column, family_columns, remarks, table_of
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


WIDE = 110
"""How much room the table needs; with less it becomes two."""

NARROW = 80
"""How much room the two need; with less they become three."""


_HAS = ("turn", "seat", "coins", "goods", "citizens", "stations", "merchant")


def draw_standing(board: Board, look: Look) -> RenderableType:
    """A row for each seat with what it has, without the tracks."""
    columns = _columns(board, look)
    return table_of(board.seats, [columns[key] for key in _HAS])


def draw_seats(board: Board, look: Look) -> RenderableType:
    """A row for each seat, in the order of play from seat 1: what it has, and how far it is on the tracks."""
    columns = _columns(board, look)
    stands = ("development", *TRACKS, "draws", "bag", "remark")

    def table(*keys: str) -> RenderableType:
        return table_of(board.seats, [columns[key] for key in keys])

    def draw(width: int) -> RenderableType:
        if width >= WIDE:
            return table(*_HAS[:-1], *stands[:-1], "merchant", "remark")
        if width >= NARROW:
            return Group(table(*_HAS), "", table("turn", "seat", *stands))
        far = table("turn", "seat", "development", *TRACKS)
        rest = table("turn", "seat", "draws", "bag", "merchant", "remark")
        return Group(table(*_HAS[:-1]), "", far, "", rest, "")

    return Fitted(draw)


def _columns(board: Board, look: Look) -> dict[str, Column[SeatView]]:
    """What can be said of a seat, by key."""
    return {
        **family_columns(board, look),
        "citizens": Column(look.word("citizens"), lambda seat: str(seat.citizens), number=True),
        "stations": Column(look.word("stations"), lambda seat: str(len(seat.stations)), number=True),
        "merchant": Column(look.word("merchant"), lambda seat: look.name(seat.merchant)),
        "development": Column(look.word("development"), lambda seat: f"{seat.development} (×{seat.status})"),
        **{track: _track(track, look) for track in TRACKS},
        "draws": Column(look.word("draws"), lambda seat: str(seat.draw_limit), number=True),
        "remark": Column("", lambda seat: _remark(board, seat, look)),
    }


def _track(track: str, look: Look) -> Column[SeatView]:
    return Column(look.short(TRACKS[track]), lambda seat: str(seat.tracks[track]), number=True)


def _remark(board: Board, seat: SeatView, look: Look) -> str:
    owes = [f"{look.word('owes')} {seat.debt}"] if seat.debt else []
    return ", ".join([*owes, *remarks(board, seat, look)])
