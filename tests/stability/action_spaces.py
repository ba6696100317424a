"""The size and version of the action space of every title, edition and number of players, with default choices.

``python -m tests.stability.action_spaces`` stores them in ``action_spaces.json``. Programs that were trained with an
action space need its ids: append new commands of a title at the end, and name any other change in the changelog.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from tests.engine.playing import variants

from boardkeeper import engine

FILE = Path(__file__).with_name("action_spaces.json")

Versions = dict[str, tuple[int, str]]
"""The number of actions and the version by ``title/edition/players``."""


def spaces() -> Iterator[tuple[str, engine.ActionSpace]]:
    """Yield the action spaces."""
    for title, edition, players in variants():
        yield f"{title}/{edition}/{players}", engine.action_space(title, players, edition)


def read() -> Versions:
    """Return the stored versions."""
    return msgspec.json.decode(FILE.read_bytes(), type=Versions)


def main() -> None:
    """Store the current versions."""
    versions = {id: (space.n_actions, space.version) for id, space in spaces()}
    lines = [f"  {msgspec.json.encode(id).decode()}: {msgspec.json.encode(it).decode()}" for id, it in versions.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
