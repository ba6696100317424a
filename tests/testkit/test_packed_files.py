"""Golden games and perft files are stored compressed and can be printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.golden.games import files

from boardkeeper.testkit import packed_files
from boardkeeper.testkit.__main__ import main

ROOT = Path(__file__).parent.parent.parent


def test_compressed_and_plain_files_are_found_and_read_alike(tmp_path: Path) -> None:
    packed_files.create(tmp_path / "b.json.xz", b"{}\n")
    packed_files.create(tmp_path / "a.json", b"{}\n")
    found = packed_files.find(tmp_path, "*.json")
    assert [packed_files.name_of(path) for path in found] == ["a", "b"]
    assert [packed_files.read(path) for path in found] == [b"{}\n", b"{}\n"]
    assert found[1].read_bytes() != b"{}\n"


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    packed_files.create(tmp_path / "a.json.xz", b"1")
    with pytest.raises(FileExistsError):
        packed_files.create(tmp_path / "a.json.xz", b"2")


def test_a_golden_game_is_printed(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (path, *_) = files("orleans")
    assert main(["show", str(path)]) == 0
    assert capfdbinary.readouterr().out == packed_files.read(path)


@pytest.mark.parametrize("content", [None, b"not compressed"])
def test_an_unreadable_file_is_reported(
    tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.jsonl.xz"
    if content is not None:
        path.write_bytes(content)
    assert main(["show", str(path)]) == 1
    assert f"{path}: cannot be read" in capsys.readouterr().err


def test_all_stored_games_and_counts_are_compressed() -> None:
    for folder in ("golden", "perft"):
        assert not [*(ROOT / "tests" / folder).rglob("*.json"), *(ROOT / "tests" / folder).rglob("*.jsonl")]
