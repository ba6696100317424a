"""The whole table, and of it what a seat needs for its next decision."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Cell, Columns, columns
from boardkeeper.client.drawing.heading import heading
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.paladins.gains import NOTHING, dues
from boardkeeper.client.drawing.paladins.hand import draw_deck, draw_hand
from boardkeeper.client.drawing.paladins.opponent import draw_opponent, draw_plans
from boardkeeper.client.drawing.paladins.regions import draw_regions
from boardkeeper.client.drawing.paladins.rows import (
    draw_favours,
    draw_orders,
    draw_outsiders,
    draw_tavern,
    draw_townsfolk,
)
from boardkeeper.client.drawing.paladins.score import draw_score
from boardkeeper.client.drawing.paladins.seats import draw_seats, draw_standing
from boardkeeper.client.drawing.paladins.side import draw_areas, draw_goods, draw_hired, draw_side, draw_turn
from boardkeeper.titles.paladins.board import Board, SeatView

ROUNDS = 7
WITHIN = frozenset(
    {"workers", "develop", "absolve", "keep", "recruit", "commission", "garrison", "attack", "convert", "reward"}
)
"""Decisions in the middle of a turn, of which the glance shows no more than what they are about."""


def draw_glance(board: Board, look: Look) -> RenderableType:
    """What a seat has to see before it decides: all of it before a turn, in the middle of one what it is about."""
    seat = next((seat for seat in board.seats if seat.seat == look.viewer), None)
    if seat is None:
        return Group(draw_heading(board, look), "", draw_seats(board, look), "", draw_main_board(board, look))
    parts = [draw_heading(board, look), draw_seats(board, look)]
    match seat.decision:
        case "paladin":
            parts += [draw_main_board(board, look), draw_hand(seat, look), draw_deck(seat, look)]
        case "tavern":
            parts += [draw_main_board(board, look), draw_areas(seat, look)]
        case "first_townsfolk":
            parts += [draw_townsfolk(board, look)]
        case "workers" | "develop" | "absolve" | "keep":
            return draw_goods(seat, look)
        case "recruit":
            return draw_townsfolk(board, look)
        case "commission" | "garrison":
            return draw_regions(board, look)
        case "attack" | "convert":
            return draw_outsiders(board, look)
        case "reward":
            return draw_dues(board, seat, look)
        case "inquisition":
            return Group(draw_heading(board, look), "", draw_seats(board, look), "", draw_hired(seat, look))
        case _:
            parts += [draw_main_board(board, look), draw_turn(seat, look)]
    if board.opponent is not None:
        parts.insert(len(parts) - 1, draw_plans(board, look))
    return _apart(parts)


def draw_overview(board: Board, look: Look) -> RenderableType:
    """The glance in few lines: what the decision is about, else what the own seat has, and the others."""
    seat = next((seat for seat in board.seats if seat.seat == look.viewer), None)
    if seat is None:
        return Group(draw_heading(board, look), draw_seats(board, look))
    match seat.decision:
        case "paladin":
            return Group(draw_heading(board, look), draw_hand(seat, look))
        case "tavern":
            return Group(draw_heading(board, look), draw_tavern(board, look))
        case "first_townsfolk":
            return Group(draw_heading(board, look), draw_townsfolk(board, look))
        case decision if decision in WITHIN:
            return draw_glance(board, look)
        case _:
            return Group(draw_heading(board, look), draw_goods(seat, look), draw_standing(board, look))


def draw_table(board: Board, look: Look) -> RenderableType:
    """The whole table, with every seat's own side."""
    parts: list[RenderableType] = [draw_heading(board, look), draw_seats(board, look)]
    if board.phase == "over":
        parts.append(draw_score(board, look))
    parts += [draw_main_board(board, look), draw_sides(board, look), draw_supplies(board, look)]
    return _apart(parts)


def _apart(parts: Sequence[RenderableType]) -> Group:
    """Parts with an empty line between them."""
    lines = [line for part in parts for line in ("", part)]
    return Group(*lines[1:])


def draw_heading(board: Board, look: Look) -> RenderableType:
    """Round, phase, tax supply and start player in a line."""
    return heading(
        f"{look.word('round')} {board.round}/{ROUNDS}" if board.round else "",
        look.name(board.phase),
        f"{look.word('tax_supply')} {board.tax}/{board.tax_full}",
        look.word("inquisition_now") if board.inquisition else "",
        f"{look.word('start_player')}: {look.seat(board.start_seat)}" if board.start_seat else "",
    )


def draw_main_board(board: Board, look: Look) -> RenderableType:
    """The main board: rows, orders, favours, regions and the tavern."""
    parts: list[RenderableType] = [
        draw_townsfolk(board, look),
        draw_regions(board, look),
        draw_outsiders(board, look),
        draw_orders(board, look),
    ]
    if any(place.favour for place in board.favours):
        parts.append(draw_favours(board, look))
    if board.tavern and board.phase in ("paladins", "tavern"):
        parts.append(draw_tavern(board, look))
    return _apart(parts)


def draw_sides(board: Board, look: Look) -> RenderableType:
    """Every seat's own side, one below the other, and the opponent's board."""
    parts: list[RenderableType] = [draw_side(seat, look) for seat in board.seats if not seat.automaton]
    if board.opponent is not None:
        parts.append(draw_opponent(board, look))
    return _apart(parts)


def draw_dues(board: Board, seat: SeatView, look: Look) -> RenderableType:
    """What a seat has still to take, and what those rewards act on."""
    rows: list[list[Cell]] = [[Text(look.word("due"), style="bold"), dues(seat.due, look) or NOTHING]]
    parts: list[RenderableType] = [columns(["", ""], rows), draw_goods(seat, look)]
    if seat.due.get("free_recruit"):
        parts.append(draw_townsfolk(board, look))
    if seat.due.get("pray") or seat.due.get("pray_action") or seat.due.get("free_develop"):
        parts.append(draw_areas(seat, look))
    return _apart(parts)


def draw_supplies(board: Board, look: Look) -> Columns:
    """What can still come: decks, debts, suspicion and what was discarded."""
    rows: list[tuple[str, str]] = [
        (look.word("suspicion"), _suspicion(board, look)),
        (look.word("debts"), str(board.debts)),
        (look.word("walls"), str(board.walls)),
        (look.word("tavern"), str(board.tavern_deck)),
        (look.word("townsfolk"), _deck(board.townsfolk_deck, look)),
        (look.word("townsfolk_gone"), ", ".join(map(look.name, board.townsfolk_discarded)) or NOTHING),
        (look.word("outsiders"), _deck(board.outsider_deck, look)),
        (look.word("outsiders_gone"), ", ".join(map(look.name, board.outsiders_discarded)) or NOTHING),
    ]
    return columns([look.word("supply"), ""], [[Text(caption, style="dim"), told] for caption, told in rows])


def _suspicion(board: Board, look: Look) -> str:
    left = sum(board.suspicion_deck.values())
    told = ", ".join(f"{count} × {look.name(id)}" for id, count in sorted(board.suspicion_deck.items()) if count)
    return f"{left} ({told})" if told else str(left)


def _deck(counts: dict[str, int], look: Look) -> str:
    """How many cards are left in a deck, and of which names."""
    names: dict[str, int] = {}
    for id, count in counts.items():
        names[look.name(id)] = names.get(look.name(id), 0) + count
    told = ", ".join(f"{count} {name}" if count > 1 else name for name, count in sorted(names.items()) if count)
    return f"{sum(counts.values())}: {told}" if told else str(sum(counts.values()))
