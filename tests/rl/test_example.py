"""The training example plays and learns for a moment; a whole training takes minutes."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tests.rl.test_environments")  # skips without the packages, but not in CI

import numpy as np

EXAMPLE = Path(__file__).parents[2] / "examples/rl/ppo.py"


def test_the_gradients_of_the_example_are_those_of_its_loss(tmp_path: Path) -> None:
    """Compare them with the differences of the loss along the gradient of each array."""
    names: dict[str, Any] = runpy.run_path(str(EXAMPLE), {"__name__": "example"})
    scope = names["Player"].__init__.__globals__ | names
    names["Player"].play.__globals__.update(ENVIRONMENTS=2, STEPS=30)
    player = names["Player"]("paladins", 2, seed=1)
    match = player.environments[0].match
    weights = names["new_weights"](match.observations.size, match.actions.n_actions, player.random)
    data = player.play(weights)
    data.pop("results")
    data["chance"] = data["chance"] * player.random.uniform(0.7, 1.4, len(data["chance"]))  # some ratios are clipped

    def loss() -> float:
        rows = np.arange(len(data["action"]))
        _, probabilities, value = names["forward"](weights, data["features"], data["mask"])
        advantage = (data["advantage"] - data["advantage"].mean()) / (data["advantage"].std() + 1e-6)
        ratio = probabilities[rows, data["action"]] / data["chance"]
        clipped = ratio.clip(1 - scope["CLIP"], 1 + scope["CLIP"])
        entropy = -(probabilities * np.log(np.maximum(probabilities, 1e-12))).sum(axis=1)
        error = (value - data["target"]) ** 2
        gain = np.minimum(ratio * advantage, clipped * advantage)
        return float((-gain - scope["ENTROPY"] * entropy + scope["VALUE"] * error).mean())

    for name in weights:
        weights[name] = weights[name].astype(np.float64)
    for name, gradient in names["gradients"](weights, data).items():
        direction = gradient.astype(np.float64) / (np.linalg.norm(gradient) or 1.0)
        kept = weights[name]
        weights[name] = kept + 1e-5 * direction
        above = loss()
        weights[name] = kept - 1e-5 * direction
        slope = (above - loss()) / 2e-5
        weights[name] = kept
        assert slope == pytest.approx(np.linalg.norm(gradient), rel=0.01, abs=1e-6), name
    curve = [(1.0, 1, 0.5, -2.0), (2.0, 5, 0.75, 8.0)]
    names["write_svg"](tmp_path / "curve.svg", curve)
    assert (tmp_path / "curve.svg").read_text().startswith("<svg")
