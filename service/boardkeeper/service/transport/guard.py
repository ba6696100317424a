"""The guard around each RPC: identity, limits, parsing, errors, log and counters are the same for all RPCs.

The guard parses requests itself, because gRPC reports a malformed request as INTERNAL. It turns errors of the servicers
into a gRPC status with details. It logs unexpected exceptions under the id of the call, which the client gets too.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from inspect import isasyncgenfunction
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from boardkeeper.service.auth.access_control import AccessControl
from boardkeeper.service.auth.scopes import NO_SCOPE, RPC_SCOPES
from boardkeeper.service.config import Config
from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.limits.clients import CURRENT_CLIENT, ClientLimiter
from boardkeeper.service.limits.limits import BYTES_IN, BYTES_OUT
from boardkeeper.service.limits.rpc_rates import classify_call
from boardkeeper.service.observability.counters import CallCounters, RpcCounters
from boardkeeper.service.observability.logs import log_call
from boardkeeper.service.requests.errors import ApiError, LimitError, api_error_of, invalid
from boardkeeper.service.transport.call import Call, Context, counted_reason
from boardkeeper.service.transport.pacing import PacedContext, wait_for_rate
from boardkeeper.service.transport.read_timeouts import ReadTimeouts
from boardkeeper.service.transport.statuses import trailing_metadata, unexpected_status
from boardkeeper.titlekit.title_guard import IncompatibleTitleError, TitleFailedError
from boardkeeper.wire.convert import serialize

if TYPE_CHECKING:
    from boardkeeper.service.observability.tracing import Tracing  # needs the packages of an extra

AnyServiceDescriptor = Any
"""A service of a generated module; the stubs of the two protobuf runtimes disagree on its type."""

Answer = Message | bytes
"""The answer of an RPC; bytes are a serialized message."""

FIRST_MESSAGE_SECONDS = 1.0
"""The time for which a rejected bidirectional call waits for the client's first message before it ends."""

MAX_FIRST_MESSAGES = 500
"""The maximum number of rejected calls that wait for a first message: no limit of a client counts them."""

MAX_METADATA_BYTES = 8 * 1024
"""Bytes of a call's metadata as HTTP/2 counts them: names and values, and 32 for each entry."""

MAX_METADATA_ENTRIES = 64
"""Entries of a call's metadata. HPACK can encode an entry in one byte; in memory each entry needs hundreds of bytes."""

_operator_log = structlog.get_logger("boardkeeper.operator")


