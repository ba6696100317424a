"""The structs of Orléans Stories and their messages."""

from __future__ import annotations

from boardkeeper.stories.v1 import board_pb2, commands_pb2, events_pb2
from boardkeeper.titles.stories.board import Board
from boardkeeper.titles.stories.commands import COMMANDS
from boardkeeper.titles.stories.events import EVENTS
from boardkeeper.wire.title import TitleWire

WIRE = TitleWire(
    commands=COMMANDS,
    command_message=commands_pb2.Command,
    events=EVENTS,
    event_message=events_pb2.EventDetail,
    board=Board,
    board_message=board_pb2.Board,
)
