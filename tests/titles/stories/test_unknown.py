"""What a fork deals anew for a viewer."""

from __future__ import annotations

import pytest
from tests.titles.stories.playing import begun

from boardkeeper.table.visibility import SPECTATOR
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.title import TITLE


@pytest.mark.parametrize("viewer", [SPECTATOR, 1])
def test_where_all_is_open_a_fork_deals_nothing_anew(viewer: int) -> None:
    assert TITLE.unknown(begun("settlers", 3, "open").table, viewer) == ()


def test_plans_behind_screens_are_decided_and_no_deal_stands_for_them() -> None:
    table = begun("settlers", 2, "sealed", planning="sealed").table
    assert TITLE.unknown(table, 1) is None


def test_nations_and_messages_are_dealt_anew_among_those_that_the_viewer_does_not_see() -> None:
    table = begun("england-vs-france", 4, "secrets").table
    seats = [f"seat.{number}" for number in (2, 3, 4)]
    groups = TITLE.unknown(table, 1)
    assert groups is not None
    nations, messages = map(set, groups)
    assert nations == {f"{seat}.nation" for seat in seats}
    assert messages == {"messages", *(f"{seat}.dealt" for seat in seats)}


def test_a_message_that_somebody_else_kept_is_decided_and_one_s_own_is_known() -> None:
    play = begun("england-vs-france", 4, "secrets")
    assert play.decide(1, c.KeepMessage(play.board(1).seats[0].dealt[0])) is None
    assert TITLE.unknown(play.table, 1)
    assert TITLE.unknown(play.table, 2) is None
