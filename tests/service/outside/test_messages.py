"""Commands, events and boards of a title of another package, in their envelopes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.any_pb2 import Any as AnyContent

from boardkeeper.titles import registry
from boardkeeper.v1 import board_pb2, command_pb2, event_pb2
from boardkeeper.wire import messages
from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.proto_json import encode_json
from boardkeeper.wire.title import load_title_wire

TYPE = "type.googleapis.com/boardkeeper.pebbles.v1.Command"
DRAW_TWO = b"\x0a\x02\x08\x02"


@pytest.fixture
def pebbles(site: Path) -> Any:
    """The title, allowed."""
    registry.allow("pebbles")
    return registry.load_title("pebbles")


def command(value: bytes = DRAW_TWO, type_url: str = TYPE) -> command_pb2.Command:
    return command_pb2.Command(outside=AnyContent(type_url=type_url, value=value))


def test_commands_events_and_boards_go_over_and_come_back(pebbles: Any) -> None:
    draw = pebbles.commands["DrawPebbles"](2)
    assert messages.command_to_message("pebbles", draw) == command()
    assert messages.command_from_message(command()) == ("pebbles", draw)
    emptied = pebbles.events["BagEmptied"]((2, 3))
    detail = messages.detail_to_message("pebbles", emptied)
    assert detail.outside.TypeName() == "boardkeeper.pebbles.v1.EventDetail"
    assert messages.detail_from_message(detail) == ("pebbles", emptied)
    board = pebbles.board_type(3, 4)
    assert messages.board_from_message(messages.board_to_message("pebbles", board)) == ("pebbles", board)


def test_json_has_the_fields_of_the_content(pebbles: Any) -> None:
    detail = messages.detail_to_message("pebbles", pebbles.events["BagEmptied"]((2, 3)))
    text = encode_json(detail)
    assert json.loads(text) == {
        "outside": {"@type": "type.googleapis.com/boardkeeper.pebbles.v1.EventDetail", "bagEmptied": {"white": [2, 3]}}
    }
    assert json.loads(text) == json_format.MessageToDict(detail)
    assert json_format.Parse(text, event_pb2.EventDetail()) == detail


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        (command(type_url="type.googleapis.com/boardkeeper.chess.v1.Command"), "`outside` is of a title that is not"),
        (command(type_url=TYPE.replace("Command", "Board")), "`outside` must have the type type.googleapis.com/boardk"),
        (command(type_url="type.googleapis.com/boardkeeper.orleans.v1.Command"), "of a title of another package, not"),
        (command(type_url="evil.example/boardkeeper.pebbles.v1.Command"), "`outside` must have the type"),
        (command(type_url=""), "`outside` must have the type"),
        (command(b"\xff"), "`outside` has a value that is not a message of type"),
        (command(b"\x0a\x03\x08\x02"), "`outside` has a value that is not a message of type"),
        (command(b""), "`outside.command` must be set"),
        (command(DRAW_TWO + b"\x98\x06\x01"), "`outside` has the field number 99, which is unknown"),
        (command(b"\x0a\x05\x08\x02\x98\x06\x01"), "`outside.draw_pebbles` has the field number 99, which is unknown"),
        (command_pb2.Command.FromString(b"\x9a\x01\x03\x98\x06\x01"), "`outside` must have the type"),
    ],
)
def test_a_command_that_cannot_be_read_says_why(pebbles: Any, message: command_pb2.Command, problem: str) -> None:
    with pytest.raises(ConversionError) as raised:
        messages.command_from_message(message)
    assert problem in str(raised.value)


def test_a_board_of_another_title_is_not_a_board_of_this_one(pebbles: Any) -> None:
    with pytest.raises(ConversionError, match="`outside` must have the type"):
        messages.board_from_message(board_pb2.Board(outside=command().outside))


def test_a_title_that_is_not_allowed_has_no_messages(site: Path) -> None:
    with pytest.raises(KeyError):
        load_title_wire("pebbles")
    with pytest.raises(ConversionError, match="is of a title that is not installed"):
        messages.prepare(["pebbles"])
