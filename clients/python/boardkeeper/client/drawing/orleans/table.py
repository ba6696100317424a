"""The whole table: the round, all seats, the viewer's own side, the map nearby, deeds and supplies."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table

from boardkeeper.client.drawing.columns import captioned, columns
from boardkeeper.client.drawing.families.followers.deeds import draw_deeds
from boardkeeper.client.drawing.families.followers.gives import spaces_of
from boardkeeper.client.drawing.heading import heading
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.orleans.gives import deed_gives, gives
from boardkeeper.client.drawing.orleans.map import draw_nearby
from boardkeeper.client.drawing.orleans.places import draw_hand, draw_seat
from boardkeeper.client.drawing.orleans.score import draw_score
from boardkeeper.client.drawing.orleans.seats import draw_seats, draw_standing
from boardkeeper.client.drawing.orleans.tracks import draw_development, draw_tracks
from boardkeeper.titles.orleans.board import Board


def draw_glance(board: Board, look: Look) -> RenderableType:
    """What a seat has to see before it decides: all seats in short, its own side, and where it can travel."""
    parts: list[RenderableType] = [draw_heading(board, look), "", draw_seats(board, look)]
    for seat in board.seats:
        if seat.seat == look.viewer:
            parts += ["", draw_seat(seat, look), "", draw_nearby(board, seat.seat, look)]
    return Group(*parts)


def draw_overview(board: Board, look: Look) -> RenderableType:
    """The glance in few lines: the hour glass, what the own seat has to place and to pay, and what everybody has."""
    own = [draw_hand(seat, look) for seat in board.seats if seat.seat == look.viewer]
    return Group(draw_heading(board, look), *own, draw_standing(board, look))


def draw_table(board: Board, look: Look) -> RenderableType:
    """The whole board: for a spectator with every seat's own side."""
    parts: list[RenderableType] = [draw_glance(board, look), ""]
    if board.scores:
        parts += [draw_score(board, look), ""]
    if look.viewer == 0:
        parts.append(draw_all_seats(board, look))
    parts += [draw_all_deeds(board, look), "", draw_supply(board, look)]
    return Group(*parts)


def draw_heading(board: Board, look: Look) -> RenderableType:
    """Round, phase, hour glass and start player in a line."""
    glass = board.hour_glass
    rounds = board.round + sum(glass.remaining.values())
    strength = f" {glass.strength}" if len(glass.strength) == 1 else ""
    return heading(
        f"{look.word('round')} {board.round}/{rounds}",
        look.name(board.phase),
        f"{look.name(glass.event)}{strength}" if glass.event else "",
        f"{look.word('start_player')}: {look.seat(board.start_seat)}",
    )


def draw_all_seats(board: Board, look: Look) -> RenderableType:
    """Every seat's own side, one below the other."""
    parts: list[RenderableType] = []
    for seat in board.seats:
        parts += [draw_seat(seat, look), ""]
    return Group(*parts)


def draw_supply(board: Board, look: Look) -> Table:
    """What can still be had."""
    return captioned(
        (
            (look.word("supply"), look.amounts(board.supply)),
            (look.word("goods_market"), look.amounts(board.goods_market)),
            (look.word("technology"), str(board.technology)),
            (f"{look.word('place_tiles')} I", ", ".join(map(look.name, board.place_tiles_1)) or "–"),
            (f"{look.word('place_tiles')} II", ", ".join(map(look.name, board.place_tiles_2)) or "–"),
        )
    )


def draw_supplies(board: Board, look: Look) -> RenderableType:
    """The supplies, and each place tile that is left with its spaces and what it gives."""
    rows = [
        [f"{numeral:<2} {look.name(id)}", spaces_of(id, look) or "–", gives(id, look)]
        for numeral, ids in (("I", board.place_tiles_1), ("II", board.place_tiles_2))
        for id in ids
    ]
    captions = [look.word(key) for key in ("place_tiles", "spaces", "gives")]
    return Group(draw_supply(board, look), "", columns(captions, rows))


def draw_all_deeds(board: Board, look: Look) -> RenderableType:
    """The beneficial deeds."""
    return draw_deeds(board.deeds, lambda deed: deed_gives(deed, look), look)


def draw_all_tracks(board: Board, look: Look) -> RenderableType:
    """All seven tracks."""
    return Group(draw_tracks(board, look), "", draw_development(board, look))
