"""Games whose tables are drawn: of a service, or of a record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from boardkeeper.terminal.pictures.engine import PictureError, engine, made
from boardkeeper.v1 import catalog_pb2, game_pb2, table_pb2

NO_RECORD = "it is not a record"
"""How the error of a file begins that is no record."""

LARGEST = 64 * 2**20
"""No record has more bytes."""


@dataclass(frozen=True)
class Wish:
    """How a picture is to be."""

    width: int = 1200
    """Pixels."""
    height: int = 0
    """Pixels, into which the boards are fitted; 0: as many as they take."""
    paper: int = 0
    """The same, but without another arrangement of the boards: for pictures of a film, which have one size."""
    dark: bool = False
    seat: int = 0
    """Whose boards are nearest; 0: nobody's."""
    boards: Sequence[str] = ()
    """Only these, by their ids; none: all."""


@dataclass(frozen=True)
class Picture:
    """A table as SVG, which says everything itself; its size is in pixels."""

    svg: str
    width: int
    height: int
    boards: Sequence[str]
    """The ids of all boards of the game."""


@dataclass(frozen=True)
class Moment:
    """An event of a game. ``begins`` if somebody's commands led to it, ``round`` if another round began with it."""

    version: int
    seat: int
    name: str
    sentence: str
    begins: bool
    round: bool


@dataclass(frozen=True)
class RecordPictures:
    """The game of a record. Use it as a context: the engine keeps the game until then.

    ``viewer`` is whose record it is: ``whole``, ``spectator`` or ``seat.N``.
    """

    game: str
    title: str
    viewer: str
    moments: Sequence[Moment]
    _number: int = field(repr=False)

    @classmethod
    def of(cls, record: bytes, language: str = "en", viewer: str = "") -> Self:
        """Read a record, as its ``viewer`` (``seat.N``, ``spectator``) sees it; empty: all that it tells.

        Raises :class:`PictureError` for what is no record, and for one that does not tell what that viewer may see.
        """
        if len(record) > LARGEST:
            raise PictureError("it is too large to be a record")
        text = record.decode("utf-8", "replace")
        try:
            told = engine().call("openRecord", text, _library(text, language), language, viewer)
        except PictureError as error:
            raise PictureError(str(error).replace("NoRecord:", f"{NO_RECORD}:")) from None
        moments = [Moment(**moment) for moment in told["moments"]]
        return cls(told["game"], told["title"], told["viewer"], moments, told["number"])

    def draw(self, version: int, wish: Wish) -> Picture:
        """The table at a version; raises :class:`PictureError`."""
        if not 1 <= version <= len(self.moments):
            raise PictureError(f"version {version} does not exist: the record has versions 1 to {len(self.moments)}")
        asked = _asked(wish, f"{self.title}, {version}")
        return _picture(engine().call("drawRecord", self._number, version, asked), wish)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        engine().call("close", self._number)


@dataclass(frozen=True)
class TablePictures:
    """A game of a service, whose tables are drawn as the service tells them. Use it as a context."""

    game: str
    title: str
    rounds: str
    """The marker that counts rounds; empty: there is none."""
    _number: int = field(repr=False)

    @classmethod
    def of(cls, game: game_pb2.Game, catalogue: catalog_pb2.GetTitleResponse, language: str = "en") -> Self:
        """Of a game, and what the catalogue tells of its title as it is played there; raises :class:`PictureError`."""
        told = engine().call("openGame", _json(catalogue), _json(game), language)
        return cls(game.game_id, told["title"], told["rounds"], told["number"])

    def draw(self, table: table_pb2.Table, version: int, wish: Wish) -> Picture:
        """A table of the game; raises :class:`PictureError`."""
        asked = _asked(wish, f"{self.title}, {version}")
        return _picture(engine().call("drawTable", self._number, _json(table), asked), wish)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        engine().call("close", self._number)


def _asked(wish: Wish, name: str) -> dict[str, Any]:
    return {
        "name": name, "seat": wish.seat, "dark": wish.dark, "width": wish.width, "height": wish.height,
        "paper": wish.paper, "boards": list(wish.boards),
    }  # fmt: skip


def _picture(answer: dict[str, Any], wish: Wish) -> Picture:
    picture = Picture(**answer)
    unknown = [board for board in wish.boards if board not in picture.boards]
    if unknown:
        raise PictureError(f"there is no board {unknown[0]!r}; the boards are {', '.join(picture.boards)}")
    return picture


def _json(message: Message) -> dict[str, Any]:
    return MessageToDict(message)


def _library(record: str, language: str) -> dict[str, Any]:
    """The files of the library that a record needs: words, and the catalogue of its title and edition."""
    names = [f"words.{language}"]
    try:
        detail = json.loads(record.split("\n", 2)[1])["event"]["detail"]
        names += [f"{detail['title']}.{language}", f"{detail['title']}.{detail['setup']['edition']}.{language}"]
    except (IndexError, KeyError, TypeError, ValueError):
        pass  # the script says what is wrong with it
    known = made()
    return {name: json.loads(known[path]) for name in names if (path := f"titles/{name}.json") in known}
