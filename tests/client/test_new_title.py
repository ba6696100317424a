"""``boardkeeper new-title`` writes a complete title that passes its tests, the linter and the type checker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from boardkeeper.terminal.main import main

BIN = Path(sys.executable).parent


def check(folder: Path, *command: str) -> None:
    """Run a tool in a folder; it must succeed."""
    done = subprocess.run([BIN / command[0], *command[1:]], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def skeleton(tmp_path: Path) -> Path:
    assert main(["new-title", "lost_gold", "--folder", str(tmp_path)]) == 0
    return tmp_path / "lost_gold"


def test_the_skeleton_passes_its_own_tests(skeleton: Path) -> None:
    """Also inside of a folder with unknown pytest options, such as a clone of this repository."""
    (skeleton.parent / "pyproject.toml").write_text("[tool.pytest]\nunknown_option = true\nstrict_config = true\n")
    check(skeleton, "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "pythonpath=.", "-W", "ignore", ".")


def test_the_skeleton_passes_the_linter_and_the_type_checker(skeleton: Path, repository: Path) -> None:
    options = ("--isolated", "--line-length", "120")
    check(skeleton, "ruff", "check", *options, "--select", "E,F,I,B,UP,SIM,RUF,D1", "--ignore", "D107", ".")
    check(skeleton, "ruff", "format", *options, "--check", ".")
    (skeleton / "mypy.ini").write_text(f"[mypy]\nmypy_path = {repository / 'domain'}\nexplicit_package_bases = True\n")
    check(skeleton, "mypy", "--strict", "lost_gold.py", "test_lost_gold.py")


def test_the_next_commands_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-title", "lost_gold", "--folder", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "boardkeeper serve --titles lost_gold" in printed
    assert "'boardkeeper[testkit]'" in printed


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Lost-Gold", "for example lost_gold"),
        ("../gold", "lower-case letters"),
        ("a", "2 to 31"),
        ("class", "reserved"),
        ("json", "reserved"),
        ("game", "reserved"),
        ("pytest", "already"),
    ],
)
def test_bad_names_are_rejected(name: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-title", name, "--folder", str(tmp_path)]) == 2
    assert problem in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_an_existing_folder_is_not_changed(skeleton: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (skeleton / "lost_gold.py").write_text("mine")
    assert main(["new-title", "lost_gold", "--folder", str(skeleton.parent)]) == 1
    assert "exists already" in capsys.readouterr().err
    assert (skeleton / "lost_gold.py").read_text() == "mine"
