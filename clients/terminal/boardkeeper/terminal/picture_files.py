"""Pictures of the boards of a game or of a record file."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from boardkeeper.game.record_reading import describe_conversion
from boardkeeper.terminal import record_files
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.connections import warn_of_damage
from boardkeeper.terminal.environment import STANDARD
from boardkeeper.terminal.errors import DONE, CommandError
from boardkeeper.terminal.locations import OpenGame, open_game
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.paths import is_file
from boardkeeper.terminal.pictures.board_pictures import (
    MAX_RECORD_BYTES,
    NO_RECORD,
    Moment,
    Picture,
    PictureOptions,
    RecordPictures,
    TablePictures,
)
from boardkeeper.terminal.pictures.engine import PictureError
from boardkeeper.terminal.pictures.png import png
from boardkeeper.terminal.saved_seats import SeatFile, data_folder, saved_seat

SPECTATOR = "spectator"
"""The viewer of records without a seat."""


class GamePictures(Protocol):
    """A game whose boards can be drawn at any version."""

    @property
    def game(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def source(self) -> str:
        """An identifier of the source. The same source always gives the same picture of a version."""

    @property
    def last(self) -> int:
        """The newest version."""

    @property
    def is_private(self) -> bool:
        """Return whether the pictures show hidden information of a running game."""

    def moments(self) -> Sequence[Moment]:
        """Return all events in order."""

    def picture(self, version: int, wish: PictureOptions) -> Picture:
        """Draw the boards at a version."""


@contextmanager
def open_pictures(arguments: Arguments, output: Output) -> Iterator[GamePictures]:
    """Open the game or record that the arguments name. Raises :class:`CommandError`."""
    try:
        if _is_record(arguments.game):
            record = record_files.read(arguments.game, MAX_RECORD_BYTES, "record")
            with _pictures_of(record, arguments) as pictures:
                yield _OfRecord(pictures, f"record {sha256(record).hexdigest()}", arguments.seat)
            return
        with open_game(arguments, output) as found:
            game = found.game
            warn_of_damage(game, arguments.language, output)
            seat = arguments.seat or 0
            token = saved_seat(SeatFile(data_folder()), game.game_id, found.location, seat).token if seat else ""
            catalogue = found.client.title(
                game.title, game.edition, players=len(game.seats), options=game.options, readings=game.readings
            )
            with TablePictures.of(game, catalogue, arguments.language) as tables:
                yield _OfGame(found, tables, token)
    except PictureError as error:
        raise CommandError(f"cannot draw {arguments.game}: {error}.") from error


def show(arguments: Arguments, output: Output) -> int:
    """Draw one picture, and save or print it."""
    record_files.check_one_output(arguments.svg, arguments.png)
    for file in (arguments.svg, arguments.png):
        if file:
            check_drawable(file)
    with open_pictures(arguments, output) as drawn:
        version = drawn.last if arguments.at is None else arguments.at
        picture = drawn.picture(version, picture_style(arguments))
        for file in (arguments.svg, arguments.png):
            if not file:
                continue
            content = picture.svg.encode() if file is arguments.svg else png(picture.svg)
            record_files.save(content, file, private=drawn.is_private)
            if file != STANDARD:
                output.remark(f"{file}: game {drawn.game}, version {version}, {picture.width} × {picture.height}")
                output.record(
                    {"file": file, "game": drawn.game, "version": version, "width": picture.width,
                     "height": picture.height, "boards": list(picture.boards)}
                )  # fmt: skip
    return DONE


def picture_style(arguments: Arguments) -> PictureOptions:
    """Return the style of pictures from the flags."""
    return PictureOptions(
        width=arguments.width,
        height=arguments.height or 0,
        dark=arguments.dark,
        seat=arguments.seat or 0,
        boards=tuple(filter(None, (arguments.boards or "").split(","))),
    )


@dataclass(frozen=True)
class _OfRecord:
    pictures: RecordPictures
    source: str
    seat: int | None
    """The viewer; without one, everything in the record is shown."""

    @property
    def game(self) -> str:
        return self.pictures.game

    @property
    def title(self) -> str:
        return self.pictures.title

    @property
    def last(self) -> int:
        return len(self.pictures.moments)

    @property
    def is_private(self) -> bool:
        shows = self.pictures.viewer if self.seat is None else _viewer(self.seat)
        return shows != SPECTATOR and self.pictures.moments[-1].name != "GameEnded"

    def moments(self) -> Sequence[Moment]:
        return self.pictures.moments

    def picture(self, version: int, wish: PictureOptions) -> Picture:
        return self.pictures.draw(version, wish)


@dataclass(frozen=True)
class _OfGame:
    found: OpenGame
    tables: TablePictures
    token: str
    source: str = "game"
    """Stored events never change, so the game's id is enough."""

    @property
    def game(self) -> str:
        return self.found.game.game_id

    @property
    def title(self) -> str:
        return self.tables.title

    @property
    def last(self) -> int:
        return self.found.game.version

    @property
    def is_private(self) -> bool:
        return bool(self.token)

    def moments(self) -> Sequence[Moment]:
        found = []
        command = ""
        for event in self.found.client.events(self.game, token=self.token):
            if event.version > self.last:
                break
            begins = event.command_id not in ("", command)
            command = event.command_id
            round = any(effect.HasField("set") and effect.set.marker == self.tables.rounds for effect in event.effects)
            found.append(Moment(event.version, event.seat, event.name, event.sentence, begins, round))
        return found

    def picture(self, version: int, wish: PictureOptions) -> Picture:
        answer = self.found.client.table(self.game, version=version, token=self.token)
        if not answer.HasField("table"):
            raise CommandError(f"game {self.game} had no board yet at version {version}: it had not started.")
        return self.tables.draw(answer.table, answer.version, wish)


def _pictures_of(record: bytes, arguments: Arguments) -> RecordPictures:
    """Return the pictures of a record. Raises :class:`PictureError`, also for a compressed or re-encoded file."""
    try:
        return RecordPictures.of(record, arguments.language, _viewer(arguments.seat))
    except PictureError as error:
        converted = describe_conversion(record[: 1 << 16])
        if converted and str(error).startswith(NO_RECORD):
            raise PictureError(f"{NO_RECORD}: it {converted}") from error
        raise


def _is_record(name: str) -> bool:
    return name == STANDARD or is_file(Path(name))


def _viewer(seat: int | None) -> str:
    if seat is None:
        return ""
    return f"seat.{seat}" if seat else SPECTATOR


def check_drawable(file: str) -> None:
    """Raise :class:`CommandError` if a picture cannot be saved to a file. Called before drawing."""
    if file == STANDARD and sys.stdout.isatty():
        raise CommandError("a terminal cannot show pictures: name a file, or pipe the output to a program.")
    record_files.check_writable(file)
