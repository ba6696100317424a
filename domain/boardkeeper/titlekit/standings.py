"""Compute the result of a game from the scores of its seats."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.titlekit.title import Standing


def ranks(scores: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
    """Return the rank of each seat: 1 plus the number of seats with better scores."""
    return {seat: 1 + sum(other > score for other in scores.values()) for seat, score in scores.items()}


def standings(scores: Mapping[int, tuple[int, ...]]) -> list[Standing]:
    """Return the result, best first.

    ``scores`` has the points of each seat, followed by its tie-breakers. Seats with equal scores share a rank.
    """
    rank_of = ranks(scores)
    result = [Standing(seat, score[0], rank_of[seat]) for seat, score in scores.items()]
    return sorted(result, key=lambda standing: (standing.rank, standing.seat))
