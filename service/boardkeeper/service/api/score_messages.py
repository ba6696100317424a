"""Score sheets as messages."""

from __future__ import annotations

from boardkeeper.game.game import ENDED, OPEN, Game
from boardkeeper.game.timeline import GameAtVersion
from boardkeeper.service.api.message_limits import limit_points
from boardkeeper.titlekit.rules_catalogue import language_or_default
from boardkeeper.titlekit.scores import score_sheet
from boardkeeper.v1 import scores_pb2


def scores_at(seen: Game | GameAtVersion, game: Game, viewer: int, language: str) -> scores_pb2.ScoreSheet | None:
    """Return the score that a viewer can see, of the present game or of an earlier version.

    Return ``None`` before the game has begun, or if it has no score. The score has ranks once the game has ended.
    """
    if isinstance(seen, Game):
        has_begun, is_over = seen.status != OPEN, True
    else:
        has_begun, is_over = seen.is_running or game.status == ENDED, not seen.is_running
    if seen.play is None or not has_begun:
        return None
    standings = game.standings() if is_over else ()
    sheet = score_sheet(game.title, game.created.setup, seen.table, viewer, standings)
    if sheet is None:
        return None
    language = language_or_default(language)
    return scores_pb2.ScoreSheet(
        lines=[
            scores_pb2.ScoreLine(
                id=line.id,
                text=line.text[language],
                points=[limit_points(each or 0) for each in line.points],
                unknown_seats=[seat for seat, each in enumerate(line.points, 1) if each is None],
                notes=[note[language] for note in line.notes],
            )
            for line in sheet.lines
        ],
        totals=map(limit_points, sheet.totals),
        ranks=sheet.ranks,
        running=sheet.running,
    )
