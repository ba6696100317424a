"""Run pytest in CI: repeat each failed test once, alone, and report the tests that pass then as flaky.

    python tools/ci_tests.py NAME PYTEST_ARGUMENTS...

Tests that fail in the main run are repeated in a single process, unless there are more than ``MAX_REPEATED``. A test
that passes then is printed as FLAKY, with its first error. It does not fail the run, unless ``tests/flaky.toml`` lists
it: then the cause should have been removed already. CONTRIBUTING.md describes what to do about a FLAKY line.

Reports in ``build/tests``: ``NAME.xml`` (JUnit) and ``NAME.durations.txt`` (the slowest tests); if tests were repeated,
also ``NAME.again.xml`` (JUnit) and ``NAME.flaky.txt`` (the FLAKY lines).

Exit status: 0 if each failed test passed when repeated and no listed test was flaky; 2 if an entry of
``tests/flaky.toml`` is malformed; otherwise the exit status of pytest's main run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

FLAKY_LIST = Path("tests/flaky.toml")
REPORTS = Path("build/tests")
MAX_REPEATED = 25
"""If more tests fail, none is repeated: the commit is probably broken."""

_LISTED_DURATIONS = 50
_PRINTED_DURATIONS = 10
_TESTS_FAILED = 1
"""pytest's exit status if tests failed. Any other status except 0 means that pytest could not run the tests."""


class FlakyListError(Exception):
    """An entry of ``tests/flaky.toml`` does not have the documented keys."""


def main(arguments: Sequence[str]) -> int:
    """Run pytest in the current folder, repeat failed tests, write the reports, and return the exit status."""
    name, *pytest_arguments = arguments
    try:
        listed = read_flaky_list(FLAKY_LIST)
    except FlakyListError as error:
        print(error, file=sys.stderr)
        return 2
    REPORTS.mkdir(parents=True, exist_ok=True)
    report = REPORTS / f"{name}.xml"
    flaky_report = REPORTS / f"{name}.flaky.txt"
    flaky_report.unlink(missing_ok=True)
    status = run_pytest(report, ["--cache-clear", *pytest_arguments])
    write_durations(report, REPORTS / f"{name}.durations.txt")
    if status != _TESTS_FAILED:
        return status
    failed = failed_tests()
    if not failed:
        return status
    if len(failed) > MAX_REPEATED:
        print(f"{len(failed)} tests failed. More than {MAX_REPEATED} are not repeated: the commit is broken.")
        return status
    print(f"Repeating {len(failed)} failed tests alone ...", flush=True)
    # The arguments may contain -n; pytest uses the last one.
    run_pytest(REPORTS / f"{name}.again.xml", [*pytest_arguments, "-n", "0", "--last-failed"])
    flaky = failed - failed_tests()
    errors = first_errors(report, flaky)
    lines = [f"FLAKY {test}: {errors.get(test, 'no error in the report')}\n" for test in sorted(flaky)]
    print(*lines, sep="", end="")
    flaky_report.write_text("".join(lines))
    known = sorted(flaky & listed.keys())
    for test in known:
        print(f"{test} failed again although {FLAKY_LIST} lists it since {listed[test]}: remove its cause.")
    if flaky != failed:
        print(f"Failed twice: {', '.join(sorted(failed - flaky))}")
    elif not known:
        print(f"{len(flaky)} flaky, 0 failed. Add each FLAKY test to {FLAKY_LIST} and remove its cause.")
        return 0
    return status


def run_pytest(report: Path, arguments: Iterable[str]) -> int:
    """Run pytest with a JUnit report, and return its exit status."""
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", f"--junitxml={report}", *arguments]
    return subprocess.run(command, check=False).returncode


def failed_tests() -> set[str]:
    """Return the node ids of the tests whose last run failed, from pytest's cache."""
    cached = Path(".pytest_cache/v/cache/lastfailed")
    return set(json.loads(cached.read_text())) if cached.exists() else set()


def read_flaky_list(path: Path) -> dict[str, str]:
    """Return the dates of the listed tests, by node id. Raise :class:`FlakyListError` if it is malformed."""
    try:
        entries = tomllib.loads(path.read_text()).get("flaky", []) if path.exists() else []
    except tomllib.TOMLDecodeError as error:
        raise FlakyListError(f"{path}: {error}") from error
    listed: dict[str, str] = {}
    for entry in entries:
        if not isinstance(entry, dict) or set(entry) != {"test", "date", "error"}:
            raise FlakyListError(f"{path}: each [[flaky]] has the keys test, date and error, and no others")
        listed[str(entry["test"])] = str(entry["date"])
    return listed


def first_errors(report: Path, tests: Iterable[str]) -> dict[str, str]:
    """Return the first line of each test's first error in a JUnit report, by node id. Skip tests without an error."""
    errors: dict[str, str] = {}
    for case in _cases(report):
        for outcome in case:
            if outcome.tag in ("failure", "error"):
                lines = (outcome.get("message") or outcome.text or "").splitlines()
                errors.setdefault(f"{case.get('classname')}.{case.get('name')}", lines[0] if lines else "")
    return {test: errors[_name_in_report(test)] for test in tests if _name_in_report(test) in errors}


def _name_in_report(test: str) -> str:
    """Convert a node id to the ``classname.name`` of its test case in a JUnit report."""
    path, _, names = test.partition("::")
    name, bracket, parameters = names.partition("[")
    return f"{path.removesuffix('.py').replace('/', '.')}.{name.replace('::', '.')}{bracket}{parameters}"


def write_durations(report: Path, path: Path) -> None:
    """Write the slowest tests of a JUnit report to a file, and print the ten slowest."""
    seconds: Mapping[str, float] = {
        f"{case.get('classname')}.{case.get('name')}": float(case.get("time") or 0) for case in _cases(report)
    }
    slowest = sorted(seconds.items(), key=lambda item: -item[1])[:_LISTED_DURATIONS]
    lines = [f"{duration:8.2f} s  {test}" for test, duration in slowest]
    path.write_text("".join(f"{line}\n" for line in lines))
    if lines:
        print(f"The slowest tests ({path} has {len(lines)}):")
        print("\n".join(lines[:_PRINTED_DURATIONS]), flush=True)


def _cases(report: Path) -> Iterable[ET.Element]:
    """Return the test cases of a JUnit report, or none if the file does not exist."""
    return ET.parse(report).getroot().iter("testcase") if report.exists() else ()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
