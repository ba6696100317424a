"""Perft: count the ways to continue a game from a position (docs/perft.md)."""

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
"""The key of the dice."""


class Walk(Struct, frozen=True):
    """A random game: its seed, and the number of its commands."""

    seed: int
    plies: int


class PerftFile(Struct, frozen=True, omit_defaults=True):
    """A position and the sizes of its tree.

    ``counts`` has the number of leaves at each depth from 1, and ``split`` those of the greatest depth by first
    command. The position is a ``layout`` or a ``walk``.
    """

    setup: Setup
    counts: list[int]
    split: dict[str, int]
    layout: TableLayout | None = None
    walk: Walk | None = None


def bind_position(title: Title, file: PerftFile) -> Play:
    """Return the rules, bound to a table in the position of a file."""
    setup = file.setup
    if file.walk is not None:
        return play_walk(title, setup, file.walk)
    assert file.layout is not None, "a file has a layout or a walk"
    return _play(title, setup, file.layout)


def _play(title: Title, setup: Setup, layout: TableLayout) -> Play:
    return title.play(Table(layout), Dice(DICE_KEY), setup)


def play_walk(title: Title, setup: Setup, walk: Walk) -> Play:
    """Return the game after a walk."""
    play = _play(title, setup, title.layout(setup))
    play.set_up()
    play.recorder.take()
    for ply in range(walk.plies):
        step(play, walk.seed, ply)
    return play


def step(play: Play, seed: int, ply: int) -> None:
    """Give a random command of the first deciding seat."""
    seat = play.table.deciding()[0]
    legal = play.legal(seat)
    command = legal[Dice(DICE_KEY).number(f"walk.{seed}", ply, len(legal))]
    rejection = play.decide(seat, command)
    assert rejection is None, f"seat {seat}: {command} is listed, but rejected: {rejection}"
    play.recorder.take()


def leaves(play: Play, depth: int) -> int:
    """Return the number of leaves at a depth. If several seats have to decide, the first one does."""
    deciding = play.table.deciding()
    if not depth or not deciding:
        return 1
    seat = deciding[0]
    legal = play.legal(seat)
    if depth == 1:
        return len(legal)
    return sum(_after(play, seat, command, depth) for command in legal)


def split(play: Play, depth: int) -> dict[str, int]:
    """Return the number of leaves below each first command, by :func:`format_command`."""
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
    """Return a command on one line: its name, and its fields as canonical JSON."""
    return f"{type(command).__name__} {msgspec.json.encode(command, order='sorted').decode()}"


def read(path: Path) -> PerftFile:
    """Return a published file."""
    return decode(packed_files.read(path), PerftFile)


def files(folder: Path) -> list[Path]:
    """Return the perft files of a title; its folder has one folder for each edition."""
    return packed_files.find(folder, "*/*.json")


def encode(file: PerftFile) -> bytes:
    """Return the contents of a file; a layout, which is long, stays on one line."""
    plain: Any = msgspec.to_builtins(file)
    encoded = msgspec.json.encode(plain, order="sorted")
    return (encoded if file.layout else msgspec.json.format(encoded, indent=1)) + b"\n"
