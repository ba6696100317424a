"""Errors as ``google.rpc.Status`` with details.

Each status has an ``ErrorInfo`` with the domain ``boardkeeper``, a stable ``reason`` and ``metadata``. Only errors that
can disappear when the client retries have a ``RetryInfo``. Details are sent in the trailers of a call, which many peers
limit to 8 KiB, so long texts are shortened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

from boardkeeper.table.rejections import Rejection

DOMAIN = "boardkeeper"

BAD_REQUEST = "BAD_REQUEST"
VERSION_CONFLICT = "VERSION_CONFLICT"
TOO_SLOW = "TOO_SLOW"

RULE = "rule"
REFERENCE = "reference"

_MAX_TEXT_BYTES = 400
_MAX_VALUE_BYTES = 100
_MAX_VALUES = 12
_MAX_VIOLATIONS = 10

_CODES = {code.value[0]: code for code in grpc.StatusCode}


class ConversionError(ValueError):
    """A value or message that cannot be converted.

    ``field`` is the path of the wrong field (``seats[0].coins``). The message is the field followed by
    ``reason``: "`seats[0].coins` must be positive".
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"`{field}` {reason}" if field else reason)
        self.field = field
        self.reason = reason

    def within(self, name: str) -> ConversionError:
        """Return the error with the path extended by the enclosing field."""
        joint = "" if not self.field or self.field.startswith("[") else "."
        return ConversionError(f"{name}{joint}{self.field}", self.reason)


# --- encoding ------------------------------------------------------------------------------------------------


def make_status(
    code: grpc.StatusCode,
    reason: str,
    message: str,
    values: Mapping[str, str] | None = None,
    details: Iterable[Message] = (),
    *,
    retry_after: float | None = None,
    subject: str = "",
    resource: str = "",
) -> status_pb2.Status:
    """Return a status. People read ``message``; programs read ``reason`` and ``values``.

    ``retry_after`` is the delay in seconds after which a retry can succeed. ``subject`` is what a limit applies to,
    such as ``address:192.0.2.1``. ``resource`` is the type of the missing object, such as ``game``;
    ``values[resource]`` must be its id.
    """
    message = _short(message, _MAX_TEXT_BYTES)
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=_short_values(values or {}))
    status = status_pb2.Status(code=code.value[0], message=message)
    status.details.add().Pack(info)
    if retry_after is not None:
        status.details.add().Pack(error_details_pb2.RetryInfo(retry_delay=_duration(retry_after)))
    if subject:
        failure = error_details_pb2.QuotaFailure()
        failure.violations.add(subject=_short(subject, _MAX_VALUE_BYTES), description=message)
        status.details.add().Pack(failure)
    if resource:
        name = info.metadata[resource]
        missing = error_details_pb2.ResourceInfo(resource_type=resource, resource_name=name, description=message)
        status.details.add().Pack(missing)
    for detail in details:
        status.details.add().Pack(detail)
    return status


def rejection_status(rejection: Rejection, sentence: str, language: str, reference: str = "") -> status_pb2.Status:
    """Return the status of a rejected command: FAILED_PRECONDITION.

    ``sentence`` is the reason in the language. ``reference`` is the place of the rule in the edition's rulebook.
    """
    text = _short(sentence, _MAX_TEXT_BYTES)
    failure = error_details_pb2.PreconditionFailure()
    failure.violations.add(type=rejection.code, subject=rejection.rule, description=text)
    values = {RULE: rejection.rule} | ({REFERENCE: reference} if reference else {}) | rejection.values
    words = error_details_pb2.LocalizedMessage(locale=language, message=text)
    return make_status(grpc.StatusCode.FAILED_PRECONDITION, rejection.code, text, values, (failure, words))


