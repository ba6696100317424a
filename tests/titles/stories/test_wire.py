"""Every command, event and board of a game is the same after encoding and decoding."""

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


def encode_and_decode(plan: Plan, message: type[Message], value: Struct) -> Struct:
    """Return a value after encoding and decoding."""
    decoded: Struct = plan.decode(message.FromString(message(**plan.encode(value)).SerializeToString()))
    return decoded


@pytest.mark.parametrize(("edition", "players"), [("settlers", 3), ("england-vs-france", 4)])
def test_whole_game_is_encoded_and_decoded(edition: str, players: int) -> None:
    decisions = 0

    def watch(play: StoriesPlay, seat: int, legal: Sequence[Struct]) -> None:
        nonlocal decisions
        decisions += 1
        if decisions % 9:
            return
        for command in legal:
            assert encode_and_decode(COMMANDS, WIRE.command_message, command) == command
        for viewer in (SPECTATOR, OPERATOR, seat):
            board = play.board(viewer)
            assert encode_and_decode(BOARDS, WIRE.board_message, board) == board

    play, events = play_out(["sensible"] * players, f"wire {edition}", watch, edition)
    assert decisions > 100
    board = play.board(SPECTATOR)
    assert encode_and_decode(BOARDS, WIRE.board_message, board) == board
    for event in events:
        assert encode_and_decode(EVENTS, WIRE.event_message, event.detail) == event.detail
