"""All seats in one table: what they have and how far they are."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Columns, columns
from boardkeeper.client.drawing.fitted import Fitted
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.paladins.gains import ATTRIBUTES, NOTHING, WORKERS, worker_style
from boardkeeper.titles.paladins.board import Board, SeatView

WIDE = 130
"""How much room the table needs; with less it becomes two."""

_HAS = ("silver", "provision", *ATTRIBUTES, "suspicion", "debts")
_HOLDS = ("points", "workers", "paladin", "remark")


def draw_seats(board: Board, look: Look) -> RenderableType:
    """A row for each seat: what it has, its attributes with what the paladin adds, its workers and its paladin."""

    def draw(width: int) -> RenderableType:
        if width >= WIDE:
            return _table(board, look, ("seat", *_HAS, *_HOLDS))
        return Group(_table(board, look, ("seat", *_HAS)), "", _table(board, look, ("seat", *_HOLDS)))

    return Fitted(draw)


def draw_standing(board: Board, look: Look) -> Columns:
    """A row for each seat with what it has, without what lies before it."""
    return _table(board, look, ("seat", *_HAS))


def _table(board: Board, look: Look, keys: tuple[str, ...]) -> Columns:
    captions = ["", *(_caption(key, look) for key in keys)]
    rows = [[_turn(board, seat), *(_cell(board, seat, key, look) for key in keys)] for seat in board.seats]
    return columns(captions, rows, right=[at for at, key in enumerate(keys, 1) if key in (*_HAS, "points")])


def _caption(key: str, look: Look) -> str:
    match key:
        case "remark":
            return ""
        case "points":
            return look.word("points_caption")
        case "suspicion" | "debts" | "workers" | "seat":
            return look.word(key)
        case _:
            return look.name(key)


def _cell(board: Board, seat: SeatView, key: str, look: Look) -> Text:
    if seat.automaton and key in ("silver", "provision"):
        return Text(NOTHING)
    match key:
        case "seat":
            return Text(look.seat(seat.seat), style=look.style(seat.seat))
        case "silver":
            return Text(str(seat.silver))
        case "provision":
            return Text(str(seat.provisions))
        case "suspicion":
            return Text(str(len(seat.suspicion)))
        case "points":
            return Text(str(seat.points))
        case "debts":
            paid = f" ({look.word('paid_debts').format(seat.paid_debts)})" if seat.paid_debts else ""
            return Text(f"{seat.unpaid_debts}{paid}")
        case "workers":
            return draw_workers(seat.workers, look, short=True)
        case "paladin":
            return Text(_paladin(seat, look))
        case "remark":
            return Text(_remark(board, seat, look))
        case _:
            return Text(attribute(seat, key))


def attribute(seat: SeatView, id: str) -> str:
    """An attribute with what this round's paladin adds: ``3+1``."""
    own, bonus = level(seat, id) - seat.bonus.get(id, 0), seat.bonus.get(id, 0)
    return f"{own}+{bonus}" if bonus else str(own)


def level(seat: SeatView, id: str) -> int:
    """How much of an attribute a seat can use this round."""
    own = {"faith": seat.faith, "strength": seat.strength, "influence": seat.influence}
    return own[id] + seat.bonus.get(id, 0)


def draw_workers(workers: dict[str, int], look: Look, *, short: bool = False) -> Text:
    """Workers by colour."""
    parts = []
    for id in WORKERS:
        if count := workers.get(id, 0):
            name = look.short(id) if short else look.name(id) if count == 1 else look.many(id)
            parts.append(Text(f"{count} {name}", style=worker_style(id)))
    return Text(" " if short else ", ").join(parts) if parts else Text(NOTHING)


def _paladin(seat: SeatView, look: Look) -> str:
    if seat.paladin:
        return look.name(seat.paladin)
    return look.word("chosen") if seat.has_chosen else NOTHING


def _turn(board: Board, seat: SeatView) -> Text:
    if seat.decision or seat.seat == board.acting_seat:
        return Text("►")
    return Text("•" if seat.seat == board.start_seat else " ")


def _remark(board: Board, seat: SeatView, look: Look) -> str:
    remarks = []
    if seat.automaton:
        remarks.append(look.word("automaton"))
    if seat.passed:
        remarks.append(look.word("passed"))
    elif seat.seat == board.acting_seat and board.action:
        remarks.append(look.name(board.action))
    return ", ".join(remarks)
