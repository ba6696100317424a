"""The one place where calls come in: parsing, errors and the log are the same for every rpc.

Messages are parsed here rather than in gRPC, which answers a malformed one with INTERNAL. What a servicer
refuses becomes its canonical status with details; what nobody expected is logged under the id of the call, which the
client gets.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from inspect import isasyncgenfunction
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode

from boardkeeper.service.auth.access_control import AccessControl
from boardkeeper.service.auth.scopes import ANYBODY, NEEDED
from boardkeeper.service.config import Config
from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.limits.clients import CALLER, ClientLimiter
from boardkeeper.service.limits.limits import BYTES_IN, BYTES_OUT
from boardkeeper.service.limits.rpc_rates import Kind, kind_of
from boardkeeper.service.observability.counters import CallCounters, RpcCounters
from boardkeeper.service.observability.logs import log_call
from boardkeeper.service.requests.errors import ApiError, LimitError, api_error_of, invalid
from boardkeeper.service.transport.call import Call, Context, counted_as, language_of
from boardkeeper.service.transport.call_ids import new_call_id
from boardkeeper.service.transport.grpc_options import LARGEST_METADATA
from boardkeeper.service.transport.pacing import PacedContext, turn
from boardkeeper.service.transport.read_timeouts import ReadTimeouts
from boardkeeper.service.transport.statuses import status_of, trailing_metadata, unexpected_status
from boardkeeper.titlekit.title_guard import IncompatibleTitleError, TitleFailedError
from boardkeeper.wire.serialized import serialized

if TYPE_CHECKING:
    from boardkeeper.service.observability.tracing import Tracing  # for which packages of an extra are needed

AnyServiceDescriptor = Any
"""A service of a generated module; the stubs of the two protobuf runtimes disagree on its type."""

Answer = Message | bytes
"""What an rpc answers; bytes are a message that is serialized already."""


_Parse = Callable[[bytes], Message]

_operators = structlog.get_logger("boardkeeper.operator")

FIRST_MESSAGE_SECONDS = 1.0
"""How long a rejected bidirectional call waits for the client's first message before it ends."""

MOST_FIRST_MESSAGES = 500
"""At most this many rejected calls wait for their first message at once: no limit of a caller counts them."""

MOST_METADATA = 64
"""Entries that a call's metadata may have. HPACK packs an entry into a byte, and in memory each takes hundreds."""


class Rpc(NamedTuple):
    """One rpc behind the guard, for all protocols: gRPC, Connect and gRPC-Web.

    ``handle`` takes the messages of a client that streams, as bytes, and a context; everything else is asked of that:
    the one message, who calls, and writing. ``serialize`` is for what ``handle`` answers and writes, and counts it.
    """

    path: str
    method: MethodDescriptor
    handle: Callable[[Any, Context], Awaitable[Answer | None]]
    serialize: Callable[[Answer], bytes]


def guarded_rpcs(
    descriptor: AnyServiceDescriptor,
    servicer: object,
    *,
    own: bool = True,
    gate: AccessControl | None = None,
    tallies: CallCounters | None = None,
    admission: Admission | None = None,
    draining: Callable[[], bool] = lambda: False,
    tracing: Tracing | None = None,
) -> list[Rpc]:
    """All rpcs of a service; raises ``AttributeError`` if the servicer lacks one.

    Our own servicers get a :class:`Call` beside the request, others gRPC's context. ``gate`` says who may do what;
    each rpc of ours has to stand in its table. ``admission`` says how much of it, of whatever rpc. Calls are counted in
    ``tallies``, those of our own servicers alone, who take none while the service is ``draining``; with ``tracing``
    these have spans.
    """
    tallies = tallies if tallies is not None and own else CallCounters()
    terms = _Terms(own, gate, tallies, admission or Admission(Config()), draining, tracing if own else None)
    return [_rpc(descriptor, method, getattr(servicer, method.name), terms) for method in descriptor.methods]


def grpc_handler(rpcs: Iterable[Rpc], tallies: CallCounters | None = None) -> grpc.GenericRpcHandler:
    """What a gRPC server takes; calls with too much metadata are counted in ``tallies``."""
    return _Handlers({rpc.path: _method_handler(rpc) for rpc in rpcs}, tallies or CallCounters())


class _Terms(NamedTuple):
    """What holds for all rpcs of a service."""

    own: bool
    gate: AccessControl | None
    tallies: CallCounters
    admission: Admission
    draining: Callable[[], bool]
    tracing: Tracing | None


class _Handlers(grpc.GenericRpcHandler):
    """The handlers of a service, asked for when a call's headers have come and before any message has."""

    def __init__(self, handlers: Mapping[str, Any], tallies: CallCounters) -> None:
        self._handlers = handlers
        self._tallies = tallies

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        if len(handler_call_details.invocation_metadata) > MOST_METADATA:
            self._tallies.refused("METADATA_TOO_LARGE")
            return _metadata_rejecting
        return self._handlers.get(handler_call_details.method)


