"""A correct client that can have one fault, selected by name, that the kit must find.

Depending on the scenario it creates, joins or forks its game, or plays it on a stream (:func:`entry_of`).
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

RETRIED = (
    grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
)  # fmt: skip
REJECTED = (grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.ABORTED)
TIMEOUT = 60.0
"""Seconds for one response. A retry on a busy machine would move the scenario's fault to another call."""
SHORT_TIMEOUT = 10.0
"""Seconds for one response in scenarios in which a response never arrives."""
TRIES = 20
"""The maximum number of attempts, so that faulty clients end too."""


def timeout_of(scenario: Scenario) -> float:
    """Return the timeout of a client for one response, in seconds."""
    return SHORT_TIMEOUT if any(it.kind == "delay_response" for it in scenario.faults) else TIMEOUT


def entry_of(scenario: Scenario) -> str:
    """Return the RPC by which a client must get its game, or play, in a scenario; empty for ``CreateGame``."""
    return next((it.call for it in scenario.faults[:1] if it.call in ("JoinGame", "ForkGame", "PlayCommands")), "")


class GaveUpError(Exception):
    """The client exits with an error."""


class LeftError(Exception):
    """The client exits and reports success, although the game has not ended."""


class FaultyClient:
    """Plays one game at ``address`` and prints it with ``say``, with the fault that ``fault`` names.

    It gets its game by the RPC ``entry``: ``JoinGame``, ``ForkGame``, or else ``CreateGame``. With ``PlayCommands`` it
    creates the game and then plays on ``Play`` streams. The timeout of a call is ``seconds``.
    """

    def __init__(
        self, address: str, say: Callable[[str], None], fault: str = "", entry: str = "", seconds: float = TIMEOUT
    ) -> None:
        self._fault = fault
        self._timeout = seconds
        self._entry = entry
        self._say = say
        self._was_ready = False
        self._pending_call: Any = None
        self._channel = grpc.insecure_channel(address, options=[("grpc.initial_reconnect_backoff_ms", 100)])
        self._games: Any = games_pb2_grpc.GamesStub(self._channel)
        self._catalog: Any = catalog_pb2_grpc.CatalogStub(self._channel)
        if fault == "cancels_on_goodbye":
            self._channel.subscribe(self._cancel_on_disconnect)
        self._token = ""
        self._game = ""
        self._seat = 0
        self._written = 0

    def play(self) -> None:
        """Play a whole game, from its creation to its standings."""
        with contextlib.suppress(LeftError):
            self._play_to_the_end()

    def _play_to_the_end(self) -> None:
        self._create()
        if self._fault == "token_for_catalog":
            self._call(self._catalog.ListTitles, catalog_pb2.ListTitlesRequest())
        if self._entry == "PlayCommands":
            self._play_on_streams()
        else:
            self._play_and_watch()
        game = self._call(self._games.GetGame, games_pb2.GetGameRequest(game_id=self._game)).game
        for standing in game.standings:
            self._say(f"rank {standing.rank}: seat {standing.seat}")

    def _play_and_watch(self) -> None:
        self._decide()
        for event in self._watch():
            if self._fault != "hides_events":
                self._say(f"{event.version:5}  {event.sentence}")
            self._handle(event)
            if self._is_asked(event):
                self._decide()

    def _is_asked(self, event: event_pb2.Event) -> bool:
        return any(effect.ask.seat == self._seat and effect.ask.after for effect in event.effects)

    # --- calls ----------------------------------------------------------------------------------------------

    def _cancel_on_disconnect(self, state: grpc.ChannelConnectivity) -> None:
        """Cancel the pending call when the connection is no longer ready."""
        if self._was_ready and state is not grpc.ChannelConnectivity.READY and self._pending_call is not None:
            self._pending_call.cancel()
        self._was_ready = state is grpc.ChannelConnectivity.READY

    def _create(self) -> None:
        mine = games_pb2.SeatRequest(open=True) if self._entry == "JoinGame" else games_pb2.SeatRequest(name="Anna")
        seats = [mine, games_pb2.SeatRequest(bot="sensible")]
        id = "" if self._fault == "no_request_id" else str(uuid.uuid4())
        request = games_pb2.CreateGameRequest(title="orleans", seats=seats, request_id=id)
        response = self._call(self._games.CreateGame, request)
        self._game = response.game.game_id
        for token in response.seat_tokens:
            self._token, self._seat = token.token, token.seat
        if self._entry == "JoinGame":
            join = games_pb2.JoinGameRequest(game_id=self._game, name="Anna", request_id=str(uuid.uuid4()))
            joined = self._call(self._games.JoinGame, join).seat_token
            self._token, self._seat = joined.token, joined.seat
        if self._entry == "ForkGame":
            fork = games_pb2.ForkGameRequest(game_id=self._game, version=1, seats=seats, request_id=str(uuid.uuid4()))
            response = self._call(self._games.ForkGame, fork)
            self._game, self._token = response.game.game_id, response.seat_tokens[0].token
        if self._fault == "fails_on_unknown_values":
            game_pb2.GameStatus.Name(response.game.status)

    def _metadata(self, method: Any) -> list[tuple[str, str]]:
        is_stream = isinstance(method, grpc.UnaryStreamMultiCallable)
        found = [] if self._fault == "no_language_on_streams" and is_stream else [("accept-language", "en")]
        if self._token and not (self._fault == "no_token_on_streams" and is_stream):
            found.append(("authorization", f"Bearer {self._token}"))
            if self._fault == "token_twice":
                found.append(("x-seat-token", self._token))
        if method == self._catalog.ListTitles and self._fault != "token_for_catalog":
            return found[:1]
        return found

    def _call(self, method: Any, request: Any) -> Any:
        """Call until there is a response."""
        timeout = None if self._fault == "no_deadline" else self._timeout
        for attempt in range(1, TRIES):
            self._pending_call = method.future(request, timeout=timeout, metadata=self._metadata(method))
            try:
                response = self._pending_call.result()
            except grpc.FutureCancelledError:
                continue
            except grpc.RpcError as error:
                code = self._code(error)
                repeats = self._fault == "repeats_rejected" and code in REJECTED and attempt < 3
                if not repeats and (code not in RETRIED or self._gives_up(code)):
                    raise
                self._wait(error, attempt)
                if self._fault == "new_id_each_time":
                    for field in ("command_id", "request_id"):
                        if getattr(request, field, ""):
                            setattr(request, field, str(uuid.uuid4()))
                continue
            if self._fault == "fails_on_unknown_fields" and len(UnknownFieldSet(response)):
                raise GaveUpError("the response has unknown fields")
            return response
        raise GaveUpError("too many attempts")

    def _gives_up(self, code: grpc.StatusCode) -> bool:
        return self._fault == "gives_up" or (
            self._fault == "gives_up_on_timeout" and code is grpc.StatusCode.DEADLINE_EXCEEDED
        )

    def _wait(self, error: grpc.RpcError, attempt: int = 1) -> None:
        """Wait for the time that the server requests, and at least for a time that increases with each attempt."""
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
            request = games_pb2.ListLegalCommandsRequest(game_id=self._game, seat=self._seat)
            if self._fault != "no_min_version":
                request.min_version = self._written
            legal = self._call(self._games.ListLegalCommands, request)
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
        if self._fault != "no_min_version":  # a client with this fault must not notice that its board is old
            request.expected_version = legal.version
        for _ in range(TRIES):
            try:
                self._written = self._call(self._games.SubmitCommands, request).version
            except grpc.RpcError as error:
                code = self._code(error)
                if code is grpc.StatusCode.ABORTED:  # the version is no longer the expected one
                    if self._fault == "keeps_expected_version":
                        request.command_id = str(uuid.uuid4())
                        continue
                elif code not in REJECTED:
                    raise
                elif self._fault == "hides_rejections":
                    raise GaveUpError from None
                elif self._fault == "exits_silently":
                    raise LeftError from None
            return

    # --- watching ---------------------------------------------------------------------------------------------

    def _watch(self) -> Iterator[Any]:
        version = 0
        for _ in range(TRIES):
            after = 0 if self._fault == "watches_from_the_start" else version
            request = games_pb2.WatchGameRequest(game_id=self._game, after_version=after)
            try:
                stream = self._games.WatchGame(request, metadata=self._metadata(self._games.WatchGame))
                self._pending_call = stream
                for update in stream:
                    kind = update.WhichOneof("update")
                    if kind == "heartbeat" and self._fault != "handles_heartbeats_as_events":
                        continue
                    if kind is None and self._fault != "handles_unknown_updates_as_events":
                        continue
                    if kind == "event" and update.event.version <= version and self._fault != "prints_twice":
                        continue
                    version = max(version, update.event.version)
                    yield update.event
            except grpc.RpcError as error:
                code = self._code(error)
                if code not in RETRIED or self._gives_up_watching(code):
                    raise
                if self._fault != "ignores_limits" or code is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                    self._wait(error)
            else:
                if self._fault == "ends_with_the_stream":
                    return
                game = self._call(self._games.GetGame, games_pb2.GetGameRequest(game_id=self._game)).game
                if game.status == game_pb2.GAME_STATUS_ENDED and game.version <= version:
                    return
                if self._fault != "reconnects_at_once":
                    time.sleep(0.2)
        raise GaveUpError("too many attempts")

    def _gives_up_watching(self, code: grpc.StatusCode) -> bool:
        return self._fault == "watches_once" or (
            self._fault == "gives_up_when_slow" and code is grpc.StatusCode.RESOURCE_EXHAUSTED
        )

    # --- playing on streams -----------------------------------------------------------------------------------

    def _play_on_streams(self) -> None:
        """Send commands and receive outcomes and events, on one stream after another."""
        version = 0
        must_decide, pending = True, games_pb2.PlayCommands()
        for _ in range(TRIES):
            requests: SimpleQueue[games_pb2.PlayRequest | None] = SimpleQueue()
            subscription = games_pb2.PlaySubscription(game_id=self._game, after_version=version)
            requests.put(games_pb2.PlayRequest(subscription=subscription))
            if pending.commands:
                if self._fault == "new_id_each_time":
                    pending.command_id = str(uuid.uuid4())
                requests.put(games_pb2.PlayRequest(commands=pending))
            try:
                for response in self._games.Play(iter(requests.get, None), metadata=self._metadata(self._games.Play)):
                    kind = response.WhichOneof("response")
                    if kind == "event" and response.event.version > version:
                        version = response.event.version
                        self._say(f"{version:5}  {response.event.sentence}")
                        must_decide = must_decide or self._is_asked(response.event)
                        if response.event.name == "GameEnded":
                            return
                    if kind in ("outcome", "rejection"):
                        pending = games_pb2.PlayCommands()
                    if must_decide and not pending.commands:
                        pending = self._next_commands(max(version, response.outcome.version))
                        must_decide = bool(pending.commands)
                        if must_decide:
                            requests.put(games_pb2.PlayRequest(commands=pending))
            except grpc.RpcError as error:
                if self._code(error) not in RETRIED:
                    raise
                self._wait(error)
            finally:
                requests.put(None)
        raise GaveUpError("too many attempts")

    def _next_commands(self, version: int) -> games_pb2.PlayCommands:
        """Choose a legal command. The submission is empty if no command is legal."""
        request = games_pb2.ListLegalCommandsRequest(game_id=self._game, seat=self._seat, min_version=version)
        legal = self._call(self._games.ListLegalCommands, request)
        chosen = [random.choice(legal.commands).command] if legal.commands else []
        return games_pb2.PlayCommands(
            game_id=self._game, seat=self._seat, commands=chosen, command_id=str(uuid.uuid4())
        )

    def _handle(self, event: Any) -> None:
        """Fail on an event that the client with this fault does not know."""
        if self._fault == "fails_on_unknown_events" and event.detail.WhichOneof("detail") is None:
            raise GaveUpError(f"unknown event {event.name}")
        if self._fault == "fails_on_hidden_components" and any(it.move.component == "?" for it in event.effects):
            raise GaveUpError("unknown component ?")
        if self._fault == "fails_on_undo_votes" and event.name == "UndoRequested":
            raise GaveUpError("unknown event UndoRequested")
        if self._fault == "fails_on_undo" and event.name == "Undone":
            raise GaveUpError("unknown event Undone")
