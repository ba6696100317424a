"""Pilgrimage: its duration. ``test_recruiting`` tests that the Monastery is closed during it."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame

from boardkeeper.titles.orleans import commands as c

MONK = c.RecruitFollower("monastery", "monk")


def test_orleans_pilgrimage_planning_allowed() -> None:
    """Our ruling: the Monastery may be filled, although it cannot be used in this round."""
    game = OrleansGame(2).turn(5, "pilgrimage", "B").market(1, scholar=1, trader=1)
    game.enter("planning")
    game.do(1, c.PlaceFollower("scholar", "monastery", "scholar"), c.PlaceFollower("trader", "monastery", "trader"))
    game.do(1, c.FinishPlanning())
    game.do(2, c.FinishPlanning())
    game.reject(1, MONK, "orleans.monastery.not_during_pilgrimage")


def test_orleans_pilgrimage_planning_allowed__other_recruits() -> None:
    """Page 7: only monks cannot be recruited."""
    game = OrleansGame(2).turn(5, "pilgrimage", "C").fill(1, "castle").fill(1, "monastery")
    game.enter("actions")
    game.reject(1, MONK, "orleans.monastery.not_during_pilgrimage")
    game.do(1, c.RecruitFollower("castle", "knight"))


@pytest.mark.parametrize("strength", ["START", "B", "C"])
def test_orleans_pilgrimage_one_round(strength: str) -> None:
    """Page 7: it ends with its round; a Monastery filled during it can be used in the next round."""
    game = OrleansGame(2).turn(5, "pilgrimage", strength).fill(1, "monastery").next_tile("income", "C")
    game.enter("actions")
    coins = [seat.coins.value for seat in game.t.seats]
    game.reject(1, MONK, "orleans.monastery.not_during_pilgrimage")
    game.idle_round()
    assert game.t.event.value == "income"
    assert [seat.coins.value for seat in game.t.seats] == coins, "it has no effect in the event phase"

    game.idle_until("actions")
    while game.deciding() != [1]:
        game.idle(game.deciding()[0])
    game.do(1, MONK)

    assert game.seat(1).bag.items["monk"] == 1
