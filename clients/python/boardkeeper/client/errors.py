"""What can go wrong, as exceptions with fields instead of strings to parse.

The service answers with canonical gRPC codes and ``google.rpc`` details; :func:`from_rpc_error` turns one
answer into one of these. All of them are :class:`BoardkeeperError`.
"""

# ruff: noqa: N818  # `except Rejected` says it all

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc.status_pb2 import Status

from boardkeeper.wire.errors import REFERENCE, RULE, VERSION_CONFLICT, Problem, read

_STATUS_KEY = "grpc-status-details-bin"


class BoardkeeperError(Exception):
    """A call that did not succeed.

    ``status`` is the gRPC code, ``reason`` the service's stable word for it (empty if it gave none),
    ``values`` what it named beside, as short strings. ``call_id`` is what the service's log calls the call: name it to
    whoever runs the service. ``str()`` is a sentence for people in the client's language.
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
    """The rules forbid the command; nothing has changed.

    ``code`` is stable (``NOT_DECIDING``), ``rule`` the id of the rule (``title.topic.rule``),
    ``reference`` where the edition's rulebook has it (may be empty), and ``values`` what failed. In a batch
    ``values["index"]`` counts from 0 which command it was.
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
    """The game has moved on since ``expected_version``: look again. ``version`` is where it stands."""

    @property
    def version(self) -> int:
        return int(self.values.get("version", "0"))


@dataclass(frozen=True)
class FieldViolation:
    """One field of a request that is wrong, as a path (``seats[0].bot``), and why."""

    field: str
    description: str


class BadRequest(BoardkeeperError):
    """The request itself is malformed."""

    violations: tuple[FieldViolation, ...] = ()


class NotFound(BoardkeeperError):
    """There is no such game, title or version."""


class AlreadyExists(BoardkeeperError):
    """What is to be made is there already: a game of that id, or another request of that id."""


class Unauthenticated(BoardkeeperError):
    """The call needs the token of a seat."""


class PermissionDenied(BoardkeeperError):
    """The token belongs to another seat or game."""


class Overloaded(BoardkeeperError):
    """Try later: the service has too much to do, a limit was reached, or others act in the game all the time.

    Also for a watcher that was too slow. ``retry_after`` is the wait in seconds that the service asked for (0: it said
    nothing); it holds for a limit, which ``values`` name (``limit``, ``most``, ``by``).
    """

    retry_after: float = 0.0


class Unavailable(BoardkeeperError):
    """No answer: the service is not there, shuts down, or took longer than the deadline.

    A submitted command may or may not have been carried out: send it again with the same command id.
    ``retry_after`` is the wait in seconds that the service asked for (0: it said nothing).
    """

    retry_after: float = 0.0


class NoSecureConnection(BoardkeeperError):
    """The two sides cannot agree on a connection, encrypted or not.

    Trying again does not help; the sentence says what does.

    ``reason`` is one of ``CERTIFICATE_NOT_TRUSTED``, ``CERTIFICATE_OF_ANOTHER_NAME``, ``NO_TLS_THERE``, ``TLS_THERE``,
    ``CLIENT_CERTIFICATE_WANTED`` and ``CLIENT_CERTIFICATE_REFUSED``.
    """

    def __init__(self, sentence: str, reason: str) -> None:
        super().__init__(sentence, status=grpc.StatusCode.UNAVAILABLE, reason=reason)


class Closed(BoardkeeperError):
    """The client was closed before the call, or while it was under way.

    A command under way may or may not have been carried out: submit it with another client and the same command id.
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
    grpc.StatusCode.ABORTED: Overloaded,  # but for VERSION_CONFLICT
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: Unavailable,
}

_BROKEN_OFF = frozenset({grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL})
_RESET = "RST_STREAM"
"""So gRPC tells that a stream was cut off in the middle, as a proxy does that has lost the service behind it."""


def from_rpc_error(error: grpc.RpcError) -> BoardkeeperError:
    """The exception for a failed call."""
    answer = cast(_FailedCall, error)  # grpcio's errors are calls as well, which its types do not say
    code = answer.code()
    for key, value in answer.trailing_metadata() or ():
        if key == _STATUS_KEY and isinstance(value, bytes):
            try:
                return _make(read(Status.FromString(value)))
            except DecodeError:
                break  # details of somebody else's making: the code and the text are left
    text = answer.details() or code.name
    if code in _BROKEN_OFF and _RESET in text:
        code = grpc.StatusCode.UNAVAILABLE
    return _make(Problem(code, text))


class _FailedCall(Protocol):
    """What a failed call can be asked."""

    def code(self) -> grpc.StatusCode: ...
    def details(self) -> str | None: ...
    def trailing_metadata(self) -> Iterable[tuple[str, str | bytes]] | None: ...


def _make(problem: Problem) -> BoardkeeperError:
    kind = _TYPES.get(problem.code, BoardkeeperError)
    if problem.code is grpc.StatusCode.ABORTED and problem.reason == VERSION_CONFLICT:
        kind = VersionConflict
    text = problem.text or problem.code.name
    made = kind(text, status=problem.code, reason=problem.reason, values=problem.values)
    made.call_id = problem.call_id
    if isinstance(made, BadRequest):
        made.violations = tuple(FieldViolation(*violation) for violation in problem.violations.items())
    if isinstance(made, Unavailable | Overloaded):
        made.retry_after = problem.retry_after
    return made
