"""What stands above a table is whole at any width."""

from __future__ import annotations

import pytest
from tests.client.test_drawing import text

from boardkeeper.terminal.drawing.heading import heading

FACTS = ("round 3/18", "", "Planning", "start player: Anna")
TITLE = "round 3/18 · Planning · start player: Anna"


@pytest.mark.parametrize("width", [20, len(TITLE), len(TITLE) + 3, len(TITLE) + 4, 120])
def test_facts_stand_in_a_rule_or_without_it_where_there_is_no_room(width: int) -> None:
    drawn = text(heading(*FACTS), width)
    assert " ".join(drawn.split()).startswith(TITLE)
    assert ("─" in drawn) is (width >= len(TITLE) + 4)
    assert max(map(len, drawn.splitlines())) <= width
