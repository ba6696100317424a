"""Score sheets: the points of each seat, line by line, at any time of a game and as far as a viewer can know them.

A title whose play has ``scores`` has lines; of any other title there are only the totals at the end: its standings.
The play reads a redacted table, so it cannot tell what the viewer may not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from boardkeeper.table.table import Table
from boardkeeper.titlekit.redaction import redacted_play
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.sentences import TitleWords
from boardkeeper.titlekit.title import Setup, Standing, Text, Title


class ScoreLine(Struct, frozen=True):
    """One line: what the points are for, how many each seat has, from seat 1, and how they are calculated.

    Points that the viewer cannot know yet are ``None``. ``notes`` has one for each seat, or none at all.
    """

    id: str
    text: Text
    points: tuple[int | None, ...]
    notes: tuple[Text, ...] = ()


class ScoreSheet(Struct, frozen=True):
    """All lines with totals and ranks by seat; while the game is ``running``, no seat has a rank.

    ``totals`` are the sums of the points that the viewer knows.
    """

    lines: tuple[ScoreLine, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    running: bool = False


@runtime_checkable
class ScoredPlay(Protocol):
    """A play with a score sheet, which is optional."""

    def scores(self) -> Sequence[ScoreLine]:
        """Return the points of all seats as the table is now, as far as they follow from it.

        The table is redacted: what is hidden from the viewer is :data:`boardkeeper.table.visibility.HIDDEN` there.
        Once the game is over, the lines add up to the totals of the standings; empty if points did not decide it.
        """


def score_sheet(
    title: Title, setup: Setup, table: Table, viewer: int, standings: Sequence[Standing] = ()
) -> ScoreSheet | None:
    """Return what a viewer can know of the score, of a running game or of one that ended with these standings.

    A game that ended early, as after resignations, has no lines. ``None`` if there is nothing to show.
    """
    with redacted_play(title, setup, table, viewer) as play:
        lines = tuple(play.scores()) if isinstance(play, ScoredPlay) and (play.is_over() or not standings) else ()
    if standings:
        by_seat = sorted(standings, key=lambda it: it.seat)
        return ScoreSheet(lines, tuple(it.points for it in by_seat), tuple(it.rank for it in by_seat))
    if not lines:
        return None
    seats = zip(*(line.points for line in lines), strict=True)
    return ScoreSheet(lines, tuple(sum(it or 0 for it in points) for points in seats), (), running=True)


def score_lines(
    words: TitleWords, fields: Mapping[str, str], sheets: Sequence[Mapping[str, Any]]
) -> tuple[ScoreLine, ...]:
    """Return lines from what is known of each seat: by the line's id the name of the value that has its points.

    A seat without that value has unknown points.

    The words have a caption for each id in ``score``, and may say in ``score_notes`` how the points came about.
    """
    return tuple(
        ScoreLine(
            id,
            {language: words.words(language).say("score", id, {}) or id for language in LANGUAGES},
            tuple(sheet.get(field) for sheet in sheets),
            _notes(words, id, [sheet if field in sheet else None for sheet in sheets]),
        )
        for id, field in fields.items()
    )


def _notes(words: TitleWords, id: str, sheets: Sequence[Mapping[str, Any] | None]) -> tuple[Text, ...]:
    notes: list[Text] = []
    for sheet in sheets:
        said = {language: sheet and words.words(language).say("score_notes", id, sheet) for language in LANGUAGES}
        if sheet is not None and None in said.values():
            return ()  # the words have no note for this line
        notes.append({language: text or "" for language, text in said.items()})
    return tuple(notes) if any(sheets) else ()
