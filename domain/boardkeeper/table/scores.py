"""Score sheets: what each seat has its points for, line by line, as its title tells it.

A title whose play has ``scores`` has lines; of any other there are only the totals, which are its standings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from boardkeeper.table.rules_catalogue import LANGUAGES
from boardkeeper.table.sentences import TitleWords
from boardkeeper.table.title import Play, Standing, Text


class ScoreLine(Struct, frozen=True):
    """One line: what the points are for, how many each seat has, that of seat 1 first, and how they came about.

    ``notes`` has one for each seat, or none at all.
    """

    id: str
    text: Text
    points: tuple[int, ...]
    notes: tuple[Text, ...] = ()


class ScoreSheet(Struct, frozen=True):
    """All lines with totals and ranks by seat; ``running`` if the game goes on, and nobody has a rank yet."""

    lines: tuple[ScoreLine, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    running: bool = False


@runtime_checkable
class ScoredPlay(Protocol):
    """A play that tells its score line by line, as no play has to."""

    def scores(self) -> Sequence[ScoreLine]:
        """The points of all seats as the table lies, which add up to the totals of the standings once it is over.

        Before that it tells nothing if any of it follows from what is hidden from anybody, and then nothing either
        if points have not decided the game.
        """


def score_sheet(play: Play, standings: Sequence[Standing]) -> ScoreSheet | None:
    """The score sheet of a game that has ended with these standings, or, without any, that goes on.

    Of a game that ended before its time there are no lines, as nobody has points. ``None``: there is nothing to tell.
    """
    lines = tuple(play.scores()) if isinstance(play, ScoredPlay) and (play.is_over() or not standings) else ()
    if standings:
        by_seat = sorted(standings, key=lambda it: it.seat)
        return ScoreSheet(lines, tuple(it.points for it in by_seat), tuple(it.rank for it in by_seat))
    if not lines:
        return None
    totals = tuple(map(sum, zip(*(line.points for line in lines), strict=True)))
    return ScoreSheet(lines, totals, (), running=True)


def score_lines(
    words: TitleWords, fields: Mapping[str, str], sheets: Sequence[Mapping[str, Any]]
) -> tuple[ScoreLine, ...]:
    """Lines from what is known of each seat: by the line's id the name of the value that has its points.

    The words have a caption for each id in ``score``, and may say in ``score_notes`` how the points came about.
    """
    return tuple(
        ScoreLine(
            id,
            {language: words.words(language).say("score", id, {}) or id for language in LANGUAGES},
            tuple(sheet[field] for sheet in sheets),
            tuple(notes for sheet in sheets if (notes := _notes(words, id, sheet))),
        )
        for id, field in fields.items()
    )


def _notes(words: TitleWords, id: str, sheet: Mapping[str, Any]) -> Text:
    said = {language: words.words(language).say("score_notes", id, sheet) for language in LANGUAGES}
    return {language: text for language, text in said.items() if text is not None}
