"""The six regions of the main board: what they ask for, what their spaces give and who stands there."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Cell, Columns, columns
from boardkeeper.client.drawing.fitted import Fitted
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.paladins.gains import gains
from boardkeeper.titles.paladins.board import Board, SpaceView

BESIDE = 20
"""How much room the columns beside the spaces take."""


def draw_regions(board: Board, look: Look) -> RenderableType:
    """A row for each region: faith for a monk, strength for an outpost, and its spaces from left to right."""
    return Fitted(lambda width: _table(board, look, width - BESIDE))


def _table(board: Board, look: Look, width: int) -> Columns:
    captions = [look.word("region"), look.short("faith"), look.short("strength"), look.word("spaces")]
    rows: list[list[Cell]] = []
    for region, flags in enumerate(board.outsiders, 1):
        spaces = [draw_space(space, look) for space in board.spaces if space.region == region]
        rows.append([str(region), str(flags.faith), str(flags.strength), _packed(spaces, width)])
    return columns(captions, rows, right=(1, 2))


def draw_space(space: SpaceView, look: Look) -> Text:
    """What a space gives, or whose monk or outpost stands there."""
    if space.seat:
        return Text(f"■ {look.name(space.piece)} {look.seat(space.seat)}", style=look.style(space.seat))
    return Text(f"□ {gains(space.gains, look)}")


def _packed(spaces: Sequence[Text], width: int) -> Text:
    """Spaces in lines; none ends in the middle of a space, unless that alone is too long for it."""
    packed, used = Text(), 0
    for space in spaces:
        if used and used + 2 + space.cell_len > width:
            packed.append("\n")
            used = 0
        elif used:
            packed.append("  ")
            used += 2
        packed.append_text(space)
        used += space.cell_len
    return packed
