"""Perft for euros: how many ways there are to play on from a position (``docs/perft.md``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from boardkeeper.table.dice import Dice
from boardkeeper.table.events import unfold
from boardkeeper.table.table import Table
from boardkeeper.table.title import Setup
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.title import TITLE

FOLDER = Path(__file__).parent / "orleans"
DICE_KEY = b"perft"
"""The key of the dice wherever chance is met."""


class PerftFile(Struct, frozen=True):
    """A position with the number of leaves of its tree at each depth from 1, and of the deepest by first command."""

    setup: Setup
    position: Board
    counts: list[int]
    split: dict[str, int]


def bound(setup: Setup, position: Board) -> OrleansPlay:
    """The rules on a table that begins from the position."""
    return TITLE.play(Table(TITLE.position(setup, position)), Dice(DICE_KEY), setup)


def leaves(play: OrleansPlay, depth: int) -> int:
    """The leaves of the tree of that depth; the seat with the lowest number among those deciding goes first."""
    deciding = play.t.table.deciding()
    if not depth or not deciding:
        return 1
    seat = deciding[0]
    legal = play.legal(seat)
    if depth == 1:
        return len(legal)
    return sum(_after(play, seat, command, depth) for command in legal)


def split(play: OrleansPlay, depth: int) -> dict[str, int]:
    """The leaves below each first command, which is written as its name and its fields."""
    seat = play.t.table.deciding()[0]
    return {written(command): _after(play, seat, command, depth) for command in play.legal(seat)}


def _after(play: OrleansPlay, seat: int, command: Struct, depth: int) -> int:
    rejection = play.decide(seat, command)
    assert rejection is None, f"seat {seat}: {command} is listed but refused: {rejection}"
    events = play.recorder.take()
    found = leaves(play, depth - 1)
    for event in reversed(events):
        unfold(play.t.table, event.effects)
    return found


def written(command: Struct) -> str:
    """A command in one line: its name, then its fields as canonical JSON."""
    return f"{type(command).__name__} {msgspec.json.encode(command, order='sorted').decode()}"


def read(path: Path) -> PerftFile:
    """A published file."""
    return msgspec.json.decode(path.read_bytes(), type=PerftFile)


def encode(file: PerftFile) -> bytes:
    """The bytes of a published file."""
    plain: Any = msgspec.to_builtins(file)
    return msgspec.json.format(msgspec.json.encode(plain, order="sorted"), indent=1) + b"\n"


def files() -> list[Path]:
    """All published files."""
    return sorted(FOLDER.glob("*/*.json"))