class Rpc(NamedTuple):
    """One RPC behind the guard, for all protocols: gRPC, Connect and gRPC-Web.

    ``handle`` takes the serialized messages of a streaming client, and the context; it reads the message of a unary
    call from the context. ``serialize`` serializes answers, and counts them.
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
    access_control: AccessControl | None = None,
    counters: CallCounters | None = None,
    admission: Admission | None = None,
    draining: Callable[[], bool] = lambda: False,
    tracing: Tracing | None = None,
) -> list[Rpc]:
    """Return all RPCs of a service. Raises ``AttributeError`` if the servicer lacks one.

    ``own`` servicers get the request and a :class:`Call`, other servicers the request and gRPC's context. Only RPCs of
    our own services need scopes, are counted and traced, and are rejected while the server is ``draining``.
    """
    service = _Service(
        own,
        access_control,
        counters if counters is not None and own else CallCounters(),
        admission or Admission(Config()),
        draining,
        tracing if own else None,
    )
    return [
        _GuardedRpc(f"{descriptor.name}.{method.name}", method, getattr(servicer, method.name), service).rpc(
            f"/{descriptor.full_name}/{method.name}"
        )
        for method in descriptor.methods
    ]


class _Service(NamedTuple):
    """The settings that all RPCs of a service share."""

    own: bool
    access_control: AccessControl | None
    counters: CallCounters
    admission: Admission
    draining: Callable[[], bool]
    tracing: Tracing | None


class _GuardedRpc:
    """The guard around one RPC. ``name`` is as in ``Games.GetGame``, ``behaviour`` the method of the servicer."""

    def __init__(self, name: str, method: MethodDescriptor, behaviour: Callable[..., Any], service: _Service) -> None:
        self._name = name
        self._method = method
        self._behaviour = behaviour
        self._service = service
        self._is_generator = isasyncgenfunction(behaviour)
        self._scope = RPC_SCOPES[name] if service.own else NO_SCOPE
        self._counters = service.counters.add_rpc(name, streams=method.server_streaming)
        self._kind = classify_call(name, self._scope, own=service.own, is_stream=method.server_streaming)
        self._parse: Callable[[bytes], Message] = GetMessageClass(method.input_type).FromString
        self._timeouts = ReadTimeouts()
        self._log = structlog.get_logger("boardkeeper.calls").bind()  # binding costs more than writing a line

    def rpc(self, path: str) -> Rpc:
        """Return the guarded RPC."""
        serialize = _counting_serializer(self._counters) if self._method.server_streaming else _serialize
        return Rpc(path, self._method, self._handle, serialize)

    async def _handle(self, requests: Any, context: Context) -> Answer | None:
        try:
            return await self.carry_out(requests, context)
        except grpc.aio.AbortError as aborted:
            # gRPC stores the error with the call. Break the reference cycle from the error to the call.
            del requests, context
            aborted.__context__ = None
            raise aborted.with_traceback(None) from None

    async def carry_out(self, requests: Any, context: Context) -> Answer | None:
        """Identify and admit the caller, parse the request and run the servicer; log and count the call at its end."""
        started = time.perf_counter()
        own, access_control, counters, admission, draining, tracing = self._service
        call = Call(context, access_control, counters, admission)
        self._counters.open += 1
        span = tracing.begin(self._name, call.id, context.invocation_metadata() or ()) if tracing is not None else None
        request: Any = None
        try:
            try:
                if own:
                    if draining():
                        raise ApiError("SHUTTING_DOWN")
                    await call.caller.identify(self._scope)  # step 1
                client = call.limits.enter(self._kind)  # step 2
                CURRENT_CLIENT.set(client)
                if self._kind.is_stream and client.limits.rates[BYTES_OUT] is not None:
                    call.context = cast(Context, PacedContext(context, client))
                if self._method.client_streaming:  # step 3
                    request = self._parse_stream(requests, client)
                else:
                    request = await self._parse_message(context, client)
                answer = self._behaviour(request, call if own else context)
                if not self._is_generator:
                    return cast("Answer | None", await answer)
                async for part in answer:
                    await context.write(part)
            except (ApiError, IncompatibleTitleError) as error:
                await self._reject(call, context, error, is_read=request is not None)
            except (asyncio.CancelledError, grpc.aio.AbortError):
                raise
            except Exception as error:  # no exception may reach grpc without a status
                if _is_lost_client(error):
                    raise
                await self._report_unexpected(call, context, error)
        except asyncio.CancelledError:
            call.code = StatusCode.CANCELLED
            raise
        except grpc.aio.AbortError:
            call.code = StatusCode(context.code()) if context.code() in StatusCode else StatusCode.UNKNOWN
            raise
        except Exception as error:
            if not _is_lost_client(error):
                raise
            call.code = StatusCode.CANCELLED
            raise asyncio.CancelledError from None
        finally:
            call.limits.leave(self._kind)
            seconds = time.perf_counter() - started
            self._counters.end(call.code.name, seconds - call.limits.waited)
            if own:
                caller = call.caller
                if caller.key is not None:
                    call.log_fields["key"] = caller.key.key_id
                log_call(self._name, call.code.name, seconds, call.id, call.log_fields)
                if caller.used_operator_rights:
                    log_operator(self._name, call)
            if tracing is not None and span is not None:
                tracing.end(span, call.code, call.reason, call.log_fields)
        return None

    async def _reject(
        self, call: Call, context: Context, cause: ApiError | IncompatibleTitleError, *, is_read: bool
    ) -> None:
        """End a call with an error of the API; raises ``AbortError``. ``is_read``: the request was read."""
        admission = self._service.admission
        error = api_error_of(cause)
        if self._service.own:
            error = call.limits.error_to_send(error)
        if isinstance(error, LimitError):
            await admission.delay_rejection(error, call.limits.charged_client())
        call.code, call.reason = error.code, counted_reason(error)
        self._service.counters.count_error(call.reason)
        status = call.status_of(error)
        if not is_read and self._method.client_streaming and self._method.server_streaming:
            await _skip_first_message(context, admission)
        del cause, error  # break the reference cycle between the error and this frame
        await abort(context, status, call.code, call.id)

    async def _report_unexpected(self, call: Call, context: Context, error: Exception) -> None:
        """Log an unexpected exception, and end the call; raises ``AbortError``."""
        call.code, call.reason = StatusCode.UNKNOWN, "UNEXPECTED"
        self._service.counters.count_error(call.reason)
        title = ""
        if isinstance(error, TitleFailedError):
            title = error.title
            call.log_fields |= {"title": title, "package": error.build}
        del error
        self._log.exception("unexpected error", rpc=self._name, call_id=call.id, **call.log_fields)
        await abort(context, unexpected_status(call.id, call.language, title), call.code, call.id)

    async def _parse_message(self, context: Context, client: ClientLimiter) -> Message:
        """Wait for the one message of a call, and parse it. Raises ``REQUEST_TIMEOUT`` or ``InvalidRequestError``."""
        task = cast("asyncio.Task[Any]", asyncio.current_task())
        timeouts = self._timeouts
        timeouts.begin(task)
        try:
            data = await context.read()
        except asyncio.CancelledError:
            if timeouts.is_over(task) and not task.uncancel():  # the timeout is the only reason
                raise ApiError("REQUEST_TIMEOUT") from None
            raise
        finally:
            timeouts.end(task)
        if data is grpc.aio.EOF:
            raise invalid("", "no_message")
        if client.has_rates:
            client.charge(BYTES_IN, len(data), time.monotonic())
        return _parse_data(data, self._parse)

    async def _parse_stream(self, requests: AsyncIterator[bytes], client: ClientLimiter) -> AsyncIterator[Message]:
        """Yield the messages of a stream, no faster than the limits of the client permit."""
        rate = self._kind.rate if self._kind.charges_messages else None
        async for data in requests:
            if rate is not None:
                await wait_for_rate(client, rate)
                client.charge(rate, 1, time.monotonic())
            client.charge(BYTES_IN, len(data), time.monotonic())
            yield _parse_data(data, self._parse)
            await wait_for_rate(client, BYTES_IN)


def metadata_error() -> ApiError:
    """Return the error for a call with more metadata than the server accepts."""
    return ApiError("METADATA_TOO_LARGE", most=MAX_METADATA_ENTRIES, kibibytes=MAX_METADATA_BYTES // 1024)


async def abort(context: Context, status: Status, code: StatusCode, call_id: str) -> None:
    """End a call with a status and its details; raises ``AbortError``."""
    await context.abort(code, status.message, trailing_metadata(status, call_id))


def log_operator(rpc: str, call: Call) -> None:
    """Log a call that used operator rights, with its token or key."""
    caller = call.caller
    who = caller.key.key_id if caller.key is not None and not caller.is_operator else "token"
    about = {name: call.log_fields[name] for name in ("game", "fork", "subject") if name in call.log_fields}
    _operator_log.info("operator", who=who, rpc=rpc, code=call.code.name, reason=call.reason, **about)


def _is_lost_client(error: Exception) -> bool:
    """Return whether grpcio could not write because the client has disconnected.

    It raises this error before it cancels the call.

    An error of ``grpc_call_start_batch`` is a bug of ours: gRPC did not accept the write.
    """
    return isinstance(error, grpc.aio.InternalError) and "grpc_call_start_batch" not in str(error)


async def _skip_first_message(context: Context, admission: Admission) -> None:
    """Read and drop the first message of a bidirectional call that is rejected before the server has read a message.

    If a call ends while its client writes the first message, gRPC's asyncio client reports INTERNAL and drops the
    status that the server sent. A client that sends no message gets its error after :data:`FIRST_MESSAGE_SECONDS`, or
    at once if too many calls wait already.
    """
    if admission.first_messages >= MAX_FIRST_MESSAGES:
        return
    admission.first_messages += 1
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST_MESSAGE_SECONDS):
                await context.read()
    finally:
        admission.first_messages -= 1


def _parse_data(data: bytes, parse: Callable[[bytes], Message]) -> Message:
    try:
        return parse(data)
    except DecodeError:
        raise invalid("", "not_protobuf") from None


def _counting_serializer(counters: RpcCounters) -> Callable[[Answer], bytes]:
    """Return the serializer of a stream, which counts messages and bytes."""

    def serialize(answer: Answer) -> bytes:
        data = _serialize(answer)
        counters.messages += 1
        counters.bytes += len(data)
        return data

    return serialize


def _serialize(answer: Answer) -> bytes:
    data = answer if isinstance(answer, bytes) else serialize(answer)
    client = CURRENT_CLIENT.get()
    if client is not None and client.has_rates:
        client.charge(BYTES_OUT, len(data), time.monotonic())
    return data
