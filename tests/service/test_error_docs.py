"""docs/errors.md says what the service says."""

from __future__ import annotations

import re
from pathlib import Path

from grpc import StatusCode

from boardkeeper.game import undo
from boardkeeper.service.games import explaining
from boardkeeper.service.games.inviting import MOST_INVITATIONS
from boardkeeper.service.requests import checks, names
from boardkeeper.service.requests.refusals import LIMIT_REASONS

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


def test_the_limits_are_those_of_the_checks(repository: Path) -> None:
    text = (repository / "docs/errors.md").read_text(encoding="utf-8")
    for limit in (
        f"| commands of one submission | {checks.MOST_COMMANDS} |",
        f"| subjects of `ExplainRefusals` | 1 to {checks.MOST_SUBJECTS}; {explaining.MOST} answers |",
        f"| seats | {checks.MOST_SEATS}, ",
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
