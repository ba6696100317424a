"""Injection of faults into responses and streams."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NoReturn

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status

from boardkeeper.conformance.observations import ObservedCall
from boardkeeper.conformance.scenarios import Fault
from boardkeeper.conformance.tcp_proxy import TcpProxy
from boardkeeper.conformance.unknown_fields import UNKNOWN_FIELDS, add_unknown_fields, encode_unknown_field
from boardkeeper.service.transport.call import Context
from boardkeeper.service.transport.call_ids import new_call_id
from boardkeeper.service.transport.statuses import trailing_metadata
from boardkeeper.v1 import game_pb2, games_pb2
from boardkeeper.wire import errors
from boardkeeper.wire.convert import serialize

ENDED = "GameEnded"
OK = "OK"
HIDDEN_COMPONENT = "?"
UNKNOWN_VALUE = 77
"""A number that no enum of the API has."""
UNKNOWN_EVENT = "SomethingOfLaterHappened"

TEMPORARY_CODES = ("UNAVAILABLE", "RESOURCE_EXHAUSTED")
"""The codes of temporary errors, which have a ``RetryInfo``."""


async def fail(fault: Fault, call: ObservedCall, context: Context, version: int = 0) -> NoReturn:
    """End a call with an error, as the server would. A client continues its stream after ``version`` (0: none)."""
    call.faults.append(fault)
    details: list[Message] = []
    if fault.code in TEMPORARY_CODES:
        delay = Duration()
        delay.FromNanoseconds(round(fault.seconds * 1e9))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    if fault.code == "INVALID_ARGUMENT":
        field = error_details_pb2.BadRequest.FieldViolation(field="commands[0]", description=fault.text)
        details.append(error_details_pb2.BadRequest(field_violations=[field]))
    values = {"version": str(version)} if version else {}
    code = grpc.StatusCode[fault.code]
    status = errors.make_status(code, fault.reason or fault.code, fault.text or fault.code, values, details)
    await _abort(call, context, code, status)


async def reject_excess(call: ObservedCall, context: Context) -> NoReturn:
    """End a call of a client that made too many calls or took too long."""
    text = "the kit rejects further calls: the client made too many or ran too long"
    code = grpc.StatusCode.PERMISSION_DENIED
    await _abort(call, context, code, errors.make_status(code, "ENOUGH", text))


async def _abort(call: ObservedCall, context: Context, code: grpc.StatusCode, status: Status) -> NoReturn:
    call_id = new_call_id()
    error = errors.add_call_id(status, call_id)
    call.set_end()
    await context.abort(code, error.message, trailing_metadata(error, call_id))
    raise AssertionError("an aborted call continued")


async def announce_shutdown(fault: Fault, call: ObservedCall, proxies: Sequence[TcpProxy]) -> None:
    """Announce that connections accept no new calls, and delay the call so that the client can react."""
    call.faults.append(fault)
    for proxy in proxies:
        proxy.announce_shutdown()
    await asyncio.sleep(fault.seconds)


class StreamEndedError(asyncio.CancelledError):
    """Raised to end a stream with OK. It cancels the server's handler."""


class EventStream:
    """Injects faults into a stream of events."""

    def __init__(self, call: ObservedCall, faults: list[Fault], context: Context, proxies: Sequence[TcpProxy]) -> None:
        self._call = call
        self._faults = faults
        self._context = context
        self._proxies = proxies

    async def start(self) -> None:
        """Inject faults before the first message. Raises ``StreamEndedError``, or ends the call with an error."""
        for fault in self._faults:
            if fault.kind == "fail":
                await fail(fault, self._call, self._context)
            if fault.kind == "end" and fault.after == 0:
                self._end_with_ok(fault)

    def _end_with_ok(self, fault: Fault) -> NoReturn:
        self._call.faults.append(fault)
        self._call.code = fault.code
        self._call.set_end()
        raise StreamEndedError

    async def write(self, message: Any) -> None:
        """Send a message of the server with faults."""
        raw = message if isinstance(message, bytes) else serialize(message)
        update = games_pb2.WatchGameResponse.FromString(raw)
        is_event = update.WhichOneof("update") == "event"
        version = update.event.version
        copies = 1
        for fault in self._faults:
            if is_event and len(self._call.sent) >= fault.after:
                copies += await self._alter(fault, update)
        for _ in range(copies):
            await self._context.write(serialize(update))
        if not is_event:
            return
        self._call.sent.append(version)
        for fault in self._faults:
            if len(self._call.sent) == fault.after:
                await self._interrupt(fault, version)

    async def _alter(self, fault: Fault, update: games_pb2.WatchGameResponse) -> int:
        """Change an event, or send other messages before it. Return how many more times to send the event."""
        event = update.event
        match fault.kind:
            case "repeat_events":
                self._call.faults.append(fault)
                return 1
            case "heartbeats":
                self._call.faults.append(fault)
                beat = games_pb2.Heartbeat(game_id=event.game_id, version=event.version - 1)
                for _ in range(3):
                    await self._context.write(serialize(games_pb2.WatchGameResponse(heartbeat=beat)))
            case "unknown_updates":
                self._call.faults.append(fault)
                await self._context.write(UNKNOWN_FIELDS)
            case "unknown_fields":
                self._call.faults.append(fault)
                add_unknown_fields(update)
            case "redact" if event.name != ENDED:
                self._call.faults.append(fault)
                _redact(update)
            case "unknown_events" if event.name != ENDED:
                self._call.faults.append(fault)
                event.name = UNKNOWN_EVENT
                event.detail.Clear()
                event.detail.MergeFromString(UNKNOWN_FIELDS)
                event.effects.add().MergeFromString(UNKNOWN_FIELDS)
            case _:
                pass
        return 0

    async def _interrupt(self, fault: Fault, version: int) -> None:
        """Interrupt the stream after an event, if the fault does that."""
        if fault.kind == "disconnect":
            self._call.faults.append(fault)
            self._call.code = "LOST"
            for proxy in self._proxies:
                proxy.disconnect()
            await asyncio.sleep(3600)  # cancelled with its connection
        if fault.kind == "announce_shutdown":
            await announce_shutdown(fault, self._call, self._proxies)
        if fault.kind == "end" and fault.code == OK:
            self._end_with_ok(fault)
        if fault.kind == "end":
            await fail(fault, self._call, self._context, version if fault.reason == errors.TOO_SLOW else 0)


def _redact(update: games_pb2.WatchGameResponse) -> None:
    """Redact an event: only counts and zones remain."""
    event = update.event
    for effect in event.effects:
        if effect.WhichOneof("effect") == "move":
            effect.move.component = HIDDEN_COMPONENT
        if effect.WhichOneof("effect") == "draw":
            effect.draw.drawn[:] = [HIDDEN_COMPONENT] * len(effect.draw.drawn)
    event.name = event.command_id = event.sentence = ""
    event.ClearField("detail")


def mark_commands(response: games_pb2.ListLegalCommandsResponse) -> None:
    """Add to each command an unknown field with another value, which the client has to send back."""
    for number, legal in enumerate(response.commands):
        legal.command.MergeFromString(encode_unknown_field(b"kept %d" % number))


def set_unknown_status(response: games_pb2.CreateGameResponse | games_pb2.GetGameResponse) -> None:
    """Set the status of a running game to an unknown value."""
    game = response.game
    if game.status != game_pb2.GAME_STATUS_ENDED:
        game.status = UNKNOWN_VALUE  # type: ignore[assignment]
