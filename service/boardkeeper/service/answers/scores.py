"""Score sheets as messages."""

from __future__ import annotations

from boardkeeper.game.game import ENDED, OPEN, Game
from boardkeeper.game.timeline import Moment
from boardkeeper.service.answers.clamps import points
from boardkeeper.table.rules_catalogue import language_or_default
from boardkeeper.table.scores import ScoreSheet, score_sheet
from boardkeeper.v1 import scores_pb2


def scores_of(game: Game, viewer: int, language: str) -> scores_pb2.ScoreSheet | None:
    """Return the score of a game as a viewer can know it; ``None`` before it has begun, or if there is none."""
    if game.play is None or game.status == OPEN:
        return None
    return _message(score_sheet(game.title, game.created.setup, game.table, viewer, game.standings()), language)


def scores_at(past: Moment, game: Game, viewer: int, language: str) -> scores_pb2.ScoreSheet | None:
    """Return the same at an earlier version; if the game was over then, with its result."""
    if past.play is None or not (past.is_running or game.status == ENDED):
        return None
    standings = () if past.is_running else game.standings()
    return _message(score_sheet(game.title, game.created.setup, past.table, viewer, standings), language)


def _message(sheet: ScoreSheet | None, language: str) -> scores_pb2.ScoreSheet | None:
    if sheet is None:
        return None
    language = language_or_default(language)
    return scores_pb2.ScoreSheet(
        lines=[
            scores_pb2.ScoreLine(
                id=line.id,
                text=line.text[language],
                points=[points(each or 0) for each in line.points],
                unknown_seats=[seat for seat, each in enumerate(line.points, 1) if each is None],
                notes=[note[language] for note in line.notes],
            )
            for line in sheet.lines
        ],
        totals=map(points, sheet.totals),
        ranks=sheet.ranks,
        running=sheet.running,
    )
