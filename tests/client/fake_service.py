"""A server that answers from a script over a real socket, for rare behaviour of real servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message
from google.rpc.status_pb2 import Status

from boardkeeper.v1 import event_pb2, game_pb2, games_pb2, games_pb2_grpc, history_pb2, history_pb2_grpc

Answer = Callable[[Any, grpc.ServicerContext], Any]


class FakeGames(games_pb2_grpc.GamesServicer):
    """Answers each call with the next entry of ``script``, a function of the request and its context.

    ``GetGame`` is not in the script: it returns ``game``, if set, and appends the caller's authorization to
    ``game_reads``.
    """

    def __init__(self) -> None:
        self.script: list[Answer] = []
        self.requests: list[Message] = []
        self.metadata: list[dict[str, str | bytes]] = []
        self.game: game_pb2.Game | None = None
        self.game_reads: list[str | bytes] = []

    def next(self, request: Message, context: grpc.ServicerContext) -> Any:
        self.requests.append(request)
        self.metadata.append(dict(context.invocation_metadata()))
        return self.script.pop(0)(request, context)

    def SubmitCommands(self, request: Message, context: grpc.ServicerContext) -> Any:  # noqa: N802
        return self.next(request, context)

    def CheckCommand(self, request: Message, context: grpc.ServicerContext) -> Any:  # noqa: N802
        return self.next(request, context)

    def CreateGame(self, request: Message, context: grpc.ServicerContext) -> Any:  # noqa: N802
        return self.next(request, context)

    def ListGames(self, request: Message, context: grpc.ServicerContext) -> Any:  # noqa: N802
        return self.next(request, context)

    def GetGame(self, _request: Any, context: grpc.ServicerContext) -> games_pb2.GetGameResponse:  # noqa: N802
        if self.game is None:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, "there is no game")
        self.game_reads.append(dict(context.invocation_metadata()).get("authorization", ""))
        return games_pb2.GetGameResponse(game=self.game)

    def WatchGame(self, request: Message, context: grpc.ServicerContext) -> Any:  # noqa: N802
        yield from self.next(request, context)


class FakeHistory(history_pb2_grpc.HistoryServicer):
    """Uses the script of :class:`FakeGames`."""

    def __init__(self, games: FakeGames) -> None:
        self._games = games

    def GetRecord(self, request: Message, context: grpc.ServicerContext) -> Any:  # noqa: N802
        yield from self._games.next(request, context)


@contextmanager
def fake_service() -> Iterator[tuple[str, FakeGames]]:
    """Run the server; yield its address and its script."""
    games = FakeGames()  # type: ignore[abstract]  # rpcs without a method answer UNIMPLEMENTED
    server = grpc.server(ThreadPoolExecutor(4))
    games_pb2_grpc.add_GamesServicer_to_server(games, server)
    history = FakeHistory(games)  # type: ignore[abstract]
    history_pb2_grpc.add_HistoryServicer_to_server(history, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}", games
    finally:
        server.stop(None).wait()


def fail_with(code: grpc.StatusCode, text: str, *details: Message) -> Answer:
    """Answer with an error and its details."""

    def answer(request: Message, context: grpc.ServicerContext) -> Any:
        status = Status(code=code.value[0], message=text)
        for detail in details:
            packed = Packed()
            packed.Pack(detail)
            status.details.append(packed)
        context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
        context.abort(code, text)

    return answer


def answer_with(message: Message) -> Answer:
    """Answer with a message."""
    return lambda _request, _context: message


def stream_events(*versions: int, then: Answer | None = None) -> Answer:
    """Send events of these versions (0: a heartbeat), then end or continue with ``then``."""

    def answer(request: Message, context: grpc.ServicerContext) -> Iterator[games_pb2.WatchGameResponse]:
        for version in versions:
            if version:
                yield games_pb2.WatchGameResponse(event=event_pb2.Event(version=version, name="Something"))
            else:
                yield games_pb2.WatchGameResponse(heartbeat=games_pb2.Heartbeat())
        if then is not None:
            then(request, context)

    return answer


def stream_until_end(*versions: int) -> Answer:
    """Send events of these versions, the last of which ends the game."""

    def answer(request: Message, context: grpc.ServicerContext) -> Iterator[games_pb2.WatchGameResponse]:
        for version in versions:
            name = "GameEnded" if version == versions[-1] else "Something"
            yield games_pb2.WatchGameResponse(event=event_pb2.Event(version=version, name=name))

    return answer


def stream_pieces(*data: bytes, then: Answer | None = None) -> Answer:
    """Send pieces of a record, then end or continue with ``then``."""

    def answer(request: Message, context: grpc.ServicerContext) -> Iterator[history_pb2.GetRecordResponse]:
        for piece in data:
            yield history_pb2.GetRecordResponse(data=piece)
        if then is not None:
            then(request, context)

    return answer
