"""Score sheets as messages."""

from __future__ import annotations

from boardkeeper.game.game import ENDED, OPEN, Game
from boardkeeper.game.timeline import Moment
from boardkeeper.service.answers.clamps import points
from boardkeeper.table.rules_catalogue import language_or_default
from boardkeeper.table.scores import ScoreSheet, score_sheet
from boardkeeper.v1 import scores_pb2


def scores_of(game: Game, language: str) -> scores_pb2.ScoreSheet | None:
    """The score of a game as it is now; nothing before it has begun, and where nothing is told."""
    if game.play is None or game.status == OPEN:
        return None
    return _message(score_sheet(game.play, game.standings()), language)


def scores_at(past: Moment, game: Game, language: str) -> scores_pb2.ScoreSheet | None:
    """The same as it was; of a game that was over, which nothing changes any more, with the result that it has."""
    if past.play is None or not (past.is_running or game.status == ENDED):
        return None
    return _message(score_sheet(past.play, () if past.is_running else game.standings()), language)


def _message(sheet: ScoreSheet | None, language: str) -> scores_pb2.ScoreSheet | None:
    if sheet is None:
        return None
    language = language_or_default(language)
    return scores_pb2.ScoreSheet(
        lines=[
            scores_pb2.ScoreLine(
                id=line.id,
                text=line.text[language],
                points=map(points, line.points),
                notes=[note[language] for note in line.notes],
            )
            for line in sheet.lines
        ],
        totals=map(points, sheet.totals),
        ranks=sheet.ranks,
        running=sheet.running,
    )
