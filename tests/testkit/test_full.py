"""The example title passes the full tests with the files that the test kit writes for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MODULE = """
from pathlib import Path

from boardkeeper.testkit import full
from boardkeeper.testkit.adapters import Adapter
from liars_cards import TITLE

ADAPTER = Adapter(title=TITLE, folder=Path(__file__).parent, decisions=("turn",))


class TestLiarsCards(full.TitleTests):
    adapter = ADAPTER
    games = 1


def test_liars_cards_bid_bids(): ...
def test_liars_cards_bid_is_higher(): ...
def test_liars_cards_doubt_follows_a_bid__at_the_start(): ...
"""

REJECTIONS = """
[NOT_ALLOWED]
"liars_cards.bid.bids" = ["count value"]
"liars_cards.bid.is_higher" = ["count value"]
"liars_cards.doubt.follows_a_bid" = [""]
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path, repository: Path) -> Path:
    """Return a package with the example and full tests."""
    source = repository / "examples" / "titles" / "liars_cards" / "liars_cards.py"
    (tmp_path / "liars_cards.py").write_bytes(source.read_bytes())
    (tmp_path / "test_full.py").write_text(MODULE)
    return tmp_path


TESTS = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "pythonpath=.", "-W", "ignore", "test_full.py")


def test_files_are_written_and_checked(folder: Path) -> None:
    missing = run(folder, *TESTS, "-k", "golden or perft or published")
    assert "python -m boardkeeper.testkit MODULE" in missing.stdout
    assert "6 failed" in missing.stdout, missing.stdout
    written = run(folder, "-m", "boardkeeper.testkit", "test_full")
    assert written.returncode == 0, written.stderr
    assert {path.name for path in (folder / "golden").iterdir()} >= {
        f"standard-{players}p.jsonl.xz" for players in (2, 5)
    }
    assert [path.name for path in (folder / "perft" / "standard").iterdir()]
    (folder / "rejections.toml").write_text(REJECTIONS)
    result = run(folder, *TESTS)
    assert result.returncode == 0, result.stdout
    source = folder / "liars_cards.py"
    source.write_text(source.read_text("utf-8").replace("HAND, COPIES = 4", "HAND, COPIES = 3"), "utf-8")
    assert run(folder, *TESTS, "-k", "test_golden_game or test_perft").returncode == 1
