"""``docs/position-orleans.md`` tells of every field that a position has, and of no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor import Descriptor

from boardkeeper.orleans.v1 import board_pb2
from boardkeeper.titles.orleans.position_checks import PHASES
from boardkeeper.titles.orleans.position_decisions import DECISIONS


def section(repository: Path) -> str:
    """What the page says of Orléans."""
    return (repository / "docs" / "position-orleans.md").read_text("utf-8").partition("## Orléans, field by field")[2]


def messages(message: Descriptor) -> Iterator[Descriptor]:
    """A message and those below it that a position has: no score sheet, as its game is not over."""
    yield message
    for field in message.fields:
        below = field.message_type
        if below is not None and not below.GetOptions().map_entry and below.name != "ScoreView":
            yield from messages(below)


def fields() -> set[str]:
    """The fields of the board and of everything on it."""
    return {field.name for message in messages(board_pb2.Board.DESCRIPTOR) for field in message.fields}


def first_columns(text: str) -> set[str]:
    """What the rows of the tables are about."""
    rows = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def test_every_field_of_the_board_is_told_of(repository: Path) -> None:
    named = set(re.findall(r"`(\w+)`", section(repository)))
    assert len(fields()) > 60
    assert not fields() - named


def test_seats_and_the_table_have_a_row_for_each_field(repository: Path) -> None:
    rows = first_columns(section(repository))
    seat = next(message for message in messages(board_pb2.Board.DESCRIPTOR) if message.name == "SeatView")
    own = {field.name for field in (*board_pb2.Board.DESCRIPTOR.fields, *seat.fields)} - {"seats"}
    assert not own - rows


def test_no_row_is_about_what_there_is_not(repository: Path) -> None:
    assert not first_columns(section(repository)) - fields()


def test_every_phase_and_decision_is_told_of(repository: Path) -> None:
    named = set(re.findall(r"`(\w+)`", section(repository)))
    assert set(PHASES) == set(DECISIONS)
    assert not {*PHASES, *(decision for open in DECISIONS.values() for decision in open)} - named
