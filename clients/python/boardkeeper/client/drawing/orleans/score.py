"""The score sheet: coins, goods, (stations + citizens) × status, total and rank."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from boardkeeper.client.drawing.fitted import Fitted
from boardkeeper.client.drawing.look import Look
from boardkeeper.titles.orleans.board import Board, ScoreView

WIDE = 105
"""How much room there must be to say which goods."""


def draw_score(board: Board, look: Look) -> RenderableType:
    """The final score of each seat, the winners first."""
    return Fitted(lambda width: _sheet(board, look, detailed=width >= WIDE))


def _sheet(board: Board, look: Look, *, detailed: bool) -> Table:
    title = Text(look.word("score_sheet"), style="bold")
    table = Table(title=title, title_justify="left", title_style="", header_style="dim")
    table.add_column(look.word("rank"), justify="right")
    table.add_column(look.word("seat"))
    table.add_column(look.word("coins"), justify="right")
    table.add_column(look.word("goods"), justify="right")
    if detailed:
        table.add_column(look.word("goods_detail"))
    pieces = f"({look.word('stations')} + {look.word('citizens')})"
    table.add_column(f"{pieces} × {look.word('status')}", justify="right")
    table.add_column(look.word("total"), justify="right", style="bold")
    for score in sorted(board.scores, key=lambda score: (score.rank, score.seat)):
        table.add_row(
            str(score.rank),
            Text(look.seat(score.seat), style=look.style(score.seat)),
            str(score.coins),
            str(score.goods_points),
            *([look.amounts(score.goods, short=True)] if detailed else []),
            _status(score),
            str(score.total),
        )
    return table


def _status(score: ScoreView) -> str:
    return f"({score.stations} + {score.citizens}) × {score.status} = {score.status_points}"
