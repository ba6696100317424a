"""Perft for euros: how many ways there are to play on from a position (``docs/perft.md``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from boardkeeper.table.decoding import decode
from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.testkit import packed_files
from boardkeeper.titlekit.title import Play, Setup, Title

DICE_KEY = b"perft"
"""The key of the dice wherever chance is met."""


class Walk(Struct, frozen=True):
    """So many commands into a random game, the first of which is its number 0."""

    seed: int
    plies: int


class PerftFile(Struct, frozen=True, omit_defaults=True):
    """A position with the number of leaves of its tree at each depth from 1, and of the deepest by first command.

    The position is one of two: a ``layout`` with all that lies on the table, or a ``walk`` that leads there.
    """

    setup: Setup
    counts: list[int]
    split: dict[str, int]
    layout: TableLayout | None = None
    walk: Walk | None = None


def bind_position(title: Title, file: PerftFile) -> Play:
    """The rules on a table that begins from the file's position."""
    setup = file.setup
    if file.walk is not None:
        return play_walk(title, setup, file.walk)
    assert file.layout is not None, "a file has a layout or a walk"
    return _play(title, setup, file.layout)


def _play(title: Title, setup: Setup, layout: TableLayout) -> Play:
    return title.play(Table(layout), Dice(DICE_KEY), setup)


def play_walk(title: Title, setup: Setup, walk: Walk) -> Play:
    """The game after a walk."""
    play = _play(title, setup, title.layout(setup))
    play.set_up()
    play.recorder.take()
    for ply in range(walk.plies):
        step(play, walk.seed, ply)
    return play


def step(play: Play, seed: int, ply: int) -> None:
    """One command of a random game: of the deciding seat with the lowest number, whichever the dice say."""
    seat = play.table.deciding()[0]
    legal = play.legal(seat)
    command = legal[Dice(DICE_KEY).number(f"walk.{seed}", ply, len(legal))]
    rejection = play.decide(seat, command)
    assert rejection is None, f"seat {seat}: {command} is listed, but rejected: {rejection}"
    play.recorder.take()


def leaves(play: Play, depth: int) -> int:
    """The leaves of the tree of that depth; the seat with the lowest number among those deciding goes first."""
    deciding = play.table.deciding()
    if not depth or not deciding:
        return 1
    seat = deciding[0]
    legal = play.legal(seat)
    if depth == 1:
        return len(legal)
    return sum(_after(play, seat, command, depth) for command in legal)


def split(play: Play, depth: int) -> dict[str, int]:
    """The leaves below each first command, which is written as its name and its fields."""
    seat = play.table.deciding()[0]
    return {format_command(command): _after(play, seat, command, depth) for command in play.legal(seat)}


def _after(play: Play, seat: int, command: Struct, depth: int) -> int:
    rejection = play.decide(seat, command)
    assert rejection is None, f"seat {seat}: {command} is listed, but rejected: {rejection}"
    events = play.recorder.take()
    found = leaves(play, depth - 1)
    for event in reversed(events):
        play.table.revert_all(event.effects)
    return found


def format_command(command: Struct) -> str:
    """A command in one line: its name, then its fields as canonical JSON."""
    return f"{type(command).__name__} {msgspec.json.encode(command, order='sorted').decode()}"


def read(path: Path) -> PerftFile:
    """Return a published file."""
    return decode(packed_files.read(path), PerftFile)


def files(folder: Path) -> list[Path]:
    """Return the perft files of a title; its folder has one folder for each edition."""
    return packed_files.find(folder, "*/*.json")


def encode(file: PerftFile) -> bytes:
    """The bytes of a published file; a layout, which is long, is kept on one line."""
    plain: Any = msgspec.to_builtins(file)
    encoded = msgspec.json.encode(plain, order="sorted")
    return (encoded if file.layout else msgspec.json.format(encoded, indent=1)) + b"\n"
