"""All seats in one table: what they have, how far they are, and what they control."""

from __future__ import annotations

from rich.console import Group, RenderableType

from boardkeeper.client.drawing.columns import Columns
from boardkeeper.client.drawing.families.followers.seats import Column, family_columns, remarks, table_of
from boardkeeper.client.drawing.fitted import Fitted
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.stories.eras import fame
from boardkeeper.client.drawing.stories.goods import amounts
from boardkeeper.client.drawing.stories.styles import seat_name
from boardkeeper.titles.stories.board import Board, SeatView

WIDE = 130
"""How much room the table needs; with less it becomes two."""

_HAS = ("turn", "seat", "coins", "goods", "fame", "era", "citizens", "draws", "bag")
_HOLDS = ("areas", "villages", "churches", "settlers", "fortresses", "remark")


def draw_standing(board: Board, look: Look) -> RenderableType:
    """A row for each seat with what it has, without what it holds on the map."""
    said = _columns(board, look)
    return table_of(board.seats, [said[key] for key in _HAS])


def draw_seats(board: Board, look: Look) -> RenderableType:
    """A row for each seat, in the order of play from seat 1."""
    said = _columns(board, look)

    def table(*keys: str) -> Columns:
        return table_of(board.seats, [said[key] for key in keys])

    def draw(width: int) -> RenderableType:
        if width >= WIDE:
            return table(*_HAS, *_HOLDS)
        return Group(table(*_HAS), "", table("turn", "seat", *_HOLDS))

    return Fitted(draw)


def _columns(board: Board, look: Look) -> dict[str, Column[SeatView]]:
    """What can be said of a seat, by key; settlers and fortresses are those in its supply."""
    return {
        **family_columns(board, look),
        "seat": Column(look.word("seat"), lambda seat: seat_name(board, seat.seat, look)),
        "goods": Column(look.word("goods"), lambda seat: amounts(seat.goods, look)),
        "fame": Column(look.word("fame"), lambda seat: fame(seat, look), number=True),
        "era": Column(look.word("era"), lambda seat: f"{seat.era}{'✓' if seat.carried_out else ''}"),
        "citizens": Column(look.word("citizens"), lambda seat: str(seat.citizens), number=True),
        "draws": Column(look.word("draws"), lambda seat: str(seat.draw_limit), number=True),
        "areas": Column(look.word("areas"), lambda seat: str(seat.areas), number=True),
        "villages": Column(look.word("villages"), lambda seat: str(seat.villages), number=True),
        "churches": Column(look.word("churches"), lambda seat: str(seat.churches), number=True),
        "settlers": Column(look.word("settlers"), lambda seat: str(seat.settlers_in_supply), number=True),
        "fortresses": Column(look.word("fortresses"), lambda seat: str(seat.fortresses_in_supply), number=True),
        "remark": Column("", lambda seat: ", ".join(_remarks(board, seat, look))),
    }


def _remarks(board: Board, seat: SeatView, look: Look) -> list[str]:
    said = [look.name(seat.nation)] if seat.nation else []
    said += [look.word("peace")] if seat.peace else []
    owes = seat.debt + seat.arrears
    said += [f"{look.word('debt').lower()} {owes}"] if owes else []
    said += [look.word("declared")] if seat.declared else []
    return [*said, *remarks(board, seat, look)]
