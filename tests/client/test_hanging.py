"""What has no room in a line of a menu goes on below its text, and words that belong together stay together."""

from __future__ import annotations

import pytest
from rich.text import Text
from tests.client.test_drawing import text

from boardkeeper.terminal.drawing.hanging import Hanging, kept
from boardkeeper.terminal.drawing.menu import Entry, Section, draw_menu, numbered

MENU = numbered(
    (
        Section(
            Text("Crafts and Trade  □ Craftsman  (recruit: Craftsman, 1 Wood or recruit: Trader, 2 coins)"),
            (Entry(0, "Absolve  (Cleric + any + Merchant; 4 Silver, needs Faith 3 → 1 Jar)"), Entry(1, "Pass")),
        ),
    )
)


@pytest.mark.parametrize("width", range(30, 80))
def test_further_lines_of_a_menu_stand_below_the_text_of_the_first(width: int) -> None:
    lines = text(draw_menu(MENU), width).splitlines()
    assert max(map(len, lines)) <= width
    firsts = [line[:6] for line in lines if not line.startswith(" " * 6)]
    assert firsts == ["Crafts", "    1 ", "    2 "]
    for whole in ("□ Craftsman", "1 Wood", "2 coins", "4 Silver", "1 Jar"):
        assert any(whole in line for line in lines)


def test_nothing_is_lost_and_what_is_kept_together_is_not_broken() -> None:
    said = f"{kept('■ lies there')}  {kept('► has to decide')}  {kept('• start player')}"
    for width in range(20, 60):
        lines = [line.rstrip() for line in text(Hanging(Text(said), 2), width).splitlines()]
        assert " ".join(lines).split() == said.replace(kept(" "), " ").split()
        assert all(any(whole in line for line in lines) for whole in ("■ lies there", "► has to decide"))
    assert text(Hanging(Text(""), 4), 20).strip() == ""
