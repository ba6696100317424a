"""Pictures of the tables of games: of a game on a server, or of a game record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from boardkeeper.terminal.pictures.engine import PictureError, built_files, engine
from boardkeeper.v1 import catalog_pb2, game_pb2, table_pb2

NO_RECORD = "it is not a record"
"""The beginning of the error for a file that is not a record."""

MAX_RECORD_BYTES = 64 * 2**20


@dataclass(frozen=True)
class PictureOptions:
    """The size and contents of a picture."""

    width: int = 1200
    """The width in pixels."""
    height: int = 0
    """The height in pixels to which the boards are fitted; 0: the height that they need."""
    paper: int = 0
    """The height in pixels of the frames of a film. All frames have the same size and arrangement of boards."""
    dark: bool = False
    seat: int = 0
    """The seat whose boards are drawn first; 0: none."""
    boards: Sequence[str] = ()
    """The ids of the boards to draw; empty: all."""


@dataclass(frozen=True)
class Picture:
    """A table as a self-contained SVG picture. Its size is in pixels."""

    svg: str
    width: int
    height: int
    boards: Sequence[str]
    """The ids of all boards of the game."""


@dataclass(frozen=True)
class Moment:
    """An event of a game. ``begins``: it is the first event of a submission. ``round``: it is the first of a round."""

    version: int
    seat: int
    name: str
    sentence: str
    begins: bool
    round: bool


@dataclass(frozen=True)
class RecordPictures:
    """The game of a record. Use it as a context manager, which frees the game in the engine.

    ``viewer`` is the viewer of the record: ``whole``, ``spectator`` or ``seat.N``.
    """

    game: str
    title: str
    viewer: str
    moments: Sequence[Moment]
    _number: int = field(repr=False)

    @classmethod
    def of(cls, record: bytes, language: str = "en", viewer: str = "") -> Self:
        """Read a record as a viewer (``seat.N`` or ``spectator``) sees it; by default completely.

        Raises :class:`PictureError` for an invalid record, and for one that does not contain what the viewer may see.
        """
        if len(record) > MAX_RECORD_BYTES:
            raise PictureError("it is too large to be a record")
        text = record.decode("utf-8", "replace")
        try:
            game = engine().call("openRecord", text, _library(text, language), language, viewer)
        except PictureError as error:
            raise PictureError(str(error).replace("NoRecord:", f"{NO_RECORD}:")) from None
        moments = [Moment(**moment) for moment in game["moments"]]
        return cls(game["game"], game["title"], game["viewer"], moments, game["number"])

    def draw(self, version: int, wish: PictureOptions) -> Picture:
        """Draw the table at a version. Raises :class:`PictureError`."""
        if not 1 <= version <= len(self.moments):
            raise PictureError(f"version {version} does not exist: the record has versions 1 to {len(self.moments)}")
        options = _options(wish, f"{self.title}, {version}")
        return _picture(engine().call("drawRecord", self._number, version, options), wish)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        engine().call("close", self._number)


@dataclass(frozen=True)
class TablePictures:
    """A game on a server. Use it as a context manager, which frees the game in the engine."""

    game: str
    title: str
    rounds: str
    """The marker that counts rounds; empty if the title has none."""
    _number: int = field(repr=False)

    @classmethod
    def of(cls, game: game_pb2.Game, catalogue: catalog_pb2.GetTitleResponse, language: str = "en") -> Self:
        """Open a game with the catalogue of its setup. Raises :class:`PictureError`."""
        opened = engine().call("openGame", _json(catalogue), _json(game), language)
        return cls(game.game_id, opened["title"], opened["rounds"], opened["number"])

    def draw(self, table: table_pb2.Table, version: int, wish: PictureOptions) -> Picture:
        """Draw a table of the game. Raises :class:`PictureError`."""
        options = _options(wish, f"{self.title}, {version}")
        return _picture(engine().call("drawTable", self._number, _json(table), options), wish)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        engine().call("close", self._number)


def _options(wish: PictureOptions, name: str) -> dict[str, Any]:
    return {
        "name": name, "seat": wish.seat, "dark": wish.dark, "width": wish.width, "height": wish.height,
        "paper": wish.paper, "boards": list(wish.boards),
    }  # fmt: skip


def _picture(answer: dict[str, Any], wish: PictureOptions) -> Picture:
    picture = Picture(**answer)
    unknown = [board for board in wish.boards if board not in picture.boards]
    if unknown:
        raise PictureError(f"there is no board {unknown[0]!r}; the boards are {', '.join(picture.boards)}")
    return picture


def _json(message: Message) -> dict[str, Any]:
    return MessageToDict(message)


def _library(record: str, language: str) -> dict[str, Any]:
    """Return the built files that a record needs: texts, and the catalogue of its title and edition."""
    names = [f"words.{language}"]
    try:
        detail = json.loads(record.split("\n", 2)[1])["event"]["detail"]
        names += [f"{detail['title']}.{language}", f"{detail['title']}.{detail['setup']['edition']}.{language}"]
    except (IndexError, KeyError, TypeError, ValueError):
        pass  # the script reports the error in the record
    known = built_files()
    return {name: json.loads(known[path]) for name in names if (path := f"titles/{name}.json") in known}