def too_much_metadata() -> ApiError:
    """Return the error for a call with more metadata than the server accepts."""
    return ApiError("METADATA_TOO_LARGE", most=MOST_METADATA, kibibytes=LARGEST_METADATA // 1024)


async def _refuse_metadata(_: object, context: Context) -> None:
    call_id = new_call_id()  # theirs is not even looked for
    error = too_much_metadata()
    await _abort(context, status_of(error, language_of(context), call_id), error.code, call_id)


_metadata_rejecting: Any = grpc.stream_unary_rpc_method_handler(_refuse_metadata)  # that waits for no message


def _method_handler(rpc: Rpc) -> Any:
    make: Callable[..., Any]
    # As if every client streamed: then it is here that a call waits for its message, and no longer than is good.
    streams = rpc.method.server_streaming
    make = grpc.stream_stream_rpc_method_handler if streams else grpc.stream_unary_rpc_method_handler
    return make(rpc.handle, None, rpc.serialize)


def _rpc(
    descriptor: AnyServiceDescriptor, method: MethodDescriptor, behaviour: Callable[..., Any], terms: _Terms
) -> Rpc:
    name = f"{descriptor.name}.{method.name}"
    parse: _Parse = GetMessageClass(method.input_type).FromString
    incoming = _parsed_stream if method.client_streaming else _parsed_message
    tally = terms.tallies.rpc(name, streams=method.server_streaming)
    serialize = _counting(tally) if method.server_streaming else _serialize
    handle = _guarded(name, behaviour, incoming, parse, terms, tally)
    return Rpc(f"/{descriptor.full_name}/{method.name}", method, handle, serialize)


def _guarded(
    name: str,
    behaviour: Callable[..., Any],
    incoming: Callable[[Any, Context, _Parse, ClientLimiter, Kind, ReadTimeouts], Awaitable[Any]],
    parse: _Parse,
    terms: _Terms,
    tally: RpcCounters,
) -> Callable[[Any, Context], Awaitable[Answer | None]]:
    # Bound here, once the log is configured: binding costs more than writing a line.
    log = structlog.get_logger("boardkeeper.calls").bind()
    streams = isasyncgenfunction(behaviour)
    own, gate, tallies, admission, draining, tracing = terms
    needed = NEEDED[name] if own else ANYBODY
    kind = kind_of(name, needed, own=own, is_stream=tally.streams)
    patience = ReadTimeouts()

    async def carry_out(request: Any, context: Context) -> Answer | None:
        started = time.perf_counter()
        call = Call(context, gate, tallies, admission)
        call.begin()
        tally.open += 1
        span = tracing.begin(name, call.id, context.invocation_metadata() or ()) if tracing is not None else None
        code, reason = StatusCode.OK, ""
        message: Any = None
        try:
            try:
                if own:
                    if draining():
                        raise ApiError("SHUTTING_DOWN")
                    await call.identify(needed)
                caller = call.enter_service(kind)
                CALLER.set(caller)
                if kind.is_stream and caller.terms.rates[BYTES_OUT] is not None:
                    call.context = cast(Context, PacedContext(context, caller))
                message = await incoming(request, context, parse, caller, kind, patience)
                answer = behaviour(message, call if own else context)
                if not streams:
                    return cast("Answer | None", await answer)
                async for part in answer:
                    await context.write(part)
            except (ApiError, IncompatibleTitleError) as caught:
                api_error = api_error_of(caught)
                if own:
                    api_error = call.error_to_send(api_error)
                try:
                    if isinstance(api_error, LimitError):
                        await admission.hold(api_error, call.blamed())
                    code, reason = api_error.code, counted_as(api_error)
                    tallies.refused(reason)
                    status = call.status_of(api_error)
                finally:
                    del api_error  # or it would hold the frame that holds it, and both the call
                if message is None and tally.streams and incoming is _parsed_stream:
                    await _skip_first_message(context, admission)
                await _abort(context, status, code, call.id)
            except (asyncio.CancelledError, grpc.aio.AbortError):
                raise
            except Exception as error:  # the last resort of every call
                if _peer_is_gone(error):
                    raise
                code, reason = StatusCode.UNKNOWN, "UNEXPECTED"
                tallies.refused(reason)
                title = ""
                if isinstance(error, TitleFailedError):
                    title = error.title
                    call.notes |= {"title": title, "package": error.build}
                log.exception("unexpected error", rpc=name, call_id=call.id, **call.notes)
                await _abort(context, unexpected_status(call.id, call.language, title), code, call.id)
        except asyncio.CancelledError:
            code = StatusCode.CANCELLED
            raise
        except grpc.aio.AbortError:
            code = StatusCode(context.code()) if context.code() in StatusCode else StatusCode.UNKNOWN
            raise
        except Exception as error:
            if not _peer_is_gone(error):
                raise
            code = StatusCode.CANCELLED
            raise asyncio.CancelledError from None
        finally:
            if call.caller is not None:
                admission.leave(call.caller, kind)
            seconds = time.perf_counter() - started
            tally.ended(code.name, seconds - call.waited)
            if own:
                if call.key is not None:
                    call.notes["key"] = call.key.key_id
                log_call(name, code.name, seconds, call.id, call.notes)
                if call.as_operator:
                    log_operator(name, code.name, reason, call)
            if tracing is not None and span is not None:
                tracing.end(span, code, reason, call.notes)
        return None

    async def handle(request: Any, context: Context) -> Answer | None:
        try:
            return await carry_out(request, context)
        except grpc.aio.AbortError as aborted:
            # gRPC keeps it with the call: if it held the call in turn, only the garbage collector could free both.
            del request, context
            aborted.__context__ = None
            raise aborted.with_traceback(None) from None

    return handle


def log_operator(rpc: str, code: str, reason: str, call: Call) -> None:
    """Say who did what as an operator: with the operator's token, or with the key of that id."""
    who = call.key.key_id if call.key is not None and not call.is_operator else "token"
    about = {name: call.notes[name] for name in ("game", "fork", "subject") if name in call.notes}
    _operators.info("operator", who=who, rpc=rpc, code=code, reason=reason, **about)


def _peer_is_gone(error: Exception) -> bool:
    """Whether gRPC could not write any more; it tells so before it cancels the call, where a write was under way.

    What it does not even begin to write is a mistake of ours.
    """
    return isinstance(error, grpc.aio.InternalError) and "grpc_call_start_batch" not in str(error)


async def _skip_first_message(context: Context, admission: Admission) -> None:
    """Read and drop the first message of a bidirectional call that is rejected before anything was read.

    If a call ends while its client writes the first message, gRPC's asyncio client reports INTERNAL and drops the
    status that the server sent. A client that sends no message gets its error after :data:`FIRST_MESSAGE_SECONDS`, or
    at once if too many calls wait already.
    """
    if admission.first_messages >= MOST_FIRST_MESSAGES:
        return
    admission.first_messages += 1
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST_MESSAGE_SECONDS):
                await context.read()
    finally:
        admission.first_messages -= 1


