"""What one peer may take of the service, as far as gRPC can be told: the options of its server.

Everything here holds for one connection or for all of them together. gRPC knows no limit for one machine, which may
open many connections; that is for the proxy in front (docs/running.md).
"""

from __future__ import annotations

LARGEST_REQUEST = 256 * 1024
"""Bytes of one message from a client."""

LARGEST_METADATA = 8 * 1024
"""Bytes of one call's metadata as HTTP/2 counts them: names and values, and 32 for each entry."""

MOST_STREAMS = 128
"""Calls at once over one connection; those beyond wait in a well-behaved client, and are reset in any other.

The parser of the front has this number built in, and grpcio is given the same.
"""

MOST_CALLS = 10_000
"""Calls at once over all connections; those beyond are refused with RESOURCE_EXHAUSTED."""

_HANDSHAKE_SECONDS = 20.0
_IDLE_SECONDS = 120.0


_ALONE = (("grpc.so_reuseport", 0),)  # a busy port is an error, not a second listener
_SHARED = (
    ("grpc.so_reuseport", 1),
    # The kernel gives a connection to one of the processes for good: a new one now and then spreads them again. Calls
    # that are under way, streams among them, are seen through on the old one.
    ("grpc.max_connection_age_ms", 300_000),
)


def channel_options(connections: int, *, shares_port: bool = False) -> tuple[tuple[str, int], ...]:
    """The options of a server that takes that many connections; with others at its port, or alone."""
    return (
        *(_SHARED if shares_port else _ALONE),
        ("grpc.max_receive_message_length", LARGEST_REQUEST),
        ("grpc.max_send_message_length", -1),
        # Both limits are the same: between them gRPC would reject some calls and not others. Neither bounds memory:
        # gRPC decodes the whole header block of a call, 0.75 MB from 4 kB on the wire, before it applies them.
        ("grpc.max_metadata_size", LARGEST_METADATA),
        ("grpc.absolute_max_metadata_size", LARGEST_METADATA),
        ("grpc.max_concurrent_streams", MOST_STREAMS),
        # It tells clients another number than it holds them to, so that bursts of calls were reset instead of waiting.
        # Streams that are opened and reset as fast as possible do no harm without it: so many are read at a time.
        ("grpc.http.overload_protection", 0),
        ("grpc.max_allowed_incoming_connections", connections),
        # Connections on which nothing is said: who does not even begin, and who has no call under way.
        ("grpc.server_handshake_timeout_ms", round(_HANDSHAKE_SECONDS * 1000)),
        ("grpc.max_connection_idle_ms", round(_IDLE_SECONDS * 1000)),
        # Calls that come in one burst wait: beyond its default of 1,000 gRPC cuts some off at random, as CANCELLED.
        ("grpc.server.max_pending_requests", 10_000),
        ("grpc.server.max_pending_requests_hard_limit", 20_000),
        # Notice peers that vanished, and let clients ask as often; who asks more often is sent away (too_many_pings).
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    )