def bad_request_status(violations: Mapping[str, str]) -> status_pb2.Status:
    """Return the status of an invalid request: INVALID_ARGUMENT.

    ``violations`` contains descriptions by field path; the status contains only the first of them.
    """
    detail = error_details_pb2.BadRequest()
    for path, description in list(violations.items())[:_MAX_VIOLATIONS]:
        detail.field_violations.add(
            field=_short(path, _MAX_VALUE_BYTES), description=_short(description, 2 * _MAX_VALUE_BYTES)
        )
    text = "; ".join(f"`{it.field}` {it.description}" if it.field else it.description for it in detail.field_violations)
    if not text.endswith((".", "…")):
        text += "."
    return make_status(grpc.StatusCode.INVALID_ARGUMENT, BAD_REQUEST, text, details=(detail,))


def add_call_id(status: status_pb2.Status, call_id: str) -> status_pb2.Status:
    """Add the id of the call to its status and return the status."""
    status.details.add().Pack(error_details_pb2.RequestInfo(request_id=call_id))
    return status


def _duration(seconds: float) -> Duration:
    duration = Duration()
    duration.FromNanoseconds(round(seconds * 1_000_000_000))
    return duration


def _short_values(values: Mapping[str, str]) -> dict[str, str]:
    return {
        _short(key, _MAX_VALUE_BYTES): _short(value, _MAX_VALUE_BYTES)
        for key, value in list(values.items())[:_MAX_VALUES]
    }


def _short(text: str, max_bytes: int) -> str:
    encoded = text.encode(errors="replace")
    if len(encoded) <= max_bytes:
        return encoded.decode()
    return encoded[: max_bytes - len("…".encode())].decode(errors="ignore") + "…"


# --- decoding ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ErrorDetails:
    """The contents of a status.

    ``reason`` and ``values`` are empty if the status is not from Boardkeeper. ``text`` is in the caller's language if
    available. ``violations`` has descriptions by field path. ``retry_after`` is in seconds; 0 if the status has none.
    ``call_id`` is the id of the call in the server's log.
    """

    code: grpc.StatusCode
    text: str
    reason: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    violations: Mapping[str, str] = field(default_factory=dict)
    retry_after: float = 0.0
    call_id: str = ""

    def rejection(self) -> Rejection | None:
        """Return the rejection that the status contains; ``None`` for other errors."""
        if self.code is not grpc.StatusCode.FAILED_PRECONDITION or RULE not in self.values:
            return None
        values = {key: value for key, value in self.values.items() if key not in (RULE, REFERENCE)}
        return Rejection(self.reason, self.values[RULE], values)


def parse_status(status: status_pb2.Status) -> ErrorDetails:
    """Decode a status.

    An ``ErrorInfo`` with another domain is ignored; the other standard details are used from any service.
    """
    text, reason, retry_after, call_id = status.message, "", 0.0, ""
    values: dict[str, str] = {}
    violations: dict[str, str] = {}
    for detail in _details(status):
        if isinstance(detail, error_details_pb2.ErrorInfo) and detail.domain == DOMAIN:
            reason, values = detail.reason, dict(detail.metadata)
        elif isinstance(detail, error_details_pb2.BadRequest):
            violations |= {item.field: item.description for item in detail.field_violations}
        elif isinstance(detail, error_details_pb2.RetryInfo):
            retry_after = detail.retry_delay.ToNanoseconds() / 1_000_000_000
        elif isinstance(detail, error_details_pb2.LocalizedMessage):
            text = detail.message
        elif isinstance(detail, error_details_pb2.RequestInfo):
            call_id = detail.request_id
    code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
    return ErrorDetails(code, text, reason, values, violations, retry_after, call_id)


_KINDS: tuple[type[Message], ...] = (
    error_details_pb2.ErrorInfo,
    error_details_pb2.BadRequest,
    error_details_pb2.RetryInfo,
    error_details_pb2.LocalizedMessage,
    error_details_pb2.RequestInfo,
)


def _details(status: status_pb2.Status) -> Iterable[Message]:
    for packed in status.details:
        for kind in _KINDS:
            if packed.Is(kind.DESCRIPTOR):
                try:
                    yield kind.FromString(packed.value)
                except DecodeError:
                    break  # ignore malformed details
