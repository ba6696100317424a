"""A seat's own side: what the family draws of it, with locked base cards, fame, what is due, and its secrets."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType

from boardkeeper.client.drawing.columns import captioned, columns
from boardkeeper.client.drawing.families.followers.gives import spaces_of
from boardkeeper.client.drawing.families.followers.places import Line, at_hand, draw_side, set_aside
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.stories.eras import next_tile, tell_era, tile_brings
from boardkeeper.client.drawing.stories.gives import gives
from boardkeeper.client.drawing.stories.nations import cards, noted
from boardkeeper.titles.stories.board import Board, SeatView


def draw_seat(board: Board, seat: SeatView, look: Look) -> RenderableType:
    """Everything that lies in front of one seat, and what its era brings."""
    return draw_side(seat, _lines(board, seat, look), lambda place: gives(place, look), look)


def draw_hand(board: Board, seat: SeatView, look: Look) -> RenderableType:
    """What a seat can place and pay with, what is due, and what its era brings, without its places."""
    return captioned(_lines(board, seat, look))


def _lines(board: Board, seat: SeatView, look: Look) -> list[Line]:
    lines = [*at_hand(seat, look), *_fame(seat, look)]
    if seat.era:
        lines += tell_era(seat, board, look)
    if seat.locked_places:
        lines.append((look.word("locked"), cards(seat.locked_places, look)))
    return [*lines, *set_aside(seat, look), *_due(seat, look), *_secrets(seat, look)]


def draw_all_seats(board: Board, look: Look) -> RenderableType:
    """Every seat's own side, one below the other, and what base cards give that some have not opened."""
    parts: list[RenderableType] = []
    for seat in board.seats:
        parts += [draw_seat(board, seat, look), ""]
    locked = look.sorted({card for seat in board.seats for card in seat.locked_places})
    if locked:
        rows = [[look.name(id), spaces_of(id, look), gives(id, look)] for id in locked]
        parts += [columns([look.word(key) for key in ("locked", "spaces", "gives")], rows), ""]
    return Group(*parts)


def _fame(seat: SeatView, look: Look) -> Iterator[Line]:
    coming = next_tile(seat, look)
    brings = tile_brings(coming, look)
    if brings:
        yield look.word("fame"), look.word("next_tile").format(seat.fame, coming, brings)


def _due(seat: SeatView, look: Look) -> Iterator[Line]:
    """What is still to be decided or given."""
    due = {
        "debt": seat.debt + seat.arrears,
        "fame_due": seat.fame_due,
        "owed": seat.owed,
        "trades": seat.trades,
    }
    for key, count in due.items():
        if count:
            yield look.word(key), str(count)


def _secrets(seat: SeatView, look: Look) -> Iterator[Line]:
    """The cards that only this seat knows, as far as the viewer is told of them."""
    told = {"nation": (seat.nation,), "message": (seat.message,), "dealt": seat.dealt, "returned": seat.returned}
    for key, ids in told.items():
        if any(ids):
            yield look.word(key), cards(ids, look)
    if seat.noted:
        yield look.word("looked_at"), noted(seat, look)
