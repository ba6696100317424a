"""The feed of all games, as a database keeps it: what platforms are told, in an order that never changes.

Items are written in the transaction of the append that they come from, so that there is none of what was not stored,
and none is missing. Each gets a number, which is its place for ever: in a file when it is written, for there is one
writer; where several processes write, afterwards (:meth:`FeedTables.settle`), because there commits are not seen in the
order in which anything before them was. Whoever has read everything up to a number therefore has everything before it.

Each item has a random id besides. A reader's cursor names number and id: in another database, or in one that was set
back to a backup, the number stands for another item, which its id shows.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple, Protocol
from uuid import UUID

import msgspec
from msgspec import Struct

from boardkeeper.service.storage.rows import DamagedLineError, Small, encode
from boardkeeper.table.title import Standing

CREATED = "created"
JOINED = "joined"
TURN = "turn"
ENDED = "ended"
RESULT = "result"
REMOVED = "removed"
HANDED_OVER = "handed_over"
TAKEN_BACK = "taken_back"
RESIGNED = "resigned"
TIME_EXPIRED = "time_expired"
VOTE = "vote"

KINDS = (CREATED, JOINED, TURN, ENDED, RESULT, REMOVED, HANDED_OVER, TAKEN_BACK, RESIGNED, TIME_EXPIRED, VOTE)
"""Everything that is told of games."""

BLANK = ""
"""The kind of an item whose game was removed: only its place is left."""

ID_BYTES = 16


class FeedItem(NamedTuple):
    """An item as it is written. Its platform and title are those that the game has in the database.

    ``version`` is that of the game's event that it tells of, ``time`` in milliseconds since 1970, ``content`` what
    :func:`content` gives. ``id`` is random.
    """

    id: bytes
    game: UUID
    version: int
    time: int
    kind: str
    content: bytes


class Content(Struct, frozen=True, omit_defaults=True):
    """What an item says beyond its kind: which seats it is about; the result; the kind of bot that plays on."""

    seats: tuple[int, ...] = ()
    standings: tuple[Standing, ...] = ()
    bot: str = ""


class FeedRow(Struct, frozen=True):
    """An item as it is read, with its place."""

    number: int
    id: bytes
    platform: str
    game: UUID
    title: str
    version: Small
    time: int
    kind: str
    content: Content = Content()


class Ends(NamedTuple):
    """The numbers of the oldest and the newest item that are kept, 0 if there is none, and the newest one's id."""

    oldest: int = 0
    newest: int = 0
    newest_id: bytes = b""


_NOTHING_MORE = encode(Content())
_decode = msgspec.json.Decoder(Content).decode


def item(
    game: UUID,
    version: int,
    time: int,
    kind: str,
    seats: Sequence[int] = (),
    standings: Sequence[Standing] = (),
    bot: str = "",
) -> FeedItem:
    """An item to be written."""
    content = encode(Content(tuple(seats), tuple(standings), bot)) if seats or standings else _NOTHING_MORE
    return FeedItem(os.urandom(ID_BYTES), game, version, time, kind, content)


def content_of(stored: object) -> Content:
    """What was written; raises ``DamagedLineError`` for what nobody writes."""
    try:
        return _decode(stored)  # type: ignore[arg-type]  # whatever a damaged file has there
    except (msgspec.MsgspecError, TypeError) as error:
        raise DamagedLineError(f"an item of the feed cannot be read: {error}") from error


class PruneFeed(Struct, frozen=True):
    """Items below a number go, but never the newest one, which the next goes on from; dead letters go with them."""

    below: int


class PutFeed(Struct, frozen=True):
    """Items with the numbers and ids that they had in another database; one that is there already conflicts."""

    rows: tuple[FeedRow, ...]


FeedChange = PruneFeed | PutFeed


class FeedTables(Protocol):
    """The ways to ask a database for it; they block."""

    def settle(self) -> int:
        """Give numbers to what was written since, and tell how many; called before anything new is looked for."""

    def ends(self) -> Ends:
        """From where to where it goes."""

    def id_at(self, number: int) -> bytes:
        """The id of an item; empty if it is not there."""

    def page(
        self, after: int, until: int, limit: int, *, platform: str | None = None, game: UUID | None = None
    ) -> list[FeedRow]:
        """Items with ``after < number <= until``, in order: of a platform, or of nobody (empty), or all; of one game.

        Those of removed games are there, blank, unless a game is given. Raises ``DamagedLineError``.
        """
