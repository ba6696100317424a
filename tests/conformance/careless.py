"""A client with every habit that the kit looks for, any one of which can be left out by name.

It makes its game, joins it, forks it, or plays it on a stream, as the scenario wants it (:func:`way_of`).
"""

from __future__ import annotations

import contextlib
import random
import time
import uuid
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any

import grpc
from google.protobuf.unknown_fields import UnknownFieldSet
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status

from boardkeeper.conformance.scenarios import Scenario
from boardkeeper.v1 import catalog_pb2, catalog_pb2_grpc, event_pb2, game_pb2, games_pb2, games_pb2_grpc

TRIED_AGAIN = (
    grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
)  # fmt: skip
REFUSED = (grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.ABORTED)
TIMEOUT = 60.0
"""Seconds for one answer. Who asks again because a machine is busy gets the fault in another call than was meant."""
SOON = 10.0
"""The same where an answer never comes."""
TRIES = 20
"""Nobody tries more often, so that a fault ends too."""


def timeout_of(scenario: Scenario) -> float:
    """How long a client waits for one answer there, in seconds."""
    return SOON if any(it.kind == "delay_response" for it in scenario.faults) else TIMEOUT


def way_of(scenario: Scenario) -> str:
    """By which rpc a client has to come to its game, or play, to meet what a scenario is about; empty: as usual."""
    return next((it.call for it in scenario.faults[:1] if it.call in ("JoinGame", "ForkGame", "PlayCommands")), "")


class GaveUpError(Exception):
    """The client ends."""


class LeftError(Exception):
    """The client ends, and says that all is well."""


