"""Mutation tests of a title in its own folder report the mutants that no test kills."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

# In CI the package is always installed, so a missing one is a failure there.
NEEDS_MUTMUT = pytest.mark.skipif(find_spec("mutmut") is None and not os.environ.get("CI"), reason="needs mutmut")

RULES = """
def cost(cards):
    return cards * 2


def gain(cards):
    return cards + 1
"""

TESTED = """
from nim import rules

def test_cost():
    assert rules.cost(3) == 6

def test_gain_is_a_number():
    assert isinstance(rules.gain(3), int)
"""

STRICTER = """
def test_gain():
    assert rules.gain(3) == 4
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the mutants command in a folder."""
    command = [sys.executable, "-m", "boardkeeper.testkit", "mutants", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a package in ``src`` with one module of rules, and its tests beside it."""
    package = tmp_path / "src" / "nim"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", "utf-8")
    (package / "rules.py").write_text(RULES, "utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_nim.py").write_text(TESTED, "utf-8")
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["src"]\n', "utf-8")
    return tmp_path


@NEEDS_MUTMUT
def test_survivors_are_reported_until_a_test_kills_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(folder / "src"))
    found = run(folder, "nim")
    assert found.returncode == 1, found.stderr
    diff = (folder / ".mutants" / "survivors.diff").read_text("utf-8")
    assert "+    return cards - 1" in diff
    assert "+    return cards - 1" in found.stdout
    assert "cards * 3" not in diff, "a test kills this mutant"
    assert (folder / "src" / "nim" / "rules.py").read_text("utf-8") == RULES
    assert run(folder, "nim", "rules", "--again").returncode == 1
    with (folder / "tests" / "test_nim.py").open("a", encoding="utf-8") as tests:
        tests.write(STRICTER)
    again = run(folder, "nim", "--again")
    assert again.returncode == 0, again.stdout
    assert "100.0%" in again.stdout


@NEEDS_MUTMUT
def test_a_justified_survivor_does_not_count(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(folder / "src"))
    lines = (f"- `nim/rules.py` `return cards {change}`: only a test of this tool\n" for change in ("- 1", "+ 2"))
    (folder / "justified_mutants.md").write_text("".join(lines), "utf-8")
    result = run(folder, "nim", "--full")
    assert result.returncode == 0, result.stdout
    assert (folder / ".mutants" / "survivors.diff").read_text("utf-8") == ""


@NEEDS_MUTMUT
def test_a_test_that_fails_without_a_mutant_ends_the_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(folder / "src"))
    (folder / "tests" / "test_wrong.py").write_text("def test_wrong():\n    assert 1 == 2\n", "utf-8")
    failed = run(folder, "nim")
    assert failed.returncode == 2
    assert "test_wrong.py::test_wrong fails without a mutant" in failed.stderr


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["gone"], "no module or package 'gone'"),
        (["json"], "run this command in the folder"),
        (["nim", "nothing"], "no module of the rules matches nothing"),
    ],
)
def test_wrong_arguments_are_reported(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], error: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(folder / "src"))
    failed = run(folder, *arguments)
    assert failed.returncode == 2
    assert error in failed.stderr


def test_unknown_settings_are_rejected(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(folder / "src"))
    (folder / "mutants.toml").write_text('rule = ["rules.py"]\n', "utf-8")
    failed = run(folder, "nim")
    assert failed.returncode == 2
    assert "mutants.toml" in failed.stderr
    assert "`rule`" in failed.stderr


def test_the_message_without_mutmut_names_the_extra(folder: Path) -> None:
    code = "import sys; sys.modules['mutmut'] = None\nfrom boardkeeper.testkit import mutants\n"
    code += "sys.path.insert(0, 'src')\nsys.exit(mutants.main(['nim']))"
    failed = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert failed.returncode == 2
    assert "pip install 'boardkeeper[mutants]'" in failed.stderr
