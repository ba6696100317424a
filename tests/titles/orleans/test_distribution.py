"""The distributions of random draws: goods on the map, goods removed, followers drawn, the order of events.

The seeds are fixed, so the results never change; the bounds are the 99.9 % points of χ² for the degrees of freedom.
"""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest
from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.titles.orleans.commands import DrawFollowers
from boardkeeper.titles.orleans.events import FollowersDrawn

GAMES = 600


def chi_square(seen: Counter[str], expected: dict[str, float]) -> float:
    """Return the χ² statistic of counts."""
    assert set(seen) <= set(expected)
    return sum((seen[key] - count) ** 2 / count for key, count in expected.items())


@pytest.fixture(scope="module")
def games() -> list[OrleansGame]:
    """New games of two players with different dice."""
    return [OrleansGame(2, seed=f"distribution-{number}") for number in range(GAMES)]


def test_goods_of_ways_are_in_proportion_to_their_tiles(games: list[OrleansGame]) -> None:
    tiles = {"grain": 24, "cheese": 21, "wine": 18, "wool": 15, "brocade": 12}
    first, last = games[0].t.data.ways[0].id, games[0].t.data.ways[-1].id
    for way in (first, last):
        seen = Counter(good for game in games for good in game.t.ways[way].items)
        expected = {good: GAMES * count / 90 for good, count in tiles.items()}
        assert chi_square(seen, expected) < 18.5  # 4 degrees of freedom


def test_removed_goods_are_in_proportion_to_their_tiles(games: list[OrleansGame]) -> None:
    tiles = {"grain": 24, "cheese": 21, "wine": 18, "wool": 15, "brocade": 12}
    seen = Counter({good: sum(game.t.box.items.get(good, 0) for game in games) for good in tiles})
    assert seen.total() == 12 * GAMES
    expected = {good: 12 * GAMES * count / 90 for good, count in tiles.items()}
    # Drawn without replacement, so the variance is smaller than that of χ² with 4 degrees of freedom.
    assert chi_square(seen, expected) < 18.5


def test_draws_from_a_bag_are_hypergeometric() -> None:
    """The number of monks in four draws from five monks and three knights."""
    seen: Counter[str] = Counter()
    for number in range(GAMES):
        game = OrleansGame(2, seed=f"bag-{number}").market(1).bag(1, monk=5, knight=3)
        game.enter("followers")
        drawn = detail(game.do(1, DrawFollowers(4)), FollowersDrawn).followers
        seen[str(drawn.count("monk"))] += 1
    expected = {str(k): GAMES * comb(5, k) * comb(3, 4 - k) / comb(8, 4) for k in range(1, 5)}
    assert chi_square(seen, expected) < 16.3  # 3 degrees of freedom


def test_each_event_is_equally_often_the_first_a_tile(games: list[OrleansGame]) -> None:
    seen: Counter[str] = Counter()
    for game in games:
        game.enter("hour_glass")
        seen[game.t.event.value] += 1
    events = ("income", "harvest", "taxes", "trading_day", "plague")
    assert chi_square(seen, {event: GAMES / len(events) for event in events}) < 18.5