class Careless:
    """Plays one game at ``address``, and tells ``say`` of it in lines; without the habit that ``fault`` names.

    ``way`` is how it comes to its game: by ``JoinGame``, by ``ForkGame``, or else as its maker; by ``PlayCommands`` it
    makes it, and then does all on streams ``Play``. It waits so many ``seconds`` for an answer.
    """

    def __init__(
        self, address: str, say: Callable[[str], None], fault: str = "", way: str = "", seconds: float = TIMEOUT
    ) -> None:
        self._fault = fault
        self._timeout = seconds
        self._way = way
        self._say = say
        self._was_ready = False
        self._under_way: Any = None
        self._channel = grpc.insecure_channel(address, options=[("grpc.initial_reconnect_backoff_ms", 100)])
        self._games: Any = games_pb2_grpc.GamesStub(self._channel)
        self._catalog: Any = catalog_pb2_grpc.CatalogStub(self._channel)
        if fault == "hangs_up_on_goodbye":
            self._channel.subscribe(self._hear_of_connection)
        self._token = ""
        self._game = ""
        self._seat = 0
        self._written = 0

    def play(self) -> None:
        """A whole game, from its creation to its standings."""
        with contextlib.suppress(LeftError):
            self._play_to_the_end()

    def _play_to_the_end(self) -> None:
        self._create()
        if self._fault == "token_for_the_catalogue":
            self._call(self._catalog.ListTitles, catalog_pb2.ListTitlesRequest())
        if self._way == "PlayCommands":
            self._play_on_streams()
        else:
            self._play_and_watch()
        game = self._call(self._games.GetGame, games_pb2.GetGameRequest(game_id=self._game)).game
        for standing in game.standings:
            self._say(f"rank {standing.rank}: seat {standing.seat}")

    def _play_and_watch(self) -> None:
        self._decide()
        for event in self._watched():
            if self._fault != "says_nothing_of_events":
                self._say(f"{event.version:5}  {event.sentence}")
            self._look_at(event)
            if self._is_asked(event):
                self._decide()

    def _is_asked(self, event: event_pb2.Event) -> bool:
        return any(effect.ask.seat == self._seat and effect.ask.after for effect in event.effects)

    # --- calls ----------------------------------------------------------------------------------------------

    def _hear_of_connection(self, state: grpc.ChannelConnectivity) -> None:
        """The connection is not ready any more: so whatever is under way there is given up."""
        if self._was_ready and state is not grpc.ChannelConnectivity.READY and self._under_way is not None:
            self._under_way.cancel()
        self._was_ready = state is grpc.ChannelConnectivity.READY

    def _create(self) -> None:
        mine = games_pb2.SeatRequest(open=True) if self._way == "JoinGame" else games_pb2.SeatRequest(name="Anna")
        seats = [mine, games_pb2.SeatRequest(bot="sensible")]
        id = "" if self._fault == "no_request_id" else str(uuid.uuid4())
        request = games_pb2.CreateGameRequest(title="orleans", seats=seats, request_id=id)
        answer = self._call(self._games.CreateGame, request)
        self._game = answer.game.game_id
        for token in answer.seat_tokens:
            self._token, self._seat = token.token, token.seat
        if self._way == "JoinGame":
            taking = games_pb2.JoinGameRequest(game_id=self._game, name="Anna", request_id=str(uuid.uuid4()))
            taken = self._call(self._games.JoinGame, taking).seat_token
            self._token, self._seat = taken.token, taken.seat
        if self._way == "ForkGame":
            forking = games_pb2.ForkGameRequest(
                game_id=self._game, version=1, seats=seats, request_id=str(uuid.uuid4())
            )
            answer = self._call(self._games.ForkGame, forking)
            self._game, self._token = answer.game.game_id, answer.seat_tokens[0].token
        if self._fault == "knows_all_values":
            game_pb2.GameStatus.Name(answer.game.status)

    def _metadata(self, method: Any) -> list[tuple[str, str]]:
        is_stream = isinstance(method, grpc.UnaryStreamMultiCallable)
        found = [] if self._fault == "no_language_on_streams" and is_stream else [("accept-language", "en")]
        if self._token and not (self._fault == "no_token_on_streams" and is_stream):
            found.append(("authorization", f"Bearer {self._token}"))
            if self._fault == "token_twice":
                found.append(("x-seat-token", self._token))
        if method == self._catalog.ListTitles and self._fault != "token_for_the_catalogue":
            return found[:1]
        return found

    def _call(self, method: Any, request: Any) -> Any:
        """Ask until there is an answer."""
        timeout = None if self._fault == "no_deadline" else self._timeout
        for attempt in range(1, TRIES):
            self._under_way = method.future(request, timeout=timeout, metadata=self._metadata(method))
            try:
                answer = self._under_way.result()
            except grpc.FutureCancelledError:
                continue
            except grpc.RpcError as error:
                code = self._code(error)
                insists = self._fault == "insists" and code in REFUSED and attempt < 3
                if not insists and (code not in TRIED_AGAIN or self._gives_up(code)):
                    raise
                self._wait(error, attempt)
                if self._fault == "new_id_each_time":
                    for field in ("command_id", "request_id"):
                        if getattr(request, field, ""):
                            setattr(request, field, str(uuid.uuid4()))
                continue
            if self._fault == "knows_all_fields" and len(UnknownFieldSet(answer)):
                raise GaveUpError("the answer has fields that there are not")
            return answer
        raise GaveUpError("enough")

    def _gives_up(self, code: grpc.StatusCode) -> bool:
        return self._fault == "gives_up" or (
            self._fault == "gives_up_on_silence" and code is grpc.StatusCode.DEADLINE_EXCEEDED
        )

    def _wait(self, error: grpc.RpcError, attempt: int = 1) -> None:
        """Wait for as long as the service asks, and a little in any case, longer each time."""
        seconds = min(0.05 * attempt, 0.5)
        details: Any = error
        for key, value in details.trailing_metadata() or ():
            if key == "grpc-status-details-bin" and self._fault != "does_not_wait":
                for detail in Status.FromString(value).details:
                    info = RetryInfo()
                    if detail.Unpack(info):
                        seconds = max(seconds, info.retry_delay.ToNanoseconds() / 1e9)
        time.sleep(seconds)

    @staticmethod
    def _code(error: Any) -> grpc.StatusCode:
        code: grpc.StatusCode = error.code()
        return code

    # --- playing ----------------------------------------------------------------------------------------------

    def _decide(self) -> None:
        while True:
            asked = games_pb2.ListLegalCommandsRequest(game_id=self._game, seat=self._seat)
            if self._fault != "no_min_version":
                asked.min_version = self._written
            legal = self._call(self._games.ListLegalCommands, asked)
            if not legal.commands:
                return
            self._submit(legal)

    def _submit(self, legal: games_pb2.ListLegalCommandsResponse) -> None:
        command = random.choice(legal.commands).command
        if self._fault == "rebuilds_commands":
            command.DiscardUnknownFields()
        request = games_pb2.SubmitCommandsRequest(
            game_id=self._game, seat=self._seat, commands=[command], command_id=str(uuid.uuid4())
        )
        if self._fault != "no_min_version":  # who acts on an old board had better not notice it either
            request.expected_version = legal.version
        for _ in range(TRIES):
            try:
                self._written = self._call(self._games.SubmitCommands, request).version
            except grpc.RpcError as error:
                code = self._code(error)
                if code is grpc.StatusCode.ABORTED:  # somebody was quicker, in truth or not
                    if self._fault == "expects_the_same":
                        request.command_id = str(uuid.uuid4())
                        continue
                elif code not in REFUSED:
                    raise
                elif self._fault == "says_nothing_of_refusals":
                    raise GaveUpError from None
                elif self._fault == "leaves_in_silence":
                    raise LeftError from None
            return

    # --- watching ---------------------------------------------------------------------------------------------

    def _watched(self) -> Iterator[Any]:
        version = 0
        for _ in range(TRIES):
            after = 0 if self._fault == "watches_from_the_start" else version
            request = games_pb2.WatchGameRequest(game_id=self._game, after_version=after)
            try:
                stream = self._games.WatchGame(request, metadata=self._metadata(self._games.WatchGame))
                self._under_way = stream
                for update in stream:
                    kind = update.WhichOneof("update")
                    if kind == "heartbeat" and self._fault != "takes_heartbeats_for_events":
                        continue
                    if kind is None and self._fault != "takes_all_for_events":
                        continue
                    if kind == "event" and update.event.version <= version and self._fault != "tells_twice":
                        continue
                    version = max(version, update.event.version)
                    yield update.event
            except grpc.RpcError as error:
                code = self._code(error)
                if code not in TRIED_AGAIN or self._gives_up_watching(code):
                    raise
                if self._fault != "takes_limits_for_slowness" or code is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                    self._wait(error)
            else:
                if self._fault == "takes_any_end_for_the_end":
                    return
                game = self._call(self._games.GetGame, games_pb2.GetGameRequest(game_id=self._game)).game
                if game.status == game_pb2.GAME_STATUS_ENDED and game.version <= version:
                    return
                if self._fault != "rushes":
                    time.sleep(0.2)
        raise GaveUpError("enough")

    def _gives_up_watching(self, code: grpc.StatusCode) -> bool:
        return self._fault == "watches_once" or (
            self._fault == "no_slow_reader" and code is grpc.StatusCode.RESOURCE_EXHAUSTED
        )

    # --- on streams -------------------------------------------------------------------------------------------

    def _play_on_streams(self) -> None:
        """Commands out, outcomes and events in, on one stream after another."""
        version = 0
        asked, pending = True, games_pb2.PlayCommands()
        for _ in range(TRIES):
            asking: SimpleQueue[games_pb2.PlayRequest | None] = SimpleQueue()
            subscription = games_pb2.PlaySubscription(game_id=self._game, after_version=version)
            asking.put(games_pb2.PlayRequest(subscription=subscription))
            if pending.commands:
                if self._fault == "new_id_each_time":
                    pending.command_id = str(uuid.uuid4())
                asking.put(games_pb2.PlayRequest(commands=pending))
            try:
                for answer in self._games.Play(iter(asking.get, None), metadata=self._metadata(self._games.Play)):
                    kind = answer.WhichOneof("response")
                    if kind == "event" and answer.event.version > version:
                        version = answer.event.version
                        self._say(f"{version:5}  {answer.event.sentence}")
                        asked = asked or self._is_asked(answer.event)
                        if answer.event.name == "GameEnded":
                            return
                    if kind in ("outcome", "rejection"):
                        pending = games_pb2.PlayCommands()
                    if asked and not pending.commands:
                        pending = self._next_commands(max(version, answer.outcome.version))
                        asked = bool(pending.commands)
                        if asked:
                            asking.put(games_pb2.PlayRequest(commands=pending))
            except grpc.RpcError as error:
                if self._code(error) not in TRIED_AGAIN:
                    raise
                self._wait(error)
            finally:
                asking.put(None)
        raise GaveUpError("enough")

    def _next_commands(self, version: int) -> games_pb2.PlayCommands:
        """One of those that are legal; with none if there are none."""
        asked = games_pb2.ListLegalCommandsRequest(game_id=self._game, seat=self._seat, min_version=version)
        legal = self._call(self._games.ListLegalCommands, asked)
        chosen = [random.choice(legal.commands).command] if legal.commands else []
        return games_pb2.PlayCommands(
            game_id=self._game, seat=self._seat, commands=chosen, command_id=str(uuid.uuid4())
        )

    def _look_at(self, event: Any) -> None:
        """What careless clients do with events."""
        if self._fault == "knows_all_events" and event.detail.WhichOneof("detail") is None:
            raise GaveUpError(f"what is {event.name}?")
        if self._fault == "knows_all_components" and any(it.move.component == "?" for it in event.effects):
            raise GaveUpError("there is no component ?")
        if self._fault == "knows_no_votes" and event.name == "UndoRequested":
            raise GaveUpError("somebody wants something")
        if self._fault == "knows_no_undo" and event.name == "Undone":
            raise GaveUpError("that was done already")
