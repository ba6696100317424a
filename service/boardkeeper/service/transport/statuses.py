"""Errors of the API as ``google.rpc.Status`` with details."""

from __future__ import annotations

from urllib.parse import quote

import structlog
from google.rpc.status_pb2 import Status

from boardkeeper.game.sentences import explain
from boardkeeper.service.requests.errors import ApiError, InvalidRequestError, LimitError, RejectedError
from boardkeeper.service.requests.texts import in_language
from boardkeeper.service.transport.call_ids import HEADER
from boardkeeper.titlekit.rules_catalogue import LANGUAGES, kernel_rules
from boardkeeper.titlekit.title import Rule, Title
from boardkeeper.wire import errors
from boardkeeper.wire.convert import serialize

_log = structlog.get_logger("boardkeeper.statuses")

DETAILS_KEY = "grpc-status-details-bin"

_PLAIN = "".join(chr(at) for at in range(0x20, 0x7F) if chr(at) != "%")
"""Characters that ``grpc-message`` has unencoded."""


def percent_encode(message: str) -> str:
    """Return a message in the form that ``grpc-message`` requires."""
    return quote(message, safe=_PLAIN)


def status_of(error: ApiError, language: str, call_id: str) -> Status:
    """Return an error with its details in the caller's language, and the id of the call."""
    return errors.add_call_id(_status_of(error, language), call_id)


def _status_of(error: ApiError, language: str) -> Status:
    if isinstance(error, RejectedError):
        return _rejection_status(error, language or LANGUAGES[0])
    if isinstance(error, InvalidRequestError):
        return errors.bad_request_status({path: in_language(text, language) for path, text in error.violations.items()})
    return errors.make_status(
        error.code,
        error.reason,
        in_language(error.message, language),
        error.values,
        retry_after=error.retry_seconds,
        subject=error.subject if isinstance(error, LimitError) else "",
        resource=error.resource,
    )


def unexpected_status(call_id: str, language: str = "", title: str = "") -> Status:
    """Return the status for an unexpected exception; the log contains the exception with the call's id.

    ``title`` is the title whose rules failed, if any.
    """
    if title:
        return status_of(ApiError("TITLE_FAILED", error_id=call_id, title=title), language, call_id)
    return status_of(ApiError("UNEXPECTED", error_id=call_id), language, call_id)


def trailing_metadata(status: Status, call_id: str) -> tuple[tuple[str, str | bytes], ...]:
    """Return the trailers of a call that fails."""
    return ((DETAILS_KEY, serialize(status)), (HEADER, call_id))


def _rejection_status(error: RejectedError, language: str) -> Status:
    rejection, title = error.rejection, error.title
    reference = ""
    try:
        rule = _rules(title).get(rejection.rule)
        reference = rule.references.get(error.edition, "") if rule is not None else ""
        text = explain(language, title, error.seat_names(language), rejection)
    except Exception:  # noqa: BLE001  # code of another package can fail in any way; the rejection is valid
        _log.exception("a rejection cannot be explained", title=title.meta.id, reason=rejection.code)
        text = rejection.code
    return errors.rejection_status(rejection, text, language, reference)


_rules_by_title: dict[str, dict[str, Rule]] = {}


def _rules(title: Title) -> dict[str, Rule]:
    """Return the rules of a title by id."""
    rules = _rules_by_title.get(title.meta.id)
    if rules is None:
        rules = _rules_by_title[title.meta.id] = kernel_rules() | {rule.id: rule for rule in title.rules()}
    return rules
