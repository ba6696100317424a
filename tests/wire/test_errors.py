"""Errors contain google.rpc details, are small enough for trailers, and can be parsed."""

from __future__ import annotations

import grpc
import pytest
from google.protobuf.any_pb2 import Any
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status
from hypothesis import given
from hypothesis import strategies as st

from boardkeeper.table.rejections import Rejection
from boardkeeper.wire import errors

MONK = Rejection("NEVER_ON_A_MONK", "orleans.technology.never_monk", {"place": "ship", "index": "1"})


def test_a_rejection_has_all_details() -> None:
    status = errors.rejection_status(MONK, "Technik ersetzt nie einen Mönch.", "de", "Phase 5, p. 8")
    assert status.code == grpc.StatusCode.FAILED_PRECONDITION.value[0]
    info, failure = error_details_pb2.ErrorInfo(), error_details_pb2.PreconditionFailure()
    words = error_details_pb2.LocalizedMessage()
    assert [detail.Unpack(into) for detail, into in zip(status.details, (info, failure, words), strict=True)] == [
        True
    ] * 3
    assert (info.reason, info.domain) == ("NEVER_ON_A_MONK", "boardkeeper")
    assert dict(info.metadata) == {
        "rule": "orleans.technology.never_monk",
        "reference": "Phase 5, p. 8",
        "place": "ship",
        "index": "1",
    }
    assert [violation.subject for violation in failure.violations] == ["orleans.technology.never_monk"]
    assert (words.locale, words.message) == ("de", "Technik ersetzt nie einen Mönch.")


@given(
    code=st.text(max_size=20),
    rule=st.text(max_size=20),
    values=st.dictionaries(
        st.text(max_size=20).filter(lambda key: key not in ("rule", "reference")), st.text(max_size=25)
    ),
    reference=st.text(max_size=10),
)
def test_a_rejection_survives_a_round_trip(code: str, rule: str, values: dict[str, str], reference: str) -> None:
    """Up to ten values of at most 100 bytes are sent completely. More or longer ones are cut."""
    rejection = Rejection(code, rule, dict(list(values.items())[:10]))
    problem = errors.parse_status(errors.rejection_status(rejection, "No.", "en", reference))
    assert problem.rejection() == rejection
    assert problem.text == "No."


def test_a_bad_request_names_its_fields() -> None:
    problem = errors.parse_status(
        errors.bad_request_status({"seats[0].bot": "must be empty or one of: random", "title": "is empty"})
    )
    assert problem.code is grpc.StatusCode.INVALID_ARGUMENT
    assert problem.violations == {"seats[0].bot": "must be empty or one of: random", "title": "is empty"}
    assert problem.text == "`seats[0].bot` must be empty or one of: random; `title` is empty."
    assert problem.rejection() is None


@pytest.mark.parametrize(
    ("status", "code", "reason", "values", "retry_after"),
    [
        (
            errors.make_status(grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND", "No.", {"game": "42"}, resource="game"),
            grpc.StatusCode.NOT_FOUND,
            "GAME_NOT_FOUND",
            {"game": "42"},
            0.0,
        ),
        (
            errors.make_status(
                grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_SLOW", "On.", {"version": "90"}, retry_after=0.0
            ),
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "TOO_SLOW",
            {"version": "90"},
            0.0,
        ),
        (
            errors.make_status(grpc.StatusCode.UNAVAILABLE, "AWAY", "Later.", retry_after=1.5),
            grpc.StatusCode.UNAVAILABLE,
            "AWAY",
            {},
            1.5,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_error_has_a_code_a_reason_and_values(
    status: status_pb2.Status, code: grpc.StatusCode, reason: str, values: dict[str, str], retry_after: float
) -> None:
    problem = errors.parse_status(status)
    assert (problem.code, problem.reason, problem.values) == (code, reason, values)
    assert problem.retry_after == retry_after
    assert problem.text


HUGE = "ÿ" * 100_000
MANY = {f"{number}{HUGE}": HUGE for number in range(1000)}


@pytest.mark.parametrize(
    "status",
    [
        errors.rejection_status(
            Rejection("NO_SUCH_PLACE", "orleans.planning.place", {"place": HUGE}), HUGE, "en", HUGE
        ),
        errors.bad_request_status(MANY),
        errors.make_status(grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND", HUGE, {"game": HUGE}, resource="game"),
    ],
    ids=["rejected", "bad_request", "not_found"],
)
def test_trailers_are_never_larger_than_peers_accept(status: status_pb2.Status) -> None:
    """Trailers contain the status in base64 and the message percent-encoded. Many peers accept at most 8 KiB."""
    assert status.ByteSize() * 4 / 3 + len(status.message.encode()) * 3 < 8 * 1024


def test_grpc_accepts_the_status() -> None:
    converted = rpc_status.to_status(errors.rejection_status(MONK, "Never.", "en"))
    assert converted.code is grpc.StatusCode.FAILED_PRECONDITION
    assert converted.details == "Never."


def test_details_of_other_services_are_ignored() -> None:
    foreign = error_details_pb2.ErrorInfo(reason="THROTTLED", domain="proxy.example")
    answer = status_pb2.Status(code=8, message="slow down")
    answer.details.add().Pack(foreign)
    answer.details.append(Any(type_url="type.googleapis.com/google.rpc.BadRequest", value=b"\xff"))
    answer.details.append(Any(type_url="type.googleapis.com/unknown.Thing", value=b"x"))
    problem = errors.parse_status(answer)
    assert (problem.code, problem.text, problem.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "slow down", "")


def test_an_unknown_code_is_unknown() -> None:
    assert errors.parse_status(status_pb2.Status(code=4711)).code is grpc.StatusCode.UNKNOWN
