"""What the wire knows of a title, read when the title is first met."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.message import Message
from msgspec import Struct

from boardkeeper.titles.registry import load_module

PACKAGE = "boardkeeper.wire.titles"
"""Where the module of each title is, named by the title's id."""


@dataclass(frozen=True, slots=True)
class TitleWire:
    """A title's structs and the messages that they go over as."""

    commands: tuple[type[Struct], ...]
    command_message: type[Message]
    events: tuple[type[Struct], ...]
    event_message: type[Message]
    board: type[Struct]
    board_message: type[Message]


def load_wire(id: str) -> TitleWire:
    """The structs and messages of a title; raises ``KeyError`` for one that is not installed here."""
    wire: TitleWire = load_module(PACKAGE, id).WIRE
    return wire
