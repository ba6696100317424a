"""Masked PPO in numpy: trains a small network to play one seat against random bots.

    python examples/rl/ppo.py --minutes 5 --curve curve.tsv --svg curve.svg --weights weights.npz

Two processes play games; the main process updates the network. Times are CPU minutes of all processes, because other
programs can use the machine too. At the end the network plays against other bots.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from boardkeeper.rl.gymnasium import BoardkeeperEnv

HIDDEN = 128
ENVIRONMENTS = 8  # in each process
STEPS = 256  # of each environment between two updates
EPOCHS, BATCH = 3, 512
CLIP, ENTROPY, VALUE, LAMBDA, RATE = 0.2, 0.01, 0.5, 0.95, 5e-4
POINTS = 10.0  # rewards are points divided by this

Weights = dict[str, Any]


def new_weights(features: int, actions: int, random: np.random.Generator) -> Weights:
    """Return the weights of a network with one hidden layer, and heads for the policy and the value."""
    sizes = {"hidden": (features, HIDDEN, 1.0), "policy": (HIDDEN, actions, 0.01), "value": (HIDDEN, 1, 1.0)}
    weights: Weights = {}
    for name, (rows, columns, scale) in sizes.items():
        weights[name] = (random.standard_normal((rows, columns)) * scale / np.sqrt(rows)).astype(np.float32)
        weights[f"{name} bias"] = np.zeros(columns, np.float32)
    return weights


def forward(weights: Weights, features: Any, mask: Any) -> tuple[Any, Any, Any]:
    """Return the hidden values, the probabilities of all actions, and the values of positions."""
    hidden = np.tanh(features @ weights["hidden"] + weights["hidden bias"])
    logits = np.where(mask, hidden @ weights["policy"] + weights["policy bias"], -np.inf)
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return hidden, shares / shares.sum(axis=1, keepdims=True), (hidden @ weights["value"] + weights["value bias"])[:, 0]


def choose(probabilities: Any, random: np.random.Generator) -> Any:
    """Return a random action for each row."""
    below = probabilities.cumsum(axis=1) <= random.random((len(probabilities), 1)) * probabilities.sum(axis=1)[:, None]
    return np.minimum(below.sum(axis=1), probabilities.shape[1] - 1)


class Player:
    """Plays games in its own process."""

    def __init__(self, title: str, players: int, seed: int) -> None:
        self.environments = [BoardkeeperEnv(title, players, seat=0, shaped=True) for _ in range(ENVIRONMENTS)]
        self.random = np.random.default_rng(seed)
        self.observations = [
            environment.reset(seed=seed * ENVIRONMENTS + at)[0] for at, environment in enumerate(self.environments)
        ]

    def play(self, weights: Weights) -> dict[str, Any]:
        """Play some actions; return them with advantages and targets, and the results of the games that ended."""
        kept: dict[str, list[Any]] = {"features": [], "mask": [], "action": [], "chance": [], "value": []}
        rewards, ends, results = [], [], []
        for step in range(STEPS + 1):
            features = np.stack([it["observation"] for it in self.observations])
            mask = np.stack([it["action_mask"] for it in self.observations]).astype(bool)
            _, probabilities, value = forward(weights, features, mask)
            if step == STEPS:  # only the value is needed
                break
            action = choose(probabilities, self.random)
            chance = probabilities[np.arange(ENVIRONMENTS), action]
            for name, it in zip(kept, (features, mask, action, chance, value), strict=True):
                kept[name].append(it)
            rewards.append(np.zeros(ENVIRONMENTS, np.float32))
            ends.append(np.zeros(ENVIRONMENTS, bool))
            for at, environment in enumerate(self.environments):
                self.observations[at], rewards[-1][at], ends[-1][at], _, info = environment.step(action[at])
                if ends[-1][at]:
                    points = environment.episode.state.scores()[environment.seat - 1]
                    results.append((info["returns"][environment.seat - 1], points))
                    self.observations[at], _ = environment.reset()
        advantage, advantages = np.zeros(ENVIRONMENTS, np.float32), []
        for at in reversed(range(STEPS)):
            continues = ~ends[at]
            delta = rewards[at] / POINTS + value * continues - kept["value"][at]
            advantage = delta + LAMBDA * advantage * continues
            advantages.append(advantage)
            value = kept["value"][at]
        data: dict[str, Any] = {name: np.concatenate(it) for name, it in kept.items()}
        data["advantage"] = np.concatenate(advantages[::-1]).astype(np.float32)
        data["target"] = data["advantage"] + data.pop("value")
        return data | {"results": results}


class Adam:
    """The optimiser."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.mean = {name: np.zeros_like(it) for name, it in weights.items()}
        self.square = {name: np.zeros_like(it) for name, it in weights.items()}
        self.steps = 0

    def step(self, gradients: Weights, rate: float) -> None:
        """Change the weights."""
        self.steps += 1
        norm = np.sqrt(sum(float((it * it).sum()) for it in gradients.values()))
        scale = min(1.0, 0.5 / (norm + 1e-8))
        for name, gradient in gradients.items():
            gradient = gradient * scale
            self.mean[name] += 0.1 * (gradient - self.mean[name])
            self.square[name] += 0.001 * (gradient * gradient - self.square[name])
            mean = self.mean[name] / (1 - 0.9**self.steps)
            square = self.square[name] / (1 - 0.999**self.steps)
            self.weights[name] -= rate * mean / (np.sqrt(square) + 1e-5)