async def _abort(context: Context, status: Any, code: StatusCode, call_id: str) -> None:
    await context.abort(code, status.message, trailing_metadata(status, call_id))


def _parsed(data: bytes, parse: _Parse) -> Message:
    try:
        return parse(data)
    except DecodeError:
        raise invalid("", "not_protobuf") from None


async def _parsed_message(
    _: object, context: Context, parse: _Parse, caller: ClientLimiter, _kind: Kind, patience: ReadTimeouts
) -> Message:
    """The one message of a call that has one."""
    task = cast("asyncio.Task[Any]", asyncio.current_task())
    patience.begin(task)
    try:
        data = await context.read()
    except asyncio.CancelledError:
        if patience.is_over(task) and not task.uncancel():  # it was not cancelled for another reason besides
            raise ApiError("REQUEST_TIMEOUT") from None
        raise
    finally:
        patience.end(task)
    if data is grpc.aio.EOF:
        raise invalid("", "no_message")
    if caller.has_rates:
        caller.charge(BYTES_IN, len(data), time.monotonic())
    return _parsed(data, parse)


async def _parsed_stream(
    requests: AsyncIterator[bytes],
    _: Context,
    parse: _Parse,
    caller: ClientLimiter,
    kind: Kind,
    _patience: ReadTimeouts,
) -> AsyncIterator[Message]:
    """All messages of a call, as they come; no faster than the caller may send them."""
    rate = kind.rate if kind.of_each_message else None

    async def messages() -> AsyncIterator[Message]:
        # Nothing of gRPC's is begun before somebody asks for the first message.
        async for data in requests:
            if rate is not None:
                await turn(caller, rate)
                caller.charge(rate, 1, time.monotonic())
            caller.charge(BYTES_IN, len(data), time.monotonic())
            yield _parsed(data, parse)
            await turn(caller, BYTES_IN)

    return messages()


def _counting(tally: RpcCounters) -> Callable[[Answer], bytes]:
    """The serializer of a stream, which counts what is sent."""

    def serialize(answer: Answer) -> bytes:
        data = _serialize(answer)
        tally.messages += 1
        tally.bytes += len(data)
        return data

    return serialize


def _serialize(answer: Answer) -> bytes:
    data = answer if isinstance(answer, bytes) else serialized(answer)
    caller = CALLER.get()
    if caller is not None and caller.has_rates:
        caller.charge(BYTES_OUT, len(data), time.monotonic())
    return data
