"""Refusals as ``google.rpc.Status`` with details: the only place that knows how they go over the wire."""

from __future__ import annotations

from urllib.parse import quote

import structlog
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from boardkeeper.game.sentences import explain
from boardkeeper.service.edge.call_ids import HEADER
from boardkeeper.service.requests.refusals import (
    InvalidRequestError,
    LimitError,
    Refusal,
    RejectedError,
    UnknownGameError,
    UnknownTitleError,
    VersionConflictError,
)
from boardkeeper.service.requests.sentences import Sentence, in_language
from boardkeeper.table.rules_catalogue import LANGUAGES, table_rules
from boardkeeper.table.title import Rule, Title
from boardkeeper.wire import errors
from boardkeeper.wire.serialized import serialized

_log = structlog.get_logger("boardkeeper.statuses")

DETAILS_KEY = "grpc-status-details-bin"

_PLAIN = "".join(chr(at) for at in range(0x20, 0x7F) if chr(at) != "%")
"""Characters that ``grpc-message`` has unencoded."""


def percent_encoded(message: str) -> str:
    """Return a message in the form that ``grpc-message`` requires."""
    return quote(message, safe=_PLAIN)


def status_of(refusal: Refusal, language: str, call_id: str) -> Status:
    """A refusal with its details, in the caller's language, among them the id of the call."""
    return errors.of_call(_status_of(refusal, language), call_id)


def _status_of(refusal: Refusal, language: str) -> Status:
    text = in_language(refusal.message, language)
    match refusal:
        case RejectedError():
            return _rejected(refusal, language or LANGUAGES[0])
        case InvalidRequestError():
            return errors.bad_request(
                {field: in_language(text, language) for field, text in refusal.violations.items()}
            )
        case VersionConflictError():
            return errors.version_conflict(refusal.version, refusal.expected, text)
        case UnknownGameError():
            return errors.not_found("game", refusal.game, text)
        case UnknownTitleError():
            return errors.not_found("title", refusal.title, text)
        case LimitError():
            return errors.limited(refusal.reason, refusal.retry_seconds, text, refusal.values, refusal.subject)
        case _ if refusal.retry_seconds is not None:
            return errors.passing(refusal.code, refusal.reason, refusal.retry_seconds, text, refusal.values)
        case _:
            return errors.status(refusal.code, refusal.reason, text, refusal.values)


def unexpected_status(call_id: str, language: str = "", title: str = "") -> Status:
    """For what nobody expected: the log has it under the call's id. ``title`` is the title whose rules failed."""
    said = Sentence(
        f"An unexpected error occurred on the server; report it with this id from the server's log: {call_id}.",
        f"Auf dem Server ist ein unerwarteter Fehler aufgetreten; im Protokoll hat er diese Kennung: {call_id}.",
    )
    values = {"error_id": call_id}
    if title:
        said = Sentence(
            f"The rules of {title!r} failed on the server; report it with this id from the server's log: {call_id}.",
            f"Die Regeln von {title!r} sind auf dem Server fehlgeschlagen; im Protokoll hat der Fehler diese Kennung:"
            f" {call_id}.",
        )
        values["title"] = title
    status = errors.status(StatusCode.UNKNOWN, "UNEXPECTED", in_language(said, language), values)
    return errors.of_call(status, call_id)


def trailing_metadata(status: Status, call_id: str) -> tuple[tuple[str, str | bytes], ...]:
    """How a status with details travels in a call's trailers."""
    return ((DETAILS_KEY, serialized(status)), (HEADER, call_id))


def _rejected(refusal: RejectedError, language: str) -> Status:
    rejection, title = refusal.rejection, refusal.title
    reference = ""
    try:
        rule = _rules(title).get(rejection.rule)
        reference = rule.references.get(refusal.edition, "") if rule is not None else ""
        text = explain(language, title, refusal.called(language), rejection)
    except Exception:  # noqa: BLE001  # the rules have decided, and code of another package may fail in any way
        _log.exception("a rejection cannot be explained", title=title.meta.id, reason=rejection.code)
        text = rejection.code
    return errors.rejected(rejection, text, language, reference)


_by_title: dict[str, dict[str, Rule]] = {}


def _rules(title: Title) -> dict[str, Rule]:
    """The rules of a title by id, collected when the title first rejects something."""
    rules = _by_title.get(title.meta.id)
    if rules is None:
        rules = _by_title[title.meta.id] = table_rules() | {rule.id: rule for rule in title.rules()}
    return rules