def gradients(weights: Weights, data: dict[str, Any]) -> Weights:
    """Return the gradients of PPO's loss."""
    rows = np.arange(len(data["action"]))
    hidden, probabilities, value = forward(weights, data["features"], data["mask"])
    advantage = (data["advantage"] - data["advantage"].mean()) / (data["advantage"].std() + 1e-6)
    ratio = probabilities[rows, data["action"]] / data["chance"]
    is_clipped = np.where(advantage > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
    # The loss is -ratio * advantage - ENTROPY * entropy + VALUE * error²; these are its derivatives.
    by_logits = probabilities * (ratio * advantage * ~is_clipped)[:, None]
    by_logits[rows, data["action"]] -= ratio * advantage * ~is_clipped
    logarithms = np.log(np.maximum(probabilities, 1e-12))
    entropy = -(probabilities * logarithms).sum(axis=1, keepdims=True)
    by_logits += ENTROPY * probabilities * (logarithms + entropy)
    by_logits /= len(rows)
    by_value = (2 * VALUE * (value - data["target"]) / len(rows))[:, None]
    by_hidden = (by_logits @ weights["policy"].T + by_value @ weights["value"].T) * (1 - hidden * hidden)
    sources = {"hidden": (data["features"], by_hidden), "policy": (hidden, by_logits), "value": (hidden, by_value)}
    found: Weights = {}
    for name, (inputs, outputs) in sources.items():
        found[name] = (inputs.T @ outputs).astype(np.float32)
        found[f"{name} bias"] = outputs.sum(axis=0).astype(np.float32)
    return found


def batches(data: dict[str, Any], random: np.random.Generator) -> Iterator[dict[str, Any]]:
    """Yield all data in random order, several times."""
    for _ in range(EPOCHS):
        order = random.permutation(len(data["action"]))
        for start in range(0, len(order), BATCH):
            yield {name: it[order[start : start + BATCH]] for name, it in data.items()}


def serve(connection: Any, title: str, players: int, seed: int) -> None:
    """Play with the weights that arrive, until the main process closes the connection."""
    player = Player(title, players, seed)
    while (weights := connection.recv()) is not None:
        data = player.play(weights)
        connection.send((data, time.process_time()))


def evaluate(weights: Weights, title: str, players: int, bot: str, games: int) -> float:
    """Return the share of games won by the likeliest actions against bots of a kind."""
    environment, won = BoardkeeperEnv(title, players, seat=0, opponents=bot), 0.0
    for seed in range(games):
        observation, _ = environment.reset(seed=seed)
        is_over = False
        while not is_over:
            mask = observation["action_mask"][None].astype(bool)
            _, probabilities, _ = forward(weights, observation["observation"][None], mask)
            observation, _, is_over, _, info = environment.step(probabilities[0].argmax())
        won += (1 + info["returns"][environment.seat - 1]) / 2
    return won / games


Curve = list[tuple[float, int, float, float]]
"""CPU minutes, games, the share of the last games won, and the mean of the points in them."""


def write_svg(path: Path, curve: Curve) -> None:
    """Draw the learning curve: points over CPU minutes."""
    width, height = 640, 320
    most, low, high = curve[-1][0], min(0.0, *(it[3] for it in curve)), max(it[3] for it in curve)

    def y(points: float) -> str:
        return f"{20 + (height - 60) * (high - points) / (high - low):.1f}"

    line = " ".join(f"{50 + (width - 70) * it[0] / most:.1f},{y(it[3])}" for it in curve)
    marks = "".join(
        f'<path d="M50 {y(it)}h{width - 70}" stroke="#8884"/><text x="44" y="{y(it)}" text-anchor="end">{it:.0f}</text>'
        for it in np.linspace(low, high, 5).round()
    )
    caption = f"mean points of the last 200 games, by CPU minutes (0 to {most:.1f})"
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"'
        f' font-size="12" fill="#888">{marks}<polyline points="{line}" fill="none" stroke="#27c" stroke-width="2"/>'
        f'<text x="{width // 2}" y="{height - 10}" text-anchor="middle">{caption}</text></svg>\n',
        "utf-8",
    )


