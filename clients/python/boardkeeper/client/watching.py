"""Following a game: a stream of events that goes on where it broke."""

from __future__ import annotations

from collections.abc import Callable, Generator

from boardkeeper.client.connection import Connection
from boardkeeper.client.errors import BoardkeeperError
from boardkeeper.client.resuming import resumed
from boardkeeper.v1 import event_pb2, game_pb2, games_pb2, games_pb2_grpc

STARTED = "GameStarted"
"""The event with which a game begins, once all seats are taken."""
ENDED = "GameEnded"
"""The last event of every game."""

OnClocks = Callable[[game_pb2.Clocks], None]
"""Who hears of the clocks of a game that has some, whenever they are told."""


class Cursor:
    """How far a watcher has come: each event goes past it once and in order, however often the stream breaks."""

    def __init__(self, game_id: str, after_version: int, on_clocks: OnClocks | None = None) -> None:
        self.game_id = game_id
        self.version = after_version
        self.is_over = False
        self._on_clocks = on_clocks

    def request(self) -> games_pb2.WatchGameRequest:
        """Ask for what comes next."""
        return games_pb2.WatchGameRequest(game_id=self.game_id, after_version=self.version)

    def probe(self) -> games_pb2.GetGameRequest:
        """A question with a quick answer; a stream says nothing for a while if nothing happens."""
        return games_pb2.GetGameRequest(game_id=self.game_id)

    def is_behind(self, game: game_pb2.Game) -> bool:
        """Whether nothing more is to come of a game; who begins behind its last event is not told of the end."""
        return game.status == game_pb2.GAME_STATUS_ENDED and game.version <= self.version

    def take(self, answer: games_pb2.WatchGameResponse) -> event_pb2.Event | None:
        """The event of an answer, or ``None`` for a heartbeat or an event that has been taken already.

        Raises :class:`~boardkeeper.client.errors.BoardkeeperError` if an event is missing before it.
        """
        if self._on_clocks is not None and answer.HasField("clocks"):
            self._on_clocks(answer.clocks)
        if answer.WhichOneof("update") != "event":
            return None
        event = answer.event
        if event.version <= self.version:
            return None
        if event.version != self.version + 1:
            raise BoardkeeperError(f"event {self.version + 1} of game {self.game_id} is missing from the stream")
        self.version = event.version
        self.is_over = event.name == ENDED
        return event


def watch(
    connection: Connection,
    games: games_pb2_grpc.GamesStub,
    game_id: str,
    after_version: int,
    token: str,
    on_clocks: OnClocks | None = None,
) -> Generator[event_pb2.Event]:
    """The events after a version and then live, each once and in order; ends after the game's last event.

    As :func:`~boardkeeper.client.resuming.resumed` does it.
    """
    cursor = Cursor(game_id, after_version, on_clocks)

    def ask(token: str) -> game_pb2.Game:
        probe = cursor.probe()
        metadata = connection.manners.metadata(token, probe)
        return games.GetGame(probe, timeout=connection.manners.timeout, metadata=metadata).game

    return resumed(
        connection,
        games.WatchGame,
        cursor,
        token,
        look=lambda: cursor.is_behind(ask(token)),
        broken=lambda: connection.listen(lambda: ask("")),
    )
