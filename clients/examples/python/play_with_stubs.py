"""How to write a Boardkeeper client: play a whole game of any title, using only the generated stubs.

A client needs no rules. It lists its seat's legal commands, chooses one and sends it back unchanged. The folders beside
this one have the same client, in the same seven steps, in other languages. README.md says how to run it.
"""

import random
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import grpc
from google.rpc import error_details_pb2, status_pb2

from boardkeeper.v1 import games_pb2, games_pb2_grpc

MAX_TRIES = 12  # failed attempts in a row before the client gives up: with the pauses, about twenty seconds

# 1. One channel to the server, and one stub for each gRPC service. Keepalive detects a dead connection; the backoff
#    settings make the channel reconnect soon after the server was away.
server, title, edition, players = [*sys.argv[1:], *["localhost:8050", "orleans", "", "2"][len(sys.argv) - 1 :]]
options = {"keepalive_time_ms": 30_000, "initial_reconnect_backoff_ms": 100, "max_reconnect_backoff_ms": 1_000}
channel = grpc.insecure_channel(server, options=[(f"grpc.{name}", value) for name, value in options.items()])
games = games_pb2_grpc.GamesStub(channel)
metadata: tuple[tuple[str, str], ...] = (("accept-language", "en"),)  # the language of sentences in events and errors


def detail(error: grpc.RpcError, kind: Any) -> Any:
    """Return the error detail of that kind (ErrorInfo, RetryInfo, …); empty if the error has none."""
    found, trailers = kind(), dict(error.trailing_metadata() or ())
    for each in status_pb2.Status.FromString(trailers.get("grpc-status-details-bin", b"")).details:
        each.Unpack(found)  # does nothing if the detail is of another kind
    return found


def pause(error: Any, tries: int) -> None:
    """Wait before the next attempt, after `tries` failed ones; raise the error if a retry cannot help."""
    info = detail(error, error_details_pb2.ErrorInfo)  # the reason; without it, the error is not the server's
    retry = detail(error, error_details_pb2.RetryInfo)  # when to retry; without it, do not retry
    wait = max(min(0.1 * 2**tries, 3.0) * random.uniform(0.5, 1), retry.retry_delay.ToTimedelta().total_seconds())
    retryable = not info.reason or retry.HasField("retry_delay")
    if not retryable or tries >= MAX_TRIES or wait > 30:  # do not wait for longer: report the error
        raise error
    time.sleep(wait)


def call(method: Callable[..., Any], request: Any) -> Any:
    """Return the response. Send the same request again if there is none; its id makes sure that it counts once."""
    tries = 0
    while True:
        try:
            return method(request, timeout=10, metadata=metadata)
        except grpc.RpcError as error:
            tries += 1
            pause(error, tries)


def make_moves(version: int) -> int:
    """Make moves until the seat has no decision to make; return the version of the game at that time."""
    rejected = 0
    while True:
        # 4. List the legal commands. `min_version` makes sure that the list includes our own last move.
        query = games_pb2.ListLegalCommandsRequest(game_id=game_id, seat=seat, min_version=version)
        legal = call(games.ListLegalCommands, query)
        if not legal.commands:
            return legal.version
        chosen = random.choice(legal.commands)  # a real client shows the sentences to a person
        # 5. Submit one. Make a new `command_id` for each move: a retry with the same id is not carried out twice. With
        #    `expected_version` the server rejects the command if the game has changed: then list the commands again.
        submission = games_pb2.SubmitCommandsRequest(
            game_id=game_id, seat=seat, commands=[chosen.command],
            command_id=str(uuid.uuid4()), expected_version=legal.version,
        )  # fmt: skip
        try:
            version, rejected = call(games.SubmitCommands, submission).version, 0
        except grpc.RpcError as error:
            rejected += 1
            changed = error.code() in (grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION)
            if not changed or rejected == MAX_TRIES:
                raise


def follow() -> Iterator[Any]:
    """Yield every event of the game once, in order, to the last one."""
    last = tries = 0
    while True:
        # 6. Watch the game. After a broken connection, open the stream again after the last event that we have.
        stream = games.WatchGame(games_pb2.WatchGameRequest(game_id=game_id, after_version=last), metadata=metadata)
        try:
            for update in stream:
                if update.event.version <= last:
                    continue  # a heartbeat, an event that we have, or an update of a newer server
                last, tries = update.event.version, 0
                yield update.event
                if update.event.detail.HasField("game_ended"):
                    return
        except grpc.RpcError:
            pass
        tries += 1
        pause(stream, tries)  # also after a normal end: a proxy may end a stream before the game is over


try:
    # 2. Create a game: one seat for us, bots in the others. `request_id` makes it safe to send the call again. The
    #    response has a token for each seat of a person: not for bots, nor for seats that are open for others.
    bots = [games_pb2.SeatRequest(name=f"Robot {each}", bot="sensible") for each in range(2, int(players) + 1)]
    created = call(
        games.CreateGame,
        games_pb2.CreateGameRequest(
            title=title, edition=edition, seats=[games_pb2.SeatRequest(name="Anna"), *bots],
            request_id=str(uuid.uuid4()),
        ),
    )  # fmt: skip
    game_id, seat = created.game.game_id, created.seat_tokens[0].seat
    # 3. Send the seat's token in the metadata of each further call.
    metadata += (("authorization", f"Bearer {created.seat_tokens[0].token}"),)

    decided = make_moves(0)
    for event in follow():
        print(f"{event.version:5}  {event.sentence}", flush=True)
        # Effects say which seat has to decide next. Skip events that we knew when we last listed the commands.
        if event.version > decided and any(it.ask.seat == seat and it.ask.after for it in event.effects):
            decided = make_moves(event.version)

    # 7. Show the result. GetBoard has the whole score sheet.
    game = call(games.GetGame, games_pb2.GetGameRequest(game_id=game_id)).game
    for standing in game.standings:
        print(f"rank {standing.rank}: {game.seats[standing.seat - 1].name}, {standing.points} points")
except grpc.RpcError as error:
    # The details say what is wrong: a stable reason, the rule (if the rules forbid the command) and the values.
    info = detail(error, error_details_pb2.ErrorInfo)
    print(f"{error.code().name} {info.reason}: {error.details()}", file=sys.stderr)
    for name, value in sorted(info.metadata.items()):
        print(f"  {name}: {value}", file=sys.stderr)
    print("  what to do: see docs/errors.md", file=sys.stderr)
    sys.exit(1)
