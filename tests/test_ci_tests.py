"""The handling of failed tests in CI: each case runs pytest on a separate small project."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ci_tests

TOOL = Path(ci_tests.__file__)
PASSES = "def test_passes(): pass\n"
FAILS = "def test_fails(): assert 1 == 2\n"
FLAKY = """
import pathlib, pytest
@pytest.mark.parametrize("way", ["a/b"])
class TestOnce:
    def test_flaky(self, way):
        mark = pathlib.Path("was_here")
        was_here = mark.exists()
        mark.touch()
        assert was_here, "first time"
"""
NAME = "tests/test_it.py::TestOnce::test_flaky[a/b]"
LISTED = f'[[flaky]]\ntest = "{NAME}"\ndate = 2026-11-27\nerror = "first time"\n'


def ran(folder: Path, source: str, listed: str = "", *arguments: str) -> tuple[int, str]:
    """Run the tool in a project with one file of tests; returns its exit status and what it printed."""
    (folder / "tests").mkdir()
    (folder / "tests/test_it.py").write_text(source)
    (folder / "tests/flaky.toml").write_text(listed)
    (folder / "pytest.ini").write_text("[pytest]\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    run = subprocess.run(
        [sys.executable, str(TOOL), "main", "-q", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.returncode, run.stdout + run.stderr


def test_passed_tests_are_not_repeated(tmp_path: Path) -> None:
    status, output = ran(tmp_path, PASSES)
    assert status == 0
    assert "Repeating" not in output
    assert "tests.test_it.test_passes" in (tmp_path / "build/tests/main.durations.txt").read_text()
    assert (tmp_path / "build/tests/main.xml").exists()


@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_test_that_passes_alone_is_flaky_and_fails_nothing(tmp_path: Path, processes: str) -> None:
    status, output = ran(tmp_path, PASSES + FLAKY, "", "-n", processes)
    assert status == 0
    assert f"FLAKY {NAME}: AssertionError: first time" in output
    assert "1 flaky, 0 failed" in output
    assert (tmp_path / "build/tests/main.flaky.txt").read_text() == f"FLAKY {NAME}: AssertionError: first time\n"


def test_a_listed_flaky_test_fails_the_run(tmp_path: Path) -> None:
    status, output = ran(tmp_path, PASSES + FLAKY, LISTED)
    assert status == 1
    assert f"FLAKY {NAME}" in output
    assert "lists it since 2026-11-27" in output


def test_a_test_that_fails_twice_fails_the_run(tmp_path: Path) -> None:
    status, output = ran(tmp_path, FAILS + FLAKY)
    assert status == 1
    assert f"FLAKY {NAME}" in output
    assert "Failed twice: tests/test_it.py::test_fails" in output


def test_many_failed_tests_are_not_repeated(tmp_path: Path) -> None:
    many = (
        f"import pytest\n@pytest.mark.parametrize('i', range({ci_tests.MAX_REPEATED + 1}))\ndef test_it(i): assert 0\n"
    )
    status, output = ran(tmp_path, many)
    assert status == 1
    assert "the commit is broken" in output


def test_tests_that_cannot_be_collected_fail_the_run(tmp_path: Path) -> None:
    assert ran(tmp_path, "import nothing_of_that_name\n")[0] == 2


def test_a_test_that_ends_its_process_is_repeated(tmp_path: Path) -> None:
    ends = FLAKY.replace('assert was_here, "first time"', "was_here or __import__('os')._exit(3)")
    status, output = ran(tmp_path, PASSES + ends, "", "-n", "2")
    assert status == 0
    assert f"FLAKY {NAME}" in output


def test_a_malformed_list_fails_the_run(tmp_path: Path) -> None:
    for name, listed, problem in (
        ("keys", '[[flaky]]\ntest = "x"\n', "test, date and error"),
        ("syntax", "[[flaky", "flaky.toml: "),
    ):
        (tmp_path / name).mkdir()
        status, output = ran(tmp_path / name, PASSES, listed)
        assert status == 2
        assert problem in output


def test_the_committed_list_is_of_the_documented_form(repository: Path) -> None:
    listed = ci_tests.read_flaky_list(repository / ci_tests.FLAKY_LIST)
    for test in listed:
        assert (repository / test.partition("::")[0]).exists(), test
