"""Following all games of a platform: a stream of items that goes on where it broke."""

from __future__ import annotations

from collections.abc import Collection, Generator

from boardkeeper.client.connection import Connection
from boardkeeper.client.resuming import resumed
from boardkeeper.v1 import feed_pb2, feed_pb2_grpc

KINDS = {
    name.removeprefix("FEED_ITEM_KIND_").lower(): number
    for name, number in feed_pb2.FeedItemKind.items()
    if number != feed_pb2.FEED_ITEM_KIND_UNSPECIFIED
}
"""What items tell, by name: created, joined, turn, ended, result, removed, handed_over, taken_back and so on."""

_names: dict[int, str] = {number: name for name, number in KINDS.items()}


def name_of(kind: int) -> str:
    """What an item tells, by name; of a kind that a later version of the service has, its number."""
    return _names.get(kind, str(kind))


def numbers_of(kinds: Collection[str]) -> list[feed_pb2.FeedItemKind.ValueType]:
    """Kinds as messages have them; raises ``ValueError`` for one that there is not."""
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown:
        raise ValueError(f"unknown kind of item {unknown[0]!r}: the kinds are {', '.join(KINDS)}")
    return [number for name, number in KINDS.items() if name in kinds]


class Bookmark:
    """What is followed, and how far a reader has come, however often the stream breaks."""

    is_over = False

    def __init__(self, after_cursor: str, from_now: bool, title: str, game_id: str, kinds: Collection[str]) -> None:
        """Raises ``ValueError`` for a kind that there is not."""
        self._request = feed_pb2.WatchGamesRequest(
            after_cursor=after_cursor,
            from_now=from_now,
            title=title,
            game_id=game_id,
            kinds=numbers_of(kinds),
        )

    def request(self) -> feed_pb2.WatchGamesRequest:
        """Ask for what comes next."""
        return self._request

    def take(self, answer: feed_pb2.WatchGamesResponse) -> feed_pb2.FeedItem | None:
        """The item of an answer, or ``None`` for a heartbeat."""
        is_item = answer.WhichOneof("update") == "item"
        cursor = answer.item.cursor if is_item else answer.heartbeat.cursor
        if cursor:
            self._request.after_cursor, self._request.from_now = cursor, False
        return answer.item if is_item else None


def watch(
    connection: Connection, feed: feed_pb2_grpc.FeedStub, bookmark: Bookmark, token: str
) -> Generator[feed_pb2.FeedItem]:
    """Items, each once and in order, for ever; see :func:`~boardkeeper.client.resuming.resumed`."""
    return resumed(connection, feed.WatchGames, bookmark, token)
