"""Score sheets: the points of each seat, line by line, as far as a viewer may know them.

A title whose play has ``scores`` has lines during the game. Other titles have only totals at the end. Scores are
computed from a redacted table, so they disclose nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from boardkeeper.table.table import Table
from boardkeeper.titlekit.redaction import redacted_play
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.sentences import TitleWords
from boardkeeper.titlekit.title import Play, Setup, Standing, Text, Title


class ScoreLine(Struct, frozen=True):
    """A line of a score sheet.

    ``points`` has the points of each seat, ``None`` if the viewer cannot know them. ``notes`` has for each seat a text
    that explains its points; it may be empty.
    """

    id: str
    text: Text
    points: tuple[int | None, ...]
    notes: tuple[Text, ...] = ()


class ScoreSheet(Struct, frozen=True):
    """A score sheet, with totals and ranks by seat. ``ranks`` is empty while the game is ``running``.

    ``totals`` are the sums of the points that the viewer knows.
    """

    lines: tuple[ScoreLine, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    running: bool = False


@runtime_checkable
class ScoredPlay(Protocol):
    """A play with a score sheet. Plays need not have one."""

    def scores(self) -> Sequence[ScoreLine]:
        """Return the points of all seats, as far as they follow from the redacted table.

        Hidden components are :data:`boardkeeper.table.visibility.HIDDEN`. After the game, the lines add up to
        the points of the standings; empty if points did not decide the game.
        """


def points_now(play: Play) -> tuple[int, ...]:
    """Return the points of each seat if the game ended now; all 0 if the title cannot count them before the end."""
    points: Callable[[], Sequence[int]] | None = getattr(play, "points", None)
    if points is not None:
        return tuple(points())
    if play.is_over():
        return tuple(it.points for it in sorted(play.standings(), key=lambda it: it.seat))
    totals = [0] * (len(play.table.decisions) - 1)
    for line in play.scores() if isinstance(play, ScoredPlay) else ():
        totals = [total + (it or 0) for total, it in zip(totals, line.points, strict=True)]
    return tuple(totals)


def score_sheet(
    title: Title, setup: Setup, table: Table, viewer: int, standings: Sequence[Standing] = ()
) -> ScoreSheet | None:
    """Return the score sheet for a viewer, of a running game or of one that ended with ``standings``.

    A game that ended early, for example after resignations, has no lines. Returns ``None`` for a running game without
    lines.
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
    """Return lines from the known values of each seat.

    ``fields`` has the id of each line and the key of its points in ``sheets``, which has the values of each seat. A
    missing value means unknown points. ``words`` has the captions in ``score``, and notes in ``score_notes``.
    """
    return tuple(
        ScoreLine(
            id,
            {language: words.words(language).render("score", id, {}) or id for language in LANGUAGES},
            tuple(sheet.get(field) for sheet in sheets),
            _notes(words, id, [sheet if field in sheet else None for sheet in sheets]),
        )
        for id, field in fields.items()
    )


def _notes(words: TitleWords, id: str, sheets: Sequence[Mapping[str, Any] | None]) -> tuple[Text, ...]:
    notes: list[Text] = []
    for sheet in sheets:
        texts = {language: sheet and words.words(language).render("score_notes", id, sheet) for language in LANGUAGES}
        if sheet is not None and None in texts.values():
            return ()  # the words have no note for this line
        notes.append({language: text or "" for language, text in texts.items()})
    return tuple(notes) if any(sheets) else ()
