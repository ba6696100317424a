"""The score sheets: a line for each kind of points, a column for each seat or nation, the winners first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Cell, columns
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.stories.goods import amounts
from boardkeeper.client.drawing.stories.nations import draw_missions
from boardkeeper.client.drawing.stories.styles import seat_name
from boardkeeper.titles.stories.board import Board, NationScoreView, ScoreView

_SEATS: Mapping[str, Callable[[ScoreView], str]] = {
    "rank": lambda score: str(score.rank),
    "coins": lambda score: str(score.coins),
    "goods": lambda score: str(score.goods_points),
    "areas": lambda score: f"{score.areas}: {score.area_points}",
    "villages_citizens": lambda score: f"{score.villages} × {score.citizens} = {score.citizen_points}",
    "churches": lambda score: f"{score.churches}: {score.church_points}",
}
_NATIONS: Mapping[str, Callable[[NationScoreView], str]] = {
    "rank": lambda score: str(score.rank),
    "mission": lambda score: str(score.mission),
    "messages": lambda score: str(score.messages),
    "most_areas": lambda score: f"{score.areas}: {score.majority}",
    "villages_churches": lambda score: f"{score.villages} + {score.churches}: {_built(score)}",
    "coins": lambda score: str(score.coins),
    "goods": lambda score: str(score.goods_points),
}


def _built(score: NationScoreView) -> int:
    """The points of villages and churches: what the other lines leave of the total."""
    return score.total - score.mission - score.messages - score.majority - score.coins - score.goods_points


def draw_score(board: Board, look: Look) -> RenderableType:
    """The final score; where a declaration has failed there is none, and it is said who has lost."""
    title = Text(look.word("score_sheet"), style="bold")
    if board.nations:
        nations = board.nation_scores
        rows = [_row(look.word(key), [say(score) for score in nations]) for key, say in _NATIONS.items()]
        rows.append(_total([score.total for score in nations], look))
        captions: list[str] = ["", *(look.name(score.nation) for score in nations)]
        sheet: list[RenderableType] = [columns(captions, rows, right=range(1, len(captions))), ""] if nations else []
        return Group(title, *sheet, draw_missions(board, look), "", _teams(board, look))
    scores = sorted(board.scores, key=lambda score: (score.rank, score.seat))
    rows = [[Text(look.word("seat"), style="dim"), *(seat_name(board, score.seat, look) for score in scores)]]
    for key, said in _SEATS.items():
        rows.append(_row(look.word(key), [said(score) for score in scores]))
        if key == "goods":
            rows.append(_row("", [amounts(score.goods, look) for score in scores]))
    rows.append(_total([score.total for score in scores], look))
    return Group(title, columns([""] * (1 + len(scores)), rows, right=range(1, 1 + len(scores))))


def _row(caption: str, said: Sequence[str]) -> list[Cell]:
    return [Text(caption, style="dim"), *said]


def _total(totals: Sequence[int], look: Look) -> list[Cell]:
    return [Text(look.word("total"), style="bold"), *(Text(str(total), style="bold") for total in totals)]


def _teams(board: Board, look: Look) -> RenderableType:
    """Who played for which nation, and with which message."""
    rows: list[list[Cell]] = [
        [seat_name(board, seat.seat, look), look.name(seat.nation), look.name(seat.message)] for seat in board.seats
    ]
    return columns([look.word(key) for key in ("seat", "nation", "message")], rows)
