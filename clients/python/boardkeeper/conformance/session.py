"""One client in one scenario: its calls are observed, and faults are injected into them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any, cast

import grpc
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from boardkeeper.conformance import faults
from boardkeeper.conformance.observations import Observations, ObservedCall
from boardkeeper.conformance.opponent import Opponent
from boardkeeper.conformance.play_stream import PlayStream
from boardkeeper.conformance.scenarios import Fault, Scenario
from boardkeeper.conformance.tcp_proxy import TcpProxy
from boardkeeper.conformance.unknown_fields import add_unknown_fields
from boardkeeper.service.transport.call import Context
from boardkeeper.service.transport.call_context import CallContext
from boardkeeper.service.transport.guard import Answer, Rpc
from boardkeeper.v1 import games_pb2
from boardkeeper.wire.convert import serialize

MAX_CALLS = 500
"""A client with more calls than this is in an endless loop."""

_VOTE_SECONDS = 1.0
"""The time that a client has to answer a vote if it has nothing else to do."""


class Session:
    """A client's connection to the server, with the observations until now."""

    def __init__(self, scenario: Scenario, opponent: Opponent) -> None:
        self.scenario = scenario
        self.observations = Observations()
        self.proxies: list[TcpProxy] = []
        self.is_game_over = asyncio.Event()
        self._opponent = opponent
        self._numbers: Counter[str] = Counter()
        self._last_submission = (0, 0)
        """The first and the last version of the client's last submission."""
        self._postponed: list[Fault] = []
        """Undos that were due after a submission, but not possible yet."""
        self._is_vote_open = False
        self._rejects_calls = False
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """The address for gRPC."""
        return self.proxies[0].address

    @property
    def web_address(self) -> str:
        """The URL for Connect; empty if the server has none."""
        return f"http://{self.proxies[1].address}" if len(self.proxies) > 1 else ""

    async def close(self) -> None:
        """Disconnect the client, and record the version at which its game ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for proxy in self.proxies:
            await proxy.close()
        if self._opponent.game_id:
            self.observations.final_version = await self._opponent.final_version()

    async def wait_until_disconnected(self) -> None:
        """Wait until the client has closed its connections."""
        for proxy in self.proxies:
            await proxy.wait_until_unused()

    def reject_client(self) -> None:
        """Disconnect the client, and reject its further calls."""
        self._rejects_calls = True
        self._disconnect()

    # --- calls ----------------------------------------------------------------------------------------------

    async def handle(self, rpc: Rpc, request: Any, context: Context) -> Answer | None:
        """Handle a call in place of ``rpc.handle``."""
        name = rpc.method.name
        self._numbers[name] += 1
        call = ObservedCall(name, self._numbers[name], _metadata(context), _deadline(context))
        self.observations.calls.append(call)
        if self._rejects_calls or len(self.observations.calls) > MAX_CALLS:
            await faults.reject_excess(call, context)
        forwarded = _ForwardedContext(context)
        server_context = cast(Context, forwarded)
        try:
            if name == "Play":
                stream = PlayStream(
                    call, self.scenario.faults, context, self.observations, self._after_submission, self._disconnect
                )
                forwarded.on_write = stream.write
                return await rpc.handle(stream.read(request), server_context)
            if rpc.method.client_streaming:
                return await rpc.handle(request, context)
            data = await context.read()
            if data is grpc.aio.EOF:
                return await rpc.handle(request, server_context)
            forwarded.data = data
            try:
                call.request = GetMessageClass(rpc.method.input_type).FromString(data)
            except DecodeError:
                return await rpc.handle(request, server_context)
            due = [it for it in self.scenario.faults if it.call == name and it.is_due(call.number)]
            if rpc.method.server_streaming:
                events = faults.EventStream(call, due, context, self.proxies)
                forwarded.on_write = events.write
                await events.start()
                return await rpc.handle(request, server_context)
            return await self._handle_unary(rpc, request, forwarded, call, due)
        except faults.StreamEndedError:
            return None
        except asyncio.CancelledError:
            call.code = call.code or "CANCELLED"
            raise
        except grpc.aio.AbortError:
            call.code = call.code or _code_of(context)
            raise
        finally:
            call.set_end()
            call.code = call.code or "OK"

    async def _handle_unary(
        self, rpc: Rpc, request: Any, forwarded: _ForwardedContext, call: ObservedCall, due: list[Fault]
    ) -> Answer | None:
        server_context = cast(Context, forwarded)
        for fault in due:
            await self._inject_before(fault, forwarded.client_context, call)
        forwarded.data = serialize(self._request_for_server(call, due))
        answer = await rpc.handle(request, server_context)
        if answer is None:
            return None
        response = await self._observe_response(rpc, answer, call)
        if isinstance(response, games_pb2.SubmitCommandsResponse):
            due = await self._after_submission(call, response)
        for fault in due:
            if fault.kind == "process_twice":  # the client gets the second response
                call.faults.append(fault)
                answer = await rpc.handle(request, server_context)
                if answer is None:
                    return None
                response = await self._observe_response(rpc, answer, call)
        if isinstance(response, games_pb2.AnswerUndoResponse):
            await self._close_vote()
        if isinstance(response, games_pb2.ListLegalCommandsResponse) and not response.commands and self._is_vote_open:
            self._start_task(self._close_vote_later())
        for fault in due:
            if fault.kind == "announce_shutdown":
                await faults.announce_shutdown(fault, call, self.proxies)
            else:
                self._inject_after(fault, call, response)
        call.response = response
        return serialize(response)

    def _request_for_server(self, call: ObservedCall, due: list[Fault]) -> Message:
        request: Message = type(call.request)()
        request.CopyFrom(call.request)
        if isinstance(request, games_pb2.CreateGameRequest | games_pb2.ForkGameRequest):
            self._opponent.replace_bots(request)
        elif isinstance(request, games_pb2.SubmitCommandsRequest):
            request.DiscardUnknownFields()
        elif isinstance(request, games_pb2.ListLegalCommandsRequest):
            self._make_stale(request, call, due)
        return request

    async def _observe_response(self, rpc: Rpc, answer: Answer, call: ObservedCall) -> Message:
        """Parse a response. Record its game and seat tokens, and let the opponent take the bots' seats."""
        raw = answer if isinstance(answer, bytes) else serialize(answer)
        response = GetMessageClass(rpc.method.output_type).FromString(raw)
        tokens: list[games_pb2.SeatToken] = []
        if isinstance(response, games_pb2.CreateGameResponse | games_pb2.ForkGameResponse):
            await self._opponent.take_seats(call.request, response)
            self.observations.games.setdefault(call.rpc, set()).add(response.game.game_id)
            tokens = list(response.seat_tokens)
        elif isinstance(response, games_pb2.JoinGameResponse):
            await self._opponent.resume_bots()  # seats cannot be handed to bots before the game has started
            tokens = [response.seat_token]
        if tokens:
            game_id = response.game.game_id  # type: ignore[attr-defined]
            self.observations.tokens.update({it.token: (game_id, it.seat) for it in tokens})
        return response

    # --- faults ---------------------------------------------------------------------------------------------

    async def _inject_before(self, fault: Fault, context: Context, call: ObservedCall) -> None:
        """Inject a fault before the server handles the call."""
        if fault.kind == "fail":
            await faults.fail(fault, call, context)
        if fault.kind == "delay_response":
            call.faults.append(fault)
            if call.timeout is not None:  # else the call would never end; an expectation reports it
                await asyncio.sleep(call.timeout + 5)
        if fault.kind == "conflict" and call.request.HasField("expected_version"):
            call.faults.append(fault)
            await self._opponent.advance_version()

    def _make_stale(self, request: games_pb2.ListLegalCommandsRequest, call: ObservedCall, due: list[Fault]) -> None:
        """Read the version before the last submission, unless the request has a ``min_version``."""
        first, last = self._last_submission
        min_version = request.min_version if request.HasField("min_version") else 0
        for fault in due:
            if fault.kind != "stale_read" or first <= 1 or request.HasField("version"):
                continue
            call.faults.append(fault)
            if min_version < last:
                call.current_version = last
                request.ClearField("min_version")
                request.version = first - 1
                self._last_submission = (0, 0)  # the next read is up to date

    async def _after_submission(
        self, call: ObservedCall, response: games_pb2.SubmitCommandsResponse | games_pb2.PlayOutcome
    ) -> list[Fault]:
        """Let the opponent act after a submission that was carried out. Return the faults of its response.

        Failed submissions do not count, because a correct client can also be too late.
        """
        await self._close_vote()
        if response.repeated:
            return []
        self.observations.submissions += 1
        due = [it for it in self.scenario.faults if it.call == call.rpc and it.is_due(self.observations.submissions)]
        self._last_submission = (response.first_version, response.version)
        seat, token = call.request.seat, getattr(call.request, "token", "") or _token(call)
        for fault in [*self._postponed, *(it for it in due if it.kind in ("request_undo", "undo"))]:
            if await self._try_undo(fault, seat, token):
                call.faults.append(fault)
                self._postponed = [it for it in self._postponed if it is not fault]
            elif fault not in self._postponed:
                self._postponed.append(fault)
        if self.observations.submissions >= self.scenario.commands and not self._postponed:
            await self._opponent.end_game(seat, token)
            self.is_game_over.set()
        return due

    async def _try_undo(self, fault: Fault, seat: int, token: str) -> bool:
        """Request an undo by the opponent, or undo the client's command. Return whether it was possible."""
        if fault.kind == "request_undo":
            self._is_vote_open = await self._opponent.request_undo()
            return self._is_vote_open
        try:
            await self._opponent.undo_for_client(seat, token)
        except grpc.aio.AioRpcError:
            return False
        return True

    def _inject_after(self, fault: Fault, call: ObservedCall, response: Message) -> None:
        """Inject a fault into a response."""
        if fault.kind == "lose_response":
            call.code = "LOST"
            self._disconnect()
        elif fault.kind == "restart":
            call.code = "LOST"
            for proxy in self.proxies:
                proxy.go_down(fault.seconds)  # now, so that the response is not sent before
        elif fault.kind == "unknown_fields":
            add_unknown_fields(response)
        elif fault.kind == "unknown_commands" and isinstance(response, games_pb2.ListLegalCommandsResponse):
            faults.mark_commands(response)
        elif fault.kind == "unknown_values":
            faults.set_unknown_status(cast(Any, response))
        else:
            return
        call.faults.append(fault)

    def _disconnect(self) -> None:
        for proxy in self.proxies:
            proxy.disconnect()

    # --- votes ----------------------------------------------------------------------------------------------

    async def _close_vote(self) -> None:
        if self._is_vote_open:
            self._is_vote_open = False
            await self._opponent.resume_bots()

    async def _close_vote_later(self) -> None:
        await asyncio.sleep(_VOTE_SECONDS)
        await self._close_vote()

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _ForwardedContext:
    """The context that the server gets for a call. It changes the request, or the messages of a stream."""

    def __init__(self, context: Context) -> None:
        self.client_context = context
        self.data: Any = grpc.aio.EOF
        self.on_write: Callable[[Any], Coroutine[Any, Any, None]] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client_context, name)

    async def read(self) -> Any:
        """Return the request."""
        return self.data

    async def write(self, message: Any) -> None:
        """Send a message of a stream."""
        await (self.on_write or self.client_context.write)(message)


def is_web(context: Any) -> bool:
    """Return whether a call uses Connect or gRPC-Web."""
    return isinstance(context, CallContext) and context.is_web


def _metadata(context: Context) -> dict[str, str]:
    return {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}


def _deadline(context: Any) -> float | None:
    """Return the deadline in seconds. gRPC and Connect use different headers."""
    try:
        return cast("float | None", context.seconds() if isinstance(context, CallContext) else context.time_remaining())
    except Exception:  # noqa: BLE001  # an invalid header, which the server rejects
        return None


def _token(call: ObservedCall) -> str:
    return call.metadata.get("authorization", "").partition(" ")[2]


def _code_of(context: Any) -> str:
    code = context.code()
    if isinstance(code, grpc.StatusCode):
        return code.name
    return next((it.name for it in grpc.StatusCode if it.value[0] == code), str(code))
