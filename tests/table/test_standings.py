"""Ranks and standings from the points of the seats."""

from __future__ import annotations

from boardkeeper.titlekit.standings import ranks, standings
from boardkeeper.titlekit.title import Standing


def test_more_points_give_a_better_rank() -> None:
    assert ranks({1: (3,), 2: (9,), 3: (5,)}) == {1: 3, 2: 1, 3: 2}


def test_tied_seats_share_a_rank_and_later_ranks_count_them() -> None:
    assert ranks({1: (5,), 2: (9,), 3: (9,), 4: (5,), 5: (1,)}) == {1: 3, 2: 1, 3: 1, 4: 3, 5: 5}


def test_tie_breakers_count_only_for_equal_points() -> None:
    assert ranks({1: (5, 9), 2: (6, 0), 3: (5, 8)}) == {1: 2, 2: 1, 3: 3}


def test_standings_are_by_rank_and_then_by_seat() -> None:
    assert standings({1: (3, 1), 3: (8, 2), 2: (8, 2), 4: (3, 2)}) == [
        Standing(2, points=8, rank=1),
        Standing(3, points=8, rank=1),
        Standing(4, points=3, rank=3),
        Standing(1, points=3, rank=4),
    ]
