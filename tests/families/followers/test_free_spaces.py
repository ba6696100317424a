"""The masks of free spaces always agree with the piles, however the table changes."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.families.followers.test_members import TITLES

from boardkeeper.families.followers.table import AnyTable
from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.titlekit.redaction import redact_into, redact_table
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_title


def expect_masks(t: AnyTable) -> int:
    """Check the masks of all seats against their piles; return the number of occupied spaces."""
    occupied = 0
    for seat in t.seats:
        estate = seat.estate()
        spaces = estate.spaces.entries
        assert estate.free() == sum(space.bit for space in spaces if not space.pile.items)
        assert estate.occupied(estate.free()) == [space for space in spaces if space.pile.items]
        occupied += len(estate.occupied(estate.free()))
    return occupied


@pytest.mark.parametrize("title", TITLES)
def test_masks_of_free_spaces_agree_with_the_piles(title: str) -> None:
    rules = load_title(title)
    setup = complete(rules.meta, Setup("", 3, {"planning": "sealed"}))
    table = Table(rules.layout(setup))
    play: Any = rules.play(table, Dice(b"free"), setup)
    play.set_up()
    redacted: Any = rules.play(redact_table(table, 1), Dice(b""), setup)
    choose = random.Random(title)
    most = 0
    for _ in range(120):
        seat = table.deciding()[0]
        before = play.recorder.savepoint()
        for command in choose.sample(play.legal(seat), k=1) * 2:  # once undone, once carried out
            play.recorder.rollback_to(before)
            expect_masks(play.t)
            assert play.decide(seat, command) is None
            most = max(most, expect_masks(play.t))
        play.recorder.take()
        redact_into(table, 2, redacted.table)
        expect_masks(redacted.t)
        expect_masks(rules.play(table, Dice(b""), setup).t)  # type: ignore[attr-defined]  # bound a second time
        expect_masks(rules.play(table.copy(), Dice(b""), setup).t)  # type: ignore[attr-defined]
    assert most > 5
