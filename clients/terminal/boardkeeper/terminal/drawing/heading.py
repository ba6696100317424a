"""What stands above a table: where the game is, in a line."""

from __future__ import annotations

from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from boardkeeper.terminal.drawing.fitted import Fitted

_LEAST_RULE = 4
"""How many columns a rule wants beside its title."""


def heading(*facts: str) -> RenderableType:
    """Facts in a rule, but for those that are empty."""
    title = Text(" · ".join(fact for fact in facts if fact), style="bold")
    # A rule cuts off what has no room in it; without the line it is two lines of text.
    return Fitted(
        lambda width: title if title.cell_len > width - _LEAST_RULE else Rule(title, style="dim", align="left")
    )
