"""What a fork deals anew for a viewer."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.titles.stories.nations import NationsGame
from tests.titles.stories.playing import begun

from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import layout_of, redeal_hidden
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import SPECTATOR, shared_by
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.title import TITLE


@pytest.mark.parametrize("viewer", [SPECTATOR, 1])
def test_where_all_is_open_a_fork_deals_nothing_anew(viewer: int) -> None:
    assert TITLE.exchangeable_zones(begun("settlers", 3, "open").table, viewer) == ()


def test_plans_behind_screens_are_decided_and_no_deal_stands_for_them() -> None:
    table = begun("settlers", 2, "sealed", planning="sealed").table
    assert TITLE.exchangeable_zones(table, 1) is None


def test_nations_and_messages_are_dealt_anew_among_those_that_the_viewer_does_not_see() -> None:
    table = begun("england-vs-france", 4, "secrets").table
    seats = [f"seat.{number}" for number in (2, 3, 4)]
    groups = TITLE.exchangeable_zones(table, 1)
    assert groups is not None
    nations, messages = map(set, groups)
    assert nations == {f"{seat}.nation" for seat in seats}
    assert messages == {"messages", *(f"{seat}.dealt" for seat in seats)}


def test_a_message_that_somebody_else_kept_is_dealt_anew_and_ones_own_is_known() -> None:
    play = begun("england-vs-france", 4, "secrets")
    assert play.decide(1, c.KeepMessage(play.board(1).seats[0].dealt[0])) is None
    for viewer, others in ((1, {"seat.2.dealt"}), (2, {"seat.1.message", "seat.1.returned"})):
        groups = TITLE.exchangeable_zones(play.table, viewer)
        assert groups is not None
        assert set(groups[1]) == {"messages", "seat.3.dealt", "seat.4.dealt"} | others


def forked(game: NationsGame, viewer: int, number: int) -> Table:
    """The table of a fork for a viewer."""
    table = Table(layout_of(game.table))
    groups = TITLE.exchangeable_zones(table, viewer)
    assert groups is not None
    redeal_hidden(table, viewer, groups, Dice(f"fork {number}".encode()))
    return table


def card(table: Table, zone: str) -> str:
    """The only card in a zone."""
    (found,) = table.zones[zone].counts()
    return found


def test_a_fork_keeps_what_a_seat_has_seen_and_deals_the_rest_anew() -> None:
    """Seat 4 plays for France and has seen that 2 does too: so 1 and 3 play for England. Seat 3 knows itself alone."""
    game = NationsGame()
    game.t.recorder.show(game.seat(2).nation, shared_by(2, 4))
    looker, other = ([forked(game, viewer, number) for number in range(200)] for viewer in (4, 3))
    for table in looker:
        assert [card(table, f"seat.{seat}.nation") for seat in range(1, 5)] == ["england", "france"] * 2
        assert card(table, "seat.4.message") == "s4"
    teams = Counter(tuple(card(table, f"seat.{seat}.nation") for seat in range(1, 5)) for table in other)
    assert {team[2] for team in teams} == {"england"}
    assert all(team.count("england") == 2 for team in teams)
    assert len(teams) == 3, "every way to deal the others comes up"
    assert min(teams.values()) > 30
    messages = {card(table, "seat.1.message") for table in other}
    assert "s3" not in messages, "that is the seat's own"
    assert len(messages) > 6


def test_a_fork_of_who_has_looked_once_deals_what_is_left_both_ways() -> None:
    """Seat 4 plays for France and has seen that 1 does not: whether 2 or 3 is with him is open."""
    game = NationsGame()
    game.t.recorder.show(game.seat(1).nation, shared_by(1, 4))
    mates = Counter(2 if card(forked(game, 4, number), "seat.2.nation") == "france" else 3 for number in range(400))
    assert set(mates) == {2, 3}
    assert min(mates.values()) > 150
