"""The spaces of Gymnasium, which PettingZoo uses too."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.random import Generator

from boardkeeper.rl.episodes import Match


def observation_space(match: Match, n_actions: int) -> spaces.Dict:
    """Return the space of the observations of a seat."""
    size = match.observations.size
    low = np.asarray(match.observations.low, np.float32).reshape(size)
    high = np.asarray(match.observations.high, np.float32).reshape(size)
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, (size,), np.float32),
            "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
        }
    )


def action_space(n_actions: int) -> spaces.Discrete[Any]:
    """Return the space of actions."""
    return spaces.Discrete(n_actions)


def draw_seed(random: Generator) -> int:
    """Return the seed of the next game."""
    return int(random.integers(1 << 62))
