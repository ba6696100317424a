"""The RPCs on a server of grpcio, for ``--grpc-server grpcio``.

grpcio has limits for each connection and for all connections, but none for the connections of one address. A proxy in
front of the server can limit these (docs/running.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import grpc

from boardkeeper.service.config.endpoints import Endpoint, remove_stale_socket
from boardkeeper.service.errors import StartupError
from boardkeeper.service.observability.counters import CallCounters
from boardkeeper.service.requests.texts import preferred_language
from boardkeeper.service.transport.call import Context
from boardkeeper.service.transport.call_ids import new_call_id
from boardkeeper.service.transport.framing import MAX_REQUEST_BYTES
from boardkeeper.service.transport.guard import MAX_METADATA_BYTES, MAX_METADATA_ENTRIES, Rpc, abort, metadata_error
from boardkeeper.service.transport.statuses import status_of
from boardkeeper.service.transport.tls import Certificates

MAX_STREAMS = 128
"""Calls at the same time over one connection. Further calls must wait in the client: the server resets them.

The parser of the front has the same number built in.
"""

_HANDSHAKE_SECONDS = 20.0
_IDLE_SECONDS = 120.0

_OWN_PORT = (("grpc.so_reuseport", 0),)  # a port in use is an error, not a second listener
_SHARED_PORT = (
    ("grpc.so_reuseport", 1),
    # The kernel assigns a connection to one of the processes. New connections spread the clients again; calls that are
    # open continue on the old connection.
    ("grpc.max_connection_age_ms", 300_000),
)


def channel_options(connections: int, *, shares_port: bool = False) -> tuple[tuple[str, int], ...]:
    """Return the options of a server with a limit of connections, alone at its port or with other processes."""
    return (
        *(_SHARED_PORT if shares_port else _OWN_PORT),
        ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
        ("grpc.max_send_message_length", -1),
        # Both limits are equal: between them gRPC would reject only some calls. Neither bounds memory: gRPC decodes the
        # whole header block of a call, 0.75 MB from 4 kB on the wire, before it applies them.
        ("grpc.max_metadata_size", MAX_METADATA_BYTES),
        ("grpc.absolute_max_metadata_size", MAX_METADATA_BYTES),
        ("grpc.max_concurrent_streams", MAX_STREAMS),
        # Overload protection announces a different limit than it enforces, so it resets bursts of calls. The server
        # does not need it against rapid resets, because grpcio reads only a limited number of streams at once.
        ("grpc.http.overload_protection", 0),
        ("grpc.max_allowed_incoming_connections", connections),
        ("grpc.server_handshake_timeout_ms", round(_HANDSHAKE_SECONDS * 1000)),
        ("grpc.max_connection_idle_ms", round(_IDLE_SECONDS * 1000)),
        # Calls of one burst wait: beyond its default of 1,000, gRPC cancels some of them at random.
        ("grpc.server.max_pending_requests", 10_000),
        ("grpc.server.max_pending_requests_hard_limit", 20_000),
        # Notice peers that have vanished. Close connections of clients that ping more often (too_many_pings).
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    )


def bind_grpcio(server: grpc.aio.Server, endpoint: Endpoint, certificates: Certificates | None) -> str:
    """Make a server listen; return the address for clients. Raises :class:`StartupError`."""
    if endpoint.path is not None:
        remove_stale_socket(endpoint.path)
    try:
        if certificates is None or endpoint.path is not None:
            port = server.add_insecure_port(str(endpoint))
        else:
            port = server.add_secure_port(str(endpoint), certificates.credentials())
    except RuntimeError as error:
        raise StartupError(
            f"cannot listen on {endpoint}: the address is in use or cannot be used; choose another with --grpc-listen"
        ) from error
    return endpoint.at(port)


def grpc_handler(rpcs: Iterable[Rpc], counters: CallCounters | None = None) -> grpc.GenericRpcHandler:
    """Return the handler for a server. It counts calls with too much metadata in ``counters``."""
    return _Handler({rpc.path: _method_handler(rpc) for rpc in rpcs}, counters or CallCounters())


class _Handler(grpc.GenericRpcHandler):
    """Finds the RPC of a call after the headers have arrived, before any message."""

    def __init__(self, handlers: Mapping[str, Any], counters: CallCounters) -> None:
        self._handlers = handlers
        self._counters = counters

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        if len(handler_call_details.invocation_metadata) > MAX_METADATA_ENTRIES:
            self._counters.count_error("METADATA_TOO_LARGE")
            return _metadata_handler
        return self._handlers.get(handler_call_details.method)


async def _reject_metadata(_: object, context: Context) -> None:
    headers = dict(context.invocation_metadata() or ())
    error, call_id = metadata_error(), new_call_id()
    status = status_of(error, preferred_language(str(headers.get("accept-language", ""))), call_id)
    await abort(context, status, error.code, call_id)


# Both handlers are of streaming requests, so that grpcio does not wait for a message: the guard does, with a timeout.
_metadata_handler: Any = grpc.stream_unary_rpc_method_handler(_reject_metadata)


def _method_handler(rpc: Rpc) -> Any:
    streams = rpc.method.server_streaming
    make: Callable[..., Any] = (
        grpc.stream_stream_rpc_method_handler if streams else grpc.stream_unary_rpc_method_handler
    )
    return make(rpc.handle, None, rpc.serialize)
