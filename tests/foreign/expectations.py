"""The scenarios that each client runs, and their expected results. The server must give every client the same.

A client prints one JSON line for each scenario: the status code, the message, and a value (of an error: its reason).
"""

from __future__ import annotations

from typing import NamedTuple

from grpc import StatusCode


class Result(NamedTuple):
    """The result of a scenario."""

    code: StatusCode
    value: str = ""
    """The value of a successful call; of an error, the reason in the `ErrorInfo` of its status details."""
    message: str | None = None
    """The message of an error of the server; None: the client or the HTTP/2 library wrote it."""


OK = StatusCode.OK
WRONG_KEY = Result(
    StatusCode.UNAUTHENTICATED,
    "KEY_WRONG",
    "Der API-Schlüssel gilt auf diesem Server nicht: Ist er vollständig und von diesem Server?",
)
BAD_ID = Result(StatusCode.INVALID_ARGUMENT, "BAD_REQUEST", "`game_id` must be the id of a game: a UUID in lower case.")
TOO_LARGE = Result(StatusCode.RESOURCE_EXHAUSTED, "REQUEST_TOO_LARGE")

SCENARIOS = {
    # A call with a deadline far away.
    "unary": Result(OK, "orleans"),
    # Sends an id of the call and binary metadata with all bytes; returns the id in the trailers.
    "metadata": Result(OK, "foreign-metadata"),
    # An error before the first message, with details, and with a message that is not ASCII.
    "rejected": WRONG_KEY,
    "too_much_metadata": Result(
        StatusCode.RESOURCE_EXHAUSTED,
        "METADATA_TOO_LARGE",
        "The call has too much metadata: send at most 64 entries and 8 KiB.",
    ),
    # A method that does not exist.
    "unimplemented": Result(StatusCode.UNIMPLEMENTED, "RPC_NOT_FOUND"),
    # A call that waits for longer than its deadline.
    "deadline": Result(StatusCode.DEADLINE_EXCEEDED),
    # Cancels a stream after its first message.
    "cancelled": Result(StatusCode.CANCELLED),
    # A message of exactly the largest size arrives: the server rejects its content.
    "request_at_limit": BAD_ID,
    "request_beyond_limit": TOO_LARGE,
    # The same with gzip; the larger message is small as long as it is compressed.
    "compressed": BAD_ID,
    "compressed_beyond_limit": TOO_LARGE,
    # Imports a record of a megabyte, and reads it back: the first message, another call on the connection, the rest.
    "client_stream": Result(OK, "imported"),
    "server_stream": Result(OK, "same"),
    # The server answers while the client has still a thousand messages to send.
    "rejected_while_sending": WRONG_KEY,
    # Ten requests on one stream, each after the response to the one before; then the client closes its side. After
    # five of them, 300 streams are opened and cancelled: a server may then ask the client for a new connection.
    "duplex": Result(OK, "10 outcomes, then 0"),
    # More calls at once than a connection may have.
    "many": Result(OK, "300"),
}

OWN_RESULTS = {
    # gRPC's library answers these calls before our code sees them.
    "grpcio": {
        "unimplemented": Result(StatusCode.UNIMPLEMENTED),
        "request_beyond_limit": Result(StatusCode.RESOURCE_EXHAUSTED),
        "compressed_beyond_limit": Result(StatusCode.RESOURCE_EXHAUSTED),
    },
}
"""The results that differ for a server, by its kind."""

ALTERNATIVES = {
    # tonic reports its own timeouts as CANCELLED. Its timer and the server's end at the same time.
    "rust": {"deadline": Result(StatusCode.CANCELLED)},
}
"""Results that a client, by its language, can get instead of the expected ones."""

ENDED_BY_CLIENT = ("foreign-deadline", "foreign-cancelled")
"""The ids of calls that the client ends: the server must notice that without any other event."""
