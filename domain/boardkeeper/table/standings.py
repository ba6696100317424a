"""The result of a game from what seats have scored."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.table.title import Standing


def standings(scores: Mapping[int, tuple[int, ...]]) -> list[Standing]:
    """The result, best first.

    ``scores`` has each seat's points and, after them, what breaks ties; seats that are alike in all share a rank.
    """
    ranks = {seat: 1 + sum(other > score for other in scores.values()) for seat, score in scores.items()}
    result = [Standing(seat, score[0], ranks[seat]) for seat, score in scores.items()]
    return sorted(result, key=lambda standing: (standing.rank, standing.seat))
