"""What goes over the wire comes back as it was: every command, event and board of a game."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from google.protobuf.message import Message
from msgspec import Struct
from tests.titles.stories.playing import play_out

from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.titles.stories.play import StoriesPlay
from boardkeeper.wire.plans import Plan, descriptor_of, plan_struct, plan_union
from boardkeeper.wire.title import load_title_wire

WIRE = load_title_wire("stories")
BOARDS = plan_struct(WIRE.board, descriptor_of(WIRE.board_message))
COMMANDS = plan_union(WIRE.commands, descriptor_of(WIRE.command_message))
EVENTS = plan_union(WIRE.events, descriptor_of(WIRE.event_message))


def over(plan: Plan, message: type[Message], value: Struct) -> Struct:
    """The value as it comes out on the other side."""
    there: Struct = plan.decode(message.FromString(message(**plan.encode(value)).SerializeToString()))
    return there


@pytest.mark.parametrize(("edition", "players"), [("settlers", 3), ("england-vs-france", 4)])
def test_a_whole_game_goes_over_the_wire(edition: str, players: int) -> None:
    asked = 0

    def watch(play: StoriesPlay, seat: int, legal: Sequence[Struct]) -> None:
        nonlocal asked
        asked += 1
        if asked % 9:
            return
        for command in legal:
            assert over(COMMANDS, WIRE.command_message, command) == command
        for viewer in (SPECTATOR, OPERATOR, seat):
            board = play.board(viewer)
            assert over(BOARDS, WIRE.board_message, board) == board

    play, events = play_out(["sensible"] * players, f"wire {edition}", watch, edition)
    assert asked > 100
    board = play.board(SPECTATOR)
    assert over(BOARDS, WIRE.board_message, board) == board
    for event in events:
        assert over(EVENTS, WIRE.event_message, event.detail) == event.detail
