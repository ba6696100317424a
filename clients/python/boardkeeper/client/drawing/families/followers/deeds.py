"""The beneficial deeds: who is there, who is still wanted, and whether the citizen waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import RenderableType
from rich.text import Text

from boardkeeper.client.drawing.columns import Cell, Columns, columns
from boardkeeper.client.drawing.families.followers.views import DeedView
from boardkeeper.client.drawing.fitted import Fitted
from boardkeeper.client.drawing.look import Look

WIDE = 110
"""How much room there must be to write out who is wanted."""


def draw_deeds(deeds: Sequence[DeedView], reward: Callable[[str], str], look: Look) -> RenderableType:
    """One row for each deed; ``reward`` says what each follower sent to a deed brings."""
    return Fitted(lambda width: _table(deeds, reward, look, short=width < WIDE))


def _table(deeds: Sequence[DeedView], reward: Callable[[str], str], look: Look, *, short: bool) -> Columns:
    rows: list[list[Cell]] = [
        [
            Text(look.name(deed.deed), style="" if any(deed.free.values()) else "dim"),
            look.amounts(deed.free, short=short),
            look.amounts(deed.followers, short=short),
            "1" if deed.citizen else "–",
            Text(reward(deed.deed), style="dim"),
        ]
        for deed in deeds
    ]
    return columns([look.word(key) for key in ("deed", "wanted", "there", "citizen", "gives")], rows)
