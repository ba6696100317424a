"""docs/errors.md says what the service says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from google.rpc.error_details_pb2 import RetryInfo
from grpc import StatusCode

from boardkeeper.game import undo
from boardkeeper.game.record_bounds import MOST_CHOICES
from boardkeeper.game.sentences import words
from boardkeeper.service.edge.statuses import status_of
from boardkeeper.service.games import explaining
from boardkeeper.service.games.inviting import MOST_INVITATIONS
from boardkeeper.service.requests import checks, names, refusals
from boardkeeper.service.requests.refusals import LIMIT_REASONS, Refusal

_REASON = re.compile(r'(?:super\(\).__init__|Refusal)\(\s*"([A-Z_]+)"|StatusCode\.UNKNOWN, "([A-Z_]+)"')


def test_every_reason_stands_there_once(repository: Path) -> None:
    text = (repository / "docs/errors.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([A-Z_]+) \|", text, re.MULTILINE)
    sources = (repository / "service/boardkeeper/service").rglob("*.py")
    said = {
        first or second for source in sources for first, second in _REASON.findall(source.read_text(encoding="utf-8"))
    }
    said |= set(LIMIT_REASONS)
    assert len(said) > 15
    assert sorted(reason for reason, _ in rows) == sorted(said)
    assert {code for _, code in rows} <= {code.name for code in StatusCode}


def test_every_reason_that_holds_at_every_table_stands_there(repository: Path) -> None:
    text = (repository / "docs/errors.md").read_text(encoding="utf-8")
    there = re.findall(r"^\| `([A-Z_]+)` \|", text, re.MULTILINE)
    rejections = {id.split()[0] for id in words("en").templates["rejections"]}
    assert rejections - set(there) == set()
    assert len(there) == len(set(there))


PASSING = {
    "REQUEST_TIMEOUT": refusals.RequestTimeoutError(),
    "CONTENDED": refusals.ContendedError(),
    "OVERLOADED": refusals.OverloadError(),
    "TOO_MANY_READS": refusals.LimitError("reads", "key", "", "2 a second", 0.0),
    "TOO_SLOW": refusals.SlowReaderError(7),
    "FEED_TOO_SLOW": refusals.FeedTooSlowError("9"),
    "SHUTTING_DOWN": refusals.ShuttingDownError(),
    "STORAGE_FAILED": refusals.StorageFailedError(),
    "STORAGE_LOST": refusals.StorageLostError(),
    "READ_FAILED": refusals.ReadFailedError(),
}


def test_all_that_can_pass_is_named_here() -> None:
    passing = {kind for kind in Refusal.__subclasses__() if kind.retry_seconds is not None}
    assert passing == {type(each) for each in PASSING.values()}


@pytest.mark.parametrize("refusal", PASSING.values(), ids=PASSING)
def test_what_passes_says_so_with_a_retry_info(repository: Path, refusal: Refusal) -> None:
    """Also where it passes at once: whether it is there tells a client whether to ask again."""
    found = RetryInfo()
    assert any(each.Unpack(found) for each in status_of(refusal, "en", "call").details)
    assert found.HasField("retry_delay")
    assert found.retry_delay.ToTimedelta().total_seconds() == refusal.retry_seconds
    (row,) = re.findall(rf"^\| `{refusal.reason}` .*$", (repository / "docs/errors.md").read_text(), re.MULTILINE)
    assert "`RetryInfo`" in row


@pytest.mark.parametrize("code", [StatusCode.UNAVAILABLE, StatusCode.RESOURCE_EXHAUSTED, StatusCode.NOT_FOUND])
def test_what_does_not_pass_has_none(code: StatusCode) -> None:
    refusal = Refusal("ARCHIVE_UNREADABLE", "It cannot be read.")
    refusal.code = code
    assert not any(each.Is(RetryInfo.DESCRIPTOR) for each in status_of(refusal, "en", "call").details)


def test_the_limits_are_those_of_the_checks(repository: Path) -> None:
    text = (repository / "docs/errors.md").read_text(encoding="utf-8")
    for limit in (
        f"| commands of one submission | {checks.MOST_COMMANDS} |",
        f"| subjects of `ExplainRefusals` | 1 to {checks.MOST_SUBJECTS}; {explaining.MOST} answers |",
        f"| seats | {checks.MOST_SEATS}, ",
        f"| options, readings | {MOST_CHOICES} each, ",
        f"| `command_id` | 1 to {checks.LONGEST_ID} visible",
        f"| `request_id` | {checks.SHORTEST_REQUEST_ID} to {checks.LONGEST_ID} visible",
        f"| names | {names.LONGEST_NAME} printable",
        f"| invitations made to a game | {MOST_INVITATIONS} |",
        f"| `player_id` | 1 to {checks.LONGEST_PLAYER_ID} visible",
        f"| entropy of a seat | {checks.LONGEST_ENTROPY} bytes",
        f"| a position | {checks.LARGEST_POSITION // 1024} KiB",
    ):
        assert limit in text


def test_the_limits_of_undo_are_those_of_the_game(repository: Path) -> None:
    text = (repository / "docs/errors.md").read_text(encoding="utf-8")
    for limit in (
        f"a seat has {undo.SPARE_UNDOS} undos and {undo.UNDOS_PER_BATCH} more for each",
        f"asked {undo.MOST_REQUESTS} times",
        f"more than {undo.MOST_TAKEN_BACK:,} events",
    ):
        assert limit in text
