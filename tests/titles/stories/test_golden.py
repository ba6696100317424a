"""The golden games of Orléans Stories contain every way in which a game of nations ends."""

from __future__ import annotations

import re
from pathlib import Path

from tests.golden.games import files

from boardkeeper.testkit import packed_files

FAME = 36
"""The space of the fame track that ends a game."""


def _end(path: Path) -> str:
    """Return why a game ended; empty if it ended with its last round."""
    game = packed_files.read(path).decode()
    if '"stories.NationsRevealed"' not in game:
        return ""
    if '"stories.MissionDeclared"' in game:
        return "failed" if '"stories.DeclarationFailed"' in game else "fulfilled"
    reached = max(int(position) for position in re.findall(r'"position":(\d+)', game))
    return "fame" if reached >= FAME else "bank"


def test_golden_games_end_in_every_way() -> None:
    assert {_end(path) for path in files("stories")} == {"", "failed", "fulfilled", "fame", "bank"}
