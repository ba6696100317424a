"""How to write a client of Boardkeeper: a whole game of any title with nothing but the generated stubs.

A client needs no rules. It asks what a seat may do, takes one of the answers, and sends it back as it came. The same
client, in the same seven steps, is beside this folder in other languages; how it is run is in README.md.
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

PATIENCE = 12  # so often in a row there may be no answer: with the pauses between, for about twenty seconds

# 1. One channel to the service, one stub for each of its services. The channel is told to notice a service that is gone
#    without a word, and not to wait for long until it looks for one that was away.
server, title, edition, players = [*sys.argv[1:], *["localhost:50051", "orleans", "", "2"][len(sys.argv) - 1 :]]
lively = {"keepalive_time_ms": 30_000, "initial_reconnect_backoff_ms": 100, "max_reconnect_backoff_ms": 1_000}
channel = grpc.insecure_channel(server, options=[(f"grpc.{name}", value) for name, value in lively.items()])
games = games_pb2_grpc.GamesStub(channel)
metadata: tuple[tuple[str, str], ...] = (("accept-language", "en"),)  # of sentences, in events and in errors


def detail(error: grpc.RpcError, kind: Any) -> Any:
    """One of the details that errors have beside their code: ErrorInfo, RetryInfo …; empty if it is not there."""
    found, trailers = kind(), dict(error.trailing_metadata() or ())
    for each in status_pb2.Status.FromString(trailers.get("grpc-status-details-bin", b"")).details:
        each.Unpack(found)  # does nothing if it is of another kind
    return found


def pause(error: Any, tries: int) -> None:
    """Wait until it makes sense to ask again, for so often there was no answer; raises the error where it does not."""
    info = detail(error, error_details_pb2.ErrorInfo)  # why, in a stable word; who has none is not the service
    retry = detail(error, error_details_pb2.RetryInfo)  # when to ask again; what does not pass has none
    wait = max(min(0.1 * 2**tries, 3.0) * random.uniform(0.5, 1), retry.retry_delay.ToTimedelta().total_seconds())
    passes = not info.reason or retry.HasField("retry_delay")
    if not passes or tries >= PATIENCE or wait > 30:  # who is told to wait for so long should tell a person instead
        raise error
    time.sleep(wait)


def call(method: Callable[..., Any], request: Any) -> Any:
    """The answer to a request. If none comes the same request is sent again, and by the id in it counts once."""
    tries = 0
    while True:
        try:
            return method(request, timeout=10, metadata=metadata)
        except grpc.RpcError as error:
            tries += 1
            pause(error, tries)


def play_while_asked(version: int) -> int:
    """Take decisions until the seat has none; returns the version of the game at which that was so."""
    refused = 0
    while True:
        # 4. What may we do? `min_version` makes sure that we see the board after our own last move.
        asked = games_pb2.ListLegalCommandsRequest(game_id=game_id, seat=seat, min_version=version)
        legal = call(games.ListLegalCommands, asked)
        if not legal.commands:
            return legal.version
        chosen = random.choice(legal.commands)  # each comes with a sentence: here a person or a cleverer bot decides
        # 5. Do it. `command_id` is made once for what we mean to do: sent again, it is not done again. If others moved
        #    meanwhile the service refuses, for we said which board we saw: then we look again.
        submission = games_pb2.SubmitCommandsRequest(
            game_id=game_id, seat=seat, commands=[chosen.command],
            command_id=str(uuid.uuid4()), expected_version=legal.version,
        )  # fmt: skip
        try:
            version, refused = call(games.SubmitCommands, submission).version, 0
        except grpc.RpcError as error:
            refused += 1
            again = error.code() in (grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION)
            if not again or refused == PATIENCE:
                raise


def follow() -> Iterator[Any]:
    """Every event of the game once, in order, to the last one."""
    last = tries = 0
    while True:
        # 6. The stream begins after any version, so when it is cut we ask for what comes after the last one we have.
        stream = games.WatchGame(games_pb2.WatchGameRequest(game_id=game_id, after_version=last), metadata=metadata)
        try:
            for update in stream:
                if update.event.version <= last:
                    continue  # a heartbeat: nothing happened for a while; or something that later services tell
                last, tries = update.event.version, 0
                yield update.event
                if update.event.detail.HasField("game_ended"):
                    return
        except grpc.RpcError:
            pass
        tries += 1
        pause(stream, tries)  # also if it ended as if all was said: somebody between us and the service did that


try:
    # 2. A game: one seat for us, the others are played by the service. `request_id` makes the call safe to send again.
    #    Whoever creates a game gets a token for each seat that is neither a bot's nor left open for others to join.
    bots = [games_pb2.SeatRequest(name=f"Robot {each}", bot="sensible") for each in range(2, int(players) + 1)]
    created = call(
        games.CreateGame,
        games_pb2.CreateGameRequest(
            title=title, edition=edition, seats=[games_pb2.SeatRequest(name="Anna"), *bots],
            request_id=str(uuid.uuid4()),
        ),
    )  # fmt: skip
    game_id, seat = created.game.game_id, created.seat_tokens[0].seat
    # 3. From now on the seat's token goes beside each call.
    metadata += (("authorization", f"Bearer {created.seat_tokens[0].token}"),)

    decided = play_while_asked(0)
    for event in follow():
        print(f"{event.version:5}  {event.sentence}", flush=True)
        # Each event says who is asked to decide next; what came before our last look is behind us.
        if event.version > decided and any(it.ask.seat == seat and it.ask.after for it in event.effects):
            decided = play_while_asked(event.version)

    # 7. Results are part of the game; the board has the whole score sheet.
    game = call(games.GetGame, games_pb2.GetGameRequest(game_id=game_id)).game
    for standing in game.standings:
        print(f"rank {standing.rank}: {game.seats[standing.seat - 1].name}, {standing.points} points")
except grpc.RpcError as error:
    # What went wrong is told by details: a stable reason, the rule if one forbids it, and what failed.
    info = detail(error, error_details_pb2.ErrorInfo)
    print(f"{error.code().name} {info.reason}: {error.details()}", file=sys.stderr)
    for name, value in sorted(info.metadata.items()):
        print(f"  {name}: {value}", file=sys.stderr)
    print("  what to do: see docs/errors.md", file=sys.stderr)
    sys.exit(1)
