"""The result of a game from what seats have scored."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.titlekit.title import Standing


def ranks(scores: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
    """The rank of each seat: one more than the number of seats whose score is better."""
    return {seat: 1 + sum(other > score for other in scores.values()) for seat, score in scores.items()}


def standings(scores: Mapping[int, tuple[int, ...]]) -> list[Standing]:
    """The result, best first.

    ``scores`` has each seat's points and, after them, what breaks ties; seats that are alike in all share a rank.
    """
    rank_of = ranks(scores)
    result = [Standing(seat, score[0], rank_of[seat]) for seat, score in scores.items()]
    return sorted(result, key=lambda standing: (standing.rank, standing.seat))
