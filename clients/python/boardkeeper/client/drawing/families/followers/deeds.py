"""The beneficial deeds: who is there, who is still wanted, and whether the citizen waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from boardkeeper.client.drawing.families.followers.views import DeedView
from boardkeeper.client.drawing.fitted import Fitted
from boardkeeper.client.drawing.look import Look

WIDE = 110
"""How much room there must be to write out who is wanted."""


def draw_deeds(deeds: Sequence[DeedView], reward: Callable[[str], str], look: Look) -> RenderableType:
    """One row for each deed; ``reward`` says what each follower sent to a deed brings."""
    return Fitted(lambda width: _table(deeds, reward, look, short=width < WIDE))


def _table(deeds: Sequence[DeedView], reward: Callable[[str], str], look: Look, *, short: bool) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    longest = max((cell_len(word) for deed in deeds for word in look.name(deed.deed).split()), default=0)
    table.add_column(look.word("deed"), min_width=longest)  # no word is cut off
    for caption in ("wanted", "there", "citizen"):
        table.add_column(look.word(caption))
    table.add_column(look.word("gives"), style="dim")
    for deed in deeds:
        done = not any(deed.free.values())
        table.add_row(
            Text(look.name(deed.deed), style="dim" if done else ""),
            look.amounts(deed.free, short=short),
            look.amounts(deed.followers, short=short),
            "1" if deed.citizen else "–",
            reward(deed.deed),
        )
    return table
