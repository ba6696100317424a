"""How to write a client of Boardkeeper, in any language: a whole game with nothing but the generated stubs.

A client needs no rules. It asks what a seat may do, takes one of the answers, and sends it back as it came. That
works for every title. Start a service (`boardkeeper serve`) and run `python play_with_stubs.py [SERVER [TITLE]]`.
"""

import random
import sys
import uuid

import grpc

from boardkeeper.v1 import games_pb2, games_pb2_grpc

# 1. One channel to the service, one stub for each of its services: Catalog, Games, History.
server, title = [*sys.argv[1:], *["localhost:50051", "orleans"][len(sys.argv) - 1 :]]
channel = grpc.insecure_channel(server)
games = games_pb2_grpc.GamesStub(channel)

# 2. A game: one seat for us, one that the service plays itself. `request_id` makes the call safe to send again.
#    Whoever creates a game gets a token for each seat that is neither a bot's nor left open for others to join.
seats = [games_pb2.SeatRequest(name="Anna"), games_pb2.SeatRequest(name="Bot", bot="sensible")]
created = games.CreateGame(games_pb2.CreateGameRequest(title=title, seats=seats, request_id=str(uuid.uuid4())))
game_id, seat = created.game.game_id, created.seat_tokens[0].seat

# 3. The token goes beside each call, and so does the language that we would like sentences in.
metadata = (("authorization", f"Bearer {created.seat_tokens[0].token}"), ("accept-language", "en"))


def play_while_asked() -> int:
    """Take decisions until the seat has none; returns the version of the game at which that was so."""
    version = 0
    while True:
        # 4. What may we do? `min_version` makes sure that we see the board after our own last move.
        asked = games_pb2.ListLegalCommandsRequest(game_id=game_id, seat=seat, min_version=version)
        legal = games.ListLegalCommands(asked, metadata=metadata)
        if not legal.commands:
            return legal.version
        chosen = random.choice(legal.commands)  # each comes with a sentence: here a person or a cleverer bot decides
        # 5. Do it. `command_id` is ours: if the answer gets lost, the same call can be sent again and counts once.
        #    A command that the rules forbid fails with FAILED_PRECONDITION and an ErrorInfo that names the rule.
        command = games_pb2.SubmitCommandsRequest(
            game_id=game_id, seat=seat, commands=[chosen.command], command_id=str(uuid.uuid4())
        )
        version = games.SubmitCommands(command, metadata=metadata).version


# 6. Follow the game. The stream begins after any version and never misses an event, so a client that was cut off asks
#    for what comes after the last one it has. Each event says who is asked to decide next (`ask`); others move between.
play_while_asked()
for update in games.WatchGame(games_pb2.WatchGameRequest(game_id=game_id), metadata=metadata):
    if update.WhichOneof("update") == "heartbeat":
        continue  # nothing has happened for a while, but the service is there
    print(f"{update.event.version:5}  {update.event.sentence}")
    if any(effect.ask.seat == seat and effect.ask.after for effect in update.event.effects):
        play_while_asked()

# 7. The stream ends with the game. Results are part of the game; the board has the whole score sheet.
for standing in games.GetGame(games_pb2.GetGameRequest(game_id=game_id)).game.standings:
    print(f"rank {standing.rank}: {created.game.seats[standing.seat - 1].name}, {standing.points} points")
