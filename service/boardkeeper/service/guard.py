"""The one place where calls come in: parsing, errors and the log are the same for every rpc.

Messages are parsed here rather than in gRPC, which answers a malformed one with INTERNAL. What a servicer
refuses becomes its canonical status with details; what nobody expected is logged under an id, and the client
gets the id.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from inspect import isasyncgenfunction
from typing import Any, cast

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode

from boardkeeper.service.call import Call, Context
from boardkeeper.service.refusals import InvalidRequestError, Refusal
from boardkeeper.service.statuses import status_of, trailing_metadata, unexpected_status

AnyServiceDescriptor = Any
"""A service of a generated module; the stubs of the two protobuf runtimes disagree on its type."""

Answer = Message | bytes
"""What an rpc answers; bytes are a message that is serialized already."""


_Parse = Callable[[bytes], Message]


def service_handler(
    descriptor: AnyServiceDescriptor, servicer: object, *, own: bool = True, operator: bytes | None = None
) -> grpc.GenericRpcHandler:
    """The handlers of all rpcs of a service; raises ``AttributeError`` if the servicer lacks one.

    Our own servicers get a :class:`Call` beside the request, others gRPC's context. ``operator`` is the hash of the
    operator's token.
    """
    handlers = {
        method.name: _method_handler(descriptor, method, getattr(servicer, method.name), own, operator)
        for method in descriptor.methods
    }
    return grpc.method_handlers_generic_handler(descriptor.full_name, handlers)


def _method_handler(
    descriptor: AnyServiceDescriptor,
    method: MethodDescriptor,
    behaviour: Callable[..., Any],
    own: bool,
    operator: bytes | None,
) -> Any:
    name = f"{descriptor.name}.{method.name}"
    parse: _Parse = GetMessageClass(method.input_type).FromString
    make: Callable[..., Any]
    incoming: Callable[..., Any]
    if method.client_streaming and not method.server_streaming:
        make, incoming = grpc.stream_unary_rpc_method_handler, _parsed_stream
    elif method.client_streaming:
        make, incoming = grpc.stream_stream_rpc_method_handler, _parsed_stream
    elif method.server_streaming:
        make, incoming = grpc.unary_stream_rpc_method_handler, _parsed
    else:
        make, incoming = grpc.unary_unary_rpc_method_handler, _parsed
    return make(_guarded(name, behaviour, incoming, parse, own, operator), None, _serialize)


def _guarded(
    name: str,
    behaviour: Callable[..., Any],
    incoming: Callable[..., Any],
    parse: _Parse,
    own: bool,
    operator: bytes | None,
) -> Callable[[Any, Context], Awaitable[Answer | None]]:
    # Bound here, once the log is configured: binding costs more than writing a line.
    log = structlog.get_logger("boardkeeper.calls").bind()
    streams = isasyncgenfunction(behaviour)

    async def handle(request: Any, context: Context) -> Answer | None:
        started = time.perf_counter()
        call: Call | None = None
        code = StatusCode.OK
        try:
            try:
                if own:
                    call = Call(context, operator)
                answer = behaviour(incoming(request, parse), call or context)
                if not streams:
                    return cast("Answer | None", await answer)
                async for part in answer:
                    await context.write(part)
            except Refusal as refusal:
                code = refusal.code
                await _abort(context, status_of(refusal, call.language if call else ""), code)
            except (asyncio.CancelledError, grpc.aio.AbortError):
                raise
            except Exception as error:  # the last resort of every call
                if _peer_is_gone(error):
                    raise
                code = StatusCode.UNKNOWN
                error_id = uuid.uuid4().hex[:12]
                log.exception("unexpected error", error_id=error_id, rpc=name, **(call.notes if call else {}))
                await _abort(context, unexpected_status(error_id), code)
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
            if own:
                log.info(
                    "call",
                    rpc=name,
                    code=code.name,
                    ms=round((time.perf_counter() - started) * 1e3, 2),
                    **(call.notes if call else {}),
                )
        return None

    return handle


def _peer_is_gone(error: Exception) -> bool:
    """Whether gRPC could not write any more; it tells so before it cancels the call, where a write was under way.

    What it does not even begin to write is a mistake of ours.
    """
    return isinstance(error, grpc.aio.InternalError) and "grpc_call_start_batch" not in str(error)


async def _abort(context: Context, status: Any, code: StatusCode) -> None:
    await context.abort(code, status.message, trailing_metadata(status))


def _parsed(data: bytes, parse: _Parse) -> Message:
    try:
        return parse(data)
    except DecodeError:
        raise InvalidRequestError({"": "the message cannot be parsed"}) from None


async def _parsed_stream(requests: AsyncIterator[bytes], parse: _Parse) -> AsyncIterator[Message]:
    async for data in requests:
        yield _parsed(data, parse)


def _serialize(answer: Answer) -> bytes:
    return answer if isinstance(answer, bytes) else answer.SerializeToString()
