"""The bots of every title."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import Struct
from tests.kit.adapters import adapters

from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.playing import play_out


@pytest.mark.parametrize("adapter", [pytest.param(it, id=it.id) for it in adapters()])
def test_choosing_changes_nothing_and_depends_on_nothing_but_what_the_seat_sees(adapter: Adapter) -> None:
    """A pure function: the same board, commands and chance give the same command."""
    title, calls = adapter.title, 0

    def watch(play: Any, seat: int, legal: Sequence[Struct]) -> None:
        nonlocal calls
        calls += 1
        if calls % 10:
            return
        board, again = play.board(seat), play.board(seat)
        for bot in title.meta.bots:
            chosen = title.choose(bot.id, board, seat, legal, 0.37)
            assert chosen in legal
            assert title.choose(bot.id, again, seat, list(legal), 0.37) == chosen
        assert board == again

    best = title.meta.bots[0].id
    play_out(title, (best, best), "pure", watch)
    assert calls > 100
