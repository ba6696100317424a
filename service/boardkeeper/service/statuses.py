"""Refusals as ``google.rpc.Status`` with details: the only place that knows how they go over the wire."""

from __future__ import annotations

from google.rpc.status_pb2 import Status
from grpc import StatusCode

from boardkeeper.game.sentences import explain
from boardkeeper.service.refusals import (
    InvalidRequestError,
    OverloadError,
    Refusal,
    RejectedError,
    ShuttingDownError,
    SlowReaderError,
    UnknownGameError,
    UnknownTitleError,
    VersionConflictError,
)
from boardkeeper.table.rules_catalogue import LANGUAGES, table_rules
from boardkeeper.table.title import Rule, Title
from boardkeeper.wire import errors

DETAILS_KEY = "grpc-status-details-bin"


def status_of(refusal: Refusal, language: str) -> Status:
    """A refusal with its details, in the caller's language where it is about rules."""
    match refusal:
        case RejectedError():
            return _rejected(refusal, language or LANGUAGES[0])
        case InvalidRequestError():
            return errors.bad_request(refusal.violations)
        case VersionConflictError():
            return errors.version_conflict(refusal.version, refusal.expected)
        case UnknownGameError():
            return errors.not_found("game", refusal.game)
        case UnknownTitleError():
            return errors.not_found("title", refusal.title)
        case SlowReaderError():
            return errors.too_slow(refusal.version)
        case OverloadError():
            return errors.overloaded(refusal.retry_seconds)
        case ShuttingDownError():
            return errors.shutting_down(refusal.retry_seconds)
        case _:
            return errors.status(refusal.code, refusal.reason, refusal.message, refusal.values)


def unexpected_status(error_id: str) -> Status:
    """For what nobody expected: the log has it under that id."""
    text = f"Something went wrong that should not; the service's log has it as {error_id}."
    return errors.status(StatusCode.UNKNOWN, "UNEXPECTED", text, {"error_id": error_id})


def trailing_metadata(status: Status) -> tuple[tuple[str, bytes], ...]:
    """How a status with details travels in a call's trailers."""
    return ((DETAILS_KEY, status.SerializeToString()),)


def _rejected(refusal: RejectedError, language: str) -> Status:
    rejection, title = refusal.rejection, refusal.title
    rule = _rules(title).get(rejection.rule)
    reference = rule.references.get(refusal.edition, "") if rule is not None else ""
    return errors.rejected(
        rejection, explain(language, title, refusal.called(language), rejection), language, reference
    )


_by_title: dict[str, dict[str, Rule]] = {}


def _rules(title: Title) -> dict[str, Rule]:
    """The rules of a title by id, collected when the title first rejects something."""
    rules = _by_title.get(title.meta.id)
    if rules is None:
        rules = _by_title[title.meta.id] = table_rules() | {rule.id: rule for rule in title.rules()}
    return rules
