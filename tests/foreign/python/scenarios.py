"""Runs the scenarios of `tests/foreign/expectations.py` with grpcio, and prints one JSON line for each.

Usage: scenarios.py HOST:PORT GAME_ID SEAT_TOKEN RECORD_FILE
"""

from __future__ import annotations

import json
import queue
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from boardkeeper.v1 import games_pb2, games_pb2_grpc, history_pb2, history_pb2_grpc

_LIMIT = 256 * 1024 - 4  # the field's header takes 4 bytes
_WRONG_KEY = (("authorization", f"Bearer bk_{'0' * 12}_{'a' * 49}"), ("accept-language", "de"))


def main(address: str, game_id: str, token: str, file: str) -> None:
    channel: Any = grpc.insecure_channel(address, options=[("grpc.keepalive_time_ms", 30_000)])
    games: Any = games_pb2_grpc.GamesStub(channel)
    history: Any = history_pb2_grpc.HistoryStub(channel)
    seat = (("authorization", f"Bearer {token}"),)
    record = Path(file).read_bytes()
    imported: list[str] = []

    def unary() -> str:
        title: str = games.GetGame(games_pb2.GetGameRequest(game_id=game_id), timeout=360_000).game.title
        return title

    def metadata() -> str:
        sent = (("x-request-id", "foreign-metadata"), ("trace-bin", bytes(range(256))), ("trace-bin", b"\0"))
        _, call = games.GetGame.with_call(games_pb2.GetGameRequest(game_id=game_id), metadata=sent)
        return str(dict(call.trailing_metadata())["x-request-id"])

    def rejected() -> str:
        games.GetGame(games_pb2.GetGameRequest(game_id=game_id), metadata=_WRONG_KEY)
        return ""

    def too_much_metadata() -> str:
        many = [(f"x-{at}", "1") for at in range(80)]
        games.GetGame(games_pb2.GetGameRequest(game_id=game_id), metadata=many)
        return ""

    def unimplemented() -> str:
        channel.unary_unary("/boardkeeper.v1.Games/NoSuchMethod")(b"")
        return ""

    def deadline() -> str:
        request = games_pb2.GetGameRequest(game_id=game_id, min_version=1_000_000, wait=Duration(seconds=30))
        games.GetGame(request, timeout=0.2, metadata=(("x-request-id", "foreign-deadline"),))
        return ""

    def cancelled() -> str:
        call = games.WatchGame(
            games_pb2.WatchGameRequest(game_id=game_id), metadata=(("x-request-id", "foreign-cancelled"),)
        )
        next(call)
        call.cancel()
        for _ in call:
            pass
        return ""

    def cancel_many() -> None:
        for _ in range(300):
            call = games.WatchGame(games_pb2.WatchGameRequest(game_id=game_id))
            next(call)
            call.cancel()
            unary()

    def oversized(size: int, **options: Any) -> Callable[[], str]:
        def call() -> str:
            games.GetGame(games_pb2.GetGameRequest(game_id="x" * size), **options)
            return ""

        return call

    def client_stream() -> str:
        parts = (record[at : at + 65_536] for at in range(0, len(record), 65_536))
        answer = history.ImportRecord(history_pb2.ImportRecordRequest(data=part) for part in parts)
        imported.append(answer.game.game_id)
        return "imported"

    def server_stream() -> str:
        call = history.GetRecord(history_pb2.GetRecordRequest(game_id=imported[0]))
        first = next(call).data
        unary()  # over the same connection, while this client does not read the stream
        return "same" if first + b"".join(part.data for part in call) == record else "different"

    def rejected_while_sending() -> str:
        parts = (history_pb2.ImportRecordRequest(data=record[:65_536]) for _ in range(1_000))
        history.ImportRecord(parts, metadata=_WRONG_KEY)
        return ""

    def duplex() -> str:
        requests: queue.SimpleQueue[games_pb2.PlayRequest | None] = queue.SimpleQueue()
        call = games.Play(iter(requests.get, None), metadata=seat)
        outcomes = 0
        for turn in range(10):
            if turn == 5:
                cancel_many()
            request = games_pb2.PlayRequest()
            own = request.action.take_seat_back if turn % 2 else request.action.hand_seat_to_bot
            own.game_id, own.seat, own.command_id = game_id, 1, str(uuid.uuid4())
            requests.put(request)
            outcomes += next(call).outcome.command_id == own.command_id
        requests.put(None)
        return f"{outcomes} outcomes, then {len(list(call))}"

    def many() -> str:
        request = games_pb2.GetGameRequest(game_id=game_id)
        calls = [games.GetGame.future(request) for _ in range(300)]
        return str(sum(call.result().game.game_id == game_id for call in calls))

    scenarios: dict[str, Callable[[], str]] = {
        "unary": unary,
        "metadata": metadata,
        "rejected": rejected,
        "too_much_metadata": too_much_metadata,
        "unimplemented": unimplemented,
        "deadline": deadline,
        "cancelled": cancelled,
        "request_at_limit": oversized(_LIMIT),
        "request_beyond_limit": oversized(_LIMIT + 1),
        "compressed": oversized(_LIMIT, compression=grpc.Compression.Gzip),
        "compressed_beyond_limit": oversized(40 * _LIMIT, compression=grpc.Compression.Gzip),
        "client_stream": client_stream,
        "server_stream": server_stream,
        "rejected_while_sending": rejected_while_sending,
        "duplex": duplex,
        "many": many,
    }
    for name, scenario in scenarios.items():
        line: dict[str, Any] = {"scenario": name, "code": 0, "message": "", "value": ""}
        try:
            line["value"] = scenario()
        except grpc.RpcError as error:
            problem: Any = error
            line |= {"code": problem.code().value[0], "message": problem.details(), "value": _reason(problem)}
        sys.stdout.write(f"{json.dumps(line)}\n")


def _reason(error: Any) -> str:
    """Return the reason in the status details of an error; empty if it has none."""
    info = ErrorInfo()
    trailers = dict(error.trailing_metadata() or ())
    for detail in Status.FromString(trailers.get("grpc-status-details-bin", b"")).details:
        if detail.Unpack(info):
            break
    return str(info.reason)


if __name__ == "__main__":
    main(*sys.argv[1:])
