"""The size and version of the observation space of every title, edition and number of players, with default choices.

``python -m tests.stability.observation_spaces`` stores them in ``observation_spaces.json``. Programs that were trained
with an observation space need its features: name any change in the changelog.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from tests.engine.playing import variants

from boardkeeper import engine

FILE = Path(__file__).with_name("observation_spaces.json")

Versions = dict[str, tuple[int, str]]
"""The number of features and the version by ``title/edition/players``."""


def current() -> Versions:
    """Return the current versions."""
    spaces = {
        f"{title}/{edition}/{players}": engine.observation_space(title, players, edition)
        for title, edition, players in variants()
    }
    return {id: (space.size, space.version) for id, space in spaces.items()}


def main() -> None:
    """Store the current versions."""
    lines = [
        f"  {msgspec.json.encode(id).decode()}: {msgspec.json.encode(it).decode()}" for id, it in current().items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
