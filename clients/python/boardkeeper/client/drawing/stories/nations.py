"""Nations: their missions, which lie open, and what one knows of who plays for whom and of secret messages."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Cell, captioned, columns
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.stories.gives import effect_of, needs
from boardkeeper.client.drawing.stories.styles import seat_name
from boardkeeper.titles.stories.board import Board, NationView, SeatView

NOTHING = "–"


def draw_missions(board: Board, look: Look) -> RenderableType:
    """A row for each nation: what its mission asks for, and what has become of it."""
    keys = ("nation", "mission", "needs", "goods_on_card", "standing")
    rows: list[list[Cell]] = [
        [
            Text(look.name(nation.nation), style="bold"),
            look.name(nation.mission),
            needs(nation.mission, look),
            look.amounts(nation.goods),
            _standing(nation, look),
        ]
        for nation in board.nations
    ]
    return columns([look.word(key) for key in keys], rows)


def draw_nations(board: Board, look: Look) -> RenderableType:
    """Missions, what the viewer knows of each seat, and the bonus tiles that are not on eras."""
    if not board.nations:
        return Text(NOTHING)
    rows: list[list[Cell]] = [
        [
            seat_name(board, seat.seat, look),
            cards((seat.nation,), look) if seat.nation else look.word("unknown"),
            _message(seat, look),
            "; ".join(_further(seat, look)),
        ]
        for seat in board.seats
    ]
    captions = [look.word("seat"), look.word("nation"), look.word("message"), ""]
    parts: list[RenderableType] = [draw_missions(board, look), "", columns(captions, rows)]
    tiles = board.bonus_tiles
    if tiles is not None:
        parts += ["", captioned((look.word(key), _tiles(ids, look)) for key, ids in _off(tiles.stack, tiles.aside))]
    return Group(*parts)


def cards(ids: Iterable[str], look: Look) -> str:
    """The names of cards."""
    return ", ".join(look.name(id) for id in ids if id)


def noted(seat: SeatView, look: Look) -> str:
    """What a seat saw of others' nation cards: ``Anna: England``."""
    seen = (entry.partition(":") for entry in seat.noted.split())
    return ", ".join(f"{look.seat(int(of))}: {look.name(nation)}" for of, _, nation in seen)


def _off(stack: tuple[str, ...], aside: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [("tiles_to_come", stack), ("aside", aside)]


def _tiles(ids: Iterable[str], look: Look) -> str:
    return "; ".join(effect_of(id, look) for id in ids) or NOTHING


def _message(seat: SeatView, look: Look) -> str:
    if seat.message or seat.dealt:
        return cards((seat.message,) if seat.message else seat.dealt, look)
    return look.word("unknown")


def _further(seat: SeatView, look: Look) -> list[str]:
    """What a seat saw of others, and which message it gave back, each with its caption."""
    told = {"looked_at": noted(seat, look), "returned": cards(seat.returned, look)}
    return [f"{look.word(key)}: {said}" for key, said in told.items() if said]


def _standing(nation: NationView, look: Look) -> str:
    if nation.lost:
        return look.word("lost")
    return look.word("fulfilled") if nation.fulfilled else look.word("open")
