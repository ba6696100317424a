"""Long menu lines are wrapped with a hanging indent, and words that belong together are not separated."""

from __future__ import annotations

import pytest
from rich.text import Text
from tests.client.test_drawing import text

from boardkeeper.terminal.drawing.layout import HangingIndent, draw_heading, without_breaks
from boardkeeper.terminal.drawing.menu import Entry, Section, draw_menu, number_entries

MENU = number_entries(
    (
        Section(
            Text("Crafts and Trade  □ Craftsman  (recruit: Craftsman, 1 Wood or recruit: Trader, 2 coins)"),
            (Entry(0, "Absolve  (Cleric + any + Merchant; 4 Silver, needs Faith 3 → 1 Jar)"), Entry(1, "Pass")),
        ),
    )
)


@pytest.mark.parametrize("width", range(30, 80))
def test_wrapped_menu_lines_are_indented(width: int) -> None:
    lines = text(draw_menu(MENU), width).splitlines()
    assert max(map(len, lines)) <= width
    firsts = [line[:6] for line in lines if not line.startswith(" " * 6)]
    assert firsts == ["Crafts", "    1 ", "    2 "]
    for whole in ("□ Craftsman", "1 Wood", "2 coins", "4 Silver", "1 Jar"):
        assert any(whole in line for line in lines)


def test_wrapping_loses_no_text_and_keeps_phrases_together() -> None:
    line = f"{without_breaks('■ taken here')}  {without_breaks('► has to decide')}  {without_breaks('• start player')}"
    for width in range(20, 60):
        lines = [line.rstrip() for line in text(HangingIndent(Text(line), 2), width).splitlines()]
        assert " ".join(lines).split() == line.replace(without_breaks(" "), " ").split()
        assert all(any(whole in line for line in lines) for whole in ("■ taken here", "► has to decide"))
    assert text(HangingIndent(Text(""), 4), 20).strip() == ""


FACTS = ("round 3/18", "", "Planning", "start player: Anna")
TITLE = "round 3/18 · Planning · start player: Anna"


@pytest.mark.parametrize("width", [20, len(TITLE), len(TITLE) + 3, len(TITLE) + 4, 120])
def test_a_heading_has_a_rule_if_it_fits(width: int) -> None:
    drawn = text(draw_heading(*FACTS), width)
    assert " ".join(drawn.split()).startswith(TITLE)
    assert ("─" in drawn) is (width >= len(TITLE) + 4)
    assert max(map(len, drawn.splitlines())) <= width
