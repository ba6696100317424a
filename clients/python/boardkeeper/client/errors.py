"""Exceptions of the client. All are subclasses of :class:`BoardkeeperError`.

The server responds with canonical gRPC codes and ``google.rpc`` details, which :func:`from_rpc_error` converts.
"""

# ruff: noqa: N818  # `except Rejected` is clear without the suffix Error

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc.status_pb2 import Status

from boardkeeper.wire.errors import REFERENCE, RULE, VERSION_CONFLICT, ErrorDetails, parse_status

_STATUS_KEY = "grpc-status-details-bin"


class BoardkeeperError(Exception):
    """An error of a call.

    ``sentence`` and ``str()`` are a sentence in the client's language. ``status`` is the gRPC code, ``reason`` the
    server's stable identifier of the error (may be empty) and ``values`` its parameters. The server's operator can
    find the call in the log by its ``call_id``.
    """

    call_id: str = ""

    def __init__(
        self,
        sentence: str,
        *,
        status: grpc.StatusCode = grpc.StatusCode.UNKNOWN,
        reason: str = "",
        values: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
        self.reason = reason
        self.values = dict(values or {})


class Rejected(BoardkeeperError):
    """The rules reject the command, and nothing has changed.

    ``code`` is a stable identifier (``NOT_DECIDING``), ``rule`` the id of the rule (``title.topic.rule``),
    ``reference`` its place in the rulebook (may be empty). If several commands were submitted, ``values["index"]`` is
    the index of the rejected one, from 0.
    """

    @property
    def code(self) -> str:
        return self.reason

    @property
    def rule(self) -> str:
        return self.values.get(RULE, "")

    @property
    def reference(self) -> str:
        return self.values.get(REFERENCE, "")


class VersionConflict(BoardkeeperError):
    """The game has changed since ``expected_version``, and is now at ``version``: read it again."""

    @property
    def version(self) -> int:
        return int(self.values.get("version", "0"))


@dataclass(frozen=True)
class FieldViolation:
    """A field of a request that is wrong, as a path (``seats[0].bot``), and the reason."""

    field: str
    description: str


class BadRequest(BoardkeeperError):
    """The request is malformed."""

    violations: tuple[FieldViolation, ...] = ()


class NotFound(BoardkeeperError):
    """The game, title or version does not exist."""


class AlreadyExists(BoardkeeperError):
    """A game with this id exists already, or another request had the same id."""


class Unauthenticated(BoardkeeperError):
    """The call needs a seat token or an API key."""


class PermissionDenied(BoardkeeperError):
    """The token or key belongs to another seat, game or platform."""


class Overloaded(BoardkeeperError):
    """The server is overloaded, a limit was reached, or other seats changed the game during each attempt.

    Also raised by a stream that this client reads too slowly.

    ``retry_after`` is the time in seconds until the server accepts the call again (0: unknown). For a limit, ``values``
    contains ``limit``, ``most`` and ``by``.
    """

    retry_after: float = 0.0


class Unavailable(BoardkeeperError):
    """The server did not respond: it cannot be reached, is shutting down, or took longer than the deadline.

    A submitted command may or may not have been carried out: send it again with the same command id.
    ``retry_after`` is the time in seconds that the server asked to wait (0: unknown).
    """

    retry_after: float = 0.0


class NoSecureConnection(BoardkeeperError):
    """The client and the server cannot agree on TLS. Retries do not help; the sentence says what to change.

    ``reason`` is one of ``CERTIFICATE_NOT_TRUSTED``, ``CERTIFICATE_OF_ANOTHER_NAME``, ``NO_TLS_THERE``, ``TLS_THERE``,
    ``CLIENT_CERTIFICATE_WANTED`` and ``CLIENT_CERTIFICATE_REFUSED``.
    """

    def __init__(self, sentence: str, reason: str) -> None:
        super().__init__(sentence, status=grpc.StatusCode.UNAVAILABLE, reason=reason)


class Closed(BoardkeeperError):
    """The client was closed before or during the call.

    A submitted command may or may not have been carried out: send it again with another client and the same command id.
    """

    def __init__(self) -> None:
        super().__init__("this client is closed; create a new one", status=grpc.StatusCode.CANCELLED, reason="CLOSED")


_TYPES: dict[grpc.StatusCode, type[BoardkeeperError]] = {
    grpc.StatusCode.FAILED_PRECONDITION: Rejected,
    grpc.StatusCode.INVALID_ARGUMENT: BadRequest,
    grpc.StatusCode.OUT_OF_RANGE: BadRequest,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.ALREADY_EXISTS: AlreadyExists,
    grpc.StatusCode.UNAUTHENTICATED: Unauthenticated,
    grpc.StatusCode.PERMISSION_DENIED: PermissionDenied,
    grpc.StatusCode.RESOURCE_EXHAUSTED: Overloaded,
    grpc.StatusCode.ABORTED: Overloaded,  # except VERSION_CONFLICT
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: Unavailable,
}

_RESET_CODES = frozenset({grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL})
_RESET = "RST_STREAM"
"""Part of gRPC's message for a reset stream, as from a proxy that lost its connection to the server."""


def from_rpc_error(error: grpc.RpcError) -> BoardkeeperError:
    """Return the exception for a failed call."""
    call = cast(_FailedCall, error)  # grpcio's errors are also calls, but its types omit that
    code = call.code()
    for key, value in call.trailing_metadata() or ():
        if key == _STATUS_KEY and isinstance(value, bytes):
            try:
                return _make(parse_status(Status.FromString(value)))
            except DecodeError:
                break  # not our format: use the code and the text
    text = call.details() or code.name
    if code in _RESET_CODES and _RESET in text:
        code = grpc.StatusCode.UNAVAILABLE
    return _make(ErrorDetails(code, text))


class _FailedCall(Protocol):
    def code(self) -> grpc.StatusCode: ...
    def details(self) -> str | None: ...
    def trailing_metadata(self) -> Iterable[tuple[str, str | bytes]] | None: ...


def _make(problem: ErrorDetails) -> BoardkeeperError:
    kind = _TYPES.get(problem.code, BoardkeeperError)
    if problem.code is grpc.StatusCode.ABORTED and problem.reason == VERSION_CONFLICT:
        kind = VersionConflict
    text = problem.text or problem.code.name
    error = kind(text, status=problem.code, reason=problem.reason, values=problem.values)
    error.call_id = problem.call_id
    if isinstance(error, BadRequest):
        error.violations = tuple(FieldViolation(*violation) for violation in problem.violations.items())
    if isinstance(error, Unavailable | Overloaded):
        error.retry_after = problem.retry_after
    return error
