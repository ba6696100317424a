"""The opponent's choice between options if it has no debt to pay, under both readings."""

from __future__ import annotations

import pytest

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.paladins.events import TargetChosen
from boardkeeper.titles.paladins.meta import META
from boardkeeper.titles.paladins.opponent import gains
from boardkeeper.titles.paladins.title import TITLE


@pytest.mark.parametrize(
    ("reading", "choice", "reason"),
    [
        ("right_option", "pay_debt_or_2_silver", "right_option"),
        ("no_effect", "pay_debt_or_2_silver", "none"),
        ("right_option", "pay_debt_or_2_discard_suspicion", "right_option"),
        ("no_effect", "pay_debt_or_2_discard_suspicion", "right_option"),
    ],
)
def test_a_reading_lets_the_opponent_choose_a_void_option_only_of_a_wall(
    reading: str, choice: str, reason: str
) -> None:
    setup = complete(META, Setup("", 2, {"opponent": "standard"}, {"ai_left_option_void": reading}))
    play = TITLE.play(Table(TITLE.layout(setup)), Dice(b"seed"), setup)
    play.set_up()
    play.recorder.take()
    opponent = play.t.opponent
    assert opponent
    opponent.due.owe(choice)
    gains.settle(play.t, opponent)
    chosen = [event.detail for event in play.recorder.take() if isinstance(event.detail, TargetChosen)]
    assert [detail.reason for detail in chosen] == [reason]
