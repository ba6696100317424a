"""Cursors: how far a client has read a stream, so that it can reopen the stream at that place."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol, TypeVar

from google.protobuf.message import Message

from boardkeeper.client.errors import BoardkeeperError, Unavailable
from boardkeeper.client.feed import numbers_of
from boardkeeper.v1 import event_pb2, feed_pb2, game_pb2, games_pb2

STARTED = "GameStarted"
"""The name of the event that starts a game, once all seats are taken."""
ENDED = "GameEnded"
"""The name of the last event of every game."""

OnClocks = Callable[[game_pb2.Clocks], None]
"""A callback for the clocks of a game that has a turn timer."""

_Request_co = TypeVar("_Request_co", bound=Message, covariant=True)
_Response_contra = TypeVar("_Response_contra", bound=Message, contravariant=True)
_Item_co = TypeVar("_Item_co", covariant=True)


class StreamCursor(Protocol[_Request_co, _Response_contra, _Item_co]):
    """The position of a reader in a stream."""

    @property
    def is_over(self) -> bool:
        """Return whether the stream has no further items."""

    def request(self) -> _Request_co:
        """Return the request that continues the stream."""

    def advance(self, response: _Response_contra) -> _Item_co | None:
        """Return the new item of a response; ``None`` for a heartbeat or an item that was returned before."""


class GameCursor:
    """The cursor of the events of one game."""

    def __init__(self, game_id: str, after_version: int, on_clocks: OnClocks | None = None) -> None:
        self.game_id = game_id
        self.version = after_version
        self.is_over = False
        self._on_clocks = on_clocks

    def request(self) -> games_pb2.WatchGameRequest:
        """See :meth:`StreamCursor.request`."""
        return games_pb2.WatchGameRequest(game_id=self.game_id, after_version=self.version)

    def is_at_end_of(self, game: game_pb2.Game) -> bool:
        """Return whether a game is over and this cursor has passed its last event."""
        return game.status == game_pb2.GAME_STATUS_ENDED and game.version <= self.version

    def advance(self, response: games_pb2.WatchGameResponse) -> event_pb2.Event | None:
        """See :meth:`StreamCursor.advance`. Raises :class:`BoardkeeperError` if the stream skipped an event."""
        if self._on_clocks is not None and response.HasField("clocks"):
            self._on_clocks(response.clocks)
        if response.WhichOneof("update") != "event":
            return None
        event = response.event
        if event.version <= self.version:
            return None
        if event.version != self.version + 1:
            raise BoardkeeperError(f"event {self.version + 1} of game {self.game_id} is missing from the stream")
        self.version = event.version
        self.is_over = event.name == ENDED
        return event


class FeedCursor:
    """The cursor of the event feed."""

    is_over = False

    def __init__(self, after_cursor: str, from_now: bool, title: str, game_id: str, kinds: Collection[str]) -> None:
        """Raises ``ValueError`` for an unknown kind."""
        self._request = feed_pb2.WatchGamesRequest(
            after_cursor=after_cursor,
            from_now=from_now,
            title=title,
            game_id=game_id,
            kinds=numbers_of(kinds),
        )

    def request(self) -> feed_pb2.WatchGamesRequest:
        """See :meth:`StreamCursor.request`."""
        return self._request

    def advance(self, response: feed_pb2.WatchGamesResponse) -> feed_pb2.FeedItem | None:
        """See :meth:`StreamCursor.advance`."""
        is_item = response.WhichOneof("update") == "item"
        cursor = response.item.cursor if is_item else response.heartbeat.cursor
        if cursor:
            self._request.after_cursor, self._request.from_now = cursor, False
        return response.item if is_item else None


def ended_early() -> Unavailable:
    """Return the error for a stream that the server or a proxy ended before its last item."""
    return Unavailable("the server ended the stream")