def main() -> None:
    """Train, print the learning curve and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--title", default="paladins")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=5.0, help="minutes on two cores: twice as many CPU minutes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evaluate", type=int, default=50, help="games against each kind of bot at the end")
    parser.add_argument("--curve", type=Path)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--weights", type=Path)
    arguments = parser.parse_args()
    random = np.random.default_rng(arguments.seed)
    match = BoardkeeperEnv(arguments.title, arguments.players).match
    weights = new_weights(match.observations.size, match.actions.n_actions, random)
    adam, connections = Adam(weights), []
    for number in range(2):
        own, other = multiprocessing.Pipe()
        settings = (other, arguments.title, arguments.players, 2 * arguments.seed + number)
        multiprocessing.Process(target=serve, args=settings, daemon=True).start()
        connections.append(own)
    curve: Curve = []
    results: list[tuple[float, int]] = []
    games, minutes, update = 0, 0.0, 0
    while minutes < 2 * arguments.minutes:
        for connection in connections:
            connection.send(weights)
        parts, times = zip(*(connection.recv() for connection in connections), strict=True)
        recent = [result for part in parts for result in part.pop("results")]
        games, results = games + len(recent), [*results, *recent][-200:]
        data = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        for batch in batches(data, random):
            adam.step(gradients(weights, batch), RATE * max(0.1, 1 - minutes / (2 * arguments.minutes)))
        minutes, update = (time.process_time() + sum(times)) / 60, update + 1
        if update % 5 == 0 and results:
            won, points = (np.mean(it) for it in zip(*results, strict=True))
            curve.append((minutes, games, (1 + won) / 2, points))
            print(
                "{:5.1f} CPU minutes {:6} games: {:4.0%} of the last won, {:5.1f} points".format(*curve[-1]), flush=True
            )
    for connection in connections:
        connection.send(None)
    if arguments.curve:
        arguments.curve.write_text("".join("{:.2f}\t{}\t{:.3f}\t{:.1f}\n".format(*it) for it in curve), "utf-8")
    if arguments.svg:
        write_svg(arguments.svg, curve)
    if arguments.weights:
        np.savez_compressed(
            arguments.weights, version=f"{match.actions.version} {match.observations.version}", **weights
        )
    for bot in ("random", "sensible"):
        share = evaluate(weights, arguments.title, arguments.players, bot, arguments.evaluate)
        print(f"{share:.0%} of {arguments.evaluate} games against {bot} won")


if __name__ == "__main__":
    main()
