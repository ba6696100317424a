"""Ranks and the result of a game from what seats have scored."""

from __future__ import annotations

from boardkeeper.titlekit.standings import ranks, standings
from boardkeeper.titlekit.title import Standing


def test_whoever_has_more_points_ranks_before() -> None:
    assert ranks({1: (3,), 2: (9,), 3: (5,)}) == {1: 3, 2: 1, 3: 2}


def test_those_who_are_alike_share_a_rank_and_the_next_ones_count_them() -> None:
    assert ranks({1: (5,), 2: (9,), 3: (9,), 4: (5,), 5: (1,)}) == {1: 3, 2: 1, 3: 1, 4: 3, 5: 5}


def test_what_breaks_ties_counts_for_nothing_else() -> None:
    assert ranks({1: (5, 9), 2: (6, 0), 3: (5, 8)}) == {1: 2, 2: 1, 3: 3}


def test_the_result_is_told_best_first_and_by_seat_where_ranks_are_shared() -> None:
    assert standings({1: (3, 1), 3: (8, 2), 2: (8, 2), 4: (3, 2)}) == [
        Standing(2, points=8, rank=1),
        Standing(3, points=8, rank=1),
        Standing(4, points=3, rank=3),
        Standing(1, points=3, rank=4),
    ]
