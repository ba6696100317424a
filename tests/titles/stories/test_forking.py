"""The cards that a fork deals again for a viewer."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.titles.stories.nations import NationsGame
from tests.titles.stories.playing import set_up_game

from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import layout_of, redeal_hidden
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import SPECTATOR, shared_by
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.title import TITLE


@pytest.mark.parametrize("viewer", [SPECTATOR, 1])
def test_fork_of_an_open_game_deals_nothing(viewer: int) -> None:
    assert TITLE.exchangeable_zones(set_up_game("settlers", 3, "open").table, viewer) == ()


def test_game_with_sealed_plans_cannot_be_forked() -> None:
    table = set_up_game("settlers", 2, "sealed", planning="sealed").table
    assert TITLE.exchangeable_zones(table, 1) is None


def test_fork_deals_hidden_nations_and_messages() -> None:
    table = set_up_game("england-vs-france", 4, "secrets").table
    seats = [f"seat.{number}" for number in (2, 3, 4)]
    groups = TITLE.exchangeable_zones(table, 1)
    assert groups is not None
    nations, messages = map(set, groups)
    assert nations == {f"{seat}.nation" for seat in seats}
    assert messages == {"messages", *(f"{seat}.dealt" for seat in seats)}


def test_fork_deals_the_kept_message_of_another_seat() -> None:
    play = set_up_game("england-vs-france", 4, "secrets")
    assert play.decide(1, c.KeepMessage(play.board(1).seats[0].dealt[0])) is None
    for viewer, others in ((1, {"seat.2.dealt"}), (2, {"seat.1.message", "seat.1.returned"})):
        groups = TITLE.exchangeable_zones(play.table, viewer)
        assert groups is not None
        assert set(groups[1]) == {"messages", "seat.3.dealt", "seat.4.dealt"} | others


def fork(game: NationsGame, viewer: int, number: int) -> Table:
    """Return the table of a viewer's fork."""
    table = Table(layout_of(game.table))
    groups = TITLE.exchangeable_zones(table, viewer)
    assert groups is not None
    redeal_hidden(table, viewer, groups, Dice(f"fork {number}".encode()))
    return table


def card(table: Table, zone: str) -> str:
    """Return the only card in a zone."""
    (found,) = table.zones[zone].counts()
    return found


def test_fork_respects_seen_cards() -> None:
    """Seat 4 of France has seen that 2 is of France, so 1 and 3 are of England. Seat 3 knows only its own nation."""
    game = NationsGame()
    game.t.recorder.show(game.seat(2).nation, shared_by(2, 4))
    informed, other = ([fork(game, viewer, number) for number in range(200)] for viewer in (4, 3))
    for table in informed:
        assert [card(table, f"seat.{seat}.nation") for seat in range(1, 5)] == ["england", "france"] * 2
        assert card(table, "seat.4.message") == "s4"
    teams = Counter(tuple(card(table, f"seat.{seat}.nation") for seat in range(1, 5)) for table in other)
    assert {team[2] for team in teams} == {"england"}
    assert all(team.count("england") == 2 for team in teams)
    assert len(teams) == 3, "all deals of the other nations occur"
    assert min(teams.values()) > 30
    messages = {card(table, "seat.1.message") for table in other}
    assert "s3" not in messages, "the seat's own message"
    assert len(messages) > 6


def test_fork_deals_unseen_nations_in_all_ways() -> None:
    """Seat 4 of France has seen that 1 is of England: its teammate can be 2 or 3."""
    game = NationsGame()
    game.t.recorder.show(game.seat(1).nation, shared_by(1, 4))
    teammates = Counter(2 if card(fork(game, 4, number), "seat.2.nation") == "france" else 3 for number in range(400))
    assert set(teammates) == {2, 3}
    assert min(teammates.values()) > 150
