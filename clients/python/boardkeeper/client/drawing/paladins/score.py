"""The score sheet: a line for each kind of points, a column for each seat, the winners first."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Cell, columns
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.paladins import cards
from boardkeeper.client.drawing.paladins.gains import ATTRIBUTES, NOTHING
from boardkeeper.client.drawing.paladins.rows import ORDERED
from boardkeeper.client.drawing.paladins.side import times_done
from boardkeeper.titles.paladins.board import Board, SeatView

_BY_TIMES = ("commission", "fortify", "garrison", "absolve", "develop")


def draw_score(board: Board, look: Look) -> RenderableType:
    """The points of each seat; what converted outsiders bring is what the other lines leave of the total."""
    seats = sorted(board.seats, key=lambda seat: (_standing(board, seat), seat.seat))
    sheets = [points(board, seat, look) for seat in seats]
    rows: list[list[Cell]] = [[look.word("rank"), *(str(_rank(board, seat)) for seat in seats)]]
    rows += [
        [_caption(line, look), *(str(sheet[line]) if line in sheet else NOTHING for sheet in sheets)]
        for line in max(sheets, key=len)
    ]
    rows.append([Text(look.word("total"), style="bold"), *(Text(str(seat.points), style="bold") for seat in seats)])
    sheet = columns(["", *(look.seat(seat.seat) for seat in seats)], rows, right=range(1, len(seats) + 1))
    return Group(Text(look.word("score_sheet"), style="bold"), sheet)


def points(board: Board, seat: SeatView, look: Look) -> dict[str, int]:
    """The points of a seat by line; the opponent has none for developing and for goods."""
    times = {area.action: times_done(seat, area) for area in seat.areas}
    own = {"faith": seat.faith, "strength": seat.strength, "influence": seat.influence}
    sheet = {"orders": _orders(board, seat)}
    sheet |= {attribute: _at("attributes", own[attribute], look) for attribute in ATTRIBUTES}
    sheet |= {action: _at(action, times.get(action, 0), look) for action in _BY_TIMES}
    sheet["walls"] = sum(cards.number(id, "points", look) for id in seat.walls)
    sheet["debts"] = seat.paid_debts * _each("paid_debt", look) + seat.unpaid_debts * _each("unpaid_debt", look)
    if seat.automaton:
        del sheet["develop"]
    else:
        sheet["goods"] = (seat.silver + seat.provisions) // max(1, _each("goods_per_point", look))
    sheet["converted"] = seat.points - sum(sheet.values())
    return sheet


def _orders(board: Board, seat: SeatView) -> int:
    times = {area.action: area.times for area in seat.areas}
    return sum(place.points for place in board.orders if times.get(place.order.removeprefix("order_"), 0) >= ORDERED)


def _at(line: str, position: int, look: Look) -> int:
    table = cards.listed("points", line, look)
    return int(table[min(position, len(table) - 1)]) if table else 0


def _each(line: str, look: Look) -> int:
    said = cards.fact("points", line, look)
    return int(said) if said else 0


def _standing(board: Board, seat: SeatView) -> tuple[int, int, int]:
    """Most points, then most for orders, then least suspicion."""
    return -seat.points, -_orders(board, seat), len(seat.suspicion)


def _rank(board: Board, seat: SeatView) -> int:
    own = _standing(board, seat)
    return 1 + sum(_standing(board, other) < own for other in board.seats)


def _caption(line: str, look: Look) -> str:
    return look.words.get(f"line.{line}") or look.words.get(line) or look.name(line)
