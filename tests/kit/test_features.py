"""The feature vectors of every title in random games."""

from __future__ import annotations

import pytest
from tests.kit.adapters import EACH_TITLE

from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.feature_checks import check_features
from boardkeeper.testkit.setups import random_setup


def check_games(adapter: Adapter, seeds: range, every: int) -> int:
    """Check random games of all numbers of players in turn; return the number of checks with hidden information."""
    counts = adapter.players
    return sum(
        check_features(adapter, seed, random_setup(adapter.title, seed, counts[seed % len(counts)]), every=every)
        for seed in seeds
    )


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_features_are_what_a_seat_sees(adapter: Adapter) -> None:
    assert check_games(adapter, range(len(adapter.players)), every=20), "something was hidden in some game"


@pytest.mark.soak
@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_soak_features_are_what_a_seat_sees(adapter: Adapter) -> None:
    assert check_games(adapter, range(100, 300), every=5)
